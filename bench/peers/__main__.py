"""How fast are our environments beside other libraries'?

`make bench-peers`, or `python -m bench.peers`.

Each library gets a virtual environment of its own under out/peers, and plays uniformly random games in the same loop:
the legal actions, a choice, the step; `bench/peers/loops.py` has the loops. What is measured is decisions in a second
of processor time of one core, so that what else runs on the machine matters less. The result, with versions and the
machine, is written into docs/speed.md. A library that cannot be installed is named with the reason. `--keep` measures
those libraries that have no result in out/peers yet, and writes all.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

from rich.console import Console

ROOT = Path(__file__).parents[2]
HOME = ROOT / "out" / "peers"
LOOPS = Path(__file__).parent / "loops.py"
PAGE = ROOT / "docs" / "speed.md"
PEERS = {
    "open_spiel": ("open_spiel==2.0.2", "numpy"),
    "pettingzoo": ("pettingzoo[classic]==1.27.0",),
    "rlcard": ("rlcard==1.2.0",),
    "catanatron": ("catanatron==3.2.1", "catanatron-gym==4.0.0"),
    "pgx": ("pgx==2.6.0",),
}
"""What pip installs for each."""
TITLES = {
    "open_spiel": "OpenSpiel",
    "pettingzoo": "PettingZoo",
    "rlcard": "RLCard",
    "catanatron": "Catanatron",
    "pgx": "pgx",
}
SINGLE, BATCH = "one by one", "many at once"
Found = dict[str, Any]


def run(*command: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command, and what it printed."""
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment})


def install(name: str) -> tuple[Path, str]:
    """The Python of a library's environment, made if there is none, and why there is none, else nothing."""
    folder = HOME / name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    marker = folder / "installed"
    if marker.exists():
        return python, ""
    process = run(sys.executable, "-m", "venv", "--clear", "--without-pip", folder)
    if (
        process.returncode == 0
    ):  # by the pip of the Python that made our own environment, as the Makefile does
        pip = (Path(sys.base_prefix) / python.relative_to(folder), "-m", "pip", "--python", python)
        process = run(*pip, "install", "--no-input", "--no-compile", *PEERS[name])
    if process.returncode:
        lines = [line for line in process.stderr.splitlines() if "error" in line.lower()] or ["it failed"]
        return python, f"pip could not install {' '.join(PEERS[name])}: {lines[-1].strip()}"
    marker.touch()
    return python, ""


def version_of(python: Path, name: str) -> str:
    """Which version is installed."""
    program = f"from importlib.metadata import version; print(version({name!r}))"
    return run(python, "-c", program).stdout.strip()


def measure(name: str, seconds: float) -> Found:
    """What a library's loops did, or why they could not."""
    if name == "atoll":
        python, why = Path(sys.executable), ""
    else:
        python, why = install(name)
    if why:
        return {"name": name, "why": why, "lines": []}
    # One thread everywhere: what is compared is one core.
    output = run(python, LOOPS, name, seconds, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    lines = [json.loads(line) for line in output.stdout.splitlines() if line.startswith("{")]
    broken = output.stderr.strip().splitlines()
    why = f"its loops ended early: {broken[-1][:200]}" if output.returncode and broken else ""
    return {"name": name, "version": version_of(python, name), "why": why, "lines": lines}


def slowest(ours: Found, how: str, observed: bool, word: str = "") -> tuple[str, float]:
    """The one of our games that has the fewest decisions a second: what others are compared with."""
    lines = [
        line
        for line in ours["lines"]
        if line["how"] == how and line["observed"] == observed and word in line["game"] and "rate" in line
    ]
    line = min(lines, key=lambda line: line["rate"])
    return line["game"], line["rate"]


def compared(peers: list[Found], ours: Found) -> tuple[list[str], list[str]]:
    """A row for each game of another library, and those that are faster than ours, with their ratios."""
    rows, behind = [], []
    for one in peers:
        for line in one["lines"] if one is not ours else ():
            name = f"{TITLES[one['name']]} {one['version']}"
            row = f"| {name} | {line['game']} | {line['how']} | {'yes' if line['observed'] else 'no'} |"
            if "rate" not in line:
                rows.append(f"{row} not measured: {line['why']} | |")
                continue
            word = "" if line["how"] == BATCH else ("AEC" if line["observed"] else "engine")
            ratio = slowest(ours, line["how"], line["observed"], word)[1] / line["rate"]
            rows.append(f"{row} {line['rate']:,.0f} | {ratio:.1f} |")
            if ratio < 1:
                behind.append(f"{TITLES[one['name']]}'s {line['game']}, {line['how']} ({ratio:.2f})")
    return rows, behind


def page(peers: list[Found], seconds: float, runs: str, load: str) -> str:
    """docs/speed.md; `runs` says in how many runs that was found, `load` what else ran on the machine."""
    ours = next(one for one in peers if one["name"] == "atoll")
    rows, behind = compared(peers, ours)
    text = [
        "# Speed beside other libraries",
        "",
        "Written by `make bench-peers`: uniformly random play in the same loop everywhere (legal actions, a choice, "
        "the step), decisions in a second of processor time of one core, the best of three rounds of "
        f"{seconds:g} s. Each library is in a virtual environment of its own, {runs}.",
        "",
        f"**The machine**: {platform.machine()}, {processor()}, {os.cpu_count()} cores, {platform.system()}, "
        f"Python {platform.python_version()}; {date.today().isoformat()}{load}.",
        "",
        "Games differ in what a decision costs, so the ratio is a lower bound: the slowest of our games, stepped the "
        "same way, by the peer's. One by one with observations, that is PettingZoo's loop (AEC); without, the "
        "rules' functions called from Python; many at once, the vector environment. Above 1, ours is faster. Of pgx's "
        "games sparrow_mahjong, with several players and hidden hands, is the one to compare with; leduc, connect "
        "four and tic-tac-toe are far smaller than any of ours and stand here for scale.",
        "",
        *([f"Below 1, where others are faster: {'; '.join(behind)}.", ""] if behind else []),
        "| library | game | stepped | observations | decisions a second | ratio |",
        "|---|---|---|---|---|---|",
        *rows,
    ]
    text += ["", "| ours | stepped | observations | decisions a second |", "|---|---|---|---|"]
    for line in ours["lines"]:
        seen, what = "yes" if line["observed"] else "no", line.get("why", "")
        figure = f"{line['rate']:,.0f}" if "rate" in line else f"not measured: {what}"
        text.append(f"| {line['game']} | {line['how']} | {seen} | {figure} |")
    missing = [f"- {TITLES.get(one['name'], one['name'])}: {one['why']}" for one in peers if one["why"]]
    return "\n".join(text + (["", "Not measured, or not all of it:", "", *missing] if missing else [])) + "\n"


def processor() -> str:
    """What the machine calls its processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next(
        (line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor"
    )


def main() -> None:
    """Install, measure, and write the page."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--only", action="append", choices=list(PEERS), help="which libraries; all if not said"
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="processor seconds of a round")
    parser.add_argument(
        "--keep", action="store_true", help="take results that are in out/peers, measure the others"
    )
    parser.add_argument("--install", action="store_true", help="install, and stop there")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the result is written")
    settings = parser.parse_args()
    console = Console(highlight=False)
    load = f"; load of other programs {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    HOME.mkdir(parents=True, exist_ok=True)
    peers = []
    for name in settings.only or PEERS:
        console.print(f"Installing {TITLES[name]}")
        if why := install(name)[1]:
            console.print(f"  {why}")
    if settings.install:
        return
    for name in ("atoll", *(settings.only or PEERS)):
        file = HOME / f"{name}.json"
        if not (settings.keep and file.exists()):
            console.print(f"Measuring {TITLES.get(name, 'ours')}")
            file.write_text(json.dumps(measure(name, settings.seconds)))
        peers.append(json.loads(file.read_text()))
    runs = "some measured again by themselves later" if settings.keep else "all in one run"
    settings.page.write_text(page(peers, settings.seconds, runs, load), "utf-8")
    console.print(f"{settings.page} is written.")


if __name__ == "__main__":
    main()

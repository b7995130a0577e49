"""Run a soak test, or all of them: `python -m tests.soak [TOOL ...]`.

`python -m tests.soak TOOL --help` tells what a tool does. `python -m tests.soak all --minutes 60` goes round those that
can fail, each in a short form and in an order drawn by the seed, until the time is up. Each command is printed before
it runs, its seed included, and repeats what it found; those that failed are printed again at the end.
"""

import argparse
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.soak import questions

ROOT = Path(__file__).parents[2]
SHORT_FORMS = {
    "browser_games": "--games 100 --seed {seed}",
    "chaos": "--minutes 1 --seed {seed}",
    "contrast": "--sizes phone",
    "crawler": "--minutes 1 --seed {seed}",
    "foretelling": "--sequences 300 --seed {seed}",
    "full_disk": "--rounds 1",
    "fuzz": "--requests 2000 --seed {seed}",
    "invariants": "--games 100 --seed {seed}",
    "lessons": "build/soak/lessons --language en",
    "modules": "--games 300",
    "monkey": "--minutes 1 --seed {seed}",
    "mutations": "--count 200 --seed {seed}",
    "planted": "--games 1000 --selves 3",
    "recorded_games": "",
    "screen_reader": "--players 2",
    "simulation": "--days 40 --seed {seed}",
    "sizes": "build/soak/sizes --sizes 390 --languages en --seed {seed}",
}
"""The tools that can fail, and how `all` runs them. The others print figures, or draw what a person looks at."""
STOPS_WITHIN = 30
"""Seconds for a tool to clean up when the time is up."""


def run(tool: str, arguments: str, seconds: float) -> int:
    """Run a tool for so many seconds at most; its exit status, or 0 where the time was up first."""
    command = [sys.executable, "-m", f"tests.soak.{tool}", *shlex.split(arguments)]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        print("stopped, since the time is up", flush=True)
        return 0
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            try:
                process.wait(STOPS_WITHIN)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def run_all(minutes: float, seed: int) -> int:
    """Go round the tools for so many minutes; the exit status."""
    ends, failed = time.monotonic() + 60 * minutes, list[str]()
    while True:
        for tool in random.Random(seed).sample(sorted(SHORT_FORMS), len(SHORT_FORMS)):
            if (left := ends - time.monotonic()) <= 0:
                print(*(f"failed: {command}" for command in failed), sep="\n", end="\n" if failed else "")
                return 1 if failed else 0
            arguments = SHORT_FORMS[tool].format(seed=seed)
            command = f"python -m tests.soak {tool} {arguments}".rstrip()
            print(f"\n{command}", flush=True)
            if run(tool, arguments, left):
                failed.append(command)
        seed += 1


def main() -> int:
    """List the tools, or run one or all."""
    tools = questions(Path(__file__).parent)
    match sys.argv[1:]:
        case [] | ["-h"] | ["--help"]:
            print(__doc__)
            for name, question in tools.items():
                print(f"  {name:14}  {question}")
            return 0
        case ["all", *arguments]:
            parser = argparse.ArgumentParser(prog="python -m tests.soak all")
            parser.add_argument("--minutes", type=float, default=60, help="for how long")
            parser.add_argument("--seed", type=int, help="of the first round; the next has the next")
            settings = parser.parse_args(arguments)
            return run_all(
                settings.minutes, random.getrandbits(31) if settings.seed is None else settings.seed
            )
        case [tool, *arguments] if tool in tools:
            return subprocess.run(
                [sys.executable, "-m", f"tests.soak.{tool}", *arguments], cwd=ROOT
            ).returncode
        case [tool, *_]:
            print(f"there is no tool {tool!r}; there are: {', '.join(tools)}", file=sys.stderr)
            return 2
    return 2


if __name__ == "__main__":
    sys.exit(main())

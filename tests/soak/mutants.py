"""How many planted faults do the tests notice?

`python -m tests.soak mutants`.

mutmut plants mutants, each a small change of one function, in a copy of the modules that guard the site (AREAS), and
runs those of their quick tests that reach the changed function until one fails: then the mutant is killed. With
`--sample` so many of an area are drawn from a fixed seed.

Prints for each module how many were killed, with the interval of 95 % (Wilson) where they are a sample, and writes what
survived as differences into `--survivors`. Needs mutmut 3, which nothing else here does: `pip install --target FOLDER
mutmut`, and name that folder with `--mutmut`. Needs what `make test` installs.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from atoll.lab.estimates import share
from atoll.text import folders

ROOT = Path(__file__).parents[2]
WEB = "src/atoll/web"
SEED = 1


@dataclass(frozen=True)
class Area:
    """Modules, relative to the site's folder, and the quick tests that are about them."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    site: bool = True
    """whether tests that need a running site are among them"""


AREAS = {
    "security": Area(
        (
            *("serving/security.py", "bounds.py"),
            *("people/devices.py", "table/names.py"),
        ),
        ("guarding", "allowance", "bounds", "pace", "people"),
        site=False,
    ),
    "undo": Area(("table/undo.py",), ("undo",), site=False),
    "store": Area(
        (
            *("store/store.py", "store/people.py", "store/devices.py", "store/chat_messages.py"),
            *("store/history.py", "store/notifications.py", "store/site_time.py", "store/component_sets.py"),
        ),
        ("stored",),
        site=False,
    ),
    "faults": Area(
        ("store/database.py", "store/write_errors.py", "store/backoff.py", "store/site_time.py"),
        ("store", "write_errors", "damaged", "clocks", "going_on"),
        site=False,
    ),
}
LEFT_OUT = ("PostgreSQL", "compile", "without_numba")
"""Words in the names of tests that take long, or start processes in which there are no mutants."""
COPIED = ("examples", "locks", "docs", "README.md", "Makefile")
OPTIONS = ("--ends-only", "-p", "no:cacheprovider", "-W", "ignore")
SURVIVED, NO_TEST = (0,), (5, 33)
"""Exit codes that mutmut keeps of mutants; with any other a test failed, took too long or crashed."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a running site, where this is a plugin of pytest."""
    site = {"running", "start_server"}
    config.hook.pytest_deselected(items=[item for item in items if site & {*names_of(item)}])
    items[:] = [item for item in items if not site & {*names_of(item)}]


def names_of(item: pytest.Item) -> Sequence[str]:
    """The fixtures of a test."""
    return getattr(item, "fixturenames", ())


def settings(area: Area) -> str:
    """What mutmut reads."""
    options = [*OPTIONS, "-k", " and ".join(f"not {word}" for word in LEFT_OUT)]
    values = {
        "source_paths": ["src"],
        "only_mutate": [f"{WEB}/{module}" for module in area.modules],
        "also_copy": [*COPIED],
        "pytest_add_cli_args": [*options, *(() if area.site else ("-p", "tests.soak.mutants"))],
        "pytest_add_cli_args_test_selection": [f"tests/web/test_{name}.py" for name in area.tests],
        "use_git_change_detection": False,
        "timeout_multiplier": 4.0,
    }
    return "\n".join(
        ["", "[tool.mutmut]", *(f"{name} = {json.dumps(value)}" for name, value in values.items()), ""]
    )


class Copy:
    """A copy of the tree in which mutants are planted."""

    def __init__(self, folder: Path, area: Area, mutmut: str) -> None:
        self.folder = folder
        for name in ("src", "tests", *COPIED):
            if (ROOT / name).is_dir():
                shutil.copytree(
                    ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "browser")
                )
            else:
                shutil.copy2(ROOT / name, folder / name)
        plain = (ROOT / "pyproject.toml").read_text("utf-8")
        (folder / "pyproject.toml").write_text(plain + settings(area), "utf-8")
        self.program = f"import sys; sys.path.append({mutmut!r}); from mutmut.__main__ import cli; cli()"
        self.environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        (folder / "home").mkdir()
        (folder / "home" / "cache").symlink_to(folders.cache_folder().resolve(), target_is_directory=True)
        self.environment["ATOLL_HOME"] = str(folder / "home")

    def say(self, *arguments: str) -> str:
        """What mutmut says to a command."""
        command = [sys.executable, "-c", self.program, *arguments]
        found = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, errors="replace"
        )
        return found.stdout + found.stderr

    def codes(self) -> dict[str, int | None]:
        """The exit code that each mutant led to; None where it was not tried."""
        found: dict[str, int | None] = {}
        for file in sorted((self.folder / "mutants" / WEB).rglob("*.meta")):
            found.update(json.loads(file.read_text("utf-8"))["exit_code_by_key"])
        return found


def try_area(copy: Copy, sample: int | None) -> dict[str, int]:
    """Plant the mutants of an area one after another; the exit code of each that was tried."""
    if sample is None:
        said = copy.say("run", "--max-children", "1")
        names = [*copy.codes()]
    else:
        said = copy.say(
            "run", "--max-children", "1", "none"
        )  # plants them, finds out which test reaches what, stops
        known = sorted(copy.codes())
        names = sorted(random.Random(SEED).sample(known, min(sample, len(known))))
        if names:
            said = copy.say("run", "--max-children", "1", *names)
    codes = copy.codes()
    tried = {name: code for name in names if (code := codes[name]) is not None}
    if len(tried) < len(names) or not names:
        print(said[-3000:], file=sys.stderr)
        sys.exit("mutmut did not try all mutants")
    return tried


def module_of(name: str) -> str:
    """The module of a mutant, relative to the site's."""
    return name.removeprefix("atoll.web.").partition(".x")[0]


def row(name: str, codes: Sequence[int], sampled: bool) -> str:
    """A row of the table."""
    killed = sum(code not in (*SURVIVED, *NO_TEST) for code in codes)
    found = share(killed, len(codes))
    interval = f" ({found.low:.1%} to {found.high:.1%})" if sampled else ""
    return f"{name:24} {len(codes):6} {killed:6}  {found.value:.1%}{interval}"


def main() -> None:
    """Plant, test and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--areas", nargs="+", choices=AREAS, default=[*AREAS])
    parser.add_argument("--modules", nargs="+", help="these of the area alone, such as store/people.py")
    parser.add_argument("--sample", type=int, help="mutants of each area; all if not said")
    parser.add_argument("--mutmut", default="", help="the folder into which mutmut was installed")
    parser.add_argument("--survivors", type=Path, help="file for what survived")
    settings = parser.parse_args()
    if settings.survivors:
        settings.survivors.write_text("", "utf-8")
    print(f"{'':24} {'mutants':>6} {'killed':>6}")
    for name in settings.areas:
        area = AREAS[name]
        if settings.modules:
            area = replace(area, modules=tuple(settings.modules))
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(Path(folder), area, settings.mutmut)
            tried = try_area(copy, settings.sample)
            sampled = settings.sample is not None
            for module in Counter(map(module_of, tried)):
                print(
                    row(
                        module,
                        [code for mutant, code in tried.items() if module_of(mutant) == module],
                        sampled,
                    )
                )
            print(row(name, [*tried.values()], sampled), flush=True)
            if settings.survivors:
                lived = [mutant for mutant, code in tried.items() if code in (*SURVIVED, *NO_TEST)]
                with settings.survivors.open("a", encoding="utf-8") as file:
                    file.writelines(copy.say("show", mutant) for mutant in lived)


if __name__ == "__main__":
    main()

"""The cache of compiled code follows the sources."""

import gc
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import atoll
from atoll.core.catalogue import games
from atoll.engine import native
from atoll.text.errors import ContractError

PACKAGE = Path(atoll.__file__).parent

DRAW = """
import numpy as np
from atoll.engine.chance import draw_below, generators
from atoll.engine.native import native, sources_digest
value = native(draw_below)(generators(np.array(0x0123456789ABCDEF, dtype=np.uint64)), 1000)
hits = sum(native(draw_below).stats.cache_hits.values())
print(sources_digest('atoll.engine.chance'), value, hits)
"""


LINKED = """
import numpy as np
from atoll.engine.compiling import compiled
from atoll.engine.native import native, native_as
from numba import types
import faulthandler
faulthandler.dump_traceback_later(60, exit=True)

@compiled
def told(number):
    if number > 3:
        raise ValueError("more than three")
    print("told", number)
    return np.full(number, 2).sum()

@compiled
def caller(number):
    return told(number) + 1

def driver(number):
    return caller(number) * 10

assert native_as(types.intp(types.intp), driver)(2) == 50
assert native(caller)(2) == 5
assert native(told)(2) == 4
for function in (native(caller), native(told)):
    try:
        function(4)
    except ValueError as error:
        print(error)
print(sum(function.stats.cache_hits.total() for function in (native(caller), native(told))))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of Atoll's source."""
    copy = tmp_path / "source" / "atoll"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def draw(package: Path) -> tuple[str, int, int]:
    """A process with that copy of Atoll: digest of the sources, a number drawn, functions found in the cache."""
    home = package.parent.parent / "home"
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "ATOLL_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", DRAW], env=environment, capture_output=True, text=True, check=True
    )
    digest, value, hits = done.stdout.split()
    return digest, int(value), int(hits)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_changed_rule_is_compiled_anew_and_an_unchanged_one_is_not(package: Path) -> None:
    """Numba alone would keep the old callee inside a cached caller in another file."""
    first, value, hits = draw(package)
    assert hits == 0
    assert draw(package) == (first, value, 1)
    edit(package / "engine" / "chance.py", "word << np.uint64(13)", "word << np.uint64(12)")
    second, other, hits = draw(package)
    assert second != first
    assert other != value
    assert hits == 0


def test_what_a_linked_function_prints_and_raises_arrives(tmp_path: Path) -> None:
    """Both when its callers are compiled and when they come from the cache."""
    (tmp_path / "linked.py").write_text(LINKED)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "ATOLL_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-c", "import linked"]
    for hits in (0, 2):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        said = ["told 2"] * 3 + ["more than three"] * 2 + [str(hits)]
        assert sorted(done.stdout.splitlines()) == sorted(said)


def names_of(*modules: str) -> set[str]:
    return {path.relative_to(PACKAGE).as_posix() for path in native.compiled_sources(*modules)}


@pytest.mark.parametrize("game", sorted(game.package for game in games().values()))
def test_what_a_games_compiled_code_is_made_of(game: str) -> None:
    """Its rules and what they import; not other games, nor what draws, serves or tells."""
    names = names_of(f"{game}.rules")
    folder = game.removeprefix("atoll.").replace(".", "/")
    assert {f"{folder}/rules.py", f"{folder}/state.py", f"{folder}/view.py", "engine/chance.py"} <= names
    assert {
        name
        for name in names
        if not name.startswith((f"{folder}/", "core/", "engine/", "text/", "__init__.py"))
    } == set()
    assert not names & {f"{folder}/messages.py", f"{folder}/table.py", "core/records.py", "core/contract.py"}


def test_threads_may_look_for_sources_at_once() -> None:
    """Games are made ready in several threads; collecting garbage lets the next one run while a file is parsed."""
    files = sorted(PACKAGE.glob("core/*.py"))

    def look() -> int:
        return sum(len(native._imports.__wrapped__(file, "atoll.core.x")) for file in files)

    def switch(phase: str, info: dict[str, int]) -> None:
        sum(range(2000))

    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    gc.callbacks.append(switch)
    try:
        gc.set_threshold(50)
        sys.setswitchinterval(1e-6)
        with ThreadPoolExecutor(3) as threads:
            found = [threads.submit(look) for _ in range(3)]
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(switch)
    assert len({one.result() for one in found}) == 1


def test_an_edited_rule_changes_the_digest_of_those_who_import_it_alone(package: Path) -> None:
    """And so it moves their cache; an edited page moves none."""
    modules = [f"atoll.games.{rules.parent.name}.rules" for rules in sorted(package.glob("games/*/rules.py"))]
    modules.append("atoll.bots.search")
    code = f"from atoll.engine.native import sources_digest\nfor m in {modules}: print(sources_digest(m))"

    def digests() -> list[str]:
        home = package.parent.parent / "home"
        environment = {**os.environ, "PYTHONPATH": str(package.parent), "ATOLL_HOME": str(home)}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    before = digests()
    assert len(set(before)) == len(modules)
    (package / "commands" / "main.py").write_text("# another command line\n")
    rules = sorted(package.glob("games/*/rules.py"))[0]
    rules.write_text(rules.read_text() + "\n# a comment is a change too\n")
    after = digests()
    assert after[0] != before[0]
    assert after[1:] == before[1:]
    chance = package / "engine" / "chance.py"
    chance.write_text(chance.read_text() + "\n# everybody draws\n")
    assert not set(digests()) & set(after)


def test_old_caches_of_a_module_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the last versions stay, for whoever goes back and forth."""
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    home = tmp_path / "cache" / "compiled" / "atoll.engine.chance"
    for age in range(6):
        (home / f"old{age}").mkdir(parents=True)
        (home / f"old{age}" / "code.nbi").write_text("x")
        os.utime(home / f"old{age}", (1000 - age, 1000 - age))
    current = native.module_cache.__wrapped__("atoll.engine.chance")
    assert current.is_dir()
    kept = {folder.name for folder in home.iterdir()}
    assert kept == {current.name, *(f"old{age}" for age in range(native.KEPT_CACHES))}


# Functions that stand in a script, or in no file

SCRIPT = """
import sys
from atoll.engine.compiling import compiled
from atoll.engine.native import native, native_as
from helper import twice
from numba import types

@compiled
def number(start):
    return twice(start) + 1

def driver(start):
    return number(start) * 10

if __name__ == "__main__":
    loop = native_as(types.intp(types.intp), driver)
    print(native(number)(3), loop(3))
    print(sum(sum(one.stats.cache_hits.values()) for one in (native(number), loop)))
"""

HELPER = """
from atoll.engine.compiling import compiled

@compiled
def twice(start):
    return start * 2
"""

CELL = """
from atoll.engine.compiling import compiled, inlined
from atoll.engine.native import native, native_as
from numba import types

@inlined
def twice(start):
    return start * 2

@compiled
def number(start):
    return twice(start) + 1

loop = native_as(types.intp(types.intp), lambda start: number(start))
print(native(number)(3), loop(3), native(number).stats.cache_path)
"""

EXAMPLE = """
>>> from atoll.engine.compiling import compiled
>>> from atoll.engine.native import native
>>> @compiled
... def number(start):
...     return start * 3 + 1
>>> native(number)(3)
10
"""


def run_python(folder: Path, *arguments: str, given: str = "", plain: str = "") -> list[str]:
    """What Python says in a folder, with an ATOLL_HOME there."""
    environment = {**os.environ, "ATOLL_HOME": str(folder / "home"), "ATOLL_PLAIN_NUMBA": plain}
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=folder,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(("plain", "arguments"), [("", ["script.py"]), ("1", ["-m", "script"])])
def test_a_script_is_compiled_once_and_anew_when_it_or_what_stands_beside_it_changes(
    tmp_path: Path, plain: str, arguments: list[str]
) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "helper.py").write_text(HELPER)
    run = partial(run_python, tmp_path, *arguments, plain=plain)
    assert run() == ["7 70", "0"]
    assert run() == ["7 70", "2"]
    edit(tmp_path / "helper.py", "* 2", "* 4")
    assert run() == ["13 130", "0"]
    edit(tmp_path / "script.py", "+ 1", "+ 2")
    assert run() == ["14 140", "0"]


@pytest.mark.parametrize("plain", ["", "1"])
def test_a_function_without_a_file_is_compiled_and_not_kept(tmp_path: Path, plain: str) -> None:
    """Typed in, in a notebook's cell, and in a doctest."""
    (tmp_path / "example.txt").write_text(EXAMPLE)
    cell = f"exec(compile({CELL!r}, '<ipython-input-3-0a1b>', 'exec'))"
    tests = "import doctest; print(doctest.testfile('example.txt', module_relative=False))"
    assert run_python(tmp_path, "-", given=f"{CELL}\n{cell}\n{tests}", plain=plain) == [
        "7 7 None",
        "7 7 None",
        "TestResults(failed=0, attempted=4)",
    ]


def test_references_are_counted_where_arrays_are_made_and_not_where_a_name_looks_like_it() -> None:
    """A size beside NumPy's types makes no array, nor does a function of one's own that is called like a method."""
    from atoll.engine.linking import _may_allocate

    def makes(count: Any) -> Any:
        return np.empty(count, dtype=np.int32)

    def copies(numbers: Any) -> Any:
        return numbers.copy()

    def measures(numbers: Any) -> Any:
        return np.float32(numbers.shape[0])

    def looks(numbers: Any) -> Any:
        return view(numbers)  # type: ignore[name-defined]  # noqa: F821

    found = [_may_allocate(function) for function in (makes, copies, measures, looks)]
    assert found == [True, True, False, False]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("rows[0] = rows[1]", "line 1: this cannot be compiled: a whole array is made or copied"),
        ("rows.append(1)", "line 1: this cannot be compiled: Unknown attribute 'append'"),
    ],
)
def test_what_cannot_be_compiled_is_said_in_one_sentence(body: str, reason: str, tmp_path: Path) -> None:
    """Numba says it in two hundred lines, of which a stranger to it needs one."""
    file = tmp_path / "wrong.py"
    file.write_text(f"def wrong(rows): {body}\n")
    names: dict[str, Any] = {"__name__": "wrong", "__file__": str(file)}
    exec(compile(file.read_text(), file, "exec"), names)
    with pytest.raises(ContractError, match=reason) as found:
        native.native_as(native.native_types((np.zeros((2, 2), np.int8),)), names["wrong"])
    assert str(found.value).startswith(str(file))
    assert "\n" not in str(found.value)

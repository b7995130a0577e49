"""WebAssembly modules: built, called, and stopped where they cannot go on (issue: nothing to compile)."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import os
import subprocess
import sys
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest

from atoll.engine import module
from atoll.engine.building import build_module
from atoll.engine.compiling import compiled
from atoll.engine.exports import Export
from atoll.engine.module import ModuleRunner
from atoll.engine.real import exp, tanh
from atoll.engine.records import scratch
from atoll.text.errors import AtollError

RECORD = np.dtype([("small", "i1", (3,)), ("large", "i8")])
ROOM = 3


@compiled
def add_up(numbers, half, whole):
    """The whole part of half the sum; `numbers` become twice what they were."""
    total = 0.0
    for i in range(len(numbers)):
        total += numbers[i] * half
        numbers[i] *= 2
    return int(total) + whole


@compiled
def count_down(records, number):
    """A narrow number below 0 is returned as it is."""
    state = records[0]
    state.large -= number
    state.small[1] = -3
    return state.small[1]


@compiled
def reach(numbers, place):
    """Read anywhere."""
    return numbers[place]


@compiled
def divide(number, by):
    """Raise an exception where Python would."""
    return number // by


@compiled
def take_long(number):
    """Draw so many numbers; returns whether the last one is odd."""
    drawn = 1
    for _ in range(number):
        drawn = drawn * 6364136223846793005 + 1442695040888963407
    return drawn & 1


@compiled
def go_on(number):
    """Never end."""
    while number > 0:
        number += 1
        number = max(number, 1)
    return number


@compiled
def temporary(size):
    """Sum up an array on the stack."""
    own = scratch(ROOM, np.int64)
    for i in range(ROOM):
        own[i] = size + i
    return own[0] + own[1] + own[2]


@compiled
def makes(size, times):
    """Make arrays again and again, two at once, of which the first is given up first."""
    total = 0
    for time in range(times):
        one = np.arange(size)
        other = np.full(size, time)
        one = other + 1
        total += one.sum() - other.sum()
    return total


@compiled
def write_curves(numbers, out):
    """e to each number, and its hyperbolic tangent."""
    for i in range(len(numbers)):
        out[0, i] = exp(numbers[i])
        out[1, i] = tanh(numbers[i])


NUMBERS = np.zeros(1, np.int32)


def exported(function: Any, example: tuple[Any, ...]) -> Export:
    """A function of no game."""
    return Export(function.__name__, lambda game: function, lambda game: example)


EXPORTS = {
    function.__name__: exported(function, example)
    for function, example in (
        (add_up, (NUMBERS, 1.0, 0)),
        (count_down, (np.zeros(1, RECORD), 0)),
        (reach, (NUMBERS, 0)),
        (divide, (0, 0)),
        (go_on, (0,)),
        (take_long, (0,)),
        (temporary, (0,)),
        (makes, (0, 0)),
        (write_curves, (np.zeros(1), np.zeros((1, 1)))),
    )
}


def write_module(file: Path) -> None:
    """Build the module of the functions above."""
    file.write_bytes(
        build_module({name: (one.example(None), one.bind(None)) for name, one in EXPORTS.items()})
    )


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> ModuleRunner:
    file = tmp_path_factory.mktemp("module") / "module.wasm"
    code = f"from pathlib import Path; from {__name__} import write_module; write_module(Path({str(file)!r}))"
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), *sys.path]))
    environment = {**os.environ, "NUMBA_OPT": "0", "PYTHONPATH": path}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    return ModuleRunner("Sums", file.read_bytes())


def test_arrays_are_copied_in_and_what_is_written_back(runner: ModuleRunner) -> None:
    numbers = np.arange(1, 1001, dtype=np.int32)
    assert runner.call(EXPORTS["add_up"], numbers, 0.5, -7) == 250250 - 7
    assert numbers.tolist() == list(range(2, 2002, 2))
    fixed = numbers.copy()
    fixed.flags.writeable = False
    runner.call(EXPORTS["add_up"], fixed, 0.5, 0)
    assert fixed.tolist() == numbers.tolist()
    with pytest.raises(ValueError, match="contiguous"):
        runner.call(EXPORTS["add_up"], numbers[::2], 0.5, 0)


def test_records_keep_their_layout_and_narrow_numbers_their_sign(runner: ModuleRunner) -> None:
    records = np.zeros(1, RECORD)
    records["large"] = 1 << 40
    assert runner.call(EXPORTS["count_down"], records, 5) == -3
    assert (records["large"][0], records["small"].tolist()) == ((1 << 40) - 5, [[0, -3, 0]])


def test_a_room_keeps_its_arrays_through_many_calls(runner: ModuleRunner) -> None:
    """Where they lie in the module's memory, which grows."""
    room = runner.room()
    numbers = room.copy(np.ones(10, np.int32))
    call = room.prepare(EXPORTS["add_up"], numbers, 1.0)
    large = room.zeros(1 << 20, np.int64)
    assert [call(whole) for whole in (1, 2, 3)] == [11, 22, 43]
    assert numbers.tolist() == [8] * 10
    assert not large.any()
    del room
    assert numbers.tolist() == [8] * 10


def test_temporary_arrays_lie_on_the_stack(runner: ModuleRunner) -> None:
    assert runner.call(EXPORTS["temporary"], 5) == 5 + 6 + 7


def test_arrays_that_functions_make_are_given_back(runner: ModuleRunner) -> None:
    """Far more in all than there is room for; too large a one ends in a sentence."""
    assert runner.call(EXPORTS["makes"], 1000, 5000) == 1000 * 5000
    with pytest.raises(AtollError, match="cannot go on"):
        runner.call(EXPORTS["makes"], 1 << 20, 1)


def test_what_cannot_go_on_ends_in_a_sentence_and_the_next_call_works(
    runner: ModuleRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module reaches nothing outside its memory, and a loop without end is stopped."""
    monkeypatch.setattr(module, "LONGEST", 2)
    for name, arguments in {
        "reach": (NUMBERS, 1 << 28),
        "divide": (1, 0),
        "go_on": (1,),
    }.items():
        with pytest.raises(AtollError, match=r"^Sums cannot go on in this position: "):
            runner.call(EXPORTS[name], *arguments)
        assert runner.call(EXPORTS["divide"], 7, 2) == 3


def test_only_time_in_which_the_process_runs_counts(
    runner: ModuleRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine whose cores others use, a call that is not endless comes to its end."""
    monkeypatch.setattr(module, "LONGEST", 2)
    monkeypatch.setattr(module, "TICK", 0.01)
    used = process_time()
    monkeypatch.setattr(module, "process_time", lambda: used)
    assert runner.call(EXPORTS["take_long"], 1 << 29) in (0, 1)


def test_what_a_module_lacks_is_said_with_what_to_install(runner: ModuleRunner) -> None:
    other: Any = Export("other", lambda game: divide, lambda game: (0, 0))
    assert not runner.has(other)
    with pytest.raises(AtollError, match=r"the module of Sums cannot do this \(other\).*atoll\[lab\]"):
        runner.call(other, 1, 1)


def test_real_functions_are_the_same_in_a_module_and_in_python_and_right(runner: ModuleRunner) -> None:
    """To the last bit between them, and within 1e-14 of NumPy's."""
    numbers = np.concatenate([np.linspace(-720, 720, 4001), np.linspace(-2, 2, 4001)])
    out = np.zeros((2, len(numbers)))
    runner.call(EXPORTS["write_curves"], numbers, out)
    python = np.zeros_like(out)
    write_curves(numbers, python)
    assert out.tobytes() == python.tobytes()
    within = (numbers >= -708) & (numbers <= 709)
    assert np.allclose(out[0][within], np.exp(numbers[within]), rtol=1e-14, atol=0)
    assert np.allclose(out[1], np.tanh(numbers), rtol=1e-13, atol=1e-15)

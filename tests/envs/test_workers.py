"""Threads that stay in compiled code between steps: however they wait, they do all that is ordered, and they end."""

import gc
import subprocess
import sys
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from atoll.envs import workers
from atoll.envs.vector import GamesEnv
from atoll.envs.workers import AWAITED, BUSY, END, ENDLESS_GAMES, FIRST, FREE, Workers, next_order, wait
from tests.envs.playing import GAMES

SLEEPING, LOOKING = 0, 10**6
"""How often threads and callers look before they sleep: once, and for some milliseconds."""
Part = Callable[[int, int], int]


def serve(games: Any, own: Any, order: Any, chosen: Any, actions: Any, patience: int) -> int:
    """As `stepping.serve`, with a function of Python in place of games."""
    stage: int = wait(order, FREE, patience, workers.ASLEEP)
    while stage in (BUSY, AWAITED):
        order[ENDLESS_GAMES] = games.do(int(order[FIRST]), int(order[END]))
        stage = next_order(order, patience)
    return stage


def workers_of(part: Part, threads: int = 3) -> Workers:
    """Workers on six games."""
    return Workers(serve, SimpleNamespace(do=part, states=range(6), sampled=None), [None] * threads)


def work(some: Workers) -> int:
    return some.work(0, np.ones(6, dtype=np.uint8), np.zeros(6, dtype=np.int64))


@pytest.fixture
def begun() -> Callable[[], list[threading.Thread]]:
    """The threads that a test has begun so far and that run."""
    before = threading.enumerate()
    return lambda: [thread for thread in threading.enumerate() if thread not in before]


@pytest.mark.parametrize("patience", [SLEEPING, LOOKING])
def test_games_are_the_same_whether_threads_sleep_or_look(
    patience: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Side by side on one thread, two and three; the threads of the last begin anew on the way.

    With copies and without, since samples that come back themselves are read where they stand.
    """
    monkeypatch.setattr(workers, "PATIENCE", patience)
    several = [
        GamesEnv(7, game=GAMES[-1], bots=None, sample=True, threads=threads, copy=threads < 3)
        for threads in (1, 2, 3)
    ]
    told = [envs.reset(seed=3)[1] for envs in several]
    for number in range(150):
        if number == 50:
            several[-1].set_state(several[0].get_state())
        if number == 100:
            several[-1].close()
        steps = [envs.step(info["sampled"]) for envs, info in zip(several, told, strict=True)]
        told = [step[4] for step in steps]
        assert (
            len({step[0].tobytes() + step[1].tobytes() + step[4]["sampled"].tobytes() for step in steps}) == 1
        )
    for envs in several:
        envs.close()


@pytest.mark.parametrize("patience", [SLEEPING, LOOKING])
def test_every_span_is_done_once_and_counted(patience: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", patience)
    done: list[tuple[int, int]] = []

    def part(first: int, end: int) -> int:
        done.append((first, end))
        return end

    some = workers_of(part)
    for _ in range(200):
        done.clear()
        assert work(some) == 2 + 4 + 6
        assert sorted(done) == [(0, 2), (2, 4), (4, 6)]
    some.stop()


@pytest.mark.parametrize("patience", [SLEEPING, LOOKING])
def test_threads_end_when_stopped_or_forgotten(
    patience: int, begun: Callable[[], list[threading.Thread]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "PATIENCE", patience)
    for ending in ("stop", "forget"):
        some = workers_of(lambda first, end: 0)
        assert not begun()
        work(some)
        assert len(begun()) == 2
        if ending == "stop":
            some.stop()
            assert not begun()
            work(some)
            some.stop()
        del some
        gc.collect()
        assert not begun()


def test_a_program_ends_without_closing() -> None:
    """While its threads look, and once they sleep."""
    for patience in (SLEEPING, LOOKING):
        program = f"""
from tests.envs.test_workers import work, workers, workers_of
workers.PATIENCE = {patience}
some = workers_of(lambda first, end: 0)
work(some)
"""
        subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


@pytest.mark.parametrize("where", [0, 2])
def test_errors_are_raised_and_nothing_is_written_afterwards(
    where: int, begun: Callable[[], list[threading.Thread]]
) -> None:
    """Of the caller's part and a thread's; the others have done theirs, and the next step is as ever."""
    all_begun, raised, done = threading.Barrier(3), threading.Event(), list[int]()

    def part(first: int, end: int) -> int:
        all_begun.wait(60)
        if first == where and not raised.is_set():
            raised.set()
            raise KeyboardInterrupt
        for _ in range(10_000):
            done.append(first)
        return 0

    some = workers_of(part)
    with pytest.raises(KeyboardInterrupt):
        work(some)
    assert not begun()
    assert len(done) == 20_000
    assert work(some) == 0
    some.stop()


def test_a_forked_process_has_threads_of_its_own() -> None:
    program = """
import os, signal
from tests.envs.test_workers import work, workers_of
some = workers_of(lambda first, end: end)
work(some)
child = os.fork()
signal.alarm(60)  # ends a process that waits for threads that it has not
assert work(some) == 12
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=120)

"""What a judge asks of another machine: the same figures, and nothing believed that cannot be or that is not so."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.json import decode, encode

from atoll.bots.bot import QUICK_BOTS
from atoll.core.catalogue import find_game
from atoll.core.game import View
from atoll.engine.stopping import Stopped
from atoll.lab import remote_engine
from atoll.lab.continued import AS_IT_IS
from atoll.lab.judge_engine import HERE
from atoll.lab.remote_engine import NotBelieved, RemoteEngine
from tests.judged_elsewhere import Task, answer

GREEDY = [bot.name for bot in QUICK_BOTS].index("greedy")


def a_view(name: str) -> View:
    position = find_game(name).start(3, seed=4)
    return position.view(position.to_act[0])


def engine_of(
    view: View, tell: Callable[[Task], Any] = lambda told: told, told: Task | None = None
) -> RemoteEngine:
    """One whose tasks are carried out at once; `tell` makes something else of the answers, or they have `told`."""

    def carry_out(task: str) -> None:
        engine.take(encode(tell(answer(decode(task), view)) | (told or {})).decode())

    engine = RemoteEngine(carry_out, searches=True)
    return engine


@pytest.mark.parametrize("name", ["costa-ruana", "cast-away"])
def test_the_same_is_found_elsewhere_to_the_last_digit(name: str) -> None:
    view = a_view(name)
    engine, moves = engine_of(view), view.legal_moves().actions.tolist()[:3]
    for firsts in (moves, (AS_IT_IS,)):
        asked = view, GREEDY, 1 << 63, 60, firsts
        assert engine.shares(*asked).tolist() == HERE.shares(*asked).tolist()
    assert engine.search(view, 5, 150) == HERE.search(view, 5, 150)


NOT_POSSIBLE: list[Task] = [
    {"winners": []},
    {"winners": [1] * 11},
    {"winners": [1] * 9 + [0]},
    {"winners": [8] + [1] * 9},
    {"winners": [-1] * 10},
    {"winners": ["1"] * 10},
    {"id": 9},
    {"id": -1},
]
NOT_FOUND: list[Any] = [
    [[100_000, 1, 0.5]],
    [[0, 0, 0.5]],
    [[0, 41, 0.5]],
    [[0, 20, 0.5], [0, 20, 0.5]],
    [[0, 1, 1.5]],
    [[0, 1, -0.5]],
    [[0, 1]],
]


def test_what_cannot_be_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_engine, "CHECKED", 1 << 60)
    view = a_view("costa-ruana")
    first = int(view.legal_moves().actions[0])
    for told in NOT_POSSIBLE:
        with pytest.raises(NotBelieved):
            engine_of(view, told=told).shares(view, GREEDY, 1, 10)
    for moves in NOT_FOUND:
        own = [[first if one[0] == 0 else one[0], *one[1:]] for one in moves]
        with pytest.raises(NotBelieved):
            engine_of(view, told={"moves": own}).search(view, 1, 40)


def test_what_is_otherwise_here_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is looked at: one answer of so many is."""
    view = a_view("costa-ruana")
    lying = engine_of(view, lambda found: found | {"winners": found.get("winners", [])[::-1]})
    worse = engine_of(view, lambda found: found | {"moves": found.get("moves", [])[:-1]})
    monkeypatch.setattr(remote_engine, "CHECKED", 1)
    with pytest.raises(NotBelieved):
        lying.shares(view, GREEDY, 1, 10)
    with pytest.raises(NotBelieved):
        worse.search(view, 1, 40)
    monkeypatch.setattr(remote_engine, "CHECKED", 1 << 60)
    assert lying.shares(view, GREEDY, 1, 10).shape == (1, 10, 3)


def test_whoever_waits_for_one_that_is_stopped_stops() -> None:
    view = a_view("costa-ruana")
    engine = RemoteEngine(lambda task: engine.stop(), searches=True)
    for _ in range(2):
        with pytest.raises(Stopped):
            engine.shares(view, GREEDY, 1, 10)

"""Getting games ready while pages are served (issue: the first page within 2 s, progress shown)."""

import threading
from collections.abc import Callable

import pytest

from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.web import loading
from atoll.web.loading import Loading, progress_of, size_of_sources


class Workshop:
    """Stands in for compiling: each game waits to be let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.at_work = threading.Semaphore(0)
        self.let_through = threading.Semaphore(0)
        monkeypatch.setattr(loading, "warm", self.warm)
        monkeypatch.setattr(loading, "warm_search", lambda game: None)

    def warm(self, game: Game, stage: Callable[[str], None]) -> None:
        self.begun.append(game.name)
        stage("rules")
        self.at_work.release()
        assert self.let_through.acquire(timeout=60)


def test_a_game_that_somebody_waits_for_comes_next(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found = Workshop(monkeypatch), Loading()
    order = [game.name for game in sorted(games().values(), key=size_of_sources)]
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    assert not found.is_ready(order[-1])
    for _ in order:
        workshop.let_through.release()
    assert found.ready.wait(60)
    assert workshop.begun == [order[0], order[-1], *order[1:-1]]


def test_tables_of_a_ready_game_do_not_wait_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found = Workshop(monkeypatch), Loading()
    first, *others = (game.name for game in sorted(games().values(), key=size_of_sources))
    assert others
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    workshop.let_through.release()
    assert workshop.at_work.acquire(timeout=60)
    assert progress_of(found, "", first)["ready"]
    assert not any(progress_of(found, "", other)["ready"] for other in ["", *others])
    for _ in others:
        workshop.let_through.release()
    assert found.ready.wait(60)
    assert found.done == found.total

"""Getting games ready while pages are served (issue: the first page within 2 s, progress shown)."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from atoll.bots.warm import STAGES, Stage, apart
from atoll.core.catalogue import games
from atoll.core.compiling import module_cache
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
        monkeypatch.setattr(loading, "is_warm", lambda game: True)

    def warm(self, game: Game, stage: Callable[[str], None]) -> None:
        self.begun.append(game.name)
        stage("rules")
        self.at_work.release()
        assert self.let_through.acquire(timeout=60)


def test_a_game_that_somebody_waits_for_comes_next(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found = Workshop(monkeypatch), Loading(workers=1)
    order = [game.name for game in sorted(games().values(), key=size_of_sources)]
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    assert not found.is_ready(order[-1])
    for _ in order:
        workshop.let_through.release()
    assert found.ready.wait(60)
    assert workshop.begun == [order[0], order[-1], *order[1:-1]]


def test_tables_of_a_ready_game_do_not_wait_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found = Workshop(monkeypatch), Loading(workers=1)
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


def test_a_cold_game_is_compiled_in_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, games_for_tests: None
) -> None:
    """The site answers meanwhile; afterwards its own process finds everything in the cache, and so does the next."""
    game = games()["signs"]
    monkeypatch.setattr(loading, "games", lambda: {game.name: game})
    monkeypatch.setattr(loading, "warm_search", lambda game: None)
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    module_cache.cache_clear()
    stages: list[str] = []
    processes: list[int] = []

    def watched(work: Any, game: Game, stage: Stage) -> None:
        def told(name: str) -> None:
            stages.append(name)
            stage(name)

        apart(work, game, told)
        processes.append(len(list(tmp_path.rglob("*.nbc"))))

    monkeypatch.setattr(loading, "apart", watched)
    for starts in (1, 2):
        found = Loading()
        found.start()
        assert found.ready.wait(120)
        assert found.done == found.total == len(STAGES)
        assert len(processes) == 1, starts
    assert stages == list(STAGES)
    assert processes[0] > 0
    module_cache.cache_clear()

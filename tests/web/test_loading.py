"""Getting games ready while pages are served.

The issues: the first page within 2 s, progress shown; the search compiled in the background with its stages shown.
"""

import asyncio
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from atoll.bots.warm import STAGES, Stage, apart
from atoll.core.catalogue import games
from atoll.core.compiling import module_cache
from atoll.core.game import Game
from atoll.web import bot_moves, loading, playing
from atoll.web.drawing import draw, words_for
from atoll.web.loading import Loading, progress_of, size_of_sources
from atoll.web.site import Site
from atoll.web.tables import Table
from tests.web.conftest import SCRIPT, Browser


class Workshop:
    """Stands in for compiling: each game's tables, and each search, wait to be let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.at_work = threading.Semaphore(0)
        self.let_through = threading.Semaphore(0)
        monkeypatch.setattr(loading, "warm", self.warm)
        monkeypatch.setattr(loading, "warm_search", self.warm_search)
        monkeypatch.setattr(loading, "is_warm", lambda game: True)
        monkeypatch.setattr(loading, "is_search_warm", lambda game: True)

    def warm(self, game: Game, stage: Callable[[str], None]) -> None:
        self.work(game.name, "rules", stage)

    def warm_search(self, game: Game, stage: Callable[[str], None]) -> None:
        self.work(f"{game.name} search", "search", stage)

    def work(self, name: str, first: str, stage: Callable[[str], None]) -> None:
        self.begun.append(name)
        stage(first)
        self.at_work.release()
        assert self.let_through.acquire(timeout=60)

    def finish(self, count: int) -> None:
        """Let so many through, and wait until the next is at work."""
        for _ in range(count):
            self.let_through.release()
            assert self.at_work.acquire(timeout=60)


def order() -> list[str]:
    """The games, in the order in which they are made ready if nobody waits."""
    return [game.name for game in sorted(games().values(), key=size_of_sources)]


def wait_for_searches(found: Loading) -> None:
    """Wait until all searches are ready."""

    async def wait() -> None:
        for game in games():
            await asyncio.wait_for(found.search_ready(game), 60)

    asyncio.run(wait())


def drawn(found: Loading, game: str = "") -> str:
    """The progress bar of a page that waits for that game, or for all."""
    return draw("progress.html.jinja", "en", **progress_of(found, words_for("en"), game))


def test_a_game_that_somebody_waits_for_comes_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """And its search after it, since that person is about to play; other searches after the tables of all games."""
    workshop, found, names = Workshop(monkeypatch), Loading(workers=1), order()
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    assert not found.is_ready(names[-1])
    for _ in range(2 * len(names)):
        workshop.let_through.release()
    assert found.ready.wait(60)
    wait_for_searches(found)
    assert workshop.begun[:3] == [names[0], names[-1], f"{names[-1]} search"]
    assert workshop.begun[3:] == [*names[1:-1], *(f"{name} search" for name in [names[0], *names[1:-1]])]


def test_tables_of_a_ready_game_do_not_wait_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found = Workshop(monkeypatch), Loading(workers=1)
    first, *others = order()
    assert others
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    workshop.finish(1)
    assert progress_of(found, words_for("en"), first)["ready"]
    assert not any(progress_of(found, words_for("en"), other)["ready"] for other in ["", *others])
    for _ in range(2 * len(others) + 1):
        workshop.let_through.release()
    assert found.ready.wait(60)
    wait_for_searches(found)
    assert found.done == found.total == len(STAGES) * len(games())


def test_games_are_ready_before_their_searches_which_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found, names = Workshop(monkeypatch), Loading(workers=1), order()
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    for game in names:
        assert not found.ready.is_set()
        assert 'data-ready="no" data-over="no"' in drawn(found)
        workshop.finish(1)
        assert 'data-ready="yes"' in drawn(found, game)
    assert found.ready.is_set()
    for number, game in enumerate(names):
        bar = drawn(found)
        assert 'data-ready="yes" data-over="no"' in bar
        assert f"{games()[game].title}: the bots that search" in bar
        assert f'max="{found.total}" value="{found.total - len(names) + number}"' in bar
        if number < len(names) - 1:
            workshop.finish(1)
    workshop.let_through.release()
    wait_for_searches(found)
    assert 'data-ready="yes" data-over="yes"' in drawn(found)
    assert "<progress" not in drawn(found)


def test_who_searches_waits_for_that_search_which_comes_next(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found, names = Workshop(monkeypatch), Loading(workers=1), order()
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    workshop.finish(1)  # tables of the first game are ready, those of the second in work

    async def bot() -> None:
        waiting = asyncio.create_task(found.search_ready(names[0]))
        await asyncio.sleep(0)
        await asyncio.to_thread(workshop.finish, 1)
        assert workshop.begun == [names[0], names[1], f"{names[0]} search"]
        assert not waiting.done()
        await asyncio.to_thread(workshop.finish, 1)
        await asyncio.wait_for(waiting, 60)

    asyncio.run(bot())
    for _ in workshop.begun:
        workshop.let_through.release(2)
    wait_for_searches(found)


def test_what_cannot_be_made_ready_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The page says so, and a bot does what it can."""
    workshop, found = Workshop(monkeypatch), Loading(workers=1)
    monkeypatch.setattr(workshop, "work", lambda *_: 1 / 0)
    found.start()
    wait_for_searches(found)
    assert "The rules could not be made ready" in drawn(found)
    assert "ZeroDivisionError" in caplog.text


def test_a_search_that_cannot_be_made_ready_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables can be played at."""
    workshop, found = Workshop(monkeypatch), Loading(workers=1)
    monkeypatch.setattr(loading, "warm_search", lambda *_: 1 / 0)
    for _ in games():
        workshop.let_through.release()
    found.start()
    wait_for_searches(found)
    assert found.ready.is_set()
    assert "The bots that search could not be made ready" in drawn(found)


def test_a_bot_waits_for_the_search(site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would compile it by itself, in the site's own process, and hold up the answers."""
    asked: list[str] = []
    waits = threading.Event()

    async def search_ready(game: str) -> None:
        asked.append(game)
        waits.set()
        await asyncio.Event().wait()

    def think(table: Table) -> None:
        asked.append("searched")

    monkeypatch.setattr(site.loading, "search_ready", search_ready)
    monkeypatch.setattr(bot_moves, "think", think)
    browser.make_table(game="karuba")
    assert waits.wait(60)
    assert asked == ["karuba"]


def test_a_bot_that_does_not_search_does_not_wait(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinks = threading.Event()

    async def search_ready(game: str) -> None:
        pytest.fail(f"a greedy bot waits for the search of {game}")

    monkeypatch.setattr(site.loading, "search_ready", search_ready)
    monkeypatch.setattr(bot_moves, "think", lambda table: thinks.set())
    browser.make_table(game="karuba", players="2", seat1="bot:greedy")
    assert thinks.wait(20)


def test_a_table_shows_that_searches_are_still_made_ready(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bots may wait for them."""
    wait_for_searches(site.loading)
    path = browser.make_table(game="karuba", players="2", seat1="friend")
    assert 'id="loading"' not in browser.get(path).text
    monkeypatch.setattr(site.loading, "total", site.loading.total + 1)
    html = browser.get(path).text
    assert '<div id="loading" class="panel aside" data-url="/progress?game=karuba" data-ready="yes"' in html
    assert 'id="loading"' not in browser.get(path, headers=SCRIPT).text


def test_a_hint_waits_for_the_search(site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def search_ready(game: str) -> None:
        asked.append(game)

    def best_moves(view: object, seed: int) -> list[Any]:
        asked.append("searched")
        return []

    monkeypatch.setattr(site.bots, "wake", lambda table: None)
    monkeypatch.setattr(site.loading, "search_ready", search_ready)
    monkeypatch.setattr(playing, "best_moves", best_moves)
    path = browser.make_table(game="karuba")
    assert browser.post(f"{path}/hint").status_code == 200
    assert asked == ["karuba", "searched"]


def test_a_cold_game_is_compiled_in_processes_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, games_for_tests: None
) -> None:
    """The site answers meanwhile; afterwards its own process finds everything in the cache, and so does the next.

    What is cached need not be all: the search alone is compiled where it alone is missing.
    """
    game = games()["signs"]
    monkeypatch.setattr(loading, "games", lambda: {game.name: game})
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    module_cache.cache_clear()
    stages: list[str] = []

    def cached() -> int:
        return len(list(tmp_path.rglob("*.nbc")))

    def watched(work: Any, game: Game, stage: Stage) -> None:
        def told(name: str) -> None:
            stages.append(name)
            stage(name)

        before = cached()
        apart(work, game, told)
        assert cached() > before

    monkeypatch.setattr(loading, "apart", watched)
    for compiled in (STAGES, (), ("search",), ()):
        if compiled == ("search",):
            shutil.rmtree(module_cache("atoll.bots.search"))
            module_cache.cache_clear()
        stages.clear()
        found = Loading()
        found.start()
        asyncio.run(asyncio.wait_for(found.search_ready(game.name), 120))
        assert not found.failed
        assert found.ready.is_set()
        assert found.done == found.total == len(STAGES)
        assert stages == list(compiled)
    module_cache.cache_clear()

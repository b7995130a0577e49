"""Getting games ready while pages are served.

The issues: the first page within 2 s, progress shown; bots compiled in the background with their stages shown.
"""

import asyncio
import shutil
import threading
import time
from collections.abc import Callable
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest

from atoll.bots.warm import STAGES, Killed, Stage, apart
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.engine.compiling import module_cache
from atoll.web.live import bot_moves, loading
from atoll.web.live.loading import Loading, size_of_sources
from atoll.web.pages.templating import draw
from atoll.web.serving import table_requests
from atoll.web.serving.site import Site
from atoll.web.table.table import Table
from atoll.web.translation import translator_for
from tests.site import StartServer
from tests.web.conftest import SCRIPT, Browser, within_a_minute


class Workshop:
    """Stands in for compiling: each game's tables, and its bots, wait to be let through."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.at_work = threading.Semaphore(0)
        self.let_through = threading.Semaphore(0)
        monkeypatch.setattr(loading, "warm", self.warm)
        monkeypatch.setattr(loading, "warm_bots", self.warm_bots)
        monkeypatch.setattr(loading, "is_warm", lambda game: True)
        monkeypatch.setattr(loading, "are_bots_warm", lambda game: True)

    def warm(self, game: Game, stage: Callable[[str], None]) -> None:
        self.work(game.name, "rules", stage)

    def warm_bots(self, game: Game, stage: Callable[[str], None]) -> None:
        self.work(f"{game.name} bots", "bots", stage)

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


def wait_for_bots(found: Loading) -> None:
    """Wait until all bots are ready."""

    async def wait() -> None:
        for game in games():
            await asyncio.wait_for(found.bots_ready(game), 60)

    asyncio.run(wait())


def drawn(found: Loading, game: str = "") -> str:
    """The progress bar of a page that waits for that game, or for all."""
    return draw("progress.html.jinja", "en", **found.progress(translator_for("en"), game))


def test_a_game_that_somebody_waits_for_comes_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """And its bots after it, since that person is about to play; other bots after the tables of all games."""
    workshop, found, names = Workshop(monkeypatch), Loading(workers=1), order()
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    bar = drawn(found, names[-1])
    assert 'data-ready="no"' in bar
    assert f"{games()[names[-1]].title}: the rules" in bar
    assert f'max="{len(STAGES)}" value="0"' in bar, "how far this game is, whatever the others are"
    for _ in range(2 * len(names)):
        workshop.let_through.release()
    assert found.ready.wait(60)
    wait_for_bots(found)
    assert workshop.begun[:3] == [names[0], names[-1], f"{names[-1]} bots"]
    assert workshop.begun[3:] == [*names[1:-1], *(f"{name} bots" for name in [names[0], *names[1:-1]])]


def test_what_is_compiled_is_loaded_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the cores: each would hold up the one that somebody waits for."""
    workshop, found = Workshop(monkeypatch), Loading(workers=2)
    meeting = threading.Barrier(2)
    met: list[str] = []

    def work(name: str, first: str, stage: Stage) -> None:
        try:
            meeting.wait(0.5)
            met.append(name)
        except threading.BrokenBarrierError:
            stage(first)

    monkeypatch.setattr(workshop, "work", work)
    found.start()
    wait_for_bots(found)
    assert not met


def test_tables_of_a_ready_game_do_not_wait_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found = Workshop(monkeypatch), Loading(workers=1)
    first, *others = order()
    assert others
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    workshop.finish(1)
    assert found.progress(translator_for("en"), first)["ready"]
    assert not any(found.progress(translator_for("en"), other)["ready"] for other in ["", *others])
    for _ in range(2 * len(others) + 1):
        workshop.let_through.release()
    assert found.ready.wait(60)
    wait_for_bots(found)
    assert found.done == found.total == len(STAGES) * len(games())


def test_games_are_ready_before_their_bots_which_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found, names = Workshop(monkeypatch), Loading(workers=1), order()
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    for game in names:
        assert not found.ready.is_set()
        assert 'data-ready="no" data-over="no"' in drawn(found)
        workshop.finish(1)
        assert found.is_ready(game)
    assert found.ready.is_set()
    for number, game in enumerate(names):
        bar = drawn(found)
        assert 'data-ready="yes" data-over="no"' in bar
        assert f"{games()[game].title}: the bots" in bar
        done = len(names) * STAGES.index("bots") + number * len(STAGES[STAGES.index("bots") :])
        assert f'max="{found.total}" value="{done}"' in bar
        if number < len(names) - 1:
            workshop.finish(1)
    workshop.let_through.release()
    wait_for_bots(found)
    assert 'data-ready="yes" data-over="yes"' in drawn(found)
    assert "<progress" not in drawn(found)


def test_a_bot_waits_for_its_game_which_comes_next(monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, found, names = Workshop(monkeypatch), Loading(workers=1), order()
    found.start()
    assert workshop.at_work.acquire(timeout=60)
    workshop.finish(1)  # tables of the first game are ready, those of the second in work
    assert f'max="{len(STAGES)}" value="{STAGES.index("bots")}"' in drawn(
        found, names[0]
    )  # its table is opened

    async def bot() -> None:
        waiting = asyncio.create_task(found.bots_ready(names[0]))
        await asyncio.sleep(0)
        await asyncio.to_thread(workshop.finish, 1)
        assert workshop.begun == [names[0], names[1], f"{names[0]} bots"]
        assert not waiting.done()
        await asyncio.to_thread(workshop.finish, 1)
        await asyncio.wait_for(waiting, 60)

    asyncio.run(bot())
    for _ in workshop.begun:
        workshop.let_through.release(2)
    wait_for_bots(found)


def test_a_bot_that_does_not_search_waits_for_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its stage is over when that of the search begins."""
    Workshop(monkeypatch)
    name = order()[0]
    only = games()[name]
    at_work, let_through = threading.Semaphore(0), threading.Semaphore(0)

    def warm_bots(game: Game, stage: Stage) -> None:
        for begun in ("bots", "search"):
            stage(begun)
            at_work.release()
            assert let_through.acquire(timeout=60)

    monkeypatch.setattr(loading, "games", lambda: {name: only})
    monkeypatch.setattr(loading, "warm", lambda game, stage: stage("rules"))
    monkeypatch.setattr(loading, "warm_bots", warm_bots)
    found = Loading(workers=1)
    found.start()

    async def bots() -> None:
        quick = asyncio.create_task(found.bots_ready(name, searching=False))
        searching = asyncio.create_task(found.bots_ready(name))
        await asyncio.to_thread(at_work.acquire)
        await asyncio.sleep(0)
        assert not quick.done()
        let_through.release()
        await asyncio.wait_for(quick, 60)
        assert not searching.done()
        let_through.release()
        await asyncio.wait_for(searching, 60)

    asyncio.run(bots())


def test_what_cannot_be_made_ready_keeps_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The page says so, and a bot does what it can."""
    workshop, found = Workshop(monkeypatch), Loading(workers=1)
    monkeypatch.setattr(workshop, "work", lambda *_: 1 / 0)
    found.start()
    wait_for_bots(found)
    assert "The rules could not be made ready" in drawn(found)
    assert "ZeroDivisionError" in caplog.text


def test_a_game_whose_process_is_killed_again_and_again_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """After a few times the page and the log say so; who asks for it later has it tried once more."""
    workshop, found, unlucky = Workshop(monkeypatch), Loading(workers=1, retry=0.01), order()[0]
    tried: list[str] = []

    def killed(work: Callable[[Game, Stage], None], game: Game, stage: Stage) -> None:
        tried.append(game.name)
        if len(tried) <= loading.ATTEMPTS:
            raise Killed("it was killed")

    monkeypatch.setattr(loading, "is_warm", lambda game: game.name != unlucky)
    monkeypatch.setattr(loading, "apart", killed)
    workshop.let_through.release(2 * len(games()))
    found.start()
    wait_for_bots(found)
    assert tried == [unlucky] * loading.ATTEMPTS
    assert all(found.is_ready(game) == (game != unlucky) for game in games())
    assert "The rules could not be made ready" in drawn(found, unlucky)
    assert all("could not" not in drawn(found, game) for game in games() if game != unlucky)
    last = caplog.records[-1]
    assert last.getMessage() == "it was killed, 4 times; it is tried again when somebody asks for the game"
    assert not any(record.exc_info for record in caplog.records)
    assert not asyncio.run(found.tables_ready(unlucky, 0.0))
    monkeypatch.setattr(loading, "RETRY_AFTER", 0.0)
    assert asyncio.run(found.tables_ready(unlucky, 60.0))
    wait_for_bots(found)
    assert found.ready.is_set()
    assert "could not" not in drawn(found)


def test_a_site_stops_quietly_while_rules_compile(start_server: StartServer, tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()  # nothing is compiled
    server = start_server(tmp_path)
    deadline = time.monotonic() + 60
    while ": the rules" not in server.get("/progress"):
        assert time.monotonic() < deadline
    assert server.stop() == 0
    assert not server.errors


def test_bots_that_cannot_be_made_ready_are_called_by_their_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables can be played at."""
    workshop, found = Workshop(monkeypatch), Loading(workers=1)
    monkeypatch.setattr(loading, "warm_bots", lambda *_: 1 / 0)
    for _ in games():
        workshop.let_through.release()
    found.start()
    wait_for_bots(found)
    assert found.ready.is_set()
    assert "The bots could not be made ready" in drawn(found)


@pytest.mark.parametrize(("bot", "searching"), [("normal", True), ("greedy", False)])
def test_a_bot_waits_until_it_is_compiled(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch, bot: str, searching: bool
) -> None:
    """It would compile by itself, in the site's own process, and hold up the answers."""
    asked: list[object] = []
    waits, over = threading.Event(), threading.Event()
    monkeypatch.setattr(bot_moves, "LINGER", 0)
    asyncio.run(within_a_minute(lambda: not site.bots._tasks))  # of other tests' tables

    async def bots_ready(game: str, searching: bool) -> None:
        asked.append((game, searching))
        waits.set()
        await asyncio.to_thread(over.wait, 60)

    def think(table: Table) -> None:
        asked.append("thought")

    monkeypatch.setattr(site.loading, "bots_ready", bots_ready)
    monkeypatch.setattr(bot_moves, "choose_move", think)
    browser.make_table(game="karuba", players="2", seat1=f"bot:{bot}")
    assert waits.wait(60)
    found = list(asked)
    over.set()
    assert found == [("karuba", searching)]


def test_a_table_shows_that_its_bots_are_still_made_ready(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may wait for them; those of other games are nothing to it."""
    wait_for_bots(site.loading)
    path = browser.make_table(game="karuba", players="2", seat1="friend")
    assert 'id="loading"' not in browser.get(path).text
    monkeypatch.setitem(site.loading._stages, "costa-ruana", STAGES.index("bots"))
    assert 'id="loading"' not in browser.get(path).text
    assert "Costa Ruana: the bots</label>" in browser.get("/progress?game=costa-ruana").text
    monkeypatch.setitem(site.loading._stages, "karuba", STAGES.index("search"))
    html = browser.get(path).text
    assert '<div id="loading" class="panel aside" data-url="/progress?game=karuba" data-ready="yes"' in html
    assert "Karuba: the bots that search</label>" in html
    assert 'id="loading"' not in browser.get(path, headers=SCRIPT).text


def test_a_table_waits_a_moment_for_its_game(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is shown as soon as it can be, and nothing else before."""
    path = browser.make_table(game="karuba", players="2", seat1="friend")
    asked: list[str] = []

    def is_ready(game: str) -> bool:
        asked.append(game)
        return len(asked) > 4

    monkeypatch.setattr(site, "loading", Loading())
    monkeypatch.setattr(site.loading, "is_ready", is_ready)
    html = browser.get(path).text
    assert '<div id="table"' in html
    assert "<h1>One moment</h1>" not in html
    assert set(asked) == {"karuba"}


def test_a_table_that_takes_longer_shows_how_far_its_game_is(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = browser.make_table(game="karuba", players="2", seat1="friend")
    monkeypatch.setattr(site, "loading", Loading())
    monkeypatch.setattr(table_requests, "LOADING_TIMEOUT", 0.1)
    html = browser.get(path).text
    assert "<h1>One moment</h1>" in html
    assert '<div id="loading" class="panel" data-url="/progress?game=karuba" data-ready="no"' in html
    assert '<div id="table"' not in html
    assert browser.get(path, headers=SCRIPT).status_code == 503


def test_a_hint_waits_for_the_search(site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def bots_ready(game: str) -> None:
        asked.append(game)

    def best_moves(view: object, seed: int) -> list[Any]:
        asked.append("searched")
        return []

    monkeypatch.setattr(site.bots, "wake", lambda table: None)
    monkeypatch.setattr(site.loading, "bots_ready", bots_ready)
    monkeypatch.setattr(table_requests, "best_moves", best_moves)
    path = browser.make_table(game="karuba")
    assert browser.post(f"{path}/hint").status_code == 200
    assert asked == ["karuba", "searched"]


def test_a_cold_game_is_compiled_in_processes_of_its_own(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, games_for_tests: None
) -> None:
    """The site answers meanwhile; afterwards its own process finds everything in the cache, and so does the next.

    What is cached need not be all: at first only the search, which is of no game, and later all but that. A process
    that is killed, as the system does when memory is short, is begun anew.
    """
    for thread in threading.enumerate():
        if thread.name == loading.THREAD:  # another test's site, which would compile its games here
            thread.join(120)
    game = games()["signs"]
    monkeypatch.setattr(loading, "games", lambda: {game.name: game})
    search = ("atoll.bots.search", "atoll.bots.iteration")
    compiled_before = [module_cache(module) for module in search]
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    module_cache.cache_clear()
    for module, folder in zip(search, compiled_before, strict=True):
        shutil.copytree(
            folder, module_cache(module), ignore=shutil.ignore_patterns("warm-*"), dirs_exist_ok=True
        )
    stages: list[str] = []

    def cached() -> int:
        return len(list(tmp_path.rglob("*.nbc")))

    def watched(work: Any, game: Game, stage: Stage) -> None:
        def told(name: str) -> None:
            stages.append(name)
            stage(name)
            if compiled == STAGES and len(stages) == 1:
                (process,) = active_children()
                process.kill()

        before = cached()
        apart(work, game, told)
        assert cached() > before

    monkeypatch.setattr(loading, "apart", watched)
    bots = STAGES[STAGES.index("bots") :]
    for compiled in (STAGES, (), bots, ()):
        if compiled == bots:
            for module in search:
                shutil.rmtree(module_cache(module))
            module_cache.cache_clear()
        stages.clear()
        found = Loading(retry=0.1)
        found.start()
        asyncio.run(asyncio.wait_for(found.bots_ready(game.name), 120))
        assert not found.has_failed()
        assert found.ready.is_set()
        assert found.done == found.total == len(STAGES)
        assert stages == [*(["rules"] if compiled == STAGES else []), *compiled]
    module_cache.cache_clear()

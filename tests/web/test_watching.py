"""Those who watch a table and have the same page are sent the same, drawn once; who may not watch is sent nothing. A
crowd costs little more than one of them (`python -m bench.spectators`)."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlencode

import pytest

from atoll.web.live.watched_tables import WatchedTables
from atoll.web.pages import table_page
from atoll.web.serving.site import Site
from atoll.web.serving.sockets import DELETED, OpenPage
from atoll.web.table.move_choice import fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from tests.web.conftest import Browser
from tests.web.test_tables import decide


def table_for_two(new_browser: Callable[..., Browser], site: Site) -> tuple[Browser, Table]:
    """A table of two people, and the first of them."""
    red = new_browser()
    path = red.make_table(game="karuba", players="2", seat0="me", seat1="friend")
    new_browser().post(f"{path}/seats", {"seat": "1"})
    return red, site.tables.find(path.rpartition("/")[2])


def live(table: Table) -> str:
    """The socket of a page that shows the table as it is."""
    return f"{table.address}/live?version={table.version}&rounds=0"


def note_looks(monkeypatch: pytest.MonkeyPatch, note: Callable[[str], object]) -> None:
    """Call `note` with the browser of each page that looks at its table from now on."""
    newer = OpenPage._newer_html

    def noting(page: OpenPage, viewer: Viewer) -> str | None:
        note(page.browser)
        return newer(page, viewer)

    monkeypatch.setattr(OpenPage, "_newer_html", noting)


def test_those_who_watch_are_sent_what_was_drawn_once(
    new_browser: Callable[..., Browser], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in French, and the player, get their own."""
    red, table = table_for_two(new_browser, site)
    watchers = [new_browser(), new_browser(), new_browser(headers={"Accept-Language": "fr"})]
    drawn: list[tuple[Viewer, str]] = []
    draw = table_page.draw_table

    def noting(table: Any, viewer: Viewer, *rest: Any, **settings: Any) -> Any:
        drawn.append((viewer, settings["language"]))
        return draw(table, viewer, *rest, **settings)

    monkeypatch.setattr("atoll.web.serving.sockets.draw_table", noting)
    opened = [watcher.client.websocket_connect(live(table)) for watcher in watchers]
    with opened[0] as one, opened[1] as other, opened[2] as french:
        for socket in (one, other, french):
            socket.send_text("6 0 ?")
            while not socket.receive_text().startswith("6\n"):
                pass
        part_after_moves(
            red, site, table, opened
        )  # until then one that was just opened may be sent its first alone
        del drawn[:]
        said = part_after_moves(red, site, table, opened)
        assert said[0] == said[1] != said[2]
        assert sorted(language for viewer, language in drawn if viewer == Viewer(None)) == ["en", "fr"]
        site_off = red.post(f"{table.address}/chat/settings", {"watchable": "no"})
        assert site_off.status_code == 200
        for socket in (one, other, french):
            while (heard := socket.receive())["type"] != "websocket.close":
                assert "hand" not in str(heard)
            assert heard["code"] == DELETED


def part_after_moves(browser: Browser, site: Site, table: Table, sockets: list[Any]) -> list[str]:
    """What each page is sent after two moves, of which no page hears before they are made."""

    def move() -> None:
        decide(table, moves=2)
        site.watched.notify(table.row.id)

    assert browser.client.portal is not None
    browser.client.portal.call(move)
    said = [next_live_part(socket) for socket in sockets]
    for at, socket in enumerate(sockets):
        while f'data-version="{table.version}"' not in said[at]:
            said[at] = next_live_part(socket)
    return said


def next_live_part(socket: Any) -> str:
    """The next live part that nobody asked for."""
    while not (text := socket.receive_text()).startswith("0\n"):
        pass
    return str(text)


def answer_to(socket: Any, question: str) -> str:
    """The answer to a question that a page asks."""
    socket.send_text(question)
    while not (text := socket.receive_text()).startswith(f"{question.partition(' ')[0]}\n"):
        pass
    return str(text)


def test_of_those_who_watch_one_looks_and_none_where_there_is_nothing_new(
    new_browser: Callable[..., Browser], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others have what was drawn for it; nobody looks again when a crowd comes and goes."""
    red, table = table_for_two(new_browser, site)
    looks, looked = list[str](), threading.Semaphore(0)

    def note(browser: str) -> None:
        looks.append(browser)
        looked.release()

    note_looks(monkeypatch, note)
    with ExitStack() as opened:
        address = live(table)
        sockets = [opened.enter_context(new_browser().client.websocket_connect(address)) for _ in range(6)]
        while "6 people watch" not in sockets[0].receive_text():
            pass
        for _ in sockets:
            assert looked.acquire(timeout=20), "who comes looks"
        del looks[:]
        assert red.client.portal is not None
        red.client.portal.call(site.watched.notify, table.row.id, table.version)
        with new_browser().client.websocket_connect(address):
            assert looked.acquire(timeout=20)
            while "7 people watch" not in sockets[0].receive_text():
                pass
        assert len(looks) == 1, "who comes looks, and nobody else"
        del looks[:]
        decide(table)
        red.client.portal.call(site.watched.notify, table.row.id, table.version)
        for socket in sockets:
            assert "hand" in next_live_part(socket)
    assert len(looks) == 1


def test_an_open_page_looks_by_itself_from_time_to_time(
    new_browser: Callable[..., Browser], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For what nobody tells it: its person then counts as being there."""
    monkeypatch.setattr("atoll.web.serving.sockets.LOOK_AGAIN", 0.05)
    looked = threading.Event()
    red, table = table_for_two(new_browser, site)
    with red.client.websocket_connect(live(table)) as socket:
        answer_to(socket, "6 0 ?")
        note_looks(monkeypatch, lambda _: looked.set())
        assert looked.wait(20)


@pytest.mark.parametrize("is_told", [True, False])
def test_a_move_that_would_be_refused_is_looked_at_anew(
    is_told: bool, new_browser: Callable[..., Browser], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is answered by what is known here, and another process's move may have been made and not be told yet
    (`WatchedTables.is_told`) or read."""
    first, second = new_browser(), new_browser()
    path = first.make_table(game="costa-ruana", players="2", seat0="me", seat1="friend")
    second.post(f"{path}/seats", {"seat": "1"})
    table = site.tables.find(path.rpartition("/")[2])
    elsewhere = Tables(site.store).find(table.row.id)
    (before,) = elsewhere.timeline.to_act
    monkeypatch.setattr(site.watched, "is_notified", is_told)
    monkeypatch.setattr(site.watched, "notify_newer", lambda versions: None)
    with (second, first)[before].client.websocket_connect(live(table)) as socket:
        answer_to(socket, "6 0 ?")
        while elsewhere.timeline.to_act == (before,):
            decide(elsewhere)
        assert table.version < elsewhere.version, "not told yet"
        (seat,) = elsewhere.timeline.to_act
        form = {"decision": 0, **fields_of(elsewhere.timeline.legal_moves(seat)[0])}
        answer = answer_to(socket, f"7 0 moves?{urlencode(form)}")
    assert 'class="notice"' not in answer
    elsewhere.catch_up()
    assert elsewhere.timeline.decision(seat) == 1


def test_a_move_is_made_without_asking_for_the_table_s_version_first(
    new_browser: Callable[..., Browser], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the version that it changes, so what is kept is right whatever was known."""
    red, table = table_for_two(new_browser, site)
    asked: list[str] = []
    version = site.store.version

    def noting(table_id: str) -> int | None:
        asked.append(table_id)
        return version(table_id)

    with red.client.websocket_connect(live(table)) as socket:
        answer_to(socket, "6 0 ?")
        monkeypatch.setattr(site.store, "version", noting)
        form = {"decision": 0, **fields_of(table.timeline.legal_moves(0)[0])}
        answer_to(socket, f"7 0 moves?{urlencode(form)}")
        assert not asked
        answer_to(socket, "8 0 ?")
        assert asked == [table.row.id], "who only looks asks, where nobody tells"
    assert table.timeline.choices.keys() == {0}


def test_pages_are_told_once_of_each_version() -> None:
    """Not again when what this process has told of is found in the database, too."""

    async def watch() -> None:
        tables = WatchedTables()
        watched = tables.watch("t", "me", 3)
        tells: list[Callable[[], None]] = [
            lambda: tables.notify_newer({"t": 3}),
            lambda: tables.notify("t", 4),
            lambda: tables.notify_newer({"t": 4}),
            lambda: tables.notify_newer({"t": 5}),
        ]
        woken = []
        for tell in tells:
            changed = watched.event
            tell()
            woken.append(changed.is_set())
        assert woken == [False, True, False, True]

    asyncio.run(watch())


def test_a_crowd_that_comes_wakes_pages_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who come together are told of together, and of all of them in the end."""

    async def come() -> int:
        tables, wakings = WatchedTables(), 0
        watched = tables.watch("t", "browser 0")
        for number in range(1, 300):
            changed = watched.event
            tables.watch("t", f"browser {number}")
            await asyncio.sleep(0)
            wakings += changed.is_set()
        changed = watched.event
        await asyncio.wait_for(changed.wait(), 60)
        return wakings

    assert asyncio.run(come()) < 30

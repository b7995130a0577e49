"""The lobby is always there: whoever comes plays together, bots fill in after a minute; public games are watched."""

from collections.abc import Callable

import pytest

from atoll.web.serving.site import Site
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from tests.web.conftest import Browser
from tests.web.test_undo import play_some

NewBrowser = Callable[..., Browser]
TableAt = Callable[[str], Table]


@pytest.fixture(autouse=True)
def nobody_else(site: Site) -> None:
    """No table of another test waits for whoever comes."""
    for game in ("karuba", "costa-ruana"):
        for table_id in site.store.gathering(game):
            site.store.delete(table_id)


def quick(browser: Browser, game: str = "karuba") -> str:
    """Press the button of a quick match."""
    return str(browser.post("/quick", {"game": game}).url.path)


def passing(site: Site, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let so much of the site's time pass, and the clocks be looked at."""
    before = site.store.time.now()
    monkeypatch.setattr(site.store.time, "now", lambda: before + seconds)
    site.clocks.check()


def test_whoever_comes_sits_down_with_who_waits_and_a_full_table_begins(
    new_browser: NewBrowser, table_at: TableAt
) -> None:
    one, two, three, four = (new_browser() for _ in range(4))
    path = quick(one)
    assert quick(one) == path, "who waits presses again"
    assert "1 person is waiting" in two.get("/").text
    assert "1 person is waiting" in two.get("/lobby").text
    assert quick(two) == path
    assert quick(two, "costa-ruana") != path
    assert table_at(path).row.waiting
    assert "bots take the free seats" in one.get(path).text
    assert quick(three) == path
    begun = table_at(path)
    assert (begun.row.waiting, begun.row.begins_at, begun.seating.free) == (False, None, ())
    assert {seat.browser for seat in begun.seating.seats} == {one.name, two.name, three.name}
    assert quick(four) != path


def test_bots_fill_up_after_a_minute_and_not_before(
    browser: Browser, table_at: TableAt, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = quick(browser)
    passing(site, monkeypatch, 55)
    assert table_at(path).row.waiting
    passing(site, monkeypatch, 10)
    begun = table_at(path)
    assert not begun.row.waiting
    assert [seat.bot for seat in begun.seating.seats] == [None, "normal", "normal"]
    assert begun.seating.viewer(browser.name) == Viewer(0, maker=True)


def test_a_table_where_nobody_waits_any_more_is_gone(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = quick(browser)
    browser.post(f"{path}/leave")
    passing(site, monkeypatch, 61)
    assert browser.get(path).status_code == 404


def test_the_lobby_says_what_there_is_to_watch(new_browser: NewBrowser, table_at: TableAt) -> None:
    """Public games that run, which others may watch; nobody else's, and not one's own."""
    host, friend, watching = (new_browser() for _ in range(3))
    public = host.make_table("karuba", players="2", seat1="friend", public="yes")
    private = host.make_table("karuba", players="2")
    closed = host.make_table("karuba", players="2", seat1="friend", public="yes")
    for path in (public, closed):
        friend.post(f"{path}/seats", {"seat": "1"})
    assert public not in watching.get("/lobby").text.partition("watch-now-heading")[0], "no seat is free"
    for path in (public, private, closed):
        play_some(table_at(path), 2)
    host.post(f"{closed}/chat/settings", {"chat": "yes", "watchable": "no"})
    lobby = watching.get("/lobby").text.partition("watch-now-heading")[2]
    assert public in lobby
    assert private not in lobby
    assert closed not in lobby
    assert public not in host.get("/lobby").text.partition("watch-now-heading")[2]


def test_the_number_of_seats_changes_in_the_waiting_room(new_browser: NewBrowser, table_at: TableAt) -> None:
    """All who sit there stay, with what they added to the deal; the game is dealt for as many as there are then."""
    host, friend, other = (new_browser() for _ in range(3))
    path = str(host.post("/tables", {"game": "karuba", "friends": "yes", "players": "2"}).url.path)
    for players in ("0", "7", "x", ""):
        assert host.post(f"{path}/players", {"players": players}).status_code == 400
    host.post(f"{path}/players", {"players": "5"})
    friend.post(f"{path}/seats", {"seat": "4"})
    friend.post(f"{path}/deal", {"words": "mine"})
    assert friend.post(f"{path}/players", {"players": "2"}).status_code == 403
    other.post(f"{path}/seats", {"seat": "2"})
    assert host.post(f"{path}/players", {"players": "2"}).status_code == 409
    assert len(table_at(path).seating.seats) == 5
    host.post(f"{path}/players", {"players": "3"})
    table = table_at(path)
    assert [seat.browser for seat in table.seating.seats] == [host.name, friend.name, other.name]
    assert table.row.contributions == [None, "mine", None]
    assert "mine" in friend.get(path).text
    host.post(f"{path}/start", {"bot": "random"})
    assert friend.page(path).choices
    assert table_at(path).timeline.start.players == 3
    assert host.post(f"{path}/players", {"players": "4"}).status_code == 409


def test_the_poll_of_the_start_page_brings_ones_own_tables_too(browser: Browser) -> None:
    """So that two devices of a person show the same."""
    assert 'id="tables"' in browser.get("/lobby").text
    path = browser.make_table("karuba", players="2")
    assert (
        f'href="{path}"' in browser.get("/lobby").text.partition('id="tables"')[2].partition("</section>")[0]
    )

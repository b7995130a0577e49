"""How people come together: the waiting room, the lobby, and a seat that moves to another device."""

import hmac
import html
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import select

from atoll.web.people import devices
from atoll.web.serving.site import Site
from atoll.web.store.schema import seat_links
from atoll.web.table.table import Table
from tests.web.conftest import SCRIPT, Browser
from tests.web.test_tables import decide

NewBrowser = Callable[..., Browser]
TableAt = Callable[[str], Table]
TOGETHER = {"players": "3", "seat0": "me", "seat1": "friend", "seat2": "friend", "wait": "yes"}


def made(browser: Browser, **fields: str) -> str:
    """A table in its waiting room."""
    return browser.make_table(game="karuba", **TOGETHER | fields)


def test_a_table_waits_until_it_is_started(new_browser: NewBrowser, table_at: TableAt) -> None:
    """Nobody decides, no bot moves, no hand is seen: who comes may still change seats."""
    anna, ben = new_browser(), new_browser()
    path = made(anna)
    assert 'id="waiting-room"' in anna.get(path).text
    assert anna.page(path).moves == []
    table = table_at(path)
    move = {"decision": "0", "do": "choose", "cards": "[1,2]"}
    assert anna.post(f"{path}/moves", move).status_code == 409
    for where in ("record", "back"):
        assert anna.get(f"{path}/{where}").status_code == 409
    assert not table.bots.have_to_act
    ben.post(f"{path}/seats", {"seat": "2"})
    assert ben.post(f"{path}/start", {"bot": "easy"}).status_code == 403
    assert "There are free seats" in anna.post(f"{path}/start").text
    anna.post(f"{path}/start", {"bot": "easy"})
    assert [sitting.bot for sitting in table_at(path).seating.seats] == [None, "easy", None]
    assert 'id="waiting-room"' not in ben.get(path).text
    assert ben.page(path).choices
    assert anna.get(f"{path}/record").status_code == 200


def test_whoever_is_invited_reads_what_is_played_and_how(new_browser: NewBrowser) -> None:
    """Item 1 and 7: which game, and whatever its maker chose that is not as usual, before a seat is taken; and what
    there is in the menu can be done. During the game the menu says it.
    """
    anna, ben = new_browser(), new_browser()
    path = made(anna, clock="days:3", components="dead-end temples", **{"option:blocked_shortest": "yes"})
    room = html.unescape(ben.get(path).text)
    for said in (
        "Waiting room – Karuba <small>",
        "3 players · 10 to 20 minutes · Light",
        f'<a href="/games/karuba/rules?table={path.rpartition("/")[2]}">Rules</a>',
        "Time to think: 3 days for each decision",
        "Components: dead-end temples",
        "Option: The shortest path of all",
    ):
        assert said in room, said
    for tag in (
        '<meta property="og:title" content="Waiting room – Karuba">',
        '<meta property="og:description" content="3 players · 10 to 20 minutes · Light · Waiting for 2 more players.">',
        '<meta property="og:image" content="http://',
    ):
        assert tag in room, tag
    picture = re.search(r'og:image" content="http://[^/]+(/[^"]+)"', room)
    assert picture is not None
    answer = ben.get(picture[1])
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    assert f"{path}/try" not in room
    assert f"{path}/record" not in room
    plain = html.unescape(ben.get(made(anna)).text)
    assert not [said for said in ("Time to think", "Components:", "Option:") if said in plain]
    anna.post(f"{path}/start", {"bot": "easy"})
    table = html.unescape(ben.get(path).text)
    assert "Time to think: 3 days for each decision" in table
    assert "Components: dead-end temples" in table
    assert f"{path}/record" in table


def test_a_table_for_friends_is_one_press_away(browser: Browser, table_at: TableAt) -> None:
    """Item 1: one button of the form leaves the bots' seats to friends, without scripts; the link is on the page."""
    form = browser.get("/").text.partition('id="new-karuba"')[2].partition("</form>")[0]
    assert re.search(r'<button[^>]* type="submit" name="friends" value="yes"', form)
    fields = {"game": "karuba", "friends": "yes", "players": "3"}
    for name, options in re.findall(r'<select[^>]* name="(seat\d)"[^>]*>(.*?)</select>', form, re.DOTALL):
        fields[name] = re.findall(r'value="([^"]*)" selected', options)[0]
    assert fields["seat1"].startswith("bot:")
    path = str(browser.post("/tables", fields).url.path)
    assert table_at(path).seating.waiting
    assert table_at(path).seating.free == (1, 2)
    room = browser.get(path).text.partition('id="room-invite"')[2].partition("</section>")[0]
    assert "/address.svg?of=" in room
    assert path in room


def test_seats_fill_live_and_one_can_get_up_again(new_browser: NewBrowser, table_at: TableAt) -> None:
    anna, ben = new_browser(), new_browser()
    ben.post("/name", {"name": "Ben"})
    path = made(anna)
    with anna.client.websocket_connect(f"{path}/live?version={table_at(path).version}") as socket:
        ben.post(f"{path}/seats", {"seat": "1"})
        assert "Ben" in socket.receive_text()
        ben.post(f"{path}/leave")
        assert "Ben" not in socket.receive_text()
    assert table_at(path).seating.free == (1, 2)
    ben.post(f"{path}/seats", {"seat": "2"})
    anna.post(f"{path}/bots", {"seat": "1", "bot": "easy"})
    assert ben.post(f"{path}/start").status_code == 200, "once all seats are taken anybody who plays starts"
    assert ben.post(f"{path}/leave").status_code == 409
    assert table_at(path).seating.seats[2].browser is not None


def test_the_lobby_shows_public_tables_with_free_seats(new_browser: NewBrowser) -> None:
    anna, ben = new_browser(), new_browser()
    anna.post("/name", {"name": "Anna"})
    hidden, shown = made(anna), made(anna, public="yes", clock="days:3")
    assert f'href="{shown}"' in ben.get("/").text
    assert f'href="{hidden}"' not in ben.get("/").text
    assert "Anna" in ben.get("/lobby").text
    assert f'href="{shown}"' not in anna.get("/lobby").text, "Anna sits there: it is among her own tables"
    assert "3 days for each decision" in ben.get("/lobby").text, "whether it is played at once or over days"
    assert ben.post(f"{hidden}/public", {"public": "yes"}).status_code == 403
    anna.post(f"{shown}/public", {"public": "no"})
    anna.post(f"{hidden}/public", {"public": "yes"})
    lobby = ben.get("/lobby").text
    assert f'href="{hidden}"' in lobby
    assert f'href="{shown}"' not in lobby
    anna.post(f"{hidden}/start", {"bot": "easy"})
    assert f'href="{hidden}"' not in ben.get("/lobby").text


def test_whoever_comes_too_late_reads_that_they_watch(new_browser: NewBrowser) -> None:
    """Item 6: spectators; a friend who finds no seat is not left wondering why nothing can be pressed."""
    anna, ben, late = new_browser(), new_browser(), new_browser()
    path = anna.make_table(game="karuba", players="2", seat1="friend")
    watching = "All seats are taken: you are watching."
    assert watching not in late.get(path).text
    ben.post(f"{path}/seats", {"seat": "1"})
    assert watching in late.get(path).text
    for browser in (anna, ben):
        assert watching not in browser.get(path).text


def link_in(page: str) -> str:
    """The link that a page shows."""
    found = re.search(r'value="http://testserver(/tables/[^"]*/device/[^"]+)"', page)
    assert found
    return found[1]


def test_a_seat_moves_to_another_device_once(new_browser: NewBrowser, table_at: TableAt) -> None:
    anna, phone, other = new_browser(), new_browser(), new_browser()
    anna.post("/name", {"name": "Anna"})
    path = anna.make_table(game="karuba", players="2", seat0="me", seat1="friend")
    link = link_in(anna.post(f"{path}/device").text)
    assert "Play here" in phone.get(link).text
    assert "Play here" in phone.get(link).text, "looking does not use it up: programs look at links, too"
    assert phone.page(path).choices == []
    phone.post(link)
    assert phone.page(path).choices
    assert "Your name: <bdi>Anna</bdi>" in phone.get(path).text
    assert anna.page(path).choices == []
    for answer in (other.get(link), other.post(link)):
        assert answer.status_code == 404
    assert table_at(path).seating.seats[0].browser is not None


def test_a_link_can_be_taken_back_and_grows_old(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, phone = new_browser(), new_browser()
    path = anna.make_table(game="karuba", players="2", seat0="me", seat1="friend")
    first = link_in(anna.post(f"{path}/device").text)
    second = link_in(anna.post(f"{path}/device").text)
    assert phone.post(first).status_code == 404, "a new one takes its place"
    with monkeypatch.context() as patch:
        patch.setattr(devices, "GOOD_FOR", timedelta(0))
        assert phone.post(second).status_code == 404
    anna.post(f"{path}/device", {"revoke": "yes"})
    assert phone.post(second).status_code == 404
    assert phone.post(f"{path}/device").status_code == 403, "who has no seat has none to move"


def test_a_link_is_told_to_nobody_else(new_browser: NewBrowser, table_at: TableAt, site: Site) -> None:
    """Neither on any page of the table nor in the database, which keeps a digest."""
    anna, ben, watching = new_browser(), new_browser(), new_browser()
    path = anna.make_table(game="karuba", players="2", seat0="me", seat1="friend")
    ben.post(f"{path}/seats", {"seat": "1"})
    said = link_in(anna.post(f"{path}/device").text).rpartition("/")[2]
    for _ in range(2):
        decide(table_at(path))
    for browser in (anna, ben, watching):
        for where in ("", "/back", "/record", "/device"):
            assert said not in browser.get(path + where).text
        assert said not in browser.get(path, headers=SCRIPT).text
        assert said not in browser.ask(path, "", {})
        assert said not in browser.get("/").text
    with site.store.engine.connect() as connection:
        rows = str(connection.execute(select(seat_links)).all())
    assert said not in rows
    assert devices.digest(said) in rows


def test_a_link_that_stays_on_the_page_would_be_found(
    new_browser: NewBrowser, table_at: TableAt, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same check with what a link says planted in the database."""
    monkeypatch.setattr(devices, "digest", lambda said: said)
    with pytest.raises(AssertionError):
        test_a_link_is_told_to_nobody_else(new_browser, table_at, site)


def test_links_are_compared_in_constant_time(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[str, str]] = []
    compare = hmac.compare_digest

    def noting(one: str, other: str) -> bool:
        compared.append((one, other))
        return bool(compare(one, other))

    monkeypatch.setattr(hmac, "compare_digest", noting)
    anna = new_browser()
    path = anna.make_table(game="karuba", players="2", seat0="me", seat1="friend")
    anna.post(f"{path}/device")
    assert new_browser().post(f"{path}/device/{'x' * 32}").status_code == 404
    assert compared

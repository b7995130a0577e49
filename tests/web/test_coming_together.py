"""How people come together: the waiting room, the lobby, and a seat that moves to another device."""

import html
import re
from collections.abc import Callable

from atoll.web.table.table import Table
from tests.web.conftest import Browser

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
    free = f'id="lobby-{shown.rpartition("/")[2]}"'
    assert free in ben.get("/lobby").text
    assert free not in anna.get("/lobby").text, "Anna sits there: it is among her own tables"
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

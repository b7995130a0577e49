"""People at a table to each other: what they say and who hears it, what they agree to, and who may watch."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from atoll.text.translation import Translator
from atoll.web.bounds import CHAT, Bounds
from atoll.web.people import chat, proposals
from atoll.web.people.chat import checked_text
from atoll.web.refusal import Refusal
from atoll.web.serving.site import Site
from atoll.web.store.store import SeatRow, now
from atoll.web.table.seats import Seating
from atoll.web.table.table import Table
from tests.web.conftest import SCRIPT, Browser
from tests.web.test_replay import play_some

NewBrowser = Callable[..., Browser]
TableAt = Callable[[str], Table]
TWO = {"players": "2", "seat0": "me", "seat1": "friend"}


def two(new_browser: NewBrowser, game: str = "karuba") -> tuple[Browser, Browser, str]:
    """A table of two people."""
    anna, ben = new_browser(), new_browser(headers={"Accept-Language": "fr"})
    anna.post("/name", {"name": "Anna"})
    ben.post("/name", {"name": "Ben"})
    path = anna.make_table(game=game, **TWO)
    ben.post(f"{path}/seats", {"seat": "1"})
    return anna, ben, path


def said(browser: Browser, path: str) -> list[str]:
    """What a browser hears at a table."""
    html = browser.get(f"{path}/chat").text
    found = re.findall(r'<li id="message-.*?</li>', html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", one).split()) for one in found]


def test_all_hear_who_plays_and_who_watches_is_heard_by_who_watches(
    new_browser: NewBrowser, site: Site
) -> None:
    """What somebody sees who watches is no hint for who plays."""
    anna, ben, path = two(new_browser)
    watching, other = new_browser(), new_browser()
    watching.post("/name", {"name": "Wim"})
    anna.post(f"{path}/chat", {"text": "good luck <b>&"})
    watching.post(f"{path}/chat", {"text": "Ben holds 7"})
    ben.post(f"{path}/chat", {"phrase": "played"})
    assert said(anna, path) == ["Anna good luck &lt;b&gt;&amp;", "Ben Well played!"]
    assert said(ben, path) == ["Anna good luck &lt;b&gt;&amp;", "Ben Bien joué !"]
    for browser in (watching, other):
        assert said(browser, path)[1] == "Wim Ben holds 7"
    for browser in (anna, ben):
        for where in ("", "/chat", "/record", "/back"):
            assert "Ben holds 7" not in browser.get(path + where).text


def plant_in_heard(patch: pytest.MonkeyPatch) -> None:
    """Everybody hears everybody."""
    patch.setattr("atoll.web.pages.chat_page.visible_to", lambda viewer, found: list(found))


def test_what_is_heard_by_others_too_is_found(
    new_browser: NewBrowser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_in_heard(monkeypatch)
    with pytest.raises(AssertionError):
        test_all_hear_who_plays_and_who_watches_is_heard_by_who_watches(new_browser, site)


def test_open_pages_hear_what_is_said_and_how_many_watch(new_browser: NewBrowser, table_at: TableAt) -> None:
    anna, ben, path = two(new_browser)
    with ben.client.websocket_connect(f"{path}/live?version={table_at(path).version}") as socket:
        anna.post(f"{path}/chat", {"text": "hello there"})
        heard = [socket.receive_text(), socket.receive_text()]
        assert heard[0].startswith("0\n")
        assert heard[1].startswith("talk\n")
        assert "hello there" in heard[1]
        watching = new_browser()
        with watching.client.websocket_connect(f"{path}/live?version=99999"):
            assert "1 personne regarde" in socket.receive_text()
        assert "Personne ne regarde" in socket.receive_text()


@pytest.mark.parametrize("text", ["", " \n ", "x" * 301])
def test_what_cannot_be_said_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        checked_text(text)


def test_a_message_is_one_line_of_plain_text() -> None:
    """Nothing in it moves a terminal's cursor, turns the line round or begins another."""
    assert checked_text(" a\x1b[2Jb\nc\u202ed\u2029e ") == "a [2Jb cd e"


def test_too_many_messages_are_refused_with_a_sentence(
    new_browser: NewBrowser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "bounds", Bounds(lambda: 0.0))
    most = CHAT.browser or 0
    anna, _, path = two(new_browser)
    answers = [anna.post(f"{path}/chat", {"text": str(number)}, headers=SCRIPT) for number in range(most + 1)]
    assert [answer.status_code for answer in answers] == [200] * most + [429]
    assert "Not so fast" in answers[-1].text
    assert len(said(anna, path)) == most


def test_who_made_the_table_switches_the_chat_off(new_browser: NewBrowser) -> None:
    anna, ben, path = two(new_browser)
    assert ben.post(f"{path}/chat/settings", {"chat": "no"}).status_code == 403
    anna.post(f"{path}/chat/settings", {"chat": "no"})
    assert ben.post(f"{path}/chat", {"text": "hello"}).status_code == 409
    anna.post(f"{path}/chat/settings", {"chat": "yes"})
    assert ben.post(f"{path}/chat", {"text": "hello"}).status_code == 200


def test_a_table_can_be_closed_to_others(new_browser: NewBrowser, table_at: TableAt) -> None:
    anna, ben, path = two(new_browser)
    watching = new_browser()
    anna.post(f"{path}/chat/settings", {"watchable": "no"})
    for where in ("", "/record", "/back", "/chat"):
        assert watching.get(path + where).status_code == 403, where
        assert ben.get(path + where).status_code == 200, where
    anna.post(f"{path}/chat/settings", {"watchable": "yes"})
    version = table_at(path).version
    with watching.client.websocket_connect(f"{path}/live?version={version}") as socket:
        anna.post(f"{path}/chat/settings", {"watchable": "no"})
        assert socket.receive()["type"] == "websocket.close", "who watches is told at once"


def test_all_agree_to_play_again_with_other_seats(new_browser: NewBrowser, table_at: TableAt) -> None:
    anna, ben, path = two(new_browser)
    assert anna.post(f"{path}/again", {"turn": "1"}).status_code == 409
    play_some(table_at(path))
    anna.post(f"{path}/again", {"turn": "1"})
    assert table_at(path).row.next is None
    assert "Anna</bdi> (vous)" not in ben.get(path).text
    assert "Anna" in ben.get(path).text
    assert 'id="agree"' in ben.get(path).text
    anna.post(f"{path}/agree", {"about": "again", "no": "yes"})
    assert 'id="agree"' not in ben.get(path).text
    anna.post(f"{path}/again", {"turn": "1"})
    following = ben.post(f"{path}/agree", {"about": "again"})
    assert following.url.path == f"/tables/{table_at(path).row.next}", "who agrees last is led there"
    seats = table_at(following.url.path).seating.seats
    assert [sitting.name for sitting in seats] == ["Ben", "Anna"]
    assert anna.post(f"{path}/again", {"turn": "1"}).url.path == following.url.path


def test_who_plays_again_plays_for_themselves_and_nothing_goes_on_from_before(
    new_browser: NewBrowser, table_at: TableAt
) -> None:
    """Items 4 and 6: a rematch that everybody agrees to. A bot that played for who agrees goes, one for somebody who
    left stays, and what was programmed in the game before does not run in this one.
    """
    anna, _, path = two(new_browser)
    table = table_at(path)
    play_some(table)
    program = {"name": "draw water", "since": 3}
    table.change_seat(lambda: replace(table.seating.seats[0], bot="greedy", program=program))
    table.change_seat(lambda: replace(table.seating.seats[1], bot="greedy"))
    following = anna.post(f"{path}/again", {"turn": "1"})
    assert following.url.path == f"/tables/{table_at(path).row.next}"
    seats = table_at(following.url.path).seating.seats
    assert [(sitting.name, sitting.bot, sitting.program) for sitting in seats] == [
        ("Ben", "greedy", None),
        ("Anna", None, None),
    ]


def test_whoever_plays_alone_again_plays_for_themselves(browser: Browser, table_at: TableAt) -> None:
    path = browser.make_table("karuba", **TWO)
    table = table_at(path)
    play_some(table)
    table.change_seat(lambda: replace(table.seating.seats[0], bot="greedy"))
    again = browser.post(f"{path}/again", {"turn": "0"}).url.path
    assert again != path
    assert table_at(again).seating.seats[0].bot is None


def test_a_game_is_given_up_only_if_all_agree(new_browser: NewBrowser, table_at: TableAt) -> None:
    anna, ben, path = two(new_browser)
    assert "End the game" in anna.get(path).text
    anna.post(f"{path}/agree", {"about": "resign"})
    assert table_at(path).row.ended is None
    assert anna.page(path).choices, "it goes on until then"
    assert "arrêter la partie" in ben.get(path).text
    watching = new_browser()
    assert watching.post(f"{path}/agree", {"about": "resign"}).status_code == 403
    ben.post(f"{path}/agree", {"about": "resign"})
    assert table_at(path).row.ended == "resigned"
    assert anna.page(path).choices == []
    move = {"decision": "0", "do": "choose", "cards": "[1,2]"}
    assert anna.post(f"{path}/moves", move).status_code == 409
    assert "Ended without a result" in anna.get("/").text
    offered = anna.get(path).text
    for what in ("/bots", "/away", "/try", "/device", 'id="menu-invite"'):
        assert what not in offered, "there is nothing more to do at it"
    anna.post(f"{path}/bots", {"seat": "0", "bot": "greedy"})
    assert table_at(path).seating.seats[0].bot is None
    assert anna.get(f"{path}/back?eyes=1").status_code == 403, "hands stay hidden"
    assert '"seed": null' in anna.get(f"{path}/record").text.replace('":null', '": null')


def test_who_does_not_agree_ends_the_question(new_browser: NewBrowser, table_at: TableAt) -> None:
    """Item 6: only where all agree; the question does not stay over the table, and who asked reads what came of it."""
    anna, ben, path = two(new_browser)
    question, answer = 'id="agreement"', "<bdi>Ben</bdi> did not agree."
    anna.post(f"{path}/agree", {"about": "resign"})
    assert 'id="decline"' in ben.get(path).text
    assert 'id="decline"' not in anna.get(path).text
    ben.post(f"{path}/agree", {"about": "resign", "no": "yes"})
    assert answer in anna.get(path).text
    assert question not in ben.get(path).text
    assert question not in new_browser().get(path).text
    assert table_at(path).row.ended is None
    play_some(table_at(path), 1)
    assert question not in anna.get(path).text, "the game has gone on"
    anna.post(f"{path}/agree", {"about": "resign"})
    assert answer not in anna.get(path).text
    assert question in ben.get(path).text
    anna.post(f"{path}/agree", {"about": "resign", "no": "yes"})
    assert question not in ben.get(path).text, "taken back, and by nobody refused"


def test_a_table_that_nobody_else_looks_at_can_be_closed(
    new_browser: NewBrowser, table_at: TableAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, ben, path = two(new_browser)
    assert anna.post(f"{path}/close").status_code == 409
    monkeypatch.setattr(proposals, "STALE_AFTER", timedelta(0))
    assert ben.post(f"{path}/close").status_code == 403
    anna.post(f"{path}/close")
    assert table_at(path).row.ended == "closed"


def test_who_is_away_is_not_waited_for() -> None:
    """But somebody has to be there who agrees."""
    seats = (SeatRow(0, "anna", None, now()), SeatRow(1, "ben", None, now() - timedelta(hours=1)))
    seating = Seating("anna", False, (*seats, SeatRow(2, None, "easy")))
    assert proposals.asked(seating) == (0,)
    assert proposals.several(seating)
    assert not proposals.is_stale(seating)


def test_every_reaction_has_words() -> None:
    said = [chat.phrase_text(Translator("en"), phrase) for phrase in chat.PHRASES]
    assert len(set(said)) == len(chat.PHRASES)

"""Making tables, taking seats, deciding: what is carried out, what is refused."""

import random
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from starlette.types import Message

from atoll.core.catalogue import find_game, games
from atoll.engine.commitments import deal_seed, written
from atoll.web.live.bot_moves import choose_move, play_move
from atoll.web.serving.site import Site
from atoll.web.store.store import Answer, TableRow
from atoll.web.table.move_choice import fields_of
from atoll.web.table.seats import ABANDONED_AFTER
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from tests.web.conftest import SCRIPT, Browser, Form, Page

PERSONS = {"players": "2", "seat0": "me", "seat1": "friend"}
TableAt = Callable[[str], Table]


@pytest.fixture
def quiet(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots sit still."""
    monkeypatch.setattr(site.bots, "wake", lambda table: None)


def state_of(table: Table) -> tuple[Any, ...]:
    """All that a refused request must leave as it is."""
    contents = table.store.read(table.row.id)
    assert contents is not None
    return contents.moves, contents.choices, [(s.browser, s.bot) for s in contents.seats], contents.row.pace


def first_move(browser: Browser, path: str) -> Form:
    """The first move that the page offers."""
    return browser.page(path).moves[0]


def test_one_click_makes_a_table_against_bots(browser: Browser, table_at: TableAt) -> None:
    start = browser.page("/")
    form = next(form for form in start.forms if ("game", "costa-ruana") in form.fields)
    answer = browser.post(form.action, form.data)
    table = table_at(answer.url.path)
    assert [bool(seat.bot) for seat in table.seating.seats] == [False, True, True, True]
    assert table.seating.viewer(table.row.maker).seat == 0


def test_of_equal_cards_one_is_shown_as_chosen(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hand of Costa Ruana may hold a card twice."""
    game = find_game("costa-ruana")
    seeds = ((key, int(deal_seed(written(key), ()), 16)) for key in count(1))
    hands = (
        (key, game.start(6, seed, keyed=True).view(0).to_json()["players"][0]["hand"]) for key, seed in seeds
    )
    key = next(key for key, hand in hands if len(set(hand)) < len(hand))
    monkeypatch.setattr(secrets, "randbits", lambda bits: key)
    path = browser.make_table(players="6", **{f"seat{seat}": "bot:random" for seat in range(1, 6)})
    equal: list[Form] = []
    while not equal:
        browser.wait_for(path, 'class="bar mine')
        page = browser.page(path)
        equal = [form for form in page.choices if re.fullmatch("press-hand-.*-1", form.id)]
        if not equal:
            form = (page.moves or browser.page(path, params=page.choices[0].data).moves)[0]
            assert browser.post(form.action, form.data).status_code == 200
    html = browser.get(path, params=equal[0].data).text
    assert html[html.index('id="hand"') :].count('aria-pressed="true"') == 1


def test_a_whole_game_without_scripts(browser: Browser) -> None:
    path = browser.make_table()
    chance = random.Random(1)
    for _ in range(2000):
        answer = browser.get(path)
        assert answer.status_code == 200
        if "Play again" in answer.text:
            break
        page = Page(answer.text)
        if not page.moves and page.choices:
            page = browser.page(path, params=chance.choice(page.choices).data)
        if page.moves:
            form = chance.choice(page.moves)
            assert browser.post(form.action, form.data).status_code == 200
    else:
        pytest.fail("the game did not end")
    record = browser.get(f"{path}/record").text.splitlines()
    assert record[-1].startswith('{"result"')
    head = msgspec.json.decode(record[0])
    assert re.fullmatch("[0-9a-f]{32}", head["seed"])
    dealt = find_game(head["game"]).start(
        len(head["players"]), int(head["seed"], 16), options=head["options"], keyed=True
    )
    assert dealt.to_json() == head["start"]


# Deciding


def test_the_same_move_for_the_same_decision_again_changes_nothing(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path, form = two_persons(browser, new_browser)
    first = browser.post(form.action, form.data, headers=SCRIPT)
    after = state_of(table_at(path))
    again = browser.post(form.action, form.data, headers=SCRIPT)
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.text == first.text == browser.ask(path, "moves", form.data)
    assert state_of(table_at(path)) == after


def test_a_move_by_the_socket_is_the_same_as_a_posted_one_and_all_who_watch_are_told(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path, form = two_persons(browser, new_browser)
    version = table_at(path).version
    with new_browser().client.websocket_connect(f"{path}/live?version={version}") as watching:
        answer = browser.ask(path, "moves", form.data)
        news = watching.receive_text()
    assert len(table_at(path).timeline.answers) == 1
    assert browser.post(form.action, form.data, headers=SCRIPT).text == answer
    for html in (answer, news.removeprefix("0\n")):
        assert html.lstrip().startswith('<div id="table"')
        assert f'data-version="{version + 1}"' in html


def test_what_was_decided_before_a_page_closed_counts_although_its_answers_find_it_closed(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path, form = two_persons(browser, new_browser)
    cookies = "; ".join(f"{name}={value}" for name, value in browser.client.cookies.items())
    headers = {"host": "testserver", "origin": "http://testserver", "cookie": cookies}
    scope = {
        "type": "websocket",
        "path": f"{path}/live",
        "query_string": b"version=-1",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    texts = ["6 0 ?", f"7 0 moves?{urlencode(form.data, doseq=True)}"]
    events: list[Message] = [{"type": "websocket.connect"}]
    events += [{"type": "websocket.receive", "text": text} for text in texts]
    events += [{"type": "websocket.disconnect", "code": 1005}]
    refused: list[str] = []

    async def receive() -> Message:
        return events.pop(0)

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            refused.append(str(message["text"]))
            raise OSError

    assert browser.client.portal is not None
    browser.client.portal.call(partial(browser.client.app, scope, receive, send))
    assert len(refused) == 1
    assert len(table_at(path).timeline.answers) == 1


def test_regions_of_a_move_are_chosen_by_the_socket_as_by_the_address(browser: Browser) -> None:
    path = browser.make_table(game="karuba", **PERSONS)
    for choice in browser.page(path).choices[:3]:
        page = browser.get(path, params=choice.data, headers=SCRIPT).text
        assert browser.ask(path, "", choice.data) == page != browser.ask(path, "", {})


@pytest.mark.parametrize(
    "question",
    [
        "",
        "7",
        "7 0",
        "x y moves?do=x",
        "0 0 ?do=x",
        "7 0 seats?seat=1",
        "? ? ?",
    ],
)
def test_a_question_that_is_none_of_ours_changes_nothing(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt, question: str
) -> None:
    path, _ = two_persons(browser, new_browser)
    before = state_of(table_at(path))
    with browser.client.websocket_connect(f"{path}/live?version=99999") as socket:
        socket.send_text(question)
        socket.send_text("8 0 moves?do=x")
        answers = [socket.receive_text()]
        if answers[0].startswith("7"):
            answers.append(socket.receive_text())
    assert answers[-1].startswith("8\n")
    assert "Something went wrong with that form" in answers[-1]
    assert state_of(table_at(path)) == before


def two_persons(browser: Browser, new_browser: Callable[..., Browser]) -> tuple[str, Form]:
    """A table of two persons, and a move of the first browser."""
    for _ in range(50):
        path = browser.make_table(**PERSONS)
        other = new_browser()
        other.post(f"{path}/seats", {"seat": "1"})
        page = browser.page(path)
        if page.moves:
            return path, page.moves[0]
    raise AssertionError("it is never the first seat's turn")


def test_another_move_for_a_decided_decision_is_refused_with_the_fresh_board(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path, form = two_persons(browser, new_browser)
    other = browser.page(path).moves[1]
    browser.post(form.action, form.data)
    before = state_of(table_at(path))
    answer = browser.post(other.action, other.data, headers=SCRIPT)
    assert answer.status_code == 409
    assert 'id="table"' in answer.text
    assert "already decided" in answer.text
    assert state_of(table_at(path)) == before


@pytest.mark.parametrize("script", [False, True])
@pytest.mark.parametrize(
    ("change", "status", "sentence"),
    [
        ({"decision": "7"}, 409, "The table has changed"),
        ({"decision": "-1"}, 400, "Something went wrong with that form"),
        ({"decision": "x"}, 400, "Something went wrong with that form"),
        ({"decision": "9" * 5000}, 400, "Something went wrong with that form"),
        ({"do": "win"}, 422, "not possible"),
        ({"do": ""}, 422, "not possible"),
        ({"island": "99"}, 422, "not possible"),
        ({"island": "[0]"}, 422, "not possible"),
        ({"island": ["0", "1"]}, 422, "not possible"),
        ({"extra": "1"}, 422, "not possible"),
    ],
)
def test_a_tampered_form_is_refused(
    browser: Browser,
    new_browser: Callable[..., Browser],
    table_at: TableAt,
    change: dict[str, Any],
    status: int,
    sentence: str,
    script: bool,
) -> None:
    path, form = two_persons(browser, new_browser)
    before = state_of(table_at(path))
    tampered = {**form.data, **change}
    answer = browser.post(form.action, tampered, headers=SCRIPT if script else {})
    if script:
        assert browser.ask(path, "moves", tampered) == answer.text
    assert answer.status_code == status
    assert sentence in answer.text
    assert 'id="table"' in answer.text
    assert "Traceback" not in answer.text
    assert state_of(table_at(path)) == before


def test_a_form_without_fields_is_refused(browser: Browser) -> None:
    path = browser.make_table()
    assert browser.post(f"{path}/moves").status_code == 400


def test_out_of_turn_is_refused(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path, form = two_persons(browser, new_browser)
    other = new_browser()
    path = other.make_table(**PERSONS)
    browser.post(f"{path}/seats", {"seat": "1"})
    waiting = browser if other.page(path).moves else other
    before = state_of(table_at(path))
    answer = waiting.post(f"{path}/moves", form.data)
    assert "not your turn" in waiting.ask(path, "moves", form.data)
    assert answer.status_code == 409
    assert "not your turn" in answer.text
    assert state_of(table_at(path)) == before


def test_who_has_no_seat_cannot_move(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path, form = two_persons(browser, new_browser)
    before = state_of(table_at(path))
    stranger = new_browser()
    answer = stranger.post(form.action, form.data)
    assert answer.status_code == 403
    assert "no seat" in answer.text
    for name in ("moves", "take-back", "undo"):
        assert "no seat" in stranger.ask(path, name, form.data)
    assert state_of(table_at(path)) == before


def test_nobody_can_move_for_another_seat(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path, form = two_persons(browser, new_browser)
    table = table_at(path)
    second = new_browser()
    answer = second.post(f"{path}/seats", {"seat": "0"})
    assert answer.status_code == 409
    assert second.post(form.action, form.data).status_code == 403
    assert not table_at(path).timeline.answers
    assert table.timeline.position.to_act == (0,)


# Tables


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "chess"},
        {"game": ""},
        {"players": "1"},
        {"players": "7"},
        {"players": "many"},
        {"players": "٣"},
        {"pace": "never"},
        {"hints": "sometimes"},
        {"seat1": "bot:clever"},
        {"seat1": "bot:cmd:true"},
        {"seat1": "bot:search:100001"},
        {"seat1": "bot:search:10001ms"},
        {"seat1": "somebody"},
        {"seat0": "me", "seat1": "me"},
        {"option:cheating": "yes"},
        {"components": "/etc/passwd"},
    ],
)
def test_a_table_that_is_not_offered_is_not_made(
    browser: Browser, site: Site, fields: dict[str, str]
) -> None:
    answer = browser.post("/tables", {"game": "costa-ruana", **fields})
    assert answer.status_code == 400
    assert "<h1>Not possible</h1>" in answer.text or '<div class="notice" role="alert"' in answer.text
    assert "Traceback" not in answer.text
    assert "Your tables" not in browser.get("/").text


@pytest.fixture
def newer_rules(site: Site, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Starts the site anew with other rules of a game."""

    def renew(name: str) -> None:
        game = find_game(name)
        newer = replace(game, rules_version=game.rules_version + 1)
        monkeypatch.setitem(games(), name, newer)
        monkeypatch.setattr(site, "tables", Tables(site.store))

    return renew


def lines_of(browser: Browser, path: str) -> list[Any]:
    """The record that a browser can download."""
    return [msgspec.json.decode(line) for line in browser.get(f"{path}/record").text.splitlines()]


def keeps_quiet(record: list[Any], seat: int | None) -> bool:
    """Whether a running game's record has no seed, no deal and nobody's moves but those of the seat."""
    header, *moves = record
    mine = [line["player"] == seat for line in moves]
    return (
        header["seed"] is None
        and "start" not in header
        and mine == [line["move"] is not None for line in moves]
    )


def test_a_running_table_of_older_rules_offers_the_record_of_ones_own_moves(
    browser: Browser,
    new_browser: Callable[..., Browser],
    table_at: TableAt,
    newer_rules: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the others did may be secret, which only the older rules could tell."""
    friend, stranger = new_browser(), new_browser()
    path = browser.make_table(**PERSONS)
    friend.post(f"{path}/seats", {"seat": "1"})
    for _ in range(6):
        seat = table_at(path).timeline.to_act[0]
        form = first_move((browser, friend)[seat], path)
        (browser, friend)[seat].post(form.action, form.data)
    played = table_at(path).timeline.answers
    newer_rules("costa-ruana")
    shown = browser.get(path)
    assert shown.status_code == 410
    assert "begun under older rules" in shown.text
    assert "cannot be played on" in shown.text
    assert f'href="{path}/record" download' in shown.text
    assert browser.post(f"{path}/moves", {"decision": "0"}).status_code == 410
    assert "règles plus anciennes" in new_browser(headers={"Accept-Language": "fr"}).get(path).text
    watching: list[tuple[Browser, int | None]] = [(browser, 0), (friend, 1), (stranger, None)]
    for who, seen_by in watching:
        record = lines_of(who, path)
        assert keeps_quiet(record, seen_by)
        assert [line["player"] for line in record[1:]] == [answer.seat for answer in played]
        assert [line["move"] for line in record[1:] if line["player"] == seen_by] == [
            answer.move for answer in played if answer.seat == seen_by
        ]
    monkeypatch.setattr(TableRow, "is_over", property(lambda row: True))
    assert not any(keeps_quiet(lines_of(who, path), seen_by) for who, seen_by in watching)


def test_a_finished_table_of_older_rules_offers_its_whole_record(
    browser: Browser,
    new_browser: Callable[..., Browser],
    table_at: TableAt,
    newer_rules: Callable[..., None],
    quiet: None,
) -> None:
    path = browser.make_table(**{f"seat{seat}": "bot:random" for seat in range(4)})
    table = table_at(path)
    while (asked := table.bots.turn()) is not None:
        seat, decision, bot, view = asked
        with table.lock:
            table.move_bot(seat, decision, bot, bot.choose(view, seed=decision))
    whole = lines_of(browser, path)
    newer_rules("costa-ruana")
    assert "has every move" in browser.get(path).text
    record = lines_of(new_browser(), path)
    assert record[0]["seed"] == whole[0]["seed"]
    assert [line["move"] for line in record[1:]] == [line["move"] for line in whole[1:-1]]


def test_a_table_whose_moves_are_not_legal_offers_its_record(
    browser: Browser,
    new_browser: Callable[..., Browser],
    table_at: TableAt,
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rules changed under the same version."""
    path, form = two_persons(browser, new_browser)
    browser.post(form.action, form.data)
    table = table_at(path)
    table.store.append(table.row.id, table.version, 1, [Answer(1, 0, {"do": "give up"})], 1)
    monkeypatch.setattr(site, "tables", Tables(site.store))
    shown = browser.get(path).text
    assert "begun under older rules" in shown
    assert f'href="{path}/record" download' in shown
    site.store.delete(table.row.id)  # or the site would log it again in a later test


@pytest.mark.parametrize("path", ["/tables/none", "/tables/none/record", "/games/chess/rules", "/nowhere"])
def test_what_is_not_there_is_not_found(browser: Browser, path: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == 404
    assert "<h1>Not found</h1>" in answer.text


@pytest.mark.parametrize("change", ["moves", "seats", "bots", "open", "pace", "hint", "again", "take-back"])
def test_a_change_to_an_unknown_table_is_refused(browser: Browser, change: str) -> None:
    answer = browser.post(f"/tables/none/{change}", {"decision": "0"})
    assert answer.status_code == 404
    assert "no such table" in answer.text


def test_options_are_kept(browser: Browser, table_at: TableAt) -> None:
    path = browser.make_table(**{"option:open_huts": "yes"})
    assert table_at(path).row.options == {"open_huts": True}


def test_tables_that_wait_for_me_come_first(browser: Browser, new_browser: Callable[..., Browser]) -> None:
    path, _ = two_persons(browser, new_browser)
    waiting, other = two_persons(browser, new_browser)
    browser.post(other.action, other.data)
    shown = browser.get("/").text
    assert shown.index("Your turn") < shown.index(waiting)
    assert path in shown


# Seats


def test_the_address_of_a_table_offers_its_free_seats(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path = browser.make_table(players="3", seat0="me", seat1="friend", seat2="friend")
    friend = new_browser()
    offered = [form for form in friend.page(path).forms if form.action == f"{path}/seats"]
    assert {dict(form.fields)["seat"] for form in offered} == {"1", "2"}
    assert friend.post(f"{path}/seats", {"seat": "2"}).status_code == 200
    assert table_at(path).seating.free == (1,)
    assert friend.post(f"{path}/seats", {"seat": "1"}).status_code == 409
    assert new_browser().post(f"{path}/seats", {"seat": "2"}).status_code == 409


def test_the_maker_puts_bots_in_empty_and_abandoned_seats_only(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = browser.make_table(players="3", seat0="me", seat1="friend", seat2="friend")
    friend = new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    put = {"seat": "1", "bot": "random"}
    assert friend.post(f"{path}/bots", {"seat": "2", "bot": "random"}).status_code == 403
    assert browser.post(f"{path}/bots", put).status_code == 409
    assert browser.post(f"{path}/bots", {"seat": "2", "bot": "clever"}).status_code == 400
    assert browser.post(f"{path}/bots", {"seat": "2", "bot": "cmd:true"}).status_code == 400
    assert browser.post(f"{path}/bots", {"seat": "9", "bot": "random"}).status_code == 404
    assert browser.post(f"{path}/bots", {"seat": "2", "bot": "random"}).status_code == 200
    assert table_at(path).seating.seats[2].bot == "random"
    assert "a person who is away" not in browser.get(path).text
    monkeypatch.setattr("atoll.web.table.seats.ABANDONED_AFTER", -ABANDONED_AFTER)
    assert "a person who is away" in browser.get(path).text
    assert browser.post(f"{path}/bots", put).status_code == 200
    assert table_at(path).seating.seats[1].bot == "random"
    assert "A bot plays for you." in friend.get(path).text


def test_the_maker_changes_a_bots_level_while_the_game_runs(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt, quiet: None
) -> None:
    path = browser.make_table(players="3", seat1="bot:easy", seat2="bot:expert")
    assert new_browser().post(f"{path}/bots", {"seat": "1", "bot": "hard"}).status_code == 403
    form = next(f for f in browser.page(path).forms if f.id == "change-1")
    assert browser.post(form.action, {**form.data, "bot": "hard"}).status_code == 200
    assert [seat.bot for seat in table_at(path).seating.seats] == [None, "hard", "expert"]
    assert "bot: hard" in browser.get(path).text


def test_a_bot_that_is_replaced_while_it_thinks_does_not_move(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt, quiet: None
) -> None:
    path, _ = two_persons(browser, new_browser)
    browser.post(f"{path}/bots", {"seat": "0", "bot": "random"})
    table = table_at(path)
    thought = choose_move(table)
    assert thought is not None
    before = state_of(table_at(path))
    browser.post(f"{path}/bots", {"seat": "0", "bot": "greedy"})
    play_move(table, thought)
    browser.post(f"{path}/seats", {"seat": "0"})
    play_move(table, thought)
    assert not table_at(path).timeline.answers
    browser.post(f"{path}/bots", {"seat": "0", "bot": "random"})
    assert state_of(table_at(path)) == before
    play_move(table, thought)
    assert len(table_at(path).timeline.answers) == 1


def test_a_player_lets_a_bot_play_and_plays_again(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt, quiet: None
) -> None:
    path, form = two_persons(browser, new_browser)
    assert new_browser().post(f"{path}/bots", {"seat": "0", "bot": "random"}).status_code == 403
    hand = next(f for f in browser.page(path).forms if f.id == "change-0")
    assert browser.post(hand.action, {**hand.data, "bot": "easy"}).status_code == 200
    assert table_at(path).seating.seats[0].bot == "easy"
    shown = browser.get(path).text
    assert "A bot plays for you." in shown
    assert not Page(shown).moves
    assert "Your turn" not in browser.get("/").text
    before = state_of(table_at(path))
    assert browser.post(form.action, form.data).status_code == 409
    assert browser.post(f"{path}/take-back").status_code == 409
    assert new_browser().post(f"{path}/seats", {"seat": "0"}).status_code == 409
    assert state_of(table_at(path)) == before
    back = next(f for f in Page(shown).forms if f.label == "Play myself again")
    assert browser.post(back.action, back.data).status_code == 200
    assert browser.post(form.action, form.data).status_code == 200
    assert [answer.seat for answer in table_at(path).timeline.answers] == [0]


def test_the_bot_that_plays_for_somebody_moves(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path, _ = two_persons(browser, new_browser)
    browser.post(f"{path}/bots", {"seat": "0", "bot": "random"})
    browser.wait_for(path, "Red (you) places a native")
    assert table_at(path).seating.viewer(table_at(path).row.maker).seat == 0


def test_visitors_take_a_bots_seat_where_the_table_allows_it(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt, quiet: None
) -> None:
    closed = browser.make_table(players="3")
    path = browser.make_table(players="3", open_bots="yes")
    visitor = new_browser()

    def offered(path: str) -> set[str]:
        forms = visitor.page(path).forms
        return {dict(form.fields)["seat"] for form in forms if form.action == f"{path}/seats"}

    assert offered(closed) == set()
    assert visitor.post(f"{closed}/seats", {"seat": "1"}).status_code == 409
    assert visitor.post(f"{closed}/open", {"open": "yes"}).status_code == 403
    browser.post(f"{closed}/open", {"open": "yes"})
    assert offered(closed) == offered(path) == {"1", "2"}
    assert visitor.post(f"{path}/seats", {"seat": "2"}).status_code == 200
    assert table_at(path).seating.seats[2].bot is None
    assert visitor.post(f"{path}/seats", {"seat": "1"}).status_code == 409
    visitor.post(f"{path}/bots", {"seat": "2", "bot": "easy"})
    assert new_browser().post(f"{path}/seats", {"seat": "2"}).status_code == 409
    browser.post(f"{closed}/open", {"open": "no"})
    assert offered(closed) == set()


def browser_name(browser: Browser) -> str:
    """What the server calls a browser."""
    return browser.name


def test_players_change_the_pace(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path = browser.make_table(**PERSONS)
    assert browser.post(f"{path}/pace", {"pace": "fast"}).status_code == 200
    assert table_at(path).row.pace == "fast"
    assert browser.post(f"{path}/pace", {"pace": "never"}).status_code == 400
    assert new_browser().post(f"{path}/pace", {"pace": "calm"}).status_code == 403
    assert table_at(path).row.pace == "fast"


def test_the_same_is_played_again_once(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    """By all who play, each one seat further."""
    path = browser.make_table(game="signs", **PERSONS)
    friend = new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    assert browser.post(f"{path}/again", {"turn": "1"}).status_code == 409
    play_signs(path, browser, friend)
    assert new_browser().post(f"{path}/again", {"turn": "0"}).status_code == 403
    assert browser.post(f"{path}/again", {"turn": "1"}).url.path == path, "the friend has not agreed yet"
    second = friend.post(f"{path}/again", {"turn": "1"}).url.path
    first = browser.post(f"{path}/again", {"turn": "1"}).url.path
    assert first == second != path
    fresh = table_at(first)
    assert fresh.seating.viewer(browser_name(browser)).seat == 1
    assert fresh.seating.viewer(browser_name(friend)).seat == 0
    assert fresh.row.seed != table_at(path).row.seed
    assert fresh.row.keyed


# Choices that can be taken back


def signs_move(browser: Browser, path: str) -> Form:
    """The move of the two first cards of the hand, chosen card by card."""
    first = next(form for form in browser.page(path).choices if form.id.startswith("card-"))
    chosen = browser.page(path, params=first.data)
    return next(form for form in chosen.moves if form.id.startswith("card-"))


def play_signs(path: str, *browsers: Browser) -> None:
    """Play a game of Signs to its end."""
    for _ in range(3):
        for browser in browsers:
            form = signs_move(browser, path)
            assert browser.post(form.action, form.data).status_code == 200


def test_a_choice_is_kept_replaced_and_taken_back_until_the_last_has_chosen(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path = browser.make_table(game="signs", **PERSONS)
    friend = new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    form = signs_move(browser, path)
    assert browser.post(form.action, form.data).status_code == 200
    table = table_at(path)
    assert set(table.timeline.choices) == {0}
    assert not table.timeline.answers
    assert "You have chosen" in browser.get(path).text
    assert "has chosen" in friend.get(path).text
    cards = table.timeline.position.to_json()["players"][0]["hand"]
    other = {**form.data, "cards": f"[{cards[2]},{cards[3]}]"}
    assert browser.post(form.action, other).status_code == 200
    assert table_at(path).timeline.choices[0].move["cards"] == cards[2:4]
    assert browser.post(f"{path}/take-back").status_code == 200
    assert not table_at(path).timeline.choices
    browser.post(form.action, form.data)
    theirs = signs_move(friend, path)
    assert friend.post(theirs.action, theirs.data).status_code == 200
    table = table_at(path)
    assert [answer.seat for answer in table.timeline.answers] == [0, 1]
    assert not table.timeline.choices
    assert browser.post(form.action, form.data).status_code == 200
    assert browser.post(form.action, other).status_code == 409
    assert len(table_at(path).timeline.answers) == 2


def test_choices_do_not_make_each_other_stale(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path = browser.make_table(game="signs", players="3", seat0="me", seat1="friend", seat2="friend")
    browsers = [browser, new_browser(), new_browser()]
    for seat, who in enumerate(browsers):
        who.post(f"{path}/seats", {"seat": str(seat)})
    forms = [signs_move(who, path) for who in browsers]
    for who, form in reversed(list(zip(browsers, forms, strict=True))):
        assert who.post(form.action, form.data).status_code == 200
    assert [answer.seat for answer in table_at(path).timeline.answers] == [0, 1, 2]
    assert table_at(path).timeline.position.is_over


def test_a_bot_chooses_while_others_choose(browser: Browser, table_at: TableAt) -> None:
    path = browser.make_table(game="signs", players="2", seat0="me", seat1="bot:greedy")
    browser.wait_for(path, ", has chosen")
    for number in range(3):
        form = signs_move(browser, path)
        assert browser.post(form.action, form.data).status_code == 200
        assert table_at(path).timeline.decision(0) == number + 1 or browser.wait_for(
            path, f"Round {number + 2}"
        )
    assert browser.wait_for(path, "Play again")


# The log


def test_the_live_part_leaves_out_the_rounds_that_the_page_has_in_full(browser: Browser) -> None:
    """All but the last, and but those that can have held something new before one's last move, which is no longer."""
    path = browser.make_table(game="signs", players="2", seat0="me", seat1="bot:greedy")
    for number in range(1, 4):
        form = signs_move(browser, path)
        browser.post(form.action, form.data)
        browser.wait_for(path, f'id="log-round-{number}"')
    browser.wait_for(path, "Play again")

    def rounds(known: str) -> list[str]:
        html = browser.get(path, headers={"atoll-fragment": known}).text
        return re.findall(r'id="log-round-(\d+)"', html)

    assert rounds("0") == rounds("yes") == rounds("1") == ["1", "2", "3"]
    assert rounds("2") == rounds("3") == rounds("99") == ["2", "3"]


def entries(html: str) -> list[str]:
    """The log's entries on a page: what each says, after a star if it is new."""
    log = html[html.index('class="log-rounds"') : html.index("</section>", html.index('class="log-rounds"'))]
    found = re.split(r'<li id="log-entry-[\d-]+" class="log-entry', log)[1:]
    said = [
        (" new" in entry.partition('"')[0], re.sub(r"<[^>]*>", "", entry.partition(">")[2]))
        for entry in found
    ]
    return [("* " if new else "") + " ".join(text.split()) for new, text in said]


def decide(table: Table, moves: int = 1) -> None:
    """The next seat that has to takes its first legal move; so many, between which nobody looks."""
    with table.lock:
        for _ in range(moves):
            seat = table.timeline.to_act[0]
            move = fields_of(table.timeline.legal_moves(seat)[0])
            table.answer(seat, table.timeline.decision(seat), {name: (text,) for name, text in move.items()})


def test_the_log_marks_what_is_new_since_ones_last_move(
    new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    red, blue = new_browser(), new_browser()
    path = red.make_table(game="karuba", players="2", seat0="me", seat1="friend")
    blue.post(f"{path}/seats", {"seat": "1"})
    for _ in range(2):
        decide(table_at(path))
    html = red.get(path).text
    assert entries(html)[-1].startswith("* All is shown")
    assert "Red (you)" in html
    assert "since your last move" in html
    ours = blue.get(path).text
    assert "* " not in "".join(entries(ours)), "what comes of one's own move is not new"


def test_a_new_round_begins_in_the_log_where_it_begins_in_the_game(
    browser: Browser, table_at: TableAt
) -> None:
    """What a round's first event brings stands under its heading, though the move was the last of the round before."""
    path = browser.make_table(game="karuba", players="2", seat0="me", seat1="friend")
    table = table_at(path)
    while len(table.timeline.rounds) < 2:
        decide(table)
    one, two = table.timeline.rounds
    assert (one.number, two.number) == (1, 2)
    html = browser.get(path).text
    first, second = html.split('id="log-round-2"')
    assert "Everyone draws" not in first[first.index('id="log-round-1"') :]
    assert second.index("Round 2") < second.index("Everyone draws")


def test_the_tabs_title_says_whose_turn_it_is(browser: Browser) -> None:
    path = browser.make_table(game="costa-ruana", players="3", seat0="me", seat1="friend", seat2="friend")
    found = browser.get(path).text
    title = re.search("<title>([^<]*)</title>", found)
    shown = re.search('data-title="([^"]*)"', found)
    assert title is not None
    assert shown is not None
    assert title[1] == shown[1]
    mine = 'class="bar mine"' in found
    assert title[1].startswith("Your turn – " if mine else "Waiting for ")

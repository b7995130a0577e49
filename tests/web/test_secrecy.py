"""What a player may know: permuting what a seat cannot know changes no byte of what reaches its browser.

Checked for every channel of the site; then a leak is planted in each channel, and the same check must fail.
"""

import dataclasses
import random
import re
from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest
from sqlalchemy import update

from atoll.bots import hints
from atoll.core import records
from atoll.core.catalogue import find_game
from atoll.core.events import Event
from atoll.core.game import Position, View
from atoll.core.types import Line
from atoll.engine.chance import WORD
from atoll.web.bounds import Bounds
from atoll.web.pages import chat_page, history_page, players, table_menu, table_page, undo
from atoll.web.pages.log import log
from atoll.web.pages.regions import Fragment, RegionDrawer
from atoll.web.pages.render_cache import render_cache
from atoll.web.people.notifier import Notifier
from atoll.web.people.outbound import OutboundRequests
from atoll.web.refusal import Refusal
from atoll.web.serving import hint_requests, table_requests
from atoll.web.serving.site import Site
from atoll.web.serving.sockets import OpenPage
from atoll.web.store.engine import writing
from atoll.web.store.notifications import NotificationChannels, NotificationStore
from atoll.web.store.schema import seats, tables
from atoll.web.store.store import Contents
from atoll.web.table import deals, replay, sandbox, seen_table, table_record
from atoll.web.table.move_choice import fields_of, post
from atoll.web.table.seats import Viewer
from atoll.web.table.seen_table import seen_by
from atoll.web.table.table import Table
from atoll.web.table.timeline import Timeline
from atoll.web.table.undo import UndoRequest
from tests.web.conftest import SCRIPT, Browser, Page

Channels = dict[str, Any]


@pytest.fixture(autouse=True)
def fixed_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tries begin at the same moment, and draw the same where they know the same."""
    monkeypatch.setattr(sandbox, "first_seed", lambda *_: 5)
    monkeypatch.setattr(sandbox, "time", SimpleNamespace(time=lambda: 1e9))


@pytest.fixture(autouse=True)
def fixed_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints come from so many iterations, however long they take: only then can two be compared."""
    monkeypatch.setattr(hints, "ITERATIONS", 60)
    monkeypatch.setattr(hints, "MILLISECONDS", None)


Part = Callable[[Browser, str, Page], Channels]


def pages(browser: Browser, path: str, page: Page) -> Channels:
    """What is shown to who only looks."""
    return {
        "page": browser.get(path).content,
        "page in French": browser.get(path, headers={"accept-language": "fr"}).content,
        "live part": browser.get(path, headers=SCRIPT).content,
        "record": browser.get(f"{path}/record").content,
        "looking back": browser.get(f"{path}/back").content,
        "looking back to the start": browser.get(f"{path}/back?at=0").content,
        "refused eyes": browser.get(f"{path}/back?eyes=1").content,
        "refused analysis": browser.get(f"{path}/analysis").content,
        "start page": re.sub(rb"<time.*?</time>", b"", browser.get("/").content),
    }


def choices(browser: Browser, path: str, page: Page) -> Channels:
    """What a part of a move leads to."""
    found: Channels = {}
    for number, form in enumerate(page.choices):
        found[f"choice {number}"] = browser.get(path, params=form.data, headers=SCRIPT).content
        found[f"choice {number} by the socket"] = browser.ask(path, "", form.data)
    return found


def refusals(browser: Browser, path: str, page: Page) -> Channels:
    """What is said of moves that are none."""
    found: Channels = {"refused seat": browser.post(f"{path}/seats", {"seat": "1"}).content}
    refused = [
        {"decision": "0", "do": "no such move"},
        {"decision": "999", "do": "x"},
        {"decision": "x"},
        *({**form.data, "island": "99", "cards": "[98,99]"} for form in page.moves[:1]),
    ]
    for number, data in enumerate(refused):
        for headers in ({}, SCRIPT):
            answer = browser.post(f"{path}/moves", data, headers=headers)
            assert answer.status_code >= 400
            found[f"refusal {number} {bool(headers)}"] = answer.content
        found[f"refusal {number} by the socket"] = browser.ask(path, "moves", data)
    return found


def hinted(browser: Browser, path: str, page: Page) -> Channels:
    """What a hint says, and what a browser is given to search for one."""
    return {"search": browser.post(f"{path}/hint/search").content} | {
        f"hint {bool(headers)}": browser.post(f"{path}/hint", headers=headers).content
        for headers in ({}, SCRIPT)
    }


def sockets(browser: Browser, path: str, page: Page) -> Channels:
    """What a socket brings."""
    found: Channels = {}
    with browser.client.websocket_connect(f"{path}/live?version=-1") as socket:
        found["socket"] = socket.receive_text()
    return found


def channels(
    browser: Browser, path: str, parts: Iterable[Part] = (pages, choices, refusals, hinted, sockets)
) -> Channels:
    """Everything that reaches a browser at a table, byte for byte, or some of it."""
    page = Page(browser.get(path).text)
    return {channel: value for part in parts for channel, value in part(browser, path, page).items()}


class EverybodyIsTold(NotificationStore):
    """Of every decision, in every way."""

    def of_tables(self, table_ids: Iterable[str]) -> dict[str, NotificationChannels]:
        way = NotificationChannels("fr", "https://play.example.org", None, "https://chat.example.org")
        return dict.fromkeys(table_ids, way)

    def of_all(self, browsers: Iterable[str]) -> dict[str, NotificationChannels]:
        return {browser: NotificationChannels("en", "https://play.example.org") for browser in browsers}

    def claim(self, table_id: str, seat: int, decision: int) -> bool:
        return True


def of_people(browser: Browser, path: str) -> Channels:
    """What reaches a browser besides the game: chat, history, tries, questions, and what it is told elsewhere."""
    site: Site = browser.client.app.state.site  # type: ignore[attr-defined]
    table = site.tables.find(path.rpartition("/")[2])
    browser.post(f"{path}/try/end")
    found: Channels = {
        "chat": browser.get(f"{path}/chat").content,
        "history": browser.get("/history").content,
        "exported history": browser.get("/history/export").content,
        "what else waits": browser.get("/next").content,
        "try": browser.get(f"{path}/try").content,
    }
    move = {"decision": "0", **fields_of(table.timeline.legal_moves(0)[0])}
    found["try of the next seat"] = browser.post(f"{path}/try/moves", move, headers=SCRIPT).content
    notifier = Notifier(EverybodyIsTold(site.store.engine), site.tables, OutboundRequests(), Bounds())
    messages = notifier.messages_of([table.row.id])
    found["pushes and webhooks"] = [(message.for_push(), message.for_webhook()) for message in messages]
    with table.lock:
        table.catch_up()
        row = table.row
        table.row = dataclasses.replace(row, undo_asked=UndoRequest(1, 0, 1, (1,)).to_json())
        render_cache(table).forget_fragments()
    found["asked to take back"] = browser.get(path, headers=SCRIPT).content
    with table.lock:
        table.row = row
        render_cache(table).forget_fragments()
    return found


# A game of hidden hands and hidden choices: two worlds that differ in what two other seats hold and have chosen


Look = Callable[[Browser, str], Channels]
Worlds = Callable[[Look], list[Channels]]


def shift(cards: list[int], hands: list[list[int]]) -> list[int]:
    """The cards of the same ranks in another hand."""
    mine, theirs = hands
    return sorted(theirs[mine.index(card)] for card in cards)


@pytest.fixture(params=["chosen and open", "played and hidden"])
def worlds(
    request: pytest.FixtureRequest,
    new_browser: Callable[..., Browser],
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
) -> Worlds:
    """A table of Signs at which seat 1 has chosen, seen by seat 0 in two worlds.

    In the other world the seats 1 and 2 hold each other's hands, and seat 1 chose other cards.
    """
    if request.param == "played and hidden":
        monkeypatch.setattr(find_game("signs").rules, "replaceable", lambda state: False)
    browsers = [new_browser() for _ in range(3)]
    path = browsers[0].make_table(
        game="signs", players="3", seat0="me", seat1="friend", seat2="friend", hints="always"
    )
    for seat in (1, 2):
        browsers[seat].post(f"{path}/seats", {"seat": str(seat)})
    table = site.tables.find(path.rpartition("/")[2])
    hands = [table.start().to_json()["players"][seat]["hand"] for seat in (1, 2)]
    # equally many cards each, so that the counts in the view agree
    count = min(map(len, hands))
    monkeypatch.setattr(Table, "start", dealt([hand[:count] for hand in hands], Table.start))
    hands = [hand[:count] for hand in hands]
    forget(site, path)
    browsers[1].post(f"{path}/moves", {"decision": "0", "do": "choose", "cards": as_text(hands[0][:2])})
    read, start = site.store.read, Table.start

    def other_world(table_id: str, known: int = 0) -> Contents | None:
        contents = read(table_id, known)
        if contents is None or table_id not in path:
            return contents
        changed: dict[str, Any] = {}
        for kind in ("moves", "choices"):
            changed[kind] = tuple(
                dataclasses.replace(
                    answer, move={**answer.move, "cards": shift(answer.move["cards"], hands)[:2]}
                )
                for answer in getattr(contents, kind)
            )
        return dataclasses.replace(contents, **changed)

    def both(look: Look) -> list[Channels]:
        forget(site, path)
        one = look(browsers[0], path)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(site.store, "read", other_world)
            patch.setattr(Table, "start", dealt(hands[::-1], start))
            forget(site, path)
            other = look(browsers[0], path)
        forget(site, path)
        return [one, other]

    return both


def as_text(cards: list[int]) -> str:
    """Cards as a form has them."""
    return f"[{','.join(map(str, cards))}]"


def dealt(hands: list[list[int]], start: Callable[[Table], Position]) -> Callable[[Table], Position]:
    """A start at which the seats 1 and 2 hold these hands."""

    def deal(table: Table) -> Position:
        position = start(table)
        if table.game.name == "signs" and table.row.players == 3:
            for seat, hand in enumerate(hands, start=1):
                position.state.hand[seat] = [*hand, *[-2] * (6 - len(hand))]
        return position

    return deal


def forget(site: Site, path: str) -> None:
    """Let the server read the table anew, as it was before anybody asked for a hint."""
    forget_hints(site, path)
    site.tables._used.pop(path.rpartition("/")[2], None)


def forget_hints(site: Site, path: str) -> int:
    """Let it be kept nowhere that a table's seats have asked for hints; returns how many versions those were."""
    table_id = path.rpartition("/")[2]
    given = seats.c.hint.is_not(None) & (seats.c.table_id == table_id)
    with writing(site.store.engine) as connection:
        count = connection.execute(update(seats).where(given).values(hint=None)).rowcount
        older = update(tables).where(tables.c.id == table_id)
        connection.execute(older.values(version=tables.c.version - count))
    return count


def check(worlds: Worlds, look: Look = channels) -> None:
    """The law."""
    one, other = worlds(look)
    assert one.keys() == other.keys()
    for channel in one:
        assert one[channel] == other[channel], channel


@pytest.mark.parametrize("look", [channels, of_people], ids=["game", "people"])
def test_nothing_that_a_seat_cannot_know_reaches_it(worlds: Worlds, look: Look) -> None:
    check(worlds, look)


def plant_in_view(patch: pytest.MonkeyPatch) -> None:
    """The view shows everything."""
    patch.setattr(Timeline, "view", lambda timeline, seat: timeline.position.opened())


def plant_in_past(patch: pytest.MonkeyPatch) -> None:
    """Who looks back sees everything."""
    look = replay.look_of

    def opened(*given: Any) -> Any:
        return dataclasses.replace(look(*given), opened=True)

    patch.setattr("atoll.web.serving.replay_requests.look_of", opened)


def plant_in_controls(patch: pytest.MonkeyPatch) -> None:
    """The legal moves are those of another seat."""

    def of_another(viewer: Viewer, table: Table, names: Any) -> Any:
        return dataclasses.replace(seen_by(viewer, table, names), moves=table.timeline.legal_moves(2))

    patch.setattr(table_page, "seen_by", of_another)


def plant_in_log(patch: pytest.MonkeyPatch) -> None:
    """The log tells everything that happened."""

    def telling(timeline: Timeline, *rest: Any) -> Any:
        said = f"{timeline.events} {timeline.choices}"
        told = log(timeline, *rest)
        return {**told, "rounds": [*told["rounds"], {"heading": "All", "lines": [Line(said)], "unread": 1}]}

    patch.setattr(table_page, "log", telling)


def plant_in_what_is_new(patch: pytest.MonkeyPatch) -> None:
    """How many entries are new depends on what happened in secret."""

    def telling(timeline: Timeline, *rest: Any) -> Any:
        number = crc32(f"{timeline.events} {timeline.choices}".encode())
        return {**log(timeline, *rest), "new": {"first": "1-1", "number": number}}

    patch.setattr(table_page, "log", telling)


def plant_in_title(patch: pytest.MonkeyPatch) -> None:
    """The tab's title says what the others hold."""
    table = drawn_table(patch)
    patch.setattr(table_page, "tab_title", lambda *_, **__: str(table().timeline.position.to_json()))


def drawn_table(patch: pytest.MonkeyPatch) -> Callable[[], Table]:
    """What gives the table that is being drawn to a leak, which could not reach it otherwise."""
    drawn: list[Table] = []

    def keep(viewer: Viewer, table: Table, names: Any) -> Any:
        drawn[:] = [table]
        return seen_by(viewer, table, names)

    patch.setattr(table_page, "seen_by", keep)
    return lambda: drawn[0]


def plant_in_prompt(patch: pytest.MonkeyPatch) -> None:
    """The bar says what the others hold."""
    prompt, table = table_page.prompt_for, drawn_table(patch)

    def telling(*given: Any) -> Any:
        return {**prompt(*given), "hint": str(table().timeline.position.to_json())}

    patch.setattr(table_page, "prompt_for", telling)


def plant_in_menu(patch: pytest.MonkeyPatch) -> None:
    """An entry of the menu depends on what the others hold."""
    menu, table = table_menu.menu, drawn_table(patch)

    def telling(*given: Any) -> Any:
        return [*menu(*given), {"label": str(table().timeline.position.to_json()), "url": "/"}]

    patch.setattr(table_page, "menu", telling)


def plant_in_refusal(patch: pytest.MonkeyPatch) -> None:
    """A refusal says what the others could do."""
    answer = Table.answer

    def refusing(table: Table, *rest: Any) -> None:
        try:
            answer(table, *rest)
        except Refusal as refusal:
            refusal.text += str(table.timeline.position.to_json()).replace("%", "")
            raise

    patch.setattr(Table, "answer", refusing)


def plant_in_record(patch: pytest.MonkeyPatch) -> None:
    """The record of a running game is the referee's."""
    redacted = records.redacted
    patch.setattr(
        records,
        "redacted",
        lambda start, moves, names, seat, deal: redacted(start, moves, names, 2, deal),
    )


def plant_in_socket(patch: pytest.MonkeyPatch) -> None:
    """The socket sends another seat's live part."""
    draw = table_page.draw_table
    patch.setattr(
        "atoll.web.serving.sockets.draw_table",
        lambda table, viewer, *rest, **settings: draw(table, Viewer(2), *rest, **settings),
    )


def plant_in_answers(patch: pytest.MonkeyPatch) -> None:
    """The socket's answers say what the others hold."""
    answer = OpenPage._answer

    def telling(opened: OpenPage, *rest: Any) -> str:
        return answer(opened, *rest) + str(opened.table.timeline.position.to_json())

    patch.setattr(OpenPage, "_answer", telling)


def plant_in_cache(patch: pytest.MonkeyPatch) -> None:
    """Live parts are kept by version alone."""
    draw = table_page.draw_table

    def keep(table: Table, viewer: Viewer, *rest: Any, **settings: Any) -> Fragment:
        if settings.get("whole") or len(rest) > 2:
            return draw(table, viewer, *rest, **settings)
        return render_cache(table).fragment("only one", lambda: draw(table, Viewer(2), *rest))

    patch.setattr(table_requests, "draw_table", keep)


def plant_in_parts(patch: pytest.MonkeyPatch) -> None:
    """Parts are drawn for all seats alike."""
    draw, draw_region = table_page.draw_table, RegionDrawer.draw_region

    def keep(table: Table, viewer: Viewer, language: str, *rest: Any, **settings: Any) -> Fragment:
        render_cache(table).regions.clear()
        draw(table, Viewer(2), language, {}, whole=True, confirms=settings["confirms"])
        return draw(table, viewer, language, *rest, **settings)

    patch.setattr(
        RegionDrawer,
        "draw_region",
        lambda drawing, name, _, caller, **more: draw_region(drawing, name, [], caller, shared=True),
    )
    patch.setattr(table_requests, "draw_table", keep)


def plant_in_choices(patch: pytest.MonkeyPatch) -> None:
    """What the others have chosen is shown."""
    seats, table = players.seats, drawn_table(patch)

    def telling(*given: Any) -> Any:
        chosen = f"{table().timeline.choices} {table().timeline.answers}"
        return [{**seat, "name": f"{seat['name']} {chosen}"} for seat in seats(*given)]

    patch.setattr(table_page, "seats", telling)


def plant_in_hint(patch: pytest.MonkeyPatch) -> None:
    """The chances in a hint depend on what the others hold."""
    keep = Table.keep_hint

    def telling(table: Table, seat: int, played: int, best: list[Any], why: Any) -> None:
        held = table.timeline.position.to_json()["players"][1]["hand"][0]
        keep(table, seat, played, [dataclasses.replace(one, wins=held / 100) for one in best], why)

    patch.setattr(Table, "keep_hint", telling)


def plant_in_undo(patch: pytest.MonkeyPatch) -> None:
    """What can be taken back says what the others hold."""
    table = drawn_table(patch)

    def telling(*_: Any) -> Any:
        return {"control": post("/undo"), "label": str(table().timeline.position.to_json())}

    patch.setattr(undo, "undo_button", telling)


def plant_in_question(patch: pytest.MonkeyPatch) -> None:
    """Whoever is asked to let something be taken back is told what the others hold."""
    question, table = undo.undo_request, drawn_table(patch)

    def telling(*given: Any) -> Any:
        asked = question(*given)
        return asked and {**asked, "text": str(table().timeline.position.to_json())}

    patch.setattr(undo, "undo_request", telling)


def plant_in_chat(patch: pytest.MonkeyPatch) -> None:
    """The chat says what the others hold."""
    draw = chat_page.draw_chat

    def telling(table: Table, *given: Any, **settings: Any) -> str:
        return draw(table, *given, **settings) + str(table.timeline.position.to_json())

    patch.setattr("atoll.web.serving.chat_requests.draw_chat", telling)


def plant_in_history(patch: pytest.MonkeyPatch) -> None:
    """What is kept of finished games tells of one that runs."""
    draw, table = history_page.draw_history, drawn_table(patch)

    def telling(*given: Any, **settings: Any) -> str:
        return draw(*given, **settings) + str(table().timeline.position.to_json())

    patch.setattr("atoll.web.serving.history_requests.draw_history", telling)


def plant_in_try(patch: pytest.MonkeyPatch) -> None:
    """Who tries moves out begins with the true position."""

    def telling(table: Table, view: Any, seed: int) -> sandbox.SandboxTable:
        return sandbox.SandboxTable(table, table.timeline.position.copy(), len(table.timeline.lines))

    patch.setattr(sandbox.SandboxTable, "begin", telling)


def plant_in_push(patch: pytest.MonkeyPatch) -> None:
    """What is pushed says what the others hold."""
    to_person = Notifier._to_person

    def telling(notifier: Notifier, table: Table, *rest: Any) -> Any:
        return dataclasses.replace(
            to_person(notifier, table, *rest), text=str(table.timeline.position.to_json())
        )

    patch.setattr(Notifier, "_to_person", telling)


def plant_in_webhook(patch: pytest.MonkeyPatch) -> None:
    """A table's webhook says what the others hold."""
    to_table = Notifier._to_table

    def telling(notifier: Notifier, table: Table, *rest: Any) -> Any:
        return dataclasses.replace(
            to_table(notifier, table, *rest), title=str(table.timeline.position.to_json())
        )

    patch.setattr(Notifier, "_to_table", telling)


LEAKS: list[tuple[Any, ...]] = [
    (plant_in_view, pages),
    (plant_in_past, pages),
    (plant_in_controls, pages),
    (plant_in_log, pages),
    (plant_in_what_is_new, pages),
    (plant_in_title, pages),
    (plant_in_prompt, pages),
    (plant_in_menu, pages),
    (plant_in_refusal, refusals),
    (plant_in_record, pages),
    (plant_in_socket, sockets),
    (plant_in_answers, choices),
    (plant_in_cache, pages),
    (plant_in_parts, pages),
    (plant_in_choices, pages),
    (plant_in_hint, hinted),
    (plant_in_undo, pages),
]
"""Each with the channels in which it is looked for."""
LEAKS_AMONG_PEOPLE: list[Callable[[pytest.MonkeyPatch], None]] = [
    plant_in_view,
    plant_in_question,
    plant_in_chat,
    plant_in_history,
    plant_in_try,
    plant_in_push,
    plant_in_webhook,
]


@pytest.mark.parametrize("worlds", ["chosen and open"], indirect=True)
@pytest.mark.parametrize(
    ("plant", "look"),
    [(plant, partial(channels, parts=parts)) for plant, *parts in LEAKS]
    + [(plant, of_people) for plant in LEAKS_AMONG_PEOPLE],
    ids=[plant.__name__ for plant, *_ in LEAKS]
    + [f"{plant.__name__} of people" for plant in LEAKS_AMONG_PEOPLE],
)
def test_a_planted_leak_is_found(
    worlds: Worlds,
    plant: Callable[[pytest.MonkeyPatch], None],
    look: Look,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        check(worlds, look)


# Every installed game, wherever a random game has got to: hidden things drawn anew


def blurred(event: Event, hidden: Event, chance: random.Random) -> Event:
    """The event with other values where the seat cannot see them."""
    pairs = zip(event, hidden, strict=True)
    return Event(*(value if value == seen else chance.randrange(12) for value, seen in pairs))


@pytest.mark.parametrize("stage", [5, 17, 20, 24, 30, 45])
def test_drawing_hidden_things_anew_changes_nothing(browser: Browser, site: Site, stage: int) -> None:
    path = browser.make_table(players="3", seat0="me", seat1="friend", seat2="friend", hints="always")
    table = site.tables.find(path.rpartition("/")[2])
    chance = random.Random(stage)
    with table.lock:
        for _ in range(stage):
            seat = table.timeline.position.to_act[0]
            move = chance.choice(table.timeline.legal_moves(seat))
            table.answer(seat, table.timeline.decision(seat), {k: (v,) for k, v in fields_of(move).items()})
    mine = [answer for answer in table.timeline.answers if answer.seat == 0][-1]
    carried_out = {"decision": mine.decision, **fields_of(mine.move)}
    one = without_record(channels(browser, path))
    one["move by the socket"] = browser.ask(path, "moves", carried_out)
    hide = table.game.notation.hide_event
    with table.lock:
        table.timeline.position = table.timeline.position.view(0).resample(stage)
        table.timeline.rounds[-1].after = table.timeline.position
        for part in table.timeline.rounds[:-1]:
            part.after = part.after.view(0).resample(stage)
        table.timeline.events = [
            tuple(blurred(event, hide(event, 0), chance) for event in events)
            for events in table.timeline.events
        ]
        table.timeline._events_seen.clear()
        render_cache(table).clear()
        version = table.version - forget_hints(site, path)
        table.row = dataclasses.replace(table.row, version=version)
        unadvised = tuple(dataclasses.replace(seat, hint=None) for seat in table.seating.seats)
        table.seating = dataclasses.replace(table.seating, seats=unadvised)
    other = without_record(channels(browser, path))
    other["move by the socket"] = browser.ask(path, "moves", carried_out)
    for channel in one:
        assert one[channel] == other[channel], channel


@pytest.mark.parametrize("game", ["costa-ruana", "karuba", "cast-away"])
def test_a_browser_searches_with_what_its_seat_knows(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    path = browser.make_table(
        game=game, players="3", seat0="me", seat1="friend", seat2="friend", hints="always"
    )
    table = site.tables.find(path.rpartition("/")[2])
    chance = random.Random(4)
    with table.lock:
        while len(table.timeline.lines) < 12 or 0 not in table.timeline.to_act:
            seat = table.timeline.to_act[0]
            move = chance.choice(table.timeline.legal_moves(seat))
            table.answer(seat, table.timeline.decision(seat), {k: (v,) for k, v in fields_of(move).items()})

    def in_two_worlds() -> list[bytes]:
        found = []
        for world in (1, 2):
            table.timeline.position = table.timeline.position.view(0).resample(world)
            answer = browser.post(f"{path}/hint/search")
            assert answer.status_code == 200
            found.append(answer.content)
        return found

    one, other = in_two_worlds()
    assert one == other

    def telling(table: Table, viewer: Viewer) -> Any:
        states = table.timeline.position.copy().states
        states["seat"] = viewer.seat
        position = table.timeline.position
        return len(table.timeline.lines), View(table.game, position.components, position.options, states)

    monkeypatch.setattr(hint_requests, "hint_search", telling)
    one, other = in_two_worlds()
    assert one != other


def without_record(found: Channels) -> Channels:
    """All channels but the record, which replays the moves from the start (Signs shows that it keeps quiet)."""
    return {channel: value for channel, value in found.items() if channel != "record"}


Key = tuple[Browser, str, Callable[[], list[str]]]


@pytest.fixture(params=["in its waiting room", "running"])
def keyed_table(request: pytest.FixtureRequest, browser: Browser, table_at: Callable[[str], Table]) -> Key:
    """A table to whose deal something was added, and the channels that tell its key, its seed, half of one, or a word
    of the generator."""
    waits = request.param != "running"
    path = browser.make_table(players="2", seat0="me", seat1="friend", wait="yes")
    browser.post(f"{path}/deal", {"words": "7"})
    if not waits:
        browser.post(f"{path}/start", {"bot": "random"})
    table = table_at(path)
    assert table.row.keyed
    assert (table.row.waiting, table.row.contributions) == (waits, ["7", None])
    keys = [str(table.row.key), table.row.seed]
    halves = [half for key in keys for half in (key[:16], key[16:])]
    words = [*(int(key, 16) for key in keys), *table.timeline.position.state.generator[:WORD].tolist()]
    secrets = [*halves, *map(str, words)]

    def telling() -> list[str]:
        found = channels(browser, path).items()
        texts = {channel: value if isinstance(value, str) else value.decode() for channel, value in found}
        return [channel for channel, text in texts.items() if any(secret in text for secret in secrets)]

    return browser, path, telling


def test_key_and_seed_show_nowhere_before_the_end(
    keyed_table: Key, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a leak planted where pages and records get them, they are found there."""
    _, path, telling = keyed_table
    assert telling() == []
    told, is_waiting = deals.deal_of, site.tables.find(path.rpartition("/")[2]).row.waiting
    for module in (seen_table, table_record):
        monkeypatch.setattr(module, "deal_of", lambda row, lines, *, whole: told(row, lines, whole=True))
    render_cache(site.tables.find(path.rpartition("/")[2])).clear()
    assert {"page", "live part"} | (set() if is_waiting else {"record"}) <= set(telling())

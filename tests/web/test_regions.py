"""A socket leaves out what it has sent before, and nothing else: a page that puts it back has the whole live part."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import WebSocketTestSession

from atoll.core.catalogue import games
from atoll.core.seen import Seen
from atoll.web.pages.regions import LATER, Digests, Fragment, RegionCache, RegionDrawer, region_of
from atoll.web.pages.table_page import draw_table
from atoll.web.store.store import Answer
from atoll.web.table.move_choice import Fields, as_fields, fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.timeline import Timeline
from atoll.web.table.undo import is_free

from .conftest import SCRIPT, Browser, Page, QuietTable

NewBrowser = Callable[..., Browser]

PART = re.compile(r'<(\w+) id="([^"]+)" data-digest="(\w+)"( data-same)?')
TABLE = re.compile(
    r'<div id="table"[^>]* data-version="(\d+)" data-digest="(\w+)"(?: data-has="([^"]*)" data-same)?>'
)


def parts_in(html: str) -> Iterator[tuple[re.Match[str], str]]:
    """The parts of a message: each one's first tag, and all of it."""
    for first in PART.finditer(html):
        depth = 0
        for tag in re.compile(rf"<(/?){first[1]}\b").finditer(html, first.start()):
            depth += -1 if tag[1] else 1
            if not depth:
                yield first, html[first.start() : tag.end() + 1]
                break


class Screen:
    """What an open page makes of what it is sent, as the site's script does."""

    def __init__(self) -> None:
        self.frame = self.digest = ""
        self.parts: dict[str, str] = {}
        self.left_out = self.frames_left_out = 0

    def show(self, html: str) -> str:
        """The live part that the page has afterwards."""
        table = TABLE.search(html)
        assert table
        found = list(parts_in(html))
        for first, part in found:
            if first[4] is None:
                self.parts[first[2]] = part
            else:
                assert self.digest_of(first[2]) == first[3]
                self.left_out += 1
        if table[3] is None:
            self.frame, self.digest = html, table[2]
            for first, part in found:
                self.frame = self.frame.replace(part, f"<!--{first[2]}-->")
        else:
            assert self.digest == table[2]
            self.frame = re.sub(r'data-version="\d+"', f'data-version="{table[1]}"', self.frame, count=1)
            names = re.findall("<!--(.*?)-->", self.frame)
            assert [self.digest_of(name) for name in names] == table[3].split()
            self.left_out += len(names) - len(found)
            self.frames_left_out += 1
        return re.sub("<!--(.*?)-->", lambda place: self.parts[place[1]], self.frame)

    def digest_of(self, name: str) -> str:
        """The digest of the part that the page has."""
        first = PART.match(self.parts[name])
        assert first
        return first[3]


def fragment(version: int, frame: str, **parts: str) -> Fragment:
    """A live part with these parts in its frame."""
    drawing = RegionDrawer({})
    places = [
        drawing.draw_region(name, [inside], f'<li id="{name}">{inside}</li>'.__str__)
        for name, inside in parts.items()
    ]
    return drawing.fragment(
        f'<div id="table" data-version="{version}">{frame}{"".join(places)}</div>', version
    )


def test_only_what_is_different_is_sent() -> None:
    known: Digests = {}
    screen = Screen()

    def send(*what: object, **parts: str) -> str:
        drawn = fragment(*what, **parts)  # type: ignore[arg-type]
        sent = drawn.abridged(known)
        assert screen.show(sent) == str(drawn)
        return sent

    assert send(1, "frame", a="one", b="two") == str(fragment(1, "frame", a="one", b="two"))
    assert re.findall(r"\w+(?=<)", send(2, "frame", a="one", b="three")) == ["three"]
    assert re.findall(r"\w+(?=<)", send(3, "frame", a="one", b="two")) == ["two"]
    assert re.findall(r"\w+(?=<)", send(4, "new", a="one", b="four")) == ["new", "four"]
    assert re.findall(r"\w+(?=<)", send(5, "less", b="four")) == ["less"]
    assert re.findall(r"\w+(?=<)", send(6, "new", a="one", b="four")) == ["new", "one"]


def test_what_may_be_drawn_later_stands_after_the_rest() -> None:
    known: Digests = {}
    screen = Screen()
    for version, inside in enumerate(("one", "two")):
        drawing = RegionDrawer({})
        late = drawing.draw_region("log", [inside], f'<p id="log" data-later>{inside}</p>'.__str__)
        soon = drawing.draw_region("hand", [inside], f'<p id="hand">{inside}, not data-later</p>'.__str__)
        drawn = drawing.fragment(f'<div id="table" data-version="{version}">{late}{soon}</div>', version)
        sent = drawn.abridged(known)
        assert screen.show(sent) == str(drawn)
    before, _, after = sent.partition(LATER)
    assert [re.findall('id="(hand|log)"', half) for half in (before, after)] == [["hand"], ["log"]]


def test_a_part_is_drawn_again_when_an_input_is_different() -> None:
    kept: RegionCache = {}
    drawn: list[int] = []

    def body(number: int) -> str:
        drawn.append(number)
        return f'<p id="a">{number}</p>'

    def draw(number: int) -> str:
        return RegionDrawer(kept).draw_region("a", [number], partial(body, number))

    for number in (1, 1, 2, 2, 1):
        draw(number)
    assert drawn == [1, 2, 1]
    with pytest.raises(TypeError, match="does not say what it is"):
        RegionDrawer({}).draw_region("a", [object()], lambda: '<p id="a"></p>')
    with pytest.raises(ValueError, match="does not begin"):
        RegionDrawer({}).draw_region("a", [], lambda: "<p>a</p>")


class Player:
    """Somebody who plays by a socket, and looks whether the page shows what it would be given if it asked for all."""

    def __init__(self, browser: Browser, path: str, socket: WebSocketTestSession) -> None:
        self.browser, self.path, self.socket = browser, path, socket
        self.screen = Screen()
        self.asked = 0

    def ask(self, name: str, fields: dict[str, list[str]]) -> str:
        """The live part that the page shows afterwards."""
        self.asked += 1
        self.socket.send_text(f"{self.asked} 0 {name}?{urlencode(fields, doseq=True)}")
        head = ""
        while head != str(self.asked):
            head, _, html = self.socket.receive_text().partition("\n")
            shown = self.screen.show(html)
        return shown

    def move(self, chance: random.Random) -> None:
        """Make a move if there is one to make, any."""
        fields: dict[str, list[str]] = {}
        shown = self.ask("", fields)
        while True:
            address = f"{self.path}?{urlencode(fields, doseq=True)}"
            assert shown == self.browser.get(address, headers=SCRIPT).text
            page = Page(shown)
            if page.moves:
                self.ask("moves", chance.choice(page.moves).data)
                return
            if not page.choices:
                return
            fields = chance.choice(page.choices).data
            shown = self.ask("", fields)


@pytest.mark.parametrize("game", list(games()))
def test_an_open_page_puts_together_what_its_socket_sends(new_browser: NewBrowser, game: str) -> None:
    host, guest = new_browser(), new_browser()
    path = host.make_table(game, players="2", seat1="friend")
    guest.post(f"{path}/seats", {"seat": "1"})
    chance = random.Random(5)
    with (
        host.client.websocket_connect(f"{path}/live?version=99999") as one,
        guest.client.websocket_connect(f"{path}/live?version=99999") as other,
    ):
        players = [Player(host, path, one), Player(guest, path, other)]
        for _ in range(12):
            for player in players:
                player.move(chance)
    assert all(player.screen.left_out > 12 for player in players)
    assert all(player.screen.frames_left_out > 12 for player in players)


def test_line_breaks_between_tags_are_no_nodes_of_the_page() -> None:
    """Spaces that are to be seen stay: those on one line with both tags, and those beside words."""
    html = '\n<p id="a">\n  <b>one</b> <b>two</b>\n\n  <i>\n  three </i>\n</p>\n'
    assert region_of("a", html).html.partition('">')[2] == "<b>one</b> <b>two</b><i>\n  three </i></p>"


# What is kept of earlier drawings is what would be drawn now

draw_region = RegionDrawer.draw_region


class Stale(AssertionError):
    """A part was not drawn again although it is different."""


def checked(
    drawing: RegionDrawer, name: str, inputs: list[object], caller: Callable[[], str], **more: Any
) -> str:
    """`draw_region`, and what it took from earlier drawings, another viewer's too, is drawn nevertheless."""
    place = draw_region(drawing, name, inputs, caller, **more)
    if drawing.regions[-1] != region_of(name, caller()):
        raise Stale(name)
    return place


@pytest.fixture
def play_game(quiet_table: QuietTable) -> Callable[[str], None]:
    """Plays a game at random to its end, drawing it for every seat with parts of moves chosen, and for who watches."""

    def play(game: str) -> None:
        chance = random.Random(8)
        table = quiet_table(game)
        count = len(table.seating.seats)
        while not table.timeline.is_over:
            turn(table, chance, count)
        for viewer in (None, *range(count)):
            draw_table(table, Viewer(viewer), "en", {})

    return play


OFTEN = 50
"""Moves of a game before which it is always drawn."""


def turn(table: Table, chance: random.Random, count: int) -> None:
    """Let the next seat move at random. Before it the table is drawn for that seat and for another viewer, later in the
    game one time of three; after one move of three it is what it would be if it were read anew.
    """
    seat = chance.choice(table.timeline.to_act)
    move = chance.choice(table.timeline.legal_moves(seat))
    fields: Fields = {name: (value,) for name, value in fields_of(move).items()}
    if len(table.timeline.answers) < OFTEN or chance.randrange(3) == 0:
        some = dict(list(fields.items())[: chance.randrange(len(fields) + 1)])
        draw_table(table, Viewer(seat), "en", some)
        draw_table(table, Viewer(chance.choice((None, *range(count)))), "en", {})
    answer = Answer(seat, table.timeline.decision(seat), move)
    table.answer(seat, answer.decision, fields)
    assert answer in (*table.timeline.answers, *table.timeline.choices.values())
    if chance.randrange(3) == 0:
        assert contents(table) == contents(Table(table.store, table.row))


def page_of(table: Table, viewer: int | None) -> str:
    """The whole live part as a viewer has it."""
    return str(draw_table(table, Viewer(viewer), "en", {}))


@pytest.fixture
def look_often(quiet_table: QuietTable) -> Callable[[str], list[bool]]:
    """Plays at random, sometimes takes a move back, and compares pages with those of the table read anew. Returns of
    each whether something is collected there, as is heard."""

    def play(game: str) -> list[bool]:
        collects: list[bool] = []
        chance = random.Random(11)
        table = quiet_table(game)
        viewers = (None, *range(len(table.seating.seats)))
        for move in range(60):
            if table.timeline.is_over:
                break
            seat = chance.choice(table.timeline.to_act)
            fields = fields_of(chance.choice(table.timeline.legal_moves(seat)))
            table.answer(seat, table.timeline.decision(seat), as_fields(fields.items()))
            if chance.randrange(4) == 0 and is_free(table.timeline, seat):
                page_of(table, seat)
                table.undo(seat, table.timeline.decision(seat))
            drawn = {viewer: page_of(table, viewer) for viewer in chance.sample(viewers, 2)}
            collects += [bool(COLLECTS.search(page)) for page in drawn.values()]
            if move % 3 == 0:
                anew = Table(table.store, table.row)
                for viewer in drawn:
                    assert drawn[viewer] == page_of(anew, viewer)
        return collects

    return play


COLLECTS = re.compile(r'data-sound="[^"]*\bcollect\b')


@pytest.mark.parametrize("game", list(games()))
def test_pages_are_those_of_a_table_that_was_just_read(
    look_often: Callable[[str], list[bool]], game: str
) -> None:
    """What earlier pages have followed (`Seen.followed`) and drawn changes nothing, nor does taking back. After some
    moves, and not after all, something sounds as collected."""
    assert set(look_often(game)) == {True, False}


def test_what_another_viewer_has_followed_is_found(
    look_often: Callable[[str], list[bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def mixed_up(timeline: Timeline, seat: int | None, names: Sequence[str]) -> Seen:
        kept = timeline._followed.setdefault(None, {})
        return Seen(timeline.view(seat), timeline.events_by_look(seat), names, kept)

    monkeypatch.setattr(Timeline, "seen", mixed_up)

    def is_found(game: str) -> bool:
        try:
            look_often(game)
        except (AssertionError, IndexError):
            return True
        return False

    assert any(is_found(game) for game in games())


def contents(table: Table) -> tuple[object, ...]:
    """Everything that a table is, without what is drawn of it."""
    rounds = [(part.number, part.first, part.last, part.after.to_json()) for part in table.timeline.rounds]
    hidden = [table.timeline.events_seen(seat) for seat in (None, *range(len(table.seating.seats)))]
    known = (
        table.row,
        table.seating.seats,
        table.timeline.choices,
        table.timeline.answers,
        table.timeline.events,
    )
    return *known, table.timeline.position.to_json(), rounds, hidden


@pytest.mark.parametrize("game", list(games()))
def test_regions_that_are_not_drawn_again_are_as_if_they_were(
    play_game: Callable[[str], None], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RegionDrawer, "draw_region", checked)
    play_game(game)


@pytest.mark.parametrize("game", list(games()))
def test_a_part_whose_inputs_are_not_all_named_is_found(
    play_game: Callable[[str], None], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(drawing: RegionDrawer, name: str, inputs: list[object], **drawn: Any) -> str:
        named = inputs[1:] if name.startswith("player-") else inputs
        return checked(drawing, name, named, **drawn)

    monkeypatch.setattr(RegionDrawer, "draw_region", forgetful)
    with pytest.raises(Stale, match="player"):
        play_game(game)


@pytest.mark.parametrize("game", list(games()))
def test_a_hand_that_is_shared_is_found(
    play_game: Callable[[str], None], game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat's own things, drawn once for all who look, would be shown to the others."""

    def leaking(
        drawing: RegionDrawer, name: str, inputs: list[object], caller: Callable[[], str], **shared: bool
    ) -> str:
        if name not in ("hand", "tray"):
            return checked(drawing, name, inputs, caller, **shared)
        drawing.cache.pop(name, None)
        return checked(drawing, name, [], caller, shared=True)

    monkeypatch.setattr(RegionDrawer, "draw_region", leaking)
    with pytest.raises(Stale, match=r"hand|tray"):
        play_game(game)

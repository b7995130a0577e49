"""Can whoever has a seat come to know a card that its view hides, or what chance will bring?

`python -m tests.soak foretelling --sequences 10000`; with `--without-rule` seats are given as if nobody knew anything,
which has to be found. Exit status 1 if something was foretold.

Four browsers make tables of a game in which no two hidden numbers are alike (`tests/fakes/tokens`), play, take back,
look back, fetch records, play on, move seats to each other's devices, open seats and take them: whatever a request can
ask for, at random. What each of them was shown is noted. At a table of several people nobody in a seat may have been
shown what the own view hides now at another table, or here before another of them came; but for what all of them have
agreed to take back.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from atoll.core.catalogue import find_game, games
from atoll.engine.chance import draw_below, generator, keyed_generator
from atoll.web.pages.start_page import read_form
from atoll.web.people.devices import new_code, use_here
from atoll.web.refusal import Refusal
from atoll.web.serving import chat_requests, table_requests
from atoll.web.serving.replay_requests import make_branch
from atoll.web.serving.site import Site, with_viewer
from atoll.web.serving.table_requests import TableRequest
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.store import SeatRow, Store, now
from atoll.web.table import table as table_module
from atoll.web.table.creation import new_table
from atoll.web.table.foreknowledge import OTHER_HAND, SEVERAL
from atoll.web.table.move_choice import fields_of
from atoll.web.table.replay import look_of, past_of
from atoll.web.table.sandbox import SandboxTable
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record
from tests.site import FAKES

GAME, SIZE = "tokens", 5
NAMES = ("Ann", "Ben", "Cat", "Dan")
STEPS = 45
DRAWS = 40
"""Numbers that are worked out from a key that was shown."""
Token = tuple[int, ...]
Note = tuple[str, int]
"""At which table something was seen, and after how many steps."""

CHANGES: Mapping[str, table_requests.Change] = {
    "/moves": table_requests.play,
    "/take-back": table_requests.take_back,
    "/undo": table_requests.undo,
    "/undo/answer": table_requests.answer_undo,
    "/seats": table_requests.take_seat,
    "/leave": table_requests.leave_seat,
    "/hand": table_requests.open_hand,
    "/start": table_requests.begin_game,
    "/public": table_requests.publish,
    "/bots": table_requests.put_bot,
    "/open": table_requests.open_bots,
    "/again": table_requests.play_again,
    "/agree": chat_requests.answer_proposal,
}
"""What forms of a table ask for, by the end of their addresses."""
OTHERS = {"/tables", "/lessons", "/back/play", "/back/undo", "/try/anew"}
"""What else is asked for here."""
HARMLESS = {
    "/analysis/begin",
    "/analysis/stop",
    "/deal",
    "/players",
    "/program",
    "/away",
    "/hint",
    "/hint/search",
    "/pace",
    "/close",
    "/lesson",
    "/chat",
    "/chat/settings",
    "/webhook",
    "/questions",
    "/puzzles/{at}/moves",
} | {
    *("/archive", "/delete", "/try/moves", "/try/undo", "/try/take-back", "/try/end"),
    *("/try/bots", "/try/others/moves", "/try/others/undo"),
}
"""What gives nobody a seat and shows no position but of an own guess."""


class Foretold(Exception):
    """A browser in a seat knew what its view hides; says how."""


class Evening:
    """One sequence of requests, and what was shown to whom."""

    def __init__(self, site: Site, seed: str) -> None:
        self.site, self.chance = site, random.Random(seed)
        self.browsers = [f"{name} {seed}" for name in NAMES]
        self.step = 0
        self.tables: list[str] = []
        self.codes: list[str] = []
        self.known: dict[str, dict[Token, list[Note]]] = defaultdict(lambda: defaultdict(list))
        """by browser; at a shared screen by browser, table and the seat whose hand is shown"""
        self.came: dict[tuple[str, int], int] = {}
        """since when a person has a seat"""
        self.met = Counter[str]()
        """how often the rule refused somebody, by the sentence"""
        self.agreed = Counter[str]()
        """how often people have agreed to take something back"""

    def go(self, steps: int = STEPS) -> None:
        """Ask for one thing after another; raises Foretold."""
        self.make()
        for self.step in range(1, steps + 1):
            browser, table = (
                self.chance.choice(self.browsers),
                self.find(self.chance.choice(self.tables[-3:])),
            )
            try:
                act = self.chance.choices(ACTS, WEIGHTS)[0]
                act(self, table, browser if act in BY_DEVICE else self.person(browser))
            except Refusal as refusal:
                self.met.update([refusal.text] if refusal.text in (OTHER_HAND, SEVERAL) else [])
            for name in self.tables[-4:]:
                self.check(self.find(name))

    def find(self, name: str) -> Table:
        """A table as it is now."""
        table = self.site.tables.find(name)
        with table.lock:
            table.catch_up()
        return table

    # What is asked for

    def make(self, *_: object) -> None:
        """A table with bots, free seats, or several at one screen; or a lesson's, whose seed everybody has."""
        browser, chance = self.chance.choice(self.browsers), self.chance
        if chance.random() < 0.1:
            self.make_lesson(browser)
            return
        form = {"game": GAME, "players": chance.choice("233"), "pace": "at once"}
        for seat in range(1, int(form["players"])):
            form[f"seat{seat}"] = chance.choices(["bot:random", "friend", "here"], [6, 2, 1])[0]
        form |= {name: "yes" for name in ("open_bots", "wait") if chance.random() < 0.4}
        row, seats = read_form(form, browser)
        self.site.make_table(row, seats)
        self.note_table(row.id)

    def make_lesson(self, browser: str) -> None:
        """As `lesson_requests.make` does."""
        made = new_table(find_game(GAME), 3, {}, "fast", None, browser, False, "alone")
        seed = self.chance.getrandbits(60)
        seats = [SeatRow(0, browser, None, now()), SeatRow(1, None, "random"), SeatRow(2, None, "random")]
        row = replace(made, seed=f"{seed:016x}", lesson="first")
        self.site.make_table(row, seats)
        self.note_table(row.id)
        for one in self.browsers:
            self.note_draws(one, row.id, generator(seed))

    def note_table(self, name: str) -> None:
        """A table that is there, and since when people sit there."""
        if name not in self.tables:
            self.tables.append(name)
            for occupant in self.find(name).seating.seats:
                if occupant.browser is not None:
                    self.came[name, occupant.seat] = self.step

    def change(self, table: Table, browser: str, name: str, **form: object) -> None:
        """Send a form."""
        pairs = [(key, str(value)) for key, value in form.items()]
        before = table.seating.seats

        def do(viewer: Viewer) -> None:
            CHANGES[name](table, TableRequest(viewer, browser, pairs))

        try:
            with_viewer(table, browser, do)
        finally:
            for was, seat in zip(before, self.find(table.row.id).seating.seats, strict=True):
                if seat.browser is not None and seat.browser != was.browser:
                    self.came[table.row.id, seat.seat] = self.step
        if table.row.next is not None:
            self.note_table(table.row.next)
        self.look(table, browser)

    def play(self, table: Table, browser: str) -> None:
        """Whoever is to move does, until a person has; most often several times."""
        for _ in range(self.chance.choice([1, 2, 9])):
            timeline, turn = table.timeline, table.bots.turn()
            if turn is not None:
                seat, decision, bot, view = turn
                with table.lock:
                    table.move_bot(seat, decision, bot, int(self.chance.choice(view.legal_moves().actions)))
                continue
            if not timeline.to_act:
                return
            [seat] = timeline.to_act
            owner = table.seating.seats[seat].browser
            if owner is None:
                return
            if len(table.seating.viewer(owner).here) > 1:
                self.change(table, owner, "/hand", seat=seat)
            move = fields_of(self.chance.choice(timeline.legal_moves(seat)))
            self.change(table, owner, "/moves", decision=timeline.decision(seat), **move)

    def undo(self, table: Table, browser: str) -> None:
        """The last move, once or more."""
        for _ in range(self.chance.choice([1, 1, 3])):
            seat = self.seat_of(table, browser)
            self.change(table, browser, "/undo", decision=table.timeline.decision(seat))

    def undo_to(self, table: Table, browser: str) -> None:
        """As `replay_requests.undo_to` does."""
        seat, to = self.seat_of(table, browser), self.chance.choice([0, self.chance.randrange(7)])
        with_viewer(table, browser, lambda viewer: table.undo(seat, table.timeline.decision(seat), to))
        self.look(table, browser)

    def answer_undo(self, table: Table, browser: str) -> None:
        """All who are asked answer."""
        for occupant in table.seating.seats:
            if occupant.browser is not None:
                with suppress(Refusal):
                    answer = self.chance.choices(["yes", "no", "withdraw"], [8, 1, 1])[0]
                    self.change(table, occupant.browser, "/undo/answer", answer=answer)

    def seat_of(self, table: Table, browser: str) -> int:
        viewer = table.seating.viewer(browser)
        seats = viewer.here or (() if viewer.seat is None else (viewer.seat,))
        if not seats:
            raise Refusal(403, "no seat")
        return self.chance.choice(seats)

    def take(self, table: Table, browser: str) -> None:
        """Any seat."""
        self.change(table, browser, "/seats", seat=self.chance.randrange(table.row.players))

    def open_seats(self, table: Table, browser: str) -> None:
        """By who made the table."""
        self.change(table, table.row.maker, "/open", open=self.chance.choices(["yes", "no"], [4, 1])[0])

    def start(self, table: Table, browser: str) -> None:
        self.change(table, table.row.maker, "/start", bot="random")

    def put_bot(self, table: Table, browser: str) -> None:
        self.change(table, browser, "/bots", seat=self.chance.randrange(table.row.players), bot="random")

    def small(self, table: Table, browser: str) -> None:
        """What changes little."""
        forms: list[tuple[str, dict[str, object]]] = [
            ("/take-back", {}),
            ("/leave", {}),
            ("/hand", {"seat": self.chance.randrange(3)}),
            ("/public", {"public": "yes"}),
            ("/agree", {"about": "resign", "yes": "yes"}),
        ]
        name, form = self.chance.choice(forms)
        self.change(table, browser, name, **form)

    def again(self, table: Table, browser: str) -> None:
        """All agree."""
        for occupant in table.seating.seats:
            if occupant.browser is not None and table.row.next is None:
                self.change(table, occupant.browser, "/again", turn=self.chance.randrange(3))

    def play_on(self, table: Table, browser: str) -> None:
        """From a position of a finished game."""
        seat, at = self.chance.randrange(table.row.players), self.chance.randrange(7)
        name = with_viewer(table, browser, lambda viewer: make_branch(self.site, table, seat, at, browser))
        self.note_table(name)
        self.look(self.find(name), browser)

    def person(self, browser: str) -> str:
        """Who uses a browser now."""
        return self.site.devices.person_of(browser) or browser

    def make_code(self, table: Table, browser: str) -> None:
        """For another device."""
        self.codes.append(new_code(self.site.devices, self.person(browser), {}))

    def use_code(self, table: Table, browser: str) -> None:
        """By anybody who was given one."""
        if self.codes:
            use_here(self.site.devices, self.chance.choice(self.codes[-2:]), browser)

    def give_back(self, table: Table, browser: str) -> None:
        """And know what was shown meanwhile, at most."""
        person = self.person(browser)
        if person != browser:
            self.site.devices.end(person, browser)
            for whose in [name for name in self.known if name.split("/")[0] == person]:
                for token, notes in self.known[whose].items():
                    self.known[browser][token] += notes

    # What is shown

    def look(self, table: Table, browser: str) -> None:
        """At the table's page."""
        if table.row.waiting:
            return

        def see(viewer: Viewer) -> None:
            whose = browser
            if len(viewer.here) > 1 and viewer.seat is not None:
                whose = f"{browser}/{table.row.id}/{viewer.seat}"
            self.note_state(whose, table.row.id, table.timeline.view(viewer.seat))

        with_viewer(table, browser, see)

    def look_back(self, table: Table, browser: str) -> None:
        """At any position, through any eyes."""
        at, eyes = str(self.chance.randrange(8)), self.chance.choice([None, "open", "0", "1", "2"])

        def see(viewer: Viewer) -> None:
            look = look_of(table, viewer, at, eyes, None)
            whose = browser
            if len(viewer.here) > 1 and look.viewer.seat is not None and not table.timeline.is_over:
                whose = f"{browser}/{table.row.id}/{look.viewer.seat}"
            past = past_of(table, look).timeline
            self.note_state(whose, table.row.id, past.view(look.viewer.seat))

        with_viewer(table, browser, see)

    def fetch_record(self, table: Table, browser: str) -> None:
        """And work out what a key in it brings."""

        def fetch(viewer: Viewer) -> str:
            table.check_begun()
            return table_record(table, None if len(viewer.here) > 1 else viewer.seat)

        for line in map(json.loads, with_viewer(table, browser, fetch).splitlines()):
            for words in (line.get("start"), line.get("redeal")):
                if words is not None:
                    self.note_words(browser, table.row.id, words)
            if line.get("seed") is not None:
                seed = line["seed"]
                made = keyed_generator(int(seed, 16)) if table.row.keyed else generator(int(seed))
                self.note_draws(browser, table.row.id, made)

    def try_out(self, table: Table, browser: str) -> None:
        """A guess at what is hidden."""

        def begin(viewer: Viewer) -> SandboxTable:
            table.check_begun()
            return SandboxTable.begin(table, table.timeline.view(viewer.seat), self.chance.getrandbits(60))

        viewer = with_viewer(table, browser, lambda viewer: viewer)
        whose = f"{browser}/{table.row.id}/{viewer.seat}" if len(viewer.here) > 1 and viewer.seat else browser
        self.note_state(whose, table.row.id, with_viewer(table, browser, begin).timeline.position)

    def note_state(self, whose: str, table: str, seen: Any) -> None:
        """Somebody is shown a position, or a view."""
        self.note(whose, table, tokens(seen).values())

    def note_words(self, whose: str, table: str, words: Any) -> None:
        """The same in the words of records."""
        rows = [words["coming"], *(player["hand"] for player in words["players"])]
        self.note(whose, table, (token for row in rows if isinstance(row, list) for token in cut(row)))

    def note_draws(self, whose: str, table: str, chance: Any) -> None:
        """Somebody has a key."""
        self.note(whose, table, cut([int(draw_below(chance, 128)) for _ in range(SIZE * DRAWS)]))

    def note(self, whose: str, table: str, found: Any) -> None:
        for token in found:
            notes = self.known[whose][token]
            if table not in (name for name, _ in notes):
                notes.append((table, self.step))

    # What nobody may know

    def check(self, table: Table) -> None:
        """Raise Foretold if who sits there knows what is hidden from them."""
        seats = [one for one in table.seating.seats if one.browser is not None]
        if table.row.waiting or table.has_ended or len({one.browser for one in seats}) < 2:
            return
        self.note_agreed(table)
        hidden = tokens(table.timeline.position)
        for occupant in seats:
            browser = str(occupant.browser)
            mine = table.seating.viewer(browser)
            shown = set[Token]()
            for seat in {occupant.seat, *mine.here}:
                shown.update(tokens(table.timeline.view(seat)).values())
            for other in seats:
                if other.browser == browser:
                    continue
                came = self.came[table.row.id, other.seat]
                for place, token in hidden.items():
                    if token in shown:
                        continue
                    for name, step in self.notes_of(browser, table.row.id, occupant.seat, token):
                        if name != table.row.id or step < came:
                            raise Foretold(
                                self.way(table, name), f"{browser} knows {place} of {token}, {name}"
                            )

    def note_agreed(self, table: Table) -> None:
        """Who agrees to take back what the others have seen lets them know it."""
        agreed = sum("agreed" in line.move for line in table.timeline.lines)
        if agreed > self.agreed[table.row.id]:
            self.agreed[table.row.id] = agreed
            for occupant in table.seating.seats:
                self.came[table.row.id, occupant.seat] = -1

    def notes_of(self, browser: str, table: str, seat: int, token: Token) -> Iterator[Note]:
        """Where a browser in that seat was shown a token; at a screen that it shares by the own seat's hand alone."""
        yield from self.known[browser].get(token, ())
        mine = f"{browser}/{table}/{seat}"
        shared = [whose for whose in list(self.known) if whose.startswith(f"{browser}/")]
        for whose in [mine] if mine in shared else shared:
            yield from self.known[whose].get(token, ())

    def way(self, table: Table, source: str) -> str:
        """By what it was foretold."""
        if not table.row.keyed:
            return "a lesson"
        if table.row.branched_from is not None and source != table.row.id:
            return "played on"
        return "taken back" if table.timeline.undone else "another device"


def tokens(seen: Any) -> dict[tuple[str, int, int], Token]:
    """The tokens of a position, or those that a view shows, by where they are."""
    state, found = seen.state, dict[tuple[str, int, int], Token]()
    rows = [("hand", seat, state.hand[seat]) for seat in range(int(state.players))]
    for name, seat, row in [*rows, ("coming", 0, state.coming)]:
        for at, token in enumerate(cut(row.tolist())):
            if min(token) >= 0:
                found[name, seat, at] = token
    return found


def cut(row: list[int]) -> list[Token]:
    """The tokens in a row of numbers."""
    return [tuple(row[at : at + SIZE]) for at in range(0, len(row), SIZE)]


Act = Callable[[Evening, Table, str], None]
CHOICES: dict[Act, int] = {
    Evening.make: 2,
    Evening.play: 16,
    Evening.undo: 6,
    Evening.undo_to: 6,
    Evening.answer_undo: 6,
    Evening.take: 12,
    Evening.open_seats: 9,
    Evening.start: 6,
    Evening.put_bot: 2,
    Evening.small: 3,
    Evening.again: 2,
    Evening.play_on: 5,
    Evening.make_code: 5,
    Evening.use_code: 5,
    Evening.give_back: 5,
    Evening.look: 4,
    Evening.look_back: 4,
    Evening.fetch_record: 4,
    Evening.try_out: 1,
}
ACTS, WEIGHTS = list(CHOICES), list(CHOICES.values())
BY_DEVICE = {Evening.make_code, Evening.use_code, Evening.give_back}


@contextmanager
def new_site() -> Iterator[Site]:
    """A site with that game, in memory but for its database."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(sys, "path", [*sys.path, str(FAKES)])
        patch.setitem(games(), GAME, import_module(GAME).game)
        engine = open_engine(URL.create("sqlite", database=str(Path(folder) / "atoll.sqlite")))
        migrate(engine)
        try:
            yield Site(Store(engine))
        finally:
            engine.dispose()


def search(sequences: int, seed: int, met: Counter[str]) -> Iterator[tuple[int, Foretold]]:
    """What was foretold in so many sequences, with the number of the sequence; `met` counts what the rule did."""
    done = 0
    while done < sequences:
        with new_site() as site:  # a new database, before the old one is large
            for number in range(done, min(sequences, done + 200)):
                evening = Evening(site, f"{seed} {number}")
                try:
                    evening.go()
                except Foretold as foretold:
                    yield number, foretold
                met.update(evening.met)
                met["dealt anew"] += sum(len(evening.find(name).timeline.redeals) for name in evening.tables)
        done += 200


def main() -> int:
    """Search, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak foretelling", description=__doc__)
    parser.add_argument("--sequences", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--without-rule", action="store_true", help="seats are given as if nobody knew anything"
    )
    settings = parser.parse_args()
    found, first, met = Counter[str](), dict[str, int](), Counter[str]()
    with pytest.MonkeyPatch.context() as patch:
        if settings.without_rule:
            patch.setattr(table_module, "rule_for", lambda *_: None)
        for number, foretold in search(settings.sequences, settings.seed, met):
            way, how = foretold.args
            found[way] += 1
            first.setdefault(way, number)
            if found[way] <= 3:
                print(f"sequence {number}: {way}: {how}", flush=True)
    print(
        f"{settings.sequences} sequences, seed {settings.seed}: {sum(found.values())} in which something is foretold"
    )
    for way, count in found.items():
        print(f"  {way}: {count}, first in sequence {first[way]}")
    print("what the rule did:", *(f"  {what}: {count}" for what, count in met.items()), sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

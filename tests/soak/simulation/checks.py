"""What must hold in every simulation, checked after each step."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from atoll.core.catalogue import find_game
from atoll.core.types import Json
from atoll.text.errors import AtollError
from atoll.web.pages.table_page import draw_table
from atoll.web.store.store import Answer, Contents, Store
from atoll.web.table.clocks import Clock
from atoll.web.table.move_choice import fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from tests.soak.simulation.page import ShownPage

if TYPE_CHECKING:
    from atoll.core.game import Position

Decision = tuple[str, int, int]
"""A table, a seat and the number of its decision."""
PRESENCE = ("menu",)
"""Regions that also tell who has looked lately, which each process notes for itself."""
EARLY = 6.5
"""Seconds by which a clock may be early: it runs from when a change was asked for, which is kept a little later."""


_TIME = re.compile(r' data-(?:due|digest)="[^"]*"|<span class="left">[^<]*</span>')


class Broken(AssertionError):
    """Something that must hold does not."""


class Checks:
    """What was asked and acknowledged, and whether the database agrees with it.

    What the rules lead to is found by playing the moves again, apart from the site's own tables.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.asked: dict[Decision, Json] = {}
        self.acknowledged: defaultdict[str, dict[tuple[int, int], Json]] = defaultdict(dict)
        """of each table: by seat and number of the decision"""
        self.moves: dict[str, tuple[Answer, ...]] = {}
        self.failed: Broken | None = None
        self.changed_at = 0.0
        """when something was last kept, in the seconds that only pass"""
        self.looks = 0
        self.drawn = 0
        self._positions: dict[str, Position] = {}
        self._began: dict[tuple[str, int], tuple[int, float]] = {}

    def broken(self, said: str) -> Broken:
        """What to raise, which is noted also where the site answers what is raised as it would any error."""
        self.failed = self.failed or Broken(said)
        return self.failed

    # After each change

    def committed(self, table_id: str, steady: float) -> None:
        """A change of the table was kept now."""
        self.changed_at = steady
        contents = self.look(table_id)
        self._check_clock(contents, steady)

    def look(self, table_id: str) -> Contents:
        """Check all that is kept of a table; returns it."""
        contents = self.store.read(table_id)
        if contents is None:
            raise self.broken(f"table {table_id} is gone")
        return self.check(contents)

    def check(self, contents: Contents) -> Contents:
        """Check what was read of a table; returns it."""
        table_id = contents.row.id
        self.looks += 1
        before = self.moves.get(table_id, ())
        if contents.moves[: len(before)] != before:
            raise self.broken(f"table {table_id}: moves that stood have changed\n{before}\n{contents.moves}")
        self.moves[table_id] = contents.moves
        self._play(contents, contents.moves[len(before) :])
        self._check_answers(contents)
        return contents

    def _play(self, contents: Contents, fresh: Iterable[Answer]) -> None:
        position = self.position(contents)
        for line in fresh:
            mine = [known for known in contents.moves if known.seat == line.seat]
            if [known.decision for known in mine] != list(range(len(mine))):
                raise self.broken(
                    f"table {contents.row.id}: seat {line.seat} has decided out of order: {mine}"
                )
            try:
                position.play(line.seat, line.move)
            except AtollError as error:
                raise self.broken(f"table {contents.row.id}: {line} cannot be played: {error}") from None

    def position(self, contents: Contents) -> "Position":
        """The position to which the moves lead that were looked at."""
        row = contents.row
        if row.id not in self._positions:
            self._positions[row.id] = find_game(row.game).start(
                row.players, int(row.seed, 16), None, row.options, keyed=row.keyed
            )
        return self._positions[row.id]

    def _check_answers(self, contents: Contents) -> None:
        """What was acknowledged stands; what stands in a person's seat was asked for, or a bot played there."""
        table_id = contents.row.id
        kept = {(line.seat, line.decision): line.move for line in (*contents.moves, *contents.choices)}
        for (seat, decision), move in self.acknowledged[table_id].items():
            if kept.get((seat, decision)) != move:
                raise self.broken(
                    f"table {table_id}: the move {move} of seat {seat} for its decision {decision} was acknowledged, "
                    f"and {kept.get((seat, decision))} stands there"
                )
        notes = (contents.row.clock_state or {"notes": []})["notes"]
        replaced = {seat for _, seat, _ in notes} | {s.seat for s in contents.seats if s.bot is not None}
        for (seat, decision), move in kept.items():
            if seat not in replaced and self.asked.get((table_id, seat, decision)) != move:
                raise self.broken(f"table {table_id}: nobody asked for the move {move} of seat {seat}")

    def _check_clock(self, contents: Contents, steady: float) -> None:
        """Nobody is out of time before the time has passed, whatever the machine's clock was set to."""
        row, state = contents.row, contents.row.clock_state
        if row.clock is None or state is None:
            return
        clock = Clock(**row.clock)
        for sitting in contents.seats:
            key = row.id, sitting.seat
            decided = sum(line.seat == sitting.seat for line in contents.moves)
            before, since = self._began.get(key, (decided, steady))
            if str(sitting.seat) in state["since"]:
                self._began[key] = decided, since if before == decided else steady
                continue
            timed = self._began.pop(key, None) is not None
            noted = [note for note in state["notes"] if note[1] == sitting.seat]
            out = bool(noted) and noted[-1][2] == "out" and sitting.bot is not None
            if timed and out and before == decided and steady - since < clock.seconds - EARLY:
                raise self.broken(
                    f"table {row.id}: seat {sitting.seat} was out of time after {steady - since:.1f} s"
                )

    # What is asked

    def ask(self, table_id: str, seat: int, decision: int, move: Json) -> None:
        """A person asks for a move."""
        self.asked[table_id, seat, decision] = move

    def acknowledge(self, table_id: str, seat: int, decision: int, move: Json) -> None:
        """The site has said that it was made."""
        self.acknowledged[table_id][seat, decision] = move
        self.look(table_id)

    # What is shown

    def check_view(self, table: Table, viewer: Viewer, shown: ShownPage) -> None:
        """The page shows what can be drawn from the seat's view alone."""
        if shown.refused or table.version != shown.version or self.looks % 3:
            return
        self.drawn += 1
        if wrong := differing(blinded(table, viewer.seat), viewer, shown):
            raise self.broken(
                f"table {table.row.id}: the page of seat {viewer.seat} shows more than its view, in {wrong}: "
                f"{[shown.regions.get(name) for name in wrong]}"
            )

    def check_settled(self, table_id: str, viewer: Callable[[Table], Viewer], shown: ShownPage) -> None:
        """A page that has heard of everything shows the table as it is kept."""
        table = Tables(self.store).find(table_id)
        if shown.version != table.version:
            raise self.broken(
                f"table {table_id}: a page stayed at version {shown.version} of {table.version}"
            )
        if table.timeline.position.to_json() != self.position(self.look(table_id)).to_json():
            raise self.broken(f"table {table_id}: the site and the moves lead to different positions")
        wrong = [name for name in differing(table, viewer(table), shown) if name not in PRESENCE]
        if wrong and not shown.refused:
            raise self.broken(f"table {table_id}: a page shows something else than the table, in {wrong}")


def differing(table: Table, viewer: Viewer, shown: ShownPage) -> list[str]:
    """The regions of a page that are not what is drawn of a table, however many rounds of the log the page had."""
    wrong: list[str] = []
    for rounds in range(len(table.timeline.rounds), -1, -1):
        regions = draw_table(table, viewer, "en", {}, None, rounds_known=rounds).regions
        wrong = [r.name for r in regions if timeless(r.html) != timeless(shown.regions.get(r.name, ""))]
        if not wrong and len(regions) == len(shown.order):
            break
    return wrong


def blinded(table: Table, seat: int | None) -> Table:
    """The table as it is for a seat: what the seat cannot know is not in it, or drawn anew."""
    timeline = table.timeline
    known = timeline.copy(timeline.view(seat).resample(1))
    known.events = list(timeline.events_seen(seat))
    known._events_seen = {}
    for played in known.rounds:
        played.after = timeline.view_after(played, seat).resample(1)
    hide = {"do": "hidden"}
    known.choices = {
        other: answer if other == seat else replace(answer, move=hide)
        for other, answer in timeline.choices.items()
    }
    for lines in (known.answers, known.lines):
        lines[:] = [line if line.seat == seat else replace(line, move=hide) for line in lines]
    return table.with_timeline(known)


def timeless(html: str) -> str:
    """A region without what tells the time, which goes on while a message is on its way."""
    return _TIME.sub("", html)


def form_of(decision: int, move: Json) -> dict[str, object]:
    """The form that makes a move."""
    return {"decision": decision, **fields_of(move)}

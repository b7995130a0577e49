"""A table as one viewer may know it: all that its page is drawn from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from atoll.core.game import Game
from atoll.core.lessons import LEARNER, LessonStep
from atoll.core.premoves import Premove
from atoll.core.seen import Seen
from atoll.core.types import Json
from atoll.web.store.store import TableRow
from atoll.web.table.bots import Hint
from atoll.web.table.clocks import Clock
from atoll.web.table.deals import deal_of
from atoll.web.table.foreknowledge import is_foreseen
from atoll.web.table.lessons import Place
from atoll.web.table.premoves import active_premove, premove_offers
from atoll.web.table.seats import Seating, Viewer
from atoll.web.table.table import Table
from atoll.web.table.undo import UndoRequest, is_alone, seat_to_undo, undo_target

if TYPE_CHECKING:
    from atoll.core.game import View


@dataclass(frozen=True)
class SeenTable:
    """What a viewer may know of a table. Neither the table nor its position can be reached from it."""

    seen: Seen
    """the game"""
    viewer: Viewer
    game: Game
    address: str
    version: int
    pace: str
    next: str | None
    """the table at which the same is played again"""
    seating: Seating
    to_act: tuple[int, ...]
    """the seats that everybody waits for"""
    have_chosen: tuple[int, ...]
    """the seats that have chosen what they can take back"""
    choice: Json | None
    """what the viewer has chosen and can take back"""
    may_take_back: bool
    """whether what is decided now can be taken back until everybody has chosen"""
    decision: int
    """the number of the decision that the viewer takes next"""
    moves: Sequence[Json]
    """the viewer's legal moves; none while a bot plays for it"""
    over: Json | None
    """once the game is over: points, winners and breakdown"""
    gives_hint: bool
    """whether the viewer may ask for a hint"""
    hint: Hint | None
    lesson: Place | None
    """where the viewer stands in a lesson"""
    has_past: bool
    """whether somebody has moved"""
    may_undo: bool
    """whether the viewer can take back the last move of `undo_seat`, or ask the others for it"""
    undo_seat: int | None
    """of which seat that is: the viewer's own, or behind a curtain that of who moved last at the screen"""
    undo_request: UndoRequest | None
    """what somebody has requested to take back"""
    premoves: Sequence[Premove]
    """those that the viewer can set"""
    premove: Premove | None
    """the viewer's own, while it runs"""
    alone: bool
    """whether the viewer plays against bots alone"""
    clock: Clock | None
    """how long people may think"""
    clocks: tuple[tuple[float, float | None] | None, ...]
    """of each seat, where there is a clock: the seconds that were left when its time last began or stopped to run, and
    when it is out of time, in seconds since 1970, if it runs"""
    agreed: Mapping[str, Sequence[int]]
    """the seats that agree, by what they agree to"""
    public: bool
    """whether the lobby shows the table"""
    branched_from: tuple[str, int] | None
    """the table whose finished game is played on here, and after how many of its moves"""
    foreseen: bool
    """whether what is hidden is dealt anew for who comes to a seat"""
    daily: str | None
    """the day whose deal is played here"""
    tells_all: bool
    """whether everybody may know all of the game"""
    begins_at: float | None
    """when bots take the free seats and the game begins, in seconds since 1970"""
    counted: bool
    """whether reports may count the game"""
    asks: bool
    """whether its people are asked about it at the end"""
    deal: Json | None
    """what the deal can be checked by, with the key once the game is over"""

    @property
    def seat(self) -> int | None:
        """The viewer's seat."""
        return self.viewer.seat

    @property
    def view(self) -> "View":
        """The position."""
        return self.seen.view

    @property
    def names(self) -> Sequence[str]:
        """What the seats are called."""
        return self.seen.names

    @property
    def step(self) -> LessonStep | None:
        """The step of a lesson that the viewer decides now."""
        decides = self.seat in self.to_act and bool(self.moves)
        return self.lesson.step if self.lesson is not None and decides else None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.over is not None

    @property
    def has_ended(self) -> bool:
        """Whether nothing is decided any more: the game is over, or was given up."""
        return self.is_over or self.seating.ended is not None

    @property
    def open_seats(self) -> tuple[int, ...]:
        """Seats that anybody may take."""
        return self.seating.open_to_all(self.has_ended)

    @property
    def has_stand_in(self) -> bool:
        """Whether a bot plays for the viewer."""
        return self.seating.has_stand_in(self.seat)

    @property
    def may_play_again(self) -> bool:
        """Whether the viewer may start the same game again."""
        sits = self.seat is not None or bool(self.viewer.here)
        return self.has_ended and self.next is None and (sits or self.viewer.maker)


def seen_by(viewer: Viewer, table: Table, names: Sequence[str]) -> SeenTable:
    """The table as a viewer may know it. The caller holds the table's lock."""
    timeline, bots, seat = table.timeline, table.bots, viewer.seat
    undoing = seat_to_undo(timeline, viewer)
    view = timeline.view(seat)
    choice = None if seat is None else timeline.choices.get(seat)
    lesson = table.lesson if seat == LEARNER else None
    runs = not table.seating.waiting and table.seating.ended is None
    decides = runs and seat is not None and not table.seating.has_stand_in(seat)
    return SeenTable(
        seen=timeline.seen(seat, names),
        viewer=viewer,
        game=table.game,
        address=table.address,
        version=table.version,
        pace=table.row.pace,
        next=table.row.next,
        seating=table.seating,
        to_act=timeline.to_act if table.row.ended is None else (),
        have_chosen=tuple(sorted(timeline.choices)),
        choice=None if choice is None else choice.move,
        may_take_back=timeline.may_take_back(),
        decision=0 if undoing is None else timeline.decision(undoing),
        moves=list(view.legal_moves()) if decides else [],
        over=timeline.over,
        gives_hint=bots.give_hints(seat) and lesson is None,
        hint=bots.hint(seat),
        lesson=lesson,
        has_past=bool(timeline.answers),
        may_undo=table.undo_request is None
        and table.row.daily is None
        and undo_target(timeline, table.seating, undoing) is not None,
        undo_seat=undoing,
        undo_request=table.undo_request,
        premoves=premove_offers(timeline, seat)
        if decides and seat is not None and table.row.lesson is None
        else (),
        premove=None if seat is None or not runs else active_premove(timeline, table.seating.seats[seat]),
        alone=is_alone(table.seating, seat),
        clock=table.clock,
        clocks=clocks_of(table),
        agreed=dict(table.row.agreed or {}),
        public=table.row.public,
        branched_from=branched_from(table.row),
        foreseen=is_foreseen(table.row, timeline),
        daily=table.row.daily,
        tells_all=table.tells_all,
        begins_at=None if table.row.begins_at is None else table.store.time.on_the_wall(table.row.begins_at),
        counted=table.row.counted,
        asks=table.row.asks,
        deal=deal_of(table.row, timeline.lines, whole=timeline.is_over),
    )


def clocks_of(table: Table) -> tuple[tuple[float, float | None] | None, ...]:
    """What is left to each seat, and when it is out of time, as pages show it."""
    times = table.times
    if times is None:
        return (None,) * table.row.players
    time = table.store.time
    dues = [times.due(seat) for seat in range(table.row.players)]
    return tuple(
        (left, None if due is None else time.on_the_wall(due))
        for left, due in zip(times.left, dues, strict=True)
    )


def branched_from(row: TableRow) -> tuple[str, int] | None:
    """The table whose finished game is played on, and after how many of its moves; None if this is no such table."""
    if row.branched_from is None or row.branched_at is None:
        return None
    return row.branched_from, row.branched_at

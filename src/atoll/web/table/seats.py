"""Who sits at a table, and who may change that."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from atoll.core.types import Json
from atoll.web.refusal import Refusal
from atoll.web.store.engine import aware
from atoll.web.store.store import SeatRow, now

ABANDONED_AFTER = timedelta(minutes=2)
"""A person who has not looked for so long can be replaced by a bot."""


@dataclass(frozen=True)
class Viewer:
    """Who looks: a seat, or None for somebody who watches; the one who made the table may do more."""

    seat: int | None
    maker: bool = False
    here: tuple[int, ...] = ()
    """the seats whose people share the viewer's screen, if they are several; `seat` is then the one whose hand is
    shown, None while that is nobody's"""


@dataclass(frozen=True)
class Seating:
    """Who sits at a table; what asks whether the game is over is told `is_over`."""

    maker: str
    """the browser that made the table"""
    open_bots: bool
    """whether visitors may take the seats of bots"""
    seats: tuple[SeatRow, ...]
    waiting: bool = False
    """whether the game has not begun, so that nobody decides anything yet"""
    ended: str | None = None
    """how the game ended before it was over"""
    opened: int | None = None
    """the seat whose hand is shown at the screen that it shares"""

    def viewer(self, browser: str) -> Viewer:
        """What a browser is here."""
        here = tuple(occupant.seat for occupant in self.seats if occupant.browser == browser)
        if len(here) > 1:
            return Viewer(self.opened if self.opened in here else None, browser == self.maker, here)
        return Viewer(here[0] if here else None, browser == self.maker)

    @property
    def names(self) -> tuple[str | None, ...]:
        """What the people in the seats are called; None where a bot or nobody plays, or somebody without a name."""
        return tuple(None if s.browser is None else s.name for s in self.seats)

    @property
    def free(self) -> tuple[int, ...]:
        """Seats in which nobody plays."""
        return tuple(s.seat for s in self.seats if s.browser is None and s.bot is None)

    @property
    def away(self) -> tuple[int, ...]:
        """Seats of persons who have not looked for a while."""
        time = now()
        return tuple(s.seat for s in self.seats if s.browser is not None and is_abandoned(s, time))

    @property
    def people(self) -> int:
        """In how many seats there is a person, or will be."""
        return sum(occupant.browser is not None or occupant.bot is None for occupant in self.seats)

    @property
    def somebody_plays(self) -> bool:
        """Whether a person makes decisions here."""
        return any(occupant.browser is not None and occupant.bot is None for occupant in self.seats)

    def open_to_all(self, is_over: bool) -> tuple[int, ...]:
        """Seats that anybody may take: free ones, then those of bots where the table allows it."""
        if is_over:
            return ()
        bots = [s.seat for s in self.seats if s.browser is None and s.bot is not None]
        return (*self.free, *(bots if self.open_bots else ()))

    def has_stand_in(self, seat: int | None) -> bool:
        """Whether a bot plays for the person who has the seat."""
        return seat is not None and self.seats[seat].bot is not None

    def replaceable(self, viewer: Viewer, is_over: bool) -> tuple[int, ...]:
        """Seats into which the viewer may put a bot: one's own; for the maker, also those of no person who is here."""
        if is_over:
            return ()
        away = self.away if viewer.maker else ()
        return tuple(
            s.seat
            for s in self.seats
            if s.seat in (viewer.seat, *viewer.here)
            or (viewer.maker and (s.browser is None or s.seat in away))
        )

    def taken_by(self, browser: str, seat: int, is_over: bool) -> SeatRow | None:
        """The seat once the browser sits there; None if it does. Raises Refusal if it may not."""
        mine = tuple(occupant.seat for occupant in self.seats if occupant.browser == browser)
        if not mine and seat not in self.open_to_all(is_over):
            raise Refusal(409, "That seat is taken.")
        if mine and seat not in mine:
            raise Refusal(409, "You already have a seat at this table.")
        if mine and not self.has_stand_in(seat):
            return None
        return (
            replace(self.seats[seat], bot=None, seen_at=now())
            if mine
            else SeatRow(seat, browser, None, now())
        )

    def left_by(self, viewer: Viewer) -> SeatRow | None:
        """The viewer's seat once it is free again; None without one. Raises Refusal once the game has begun."""
        if not self.waiting:
            raise Refusal(409, "The game has begun: let a bot play for you instead.")
        return None if viewer.seat is None else SeatRow(viewer.seat)

    def begun_by(self, viewer: Viewer, bot: str | None) -> tuple[SeatRow, ...]:
        """The free seats with that bot in each, for a game that begins now; raises Refusal if it cannot."""
        if not viewer.maker and (viewer.seat is None or self.free):
            raise Refusal(403, "The person who made the table starts the game.")
        if self.free and bot is None:
            raise Refusal(409, "There are free seats: wait for somebody, or fill them with bots.")
        return tuple(SeatRow(seat, None, bot) for seat in self.free)

    def resized_by(self, viewer: Viewer, players: int) -> list[int | None]:
        """So many seats, each with the seat from which its occupant comes, None for a free one: all who sit stay, as
        far as they can where they are. Raises Refusal if the viewer may not change that, or more sit here.
        """
        if not viewer.maker:
            raise Refusal(403, "Only the person who made the table can change this.")
        if not self.waiting:
            raise Refusal(409, "The game has begun: the number of seats stays.")
        taken = [occupant.seat for occupant in self.seats if occupant.seat not in self.free]
        if len(taken) > players:
            raise Refusal(409, "More people than that have a seat already.")
        leaving = [seat for seat in taken if seat >= players]
        return [seat if seat in taken else leaving.pop(0) if leaving else None for seat in range(players)]

    def with_bot(self, bot: str, seat: int, viewer: Viewer, is_over: bool) -> SeatRow | None:
        """The seat once that bot plays there; None if it does. Raises Refusal if the viewer may not put it there."""
        if self.seats[seat].bot == bot:
            return None
        if seat not in self.replaceable(viewer, is_over):
            raise Refusal(409, "Somebody is playing in that seat.")
        return replace(self.seats[seat], bot=bot)

    def is_played_by_its_person(self, seat: int) -> bool:
        """Whether a person sits there for whom no bot plays."""
        return self.seats[seat].browser is not None and self.seats[seat].bot is None

    def with_seat(self, occupant: SeatRow) -> "Seating":
        """The same, with somebody else or otherwise in a seat."""
        return replace(self, seats=tuple(occupant if s.seat == occupant.seat else s for s in self.seats))

    def away_from(self, seat: int, until: str | None) -> SeatRow | None:
        """The seat once its person says to be away until that day; None if it says so."""
        return None if self.seats[seat].away_until == until else replace(self.seats[seat], away_until=until)

    def with_feedback(self, seat: int, feedback: Json) -> SeatRow | None:
        """The seat once its person has said that of the game; None if it has."""
        return None if self.seats[seat].feedback == feedback else replace(self.seats[seat], feedback=feedback)

    def seen(self, seat: int, time: datetime) -> "Seating":
        """The same, where the seat's person has looked at that time."""
        fresh = replace(self.seats[seat], seen_at=time)
        return replace(self, seats=tuple(fresh if s.seat == seat else s for s in self.seats))


def is_abandoned(occupant: SeatRow, time: datetime) -> bool:
    """Whether the person in the seat has not looked for a while at that time."""
    return occupant.seen_at is None or time - aware(occupant.seen_at) > ABANDONED_AFTER

"""Clocks: how long people may think, whose time runs, and who is out of time.

A clock runs for a person who has to decide, once no seat is free and as long as no bot plays for them. It goes by the
site's time (`store/site_time.py`). Whether a page is open (connection), and when somebody last looked (presence), have
no part in it.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from atoll.core.types import Json
from atoll.text.errors import AtollError
from atoll.text.messages import Message, quoted

if TYPE_CHECKING:
    from atoll.web.table.seats import Seating
    from atoll.web.table.timeline import Timeline

DAY = 86_400
GRACE = 60.0
"""Seconds that who comes back has at least."""
MOST_NOTES = 200
"""So many times are remembered at which somebody was out of time or came back."""

PRESETS = (
    "none",
    "decision:60",
    "decision:180",
    "player:600+10",
    "player:1800+30",
    "days:1",
    "days:3",
    "days:7",
)
"""What a new table offers; the first unless said otherwise."""

_FORM = re.compile(
    r"(?:decision:(?P<each>[0-9]{1,5})|player:(?P<bank>[0-9]{1,6})\+(?P<more>[0-9]{1,4})|days:(?P<days>[0-9]{1,2}))"
)
_RANGES = {"decision": (10, 3600), "player": (60, 36_000), "days": (1, 30)}


@dataclass(frozen=True)
class Clock:
    """The clock of a table.

    `kind` is "decision" (`seconds` for each), "days" (the same, told in days) or "player" (`seconds` for the whole
    game, and `increment` more after each decision). `stand_in` is the bot that plays for who is out of time.
    """

    kind: str
    seconds: int
    increment: int
    stand_in: str

    @classmethod
    def read(cls, text: str, stand_in: str) -> "Clock | None":
        """The clock that a form names, None for none; raises AtollError for what is not offered."""
        if text == PRESETS[0]:
            return None
        match = _FORM.fullmatch(text)
        kind = text.partition(":")[0]
        if match is None:
            raise AtollError(
                Message(
                    "there is no clock %(name)s; there are, for instance: %(known)s",
                    name=quoted(text),
                    known=", ".join(PRESETS),
                )
            )
        number = int(match["each"] or match["bank"] or match["days"])
        least, most = _RANGES[kind]
        if not least <= number <= most or int(match["more"] or 0) > 600:
            raise AtollError(
                Message(
                    "the clock %(name)s is out of range: %(kind)s takes %(least)s to %(most)s, and 600 more at most",
                    name=quoted(text),
                    kind=kind,
                    least=least,
                    most=most,
                )
            )
        return cls(kind, number * (DAY if kind == "days" else 1), int(match["more"] or 0), stand_in)


@dataclass(frozen=True)
class Times:
    """What is left to each seat, in seconds, and since when (site's time) it runs down for those who have to decide.

    `notes` are what the log says: after how many moves which seat was "out" of time, "resigned", was left to a "bot" or
    came "back". A table without a clock has them alone.
    """

    left: tuple[float, ...]
    since: Mapping[int, float] = field(default_factory=dict)
    notes: tuple[tuple[int, int, str], ...] = ()

    @classmethod
    def of(cls, clock: Clock | None, players: int, stored: Json | None) -> "Times":
        """As they are stored; at the beginning, where nothing is."""
        if stored is None:
            return cls(() if clock is None else (float(clock.seconds),) * players)
        since = {int(seat): moment for seat, moment in stored["since"].items()}
        return cls(tuple(stored["left"]), since, tuple(tuple(note) for note in stored["notes"]))

    def to_json(self) -> dict[str, Any]:
        """As they are stored."""
        since = {str(seat): moment for seat, moment in self.since.items()}
        return {"left": list(self.left), "since": since, "notes": [list(note) for note in self.notes]}

    def left_to(self, seat: int, now: float) -> float:
        """What is left to a seat, below 0 once it is out of time."""
        return self.left[seat] - (max(0.0, now - self.since[seat]) if seat in self.since else 0.0)

    def due(self, seat: int) -> float | None:
        """When a seat is out of time if it does not decide; None while its time does not run."""
        return self.since[seat] + self.left[seat] if seat in self.since else None

    @property
    def next_due(self) -> float | None:
        """When the first is out of time; None while nobody's time runs."""
        return min((moment + self.left[seat] for seat, moment in self.since.items()), default=None)

    def out(self, now: float) -> list[int]:
        """The seats that are out of time."""
        return [seat for seat in sorted(self.since) if self.left_to(seat, now) <= 0]

    def go_on(
        self,
        clock: Clock,
        now: float,
        running: Collection[int],
        *,
        decided: Collection[int] = (),
        anew: Collection[int] = (),
        back: Collection[int] = (),
    ) -> "Times":
        """The times from now on, where they run for `running`.

        Those who `decided` get what their clock gives for that; where each decision has its own time, those who decide
        `anew` after something was taken back get all of it. Who is `back` gets enough to begin with.
        """
        left = [max(0.0, self.left_to(seat, now)) for seat in range(len(self.left))]
        each = clock.kind != "player"
        for seat in decided:
            left[seat] = float(clock.seconds) if each else left[seat] + clock.increment
        for seat in (*anew, *back):
            if each:
                left[seat] = float(clock.seconds)
        for seat in back:
            left[seat] = max(left[seat], GRACE)
        return replace(self, left=tuple(left), since=dict.fromkeys(sorted(running), now))

    def noting(self, moves: int, seat: int, what: str) -> "Times":
        """With one more note for the log."""
        return replace(self, notes=(*self.notes, (moves, seat, what))[-MOST_NOTES:])

    def back_to(self, moves: int) -> "Times":
        """With the notes where the log has them once all but the first moves were taken back."""
        return replace(self, notes=tuple((min(at, moves), seat, what) for at, seat, what in self.notes))


def awaited(timeline: "Timeline", seating: "Seating") -> list[int]:
    """The seats whose time runs: the game goes on, nobody is missing, and their people have to decide."""
    if timeline.is_over or seating.free or seating.waiting or seating.ended is not None:
        return []
    return [seat for seat in timeline.to_act if seating.is_played_by_its_person(seat)]

"""Replay of a game: the viewer's place in it, the steps from there, and branching off a new game."""

import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from atoll.bots import DEFAULT_BOT
from atoll.engine.commitments import written
from atoll.engine.seeds import new_key
from atoll.web.refusal import Refusal
from atoll.web.store.store import Answer, SeatRow, TableRow, now
from atoll.web.table.daily import is_todays
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.timeline import PastTimeline, Timeline

OPEN = "open"
"""Eyes that see everything."""
MOVE, ROUND = "move", "round"
"""What a step is, besides the moves of one seat."""


@dataclass(frozen=True)
class Look:
    """After so many moves, through whose eyes, and what a step is: a move, a round, or the next move of a seat."""

    at: int
    viewer: Viewer
    opened: bool
    by: str

    @property
    def eyes(self) -> str | None:
        """Through whose eyes, as an address says it; None for a spectator's."""
        if self.opened:
            return OPEN
        return None if self.viewer.seat is None else str(self.viewer.seat)


def look_of(table: Table, viewer: Viewer, at: str | None, eyes: str | None, by: str | None) -> Look:
    """What an address asks for, else the end of what was played, or of a watched record the moment that it names or
    the beginning; raises Refusal for what there is not, and for what the viewer may not see.

    While the game runs everybody sees it through their own eyes.
    """
    table.check_begun()
    timeline = table.timeline
    count, over = len(timeline.answers), table.is_record or table.tells_all
    own = None if viewer.seat is None else str(viewer.seat)
    moves = as_number(at, table.opens_at if table.is_record else count)
    if moves is None or moves > count:
        raise Refusal(404, "There is no such move.")
    units = (MOVE, ROUND, *map(str, range(table.row.players)))
    if by is not None and by not in units:
        raise Refusal(404, "There is no such step.")
    if eyes not in (None, OPEN, *units[2:]):
        raise Refusal(404, "There is no such seat.")
    if not over and eyes not in (None, own):
        raise Refusal(403, "While the game runs you can look back through your own eyes only.")
    eyes = eyes or own or (OPEN if over else None)
    seat = int(eyes) if eyes not in (None, OPEN) else None
    return Look(moves, Viewer(seat, viewer.maker), eyes == OPEN, by or MOVE)


def as_number(text: str | None, usual: int) -> int | None:
    """A small number in an address; None if it is none."""
    if text is None:
        return usual
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def past_of(table: Table, look: Look) -> Table:
    """The table as it was then."""
    return table.with_timeline(PastTimeline.of(table.timeline, table.start(), look.at, look.opened))


def stops(timeline: Timeline, by: str) -> list[int]:
    """After how many moves one can stop, ascending."""
    count = len(timeline.answers)
    match by:
        case "move":
            return list(range(count + 1))
        case "round":
            return sorted({0, count, *(one.last for one in timeline.rounds)})
        case seat:
            mine = (number for number, answer in enumerate(timeline.answers, 1) if answer.seat == int(seat))
            return sorted({0, count, *mine})


@dataclass(frozen=True)
class PointsAfter:
    """Each seat's points after so many moves; `turns` where others lead than in the standing before."""

    moves: int
    points: tuple[int, ...]
    turns: bool = False


def standings_by_round(table: Table) -> list[PointsAfter]:
    """The points at the start and after each round of a finished game, which everybody may know by then."""
    timeline = table.timeline
    standings = [PointsAfter(0, table.start().points)]
    led: set[int] = set()
    for one in timeline.rounds:
        points = one.after.points
        lead = leaders(points)
        turns = bool(led) and lead != led and len(lead) < len(points)
        standings.append(PointsAfter(one.last, points, turns))
        if len(lead) < len(points):
            led = lead
    return standings


def leaders(points: Sequence[int]) -> set[int]:
    """The seats with most points."""
    return {seat for seat, one in enumerate(points) if one == max(points)}


def renumbered(timeline: Timeline) -> list[Answer]:
    """The moves of a finished game, as a table has them at which nothing was taken back: each seat's decisions counted
    from 0; and where what is hidden was dealt anew, by keys that all may know since.
    """
    counts: Counter[int] = Counter()
    moves = []
    lines = list(timeline.answers)
    for redeal in reversed(timeline.redeals):
        lines.insert(redeal.at, replace(redeal, told=True, number=None).line(0))
    for answer in lines:
        moves.append(replace(answer, decision=counts[answer.seat]))
        counts[answer.seat] += 1
    return moves


def branch_of(table: Table, seat: int, at: int, browser: str) -> tuple[TableRow, list[SeatRow]]:
    """A table at which a browser plays on from there in that seat, against bots: those that were there, else the usual.

    Raises Refusal while the game runs, since the deal is the same and who has seen its end knows it.
    """
    row, timeline = table.row, table.timeline
    if not timeline.is_over:
        raise Refusal(409, "You can play on from a position once the game is over.")
    if is_todays(row):
        raise Refusal(409, "Others still play this deal: you can play on from it tomorrow.")
    if not (0 <= at < len(timeline.answers) and 0 <= seat < row.players):
        raise Refusal(404, "There is no such move.")
    branch = replace(
        row,
        id=secrets.token_urlsafe(9),
        version=0,
        made_at=now(),
        maker=browser,
        to_act=None,
        next=None,
        lesson=None,
        open_bots=False,
        branched_from=row.id,
        branched_at=at,
        undo_asked=None,
        public=False,
        opened=None,
        said=0,
        agreed=None,
        clock=None,
        clock_state=None,
        clock_due=None,
        key=written(new_key()),  # for what is dealt anew there
        contributions=None,
        daily=None,
    )
    others = (
        SeatRow(occupant.seat, None, occupant.bot or DEFAULT_BOT)
        for occupant in table.seating.seats
        if occupant.seat != seat
    )
    return branch, sorted((SeatRow(seat, browser, None, now()), *others), key=lambda occupant: occupant.seat)

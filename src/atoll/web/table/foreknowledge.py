"""Foreknowledge: what somebody has seen of a table's game beyond what the seats can know now.

Positions are seen in which the game does not stand: moves are taken back after they have shown something, a finished
game is played on from an earlier position, a lesson is dealt by a seed that all know. Who sits there goes on so alone.
Whoever comes to a seat passes one rule, `rule_for`: at such a table all that a spectator does not see is dealt anew by
a new key, since who comes may have watched, and the log says so. Where that would change the hands of several people,
nobody can come. Nor can who has had another seat's hand in this game.
"""

from collections.abc import Callable, Collection

from atoll.engine.commitments import redeal_seed, written
from atoll.engine.seeds import new_key
from atoll.text.translation import texts
from atoll.web.refusal import Refusal
from atoll.web.store.store import Answer, SeatRow, TableRow
from atoll.web.table.seats import Seating
from atoll.web.table.timeline import Redeal, Timeline, is_redeal, is_undo

OTHER_HAND, SEVERAL = texts(
    "You have had another hand at this table, so you can take no other seat in this game.",
    "Moves were taken back here after they had shown something hidden, so nobody else can join this game.",
)


def is_foreseen(row: TableRow, timeline: Timeline) -> bool:
    """Whether somebody may have seen what is hidden at a table, or what chance is to decide there."""
    for line in reversed(timeline.lines):
        if is_redeal(line):
            return bool(line.move.get("told", False))
        if is_undo(line) and line.move.get("revealed", True):
            return True
    return row.branched_from is not None or not row.keyed


def rule_for(
    row: TableRow,
    timeline: Timeline,
    seating: Seating,
    occupant: SeatRow,
    browsers_of: Callable[[str], Collection[str]] = lambda browser: (browser,),
) -> Answer | None:
    """What has to be done before a seat is as `occupant` says: the line that deals anew, or nothing. Raises Refusal if
    they cannot come to it. `browsers_of` says in which browsers the person of one plays.
    """
    if occupant.browser in (None, seating.seats[occupant.seat].browser):
        return None
    theirs = set(browsers_of(str(occupant.browser)))
    for sitting in seating.seats:
        if sitting.seat != occupant.seat and sitting.browser in theirs:
            raise Refusal(409, "You already have a seat at this table.")
        if sitting.seat != occupant.seat and theirs & {*(sitting.earlier or ())}:
            raise Refusal(409, OTHER_HAND)
    if row.waiting or not is_foreseen(row, timeline):
        return None  # nobody knows more than they should
    if sum(sitting.browser is not None for sitting in seating.seats) > 1:
        raise Refusal(409, SEVERAL)
    number = 1 + sum(redeal.number is not None for redeal in timeline.redeals)
    at = occupant.seat, len(timeline.answers)
    if row.key is None:
        redeal = Redeal(*at, written(new_key()))
    else:
        redeal = Redeal(*at, redeal_seed(row.key, number), number=number)
    return redeal.line(timeline.decision(occupant.seat))

"""Taking moves back at a table: carried out, asked for, answered and withdrawn; `undo.py` says what is allowed."""

from dataclasses import replace
from typing import TYPE_CHECKING

from atoll.web.refusal import Refusal, busy
from atoll.web.store.store import Answer
from atoll.web.table import undo as policy
from atoll.web.table.timeline import is_take_back
from atoll.web.table.undo import UndoRequest

if TYPE_CHECKING:
    from atoll.web.table.table import Table

ATTEMPTS = 20
"""How often a change is tried again when somebody else was first."""


def undo(table: "Table", seat: int, decision: int, to: int | None, *, asks: bool) -> None:
    """What `Table.undo` does."""
    table.check_begun()
    for _ in range(ATTEMPTS):
        if is_undone(table, seat, decision) or (table.asked is not None and table.asked.seat == seat):
            return
        offer = policy.offer_to(table.timeline, table.seating, seat, asks=asks)
        if offer is None or table.asked is not None:
            raise Refusal(409, "There is nothing that you can take back now.")
        if to is not None:
            offer = policy.UndoOffer(policy.check_far(table.timeline, table.seating, seat, to), freely=True)
        asked = UndoRequest(seat, offer.to, len(table.timeline.answers) - offer.to, (seat,))
        if offer.freely or policy.agreed_by_all(table.seating, asked):
            changed = take_back(table, asked, freely=offer.freely)
        else:
            changed = table.change(undo_asked=asked.to_json())
        if changed:
            return
    raise busy()


def is_undone(table: "Table", seat: int, decision: int) -> bool:
    """Whether the seat's decision of that number took something back; raises Refusal if it is not its next."""
    mine = [line for line in table.timeline.lines if line.seat == seat]
    if 0 <= decision < len(mine) and is_take_back(mine[decision]):
        return True
    if decision != len(mine):
        raise Refusal(409, "The table has changed; here it is as it is now.")
    return False


def answer(table: "Table", seat: int, said: str) -> None:
    """What `Table.answer_undo` does."""
    if said not in ("yes", "no", "withdraw"):
        raise Refusal(400, "That form is not one of ours.")
    for _ in range(ATTEMPTS):
        asked = table.asked
        if asked is None or asked.refused is not None or (asked.seat == seat) != (said == "withdraw"):
            raise Refusal(409, "Nobody asks you to take anything back now.")
        if said == "withdraw":
            changed = table.change(undo_asked=None)
        elif said == "no":
            changed = table.change(undo_asked=replace(asked, refused=seat).to_json())
        else:
            agreed = replace(asked, agreed=tuple(sorted({*asked.agreed, seat})))
            if policy.agreed_by_all(table.seating, agreed):
                changed = take_back(table, agreed, freely=False)
            else:
                changed = table.change(undo_asked=agreed.to_json())
        if changed:
            return
    raise busy()


def take_back(table: "Table", asked: UndoRequest, *, freely: bool) -> bool:
    """Append the line that takes back; False if somebody else was first."""
    move = {"undo": asked.to, **({} if freely else {"agreed": list(asked.agreed)})}
    after = table.timeline.copy(table.timeline.position.copy())
    after.replay(Answer(asked.seat, table.timeline.decision(asked.seat), move))
    return table.append(after, anew=after.to_act)

"""Undo: who may undo freely, and requests to the others.

Who plays alone against bots undoes freely. Among people a seat undoes its last move freely as long as nobody has
decided since and the move revealed nothing: nothing hidden was shown and chance had no part in it. Any other undo is a
request, carried out when all people at the table agree.

What came before hidden things were dealt anew (`foreknowledge.py`) stays.

Whether a move revealed something is computed from a game's events and views when its seat takes it back
(`reveals_nothing`), and only from what the seat itself knows: else the answer would leak hidden information, such as
that the generator was used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

from atoll.web.refusal import Refusal
from atoll.web.store.store import Answer
from atoll.web.table.seats import Seating, Viewer
from atoll.web.table.timeline import PastTimeline, Timeline, as_it_looks, seen_after, shown

if TYPE_CHECKING:
    from atoll.core.events import Event
    from atoll.core.game import Position

GUESSES = 4
"""Determinizations of the seat's information set in which its move is replayed."""
MOST_UNDOS = 1000
"""Undos at a table."""


@dataclass(frozen=True)
class UndoRequest:
    """A seat's request to undo all but the first `to` moves, which are `count`; `agreed` are the seats that agree,
    its own among them, `refused` is the one that refused, if any."""

    seat: int
    to: int
    count: int
    agreed: tuple[int, ...]
    refused: int | None = None

    def to_json(self) -> dict[str, object]:
        """As it is stored."""
        return {**vars(self), "agreed": list(self.agreed)}

    @classmethod
    def from_json(cls, stored: dict[str, object] | None) -> "UndoRequest | None":
        """The stored request; None if there is none."""
        if stored is None:
            return None
        values = dict(stored)
        return cls(**{**values, "agreed": tuple(values["agreed"])})  # type: ignore[arg-type]


def voters(seating: Seating) -> tuple[int, ...]:
    """The seats whose people decide on a request: also those for whom a bot plays at the moment."""
    return tuple(occupant.seat for occupant in seating.seats if occupant.browser is not None)


def agreed_by_all(seating: Seating, request: UndoRequest) -> bool:
    """Whether all people agree; who has several seats at one screen agrees for all of them."""
    agreed = {seating.seats[seat].browser for seat in request.agreed}
    return all(seating.seats[seat].browser in agreed for seat in voters(seating))


def is_alone(seating: Seating, seat: int | None) -> bool:
    """Whether the seat's person plays against bots alone."""
    return seat is not None and seating.people == 1 and seating.seats[seat].browser is not None


def undo_target(timeline: Timeline, seating: Seating, seat: int | None) -> int | None:
    """After how many moves the game stands if the seat takes back its last move, and all that came after it; None if
    there is no move that it can take back.
    """
    if seat is None or timeline.is_over or seating.has_stand_in(seat) or len(timeline.undone) >= MOST_UNDOS:
        return None
    last = next(timeline.moves_of(seat), None)
    if last is None:
        return None
    to = together(timeline, last)
    return to if to >= timeline.stays else None


def seat_to_undo(timeline: Timeline, viewer: Viewer) -> int | None:
    """The seat whose last move a viewer can take back: one's own; behind a curtain that of whoever at the screen moved
    last, while nobody there has chosen anything that the others do not see yet.
    """
    if viewer.seat is not None or not timeline.answers or timeline.choices:
        return viewer.seat
    last = timeline.answers[-1].seat
    return last if last in viewer.here else None


def check_far(timeline: Timeline, seating: Seating, seat: int, to: int) -> int:
    """After how many moves the game stands if who plays alone goes back to after move `to`. Raises Refusal."""
    if not is_alone(seating, seat):
        raise Refusal(409, "You can go back this far only when you play alone against bots.")
    if timeline.is_over or not timeline.stays <= to < len(timeline.answers):
        raise Refusal(409, "The game cannot go back there.")
    return together(timeline, to)


def together(timeline: Timeline, number: int) -> int:
    """The number of the first of the moves that were chosen at the same time as that one: they stand or go together."""
    while number > 0:
        before, seat = timeline.answers[number - 1].seat, timeline.answers[number].seat
        if before >= seat or seat not in timeline.beside[number - 1]:
            break
        number -= 1
    return number


def is_free(timeline: Timeline, seat: int) -> bool:
    """Whether the last move is the seat's, nobody has decided since, and nobody came to know more by it."""
    if not timeline.answers or timeline.answers[-1].seat != seat or timeline.choices.keys() - {seat}:
        return False
    return reveals_nothing(timeline, seat)


def reveals_nothing(timeline: Timeline, seat: int) -> bool:
    """Whether the seat's last move, which is the last of all, revealed nothing, as far as the seat can know.

    The move is replayed in determinizations of what the seat knew before it. In each the generator of chance must stay
    unchanged, the seat must see what it really saw, and every other seat and a spectator must see what they could see
    in any other determinization of their own.
    """
    before = PastTimeline.of(timeline, timeline.start, len(timeline.answers) - 1).position
    answer = timeline.answers[-1]
    if before.game.rules.replaceable(before.state):
        return False  # it was hidden until all had chosen, and then it was shown
    seen = timeline.events_seen(seat)[-1], timeline.view(seat).states.tobytes()
    view = before.view(seat)
    seed, action = crc32(view.states.tobytes()), before.game.notation.action_of(answer.move)
    for guess in (view.resample(seed + number) for number in range(GUESSES)):
        after = guess.copy()
        events = after.play_action(seat, action)
        if after.states["generator"].tobytes() != guess.states["generator"].tobytes():
            return False
        if as_it_looks(after, events, seat) != seen:
            return False
        possible = PossibleMove(guess, after, events, answer, action)
        if not all(possible.could_be(other, seed) for other in others(guess, seat)):
            return False
    return True


def others(position: "Position", seat: int) -> Iterator[int | None]:
    """All viewers but the seat itself; None is a spectator."""
    yield None
    yield from (other for other in range(position.players) if other != seat)


@dataclass(frozen=True)
class PossibleMove:
    """A move in a determinization."""

    before: "Position"
    after: "Position"
    events: "Sequence[Event]"
    answer: Answer
    action: int

    def could_be(self, other: int | None, seed: int) -> bool:
        """Whether `other` could see the same in another determinization of its own: then it learns nothing."""
        from atoll.core.state import SPECTATOR

        looks = SPECTATOR if other is None else other
        view, then, seat = self.before.view(looks), self.after.view(looks), self.answer.seat
        sample = view.resample(seed)
        if seat not in sample.to_act:
            return False
        legal = sample.legal_moves(seat).actions
        expected, move = shown(then, self.events, looks), self.answer.move
        if view.game.notation.hide_move(move, seat, view, then) == move:
            return self.action in legal and seen_after(sample, seat, self.action, looks) == expected
        return any(seen_after(sample.copy(), seat, action, looks) == expected for action in legal.tolist())

"""Events: what happened in a move, in order, as rows of six small integers.

`play` appends them to a buffer, an int16 array of shape (capacity + 1, 6) whose first row begins with the count;
a buffer of shape (0, 6) takes none, which is what search and simulation use.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.core.compiling import compiled
from atoll.core.errors import AtollError

NO_EVENTS = np.zeros((0, 6), dtype=np.int16)
"""The buffer that takes no events."""


MOVED = -1
"""The kind of the one event that every move of a game without events of its own is: `whose` moved; `piece`: the action
code, UNKNOWN to others where `extra` is 1, since several decided at once."""


class Event(NamedTuple):
    """One thing that happened; what each number means is told by the game, beside its kinds of events."""

    what: int
    whose: int
    piece: int
    origin: int
    target: int
    extra: int


class Told:
    """How the log tells a kind of event: an English sentence, translated by the game's catalogue.

    `%(name)s` is the seat's name, `%(piece)s`, `%(origin)s`, `%(target)s` and `%(extra)s` the event's numbers;
    `names` has the words of those that are no numbers for people: `Told("%(name)s shows the %(piece)s.", piece=CARDS)`.
    """

    def __init__(self, text: str, **names: Sequence[str]) -> None:
        self.text = text
        self.names = names


def event_buffer(capacity: int) -> NDArray[np.int16]:
    """An empty buffer for up to `capacity` events."""
    return np.zeros((capacity + 1, 6), dtype=np.int16)


@compiled
def emit(events, what, whose, piece, origin, target, extra):  # type: ignore[no-untyped-def]
    """Append an event, unless the buffer takes none; what does not fit is counted but not kept."""
    if events.shape[0] == 0:
        return
    count = events[0, 0] + 1
    events[0, 0] = count
    if count < events.shape[0]:
        events[count, 0] = what
        events[count, 1] = whose
        events[count, 2] = piece
        events[count, 3] = origin
        events[count, 4] = target
        events[count, 5] = extra


def read_events(events: NDArray[np.int16]) -> list[Event]:
    """The events in the buffer; raises AtollError if a move caused more than the game declares."""
    count = int(events[0, 0])
    if count >= len(events):
        raise AtollError(f"a move caused {count} events, but its game declares at most {len(events) - 1}")
    return [Event(*row) for row in events[1 : count + 1].tolist()]


def empty_events(events: NDArray[Any]) -> None:
    """Make the buffer ready for the next move."""
    if len(events):
        events[0, 0] = 0

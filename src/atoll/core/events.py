"""Events: what happened in a move, in order, as rows of six small integers, and what they mean, declared once.

`play` appends them to a buffer, an int16 array of shape (capacity + 1, 6) whose first row begins with the count;
a buffer of shape (0, 6) takes none, which is what search and simulation use.

A game declares them in its module `events`, or among its rules, a row a kind:

    EVENTS = Events()
    CARD_DRAWN = EVENTS.kind("card drawn", whose=everybody("who draws"), piece=owner("the card"))
    POINTS_WON = EVENTS.kind(
        "points won", "%(name)s wins %(extra)s points.", whose=everybody("who wins"), extra=everybody("points")
    )

From it come the codes that compiled rules `emit`, what each seat hears of an event (`Events.hide`), and the usual line
of the log (`Events.line`). A number that an event does not declare is hidden from everybody.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from atoll.core.fields import UNKNOWN, Field
from atoll.core.forms import Named
from atoll.core.invariants import require
from atoll.core.types import Line
from atoll.text.errors import AtollError
from atoll.text.translation import Translator

NO_EVENTS = np.zeros((0, 6), dtype=np.int16)
"""The buffer that takes no events."""


MOVED = -1
"""The kind of the one event that every move of a game without events of its own is: `whose` moved; `piece`: the action
code, UNKNOWN to others where `extra` is 1, since several decided at once."""


class Event(NamedTuple):
    """One thing that happened; what each number means is told where the game declares its kinds of events.

    Numbers that a kind does not use are UNKNOWN, but for `extra`, which is 0 then.
    """

    what: int
    whose: int = UNKNOWN
    piece: int = UNKNOWN
    origin: int = UNKNOWN
    target: int = UNKNOWN
    extra: int = 0


Things = Mapping[str, Callable[[Translator, int], Any]]
"""By what a number is `of`: its name, such as that of a card."""

_NUMBERS = Event._fields[1:]
_PLACEHOLDER = re.compile(r"%\((\w+)\)s")


class EventKind:
    """A kind of events: its name, its code, and of each number that it uses what it means and who sees it.

    `text` is the English sentence of the log, translated by the game's catalogue, with the placeholders `%(name)s`, the
    name of the seat `whose`, and `%(piece)s`, `%(origin)s`, `%(target)s`, `%(extra)s`, each in the form of its field,
    or the name of what it is `of`; `unseen` is the sentence for who does not see all of that, `nobody` the one for an
    event that is nobody's. Where `begins_round`, what follows stands in the log under the heading of the next round,
    which says what the sentence does.
    """

    def __init__(
        self,
        name: str,
        code: int,
        text: str,
        unseen: str,
        fields: dict[str, Field],
        begins_round: bool = False,
        nobody: str = "",
    ) -> None:
        self.name = name
        self.code = code
        self.text = text
        self.unseen = unseen
        self.nobody = nobody
        self.fields = fields
        self.begins_round = begins_round
        self._unused = [
            (place, number, Event._field_defaults[number])
            for place, number in enumerate(_NUMBERS, start=1)
            if number not in fields
        ]
        for number, field in fields.items():
            if not isinstance(field, Field):
                raise AtollError(
                    f"the event {name!r} does not say who sees its {number}: declare it with everybody(...), "
                    f"owner(...) or nobody(...)"
                )
            if number == "whose" and field.seen_by != "everybody":
                raise AtollError(f"the event {name!r} must say whose it is to everybody")
            if field.seen_by == "owner" and "whose" not in fields:
                raise AtollError(f"the event {name!r} shows its {number} to its owner, but declares no whose")
        for sentence in (text, unseen, nobody):
            for number in _told(sentence):
                if number not in fields:
                    raise AtollError(f"the event {name!r} tells of its {number}, which it does not declare")
        hidden = [number for number in _told(text) if fields[number].seen_by != "everybody"]
        if (hidden and not unseen) or any(fields[n].seen_by != "everybody" for n in _told(unseen)):
            raise AtollError(
                f"the event {name!r} tells of what not everybody sees: what others are told is its unseen=..."
            )

    def seen_by(self, event: Event, seat: int) -> Event:
        """The event as `seat`, or SPECTATOR, may know it."""
        hidden = {number: unused for place, number, unused in self._unused if event[place] != unused}
        for number, field in self.fields.items():
            if not field.is_shown_to(seat, event.whose):
                hidden[number] = UNKNOWN
        return event._replace(**hidden) if hidden else event

    def line(
        self, translator: Translator, names: Sequence[str], event: Event, things: Things | None = None
    ) -> Line | None:
        """The line of the log, from what is known of the event; None for a kind that tells nothing."""
        known = {number: getattr(event, number) for number in self.fields}
        unseen = any(
            known[number] == UNKNOWN
            for number in _told(self.text)
            if self.fields[number].seen_by != "everybody"
        )
        text = self.unseen if unseen else self.text
        seat = event.whose if event.whose >= 0 else None
        if seat is None:
            text = self.nobody or text
        if not text:
            return None
        said = {
            number: _said(translator, names, self.fields[number], known[number], things or {})
            for number in _told(text)
        }
        said["name"] = "–" if seat is None else names[seat]
        return Line(translator(text, **{name: said[name] for name in _PLACEHOLDER.findall(text)}), seat)

    @property
    def tells(self) -> frozenset[str]:
        """The numbers of which its sentence tells."""
        return frozenset(_told(self.text))

    def texts(self) -> Iterator[str]:
        """The texts that its sentences are made of, in English."""
        for sentence in (self.text, self.unseen, self.nobody):
            if sentence:
                yield sentence
                for number in _told(sentence):
                    form = self.fields[number].form
                    if isinstance(form, Named):
                        yield from (name for name in form.names if name)


def _told(sentence: str) -> list[str]:
    """The numbers of which a sentence tells."""
    return ["whose" if name == "name" else name for name in _PLACEHOLDER.findall(sentence)]


def _said(translator: Translator, names: Sequence[str], field: Field, value: int, things: Things) -> Any:
    if field.of == "seat" and value != UNKNOWN:
        return names[value]
    if field.of is not None and field.of in things:
        return things[field.of](translator, value)
    if isinstance(field.form, Named) and value != UNKNOWN:
        return translator(field.form.say(value))
    return value


class Events:
    """All kinds of events of a game; their codes count from 0 in the order in which they are declared."""

    def __init__(self) -> None:
        self.kinds: list[EventKind] = []

    def kind(
        self,
        name: str,
        text: str = "",
        *,
        unseen: str = "",
        whose: Any = None,
        piece: Any = None,
        origin: Any = None,
        target: Any = None,
        extra: Any = None,
        begins_round: bool = False,
        nobody: str = "",
    ) -> int:
        """Declare a kind of events; returns its code. See `EventKind`.

        Each number that the kind uses is declared like a field of the state, with everybody(...), owner(...), who is
        the seat `whose`, or nobody(...). Raises AtollError for one that does not say who sees it.
        """
        if any(kind.name == name for kind in self.kinds):
            raise AtollError(f"there are two events {name!r}")
        given = {"whose": whose, "piece": piece, "origin": origin, "target": target, "extra": extra}
        fields = {number: field for number, field in given.items() if field is not None}
        self.kinds.append(EventKind(name, len(self.kinds), text, unseen, fields, begins_round, nobody))
        return len(self.kinds) - 1

    def hide(self, event: Event, seat: int) -> Event:
        """The event as `seat`, or SPECTATOR, may know it; of one that is not declared, nothing but that it happened."""
        known = 0 <= event.what < len(self.kinds)
        return self.kinds[event.what].seen_by(event, seat) if known else Event(event.what)

    def line(
        self, translator: Translator, names: Sequence[str], event: Event, things: Things | None = None
    ) -> Line | None:
        """The line of the log for an event, as far as it is known; None if its kind has no sentence."""
        return (
            self.kinds[event.what].line(translator, names, event, things)
            if event.what < len(self.kinds)
            else None
        )

    def begins_round(self, event: Event) -> bool:
        """Whether the next round begins with the event."""
        return 0 <= event.what < len(self.kinds) and self.kinds[event.what].begins_round

    def texts(self) -> list[str]:
        """Every text that the log's sentences are made of, in English."""
        return list(dict.fromkeys(text for kind in self.kinds for text in kind.texts()))

    def check(self, event: Event) -> None:
        """Raise AssertionError, naming kind and number, unless the event is what its kind declares."""
        require(0 <= event.what < len(self.kinds), f"a declared kind of event, not {event.what}")
        kind = self.kinds[event.what]
        for number in _NUMBERS:
            value, field = getattr(event, number), kind.fields.get(number)
            if field is None:
                declared = value == Event._field_defaults[number]
            else:
                declared = value == UNKNOWN or field.least <= value <= field.most
            require(declared, f"the {number} of the event {kind.name!r} is {value}, as declared")


# The buffer; rules append with `emit` (`engine/events.py`)


def event_buffer(capacity: int) -> NDArray[np.int16]:
    """An empty buffer for up to `capacity` events."""
    return np.zeros((capacity + 1, 6), dtype=np.int16)


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


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """The second of each pair, by the first; both in the order in which they come."""
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups

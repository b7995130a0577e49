"""Premoves: what a player lets be done again and again, whenever it can be done, until something named happens.

A game declares them in its module `premoves`, where they make sense:

    PREMOVES = (
        Premove("pass", {"do": "pass"}, texts("Pass until one builds")[0], until=lambda event: event.what == BUILT),
    )

A premove sees what its player sees: the moves that are legal, and the events that the seat has heard.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atoll.core.events import Event
from atoll.core.types import Json


@dataclass(frozen=True)
class Premove:
    """`move` is made whenever it is legal, from when its player says so until an event is heard that is `until`."""

    name: str
    move: Mapping[str, Any]
    label: str
    """what the button says, with what ends it: English, translated by the game's catalogue"""
    until: Callable[[Event], bool]


def premove_named(premoves: Iterable[Premove], name: str) -> Premove | None:
    """The premove of that name, if there is one."""
    return next((premove for premove in premoves if premove.name == name), None)


def has_ended(premove: Premove, history: Iterable[Sequence[Event]]) -> bool:
    """Whether what ends it is among the events of some moves, as its seat heard them."""
    return any(premove.until(event) for events in history for event in events)


def next_move(premove: Premove, legal: Sequence[Json]) -> Json | None:
    """Its move, if that is legal now."""
    return next((move for move in legal if move == dict(premove.move)), None)

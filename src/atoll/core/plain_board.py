"""A position as named fields: whatever the state declares with a key, for all and for each player.

The terminal's picture and the page of a game that has none of its own are drawn from it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from atoll.core.fields import Field
from atoll.core.state import REFEREE, UNKNOWN, State
from atoll.text.translation import Translator

if TYPE_CHECKING:
    from atoll.core.position import View

PLAYERS = "players[]."
TOLD_ELSEWHERE = ("to_act", "round", "phase")
"""Keys of what the page's header and bar say."""


@dataclass(frozen=True)
class Shown:
    """A field of a position, with its name, as people read it.

    `kind` says what `value` is: "value", a text; "cards", a list of texts; "hidden", how many things are face down;
    "counts", pairs of a name and a text; "grid", rows of texts, empty where nothing is.
    """

    key: str
    label: str
    kind: str
    value: Any


def shown_fields(view: "View", translator: Translator) -> tuple[list[Shown], list[list[Shown]]]:
    """What belongs to no player, and what belongs to each seat, in the order of the declaration."""
    position = view.to_json()
    common = [
        shown(field, said, translator, hidden=_is_hidden(view, field, ()))
        for field, said in _said(view, position, "")
        if field.key not in TOLD_ELSEWHERE
    ]
    players = [
        [
            shown(field, said, translator, hidden=_is_hidden(view, field, (seat,)))
            for field, said in _said(view, player, PLAYERS)
        ]
        for seat, player in enumerate(position.get("players", [{}] * view.players))
    ]
    return common, players


def _said(view: "View", words: Mapping[str, Any], before: str) -> Iterator[tuple[Field, Any]]:
    """Each field whose key begins so, and what the words say of it."""
    for field in view.game.declared.fields:
        key = field.key or ""
        if key.startswith(before) and key != before and "[]" not in key[len(before) :]:
            found: Any = words
            for name in key[len(before) :].split("."):
                found = found[name]
            yield field, found


def _is_hidden(view: "View", field: Field, index: tuple[int, ...]) -> bool:
    """Whether the view hides this one value."""
    seat = int(view.state.seat)
    may_hide = seat != REFEREE and not field.is_shown_to(seat, index[0] if index else UNKNOWN)
    return may_hide and bool(np.all(np.asarray(view.state[field.name])[index] == UNKNOWN))


def label_of(field: Field) -> str:
    """What a field is called, in English: the last word of its key."""
    name = str(field.key).rpartition(".")[2].replace("_", " ")
    return name[:1].upper() + name[1:]


def labels(declared: type[State]) -> list[str]:
    """All that `label_of` says of a state."""
    return [label_of(field) for field in declared.fields if field.key and field.key not in TOLD_ELSEWHERE]


def shown(field: Field, said: Any, translator: Translator, *, hidden: bool) -> Shown:
    """A field as its words in records say it; `hidden` if the view does not show its value."""
    label = translator(label_of(field))
    is_list = len(field.shape) > str(field.key).count("[]")
    kind: str
    value: Any
    match said:
        case None if hidden:
            kind, value = "hidden", 1
        case bool():
            kind, value = "value", translator("yes") if said else translator("no")
        case int() if is_list and hidden:
            kind, value = ("hidden", said) if said else ("cards", [])
        case [[*_], *_]:
            kind, value = (
                "grid",
                [["" if one is None else text(one, translator) for one in row] for row in said],
            )
        case list():
            kind, value = "cards", [text(one, translator) for one in said]
        case dict():
            kind, value = (
                "counts",
                [(translator(str(name)), text(one, translator)) for name, one in said.items()],
            )
        case _ if field.seen_by != "everybody":  # what can lie face down is a card
            kind, value = "cards", [] if said is None else [text(said, translator)]
        case _:
            kind, value = "value", text(said, translator)
    return Shown(str(field.key), label, kind, value)


def text(value: Any, translator: Translator) -> str:
    """A value as people read it."""
    return translator(value) if isinstance(value, str) else "–" if value is None else str(value)

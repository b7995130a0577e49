"""What moves and events tell of, from their declarations: each kind, and each value of each of its parts.

A seat that a move or event names is no thing.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.bots.restricted import value_key
from atoll.core.events import Event, EventKind
from atoll.core.fields import UNKNOWN
from atoll.core.forms import Named as NamedForm
from atoll.core.game import Game, View
from atoll.core.game_translator import GameTranslator
from atoll.core.types import Components, Json
from atoll.lab.figures import Names
from atoll.text.translation import LANGUAGES, Translator

MOST_VALUES = 512
"""An event's number with more values than this makes no items."""
KIND_ITEM, PIECE_ITEM, LEAST, VALUES, BEGINS_ROUND, SAYS_ROUND = range(6)
"""The columns of `ItemTable.event_items`."""


@dataclass(frozen=True)
class Item:
    """A thing: of a move or an event, the kind's word, what the value is `of`, and the value in the words of records;
    for the kind itself `of` and `part` are empty.
    """

    what: str
    kind: str
    part: str = ""
    of: str = ""
    value: Any = None
    number: int = UNKNOWN
    """an event's piece as the event has it"""

    @property
    def key(self) -> str:
        """What tells it from all others."""
        part = (self.part, value_key(self.value)) if self.part else ()
        return "/".join((self.what, self.kind, *part))


class NamedItem(msgspec.Struct, frozen=True):
    """An item with its name.

    `what` is "move" or "event", `kind` the word of that kind, `of` what the value is (card, tile, ...), "" for the kind
    itself; `value` is in the words of records. `key` tells it from all others: "move/build/tile/3".
    """

    key: str
    what: str
    kind: str
    of: str
    value: Any
    name: Names


@dataclass(frozen=True)
class ItemTable:
    """The things of a game, and how to find them.

    `move_items` int32 (actions, parts + 1): the things of each move, ending in -1s. `event_items` int32 (kinds, 6): the
    thing that a kind is, that of the least value of its piece (or -1), that value, how many there are, whether a round
    begins with it, and whether its `extra` says which. `kind_of` int32 (actions,): the kind of each move.
    """

    items: tuple[Item, ...]
    move_items: NDArray[np.int32]
    event_items: NDArray[np.int32]
    kind_of: NDArray[np.int32]

    @property
    def has_rounds(self) -> bool:
        """Whether events say where a round begins."""
        return bool(self.event_items[:, BEGINS_ROUND].any())


@cache
def items_of(game: Game) -> ItemTable:
    """The things of a game's declared moves and events."""
    items: list[Item] = []
    moves, kind_of = _of_moves(game, items)
    events = _of_events(game, items)
    return ItemTable(tuple(items), moves, events, kind_of)


def _of_moves(game: Game, items: list[Item]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    kinds = game.moves.kinds
    width = 1 + max(len(kind.parts) for kind in kinds)
    table = np.full((len(game.moves), width), -1, dtype=np.int32)
    kind_of = np.zeros(len(game.moves), dtype=np.int32)
    for number, kind in enumerate(kinds):
        actions = np.arange(kind.first, kind.first + kind.count)
        kind_of[actions] = number
        columns = [np.full(kind.count, len(items))]
        items.append(Item("move", kind.word))
        values = np.array([kind.numbers(action) for action in actions.tolist()])
        for place, part in enumerate(kind.parts):
            if part.of != "seat":
                columns.append(len(items) + values[:, place] - part.least)
                items += [Item("move", kind.word, part.name, part.of, value) for value in part.words]
        table[actions, : len(columns)] = np.stack(columns, axis=1)
    return table, kind_of


def _of_events(game: Game, items: list[Item]) -> NDArray[np.int32]:
    rows = []
    for kind in game.events.kinds:
        own = len(items)
        items.append(Item("event", kind.name))
        piece = kind.fields.get("piece")
        first, least, count = -1, 0, 0
        if piece is not None and piece.of != "seat" and piece.most - piece.least < MOST_VALUES:
            first, least, count = len(items), piece.least, piece.most - piece.least + 1
            items += [
                Item(
                    "event",
                    kind.name,
                    "piece",
                    piece.of or piece.meaning,
                    _event_value(game, kind, value),
                    value,
                )
                for value in range(least, piece.most + 1)
            ]
        rows.append((own, first, least, count, kind.begins_round, "extra" in kind.fields))
    return np.array(rows, dtype=np.int32).reshape(-1, 6)


def _event_value(game: Game, kind: EventKind, value: int) -> Any:
    """An event's piece in the words of records: as its form, or a part of a move that is of the same, says it."""
    field = kind.fields["piece"]
    if isinstance(field.form, NamedForm):
        return field.form.say(value)
    for other in game.moves.kinds:
        for part in other.parts:
            if field.of is not None and part.of == field.of and 0 <= value - part.least < len(part.words):
                return part.words[value - part.least]
    return value


def existing(game: Game, components: Components, players: int) -> list[bool]:
    """Whether each thing exists with these components and so many players: moves declare all numbers that cards and
    tiles may have, and `telling.exists`, where a game has one, says which moves there can be.
    """
    exists: Callable[[Components, int, Json], bool] | None = getattr(game.messages, "exists", None)
    return [
        exists is None
        or item.what == "event"
        or exists(components, players, {"do": item.kind} | ({item.part: item.value} if item.part else {}))
        for item in items_of(game).items
    ]


def name_items(game: Game, components: Components, items: Sequence[Item]) -> list[NamedItem]:
    """Things with their names in every language: a move as its button says it, an event as the log does.

    The name is empty for an event that is nobody's, that a move tells of, or of which the log has no sentence with
    these numbers alone.
    """
    view = game.start(game.default_players, 1, components).view(0)
    names = {
        language: _names(
            GameTranslator(Translator(language).with_package(game.package), components), game, items, view
        )
        for language in LANGUAGES
    }
    return [
        NamedItem(
            item.key,
            item.what,
            item.kind,
            item.of,
            item.value,
            {language: names[language][place] for language in LANGUAGES},
        )
        for place, item in enumerate(items)
    ]


def _names(translator: Translator, game: Game, items: Sequence[Item], view: View) -> list[str]:
    """What things are called in one language; moves that are called alike also by what kind of move each is, and those
    that are alike still, such as cards that are named by where they lie now, by their number in records.
    """

    def move_text(move: Json) -> str:
        try:
            return game.messages.move_text(translator, seats, move, view, 0)
        except (LookupError, TypeError, ValueError, AttributeError):  # a game may tell only whole moves
            return ""

    def name_of(item: Item) -> str:
        if item.what == "event":
            return _event_name(translator, game, item)
        kind = move_text({"do": item.kind}) or translator(item.kind)
        part = move_text({"do": item.kind, item.part: item.value}) if item.part else kind
        return name_with_number(item) if item.part and part in ("", kind) else part

    def name_with_number(item: Item) -> str:
        kind = move_text({"do": item.kind}) or translator(item.kind)
        return translator(
            "%(kind)s: %(value)s",
            kind=kind,
            value=f"{translator(item.of)} {_value_text(translator, item.value)}",
        )

    seats = [str(seat + 1) for seat in range(game.default_players)]
    names = [name_of(item) for item in items]
    count = Counter(names)
    names = [
        translator(
            "%(name)s (%(kind)s)", name=name, kind=move_text({"do": item.kind}) or translator(item.kind)
        )
        if count[name] > 1 and item.part and item.what == "move"
        else name
        for name, item in zip(names, items, strict=True)
    ]
    count = Counter(names)
    return [
        name_with_number(item) if count[name] > 1 and item.part and item.what == "move" else name
        for name, item in zip(names, items, strict=True)
    ]


def _event_name(translator: Translator, game: Game, item: Item) -> str:
    """An event as the log tells it of somebody; empty where it is nobody's, needs more than the item says, or a move
    tells of it.
    """
    kind = next(kind for kind in game.events.kinds if kind.name == item.kind)
    things = getattr(game.messages, "THINGS", {})
    told_by_moves = any(part.of == item.of for move in game.moves.kinds for part in move.parts)
    if "whose" not in kind.fields or (item.part and (told_by_moves or item.of not in things)):
        return ""
    if kind.tells - {"whose"} != ({"piece"} if item.part else set()):
        return ""
    event = Event(kind.code, 0, item.number)
    try:
        line = kind.line(translator, [translator("Somebody")], event, things)
    except LookupError:  # these components do not have it
        return ""
    return "" if line is None else line.text


def _value_text(translator: Translator, value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return translator(value) if isinstance(value, str) else str(value)


def named_items(game: Game, components: Components) -> list[NamedItem]:
    """The items of a game with their names, in the order of the sums."""
    return name_items(game, components, items_of(game).items)

"""Choosing a move part by part: what each piece on the page does when it is pressed.

A move's parts travel as form fields and query parameters: text as it is, anything else as JSON. A part that is a
list can also be chosen item by item: then its field is there once for each item.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlencode

from atoll.core.types import Json

Fields = dict[str, tuple[str, ...]]
"""Parts of a move as a form or an address has them."""

MAX_FIELDS = 24
MAX_TEXT = 400


def as_text(value: Any) -> str:
    """A part's value as a field has it."""
    if isinstance(value, str):
        return value
    return str(value) if type(value) is int else _encode(value)


_encode = json.JSONEncoder(separators=(",", ":")).encode


def as_fields(pairs: Iterable[tuple[str, str]]) -> Fields:
    """Fields in the order of their names, from a form or an address; too many or too long ones count for nothing."""
    fields: dict[str, list[str]] = {}
    for name, value in list(pairs)[:MAX_FIELDS]:
        if len(name) + len(value) <= MAX_TEXT:
            fields.setdefault(name, []).append(value)
    return {name: tuple(values) for name, values in sorted(fields.items())}


def fields_of(move: Mapping[str, Any]) -> dict[str, str]:
    """A whole move as fields."""
    return {name: as_text(value) for name, value in move.items()}


class Candidate:
    """A legal move and its parts as text."""

    def __init__(self, move: Json) -> None:
        self.move = move
        self.texts = fields_of(move)

    def items(self, name: str) -> Counter[str]:
        """The items of a part that is a list."""
        value = self.move[name]
        return Counter(map(as_text, value)) if isinstance(value, list) else Counter()

    def has(self, name: str, values: tuple[str, ...]) -> bool:
        """Whether the part has this value, or these items among others."""
        if name not in self.texts:
            return False
        if len(values) == 1 and values[0] == self.texts[name]:
            return True
        return isinstance(self.move[name], list) and Counter(values) <= self.items(name)

    def fits(self, fields: Fields) -> bool:
        """Whether the move has these parts."""
        return all(self.has(name, values) for name, values in fields.items())

    def is_whole(self, fields: Fields) -> bool:
        """Whether the fields say everything about the move."""
        return fields.keys() == self.texts.keys() and all(
            values == (self.texts[name],) or Counter(values) == self.items(name)
            for name, values in fields.items()
        )

    def chosen_parts(self, fields: Fields) -> Json:
        """The parts that the fields name, as the move has them; of a list, the items named."""
        parts: Json = {}
        for name, values in fields.items():
            value = self.move[name]
            if values == (self.texts[name],):
                parts[name] = value
            else:
                parts[name] = [item for item in value if as_text(item) in values]
        return parts


def find_move(moves: Iterable[Json], fields: Fields) -> Json | None:
    """The move that the fields spell out in full, if it is among `moves`."""
    return next((move for move in moves if Candidate(move).is_whole(fields)), None)


@dataclass(frozen=True)
class Control:
    """What pressing something does: a POST (`kind` "move") or a GET ("choose", "step") of `fields` to `url`."""

    kind: str
    url: str
    fields: Mapping[str, str]
    chosen: bool = False
    asked: bool = False
    """whether it leads to a move that a lesson asks for"""
    best: bool = False
    """whether it leads to the best move of a hint"""


def post(url: str, **values: str) -> Control:
    """A control that is no move of the game."""
    return Control("move", url, values)


class Several(dict[str, str]):
    """Fields of which one may be there several times."""

    def __init__(self, fields: Fields) -> None:
        super().__init__({name: values[0] for name, values in fields.items()})
        self._fields = fields

    def items(self) -> Any:
        """Every field, repeated ones one after another."""
        return [(name, value) for name, values in self._fields.items() for value in values]

    def __repr__(self) -> str:
        return repr(self._fields)


@dataclass
class MoveChoice:
    """The legal moves of a seat, and which parts of one have been chosen so far."""

    moves: Sequence[Json]
    fields: Fields
    page: str
    """where the parts are chosen (GET)"""
    action: str
    """where the whole move goes (POST)"""
    decision: int
    confirms: bool = True
    """whether a whole move is chosen first and carried out by the bar's button, or is carried out by the last press"""
    asks_for: Callable[[Json], bool] | None = None
    """tells the moves that a lesson asks for: what leads to no such move cannot be chosen"""
    best: Json | None = None
    """the best move of a hint"""
    by_do: dict[str, list[Candidate]] = field(default_factory=dict)
    strayed: Json = field(default_factory=dict)
    """what was chosen and leads to no move that is asked for"""

    def __post_init__(self) -> None:
        for move in self.moves:
            self.by_do.setdefault(move["do"], []).append(Candidate(move))
        if self.asks_for is not None and self.fields and not self._asked(self.fields):
            self.strayed = self.chosen
            self.fields = {}
        if not self.fitting(self.fields):
            self.fields = {}

    def _asked(self, fields: Fields) -> bool:
        """Whether a lesson asks for a move with these parts."""
        return self.asks_for is not None and any(self.asks_for(c.move) for c in self.fitting(fields))

    def _leads_on(self, fields: Fields) -> bool:
        """Whether choosing these parts leads to a move that a lesson asks for; once it is whole nothing else does."""
        return self.asks_for is not None and self.whole is None and self._asked(fields)

    def _leads_to_best(self, fields: Fields) -> bool:
        """Whether choosing these parts leads to the best move of a hint; once a move is whole nothing does."""
        return self.best is not None and self.whole is None and Candidate(self.best).fits(fields)

    def fitting(self, fields: Fields) -> list[Candidate]:
        """The legal moves with these parts."""
        do = fields.get("do", ("",))[0]
        return [candidate for candidate in self.by_do.get(do, ()) if candidate.fits(fields)]

    @property
    def chosen(self) -> Json:
        """The parts chosen so far, as the legal moves have them."""
        fitting = self.fitting(self.fields)
        return fitting[0].chosen_parts(self.fields) if fitting else {}

    @property
    def options(self) -> list[Json]:
        """The legal moves with the parts chosen so far, all of them while none is; beside a whole move, its likes."""
        if not self.fields:
            return list(self.moves)
        fields = self.fields if self.whole is None else {"do": self.fields["do"]}
        return [candidate.move for candidate in self.fitting(fields)]

    @property
    def whole(self) -> Json | None:
        """The chosen move, if nothing is missing."""
        return next((c.move for c in self.fitting(self.fields) if c.is_whole(self.fields)), None)

    @property
    def address(self) -> str:
        """The page with what is chosen."""
        return self.page + ("?" + urlencode(self.fields, doseq=True) if self.fields else "")

    def control(self, do: str, *, add: Mapping[str, Any] | None = None, **parts: Any) -> Control | None:
        """What pressing a piece that stands for these parts does now; None if no legal move has them.

        Parts chosen before are kept if they go together. What is chosen already is given back when pressed again.
        `add` names items of parts that are lists, which are chosen item by item.
        """
        if do not in self.by_do:
            return None
        wanted: Fields = {"do": (do,), **{name: (as_text(value),) for name, value in parts.items()}}
        items = {name: as_text(value) for name, value in (add or {}).items()}
        is_chosen = self._is_chosen(wanted, items)
        if is_chosen:
            return Control("choose", self.page, Several(self._without(wanted, items)), chosen=True)
        for earlier in (self.fields if self.fields.get("do") == (do,) else {}, {}):
            merged = {**earlier, **wanted}
            for name, item in items.items():
                merged[name] = (*self._items(earlier, name), item)
            fitting = self.fitting(merged)
            if fitting:
                whole = next((c for c in fitting if c.is_whole(merged)), None)
                if whole is not None and not self.confirms:
                    return self.carry_out(whole.move)
                is_asked, best = self._leads_on(merged), self._leads_to_best(merged)
                return Control("choose", self.page, Several(merged), asked=is_asked, best=best)
        return None

    def acts(self, **parts: Any) -> tuple[object, ...]:
        """Everything on which controls for these parts hang: the legal moves that have them, and what is chosen."""
        parts_wanted = fields_of(parts).items()
        about = [
            candidate.texts
            for candidates in self.by_do.values()
            for candidate in candidates
            if parts_wanted <= candidate.texts.items()
        ]
        best = self.best is not None and parts_wanted <= fields_of(self.best).items()
        return (self.decision, self.fields, about, best) if about else ()

    def choose(self, move: Json) -> Control:
        """The control that chooses a whole move, or gives it back if it is the one that is chosen."""
        is_chosen = move == self.whole
        parts = fields_of(move)
        is_asked = self._leads_on({name: (value,) for name, value in parts.items()})
        return Control("choose", self.page, {} if is_chosen else parts, chosen=is_chosen, asked=is_asked)

    def press(self, move: Json) -> Control:
        """What pressing the button of a whole move does."""
        if not self.confirms:
            return self.carry_out(move)
        parts: Fields = {name: (value,) for name, value in fields_of(move).items()}
        return replace(self.choose(move), best=self._leads_to_best(parts))

    def carry_out(self, move: Json) -> Control:
        """The control that plays a whole move."""
        is_asked = self.asks_for is not None and self.asks_for(move)
        fields = {"decision": str(self.decision), **fields_of(move)}
        best = self.whole is None and move == self.best
        return Control("move", self.action, fields, asked=is_asked, best=best)

    def _is_chosen(self, wanted: Fields, items: Mapping[str, str]) -> bool:
        if not wanted.items() <= self.fields.items():
            return False
        if not items:
            return len(wanted) > 1 or len(self.fields) == 1
        return all(item in self._items(self.fields, name) for name, item in items.items())

    def _items(self, fields: Fields, name: str) -> tuple[str, ...]:
        """The items that fields name of a part that is a list, be it item by item or as a whole."""
        values = fields.get(name, ())
        for candidate in self.fitting(fields):
            if values == (candidate.texts.get(name),):
                return tuple(candidate.items(name).elements())
        return values

    def _without(self, wanted: Fields, items: Mapping[str, str]) -> Fields:
        dropped = set(items or wanted) - {"do"}
        left: Fields = {}
        for name, values_chosen in self.fields.items():
            values = self._items(self.fields, name) if name in items else values_chosen
            rest = tuple(value for value in values if name not in dropped or value != items.get(name, value))
            if rest:
                left[name] = rest
        return left if len(left) > 1 else {}

"""What a game says that has no words of its own: its declared moves and fields, by their names."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial, reduce
from inspect import isfunction, signature
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from babel.lists import format_list

from atoll.core.card import GameCard
from atoll.core.events import MOVED, Event
from atoll.core.fields import Field
from atoll.core.forms import Form, Named
from atoll.core.state import REFEREE, UNKNOWN, State
from atoll.core.types import Components, Json, Line, Phase, Progress, Prompt, SeatView
from atoll.text.translation import Translator, capital

if TYPE_CHECKING:
    from atoll.core.moves import Part

BACKS_SHOWN = 12
"""So many cards that are face down are drawn one by one in a terminal."""


Called = Mapping[int, str]
"""What numbers are called, such as those of cards."""


class PlainMessages:
    """What such a game says."""

    def __init__(self, card: GameCard, move_of: Callable[[int], Json]) -> None:
        self._card = card
        self._move_of = move_of

    # Moves

    def move_text(
        self, translator: Translator, names: Sequence[str], move: Mapping[str, Any], view: SeatView, seat: int
    ) -> str:
        """What is done, and its parts: "Bid 3", "Ask → Blue"; a move chosen in part has only some parts."""
        called = called_by(self._card, view.components, translator, names)
        kinds = (kind for kind in self._card.moves.kinds if kind.word == move["do"])
        parts = {part.name: part for kind in kinds for part in kind.parts}
        told = [
            part_text(move[name], part, translator, called)
            for name, part in parts.items()
            if move.get(name) is not None
        ]
        return capital(" ".join([translator(str(move["do"])), *told]))

    # What to do now

    def prompt(
        self, translator: Translator, names: Sequence[str], view: SeatView, seat: int | None
    ) -> Prompt:
        """What `seat` may do now, or whom it waits for."""
        if view.is_over:
            return Prompt(translator("The game is over."))
        if seat in view.to_act:
            asks = {kind.word: kind.ask for kind in self._card.moves.kinds}
            kinds = dict.fromkeys(translator(asks[move["do"]]) for move in view.legal_moves())
            choices = format_list(list(kinds), style="or", locale=translator.locale)
            hint = translator("The others choose at the same time.") if len(view.to_act) > 1 else None
            return Prompt(translator("Your turn: %(moves)s.", moves=choices), hint)
        waiting = translator.both([names[other] for other in view.to_act])
        return Prompt(translator("Waiting for %(names)s.", names=waiting))

    def progress(self, translator: Translator, view: SeatView) -> Progress:
        """The round, if the state counts them as `round_number`, and the phase, if it has one; round 0 if not."""
        return Progress(*self._round(view), self._phases(translator, view))

    def _round(self, view: SeatView) -> tuple[int, int]:
        """The round and how many there are, where a part says so (`within`): the declared range is a bound alone."""
        for field in self._card.declared.fields:
            if field.name == "round_number":
                rounds = getattr(view.components.plain, field.within) if field.within else 0
                return int(view.state.round_number), rounds
        return 0, 0

    def _phases(self, translator: Translator, view: SeatView) -> tuple[Phase, ...]:
        """The names of the field `phase`, but for the one of a game that is over."""
        for field in self._card.declared.fields:
            if field.name == "phase" and isinstance(field.form, Named):
                names = field.form.names
                now = len(names) if view.is_over else int(view.state.phase) - field.form.least
                shown = [name for name in names if name is not None and name != "over"]
                labels = {name: capital(translator(name)) for name in shown}
                return steps(labels, sum(name in shown for name in names[:now]))
        return ()

    # What happened

    def tell(
        self, translator: Translator, names: Sequence[str], events: Sequence[Event], view: SeatView
    ) -> list[Line]:
        """The events of the kinds that have a sentence; of a game without events, the moves."""
        called = called_by(self._card, view.components, translator, names)
        things = {what: partial(_called, numbers) for what, numbers in called.items()}
        lines = (
            self._moved(translator, names, event, view)
            if event.what == MOVED
            else self._card.events.line(translator, names, event, things)
            for event in events
        )
        return [replace(line, event=number) for number, line in enumerate(lines) if line]

    def _moved(self, translator: Translator, names: Sequence[str], event: Event, view: SeatView) -> Line:
        name = names[event.whose]
        if event.piece == UNKNOWN:
            return Line(translator("%(name)s has chosen.", name=name), event.whose)
        move_text = getattr(self._card.own("messages"), "move_text", self.move_text)
        move = move_text(translator, names, self._move_of(event.piece), view, event.whose)
        return Line(translator("%(name)s: %(move)s", name=name, move=move), event.whose)

    # The position, and the end

    def picture(self, translator: Translator, names: Sequence[str], view: SeatView) -> str:
        """Each field of the position on a line of its own, those of all first, then by player."""
        from rich.markup import escape  # the site does without Rich

        common, players = shown_fields(self._card, view, translator, names)
        lines = [line(field, translator) for field in common]
        for other, fields in enumerate(players):
            mark = " ←" if other in view.to_act else ""
            lines.append(f"[bold]{escape(names[other])}[/]{mark}")
            lines += ["  " + line(field, translator).replace("\n", "\n  ") for field in fields]
        return "\n".join(lines)

    def score(
        self, translator: Translator, names: Sequence[str], breakdown: Sequence[Json]
    ) -> list[list[str]]:
        """The points: a heading row, then a row a seat."""
        rows = [[name, str(row["points"])] for name, row in zip(names, breakdown, strict=True)]
        return [[translator("Player"), translator("Points")], *rows]

    def score_parts(self, translator: Translator, row: Json) -> list[tuple[str, int]]:
        """All points together."""
        return [(translator("Points"), int(row["points"]))]

    def bind(self, translator: Translator) -> SimpleNamespace:
        """What the game's module `vocabulary`, if it has one, says in these words."""
        return SimpleNamespace(
            **{name: partial(function, translator) for name, function in self._vocabulary.items()}
        )

    @cached_property
    def _vocabulary(self) -> dict[str, Callable[..., Any]]:
        """The functions of the module whose first parameter is `translator`."""
        module = self._card.own("vocabulary")
        return {
            name: function
            for name, function in (vars(module).items() if module is not None else ())
            if isfunction(function) and next(iter(signature(function).parameters), "") == "translator"
        }


def steps(labels: Mapping[str, str], at: int) -> tuple[Phase, ...]:
    """The steps of a round as the header shows them, by their keys: those before number `at` are done."""
    return tuple(
        Phase(key, label, "done" if number < at else "now" if number == at else "next")
        for number, (key, label) in enumerate(labels.items())
    )


def part_text(value: Any, part: "Part", translator: Translator, called: Mapping[str, Called]) -> str:
    """A part of a move as people read it, a seat with an arrow; `called` has what numbers of each kind are called."""
    names = called.get(part.of, {})
    if isinstance(value, list):
        return translator.both([text(one, translator, names) for one in value])
    number = part.least + part.words.index(value) if names and value in part.words else -1
    said = names.get(number) or text(value, translator)
    return f"→ {said}" if part.of == "seat" else said


def line(field: "Shown", translator: Translator) -> str:
    """A field of a position for a terminal (Rich markup)."""
    from rich.markup import escape  # the site does without Rich

    match field.kind:
        case "hidden":
            value = "▒ " * field.value if field.value <= BACKS_SHOWN else f"▒ × {field.value}"
        case "cards":
            value = " ".join(f"[reverse] {escape(card)} [/]" for card in field.value) or "–"
        case "counts":
            value = ", ".join(f"{escape(name)} {count}" for name, count in field.value)
        case "grid":
            width = max(len(one) for row in field.value for one in row) or 1
            rows = [" ".join((one or "·").rjust(width) for one in row) for row in field.value]
            value = "".join("\n  " + escape(row) for row in rows)
        case _:
            value = escape(field.value)
    return f"[dim]{escape(field.label)}[/] {value}"


def undo_message(translator: Translator, name: str, count: int, *, by_consent: bool) -> str:
    """That somebody took back so many moves; `by_consent` of all people at the table."""
    if by_consent:
        return translator.plural(
            "%(name)s takes back %(num)s move; all have agreed.",
            "%(name)s takes back %(num)s moves; all have agreed.",
            count,
            name=name,
        )
    return translator.plural(
        "%(name)s takes back %(num)s move.", "%(name)s takes back %(num)s moves.", count, name=name
    )


def redeal_message(translator: Translator, name: str, *, committed: bool = False) -> str:
    """That what is hidden was dealt anew when somebody sat down, who is called so now; `committed`: by the key to which
    the table was committed before.
    """
    if committed:
        return translator(
            "All that is hidden is dealt anew for %(name)s, who has joined: others had seen what was to come. "
            "It follows from the key whose fingerprint the table has shown from the beginning.",
            name=name,
        )
    return translator(
        "All that is hidden is dealt anew for %(name)s, who has joined: others had seen what was to come.",
        name=name,
    )


# A position as named fields: whatever the state declares with a key, for all and for each player

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


def called_by(
    card: GameCard, components: Components, translator: Translator, names: Sequence[str]
) -> dict[str, Called]:
    """By what numbers can be `of`, what they are called: a seat as its player, and `card` as the file names the entries
    of its list `cards`, if a part is copied from that list, which says how they are numbered.
    """
    called: dict[str, Called] = {"seat": dict(enumerate(names))}
    for field in card.declared_parts.fields:
        path, listed, below = (field.of or "").partition("[]")
        what = path.rpartition(".")[2].removesuffix("s")
        if listed and not below and what not in called:
            entries = reduce(getattr, path.split("."), components.file)
            called[what] = {
                number: _name(entry.name, translator)
                for number, _, entry in field.numbered(entries)
                if hasattr(entry, "name")
            }
    return called


def _name(name: Any, translator: Translator) -> str:
    """A name of a components file, which may be one for each language."""
    if isinstance(name, str):
        return translator(name)
    return str(getattr(name, translator.language, None) or translator(name.en))


def _called(called: Called, translator: Translator, number: int) -> Any:
    return called.get(number, number)


def shown_fields(
    card: GameCard, view: SeatView, translator: Translator, names: Sequence[str]
) -> tuple[list[Shown], list[list[Shown]]]:
    """What belongs to no player, and what belongs to each seat, in the order of the declaration; `names` are those of
    the seats.
    """
    position = view.to_json()
    called = called_by(card, view.components, translator, names)

    def shown_of(field: Field, value: Any, index: tuple[int, ...]) -> Shown:
        numbers = called.get(field.of or "", {})
        return shown(field, value, translator, hidden=_is_hidden(view, field, index), called=numbers)

    common = [
        shown_of(field, value, ())
        for field, value in _entries(card, position, "")
        if field.key not in TOLD_ELSEWHERE
    ]
    players = [
        [shown_of(field, value, (seat,)) for field, value in _entries(card, player, PLAYERS)]
        for seat, player in enumerate(position.get("players", [{}] * view.players))
    ]
    return common, players


def _entries(card: GameCard, words: Mapping[str, Any], before: str) -> Iterator[tuple[Field, Any]]:
    """Each field whose key begins so, and what the words say of it."""
    for field in card.declared.fields:
        key = field.key or ""
        below = key[len(before) :]
        if key.startswith(before) and below and "[]" not in below and not field.bookkeeping:
            value: Any = words
            for name in below.split("."):
                value = value[name]
            yield field, value


def _is_hidden(view: SeatView, field: Field, index: tuple[int, ...]) -> bool:
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
    return [
        label_of(field)
        for field in declared.fields
        if field.key and field.key not in TOLD_ELSEWHERE and not field.bookkeeping
    ]


def shown(
    field: Field, words: Any, translator: Translator, *, hidden: bool, called: Called = MappingProxyType({})
) -> Shown:
    """A field as its words in records say it; `hidden` if the view does not show its value. `called` has what its
    numbers are called.
    """
    label = translator(label_of(field))
    is_list = len(field.shape) > str(field.key).count("[]")
    kind: str
    value: Any
    match words:
        case None if hidden:
            kind, value = "hidden", 1
        case bool():
            kind, value = "value", translator("yes") if words else translator("no")
        case int() if is_list and hidden:
            kind, value = ("hidden", words) if words else ("cards", [])
        case [[*_], *_]:
            kind, value = (
                "grid",
                [["" if one is None else text(one, translator, called) for one in row] for row in words],
            )
        case list():
            kind, value = "cards", [text(one, translator, called) for one in words]
        case dict():
            kind, value = (
                "counts",
                [(translator(str(name)), text(one, translator)) for name, one in words.items()],
            )
        case _ if field.seen_by != "everybody":  # what can lie face down is a card
            kind, value = "cards", [] if words is None else [text(words, translator, called)]
        case _:
            kind, value = "value", text(words, translator, called)
    return Shown(str(field.key), label, kind, value)


def text(value: Any, translator: Translator, called: Called = MappingProxyType({})) -> str:
    """A value as people read it."""
    if isinstance(value, str):
        return translator(value)
    if value is None:
        return "–"
    return called.get(value, str(value)) if isinstance(value, int) else str(value)


# What the catalogue of a game should translate


def plain_texts(card: GameCard, move_of: Callable[[int], Json]) -> list[str]:
    """Every text that a game's catalogue should translate because a declaration says it: the sentences of events, and
    all else where the game leaves its telling to the usual one.
    """
    texts = card.events.texts()
    if card.has("messages"):
        return texts
    texts += [*labels(card.declared), *_names(card)]
    texts += [kind.ask for kind in card.moves.kinds]
    for code in range(len(card.moves)):
        move = move_of(code)
        texts += [value for value in move.values() if isinstance(value, str)]
    return [text for text in dict.fromkeys(texts) if not text.isdecimal()]


def _names(card: GameCard) -> Iterator[str]:
    """The names of the values of fields."""
    for field in card.declared.fields:
        form = field.form if isinstance(field.form, Form) else getattr(field.form, "form", None)
        if field.key and isinstance(form, Named):
            yield from (name for name in form.names if name and name != "over")
        yield from getattr(field.form, "names", ()) if not isinstance(field.form, Form) and field.key else ()

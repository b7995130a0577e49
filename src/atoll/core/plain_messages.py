"""What a game says that has no words of its own: its declared moves and fields, by their names."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from inspect import isfunction, signature
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from babel.lists import format_list
from rich.markup import escape

from atoll.core.defaults import has_module
from atoll.core.events import MOVED, Event
from atoll.core.forms import Named
from atoll.core.game import Json, Line, Phase, Progress, Prompt
from atoll.core.plain_board import Shown, shown_fields, text
from atoll.core.state import UNKNOWN
from atoll.text.translation import Translator, capital

if TYPE_CHECKING:
    from atoll.core.game import Game
    from atoll.core.position import View

BACKS_SHOWN = 12
"""So many cards that are face down are drawn one by one in a terminal."""


class PlainMessages:
    """What such a game's module `telling` is."""

    def __init__(self, game: "Game") -> None:
        self._game = game

    # Moves

    def move_text(
        self, translator: Translator, names: Sequence[str], move: Mapping[str, Any], view: "View", seat: int
    ) -> str:
        """What is done, and its parts: "Bid 3"; a move chosen in part has only some parts."""
        parts = [
            part_text(value, translator) for name, value in move.items() if name != "do" and value is not None
        ]
        return capital(" ".join([translator(str(move["do"])), *parts]))

    # What to do now

    def prompt(self, translator: Translator, names: Sequence[str], view: "View", seat: int | None) -> Prompt:
        """What `seat` may do now, or whom it waits for."""
        if view.is_over:
            return Prompt(translator("The game is over."))
        if seat in view.to_act:
            kinds = dict.fromkeys(translator(move["do"]) for move in view.legal_moves())
            asked = format_list(list(kinds), style="or", locale=translator.locale)
            hint = translator("The others choose at the same time.") if len(view.to_act) > 1 else None
            return Prompt(translator("Your turn: %(moves)s.", moves=asked), hint)
        waiting = translator.both([names[other] for other in view.to_act])
        return Prompt(translator("Waiting for %(names)s.", names=waiting))

    def progress(self, translator: Translator, view: "View") -> Progress:
        """The round, if the state counts them as `round_number`, and the phase, if it has one; round 0 if not."""
        return Progress(*self._round(view), self._phases(translator, view))

    def _round(self, view: "View") -> tuple[int, int]:
        """The round and how many there are at most; 0 where that is not declared."""
        for field in self._game.declared.fields:
            if field.name == "round_number":
                return int(view.state.round_number), field.most if field.most < np.iinfo(
                    field.kind
                ).max else 0
        return 0, 0

    def _phases(self, translator: Translator, view: "View") -> tuple[Phase, ...]:
        """The names of the field `phase`, but for the one of a game that is over."""
        for field in self._game.declared.fields:
            if field.name == "phase" and isinstance(field.form, Named):
                names = field.form.names
                now = len(names) if view.is_over else int(view.state.phase) - field.form.least
                shown = [name for name in names if name is not None and name != "over"]
                labels = {name: capital(translator(name)) for name in shown}
                return steps(labels, sum(name in shown for name in names[:now]))
        return ()

    # What happened

    def tell(
        self, translator: Translator, names: Sequence[str], events: Sequence[Event], view: "View"
    ) -> list[Line]:
        """The events of the kinds that have a sentence; of a game without events, the moves."""
        lines = (
            self._moved(translator, names, event, view)
            if event.what == MOVED
            else self._game.events.line(translator, names, event)
            for event in events
        )
        return [replace(line, event=number) for number, line in enumerate(lines) if line]

    def _moved(self, translator: Translator, names: Sequence[str], event: Event, view: "View") -> Line:
        name = names[event.whose]
        if event.piece == UNKNOWN:
            return Line(translator("%(name)s has chosen.", name=name), event.whose)
        move = self._game.notation.move_of(event.piece)
        said = self._game.messages.move_text(translator, names, move, view, event.whose)
        return Line(translator("%(name)s: %(move)s", name=name, move=said), event.whose)

    # The position, and the end

    def picture(self, translator: Translator, names: Sequence[str], view: "View") -> str:
        """Each field of the position on a line of its own, those of all first, then by player."""
        common, players = shown_fields(view, translator)
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

    def bind(self, translator: Translator) -> SimpleNamespace:
        """What the game's module `vocabulary`, if it has one, says in these words."""
        return SimpleNamespace(**{name: partial(said, translator) for name, said in self._vocabulary.items()})

    @cached_property
    def _vocabulary(self) -> dict[str, Callable[..., Any]]:
        """The functions of the module whose first argument is `words`."""
        if not has_module(self._game, "vocabulary"):
            return {}
        return {
            name: said
            for name, said in vars(self._game.module("vocabulary")).items()
            if isfunction(said) and next(iter(signature(said).parameters), "") == "translator"
        }


def steps(labels: Mapping[str, str], at: int) -> tuple[Phase, ...]:
    """The steps of a round as the header shows them, by their keys: those before number `at` are done."""
    return tuple(
        Phase(key, label, "done" if number < at else "now" if number == at else "next")
        for number, (key, label) in enumerate(labels.items())
    )


def part_text(value: Any, translator: Translator) -> str:
    """A part of a move as people read it."""
    return (
        translator.both([text(one, translator) for one in value])
        if isinstance(value, list)
        else text(value, translator)
    )


def line(field: Shown, translator: Translator) -> str:
    """A field of a position for a terminal (Rich markup)."""
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

"""What Signs says."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from atoll.core.events import Event
from atoll.core.game import View
from atoll.core.types import Line, Phase, Progress, Prompt
from atoll.text.translation import Translator
from signs.rules import CHOSE, GAME_OVER, POINT


def move_text(
    translator: Translator, names: Sequence[str], move: Mapping[str, Any], view: View, seat: int
) -> str:
    return f"Choose {move['cards'][0]} and {move['cards'][1]}"


def prompt(translator: Translator, names: Sequence[str], view: View, seat: int | None) -> Prompt:
    return Prompt("Choose two cards." if seat in view.to_act else "The others are choosing.")


def progress(translator: Translator, view: View) -> Progress:
    return Progress(
        view.fields.round_number, int(view.components.parts[0].rounds), (Phase("choose", "Choose", "now"),)
    )


def tell(translator: Translator, names: Sequence[str], events: Sequence[Event], view: View) -> list[Line]:
    said = {CHOSE: "chose", POINT: "takes a point", GAME_OVER: "ends it"}
    return [
        Line(f"{names[e.whose]} {said[e.what]}", e.whose, event=at)
        for at, e in enumerate(events)
        if e.what in said
    ]


def picture(translator: Translator, names: Sequence[str], view: View) -> str:
    return f"Round {view.fields.round_number}"


def bind(translator: Translator) -> SimpleNamespace:
    return SimpleNamespace()

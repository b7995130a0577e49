"""The messages of Karuba to people: moves, what to do now, the steps of a round, the log, the final score."""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.game import View
from atoll.core.plain_messages import steps
from atoll.core.types import Json, Progress, Prompt
from atoll.games.karuba.log import tell
from atoll.games.karuba.picture import picture
from atoll.games.karuba.rules import lowest_sums
from atoll.games.karuba.state import CHOOSE, CHOSEN_CARDS, COLOURS, DISCARD, LAY, PHASES, cell_at
from atoll.games.karuba.vocabulary import adventurer_name, cards_name, place_name
from atoll.text.translation import Translator, texts

__all__ = ["ANCHORS", "move_text", "picture", "progress", "prompt", "score", "tell"]

ANCHORS = {"over": "end"}
"""The anchors of the page of rules for phases whose anchor is not their own name."""

PHASE_TEXTS = {
    CHOOSE: texts(
        "Choose",
        "Still choosing: %(names)s.",
        "All choices are shown at once. The lowest sum of numbers costs a card.",
    ),
    DISCARD: texts("Discard", "Still discarding: %(names)s.", "The other one you will lay."),
    LAY: texts(
        "Lay",
        "Still laying: %(names)s.",
        "Edge to edge with a card of your island. Paths need not meet.",
    ),
}
"""By phase: the step of the round, what others are doing, and what follows from the decision."""

MOVES = {"choose": "Choose two cards", "discard": "Discard a card", "lay": "Lay a card"}
"""Labels of moves of which no part is chosen yet."""


def move_text(
    translator: Translator, names: Sequence[str], move: Mapping[str, Any], view: View, seat: int
) -> str:
    """A move of `seat` as a button's label says it; a move chosen in part has only some parts."""
    island = view.fields.island[seat]
    match move:
        case {"do": "choose", "cards": cards}:
            return translator("Choose %(cards)s", cards=cards_name(translator, cards))
        case {"do": "discard", "card": card}:
            return translator("Discard %(card)s", card=card)
        case {"card": card, "at": at}:
            where = place_name(translator, island, cell_at(*at))
            if not where:
                return translator("Begin the island with %(card)s", card=card)
            return translator("Lay %(card)s %(where)s", card=card, where=where)
        case {"card": card}:
            return translator("Lay %(card)s", card=card)
        case {"at": (x, y)}:
            return translator("Lay a card at %(place)s from the first", place=f"({x}, {y})")
    return translator(MOVES[move["do"]])


# What to do now


def prompt(translator: Translator, names: Sequence[str], view: View, seat: int | None) -> Prompt:
    """What `seat` has to do now and what follows from it, or whom it waits for."""
    if view.is_over:
        return Prompt(translator("The game is over."))
    _, wait, hint = PHASE_TEXTS[view.fields.phase]
    if seat in view.to_act:
        return Prompt(request(translator, view, seat), translator(hint))
    return Prompt(translator(wait, names=translator.both([names[other] for other in view.to_act])))


def request(translator: Translator, view: View, seat: int) -> str:
    """The sentence that asks for a decision."""
    fields = view.fields
    match PHASES[fields.phase]:
        case "choose" if fields.hand_count[seat] == CHOSEN_CARDS and not fields.pile_count[seat]:
            return translator("Play your last two cards.")
        case "choose":
            return translator("Choose two cards to play.")
        case "discard" if int(lowest_sums(view.state)).bit_count() > 1:
            return translator("You share the lowest sum: discard one of your two cards.")
        case "discard":
            return translator("Your sum is the lowest: discard one of your two cards.")
        case _ if fields.to_lay[seat].bit_count() > 1:
            return translator("Lay your two cards, in the order you like.")
        case _:
            return translator("Lay your card.")


# The header


def progress(translator: Translator, view: View) -> Progress:
    """The round and its steps."""
    labels = {PHASES[phase]: translator(step) for phase, (step, *_) in PHASE_TEXTS.items()}
    fields = view.fields
    return Progress(fields.round_number, view.components.file.game.rounds, steps(labels, fields.phase))


# The end


def score(translator: Translator, names: Sequence[str], breakdown: Sequence[Json]) -> list[list[str]]:
    """The final points: a heading row, then a row a seat; a dash for an adventurer who does not arrive."""
    heading = [
        translator("Player"),
        *(adventurer_name(translator, colour) for colour in COLOURS),
        translator("Points"),
    ]
    rows = []
    for name, seat in zip(names, breakdown, strict=True):
        points = {path["colour"]: str(path["points"]) for path in seat["paths"]}
        rows.append([name, *(points.get(colour, "–") for colour in COLOURS), str(seat["points"])])
    return [heading, *rows]


def score_parts(translator: Translator, row: Json) -> list[tuple[str, int]]:
    """What each adventurer brings."""
    points = {path["colour"]: path["points"] for path in row["paths"]}
    return [(adventurer_name(translator, colour), points.get(colour, 0)) for colour in COLOURS]

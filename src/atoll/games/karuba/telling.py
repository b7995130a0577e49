"""What Karuba says to people: moves, what to do now, the steps of a round, the log, the final score."""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.game import Json, Phase, Progress, Prompt
from atoll.core.position import View
from atoll.core.words import Words
from atoll.games.karuba.chronicle import tell
from atoll.games.karuba.picture import picture
from atoll.games.karuba.state import COLOURS
from atoll.games.karuba.vocabulary import (
    Island,
    adventurer_name,
    card_name,
    cards_name,
    place_name,
    temple_name,
)

__all__ = ["bind", "move_text", "picture", "progress", "prompt", "score", "tell"]

STEPS = ("choose", "discard", "lay")
"""The steps of a round, named like their phases."""


def move_text(words: Words, names: Sequence[str], move: Mapping[str, Any], view: Json, seat: int) -> str:
    """A move of `seat` as a button's label says it; a move chosen in part has only some parts."""
    match move["do"]:
        case "choose" if "cards" not in move:
            return words("Choose two cards")
        case "choose":
            return words("Choose %(cards)s", cards=cards_name(words, move["cards"]))
        case "discard" if "card" not in move:
            return words("Discard a card")
        case "discard":
            return words("Discard %(card)s", card=move["card"])
        case _ if "card" not in move:
            return words("Lay a card")
        case _ if "at" not in move:
            return words("Lay %(card)s", card=move["card"])
        case _ if not view["players"][seat]["island"]:
            return words("Begin the island with %(card)s", card=move["card"])
        case _:
            where = place_name(words, view["players"][seat]["island"], move["at"])
            return words("Lay %(card)s %(where)s", card=move["card"], where=where)


# What to do now


def prompt(words: Words, names: Sequence[str], view: Json, seat: int | None) -> Prompt:
    """What `seat` has to do now and what follows from it, or whom it waits for."""
    if not view["to_act"]:
        return Prompt(words("The game is over."))
    if seat is not None and seat in view["to_act"]:
        return Prompt(request(words, view, seat), hint(words, view))
    waiting = words.both([names[other] for other in view["to_act"]])
    return Prompt(waiting_for(words, view["phase"], waiting))


def request(words: Words, view: Json, seat: int) -> str:
    """The sentence that asks for a decision."""
    player = view["players"][seat]
    match view["phase"]:
        case "choose" if len(player["hand"]) == len(player["to_lay"]) + 2:
            return words("Play your last two cards.")
        case "choose":
            return words("Choose two cards to play.")
        case "discard" if is_tied(view):
            return words("You share the lowest sum: discard one of your two cards.")
        case "discard":
            return words("Your sum is the lowest: discard one of your two cards.")
        case _ if len(player["to_lay"]) > 1:
            return words("Lay your two cards, in the order you like.")
        case _:
            return words("Lay your card.")


def is_tied(view: Json) -> bool:
    """Whether several players share the lowest sum (KA-5)."""
    sums = [sum(player["chosen"]) for player in view["players"]]
    return sums.count(min(sums)) > 1


def hint(words: Words, view: Json) -> str:
    """What follows from the decision."""
    match view["phase"]:
        case "choose":
            return words("All choices are shown at once. The lowest sum of numbers costs a card.")
        case "discard":
            return words("The other one you will lay.")
        case _:
            return words("Edge to edge with a card of your island. Paths need not meet.")


def waiting_for(words: Words, phase: str, waiting: str) -> str:
    """Whom everybody waits for."""
    match phase:
        case "choose":
            return words("Still choosing: %(names)s.", names=waiting)
        case "discard":
            return words("Still discarding: %(names)s.", names=waiting)
        case _:
            return words("Still laying: %(names)s.", names=waiting)


# The header


def step_label(words: Words, step: str) -> str:
    """A step of the round in a word or two."""
    match step:
        case "choose":
            return words("Choose")
        case "discard":
            return words("Discard")
        case _:
            return words("Lay")


def progress(words: Words, view: View) -> Progress:
    """The round and its steps."""
    components = view.components
    at = STEPS.index(view["phase"]) if view["to_act"] else len(STEPS)
    phases = tuple(
        Phase(step, step_label(words, step), "done" if index < at else "now" if index == at else "next")
        for index, step in enumerate(STEPS)
    )
    return Progress(view["round"], components.data["game"]["rounds"], phases)


# The end


def score(words: Words, names: Sequence[str], breakdown: Sequence[Json]) -> list[list[str]]:
    """The final points: a heading row, then a row a seat; a dash for an adventurer who does not arrive."""
    heading = [words("Player"), *(adventurer_name(words, colour) for colour in COLOURS), words("Points")]
    rows = []
    for name, seat in zip(names, breakdown, strict=True):
        points = {path["colour"]: str(path["points"]) for path in seat["paths"]}
        rows.append([name, *(points.get(colour, "–") for colour in COLOURS), str(seat["points"])])
    return [heading, *rows]


# The table


class Bound:
    """The game's words in one language, as templates use them."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def card_name(self, card: Json) -> str:
        """What is on a card."""
        return card_name(self._words, card)

    def place_name(self, island: Island, at: Sequence[int]) -> str:
        """Where a card is laid."""
        return place_name(self._words, island, at)

    def adventurer_name(self, colour: str) -> str:
        """An adventurer by colour."""
        return adventurer_name(self._words, colour)

    def temple_name(self, colour: str) -> str:
        """A temple by colour."""
        return temple_name(self._words, colour)

    def stopped_by(self, colour: str) -> str:
        """Why an adventurer cannot pass (KA-11)."""
        match colour:
            case "blue":
                return self._words("stopped by blue")
            case "orange":
                return self._words("stopped by orange")
            case "green":
                return self._words("stopped by green")
            case _:
                return self._words("stopped by purple")


def bind(words: Words) -> Bound:
    """The words that templates use, in the language of `words`."""
    return Bound(words)

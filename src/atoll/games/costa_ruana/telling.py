"""What Costa Ruana says to people: moves, what to do now, the steps of a round, the log, the final score."""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.game import Json, Phase, Progress, Prompt
from atoll.core.position import View
from atoll.core.words import Words
from atoll.games.costa_ruana import vocabulary
from atoll.games.costa_ruana.chronicle import tell
from atoll.games.costa_ruana.picture import picture
from atoll.games.costa_ruana.vocabulary import (
    card_name,
    condition_name,
    conditions_name,
    faces_after,
    in_front,
    kind_name,
    natives_name,
)

__all__ = ["bind", "move_text", "picture", "progress", "prompt", "score", "tell"]

STEPS = {
    "setup": ("setup",),
    "resign": ("resign",),
    "face up": ("face up",),
    "face down": ("face down",),
    "native": ("native",),
    "shaman": ("condition",),
    "resolve": (
        "order",
        "take treasure",
        "drop treasure",
        "return",
        "place",
        "take native",
        "drop native",
    ),
    "collect": ("over",),
}
"""The steps of a round as the header shows them, with the phases of each."""

PASSING_STEPS = ("setup", "resign")
"""Steps that show only while they last."""


# Moves


def move_text(words: Words, names: Sequence[str], move: Mapping[str, Any], view: Json, seat: int) -> str:
    """A move as a button's label says it to `seat`, whose it is; a move chosen in part has only some parts."""
    match move["do"]:
        case "play card":
            return play_text(words, names, move, seat)
        case "put native on card" if "card" not in move:
            return words("Put a native on a card")
        case "put native on card":
            card = table_card(words, names, view, move["card"], seat)
            return words("Put a native on %(card)s", card=card)
        case "keep native":
            return keep_text(words, view, seat)
        case "turn condition":
            return words(
                "Turn over %(condition)s: %(faces)s",
                condition=condition_name(words, move["condition"]),
                faces=conditions_name(words, *faces_after(view, move["condition"])),
            )
        case "resolve card":
            card = table_card(words, names, view, move["card"], seat)
            return words("Resolve now: %(card)s", card=card)
        case "appoint shaman":
            if move["player"] == seat:
                return words("Stay the Shaman")
            return words("Hand the Shaman to %(name)s", name=names[move["player"]])
        case _:
            return island_text(words, names, move, seat)


def keep_text(words: Words, view: Json, you: int | None) -> str:
    """Putting no native on a card, of choice or for want of natives."""
    if you is not None and view["players"][you]["supply"] == 0:
        return words("Go on")
    return words("Keep it in your hut")


def play_text(words: Words, names: Sequence[str], move: Mapping[str, Any], you: int | None) -> str:
    """Playing a card in front of somebody."""
    if move.get("card") is None:
        return words("Play a card face down")
    card = card_name(words, move["card"])
    if "in_front_of" not in move:
        return words("Play %(card)s", card=card)
    where = in_front(words, names, move["in_front_of"], you=you)
    return words("Play %(card)s %(where)s", card=card, where=where)


def island_text(words: Words, names: Sequence[str], move: Mapping[str, Any], you: int | None) -> str:
    """Moving a piece to or from an island."""
    number = move["island"] + 1
    match move["do"]:
        case "place native":
            return words("Place a native on island %(number)s", number=number)
        case "take treasure":
            return words("Take a treasure from island %(number)s", number=number)
        case "drop treasure":
            return words("Put the treasure on island %(number)s", number=number)
        case "return native":
            return words("Take a native home from island %(number)s", number=number)
        case "drop native":
            return words("Put the native on island %(number)s", number=number)
        case _ if "owner" not in move:
            return words("Take a native from island %(number)s", number=number)
        case _ if move["owner"] == you:
            return words("Take your native from island %(number)s", number=number)
        case _:
            owner = names[move["owner"]]
            return words("Take %(name)s’s native from island %(number)s", name=owner, number=number)


def table_card(words: Words, names: Sequence[str], view: Json, index: int, you: int | None) -> str:
    """A card on the table, told apart from the others, with the natives on it."""
    entry = view["table"][index]
    where = in_front(words, names, entry["in_front_of"], you=you)
    if entry["card"] is not None:
        text = words("%(kind)s %(where)s", kind=card_name(words, entry["card"]), where=where)
    else:
        hider = names[entry["played_by"]]
        text = words("the card hidden by %(name)s %(where)s", name=hider, where=where)
    if entry["natives"]:
        natives = natives_name(words, names, entry["natives"], you=you)
        return words("%(card)s, with %(natives)s", card=text, natives=natives)
    return text


# What to do now


def prompt(words: Words, names: Sequence[str], view: Json, seat: int | None) -> Prompt:
    """What `seat` has to do now and what follows from it, or whom it waits for."""
    if not view["to_act"]:
        return Prompt(words("The game is over."))
    if seat is not None and seat in view["to_act"]:
        return Prompt(request(words, view, seat), hint(words, names, view, seat))
    return Prompt(waiting_for(words, view["phase"], names[view["to_act"][0]]))


def request(words: Words, view: Json, seat: int) -> str:
    """The sentence that asks for a decision."""
    match view["phase"]:
        case "setup":
            return words("Place one of your natives on an island.")
        case "face up":
            return words("Play a card face up in front of anyone.")
        case "face down":
            return words("Play a card face down in front of anyone.")
        case "native" if view["players"][seat]["supply"] == 0:
            return words("You have no native left to put on a card.")
        case "native":
            return words("Put a native on a card, or keep it in your hut.")
        case "condition":
            return words("You are the Shaman: turn over a condition card.")
        case "order":
            return words("Choose which card in front of you is resolved now.")
        case "take treasure":
            return words("Take a treasure from an island.")
        case "drop treasure":
            return words("Put the treasure on another island.")
        case "return":
            return words("Take one of your natives home from an island.")
        case "place":
            return words("Place a native on an island.")
        case "take native":
            return words("Take a native, your own or somebody else’s, from an island.")
        case "drop native":
            return words("Put the native on another island.")
        case _:
            return words("You are the new Shaman: keep the role, or hand it on for this round.")


def waiting_for(words: Words, phase: str, name: str) -> str:
    """What somebody else is doing."""
    match phase:
        case "setup":
            return words("%(name)s is placing a native on an island.", name=name)
        case "face up":
            return words("%(name)s is playing a card face up.", name=name)
        case "face down":
            return words("%(name)s is playing a card face down.", name=name)
        case "native":
            return words("%(name)s may put a native on a card.", name=name)
        case "condition":
            return words("%(name)s, the Shaman, is turning over a condition card.", name=name)
        case "order":
            return words("%(name)s is choosing which card comes next.", name=name)
        case "take treasure" | "drop treasure":
            return words("%(name)s is moving a treasure.", name=name)
        case "return":
            return words("%(name)s is taking natives home.", name=name)
        case "place":
            return words("%(name)s is placing natives.", name=name)
        case "take native" | "drop native":
            return words("%(name)s is moving a native.", name=name)
        case _:
            return words("%(name)s, the new Shaman, may hand the role on.", name=name)


def hint(words: Words, names: Sequence[str], view: Json, seat: int) -> str | None:
    """What follows from the decision."""
    match view["phase"]:
        case "setup":
            return words("The most natives on an island, without a tie, will take a treasure.")
        case "face up":
            return words("It acts on the player it lies in front of, if its background shows then.")
        case "face down":
            return words("Nobody else knows it until the cards are revealed.")
        case "native":
            return words("If the card takes effect, your native copies it.")
        case "condition":
            return condition_hint(words, view)
        case "order":
            return words("Cards of the same kind may come in any order.")
        case "resign":
            return words("The Shaman plays first and turns over a condition card.")
        case _:
            return resolving_hint(words, names, view, seat)


def condition_hint(words: Words, view: Json) -> str:
    """What either condition card would bring into effect."""
    return words(
        "The tide card: %(first)s. The day and night card: %(second)s.",
        first=conditions_name(words, *faces_after(view, "tide")),
        second=conditions_name(words, *faces_after(view, "time")),
    )


def resolving_hint(words: Words, names: Sequence[str], view: Json, seat: int) -> str | None:
    """Which card is being carried out, where the view leaves no doubt."""
    entry = card_in_effect(view)
    if entry is None:
        return None
    where = in_front(words, names, entry["in_front_of"], you=seat)
    card = words("%(kind)s %(where)s", kind=kind_name(words, entry["card"]), where=where)
    if entry["in_front_of"] == seat:
        return words("%(card)s is in effect.", card=card)
    return words("Your native copies %(card)s.", card=card)


def card_in_effect(view: Json) -> Json | None:
    """The card that is being resolved; None where several might be."""
    count = len(view["players"])
    waiting = [entry for entry in view["table"] if not entry["resolved"]]
    if not waiting:
        return None
    front = min((entry["in_front_of"] for entry in waiting), key=lambda seat: (seat - view["shaman"]) % count)
    verbs = {
        "take treasure": "move treasure",
        "drop treasure": "move treasure",
        "return": "return",
        "place": "place",
        "take native": "move native",
        "drop native": "move native",
    }
    alike = [
        entry
        for entry in waiting
        if entry["in_front_of"] == front and entry["card"].startswith(verbs[view["phase"]])
    ]
    kinds = {(entry["card"].partition("/")[0], *entry["natives"]) for entry in alike}
    return alike[0] if len(kinds) == 1 else None


# The header


def step_label(words: Words, step: str) -> str:
    """A step of the round in a word or two."""
    match step:
        case "setup":
            return words("Setup")
        case "resign":
            return words("New Shaman")
        case "face up":
            return words("Face up")
        case "face down":
            return words("Face down")
        case "native":
            return words("Natives")
        case "shaman":
            return words("Shaman")
        case "resolve":
            return words("Resolve")
        case _:
            return words("Collect")


def progress(words: Words, view: View) -> Progress:
    """The round and its steps."""
    components = view.components
    now = next(step for step, phases in STEPS.items() if view["phase"] in phases)
    steps = [step for step in STEPS if step == now or step not in PASSING_STEPS]
    at = steps.index(now)
    over = not view["to_act"]
    phases = tuple(
        Phase(
            step,
            step_label(words, step),
            "done" if over or index < at else "now" if index == at else "next",
        )
        for index, step in enumerate(steps)
    )
    return Progress(view["round"], components.data["game"]["rounds"], phases)


# The end


def score(words: Words, names: Sequence[str], breakdown: Sequence[Json]) -> list[list[str]]:
    """The final points: a heading row, then a row a seat."""
    heading = [words("Player"), words("Treasures"), words("Natives in the hut"), words("Points")]
    rows = [
        [
            name,
            counted(words, seat["treasures"], seat["treasure_points"]),
            counted(words, seat["natives"], seat["native_points"]),
            str(seat["points"]),
        ]
        for name, seat in zip(names, breakdown, strict=True)
    ]
    return [heading, *rows]


def counted(words: Words, count: int, points: int) -> str:
    """A count of pieces and the points for them."""
    return words.plural("%(count)s (%(num)s point)", "%(count)s (%(num)s points)", points, count=count)


# For templates


class Bound:
    """The game's composed words in one language: what templates call `t`."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def card_name(self, card: str) -> str:
        """A card by kind and background: "Place 3 (night)"."""
        return card_name(self.words, card)

    def card_help(self, card: str) -> str:
        """What the card does and when."""
        return vocabulary.card_help(self.words, card)

    def kind_name(self, card: str) -> str:
        """What kind of card it is: "Place 3"."""
        return kind_name(self.words, card)

    def card_effect(self, card: str) -> str:
        """What the card makes a player do."""
        return vocabulary.card_effect(self.words, card)

    def background(self, name: str) -> str:
        """A background by itself: "Low tide"."""
        return vocabulary.background(self.words, name)


def bind(words: Words) -> Bound:
    """The words that templates use, in the language of `words`."""
    return Bound(words)

"""What Costa Ruana says to people: moves, what to do now, the steps of a round, the log, the final score."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

from atoll.core.game import Json, Phase, Progress, Prompt
from atoll.core.position import View, seats_in
from atoll.core.state import UNKNOWN
from atoll.core.words import Words, texts
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana import vocabulary as vo
from atoll.games.costa_ruana.chronicle import tell
from atoll.games.costa_ruana.picture import picture
from atoll.games.costa_ruana.prospects import prospects

__all__ = ["ANCHORS", "bind", "move_text", "picture", "progress", "prompt", "score", "tell"]

ANCHORS = {
    "setup": "setup",
    "face up": "face-up",
    "face down": "face-down",
    "native": "natives",
    "condition": "condition",
    "order": "resolve",
    "take treasure": "move-treasure",
    "drop treasure": "move-treasure",
    "return": "return",
    "place": "place",
    "take native": "move-native",
    "drop native": "move-native",
    "resign": "next-round",
    "over": "end",
}
"""Where the page of rules tells of each phase."""

RESOLVING = range(cr.ORDER, cr.DROP_NATIVE + 1)


class Step(NamedTuple):
    """A step of the round as the header shows it."""

    key: str
    label: str
    phases: Collection[int]


STEPS = (
    Step("setup", "Setup", (cr.SETUP,)),
    Step("resign", "New Shaman", (cr.RESIGN,)),
    Step("face up", "Face up", (cr.FACE_UP,)),
    Step("face down", "Face down", (cr.FACE_DOWN,)),
    Step("native", "Natives", (cr.NATIVE,)),
    Step("shaman", "Shaman", (cr.CONDITION,)),
    Step("resolve", "Resolve", RESOLVING),
    Step("collect", "Collect", (cr.OVER,)),
)
PASSING_STEPS = ("setup", "resign")
"""Steps that show only while they last."""

_MOVING_TREASURE = texts("%(name)s is moving a treasure.")
_MOVING_NATIVE = texts("%(name)s is moving a native.")
SAID = {
    cr.SETUP: texts(
        "Place one of your natives on an island.",
        "%(name)s is placing a native on an island.",
        "The most natives on an island, without a tie, will take a treasure.",
    ),
    cr.FACE_UP: texts(
        "Play a card face up in front of anyone.",
        "%(name)s is playing a card face up.",
        "It acts on that player if its tide, day or night shows once the Shaman has turned a card.",
    ),
    cr.FACE_DOWN: texts(
        "Play a card face down in front of anyone.",
        "%(name)s is playing a card face down.",
        "Nobody else knows it until the cards are revealed.",
    ),
    cr.NATIVE: texts(
        "Put a native on a card, or keep it in your hut.",
        "%(name)s may put a native on a card.",
        "If the card takes effect, your native copies it.",
    ),
    cr.CONDITION: texts(
        "You are the Shaman: turn over a condition card.",
        "%(name)s, the Shaman, is turning over a condition card.",
        "The tide card: %(first)s. The day and night card: %(second)s.",
    ),
    cr.ORDER: texts(
        "Choose which card in front of you is resolved now.",
        "%(name)s is choosing which card comes next.",
        "Cards of the same kind may come in any order.",
    ),
    cr.TAKE_TREASURE: texts("Take a treasure from an island.") + _MOVING_TREASURE,
    cr.DROP_TREASURE: texts("Put the treasure on another island.") + _MOVING_TREASURE,
    cr.RETURN: texts("Take one of your natives home from an island.", "%(name)s is taking natives home."),
    cr.PLACE: texts("Place a native on an island.", "%(name)s is placing natives."),
    cr.TAKE_NATIVE: texts("Take a native, your own or somebody else’s, from an island.") + _MOVING_NATIVE,
    cr.DROP_NATIVE: texts("Put the native on another island.") + _MOVING_NATIVE,
    cr.RESIGN: texts(
        "You are the new Shaman: keep the role, or hand it on for this round.",
        "%(name)s, the new Shaman, may hand the role on.",
        "The Shaman plays first and turns over a condition card.",
    ),
}
"""By phase: what is asked, what somebody else is doing, and what follows from the decision; nothing for a piece to
move, where it is which card is being resolved.
"""

MOVES = dict(
    zip(
        ("place native", "take treasure", "drop treasure", "return native", "drop native", "take native"),
        texts(
            "Place a native on island %(number)s",
            "Take a treasure from island %(number)s",
            "Put the treasure on island %(number)s",
            "Take a native home from island %(number)s",
            "Put the native on island %(number)s",
            "Take a native from island %(number)s",
        ),
        strict=True,
    )
)
"""Moving a piece to or from an island."""


# Moves


KINDS = dict(
    zip(
        (*MOVES, "turn condition", "resolve card", "appoint shaman"),
        texts(
            "Place a native on an island",
            "Take a treasure from an island",
            "Put the treasure on another island",
            "Take a native home",
            "Put the native on another island",
            "Take a native from an island",
            "Turn a condition card over",
            "Choose the card that is resolved next",
            "Name the Shaman",
        ),
        strict=True,
    )
)
"""What moves do of which nothing else is said."""


def move_text(words: Words, names: Sequence[str], move: Mapping[str, Any], view: View, seat: int) -> str:
    """A move as a button's label says it to `seat`, whose it is; a move chosen in part has only some parts."""
    if len(move) == 1 and move["do"] in KINDS:
        return words(KINDS[move["do"]])
    match move:
        case {"do": "play card", "card": str(card), "in_front_of": front}:
            where = vo.in_front(words, names, front, you=seat)
            return words("Play %(card)s %(where)s", card=vo.card_name(words, card), where=where)
        case {"do": "play card", "card": str(card)}:
            return words("Play %(card)s", card=vo.card_name(words, card))
        case {"do": "play card"}:
            return words("Play a card face down")
        case {"do": "put native on card", "card": int(k)}:
            return words("Put a native on %(card)s", card=table_card(words, names, view, k, seat))
        case {"do": "put native on card"}:
            return words("Put a native on a card")
        case {"do": "keep native"}:
            return words("Keep it in your hut") if view.fields.supply[seat] else words("Go on")
        case {"do": "turn condition", "condition": condition}:
            card, faces = words(vo.CONDITIONS[condition]), faces_turned(words, view, condition)
            return words("Turn over %(condition)s: %(faces)s", condition=card, faces=faces)
        case {"do": "resolve card", "card": k}:
            return words("Resolve now: %(card)s", card=table_card(words, names, view, k, seat))
        case {"do": "appoint shaman", "player": player}:
            stays = player == seat
            return (
                words("Stay the Shaman")
                if stays
                else words("Hand the Shaman to %(name)s", name=names[player])
            )
        case {"owner": owner, "island": island} if owner == seat:
            return words("Take your native from island %(number)s", number=island + 1)
        case {"owner": owner, "island": island}:
            return words(
                "Take %(name)s’s native from island %(number)s", name=names[owner], number=island + 1
            )
        case _:
            return words(MOVES[move["do"]], number=move["island"] + 1)


def faces_turned(words: Words, view: View, condition: str) -> str:
    """The backgrounds that show once the Shaman has turned over a condition card."""
    faces = prospects(view).faces_turned[cr.CONDITIONS.index(condition)]
    return vo.conditions_name(words, [cr.BACKGROUNDS[face] for face in faces])


def table_card(words: Words, names: Sequence[str], view: View, k: int, you: int | None) -> str:
    """A card on the table, told apart from the others, with the natives on it."""
    state = view.fields
    where = vo.in_front(words, names, state.table_front[k], you=you)
    if state.table_card[k] == UNKNOWN:
        hider = names[state.table_player[k]]
        text = words("the card hidden by %(name)s %(where)s", name=hider, where=where)
    else:
        card = vo.card_name(words, cr.CARDS[state.table_card[k]])
        text = words("%(kind)s %(where)s", kind=card, where=where)
    owners = seats_in(state.table_natives[k])
    if not owners:
        return text
    natives = vo.natives_name(words, names, owners, you=you)
    return words("%(card)s, with %(natives)s", card=text, natives=natives)


# What to do now


def prompt(words: Words, names: Sequence[str], view: View, seat: int | None) -> Prompt:
    """What `seat` has to do now and what follows from it, or whom it waits for."""
    if view.is_over:
        return Prompt(words("The game is over."))
    phase = view.fields.phase
    asked, waiting, *hints = SAID[phase]
    if seat not in view.to_act:
        return Prompt(words(waiting, name=names[view.to_act[0]]))
    if phase == cr.NATIVE and view.fields.supply[seat] == 0:
        asked, *_ = texts("You have no native left to put on a card.")
    if not hints:
        return Prompt(words(asked), resolving_hint(words, names, view, seat))
    faces = {}
    if phase == cr.CONDITION:
        faces = {"first": faces_turned(words, view, "tide"), "second": faces_turned(words, view, "time")}
    return Prompt(words(asked), words(hints[0], **faces))


def resolving_hint(words: Words, names: Sequence[str], view: View, seat: int) -> str:
    """Which card is being carried out."""
    state = view.fields
    front = state.table_front[state.card]
    kind = vo.kind_name(words, cr.CARDS[state.table_card[state.card]])
    card = words("%(kind)s %(where)s", kind=kind, where=vo.in_front(words, names, front, you=seat))
    if front == seat:
        return words("%(card)s is in effect.", card=card)
    return words("Your native copies %(card)s.", card=card)


def progress(words: Words, view: View) -> Progress:
    """The round and its steps."""
    state = view.fields
    steps = [step for step in STEPS if state.phase in step.phases or step.key not in PASSING_STEPS]
    at = next(index for index, step in enumerate(steps) if state.phase in step.phases)
    if view.is_over:
        at = len(steps)
    phases = tuple(
        Phase(step.key, words(step.label), "done" if index < at else "now" if index == at else "next")
        for index, step in enumerate(steps)
    )
    return Progress(state.round_number, view.components.file.game.rounds, phases)


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


def bind(words: Words) -> SimpleNamespace:
    """The composed words that templates use, in the language of `words`."""
    said = (vo.card_name, vo.card_help, vo.kind_name, vo.card_effect, vo.background)
    return SimpleNamespace(**{function.__name__: partial(function, words) for function in said})

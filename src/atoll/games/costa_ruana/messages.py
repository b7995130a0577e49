"""The messages of Costa Ruana to people: moves, what to do now, the steps of a round, the log, the final score."""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.game import View
from atoll.core.plain_messages import steps
from atoll.core.state import UNKNOWN, seats_in
from atoll.core.types import Components, Json, Progress, Prompt
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana import vocabulary as vo
from atoll.games.costa_ruana.log import tell
from atoll.games.costa_ruana.picture import picture
from atoll.games.costa_ruana.prospects import Prospects
from atoll.text.translation import Translator, texts

__all__ = ["ANCHORS", "exists", "move_text", "picture", "progress", "prompt", "score", "tell"]

ANCHORS = {
    "native": "natives",
    "order": "resolve",
    "take treasure": "move-treasure",
    "drop treasure": "move-treasure",
    "take native": "move-native",
    "drop native": "move-native",
    "resign": "next-round",
    "over": "end",
}
"""The anchors of the page of rules for phases whose anchor is not their own name."""

STEPS = {
    "setup": ("Setup", (cr.SETUP,)),
    "resign": ("New Shaman", (cr.RESIGN,)),
    "face up": ("Face up", (cr.FACE_UP,)),
    "face down": ("Face down", (cr.FACE_DOWN,)),
    "native": ("Natives", (cr.NATIVE,)),
    "shaman": ("Shaman", (cr.CONDITION,)),
    "resolve": ("Resolve", cr.RESOLVING),
    "collect": ("Collect", (cr.OVER,)),
}
"""The steps of the round as the header shows them: what each is called, and its phases."""
PASSING_STEPS = ("setup", "resign")
"""Steps that show only while they last."""

_MOVING_TREASURE = texts("%(name)s is moving a treasure.")
_MOVING_NATIVE = texts("%(name)s is moving a native.")
PHASE_TEXTS = {
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
        "Put a native on a card, or keep it in your supply.",
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
"""By phase: the request, what somebody else is doing, and what follows from the decision; nothing for a piece to
move, where it is which card is being resolved.
"""

MOVES = {
    "place native": texts("Place a native on an island", "Place a native on island %(number)s"),
    "take treasure": texts("Take a treasure from an island", "Take a treasure from island %(number)s"),
    "drop treasure": texts("Put the treasure on another island", "Put the treasure on island %(number)s"),
    "return native": texts("Take a native home", "Take a native home from island %(number)s"),
    "drop native": texts("Put the native on another island", "Put the native on island %(number)s"),
    "take native": texts(
        "Take a native from an island",
        "Take a native from island %(number)s",
        "Take %(name)s’s native from island %(number)s",
    ),
    "play card": texts("Play a card face down", "Play %(card)s", "Play %(card)s %(where)s"),
    "put native on card": texts("Put a native on a card", "Put a native on %(card)s"),
    "keep native": texts("Keep it in your supply"),
    "turn condition": texts("Turn a condition card over", "Turn over %(condition)s: %(faces)s"),
    "resolve card": texts("Choose the card that is resolved next", "Resolve now: %(card)s"),
    "appoint shaman": texts("Name the Shaman", "Hand the Shaman to %(name)s"),
}
"""Labels of moves, by kind: with no part chosen, then with one part more each."""


# Moves


def exists(components: Components, players: int, move: Mapping[str, Any]) -> bool:
    """Whether a move, of which some parts may be left out, can be made with these components by so many at all."""
    parts = components.plain
    match move:
        case {"island": island}:
            return bool(island < parts.islands[players])
        case {"do": "play card", "card": card}:
            return cr.CARDS.index(card) in parts.deck[players][: parts.deck_count[players]]
        case {"card": place}:
            return bool(place < cr.CARDS_A_ROUND * players)
    return True


def move_text(
    translator: Translator, names: Sequence[str], move: Mapping[str, Any], view: View, seat: int
) -> str:
    """A move as a button's label says it to `seat`, whose it is; a move chosen in part has only some parts."""
    values: dict[str, Any] = {}
    match move:
        case {"do": "keep native"} if not view.fields.supply[seat]:
            return translator("Go on")
        case {"player": player} if player == seat:
            return translator("Stay the Shaman")
        case {"player": player}:
            values["name"] = names[player]
        case {"owner": owner, "island": island} if owner == seat:
            return translator("Take your native from island %(number)s", number=island + 1)
        case {"island": island}:
            values["number"] = island + 1
            if "owner" in move:
                values["name"] = names[move["owner"]]
        case {"card": str(card)}:
            values["card"] = vo.card_name(translator, card)
            if "in_front_of" in move:
                values["where"] = vo.in_front(translator, names, move["in_front_of"], you=seat)
        case {"card": int(k)}:
            values["card"] = table_card(translator, names, view, k, seat)
        case {"condition": condition}:
            values["condition"] = translator(vo.CONDITIONS[condition])
            values["faces"] = faces_turned(translator, view, condition)
    return translator(MOVES[move["do"]][: len(values) + 1][-1], **values)


def faces_turned(translator: Translator, view: View, condition: str) -> str:
    """The backgrounds that show once the Shaman has turned over a condition card."""
    return vo.conditions_name(translator, Prospects(view).faces_turned[cr.CONDITIONS.index(condition)])


def table_card(translator: Translator, names: Sequence[str], view: View, k: int, you: int | None) -> str:
    """A card on the table, so that no other is called the same, with the natives on it."""
    state = view.fields
    where = vo.in_front(translator, names, state.table_front[k], you=you)
    if state.table_card[k] == UNKNOWN:
        hider = names[state.table_player[k]]
        text = translator("the card hidden by %(name)s %(where)s", name=hider, where=where)
    else:
        name = vo.card_name(translator, cr.CARDS[state.table_card[k]])
        text = translator("%(kind)s %(where)s", kind=name, where=where)
    owners = seats_in(state.table_natives[k])
    if not owners:
        return text
    natives = vo.natives_name(translator, names, owners, you=you)
    return translator("%(card)s, with %(natives)s", card=text, natives=natives)


# What to do now


def prompt(translator: Translator, names: Sequence[str], view: View, seat: int | None) -> Prompt:
    """What `seat` has to do now and what follows from it, or whom it waits for."""
    if view.is_over:
        return Prompt(translator("The game is over."))
    phase = view.fields.phase
    request, wait, *hints = PHASE_TEXTS[phase]
    if seat not in view.to_act:
        return Prompt(translator(wait, name=names[view.to_act[0]]))
    if phase == cr.NATIVE and view.fields.supply[seat] == 0:
        request, *_ = texts("You have no native left to put on a card.")
    if not hints:
        return Prompt(translator(request), resolving_hint(translator, names, view, seat))
    faces = {}
    if phase == cr.CONDITION:
        faces = {
            "first": faces_turned(translator, view, "tide"),
            "second": faces_turned(translator, view, "time"),
        }
    return Prompt(translator(request), translator(hints[0], **faces))


def resolving_hint(translator: Translator, names: Sequence[str], view: View, seat: int) -> str:
    """Which card is being carried out."""
    state = view.fields
    front = state.table_front[state.card]
    kind = vo.kind_name(translator, cr.CARDS[state.table_card[state.card]])
    card = translator("%(kind)s %(where)s", kind=kind, where=vo.in_front(translator, names, front, you=seat))
    if front == seat:
        return translator("%(card)s is in effect.", card=card)
    return translator("Your native copies %(card)s.", card=card)


def progress(translator: Translator, view: View) -> Progress:
    """The round and its steps."""
    phase = view.fields.phase
    now = next(key for key, (_, phases) in STEPS.items() if phase in phases)
    labels = {
        key: translator(label) for key, (label, _) in STEPS.items() if key == now or key not in PASSING_STEPS
    }
    at = len(labels) if view.is_over else list(labels).index(now)
    return Progress(view.fields.round_number, view.components.file.game.rounds, steps(labels, at))


# The end


def score(translator: Translator, names: Sequence[str], breakdown: Sequence[Json]) -> list[list[str]]:
    """The final points: a heading row, then a row a seat."""
    heading = [translator(text) for text in texts("Player", "Treasures", "Natives in the supply", "Points")]
    rows = [
        [name, *(pieces_text(translator, seat, what) for what in ("treasure", "native")), str(seat["points"])]
        for name, seat in zip(names, breakdown, strict=True)
    ]
    return [heading, *rows]


def score_parts(translator: Translator, row: Json) -> list[tuple[str, int]]:
    """What treasures bring, and natives in the supply."""
    return [
        (translator("Treasures"), row["treasure_points"]),
        (translator("Natives in the supply"), row["native_points"]),
    ]


def pieces_text(translator: Translator, seat: Json, what: str) -> str:
    """How many pieces a seat has, and the points for them."""
    count, points = seat[f"{what}s"], seat[f"{what}_points"]
    return translator.plural("%(count)s (%(num)s point)", "%(count)s (%(num)s points)", points, count=count)

"""The messages of Cast Away to people: moves, what to do now, the steps of a round, the log, the final score."""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.game import View
from atoll.core.plain_messages import steps
from atoll.core.types import Components, Json, Progress, Prompt
from atoll.games.cast_away import state as ca
from atoll.games.cast_away import vocabulary as vo
from atoll.games.cast_away.effect_words import PRESTIGE, domain_name, gettext
from atoll.games.cast_away.log import THINGS, tell
from atoll.games.cast_away.outlook import outlook
from atoll.games.cast_away.picture import picture
from atoll.text.translation import Translator, capital, texts

__all__ = ["ANCHORS", "THINGS", "exists", "move_text", "picture", "progress", "prompt", "score", "tell"]

ANCHORS = {
    "boost": "setup",
    "boost tile": "mystery",
    "action": "actions",
    "fruit": "exploration",
    "discount": "construction",
    "favour": "prayer",
    "miracle": "prayer",
    "cube": "actions",
    "domain": "study",
    "spot": "exploration",
    "tile": "construction",
    "double": "fishing",
    "marker": "compass",
    "first choice": "orientation",
    "dugout": "orientation",
    "health": "feeding",
    "over": "end",
}
"""The anchors of the page of rules for phases whose anchor is not their own name."""

# Moves


def exists(components: Components, players: int, move: Mapping[str, Any]) -> bool:
    """Whether a move, of which some parts may be left out, can be made with these components by so many at all."""
    parts = components.plain
    match move:
        case {"do": "activate", "tile": tile}:
            return bool(parts.tile_use[tile - 1] != ca.NOBODY)
        case {"do": "build", "tile": tile} | {"do": "choose tile", "choice": tile}:
            return bool(parts.tile_there[tile - 1])
        case {"do": "take miracle", "choice": name}:
            return bool(parts.miracle_there[ca.MIRACLES.index(name)])
        case {"do": "take mystery tile", "choice": design} | {"design": design}:
            return bool(design < max(parts.designs))
        case {"do": "place compass", "position": position}:
            return bool(position <= players)
        case {"do": "place compass now"}:
            return bool(parts.free_compass)
        case {"do": "take lot", "choice": None}:
            return bool(parts.lots_may_stay)
        case {"do": "solve mystery", "own": meeples}:
            return bool(meeples <= max(parts.solvers))
        case {"do": "solve mystery", "white": meeples}:
            return bool(meeples <= min(parts.white, max(parts.solvers)))
        case {"do": "choose favour", "choice": step} if step in ca.STEPS:
            return bool(ca.STEPS.index(step) < parts.steps)
        case {"do": "eat fish", "choice": fish}:
            return bool((fish - 1) * parts.fish_food < max(parts.food_need))
    return True


MOVES = {
    "explore": texts("Explore", "Explore: %(resource)s"),
    "build": texts("Build", "Build %(tile)s"),
    "gather": texts("Gather fruit"),
    "draw water": texts("Draw water"),
    "fish": texts("Fish"),
    "take event": texts("Take the event card"),
    "pray": texts("Pray"),
    "leisure": texts("Enjoy some leisure"),
    "rest": texts("Rest: no Feeding in this round"),
    "study": texts("Study", "Study %(domain)s"),
    "activate": texts("Use a construction", "Use %(tile)s", "Use %(tile)s of %(name)s"),
    "meet tribe": texts("Meet the tribe", "Meet the tribe, giving %(gift)s"),
    "leave tribe": texts("Send a white meeple back", "Send a white meeple back, taking %(gift)s"),
    "place compass": texts("Place the compass marker", "Place the compass marker on %(position)s"),
    "take boosts": texts("Choose the start boosts", "The first player’s boost (%(gives)s) and one at random"),
    "take mystery tile": texts("Choose the first tile of the mystery"),
    "spend fruit": texts("Spend a fruit, or not"),
    "spare": texts("Choose what a construction costs less", "Save %(resource)s"),
    "choose favour": texts("Choose a favour", "Favour %(step)s: %(gives)s"),
    "take miracle": texts("Choose a miracle"),
    "take cube": texts("Choose a resource", "Take %(resource)s"),
    "learn": texts("Choose a domain", "Learn %(domain)s"),
    "choose spot": texts("Explore without the place", "Explore: %(resource)s"),
    "choose tile": texts("Build without the place", "Build %(tile)s"),
    "double fishing": texts("Double the catch, or not"),
    "place compass now": texts("Place the compass marker now, or later"),
    "choose first": texts("Choose first from the compass, or not"),
    "take lot": texts("Take a lot from the compass", "Take %(resource)s"),
    "take single": texts("Take one more from the compass", "Take %(resource)s"),
    "eat fish": texts("Choose what to eat", "Eat %(meal)s"),
    "go down": texts("Go down in health, or pay", "Pay %(prestige)s and stay"),
}
"""Labels of moves, by kind: with no part chosen, with one, and with whose it is."""

ANSWERS = {
    ("meet tribe", None): gettext("Meet the tribe without a gift"),
    ("leave tribe", None): gettext("Send a white meeple back, taking nothing"),
    ("take boosts", "random"): gettext("Two boosts at random"),
    ("spend fruit", "yes"): gettext("Spend a fruit for more"),
    ("spend fruit", "no"): gettext("Keep the fruit"),
    ("choose favour", "stay"): gettext("Stay on this step"),
    ("double fishing", "yes"): gettext("Double the catch"),
    ("double fishing", "no"): gettext("Keep the net for later"),
    ("place compass now", "yes"): gettext("Place the compass marker now"),
    ("place compass now", "no"): gettext("Keep the marker for your next turn"),
    ("choose first", "yes"): gettext("Choose first, and be first player of the next round"),
    ("choose first", "no"): gettext("Keep the card for later"),
    ("take lot", None): gettext("Take no lot"),
    ("go down", "lose meeple"): gettext("Go down and lose a meeple"),
}
"""Choices whose label is the whole sentence."""


def move_text(
    translator: Translator, names: Sequence[str], move: Mapping[str, Any], view: View, seat: int
) -> str:
    """A move of `seat` as a button's label says it; a move chosen in part has only some parts."""
    do = move["do"]
    if do == "solve mystery":
        return solving_text(translator, move)
    choices = [value for name, value in move.items() if name not in ("do", "of", "with")]
    if not choices:
        return translator(MOVES[do][0]) + vo.meeple_text(translator, move.get("with", "own"))
    if (do, choices[0]) in ANSWERS:
        return ANSWERS[do, choices[0]](translator, 0)
    if do == "take mystery tile":
        return capital(vo.design_name(translator, 1, choices[0]))
    if do == "take miracle":
        return f"{vo.miracle_name(translator, choices[0])}. {vo.miracle_help(translator, choices[0])}"
    values = sentence_values(translator, do, choices[0], view)
    if move.get("of", seat) != seat:
        values["name"] = names[move["of"]]
    text = translator(MOVES[do][2 if "name" in values else 1], **values)
    return text + vo.meeple_text(translator, move.get("with", "own"))


def solving_text(translator: Translator, move: Mapping[str, Any]) -> str:
    """Solving the mystery, with as much as is chosen."""
    match move:
        case {"storey": storey, "design": design}:
            tile = vo.design_name(translator, storey, design)
            if not move.get("white"):
                return translator("Solve the mystery: %(tile)s", tile=tile)
            senders = [
                translator.plural("%(num)s own meeple", "%(num)s own meeples", move["own"]),
                translator.plural("%(num)s white one", "%(num)s white ones", move["white"]),
            ]
            meeples = translator.both(senders[0 if move["own"] else 1 :])
            return translator("Solve the mystery: %(tile)s (%(meeples)s)", tile=tile, meeples=meeples)
        case {"storey": storey}:
            return translator("Solve the mystery: storey %(storey)s", storey=storey)
        case {"own": own}:
            return translator.plural(
                "Solve the mystery with %(num)s own meeple", "Solve the mystery with %(num)s own meeples", own
            )
        case {"white": white}:
            return translator.plural(
                "Solve the mystery with %(num)s white meeple",
                "Solve the mystery with %(num)s white meeples",
                white,
            )
    return translator("Solve the mystery")


def sentence_values(translator: Translator, do: str, choice: Any, view: View) -> dict[str, Any]:
    """The values of a move's sentence, by the part of the move that is chosen."""
    match do:
        case "explore" | "choose spot":
            return {"resource": vo.resource_name(translator, choice)}
        case "build" | "choose tile" | "activate":
            return {"tile": vo.tile_name(translator, choice)}
        case "study" | "learn":
            return {"domain": domain_name(translator, choice)}
        case "meet tribe" | "leave tribe":
            return {"gift": vo.amount(translator, choice, 1)}
        case "place compass":
            return {"position": choice}
        case "take boosts":
            return {"gives": vo.owner_text(translator, ca.BOOST_ROWS + ca.FIRST_PLAYER)}
        case "choose favour":
            return {"step": choice, "gives": vo.owner_text(translator, ca.STEP_ROWS + ca.STEPS.index(choice))}
        case "eat fish":
            meal = [0] * len(ca.RESOURCES)
            meal[ca.FRUIT], meal[ca.FISH] = outlook(view, view.to_act[0]).fruit_beside[choice], choice
            return {"meal": vo.amounts(translator, meal)}
        case "go down":
            return {"prestige": PRESTIGE(translator, view.components.plain.ransom)}
    count = view.fields.lots[ca.RESOURCES.index(choice)] if do == "take lot" else 1
    return {"resource": vo.amount(translator, choice, count)}


# What to do now

REQUESTS = {
    ca.BOOST: gettext("Take your two start boosts."),
    ca.BOOST_TILE: gettext("Choose a tile of the mystery."),
    ca.ACTION: gettext("Place a meeple or your compass marker."),
    ca.FRUIT_SPENT: gettext("Will you spend a fruit for more resources?"),
    ca.DISCOUNT: gettext("Which resource do you save?"),
    ca.FAVOUR: gettext("Take a favour and go back, or stay on the step?"),
    ca.MIRACLE: gettext("Choose a miracle."),
    ca.CUBE: gettext("Choose a resource."),
    ca.DOMAIN: gettext("Choose a domain to learn."),
    ca.SPOT: gettext("Choose where to explore."),
    ca.TILE: gettext("Choose what to build."),
    ca.DOUBLE: gettext("Will you double the catch?"),
    ca.MARKER: gettext("Will you place your compass marker now, before the next player’s turn?"),
    ca.FIRST_CHOICE: gettext("Will you be first to choose from the compass?"),
    ca.ORIENTATION: gettext("Take a lot from the compass."),
    ca.DUGOUT: gettext("Take one more resource from the compass."),
    ca.FEEDING: gettext("What do you eat?"),
    ca.HEALTH: gettext("You could not feed yourself: go down, or pay?"),
}
"""The sentence that asks for a decision, by phase."""


def prompt(translator: Translator, names: Sequence[str], view: View, seat: int | None) -> Prompt:
    """What `seat` has to do now and what follows from it, or whom it waits for."""
    if view.is_over:
        return Prompt(translator("The game is over."))
    phase = view.fields.phase
    if seat in view.to_act:
        request = REQUESTS[phase](translator, 0)
        if phase == ca.ACTION and not (view.fields.left_own[seat] or view.fields.left_white[seat]):
            request = translator("Place your compass marker.")
        elif phase == ca.ACTION and view.fields.left_compass[seat] and view.components.plain.free_compass:
            request = translator("Place a meeple; before it you may place your compass marker.")
        elif phase == ca.ORIENTATION and view.components.plain.lots_may_stay:
            request = translator("Take a lot from the compass, or none.")
        return Prompt(request, hint(translator, view, view.to_act[0]))
    name = names[view.to_act[0]]
    if phase == ca.ACTION:
        return Prompt(translator("%(name)s is to place a meeple or the compass marker.", name=name))
    return Prompt(translator("%(name)s is choosing.", name=name))


def hint(translator: Translator, view: View, seat: int) -> str | None:
    """What follows from the decision, or what to think of."""
    match ca.PHASES[view.fields.phase]:
        case "action" | "orientation" | "dugout" | "cube" | "feeding":
            return needs_text(translator, view, seat)
        case "boost":
            return translator("The first player’s boost makes you the first player.")
        case "fruit":
            return translator("Fruit is food, too. %(needs)s", needs=needs_text(translator, view, seat))
        case "tile":
            return translator("You pay its price, and it covers your next slot.")
        case _:
            return None


def needs_text(translator: Translator, view: View, seat: int) -> str:
    """What the next Feeding phase asks of a seat, and what it has (CA-31)."""
    if view.fields.rests[seat]:
        return translator("You rest: you need no food in this round.")
    look = outlook(view, seat)
    return translator(
        "You will need %(water)s and %(food)s food; you have %(own_water)s and %(own_food)s food.",
        water=vo.amount(translator, "water", look.water_needed[seat]),
        food=look.food_needed[seat],
        own_water=vo.amount(translator, "water", view.fields.resources[seat][ca.WATER]),
        own_food=look.food[seat],
    )


# The header

STEPS = {
    "boosts": gettext("Boosts"),
    "actions": gettext("Actions"),
    "orientation": gettext("Orientation"),
    "feeding": gettext("Feeding"),
}
"""The steps of a round as the header shows them."""


def step_of(fields: Any) -> str:
    """The step of the round that a position is in."""
    if fields.stage == ca.BOOSTING:
        return "boosts"
    if fields.phase < ca.FIRST_CHOICE:
        return "actions"
    return "orientation" if fields.phase < ca.FEEDING else "feeding"


def progress(translator: Translator, view: View) -> Progress:
    """The round, of as many as there may be at most, and its steps."""
    fields, parts = view.fields, view.components.plain
    now = step_of(fields)
    labels = {step: label(translator, 0) for step, label in STEPS.items() if step in (now, *list(STEPS)[1:])}
    phases = steps(labels, len(labels) if view.is_over else list(labels).index(now))
    now_round, last = fields.round_number, parts.event_cards - parts.events_boxed
    if fields.last_round:
        return Progress(now_round, now_round, phases)
    soonest = max(now_round, last - parts.ship_cards + 1)  # the Ship is among the last cards (CA-7)
    return Progress(now_round, last, phases, soonest if soonest < last else 0)


# The end

SCORE = texts(
    "Player", "Prestige in the game", "Constructions", "Their effects", "Miracles", "Mystery", "Points"
)


def score(translator: Translator, names: Sequence[str], breakdown: Sequence[Json]) -> list[list[str]]:
    """The final points: a heading row, then a row a seat."""
    rows = [[name, *map(str, seat.values())] for name, seat in zip(names, breakdown, strict=True)]
    return [[translator(title) for title in SCORE], *rows]


def score_parts(translator: Translator, row: Json) -> list[tuple[str, int]]:
    """Prestige of the game, and what is counted at its end."""
    return [(translator(title), points) for title, points in zip(SCORE[1:-1], row.values(), strict=False)]

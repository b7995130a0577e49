"""What Cast Away says to people: moves, what to do now, the steps of a round, the log, the final score."""

from collections.abc import Mapping, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

from atoll.core.game import Components, Json, Phase, Progress, Prompt
from atoll.core.position import View
from atoll.core.words import Words, capital
from atoll.games.cast_away import state as ca
from atoll.games.cast_away import vocabulary
from atoll.games.cast_away.chronicle import THINGS, tell
from atoll.games.cast_away.effect_words import PRESTIGE, domain_name, gettext
from atoll.games.cast_away.outlook import outlook
from atoll.games.cast_away.picture import picture

__all__ = [
    "ANCHORS",
    "THINGS",
    "bind",
    "exists",
    "move_text",
    "needs_text",
    "picture",
    "progress",
    "prompt",
    "score",
    "tell",
]


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
    "first choice": "orientation",
    "orientation": "orientation",
    "dugout": "orientation",
    "feeding": "feeding",
    "health": "feeding",
    "over": "end",
}
"""Where the page of rules tells of each phase."""

# Moves


def exists(components: Components, move: Mapping[str, Any]) -> bool:
    """Whether a move, of which some parts may be left out, can be made with these components at all."""
    data = components.data
    match move:
        case {"do": "activate", "tile": number}:
            return any(
                tile["id"] == number and ("activate" in tile or "activate_own" in tile)
                for tile in data["constructions"]
            )
        case {"do": "build", "tile": number} | {"do": "choose tile", "choice": number}:
            return any(tile["id"] == number for tile in data["constructions"])
        case {"do": "take miracle", "choice": name}:
            return any(miracle["id"] == name for miracle in data["miracles"])
        case {"do": "take mystery tile", "choice": design} | {"design": design}:
            return any(design < storey["designs"] for storey in data["mystery"]["storeys"])
    return True


PLACEMENTS = {
    "explore": gettext("Explore"),
    "build": gettext("Build"),
    "gather": gettext("Gather fruit"),
    "draw water": gettext("Draw water"),
    "fish": gettext("Fish"),
    "take event": gettext("Take the event card"),
    "pray": gettext("Pray"),
    "leisure": gettext("Enjoy some leisure"),
    "rest": gettext("Rest: no Feeding in this round"),
    "study": gettext("Study"),
    "solve mystery": gettext("Solve the mystery"),
    "activate": gettext("Use a construction"),
    "meet tribe": gettext("Meet the tribe"),
    "leave tribe": gettext("Send a white meeple back"),
    "place compass": gettext("Place the compass marker"),
}
"""What placements and exchanges are, whatever more is chosen."""

QUESTIONS = {
    "take boosts": gettext("Choose the start boosts"),
    "take mystery tile": gettext("Choose the first tile of the mystery"),
    "spend fruit": gettext("Spend a fruit, or not"),
    "spare": gettext("Choose what a construction costs less"),
    "choose favour": gettext("Choose a favour"),
    "take miracle": gettext("Choose a miracle"),
    "take cube": gettext("Choose a resource"),
    "learn": gettext("Choose a domain"),
    "choose spot": gettext("Explore without the place"),
    "choose tile": gettext("Build without the place"),
    "double fishing": gettext("Double the catch, or not"),
    "choose first": gettext("Choose first from the compass, or not"),
    "take lot": gettext("Take a lot from the compass"),
    "take single": gettext("Take one more from the compass"),
    "eat fish": gettext("Choose what to eat"),
    "go down": gettext("Go down in health, or pay"),
}
"""What is answered, whatever the answer is."""

ANSWERS = {
    ("take boosts", "random"): gettext("Two boosts at random"),
    ("spend fruit", "yes"): gettext("Spend a fruit for more"),
    ("spend fruit", "no"): gettext("Keep the fruit"),
    ("choose favour", "stay"): gettext("Stay on this step"),
    ("double fishing", "yes"): gettext("Double the catch"),
    ("double fishing", "no"): gettext("Keep the net for later"),
    ("choose first", "yes"): gettext("Choose first, and be first player of the next round"),
    ("choose first", "no"): gettext("Keep the card for later"),
    ("go down", "lose meeple"): gettext("Go down and lose a meeple"),
}
"""Answers that say all by themselves."""


def move_text(words: Words, names: Sequence[str], move: Mapping[str, Any], view: View, seat: int) -> str:
    """A move of `seat` as a button's label says it; a move chosen in part has only some parts."""
    if "choice" in move:
        return choice_text(words, move["do"], move["choice"], view)
    if move["do"] in QUESTIONS:
        return QUESTIONS[move["do"]](words, 0)
    return action_text(words, names, move, seat) + vocabulary.meeple_text(words, move.get("with", "own"))


def action_text(words: Words, names: Sequence[str], move: Mapping[str, Any], you: int | None) -> str:
    """What a placement or an exchange does."""
    match move:
        case {"do": "explore", "resource": resource}:
            return words("Explore: %(resource)s", resource=vocabulary.resource_name(words, resource))
        case {"do": "build", "tile": tile}:
            return words("Build %(tile)s", tile=vocabulary.tile_name(words, tile))
        case {"do": "study", "domain": domain}:
            return words("Study %(domain)s", domain=domain_name(words, domain))
        case {"do": "solve mystery", "storey": storey, "design": design}:
            tile = vocabulary.design_name(words, storey, design)
            if not move.get("white"):
                return words("Solve the mystery: %(tile)s", tile=tile)
            senders = [
                words.plural("%(num)s own meeple", "%(num)s own meeples", move["own"]),
                words.plural("%(num)s white one", "%(num)s white ones", move["white"]),
            ]
            return words(
                "Solve the mystery: %(tile)s (%(meeples)s)",
                tile=tile,
                meeples=words.both(senders[0 if move["own"] else 1 :]),
            )
        case {"do": "solve mystery", "storey": storey}:
            return words("Solve the mystery: storey %(storey)s", storey=storey)
        case {"do": "solve mystery", "own": own}:
            return words.plural(
                "Solve the mystery with %(num)s own meeple", "Solve the mystery with %(num)s own meeples", own
            )
        case {"do": "solve mystery", "white": white}:
            return words.plural(
                "Solve the mystery with %(num)s white meeple",
                "Solve the mystery with %(num)s white meeples",
                white,
            )
        case {"do": "activate", "tile": tile}:
            if move.get("of", you) == you:
                return words("Use %(tile)s", tile=vocabulary.tile_name(words, tile))
            return words(
                "Use %(tile)s of %(name)s", tile=vocabulary.tile_name(words, tile), name=names[move["of"]]
            )
        case {"do": "meet tribe", "gift": None}:
            return words("Meet the tribe without a gift")
        case {"do": "meet tribe", "gift": gift}:
            return words("Meet the tribe, giving %(gift)s", gift=vocabulary.amount(words, gift, 1))
        case {"do": "leave tribe", "take": str(gift)}:
            return words("Send a white meeple back, taking %(gift)s", gift=vocabulary.amount(words, gift, 1))
        case {"do": "leave tribe", "take": None}:
            return words("Send a white meeple back, taking nothing")
        case {"do": "place compass", "position": position}:
            return words("Place the compass marker on %(position)s", position=position)
    return PLACEMENTS[move["do"]](words, 0)


def choice_text(words: Words, do: str, choice: Any, view: View) -> str:
    """An answer to a question."""
    if (do, choice) in ANSWERS:
        return ANSWERS[do, choice](words, 0)
    match do:
        case "take boosts":
            gives = vocabulary.effect_text(
                words, vocabulary.rows_of(view.components, ca.BOOST_ROWS + ca.FIRST_PLAYER)
            )
            return words("The first player’s boost (%(gives)s) and one at random", gives=gives)
        case "take mystery tile":
            return capital(vocabulary.design_name(words, 1, choice))
        case "spare":
            return words("Save %(resource)s", resource=vocabulary.amount(words, choice, 1))
        case "choose favour":
            gives = vocabulary.effect_text(
                words, vocabulary.rows_of(view.components, ca.STEP_ROWS + ca.STEPS.index(choice))
            )
            return words("Favour %(step)s: %(gives)s", step=choice, gives=gives)
        case "take miracle":
            return f"{vocabulary.miracle_name(words, choice)}. {vocabulary.miracle_help(words, choice)}"
        case "learn":
            return words("Learn %(domain)s", domain=domain_name(words, choice))
        case "choose spot":
            return words("Explore: %(resource)s", resource=vocabulary.resource_name(words, choice))
        case "choose tile":
            return words("Build %(tile)s", tile=vocabulary.tile_name(words, choice))
        case "take lot":
            count = view.fields.lots[ca.RESOURCES.index(choice)]
            return words("Take %(resource)s", resource=vocabulary.amount(words, choice, count))
        case "eat fish":
            meal = [0] * len(ca.RESOURCES)
            meal[ca.FRUIT], meal[ca.FISH] = outlook(view, view.to_act[0]).fruit_beside[choice], choice
            return words("Eat %(meal)s", meal=vocabulary.amounts(words, meal))
        case "go down":
            ransom = view.components.plain.ransom
            return words("Pay %(prestige)s and stay", prestige=PRESTIGE(words, ransom))
    return words("Take %(resource)s", resource=vocabulary.amount(words, choice, 1))  # a cube, or a single one


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
    ca.FIRST_CHOICE: gettext("Will you be first to choose from the compass?"),
    ca.ORIENTATION: gettext("Take a lot from the compass."),
    ca.DUGOUT: gettext("Take one more resource from the compass."),
    ca.FEEDING: gettext("What do you eat?"),
    ca.HEALTH: gettext("You could not feed yourself: go down, or pay?"),
}
"""The sentence that asks for a decision, by phase."""


def prompt(words: Words, names: Sequence[str], view: View, seat: int | None) -> Prompt:
    """What `seat` has to do now and what follows from it, or whom it waits for."""
    if view.is_over:
        return Prompt(words("The game is over."))
    phase = view.fields.phase
    if seat in view.to_act:
        asked = REQUESTS[phase](words, 0)
        if phase == ca.ACTION and view.fields.left_compass[seat] and view.components.plain.free_compass:
            asked = words("Place a meeple; before it you may place your compass marker.")
        return Prompt(asked, hint(words, view, view.to_act[0]))
    name = names[view.to_act[0]]
    if phase == ca.ACTION:
        return Prompt(words("%(name)s is to place a meeple or the compass marker.", name=name))
    return Prompt(words("%(name)s is choosing.", name=name))


def hint(words: Words, view: View, seat: int) -> str | None:
    """What follows from the decision, or what to think of."""
    match ca.PHASES[view.fields.phase]:
        case "action" | "orientation" | "dugout" | "cube" | "feeding":
            return needs_text(words, view, seat)
        case "boost":
            return words("The first player’s boost makes you the first player.")
        case "fruit":
            return words("Fruit is food, too. %(needs)s", needs=needs_text(words, view, seat))
        case "tile":
            return words("You pay its price, and it covers your next slot.")
        case _:
            return None


def needs_text(words: Words, view: View, seat: int) -> str:
    """What the next Feeding phase asks of a seat, and what it has (CA-31)."""
    if view.fields.rests[seat]:
        return words("You rest: you need no food in this round.")
    look = outlook(view, seat)
    return words(
        "You will need %(water)s and %(food)s food; you have %(own_water)s and %(own_food)s food.",
        water=vocabulary.amount(words, "water", look.water_needed[seat]),
        food=look.food_needed[seat],
        own_water=vocabulary.amount(words, "water", view.fields.resources[seat][ca.WATER]),
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


def progress(words: Words, view: View) -> Progress:
    """The round, of as many as there may be at most, and its steps."""
    fields, parts = view.fields, view.components.plain
    now = step_of(fields)
    steps = [step for step in STEPS if step == now or step != "boosts"]
    at = steps.index(now)
    phases = tuple(
        Phase(step, STEPS[step](words, 0), "done" if view.is_over or i < at else "now" if i == at else "next")
        for i, step in enumerate(steps)
    )
    now_round, last = fields.round_number, parts.event_cards - parts.events_boxed
    if fields.last_round:
        return Progress(now_round, now_round, phases)
    soonest = max(now_round, last - parts.ship_cards + 1)  # the Ship is among the last cards (CA-7)
    return Progress(now_round, last, phases, soonest if soonest < last else 0)


# The end


def score(words: Words, names: Sequence[str], breakdown: Sequence[Json]) -> list[list[str]]:
    """The final points: a heading row, then a row a seat."""
    heading = [
        words("Player"),
        words("Prestige in the game"),
        words("Constructions"),
        words("Their effects"),
        words("Miracles"),
        words("Mystery"),
        words("Points"),
    ]
    parts = ("prestige", "constructions", "effects", "miracles", "mystery", "points")
    rows = [[name, *(str(seat[part]) for part in parts)] for name, seat in zip(names, breakdown, strict=True)]
    return [heading, *rows]


# For templates


def effect(words: Words, rows: vocabulary.Rows) -> str:
    """What an effect gives, in a phrase that begins with a capital; empty for none."""
    return capital(vocabulary.effect_text(words, rows))


def domain_title(words: Words, domain: str) -> str:
    """A domain of experience as a heading."""
    return capital(domain_name(words, domain))


BOUND = (
    *(vocabulary.amount, vocabulary.boost_name, domain_name, domain_title, effect),
    *(vocabulary.event_help, vocabulary.event_name, vocabulary.miracle_help, vocabulary.miracle_name),
    *(vocabulary.resource_name, vocabulary.tile_help, vocabulary.tile_name),
)


def bind(words: Words) -> SimpleNamespace:
    """The words that templates use, in the language of `words`."""
    return SimpleNamespace(**{function.__name__: partial(function, words) for function in BOUND})

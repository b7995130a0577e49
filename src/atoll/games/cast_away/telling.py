"""What Cast Away says to people: moves, what to do now, the steps of a round, the log, the final score."""

from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.game import Json, Phase, Progress, Prompt
from atoll.core.position import View
from atoll.core.words import Words
from atoll.games.cast_away import vocabulary
from atoll.games.cast_away.chronicle import tell
from atoll.games.cast_away.effect_words import domain_name
from atoll.games.cast_away.picture import picture
from atoll.games.cast_away.state import LOWEST_HEALTH
from atoll.games.cast_away.vocabulary import (
    amount,
    amounts,
    design_name,
    event_help,
    event_name,
    meeple_text,
    miracle_help,
    miracle_name,
    prestige_text,
    resource_name,
    tile_help,
    tile_name,
)

__all__ = ["bind", "move_text", "needs_text", "picture", "progress", "prompt", "score", "tell"]

STEPS = {
    "boosts": ("boost",),
    "actions": (
        "boost tile",
        "action",
        "fruit",
        "discount",
        "favour",
        "miracle",
        "cube",
        "domain",
        "spot",
        "tile",
        "double",
    ),
    "orientation": ("first choice", "orientation", "dugout"),
    "feeding": ("feeding", "health", "over"),
}
"""The steps of a round as the header shows them, with the phases of each."""


# Moves


def move_text(words: Words, names: Sequence[str], move: Mapping[str, Any], view: Json, seat: int) -> str:
    """A move of `seat` as a button's label says it; a move chosen in part has only some parts."""
    if "choice" in move:
        return choice_text(words, move, view)
    text = action_text(words, names, move, seat)
    return text + meeple_text(words, move.get("with", "own"))


def action_text(words: Words, names: Sequence[str], move: Mapping[str, Any], you: int | None) -> str:
    """What a placement or an exchange does."""
    match move["do"]:
        case "explore" if "resource" in move:
            return words("Explore: %(resource)s", resource=resource_name(words, move["resource"]))
        case "explore":
            return words("Explore")
        case "build" if "tile" in move:
            return words("Build %(tile)s", tile=tile_name(words, move["tile"]))
        case "build":
            return words("Build")
        case "gather":
            return words("Gather fruit")
        case "draw water":
            return words("Draw water")
        case "fish":
            return words("Fish")
        case "take event":
            return words("Take the event card")
        case "pray":
            return words("Pray")
        case "leisure":
            return words("Enjoy some leisure")
        case "rest":
            return words("Rest: no Feeding in this round")
        case "study" if "domain" in move:
            return words("Study %(domain)s", domain=domain_name(words, move["domain"]))
        case "study":
            return words("Study")
        case "solve mystery":
            return solve_text(words, move)
        case "activate":
            return activate_text(words, names, move, you)
        case _:
            return exchange_text(words, move)


def solve_text(words: Words, move: Mapping[str, Any]) -> str:
    """Taking a tile of the mystery, and with which meeples."""
    if "design" not in move:
        return words("Solve the mystery")
    tile = design_name(words, move["storey"], move["design"])
    if not move.get("white"):
        return words("Solve the mystery: %(tile)s", tile=tile)
    return words(
        "Solve the mystery: %(tile)s (%(own)s own, %(white)s white)",
        tile=tile,
        own=move["own"],
        white=move["white"],
    )


def activate_text(words: Words, names: Sequence[str], move: Mapping[str, Any], you: int | None) -> str:
    """Using a construction, one's own or somebody else's."""
    if "tile" not in move:
        return words("Use a construction")
    tile = tile_name(words, move["tile"])
    if move.get("of", you) == you:
        return words("Use %(tile)s", tile=tile)
    return words("Use %(tile)s of %(name)s", tile=tile, name=names[move["of"]])


def exchange_text(words: Words, move: Mapping[str, Any]) -> str:
    """The tribe, and the compass marker."""
    match move["do"]:
        case "meet tribe" if move.get("gift"):
            return words("Meet the tribe, giving %(gift)s", gift=amount(words, move["gift"], 1))
        case "meet tribe" if "gift" in move:
            return words("Meet the tribe without a gift")
        case "meet tribe":
            return words("Meet the tribe")
        case "leave tribe" if move.get("take"):
            return words("Send a white meeple back, taking %(gift)s", gift=amount(words, move["take"], 1))
        case "leave tribe":
            return words("Send a white meeple back")
        case _ if "position" in move:
            return words("Place the compass marker on %(position)s", position=move["position"])
        case _:
            return words("Place the compass marker")


def choice_text(words: Words, move: Mapping[str, Any], view: Json) -> str:
    """An answer to a question."""
    choice = move["choice"]
    match move["do"]:
        case "take boosts" if choice == "face up":
            return words("The first player’s boost and one at random")
        case "take boosts":
            return words("Two boosts at random")
        case "take mystery tile":
            return capital_design(words, choice)
        case "spend fruit" if choice == "yes":
            return words("Spend a fruit for more")
        case "spend fruit":
            return words("Keep the fruit")
        case "spare":
            return words("Spare %(resource)s", resource=amount(words, choice, 1))
        case "choose favour" if choice == "stay":
            return words("Stay on this step")
        case "choose favour":
            return favour_text(words, choice)
        case "take miracle":
            return f"{miracle_name(words, choice)}. {miracle_help(words, choice)}"
        case "take cube" | "take single":
            return words("Take %(resource)s", resource=amount(words, choice, 1))
        case "learn":
            return words("Learn %(domain)s", domain=domain_name(words, choice))
        case "choose spot":
            return words("Explore: %(resource)s", resource=resource_name(words, choice))
        case "choose tile":
            return words("Build %(tile)s", tile=tile_name(words, choice))
        case _:
            return upkeep_text(words, move, view)


def capital_design(words: Words, design: int) -> str:
    """A tile of the first storey as a button says it."""
    return vocabulary.capital(design_name(words, 1, design))


def favour_text(words: Words, step: str) -> str:
    """A favour with what it gives."""
    steps = words.components.get("favours", {}).get("steps", ())
    index = "ABCDEFGH".index(step)
    gives = vocabulary.effect_text(words, steps[index]) if index < len(steps) else ""
    return words("Favour %(step)s: %(gives)s", step=step, gives=gives)


def upkeep_text(words: Words, move: Mapping[str, Any], view: Json) -> str:
    """An answer in the Orientation or Feeding phase, or about event 6."""
    choice = move["choice"]
    match move["do"]:
        case "double fishing" if choice == "yes":
            return words("Double the catch")
        case "double fishing":
            return words("Keep the net for later")
        case "choose first" if choice == "yes":
            return words("Choose first, and be first player of the next round")
        case "choose first":
            return words("Keep the card for later")
        case "take lot":
            count = view["compass"]["lots"].get(choice, 0)
            return words("Take %(resource)s", resource=amount(words, choice, count))
        case "eat fish":
            return meal_text(words, choice, view)
        case _ if choice == "pay":
            ransom = words.components.get("food", {}).get("ransom", 0)
            return words("Pay %(prestige)s and stay", prestige=prestige_text(words, ransom))
        case _:
            return words("Go down and lose a meeple")


def meal_text(words: Words, fish: int, view: Json) -> str:
    """What is eaten with so many fish."""
    food = words.components.get("food", {}).get("fish", 0)
    level = health_level(words, view["players"][view["to_act"][0]]["health"]) if view["to_act"] else {}
    fruit = max(0, level.get("food", 0) - food * fish)
    return words("Eat %(meal)s", meal=amounts(words, {"fish": fish, "fruit": fruit}))


def health_level(words: Words, health: int) -> Json:
    """A level of health as the components file has it."""
    levels = words.components.get("health", {}).get("levels", ())
    index = health - LOWEST_HEALTH
    return levels[index] if index < len(levels) else {}


# What to do now


def prompt(words: Words, names: Sequence[str], view: Json, seat: int | None) -> Prompt:
    """What `seat` has to do now and what follows from it, or whom it waits for."""
    if not view["to_act"]:
        return Prompt(words("The game is over."))
    if seat is not None and seat in view["to_act"]:
        return Prompt(request(words, view["phase"]), hint(words, view, seat))
    name = names[view["to_act"][0]]
    if view["phase"] == "action":
        return Prompt(words("%(name)s is to place a meeple or the compass marker.", name=name))
    return Prompt(words("%(name)s is choosing.", name=name))


def request(words: Words, phase: str) -> str:
    """The sentence that asks for a decision."""
    match phase:
        case "boost":
            return words("Take your two start boosts.")
        case "boost tile":
            return words("Choose a tile of the mystery.")
        case "action":
            return words("Place a meeple or your compass marker.")
        case "fruit":
            return words("Will you spend a fruit for more resources?")
        case "discount":
            return words("Which resource do you save?")
        case "favour":
            return words("Take a favour and go back, or stay on the step?")
        case "miracle":
            return words("Choose a miracle.")
        case "cube":
            return words("Choose a resource.")
        case "domain":
            return words("Choose a domain to learn.")
        case "spot":
            return words("Choose where to explore.")
        case "tile":
            return words("Choose what to build.")
        case "double":
            return words("Will you double the catch?")
        case "first choice":
            return words("Will you be first to choose from the compass?")
        case "orientation":
            return words("Take a lot from the compass.")
        case "dugout":
            return words("Take one more resource from the compass.")
        case "feeding":
            return words("What do you eat?")
        case _:
            return words("You could not feed yourself: go down, or pay?")


def hint(words: Words, view: Json, seat: int) -> str | None:
    """What follows from the decision, or what to think of."""
    match view["phase"]:
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


def needs_text(words: Words, view: Json, seat: int) -> str:
    """What the next Feeding phase asks of a seat, and what it has."""
    player = view["players"][seat]
    if player["rests"]:
        return words("You rest: you need no food in this round.")
    level = health_level(words, player["health"])
    food = words.components.get("food", {}).get("fish", 0)
    held = player["resources"]
    has_fire = player["experience"]["fire"] > 0
    return words(
        "You will need %(water)s and %(food)s food; you have %(own_water)s and %(own_food)s food.",
        water=amount(words, "water", level.get("water", 0)),
        food=level.get("food", 0),
        own_water=amount(words, "water", held["water"]),
        own_food=held["fruit"] + (food * held["fish"] if has_fire else 0),
    )


# The header


def step_label(words: Words, step: str) -> str:
    """A step of the round in a word or two."""
    match step:
        case "boosts":
            return words("Boosts")
        case "actions":
            return words("Actions")
        case "orientation":
            return words("Orientation")
        case _:
            return words("Feeding")


def progress(words: Words, view: View) -> Progress:
    """The round, of as many as there may be at most, and its steps."""
    components = view.components
    data = components.data
    rounds = data["counts"]["events"] - data["event_pile"]["boxed"]
    now = next(step for step, phases in STEPS.items() if view["phase"] in phases)
    if view["phase"] == "boost tile" and view["event"] is None and not any(view["places"].values()):
        now = "boosts"
    steps = [step for step in STEPS if step == now or step != "boosts"]
    at = steps.index(now)
    over = not view["to_act"]
    phases = tuple(
        Phase(step, step_label(words, step), "done" if over or i < at else "now" if i == at else "next")
        for i, step in enumerate(steps)
    )
    return Progress(view["round"], view["round"] if view["last_round"] else rounds, phases)


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


class Bound:
    """The game's composed words in one language: what templates call `t`."""

    def __init__(self, words: Words) -> None:
        self.words = words

    def tile_name(self, tile: int) -> str:
        """A construction by its name."""
        return tile_name(self.words, tile)

    def tile_help(self, tile: int) -> list[str]:
        """What a construction does."""
        return tile_help(self.words, tile)

    def event_name(self, card: str) -> str:
        """An event card by its name."""
        return event_name(self.words, card)

    def event_help(self, card: str) -> list[str]:
        """What an event card does."""
        return event_help(self.words, card)

    def miracle_name(self, miracle: str) -> str:
        """A miracle by its name."""
        return miracle_name(self.words, miracle)

    def miracle_help(self, miracle: str) -> str:
        """What a miracle counts."""
        return miracle_help(self.words, miracle)

    def domain_name(self, domain: str) -> str:
        """A domain of experience."""
        return domain_name(self.words, domain)

    def resource_name(self, resource: str) -> str:
        """A kind of resource."""
        return resource_name(self.words, resource)

    def boost_name(self, boost: str) -> str:
        """A start boost."""
        return vocabulary.boost_name(self.words, boost)

    def amount(self, resource: str, count: int) -> str:
        """So many of a resource."""
        return amount(self.words, resource, count)

    def effect(self, effect: Mapping[str, Any]) -> str:
        """What an effect gives, in a phrase that begins with a capital; empty for none."""
        return vocabulary.capital(vocabulary.effect_text(self.words, effect))

    def domain_title(self, domain: str) -> str:
        """A domain of experience as a heading."""
        return vocabulary.capital(domain_name(self.words, domain))

    def needs(self, view: Json, seat: int) -> str:
        """What the next Feeding phase asks of a seat."""
        return needs_text(self.words, view, seat)


def bind(words: Words) -> Bound:
    """The words that templates use, in the language of `words`."""
    return Bound(words)

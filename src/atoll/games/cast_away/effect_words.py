"""The words in which effects are written, one row a word: its name in the components file, its sign, its phrase, what
it is worth to the advice where that is the same in all positions, and the function that carries it out or counts it.

To add a word of what happens at once or is counted, write its row and its function, the first of these in `goods.py`;
a word that asks has a phase, whose row is in `effects.QUESTIONS`. What holds always has a code in
`state.py`: a player's `bonus` has the sum of each, for whatever rule reads it. `components.toml` explains the words.
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from atoll.engine.compiling import compiled
from atoll.engine.dispatching import dispatch
from atoll.games.cast_away import goods
from atoll.games.cast_away import state as ca
from atoll.text.translation import Translator, texts

Phrase = Callable[[Translator, int], str]
"""A word with its number, in the reader's language."""


def plural(one: str, many: str) -> Phrase:
    """A phrase with its number in it."""
    return lambda words, num: words.plural(one, many, num)


def gettext(text: str, gains: Phrase | None = None) -> Phrase:
    """A phrase without a number, or around what is gained."""
    return lambda words, num: words(text, gains=gains(words, num)) if gains else words(text)


PRESTIGE = plural("%(num)s prestige", "%(num)s prestige")
AMOUNTS = {
    "bamboo": plural("%(num)s bamboo", "%(num)s bamboo"),
    "liana": plural("%(num)s liana", "%(num)s lianas"),
    "palm": plural("%(num)s palm leaf", "%(num)s palm leaves"),
    "fruit": plural("%(num)s fruit", "%(num)s fruits"),
    "water": plural("%(num)s water", "%(num)s water"),
    "fish": plural("%(num)s fish", "%(num)s fish"),
}
"""So many of a resource."""
DOMAIN_NAMES = {
    "fire": gettext("fire"),
    "fishing": gettext("fishing"),
    "nature": gettext("knowledge of nature"),
    "construction": gettext("construction"),
    "faith": gettext("faith"),
}


def domain_name(translator: Translator, domain: str) -> str:
    """A domain of experience inside a sentence."""
    return DOMAIN_NAMES[domain](translator, 0)


def _levels(name: str) -> Phrase:
    def phrase(translator: Translator, num: int) -> str:
        domain = domain_name(translator, name)
        return translator.plural(
            "%(num)s level in %(domain)s", "%(num)s levels in %(domain)s", num, domain=domain
        )

    return phrase


# What happens at once or by activation


@dataclass(frozen=True)
class NamedWord:
    """What every word has: its name in the components file, the symbol that is its sign, and its phrase."""

    name: str
    icon: str
    phrase: Phrase


@dataclass(frozen=True)
class Word(NamedWord):
    """A word of what happens at once or by activation; its number, up to MAX_AMOUNT, says how much.

    It is carried out by a function, or `asks` in a phase. `worth` is what each is worth to the bots' advice, in
    tenths of a point, where that is the same in all positions.
    """

    function: Any = None
    asks: int = 0
    target: int = 0
    worth: int = 0

    @property
    def code(self) -> int:
        """Its number in the rows of the rules."""
        return code_of(self.function) if self.function else ca.QUESTION + self.asks


WORDS = (
    *(
        Word(name, f"cube-{name}", phrase, goods.gain_by_effect, target=ca.RESOURCES.index(name))
        for name, phrase in AMOUNTS.items()
    ),
    Word(
        "any_cube",
        "i-cube",
        plural("%(num)s cube of your choice", "%(num)s cubes of your choice"),
        asks=ca.CUBE,
        target=ca.CUBES,
        worth=7,
    ),
    Word(
        "any_building",
        "i-building",
        plural("%(num)s building resource of your choice", "%(num)s building resources of your choice"),
        asks=ca.CUBE,
        target=ca.BUILDING,
        worth=7,
    ),
    *(Word(name, f"i-{name}", _levels(name), goods.learn, target=i) for i, name in enumerate(ca.DOMAINS)),
    Word(
        "any_level",
        "i-book",
        plural("%(num)s level in a domain of your choice", "%(num)s levels in domains of your choice"),
        asks=ca.DOMAIN,
    ),
    Word("prestige", "i-star", PRESTIGE, goods.score_by_effect, worth=10),
    Word("happiness", "i-smile", plural("%(num)s happiness", "%(num)s happiness"), goods.be_happier),
    Word(
        "look",
        "i-look",
        plural("a secret look at the next event", "a secret look at the next %(num)s events"),
        goods.look_at_events,
    ),
    Word(
        "miracle",
        "i-miracle",
        plural("a miracle of your choice", "%(num)s miracles of your choice"),
        asks=ca.MIRACLE,
    ),
    Word(
        "mystery",
        "i-mystery",
        plural("a tile of the mystery’s first storey", "%(num)s tiles of the mystery’s first storey"),
        asks=ca.BOOST_TILE,
    ),
)
"""In the order in which they are carried out and explained."""

FUNCTIONS = tuple(dict.fromkeys(word.function for word in WORDS if word.function))
"""What carries words out without asking, in the order of their codes."""


def code_of(function: Any) -> int:
    """The code of the words that a function carries out; those that rules and cards put on the pile come first."""
    return ca.FIRST_WORD + FUNCTIONS.index(function)


GAIN, LEVEL, HAPPINESS = map(code_of, (goods.gain_by_effect, goods.learn, goods.be_happier))


# Actions without their place


class Action(NamedWord):
    """A word for `action`; its code is its place in ACTIONS, and `effects.carry_out` knows its place of the board."""


ACTIONS = (
    Action("exploration", "i-explore", gettext("an Exploration as first to arrive")),
    Action(
        "construction",
        "i-construction",
        gettext("a Construction without a place and without a discount for the first to arrive"),
    ),
    Action("gathering", "cube-fruit", gettext("a Gathering")),
    Action("water", "cube-water", gettext("water as at the source")),
    Action("fishing", "i-fishing", gettext("a Fishing")),
    Action("prayer", "i-faith", gettext("a Prayer")),
    Action("leisure", "i-smile", gettext("a Leisure")),
    Action("rest", "i-rest", gettext("a Rest: no Feeding in this round")),
)


# What holds always, as long as a player has the card; each is a number that adds up


@dataclass(frozen=True)
class LastingWord(NamedWord):
    """A word of what holds always, or of what an event card is kept for `until_used`. Its code, which is that of the
    bonus, is its place in LASTING.

    It is drawn with its number behind the `sign`, without one if that is empty. Words of which a sentence tells
    `together` are said in that sentence.
    """

    sign: str = "+"
    together: str = ""
    until_used: bool = False


EVERY_ROUND, CHEAPER = texts("%(gains)s every round", "constructions cost %(gains)s less")
LASTING = (  # in the order in which `state.py` counts what holds always, from INCOME on
    *(
        LastingWord(f"income.{name}", f"cube-{name}", phrase, together=EVERY_ROUND)
        for name, phrase in AMOUNTS.items()
    ),
    *(
        LastingWord(f"reduction.{name}", f"cube-{name}", AMOUNTS[name], "−", CHEAPER)
        for name in ca.RESOURCES[: ca.BUILDING]
    ),
    LastingWord(
        "reduction.any",
        "i-building",
        plural(
            "constructions cost %(num)s resource of your choice less",
            "constructions cost %(num)s resources of your choice less",
        ),
        "−",
    ),
    LastingWord("gathering", "cube-fruit", gettext("%(gains)s more whenever you gather", AMOUNTS["fruit"])),
    LastingWord("fishing", "cube-fish", gettext("%(gains)s more whenever you fish", AMOUNTS["fish"])),
    LastingWord(
        "exploration",
        "i-explore",
        plural(
            "a fruit brings %(num)s resource more when you explore",
            "a fruit brings %(num)s resources more when you explore",
        ),
    ),
    LastingWord(
        "free_exploration",
        "i-explore",
        gettext("when you explore, what a fruit brings comes without a fruit"),
        "",
    ),
    LastingWord(
        "prayer",
        "i-faith",
        plural("%(num)s step more whenever you pray", "%(num)s steps more whenever you pray"),
    ),
    LastingWord("keep_fish", "cube-fish", gettext("%(gains)s more may be kept", AMOUNTS["fish"])),
    LastingWord("no_gift", "i-candle", gettext("meeting the tribe costs no gift"), ""),
    LastingWord("event_prestige", "i-star", gettext("%(gains)s whenever you take an event", PRESTIGE)),
    LastingWord(
        "majority_prestige", "i-star", gettext("%(gains)s more for the majority above the candle", PRESTIGE)
    ),
    LastingWord(
        "singles",
        "i-compass",
        plural(
            "%(num)s single resource from the compass after the Orientation phase",
            "%(num)s single resources from the compass after the Orientation phase",
        ),
    ),
    LastingWord("calumet", "i-calumet", gettext("you win ties above the candle"), ""),
    LastingWord(
        "double_fishing",
        "i-net",
        gettext("doubles the fish of one card, announced before it is turned over"),
        "",
        until_used=True,
    ),
    LastingWord(
        "first_in_orientation",
        "i-compass",
        gettext("first choice in an Orientation phase, and first player of the next round"),
        "",
        until_used=True,
    ),
)


# What is counted, by miracles and at the end (CA-41)


@compiled
def resources(state, seat):
    total = 0
    for resource in range(len(ca.RESOURCES)):
        total += int(state.resources[seat, resource])
    return total


@compiled
def happiness(state, seat):
    return int(state.happiness[seat])


@compiled
def health(state, seat):
    return int(state.health[seat])


@compiled
def levels(state, seat):
    """Levels of all domains together."""
    total = 0
    for domain in range(len(ca.DOMAINS)):
        total += int(state.experience[seat, domain])
    return total


@compiled
def constructions(state, seat):
    return int(state.slot_count[seat]) - miracles(state, seat)


@compiled
def above_candle(state, seat):
    """Own meeples above the candle."""
    return int(state.candle[seat])


@compiled
def mystery_tiles(state, seat):
    total = 0
    for design in range(ca.DESIGNS):
        total += int(state.mystery[seat, design])
    return total


@compiled
def events_held(state, seat):
    total = 0
    for i in range(state.held_count):
        total += 1 if state.held_by[i] == seat else 0
    return total


@compiled
def miracles(state, seat):
    total = 0
    for slot in range(state.slot_count[seat]):
        total += 1 if state.slots[seat, slot] >= ca.MIRACLE_SLOT else 0
    return total


@dataclass(frozen=True)
class Count(NamedWord):
    """A word for what is counted, `phrase` in the plural, and what counts it; its code is its place in COUNTS."""

    function: Any


COUNTS = (
    Count("resources", "i-cube", gettext("resources of all six kinds together"), resources),
    Count("happiness", "i-smile", gettext("points of happiness"), happiness),
    Count("health", "i-heart", gettext("levels of health"), health),
    Count("levels", "i-book", gettext("levels of experience"), levels),
    Count("constructions", "i-construction", gettext("constructions"), constructions),
    Count("candle", "i-candle", gettext("own meeples above the candle"), above_candle),
    Count("mystery", "i-mystery", gettext("tiles of the mystery"), mystery_tiles),
    Count("events", "i-card", gettext("event cards held"), events_held),
    Count("miracles", "i-miracle", gettext("miracles"), miracles),
)
count_of = dispatch("count_of", __name__, ("state", "seat"), [count.function for count in COUNTS])

"""The words in which effects are written, one row a word: what it says, how it is drawn, its code, what it is worth.

`components.toml` explains them to designers. To add a word, write its row here, with a code of its own, and

- of what happens at once or by activation, its branch of `effects.take_effect`;
- of what holds always, whatever reads it: a player's `bonus` has the sum of each;
- of the actions, its branch of `actions.carry_out`, and of `actions.may_carry_out` if it can be without effect;
- of what is counted, its branch of `scoring.count_of`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from atoll.core.words import Words
from atoll.games.cast_away.state import (
    BOOST_TILE,
    BUILDING,
    CUBE,
    CUBES,
    DOMAIN,
    DOMAINS,
    MIRACLE,
    QUESTION,
    RESOURCES,
)

Phrase = Callable[[Words, int], str]
"""A word with its number, in the reader's language."""


# What happens at once or by activation

(
    GAIN,  # target: resource
    PAY,  # target: resource
    PRESTIGE,
    HAPPINESS,
    LEVEL,  # target: domain
    LOOK,  # at so many events
    CARRY_OUT,  # target: one of ACTIONS
    FINISH_BUILDING,  # this one and the next stand in no file, rules put them on the pile
    DRAW_FISH,
    SHUFFLE_FISHING,
) = EFFECTS = range(10)
"""Codes of effects without a choice in them; of others it is QUESTION + the phase in which they ask."""


@dataclass(frozen=True)
class Word:
    """A word of what happens at once or by activation; its number, up to MAX_AMOUNT, says how much.

    `worth` is what each is worth to the bots' advice, in tenths of a point, where that is the same in all positions.
    """

    name: str
    code: int
    icon: str
    phrase: Phrase
    target: int = 0
    worth: int = 0


def _resource(name: str, phrase: Phrase) -> Word:
    return Word(name, GAIN, f"cube-{name}", phrase, RESOURCES.index(name))


def _bamboo(words: Words, num: int) -> str:
    return words.plural("%(num)s bamboo", "%(num)s bamboo", num)


def _liana(words: Words, num: int) -> str:
    return words.plural("%(num)s liana", "%(num)s lianas", num)


def _palm(words: Words, num: int) -> str:
    return words.plural("%(num)s palm leaf", "%(num)s palm leaves", num)


def _fruit(words: Words, num: int) -> str:
    return words.plural("%(num)s fruit", "%(num)s fruits", num)


def _water(words: Words, num: int) -> str:
    return words.plural("%(num)s water", "%(num)s water", num)


def _fish(words: Words, num: int) -> str:
    return words.plural("%(num)s fish", "%(num)s fish", num)


def _prestige(words: Words, num: int) -> str:
    return words.plural("%(num)s prestige", "%(num)s prestige", num)


def domain_name(words: Words, domain: str) -> str:
    """A domain of experience inside a sentence."""
    match domain:
        case "fire":
            return words("fire")
        case "fishing":
            return words("fishing")
        case "nature":
            return words("knowledge of nature")
        case "construction":
            return words("construction")
        case _:
            return words("faith")


def _level(target: int, name: str) -> Word:
    def phrase(words: Words, num: int) -> str:
        domain = domain_name(words, name)
        return words.plural("%(num)s level in %(domain)s", "%(num)s levels in %(domain)s", num, domain=domain)

    return Word(name, LEVEL, f"i-{name}", phrase, target)


WORDS = (
    _resource("bamboo", _bamboo),
    _resource("liana", _liana),
    _resource("palm", _palm),
    _resource("fruit", _fruit),
    _resource("water", _water),
    _resource("fish", _fish),
    Word(
        "any_cube",
        QUESTION + CUBE,
        "i-cube",
        lambda words, num: words.plural("%(num)s cube of your choice", "%(num)s cubes of your choice", num),
        target=CUBES,
        worth=7,
    ),
    Word(
        "any_building",
        QUESTION + CUBE,
        "i-building",
        lambda words, num: words.plural(
            "%(num)s building resource of your choice", "%(num)s building resources of your choice", num
        ),
        target=BUILDING,
        worth=7,
    ),
    *(_level(target, name) for target, name in enumerate(DOMAINS)),
    Word(
        "any_level",
        QUESTION + DOMAIN,
        "i-book",
        lambda words, num: words.plural(
            "%(num)s level in a domain of your choice", "%(num)s levels in domains of your choice", num
        ),
    ),
    Word("prestige", PRESTIGE, "i-star", _prestige, worth=10),
    Word(
        "happiness",
        HAPPINESS,
        "i-smile",
        lambda words, num: words.plural("%(num)s happiness", "%(num)s happiness", num),
    ),
    Word(
        "look",
        LOOK,
        "i-look",
        lambda words, num: words.plural(
            "a secret look at the next event", "a secret look at the next %(num)s events", num
        ),
    ),
    Word(
        "miracle",
        QUESTION + MIRACLE,
        "i-miracle",
        lambda words, num: words.plural("a miracle of your choice", "%(num)s miracles of your choice", num),
    ),
    Word(
        "mystery",
        QUESTION + BOOST_TILE,
        "i-mystery",
        lambda words, num: words.plural(
            "a tile of the mystery’s first storey", "%(num)s tiles of the mystery’s first storey", num
        ),
    ),
)
"""In the order in which they are carried out and told."""


# Actions without their place

EXPLORE, BUILD, GATHER, DRAW_WATER, FISH_ACTION, PRAY, ENJOY, REST = range(8)


@dataclass(frozen=True)
class Action:
    """A word for `action`; its code is its place in ACTIONS."""

    name: str
    icon: str
    phrase: Callable[[Words], str]


ACTIONS = (
    Action("exploration", "i-explore", lambda words: words("an Exploration as first to arrive")),
    Action("construction", "i-construction", lambda words: words("a Construction without a place")),
    Action("gathering", "cube-fruit", lambda words: words("a Gathering")),
    Action("water", "cube-water", lambda words: words("water as at the source")),
    Action("fishing", "i-fishing", lambda words: words("a Fishing")),
    Action("prayer", "i-faith", lambda words: words("a Prayer")),
    Action("leisure", "i-smile", lambda words: words("a Leisure")),
    Action("rest", "i-rest", lambda words: words("a Rest: no Feeding in this round")),
)


# What holds always, as long as a player has the card; each is a number that adds up

INCOME = 0  # + resource: at the start of a round
REDUCTION = INCOME + len(RESOURCES)  # + building resource: constructions cost so much less of it
FREE_REDUCTION = REDUCTION + BUILDING  # constructions cost so much less of what one chooses
(
    GATHERING_BONUS,
    FISHING_BONUS,
    EXPLORATION_BONUS,  # more for a fruit
    FREE_EXPLORATION,  # what a fruit brings comes without it
    PRAYER_BONUS,
    KEEP_FISH,
    NO_GIFT,
    EVENT_PRESTIGE,  # whenever one takes an event card
    MAJORITY_PRESTIGE,  # whenever one scores the majority above the candle
    SINGLES,  # resources after the Orientation phase
    CALUMET,
    DOUBLE_FISHING,  # used up
    FIRST_IN_ORIENTATION,  # used up
) = range(FREE_REDUCTION + 1, FREE_REDUCTION + 14)


@dataclass(frozen=True)
class Lasting:
    """A word of what holds always, or of what an event card is kept for `until_used`; drawn with its number if
    `counted`.
    """

    name: str
    code: int
    icon: str
    phrase: Phrase
    counted: bool = True
    until_used: bool = False


LASTING = (
    Lasting(
        "gathering",
        GATHERING_BONUS,
        "cube-fruit",
        lambda words, num: words("%(gains)s more whenever you gather", gains=_fruit(words, num)),
    ),
    Lasting(
        "fishing",
        FISHING_BONUS,
        "cube-fish",
        lambda words, num: words("%(gains)s more whenever you fish", gains=_fish(words, num)),
    ),
    Lasting(
        "exploration",
        EXPLORATION_BONUS,
        "i-explore",
        lambda words, num: words.plural(
            "a fruit brings %(num)s resource more when you explore",
            "a fruit brings %(num)s resources more when you explore",
            num,
        ),
    ),
    Lasting(
        "free_exploration",
        FREE_EXPLORATION,
        "i-explore",
        lambda words, _: words("when you explore, what a fruit brings comes without a fruit"),
        counted=False,
    ),
    Lasting(
        "prayer",
        PRAYER_BONUS,
        "i-faith",
        lambda words, num: words.plural(
            "%(num)s step more whenever you pray", "%(num)s steps more whenever you pray", num
        ),
    ),
    Lasting(
        "keep_fish",
        KEEP_FISH,
        "cube-fish",
        lambda words, num: words("%(gains)s more may be kept", gains=_fish(words, num)),
    ),
    Lasting(
        "no_gift",
        NO_GIFT,
        "i-candle",
        lambda words, _: words("meeting the tribe costs no gift"),
        counted=False,
    ),
    Lasting(
        "event_prestige",
        EVENT_PRESTIGE,
        "i-star",
        lambda words, num: words("%(gains)s whenever you take an event", gains=_prestige(words, num)),
    ),
    Lasting(
        "majority_prestige",
        MAJORITY_PRESTIGE,
        "i-star",
        lambda words, num: words(
            "%(gains)s more for the majority above the candle", gains=_prestige(words, num)
        ),
    ),
    Lasting(
        "singles",
        SINGLES,
        "i-compass",
        lambda words, num: words.plural(
            "%(num)s single resource from the compass after the Orientation phase",
            "%(num)s single resources from the compass after the Orientation phase",
            num,
        ),
    ),
    Lasting(
        "calumet",
        CALUMET,
        "i-calumet",
        lambda words, _: words("you win ties above the candle"),
        counted=False,
    ),
    Lasting(
        "double_fishing",
        DOUBLE_FISHING,
        "i-net",
        lambda words, _: words("doubles the fish of one card"),
        counted=False,
        until_used=True,
    ),
    Lasting(
        "first_in_orientation",
        FIRST_IN_ORIENTATION,
        "i-compass",
        lambda words, _: words("first choice in an Orientation phase, and first player of the next round"),
        counted=False,
        until_used=True,
    ),
)


# What is counted, by miracles and at the end

(
    COUNT_RESOURCES,
    COUNT_HAPPINESS,
    COUNT_HEALTH,
    COUNT_LEVELS,
    COUNT_CONSTRUCTIONS,
    COUNT_CANDLE,
    COUNT_MYSTERY,
    COUNT_EVENTS,
    COUNT_MIRACLES,
) = range(9)


@dataclass(frozen=True)
class Count:
    """A word for what is counted, `phrase` in the plural; its code is its place in COUNTS."""

    name: str
    icon: str
    phrase: Callable[[Words], str]


COUNTS = (
    Count("resources", "i-cube", lambda words: words("resources")),
    Count("happiness", "i-smile", lambda words: words("points of happiness")),
    Count("health", "i-heart", lambda words: words("levels of health")),
    Count("levels", "i-book", lambda words: words("levels of experience")),
    Count("constructions", "i-construction", lambda words: words("constructions")),
    Count("candle", "i-candle", lambda words: words("own meeples above the candle")),
    Count("mystery", "i-mystery", lambda words: words("tiles of the mystery")),
    Count("events", "i-card", lambda words: words("event cards held")),
    Count("miracles", "i-miracle", lambda words: words("miracles")),
)

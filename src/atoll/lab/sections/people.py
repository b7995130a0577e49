"""The section of a report on people's games: figures beside those of bots, 17lands' of cards, and what people said."""

import math
from collections.abc import Iterator, Sequence

import msgspec

from atoll.lab import estimates
from atoll.lab.estimates import Estimate
from atoll.lab.figures import Measure, Names, Provenance, name_in
from atoll.lab.items import NamedItem
from atoll.lab.page.numbers import figure, sure
from atoll.lab.page.pictures import NumberTable, Picture
from atoll.lab.sections.findings import AVAILABLE, BEGIN, OPENING, SEAT, TIMES, USE, WIN
from atoll.text.translation import Translator, texts

FIGURE = "figure"
FEWEST_GAMES = 30
"""Of fewer games nothing is said."""
MOST_TOLD = 7
MOST_FUN = 5
IN_HAND = Measure(
    *texts(
        "17lands, win rates of cards that were seen, played and passed over",
        "of what could be used at least once in a game, and not of what was drawn",
    )
)


class FigureOfBoth(msgspec.Struct, frozen=True):
    """A figure between bots and between people: a number a game ("figure"), or of the kinds of findings. `unit` is
    "share" or nothing; `apart` whether the intervals do not meet, which is told of enough games alone; `gap` how far
    apart they are, in parts of both intervals, positive where people have more.
    """

    kind: str
    name: Names
    seat: int
    players: int
    bots: Estimate
    people: Estimate
    unit: str
    apart: bool
    gap: float


class ThingInHand(msgspec.Struct, frozen=True):
    """What people won who could use a thing at least once, who did, and who passed it over; and bots.

    Biased: who is ahead can use more, and who knows a thing uses it.
    """

    thing: NamedItem
    seen: Estimate
    used: Estimate | None
    passed: Estimate | None
    bots_used: Estimate | None
    bots_passed: Estimate | None


class Feedback(msgspec.Struct, frozen=True):
    """What somebody said after a game: how much fun it was, from 1 to 5, and what was confusing."""

    fun: int | None
    confusing: str


class PeopleFigures(msgspec.Struct, frozen=True):
    """What people's games say: how many there are, how many of them without a bot, and how many were left out, by why:
    another "game", "set", number of "players" or "options", "unfinished", between "bots" alone, by other "rules".
    """

    games: int
    between_people: int
    left_out: dict[str, int]
    figures: list[FigureOfBoth]
    things: list[ThingInHand]
    feedback: list[Feedback]


def pictures(section: PeopleFigures, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """Where people and bots disagree, every figure of both, cards and tiles, and what people said."""
    apart = _largest([one for one in section.figures if one.apart])
    yield Picture(
        translator("Where people and bots disagree"),
        "",
        people_told(section, translator),
        _table(apart, translator),
    )
    if section.figures:
        yield Picture(
            translator("People beside bots"),
            "",
            translator(
                "Figures of whole games, seats and first choices come from games between people alone; of things, "
                "from the seats of people in all of them."
            ),
            _table(section.figures, translator),
        )
    if section.things:
        yield _in_hand(section, translator)
    if section.feedback:
        yield _said(section.feedback, translator)


def people_told(section: PeopleFigures, translator: Translator) -> str:
    """What people's games say, in a few sentences."""
    apart = [one for one in section.figures if one.apart]
    return " ".join([_how_many(section, translator), *_disagreements(section, _largest(apart), translator)])


def _largest(figures: Sequence[FigureOfBoth]) -> list[FigureOfBoth]:
    return sorted(figures, key=lambda one: -abs(one.gap))


def _how_many(section: PeopleFigures, translator: Translator) -> str:
    """What was counted, what was left out and why, and whether it is enough."""
    parts = [
        translator.plural(
            "%(num)s game with people, %(alone)s of them without a bot.",
            "%(num)s games with people, %(alone)s of them without a bot.",
            section.games,
            alone=section.between_people,
        )
    ]
    if section.left_out:
        whys = {
            "game": translator("of another game"),
            "set": translator("with another set"),
            "players": translator("with another number of players"),
            "options": translator("with other options"),
            "unfinished": translator("not finished"),
            "bots": translator("between bots alone"),
            "rules": translator("by rules that are no longer here"),
        }
        told = [f"{count} {whys.get(why, why)}" for why, count in section.left_out.items()]
        parts.append(translator("Left out: %(games)s.", games=translator.both(told)))
    return " ".join(parts)


def too_few(games: int, translator: Translator) -> str:
    """That so many games say nothing."""
    return translator.plural("%(num)s game: too few to tell.", "%(num)s games: too few to tell.", games)


def _disagreements(
    section: PeopleFigures, apart: Sequence[FigureOfBoth], translator: Translator
) -> Iterator[str]:
    """The largest in sentences."""
    if section.games < FEWEST_GAMES:
        yield too_few(section.games, translator)
        return
    if section.between_people < FEWEST_GAMES:
        yield translator("Without bots: %(too_few)s", too_few=too_few(section.between_people, translator))
    if not apart:
        yield translator(
            "Of %(count)s figures none is sure to be another between people than between bots.",
            count=figure(len(section.figures), "count", translator),
        )
        return
    for one in apart[:MOST_TOLD]:
        yield translator(
            "%(what)s: people %(people)s, bots %(bots)s.",
            what=label(one, translator),
            people=sure(one.people, one.unit, translator),
            bots=sure(one.bots, one.unit, translator),
        )
    yield translator(
        "Told is where the two ranges do not meet; chance alone would bring that about in some %(chance)s of "
        "%(count)s figures.",
        chance=figure(sum(map(_by_chance, section.figures)), "", translator),
        count=figure(len(section.figures), "count", translator),
    )


def _by_chance(one: FigureOfBoth) -> float:
    """How likely the ranges of two equal figures do not meet."""
    first, second = one.bots.high - one.bots.low, one.people.high - one.people.low
    if "none" in (one.bots.method, one.people.method) or not first + second:
        return 0.0
    return estimates.normal_tail(estimates.Z * (first + second) / math.hypot(first, second))


def label(one: FigureOfBoth, translator: Translator) -> str:
    """What a figure is."""
    name = name_in(one.name, translator)
    return {
        FIGURE: name,
        SEAT: translator("Won by seat %(seat)s of %(players)s", seat=one.seat, players=one.players),
        USE: translator("“%(name)s”, used by those who could", name=name),
        AVAILABLE: translator("“%(name)s”, could be used", name=name),
        TIMES: translator("“%(name)s”, times in a game", name=name),
        WIN: translator("“%(name)s”, won by who used it", name=name),
        OPENING: translator("“%(name)s”, won by who began so", name=name),
        BEGIN: translator("“%(name)s”, began so", name=name),
    }[one.kind]


def _table(figures: Sequence[FigureOfBoth], translator: Translator) -> NumberTable:
    """Figures of people beside those of bots."""
    return NumberTable(
        [
            translator("What"),
            translator("People"),
            translator("Bots"),
            translator("Apart"),
        ]
        if figures
        else [],
        [
            [
                label(one, translator),
                _with_range(one.people, one.unit, translator),
                _with_range(one.bots, one.unit, translator),
                translator("yes") if one.apart else "–",
            ]
            for one in figures
        ],
    )


def _with_range(estimate: Estimate | None, unit: str, translator: Translator) -> str:
    """A value and its range, as short as a table has it."""
    if estimate is None:
        return "–"
    value = figure(estimate.value, unit, translator)
    if estimate.method == "none":
        return value
    return f"{value} ({figure(estimate.low, unit, translator)}–{figure(estimate.high, unit, translator)})"


def _in_hand(section: PeopleFigures, translator: Translator) -> Picture:
    """17lands' figures of cards and tiles."""
    rows = sorted(section.things, key=lambda one: -one.seen.value)
    return Picture(
        translator("Cards and tiles with people"),
        "",
        translator(
            "What people won who could use it, used it, or passed it over. These figures are biased: who is ahead can "
            "use more, who plays well chooses other things, and what was passed over may have been bad just then."
        )
        + (f" {too_few(section.games, translator)}" if section.games < FEWEST_GAMES else ""),
        NumberTable(
            [
                translator("What"),
                translator("Could use it, won"),
                translator("Used it, won"),
                translator("Passed it over, won"),
                translator("Bots that used it"),
                translator("Bots that passed it over"),
            ],
            [
                [
                    name_in(one.thing.name, translator),
                    *(
                        _with_range(value, "share", translator)
                        for value in (one.seen, one.used, one.passed, one.bots_used, one.bots_passed)
                    ),
                ]
                for one in rows
            ],
        ),
        IN_HAND.text(translator),
    )


def _said(feedback: Sequence[Feedback], translator: Translator) -> Picture:
    """What people said after their games."""
    marks = [one.fun for one in feedback if one.fun is not None]
    mean = estimates.mean(sum(marks), sum(mark * mark for mark in marks), len(marks))
    return Picture(
        translator("What people said"),
        "",
        translator.plural(
            "%(num)s person marked the fun, from 1 to 5: %(mean)s.",
            "%(num)s people marked the fun, from 1 to 5, on average %(mean)s.",
            len(marks),
            mean=sure(mean, "", translator),
        )
        if marks
        else translator("Nobody marked the fun."),
        NumberTable(
            [translator("Fun"), translator("What was confusing")],
            [["–" if one.fun is None else str(one.fun), one.confusing or "–"] for one in feedback],
        ),
    )

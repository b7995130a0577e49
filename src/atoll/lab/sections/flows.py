"""The section of a report on flows: what seats gain, spend and lose of each resource, and where they have no choice."""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Game
from atoll.lab import estimates
from atoll.lab.chunks import Chunk
from atoll.lab.counts import ROUNDS
from atoll.lab.estimates import Estimate
from atoll.lab.figures import Measure, Names, Provenance, name_in
from atoll.lab.flow_counts import CLASSES, DECISIONS, FORCED, GAINED, LEFT, LOST, SPENT
from atoll.lab.items import NamedItem
from atoll.lab.page.drawing import PlotLine, lines
from atoll.lab.page.numbers import figure, sure
from atoll.lab.page.pictures import NumberTable, Picture
from atoll.lab.resources import resources_of
from atoll.lab.totals import Totals
from atoll.text.translation import LANGUAGES, Translator, texts

LEAST_GAMES = 0.05
"""Rounds that a smaller share of the games reaches are left out."""
NINE_OF_TEN = 0.05, 0.95
FLOW_MEASURE = Measure(
    *texts(
        "Machinations: the flow of resources from sources to drains (E. Adams and J. Dormans, 2012)",
        "what a seat has before and after each decision; what the start of a round gives counts with the decision "
        "that ended the one before",
    )
)


class Stream(msgspec.Struct, frozen=True):
    """What a seat gains, spends or loses of a resource in a round: the mean over games by seat, counted from who
    begins, and over all seats with the amounts between which nine of ten lie.
    """

    mean: Estimate
    low: int
    high: int
    by_seat: list[Estimate]


class RoundFlow(msgspec.Struct, frozen=True):
    """The streams of a resource in a round, over the games that came to it."""

    round: int
    gained: Stream
    spent: Stream
    lost: Stream


class SeatFlow(msgspec.Struct, frozen=True):
    """What a seat, counted from who begins, gains, spends and loses in a game, and has left at its end."""

    seat: int
    gained: Estimate
    spent: Estimate
    lost: Estimate
    left: Estimate


class ResourceFlow(msgspec.Struct, frozen=True):
    """How a resource flows: by round, and by seat over whole games. What is `lost` is told by events of the game."""

    name: Names
    can_be_lost: bool
    rounds: list[RoundFlow]
    seats: list[SeatFlow]


class StuckRound(msgspec.Struct, frozen=True):
    """How often a seat that decides in a round never has more than one legal move there, by seat from who begins."""

    round: int
    by_seat: list[Estimate]


class OnlyMove(msgspec.Struct, frozen=True):
    """A kind of moves, and in how many of the decisions without a choice it is the only one."""

    name: Names
    share: Estimate


class Flows(msgspec.Struct, frozen=True):
    """How resources flow, and where seats are stuck."""

    resources: list[ResourceFlow]
    stuck: list[StuckRound]
    only: list[OnlyMove]


def add(totals: Totals, chunk: Chunk) -> None:
    """Add the games of a chunk."""
    for name in ("flows", "whole", "spread", "reached", "stuck", "only"):
        sums, values = totals.sums[name], getattr(chunk.flow, name)
        if name in ("flows", "stuck"):
            sums += values[:, : sums.shape[1]]
        else:
            sums += values[: len(sums)]


def figures(totals: Totals, game: Game, items: Sequence[NamedItem]) -> Flows:
    """How resources flow, and where seats are stuck."""
    reached = totals.sums["reached"]
    rounds = [number for number in range(ROUNDS) if reached[number] > LEAST_GAMES * totals.games]
    translators = {language: Translator(language).with_package(game.package) for language in LANGUAGES}
    resources = [
        ResourceFlow(
            {language: words(one.resource.name) for language, words in translators.items()},
            bool(one.resource.lost_by),
            [_round_flow(totals, number, place) for number in rounds],
            [
                SeatFlow(
                    seat + 1,
                    *(_mean(row[stream], totals.games) for stream in (GAINED, SPENT, LOST, LEFT)),
                )
                for seat, row in enumerate(totals.sums["whole"][:, place])
            ],
        )
        for place, one in enumerate(resources_of(game))
    ]
    stuck = [
        StuckRound(
            number,
            [estimates.share(int(row[FORCED]), int(row[DECISIONS])) for row in totals.sums["stuck"][number]],
        )
        for number in rounds
    ]
    only = totals.sums["only"]
    kinds = {item.kind: item.name for item in items if item.what == "move" and not item.of}
    moves = [
        OnlyMove(kinds[kind.word], estimates.share(int(count), int(only.sum())))
        for kind, count in zip(game.moves.kinds, only, strict=True)
        if count
    ]
    return Flows(resources, stuck, sorted(moves, key=lambda one: -one.share.value))


def _round_flow(totals: Totals, number: int, place: int) -> RoundFlow:
    games = int(totals.sums["reached"][number])
    sums = totals.sums["flows"][number, :, place]
    spread = totals.sums["spread"][number, place]

    def stream(which: int) -> Stream:
        return Stream(
            _mean(sums[:, which].sum(axis=0), games * len(sums)),
            *_middle(spread[which]),
            [_mean(row, games) for row in sums[:, which]],
        )

    return RoundFlow(number, stream(GAINED), stream(SPENT), stream(LOST))


def _mean(sums: NDArray[np.int64], units: int) -> Estimate:
    """The mean of amounts whose sum and sum of squares these are."""
    total, squares = sums.tolist()
    return estimates.mean(total, squares, units)


def _middle(counts: NDArray[np.int64]) -> tuple[int, int]:
    """Between which amounts nine of ten lie."""
    below = np.cumsum(counts) / max(1, counts.sum())
    low, high = (int(np.searchsorted(below, end)) for end in NINE_OF_TEN)
    return low, min(high, CLASSES - 1)


def pictures(section: Flows, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """The streams of each resource, and where seats have no choice."""
    for resource in section.resources:
        if resource.rounds:
            yield _streams(resource, translator)
    if section.stuck:
        yield _stuck(section, translator)


def _streams(resource: ResourceFlow, translator: Translator) -> Picture:
    """A resource by round, and by seat in the sentence and the table."""
    amount = partial(figure, unit="", translator=translator)
    names = [translator("Gained"), translator("Spent"), translator("Lost")][: 2 + resource.can_be_lost]
    keys = ("gained", "spent", "lost")[: len(names)]
    series = [
        PlotLine(name, [(one.round, getattr(one, key).mean) for one in resource.rounds])
        for name, key in zip(names, keys, strict=True)
    ]

    def whole(key: str) -> float:
        return float(np.mean([getattr(one, key).value for one in resource.seats]))

    sentences = [
        translator(
            "A player gains %(gained)s in a game, spends %(spent)s and has %(left)s left at the end.",
            gained=amount(whole("gained")),
            spent=amount(whole("spent")),
            left=amount(whole("left")),
        )
    ]
    if resource.can_be_lost:
        sentences.append(translator("Lost for nothing: %(lost)s.", lost=amount(whole("lost"))))
    most = max(resource.seats, key=lambda one: one.gained.value)
    least = min(resource.seats, key=lambda one: one.gained.value)
    if most.gained.low > least.gained.high:
        sentences.append(
            translator(
                "Seat %(most)s gains most, %(gains)s, and seat %(least)s least, %(less)s.",
                most=most.seat,
                gains=sure(most.gained, "", translator),
                least=least.seat,
                less=sure(least.gained, "", translator),
            )
        )

    def stream_text(stream: Stream) -> str:
        return f"{amount(stream.mean.value)} ({stream.low}–{stream.high})"

    by_round = [
        [
            translator("Round %(number)s", number=one.round),
            *(stream_text(getattr(one, key)) for key in keys),
            *(" · ".join(amount(seat.value) for seat in getattr(one, key).by_seat) for key in keys[:2]),
            "",
        ]
        for one in resource.rounds
    ]
    by_seat = [
        [
            translator("Seat %(number)s, whole game", number=one.seat),
            *(sure(getattr(one, key), "", translator) for key in keys),
            *("" for _ in keys[:2]),
            sure(one.left, "", translator),
        ]
        for one in resource.seats
    ]
    return Picture(
        name_in(resource.name, translator).capitalize(),
        lines(series, amount, translator("Round"), low=0.0),
        " ".join(sentences),
        NumberTable(
            [
                "",
                *(translator("%(stream)s, nine of ten", stream=name) for name in names),
                translator("Gained by seat 1, 2, …"),
                translator("Spent by seat 1, 2, …"),
                translator("Left at the end"),
            ],
            by_seat + by_round,
        ),
        FLOW_MEASURE.text(translator),
    )


def _stuck(section: Flows, translator: Translator) -> Picture:
    """Rounds in which a seat has nothing to choose."""
    share_text = partial(figure, unit="share", translator=translator)
    seats = len(section.stuck[0].by_seat)
    series = [
        PlotLine(
            translator("Seat %(number)s", number=seat + 1),
            [(one.round, one.by_seat[seat]) for one in section.stuck if one.by_seat[seat].units],
        )
        for seat in range(seats)
    ]
    found = [
        (one.round, seat, share)
        for one in section.stuck
        for seat, share in enumerate(one.by_seat)
        if share.units
    ]
    number, seat, share = max(found, key=lambda row: row[2].low)
    sentence = (
        translator(
            "Somebody is stuck most often in round %(round)s: there seat %(seat)s has no choice at all in %(share)s of "
            "the games.",
            round=number,
            seat=seat + 1,
            share=sure(share, "share", translator),
        )
        if share.value
        else translator("Nobody goes through a round without a choice.")
    )
    if section.only:
        sentence += " " + translator(
            "Where there is one move only, it is most often “%(move)s” (%(share)s).",
            move=name_in(section.only[0].name, translator),
            share=share_text(section.only[0].share.value),
        )
    return Picture(
        translator("Rounds without a choice"),
        lines(series, share_text, translator("Round"), low=0.0) if share.value else "",
        sentence,
        NumberTable(
            [translator("Round"), *(line.label for line in series)],
            [[str(one.round), *(share_text(each.value) for each in one.by_seat)] for one in section.stuck],
        ),
    )

"""The section of a report on who leads when, and what comes of it."""

from collections.abc import Iterator
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Game
from atoll.lab import counts, estimates
from atoll.lab.chunks import Chunk
from atoll.lab.counts import WIN
from atoll.lab.estimates import Bar, Estimate
from atoll.lab.figures import Measure, Provenance
from atoll.lab.game_figures import GameFigure
from atoll.lab.items import items_of
from atoll.lab.lead_history import DEFICITS
from atoll.lab.page.drawing import PlotLine, lines
from atoll.lab.page.numbers import figure, sure
from atoll.lab.page.pictures import NumberTable, Picture, cells, heading
from atoll.lab.totals import BINS, MILLION, Totals
from atoll.text.translation import Translator, texts

CURVES = 6
"""Rounds for which there is a comeback curve at most, and classes of the deficit."""
FEWEST = 50
"""Seats in a class of the comeback curve, at least."""
LEAD_CHANGES = GameFigure(
    "course.lead_changes",
    texts("Changes of the lead"),
    values=lambda chunk: chunk.lead.lead_changes,
    classes=counts.ROUNDS + 1,
    measure=Measure(
        *texts(
            "C. Browne, Automatic Generation and Evaluation of Recombination Games, 2009: Lead Change",
            "points after a round and not an evaluation by search after every move; ties change nothing",
        )
    ),
)
DRAMA = GameFigure(
    "course.drama",
    texts("Drama", "Drama: how far behind the winner was"),
    values=lambda chunk: chunk.lead.drama,
    scale=MILLION,
    is_share=True,
    classes=BINS,
    measure=Measure(
        *texts(
            "C. Browne, 2009: Drama; Ludii, concept DramaAverage",
            "points after rounds and not an evaluation; linear, not the square root",
        )
    ),
)
DECIDED = GameFigure(
    "course.decided",
    texts("Part of the game after which it is decided", "When a game was decided"),
    values=lambda chunk: chunk.lead.decided,
    scale=MILLION,
    is_share=True,
    classes=BINS,
    measure=Measure(
        *texts(
            "C. Browne, 2009: Decisiveness and Killer Moves",
            "looks back from the end: the winner is never behind again; not a threshold of an evaluation",
        )
    ),
)
FIGURES = (LEAD_CHANGES, DRAMA, DECIDED)


class CourseRound(msgspec.Struct, frozen=True):
    """After a round: how often each seat led (alone or among equals, in equal parts), how often the leader won, how far
    the first was ahead of the second, and in which share of the games the leader was never overtaken from here on.
    """

    round: int
    games: int
    leading: list[Estimate]
    leader_wins: Estimate
    margin: Estimate
    decided: Estimate


class Comeback(msgspec.Struct, frozen=True):
    """The chance to win of a seat that is `low` to `high` points behind the first after a round."""

    round: int
    low: int
    high: int
    win: Estimate


class LeadCourse(msgspec.Struct, frozen=True):
    """Who led when; after every round, or after as many decisions as there are players where a game has no rounds
    (`unit`: "round" or "turn").

    `lead_changes` a game: how often another seat alone led than the last one that did. `drama`: the mean, over the
    rounds, of how far behind the first the eventual winner was, as a share of the largest deficit of any seat in the
    game. `runaway`: games whose winner led alone from the first third of the rounds to the end. `comeback_wins`: games
    whose winner was last, or among the last, after half of the rounds. `decided_at`: the share of the game after
    which its winner was never again behind.
    """

    unit: str
    rounds: list[CourseRound]
    lead_changes: Estimate
    lead_changes_histogram: list[Bar]
    without_changes: Estimate
    comebacks: list[Comeback]
    drama: Estimate
    drama_histogram: list[Bar]
    runaway: Estimate
    comeback_wins: Estimate
    decided_at: Estimate
    decided_histogram: list[Bar]


def shapes(players: int) -> dict[str, tuple[int, ...]]:
    """The sums by name, besides those of FIGURES."""
    return {
        "leading": (counts.ROUNDS, players),
        "leading_squares": (counts.ROUNDS, players),
        "course": (counts.ROUNDS, 6),
        "comebacks": (counts.ROUNDS * DEFICITS, 3),
        "runaway": (2,),
    }


def add(totals: Totals, chunk: Chunk) -> None:
    """Add the games of a chunk."""
    for name, values in chunk.lead.sums().items():
        totals.sums[name][: len(values)] += values


def figures(totals: Totals, game: Game) -> LeadCourse:
    """Who led when."""
    games = totals.games
    runaway, comebacks = totals.sums["runaway"].tolist()
    return LeadCourse(
        unit="round" if items_of(game).has_rounds else "turn",
        rounds=[_course_round(totals, number) for number in _rounds(totals)],
        lead_changes=LEAD_CHANGES.mean(totals),
        lead_changes_histogram=LEAD_CHANGES.histogram(totals),
        without_changes=estimates.share(int(totals.sums[LEAD_CHANGES.histogram_key][0]), games),
        comebacks=_comebacks(totals),
        drama=DRAMA.mean(totals),
        drama_histogram=DRAMA.histogram(totals),
        runaway=estimates.share(runaway, games),
        comeback_wins=estimates.share(comebacks, games),
        decided_at=DECIDED.mean(totals),
        decided_histogram=DECIDED.histogram(totals),
    )


def _rounds(totals: Totals) -> list[int]:
    """The rounds that a hundredth of the games reached."""
    reached = totals.sums["course"][:, 0]
    return [number for number in range(1, counts.ROUNDS) if reached[number] * 100 >= totals.games]


def _course_round(totals: Totals, number: int) -> CourseRound:
    reached, wins, win_squares, margin, margin_squares, decided = totals.sums["course"][number].tolist()
    leading, squares = totals.sums["leading"][number], totals.sums["leading_squares"][number]
    return CourseRound(
        round=number,
        games=reached,
        leading=[
            estimates.mean_share(one / WIN, square / WIN**2, reached)
            for one, square in zip(leading.tolist(), squares.tolist(), strict=True)
        ],
        leader_wins=estimates.mean_share(wins / WIN**2, win_squares / WIN**4, reached),
        margin=estimates.mean(margin, margin_squares, reached),
        decided=estimates.share(decided, reached),
    )


def _comebacks(totals: Totals) -> list[Comeback]:
    """A curve for some rounds, evenly chosen before the last; its classes of deficits, the same in all of them, have
    about as many seats each. What fewer than `FEWEST` seats came to is not told.
    """
    rounds = _rounds(totals)[:-1]
    sample = sorted(
        {rounds[place] for place in np.linspace(0, len(rounds) - 1, CURVES).astype(int)} if rounds else []
    )
    tables = totals.sums["comebacks"].reshape(counts.ROUNDS, DEFICITS, 3)
    classes = _classes(tables[sample, :, 0].sum(axis=0)) if sample else []
    comebacks = []
    for number in sample:
        for low, high in classes:
            seats, shares, squares = tables[number, low : high + 1].sum(axis=0).tolist()
            if seats >= FEWEST:
                win = estimates.mean_share(shares / WIN, squares / WIN**2, seats)
                comebacks.append(Comeback(number, low, high, win))
    return comebacks


def _classes(counts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The leaders, and up to CURVES classes of deficits of about as many seats each, first and last counted."""
    classes = [(0, 0)] if counts[0] else []
    rest = counts[1:]
    size = max(1, rest.sum() // CURVES)
    low, count = 1, 0
    for deficit in range(1, len(counts)):
        count += int(counts[deficit])
        if count >= size or (deficit == len(counts) - 1 and count):
            classes.append((low, deficit if deficit < len(counts) - 1 else int(np.nonzero(counts)[0][-1])))
            low, count = deficit + 1, 0
    return classes


def pictures(section: LeadCourse, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """Who led when, comebacks, and when games were decided."""
    share_text = partial(figure, unit="share", translator=translator)
    unit = translator("Round") if section.unit == "round" else translator("Turn of all players")
    if section.rounds:
        middle = section.rounds[len(section.rounds) // 2]
        series = [
            PlotLine(translator("Leader wins"), [(one.round, one.leader_wins) for one in section.rounds]),
            PlotLine(translator("Decided"), [(one.round, one.decided) for one in section.rounds]),
        ]
        yield Picture(
            translator("Does it pay to lead?"),
            lines(series, share_text, unit, 0.0, 1.0),
            translator(
                "After %(round)s of %(rounds)s the leader wins %(wins)s of the games; in %(decided)s of them the "
                "leader is never overtaken any more.",
                round=_at(section, middle.round, translator),
                rounds=section.rounds[-1].round,
                wins=sure(middle.leader_wins, "share", translator),
                decided=share_text(middle.decided.value),
            ),
            NumberTable(
                [
                    unit,
                    translator("Leader wins"),
                    translator("Decided"),
                    translator("Points ahead"),
                    translator("Games"),
                ],
                [
                    [
                        str(one.round),
                        share_text(one.leader_wins.value),
                        share_text(one.decided.value),
                        figure(one.margin.value, "", translator),
                        figure(one.games, "count", translator),
                    ]
                    for one in section.rounds
                ],
            ),
            DECIDED.measure.text(translator),
        )
        yield _leading(section, unit, translator)
    if section.lead_changes_histogram:
        yield LEAD_CHANGES.picture(
            section.lead_changes_histogram,
            section.lead_changes,
            translator(
                "The lead changes %(changes)s times in a game; in %(without)s of the games it never does.",
                changes=sure(section.lead_changes, "", translator),
                without=share_text(section.without_changes.value),
            ),
            translator,
        )
    if any(one.low for one in section.comebacks):
        yield _comeback_curve(section, unit, translator)
    if section.drama_histogram:
        yield DRAMA.picture(
            section.drama_histogram,
            section.drama,
            translator(
                "On average the winner was behind by %(drama)s of the largest deficit in the game.",
                drama=sure(section.drama, "share", translator),
            ),
            translator,
        )
    if section.decided_histogram:
        yield DECIDED.picture(
            section.decided_histogram,
            section.decided_at,
            translator(
                "A game is decided after %(decided)s of its length. %(runaway)s of the games are "
                "won by who leads from the first third on, %(comeback)s by who was last half-way.",
                decided=sure(section.decided_at, "share", translator),
                runaway=share_text(section.runaway.value),
                comeback=share_text(section.comeback_wins.value),
            ),
            translator,
        )


def _at(section: LeadCourse, number: int, translator: Translator) -> str:
    """A round or turn within a sentence."""
    if section.unit == "round":
        return translator("round %(at)s", at=number)
    return translator("turn %(at)s", at=number)


def _leading(section: LeadCourse, unit: str, translator: Translator) -> Picture:
    share_text = partial(figure, unit="share", translator=translator)
    count = len(section.rounds[0].leading)
    label = translator("Seat %(number)s")
    names = [label % {"number": seat + 1} for seat in range(count)]
    series = [
        PlotLine(names[seat], [(one.round, one.leading[seat]) for one in section.rounds])
        for seat in range(count)
    ]
    last = section.rounds[-1]
    best = max(range(count), key=lambda seat: last.leading[seat].value)
    values = {"seat": names[best], "share": sure(last.leading[best], "share", translator)}
    return Picture(
        translator("Who leads"),
        lines(series, share_text, unit),
        translator("At the end %(seat)s leads most often: in %(share)s of the games.", **values)
        if last.leading[best].low > 1 / count
        else translator(
            "At the end no seat is seen to lead more often than others; %(seat)s leads in %(share)s of the games.",
            **values,
        ),
        NumberTable(
            [unit, *names],
            [[str(one.round), *(share_text(each.value) for each in one.leading)] for one in section.rounds],
        ),
    )


def _comeback_curve(section: LeadCourse, unit: str, translator: Translator) -> Picture:
    """Lines for the classes of deficits that were seen most."""
    share_text = partial(figure, unit="share", translator=translator)
    by_class: dict[tuple[int, int], list[tuple[float, Estimate]]] = {}
    for one in sorted(section.comebacks, key=lambda one: one.round):
        by_class.setdefault((one.low, one.high), []).append((one.round, one.win))
    classes = sorted(key for key, points in by_class.items() if len(points) > 1)
    series = []
    for low, high in classes[:: max(1, (len(classes) + 4) // 5)]:
        behind = (
            translator("leads, or level") if high == 0 else f"−{low}" if low == high else f"−{low} … −{high}"
        )
        series.append(PlotLine(behind, by_class[low, high]))
    rounds = sorted({one.round for one in section.comebacks if one.low})
    at = rounds[len(rounds) // 2]
    behind_then = [one for one in section.comebacks if one.round == at and one.low]
    usual = behind_then[len(behind_then) // 2]
    then = {"round": _at(section, usual.round, translator), "win": sure(usual.win, "share", translator)}
    return Picture(
        translator("The comeback curve: the chance to win from behind"),
        lines(series, share_text, unit, low=0.0),
        translator.plural(
            "Who is %(num)s point behind after %(round)s still wins %(win)s of the games.",
            "Who is %(num)s points behind after %(round)s still wins %(win)s of the games.",
            usual.low,
            **then,
        )
        if usual.low == usual.high
        else translator(
            "Who is %(low)s to %(high)s points behind after %(round)s still wins %(win)s of the games.",
            low=usual.low,
            high=usual.high,
            **then,
        ),
        NumberTable(
            [unit, translator("Points behind"), *heading("", translator)[1:]],
            [
                [str(one.round), *cells(_span(one.low, one.high), one.win, "share", translator)]
                for one in section.comebacks
            ],
        ),
    )


def _span(low: int, high: int) -> str:
    return f"{low}–{high}" if low < high else str(low)

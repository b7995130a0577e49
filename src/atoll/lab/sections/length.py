"""The section of a report on how long games are, and how they end."""

from collections.abc import Iterator

import msgspec
import numpy as np

from atoll.core.game import Game
from atoll.lab import counts, estimates
from atoll.lab.chunks import Chunk
from atoll.lab.estimates import Bar, Estimate
from atoll.lab.figures import NOT_PUBLISHED, Measure, Names, Provenance, name_in
from atoll.lab.game_figures import GameFigure, is_constant
from atoll.lab.page.drawing import PlotRow
from atoll.lab.page.numbers import figure, sure
from atoll.lab.page.pictures import Picture, dots_picture, middle_range
from atoll.lab.totals import GAMES, Totals
from atoll.text.translation import LANGUAGES, Translator, texts

SECONDS_A_CHOICE = 20.0
"""What a person is assumed to take for a choice where the game does not say how long it is."""
MOST_ENDINGS = 32
DECISIONS = GameFigure(
    GAMES,
    texts("Decisions in a game"),
    values=lambda chunk: chunk.played.lengths,
    classes=20_000,
    measure=Measure(*texts("Ludii, concept DurationActions (E. Piette and others, 2021)")),
)
CHOICES = GameFigure(
    "length.choices", texts("Choices in a game"), values=lambda chunk: chunk.games[:, counts.CHOICES]
)
ROUNDS = GameFigure(
    "length.rounds",
    texts("Rounds of a game"),
    values=lambda chunk: chunk.played.rounds,
    classes=128,
    measure=Measure(*texts("Ludii, concept DurationTurns", "rounds of the game's own, not turns")),
)
FIGURES = (DECISIONS, CHOICES, ROUNDS)


class Ending(msgspec.Struct, frozen=True):
    """A way in which games end."""

    name: Names
    share: Estimate


class Length(msgspec.Struct, frozen=True):
    """How long games are: all decisions, those with a choice among several moves, rounds, and minutes of people.

    `minutes` scales the choices by `seconds_a_choice`, which is assumed and not measured.
    """

    decisions: Estimate
    choices: Estimate
    decisions_histogram: list[Bar]
    rounds: Estimate | None
    rounds_histogram: list[Bar]
    minutes: Estimate
    seconds_a_choice: float
    endings: list[Ending]


def shapes() -> dict[str, tuple[int, ...]]:
    """The sums by name, besides those of FIGURES."""
    return {"endings": (MOST_ENDINGS,)}


def add(totals: Totals, chunk: Chunk) -> None:
    """Add the games of a chunk."""
    totals.sums["endings"] += np.bincount(chunk.played.endings, minlength=MOST_ENDINGS)


def figures(totals: Totals, game: Game) -> Length:
    """How long games are."""
    games, choices, squares = totals.sums[CHOICES.key].tolist()
    rounds = None
    if game.endings is not None and totals.sums[ROUNDS.key][1]:
        rounds = ROUNDS.mean(totals)
    return Length(
        decisions=DECISIONS.mean(totals),
        choices=CHOICES.mean(totals),
        decisions_histogram=DECISIONS.histogram(totals),
        rounds=rounds,
        rounds_histogram=ROUNDS.histogram(totals) if rounds else [],
        minutes=estimates.mean(choices, squares, games, scale=60 / SECONDS_A_CHOICE),
        seconds_a_choice=SECONDS_A_CHOICE,
        endings=_endings(totals, game),
    )


def _endings(totals: Totals, game: Game) -> list[Ending]:
    if game.endings is None:
        return []
    translators = {language: Translator(language).with_package(game.package) for language in LANGUAGES}
    return [
        Ending(
            {language: game.endings.ending_text(words, ending) for language, words in translators.items()},
            estimates.share(int(totals.sums["endings"][place]), totals.games),
        )
        for place, ending in enumerate(game.endings.ENDINGS)
    ]


def pictures(section: Length, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """How long games are, and how they end."""
    if section.rounds is not None and section.rounds_histogram:
        low, high = middle_range(section.rounds_histogram)
        yield ROUNDS.picture(
            section.rounds_histogram,
            section.rounds,
            translator("Each of these games lasted %(rounds)s rounds.", rounds=f"{low:g}")
            if is_constant(section.rounds_histogram)
            else translator(
                "A game lasts %(rounds)s rounds on average; nine of ten games last %(low)s to %(high)s.",
                rounds=sure(section.rounds, "", translator),
                low=f"{low:g}",
                high=f"{high:g}",
            ),
            translator,
        )
    if section.decisions_histogram:
        low, high = middle_range(section.decisions_histogram)
        values = {
            "decisions": sure(section.decisions, "", translator),
            "choices": figure(section.choices.value, "", translator),
            "low": f"{low:g}",
            "high": f"{high:g}",
            "seconds": f"{section.seconds_a_choice:g}",
            "minutes": figure(section.minutes.value, "count", translator),
        }
        yield DECISIONS.picture(
            section.decisions_histogram,
            section.decisions,
            translator(
                "All players together decided %(low)s times in each of these games, %(choices)s times on average "
                "with a real choice. At %(seconds)s seconds a choice, which is assumed, that is %(minutes)s "
                "minutes.",
                **values,
            )
            if is_constant(section.decisions_histogram)
            else translator(
                "All players together decide %(decisions)s times on average, %(choices)s times with a real choice; "
                "nine of ten games have %(low)s to %(high)s decisions. At %(seconds)s seconds a choice, which is "
                "assumed, that is %(minutes)s minutes.",
                **values,
            ),
            translator,
        )
    if len(section.endings) > 1:
        rows = [PlotRow(name_in(one.name, translator), one.share) for one in section.endings]
        most = max(section.endings, key=lambda one: one.share.value)
        yield dots_picture(
            translator("How games end"),
            rows,
            "share",
            None,
            translator("Share of the games"),
            translator(
                "Most games end so: %(ending)s, %(share)s of them.",
                ending=name_in(most.name, translator),
                share=sure(most.share, "share", translator),
            ),
            NOT_PUBLISHED,
            translator,
        )

"""A quick comparison of two sets of components: the same deals under both, between greedy bots.

Game i has the same seed under both, so what differs between the two is what the change did, and the mean of the
differences has a narrower interval than the difference of two independent means.
"""

from collections.abc import Callable, Iterator
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

import atoll
from atoll.bots.catalogue import find_bot
from atoll.core.game import Components, Game
from atoll.core.words import LANGUAGES, Words, texts
from atoll.lab.figures import FORMAT, About, Comparison, Difference, Estimate, Named
from atoll.lab.simulate import Results, simulate_chunk

BOT = "greedy"
CHUNK = 100
"""Games between two reports of progress."""
Z = 1.959963984540054
"""Of the normal distribution, for intervals of 95 %."""
FALSE_DISCOVERIES = 0.05
"""Of the differences that are called significant, at most this share is false on average."""


def compare_greedy(
    game: Game,
    first: Components,
    second: Components,
    players: int,
    games: int,
    seed: int = 0,
    progress: Callable[[int], None] = lambda done: None,
) -> Comparison:
    """Play games 0 to games - 1 under both sets; calls `progress` with the number of deals that are done."""
    bot = find_bot(BOT)
    parts: list[tuple[Results, Results]] = []
    for start in range(0, games, CHUNK):
        count = min(CHUNK, games - start)
        before, after = (
            simulate_chunk(game, components, players, [bot], seed, start, count)
            for components in (first, second)
        )
        parts.append((before, after))
        progress(start + count)
    measured = list(_measured(parts, players, game))
    shown = [_difference(*one) for one in measured]
    return Comparison(
        FORMAT,
        _about(game, first, players, games, seed),
        _about(game, second, players, games, seed),
        sorted(_corrected(shown), key=lambda one: (not one.significant, -abs(one.effect))),
    )


TEXTS = dict(
    zip(
        (
            "length.decisions",
            "length.rounds",
            "points.mean",
            "points.winner",
            "points.margin",
            "ties",
            "seat",
        ),
        texts(
            "Decisions in a game",
            "Rounds of a game",
            "Points of a player",
            "Points of the winner",
            "Points from the first to the last",
            "Games with several winners",
            "Share of the win of seat %(number)s",
        ),
        strict=True,
    )
)
"""What each figure is called."""


def _about(game: Game, components: Components, players: int, games: int, seed: int) -> About:
    return About(
        game.name,
        game.title,
        game.rules_version,
        components.name,
        components.sha256,
        game.check_options({}),
        players,
        [BOT],
        games,
        seed,
        atoll.__version__,
    )


Measured = tuple[str, Named, NDArray[np.float64], NDArray[np.float64], str]
"""Key and name of a figure, its values in each game under the first and the second set, and its unit."""


def _measured(parts: list[tuple[Results, Results]], players: int, game: Game) -> Iterator[Measured]:
    """All figures that are compared, game by game."""

    def both(take: Callable[[Results], NDArray[np.generic]]) -> tuple[NDArray[np.float64], ...]:
        return tuple(
            np.concatenate([take(pair[side]) for pair in parts]).astype(np.float64) for side in (0, 1)
        )

    all_words = {language: Words(language) for language in LANGUAGES}

    def named(text: str, **values: int) -> Named:
        return {language: words(text, **values) for language, words in all_words.items()}

    first, second = both(lambda results: results.lengths)
    yield "length.decisions", named(TEXTS["length.decisions"]), first, second, ""
    if game.endings is not None:
        first, second = both(lambda results: results.rounds)
        yield "length.rounds", named(TEXTS["length.rounds"]), first, second, ""
    for key, take in (
        ("points.mean", lambda results: results.points.mean(axis=1)),
        ("points.winner", lambda results: results.points.max(axis=1)),
        ("points.margin", lambda results: np.ptp(results.points, axis=1)),
    ):
        first, second = both(take)
        yield key, named(TEXTS[key]), first, second, ""
    first, second = both(lambda results: results.shares.max(axis=1) < 1)
    yield "ties", named(TEXTS["ties"]), first, second, "share"
    first, second = both(lambda results: results.shares)
    for seat in range(players):
        said = named(TEXTS["seat"], number=seat + 1)
        yield f"seat {seat + 1}", said, first[:, seat], second[:, seat], "share"


def _estimate(values: NDArray[np.float64]) -> Estimate:
    """The mean with its interval (normal)."""
    mean = float(values.mean())
    half = Z * float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else 0.0
    method = "normal" if len(values) > 1 else "none"
    return Estimate(mean, mean - half, mean + half, len(values), method)


def _difference(
    key: str, name: Named, first: NDArray[np.float64], second: NDArray[np.float64], unit: str
) -> Difference:
    change = _estimate(second - first)
    spread = float((second - first).std(ddof=1)) if len(first) > 1 else 0.0
    error = spread / sqrt(len(first))
    p_value = erfc(abs(change.value) / error / sqrt(2)) if error else float(change.value == 0)
    return Difference(
        key,
        name,
        _estimate(first),
        _estimate(second),
        change,
        effect=change.value / spread if spread else 0.0,
        p_value=p_value,
        significant=False,
        within=max(abs(change.low), abs(change.high)),
        unit=unit,
    )


def _corrected(found: list[Difference]) -> list[Difference]:
    """The same with what is significant after Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate",
    1995."""
    import msgspec

    order = sorted(found, key=lambda one: one.p_value)
    last = max(
        (rank for rank, one in enumerate(order, 1) if one.p_value <= FALSE_DISCOVERIES * rank / len(order)),
        default=0,
    )
    true = {one.key for one in order[:last]}
    return [msgspec.structs.replace(one, significant=one.key in true) for one in found]

"""Luck and skill: how much each doubling of a search's budget wins, and how much the deal settles between equals."""

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from atoll.bots.catalogue import find_bot
from atoll.core.chance import derive, derive_each, generators
from atoll.core.words import LANGUAGES, Words, texts
from atoll.lab.arena import Match, Results, play_match
from atoll.lab.batches import Workers, in_order
from atoll.lab.causes import check_quick
from atoll.lab.collecting import Played
from atoll.lab.estimates import bars
from atoll.lab.figures import ChanceSource, Estimate, LuckAndSkill, Rung
from atoll.lab.loops import seat_quick
from atoll.lab.ratings import BOOTSTRAPS, share_estimate
from atoll.lab.simulate import play_compiled
from atoll.lab.standings import bot_shares
from atoll.lab.totals import BINS

Floats = NDArray[np.float64]

LADDER = (8, 16, 32, 64, 128, 256)
"""Iterations of the searches of the ladder, each twice the one before."""
REPLAYS = 16
SAME_DEAL, LADDER_SEED = 21, 22
"""Steps by which the seeds of these games differ from those of the report."""
SOURCES = {
    "deal": texts("the deal before the first decision"),
    "chance": texts("chance during the game"),
    "players": texts("what equal players choose"),
}


def ladder(
    played: Played, games: int, workers: Workers = 1, progress: Callable[[int], None] = lambda done: None
) -> list[Rung]:
    """Each search of the ladder against the one before, about so many games a rung, in every rotation of the seats of
    the same deals, two at a table if the game is for two.
    """
    players = 2 if 2 in played.game.seats else played.players
    rungs = []
    for few, many in pairwise(LADDER):
        bots = [find_bot(f"search:{many}"), find_bot(f"search:{few}")]
        match = Match(
            played.game, played.components, players, bots, derive(played.seed, LADDER_SEED), played.options
        )
        results = Results(match)
        play_match(match, match.deals(games), results, workers, progress)
        found = share_estimate(bot_shares(match, results.whole_deals(), 0) * players / 2)
        rungs.append(
            Rung(
                bots[1].name,
                bots[0].name,
                len(results),
                Estimate(found.value, found.low, found.high, len(results)),
            )
        )
    return rungs


def replayed(played: Played, deal: int, *, redraw: bool) -> Floats:
    """(REPLAYS, players): the share of the win of each seat as a deal is played again and again by the first bot, with
    new generators of the bots each time; with `redraw`, chance after the deal is new, too.
    """
    game, players = played.game, played.players
    rules = game.rules
    seed = derive(played.seed, SAME_DEAL, deal)
    states = np.zeros(REPLAYS + 1, dtype=rules.STATE)
    rules.start(
        states[0], played.components.parts[0], players, generators(np.array([seed], dtype=np.uint64))[0]
    )
    states[1:] = states[0]
    index, seats = np.arange(REPLAYS, dtype=np.uint64), np.arange(players, dtype=np.uint64)
    if redraw:
        states["generator"][:REPLAYS] = generators(derive_each(derive(seed, 1), index))
    own = generators(derive_each(derive(seed, 2), index[:, None], seats[None, :]))
    rows = np.zeros((REPLAYS, players), dtype=np.int8)
    seated = seat_quick(game, played.bots[:1], rows)
    _, _, winners, _ = play_compiled(game, played.components, seated, own, states=states)
    won = winners[:, None] >> np.arange(players) & 1
    shares: Floats = won / won.sum(axis=1, keepdims=True)
    return shares


def settled(shares: Floats) -> float:
    """The share of the variance of a seat's win that lies between deals: the intraclass correlation of a one-way
    analysis of variance (R. Fisher), the seats' sums of squares added up. `shares` (deals, replays, players).
    """
    deals, replays, _ = shares.shape
    means = shares.mean(axis=1)
    between = replays * ((means - means.mean(axis=0)) ** 2).sum() / (deals - 1)
    within = ((shares - means[:, None, :]) ** 2).sum() / (deals * (replays - 1))
    total = between + (replays - 1) * within
    return float((between - within) / total) if total > 0 else 1.0


def _bootstrapped(deals: int, measure: Callable[[NDArray[np.int64]], float], seed: int) -> Estimate:
    """A measure of all deals, with an interval from drawing deals anew; `measure` takes their numbers."""
    chance = np.random.default_rng(seed)
    drawn = [measure(chance.integers(0, deals, deals)) for _ in range(BOOTSTRAPS)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return Estimate(measure(np.arange(deals)), float(low), float(high), deals, "bootstrap")


def luck(
    played: Played,
    deals: int,
    rung_games: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> LuckAndSkill:
    """Calls `progress` with the number of games just finished."""
    rungs = ladder(played, rung_games, workers, progress) if rung_games else []
    if deals < 2:
        return LuckAndSkill(rungs, 0, 0, None, [], [])
    check_quick(played, "replays of a deal")
    runs: list[Floats] = []
    for redraw in (False, True):
        work = [partial(replayed, played, deal, redraw=redraw) for deal in range(deals)]
        shares = []
        for one in in_order(work, workers):
            shares.append(one)
            progress(REPLAYS)
        runs.append(np.array(shares))
    same, redrawn = runs

    def part(of: str) -> Estimate:
        measures: dict[str, Callable[[NDArray[np.int64]], float]] = {
            "deal": lambda chosen: settled(redrawn[chosen]),
            "chance": lambda chosen: settled(same[chosen]) - settled(redrawn[chosen]),
            "players": lambda chosen: 1 - settled(same[chosen]),
        }
        return _bootstrapped(deals, measures[of], played.seed & 0xFFFF)

    most = redrawn.mean(axis=1).max(axis=1)
    spans = np.bincount(np.minimum((most * BINS).astype(np.int64), BINS - 1), minlength=BINS)
    named = {language: Words(language) for language in LANGUAGES}
    return LuckAndSkill(
        rungs,
        deals,
        REPLAYS,
        part("deal"),
        bars(spans, width=1 / BINS),
        [
            ChanceSource({language: words(text) for language, words in named.items()}, key, part(key))
            for key, (text,) in SOURCES.items()
        ],
    )

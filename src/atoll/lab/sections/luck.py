"""The section of a report on luck and skill: how much each doubling of a search's budget wins, and how much the deal
settles between equals.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from atoll.bots.catalogue import find_bot
from atoll.core.chance_sources import redraw
from atoll.core.exports import START
from atoll.core.game import Game
from atoll.engine.chance import derive, derive_each, generators
from atoll.lab.arena import Match, MatchGames, play_match
from atoll.lab.batches import Workers, in_order
from atoll.lab.estimates import FEWEST, Bar, Estimate, bars
from atoll.lab.figures import Measure, Names, Provenance, name_in
from atoll.lab.loop import NO_CHANCES, run_games
from atoll.lab.page.drawing import PlotRow, histogram
from atoll.lab.page.numbers import figure, sure
from atoll.lab.page.pictures import Picture, bars_table, dots_picture, told_by_range
from atoll.lab.played import Setup, seat_in_compiled_code, shares_of
from atoll.lab.rating_table import bot_shares
from atoll.lab.ratings import BOOTSTRAPS, share_estimate
from atoll.lab.simulate import check_quick
from atoll.lab.totals import BINS
from atoll.text.messages import Message
from atoll.text.translation import LANGUAGES, Translator, texts

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LADDER = (8, 16, 32, 64, 128, 256)
"""Iterations of the searches of the ladder, each twice the one before."""
REPLAYS = 16
REDRAWS = 4
"""How often each source of a deal is drawn anew."""
SAME_DEAL, LADDER_SEED = 21, 22
"""Steps by which the seeds of these games differ from those of the report."""
SOURCES = {
    "deal": texts("the deal before the first decision"),
    "chance": texts("chance during the game"),
    "players": texts("what equal players choose"),
}


RUNGS_MEASURE = Measure(
    *texts(
        "F. Lantz, A. Isaksen, A. Jaffe, A. Nealen, J. Togelius, Depth in Strategic Games, 2017: the skill ladder",
        "rungs are doublings of a search's budget",
    )
)
SETTLED_MEASURE = Measure(
    *texts(
        "Intraclass correlation (R. Fisher, 1925), one-way, of the seat's share of the win over replays of a deal"
    )
)
DEALT_MEASURE = Measure(
    *texts(
        "T. Homma and A. Saltelli, Importance Measures in Global Sensitivity Analysis, 1996: the total index",
        "of the expected share of the win, by I. Sobol's estimator (2007); part of all variance, replays included",
    )
)


class Rung(msgspec.Struct, frozen=True):
    """`stronger` against `weaker`, which has half the budget, in rotated seats of the same deals."""

    weaker: str
    stronger: str
    games: int
    share: Estimate


class ChanceSource(msgspec.Struct, frozen=True):
    """A source of chance: the share of the variance of a seat's win that it settles."""

    name: Names
    key: str
    settles: Estimate


class LuckAndSkill(msgspec.Struct, frozen=True):
    """How much the better player wins, and how much is settled by the deal between equals.

    `settled` is the share of the variance of a seat's win between deals (intraclass correlation over `replays` of each
    of `deals`), and `spans` a histogram over the deals of the largest share of the win of a seat in them. `sources` are
    the deal, chance after it and the players: together all. `dealt` are those of the deal, each drawn anew alone: what
    several settle together counts for each of them.
    """

    rungs: list[Rung]
    deals: int
    replays: int
    settled: Estimate | None
    spans: list[Bar]
    sources: list[ChanceSource]
    dealt: list[ChanceSource] = []


def ladder(
    setup: Setup, games: int, workers: Workers = 1, progress: Callable[[int], None] = lambda done: None
) -> list[Rung]:
    """Each search of the ladder against the one before, about so many games a rung, in every rotation of the seats of
    the same deals, two at a table if the game is for two.
    """
    players = 2 if 2 in setup.game.seats else setup.players
    rungs = []
    for few, many in pairwise(LADDER):
        bots = [find_bot(f"search:{many}"), find_bot(f"search:{few}")]
        match = Match(
            setup.game, setup.components, players, bots, derive(setup.seed, LADDER_SEED), setup.options
        )
        results = MatchGames(match)
        play_match(match, match.deals(games), results, workers, progress)
        share = share_estimate(bot_shares(match, results.whole_deals(), 0) * players / 2)
        rungs.append(
            Rung(
                bots[1].name,
                bots[0].name,
                len(results),
                Estimate(share.value, share.low, share.high, len(results)),
            )
        )
    return rungs


@dataclass(frozen=True)
class Replays:
    """The shares of the win of the seats as each of some deals is played again and again, always with the same new
    generators of the bots.

    `same` (deals, REPLAYS, players): chance after the deal is the same, too. `chance`: that is new in each replay.
    `sources` (deals, sources, REDRAWS, players): as the first of `chance`, and a source of the deal is drawn anew.
    """

    same: Floats
    chance: Floats
    sources: Floats

    def of(self, deals: Integers) -> "Replays":
        """Those of some deals."""
        return Replays(self.same[deals], self.chance[deals], self.sources[deals])


def games_of_deal(game: Game) -> int:
    """How often a deal is played."""
    return 2 * REPLAYS + REDRAWS * len(game.rules.SOURCES)


def replay_deal(setup: Setup, deal: int) -> Floats:
    """(games_of_deal, players): the share of the win of each seat as a deal is played again and again by the first bot:
    those of `same`, of `chance`, and of each source, as `Replays` has them.
    """
    game, players = setup.game, setup.players
    parts, sources = setup.components.parts, game.rules.SOURCES
    seed = derive(setup.seed, SAME_DEAL, deal)
    index, seats = np.arange(REPLAYS, dtype=np.uint64), np.arange(players, dtype=np.uint64)
    count = games_of_deal(game)
    replay = np.concatenate([np.tile(np.arange(REPLAYS), 2), np.tile(np.arange(REDRAWS), len(sources))])
    states = np.zeros(count + 1, dtype=game.rules.STATE)
    start = partial(game.runner.call, START)
    start(states[:1], parts, players, generators(np.array([seed], dtype=np.uint64))[0])
    states[1:] = states[0]
    others = np.zeros(REDRAWS, dtype=game.rules.STATE)
    for i, chance in enumerate(generators(derive_each(derive(seed, 3), index[:REDRAWS]))):
        start(others[i : i + 1], parts, players, chance)
    for place, source in enumerate(sources):
        for i, chance in enumerate(generators(derive_each(derive(seed, 4, place), index[:REDRAWS]))):
            redraw(source, states[2 * REPLAYS + REDRAWS * place + i], others[i], parts[0], chance)
    later = generators(derive_each(derive(seed, 1), index))
    states["generator"][REPLAYS:count] = later[replay[REPLAYS:]]
    own = generators(derive_each(derive(seed, 2), index[:, None], seats[None, :]))
    rows = np.zeros((count, players), dtype=np.int8)
    alone = seat_in_compiled_code(game, setup.bots[:1], rows)
    assert alone is not None
    _, arrays = run_games(game, setup.components, alone, own[replay], NO_CHANCES, states=states)
    return shares_of(arrays.winners, players)


def variances(shares: Floats) -> tuple[float, float]:
    """The mean squares between deals and within them of a one-way analysis of variance (R. Fisher), the seats' added
    up. `shares` (deals, replays, players).
    """
    deals, replays, _ = shares.shape
    means = shares.mean(axis=1)
    between = replays * ((means - means.mean(axis=0)) ** 2).sum() / (deals - 1)
    within = ((shares - means[:, None, :]) ** 2).sum() / (deals * (replays - 1))
    return float(between), float(within)


def intraclass_correlation(shares: Floats) -> float:
    """The share of the variance of a seat's win that lies between deals: the intraclass correlation."""
    between, within = variances(shares)
    total = between + (shares.shape[1] - 1) * within
    return (between - within) / total if total > 0 else 1.0


def source_shares(chance: Floats, sources: Floats) -> Floats:
    """(sources,): the share of the variance of a seat's win that each source of the deal settles, by itself or together
    with others; as in `Replays`.

    It is half the mean square of how the expected win changes as the source alone is drawn anew: the total index of
    T. Homma and A. Saltelli (1996). Estimated by the mean of m (w - v), as by I. Sobol' (2007): w is the win of a
    replay, v that of the same one with the source drawn anew, m the mean of the other replays less that of all deals.
    """
    replays = chance.shape[1]
    first = chance[:, :REDRAWS]
    others = (chance.sum(axis=1, keepdims=True) - first) / (replays - 1) - chance.mean(axis=(0, 1))
    covariance: Floats = (others[:, None] * (first[:, None] - sources)).sum(axis=3).mean(axis=(0, 2))
    between, within = variances(chance)
    variance = within + (between - within) / replays
    return covariance / variance if variance > 0 else np.zeros_like(covariance)


def parts(replays: Replays) -> Floats:
    """The share that each of SOURCES settles, and then each source of the deal."""
    deal, all_but_players = intraclass_correlation(replays.chance), intraclass_correlation(replays.same)
    own = source_shares(replays.chance, replays.sources)
    return np.array([deal, all_but_players - deal, 1 - all_but_players, *own])


def bootstrap_estimates(replays: Replays, seed: int) -> list[Estimate]:
    """`parts` of all deals, with intervals from drawing deals anew."""
    deals, chance = len(replays.same), np.random.default_rng(seed)
    samples = [parts(replays.of(chance.integers(0, deals, deals))) for _ in range(BOOTSTRAPS)]
    ends = np.percentile(samples, [2.5, 97.5], axis=0)
    method = "bootstrap" if deals >= FEWEST else "none"
    rows = zip(parts(replays).tolist(), *ends.tolist(), strict=True)
    return [Estimate(value, low, high, deals, method) for value, low, high in rows]


def figures(
    setup: Setup,
    deals: int,
    rung_games: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> LuckAndSkill:
    """Calls `progress` with the number of games just finished."""
    rungs = ladder(setup, rung_games, workers, progress) if rung_games else []
    if deals < 2:
        return LuckAndSkill(rungs, 0, 0, None, [], [])
    check_quick(setup, Message("replays of a deal"))
    shares = []
    for one in in_order([partial(replay_deal, setup, deal) for deal in range(deals)], workers):
        shares.append(one)
        progress(len(one))
    sources = setup.game.rules.SOURCES
    same, chance, again = np.split(np.array(shares), [REPLAYS, 2 * REPLAYS], axis=1)
    replays = Replays(same, chance, again.reshape(deals, len(sources), REDRAWS, setup.players))
    settles = bootstrap_estimates(replays, setup.seed & 0xFFFF)
    most = chance.mean(axis=1).max(axis=1)
    spans = np.bincount(np.minimum((most * BINS).astype(np.int64), BINS - 1), minlength=BINS)
    translators = [Translator(language).with_package(setup.game.package) for language in LANGUAGES]
    names = [(key, text) for key, (text,) in SOURCES.items()] + [(one.key, one.name) for one in sources]
    rows = [
        ChanceSource({translator.language: translator(text) for translator in translators}, key, estimate)
        for (key, text), estimate in zip(names, settles, strict=True)
    ]
    return LuckAndSkill(
        rungs,
        deals,
        REPLAYS,
        settles[0],
        bars(spans, width=1 / BINS),
        rows[: len(SOURCES)],
        rows[len(SOURCES) :],
    )


def _part(estimate: Estimate) -> Estimate:
    """A part of a whole: where its estimate, or an end of its range, lies outside 0 to 1, the nearer of these."""
    value, low, high = (min(1.0, max(0.0, one)) for one in (estimate.value, estimate.low, estimate.high))
    return replace(estimate, value=value, low=low, high=high)


def _capital(text: str) -> str:
    """As it begins a sentence."""
    return text[:1].upper() + text[1:]


def pictures(section: LuckAndSkill, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """How much the better player wins, and how much the deal settles."""
    if section.rungs:
        rows = [
            PlotRow(f"{one.stronger} · {one.weaker}", one.share, one.share.low > 0.5) for one in section.rungs
        ]
        sure_rungs = sum(row.strong for row in rows)
        yield dots_picture(
            translator("Does thinking pay?"),
            rows,
            "share",
            0.5,
            told_by_range(translator("Share of the win of the player who thinks twice as long"), translator),
            translator("None of %(all)s doublings of the time to think is sure to win more.", all=len(rows))
            if not sure_rungs
            else translator.plural(
                "%(num)s of %(all)s doublings of the time to think is sure to win more.",
                "%(num)s of %(all)s doublings of the time to think are sure to win more.",
                sure_rungs,
                all=len(rows),
            ),
            RUNGS_MEASURE,
            translator,
        )
    rows = [PlotRow(_capital(name_in(one.name, translator)), _part(one.settles)) for one in section.sources]
    if not rows and section.settled is not None:
        rows = [PlotRow(translator("The deal"), _part(section.settled))]
    if rows:
        most = max(rows, key=lambda row: row.estimate.value)
        yield dots_picture(
            translator("What luck settles"),
            rows,
            "share",
            0.0,
            translator("Share of what decides who wins, between equal players"),
            translator(
                "%(source)s settles most: %(share)s of who wins.",
                source=most.label,
                share=sure(most.estimate, "share", translator),
            ),
            SETTLED_MEASURE,
            translator,
        )
    if section.dealt:
        yield _dealt(section.dealt, translator)
    if section.spans:
        total = sum(bar.count for bar in section.spans)
        mean = sum((bar.low + bar.high) / 2 * bar.count for bar in section.spans) / max(total, 1)
        yield Picture(
            translator("Deals: how often the luckiest seat wins"),
            histogram(
                section.spans,
                mean,
                partial(figure, unit="share", translator=translator),
                translator("Share of the win"),
            ),
            translator(
                "%(deals)s deals were played %(replays)s times each; in a deal the luckiest seat won %(mean)s of "
                "the games on average.",
                deals=figure(section.deals, "count", translator),
                replays=section.replays,
                mean=figure(mean, "share", translator),
            ),
            bars_table(section.spans, translator("Share of the win"), translator),
        )


def _dealt(sources: Sequence[ChanceSource], translator: Translator) -> Picture:
    """What each source of chance in the deal settles."""
    rows = [
        PlotRow(
            _capital(name_in(one.name, translator)),
            _part(one.settles),
            one.settles.low > 0 and one.settles.method != "none",
        )
        for one in sources
    ]
    strong = [row for row in rows if row.strong]
    if strong:
        most = max(strong, key=lambda row: row.estimate.value)
        sentence = translator.plural(
            "%(num)s of %(all)s sources of chance in the deal is sure to settle something; the strongest here is "
            "“%(source)s”: %(share)s of who wins.",
            "%(num)s of %(all)s sources of chance in the deal are sure to settle something; the strongest here is "
            "“%(source)s”: %(share)s of who wins.",
            len(strong),
            all=len(rows),
            source=most.label,
            share=sure(most.estimate, "share", translator),
        )
        sentence += " " + translator("What several settle together counts for each of them.")
    else:
        sentence = translator("No source of chance in the deal is sure to settle anything.")
    label = translator("Share of what decides who wins that changes as the source alone is drawn anew")
    return dots_picture(
        translator("What in the deal settles who wins"),
        rows,
        "share",
        0.0,
        told_by_range(label, translator),
        sentence,
        DEALT_MEASURE,
        translator,
    )

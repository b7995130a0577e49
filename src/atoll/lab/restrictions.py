"""What it costs to be restricted: never to use a thing, or to keep to a style of play.

One seat, the next one each game, plays with the restriction against free players of the same bot; and in the same seat
of the same deal, with the same chance, a free player does. What the free one wins more is what the restriction costs.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS, Bot, QuickBot
from atoll.bots.catalogue import held_to
from atoll.bots.restricted import NO_LOOK_AHEAD, ONLY_POINTS, looks_ahead
from atoll.engine.chance import derive
from atoll.lab import estimates
from atoll.lab.batches import Workers, in_order
from atoll.lab.estimates import FALSE_RATE
from atoll.lab.figures import Names
from atoll.lab.items import NamedItem
from atoll.lab.played import Setup, are_quick
from atoll.lab.sections.strategies import Restriction
from atoll.lab.simulate import simulate_chunk
from atoll.text.translation import LANGUAGES, Translator, texts

Floats = NDArray[np.float64]

CHUNK, SLOW_CHUNK = 100, 2
"""Games that a worker plays at a time, with quick bots and with others."""
SEED = 12
"""Step by which the seeds of these games differ from those of the report."""
STYLES = {
    NO_LOOK_AHEAD: texts(
        "No look ahead",
        "It takes what the game's advice rates highest now, any move where there is no advice.",
    ),
    ONLY_POINTS: texts("Only points", "It takes what gives it the most points at once."),
}
"""Styles of every game: what calls such a player, and what it does."""


class RestrictedStyle(NamedTuple):
    """A restricted bot, and what a report says of it."""

    bot: Bot
    name: Names
    about: Names
    thing: NamedItem | None = None


def styles(setup: Setup) -> list[RestrictedStyle]:
    """The styles of the first bot: without its look ahead, if it has any, for points alone, without each habit that
    the game declares, and of each taste; raises UnknownBot for a bot that cannot be restricted.
    """
    game, bot = setup.game, setup.bots[0]
    rows = [(rule, *STYLES[rule]) for rule in STYLES if rule != NO_LOOK_AHEAD or looks_ahead(bot, game)]
    rows += [
        (f"{'taste' if habit.is_taste else 'without'}={habit.name}", habit.label, habit.about)
        for habit in game.habits
    ]

    def names_of(text: str) -> Names:
        return {language: Translator(language).with_package(game.package)(text) for language in LANGUAGES}

    return [
        RestrictedStyle(held_to(bot, rule), names_of(label), names_of(about)) for rule, label, about in rows
    ]


def without_items(setup: Setup, things: Sequence[NamedItem]) -> list[RestrictedStyle]:
    """Players who never use a thing; none of bots that do not run in compiled code, which would take too long."""
    if not setup.is_quick:
        return []
    bot = setup.bots[0]
    return [RestrictedStyle(held_to(bot, f"never={thing.key}"), thing.name, {}, thing) for thing in things]


def games_won(setup: Setup, quick: Sequence[QuickBot], bot: Bot, first: int, count: int) -> Floats:
    """Games first to first + count - 1 of a bot against the first of `setup`: its share of the win. `quick` are all
    bots for which their loop is compiled, once.
    """
    bots = [bot, *[setup.bots[0]] * (setup.players - 1)]
    seed = derive(setup.seed, SEED)
    results = simulate_chunk(
        setup.game, setup.components, setup.players, bots, seed, first, count, quick=quick
    )
    games = np.arange(count)
    own: Floats = results.shares[games, (first + games) % setup.players]
    return own


def restrictions(
    setup: Setup,
    players: Sequence[RestrictedStyle],
    games: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Restriction]:
    """What each restriction costs over so many games; styles first, the dearest of both first. `progress` counts
    the games of the free player, too.
    """
    bots = [setup.bots[0], *(one.bot for one in players)]
    chunk = CHUNK if are_quick(setup.game, bots) else SLOW_CHUNK
    for bot in bots:
        bot.prepare(setup.game)
    quick_bots = [bot.quick(setup.game) for bot in bots]
    quick = tuple(dict.fromkeys([*QUICK_BOTS, *filter(None, quick_bots)]))
    work = [
        partial(games_won, setup, quick, bot, at, min(chunk, games - at))
        for bot in bots
        for at in range(0, games, chunk)
    ]
    results = in_order(work, workers)
    shares_of_players = []
    for _ in bots:
        parts = []
        for _ in range(0, games, chunk):
            parts.append(next(results))
            progress(len(parts[-1]))
        shares_of_players.append(np.concatenate(parts))
    free = shares_of_players.pop(0)
    p_values = [estimates.matched_p_value(free - shares) for shares in shares_of_players]
    certain = estimates.discoveries(p_values, FALSE_RATE)
    rows = [
        Restriction(
            one.bot.name,
            one.name,
            one.about,
            one.thing,
            share=estimates.mean_share(shares.sum(), (shares**2).sum(), games),
            free=float(free.mean()),
            cost=estimates.matched(free - shares),
            p_value=p_value,
            significant=is_certain,
        )
        for one, shares, p_value, is_certain in zip(
            players, shares_of_players, p_values, certain, strict=True
        )
    ]
    return sorted(rows, key=lambda one: (one.thing is not None, -one.cost.value))

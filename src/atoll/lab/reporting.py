"""A report: games on all cores, counted as they end, and the figures made of the sums."""

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from atoll import __version__
from atoll.bots.warm import warm
from atoll.core.game import Json
from atoll.lab import measuring
from atoll.lab.batches import Workers, in_order
from atoll.lab.causes import FORCED_SWAPS, check_quick
from atoll.lab.causes import causes as find_causes
from atoll.lab.chunks import Chunk, collect
from atoll.lab.counts import A, U
from atoll.lab.examples import examples
from atoll.lab.figures import FORMAT, About, Report, Seats, Strategies, Thing
from atoll.lab.items import existing, items_of
from atoll.lab.luck import LADDER, games_of_deal
from atoll.lab.luck import luck as find_luck
from atoll.lab.played import Setup
from atoll.lab.restricting import restrictions, styles, without_things
from atoll.lab.simulate import chunk_size
from atoll.lab.totals import Totals
from atoll.text.errors import AtollError
from atoll.text.messages import Message, quoted

PART = 20
"""Chunks of games in a part of the data."""
FEWEST = 100
"""Games before which no interval is narrow enough."""
FEWEST_USES, MOST_USES = 0.02, 0.98
"""Things that a smaller or larger share of the seats used that could are not swapped: there is too little to swap."""


class Keeper(Protocol):
    """What keeps games: `lab/dataset.py`."""

    games: int

    def add(self, chunk: Chunk) -> None:
        """Take the next games, which are in the totals already."""

    def finish(self) -> None:
        """There are no more."""


def empty(setup: Setup) -> Totals:
    """Totals of no games."""
    return Totals(setup.game, setup.players, len(setup.names))


def part_size(setup: Setup) -> int:
    """Games in a part of the data."""
    return PART * chunk_size(setup)


def prepare(setup: Setup) -> None:
    """Compile or load all that the games need."""
    warm(setup.game)
    for bot in setup.bots:
        bot.prepare(setup.game)
    collect(setup, 0, 1)


def play_and_count(
    setup: Setup,
    games: int,
    totals: Totals,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
    keeper: Keeper | None = None,
    enough: Callable[[Totals], bool] = lambda totals: False,
) -> None:
    """Add games to `totals` until it has `games` of them, on `workers` cores, in order; no further ones once `enough`.

    Calls `progress` with the number of games just counted. When interrupted, games that are under way are given up.
    """
    size = chunk_size(setup)
    work = (
        partial(count_games, setup, first, min(size, games - first), keep_log=keeper is not None)
        for first in range(totals.games, games, size)
    )
    with closing(in_order(work, workers)) as counted:
        for found, chunk in counted:
            totals += found
            if keeper is not None and chunk is not None:
                keeper.add(chunk)
            progress(found.games)
            if enough(totals):
                break
    if keeper is not None:
        keeper.finish()


def count_games(
    setup: Setup, first: int, count: int, *, keep_log: bool = False
) -> tuple[Totals, Chunk | None]:
    """The sums of games first to first + count - 1, and these games with their log if it is to be kept."""
    chunk = collect(setup, first, count, keep_log=keep_log)
    found = empty(setup)
    found.add(chunk)
    return found, chunk if keep_log else None


def known_to(width: float | None) -> Callable[[Totals], bool]:
    """Whether half the interval of every seat's share of the win is at most so wide; never, if None."""

    def enough(totals: Totals) -> bool:
        if width is None or totals.games < FEWEST:
            return False
        (table,) = measuring.seats(totals, []).tables
        return all((seat.share.high - seat.share.low) / 2 <= width for seat in table.seats)

    return enough


def about(setup: Setup, games: int, *, finished: bool = True) -> About:
    """What was played."""
    return About(
        game=setup.game.name,
        title=setup.game.title,
        rules=setup.game.rules_version,
        components=setup.components.name,
        sha256=setup.components.sha256,
        options=setup.game.check_options(setup.options),
        players=setup.players,
        bots=[bot.name for bot in setup.bots],
        games=games,
        seed=setup.seed,
        version=__version__,
        finished=finished,
    )


def header(setup: Setup) -> Json:
    """Everything that the games depend on, for a folder of data."""
    told = about(setup, 0)
    return {name: getattr(told, name) for name in told.__struct_fields__ if name not in ("games", "finished")}


class Extra(NamedTuple):
    """Sections that play games of their own: games at each other number of players for its seats, deals that are
    replayed, games for each rung of the ladder, positions for the swaps of each thing, games of a player of
    each style, and of one without each thing; `only` begins the keys of the things. 0: none.
    """

    deals: int = 0
    rungs: int = 0
    swaps: int = 0
    restricted: int = 0
    only: str = ""
    seats: int = 0


def chosen_things(totals: Totals, told: Sequence[Thing], only: str) -> list[int]:
    """The things of moves, as places in `told`, that seats use sometimes and leave sometimes."""
    sums = totals.sums["things"]
    return [
        place
        for place, thing in enumerate(told)
        if thing.what == "move"
        and thing.key.startswith(only)
        and FEWEST_USES * sums[place, A] <= sums[place, U] <= MOST_USES * sums[place, A]
        and sums[place, A]
    ]


def check_extra(setup: Setup, extra: Extra) -> None:
    """Raise AtollError if a section could not be measured: of bots that are not compiled, or of no thing at all."""
    if extra.swaps:
        check_quick(setup, FORCED_SWAPS)
    if extra.restricted:
        styles(setup)  # which programs of one's own do not have
    keys = [item.key for item in items_of(setup.game).items if item.what == "move"]
    if not any(key.startswith(extra.only) for key in keys):
        kinds = ", ".join(key for key in keys if key.count("/") == 1)
        raise AtollError(
            Message(
                "no key of a thing begins with %(text)s; there are: %(known)s",
                text=quoted(extra.only),
                known=kinds,
            )
        )


def with_extra(
    figures: Report,
    setup: Setup,
    totals: Totals,
    extra: Extra,
    workers: Workers = 1,
    progress: Callable[[str, int, int], None] = lambda section, done, of: None,
) -> Report:
    """The figures with further sections; calls `progress` with a section, what was just done of it, and all of it."""
    told = measuring.named_things(setup.game, setup.components)
    chosen = chosen_things(totals, told, extra.only)
    luck, causes, strategies = figures.luck, figures.causes, figures.strategies
    seats = figures.seats
    if extra.seats and seats is not None:
        seats = at_every_number(seats, setup, extra.seats, workers, progress)
    if extra.deals or extra.rungs:
        wanted = games_of_deal(setup.game) * extra.deals + extra.rungs * (len(LADDER) - 1)
        luck = find_luck(
            setup, extra.deals, extra.rungs, workers, lambda done: progress("luck", done, wanted)
        )
    if extra.swaps:
        wanted = len(chosen) * extra.swaps
        causes = find_causes(
            setup, told, chosen, extra.swaps, workers, lambda done: progress("causes", done, wanted)
        )
    if extra.restricted and strategies is not None:
        held = styles(setup) + without_things(setup, [told[place] for place in chosen])
        all_games = (1 + len(held)) * extra.restricted
        found = restrictions(
            setup, held, extra.restricted, workers, lambda done: progress("strategies", done, all_games)
        )
        strategies = replace(strategies, restrictions=found)
    return replace(figures, seats=seats, luck=luck, causes=causes, strategies=strategies)


def at_every_number(
    found: Seats,
    setup: Setup,
    games: int,
    workers: Workers = 1,
    progress: Callable[[str, int, int], None] = lambda section, done, of: None,
) -> Seats:
    """The seats with those at all other numbers of players that the game is for, over so many games each, which are
    those of a report at that number.
    """
    others = [number for number in setup.game.seats if number != setup.players]
    tables = list(found.tables)
    for number in others:
        there = dataclasses.replace(setup, players=number)
        totals = empty(there)
        play_and_count(
            there, games, totals, workers, lambda done: progress("seats", done, games * len(others))
        )
        tables += measuring.seats(totals, []).tables
    return replace(found, tables=sorted(tables, key=lambda table: table.players))


def report(setup: Setup, totals: Totals, *, finished: bool = True) -> Report:
    """The figures of the sums."""
    names = measuring.named_things(setup.game, setup.components)
    there = existing(setup.game, setup.components, setup.players)
    return Report(
        FORMAT,
        about(setup, totals.games, finished=finished),
        length=measuring.length(totals, setup.game),
        seats=measuring.seats(totals, setup.names),
        course=measuring.course(totals, setup.game),
        choice=measuring.choice(totals, names, there, setup.players),
        things=measuring.things(totals, names, there, setup.players),
        strategies=Strategies([], measuring.openings(totals, setup.game, setup.components, names)),
        examples=examples(setup, totals),
    )

"""What it does to use a thing, found by forced swaps.

In a game between the bots one of the choices is drawn in which the thing could be used and could be left alone. The
game is setup on from there twice, with the same chance and the same generators of the bots: in one the seat has to use
the thing, in the other it must not, and each time the bot picks among the moves that are left. The difference of its
two shares of the win has no bias from who is ahead, or who can afford the thing: both are the same in both.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from atoll.bots.catalogue import QUICK_BOTS
from atoll.engine.chance import derive, derive_each, generators
from atoll.lab import estimates
from atoll.lab.batches import Workers, in_order
from atoll.lab.figures import Cause, Causes, Thing
from atoll.lab.items import items_of
from atoll.lab.loop import AS_PLAYED, SWAP_GAMES, SWAPS, SwapArrays, deal_chances, run_games
from atoll.lab.played import Setup
from atoll.text.errors import AtollError
from atoll.text.messages import Message

FALSE_RATE = 0.05
"""Of the differences that are called significant, so many are false on average."""
CHUNK = 100
ATTEMPTS = 20
"""Games for each position that is wanted, at most."""
FORCED_SWAPS = Message("forced swaps")
SEED = 11
"""Step by which the seeds of these games differ from those of the report."""


def check_quick(setup: Setup, what: Message) -> None:
    """Raise AtollError unless all bots run in compiled code."""
    if not setup.is_quick:
        names = ", ".join(bot.name for bot in QUICK_BOTS)
        raise AtollError(
            Message("%(what)s need bots that run in compiled code: %(names)s", what=what, names=names)
        )


def share_of(winners: NDArray[np.int32], seats: NDArray[np.int32]) -> NDArray[np.float64]:
    """The share of the win of a seat in each game."""
    count = np.array([int(bits).bit_count() for bits in winners.tolist()])
    won: NDArray[np.float64] = (winners >> seats & 1) / np.maximum(count, 1)
    return won


def swap_games(setup: Setup, items: NDArray[np.int32], first: int) -> NDArray[np.float64]:
    """Games first to first + len(items) - 1 of the swaps: (n, 2), the share of the win with the item used, and with it
    left alone; nan where there was no such choice.
    """
    game, count = setup.game, len(items)
    seed = derive(setup.seed, SEED)
    chances, own = deal_chances(seed, first, count, setup.players)
    index = np.arange(first, first + count, dtype=np.uint64)
    swaps = SwapArrays(
        drawing=generators(derive_each(seed, index, np.full(count, 99, dtype=np.uint64))),
        move_items=items_of(game).move_items,
        items=items,
        seats=np.zeros(count, dtype=np.int32),
        found=np.zeros(1, dtype=np.int64),
    )
    seats = setup.seats(first, count)
    thrice = seats._replace(
        bots=np.repeat(seats.bots, SWAP_GAMES, axis=0), ranked=np.repeat(seats.ranked, SWAP_GAMES, axis=0)
    )
    _, arrays = run_games(
        game, setup.components, thrice, np.repeat(own, SWAP_GAMES, axis=0), chances, SWAPS, counts=swaps
    )
    winners = arrays.winners.reshape(count, SWAP_GAMES)
    chooser = np.maximum(swaps.seats, 0)
    shares = [share_of(winners[:, run], chooser) for run in range(SWAP_GAMES) if run != AS_PLAYED]
    return np.where(swaps.seats[:, None] >= 0, np.stack(shares, axis=1), np.nan)


def causes(
    setup: Setup,
    told: Sequence[Thing],
    chosen: Sequence[int],
    positions: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Causes:
    """Swaps of the things `chosen`, numbers in `told`: so many positions of each, or as many as ATTEMPTS times as many
    games have. Calls `progress` with the number of positions just found, or given up.

    Games are played in rounds, of each thing as many as are still missing, so the same games whatever the workers.
    """
    check_quick(setup, FORCED_SWAPS)
    found: dict[int, list[float]] = {item: [] for item in chosen}
    tried = dict.fromkeys(chosen, 0)
    first = 0
    while missing := [i for i in chosen if len(found[i]) < positions and tried[i] < ATTEMPTS * positions]:
        items = np.repeat(
            np.array(missing, dtype=np.int32),
            [_next_games(positions - len(found[i]), tried[i], len(found[i])) for i in missing],
        )
        chunks = [(items[at : at + CHUNK], first + at) for at in range(0, len(items), CHUNK)]
        work = [partial(swap_games, setup, own, number) for own, number in chunks]
        for (own, _), shares in zip(chunks, in_order(work, workers), strict=True):
            for item, (with_it, without) in zip(own.tolist(), shares.tolist(), strict=True):
                tried[item] += 1
                if not math.isnan(with_it) and len(found[item]) < positions:
                    found[item].append(with_it - without)
                    progress(1)
        first += len(items)
    rows = {item: np.array(found[item]) for item in chosen if len(found[item]) >= estimates.FEWEST}
    p_values = [estimates.matched_p_value(values) for values in rows.values()]
    significant = estimates.discoveries(p_values, FALSE_RATE)
    return Causes(
        [
            Cause(
                told[item],
                estimates.matched(values),
                len(values),
                1,
                p_value,
                is_found,
            )
            for (item, values), p_value, is_found in zip(rows.items(), p_values, significant, strict=True)
        ],
        FALSE_RATE,
        ",".join(dict.fromkeys(bot.name for bot in setup.bots)),
    )


def _next_games(missing: int, tried: int, found: int) -> int:
    """How many games are played next for so many missing positions."""
    often = found / tried if found else 0.25
    return max(CHUNK, min(math.ceil(missing / often), max(CHUNK, 2 * tried), 20 * CHUNK))

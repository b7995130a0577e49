"""The section of a report on what it does to use an item, found by forced swaps.

In a game between the bots one of the choices is drawn in which the item could be used and could be left alone. The
game is setup on from there twice, with the same chance and the same generators of the bots: in one the seat has to use
the item, in the other it must not, and each time the bot picks among the moves that are left. The difference of its
two shares of the win has no bias from who is ahead, or who can afford the item: both are the same in both.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from atoll.engine.chance import derive, derive_each, generators
from atoll.lab import estimates
from atoll.lab.batches import Workers, in_order
from atoll.lab.estimates import FALSE_RATE, Estimate
from atoll.lab.figures import Measure, Provenance, name_in
from atoll.lab.items import NamedItem, items_of
from atoll.lab.loop import AS_PLAYED, SWAP_GAMES, SWAPS, SwapArrays, deal_chances, run_games
from atoll.lab.page.drawing import PlotRow, dots
from atoll.lab.page.numbers import figure
from atoll.lab.page.pictures import SHOWN, NumberTable, Picture, cells, heading
from atoll.lab.played import Setup
from atoll.lab.simulate import check_quick
from atoll.text.messages import Message
from atoll.text.translation import Translator, texts

CHUNK = 100
ATTEMPTS = 20
"""Games for each position that is wanted, at most."""
FORCED_SWAPS = Message("forced swaps")
SEED = 11
"""Step by which the seeds of these games differ from those of the report."""
DIFFERENCE_MEASURE = Measure(
    *texts(
        "average effect of an intervention (J. Pearl, Causality, 2000), common random numbers",
        "the bot plays on; false discoveries after Y. Benjamini and Y. Hochberg, 1995",
    )
)


class Cause(msgspec.Struct, frozen=True):
    """What it does to take an option: `difference` in share of the win between the option forced and forbidden, the
    same position played on with the same chance in both; `significant` after Benjamini and Hochberg over all of them.
    """

    thing: NamedItem
    difference: Estimate
    positions: int
    playouts: int
    p_value: float
    significant: bool


class Causes(msgspec.Struct, frozen=True):
    """Effects of options, by forced swaps; of those called significant at most `rate` are false on average."""

    causes: list[Cause]
    rate: float
    bot: str


def share_of(winners: NDArray[np.int32], seats: NDArray[np.int32]) -> NDArray[np.float64]:
    """The share of the win of a seat in each game."""
    count = np.array([int(bits).bit_count() for bits in winners.tolist()])
    shares: NDArray[np.float64] = (winners >> seats & 1) / np.maximum(count, 1)
    return shares


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
        choices=np.zeros(1, dtype=np.int64),
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


def figures(
    setup: Setup,
    items: Sequence[NamedItem],
    places: Sequence[int],
    positions: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> Causes:
    """Swaps of the things `chosen`, numbers in `told`: so many positions of each, or as many as ATTEMPTS times as many
    games have. Calls `progress` with the number of positions just found, or given up.

    Games are played in rounds, of each thing as many as are still missing, so the same games whatever the workers.
    """
    check_quick(setup, FORCED_SWAPS)
    differences: dict[int, list[float]] = {item: [] for item in places}
    attempts = dict.fromkeys(places, 0)
    first = 0
    while unfinished := [
        i for i in places if len(differences[i]) < positions and attempts[i] < ATTEMPTS * positions
    ]:
        item_of_game = np.repeat(
            np.array(unfinished, dtype=np.int32),
            [
                _next_games(positions - len(differences[i]), attempts[i], len(differences[i]))
                for i in unfinished
            ],
        )
        chunks = [(item_of_game[at : at + CHUNK], first + at) for at in range(0, len(item_of_game), CHUNK)]
        work = [partial(swap_games, setup, own, number) for own, number in chunks]
        for (own, _), shares in zip(chunks, in_order(work, workers), strict=True):
            for item, (with_it, without) in zip(own.tolist(), shares.tolist(), strict=True):
                attempts[item] += 1
                if not math.isnan(with_it) and len(differences[item]) < positions:
                    differences[item].append(with_it - without)
                    progress(1)
        first += len(item_of_game)
    rows = {
        item: np.array(differences[item]) for item in places if len(differences[item]) >= estimates.FEWEST
    }
    p_values = [estimates.matched_p_value(values) for values in rows.values()]
    significant = estimates.discoveries(p_values, FALSE_RATE)
    return Causes(
        [
            Cause(
                items[item],
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


def _next_games(positions: int, attempts: int, successes: int) -> int:
    """How many games are played next for so many missing positions."""
    often = successes / attempts if successes else 0.25
    return max(CHUNK, min(math.ceil(positions / often), max(CHUNK, 2 * attempts), 20 * CHUNK))


def pictures(section: Causes, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """What it does to take an option."""
    if not section.causes:
        return
    ordered = sorted(section.causes, key=lambda one: -abs(one.difference.value))[:SHOWN]
    rows = [
        PlotRow(name_in(one.thing.name, translator), one.difference, one.significant)
        for one in sorted(ordered, key=lambda one: -one.difference.value)
    ]
    certain = sum(one.significant for one in section.causes)
    yield Picture(
        translator("What it does to take it"),
        dots(
            rows,
            partial(figure, unit="share", translator=translator),
            translator(
                "Change of the share of the win when it is forced instead of forbidden; red: sure, also after "
                "correcting for so many comparisons (Benjamini and Hochberg)"
            ),
            0.0,
        ),
        translator("None of %(all)s options is sure to do something.", all=len(section.causes))
        if not certain
        else translator.plural(
            "%(num)s of %(all)s options is sure to do something; of those called sure, at most %(rate)s are "
            "false on average.",
            "%(num)s of %(all)s options are sure to do something; of those called sure, at most %(rate)s "
            "are false on average.",
            certain,
            all=len(section.causes),
            rate=figure(section.rate, "share", translator),
        ),
        NumberTable(
            [*heading(translator("What"), translator), translator("sure")],
            [
                [
                    *cells(name_in(one.thing.name, translator), one.difference, "share", translator),
                    translator("yes") if one.significant else translator("no"),
                ]
                for one in sorted(section.causes, key=lambda one: -one.difference.value)
            ],
        ),
        DIFFERENCE_MEASURE.text(translator),
    )

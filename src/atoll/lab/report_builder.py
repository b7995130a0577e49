"""Builds a report: games on all cores, counted as they end, and the figures made of the sums."""

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from atoll import __version__
from atoll.core.types import Components, Json
from atoll.lab import resources
from atoll.lab.batches import Workers, in_order
from atoll.lab.chunks import Chunk, collect
from atoll.lab.counts import A, U
from atoll.lab.figures import FORMAT, Provenance
from atoll.lab.finding_games import Beside, findings
from atoll.lab.items import NamedItem, existing, items_of, named_items
from atoll.lab.played import Setup
from atoll.lab.report import GameReport
from atoll.lab.restrictions import restrictions, styles, without_items
from atoll.lab.sections import causes, choices, examples, flows, lead, length, luck, seats, strategies, usage
from atoll.lab.sections.findings import Findings
from atoll.lab.sections.seats import SeatFairness
from atoll.lab.sections.strategies import Strategies
from atoll.lab.simulate import check_quick, chunk_size
from atoll.lab.totals import Totals
from atoll.text.errors import AtollError
from atoll.text.messages import Message, quoted

GAME_FIGURES = (length.DECISIONS, length.CHOICES, length.ROUNDS, *lead.FIGURES)
"""Figures of a game whose sums are a report's."""
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
    game, players = setup.game, setup.players
    shapes = {name: shape for row in GAME_FIGURES for name, shape in row.shapes.items()}
    shapes |= length.shapes() | seats.shapes(players, len(setup.names)) | lead.shapes(players)
    shapes |= choices.shapes() | usage.shapes(len(items_of(game).items))
    shapes |= resources.shapes(game, players)
    shapes |= strategies.shapes(game, players, len(setup.names))
    return Totals(shapes, len(examples.EXAMPLES))


def add(totals: Totals, chunk: Chunk) -> None:
    """Add the games of a chunk to the sums of every section."""
    for row in GAME_FIGURES:
        row.add(totals, chunk)
    for section in (length, seats, lead, choices, usage, flows, strategies, examples):
        section.add(totals, chunk)


def part_size(setup: Setup) -> int:
    """Games in a part of the data."""
    return PART * chunk_size(setup)


def prepare(setup: Setup) -> None:
    """Compile or load all that the games need."""
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
    with closing(in_order(work, workers)) as chunks:
        for sums, chunk in chunks:
            totals += sums
            if keeper is not None and chunk is not None:
                keeper.add(chunk)
            progress(sums.games)
            if enough(totals):
                break
    if keeper is not None:
        keeper.finish()


def count_games(
    setup: Setup, first: int, count: int, *, keep_log: bool = False
) -> tuple[Totals, Chunk | None]:
    """The sums of games first to first + count - 1, and these games with their log if it is to be kept."""
    chunk = collect(setup, first, count, keep_log=keep_log)
    totals = empty(setup)
    add(totals, chunk)
    return totals, chunk if keep_log else None


def known_to(width: float | None) -> Callable[[Totals], bool]:
    """Whether half the interval of every seat's share of the win is at most so wide; never, if None."""

    def enough(totals: Totals) -> bool:
        if width is None or totals.games < FEWEST:
            return False
        (table,) = seats.figures(totals, []).tables
        return all((seat.share.high - seat.share.low) / 2 <= width for seat in table.seats)

    return enough


def provenance(setup: Setup, games: int, *, finished: bool = True, missing: Sequence[str] = ()) -> Provenance:
    """What was played, and which sections were asked for and not measured."""
    weak = {bot.name: None for bot in setup.bots if bot.quick(setup.game) is not None}
    return Provenance(
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
        missing=list(missing),
        weak=list(weak),
    )


def header(setup: Setup) -> Json:
    """Everything that the games depend on, for a folder of data."""
    own = provenance(setup, 0)
    left_out = {"games", "finished", "missing", "weak"}
    return {name: getattr(own, name) for name in own.__struct_fields__ if name not in left_out}


class Extra(NamedTuple):
    """Sections that play games of their own: games at each other number of players for its seats, deals that are
    replayed, games for each rung of the ladder, positions for the swaps of each thing, games of a player of
    each style, and of one without each thing; `only` begins the keys of the things. 0: none. `findings` is how many
    are told at most, beside a bot of another strength and the components `since`, if these are named.
    """

    deals: int = 0
    rungs: int = 0
    swaps: int = 0
    restricted: int = 0
    only: str = ""
    seats: int = 0
    findings: int = 0
    beside: Beside | None = None
    since: Components | None = None

    @property
    def sections(self) -> list[str]:
        """The sections of a report that these are of, in the order in which they are measured."""
        asked = {
            "seats": self.seats,
            "luck": self.deals or self.rungs,
            "causes": self.swaps,
            "strategies": self.restricted,
            "findings": self.findings,
        }
        return [name for name, games in asked.items() if games]


def swappable_items(totals: Totals, items: Sequence[NamedItem], only: str) -> list[int]:
    """The things of moves, as places in `items`, that seats use sometimes and leave sometimes."""
    sums = totals.sums["usage"]
    return [
        place
        for place, item in enumerate(items)
        if item.what == "move"
        and item.key.startswith(only)
        and FEWEST_USES * sums[place, A] <= sums[place, U] <= MOST_USES * sums[place, A]
        and sums[place, A]
    ]


def check_extra(setup: Setup, extra: Extra) -> None:
    """Raise AtollError if a section could not be measured: of bots that are not compiled, or of no thing at all."""
    if extra.swaps:
        check_quick(setup, causes.FORCED_SWAPS)
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
    figures: GameReport,
    setup: Setup,
    totals: Totals,
    extra: Extra,
    workers: Workers = 1,
    progress: Callable[[str, int, int], None] = lambda section, done, of: None,
) -> GameReport:
    """The figures with further sections; calls `progress` with a section, what was just done of it, and all of it.
    When interrupted, the sections measured till then are in them, and `about` names the others as missing.
    """

    def progress_of(section: str, total: int) -> Callable[[int], None]:
        return lambda done: progress(section, done, total)

    def with_section(name: str) -> GameReport:
        if name == "seats":
            assert figures.seats is not None
            tables = at_every_number(figures.seats, setup, extra.seats, workers, progress)
            return replace(figures, seats=tables)
        if name == "luck":
            games = luck.games_of_deal(setup.game) * extra.deals + extra.rungs * (len(luck.LADDER) - 1)
            own = luck.figures(setup, extra.deals, extra.rungs, workers, progress_of(name, games))
            return replace(figures, luck=own)
        if name == "causes":
            positions = progress_of(name, len(places) * extra.swaps)
            effects = causes.figures(setup, items, places, extra.swaps, workers, positions)
            return replace(figures, causes=effects)
        if name == "findings":
            return replace(figures, findings=with_findings(figures))
        assert figures.strategies is not None
        restricted_bots = styles(setup) + without_items(setup, [items[place] for place in places])
        progress_of_games = progress_of(name, (1 + len(restricted_bots)) * extra.restricted)
        costs = restrictions(setup, restricted_bots, extra.restricted, workers, progress_of_games)
        return replace(figures, strategies=replace(figures.strategies, restrictions=costs))

    def with_findings(figures: GameReport) -> Findings:
        def measure(played: Setup, games: int) -> GameReport:
            sums = empty(played)
            play_and_count(played, games, sums, workers, lambda done: progress("findings", done, 0))
            return report(played, sums)

        return findings(figures, setup, measure, extra.since, extra.beside, extra.findings)

    items = named_items(setup.game, setup.components)
    places = swappable_items(totals, items, extra.only)
    missing = extra.sections
    try:
        while missing:
            figures = with_section(missing[0])
            del missing[0]
    except KeyboardInterrupt:
        about = replace(figures.about, finished=False, missing=missing)
        figures = replace(figures, about=about)
    return figures


def at_every_number(
    fairness: SeatFairness,
    setup: Setup,
    games: int,
    workers: Workers = 1,
    progress: Callable[[str, int, int], None] = lambda section, done, of: None,
) -> SeatFairness:
    """The seats with those at all other numbers of players that the game is for, over so many games each, which are
    those of a report at that number.
    """
    others = [number for number in setup.game.seats if number != setup.players]
    tables = list(fairness.tables)
    for number in others:
        there = dataclasses.replace(setup, players=number)
        totals = empty(there)
        play_and_count(
            there, games, totals, workers, lambda done: progress("seats", done, games * len(others))
        )
        tables += seats.figures(totals, []).tables
    return replace(fairness, tables=sorted(tables, key=lambda table: table.players))


def report(setup: Setup, totals: Totals, *, finished: bool = True, missing: Sequence[str] = ()) -> GameReport:
    """The figures of the sums; `missing` are sections that were asked for and not measured."""
    game, components = setup.game, setup.components
    items = named_items(game, components)
    exist = existing(game, components, setup.players)
    return GameReport(
        FORMAT,
        provenance(setup, totals.games, finished=finished, missing=missing),
        length=length.figures(totals, game),
        seats=seats.figures(totals, setup.names),
        course=lead.figures(totals, game),
        choice=choices.figures(totals, items, exist, setup.players),
        flows=flows.figures(totals, game, items),
        things=usage.figures(totals, items, exist, setup.players),
        strategies=Strategies([], strategies.openings(totals, game, components, items)),
        examples=examples.figures(setup, totals),
    )

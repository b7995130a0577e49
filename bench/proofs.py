"""How strong the bots are, line by line: `python -m bench.proofs`; stopped at any time, the same command goes on.

Each line is a match of the arena with its own file of results, kept in the repository: all lines take hours. A line
ends with its games or with its minutes: a machine of two cores has twice as many minutes of one core, and time for
which the process was stopped is not counted. First every line plays the fewest games that it needs, then each is played
to its end. Since games depend on the code alone, a line goes on only if its first deal comes out as it is kept.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from rich.box import MARKDOWN
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from atoll.bots import LEVELS, Bot, find_bot
from atoll.bots.catalogue import SearchBot
from atoll.core.catalogue import find_game, games
from atoll.lab.arena import ArenaGame, Match, MatchGames, play_match
from atoll.lab.estimates import Estimate
from atoll.lab.rating_table import bot_shares
from atoll.lab.ratings import share_estimate
from atoll.lab.summary import share_text
from atoll.text.errors import AtollError
from atoll.text.translation import Translator

CORES = 2
"""The cores for which the minutes are meant."""
FEWEST = 40
"""Games of a line that are played whatever they take."""
WORDS = Translator("en")


@dataclass(frozen=True)
class Line:
    """The first of `bots`' share of the win: its value must reach `least`, or its interval lie above `above`."""

    game: str
    proof: str
    bots: tuple[str, ...]
    least: float | None = None
    above: float | None = None

    @property
    def name(self) -> str:
        """What the line is called on the command line and its file of results."""
        return f"{self.game}-{self.proof}"

    @property
    def wanted(self) -> str:
        """What the line must show."""
        if self.least is not None:
            return f"at least {100 * self.least:.0f} %"
        return f"interval above {100 * self.above:.0f} %" if self.above is not None else ""

    def shown(self, share: Estimate) -> str:
        """Whether it does."""
        if self.least is not None:
            return "yes" if share.value >= self.least else "no"
        if self.above is not None:
            return "yes" if share.low > self.above else "no"
        return ""

    def match(self, seed: int) -> Match:
        """What is played, in every seating."""
        game = find_game(self.game)
        return Match(game, game.components(), len(self.bots), [unhurried(name) for name in self.bots], seed)


def unhurried(name: str) -> Bot:
    """The bot of that name, a level without its limit of time, so that its games are the same on every machine."""
    bot = find_bot(name)
    return replace(bot, milliseconds=None) if isinstance(bot, SearchBot) else bot


def lines() -> Iterator[Line]:
    """Every line, game by game."""
    easy = LEVELS[0]
    for game in games():
        yield Line(game, "greedy-2", ("search:1000", "greedy"), least=0.75)
        yield Line(game, "greedy-4", ("search:1000", "greedy", "greedy", "greedy"), least=0.45)
        yield Line(game, "1000-250", ("search:1000", "search:250"), above=0.5)
        yield Line(game, "4000-1000", ("search:4000", "search:1000"), above=0.5)
        yield Line(game, "expert-easy", ("search:2500", easy.name), least=0.9)
        yield Line(game, "easy-greedy", (easy.name, "greedy"))
        yield Line(game, "easy-random", (easy.name, "random"))


def chosen(names: Sequence[str]) -> list[Line]:
    """The lines of these names, or whose game or proof is so called, in that order; all if there are none. Exits on
    another.
    """
    called: dict[str, list[Line]] = {}
    for line in lines():
        for name in (line.name, line.game, line.proof):
            called.setdefault(name, []).append(line)
    unknown = [name for name in names if name not in called]
    if unknown:
        sys.exit(f"there is no line {unknown[0]!r}; there are: {', '.join(sorted(called))}")
    return list(dict.fromkeys(line for name in names for line in called[name])) or list(lines())


class Kept(MatchGames):
    """Results as the repository keeps them: without the times of choices, which every machine has other ones of."""

    def add(self, played: ArenaGame) -> None:
        """Keep a finished game."""
        super().add(msgspec.structs.replace(played, times=[]))

    def check(self, workers: int) -> None:
        """Play the first deal again. Raises AtollError if it comes out otherwise than it is kept."""
        again = MatchGames(self._match)
        if self.of_deals(1) == len(self._match.seatings):
            play_match(self._match, 1, again, workers)
        if any(came_out(self.games[key]) != came_out(played) for key, played in again.games.items()):
            raise AtollError("its games were played by other code; take its file away to play them anew")


def came_out(played: ArenaGame) -> object:
    """What the same code always makes of a game."""
    return played.points, played.winners, played.decisions


def path_of(line: Line, folder: Path) -> Path:
    """Where a line's results are kept."""
    return folder / f"{line.name}.jsonl"


def play(line: Line, settings: argparse.Namespace, console: Console, *, to_the_end: bool) -> None:
    """Play a line on, until it has the fewest games that it needs, or to its end."""
    match = line.match(settings.seed)
    fewest, budget = min(FEWEST, int(settings.games)), float(settings.minutes) * 60 * CORES
    deals = match.deals(settings.games if to_the_end else fewest)
    with Kept(match, path_of(line, settings.results)) as results:

        def enough() -> bool:
            return len(results) >= fewest and results.seconds >= budget

        total, done = deals * len(match.seatings), results.of_deals(deals)
        if done == total or enough():
            return
        results.check(settings.workers)
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
        ) as bar:
            task = bar.add_task(line.name, total=total, completed=done)
            play_match(match, deals, results, settings.workers, lambda done: bar.advance(task, done), enough)


def row(line: Line, settings: argparse.Namespace) -> list[str]:
    """A line as far as it is played."""
    against = line.bots[1] if len(line.bots) == 2 else f"{len(line.bots) - 1} × {line.bots[1]}"
    cells = [find_game(line.game).title, f"{line.bots[0]} against {against}"]
    path = path_of(line, settings.results)
    if path.exists():
        match = line.match(settings.seed)
        deals = MatchGames.read(match, path).whole_deals()
        if deals:
            share = share_estimate(bot_shares(match, deals, 0))
            games = f"{len(deals) * len(match.seatings):,}"
            return [*cells, games, share_text(WORDS, share), line.wanted, line.shown(share)]
    return [*cells, "0", "", line.wanted, ""]


def table(wanted: Sequence[Line], settings: argparse.Namespace) -> Table:
    """All lines as far as they are played, in Markdown."""
    shown = Table(box=MARKDOWN)
    for heading in ("Game", "Bots", "Games", "Won, %", "Wanted", "Shown"):
        shown.add_column(heading, justify="right" if heading in ("Games", "Won, %") else "left", no_wrap=True)
    for line in wanted:
        shown.add_row(*row(line, settings))
    return shown


def main() -> None:
    """Play what is missing and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.proofs", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="lines, games or proofs; all if none")
    parser.add_argument("--games", type=int, default=1000, help="games a line")
    parser.add_argument("--minutes", type=float, default=15, help=f"minutes a line, on {CORES} cores")
    parser.add_argument("--workers", type=int, default=CORES, help="cores to use")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", type=Path, default=Path("bench/results"), help="folder of the results")
    parser.add_argument("--table", action="store_true", help="only print what has been played")
    settings = parser.parse_args()
    console = Console(highlight=False, width=110)
    wanted = chosen(settings.names)
    settings.results.mkdir(parents=True, exist_ok=True)
    try:
        if not settings.table:
            for to_the_end in (False, True):
                for line in wanted:
                    play(line, settings, console, to_the_end=to_the_end)
                    console.print(f"{line.name}: {', '.join(row(line, settings)[2:])}")
    except AtollError as error:
        sys.exit(f"{line.name}: {error}")
    except KeyboardInterrupt:
        console.print("Stopped; the same command goes on from here.")
    console.print(table(wanted, settings))


if __name__ == "__main__":
    main()

"""Matches between bots: every deal in every seating, results kept in a file as games end.

A deal is played once in each rotation of the bots, so that each of them sits in every seat of the same deal. A game
depends on (seed, deal, seating) alone, whatever the number of workers and however often the match was stopped.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import combinations
from pathlib import Path
from types import TracebackType
from typing import IO, Self

import msgspec

from atoll import __version__
from atoll.bots.bot import FORFEITS, Bot
from atoll.core.game import Game
from atoll.core.types import Components, Json
from atoll.engine.chance import derive, generator
from atoll.engine.stopping import Stopped
from atoll.lab.batches import Pool, Workers
from atoll.lab.played import game_seed
from atoll.lab.simulate import step_game
from atoll.text.errors import AtollError
from atoll.text.files import check_regular, take_alone, unmarked
from atoll.text.messages import Message

FORMAT = 1
LONGEST_HEADER = 1_000_000
"""Bytes of the first line of a file of results that is read."""
LAST_BUCKET = 1000
"""The last class of the histogram of times, for all longer ones."""


@dataclass(frozen=True)
class Match:
    """What is played: `bots` as they were named, repeated to fill the seats; of more bots than seats, every
    grouping in turn.

    Raises AtollError for bots that cannot meet.
    """

    game: Game
    components: Components
    players: int
    bots: Sequence[Bot]
    seed: int = 1
    options: Mapping[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.names) < 2:
            raise AtollError(Message("an arena needs at least two different bots"))
        if self.players < len(self.bots) != len(self.names):
            raise AtollError(
                Message(
                    "of more bots than the %(seats)s seats, each can be named only once", seats=self.players
                )
            )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The different bots, in the order in which they were named."""
        return tuple(dict.fromkeys(bot.name for bot in self.bots))

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """The games of a deal: for each, the bot of each seat as an index into `names`."""
        named = [self.names.index(bot.name) for bot in self.bots]
        if len(named) <= self.players:
            groupings = [tuple(named[seat % len(named)] for seat in range(self.players))]
        else:
            groupings = list(combinations(named, self.players))
        rotations = (row[-turn:] + row[:-turn] for row in groupings for turn in range(self.players))
        return tuple(dict.fromkeys(rotations))

    def deals(self, games: int) -> int:
        """So many deals give at least so many games."""
        return math.ceil(games / len(self.seatings))

    def header(self) -> Json:
        """The first line of a file of results: everything that its games depend on."""
        return {
            "arena": FORMAT,
            "version": __version__,
            "game": self.game.name,
            "rules": self.game.rules_version,
            "components": {"name": self.components.name, "sha256": self.components.sha256},
            "options": self.game.check_options(self.options),
            "players": self.players,
            "bots": [bot.name for bot in self.bots],
            "seed": self.seed,
            "seatings": [[self.names[bot] for bot in row] for row in self.seatings],
        }


class ArenaGame(msgspec.Struct, frozen=True):
    """A finished game: deal `deal` in seating `seating`, both from 0; lists have an entry a seat.

    `seconds` is how long its thread kept a core at work, `forfeits` the moves that chance chose by the kind of
    failure, `times` how often a choice took how long, by `bucket`.
    """

    deal: int
    seating: int
    points: list[int]
    winners: list[int]
    decisions: int
    seconds: float
    forfeits: list[dict[str, int]]
    times: list[dict[int, int]]

    @property
    def shares(self) -> list[float]:
        """Each seat's share of the win."""
        return [(seat in self.winners) / len(self.winners) for seat in range(len(self.points))]


def bucket(seconds: float) -> int:
    """The class of a time in a logarithmic histogram: 20 to a factor of ten, 6 % off at most; 0 is a microsecond."""
    return max(0, round(20 * math.log10(max(seconds, 1e-9) * 1e6)))


def bucket_seconds(number: int) -> float:
    """The time in the middle of a class."""
    return float(1e-6 * 10 ** (number / 20))


def play_one(match: Match, deal: int, seating: int) -> ArenaGame:
    """One game of a match; raises EndlessGame if it goes on past its declared maximum, and Stopped."""
    bots = {bot.name: bot for bot in match.bots}
    seated_bots = [
        bots[match.names[bot]].sit(generator(derive(match.seed, deal, seating, seat)))
        for seat, bot in enumerate(match.seatings[seating])
    ]
    began = time.thread_time()
    position = match.game.start(match.players, game_seed(match.seed, deal), match.components, match.options)
    times: list[Counter[int]] = [Counter() for _ in seated_bots]
    decisions = 0
    for step in step_game(position, seated_bots):
        decisions += 1
        if len(step.legal) > 1:
            times[step.seat][bucket(step.seconds)] += 1
    outcome = position.outcome
    assert outcome is not None
    return ArenaGame(
        deal,
        seating,
        list(outcome.points),
        list(outcome.winners),
        decisions,
        round(time.thread_time() - began, 4),
        [dict(player.forfeits) for player in seated_bots],
        [dict(sorted(counts.items())) for counts in times],
    )


class MatchGames:
    """The finished games of a match; with a path also in that file, one line a game, added as they end.

    A file that is there already is read, and a last line that was cut off is dropped. Raises AtollError, and changes
    nothing, if it holds anything but results of the same match, or if somebody else is adding to it.
    """

    def __init__(self, match: Match, path: Path | None = None) -> None:
        self.games: dict[tuple[int, int], ArenaGame] = {}
        self._match = match
        self._file = None
        if path is not None:
            check_regular(path)
            self._file = path.open("ab+")
            try:
                self._go_on(self._file, path)
            except BaseException:
                self._file.close()
                raise

    @classmethod
    def read(cls, match: Match, path: Path) -> "MatchGames":
        """What a file holds of a match that somebody else may be playing."""
        results = cls(match)
        check_regular(path)
        results._take(path, path.read_bytes())
        return results

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def __len__(self) -> int:
        return len(self.games)

    @property
    def seconds(self) -> float:
        """How long all games together kept a core at work."""
        return sum(game.seconds for game in self.games.values())

    def add(self, game: ArenaGame) -> None:
        """Keep a finished game."""
        if self._file is not None:
            self._file.write(msgspec.json.encode(game) + b"\n")
            self._file.flush()
        self.games[game.deal, game.seating] = game

    def of_deals(self, deals: int) -> int:
        """How many games of deals 0 to deals - 1 are finished."""
        return sum(deal < deals for deal, _ in self.games)

    def whole_deals(self) -> list[list[ArenaGame]]:
        """The games of every deal of which all are finished, in the order of the deals and seatings."""
        count = len(self._match.seatings)
        deals: dict[int, list[ArenaGame]] = {}
        for key in sorted(self.games):
            deals.setdefault(key[0], []).append(self.games[key])
        return [games for games in deals.values() if len(games) == count]

    def _go_on(self, file: IO[bytes], path: Path) -> None:
        take_alone(file, Message("%(file)s: another arena is adding to this file now", file=path))
        file.seek(0)
        content = file.read()
        whole = self._take(path, content)
        if whole < len(content):
            file.truncate(whole)
        if not whole:
            file.write(msgspec.json.encode(self._match.header()) + b"\n")
            file.flush()

    def _take(self, path: Path, content: bytes) -> int:
        """Take in the games of a file's content; returns the length of its whole lines."""
        header = msgspec.json.encode(self._match.header()) + b"\n"
        if len(content) < len(header) and header.startswith(content):
            return 0
        first, *lines = content[: content.rfind(b"\n") + 1].splitlines() or [content]
        first = unmarked(first)
        if first != header.rstrip():
            self._check_header(path, first)
        for number, line in enumerate(lines, start=2):
            try:
                game = msgspec.json.decode(line, type=ArenaGame)
                self._check_played(game)
            except (msgspec.DecodeError, RecursionError, ValueError):
                raise AtollError(
                    Message(
                        "%(file)s: line %(line)s is not the result of a game of this match",
                        file=path,
                        line=number,
                    )
                ) from None
            self.games[game.deal, game.seating] = game
        return content.rfind(b"\n") + 1

    def _check_played(self, game: ArenaGame) -> None:
        """Raise ValueError for what cannot have come of a game of this match."""
        players = self._match.players
        lists = (game.points, game.forfeits, game.times)
        if not (
            game.deal >= 0
            and 0 <= game.seating < len(self._match.seatings)
            and all(len(part) == players for part in lists)
            and game.winners == sorted(set(game.winners)) != []
            and 0 <= game.winners[0] <= game.winners[-1] < players
            and game.seconds >= 0
            and all(
                kind in FORFEITS and number >= 0 for part in game.forfeits for kind, number in part.items()
            )
            and all(
                0 <= kind <= LAST_BUCKET and number >= 0
                for part in game.times
                for kind, number in part.items()
            )
        ):
            raise ValueError("no result of a game of this match")

    def _check_header(self, path: Path, line: bytes) -> None:
        try:
            content = msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError):
            content = None
        if not isinstance(content, dict) or "arena" not in content:
            raise AtollError(
                Message("%(file)s: this file holds no results of an arena; name another one", file=path)
            )
        header = self._match.header()
        for key, value in header.items():
            if content.get(key) != value:
                raise AtollError(
                    Message(
                        "%(file)s: this file holds the results of another match, with %(key)s %(found)s and not "
                        "%(wanted)s; name another file",
                        file=path,
                        key=key,
                        found=repr(content.get(key)),
                        wanted=repr(value),
                    )
                )


def seed_in(path: Path) -> int | None:
    """The seed of the match whose results a file holds; None if it holds none that can be read."""
    check_regular(path)
    try:
        with path.open("rb") as file:
            header = msgspec.json.decode(unmarked(file.readline(LONGEST_HEADER)))
    except (FileNotFoundError, msgspec.DecodeError, RecursionError):
        return None
    seed = header.get("seed") if isinstance(header, dict) else None
    return seed if isinstance(seed, int) else None


def prepare(match: Match) -> None:
    """Compile, load or start all that the match needs, so that no game's time is counted for it."""
    for bot in match.bots:
        bot.prepare(match.game)


def play_match(
    match: Match,
    deals: int,
    results: MatchGames,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda futures: None,
    enough: Callable[[], bool] = lambda: False,
) -> None:
    """Play what is missing of deals 0 to deals - 1 on `workers`, and add it to `results`.

    Calls `progress` with the number of games just finished. No new deal begins once `enough()`. When interrupted,
    games that are under way are given up, and finished ones kept.
    """
    prepare(match)
    places = _missing(match, deals, results, enough)
    running: set[Future[ArenaGame]] = set()

    def collect(games: set[Future[ArenaGame]]) -> None:
        for game in games:
            with suppress(Stopped):
                results.add(game.result())
                progress(1)

    with Pool[ArenaGame](workers) as pool:
        try:
            while True:
                while len(running) < pool.lanes and (place := next(places, None)) is not None:
                    running.add(pool.submit(partial(play_one, match, *place)))
                if not running:
                    break
                futures, running = wait(running, return_when=FIRST_COMPLETED)
                collect(futures)
        except BaseException:
            pool.give_up()
            collect({game for game in running if not game.cancelled()})  # `wait` never ends for one that was
            raise


def _missing(
    match: Match, deals: int, results: MatchGames, enough: Callable[[], bool]
) -> Iterator[tuple[int, int]]:
    for deal in range(deals):
        seatings = [seating for seating in range(len(match.seatings)) if (deal, seating) not in results.games]
        if len(seatings) == len(match.seatings) and enough():
            return
        for seating in seatings:
            yield deal, seating

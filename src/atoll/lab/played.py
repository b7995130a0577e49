"""Which games are played, and their results.

Game i depends on (seed, i) alone and each bot's chance on (seed, i, seat), whatever the number of workers.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS, Bot, QuickBot, SeatedBot, TrainedBot
from atoll.bots.weights import Weights
from atoll.core.game import Game, Position
from atoll.core.types import Components
from atoll.engine.chance import derive

TRAINED = -1
"""The place of a seat's bot in `BotSeats.bots` where the trained network plays."""
AGAINST = -2
"""The same where another network plays against it (`lab/trained_policy.py`)."""


@dataclass(frozen=True)
class Setup:
    """What is played: `bots` are repeated to fill the seats and move a seat further each game."""

    game: Game
    components: Components
    players: int
    bots: Sequence[Bot]
    seed: int
    options: Mapping[str, bool] = field(default_factory=dict)
    quick: Sequence[QuickBot] = QUICK_BOTS
    """bots for which compiled loops are made, besides those that sit somewhere"""

    @property
    def is_quick(self) -> bool:
        """Whether all bots are QUICK_BOTS, or such with restrictions."""
        return are_quick(self.game, self.bots)

    @property
    def is_compiled(self) -> bool:
        """Whether all of it runs in compiled code: quick bots, or trained ones with one network beside them."""
        return (
            self.is_quick
            or seat_in_compiled_code(self.game, self.bots, np.zeros((0, 1), np.int8)) is not None
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The different bots."""
        return tuple(dict.fromkeys(bot.name for bot in self.bots))

    def bots_in(self, first: int, count: int) -> NDArray[np.int8]:
        """The bot of each seat in games first to first + count - 1, as a place in `names`: (count, players)."""
        names, players = self.names, self.players
        row = np.array(
            [names.index(self.bots[seat % len(self.bots)].name) for seat in range(players)], np.int8
        )
        games = np.arange(first, first + count)
        return np.ascontiguousarray(row[(np.arange(players) - games[:, None]) % players])

    def seats(self, first: int, count: int) -> "BotSeats":
        """Who sits where in games first to first + count - 1, all of which runs in compiled code."""
        seats = seat_in_compiled_code(self.game, self.bots, self.bots_in(first, count), self.quick)
        assert seats is not None
        return seats


def game_seed(seed: int, index: int) -> int:
    """The seed of game `index`: `game.start(players, game_seed(seed, index))` deals it."""
    return derive(seed, index)


def are_quick(game: Game, bots: Sequence[Bot]) -> bool:
    """Whether all bots are functions in compiled code."""
    return all(bot.quick(game) is not None for bot in bots)


class BotSeats(NamedTuple):
    """Who sits where in some games, for the compiled loop.

    `bots` int8 (n, players): places in `quick`, or TRAINED, where `network` plays. `ranks` int8 (m, actions) rates the
    moves for restricted seats, and `ranked` int16 (n, players) says by which row, -1 for a seat that is free.
    """

    quick: tuple[QuickBot, ...]
    bots: NDArray[np.int8]
    ranks: NDArray[np.int8]
    ranked: NDArray[np.int16]
    network: Weights | None = None


def seat_in_compiled_code(
    game: Game, bots: Sequence[Bot], rows: NDArray[np.int8], quick_bots: Sequence[QuickBot] = QUICK_BOTS
) -> BotSeats | None:
    """Bots in their seats: `rows` (n, players) are places among the different names of `bots`; of quick ones
    `quick_bots` come first, whether they sit or not. None if one of them does
    not run in compiled code, or if they have several networks.
    """
    different = list({bot.name: bot for bot in bots}.values())
    present = set(np.unique(rows).tolist())
    numbers: dict[QuickBot, int] = {bot: number for number, bot in enumerate(quick_bots)}
    ranks = [np.zeros(len(game.moves), dtype=np.int8)]
    networks: list[Weights] = []
    places, ranked = [], []
    for place, bot in enumerate(different):
        quick = bot.quick(game)
        if quick is not None:
            places.append(numbers.setdefault(quick, len(numbers)) if place in present else 0)
        elif isinstance(bot, TrainedBot) and (network := bot.weights(game)) is not None:
            networks.append(network)
            places.append(TRAINED)
        else:
            return None
        own = bot.ranks(game)
        ranked.append(-1 if own is None else len(ranks))
        if own is not None:
            ranks.append(own)
    if len(networks) > 1:
        return None
    return BotSeats(
        tuple(numbers),
        np.array(places, dtype=np.int8)[rows],
        np.array(ranks),
        np.array(ranked, dtype=np.int16)[rows],
        networks[0] if networks else None,
    )


@dataclass
class PlayedGames:
    """The results of n games.

    `names` are the bots'. `bots` int8 (n, players): index into `names` of each seat; `beginners` int8 (n,): the seat
    that alone had to decide first, seat 0 where several had to; `points` int32 (n, players); `winners` int32 (n,): bit
    set of seats; `lengths` int32 (n,): decisions; `rounds` int32 (n,), 0 if the game does not tell; `endings` int8
    (n,): index into the game's ENDINGS. `forfeits`: the moves that a bot, by its name, failed to choose, by the kind
    of failure.
    """

    names: tuple[str, ...]
    bots: NDArray[np.int8]
    beginners: NDArray[np.int8]
    points: NDArray[np.int32]
    winners: NDArray[np.int32]
    lengths: NDArray[np.int32]
    rounds: NDArray[np.int32]
    endings: NDArray[np.int8]
    forfeits: dict[str, Counter[str]] = field(default_factory=dict)

    @classmethod
    def empty(cls, names: tuple[str, ...], bots: NDArray[np.int8]) -> "PlayedGames":
        """To be filled in, for these bots in their seats."""
        count, players = bots.shape
        return cls(
            names=names,
            bots=bots,
            beginners=np.zeros(count, dtype=np.int8),
            points=np.zeros((count, players), dtype=np.int32),
            winners=np.zeros(count, dtype=np.int32),
            lengths=np.zeros(count, dtype=np.int32),
            rounds=np.zeros(count, dtype=np.int32),
            endings=np.zeros(count, dtype=np.int8),
        )

    @classmethod
    def join(cls, parts: Sequence["PlayedGames"]) -> "PlayedGames":
        """One part of the games after another."""
        forfeits: dict[str, Counter[str]] = {}
        for part in parts:
            for name, kinds in part.forfeits.items():
                forfeits.setdefault(name, Counter()).update(kinds)
        arrays = ("bots", "beginners", "points", "winners", "lengths", "rounds", "endings")
        columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in arrays}
        return cls(names=parts[0].names, **columns, forfeits=forfeits)

    def __len__(self) -> int:
        return len(self.lengths)

    def take(self, arrays: Any) -> None:
        """Take over what a compiled loop wrote into its arrays, of as many games."""
        count = len(self)
        self.beginners, self.points = arrays.beginners[:count], arrays.points[:count]
        self.winners, self.lengths = arrays.winners[:count], arrays.lengths[:count]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each seat's share of the win, shape (n, players): 1, or part of it if several win."""
        return shares_of(self.winners, self.points.shape[1])

    def from_beginner(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values (n, …, players) by seats, in the order of the seats from who begins, clockwise."""
        return from_beginner(self.beginners, values)

    def add_begin(self, place: int, position: Position) -> None:
        """Fill in who begins a game."""
        acting = position.to_act
        self.beginners[place] = acting[0] if len(acting) == 1 else 0

    def add_end(self, place: int, position: Position, seated_bots: Sequence[SeatedBot]) -> None:
        """Fill in the results of a game, and the forfeits of its players."""
        outcome = position.outcome
        assert outcome is not None
        self.points[place] = outcome.points
        self.winners[place] = sum(1 << seat for seat in outcome.winners)
        self.add_endings(slice(place, place + 1), position.game, position.components, position.states)
        for player in seated_bots:
            self.forfeits.setdefault(player.bot.name, Counter()).update(player.forfeits)

    def add_endings(self, places: slice, game: Game, components: Components, states: NDArray[Any]) -> None:
        """Fill in how many rounds finished games took and how they ended, if the game tells."""
        if game.endings is not None:
            self.rounds[places] = game.endings.rounds(states)
            self.endings[places] = game.endings.endings(states, components)


def shares_of(winners: NDArray[np.int32], players: int) -> NDArray[np.float64]:
    """Each seat's share of the win, shape (n, players), by the bit sets of winners."""
    wins = winners[:, None] >> np.arange(players) & 1
    shares: NDArray[np.float64] = wins / wins.sum(axis=1, keepdims=True)
    return shares


def from_beginner(beginners: NDArray[np.integer[Any]], values: NDArray[Any]) -> NDArray[Any]:
    """Values (n, …, players) of n games by seats, in the order of the seats from who begins, clockwise.

    The lab counts seats so: where it is drawn who begins, a seat's number says nothing.
    """
    players = values.shape[-1]
    seats = (beginners[:, None] + np.arange(players)) % players
    return np.take_along_axis(values, seats.reshape(len(seats), *[1] * (values.ndim - 2), players), axis=-1)

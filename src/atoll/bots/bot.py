"""What a bot is, and the kinds of bots."""

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from atoll.bots import random
from atoll.bots.greedy import greedy
from atoll.bots.iteration import USUAL, Tuning
from atoll.bots.network import CHOOSE, Activations
from atoll.bots.search import evaluate
from atoll.bots.weights import SHIPPED, Weights, read_weights, shipped_weights
from atoll.core.exports import GENERATOR, NUMBERS, of_rules, some_parts, some_states
from atoll.core.game import Game, View
from atoll.core.types import Outcome
from atoll.engine import chance
from atoll.engine.chance import draw_below
from atoll.engine.exports import Export

Generator: TypeAlias = NDArray[np.uint64]


@dataclass(frozen=True)
class Bot(ABC):
    """A player that gets a view and its own generator, and nothing else."""

    name: str
    searches: ClassVar[bool] = False
    """whether it needs the search of its game compiled"""

    def choose(self, view: View, seed: int) -> int:
        """The action that the bot takes in a view whose seat has to decide; the same for the same seed."""
        return self.decide(view, view.legal_moves().actions, chance.generator(seed))

    def decide(self, view: View, moves: NDArray[np.int32], generator: Generator) -> int:
        """The action taken of the legal `moves`, codes ascending; `generator` (`engine/chance.py`) is advanced."""
        return int(moves[0]) if len(moves) == 1 else self.think(view, moves, generator)

    @abstractmethod
    def think(self, view: View, moves: NDArray[np.int32], generator: Generator) -> int:
        """The action taken of several moves."""

    @abstractmethod
    def prepare(self, game: Game) -> None:
        """Compile, load or start all that the bot runs for a game."""

    def quick(self, game: Game) -> "QuickBot | None":
        """The bot in compiled code that plays for it, if there is one."""
        return None

    def ranks(self, game: Game) -> NDArray[np.int8] | None:
        """How moves rank by their codes, of which it takes those of the highest rank alone; None if all rank alike."""
        return None

    def sit(self, generator: Generator) -> "SeatedBot":
        """The bot in a seat for one game; `generator` is advanced from decision to decision."""
        return SeatedBot(self, generator)


FORFEITS = ("late", "illegal", "garbled", "gone")
"""The kinds of failure to choose a move."""


class SeatedBot:
    """A bot in its seat for one game: its generator, and its memory if it has one.

    `forfeits` counts the moves that the bot failed to choose and chance chose instead, by the kind of failure, one
    of FORFEITS.
    """

    def __init__(self, bot: Bot, generator: Generator) -> None:
        self.bot = bot
        self.generator = generator
        self.forfeits: Counter[str] = Counter()

    def decide(self, view: View, moves: NDArray[np.int32]) -> int:
        """The action taken of the legal `moves`, codes ascending."""
        return self.bot.decide(view, moves, self.generator)

    def leave(self, outcome: Outcome | None) -> None:
        """The game is over; broken off, if there is no outcome."""


@dataclass(frozen=True)
class QuickBot(Bot):
    """A bot that is a compiled function.

    Simulation plays millions of games with these. `looks` is False for a bot that does not read the view, so that none
    is made for it.
    """

    looks: bool

    @abstractmethod
    def function(self, game: Game) -> Any:
        """The function for a game: (view, parts, moves, count, generator) -> action."""

    def quick(self, game: Game) -> "QuickBot":
        return self

    def prepare(self, game: Game) -> None:
        pass

    def think(self, view: View, moves: NDArray[np.int32], generator: Generator) -> int:
        arguments = (view.states, view.components.parts, moves, len(moves), generator)
        return view.game.runner.call(choosing(self), *arguments)


@cache
def choosing(bot: QuickBot) -> Export:
    """What a quick bot chooses, as Python calls it."""
    return Export(
        f"choose {bot.name}",
        lambda game: of_rules(game, choose_of, choose=bot.function(game)),
        lambda game: (some_states(game), some_parts(game), NUMBERS, 0, GENERATOR),
        reads=(0, 1, 2),
    )


choose: Any = None


def choose_of(views, parts, moves, count, generator):  # type: ignore[no-untyped-def]
    """What a bot takes in a view of an array."""
    return choose(views[0], parts[0], moves, count, generator)


@dataclass(frozen=True)
class SearchBot(Bot):
    """A bot that searches: `iterations` of them, or until `milliseconds` are over, whichever comes first.

    It takes the most visited move, or, if it `samples`, one drawn with a probability in proportion to its visits; of
    moves of which none was visited, the one that the game's advice rates highest. With a time limit it grows up to
    `trees` trees while cores are free. A trained network guides it, if it is to be `guided` and the game brings one.
    """

    searches: ClassVar[bool] = True
    iterations: int | None = None
    milliseconds: int | None = None
    samples: bool = False
    trees: int = 1
    guided: bool = True

    def prepare(self, game: Game) -> None:
        pass

    def think(self, view: View, moves: NDArray[np.int32], generator: Generator) -> int:
        evaluations = evaluate(view, generator, self.iterations, self.milliseconds, self._tuning, self.trees)
        allowed = set(moves.tolist())
        evaluations = [move for move in evaluations if move.action in allowed]
        if not evaluations:
            return GREEDY.think(view, moves, generator)
        if not self.samples:
            return evaluations[0].action
        ticket = draw_below(generator, sum(move.visits for move in evaluations))
        for move in evaluations:
            ticket -= move.visits
            if ticket < 0:
                break
        return move.action

    @property
    def _tuning(self) -> Tuning:
        return USUAL if self.guided else USUAL.without_guide()


class RandomBot(QuickBot):
    """Plays any legal move."""

    def function(self, game: Game) -> Any:
        return random.choose


class GreedyBot(QuickBot):
    """Takes its game's advice."""

    def function(self, game: Game) -> Any:
        return greedy(game)


RANDOM, GREEDY = RandomBot("random", looks=False), GreedyBot("greedy", looks=True)
QUICK_BOTS = (RANDOM, GREEDY)
"""The bots that compiled simulation knows, the simplest first."""


@dataclass(frozen=True)
class TrainedBot(Bot):
    """A bot that takes the move to which a trained network gives the highest worth, without looking ahead.

    The network is that of `file`, or the one that the game brings along under the name `shipped`; for a game that
    brings none, it is `greedy`.
    """

    file: Path | None = None
    shipped: str = SHIPPED

    def weights(self, game: Game) -> Weights | None:
        """The network, or None; raises AtollError for a file that cannot be read or does not fit the game."""
        return shipped_weights(game, self.shipped) if self.file is None else read_weights(game, self.file)

    def prepare(self, game: Game) -> None:
        self.weights(game)

    def quick(self, game: Game) -> QuickBot | None:
        return GREEDY if self.weights(game) is None else None

    def think(self, view: View, moves: NDArray[np.int32], generator: Generator) -> int:
        weights = self.weights(view.game)
        if weights is None:
            return GREEDY.think(view, moves, generator)
        mind, parts = weights.mind(view.players, view.components), view.components.parts
        activations = Activations.of(view.game, mind)
        arguments = (mind, activations, view.states, parts, moves, len(moves), generator)
        return view.game.runner.call(CHOOSE, *arguments)

"""Bots that do without something: `restrict:BOT,never=MOVES,always=MOVES,without=HABIT,taste=HABIT,ahead=0,` and
`only=points`.

Restricted play (A. Jaffe and others, "Evaluating Competitive Game Balance with Restricted Play", 2012) asks what it
costs a player never to use a card or a place. Moves are named as reports name them: a kind of moves (`discard`), a part
of any kind (`card/5`), or a part of one kind (`discard/card/5`). Habits are what games declare as such
(`core/habits.py`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import GREEDY, RANDOM, Bot, Generator, QuickBot
from atoll.bots.habit_filter import holding
from atoll.bots.lookahead import most_points
from atoll.core.game import Game, View
from atoll.core.habits import Habit
from atoll.text.errors import UnknownBot
from atoll.text.messages import Message, quoted

RULES = ("never", "always", "without", "taste", "ahead", "only")
"""What begins a restriction in the name of a bot."""
NO_LOOK_AHEAD, ONLY_POINTS = "ahead=0", "only=points"


class PointsBot(QuickBot):
    """Takes the move after which its seat has the most points at once, by the rules, whatever the others have then."""

    def function(self, game: Game) -> Any:
        return most_points(game)


POINTS = PointsBot("points", looks=True)


@dataclass(frozen=True)
class HeldBot(QuickBot):
    """A quick bot that does without a habit, or keeps to it."""

    free: QuickBot
    habit: Habit
    keeps: bool

    def function(self, game: Game) -> Any:
        return holding(game, self.habit, self.free.function(game), keeps=self.keeps)


@dataclass(frozen=True)
class RestrictedBot(Bot):
    """A bot that takes no move of `never`, nor of a habit in `without`, while there are others, and takes one of
    `always`, and of each habit in `tastes`, wherever there is one. If it is `blind`, it takes what the game's advice
    rates highest now, or any move where the game gives no advice; if it goes by `points`, what gives it the most of
    these at once.
    """

    inner: Bot
    never: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    tastes: tuple[str, ...] = ()
    blind: bool = False
    points: bool = False

    def played_by(self, game: Game) -> Bot:
        """The bot that chooses among the moves that are left."""
        if self.points:
            return POINTS
        if self.blind:
            return GREEDY if game.has_advice else RANDOM
        return self.inner

    def quick(self, game: Game) -> QuickBot | None:
        bot = self.played_by(game).quick(game)
        if bot is not None:
            for habit, keeps in reversed(self.habits(game)):  # the first is asked about last
                name = f"{bot.name} {'of taste' if keeps else 'without'} {habit.name}"
                bot = HeldBot(name, True, bot, habit, keeps)
        return bot

    def habits(self, game: Game) -> tuple[tuple[Habit, bool], ...]:
        """The habits that hold it, and whether it keeps to each rather than doing without; raises UnknownBot for one
        that the game does not have.
        """
        without = tuple((_habit(game, self.name, name), False) for name in self.without)
        return without + tuple((_habit(game, self.name, name), True) for name in self.tastes)

    def ranks(self, game: Game) -> NDArray[np.int8]:
        return _ranks(game, self.name, self.never, self.always)

    def prepare(self, game: Game) -> None:
        self.ranks(game)
        self.habits(game)
        self.played_by(game).prepare(game)

    def think(self, view: View, moves: NDArray[np.int32], generator: Generator) -> int:
        """What the free bot takes; if that is not allowed, what it takes of what is. So it draws as a free one does
        until it is held back, and games with either differ by nothing else.
        """
        habits = self.habits(view.game)
        ranks = self.ranks(view.game)
        action = self._taken(habits, view, moves, generator)
        highest = moves[ranks[moves] == ranks[moves].max()]
        return action if action in highest else self._taken(habits, view, highest, generator)

    def _taken(
        self,
        habits: Sequence[tuple[Habit, bool]],
        view: View,
        moves: NDArray[np.int32],
        generator: Generator,
    ) -> int:
        """What it takes under these habits; the first is asked about last, as in compiled code."""
        if not habits:
            return self.played_by(view.game).decide(view, moves, generator)
        action = self._taken(habits[1:], view, moves, generator)
        others = _allowed(view, moves, *habits[0])
        return action if action in others else self._taken(habits[1:], view, others, generator)


def _habit(game: Game, bot: str, name: str) -> Habit:
    """The game's habit of that name."""
    for habit in game.habits:
        if habit.name == name:
            return habit
    raise UnknownBot(
        Message(
            "%(bot)s names %(habit)s, which is no habit of %(game)s; there are: %(known)s",
            bot=quoted(bot),
            habit=quoted(name),
            game=game.title,
            known=", ".join(habit.name for habit in game.habits) or Message("none"),
        )
    )


def _allowed(view: View, moves: NDArray[np.int32], habit: Habit, keeps: bool) -> NDArray[np.int32]:
    """The moves that are not of a habit, or those that are if it keeps to it; all if there are none."""
    parts = view.components.parts[0]
    others = moves[[bool(habit.includes(view.state, parts, action)) == keeps for action in moves]]
    return others if len(others) else moves


def looks_ahead(bot: Bot, game: Game) -> bool:
    """Whether a bot plays moves, or whole games, in its mind before it chooses."""
    if isinstance(bot, RestrictedBot):
        return not bot.points and not bot.blind and looks_ahead(bot.inner, game)
    quick = bot.quick(game)
    return bot.searches if quick is None else quick == GREEDY and not game.has_advice


@cache
def _ranks(game: Game, name: str, never: tuple[str, ...], always: tuple[str, ...]) -> NDArray[np.int8]:
    """Of each move, 0 if it is never taken, 2 if always, else 1."""
    ranks = np.ones(len(game.moves), dtype=np.int8)
    for rank, keys in ((2, always), (0, never)):
        for key in keys:
            of = moves_of(game, key)
            if not of:
                kinds = ", ".join(kind.word for kind in game.moves.kinds)
                raise UnknownBot(
                    Message(
                        "%(bot)s names moves %(moves)s, which %(game)s does not have; it would be a kind (%(kinds)s), "
                        "a part with its value such as %(part)s, or both, such as %(both)s",
                        bot=quoted(name),
                        moves=quoted(key),
                        game=game.title,
                        kinds=kinds,
                        part=quoted(_example(game)),
                        both=quoted(_example(game, whole=True)),
                    )
                )
            ranks[of] = rank
    return ranks


def moves_of(game: Game, key: str) -> list[int]:
    """The action codes of the moves that a key names; none if it names none."""
    key = key.removeprefix("move/")
    return [
        action
        for kind in game.moves.kinds
        for action in range(kind.first, kind.first + kind.count)
        if key in _keys(game, action)
    ]


def _keys(game: Game, action: int) -> list[str]:
    """All keys that name a move."""
    move = dict(game.moves.move_of(action))
    kind = str(move.pop("do"))
    parts = [f"{part}/{value_key(value)}" for part, value in move.items()]
    return [kind, *parts, *(f"{kind}/{part}" for part in parts)]


def value_key(value: object) -> str:
    """A value of a part in a key."""
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)


def _example(game: Game, *, whole: bool = False) -> str:
    """A key of a part of some move, with its kind or without."""
    keys = next(
        (keys for kind in game.moves.kinds if len(keys := _keys(game, kind.first)) > 1),
        [game.moves.kinds[0].word],
    )
    return keys[-1] if whole else keys[1 if len(keys) > 1 else 0]

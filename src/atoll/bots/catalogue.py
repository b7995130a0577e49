"""The bots by name; importing this does not import Numba."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from atoll.core.errors import UnknownBot
from atoll.core.game import Game

if TYPE_CHECKING:
    from atoll.core.position import View


@dataclass(frozen=True)
class Bot:
    """A bot, whose module has the function `choose(advise, view, parts, moves, count, generator) -> action`.

    It gets the game's advice, a view and the legal moves of the view's seat, and nothing else; `generator`, uint64 of
    shape (1,), is its own. `looks` is False for a bot that never looks at the view, so that nobody need make one.
    """

    name: str
    looks: bool

    def compiled(self, game: Game) -> Callable[..., int]:
        """The bot's function, compiled for one game; the first use imports Numba."""
        return _compiled(self.name, game)

    def choose(self, view: "View", seed: int) -> int:
        """The action that the bot takes in a view whose seat has to decide; the same for the same seed."""
        from atoll.core.chance import generator

        moves = view.legal_moves().actions
        if len(moves) == 1:
            return int(moves[0])
        function = self.compiled(view.game)
        parts = view.components.parts[0]
        return function(view.game.advise, view.state, parts, moves, len(moves), generator(seed))


@cache
def _compiled(name: str, game: Game) -> Callable[..., int]:
    from atoll.core.compiling import compiled_as

    choose: Callable[..., int] = import_module(f"atoll.bots.{name}").choose
    return compiled_as(game.types.choose, choose)


BOTS = (Bot("random", looks=False), Bot("greedy", looks=True))
"""All bots, the simplest first."""


def bot_names() -> tuple[str, ...]:
    """What the bots are called, the simplest first."""
    return tuple(bot.name for bot in BOTS)


def find_bot(name: str) -> Bot:
    """The bot of that name; raises UnknownBot, which names those that there are."""
    for bot in BOTS:
        if bot.name == name:
            return bot
    raise UnknownBot(f"there is no bot called {name!r}; there are: {', '.join(bot_names())}")

"""Whoever is measured: a bot by name, a program, a file of weights, or a policy in Python as PettingZoo has them.

A policy in Python is what is called `MODULE:NAME` or `FILE.py:NAME`, and gets what PettingZoo's `last()` gives: a
dictionary of `observation` and `action_mask`. It returns one of the actions that the mask allows. A function is called
as it is. A class is called for each game, with `game` (its name), `players`, `seat` and `seed` (all that it may draw
chance from), and what comes of that is called for each decision; `MODULE:NAME:TEXT` gives it the text first, such as
the path of what it has learnt. Its attribute `form` says how observations are encoded, `normalized` if it has none.
"""

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import Bot, Generator, SeatedBot
from atoll.bots.external import named_bots
from atoll.core.action_encoding import Actions
from atoll.core.game import Game, View
from atoll.core.observation import FORMS, observation_of
from atoll.engine.chance import derive
from atoll.text.errors import AtollError

Policy = Callable[[dict[str, NDArray[Any]]], Any]
"""From `observation` and `action_mask` to an action."""
WEIGHTS = ".npz"
_PYTHON = re.compile(
    r"(?P<module>[A-Za-z_][\w.]*|[^:]*\.py):(?P<name>[A-Za-z_]\w*)(?::(?P<text>.*))?", re.DOTALL
)


@dataclass(frozen=True)
class PolicyBot(Bot):
    """A policy in Python as a bot: it gets observations of its view, and nothing else."""

    policy: Any
    text: str | None = None

    @property
    def form(self) -> str:
        """How its observations are encoded."""
        return str(getattr(self.policy, "form", "normalized"))

    def prepare(self, game: Game) -> None:
        if self.form not in FORMS:
            raise AtollError(f"{self.name}: there is no form {self.form!r}; there are: {', '.join(FORMS)}")

    def sit(self, generator: Generator) -> "SeatedPolicy":
        return SeatedPolicy(self, generator)

    def think(self, view: View, moves: NDArray[np.int32], generator: Generator) -> int:
        return self.sit(generator).decide(view, moves)


class SeatedPolicy(SeatedBot):
    """A policy in its seat for one game."""

    bot: PolicyBot

    def __init__(self, bot: PolicyBot, generator: Generator) -> None:
        super().__init__(bot, generator)
        self._policy: Policy | None = None

    def decide(self, view: View, moves: NDArray[np.int32]) -> int:
        """The policy's action; raises AtollError for one that is not legal."""
        if len(moves) == 1:
            return int(moves[0])
        game, seat = view.game, view.seat
        if self._policy is None:
            self._policy = self._begin(view)
        actions = actions_of(game, view.players)
        observation = observation_of(game, view.players, self.bot.form, view.options).of_view(view.states)
        mask = np.zeros(actions.count, dtype=np.int8)
        mask[actions.turned[seat, moves]] = 1
        allowed = mask.copy()  # the policy may write into its own
        answer = self._policy({"observation": observation, "action_mask": mask})
        try:
            action = int(answer)
            legal = 0 <= action < len(allowed) and bool(allowed[action])
        except (TypeError, ValueError):
            legal = False
        if not legal:
            raise AtollError(f"{self.bot.name} answered {answer!r}, which is no action that the mask allows")
        return int(actions.codes[seat, action])

    def _begin(self, view: View) -> Policy:
        policy = self.bot.policy
        if not isinstance(policy, type):
            return policy  # type: ignore[no-any-return]
        first = () if self.bot.text is None else (self.bot.text,)
        seed = derive(int(self.generator[-1]))
        return policy(  # type: ignore[no-any-return]
            *first, game=view.game.name, players=view.players, seat=view.seat, seed=seed
        )


_actions: dict[tuple[str, int], Actions] = {}


def actions_of(game: Game, players: int) -> Actions:
    """The actions of a game with so many players, made once."""
    key = (game.name, players)
    if key not in _actions:
        _actions[key] = Actions(game, players)
    return _actions[key]


@contextmanager
def named_policy(text: str, game: Game, players: int) -> Iterator[Bot]:
    """The policy that a command line names, a program's processes ending with the context; `{game}` and `{players}` in
    it stand for these. Raises AtollError, which says what is wrong.
    """
    name = text.replace("{game}", game.name).replace("{players}", str(players))
    python = (
        None if name.startswith(("cmd:", "trained:", "search:", "restrict:")) else _PYTHON.fullmatch(name)
    )
    if python is not None:
        policy = _import(name, python["module"], python["name"])
        if isinstance(policy, Bot):
            yield policy
        else:
            if python["text"] is not None and not isinstance(policy, type):
                raise AtollError(f"{name}: {python['name']} is no class, so it takes no text")
            yield PolicyBot(name, policy, python["text"])
        return
    with named_bots(f"trained:{name}" if name.endswith(WEIGHTS) and ":" not in name else name) as bots:
        if len(bots) != 1:
            raise AtollError(f"one policy is measured, not {len(bots)}")
        yield bots[0]


def _import(name: str, module: str, attribute: str) -> Any:
    """What is called so; raises AtollError for what is not there, and lets through what goes wrong inside."""
    if module.endswith(".py"):
        if not Path(module).is_file():
            raise AtollError(f"{name}: there is no file {module}")
        own = f"policy_{Path(module).stem}"
        spec = importlib.util.spec_from_file_location(own, module)
        assert spec is not None
        assert spec.loader is not None
        found = sys.modules[own] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
    else:
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module}.".startswith(f"{error.name}."):
                raise
            raise AtollError(f"{name}: there is no module {error.name} here") from None
    policy = getattr(found, attribute, None)
    if not callable(policy) and not isinstance(policy, Bot):
        raise AtollError(f"{name}: {module} has no {attribute} that can be called")
    return policy

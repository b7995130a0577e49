"""What carries out what a judge asks for that takes long: this machine, or another one (`remote_engine.py`).

What is asked follows from a view, a seed and numbers alone, and has the same answer wherever it is carried out.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from atoll.bots.search import Evaluation, evaluate
from atoll.core.game import View
from atoll.engine.chance import generator
from atoll.lab.continued import AS_IT_IS, play_on


class JudgeEngine(Protocol):
    """Carries out what a judge asks for, in any thread; raises EndlessGame, and Stopped."""

    def shares(
        self, view: View, bot: int, seed: int, worlds: int, firsts: Sequence[int] = (AS_IT_IS,)
    ) -> NDArray[np.float64]:
        """The seats' shares of the win, (moves, worlds, players), as `play_on` has them."""

    def search(self, view: View, seed: int, iterations: int) -> list[Evaluation]:
        """What a search of so many iterations finds, as `evaluate` has it."""


class LocalEngine:
    """Carries it out here, at once."""

    def shares(
        self, view: View, bot: int, seed: int, worlds: int, firsts: Sequence[int] = (AS_IT_IS,)
    ) -> NDArray[np.float64]:
        return play_on(view, bot, seed, worlds, firsts).shares

    def search(self, view: View, seed: int, iterations: int) -> list[Evaluation]:
        return evaluate(view, generator(seed), iterations, None)


HERE = LocalEngine()

"""What every game of the catalogue must do, at every number of players: the suite that other packages run too, and
that its deals are fair.
"""

from typing import Any

import numpy as np

from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.testing import GameTests
from tests.soak.chance import Fill, count, fair_piles, fills, most_unlike, piles
from tests.soak.prediction import KINDS


class TestEveryGame(GameTests):
    """The installed games."""

    games = tuple(games().values())
    enumerated = 1
    compared = 4

    def test_every_card_is_as_often_in_every_place(self, game: Game) -> None:
        """Deals, and positions drawn from views, with either generator (`python -m tests.soak chance` counts more)."""
        for what, fill in fills(game):
            counted = [count(game, fill, kind, 20_000, 1) for kind in KINDS]
            for found in counted:
                test = fair_piles(game, found)
                assert test is not None
                assert test.probability > 1e-6, what
            numbers, likely = most_unlike(game, *counted)
            assert numbers > 5
            assert likely > 1e-6, what

    def test_a_shuffle_that_is_not_fair_is_noticed(self, game: Game) -> None:
        """The two lowest cards of a pile lie in order."""
        _, honest = next(iter(fills(game)))
        place = next(iter(piles(game)))[0]

        def unfair(states: Any, chances: Any) -> int:
            honest(states, chances)
            states.view(np.uint8).reshape(len(states), -1)[:, place : place + 2].sort(axis=1)
            return 0

        planted: Fill = unfair
        fair, found = (count(game, fill, KINDS[1], 20_000, 1) for fill in (honest, planted))
        test = fair_piles(game, found)
        assert test is not None
        assert test.probability < 1e-6
        assert most_unlike(game, fair, found)[1] < 1e-6

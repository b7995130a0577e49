"""Kuhn poker, for tests: three cards, one each; check or bet, fold or call. What is won stands in the points."""

import numpy as np

from atoll.core.game import Game, Position
from atoll.core.types import Components
from atoll.engine.chance import generator
from atoll.lab.solve import Floats, Ints, Tree, grow

game = Game(
    name="kuhn",
    title="Kuhn poker",
    package=__name__,
    seats=range(2, 4),
    default_players=2,
    summary="One card, one bet.",
    rules_version=1,
    component_files={},
)


def components(*, forgetful: bool = False, drawing: bool = False) -> Components:
    """`forgetful`: a view shows a card only until the first decision; `drawing`: every move draws from chance."""
    parts = np.zeros(1, dtype=game.rules.PARTS)
    parts["forgetful"], parts["drawing"] = forgetful, drawing
    return Components("kuhn", {}, "", shipped=False, parts=parts)


def deal(first: int, second: int, used: Components, players: int = 2) -> Position:
    """The first position with these cards: 0 the jack, 1 the queen, 2 the king."""
    states = np.zeros(1, dtype=game.rules.STATE)
    states["players"], states["seat"], states["to_act"] = players, -2, 1
    states["card"] = [first, second]
    states["generator"] = generator(0)
    return Position(game, used, {}, states)


def deals(used: Components) -> list[tuple[float, Position]]:
    """All six, equally likely."""
    cards = range(3)
    return [(1 / 6, deal(one, other, used)) for one in cards for other in cards if one != other]


def won(points: Ints, winners: Ints) -> Floats:
    """What the first player wins from the second."""
    return np.subtract(points[:, 0], points[:, 1], dtype=np.float64)


def kuhn(*, forgetful: bool = False) -> Tree:
    """The whole game."""
    return grow(deals(components(forgetful=forgetful)), won)

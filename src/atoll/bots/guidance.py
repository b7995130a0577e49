"""How a game's trained player guides its search: a game that has a module `guidance` says so there.

    FORETOLD_AFTER = 3

In the search of such a game the trained player that it brings along (`network.py`) gives moves their priors, and after
so many decisions beyond the tree it foretells the end, instead of a playout. It is given the views of drawn worlds.
"""

from functools import cache
from typing import NamedTuple

from atoll.bots.network import Mind, Room
from atoll.bots.weights import shipped_weights
from atoll.core.defaults import has_module
from atoll.core.game import Components, Game


class Guide(NamedTuple):
    """The trained player of a game, and what a thread needs for it; `after` decisions beyond the tree it foretells."""

    after: int
    mind: Mind
    room: Room


class NoGuide(NamedTuple):
    """Nobody; `after` is never."""

    after: int = -1


@cache
def is_guided(game: Game) -> bool:
    """Whether a game brings a trained player along and says that it guides the search."""
    return has_module(game, "guidance") and shipped_weights(game) is not None


def guide_of(game: Game, players: int, components: Components) -> Guide:
    """The guide of a search in a game that is guided."""
    weights = shipped_weights(game)
    assert weights is not None
    mind = weights.mind(players, components)
    return Guide(game.module("guidance").FORETOLD_AFTER, mind, Room.of(game, mind))

"""How a trained network guides a search: a game that has a module `guidance` says so there.

    NETWORK = "guide.npz"
    FORETOLD_AFTER = 3

In the search of such a game the network gives moves their priors (`network.py`), and so many decisions beyond the tree
it predicts the result, instead of a playout. It is given the views of drawn worlds. Without `FORETOLD_AFTER` playouts
go on to the end. `NETWORK` is its file in the game's folder, if another than that of the bot `trained`.
"""

from functools import cache
from typing import Any, NamedTuple

from atoll.bots.network import Activations, Mind
from atoll.bots.weights import SHIPPED, Weights, shipped_weights
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.engine.exports import Room

NEVER = -1


class Guide(NamedTuple):
    """A network for a game, and a thread's arrays for it; `after` decisions beyond the tree it predicts the result.
    Where `asked` is 0 the search goes on as without it.
    """

    active: int
    after: int
    mind: Mind
    activations: Activations


class NoGuide(NamedTuple):
    """Nobody."""

    after: int = NEVER


@cache
def guiding_weights(game: Game) -> Weights | None:
    """The network that guides a game's search, if the game brings one along and says so."""
    if game.guidance is None:
        return None
    return shipped_weights(game, getattr(game.guidance, "NETWORK", SHIPPED))


def is_guided(game: Game) -> bool:
    """Whether a game's search is guided."""
    return guiding_weights(game) is not None


def foretold_after(game: Game) -> int:
    """After how many decisions beyond the tree the network that guides a game's search predicts the result; NEVER if it
    does not.
    """
    return getattr(game.guidance, "FORETOLD_AFTER", NEVER)


def guide_by(
    room: Room, weights: Weights | None, players: int, components: Components, *, active: bool = True
) -> Guide | NoGuide:
    """A network as the guide of a search, if there is one."""
    if weights is None:
        return NoGuide()
    game = weights.game
    after = foretold_after(game) if active else NEVER
    mind = weights.mind(players, components)
    return Guide(int(active), after, placed(room, mind), placed(room, Activations.of(game, mind)))


def placed(room: Room, arrays: Any) -> Any:
    """A copy of arrays, in tuples of tuples, that calls use where it lies."""
    if isinstance(arrays, tuple):
        return type(arrays)(*(placed(room, one) for one in arrays))
    return room.copy(arrays)

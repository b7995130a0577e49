"""Multiple-observer search, for games in which moves can be hidden: each seat has a tree of its own.

In one tree for all, seats would know what others do face down wherever the tree is deep enough. Here each seat chooses
by a tree of its own, which it walks by what it saw of moves: multiple-observer ISMCTS (P. Cowling, E. Powley, D.
Whitehouse, "Information Set Monte Carlo Tree Search", 2012). A game says in its module `beliefs` what others see:

    shown(state, action) -> action

The code is that of one move which stands for all that look the same.
"""

# mypy: disable-error-code="no-untyped-def"

from functools import cache
from typing import Any

from atoll.bots.iteration import tree_of, walk
from atoll.bots.tree import follow
from atoll.core.game import Game
from atoll.engine.compiling import inlined
from atoll.engine.derived import derive


def has_observers(game: Game) -> bool:
    """Whether a game says what the others see of moves."""
    return hasattr(game.beliefs, "shown")


shown: Any = None


def observe(work, nodes, size, seat, action):
    """The others walk their trees by what they see of a move of `seat`; returns the new count of nodes."""
    state = work.states[0]
    own = int(work.root[0].seat)
    observed = shown(state, action)
    for other in range(state.players):
        tree = tree_of(other, own, work.trees)
        if other != seat and work.growing[tree]:
            child, size = follow(nodes, size, work.node[tree], observed)
            walk(work, nodes, tree, child)
    return size


@cache
def observer(game: Game) -> Any:
    """`observe`, to be called by other compiled functions."""
    assert game.beliefs is not None
    return inlined(derive(observe, f"{game.package}.rules", shown=game.beliefs.shown))

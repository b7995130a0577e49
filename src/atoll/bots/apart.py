"""An iteration of the search in a game in which moves can be hidden: each seat has a tree of its own.

In one tree for all, seats would know what others do face down wherever the tree is deep enough. Here each seat chooses
by a tree of its own, which it walks by what it saw of moves: multiple-observer ISMCTS (P. Cowling, E. Powley, D.
Whitehouse, "Information Set Monte Carlo Tree Search", 2012). A game says in its module `beliefs` what others see:

    shown(state, action) -> action

The code is that of one move which stands for all that look the same.
"""

# mypy: disable-error-code="no-untyped-def"

from typing import Any

import numpy as np

from atoll.bots.iterating import (
    DEPTH,
    GUIDED,
    WIN,
    descend_at,
    draw_world,
    foresee,
    next_seat,
    play_on,
    settle,
)
from atoll.bots.tree import MAX_SEATS, back_up, follow
from atoll.core.defaults import has_module
from atoll.core.game import Game
from atoll.engine.compiling import compiled
from atoll.engine.records import scratch

PATHS = MAX_SEATS * DEPTH


def is_apart(game: Game) -> bool:
    """Whether a game says what the others see of moves."""
    return has_module(game, "beliefs") and hasattr(game.module("beliefs"), "shown")


shown: Any = None
look_on_at: Any = None
draw_world_at: Any = draw_world
foresee_at: Any = foresee


@compiled
def begin(own, players, at, growing, depths):
    """All seats stand at the roots of their trees, of which the searching seat's comes first."""
    for seat in range(players):
        at[seat] = (seat - own) % players
        growing[seat] = 1
        depths[seat] = 0


@compiled
def step(nodes, seat, child, at, growing, paths, depths):
    """A seat's tree goes on at a node, 0 if it ends here."""
    if child == 0:
        growing[seat] = 0
        return
    at[seat] = child
    paths[seat * DEPTH + depths[seat]] = child
    depths[seat] += 1
    growing[seat] = 1 if nodes[child].visits > 0 and depths[seat] < DEPTH else 0


def look_on(state, nodes, count, seat, action, at, growing, paths, depths):
    """The others see a move of `seat` in their trees; returns the new count of nodes."""
    looks = shown(state, action)
    for other in range(state.players):
        if other != seat and growing[other]:
            child, count = follow(nodes, count, at[other], looks)
            step(nodes, other, child, at, growing, paths, depths)
    return count


@compiled
def back_up_all(nodes, own, players, rewards, won, paths, depths):
    """Add an iteration's reward to the paths of all seats."""
    for seat in range(players):
        back_up(nodes, (seat - own) % players, rewards, won, players)
        for i in range(depths[seat]):
            back_up(nodes, paths[seat * DEPTH + i], rewards, won, players)


def iterate_apart(
    resample, legal_actions, play, result, policy, advise,
    guide, views, states, parts, nodes, count, iterations, longest, moves, room, beliefs, events, tuning, generator
):  # fmt: skip
    """`iterate` with a tree for each seat, whose roots are the first nodes, the searching seat's the very first."""
    state, seen = states[0], states[1]
    own, players = int(views[0].seat), int(views[0].players)
    count = max(count, players)
    at, growing = scratch(MAX_SEATS, np.int64), scratch(MAX_SEATS, np.int64)
    depths, paths = scratch(MAX_SEATS, np.int64), scratch(PATHS, np.int32)
    for _ in range(iterations):
        draw_world_at(resample, views[0], parts[0], generator, state, seen, beliefs)
        begin(own, players, at, growing, depths)
        secret = decisions = beyond = 0
        foretold = False
        while state.to_act != 0:
            if decisions == longest:
                return -1
            decisions += 1
            to_act = int(state.to_act)
            secret |= to_act if to_act & (to_act - 1) else 0
            seat = next_seat(to_act, own)
            known = not secret >> seat & 1
            secret &= ~(1 << seat)
            moves_count = legal_actions(state, parts[0], seat, moves)
            state.seat = seat
            action, child = moves[0], 0
            if growing[seat] and (known or seat == own):
                child, count = descend_at(
                    policy, advise, guide, seen, state, parts[0], nodes, count, at[seat], moves, moves_count,
                    room, tuning,
                )  # fmt: skip
                step(nodes, seat, child, at, growing, paths, depths)
            if child != 0:
                action = nodes[child].action
            elif moves_count > 1:
                foretold = seat == own and 0 <= guide.after <= beyond
                if foretold:
                    foresee_at(advise, guide, seen, state, parts[0], moves, moves_count, room.rewards)
                    break
                beyond += 1
                action = play_on(
                    policy, state, parts[0], moves, moves_count, room.scores, tuning[GUIDED], generator
                )
            if known:
                count = look_on_at(state, nodes, count, seat, action, at, growing, paths, depths)
            play(state, parts[0], seat, action, events)
        won = room.rewards[own] if foretold else settle(result, state, parts[0], own, room, tuning[WIN])
        back_up_all(nodes, own, players, room.rewards, won, paths, depths)
    return count

"""An iteration of the search (`search.py`), compiled: a world is drawn, the tree walked, the game played out, and what
each seat got backed up.
"""

# mypy: disable-error-code="no-untyped-def"

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.greedy import draw_highest
from atoll.bots.network import foretell
from atoll.bots.tree import (
    MAX_SEATS,
    add_children,
    back_up,
    find_children,
    forget_children,
    list_new,
    number_of,
    rank_advice,
    rank_worths,
    reward,
    select,
)
from atoll.core.game import Game
from atoll.engine.chance import draw_below
from atoll.engine.compiling import compiled


class Tuning(NamedTuple):
    """Parameters of the search; `python -m bench.tuning` compares values."""

    exploration: float = 0.7
    """PUCT's constant, for rewards between 0 and 1."""
    sharpness: float = 1.0
    """The best move's prior is e to this power times the worst's."""
    unvisited: float = 0.05
    """How much less than its parent a child is taken to be worth before its first visit."""
    guided: float = 0.9
    """Chance that a playout's move is the best by the game's advice rather than any."""
    win: float = 0.9
    """Weight of the share of the win in a seat's reward; the rest is its share of all points."""
    trained: float = 1.0
    """1 if a trained network guides the search in games that bring one (`guidance.py`), 0 if it does not."""

    def without_guide(self) -> "Tuning":
        """The same, guided by no network."""
        return self._replace(trained=0.0)


USUAL = Tuning()
EXPLORATION, SHARPNESS, UNVISITED, GUIDED, WIN, TRAINED = range(len(USUAL))
DEPTH = 512
"""Moves of the tree that an iteration remembers for backing up."""
CHANCES = 1 << 16


class Room(NamedTuple):
    """What a thread needs for itself besides a tree."""

    fresh: NDArray[np.int32]  # (MAX_LEGAL,): moves without a child
    scores: NDArray[np.int32]  # (MAX_LEGAL,): the advice
    priors: NDArray[np.float64]  # (MAX_LEGAL,)
    slots: NDArray[np.int32]  # (ACTIONS,): children by their action
    path: NDArray[np.int32]  # (DEPTH,): the nodes of an iteration
    points: NDArray[np.int32]  # (MAX_SEATS,)
    rewards: NDArray[np.float64]  # (MAX_SEATS,)

    @classmethod
    def of(cls, game: Game) -> "Room":
        """For a game."""
        most = game.rules.MAX_LEGAL
        return cls(
            np.zeros(most, np.int32),
            np.zeros(most, np.int32),
            np.zeros(most),
            np.zeros(game.rules.ACTIONS, np.int32),
            np.zeros(DEPTH, np.int32),
            np.zeros(MAX_SEATS, np.int32),
            np.zeros(MAX_SEATS),
        )


view: Any = None
look_at: Any = None
read_at: Any = None


@compiled
def draw_world(resample, view, parts, generator, state, back, beliefs):
    """A full state that agrees with the view."""
    resample(view, parts, generator, state)


@compiled
def weigh(policy, advise, guide, seen, state, parts, top, moves, count, room, new, sharpness):
    """Write the priors of the `new` moves of the node `top` for the seat of `state`, among all that are legal."""
    policy(state, parts, room.fresh, new, room.scores)
    rank_advice(top, room.scores, new, sharpness, room.priors)


def weigh_by_network(policy, advise, guide, seen, state, parts, top, moves, count, room, new, sharpness):
    """`weigh` by the worths that the trained player gives the moves in the seat's view, if it is asked."""
    if guide.asked == 0:
        weigh(policy, advise, guide, seen, state, parts, top, moves, count, room, new, sharpness)
        return
    view(state, parts, int(state.seat), seen)
    advise(seen, parts, moves, count, guide.room.scores)
    look_at(guide.mind, guide.room, seen, parts, moves, count)
    rank_worths(top, guide.room.worths, moves, count, room.slots, room.priors)


@compiled
def foresee(advise, guide, seen, state, parts, moves, count, rewards):
    """Foretell nothing."""


def foresee_by_network(advise, guide, seen, state, parts, moves, count, rewards):
    """Write what the trained player foretells of each seat's share of the win from the view of the seat of `state`."""
    seat = int(state.seat)
    players = int(state.players)
    view(state, parts, seat, seen)
    advise(seen, parts, moves, count, guide.room.scores)
    read_at(guide.mind, guide.room, seen, parts, moves, count)
    foretell(guide.mind.layers, guide.room, players)
    for k in range(players):
        rewards[(seat + k) % players] = guide.room.outputs[k]


weigh_at: Any = weigh
foresee_at: Any = foresee


def descend(
    policy, advise, guide, seen, state, parts, nodes, count, parent, moves, moves_count, room, tuning
):
    """A step of the seat of `state` down the tree, which is opened at `parent` if need be: (the child or 0, the count
    of nodes).

    The slots in `room` are all 0 before and afterwards. A full tree grows no more.
    """
    find_children(nodes, parent, room.slots)
    new = list_new(moves, moves_count, room.slots, room.fresh)
    if new > 0 and count + new <= len(nodes):
        room.priors[0] = 1.0
        if moves_count > 1:
            top = nodes[parent]
            sharpness = tuning[SHARPNESS]
            weigh_at(policy, advise, guide, seen, state, parts, top, moves, moves_count, room, new, sharpness)
        count = add_children(nodes, count, parent, room.fresh, new, room.slots, room.priors)
    best = select(
        nodes, parent, int(state.seat), moves, moves_count, room.slots, tuning[EXPLORATION], tuning[UNVISITED]
    )
    forget_children(nodes, parent, room.slots)
    return best, count


draw_world_at: Any = draw_world
descend_at: Any = compiled(descend)


@compiled
def play_on(policy, state, parts, moves, count, scores, guided, generator):
    """The move of a playout for the seat of `state`: mostly the best by `policy`, else any."""
    if draw_below(generator, CHANCES) >= guided * CHANCES:
        return moves[draw_below(generator, count)]
    policy(state, parts, moves, count, scores)
    return moves[draw_highest(scores, count, generator)]


@compiled
def next_seat(to_act, own):
    """Who decides next of those that have to: the searching seat, or the next one after it."""
    seat = own
    while not to_act >> seat & 1:
        seat = (seat + 1) % MAX_SEATS
    return seat


@compiled
def settle(result, state, parts, own, room, win):
    """Write what each seat gets of a game that is over; returns the share of the win of `own`."""
    winners = result(state, parts, room.points)
    reward(room.points, winners, state.players, win, room.rewards)
    return (winners >> own & 1) / number_of(winners, state.players)


def iterate(
    resample, legal_actions, play, result, policy, advise,
    guide, views, states, parts, nodes, count, iterations, longest, moves, room, beliefs, events, tuning, generator
):  # fmt: skip
    """Search on from the view in `views[0]`, on the tree of `count` nodes; returns the new count of nodes, or -1 if a
    game goes on for more than `longest` decisions.
    """
    state = states[0]
    seen = states[1]
    own = int(views[0].seat)
    for _ in range(iterations):
        draw_world_at(resample, views[0], parts[0], generator, state, seen, beliefs)
        node = depth = secret = decisions = beyond = 0
        growing = True
        foretold = False
        while state.to_act != 0:
            if decisions == longest:
                return -1
            decisions += 1
            to_act = int(state.to_act)
            if to_act & (to_act - 1):
                secret |= to_act
            seat = next_seat(to_act, own)
            known = seat == own or not secret >> seat & 1
            secret &= ~(1 << seat)
            moves_count = legal_actions(state, parts[0], seat, moves)
            state.seat = seat
            action = moves[0]
            child = 0
            if growing and known:
                child, count = descend_at(
                    policy, advise, guide, seen, state, parts[0], nodes, count, node, moves, moves_count, room, tuning
                )  # fmt: skip
                growing = child != 0
            if child != 0:
                node = child
                action = nodes[node].action
                room.path[depth] = node
                depth += 1
                growing = nodes[node].visits > 0 and depth < DEPTH
            elif moves_count > 1:
                foretold = seat == own and 0 <= guide.after <= beyond
                if foretold:
                    foresee_at(advise, guide, seen, state, parts[0], moves, moves_count, room.rewards)
                    break
                beyond += 1
                action = play_on(
                    policy, state, parts[0], moves, moves_count, room.scores, tuning[GUIDED], generator
                )
            play(state, parts[0], seat, action, events)
        won = room.rewards[own] if foretold else settle(result, state, parts[0], own, room, tuning[WIN])
        back_up(nodes, 0, room.rewards, won, state.players)
        for i in range(depth):
            back_up(nodes, room.path[i], room.rewards, won, state.players)
    return count

"""What a search believes of hidden cards: worlds count as much as what the others did is likely in them.

`resample` draws each world that agrees with a view equally often. A game that has a module `beliefs` says which
decisions have told of what is hidden since, and what the world was before each of them:

    decisions(view) -> count

    before(state, parts, number, out) -> action

The first counts the decisions, of all seats, the oldest first; the second writes into `out` the state, full as `state`
is, in which the decision of that number was taken, where the seat that took it is the only one to act. Whoever searches
asks short searches, from the views that the others had in some worlds, how often they would have done what they did
(a level-0 model of them; the idea of weights on states is that of P. Cowling, D. Whitehouse and E. Powley, "Emergent
bluffing and inference with Monte Carlo Tree Search", 2015). Worlds are then drawn by rejection.
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.tree import MAX_SEATS
from atoll.core.exports import RESAMPLE, VIEW, of_rules, some_parts, some_states
from atoll.core.game import Game, View
from atoll.engine.chance import draw_below
from atoll.engine.compiling import compiled
from atoll.engine.derived import derive
from atoll.engine.exports import Export
from atoll.engine.records import scratch

WORLDS = 32
"""Worlds in which it is asked what the others would have done."""
MOST = 96
"""Different things that they may have done there."""
ITERATIONS = 100
"""Of each of the short searches, which may take as many in all as the search itself."""
TIME_SHARE = 4
"""So many times as long as they may take, a search with a time limit takes in all."""
TRIES = 8
"""The last of so many worlds is taken however unlikely it is."""
CHANCES = 1 << 16
SEED = np.uint64(0xCBF29CE484222325)
PRIME = np.uint64(0x100000001B3)


class Beliefs(NamedTuple):
    """How likely it is that a seat did what it did in a world, the likeliest 1: `chances` float64 (n + 1,) by `keys`
    uint64 (n,) of what it did, the last for any other. Without keys all worlds are alike.
    """

    keys: NDArray[np.uint64]
    chances: NDArray[np.float64]


NONE = Beliefs(np.zeros(0, np.uint64), np.ones(1))

resample: Any = None
decisions: Any = None
before: Any = None
write_keys_at: Any = None


def write_keys(state, parts, back, keys):
    """Write what each seat did in a world into `keys`, uint64 (MAX_SEATS,): FNV-1a of its actions, 0 of none."""
    for seat in range(MAX_SEATS):
        keys[seat] = 0
    for number in range(decisions(state)):
        action = before(state, parts, number, back)
        for seat in range(MAX_SEATS):
            if int(back.to_act) >> seat & 1:
                key = keys[seat] if keys[seat] != 0 else SEED + np.uint64(seat)
                keys[seat] = (key ^ np.uint64(action + 1)) * PRIME


def draw_believed(view, parts, generator, state, back, beliefs):
    """`resample`, but worlds in which the others would hardly have done what they did are mostly drawn anew."""
    resample(view, parts, generator, state)
    count = beliefs.keys.shape[0]
    if count == 0:
        return
    keys = scratch(MAX_SEATS, np.uint64)
    for _ in range(TRIES):
        write_keys_at(state, parts, back, keys)
        chance = 1.0
        for seat in range(MAX_SEATS):
            if keys[seat] != 0 and seat != view.seat:
                place = 0
                while place < count and beliefs.keys[place] != keys[seat]:
                    place += 1
                chance *= beliefs.chances[place]
        if draw_below(generator, CHANCES) < chance * CHANCES:
            return
        resample(view, parts, generator, state)


def look_back(states, parts, number, out):
    """`before` of a state in an array."""
    return before(states[0], parts[0], number, out[0])


def keys_of(states, parts, back, keys):
    """`write_keys` of a state in an array."""
    write_keys_at(states[0], parts[0], back[0], keys)


def has_beliefs(game: Game) -> bool:
    """Whether a game says what decisions tell of what is hidden."""
    return game.beliefs is not None


@cache
def key_writer(game: Game) -> Any:
    """`write_keys`, to be called by other compiled functions."""
    beliefs = game.beliefs
    assert beliefs is not None
    bindings = {"decisions": beliefs.decisions, "before": beliefs.before}
    return compiled(derive(write_keys, f"{game.package}.rules", **bindings))


@cache
def drawer(game: Game) -> Any:
    """`draw_believed`, to be called by other compiled functions."""
    bindings = {"resample": game.rules.resample, "write_keys_at": key_writer(game)}
    return compiled(derive(draw_believed, f"{game.package}.rules", **bindings))


WRITE_KEYS = Export(
    "write_keys",
    lambda game: of_rules(game, keys_of, write_keys_at=key_writer(game)),
    lambda game: (some_states(game), some_parts(game), some_states(game), np.zeros(MAX_SEATS, np.uint64)),
    reads=(0, 1),
)
LOOK_BACK = Export(
    "look_back",
    lambda game: of_rules(game, look_back, before=game.beliefs.before),
    lambda game: (some_states(game), some_parts(game), 0, some_states(game)),
    reads=(0, 1),
)
EXPORTS = (WRITE_KEYS, LOOK_BACK)
"""Of games that say what decisions tell of what is hidden."""

Search = Callable[[View], Mapping[int, int]]
"""A short search from a view: how often it tried each action."""


def beliefs_of(
    view: View,
    generator: NDArray[np.uint64],
    searches: int,
    search: Search,
    is_over: Callable[[], bool] = lambda: False,
) -> Beliefs:
    """What the view's seat believes after at most so many short searches, fewer if their time `is_over`."""
    game = view.game
    count = game.beliefs.decisions(view.state) if searches > 0 and game.beliefs is not None else 0
    if count == 0:
        return NONE
    model = _OpponentModel(view, count, searches, search, is_over)
    keys = np.zeros(MAX_SEATS, dtype=np.uint64)
    chances: dict[tuple[int, int], float] = {}
    for _ in range(WORLDS):
        game.runner.call(RESAMPLE, view.states, view.components.parts, generator, model.world)
        game.runner.call(WRITE_KEYS, model.world, view.components.parts, model.back, keys)
        for seat, key in enumerate(keys.tolist()):
            if key and seat != view.seat and (seat, key) not in chances and len(chances) < MOST:
                chance = model.chance(seat)
                if chance is None:
                    return _likeliest_one(chances)
                chances[seat, key] = chance
    return _likeliest_one(chances)


def _likeliest_one(chances: Mapping[tuple[int, int], float]) -> Beliefs:
    """Beliefs from the chances by seat and key: the likeliest of each seat is made 1."""
    if len(chances) < 2:
        return NONE
    highest: dict[int, float] = {}
    for (seat, _), chance in chances.items():
        highest[seat] = max(chance, highest.get(seat, 0.0))
    relative = [chance / highest[seat] for (seat, _), chance in chances.items()]
    keys = np.array([key for _, key in chances], dtype=np.uint64)
    return Beliefs(keys, np.array([*relative, sum(relative) / len(relative)]))


class _OpponentModel:
    """The others as a seat thinks of them: what short searches from their views would do."""

    def __init__(
        self, view: View, count: int, searches: int, search: Search, is_over: Callable[[], bool]
    ) -> None:
        self.world, self.back = (np.zeros(1, dtype=view.game.rules.STATE) for _ in range(2))
        self._view = view
        self._count = count
        self._left = searches
        self._search = search
        self._is_over = is_over
        self._known: dict[bytes, dict[int, float]] = {}

    def chance(self, seat: int) -> float | None:
        """How likely it is that a seat did what it did in the world; None if there is no search left to find out."""
        view, likelihood = self._view, 1.0
        for number in range(self._count):
            action = view.game.runner.call(LOOK_BACK, self.world, view.components.parts, number, self.back)
            if int(self.back[0]["to_act"]) >> seat & 1:
                other_view = np.zeros(1, dtype=view.game.rules.STATE)
                view.game.runner.call(VIEW, self.back, view.components.parts, seat, other_view)
                if other_view.tobytes() not in self._known:
                    if self._left == 0 or self._is_over():
                        return None
                    self._known[other_view.tobytes()] = self._habits(other_view)
                likelihood *= self._known[other_view.tobytes()][action]
        return likelihood

    def _habits(self, states: NDArray[Any]) -> dict[int, float]:
        """How likely each legal move is in a view: as often as a short search tries it, and never quite 0."""
        view = View(self._view.game, self._view.components, self._view.options, states)
        moves = view.legal_moves().actions.tolist()
        visits: Mapping[int, int] = {}
        if len(moves) > 1:
            self._left -= 1
            visits = self._search(view)
        total = sum(visits.values()) + len(moves)
        return {move: (visits.get(move, 0) + 1) / total for move in moves}

"""Small games for two, solved: the whole tree, best responses, exploitability and CFR+.

A game is small enough when every line of play from every first position fits into memory, some millions of
positions. Chance must be over when play begins: a first position holds every card in its place, and the solver takes
all of them with their probabilities.

What a seat goes by is all that it has seen and done since the start (perfect recall), not its view alone, which may
leave out what it saw earlier. Positions that a seat cannot tell apart form an information set.
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.core.events import NO_EVENTS
from atoll.core.exports import NUMBERS, of_rules, some_parts, some_states
from atoll.core.game import Game, Position, View
from atoll.engine.exports import Export
from atoll.engine.records import copy_record
from atoll.text.errors import AtollError

PLAYERS = 2
NOBODY = -1
MOST_POSITIONS = 5_000_000
"""What a tree may hold: some gigabytes."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Seats = NDArray[np.int8]
Gain = Callable[[Ints, Ints], Floats]
"""What seat 0 gains in games that have ended, and seat 1 loses: (points (n, 2), winners (n,)) -> (n,).

`winners` are bit sets of seats.
"""


def share_of_the_win(points: Ints, winners: Ints) -> Floats:
    """Seat 0's share of the win less a half: 0.5 for a win, 0 for a win that both share, -0.5 for a loss."""
    gain: Floats = ((winners & 1) - (winners >> 1 & 1)) / 2
    return gain


@dataclass(frozen=True)
class Tree:
    """Every line of play, level by level; positions of a level are in the order of their parents.

    A strategy is an array of float64, shape (choices,): the probability of each action of each information set, those
    of a set side by side. It holds both seats' strategies; what is about one seat reads that seat's part.
    """

    start: Position
    levels: tuple[slice, ...]
    """The positions of each level: after 0, 1, 2 ... decisions."""
    parent: Ints
    """(positions,): index of the position before, -1 in the first level."""
    choice: Ints
    """(positions,): index into a strategy of the action that led here, -1 in the first level."""
    actor: Seats
    """(positions,): the seat that decides, NOBODY at the end of a game."""
    chance: Floats
    """(positions,): the probability of the first position that this one comes from."""
    gain: Floats
    """(positions,): what seat 0 gains where a game has ended, else 0."""
    sizes: Ints
    """(sets,): how many actions each information set has."""
    seat: Seats
    """(sets,): whose information set it is."""
    views: NDArray[Any]
    """(sets,): what the seat sees, records of the game's state."""
    actions: Ints
    """(choices,): action codes."""

    @cached_property
    def first(self) -> Ints:
        """(sets,): where each information set's choices begin."""
        return _offsets(self.sizes)

    @cached_property
    def set_of(self) -> Ints:
        """(choices,): the information set whose choice it is."""
        return np.repeat(np.arange(len(self.sizes), dtype=np.int32), self.sizes)

    @cached_property
    def owner(self) -> Seats:
        """(choices,): the seat whose choice it is."""
        return np.repeat(self.seat, self.sizes)

    @cached_property
    def uniform(self) -> Floats:
        """The strategy in which every action is equally likely."""
        return np.repeat(1 / self.sizes, self.sizes)

    @cached_property
    def steps(self) -> tuple["TreeStep", ...]:
        """What leads from each level to the next."""
        return tuple(
            TreeStep(
                before,
                level,
                self.parent[level] - before.start,
                self.choice[level],
                self.actor[self.parent[level]],
            )
            for before, level in zip(self.levels, self.levels[1:], strict=False)
        )

    def choices(self, information_sets: Ints) -> Ints:
        """Where the choices of information sets stand in a strategy, set after set."""
        return _ranges(self.first[information_sets], self.sizes[information_sets])

    def view(self, information_set: int) -> View:
        """What the seat of an information set sees."""
        start, views = self.start, self.views[information_set : information_set + 1]
        return View(start.game, start.components, start.options, views)


class TreeStep(NamedTuple):
    """What leads to the positions `level` from those `before`: for each of them its parent, counted from the first
    of those before, the choice that was taken, and the seat that took it.
    """

    before: slice
    level: slice
    parent: Ints
    choice: Ints
    actor: Seats


def grow(
    starts: Iterable[tuple[float, Position]], gain: Gain = share_of_the_win, most: int | None = None
) -> Tree:
    """The tree of all play from first positions and their probabilities, which sum to 1.

    Raises AtollError if the game is not for two, if chance decides something after the start, or if there are more
    than `most` positions, MOST_POSITIONS if it is None.
    """
    most = MOST_POSITIONS if most is None else most
    probabilities, positions = zip(*starts, strict=True)
    start: Position = positions[0]
    if start.players != PLAYERS:
        raise AtollError(f"only games of {PLAYERS} players can be solved, not of {start.players}")
    states = np.concatenate([position.states for position in positions])
    count = len(states)
    chance = np.array(probabilities, dtype=np.float64)
    parent = choice = action = np.full(count, -1, dtype=np.int32)
    mover = np.full(count, NOBODY, dtype=np.int8)
    histories = np.zeros((count, PLAYERS), dtype=np.int32)
    levels: list[slice] = []
    rows: list[tuple[NDArray[Any], ...]] = []
    sets: list[tuple[NDArray[Any], ...]] = []
    total = choices = 0
    while count:
        if total + count > most:
            raise AtollError(f"the game has more than {most} positions; solve a smaller one")
        actor, counts, gains, views = _look_at(start, states, gain)
        children, actions_taken = _children(start, states, actor, counts)
        levels.append(slice(total, total + count))
        rows.append((parent, choice, actor, chance, gains))
        histories = _tell_apart(histories, mover, action, actor, views)
        deciding = np.flatnonzero(actor != NOBODY)
        seats = actor[deciding].astype(np.int32)
        _, example, number = np.unique(
            histories[deciding, seats] * PLAYERS + seats, return_index=True, return_inverse=True
        )
        example = deciding[example]
        sizes = counts[example]
        actions = actions_taken[_ranges(_offsets(counts)[example], sizes)]
        sets.append((sizes, actor[example], views[example, actor[example]], actions))
        above = np.repeat(np.arange(count, dtype=np.int32), counts)
        parent, action = above + total, actions_taken
        choice = _ranges(choices + _offsets(sizes)[number], counts[deciding])
        chance, histories, mover = chance[above], histories[above], actor[above]
        choices += len(actions)
        total += count
        states, count = children, len(children)
    return Tree(
        start,
        tuple(levels),
        *map(np.concatenate, zip(*rows, strict=True)),
        *map(np.concatenate, zip(*sets, strict=True)),
    )


def _offsets(sizes: Ints) -> Ints:
    """Where each of several runs begins if they stand one after another."""
    return (np.cumsum(sizes) - sizes).astype(np.int32)


def _ranges(begins: Ints, sizes: Ints) -> Ints:
    """sizes[0] numbers from begins[0] on, then sizes[1] from begins[1] on, and so on."""
    return np.repeat(begins - _offsets(sizes), sizes) + np.arange(sizes.sum(), dtype=np.int32)


class LevelArrays(NamedTuple):
    """The states of a level, with who decides in each, (n,), among how many moves, (n,); and room for legal moves."""

    states: NDArray[Any]
    parts: NDArray[Any]
    moves: Ints
    actors: Seats
    counts: Ints

    @classmethod
    def of(cls, start: Position, states: NDArray[Any], actors: Seats, counts: Ints) -> "LevelArrays":
        """Of the game that begins so."""
        moves = np.zeros(start.game.rules.MAX_LEGAL, dtype=np.int32)
        return cls(states, start.components.parts, moves, actors, counts)


def _look_at(start: Position, states: NDArray[Any], gain: Gain) -> tuple[Seats, Ints, Floats, NDArray[Any]]:
    """Of each state: who decides, among how many moves, what seat 0 gains if it has ended, and each seat's view."""
    rules, count = start.game.rules, len(states)
    actor, counts = np.full(count, NOBODY, dtype=np.int8), np.zeros(count, dtype=np.int32)
    points, winners = np.zeros((count, PLAYERS), dtype=np.int32), np.zeros(count, dtype=np.int32)
    views = np.zeros((count, PLAYERS), dtype=rules.STATE)
    level = LevelArrays.of(start, states, actor, counts)
    start.game.fast_runner.call(LOOK_AT_LEVEL, level, views.reshape(-1), points, winners)
    over = actor == NOBODY
    gains = np.zeros(count)
    gains[over] = gain(points[over], winners[over])
    return actor, counts, gains, views


def _children(start: Position, states: NDArray[Any], actor: Seats, counts: Ints) -> tuple[NDArray[Any], Ints]:
    """The states after every move of every state, and these moves; raises AtollError if chance had a part in one."""
    rules, size = start.game.rules, int(counts.sum())
    children, actions = np.zeros(size, dtype=rules.STATE), np.zeros(size, dtype=np.int32)
    level = LevelArrays.of(start, states, actor, counts)
    start.game.fast_runner.call(PLAY_LEVEL, level, children, actions, NO_EVENTS)
    if (children["generator"] != np.repeat(states["generator"], counts, axis=0)).any():
        raise AtollError(
            f"in {start.game.title} chance decides something after the start, so it cannot be solved"
        )
    return children, actions


def _tell_apart(histories: Ints, mover: Seats, action: Ints, actor: Seats, views: NDArray[Any]) -> Ints:
    """A number for all that each seat has seen and done, (positions, seats), from that for the position before.

    `action` is what `mover` did there. Where a game has ended nobody has to know.
    """
    now = np.zeros_like(histories)
    running = np.flatnonzero(actor != NOBODY)
    size = views.dtype.itemsize
    for seat in range(PLAYERS):
        bytes_of_views = views[running, seat].tobytes()
        own = np.where(mover == seat, action, -1)
        numbers: dict[tuple[int, int, bytes], int] = {}
        for place, (i, past, own_action) in enumerate(
            zip(running.tolist(), histories[running, seat].tolist(), own[running].tolist(), strict=True)
        ):
            key = (past, own_action, bytes_of_views[place * size : (place + 1) * size])
            now[i, seat] = numbers.setdefault(key, len(numbers))
    return now


legal_actions: Any = None
play: Any = None
view: Any = None
result: Any = None


def look(level, views, points, winners):
    """`_look_at`, compiled; `seen` holds the views of one state after another."""
    part = level.parts[0]
    for i in range(level.states.shape[0]):
        state = level.states[i]
        if state.to_act == 0:
            winners[i] = result(state, part, points[i])
            continue
        for seat in range(PLAYERS):
            view(state, part, seat, views[i * PLAYERS + seat])
        seat = 0
        while not state.to_act >> seat & 1:
            seat += 1
        level.actors[i] = seat
        level.counts[i] = legal_actions(state, part, seat, level.moves)


def play_each(level, children, actions, events):
    """`_children`, compiled."""
    part, moves, child = level.parts[0], level.moves, 0
    for i in range(level.states.shape[0]):
        if level.counts[i] > 0:
            seat = level.actors[i]
            legal_actions(level.states[i], part, seat, moves)
            for k in range(level.counts[i]):
                copy_record(level.states[i], children[child])
                play(children[child], part, seat, moves[k], events)
                actions[child] = moves[k]
                child += 1


def _example(game: Game) -> tuple[Any, ...]:
    seats = np.zeros(1, np.int8)
    return LevelArrays(some_states(game), some_parts(game), NUMBERS, seats, NUMBERS), some_states(game)


LOOK_AT_LEVEL = Export(
    "look_at_level",
    lambda game: of_rules(
        game, look, legal_actions=game.rules.legal_actions, view=game.rules.view, result=game.rules.result
    ),
    lambda game: (*_example(game), NUMBERS.reshape(1, 1), NUMBERS),
)
PLAY_LEVEL = Export(
    "play_level",
    lambda game: of_rules(game, play_each, legal_actions=game.rules.legal_actions, play=game.rules.play),
    lambda game: (*_example(game), NUMBERS, NO_EVENTS),
)


# Strategies


def together(tree: Tree, strategy: Floats, other: Floats) -> Floats:
    """Seat 0's part of `strategy` with seat 1's part of `other`."""
    return np.where(tree.owner == 0, strategy, other)


def reach(tree: Tree, strategy: Floats, seat: int) -> Floats:
    """(positions,): the probability that `seat` does its part to get there, chance and the other seat left aside."""
    probabilities = np.ones(len(tree.parent))
    for step in tree.steps:
        probability = np.where(step.actor == seat, strategy[step.choice], 1.0)
        probabilities[step.level] = probabilities[step.before][step.parent] * probability
    return probabilities


def worth(tree: Tree, strategy: Floats) -> Floats:
    """(positions,): what seat 0 gains on average from each position on."""
    value = tree.gain.copy()
    for step in reversed(tree.steps):
        _back_up(step, strategy, value)
    return value


def _back_up(step: TreeStep, strategy: Floats, value: Floats) -> None:
    """Add up the values of a level in the positions before it."""
    size = step.before.stop - step.before.start
    value[step.before] += np.bincount(step.parent, strategy[step.choice] * value[step.level], size)


def expected(tree: Tree, strategy: Floats) -> float:
    """What seat 0 gains on average."""
    roots = tree.levels[0]
    return float(tree.chance[roots] @ worth(tree, strategy)[roots])


def best_response(tree: Tree, strategy: Floats, seat: int) -> Floats:
    """`strategy` with `seat`'s part replaced by a best answer to the other seat's; of equal actions, the first."""
    sign = 1.0 if seat == 0 else -1.0
    weight = sign * tree.chance * reach(tree, strategy, 1 - seat)
    answer = np.where(tree.owner == seat, 0.0, strategy)
    value = tree.gain.copy()
    for step in reversed(tree.steps):
        own = step.actor == seat
        choices, number = np.unique(step.choice[own], return_inverse=True)
        worths = np.bincount(number, (weight[step.level] * value[step.level])[own])
        best_first = choices[np.lexsort((-worths, tree.set_of[choices]))]
        _, best = np.unique(tree.set_of[best_first], return_index=True)
        answer[best_first[best]] = 1.0
        _back_up(step, answer, value)
    return answer


def exploitability(tree: Tree, strategy: Floats, learnt_from: Floats | None = None) -> float:
    """How much a seat gains by a best answer to the other's strategy, on average of the two seats; 0 in equilibrium.

    This is half of NashConv (M. Lanctot and others, "A Unified Game-Theoretic Approach to Multiagent Reinforcement
    Learning", 2017). With `learnt_from`, the answers are the best ones to that strategy, and less than best to this.
    """
    learnt = strategy if learnt_from is None else learnt_from
    first = together(tree, best_response(tree, learnt, 0), strategy)
    second = together(tree, strategy, best_response(tree, learnt, 1))
    return (expected(tree, first) - expected(tree, second)) / 2


def matters(tree: Tree) -> NDArray[np.bool_]:
    """(sets,): whether anything hangs on the choice; elsewhere all play from there on ends alike, or is forced."""
    ends = tree.actor == NOBODY
    low, high = np.where(ends, tree.gain, np.inf), np.where(ends, tree.gain, -np.inf)
    for step in reversed(tree.steps):
        np.minimum.at(low[step.before], step.parent, low[step.level])
        np.maximum.at(high[step.before], step.parent, high[step.level])
    after = tree.levels[0].stop
    open_end = np.zeros(len(tree.sizes), dtype=np.bool_)
    open_end[tree.set_of[tree.choice[after:]][(high > low)[tree.parent[after:]]]] = True
    return open_end & (tree.sizes > 1)


def strategy_of(tree: Tree, probabilities_of: Callable[[Ints], Floats]) -> Floats:
    """The strategy of a player who is asked only where it matters and where its own moves may lead; else uniform.

    `asked` gets information sets of one level, and returns the probabilities of their actions, set after set.
    """
    strategy = tree.uniform.copy()
    matter = matters(tree)
    reach_of = np.ones((PLAYERS, len(tree.parent)))
    for step in tree.steps:
        comes = reach_of[:, step.before][step.actor, step.parent] > 0
        sets = np.unique(tree.set_of[step.choice[comes]])
        sets = sets[matter[sets]]
        if len(sets):
            strategy[tree.choices(sets)] = probabilities_of(sets)
        for seat in range(PLAYERS):
            probability = np.where(step.actor == seat, strategy[step.choice], 1.0)
            reach_of[seat, step.level] = reach_of[seat, step.before][step.parent] * probability
    return strategy


def solve(tree: Tree, iterations: int, progress: Callable[[int], None] = lambda done: None) -> Floats:
    """The average strategy of CFR+ (O. Tammelin, "Solving Large Imperfect Information Games Using CFR+", 2014).

    Its exploitability falls towards 0 with the iterations. Calls `progress` with 1 after each.
    """
    regrets, average = np.zeros(len(tree.actions)), np.zeros(len(tree.actions))
    strategy = tree.uniform
    for iteration in range(1, iterations + 1):
        for seat, sign in enumerate((1.0, -1.0)):
            own = tree.owner == seat
            weight = sign * tree.chance * reach(tree, strategy, 1 - seat)
            worths = _by_choice(tree, weight * worth(tree, strategy))
            mean = _by_set(tree, strategy * worths)
            regrets = np.where(own, np.maximum(regrets + worths - mean, 0.0), regrets)
            strategy = np.where(own, _in_proportion(tree, regrets), strategy)
            average += np.where(own, iteration * _reach_by_choice(tree, strategy, seat), 0.0)
        progress(1)
    return _in_proportion(tree, average)


def _by_choice(tree: Tree, values: Floats) -> Floats:
    """(choices,): the sum of the values of the positions that each leads to."""
    after = tree.levels[0].stop
    sums = np.bincount(tree.choice[after:], values[after:], len(tree.actions))
    return sums.astype(np.float64, copy=False)


def _by_set(tree: Tree, values: Floats) -> Floats:
    """(choices,): the sum of the values in its information set."""
    sums: Floats = np.add.reduceat(values, tree.first)
    return np.repeat(sums, tree.sizes)


def _in_proportion(tree: Tree, values: Floats) -> Floats:
    """The strategy in proportion to values that are not negative; where all are 0, every action equally likely."""
    sums = _by_set(tree, values)
    return np.where(sums > 0, values / np.where(sums > 0, sums, 1.0), tree.uniform)


def _reach_by_choice(tree: Tree, strategy: Floats, seat: int) -> Floats:
    """(choices,): the probability that `seat` does its part to make it, alike in all positions of a set."""
    probabilities = np.zeros(len(tree.actions))
    after = tree.levels[0].stop
    probabilities[tree.choice[after:]] = reach(tree, strategy, seat)[after:]
    return probabilities

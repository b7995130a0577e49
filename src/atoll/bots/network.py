"""The network of a trained player, compiled: from what a seat observes to a worth for each legal move.

The first layer sums rows of its inputs (`network_inputs.py`), of which few are given at a time, and the second sees
that sum. A move is what the second layer knows of the view, plus what the move is (a row for each action code, turned
so that seats count from the viewer), plus what the view says of the things that it names (`relations.py`), plus what
the game's advice says of it and the numbers that the game considers (`core/move_features.py`); its worth is one more
layer above that. The same second layer gives each seat's share of the win.

Everything is float32 and depends on the view, the legal moves and the components alone.
"""

# mypy: disable-error-code="no-untyped-def"

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.network_inputs import Plan
from atoll.bots.sampling import draw_highest
from atoll.core.exports import GENERATOR, NUMBERS, of_rules, some_parts, some_states
from atoll.core.game import Game
from atoll.engine.compiling import compiled, inlined
from atoll.engine.derived import derive
from atoll.engine.exports import Export
from atoll.engine.observing import observe
from atoll.engine.real import exp, nearest, tanh
from atoll.engine.records import scratch

MOST_WIDTH = 256
"""Of either layer."""
MOST_SEATS = 6
"""Seats whose shares of the win a network predicts."""
EXPECTED = MOST_SEATS
"""The output after these: what the viewer may expect, from -1 to 1, with the points counted in."""
OUTPUTS = MOST_SEATS + 1
MOST_WEIGHT = 4.0
"""Of advice, and of how far a move is behind the best."""
FURTHER = 4.0
"""How much further the highest move features lie apart than those of one decision's moves."""


class Layers(NamedTuple):
    """What the network knows of a view: `inputs` (rows, width) and `base` (width,), which has what is the same
    throughout a game; `second` (width, depth) and its `second_bias`; `outputs` (depth, OUTPUTS) and their
    `outputs_bias`; all float32.
    """

    inputs: NDArray[np.float32]
    base: NDArray[np.float32]
    second: NDArray[np.float32]
    second_bias: NDArray[np.float32]
    outputs: NDArray[np.float32]
    outputs_bias: NDArray[np.float32]


class Mind(NamedTuple):
    """A network for one game, number of players and set of components; all floats are float32.

    `program` and `factors` are the observation's; `advised` int32 (2,) the row of the highest advice, before that of
    the lowest, and the first of the highest move features, `advice_unit` (1,) and `scales` (move features,) what they
    are divided by; `turned` int32 (players, actions); `actions`
    (actions, depth) and `alone` (actions,), which is added to a move's worth; `related` (rows of relations, depth),
    `relation_ends` int32 (actions,) and `relations` int32 (n, 3) as in `relations.py`; `advice` (2, depth) and `lean`
    (2,) for what the advice says; `move_features` (move features, depth) and `move_features_lean` (move features,) for
    these; `worth` (depth,).

    Each array is seven words of a call, so functions get the parts that they need.
    """

    program: NDArray[np.int32]
    factors: NDArray[np.float32]
    plan: Plan
    layers: Layers
    advised: NDArray[np.int32]
    scales: NDArray[np.float32]
    turned: NDArray[np.int32]
    advice_unit: NDArray[np.float32]
    actions: NDArray[np.float32]
    alone: NDArray[np.float32]
    related: NDArray[np.float32]
    relation_ends: NDArray[np.int32]
    relations: NDArray[np.int32]
    advice: NDArray[np.float32]
    lean: NDArray[np.float32]
    move_features: NDArray[np.float32]
    move_features_lean: NDArray[np.float32]
    worth: NDArray[np.float32]


class Activations(NamedTuple):
    """What a thread needs for itself: what is observed, the rows and weights that follow, and the layers."""

    seen: NDArray[np.float32]  # (observation's size,)
    rows: NDArray[np.int32]  # (twice that,)
    weights: NDArray[np.float32]
    first: NDArray[np.float32]  # (width,)
    hidden: NDArray[np.float32]  # (depth,)
    outputs: NDArray[np.float32]  # (OUTPUTS,)
    scores: NDArray[np.int32]  # (MAX_LEGAL,): the advice
    relative: NDArray[np.float32]  # (MAX_LEGAL,): the same from -1 to 0
    move_features: NDArray[np.float32]  # (MAX_LEGAL, move features), then how far each is behind the highest
    worths: NDArray[np.float32]  # (MAX_LEGAL,)
    related: NDArray[np.int32]  # rows of one move's relations
    related_weights: NDArray[np.float32]

    @classmethod
    def of(cls, game: Game, mind: Mind) -> "Activations":
        """For a game."""
        size, most = len(mind.factors), game.rules.MAX_LEGAL
        move_features = len(mind.scales)
        most_related = int(np.diff(mind.relation_ends, prepend=0).max())
        return cls(
            np.zeros(size, np.float32),
            np.zeros(2 * size + 2 + move_features, np.int32),
            np.zeros(2 * size + 2 + move_features, np.float32),
            np.zeros(len(mind.layers.base), np.float32),
            np.zeros(len(mind.layers.second_bias), np.float32),
            np.zeros(OUTPUTS, np.float32),
            np.zeros(most, np.int32),
            np.zeros(most, np.float32),
            np.zeros((most, move_features), np.float32),
            np.zeros(most, np.float32),
            np.zeros(2 * most_related, np.int32),
            np.zeros(2 * most_related, np.float32),
        )


@inlined
def within(weight):
    """A weight that is not too large."""
    return max(np.float32(-MOST_WEIGHT), min(np.float32(MOST_WEIGHT), weight))


@compiled
def list_rows(plan, advised, advice_unit, observation, scores, moves_count, rows, weights):
    """Write the rows and weights of what is observed, and of the advice on so many moves; returns how many."""
    low = high = scores[0]
    for i in range(1, moves_count):
        low = min(low, scores[i])
        high = max(high, scores[i])
    rows[0] = advised[0]
    weights[0] = within(np.float32(high) / advice_unit[0])
    rows[1] = advised[0] + 1
    weights[1] = within(np.float32(low) / advice_unit[0])
    count = 2
    for i in range(observation.shape[0]):
        number = observation[i]
        if number != np.float32(0):
            if plan.number[i] >= 0:
                rows[count] = plan.number[i]
                weights[count] = number * plan.unit[i]
                count += 1
            if plan.value[i] >= 0:
                value = nearest(number * plan.scale[i])
                value = max(plan.low[i], min(plan.high[i], value))
                rows[count] = plan.value[i] + value - plan.low[i]
                weights[count] = np.float32(1)
                count += 1
    return count


@compiled
def list_considered(advised, scales, move_features, moves_count, first, rows, weights):
    """Write the rows and weights of the highest of each move feature behind the `first` ones, and how far each move is
    behind it into `move_features`; returns how many rows there are then.
    """
    count = first
    for k in range(scales.shape[0]):
        highest = move_features[0, k]
        for i in range(1, moves_count):
            highest = max(highest, move_features[i, k])
        for i in range(moves_count):
            move_features[i, k] = within((move_features[i, k] - highest) / scales[k])
        if highest != np.float32(0):
            rows[count] = advised[1] + k
            weights[count] = highest / (scales[k] * np.float32(FURTHER))
            count += 1
    return count


@compiled
def sum_rows(inputs, rows, weights, count, out):
    """Add the weighted rows of the first layer to `out`."""
    width = np.uint64(out.shape[0])
    for i in range(count):
        row = inputs[rows[i]]
        weight = weights[i]
        for k in range(width):
            out[k] += weight * row[k]


@compiled
def copy_numbers(numbers, out):
    """Copy `numbers` to `out`, number by number: an assignment of arrays takes Numba a second more to compile."""
    for i in range(out.shape[0]):
        out[i] = numbers[i]


@compiled
def know(layers, activations, count):
    """From `count` rows in `activations` to what the second layer knows, before it is cut off at 0."""
    first, hidden = activations.first, activations.hidden
    copy_numbers(layers.base, first)
    sum_rows(layers.inputs, activations.rows, activations.weights, count, first)
    copy_numbers(layers.second_bias, hidden)
    depth = np.uint64(hidden.shape[0])
    for i in range(first.shape[0]):
        strength = first[i]
        if strength > np.float32(0):
            row = layers.second[i]
            for k in range(depth):
                hidden[k] += strength * row[k]


@compiled
def predict(layers, activations, players):
    """Write each seat's share of the win, counted from the viewer, and what the viewer may expect into `outputs`."""
    out = activations.outputs
    copy_numbers(layers.outputs_bias, out)
    for i in range(activations.hidden.shape[0]):
        strength = activations.hidden[i]
        if strength > np.float32(0):
            for k in range(OUTPUTS):
                out[k] += strength * layers.outputs[i, k]
    out[EXPECTED] = tanh(out[EXPECTED])
    highest = out[0]
    for k in range(1, players):
        highest = max(highest, out[k])
    total = np.float32(0)
    for k in range(players):
        out[k] = exp(out[k] - highest)
        total += out[k]
    for k in range(players):
        out[k] /= total


@compiled
def compare_advice(scores, count, relative):
    """The advice on each move from -1, for the worst, to 0, for the best."""
    low = high = scores[0]
    for i in range(1, count):
        low = min(low, scores[i])
        high = max(high, scores[i])
    span = np.float32(max(1, high - low))
    for i in range(count):
        relative[i] = np.float32(scores[i] - high) / span


@inlined
def list_relations(plan, ends, relations, observation, action, rows, weights):
    """Write the rows and weights of what is observed of the things that an action, by its turned code, names; returns
    how many there are.
    """
    count = 0
    first = ends[action - 1] if action > 0 else 0
    for i in range(first, ends[action]):
        column = relations[i, 0]
        number = observation[column]
        if number != np.float32(0):
            if relations[i, 1] >= 0:
                rows[count] = relations[i, 1]
                weights[count] = number * plan.unit[column]
                count += 1
            if relations[i, 2] >= 0:
                value = nearest(number * plan.scale[column])
                value = max(plan.low[column], min(plan.high[column], value))
                rows[count] = relations[i, 2] + value - plan.low[column]
                weights[count] = np.float32(1)
                count += 1
    return count


@compiled
def rate(mind, activations, seat, moves, count):
    """Write the worth of each of the seat's moves into `worths`, from `seen`, `known` and `relative`."""
    depth = np.uint64(activations.hidden.shape[0])
    strengths = scratch(MOST_WIDTH, np.float32)
    hidden, worth, rely, best = activations.hidden, mind.worth, mind.advice[0], mind.advice[1]
    for i in range(count):
        action = mind.turned[seat, moves[i]]
        row = mind.actions[action]
        relative = activations.relative[i]
        is_best = np.float32(1) if relative == np.float32(0) else np.float32(0)
        for k in range(depth):
            strengths[k] = hidden[k] + row[k] + relative * rely[k] + is_best * best[k]
        total = mind.alone[action] + relative * mind.lean[0] + is_best * mind.lean[1]
        for c in range(mind.scales.shape[0]):
            behind = activations.move_features[i, c]
            if behind != np.float32(0):
                move_features = mind.move_features[c]
                total += behind * mind.move_features_lean[c]
                for k in range(depth):
                    strengths[k] += behind * move_features[k]
        related_count = list_relations(
            mind.plan,
            mind.relation_ends,
            mind.relations,
            activations.seen,
            action,
            activations.related,
            activations.related_weights,
        )
        for r in range(related_count):
            related = mind.related[activations.related[r]]
            weight = activations.related_weights[r]
            for k in range(depth):
                strengths[k] += weight * related[k]
        for k in range(depth):
            strengths[k] = max(strengths[k], np.float32(0)) * worth[k]
        for k in range(depth):
            total += strengths[k]
        activations.worths[i] = total


advise: Any = None
write_features: Any = None


def read(mind, activations, view, parts, moves, count):
    """Write what the second layer knows of a view with these legal moves into `activations.known`; the advice on them
    stands in `activations.scores`. Returns the count of rows.
    """
    observe(view, mind.program, mind.factors, activations.seen)
    write_features(view, parts, moves, count, activations.move_features)
    rows = list_rows(
        mind.plan,
        mind.advised,
        mind.advice_unit,
        activations.seen,
        activations.scores,
        count,
        activations.rows,
        activations.weights,
    )
    rows = list_considered(
        mind.advised,
        mind.scales,
        activations.move_features,
        count,
        rows,
        activations.rows,
        activations.weights,
    )
    know(mind.layers, activations, rows)
    return rows


read_at: Any = None


def look(mind, activations, view, parts, moves, count):
    """Rate the legal moves of a view into `activations.worths`; the advice on them stands in `activations.scores`.
    Returns the count of rows, which stand in `activations`.
    """
    rows = read_at(mind, activations, view, parts, moves, count)
    compare_advice(activations.scores, count, activations.relative)
    rate(mind, activations, int(view.seat), moves, count)
    return rows


look_at: Any = None


def ask_and_look(mind, activations, view, parts, moves, count):
    """`look` at what the game's advice is asked about first."""
    advise(view, parts, moves, count, activations.scores)
    return look_at(mind, activations, view, parts, moves, count)


def choose(mind, activations, view, parts, moves, count, generator):
    """The move with the highest worth; among equals, any, equally likely."""
    look_at(mind, activations, view[0], parts[0], moves, count)
    return moves[draw_highest(activations.worths, count, generator)]


@cache
def reading(game: Game) -> Any:
    """`read`, to be called by other compiled functions."""
    return compiled(derive(read, f"{game.package}.rules", write_features=game.write_features))


@cache
def looking_at_advice(game: Game) -> Any:
    """`look`, to be called by other compiled functions."""
    return compiled(derive(look, f"{game.package}.rules", read_at=reading(game)))


@cache
def looking(game: Game) -> Any:
    """`ask_and_look`, to be called by other compiled functions."""
    bindings = {"look_at": looking_at_advice(game), "advise": game.advise}
    return compiled(derive(ask_and_look, f"{game.package}.rules", **bindings))


def some_mind() -> Mind:
    """A network of nothing, as an example of its type."""
    ints, floats = np.zeros(1, np.int32), np.zeros(1, np.float32)
    int_rows, float_rows = ints.reshape(1, 1), floats.reshape(1, 1)
    return Mind(
        program=ints.reshape(1, 1, 1),
        factors=floats,
        plan=Plan(ints, floats, ints, floats, ints, ints),
        layers=Layers(float_rows, floats, float_rows, floats, float_rows, floats),
        advised=ints,
        scales=floats,
        turned=int_rows,
        advice_unit=floats,
        actions=float_rows,
        alone=floats,
        related=float_rows,
        relation_ends=ints,
        relations=int_rows,
        advice=float_rows,
        lean=floats,
        move_features=float_rows,
        move_features_lean=floats,
        worth=floats,
    )


CHOOSE = Export(
    "choose trained",
    lambda game: of_rules(game, choose, look_at=looking(game)),
    lambda game: (
        some_mind(),
        Activations.of(game, some_mind()),
        some_states(game),
        some_parts(game),
        NUMBERS,
        0,
        GENERATOR,
    ),
    reads=(0, 2, 3, 4),
)

"""The functions of a game's rules as Python calls them, on arrays of shape (1,) that hold a state or the parts."""

# mypy: disable-error-code="no-untyped-def"

from typing import Any

import numpy as np

from atoll.core.events import event_buffer
from atoll.core.state import MOST_SEATS
from atoll.engine.constants import GENERATOR_WORDS
from atoll.engine.derived import derive
from atoll.engine.exports import Export

function: Any = None


def begin(states, parts, players, generator):
    """Write the first position."""
    function(states[0], parts[0], players, generator)


def list_legal(states, parts, seat, out):
    """Write the action codes that a seat may choose; returns how many."""
    return function(states[0], parts[0], seat, out)


def carry_out(states, parts, seat, action, events):
    """Carry out a legal action."""
    function(states[0], parts[0], seat, action, events)


def look(states, parts, seat, views):
    """Write what a seat may know."""
    function(states[0], parts[0], seat, views[0])


def draw(views, parts, generator, states):
    """Write a full state that agrees with a view."""
    function(views[0], parts[0], generator, states[0])


def count_points(states, parts, points):
    """Write each seat's points; returns the bit set of the winners."""
    return function(states[0], parts[0], points)


def rate(views, parts, moves, count, scores):
    """Rate legal moves, or write their features."""
    function(views[0], parts[0], moves, count, scores)


def of_rules(game: Any, template: Any, **bindings: Any) -> Any:
    """`template` with a game's functions as its globals, to be compiled with its rules."""
    return derive(template, f"{game.package}.rules", **bindings)


def some_states(game: Any) -> Any:
    """A state as an example of its type."""
    return np.zeros(1, game.rules.STATE)


def some_parts(game: Any) -> Any:
    """Parts as an example of their type."""
    return np.zeros(1, game.rules.PARTS)


NUMBERS = np.zeros(1, np.int32)
"""An example of actions, scores and points."""
GENERATOR = np.zeros(GENERATOR_WORDS, np.uint64)
"""An example of a generator."""

START = Export(
    "start",
    lambda game: of_rules(game, begin, function=game.rules.start),
    lambda game: (some_states(game), some_parts(game), MOST_SEATS, GENERATOR),
    reads=(1,),
)
LEGAL_ACTIONS = Export(
    "legal_actions",
    lambda game: of_rules(game, list_legal, function=game.rules.legal_actions),
    lambda game: (some_states(game), some_parts(game), 0, NUMBERS),
    reads=(0, 1),
)
PLAY = Export(
    "play",
    lambda game: of_rules(game, carry_out, function=game.rules.play),
    lambda game: (some_states(game), some_parts(game), 0, 0, event_buffer(1)),
    reads=(1,),
)
VIEW = Export(
    "view",
    lambda game: of_rules(game, look, function=game.rules.view),
    lambda game: (some_states(game), some_parts(game), 0, some_states(game)),
    reads=(0, 1),
)
RESAMPLE = Export(
    "resample",
    lambda game: of_rules(game, draw, function=game.rules.resample),
    lambda game: (some_states(game), some_parts(game), GENERATOR, some_states(game)),
    reads=(0, 1),
)
RESULT = Export(
    "result",
    lambda game: of_rules(game, count_points, function=game.rules.result),
    lambda game: (some_states(game), some_parts(game), NUMBERS),
    reads=(0, 1),
)
ADVISE = Export(
    "advise",
    lambda game: of_rules(game, rate, function=game.advise),
    lambda game: (some_states(game), some_parts(game), NUMBERS, 0, NUMBERS),
    reads=(0, 1, 2),
)

WRITE_FEATURES = Export(
    "write_features",
    lambda game: of_rules(game, rate, function=game.write_features),
    lambda game: (some_states(game), some_parts(game), NUMBERS, 0, np.zeros((1, 1), np.float32)),
    reads=(0, 1, 2),
)

EXPORTS = (START, LEGAL_ACTIONS, PLAY, VIEW, RESAMPLE, RESULT, ADVISE, WRITE_FEATURES)

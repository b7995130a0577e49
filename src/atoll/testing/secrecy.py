"""The law of what a seat may know: nothing that reaches it depends on what it cannot know.

`check_law` checks it of a position, on every channel: view, observation, legal moves, refusals, events and record.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from atoll.core.events import Event
from atoll.core.game import Game, Position
from atoll.core.observation import FORMS, observation_of
from atoll.core.plain_notation import PlainNotation
from atoll.core.records import encode, has_drawn, redacted
from atoll.core.state import SPECTATOR
from atoll.core.types import Json
from atoll.engine.chance import WORD
from atoll.testing.playing import random_move, refusals, state_bytes

TRIED = 20
"""Of a game's actions so many are tried where they are not legal, at most."""


def check_law(position: Position, seat: int, seed: int, steps: int = 3) -> None:
    """Raise AssertionError, naming the channel, if anything that reaches `seat`, or SPECTATOR, depends on what it
    cannot know: whatever full state agrees with its view could be the true one, and all must be alike to it.

    From the true state and from one drawn from the view some moves are played that look the same to the seat; what
    it is told must be the same as long as its view is.
    """
    chance, choice = random.Random(seed), random.Random(seed + 1)
    view = position.view(seat)
    other = view.resample(seed)
    other.check()
    assert state_bytes(other.view(seat)) == state_bytes(view), "view"
    check_observation(position, other, seat)
    truth, moves, other_moves = position.copy(), [], []
    start, other_start = position.copy(), other.copy()
    for step in range(steps):
        check_legal_moves(truth, other, seat, seed + step)
        if truth.is_over:
            break
        whose, action = random_move(truth, chance)
        before = truth.copy()
        events = truth.play_action(whose, action)
        alike = move_that_looks_alike(other, whose, action, before, truth, events, seat, choice)
        if alike is None:
            break  # the move told the seat something that it did not know
        other_action, other, other_events = alike
        moves.append((whose, action))
        other_moves.append((whose, other_action))
        hide = truth.game.notation.hide_event
        visible, other_visible = ([hide(event, seat) for event in both] for both in (events, other_events))
        assert visible == other_visible, "events"
    names = [str(number) for number in range(position.players)]
    record, other_record = (
        encode(redacted(where, decisions, names, seat))
        for where, decisions in ((start, moves), (other_start, other_moves))
    )
    assert record == other_record, "record"


def check_observation(position: Position, other: Position, seat: int) -> None:
    """What the seat sees as an array of numbers, in each form."""
    if seat == SPECTATOR:
        return
    for form in FORMS:
        observation = observation_of(position.game, position.players, form)
        array, other_array = (observation.of(full, seat).tobytes() for full in (position, other))
        assert array == other_array, "observation"


def check_legal_moves(position: Position, other: Position, seat: int, first: int) -> None:
    """The seat's legal moves, and what it is told when it tries others: some of them, which hang on `first`."""
    if seat == SPECTATOR:
        return
    actions = position.legal_moves(seat).actions.tolist()
    assert other.legal_moves(seat).actions.tolist() == actions, "legal moves"
    assert position.view(seat).legal_moves().actions.tolist() == actions, "legal moves"
    every = -(-position.game.rules.ACTIONS // TRIED)
    illegal = [
        code for code in range(first % every, position.game.rules.ACTIONS, every) if code not in actions
    ]
    assert refusals(other, seat, illegal) == refusals(position, seat, illegal), "error text"


def move_that_looks_alike(
    position: Position,
    whose: int,
    action: int,
    before: Position,
    truth: Position,
    events: Sequence[Event],
    seat: int,
    chance: random.Random,
) -> tuple[int, Position, list[Event]] | None:
    """A move of `whose` after which `seat` sees what it sees of `truth`, where `action` was played in `before`: now and
    then another one than `action`, where that can be. It looks alike if also what is public of it is the same; where no
    move does, and chance had no part in this one, one whose view alone is.
    """
    target, public = state_bytes(truth.view(seat)), public_of(before, truth, whose, action, events, seat)
    legal = position.legal_moves(whose).actions.tolist()
    others = [code for code in legal if code != action]
    first = chance.sample(others, min(chance.choice([0, 2]), len(others)))
    by_view = None
    for candidate in dict.fromkeys([*first, *([action] if action in legal else []), *others]):
        copy = position.copy()
        played = copy.play_action(whose, candidate)
        if state_bytes(copy.view(seat)) == target:
            if public_of(position, copy, whose, candidate, played, seat) == public:
                return candidate, copy, played
            by_view = by_view or (candidate, copy, played)
    return None if has_drawn(before, truth) else by_view


def public_of(
    before: Position, after: Position, whose: int, action: int, events: Sequence[Event], seat: int
) -> tuple[list[Event], Json | None]:
    """What a seat may know of a move by the declarations alone: its events, and, unless the game says by itself what
    records hide of moves, the move.
    """
    game = after.game
    declared = PlainNotation(game)
    move = None
    if not hasattr(game.own("notation"), "hide_move"):
        move = declared.hide_move(game.notation.move_of(action), whose, before.view(seat), after.view(seat))
    return [declared.hide_event(event, seat) for event in events], move


def hidden_numbers(game: Game, state: Any, view: Any) -> list[tuple[str, int]]:
    """Where a view shows another number than the state has: the field, and the place in it; places where nothing
    stands are left out, and words of a key that the generator does not have.
    """
    truth, numbers = dict(elements(state)), dict(elements(view))
    return [
        (name, index)
        for name, index in truth
        if truth[name, index] != numbers[name, index]
        and name != "seat"
        and truth[name, index] != game.declared.field(name).empty
        and (name != "generator" or index == WORD)
    ]


def elements(state: Any) -> Iterator[tuple[tuple[str, int], int]]:
    """Every number in a state record: the field, the place in it, and the number."""
    for name in state.dtype.names:
        for index, value in enumerate(np.asarray(state[name]).reshape(-1).tolist()):
            yield (name, index), value

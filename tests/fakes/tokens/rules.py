"""The rules of Tokens: in turn everybody shows a token and takes the next, twice."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from atoll.core.moves import Kind, Moves, Part
from atoll.core.state import REFEREE
from atoll.engine.chance import draw_below, fork_generator, set_generator
from atoll.engine.compiling import compiled
from atoll.engine.hiding import unhide
from atoll.engine.records import clear_record
from tokens.state import SIZE, TokensState

HIDDEN = TokensState.hidden
ROUNDS = 2
MOVES = Moves(Kind("show", Part("which", range(2), of="token")))
MAX_LEGAL = 2
MAX_EVENTS = 0


@compiled
def draw_numbers(numbers, generator):
    for i in range(len(numbers)):
        numbers[i] = draw_below(generator, 128)


@compiled
def start(state, parts, players, generator):
    clear_record(state)
    state.players = players
    state.seat = REFEREE
    state.round_number = 1
    set_generator(state.generator, generator)
    for seat in range(players):
        draw_numbers(state.hand[seat], state.generator)
    draw_numbers(state.coming, state.generator)
    state.to_act = 1


@compiled
def legal_actions(state, parts, seat, out):
    out[0] = 0
    out[1] = 1
    return 2


@compiled
def play(state, parts, seat, action, events):
    for i in range(SIZE):
        state.shown[seat, i] = state.hand[seat, SIZE * action + i]
        state.hand[seat, SIZE * action + i] = state.coming[i]
        state.coming[i] = state.coming[SIZE + i]
    draw_numbers(state.coming[SIZE:], state.generator)
    state.to_act = 1 << (seat + 1)
    if seat + 1 == state.players:
        state.to_act = 1 if state.round_number < ROUNDS else 0
        state.round_number = min(ROUNDS, state.round_number + 1)


@compiled
def resample(view, parts, generator, out):
    unhide(view, out, HIDDEN)
    for seat in range(view.players):
        if seat != view.seat:
            draw_numbers(out.hand[seat], generator)
    draw_numbers(out.coming, generator)
    fork_generator(generator, out.generator)


@compiled
def result(state, parts, points):
    for seat in range(state.players):
        points[seat] = 0
    return 0 if state.to_act else (1 << state.players) - 1


def max_decisions(components, players):
    """Twice round the table."""
    return ROUNDS * players


def points_range(components, players):
    """There are none."""
    return 0, 0

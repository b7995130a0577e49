"""The rules of Kuhn poker (H. W. Kuhn, "A Simplified Two-Person Poker", 1950)."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.state import UNKNOWN, record_dtype
from atoll.engine.chance import next_word
from atoll.engine.compiling import compiled
from atoll.engine.hiding import hide

from .state import KuhnState

ACTIONS = MAX_LEGAL = 2
PASS, BET = range(ACTIONS)
STATE = KuhnState.dtype
HIDDEN = KuhnState.hidden
PARTS = record_dtype([("forgetful", "i1"), ("drawing", "i1")])


@compiled
def legal_actions(state, parts, seat, out):
    out[0] = PASS
    out[1] = BET
    return 2


@compiled
def play(state, parts, seat, action, events):
    facing = state.bet[1 - seat]
    state.bet[seat] = action
    state.decisions += 1
    over = facing == 1 or (action == PASS and state.decisions == 2)
    state.to_act = 0 if over else 1 << (1 - seat)
    if parts.drawing:
        next_word(state.generator)


@compiled
def view(state, parts, seat, out):
    hide(state, seat, out, HIDDEN)
    if parts.forgetful and state.decisions > 1:
        out.card[seat] = UNKNOWN


@compiled
def result(state, parts, points):
    if state.bet[0] == state.bet[1]:
        winner = 0 if state.card[0] > state.card[1] else 1
    else:
        winner = 0 if state.bet[0] > state.bet[1] else 1
    points[winner] = 1 + min(state.bet[0], state.bet[1])
    return 1 << winner

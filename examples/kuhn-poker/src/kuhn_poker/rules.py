"""The rules of Kuhn poker (H. W. Kuhn, "A Simplified Two-Person Poker", 1950).

Everybody puts in a chip and is dealt a card. The first player checks or bets a second chip; after a check the other
one may. Who faces a bet folds or calls. If nobody folds, the higher card takes all chips.
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.invariants import require
from atoll.core.moves import Kind, Moves
from atoll.engine.chance import draw_below, fork_generator
from atoll.engine.compiling import compiled
from atoll.engine.hiding import unhide
from atoll.engine.positions import begin_game
from kuhn_poker.state import CARDS, PLAYERS, KuhnState

HIDDEN = KuhnState.hidden
KINDS = len(CARDS)

MOVES = Moves(Kind("check"), Kind("bet"), Kind("fold"), Kind("call"))
CHECK, BET, FOLD, CALL = range(len(MOVES))
MAX_LEGAL = 2


@compiled
def start(state, parts, players, generator):
    """Write the first position into `state`: a chip and a card for everybody."""
    begin_game(state, players, generator)
    state.card[0] = draw_below(state.generator, KINDS)
    state.card[1] = other_card(state.card[0], state.generator)
    state.chips[0] = 1
    state.chips[1] = 1
    state.to_act = 1


@compiled
def other_card(card, generator):
    """One of the two other cards, each equally likely."""
    return (card + 1 + draw_below(generator, KINDS - 1)) % KINDS


@compiled
def legal_actions(state, parts, seat, out):
    """Write the action codes that `seat` may choose, ascending; returns how many."""
    if not state.to_act >> seat & 1:
        return 0
    facing_a_bet = state.chips[1 - seat] > state.chips[seat]
    out[0] = FOLD if facing_a_bet else CHECK
    out[1] = CALL if facing_a_bet else BET
    return 2


@compiled
def play(state, parts, seat, action, events):
    """Carry out a legal action of `seat`."""
    if action == FOLD:
        state.folded[seat] = 1
    elif action != CHECK:
        state.chips[seat] += 1
    ended = action >= FOLD or (action == CHECK and seat == 1)
    state.to_act = 0 if ended else 1 << (1 - seat)


@compiled
def reveal(state, parts, seat, out):
    """Show both cards once nobody has folded and the hand is over."""
    if state.to_act == 0 and state.folded[0] + state.folded[1] == 0:
        for other in range(PLAYERS):
            out.card[other] = state.card[other]


@compiled
def resample(view, parts, generator, out):
    """Write into `out` a full state drawn uniformly from those that agree with `view`."""
    unhide(view, out, HIDDEN)
    own = max(0, view.seat)
    if view.to_act != 0 or view.folded[0] + view.folded[1] > 0:
        if view.seat < 0:
            out.card[own] = draw_below(generator, KINDS)
        out.card[1 - own] = other_card(out.card[own], generator)
    fork_generator(generator, out.generator)


@compiled
def result(state, parts, points):
    """Write what each seat wins or loses, in chips; returns the bit set of the winners, 0 while the hand runs."""
    winner = 0 if state.card[0] > state.card[1] else 1
    if state.folded[winner]:
        winner = 1 - winner
    points[winner] = state.chips[1 - winner]
    points[1 - winner] = -state.chips[1 - winner]
    return 1 << winner if state.to_act == 0 else 0


def max_decisions(components, players):
    """Declared bound of a game's length."""
    return 3


def points_range(components, players):
    """Declared bounds of a seat's points: all chips of a seat won or lost."""
    return -2, 2


def check(state, components):
    """Raise AssertionError, naming it, if there is a card twice."""
    require(state.card[0] != state.card[1], "there is one of each card")

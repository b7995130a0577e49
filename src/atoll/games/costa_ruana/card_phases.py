"""The first half of a round of Costa Ruana: 2 cards and a native by each player, the Shaman's condition card, and the
revealing of the cards.
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.moves import all_of
from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.engine.hands import take_from_hand
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.pieces import faces_turned, is_active, move_piece
from atoll.games.costa_ruana.setup import go_round, pass_turn

# Play 2 cards and place a native


@compiled
def cards_to_play(state, seat, out):
    """Each different card of the hand, in front of each player (CR-9, CR-10)."""
    count = 0
    last = UNKNOWN
    for i in range(state.hand_count[seat]):
        card = int(state.hand[seat, i])
        if card != last:
            for front in range(state.players):
                out[count] = mv.encode_play(card, front)
                count += 1
        last = card
    return count


@compiled
def play_card(state, seat, card, front, events):
    """Lay a card face up (CR-9) or face down (CR-10) in front of a player."""
    face_up = state.phase == cr.FACE_UP
    take_from_hand(state, seat, card, UNKNOWN)
    k = int(state.table_count)
    state.table_card[k] = card
    state.table_player[k] = seat
    state.table_front[k] = front
    state.table_up[k] = 1 if face_up else 0
    state.table_count = k + 1
    what = ev.CARD_PLAYED if face_up else ev.CARD_HIDDEN
    emit(events, what, seat, card, ev.HAND_PLACE + seat, ev.CARD_PLACE + k, front)
    if pass_turn(state, int(state.players)):
        go_round(state, cr.FACE_DOWN if face_up else cr.NATIVE)


@compiled
def cards_for_native(state, seat, out):
    """Any card on the table, or none; with an empty supply none alone (CR-11)."""
    count = all_of(out, mv.PUT_NATIVE_ON_CARD, int(state.table_count)) if state.supply[seat] > 0 else 0
    out[count] = mv.KEEP_NATIVE
    return count + 1


@compiled
def place_native_on_card(state, seat, action, events):
    """Put a native on a card, or keep it (CR-11)."""
    if action == mv.KEEP_NATIVE:
        emit(events, ev.NATIVE_KEPT, seat, UNKNOWN, UNKNOWN, UNKNOWN, 0)
    else:
        k = action - mv.PUT_NATIVE_ON_CARD
        move_piece(state, seat, seat, ev.SUPPLY_PLACE + seat, ev.CARD_PLACE + k, events)
    if pass_turn(state, int(state.players)):
        go_round(state, cr.CONDITION)


# The Shaman turns over a condition card


@compiled
def turn_condition(state, seat, condition, events):
    """Show the other face of a condition card (CR-12)."""
    old = int(state.tide) if condition == cr.TIDE else int(state.time)
    tide, time = faces_turned(state, condition)
    state.tide = tide
    state.time = time
    new = tide if condition == cr.TIDE else time
    emit(events, ev.CONDITION_TURNED, seat, condition, old, new, 0)
    reveal_cards(state, events)


# Reveal the cards


@compiled
def reveal_cards(state, events):
    """Turn the hidden cards up; inactive ones are done with, and their natives go home (CR-13)."""
    for k in range(state.table_count):
        if state.table_up[k] == 0:
            state.table_up[k] = 1
            tell_of_card(state, ev.CARD_REVEALED, k, events)
    for k in range(state.table_count):
        if not is_active(int(state.table_card[k]), state.tide, state.time):
            tell_of_card(state, ev.CARD_INACTIVE, k, events)
            send_natives_home(state, k, events)
            state.table_resolved[k] = 1


@compiled
def tell_of_card(state, what, k, events):
    """Something happens with a card on the table."""
    emit(events, what, state.table_front[k], state.table_card[k], ev.CARD_PLACE + k, UNKNOWN, 0)


@compiled
def send_natives_home(state, k, events):
    """The natives on a card go back to their owners' supplies."""
    owners = int(state.table_natives[k])
    for seat in range(state.players):
        if owners >> seat & 1:
            move_piece(state, UNKNOWN, seat, ev.CARD_PLACE + k, ev.SUPPLY_PLACE + seat, events)

"""The order in which Costa Ruana's cards resolve, and to whom each is applied (CR-14, CR-15)."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.card_phases import send_natives_home, tell_of_card
from atoll.games.costa_ruana.effects import pieces_to_move
from atoll.games.costa_ruana.pieces import applied_to, kind_of
from atoll.games.costa_ruana.rounds import end_round


@compiled
def step_of(card):
    """A card's place in the order of resolving; Return 1 to 3 are one step, and so are Place 1 to 3 (CR-14)."""
    return cr.ACTS_IN[kind_of(card)]


@compiled
def resolve(state, parts, events):
    """Carry on with the cards until somebody has to decide, or the round is over (CR-14)."""
    while True:
        if state.card != cr.NOWHERE:
            if apply_next(state, parts, events):
                return
            finish_card(state, events)
        if state.resolver == state.players:
            end_round(state, parts, events)
            return
        front = (int(state.shaman) + int(state.resolver)) % int(state.players)
        first, choice = next_cards(state, front)
        if first == cr.NOWHERE:
            state.resolver += 1
        elif choice:
            state.phase = cr.ORDER
            state.to_act = 1 << front
            return
        else:
            begin_card(state, first, events)


@compiled
def next_cards(state, front):
    """The first played of the cards that resolve next in front of a player, and whether there is a choice.

    There is none among cards of the same kind with the same owners' natives on them (CR-14).
    """
    first = cr.NOWHERE
    choice = False
    for k in range(state.table_count):
        if state.table_front[k] == front and state.table_resolved[k] == 0:
            card = int(state.table_card[k])
            if first == cr.NOWHERE or step_of(card) < step_of(int(state.table_card[first])):
                first = k
                choice = False
            elif step_of(card) == step_of(int(state.table_card[first])) and (
                kind_of(card) != kind_of(int(state.table_card[first]))
                or state.table_natives[k] != state.table_natives[first]
            ):
                choice = True
    return first, choice


@compiled
def cards_to_resolve(state, seat, out):
    """Every remaining card of the kind that is next in front of this player (CR-14)."""
    first, _ = next_cards(state, seat)
    step = step_of(int(state.table_card[first]))
    count = 0
    for k in range(first, state.table_count):
        if (
            state.table_front[k] == seat
            and state.table_resolved[k] == 0
            and step_of(int(state.table_card[k])) == step
        ):
            out[count] = mv.RESOLVE_CARD + k
            count += 1
    return count


@compiled
def begin_card(state, k, events):
    """Start with a card's effect."""
    state.card = k
    tell_of_card(state, ev.CARD_BEGUN, k, events)


@compiled
def finish_card(state, events):
    """The card is done with, and the natives on it go home (CR-15)."""
    k = int(state.card)
    tell_of_card(state, ev.CARD_DONE, k, events)
    send_natives_home(state, k, events)
    state.table_resolved[k] = 1
    state.card = cr.NOWHERE
    state.applied = 0


@compiled
def apply_next(state, parts, events):
    """Apply the card, as far as the rules allow (CR-16), to the next player who can do something with it; False when
    all have had it (CR-15).
    """
    k, players = int(state.card), int(state.players)
    card = int(state.table_card[k])
    while state.applied <= players:
        seat = applied_to(players, int(state.table_front[k]), int(state.table_natives[k]), int(state.applied))
        state.applied += 1
        if seat != cr.NOWHERE:
            pieces = pieces_to_move(state, parts, kind_of(card), seat)
            emit(events, ev.CARD_APPLIED, seat, card, ev.CARD_PLACE + k, UNKNOWN, pieces)
            if pieces > 0:
                state.phase = cr.ACTS_IN[kind_of(card)]
                state.to_act = 1 << seat
                state.applying_to = seat
                state.pieces_left = pieces
                return True
    return False


@compiled
def finish_piece(state, parts, events):
    """One piece of an effect is moved; on with the next, or with the cards."""
    state.pieces_left -= 1
    if state.pieces_left == 0:
        state.applying_to = cr.NOWHERE
        resolve(state, parts, events)

"""The end of a round of Costa Ruana: collecting treasures, and the preparation for the next round."""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.state import UNKNOWN
from atoll.engine.compiling import compiled
from atoll.engine.events import emit
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.pieces import move_piece
from atoll.games.costa_ruana.setup import clear_table, draw_card, go_round

# Collect treasures from the islands


@compiled
def collection(state, island, mover, by):
    """Who collects from an island, or NOWHERE, and the bit set of who is arguing there, if seat `mover` had `by` more
    natives on it: who ties is arguing and out; of the others the one with the most collects (CR-17).
    """
    counts = 0  # bit n: some player has n natives here
    ties = 0  # bit n: several have
    for seat in range(state.players):
        bit = 1 << (int(state.natives[island, seat]) + (by if seat == mover else 0))
        ties |= counts & bit
        counts |= bit
    arguers = 0
    collector = cr.NOWHERE
    most = 0
    for seat in range(state.players):
        natives = int(state.natives[island, seat]) + (by if seat == mover else 0)
        if natives > 0:
            if ties >> natives & 1:
                arguers |= 1 << seat
            elif natives > most:
                most = natives
                collector = seat
    return collector, arguers


@compiled
def collect_treasures(state, events):
    """On each island who has the most natives alone takes a treasure, and one of these natives home (CR-17, CR-19)."""
    for island in range(state.islands):
        if state.treasures[island] > 0 and state.crowd[island] > 0:
            place = ev.ISLAND_PLACE + island
            collector, arguers = collection(state, island, cr.NOWHERE, 0)
            if arguers != 0:
                emit(events, ev.ARGUED, UNKNOWN, arguers, place, UNKNOWN, 0)
            if collector != cr.NOWHERE:
                emit(events, ev.COLLECTED, collector, UNKNOWN, place, UNKNOWN, 0)
                move_piece(state, UNKNOWN, ev.TREASURE, place, ev.HUT_PLACE + collector, events)
                move_piece(state, UNKNOWN, collector, place, ev.SUPPLY_PLACE + collector, events)


# Preparation for the next round


@compiled
def end_round(state, parts, events):
    """Collect, discard, and prepare the next round, in this order (CR-20)."""
    collect_treasures(state, events)
    discard_table(state, events)
    state.resolver = 0
    shaman = next_shaman(state)
    treasures = int(state.collected[shaman])
    for seat in range(state.players):
        state.collected[seat] = 0  # what was collected in this round counts for the next Shaman alone (CR-18)
    if state.round_number == parts.rounds:
        state.phase = cr.OVER
        state.to_act = 0
        emit(events, ev.GAME_OVER, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, 0)
        return
    state.shaman = shaman
    emit(events, ev.SHAMAN_NEXT, shaman, UNKNOWN, UNKNOWN, UNKNOWN, treasures)
    emit(events, ev.ROUND_BEGUN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, state.round_number + 1)
    draw_cards(state, parts, events)
    state.round_number += 1
    go_round(state, cr.RESIGN)


@compiled
def discard_table(state, events):
    """The round's cards go to the discard pile in the order in which they were played (CR-20)."""
    for k in range(state.table_count):
        card = int(state.table_card[k])
        state.discarded[state.discard_count] = card
        state.discard_count += 1
        emit(events, ev.CARD_DISCARDED, UNKNOWN, card, ev.CARD_PLACE + k, ev.DISCARD_PLACE, 0)
    clear_table(state)


@compiled
def next_shaman(state):
    """Who collected the fewest treasures; of several, the nearest to the old Shaman clockwise (CR-18)."""
    players = int(state.players)
    successor = cr.NOWHERE
    for i in range(1, players + 1):
        seat = (int(state.shaman) + i) % players
        if successor == cr.NOWHERE or state.collected[seat] < state.collected[successor]:
            successor = seat
    return successor


@compiled
def draw_cards(state, parts, events):
    """From the new Shaman clockwise, each player draws all theirs at once (CR-20)."""
    players, count = int(state.players), int(parts.draws[state.round_number])
    for i in range(players):
        seat = (int(state.shaman) + i) % players
        tell_draw(state, seat, count, events)
        for _ in range(count):
            draw_card(state, seat)


@compiled
def tell_draw(state, seat, count, events):
    """Tell which cards a player is about to draw, without their order in the pile: they come all at once (CR-20)."""
    top = int(state.pile_count) - 1
    if events.shape[0] > 0:
        for card in range(cr.CARD_TYPES):
            for i in range(count):
                if state.pile[top - i] == card:
                    emit(events, ev.CARD_DRAWN, seat, card, ev.PILE_PLACE, ev.HAND_PLACE + seat, 0)


@compiled
def appoint_shaman(state, seat, appointed, events):
    """Keep the role for this round or hand it on, once (CR-21)."""
    if appointed == seat:
        emit(events, ev.SHAMAN_KEPT, seat, UNKNOWN, UNKNOWN, UNKNOWN, 0)
    else:
        emit(events, ev.SHAMAN_APPOINTED, seat, appointed, UNKNOWN, UNKNOWN, 0)
    state.shaman = appointed
    go_round(state, cr.FACE_UP)

"""Costa Ruana, by Yuri Zhuravlev: five rounds of cards played openly and in secret, of natives that copy them and
of a Shaman who decides which cards count; then whoever has the most natives on an island, and no equal, takes a
treasure.

Every `CR-` number is a rule of this project's page of rules. Where the rulebook leaves something open:

- A card is active when its background is one of the two visible condition faces (CR-2).
- How many cards of each kind there are is data, `components.toml` (CR-4).
- The two islands that start with 4 treasures are the first two (CR-6): islands differ in nothing else.
- Cards of one kind that are alike, with the same owners' natives on them, resolve in the order in which they were
  played without a question (CR-14).
- Looking for the next Shaman starts at the old one's left-hand neighbour (CR-18).
- Players who tie on points and on treasures share the win (CR-22).
"""

# mypy: disable-error-code="no-untyped-def"

from atoll.core.chance import draw_below, set_generator, shuffle
from atoll.core.compiling import compiled
from atoll.core.copying import clear_record
from atoll.core.events import emit
from atoll.core.game import Components
from atoll.core.state import REFEREE, UNKNOWN
from atoll.games.costa_ruana.collecting import collection
from atoll.games.costa_ruana.invariants import DEALT, check
from atoll.games.costa_ruana.moves import (
    ACTIONS,
    APPOINT_SHAMAN,
    DROP_NATIVE_ON,
    DROP_TREASURE_ON,
    KEEP_NATIVE,
    PLACE_NATIVE_ON,
    PUT_NATIVE_ON_CARD,
    RESOLVE_CARD,
    RETURN_NATIVE_FROM,
    TAKE_TREASURE_FROM,
    TURN_CONDITION,
    decode_play,
    decode_take_native,
    encode_play,
    encode_take_native,
)
from atoll.games.costa_ruana.state import (
    ARGUED,
    CARD_APPLIED,
    CARD_BEGUN,
    CARD_DISCARDED,
    CARD_DONE,
    CARD_DRAWN,
    CARD_INACTIVE,
    CARD_PLACE,
    CARD_PLAYED,
    CARD_REVEALED,
    CARD_TYPES,
    COLLECTED,
    CONDITION,
    CONDITION_TURNED,
    DAY,
    DISCARD_PLACE,
    DROP_NATIVE,
    DROP_TREASURE,
    FACE_DOWN,
    FACE_UP,
    GAME_OVER,
    HAND_PLACE,
    HELD_PLACE,
    HIGH_TIDE,
    HUT_PLACE,
    ISLAND_PLACE,
    LOW_TIDE,
    MAX_DECK,
    MAX_HAND,
    MAX_PLAYERS,
    MOVE_NATIVE,
    MOVE_TREASURE,
    NATIVE,
    NATIVE_KEPT,
    NATIVE_MOVED,
    NIGHT,
    NO_PLACE,
    NOWHERE,
    ORDER,
    OVER,
    PILE_PLACE,
    PLACE,
    PLACE_1,
    RESIGN,
    RETURN,
    RETURN_1,
    RETURN_3,
    ROUND_BEGUN,
    SETUP,
    SHAMAN_APPOINTED,
    SHAMAN_KEPT,
    SHAMAN_NEXT,
    SUPPLY_PLACE,
    TABLE_CARDS,
    TAKE_NATIVE,
    TAKE_TREASURE,
    TIDE,
    TREASURE_MOVED,
)
from atoll.games.costa_ruana.view import insert_card, resample, view

__all__ = [
    "ACTIONS",
    "DEALT",
    "MAX_EVENTS",
    "MAX_LEGAL",
    "check",
    "legal_actions",
    "max_decisions",
    "play",
    "points_range",
    "resample",
    "result",
    "start",
    "view",
]

MAX_LEGAL = 72
"""Taking any player's native from any island is the widest choice."""

MAX_EVENTS = 256
"""The last piece of a round: its card, then the whole collection, the discarding and the drawing."""


# Setup


@compiled
def start(state, parts, players, generator):
    """The position in which the first native is placed (CR-6 to CR-8); `generator` is copied, not changed."""
    clear_record(state)
    state.players = players
    state.seat = REFEREE
    state.round_number = 1
    state.islands = parts.islands[players]
    for i in range(state.islands):
        state.treasures[i] = parts.treasures[players, i]  # CR-6
    for seat in range(players):
        state.supply[seat] = parts.natives  # CR-5
    set_generator(state.generator, generator)
    state.tide = HIGH_TIDE + draw_below(state.generator, 2)  # CR-7
    state.time = DAY + draw_below(state.generator, 2)
    state.shaman = draw_below(state.generator, players)
    clear_table(state)
    deal(state, parts)
    state.resolver = 0
    state.applying_to = NOWHERE
    state.taken_from = NOWHERE
    state.taken_owner = NOWHERE
    go_round(state, SETUP)


@compiled
def deal(state, parts):
    """Shuffle the deck for this number of players and deal the hands (CR-3, CR-7)."""
    players = int(state.players)
    count = int(parts.deck_count[players])
    for i in range(count):
        state.pile[i] = parts.deck[players, i]
    for i in range(count, MAX_DECK):
        state.pile[i] = UNKNOWN
    shuffle(state.pile, count, state.generator)
    state.pile_count = count
    for i in range(MAX_DECK):
        state.discarded[i] = UNKNOWN
    for seat in range(MAX_PLAYERS):
        for i in range(MAX_HAND):
            state.hand[seat, i] = UNKNOWN
    for seat in range(players):
        for _ in range(parts.hand):
            draw_card(state, seat)


@compiled
def clear_table(state):
    """No cards on the table."""
    state.table_count = 0
    state.card = NOWHERE
    state.applied = 0
    for k in range(TABLE_CARDS):
        state.table_card[k] = UNKNOWN
        state.table_player[k] = NOWHERE
        state.table_front[k] = NOWHERE
        state.table_up[k] = 0
        state.table_natives[k] = 0
        state.table_resolved[k] = 0


@compiled
def go_round(state, phase):
    """Begin a phase that goes round the table from the Shaman clockwise."""
    state.phase = phase
    state.turns = 0
    state.to_act = 1 << int(state.shaman)


@compiled
def pass_turn(state, turns):
    """On to the next player clockwise; True when the phase has taken all its `turns`."""
    state.turns += 1
    seat = (int(state.shaman) + int(state.turns)) % int(state.players)
    state.to_act = 1 << seat
    return state.turns == turns


@compiled
def islands_with_room(state, parts, first_code, but_not, out):
    """Moves onto every island that has room (CR-5), except one."""
    count = 0
    for i in range(state.islands):
        if state.crowd[i] < parts.island_capacity and i != but_not:
            out[count] = first_code + i
            count += 1
    return count


@compiled
def place_first_native(state, parts, seat, island, events):
    """The setup's placing, one native at a time (CR-8)."""
    move_from_supply(state, seat, island, events)
    if pass_turn(state, int(state.players) * int(parts.first_natives)):
        go_round(state, FACE_UP)


@compiled
def move_from_supply(state, seat, island, events):
    """A native goes from its owner's supply to an island."""
    state.supply[seat] -= 1
    state.natives[island, seat] += 1
    state.crowd[island] += 1
    emit(events, NATIVE_MOVED, seat, seat, SUPPLY_PLACE + seat, ISLAND_PLACE + island, 0)


@compiled
def move_to_supply(state, mover, owner, island, events):
    """A native goes from an island back to its owner's supply."""
    state.supply[owner] += 1
    state.natives[island, owner] -= 1
    state.crowd[island] -= 1
    emit(events, NATIVE_MOVED, mover, owner, ISLAND_PLACE + island, SUPPLY_PLACE + owner, 0)


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
                out[count] = encode_play(card, front)
                count += 1
        last = card
    return count


@compiled
def play_card(state, seat, card, front, events):
    """Lay a card face up (CR-9) or face down (CR-10) in front of a player."""
    face_up = 1 if state.phase == FACE_UP else 0
    take_from_hand(state, seat, card)
    k = int(state.table_count)
    state.table_card[k] = card
    state.table_player[k] = seat
    state.table_front[k] = front
    state.table_up[k] = face_up
    state.table_count = k + 1
    emit(events, CARD_PLAYED, seat, card, HAND_PLACE + seat, CARD_PLACE + k, face_up)
    if pass_turn(state, int(state.players)):
        if face_up == 1:
            go_round(state, FACE_DOWN)
        else:
            go_round(state, NATIVE)


@compiled
def take_from_hand(state, seat, card):
    """Take one such card out of the hand, which stays sorted."""
    last = int(state.hand_count[seat]) - 1
    i = 0
    while state.hand[seat, i] != card:
        i += 1
    while i < last:
        state.hand[seat, i] = state.hand[seat, i + 1]
        i += 1
    state.hand[seat, last] = UNKNOWN
    state.hand_count[seat] = last


@compiled
def cards_for_native(state, seat, out):
    """Any card on the table, or none; with an empty supply none alone (CR-11)."""
    count = 0
    if state.supply[seat] > 0:
        for k in range(state.table_count):
            out[count] = PUT_NATIVE_ON_CARD + k
            count += 1
    out[count] = KEEP_NATIVE
    return count + 1


@compiled
def place_native_on_card(state, seat, action, events):
    """Put a native on a card, or keep it (CR-11)."""
    if action == KEEP_NATIVE:
        emit(events, NATIVE_KEPT, seat, UNKNOWN, NO_PLACE, NO_PLACE, 0)
    else:
        k = action - PUT_NATIVE_ON_CARD
        state.supply[seat] -= 1
        state.table_natives[k] |= 1 << seat
        emit(events, NATIVE_MOVED, seat, seat, SUPPLY_PLACE + seat, CARD_PLACE + k, 0)
    if pass_turn(state, int(state.players)):
        state.phase = CONDITION
        state.turns = 0
        state.to_act = 1 << int(state.shaman)


# The Shaman turns over a condition card


@compiled
def conditions_to_turn(out):
    """Either condition card, and no way round it (CR-12)."""
    out[0] = TURN_CONDITION
    out[1] = TURN_CONDITION + 1
    return 2


@compiled
def turn_condition(state, seat, condition, events):
    """Show the other face of a condition card (CR-12)."""
    if condition == TIDE:
        old = int(state.tide)
        new = HIGH_TIDE + LOW_TIDE - old
        state.tide = new
    else:
        old = int(state.time)
        new = DAY + NIGHT - old
        state.time = new
    emit(events, CONDITION_TURNED, seat, condition, old, new, 0)
    reveal(state, events)


# Reveal the cards


@compiled
def reveal(state, events):
    """Turn the hidden cards up; inactive ones are done with, and their natives go home (CR-13)."""
    for k in range(state.table_count):
        if state.table_up[k] == 0:
            state.table_up[k] = 1
            emit(
                events, CARD_REVEALED, state.table_front[k], state.table_card[k], CARD_PLACE + k, NO_PLACE, 0
            )
    for k in range(state.table_count):
        background = state.table_card[k] & 3
        if background != state.tide and background != state.time:  # CR-2
            emit(
                events, CARD_INACTIVE, state.table_front[k], state.table_card[k], CARD_PLACE + k, NO_PLACE, 0
            )
            send_natives_home(state, k, events)
            state.table_resolved[k] = 1
    state.resolver = 0
    state.card = NOWHERE


@compiled
def send_natives_home(state, k, events):
    """The natives on a card go back to their owners' supplies."""
    owners = int(state.table_natives[k])
    state.table_natives[k] = 0
    for seat in range(state.players):
        if owners >> seat & 1:
            state.supply[seat] += 1
            emit(events, NATIVE_MOVED, UNKNOWN, seat, CARD_PLACE + k, SUPPLY_PLACE + seat, 0)


# Resolve the cards


@compiled
def step_of(card):
    """A card's place in the order of resolving; Return 1 to 3 are one step, and so are Place 1 to 3 (CR-14)."""
    kind = card >> 2
    if kind == MOVE_TREASURE:
        return 0
    if kind <= RETURN_3:
        return 1
    if kind < MOVE_NATIVE:
        return 2
    return 3


@compiled
def resolve(state, parts, events):
    """Carry on with the cards until somebody has to decide, or the round is over (CR-14)."""
    while True:
        if state.card != NOWHERE:
            if apply_next(state, parts, events):
                return
            finish_card(state, events)
        if state.resolver == state.players:
            end_round(state, parts, events)
            return
        front = (int(state.shaman) + int(state.resolver)) % int(state.players)
        first, choice = next_cards(state, front)
        if first == NOWHERE:
            state.resolver += 1
        elif choice:
            state.phase = ORDER
            state.to_act = 1 << front
            return
        else:
            begin_card(state, first, events)


@compiled
def next_cards(state, front):
    """The first played of the cards that resolve next in front of a player, and whether there is a choice.

    There is none among cards of the same kind with the same owners' natives on them (CR-14).
    """
    first = NOWHERE
    choice = False
    for k in range(state.table_count):
        if state.table_front[k] == front and state.table_resolved[k] == 0:
            card = int(state.table_card[k])
            if first == NOWHERE or step_of(card) < step_of(int(state.table_card[first])):
                first = k
                choice = False
            elif step_of(card) == step_of(int(state.table_card[first])) and (
                card >> 2 != int(state.table_card[first]) >> 2
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
            out[count] = RESOLVE_CARD + k
            count += 1
    return count


@compiled
def begin_card(state, k, events):
    """Start with a card's effect."""
    state.card = k
    state.applied = 0
    emit(events, CARD_BEGUN, state.table_front[k], state.table_card[k], CARD_PLACE + k, NO_PLACE, 0)


@compiled
def finish_card(state, events):
    """The card is done with, and the natives on it go home (CR-15)."""
    k = int(state.card)
    emit(events, CARD_DONE, state.table_front[k], state.table_card[k], CARD_PLACE + k, NO_PLACE, 0)
    send_natives_home(state, k, events)
    state.table_resolved[k] = 1
    state.card = NOWHERE
    state.applied = 0


@compiled
def apply_next(state, parts, events):
    """Apply the card to the next player who can do something; False when all have had it (CR-15).

    First the player it lies in front of, then for each native on it its owner, from that player clockwise.
    """
    k = int(state.card)
    front = int(state.table_front[k])
    players = int(state.players)
    while state.applied <= players:
        turn = int(state.applied)
        state.applied += 1
        if turn == 0:
            if apply_card(state, parts, front, events):
                return True
        else:
            seat = (front + turn - 1) % players
            if int(state.table_natives[k]) >> seat & 1 and apply_card(state, parts, seat, events):
                return True
    return False


@compiled
def apply_card(state, parts, seat, events):
    """Begin the effect for one player, as far as the rules allow; False if nothing can be done (CR-16)."""
    k = int(state.card)
    card = int(state.table_card[k])
    kind = card >> 2
    if kind == MOVE_TREASURE:
        phase = TAKE_TREASURE
        pieces = 1 if can_move_treasure(state) else 0
    elif kind <= RETURN_3:
        phase = RETURN
        pieces = min(kind - RETURN_1 + 1, natives_on_islands(state, seat))
    elif kind < MOVE_NATIVE:
        phase = PLACE
        pieces = min(kind - PLACE_1 + 1, int(state.supply[seat]), room_on_islands(state, parts))
    else:
        phase = TAKE_NATIVE
        pieces = 1 if can_move_native(state, parts) else 0
    emit(events, CARD_APPLIED, seat, card, CARD_PLACE + k, NO_PLACE, pieces)
    if pieces == 0:
        return False
    state.phase = phase
    state.to_act = 1 << seat
    state.applying_to = seat
    state.pieces_left = pieces
    return True


@compiled
def finish_piece(state, parts, events):
    """One piece of an effect is moved; on with the next, or with the cards."""
    state.pieces_left -= 1
    if state.pieces_left == 0:
        state.applying_to = NOWHERE
        resolve(state, parts, events)


# Move a treasure


@compiled
def can_move_treasure(state):
    """Whether there is a treasure, and another island for it (CR-16)."""
    if state.islands < 2:
        return False
    for i in range(state.islands):
        if state.treasures[i] > 0:
            return True
    return False


@compiled
def treasures_to_take(state, out):
    """A treasure from any island that has one (CR-16)."""
    count = 0
    for i in range(state.islands):
        if state.treasures[i] > 0:
            out[count] = TAKE_TREASURE_FROM + i
            count += 1
    return count


@compiled
def take_treasure(state, seat, island, events):
    """Lift a treasure."""
    state.treasures[island] -= 1
    state.taken_from = island
    state.phase = DROP_TREASURE
    emit(events, TREASURE_MOVED, seat, UNKNOWN, ISLAND_PLACE + island, HELD_PLACE, 0)


@compiled
def islands_for_treasure(state, out):
    """Any other island (CR-16)."""
    count = 0
    for i in range(state.islands):
        if i != state.taken_from:
            out[count] = DROP_TREASURE_ON + i
            count += 1
    return count


@compiled
def drop_treasure(state, parts, seat, island, events):
    """Put the treasure down."""
    state.treasures[island] += 1
    state.taken_from = NOWHERE
    emit(events, TREASURE_MOVED, seat, UNKNOWN, HELD_PLACE, ISLAND_PLACE + island, 0)
    finish_piece(state, parts, events)


# Return natives


@compiled
def natives_on_islands(state, seat):
    """How many natives a player has on islands."""
    count = 0
    for i in range(state.islands):
        count += int(state.natives[i, seat])
    return count


@compiled
def natives_to_return(state, seat, out):
    """One of one's own natives from any island (CR-16)."""
    count = 0
    for i in range(state.islands):
        if state.natives[i, seat] > 0:
            out[count] = RETURN_NATIVE_FROM + i
            count += 1
    return count


@compiled
def return_native(state, parts, seat, island, events):
    """Take one of one's own natives back."""
    move_to_supply(state, seat, seat, island, events)
    finish_piece(state, parts, events)


# Place natives


@compiled
def room_on_islands(state, parts):
    """How many more natives the islands hold (CR-5)."""
    room = 0
    for i in range(state.islands):
        room += int(parts.island_capacity) - int(state.crowd[i])
    return room


@compiled
def place_native(state, parts, seat, island, events):
    """Place one native from the supply (CR-16)."""
    move_from_supply(state, seat, island, events)
    finish_piece(state, parts, events)


# Move a native


@compiled
def open_islands(state, parts):
    """How many islands have room (CR-5)."""
    count = 0
    for i in range(state.islands):
        if state.crowd[i] < parts.island_capacity:
            count += 1
    return count


@compiled
def can_leave(state, parts, island, open_count):
    """Whether a native of this island has another island to go to (CR-16)."""
    if state.crowd[island] == 0:
        return False
    if state.crowd[island] < parts.island_capacity:
        return open_count > 1
    return open_count > 0


@compiled
def can_move_native(state, parts):
    """Whether any native of any player can move (CR-16)."""
    open_count = open_islands(state, parts)
    for i in range(state.islands):
        if can_leave(state, parts, i, open_count):
            return True
    return False


@compiled
def natives_to_take(state, parts, out):
    """One native of any player from any island (CR-16)."""
    open_count = open_islands(state, parts)
    count = 0
    for i in range(state.islands):
        if can_leave(state, parts, i, open_count):
            for owner in range(state.players):
                if state.natives[i, owner] > 0:
                    out[count] = encode_take_native(i, owner)
                    count += 1
    return count


@compiled
def take_native(state, seat, island, owner, events):
    """Lift a native."""
    state.natives[island, owner] -= 1
    state.crowd[island] -= 1
    state.taken_from = island
    state.taken_owner = owner
    state.phase = DROP_NATIVE
    emit(events, NATIVE_MOVED, seat, owner, ISLAND_PLACE + island, HELD_PLACE, 0)


@compiled
def drop_native(state, parts, seat, island, events):
    """Put the native down."""
    owner = int(state.taken_owner)
    state.natives[island, owner] += 1
    state.crowd[island] += 1
    state.taken_from = NOWHERE
    state.taken_owner = NOWHERE
    emit(events, NATIVE_MOVED, seat, owner, HELD_PLACE, ISLAND_PLACE + island, 0)
    finish_piece(state, parts, events)


# Collect treasures from the islands


@compiled
def collect_treasures(state, events):
    """On each island the most natives that no other player equals take a treasure (CR-17)."""
    for island in range(state.islands):
        if state.treasures[island] > 0 and state.crowd[island] > 0:
            collect_from(state, island, events)


@compiled
def collect_from(state, island, events):
    """Who has the most natives alone takes a treasure (CR-17)."""
    collector, arguing = collection(state, island, NOWHERE, 0)
    if arguing != 0:
        emit(events, ARGUED, UNKNOWN, arguing, ISLAND_PLACE + island, NO_PLACE, 0)
    if collector != NOWHERE:
        emit(events, COLLECTED, collector, UNKNOWN, ISLAND_PLACE + island, NO_PLACE, 0)
        state.treasures[island] -= 1
        state.hut[collector] += 1  # CR-19
        state.collected[collector] += 1
        emit(events, TREASURE_MOVED, UNKNOWN, UNKNOWN, ISLAND_PLACE + island, HUT_PLACE + collector, 0)
        move_to_supply(state, UNKNOWN, collector, island, events)


# Preparation for the next round


@compiled
def end_round(state, parts, events):
    """Collect, discard, and prepare the next round, in this order (CR-20)."""
    collect_treasures(state, events)
    discard_table(state, events)
    state.resolver = 0
    if state.round_number == parts.rounds:
        forget_collection(state)
        state.phase = OVER
        state.to_act = 0
        emit(events, GAME_OVER, UNKNOWN, UNKNOWN, NO_PLACE, NO_PLACE, 0)
        return
    state.shaman = next_shaman(state)
    emit(events, SHAMAN_NEXT, state.shaman, UNKNOWN, NO_PLACE, NO_PLACE, int(state.collected[state.shaman]))
    forget_collection(state)
    draw_cards(state, parts, events)
    state.round_number += 1
    emit(events, ROUND_BEGUN, UNKNOWN, UNKNOWN, NO_PLACE, NO_PLACE, state.round_number)
    state.phase = RESIGN
    state.to_act = 1 << int(state.shaman)


@compiled
def discard_table(state, events):
    """The round's cards go to the discard pile in the order in which they were played (CR-20)."""
    for k in range(state.table_count):
        card = int(state.table_card[k])
        state.discarded[state.discard_count] = card
        state.discard_count += 1
        emit(events, CARD_DISCARDED, UNKNOWN, card, CARD_PLACE + k, DISCARD_PLACE, 0)
    clear_table(state)


@compiled
def forget_collection(state):
    """What was collected in this round counts for the next Shaman alone (CR-18)."""
    for seat in range(state.players):
        state.collected[seat] = 0


@compiled
def next_shaman(state):
    """Who collected the fewest treasures; of several, the nearest to the old Shaman clockwise (CR-18)."""
    players = int(state.players)
    chosen = NOWHERE
    for i in range(1, players + 1):
        seat = (int(state.shaman) + i) % players
        if chosen == NOWHERE or state.collected[seat] < state.collected[chosen]:
            chosen = seat
    return chosen


@compiled
def draw_cards(state, parts, events):
    """From the new Shaman clockwise, each player draws all theirs at once (CR-20)."""
    players = int(state.players)
    for i in range(players):
        seat = (int(state.shaman) + i) % players
        tell_draw(state, seat, int(parts.draws[state.round_number]), events)
        for _ in range(parts.draws[state.round_number]):
            draw_card(state, seat)


@compiled
def tell_draw(state, seat, count, events):
    """Tell which cards a player is about to draw, without their order in the pile: they come all at once (CR-20)."""
    top = int(state.pile_count) - 1
    if events.shape[0] > 0:
        for card in range(CARD_TYPES):
            for i in range(count):
                if state.pile[top - i] == card:
                    emit(events, CARD_DRAWN, seat, card, PILE_PLACE, HAND_PLACE + seat, 0)


@compiled
def draw_card(state, seat):
    """The pile's top card goes into the hand, which stays sorted."""
    top = int(state.pile_count) - 1
    insert_card(state, seat, int(state.hand_count[seat]), int(state.pile[top]))
    state.hand_count[seat] += 1
    state.pile[top] = UNKNOWN
    state.pile_count = top


@compiled
def shamans_to_appoint(state, out):
    """Oneself or any other player (CR-21)."""
    for seat in range(state.players):
        out[seat] = APPOINT_SHAMAN + seat
    return int(state.players)


@compiled
def appoint_shaman(state, seat, appointed, events):
    """Keep the role for this round or hand it on, once (CR-21)."""
    if appointed == seat:
        emit(events, SHAMAN_KEPT, seat, UNKNOWN, NO_PLACE, NO_PLACE, 0)
    else:
        emit(events, SHAMAN_APPOINTED, seat, appointed, NO_PLACE, NO_PLACE, 0)
    state.shaman = appointed
    go_round(state, FACE_UP)


# End of the game


@compiled
def result(state, parts, points):
    """Write each seat's points (CR-22); returns the bit set of the winners, 0 while the game runs."""
    best = -1
    winners = 0
    for seat in range(state.players):
        hut = int(state.hut[seat])
        points[seat] = hut * int(parts.treasure_points) + int(state.supply[seat]) * int(parts.native_points)
        rank = int(points[seat]) * 128 + hut  # treasures break ties; they number fewer than 128
        if rank > best:
            best = rank
            winners = 1 << seat
        elif rank == best:
            winners |= 1 << seat
    if state.phase != OVER:
        return 0
    return winners


# The contract


@compiled
def legal_actions(state, parts, seat, out):
    """Write the codes of the legal moves of `seat`, ascending, and return how many there are.

    `out` is int32 of shape (MAX_LEGAL,). A seat that has nothing to decide has none.
    """
    if not int(state.to_act) >> seat & 1:
        return 0
    phase = state.phase
    if phase == SETUP or phase == PLACE:
        return islands_with_room(state, parts, PLACE_NATIVE_ON, NOWHERE, out)
    if phase == FACE_UP or phase == FACE_DOWN:
        return cards_to_play(state, seat, out)
    if phase == NATIVE:
        return cards_for_native(state, seat, out)
    if phase == CONDITION:
        return conditions_to_turn(out)
    if phase == ORDER:
        return cards_to_resolve(state, seat, out)
    if phase == TAKE_TREASURE:
        return treasures_to_take(state, out)
    if phase == DROP_TREASURE:
        return islands_for_treasure(state, out)
    if phase == RETURN:
        return natives_to_return(state, seat, out)
    if phase == TAKE_NATIVE:
        return natives_to_take(state, parts, out)
    if phase == DROP_NATIVE:
        return islands_with_room(state, parts, DROP_NATIVE_ON, state.taken_from, out)
    return shamans_to_appoint(state, out)


@compiled
def play(state, parts, seat, action, events):
    """Carry out a legal move of `seat` and all that follows without a decision; trusts its caller."""
    phase = state.phase
    if phase == SETUP:
        place_first_native(state, parts, seat, action - PLACE_NATIVE_ON, events)
    elif phase == FACE_UP or phase == FACE_DOWN:
        card, front = decode_play(action)
        play_card(state, seat, card, front, events)
    elif phase == NATIVE:
        place_native_on_card(state, seat, action, events)
    elif phase == CONDITION:
        turn_condition(state, seat, action - TURN_CONDITION, events)
        resolve(state, parts, events)
    elif phase == ORDER:
        begin_card(state, action - RESOLVE_CARD, events)
        resolve(state, parts, events)
    elif phase == TAKE_TREASURE:
        take_treasure(state, seat, action - TAKE_TREASURE_FROM, events)
    elif phase == DROP_TREASURE:
        drop_treasure(state, parts, seat, action - DROP_TREASURE_ON, events)
    elif phase == RETURN:
        return_native(state, parts, seat, action - RETURN_NATIVE_FROM, events)
    elif phase == PLACE:
        place_native(state, parts, seat, action - PLACE_NATIVE_ON, events)
    elif phase == TAKE_NATIVE:
        island, owner = decode_take_native(action)
        take_native(state, seat, island, owner, events)
    elif phase == DROP_NATIVE:
        drop_native(state, parts, seat, action - DROP_NATIVE_ON, events)
    elif phase == RESIGN:
        appoint_shaman(state, seat, action - APPOINT_SHAMAN, events)


def max_decisions(components: Components, players: int) -> int:
    """Declared bound of a game's length, in decisions.

    In a round each player plays two cards and a native, 2n cards and n natives give at most 3n effects of at most
    3 decisions, and at most 2n questions of order; the Shaman turns a condition, and may resign.
    """
    parts = components.parts[0]
    return players * int(parts.first_natives) + int(parts.rounds) * (14 * players + 2)


def points_range(components: Components, players: int) -> tuple[int, int]:
    """Declared bounds of a seat's points: nothing at all, or every treasure and all natives at home."""
    parts = components.parts[0]
    most = int(parts.treasures[players].sum()) * int(parts.treasure_points)
    return 0, most + int(parts.natives) * int(parts.native_points)

"""What holds in every position: no piece and no card is lost or made, and everything agrees with round and phase."""

from typing import Any

from atoll.core.game import Components
from atoll.core.invariants import plain, require
from atoll.games.costa_ruana import state as cr

DEALT = ("generator", "tide", "time", "shaman", "to_act", "hand", "pile")
"""The fields that chance decides before the first decision; who is the Shaman acts first."""

FREE = (
    *("generator", "phase", "tide", "time", "shaman", "table_front"),
    *("table_resolved", "card", "applied", "pieces_left", "taken_from"),
)
"""The fields of which another value can be right while all others stay."""

_KINDS = {
    cr.TAKE_TREASURE: (cr.MOVE_TREASURE, cr.MOVE_TREASURE),
    cr.DROP_TREASURE: (cr.MOVE_TREASURE, cr.MOVE_TREASURE),
    cr.RETURN: (cr.RETURN_1, cr.RETURN_3),
    cr.PLACE: (cr.PLACE_1, cr.PLACE_3),
    cr.TAKE_NATIVE: (cr.MOVE_NATIVE, cr.MOVE_NATIVE),
    cr.DROP_NATIVE: (cr.MOVE_NATIVE, cr.MOVE_NATIVE),
}
"""The first and the last kind of card that is resolved in each phase of a resolution but ORDER."""

_RESOLVING = (cr.ORDER, *_KINDS)


def check(state: cr.CostaRuanaState, components: Components) -> None:
    """Raise AssertionError, naming it, if something does not hold that holds in every game."""
    check_pieces(state, components)
    found, parts = plain(state), plain(components.parts[0])
    check_round(found, parts)
    check_turn(found, parts)
    check_table(found)
    check_resolution(found, parts)


# Nothing is lost or made


def check_pieces(state: cr.CostaRuanaState, components: Components) -> None:
    """Raise AssertionError if pieces were lost or made, or a limit is broken."""
    found, parts = plain(state), plain(components.parts[0])
    require(found.islands == parts.islands[found.players], "the number of islands")
    check_natives(found, parts)
    check_treasures(found, parts)
    require((found.to_act == 0) == (found.phase == cr.OVER), "somebody has to decide until the end")


def check_natives(state: Any, parts: Any) -> None:
    """Every native is in a supply, on an island, on a card, or held (CR-5)."""
    for seat in range(state.players):
        on_cards = sum(owners >> seat & 1 for owners in state.table_natives)
        natives = state.supply[seat] + natives_of(state, seat) + on_cards + (state.taken_owner == seat)
        require(natives == parts.natives, f"the natives of seat {seat}")
    for island, natives in enumerate(state.natives):
        require(state.crowd[island] == sum(natives), f"the crowd on island {island}")
        require(state.crowd[island] <= parts.island_capacity, f"the capacity of island {island}")


def natives_of(state: Any, seat: int) -> int:
    """The natives of a seat on the islands."""
    return sum(natives[seat] for natives in state.natives)


def check_treasures(state: Any, parts: Any) -> None:
    """Every treasure is on an island, behind a hut, or held (CR-6)."""
    held = state.taken_from != cr.NOWHERE and state.taken_owner == cr.NOWHERE
    treasures = sum(state.treasures) + sum(state.hut) + held
    require(treasures == sum(parts.treasures[state.players]), "treasures")
    require(not any(state.collected), "nothing collected outside a collection")


# Round and turn


def check_round(state: Any, parts: Any) -> None:
    """Everybody has drawn and played what the rounds so far ask for (CR-7 to CR-10, CR-20)."""
    number, players = state.round_number, state.players
    require(number <= parts.rounds, f"at most {parts.rounds} rounds")
    require(state.phase != cr.OVER or number == parts.rounds, f"a game of {parts.rounds} rounds")
    require(state.phase != cr.SETUP or number == 1, "a setup in the first round alone")
    require(state.phase != cr.RESIGN or number > 1, "no Shaman resigns in the first round")
    done = number - (state.phase != cr.OVER)
    drawn = parts.hand + sum(parts.draws[1:number])
    require(
        state.pile_count == parts.deck_count[players] - players * drawn, "the number of cards in the pile"
    )
    require(state.discard_count == 2 * players * done, "the number of cards discarded")
    for seat in range(players):
        hand = drawn - 2 * done - played_now(state, seat)
        require(state.hand_count[seat] == hand, f"the number of cards in the hand of seat {seat}")
    require(sum(state.hut) <= state.islands * done, "at most one treasure of an island in each round")
    if number == 1 and state.phase <= cr.CONDITION:
        check_setup(state, parts)


def played_now(state: Any, seat: int) -> int:
    """How many cards the seat has played in this round (CR-9, CR-10)."""
    has_had_turn = turn_of(state, seat) < state.turns
    if state.phase == cr.FACE_UP:
        return int(has_had_turn)
    if state.phase == cr.FACE_DOWN:
        return 1 + int(has_had_turn)
    return 0 if state.phase in (cr.SETUP, cr.RESIGN, cr.OVER) else 2


def turn_of(state: Any, seat: int) -> int:
    """How many sit between the Shaman and the seat, clockwise, the Shaman included."""
    return int((seat - state.shaman) % state.players)


def check_setup(state: Any, parts: Any) -> None:
    """Natives go to islands in turn, and nothing else moves before the first cards are revealed (CR-6, CR-8)."""
    require(state.treasures == parts.treasures[state.players], "the treasures of the start")
    for seat in range(state.players):
        placed = parts.first_natives
        if state.phase == cr.SETUP:
            placed = (state.turns - turn_of(state, seat) + state.players - 1) // state.players
        require(natives_of(state, seat) == placed, f"the natives that seat {seat} has placed")


def check_turn(state: Any, parts: Any) -> None:
    """It is the Shaman's turn, or that of who comes next clockwise."""
    players = state.players
    require(state.shaman < players, "a Shaman who plays")
    turns = {cr.SETUP: players * parts.first_natives}
    turns |= dict.fromkeys((cr.FACE_UP, cr.FACE_DOWN, cr.NATIVE), players)
    require(state.turns < turns.get(state.phase, 1), "the number of turns taken")
    if state.phase not in (*_RESOLVING, cr.OVER):
        whose = (state.shaman + state.turns) % players
        require(state.to_act == 1 << whose, f"it is the turn of seat {whose}")


# The table


def check_table(state: Any) -> None:
    """The cards on the table are those that were played in turn in this round, natives on them last (CR-9 to CR-11)."""
    players = state.players
    counts = {cr.FACE_UP: state.turns, cr.FACE_DOWN: players + state.turns}
    counts |= dict.fromkeys((cr.SETUP, cr.RESIGN, cr.OVER), 0)
    require(state.table_count == counts.get(state.phase, 2 * players), "the number of cards on the table")
    owners = 0
    for k in range(state.table_count):
        require(state.table_player[k] == (state.shaman + k) % players, f"who played card {k} of the table")
        require(0 <= state.table_front[k] < players, f"in front of whom card {k} of the table lies")
        up = k < players or state.phase in _RESOLVING
        require(state.table_up[k] == up, f"the face of card {k} of the table")
        require(not owners & state.table_natives[k], "at most one native of each player on the cards")
        require(
            not state.table_resolved[k] or state.phase in _RESOLVING,
            "no card resolves before all are revealed",
        )
        owners |= state.table_natives[k]
    had_turn = [
        seat for seat in range(players) if state.phase != cr.NATIVE or turn_of(state, seat) < state.turns
    ]
    may_own = sum(1 << seat for seat in had_turn) if state.phase not in (cr.FACE_UP, cr.FACE_DOWN) else 0
    require(owners | may_own == may_own, "natives on cards of who had a turn to put one there")


def check_resolution(state: Any, parts: Any) -> None:
    """The cards resolve in front of one player after another, those that are not active never (CR-13 to CR-16)."""
    if state.phase not in _RESOLVING:
        for name in ("resolver", "applied", "pieces_left"):
            require(getattr(state, name) == 0, f"{name} outside a resolution")
        for name in ("card", "applying_to", "taken_from", "taken_owner"):
            require(getattr(state, name) == cr.NOWHERE, f"{name} outside a resolution")
        return
    require(state.resolver < state.players, "whose cards are being resolved")
    front = (state.shaman + state.resolver) % state.players
    left = [k for k in range(state.table_count) if not state.table_resolved[k]]
    for k in range(state.table_count):
        active = state.table_card[k] & 3 in (state.tide, state.time)
        turn = turn_of(state, state.table_front[k])
        require(k not in left or (active and turn >= state.resolver), f"card {k} of the table is done with")
        require(k in left or not active or turn <= state.resolver, f"card {k} of the table comes later")
        require(k in left or not state.table_natives[k], "no natives on cards that are done with")
    if state.phase == cr.ORDER:
        check_order(state, front, left)
    else:
        check_effect(state, parts, front, left)


def check_order(state: Any, front: int, left: list[int]) -> None:
    """The player in front of whom they lie chooses among several cards (CR-14)."""
    require(state.card == cr.NOWHERE and state.applied == 0, "no card while one is chosen")
    require(state.applying_to == cr.NOWHERE and state.pieces_left == 0, "no effect while a card is chosen")
    require(
        state.taken_from == cr.NOWHERE and state.taken_owner == cr.NOWHERE,
        "no piece held while a card is chosen",
    )
    require(sum(state.table_front[k] == front for k in left) > 1, "several cards to choose from")
    require(state.to_act == 1 << front, f"it is the turn of seat {front}")


def check_effect(state: Any, parts: Any, front: int, left: list[int]) -> None:
    """The card being resolved is applied to a player who can do what is left of it (CR-15, CR-16)."""
    phase, k, seat = state.phase, state.card, state.applying_to
    require(k in left and state.table_front[k] == front, "the card being resolved")
    kind = state.table_card[k] >> 2
    first, last = _KINDS[phase]
    require(first <= kind <= last, "the card whose effect this is")
    require(1 <= state.applied <= state.players + 1, "how often the card was applied")
    owner = (front + max(0, state.applied - 2)) % state.players
    require(seat == owner, "to whom the card is applied")
    require(
        state.applied == 1 or state.table_natives[k] >> seat & 1, "applied to who has a native on the card"
    )
    require(state.to_act == 1 << seat, f"it is the turn of seat {seat}")
    require(1 <= state.pieces_left <= kind - first + 1, "pieces left to move")
    open_islands = [i for i in range(state.islands) if state.crowd[i] < parts.island_capacity]
    require(phase in (cr.DROP_TREASURE, cr.DROP_NATIVE) or state.taken_from == cr.NOWHERE, "no piece held")
    require((state.taken_owner != cr.NOWHERE) == (phase == cr.DROP_NATIVE), "a native held while it is moved")
    if phase == cr.TAKE_TREASURE:
        require(any(state.treasures) and state.islands > 1, "a treasure to take")
    elif phase == cr.RETURN:
        require(natives_of(state, seat) >= state.pieces_left, "natives to return")
    elif phase == cr.PLACE:
        room = sum(parts.island_capacity - crowd for crowd in state.crowd[: state.islands])
        require(min(state.supply[seat], room) >= state.pieces_left, "natives to place, and room for them")
    elif phase == cr.TAKE_NATIVE:
        crowded = [i for i in range(state.islands) if state.crowd[i] and set(open_islands) - {i}]
        require(crowded, "a native to take")
    else:
        others = open_islands if phase == cr.DROP_NATIVE else list(range(state.islands))
        require(0 <= state.taken_from < state.islands, "where the piece held came from")
        require(set(others) - {state.taken_from}, "another island for the piece held")

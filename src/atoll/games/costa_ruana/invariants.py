"""What holds in every position: no piece and no card is lost or made, and everything agrees with round and phase."""

from typing import Any

from atoll.core.game import Components
from atoll.core.invariants import check_unused, plain, require
from atoll.games.costa_ruana.state import (
    CONDITION,
    DROP_NATIVE,
    DROP_TREASURE,
    FACE_DOWN,
    FACE_UP,
    MOVE_NATIVE,
    MOVE_TREASURE,
    NATIVE,
    NOWHERE,
    ORDER,
    OVER,
    PLACE,
    PLACE_1,
    PLACE_3,
    RESIGN,
    RETURN,
    RETURN_1,
    RETURN_3,
    SETUP,
    TAKE_NATIVE,
    TAKE_TREASURE,
    CostaRuanaState,
)

DEALT = ("generator", "tide", "time", "shaman", "to_act", "hand", "pile")
"""The fields that chance decides before the first decision; who is the Shaman acts first."""

FREE = (
    *("generator", "phase", "tide", "time", "shaman", "table_front"),
    *("table_resolved", "card", "applied", "pieces_left", "taken_from"),
)
"""The fields of which another value can be right while all others stay."""

_UNPLAYED = {"table_card": NOWHERE, "table_player": NOWHERE, "table_front": NOWHERE}

_KINDS = {
    TAKE_TREASURE: (MOVE_TREASURE, MOVE_TREASURE),
    DROP_TREASURE: (MOVE_TREASURE, MOVE_TREASURE),
    RETURN: (RETURN_1, RETURN_3),
    PLACE: (PLACE_1, PLACE_3),
    TAKE_NATIVE: (MOVE_NATIVE, MOVE_NATIVE),
    DROP_NATIVE: (MOVE_NATIVE, MOVE_NATIVE),
}
"""The first and the last kind of card that is resolved in each phase of a resolution but ORDER."""

_RESOLVING = (ORDER, *_KINDS)


def check(state: CostaRuanaState, components: Components) -> None:
    """Raise AssertionError, naming it, if something does not hold that holds in every game."""
    check_pieces(state, components)
    found, parts = plain(state), plain(components.parts[0])
    check_round(found, parts)
    check_turn(found, parts)
    check_table(found)
    check_resolution(found, parts)


# Nothing is lost or made


def check_pieces(state: CostaRuanaState, components: Components) -> None:
    """Raise AssertionError if pieces or cards were lost or made, a list is not sorted, or a limit is broken."""
    found, parts = plain(state), plain(components.parts[0])
    require(found.islands == parts.islands[found.players], "the number of islands")
    check_natives(found, parts)
    check_treasures(found, parts)
    check_cards(found, parts)
    require((found.to_act == 0) == (found.phase == OVER), "somebody has to decide until the end")


def check_natives(state: Any, parts: Any) -> None:
    """Every native is in a supply, on an island, on a card, or held (CR-5)."""
    players = state.players
    check_unused({"supply": state.supply, "hut": state.hut}, players)
    for seat in range(players):
        on_cards = sum(owners >> seat & 1 for owners in state.table_natives)
        natives = state.supply[seat] + natives_of(state, seat) + on_cards + (state.taken_owner == seat)
        require(natives == parts.natives, f"the natives of seat {seat}")
    for island, natives in enumerate(state.natives):
        check_unused({f"natives on island {island}": natives}, players)
        require(state.crowd[island] == sum(natives), f"the crowd on island {island}")
        require(state.crowd[island] <= parts.island_capacity, f"the capacity of island {island}")
    check_unused({"natives": state.natives}, state.islands)


def natives_of(state: Any, seat: int) -> int:
    """The natives of a seat on the islands."""
    return sum(natives[seat] for natives in state.natives)


def check_treasures(state: Any, parts: Any) -> None:
    """Every treasure is on an island, behind a hut, or held (CR-6)."""
    held = state.taken_from != NOWHERE and state.taken_owner == NOWHERE
    treasures = sum(state.treasures) + sum(state.hut) + held
    require(treasures == sum(parts.treasures[state.players]), "treasures")
    check_unused({"treasures": state.treasures}, state.islands)
    check_unused({"collected": state.collected}, 0)


def check_cards(state: Any, parts: Any) -> None:
    """The cards are those of the deck (CR-3); hands are sorted."""
    players, filler = state.players, NOWHERE
    cards = [*state.pile[: state.pile_count], *state.discarded[: state.discard_count]]
    check_unused({"pile": state.pile}, state.pile_count, {"pile": filler})
    check_unused({"discarded": state.discarded}, state.discard_count, {"discarded": filler})
    for seat, hand in enumerate(state.hand):
        count = state.hand_count[seat] if seat < players else 0
        require(count == state.hand_count[seat], "the hands of who plays alone")
        check_unused({"hand": hand}, count, {"hand": filler})
        require(hand[:count] == sorted(hand[:count]), f"a sorted hand of seat {seat}")
        cards += hand[:count]
    cards += state.table_card[: state.table_count]
    table = {name: value for name, value in vars(state).items() if name.startswith("table_")}
    del table["table_count"]
    check_unused(table, state.table_count, _UNPLAYED)
    require(
        sorted(cards) == sorted(parts.deck[players][: parts.deck_count[players]]), "the cards of the deck"
    )


# Round and turn


def check_round(state: Any, parts: Any) -> None:
    """Everybody has drawn and played what the rounds so far ask for (CR-7 to CR-10, CR-20)."""
    number, players = state.round_number, state.players
    require(number <= parts.rounds, f"at most {parts.rounds} rounds")
    require(state.phase != OVER or number == parts.rounds, f"a game of {parts.rounds} rounds")
    require(state.phase != SETUP or number == 1, "a setup in the first round alone")
    require(state.phase != RESIGN or number > 1, "no Shaman resigns in the first round")
    done = number - (state.phase != OVER)
    drawn = parts.hand + sum(parts.draws[1:number])
    require(
        state.pile_count == parts.deck_count[players] - players * drawn, "the number of cards in the pile"
    )
    require(state.discard_count == 2 * players * done, "the number of cards discarded")
    for seat in range(players):
        hand = drawn - 2 * done - played_now(state, seat)
        require(state.hand_count[seat] == hand, f"the number of cards in the hand of seat {seat}")
    require(sum(state.hut) <= state.islands * done, "at most one treasure of an island in each round")
    if number == 1 and state.phase <= CONDITION:
        check_setup(state, parts)


def played_now(state: Any, seat: int) -> int:
    """How many cards the seat has played in this round (CR-9, CR-10)."""
    has_had_turn = turn_of(state, seat) < state.turns
    if state.phase == FACE_UP:
        return int(has_had_turn)
    if state.phase == FACE_DOWN:
        return 1 + int(has_had_turn)
    return 0 if state.phase in (SETUP, RESIGN, OVER) else 2


def turn_of(state: Any, seat: int) -> int:
    """How many sit between the Shaman and the seat, clockwise, the Shaman included."""
    return int((seat - state.shaman) % state.players)


def check_setup(state: Any, parts: Any) -> None:
    """Natives go to islands in turn, and nothing else moves before the first cards are revealed (CR-6, CR-8)."""
    require(state.treasures == parts.treasures[state.players], "the treasures of the start")
    for seat in range(state.players):
        placed = parts.first_natives
        if state.phase == SETUP:
            placed = (state.turns - turn_of(state, seat) + state.players - 1) // state.players
        require(natives_of(state, seat) == placed, f"the natives that seat {seat} has placed")


def check_turn(state: Any, parts: Any) -> None:
    """It is the Shaman's turn, or that of who comes next clockwise."""
    players = state.players
    require(state.shaman < players, "a Shaman who plays")
    turns = {SETUP: players * parts.first_natives}
    turns |= dict.fromkeys((FACE_UP, FACE_DOWN, NATIVE), players)
    require(state.turns < turns.get(state.phase, 1), "the number of turns taken")
    if state.phase not in (*_RESOLVING, OVER):
        whose = (state.shaman + state.turns) % players
        require(state.to_act == 1 << whose, f"it is the turn of seat {whose}")


# The table


def check_table(state: Any) -> None:
    """The cards on the table are those that were played in turn in this round, natives on them last (CR-9 to CR-11)."""
    players = state.players
    counts = {FACE_UP: state.turns, FACE_DOWN: players + state.turns}
    counts |= dict.fromkeys((SETUP, RESIGN, OVER), 0)
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
        seat for seat in range(players) if state.phase != NATIVE or turn_of(state, seat) < state.turns
    ]
    may_own = sum(1 << seat for seat in had_turn) if state.phase not in (FACE_UP, FACE_DOWN) else 0
    require(owners | may_own == may_own, "natives on cards of who had a turn to put one there")


def check_resolution(state: Any, parts: Any) -> None:
    """The cards resolve in front of one player after another, those that are not active never (CR-13 to CR-16)."""
    if state.phase not in _RESOLVING:
        for name in ("resolver", "applied", "pieces_left"):
            require(getattr(state, name) == 0, f"{name} outside a resolution")
        for name in ("card", "applying_to", "taken_from", "taken_owner"):
            require(getattr(state, name) == NOWHERE, f"{name} outside a resolution")
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
    if state.phase == ORDER:
        check_order(state, front, left)
    else:
        check_effect(state, parts, front, left)


def check_order(state: Any, front: int, left: list[int]) -> None:
    """The player in front of whom they lie chooses among several cards (CR-14)."""
    require(state.card == NOWHERE and state.applied == 0, "no card while one is chosen")
    require(state.applying_to == NOWHERE and state.pieces_left == 0, "no effect while a card is chosen")
    require(
        state.taken_from == NOWHERE and state.taken_owner == NOWHERE, "no piece held while a card is chosen"
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
    require(phase in (DROP_TREASURE, DROP_NATIVE) or state.taken_from == NOWHERE, "no piece held")
    require((state.taken_owner != NOWHERE) == (phase == DROP_NATIVE), "a native held while it is moved")
    if phase == TAKE_TREASURE:
        require(any(state.treasures) and state.islands > 1, "a treasure to take")
    elif phase == RETURN:
        require(natives_of(state, seat) >= state.pieces_left, "natives to return")
    elif phase == PLACE:
        room = sum(parts.island_capacity - crowd for crowd in state.crowd[: state.islands])
        require(min(state.supply[seat], room) >= state.pieces_left, "natives to place, and room for them")
    elif phase == TAKE_NATIVE:
        crowded = [i for i in range(state.islands) if state.crowd[i] and set(open_islands) - {i}]
        require(crowded, "a native to take")
    else:
        others = open_islands if phase == DROP_NATIVE else list(range(state.islands))
        require(0 <= state.taken_from < state.islands, "where the piece held came from")
        require(set(others) - {state.taken_from}, "another island for the piece held")

"""What holds in every position: no piece and no card is lost or made, and everything agrees with round and phase."""

from collections.abc import Sequence
from typing import Any

from atoll.core.invariants import require
from atoll.core.state import seats_in
from atoll.core.types import Components, plain
from atoll.games.costa_ruana import state as cr

_EFFECT = ("card", "applied", "applying_to", "pieces_left", "taken_from", "taken_owner")
"""The fields in use while a card is resolved; at other times they are as at the start."""


def check(state: cr.CostaRuanaState, components: Components) -> None:
    """Raise AssertionError, naming it, if something does not hold that holds in every game."""
    check_pieces(state, components)
    fields, parts = plain(state), components.plain
    check_round(fields, parts)
    check_turn(fields, parts)
    check_table(fields)
    if fields.phase in cr.RESOLVING:
        check_resolution(fields, parts)
    else:
        check_no_effect(fields, ("resolver", *_EFFECT), "outside a resolution")


# Nothing is lost or made


def check_pieces(state: cr.CostaRuanaState, components: Components) -> None:
    """Raise AssertionError if pieces were lost or made: every native is in a supply, on an island, on a card, or held
    (CR-5), every treasure on an island, behind a hut, or held (CR-6).
    """
    fields, parts = plain(state), components.plain
    require(fields.islands == parts.islands[fields.players], "the number of islands")
    for seat in range(fields.players):
        on_cards = sum(owners >> seat & 1 for owners in fields.table_natives)
        natives = fields.supply[seat] + natives_of(fields, seat) + on_cards + (fields.taken_owner == seat)
        require(natives == parts.natives, f"the natives of seat {seat}")
    for island, natives in enumerate(fields.natives):
        require(fields.crowd[island] == sum(natives), f"the crowd on island {island}")
    is_held = fields.taken_from != cr.NOWHERE and fields.taken_owner == cr.NOWHERE
    treasures = sum(fields.treasures) + sum(fields.hut) + is_held
    require(treasures == sum(parts.treasures[fields.players]), "treasures")
    require(not any(fields.collected), "nothing collected outside a collection")
    require((fields.to_act == 0) == (fields.phase == cr.OVER), "somebody has to decide until the end")


def natives_of(state: Any, seat: int) -> int:
    """The natives of a seat on the islands."""
    return sum(natives[seat] for natives in state.natives)


# Round and turn


def check_round(state: Any, parts: Any) -> None:
    """Everybody has drawn and played what the rounds so far ask for (CR-7 to CR-10, CR-20)."""
    number, players = state.round_number, state.players
    require(state.phase != cr.OVER or number == parts.rounds, f"a game of {parts.rounds} rounds")
    require(state.phase != cr.SETUP or number == 1, "a setup in the first round alone")
    require(state.phase != cr.RESIGN or number > 1, "no Shaman resigns in the first round")
    done = number - (state.phase != cr.OVER)
    draws = parts.hand + sum(parts.draws[1:number])
    pile = parts.deck_count[players] - players * draws
    require(state.pile_count == pile, "the number of cards in the pile")
    require(state.discard_count == 2 * players * done, "the number of cards discarded")
    for seat in range(players):
        hand = draws - 2 * done - played_now(state, seat)
        require(state.hand_count[seat] == hand, f"the number of cards in the hand of seat {seat}")
    require(sum(state.hut) <= state.islands * done, "at most one treasure of an island in each round")
    if number == 1 and state.phase <= cr.CONDITION:
        check_setup(state, parts)


def played_now(state: Any, seat: int) -> int:
    """How many cards the seat has played in this round (CR-9, CR-10)."""
    if state.phase in (cr.FACE_UP, cr.FACE_DOWN):
        return int(state.phase == cr.FACE_DOWN) + has_had_turn(state, seat)
    return 0 if state.phase in (cr.SETUP, cr.RESIGN, cr.OVER) else 2


def turn_of(state: Any, seat: int) -> int:
    """How many sit between the Shaman and the seat, clockwise, the Shaman included."""
    return int((seat - state.shaman) % state.players)


def has_had_turn(state: Any, seat: int) -> bool:
    """Whether the seat has decided in this phase, in which each does once."""
    return turn_of(state, seat) < int(state.turns)


def check_setup(state: Any, parts: Any) -> None:
    """Natives go to islands in turn, and nothing else moves before the first cards are revealed (CR-6, CR-8)."""
    require(state.treasures == parts.treasures[state.players], "the treasures of the start")
    for seat in range(state.players):
        expected = parts.first_natives
        if state.phase == cr.SETUP:
            expected = (state.turns - turn_of(state, seat) + state.players - 1) // state.players
        require(natives_of(state, seat) == expected, f"the natives that seat {seat} has placed")


def check_turn(state: Any, parts: Any) -> None:
    """It is the Shaman's turn, or that of who comes next clockwise."""
    turns = dict.fromkeys((cr.FACE_UP, cr.FACE_DOWN, cr.NATIVE), state.players)
    turns[cr.SETUP] = state.players * parts.first_natives
    require(state.turns < turns.get(state.phase, 1), "the number of turns taken")
    if state.phase not in (*cr.RESOLVING, cr.OVER):
        require_turn(state, state.shaman + state.turns)


def require_turn(state: Any, seat: int) -> None:
    """Raise AssertionError unless it is the turn of a seat, counted beyond the last one as well."""
    whose = seat % state.players
    require(state.to_act == 1 << whose, f"it is the turn of seat {whose}")


# The table


def check_table(state: Any) -> None:
    """The cards on the table are those that were played in turn in this round, natives on them last (CR-9 to CR-11)."""
    players, resolving = state.players, state.phase in cr.RESOLVING
    cards = sum(played_now(state, seat) for seat in range(players))
    require(state.table_count == cards, "the number of cards on the table")
    owners = 0
    for k in range(state.table_count):
        require(state.table_player[k] == (state.shaman + k) % players, f"who played card {k} of the table")
        require(0 <= state.table_front[k] < players, f"in front of whom card {k} of the table lies")
        require(state.table_up[k] == (k < players or resolving), f"the face of card {k} of the table")
        require(not owners & state.table_natives[k], "at most one native of each player on the cards")
        require(resolving or not state.table_resolved[k], "no card resolves before all are revealed")
        owners |= state.table_natives[k]
    for seat in seats_in(owners):
        may = state.phase not in (cr.FACE_UP, cr.FACE_DOWN) and (
            state.phase != cr.NATIVE or has_had_turn(state, seat)
        )
        require(may, "natives on cards of who had a turn to put one there")


def check_no_effect(state: Any, names: Sequence[str], when: str) -> None:
    """The fields of a resolution are as at the start."""
    for name in names:
        require(getattr(state, name) == cr.CostaRuanaState.blank[name][0], f"{name} {when}")


def check_resolution(state: Any, parts: Any) -> None:
    """The cards resolve in front of one player after another, those that are not active never (CR-13 to CR-16)."""
    require(state.resolver < state.players, "whose cards are being resolved")
    front = (state.shaman + state.resolver) % state.players
    rest = [k for k in range(state.table_count) if not state.table_resolved[k]]
    for k in range(state.table_count):
        active = state.table_card[k] & 3 in (state.tide, state.time)
        turn = turn_of(state, state.table_front[k])
        require(k not in rest or (active and turn >= state.resolver), f"card {k} of the table is done with")
        require(k in rest or not active or turn <= state.resolver, f"card {k} of the table comes later")
        require(k in rest or not state.table_natives[k], "no natives on cards that are done with")
    if state.phase == cr.ORDER:  # who has several cards in front of them chooses (CR-14)
        check_no_effect(state, _EFFECT, "while a card is chosen")
        require(sum(state.table_front[k] == front for k in rest) > 1, "several cards to choose from")
        require_turn(state, front)
    else:
        check_effect(state, parts, front, rest)


def check_effect(state: Any, parts: Any, front: int, rest: list[int]) -> None:
    """The card being resolved is applied to a player who can do what is left of it (CR-15, CR-16)."""
    phase, k, seat = state.phase, state.card, state.applying_to
    require(k in rest and state.table_front[k] == front, "the card being resolved")
    kind = state.table_card[k] >> 2
    drops = phase in (cr.DROP_TREASURE, cr.DROP_NATIVE)  # the second step of a card
    require(cr.ACTS_IN[kind] == phase - drops, "the card whose effect this is")
    require(1 <= state.applied <= state.players + 1, "how often the card was applied")
    require(seat == (front + max(0, state.applied - 2)) % state.players, "to whom the card is applied")
    copies = state.applied > 1
    require(not copies or state.table_natives[k] >> seat & 1, "applied to who has a native on the card")
    require_turn(state, seat)
    require(1 <= state.pieces_left <= cr.PIECES[kind], "pieces left to move")
    require(drops or state.taken_from == cr.NOWHERE, "no piece held")
    require((state.taken_owner != cr.NOWHERE) == (phase == cr.DROP_NATIVE), "a native held while it is moved")
    islands = set(range(state.islands))
    roomy = {i for i in islands if state.crowd[i] < parts.island_capacity}
    if phase == cr.TAKE_TREASURE:
        require(any(state.treasures) and len(islands) > 1, "a treasure to take")
    elif phase == cr.RETURN:
        require(natives_of(state, seat) >= state.pieces_left, "natives to return")
    elif phase == cr.PLACE:
        room = sum(parts.island_capacity - state.crowd[i] for i in roomy)
        require(min(state.supply[seat], room) >= state.pieces_left, "natives to place, and room for them")
    elif phase == cr.TAKE_NATIVE:
        require(any(state.crowd[i] and roomy - {i} for i in islands), "a native to take")
    else:
        require(state.taken_from in islands, "where the piece held came from")
        others = roomy if phase == cr.DROP_NATIVE else islands
        require(others - {state.taken_from}, "another island for the piece held")

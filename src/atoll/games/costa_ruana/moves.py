"""The moves of Costa Ruana: action codes, and the words of the record format for them."""

from atoll.core.game import Json
from atoll.core.moves import MoveCodes
from atoll.games.costa_ruana.state import CARDS, CONDITIONS, MAX_ISLANDS, MAX_PLAYERS, TABLE_CARDS

# Codes: the first of each kind of move.
PLACE_NATIVE_ON = 0  # + island
PLAY_CARD = PLACE_NATIVE_ON + MAX_ISLANDS  # + card * MAX_PLAYERS + in front of whom
PUT_NATIVE_ON_CARD = PLAY_CARD + len(CARDS) * MAX_PLAYERS  # + index on the table
KEEP_NATIVE = PUT_NATIVE_ON_CARD + TABLE_CARDS
TURN_CONDITION = KEEP_NATIVE + 1  # + condition
RESOLVE_CARD = TURN_CONDITION + len(CONDITIONS)  # + index on the table
TAKE_TREASURE_FROM = RESOLVE_CARD + TABLE_CARDS  # + island
DROP_TREASURE_ON = TAKE_TREASURE_FROM + MAX_ISLANDS  # + island
RETURN_NATIVE_FROM = DROP_TREASURE_ON + MAX_ISLANDS  # + island
TAKE_NATIVE_FROM = RETURN_NATIVE_FROM + MAX_ISLANDS  # + island * MAX_PLAYERS + owner
DROP_NATIVE_ON = TAKE_NATIVE_FROM + MAX_ISLANDS * MAX_PLAYERS  # + island
APPOINT_SHAMAN = DROP_NATIVE_ON + MAX_ISLANDS  # + seat
ACTIONS = APPOINT_SHAMAN + MAX_PLAYERS


def _all_moves() -> list[Json]:
    islands, seats, table = range(MAX_ISLANDS), range(MAX_PLAYERS), range(TABLE_CARDS)
    return [
        *({"do": "place native", "island": i} for i in islands),
        *({"do": "play card", "card": card, "in_front_of": p} for card in CARDS for p in seats),
        *({"do": "put native on card", "card": k} for k in table),
        {"do": "keep native"},
        *({"do": "turn condition", "condition": condition} for condition in CONDITIONS),
        *({"do": "resolve card", "card": k} for k in table),
        *({"do": "take treasure", "island": i} for i in islands),
        *({"do": "drop treasure", "island": i} for i in islands),
        *({"do": "return native", "island": i} for i in islands),
        *({"do": "take native", "island": i, "owner": p} for i in islands for p in seats),
        *({"do": "drop native", "island": i} for i in islands),
        *({"do": "appoint shaman", "player": p} for p in seats),
    ]


_CODES = MoveCodes(_all_moves())
move_of = _CODES.move_of
action_of = _CODES.action_of

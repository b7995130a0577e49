"""The moves of Costa Ruana."""

import numpy as np

from atoll.core.moves import Kind, Moves, Part
from atoll.games.costa_ruana import state as cr
from atoll.text.translation import texts

_ISLAND = Part("island", range(cr.MAX_ISLANDS), of="island")
_SEATS = range(cr.MAX_PLAYERS)
_ON_TABLE = Part("card", range(cr.TABLE_CARDS), of=texts("card on the table")[0])

MOVES = Moves(
    Kind("place native", _ISLAND),
    Kind("play card", Part("card", cr.CARDS, of="card"), Part("in_front_of", _SEATS, of="seat")),
    Kind("put native on card", _ON_TABLE),
    Kind("keep native"),
    Kind("turn condition", Part("condition", cr.CONDITIONS, of="condition")),
    Kind("resolve card", _ON_TABLE),
    Kind("take treasure", _ISLAND),
    Kind("drop treasure", _ISLAND),
    Kind("return native", _ISLAND),
    Kind("take native", _ISLAND, Part("owner", _SEATS, of="seat")),
    Kind("drop native", _ISLAND),
    Kind("appoint shaman", Part("player", _SEATS, of="seat")),
)
PUT_NATIVE_ON_CARD = MOVES.first("put native on card")
KEEP_NATIVE = MOVES.first("keep native")
TURN_CONDITION = MOVES.first("turn condition")
RESOLVE_CARD = MOVES.first("resolve card")
APPOINT_SHAMAN = MOVES.first("appoint shaman")
_WITH_ISLANDS = {
    cr.SETUP: "place native",
    cr.PLACE: "place native",
    cr.TAKE_TREASURE: "take treasure",
    cr.DROP_TREASURE: "drop treasure",
    cr.RETURN: "return native",
    cr.DROP_NATIVE: "drop native",
}
FIRST_ISLAND = np.array(
    [MOVES.first(_WITH_ISLANDS[phase]) if phase in _WITH_ISLANDS else 0 for phase in range(len(cr.PHASES))]
)
"""The code of the move with the first island, by phase, where one chooses an island and nothing else."""
encode_play, decode_play = MOVES.coding("play card")
encode_take_native, decode_take_native = MOVES.coding("take native")

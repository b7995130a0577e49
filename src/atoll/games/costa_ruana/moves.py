"""The moves of Costa Ruana."""

from atoll.core.moves import Kind, Moves, Part
from atoll.games.costa_ruana.state import CARDS, CONDITIONS, MAX_ISLANDS, MAX_PLAYERS, TABLE_CARDS

_ISLAND = Part("island", range(MAX_ISLANDS), of="island")
_SEATS = range(MAX_PLAYERS)
_ON_TABLE = Part("card", range(TABLE_CARDS), of="card on the table")

MOVES = Moves(
    Kind("place native", _ISLAND),
    Kind("play card", Part("card", CARDS, of="card"), Part("in_front_of", _SEATS, of="seat")),
    Kind("put native on card", _ON_TABLE),
    Kind("keep native"),
    Kind("turn condition", Part("condition", CONDITIONS, of="condition")),
    Kind("resolve card", _ON_TABLE),
    Kind("take treasure", _ISLAND),
    Kind("drop treasure", _ISLAND),
    Kind("return native", _ISLAND),
    Kind("take native", _ISLAND, Part("owner", _SEATS, of="seat")),
    Kind("drop native", _ISLAND),
    Kind("appoint shaman", Part("player", _SEATS, of="seat")),
)
ACTIONS = len(MOVES)
PLACE_NATIVE_ON = MOVES.first("place native")
PUT_NATIVE_ON_CARD = MOVES.first("put native on card")
KEEP_NATIVE = MOVES.first("keep native")
TURN_CONDITION = MOVES.first("turn condition")
RESOLVE_CARD = MOVES.first("resolve card")
TAKE_TREASURE_FROM = MOVES.first("take treasure")
DROP_TREASURE_ON = MOVES.first("drop treasure")
RETURN_NATIVE_FROM = MOVES.first("return native")
DROP_NATIVE_ON = MOVES.first("drop native")
APPOINT_SHAMAN = MOVES.first("appoint shaman")
encode_play, decode_play = MOVES.coding("play card")
encode_take_native, decode_take_native = MOVES.coding("take native")

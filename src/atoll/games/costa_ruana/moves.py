"""The moves of Costa Ruana: action codes, and the words of the record format for them."""

from collections.abc import Mapping
from typing import Any

from atoll.core.errors import AtollError
from atoll.games.costa_ruana.state import CARDS, CONDITIONS, MAX_ISLANDS, MAX_PLAYERS, TABLE_CARDS

Move = dict[str, Any]

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


def _all_moves() -> list[Move]:
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


_MOVES = _all_moves()


def _key(move: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    # A JSON true equals 1 in Python, but is no island.
    return frozenset((name, (type(value), value)) for name, value in move.items())


_CODES = {_key(move): code for code, move in enumerate(_MOVES)}
_KINDS = {move["do"]: move for move in _MOVES}


def move_of(action: int) -> Move:
    """The move that an action code stands for."""
    return dict(_MOVES[action])


def action_of(move: Mapping[str, Any]) -> int:
    """The action code of a move in the record's words; raises AtollError if there is no such move."""
    try:
        code = _CODES.get(_key(move))
    except (TypeError, AttributeError):
        code = None
    if code is not None:
        return code
    do = move.get("do") if isinstance(move, Mapping) else None
    if isinstance(do, str) and do in _KINDS:
        example = _KINDS[do]
        raise AtollError(f"{do!r} has the keys {', '.join(example)}, for example {example}; not {dict(move)}")
    raise AtollError(f"there is no move {do!r}; there are: {', '.join(_KINDS)}")

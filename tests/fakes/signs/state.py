"""The state of Signs."""

from atoll.core.state import HEADER, record_dtype

CARDS = 16
HAND = 6
MOST = 4

STATE = record_dtype(
    [
        *HEADER,
        ("round_number", "i1"),  # from 1
        ("hand", "i1", (MOST, HAND)),  # card numbers, UNKNOWN to others; -2 when played
        ("chosen", "i1", (MOST, 2)),  # chosen cards, UNKNOWN to others; -2 when not chosen
        ("shown", "i1", (MOST,)),  # sum of the cards shown last
        ("points", "i1", (MOST,)),
    ]
)

PARTS = record_dtype([("rounds", "i1")])

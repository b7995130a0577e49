"""The moves of Signs."""

from itertools import product

from atoll.core.moves import Kind, Moves, Part
from signs.state import CARDS

MOVES = Moves(
    Kind("choose", Part("cards", [list(two) for two in product(range(CARDS), repeat=2)], of="cards"))
)
ACTIONS = len(MOVES)  # card * CARDS + card

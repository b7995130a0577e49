"""What a game tells players that learn of each legal move, besides one worth: several numbers, declared once.

A game that has a module `considering` declares them there as CONSIDERED, and its compiled `write_features` writes them:

    MOVE_FEATURES = (MoveFeature("worth", "points that the reef may bring"), ...)

    write_features(view, parts, moves, count, out)

`found` is float32 of shape (count, len(CONSIDERED)). It is given a seat's view, as `advise` is. A new player leans on
the first of the numbers, the higher the better, so that is the best guess of what the move is worth.
"""

from dataclasses import dataclass

MOST = 32
"""Numbers that a game tells of a move."""


@dataclass(frozen=True)
class MoveFeature:
    """A number for each legal move: what it says, with its unit; `scale` is a difference between moves that matters."""

    name: str
    meaning: str
    scale: float = 1.0

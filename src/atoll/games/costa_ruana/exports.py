"""What the game's Python asks of compiled code."""

from atoll.games.costa_ruana.prospects import FORESEE

EXPORTS = (FORESEE,)

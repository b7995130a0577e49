"""What the game's Python asks of compiled code."""

from atoll.games.cast_away.outlook import LOOK_OUT

EXPORTS = (LOOK_OUT,)

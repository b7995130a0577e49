"""The components of a game that has no components file: its rules hold all that there is."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from atoll.core.components import digest
from atoll.core.game import Components, Json
from atoll.text.errors import ComponentError
from atoll.text.messages import Message, quoted

if TYPE_CHECKING:
    from atoll.core.game import Game

NAME = "none"


class PlainComponents:
    """What such a game's module `components` is."""

    def __init__(self, game: "Game") -> None:
        self._game = game

    def read(self, path: Path, *, shipped: bool) -> Components:
        """Refuses: there is nothing in a file that the game could be played with."""
        raise ComponentError(
            Message(
                "%(game)s has no components file: it cannot be played with %(path)s",
                game=self._game.title,
                path=path,
            )
        )

    def from_data(self, name: str, data: Json) -> Components:
        """The only components there are; raises ComponentError for any others."""
        if name != NAME or data:
            raise ComponentError(
                Message(
                    "%(game)s has no components called %(name)s, only %(known)s",
                    game=self._game.title,
                    name=quoted(name),
                    known=quoted(NAME),
                )
            )
        parts = np.zeros(1, dtype=self._game.rules.PARTS)
        return self._game.under(Components(NAME, {}, digest({}), shipped=True, parts=parts), {})

"""The games that come with Atoll, one folder each; a game knows `core`, `engine` and `text`, and no other game."""

import sys
from types import ModuleType
from typing import Any


class _Games(ModuleType):
    """A package that can be called: importing a game puts it in the place of the function `atoll.games`."""

    def __call__(self) -> dict[str, Any]:
        from atoll.core.catalogue import games

        return games()


sys.modules[__name__].__class__ = _Games

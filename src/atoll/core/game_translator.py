"""Texts of a game: a translator that also knows with which components the game is played, for games whose cards have
their names there.
"""

from atoll.core.types import Components
from atoll.text.errors import AtollError
from atoll.text.translation import Translator


class GameTranslator(Translator):
    """A translator of the texts of a game that is played with `components`."""

    def __init__(self, translator: Translator, components: Components) -> None:
        self.__dict__.update(vars(translator))
        self.components = components


def components_of(translator: Translator) -> Components:
    """What the game is played with; raises AtollError if the translator does not know it."""
    if not isinstance(translator, GameTranslator):
        raise AtollError("this translator does not know with which components the game is played")
    return translator.components

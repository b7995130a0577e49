"""How a game's components are read: from files of the structure that its module `components` declares, or that follows
from its parts; a game that has no components file has its numbers in its rules.
"""

from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from atoll.core.card import GameCard, no_components
from atoll.core.components import FileContent, digest, read_toml
from atoll.core.types import Components, Json
from atoll.text.errors import AtollError, ComponentError
from atoll.text.messages import Message, quoted

NAME = "none"
"""What the components of a game are called that has no components file."""


def component_reader(card: GameCard) -> Any:
    """What reads the components of a game: its module `components`, and for what that leaves out the default."""
    module = card.own("components")
    structure = getattr(module, "ComponentsFile", card.declared_parts.structure)
    reader = PlainComponents(card) if structure is None else FileReader(card, module, structure)
    return card.completed("components", reader)


def shipped_components(card: GameCard, reader: Any, name: str | None = None) -> Components:
    """A set of components that comes with a game, the default one if no name is given."""
    if not card.component_files:
        return reader.from_data(NAME if name is None else name, {})  # type: ignore[no-any-return]
    if name is None:
        name = next(iter(card.component_files))
    if name not in card.component_files:
        raise AtollError(no_components(card, name))
    with resources.as_file(card.folder / card.component_files[name]) as path:
        return reader.read(path, shipped=True)  # type: ignore[no-any-return]


class FileReader:
    """How the files of a game are read that have a structure; `check` and `fill` stand in the module `components`."""

    def __init__(self, game: GameCard, module: ModuleType | None, structure: Any) -> None:
        self._game = game
        self._module: Any = module
        self.ComponentsFile = structure
        self._shipped: dict[tuple[Path, int], Components] = {}

    def read(self, path: Path, *, shipped: bool = False) -> Components:
        """Read and check a components file; raises ComponentError naming file, entry and key.

        What is shipped is kept until the file changes, and the same for all who ask: not to be changed by them.
        """
        state = path, path.stat().st_mtime_ns if path.exists() else 0
        if shipped and state in self._shipped:
            return self._shipped[state]
        name = str(path.name if shipped else path)
        components = self._checked(FileContent(name, read_toml(path), self._game.package), shipped)
        if shipped:
            self._shipped[state] = components
        return components

    def from_data(self, name: str, data: Json) -> Components:
        """Components from the content of a file, as records carry it; raises ComponentError."""
        return self._checked(FileContent(name, data, self._game.package), shipped=False)

    def _checked(self, content: FileContent, shipped: bool) -> Components:
        file = content.checked(self.ComponentsFile)
        if hasattr(self._module, "check"):
            self._module.check(content, file)
        parts = self._game.declared_parts.copied(content, file)
        if hasattr(self._module, "fill"):
            self._module.fill(content, file, parts[0])
        read = Components(file.name, content.data, digest(content.data), shipped, parts, file)
        return self._game.under(read, {})


class PlainComponents:
    """What such a game's module `components` is."""

    def __init__(self, game: GameCard) -> None:
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
        parts = np.zeros(1, dtype=self._game.declared_parts.dtype)
        return self._game.under(Components(NAME, {}, digest({}), shipped=True, parts=parts), {})

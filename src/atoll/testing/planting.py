"""Faults that are planted in a game's rules, to see that a test finds them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from atoll.core.game import Game
from atoll.engine.exports import Export, Room, Runner


class PlantedRunner:
    """A runner in which `changed(honest, *arguments)` is carried out for one export."""

    def __init__(self, runner: Runner, export: Export, changed: Callable[..., Any]) -> None:
        self._runner, self._export, self._changed = runner, export, changed

    def call(self, export: Export, *arguments: Any) -> int:
        honest = partial(self._runner.call, export)
        return self._changed(honest, *arguments) if export is self._export else honest(*arguments)

    def room(self) -> Room:
        return self._runner.room()

    def has(self, export: Export) -> bool:
        return self._runner.has(export)


def plant(monkeypatch: pytest.MonkeyPatch, game: Game, export: Export, changed: Callable[..., Any]) -> None:
    """Let a game carry out something else for an export."""
    monkeypatch.setitem(vars(game), "runner", PlantedRunner(game.runner, export, changed))

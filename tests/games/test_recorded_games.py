"""No rule changes unnoticed: recorded games are played again.

All of them, and what was shown of them, `python -m tests.soak recorded_games` checks.
"""

from typing import Any

import numpy as np
import pytest

from atoll.core import records
from atoll.core.exports import LEGAL_ACTIONS, PLAY, START
from atoll.core.game import Game
from atoll.testing.planting import plant
from atoll.text.errors import RecordError
from atoll.web.table.creation import shipped
from tests.soak import recorded_games
from tests.soak.recorded_games import check, path_of

EVERY = 19
"""Of so many recorded games one is replayed here."""

FEW = 30
"""And of so many where a change is planted."""


def test_recorded_games_replay_state_by_state(game: Game) -> None:
    """From the record and from the seed; after a change of the rules they are played anew."""
    path = path_of(game)
    assert path.is_file(), f"{path.name} is missing: python -m tests.soak recorded_games --write"
    check(path, EVERY)


def test_games_of_every_setting_are_recorded(game: Game) -> None:
    """Every number of players, every option, every shipped set of components; by everybody who plays them."""
    found = {
        (
            head["components"]["name"],
            len(head["players"]),
            *sorted(game.check_options(head["options"]).items()),
        )
        for head in (record.header for record in recorded_games.read(path_of(game)))
    }
    assert found == {
        (setting.components.name, setting.players, *sorted(game.check_options(setting.options).items()))
        for setting in recorded_games.settings(game)
    }


def test_components_that_have_changed_are_refused(game: Game) -> None:
    """A record or a table names a set and its digest."""
    usual = game.components()
    named = {"name": usual.name, "sha256": usual.sha256}
    assert records.components_of(game, named).sha256 == shipped(game, **named).sha256 == usual.sha256
    with pytest.raises(RecordError, match="are not those that the record was played with"):
        records.components_of(game, {**named, "sha256": "0" * 64})
    with pytest.raises(LookupError):
        shipped(game, usual.name, "0" * 64)


# Planted changes


def test_a_move_that_is_no_longer_legal_is_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def changed(honest: Any, states: Any, parts: Any, seat: int, out: Any) -> int:
        count: int = honest(states, parts, seat, out)
        return max(1, count - 1)

    plant(monkeypatch, game, LEGAL_ACTIONS, changed)
    with pytest.raises(RecordError, match=rf"^{path_of(game).name}, line \d+: .*--write"):
        check(path_of(game), FEW)


def test_a_move_that_does_something_else_is_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every fifth move is carried out as the first legal one."""
    played = []

    def changed(honest: Any, states: Any, parts: Any, seat: int, action: int, events: Any) -> None:
        played.append(action)
        out = np.empty(game.rules.MAX_LEGAL, np.int32)
        game.runner.call(LEGAL_ACTIONS, states, parts, seat, out)
        honest(states, parts, seat, action if len(played) // 2 % 5 else out[0], events)

    plant(monkeypatch, game, PLAY, changed)
    with pytest.raises(
        RecordError, match=r"line \d+: (the state after this move|the legal moves|.* is not legal)"
    ):
        check(path_of(game), FEW)


def test_another_deal_of_the_same_seed_is_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stored table is a seed and its moves."""

    def changed(honest: Any, states: Any, parts: Any, players: int, seed: Any) -> None:
        honest(states, parts, players, seed ^ np.uint64(1))

    plant(monkeypatch, game, START, changed)
    with pytest.raises(RecordError, match="line 1: the seed deals another state"):
        check(path_of(game), FEW)

"""The modules that games bring along: as the sources are, and the same games and searches as in other ways of running
them (`test_every_game.py` compares the states of whole games).
"""

import random

import msgspec
import numpy as np
import pytest

from atoll.bots.iteration import USUAL
from atoll.bots.search import evaluate
from atoll.core.game import Game, Position, View
from atoll.core.running import DESCRIPTION, ModuleDescription, read_module
from atoll.engine.chance import generator
from atoll.engine.exports import HostRunner
from atoll.engine.module import ModuleRunner
from atoll.lab.modules import description_of
from atoll.text.errors import AtollError

ITERATIONS = 12
MUTATED = 300
"""Damaged positions of each game."""


def test_a_games_module_is_as_its_sources_are(game: Game) -> None:
    """Whoever changes them runs `atoll build`."""
    described = msgspec.json.decode((game.folder / DESCRIPTION).read_bytes(), type=ModuleDescription)
    assert described == description_of(game), f"run atoll build {game.name}"
    assert isinstance(game.runner, ModuleRunner)


def test_a_module_of_other_sources_is_not_used(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("atoll.core.running.files_digest", lambda game: "another")
    assert read_module(game) is None


def late_view(game: Game, seed: int) -> View:
    """What a seat sees that has a choice, some decisions into a game."""
    position, chance = game.start(game.seats.start, seed), random.Random(seed)
    for number in position.until_over():
        seat = position.to_act[0]
        moves = position.legal_moves(seat).actions.tolist()
        if number >= 20 and len(moves) > 1:
            return position.view(seat)
        position.play_action(seat, chance.choice(moves))
    raise AssertionError("a game ended at once")


@pytest.mark.parametrize("tuning", [USUAL, USUAL.without_guide()], ids=["guided", "alone"])
def test_a_search_finds_the_same_in_a_module_and_in_plain_python(
    game: Game, tuning: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its real numbers to the last bit, a network's included."""
    view = late_view(game, 5)
    evaluations = evaluate(view, generator(3), ITERATIONS, None, tuning)  # type: ignore[arg-type]
    assert sum(move.visits for move in evaluations) == ITERATIONS
    monkeypatch.setitem(vars(game), "runner", HostRunner(game))
    with np.errstate(all="ignore"):
        assert evaluate(view, generator(3), ITERATIONS, None, tuning) == evaluations  # type: ignore[arg-type]


def beginnings(game: Game) -> list[str]:
    """How games of every number of players begin."""
    return [str(game.start(players, 7).to_json()) for players in game.seats]


def test_damaged_positions_end_in_sentences(game: Game) -> None:
    """Bytes that no position has, given to the module without a check: it answers or says that it cannot, and what
    other games read in it is as before.
    """
    view, chance = late_view(game, 7), np.random.default_rng(1)
    said, parts, begun = 0, view.components.parts.tobytes(), beginnings(game)
    for _ in range(MUTATED):
        states = game.start(game.seats.start, 7).states.copy()
        raw = states.view(np.uint8)
        places = chance.integers(24, len(raw), 1 + chance.integers(0, 40))
        raw[places] = chance.integers(0, 256, len(places))
        position = Position(game, view.components, view.options, states)
        try:
            seats = [seat for seat in position.to_act if seat < len(game.seats)]
            for seat in seats[:1]:
                moves = position.legal_moves(seat).actions.tolist()
                position.view(seat).resample(1)
                position.play_action(seat, moves[0] if moves else 0)
        except AtollError:
            said += 1
    assert said < MUTATED
    assert view.components.parts.tobytes() == parts, (
        "a broken state has nothing written where it is only read"
    )
    assert beginnings(game) == begun

"""How long games are and how they end, for every game that tells it."""

from pathlib import Path

import pytest

from atoll.bots import find_bot
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.lab.played import Setup
from atoll.lab.recording import record_games
from atoll.lab.simulate import simulate
from atoll.text.translation import LANGUAGES, Translator


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_games_are_as_long_and_end_alike_in_the_loop_and_step_by_step(game: Game, tmp_path: Path) -> None:
    """And as many rounds as the last position says."""
    components, bots, players = game.components(), [find_bot("random")], game.seats.start
    looped = simulate(game, components, players, bots, 3, seed=5)
    stepped = record_games(Setup(game, components, players, bots, 5), 3, tmp_path / "games.jsonl")
    assert looped.rounds.tolist() == stepped.rounds.tolist()
    assert looped.endings.tolist() == stepped.endings.tolist()
    assert min(looped.rounds) > 1


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_every_ending_is_told_in_words_of_its_own(game: Game) -> None:
    assert game.endings is not None
    for language in LANGUAGES:
        translator = Translator(language).with_package(game.package)
        told = [game.endings.ending_text(translator, ending) for ending in game.endings.ENDINGS]
        assert len(set(told)) == len(told) > 0

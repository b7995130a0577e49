"""Games that a browser plays for the lab: the same as here, to the last digit of every figure."""

import gzip
from dataclasses import replace

import numpy as np
import pytest

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.engine.exports import HostRunner
from atoll.lab.comparison import chunk_values, figure_values
from atoll.lab.games_image import can_play_elsewhere, games_image, read_games, size_of, unpacked
from atoll.lab.played import Setup
from tests.games_elsewhere import play_many


@pytest.mark.parametrize("name", ["cast-away", "costa-ruana", "karuba"])
def test_games_played_elsewhere_have_the_same_figures(name: str) -> None:
    game = find_game(name)
    for players in (game.seats.start, game.seats[-1]):
        setup = Setup(game, game.components(), players, [find_bot("greedy")], seed=7)
        assert can_play_elsewhere(setup)
        content = play_many(game, games_image(setup, 12), 7, 24)
        assert len(content) == size_of(setup, 12)
        there = chunk_values(setup, read_games(setup, 24, 12, content))
        here = figure_values(setup, 24, 12)
        assert there.keys() == here.keys() >= {"length.rounds", "course.drama", "seat 2"}
        for key, values in here.items():
            np.testing.assert_array_equal(there[key], values, err_msg=key)


def test_games_whose_bots_are_slow_or_that_no_module_plays_are_played_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = find_game("karuba")
    setup = Setup(game, game.components(), 2, [find_bot("greedy")], seed=0)
    assert can_play_elsewhere(setup)
    assert not can_play_elsewhere(replace(setup, bots=[find_bot("search:10")]))
    monkeypatch.setitem(vars(game), "runner", HostRunner(game))
    assert not can_play_elsewhere(setup)


def test_what_can_be_no_games_is_refused() -> None:
    game = find_game("karuba")
    setup = Setup(game, game.components(), 2, [find_bot("greedy")], seed=0)
    content = play_many(game, games_image(setup, 3), 0, 0)
    starts = np.cumsum([0, 3, 3 * 8, 3 * 4, 3 * 4, 3 * 16]).tolist()
    beginners, points, winners, lengths, counted, round_points = starts

    def refused(at: int, value: int, width: int, text: bytes = content) -> None:
        with pytest.raises(ValueError, match=r"no game|buffer|reshape"):
            read_games(
                setup, 0, 3, text[:at] + value.to_bytes(width, "little", signed=True) + text[at + width :]
            )

    read_games(setup, 0, 3, content)
    for value in (-1, 2):
        refused(beginners, value, 1)
    for value in (-(1 << 30), 1 << 30):
        refused(points, value, 4)
        refused(round_points, value, 4)
    for value in (0, 4, -1):
        refused(winners + 4, value, 4)
    for value in (0, -1, 1 << 20):
        refused(lengths, value, 4)
    for value in (-1, 1 << 20, -(1 << 60)):
        refused(counted, value, 8)
    for value in (0, 1, 41, -1):
        refused(counted + 8, value, 8)
    for text in (content[:-1], b"", content[:5]):
        refused(0, 0, 0, text)
    with pytest.raises(ValueError, match="more than"):
        read_games(setup, 0, 3, content + b"0")
    packed = gzip.compress(content)
    assert unpacked(packed, len(content)) == content
    for broken, most in ((content, 10), (packed, len(content) - 1), (packed[:-1], len(content))):
        with pytest.raises(ValueError, match=r"broken|too long"):
            unpacked(broken, most)

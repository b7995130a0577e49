"""What environments show: PettingZoo's own check of every mode, through whose eyes, and that a page is whole."""

import pickle
from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import url2pathname

import gymnasium
import numpy as np
import pytest
from goofspiel import game as goofspiel
from pettingzoo.test.render_test import render_test

import atoll.envs.gymnasium
from atoll.core.catalogue import find_game, games
from atoll.core.game import Position
from atoll.core.state import SPECTATOR
from atoll.envs import rendering
from atoll.envs.pettingzoo import env, parallel_env, raw_env
from atoll.testing.playing import walk
from atoll.text.errors import AtollError
from atoll.web import chromium
from atoll.web.pages.static_page import draw_static
from atoll.web.table.timeline import Timeline
from tests.envs.playing import GAMES

SIZE = (rendering.HEIGHT, rendering.WIDTH, 3)


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of another package, which has no table of its own."""
    monkeypatch.setitem(games(), goofspiel.name, goofspiel)


def position_after(name: str, moves: int) -> Position:
    """Where a random game stands."""
    return next(found for number, found in walk(find_game(name), 3, 5) if number == moves).copy()


def file_at(address: str) -> Path:
    """The file that a browser was told to open."""
    return Path(url2pathname(urlparse(address).path))


def test_their_check_of_every_mode() -> None:
    """PettingZoo's `render_test`, unmodified."""
    render_test(lambda render_mode: env(goofspiel, render_mode=render_mode))


def test_a_picture_shows_the_table_of_the_moment() -> None:
    """In the games' own colours: the sea, the sand and the pieces, not an empty page."""
    table = parallel_env("costa-ruana", render_mode="rgb_array")
    table.reset(seed=1)
    picture = table.render()
    assert isinstance(picture, np.ndarray)
    assert picture.shape == SIZE
    assert picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3)[::7], axis=0)) > 50


@pytest.mark.parametrize("game", [*GAMES, goofspiel.name])
def test_a_page_is_whole_and_drawn_of_what_its_seat_may_know(game: str) -> None:
    """Nothing is asked of a server, and what the seat cannot know changes no byte."""
    position = position_after(game, 9)
    for seat in (0, None):
        page = draw_static(position, seat)
        assert "<script" not in page
        assert "<link" not in page
        assert 'url("/' not in page
        other = position.copy()
        other.states[:] = position.view(SPECTATOR if seat is None else seat).resample(3).states
        assert other.states.tobytes() != position.states.tobytes()
        assert draw_static(other, seat) == page


def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that is drawn from another seat's view."""
    monkeypatch.setattr(Timeline, "view", lambda course, seat: course.position.view(1))
    with pytest.raises(AssertionError):
        test_a_page_is_whole_and_drawn_of_what_its_seat_may_know("karuba")


def test_the_browser_follows_and_its_page_goes_with_the_environment(opened: list[str]) -> None:
    table = raw_env("karuba", render_mode="human")
    table.reset(seed=1)
    assert table.render() is None
    page = file_at(opened[0])
    before = page.read_text("utf-8")
    assert 'http-equiv="refresh"' in before
    table.step(int(np.flatnonzero(table.last()[0]["action_mask"])[0]))
    table.render()
    assert page.read_text("utf-8") != before
    twin = pickle.loads(pickle.dumps(table))
    twin.render()
    assert len(opened) == 2
    for shown, path in ((table, page), (twin, file_at(opened[1]))):
        shown.close()
        assert not path.parent.exists()


def test_a_learner_is_shown_its_own_seat(opened: list[str]) -> None:
    """Its hand, which nobody who only watches sees."""
    name = f"atoll/karuba-v{games()['karuba'].rules_version - 1}"
    made: Any = gymnasium.make(name, bots="random", render_mode="human", seat=1)
    made.reset(seed=1)
    made.render()
    assert file_at(opened[0]).read_text("utf-8") == draw_static(
        made.unwrapped.referee.position, 1, again=rendering.FOLLOWS
    )
    made.close()
    assert atoll.envs.gymnasium.SoloEnv.metadata["render_modes"] == list(rendering.RENDER_MODES)


def test_a_mode_that_is_not_there_and_a_machine_without_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AtollError, match=r"no render mode 'svg'; there are: ansi, rgb_array, human"):
        env("karuba", render_mode="svg")
    chromium.browser.cache_clear()
    monkeypatch.setenv("CHROMIUM", "no-such-browser")
    with pytest.raises(AtollError, match="there is none: apt install chromium"):
        env("karuba", render_mode="rgb_array")
    chromium.browser.cache_clear()


def test_a_browser_that_takes_no_picture_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that ends without, and one that does not end."""
    table = parallel_env("costa-ruana", render_mode="rgb_array")
    table.reset(seed=1)
    named = tmp_path / "browser"
    monkeypatch.setattr(rendering, "browser", lambda: str(named))
    monkeypatch.setattr(chromium, "browser", lambda: str(named))
    monkeypatch.setattr(chromium, "PATIENCE", 0.1)
    for done in ("exit 1", "exec tail -f /dev/null"):
        named.write_text(f"#!/bin/sh\n{done}\n")
        named.chmod(0o700)
        with pytest.raises(AtollError, match=f"{named} made nothing of the page"):
            table.render()

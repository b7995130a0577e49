"""Puzzles on the site: one is right or not, what was missed comes again, and that of the day is everybody's."""

import gzip
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from atoll.core.catalogue import find_game
from atoll.lab.puzzles import ONE, SEVERAL
from atoll.web.serving.site import Site
from atoll.web.store import store
from atoll.web.store.puzzle_answers import AGAIN, PuzzleAnswer, next_step
from atoll.web.table import daily
from atoll.web.table.move_choice import fields_of
from atoll.web.table.puzzles import (
    NumberedPuzzle,
    games_with_puzzles,
    level_of,
    next_puzzle,
    puzzle_of_the_day,
    puzzles_of,
)
from tests.web.conftest import Browser

NewBrowser = Callable[..., Browser]


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Lets so many days pass."""
    before = store.now

    def passing(count: int) -> None:
        monkeypatch.setattr(daily, "now", lambda: before() + timedelta(days=count))

    return passing


def some_puzzle(kind: str, game: str = "karuba") -> NumberedPuzzle:
    """One of a kind with a wrong move."""
    return next(
        one
        for one in puzzles_of(find_game(game))
        if one.puzzle.kind == kind and len(one.puzzle.right) < len(one.puzzle.choices)
    )


def answer(browser: Browser, one: NumberedPuzzle, place: int) -> str:
    """Answer with the move at that place of the choices, the best first; returns the page."""
    move = one.puzzle.choices[place].move
    return str(browser.post(f"{one.address}/moves", {"decision": "0", **fields_of(move)}).text)


def test_each_game_ships_puzzles_that_are_solved_by_the_forms_of_their_pages(new_browser: NewBrowser) -> None:
    """The best move is among what the page offers; pressing it is right, and the page says why."""
    assert [game.name for game in games_with_puzzles()]
    for game in games_with_puzzles():
        browser, one = new_browser(), some_puzzle(ONE, game.name)
        page = browser.page(one.address)
        best = fields_of(one.puzzle.right[0])
        pressed = [form for form in page.moves if dict(form.fields).items() >= best.items()]
        if not pressed:  # a move of several parts, chosen one after another
            pressed = [
                form
                for form in browser.page(f"{one.address}?{'&'.join(f'{k}={v}' for k, v in best.items())}").moves
                if dict(form.fields).items() >= best.items()
            ]
        answered = browser.post(pressed[0].action, pressed[0].data)
        assert answered.url.path == one.address
        assert "Right!" in answered.text
        assert "more games in 100 than with the next best move" in answered.text

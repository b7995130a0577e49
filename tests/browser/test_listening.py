"""A game of each by the accessibility tree, as a screen reader has it; `python -m bench.listening` plays them whole."""

import pytest

from atoll.core.catalogue import find_game, games
from bench.listening import begin, play
from tests.browser.conftest import Open

MOVES = 8
"""So many moves of one's own are enough to hear bots in every phase of a round."""


@pytest.mark.parametrize("game", games())
def test_every_turn_of_every_bot_is_announced_in_one_sentence(open_browser: Open, game: str) -> None:
    page = open_browser().new_page()
    listener = begin(page, game, find_game(game).seats[-1])
    assert play(listener, MOVES) == MOVES or page.locator("#table.over").count()
    assert len(page.evaluate("heard")) > MOVES
    assert not listener.unheard


def test_a_turn_that_is_not_announced_is_found(open_browser: Open) -> None:
    page = open_browser().new_page()
    listener = begin(page, "karuba", 2)
    play(listener, 2)
    page.evaluate("heard.length = 0")
    assert any(fault.startswith("not announced") for fault in listener.unheard)

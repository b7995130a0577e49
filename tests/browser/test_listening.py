"""A round of each game by the accessibility tree alone, every turn of every bot announced; `python -m bench.listening`
plays whole games so.
"""

import pytest

from bench.listening import begin, play
from tests.browser.conftest import Open

MOVES = {"karuba": 3, "costa-ruana": 4, "cast-away": 4}
"""How many moves are carried out, at least: then until each bot has had a turn of its own."""
BOTS = ("Blue", "Yellow")


@pytest.mark.parametrize("game", MOVES)
def test_every_turn_of_the_bots_is_announced_once(open_browser: Open, game: str) -> None:
    """Politely, in one sentence, in the order of the log; what is pressed is a button with a name."""
    page = open_browser().new_page()
    listener = begin(page, game, players=3)
    assert play(listener, most=MOVES[game]) == MOVES[game]
    while not all(page.evaluate("name => heard.some((text) => text.includes(name))", name) for name in BOTS):
        assert play(listener, most=1) == 1, "the game is over and no turn of a bot was announced"
    assert listener.unheard == []
    page.evaluate("heard[0] = 'Nobody does nothing.'")
    missed, invented = listener.unheard
    assert missed.startswith("not announced: ")
    assert invented == "announced more often than it happened: Nobody does nothing."

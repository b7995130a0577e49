"""A round of each game by the accessibility tree alone, every turn of every bot announced.

`python -m tests.soak screen_reader` plays whole games so.
"""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Open
from tests.browser.table import make_table
from tests.soak.screen_reader import begin, play

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


GAINED = """(logs) => {
    const log = document.getElementById("log");
    const news = document.getElementById("news");
    const entry = (text) => `<li class="log-entry"><span>${text}</span></li>`;
    return logs.map(([said, rounds]) => {
        Object.assign(log.dataset, said);
        log.querySelector(".log-rounds").innerHTML = rounds
            .map((texts, index) => `<div class="log-round" id="log-round-${index}">${texts.map(entry).join("")}</div>`)
            .join("");
        news.replaceChildren();
        modules.announcements.announce();
        return Array.from(news.children, ({ textContent }) => textContent);
    });
}"""
"""What is announced of each log, with what is said of it and its rounds; at once, before the site draws another."""

MANY = [str(number) for number in range(50)]
NAMED = ["A", "B", "Theirs", "Taken back", "Mine"]
LOGS: list[tuple[dict[str, str], list[list[str]], list[str]]] = [
    ({}, [["a"]], ["a"]),
    ({}, [["a", "b", "mine"]], ["b", "mine"]),  # what is expected
    ({}, [["a", "b"]], []),  # an older page
    ({}, [["a", "b", "theirs", "mine"]], ["theirs"]),
    ({}, [["a", "b", "theirs", "mine"], ["a", "a"]], ["a", "a"]),
    ({"takenBack": "1"}, [["a", "b", "theirs", "taken back"]], ["taken back"]),
    ({}, [["a", "b", "theirs", "taken back", "mine"], ["a"]], ["mine", "a"]),
    ({"names": "Anna, Ben"}, [[*NAMED, "c"]], ["c"]),
    ({}, [[*NAMED, "c", "d"]], ["d"]),
    ({}, [["A"], MANY], MANY[20:]),
]
"""What changes of what is said of a log, its rounds, and what is announced then."""


def test_what_the_log_gains_is_announced_once_however_it_comes(page: Page) -> None:
    """An older page may be drawn over what was expected, and others' moves may have come before one's own; what was
    taken back and is done again is told again; new names are none of it.
    """
    make_table(page, players=2, game="karuba")
    page.wait_for_function("() => modules.announcements")
    told = page.evaluate(GAINED, [[said, rounds] for said, rounds, _ in LOGS])
    assert told == [gained for _, _, gained in LOGS]

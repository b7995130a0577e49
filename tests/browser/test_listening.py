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


GAINED = """(lines) => {
    const log = document.getElementById("log");
    const news = document.getElementById("news");
    const entry = (text) => `<li class="log-entry"><span>${text}</span></li>`;
    log.querySelector(".log-rounds").innerHTML = lines
        .map((texts, number) => `<div class="log-round" id="log-round-${number}">${texts.map(entry).join("")}</div>`)
        .join("");
    news.replaceChildren();
    modules.announcing.announce();
    return Array.from(news.children, ({ textContent }) => textContent);
}"""


def test_what_the_log_gains_is_announced_once_however_it_comes(open_browser: Open) -> None:
    """An older page may be drawn over what was expected, and others' moves may have come before one's own; what was
    taken back and is done again is told again; new names are none of it."""
    page = open_browser().new_page()
    begin(page, "karuba", players=2)

    def gained(*rounds: list[str]) -> list[str]:
        return list(page.evaluate(GAINED, list(rounds)))

    assert gained(["a"]) == ["a"]
    assert gained(["a", "b", "mine"]) == ["b", "mine"], "what is expected"
    assert gained(["a", "b"]) == [], "an older page"
    assert gained(["a", "b", "theirs", "mine"]) == ["theirs"]
    assert gained(["a", "b", "theirs", "mine"], ["a", "a"]) == ["a", "a"]
    page.evaluate("document.getElementById('log').dataset.takenBack = 1")
    assert gained(["a", "b", "theirs", "taken back"]) == ["taken back"]
    assert gained(["a", "b", "theirs", "taken back", "mine"]) == ["mine"]
    page.evaluate("document.getElementById('log').dataset.names = 'Anna, Ben'")
    assert gained(["A", "B", "Theirs", "Taken back", "Mine", "c"]) == ["c"]
    assert gained(["A", "B", "Theirs", "Taken back", "Mine", "c", "d"]) == ["d"]
    assert gained(["A"], [str(number) for number in range(50)]) == [str(number) for number in range(20, 50)]

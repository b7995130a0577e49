"""What a press does: in every game each move is confirmed, or none is, as the browser has chosen."""

import random
import re
from collections.abc import Callable

import pytest

from atoll.core.catalogue import games
from atoll.web.pages.move_confirmation import AT_ONCE, CONFIRM, COOKIE
from tests.web.conftest import Browser, Form, Page

FINAL, OPEN = "Play this?", "You can change it until everyone has chosen."
MOVES = dict.fromkeys(games(), 6) | {"signs": 2}
"""How many moves are looked at."""


def presses(browser: Browser, game: str) -> list[tuple[Form, str]]:
    """What is pressed at random, the bar's button wherever it is there, until some moves are played; with its page."""
    path = browser.make_table(game=game, players="2", seat1="bot:random")
    chance, found = random.Random(1), []
    for _ in range(MOVES[game]):
        html = browser.wait_for(path, 'class="bar mine')
        while True:
            page = Page(html)
            sure = [form for form in page.moves if form.id == "confirm"]
            form = chance.choice(sure or [*page.moves, *page.choices])
            found.append((form, html))
            if form in page.moves:
                break
            html = browser.get(path, params=form.data).text
        browser.post(form.action, form.data)
    return found


@pytest.mark.parametrize("game", MOVES)
def test_every_move_asks_to_be_confirmed_and_says_before_whether_it_is_final(
    browser: Browser, game: str
) -> None:
    """Nothing but the bar's button carries out a move, which can be taken back only where all choose at once."""
    browser.client.cookies.delete(COOKIE)
    found = presses(browser, game)
    for form, html in found:
        assert [move.id for move in Page(html).moves] in ([], ["confirm"])
        assert (FINAL in html or OPEN in html) == (form.id == "confirm")
        assert OPEN not in html or game in ("signs", "karuba")
        assert FINAL not in html or game != "signs"


@pytest.mark.parametrize("game", MOVES)
def test_no_move_asks_to_be_confirmed_where_presses_play_at_once(browser: Browser, game: str) -> None:
    found = presses(browser, game)
    assert all(form.id != "confirm" for form, _ in found)


def test_the_menu_switches_between_both_and_the_socket_knows(
    browser: Browser, new_browser: Callable[..., Browser]
) -> None:
    """A table's page offers both, shows which one holds, and comes back to the table; others keep their own."""
    path = browser.make_table(game="signs", players="2", seat1="friend")
    for way in (CONFIRM, AT_ONCE, CONFIRM):
        answer = browser.get("/pressing", params={"to": way, "back": path})
        assert answer.url.path == path
        assert re.findall(r'to=(\w+)&amp;back=[^"]*" aria-current="true"', answer.text) == [way]
        half = browser.ask(path, "", Page(answer.text).choices[0].data)
        assert bool(Page(half).moves) == (way == AT_ONCE)
    assert "/pressing?to=" not in new_browser().get(path).text, "who watches presses nothing"
    assert browser.get("/pressing", params={"to": "twice"}).status_code == 400

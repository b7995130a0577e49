"""The examples, and a new game, played in a browser; all but one bring no pages of their own."""

from collections.abc import Iterator

import pytest

from tests.browser.access import Inspector
from tests.browser.conftest import ALIKE, DESKTOP, PHONE, Open
from tests.browser.table import make_table, play_out, wait_for_turn
from tests.examples.packages import EXAMPLES, new_game, paths
from tests.site import Server

GAMES = {"lantern-bay": 8, "privateers": 12, "kuhn-poker": 1, "reef": 5}
"""How many decisions a player takes at least."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site with these games."""
    examples = [folder for folder in EXAMPLES if folder.name in GAMES]
    packages = paths([*examples, new_game("reef")], tmp_path_factory.mktemp("installed"))
    found = Server(tmp_path_factory.mktemp("plain-home"), packages=packages, start=ALIKE)
    try:
        yield found
        assert found.stop() == 0
        assert not found.errors
    finally:
        found.kill()


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game(open_browser: Open, server: Server, game: str) -> None:
    """On a phone in French, with nothing for axe-core to object to, and nothing wider than the page."""
    inspector = Inspector()
    page = open_browser(PHONE).new_page()
    address = make_table(page, players=2, game=game)
    page.goto(f"/language?to=fr&back={address.removeprefix(server.address)}")
    assert play_out(page, look=inspector) >= GAMES[game]
    assert not inspector.problems
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert page.locator("#score .winner").count() >= 1
    assert "Score final" in page.locator("#score").inner_text()


def test_a_whole_game_without_scripts(open_browser: Open, server: Server) -> None:
    page = open_browser(DESKTOP, java_script_enabled=False).new_page()
    make_table(page, players=2, game="kuhn-poker")
    pressed = 0
    while wait_for_turn(page):  # it looks again by itself
        page.locator("#confirm, #moves button").first.click()
        pressed += 1
    assert pressed >= 1
    assert page.locator("#score .winner").count() == 1
    assert page.locator("#player-0 .plain-card, #player-1 .plain-card").count() >= 1
    page.goto("/games/kuhn-poker/cover.svg")

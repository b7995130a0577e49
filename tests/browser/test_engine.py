"""What browsers carry out themselves, by a game's module: hints, and games that are the same as the server's."""

import re
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Route, expect

from atoll.core.catalogue import find_game
from tests.browser.conftest import Open
from tests.browser.engine_games import PlannedGame, differences, search_here, search_in
from tests.browser.table import make_table, wait_for_turn

GAMES = ("karuba", "costa-ruana", "cast-away")


@pytest.fixture
def page(page: Page) -> Page:
    """A page whose searches take so many iterations, however long a busy machine needs for them."""

    def without_hurry(route: Route) -> None:
        answer = route.fetch()
        search = answer.json() | {"iterations": 200, "milliseconds": 40_000}
        route.fulfill(response=answer, json=search)

    page.route("**/hint/search", without_hurry)
    return page


def ask_for_hint(page: Page) -> dict[str, list[str]]:
    """Ask for a hint and wait for it: what the page told the server that its browser found."""
    assert wait_for_turn(page)
    with page.expect_request(re.compile("/hint$")) as asked:
        page.locator("#hint").click()
    expect(page.locator("#hint-1")).to_be_visible()
    return parse_qs(asked.value.post_data or "")


@pytest.mark.parametrize("game", GAMES)
def test_the_browser_finds_hints(page: Page, game: str) -> None:
    make_table(page, game=game, players=2)
    found = ask_for_hint(page)
    assert found.keys() == {"played", "found"}


WITHOUT = {
    "WebAssembly": "delete globalThis.WebAssembly",
    "workers": "delete globalThis.Worker",
    "workers that are modules": "globalThis.Worker = class { constructor() { throw new Error('no modules'); } }",
}


@pytest.mark.parametrize("missing", WITHOUT)
def test_the_server_searches_where_the_browser_cannot(open_browser: Open, missing: str) -> None:
    context = open_browser()
    context.add_init_script(WITHOUT[missing])
    page = context.new_page()
    make_table(page, players=2)
    assert ask_for_hint(page) == {}


def test_the_server_searches_where_the_browser_takes_too_long(page: Page) -> None:
    held: list[Route] = []
    page.unroute("**/hint/search")
    page.route("**/*.wasm", lambda route: held.append(route))
    make_table(page, players=2)
    assert ask_for_hint(page) == {}
    assert held


def test_only_the_workers_may_compile(page: Page) -> None:
    make_table(page, players=2)
    empty = "[0, 97, 115, 109, 1, 0, 0, 0]"
    refused = page.evaluate(
        f"() => WebAssembly.compile(new Uint8Array({empty})).catch((error) => error.name)"
    )
    assert refused == "CompileError"


@pytest.mark.parametrize("name", GAMES)
def test_the_browser_plays_the_same_games(open_browser: Open, name: str) -> None:
    page = open_browser(bypass_csp=True).new_page()
    page.goto("/name")
    assert list(differences(page, find_game(name), range(12), seed=1)) == []


@pytest.mark.parametrize("name", GAMES)
def test_the_browser_finds_the_same_in_a_search(open_browser: Open, name: str) -> None:
    page = open_browser(bypass_csp=True).new_page()
    page.goto("/name")
    planned = PlannedGame(find_game(name), 1, seed=2)
    _, views = planned.play()
    views = [view for view in views if len(view.legal_moves()) > 1]
    for view in (views[1], views[len(views) // 2]):
        found = search_in(page, view, 200)
        assert len(found) > 1
        assert found == search_here(view, 200)

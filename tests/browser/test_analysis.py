"""A finished game is explained on the cores of who asks, and the same on the server's."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocket, expect

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.lab.played import Setup
from atoll.lab.recording import record_game
from tests.browser.access import objections
from tests.browser.conftest import Open


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A short game."""
    game = find_game("karuba")
    file = tmp_path / "game.jsonl"
    file.write_text(record_game(Setup(game, game.components(), 2, [find_bot("greedy")], 1), 0)[0], "utf-8")
    return file


def analyse(page: Page, record: Path) -> None:
    """Upload a record and have it analysed."""
    page.goto("/history")
    page.set_input_files("#record", record)
    page.locator("form:has(#record)").evaluate("form => form.requestSubmit()")
    page.wait_for_url("**/records/*/back")
    page.goto(page.url.replace("/back", "/analysis"))
    page.locator("#analyse").click()


def told(page: Page) -> str:
    """What the analysis tells when it is there."""
    expect(page.locator("#moments-heading")).to_be_visible(timeout=240_000)
    return page.locator("#main").inner_text()


def test_the_visitors_cores_find_the_same_as_the_server(open_browser: Open, record: Path) -> None:
    page = open_browser().new_page()
    sent: list[str | bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: sent.append(text))

    page.on("websocket", listen)
    analyse(page, record)
    expect(page.locator("#under-way")).to_be_visible()
    assert objections(page) == []
    found = told(page)
    assert any("winners" in str(answer) for answer in sent)
    assert len(sent) > 100
    context = open_browser()
    context.add_init_script("delete globalThis.WebAssembly")
    other = context.new_page()
    other.on("websocket", lambda _: pytest.fail("it lends its cores"))
    analyse(other, record)
    assert told(other) == found


def test_who_stops_an_analysis_goes_on_with_it_later(page: Page, record: Path) -> None:
    analyse(page, record)
    page.get_by_role("button", name="Stop").click()
    page.locator("#analyse").click()
    told(page)

"""Whole games in a real browser."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.table import make_table, play_out


def click(found: Locator) -> None:
    """Press with the mouse."""
    found.click()


def test_a_whole_game_by_mouse(page: Page) -> None:
    make_table(page)
    assert play_out(page, click) > 10
    expect(page.locator("#again")).to_be_visible()

"""Others at the table, in a browser: how they are invited from the same machine (the rest: `test_whole_games.py`)."""

from playwright.sync_api import expect

from tests.browser.access import objections
from tests.browser.conftest import PHONE, Open
from tests.browser.table import make_table


def test_a_local_site_says_how_others_reach_it(open_browser: Open) -> None:
    """And not the address of this machine, which leads all others to themselves."""
    context = open_browser(PHONE, has_touch=True, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    make_table(page, players=2, game="karuba", seat1="friend")
    page.locator("#open-invite").tap()
    dialog = page.locator("#invite")
    expect(dialog).to_be_visible()
    command = dialog.locator("#invite-command").input_value()
    assert command == 'make play ARGS="serve --host 0.0.0.0"'
    assert page.url not in dialog.inner_html()
    dialog.get_by_role("button", name="Copy").tap()
    expect(dialog.get_by_role("status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == command
    assert not objections(page)

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


def test_what_is_hidden_until_it_works_is_not_seen(open_browser: Open) -> None:
    """A button that shares, where the browser cannot; one that tells this device, where nothing takes it."""
    context = open_browser(java_script_enabled=False)
    page = context.new_page()
    make_table(page, players=2, game="karuba", seat1="friend")
    page.locator("#open-invite").click()
    expect(page.locator("#invite")).to_be_visible()
    expect(page.locator("#invite [hidden]")).to_have_count(1)
    expect(page.locator("#invite [hidden]")).not_to_be_visible()
    page.goto("/telling")
    expect(page.locator("#push-on")).not_to_be_visible()

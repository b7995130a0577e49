"""Others at the table, in a browser: how they are invited from the same machine (the rest: `test_whole_games.py`)."""

from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.browser.access import objections
from tests.browser.conftest import PHONE, Open
from tests.browser.table import make_table


def test_a_local_site_lets_devices_on_the_network_join_by_a_switch(open_browser: Open) -> None:
    """By keyboard, in place: the focus stays, and what came of it is announced. The address is not this machine's own,
    which leads all others to themselves.
    """
    context = open_browser(PHONE, has_touch=True, permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    make_table(page, players=2, game="karuba", seat1="friend")
    page.locator("#open-invite").tap()
    dialog = page.locator("#invite")
    expect(dialog).to_be_visible()
    switch = dialog.get_by_role("switch", name="Let devices on this network join")
    expect(switch).not_to_be_checked()
    assert page.url not in dialog.inner_html()
    assert not objections(page)
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_be_checked()
    expect(switch).to_be_focused()
    expect(dialog.get_by_role("status")).to_have_text("Other devices can join now.")
    address = dialog.locator("#invite-address").input_value()
    assert address.endswith(urlsplit(page.url).path)
    assert urlsplit(address).hostname not in ("127.0.0.1", "localhost")
    page.wait_for_function("() => document.querySelector('.qr-code').naturalWidth > 0")
    dialog.get_by_role("button", name="Copy").first.tap()
    expect(dialog.get_by_role("status")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == address
    assert not objections(page)
    page.goto("/")
    off = page.locator(".network-on").get_by_role("switch")
    expect(off).to_be_checked()
    off.tap()
    expect(page.locator(".network-on")).to_have_count(0)


def test_what_is_hidden_until_it_works_is_not_seen(open_browser: Open) -> None:
    """A button that shares, where the browser cannot; one that tells this device, where nothing takes it."""
    context = open_browser(java_script_enabled=False)
    page = context.new_page()
    make_table(page, players=2, game="karuba", seat1="friend")
    page.locator("#open-invite").click()
    expect(page.locator("#invite")).to_be_visible()
    page.locator("#network-switch").click()  # the invitation as a page of its own
    expect(page.locator(".device > .to-copy")).to_be_visible()
    for hidden in page.locator(".device > .to-copy button").all():
        expect(hidden).not_to_be_visible()
    page.locator("#network-switch").click()
    expect(page.locator(".to-copy")).to_have_count(0)
    page.goto("/telling")
    expect(page.locator("#push-on")).not_to_be_visible()

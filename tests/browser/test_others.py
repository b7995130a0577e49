"""Others at the table, in a browser: how they are invited, free seats, and a server that is killed and comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import objections
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import CONTROLS, make_table, version, wait_for_turn
from tests.site import Server

AWAY = ("ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "WebSocket connection", "503 (Service Unavailable)")
"""What the browser's own console says of a server that does not answer."""


@pytest.fixture
def open_server(tmp_path: Path) -> Iterator[Server]:
    """A site that other devices reach, too."""
    found = Server(tmp_path / "home", host="0.0.0.0")
    try:
        found.wait_until_ready("karuba")
        yield found
    finally:
        found.kill()


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


def over_the_bar(page: Page) -> bool:
    """Whether what is said lies over the bar and nowhere else."""
    found: bool = page.evaluate("""() => {
        const [line, bar] = ["line", "bar"].map((id) => document.getElementById(id).getBoundingClientRect());
        return ["left", "top", "right", "bottom"].every((edge) => Math.abs(line[edge] - bar[edge]) < 2);
    }""")
    return found


def test_others_are_invited_and_a_press_waits_for_a_server_that_is_killed(
    open_browser: Open, open_server: Server
) -> None:
    """The dialog has the address for others with a code; the bar says that the server is away, and moves nothing."""
    context = open_browser(DESKTOP, forgive=AWAY, base_url=f"http://127.0.0.1:{open_server.port}")
    context.add_init_script("navigator.share = async (what) => void (window.shared = what);")
    page = context.new_page()
    make_table(page, players=2, game="karuba", seat1="friend")
    path = page.url.partition(f":{open_server.port}")[2]
    page.locator("#open-invite").click()
    expect(page.locator("#invite-address")).to_have_value(open_server.address + path)
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("shared.url") == open_server.address + path
    page.wait_for_function("() => document.querySelector('.qr-code').naturalWidth > 0")
    assert not objections(page)
    page.locator("#invite .close").click()
    page.get_by_text("free seat").first.wait_for()

    assert wait_for_turn(page)
    for count in (1, 2):
        page.locator(CONTROLS).first.click()
        expect(page.locator("#main [aria-pressed=true]")).to_have_count(count)
    page.locator("#confirm").wait_for()
    before, board = version(page), page.locator("#main").bounding_box()
    open_server.kill()
    line = page.get_by_role("alert")
    expect(line).to_contain_text("this page goes on by itself")
    assert over_the_bar(page)
    assert page.locator("#main").bounding_box() == board
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert over_the_bar(page)
    page.locator("#confirm").press("Enter")
    expect(line).to_contain_text("what you pressed is sent when it is back")
    again = Server(open_server.home, open_server.port, host="0.0.0.0")
    try:
        expect(line).to_have_count(0)
        page.wait_for_function(f"() => modules.table.version(modules.table.live()) > {before}")
        expect(page.locator("#prompt")).to_contain_text("You have chosen.")
    finally:
        again.kill()

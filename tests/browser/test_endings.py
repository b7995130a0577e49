"""The end of a game in a browser: it comes without a reload, is shared as a picture, and leads on to the next game."""

import struct
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.access import objections
from tests.browser.conftest import Open
from tests.browser.table import make_table


def test_the_end_that_comes_is_shared_as_a_picture(open_browser: Open) -> None:
    page = open_browser(accept_downloads=True).new_page()
    make_table(page, game="karuba", players=2)
    page.locator("#open-invite, [popovertarget=invite]").first.wait_for(state="attached")
    page.evaluate("document.getElementById('invite').showPopover()")
    expect(page.locator("#invite h2")).to_have_text("Invite others")
    page.keyboard.press("Escape")
    assert page.request.post(f"{page.url}/bots", form={"seat": "0", "bot": "greedy"}).ok
    expect(page.locator("#verdict h2")).to_contain_text("win")
    page.locator("#share").click()
    expect(page.locator("#invite h2")).to_have_text("Share the game")
    with page.expect_download() as download:
        page.locator("#save-picture").click()
    assert download.value.suggested_filename == "Karuba.png"
    content = Path(download.value.path()).read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert width == 1440
    assert 700 < height <= 1040
    assert len(content) > 100_000  # a page without its styles and drawings has a fifth of that
    page.keyboard.press("Escape")
    assert not objections(page)
    page.locator("#table").evaluate(
        """async (table) => {
            const html = table.outerHTML.replace('id="verdict"', 'id="verdict" data-follow="/games/karuba/rules"');
            modules.update.show(html.replace(/data-version="[0-9]+"/, 'data-version="999999999"'), true);
        }"""
    )
    page.wait_for_url("**/games/karuba/rules")  # all have agreed to play again

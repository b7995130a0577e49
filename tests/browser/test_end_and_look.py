"""A table's page besides the game: the end, which is shared and leads on, sounds and themes."""

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


HEARD = """async ([mine, over, turned]) => {
    const main = document.querySelector("script[src$='main.js']").src;
    const { play, soundsOf } = await import(main.replace("main.js", "later/sounds.js"));
    const before = { mine, over, turned };
    play(document.getElementById("table"), before);
    return soundsOf(document.getElementById("table"), before);
}"""
"""Plays what is heard of the table after what was shown, and returns what that is."""


def test_theme_and_sound_are_one_press_and_kept(open_browser: Open) -> None:
    """In all pages of the browser, those that are open included."""
    context = open_browser()
    page = context.new_page()
    other = context.new_page()
    other.goto("/")
    make_table(page, game="costa-ruana")
    paper = "getComputedStyle(document.querySelector('.top')).backgroundColor"
    ground = "getComputedStyle(document.querySelector('.sea')).getPropertyValue('--sea')"
    light = page.evaluate(paper), page.evaluate(ground)
    page.locator("[popovertarget=menu]").first.click()
    page.locator("#menu-settings summary").click()
    page.locator("[data-look=theme][data-to=dark]").click()
    dark = page.evaluate(paper), page.evaluate(ground)
    assert dark[0] != light[0]
    assert dark[1] != light[1]  # of the game's own stylesheet
    page.locator("[data-look=sound]").click()
    expect(page.locator("[data-look=sound]")).to_have_attribute("aria-checked", "false")
    assert not objections(page)
    assert page.evaluate(HEARD, [False, False, []])[-1] == "mine"
    assert page.evaluate(HEARD, [True, False, []]) == []
    page.reload()
    assert (page.evaluate(paper), page.evaluate(ground)) == dark
    expect(page.locator("html[data-sound=off]")).to_have_count(1)
    expect(other.locator("html[data-theme=dark]")).to_have_count(1)
    for theme in ("contrast", ""):
        page.locator(f"[data-look=theme][data-to='{theme}']").dispatch_event("click")
        assert not objections(page)
    assert (page.evaluate(paper), page.evaluate(ground)) == light

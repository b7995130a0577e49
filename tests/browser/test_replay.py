"""Looking back at a finished game in a real browser: steps, the slider, other eyes, playing on."""

import re

from playwright.sync_api import Page, expect

from tests.browser.access import objections
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import make_table


def finished(page: Page) -> str:
    """A game of two bots that is over; returns its address."""
    address = make_table(page, players=2, game="karuba", seat0="bot:greedy")
    expect(page.locator("#table.over")).to_be_visible(timeout=90_000)
    return address


def stands_at(page: Page, move: int) -> None:
    """Expect the page to show the game after so many moves."""
    expect(page.locator("#past-at")).to_have_value(str(move))
    expect(page.locator("#prompt")).to_contain_text(re.compile(rf"\b{move}\b"))


def test_a_finished_game_is_looked_back_at(open_browser: Open) -> None:
    page = open_browser(DESKTOP).new_page()
    address = finished(page)
    page.locator("#look-back").click()
    page.wait_for_url("**/back")
    last = int(page.locator("#past-at").get_attribute("max") or 0)
    stands_at(page, last)
    page.keyboard.press("Home")
    stands_at(page, 0)
    start = page.locator("#main").inner_text()
    page.locator("#step-on").click()
    stands_at(page, 1)
    page.keyboard.press("End")
    stands_at(page, last)
    expect(page.locator(".log-round").nth(1)).to_be_attached()
    page.keyboard.press("Home")
    stands_at(page, 0)
    expect(page.locator("#main")).to_have_text(start, use_inner_text=True)  # the log too
    page.locator("#past-by").select_option("round")
    page.wait_for_url("**by=round**")
    page.locator("#step-on").click()
    expect(page.locator("#prompt")).not_to_contain_text(re.compile(r"\b[01]\b of"))
    page.locator("#past-at").fill("12")
    stands_at(page, 12)
    page.locator("#past-eyes").select_option("open")
    page.wait_for_url(re.compile(r"at=12.*eyes=open"))
    assert objections(page) == []
    page.reload()
    stands_at(page, 12)
    page.locator("#speed").select_option("600")
    page.locator("#playing").click()
    page.wait_for_function("() => document.getElementById('past-at').value > 13")
    page.locator("#playing").click()
    expect(page.locator(".when-still")).to_be_visible()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert objections(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.locator("#play-on").click()
    page.wait_for_url(lambda url: "/back" not in url)
    assert page.url != address
    expect(page.locator("#table")).to_be_visible()


def test_without_scripts_too(open_browser: Open) -> None:
    address = finished(open_browser().new_page())
    page = open_browser(java_script_enabled=False).new_page()
    page.goto(f"{address}/back?at=0")
    page.locator("#step-on").click()
    page.wait_for_url("**at=1&**")
    page.locator("#past-by").select_option("round")
    page.locator(".past-choice").filter(has=page.locator("#past-by")).get_by_role("button").click()
    page.wait_for_url("**by=round**")
    expect(page.locator("#playing")).to_be_hidden()


NEEDED = """(select) => {
    const alone = select.cloneNode();
    alone.replaceChildren(select.selectedOptions[0].cloneNode(true));
    alone.style.cssText = "position: absolute; width: auto; max-width: none; flex: none";
    select.after(alone);
    const width = alone.getBoundingClientRect().width;
    alone.remove();
    return width;
}"""
"""How wide a field is that shows its choice whole."""


def test_a_game_is_looked_back_at_on_a_phone(open_browser: Open) -> None:
    """When it ends, who has scrolled down sees the score, and is told it; the bar leads to what was played, whose
    fields can be read in French, and whose lines of points end at their seats' discs, since a colour never stands
    without its mark.
    """
    page = open_browser(PHONE, locale="fr-FR").new_page()
    make_table(page, players=2, game="karuba", seat0="bot:greedy")
    page.evaluate(
        """setInterval(() => {
            if (!document.querySelector("#table.over")) document.getElementById("main").scrollTop = 9999;
        }, 20)"""
    )
    expect(page.locator("#table.over")).to_be_visible(timeout=90_000)
    expect(page.locator(".final")).to_be_in_viewport(ratio=0.9)
    expect(page.get_by_role("status").filter(has_text="gagne")).to_have_id("prompt")
    page.locator("#look-back").click()
    page.wait_for_url("**/back")
    for name in ("speed", "past-by", "past-eyes"):
        field = page.locator(f"#{name}")
        box = field.bounding_box()
        assert box
        assert box["width"] >= field.evaluate(NEEDED)
    expect(page.locator(".past-points .token")).to_have_count(2)
    for disc in page.locator(".past-points .token").all():
        expect(disc).to_be_visible()

"""Those for whom one waits, in a real browser: their clocks, when they are back, whoever a bot plays for."""

import re

import pytest
from playwright.sync_api import Page, expect

from atoll.web.pages.clocks import LONG
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import make_table
from tests.soak.layout import findings

INSIDE = """([inner, outer]) => {
    const [text, box] = [inner, outer].map((name) => document.querySelector(name).getBoundingClientRect());
    return Math.min(text.left - box.left, box.right - text.right);
}"""
"""How many pixels of the outer element stand left and right of the inner one."""
SOON = ["h3 > .soon .time-left", "h3 > .soon"]


def of_two(host: Page, guest: Page, game: str, clock: str, **fields: str) -> str:
    """A table of these two; returns its address."""
    address = make_table(host, players=3, game=game, seat1="friend", clock=clock, **fields)
    taken = guest.request.post(f"{address}/seats", form={"seat": "1"})
    assert taken.ok
    return address


@pytest.mark.parametrize("game", ["karuba", "costa-ruana", "cast-away"])
def test_who_is_away_and_has_hours_left_fits_beside_the_name(open_browser: Open, game: str) -> None:
    """Item 2: clocks over days, and a note "away until", on a desk and on a phone."""
    host, guest = open_browser().new_page(), open_browser().new_page()
    guest.request.post("/name", form={"name": "Ben"})
    address = of_two(host, guest, game, "days:1")
    guest.request.post(f"{address}/away", form={"until": "2999-12-21"})
    expect(host.locator("#main h3 > .away").first).to_be_visible()
    for size in (DESKTOP, PHONE):
        host.set_viewport_size(size)  # type: ignore[arg-type]
        assert not [str(found) for found in findings(host)]
    expect(host.locator("#menu .seating")).to_contain_text("away until 21 December")


def test_a_clock_that_is_nearly_out_stands_within_its_box(open_browser: Open) -> None:
    host, guest = open_browser().new_page(), open_browser().new_page()
    of_two(host, guest, "karuba", "decision:19")
    host.wait_for_function(f"(named) => document.querySelector(named[1]) && ({INSIDE})(named) >= 3", arg=SOON)


def test_the_page_says_from_when_a_clock_shows_hours_alone(open_browser: Open) -> None:
    """Once, in `web/pages/clocks.py`: the script, which counts down, takes it from the page."""
    host, guest = open_browser().new_page(), open_browser().new_page()
    of_two(host, guest, "karuba", "decision:600")
    left, server = host.locator("h3 > .clock.runs .time-left").first, host.locator("meta[name=atoll-now]")
    expect(left).to_have_text(re.compile("^(10:00|9:..)$"))
    expect(server).to_have_attribute("data-long", str(LONG))
    server.evaluate("server => server.dataset.long = 60")
    expect(left).to_have_text("0 h")


def test_the_clock_in_the_bar_stands_beside_its_picture(open_browser: Open) -> None:
    """Cast Away has styles of its own for what is on the left."""
    host, guest = open_browser().new_page(), open_browser().new_page()
    of_two(host, guest, "cast-away", "days:3")
    middle = "(one) => one.getBoundingClientRect().y + one.getBoundingClientRect().height / 2"
    clock = host.locator(".bar > .clock")
    icon, text = (clock.locator(name).evaluate(middle) for name in ("svg", ".time-left"))
    assert abs(icon - text) < 2


def test_the_bar_has_room_for_its_sentence_on_a_phone(open_browser: Open) -> None:
    """Whoever a bot plays for reads that in a line or two, above the button."""
    host, guest = open_browser(PHONE, locale="fr-FR").new_page(), open_browser().new_page()
    address = of_two(host, guest, "costa-ruana", "days:3")
    host.request.post(f"{address}/bots", form={"seat": "0", "bot": "greedy"})
    expect(host.locator("#bar .call")).to_have_text("Je reprends la main")
    box = host.locator("#prompt").bounding_box()
    assert box is not None
    assert box["height"] < 50


def test_the_end_of_a_game_has_its_button_in_view_while_another_table_waits(open_browser: Open) -> None:
    page = open_browser(PHONE).new_page()
    make_table(page, players=2, game="karuba")
    over = make_table(page, players=2, game="karuba", seat0="bot:greedy")
    page.goto(over)
    expect(page.locator("#table.over")).to_be_visible(timeout=90_000)
    page.goto(over)
    expect(page.locator("#next-table a")).to_be_visible()
    box = page.locator("#bar").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= PHONE["height"]


def test_the_menu_makes_way_for_what_comes_of_it(open_browser: Open) -> None:
    """Item 6: resigning where all agree; on a phone the menu lies over the question."""
    host, guest = open_browser(PHONE).new_page(), open_browser().new_page()
    of_two(host, guest, "costa-ruana", "none")
    host.locator("button[popovertarget=menu]").first.click()
    host.get_by_role("button", name="End the game, if all agree").click()
    expect(host.locator("#agreement")).to_contain_text("give the game up")
    expect(host.locator("#menu")).to_be_hidden()

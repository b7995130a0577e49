"""Bots at a table that is being played: another level, one that plays for somebody for a while, and their advice."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.access import objections
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import make_table, tap, version, wait_for_turn
from tests.browser.test_playing import by_keyboard, tab_to


def test_bots_are_changed_and_play_for_somebody_while_the_game_runs(page: Page) -> None:
    make_table(page, players=2, pace="fast", seat1="bot:easy")
    assert wait_for_turn(page)  # a bot's move would draw the menu anew while it is used
    opens = page.locator("button[popovertarget=menu]").first
    opens.click()
    page.locator("#menu-players summary").click()
    page.locator("#menu select").nth(1).select_option("normal")
    page.locator("#away-until").fill("2030-01-02")
    page.evaluate("""() => {
        for (const one of document.querySelectorAll("#menu form *")) one.title = "as it was";
        modules.update.requestAll();
    }""")
    expect(page.locator("#menu form :is(label, button)[title]")).to_have_count(0)  # drawn anew
    expect(page.locator("#menu select[title]")).to_have_count(1)
    expect(page.locator("#away-until")).to_have_value("2030-01-02")
    page.locator("#say-away").click()
    expect(page.locator("#away-until[title]")).to_have_count(0)  # sent: what the server says is shown again
    expect(page.locator("#menu")).to_be_hidden()
    opens.click()
    page.locator("#change-1").click()
    opens.click()
    expect(page.locator("#sitting-1")).to_contain_text("bot: normal")
    assert not objections(page)
    page.locator("#menu select").first.select_option("easy")
    page.locator("#change-0").click()
    expect(page.locator("#sitting-0")).to_contain_text("bot for you: easy")
    expect(page.locator("#prompt")).to_contain_text("A bot plays for you.")
    before = version(page)
    page.wait_for_function(f"() => Number(document.getElementById('table').dataset.version) > {before} + 3")
    assert not objections(page)
    tab_to(page, page.locator("#confirm"))
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).not_to_contain_text("A bot plays for you.")
    assert wait_for_turn(page)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["keyboard", "finger"])
def test_a_hint_is_asked_for_chosen_and_played(open_browser: Open, size: dict[str, int]) -> None:
    page = open_browser(size, has_touch=size is PHONE).new_page()
    press = tap if size is PHONE else by_keyboard
    make_table(page, players=2, seat1="bot:easy")
    assert wait_for_turn(page)
    held: list[Route] = []
    page.route("**/hint", lambda route: held.append(route))
    with page.expect_request("**/hint"):  # after the browser has searched
        press(page, page.locator("#hint"))
    expect(page.locator("#hint[aria-busy=true]")).to_have_text("Thinking…")
    assert not objections(page)
    held[0].continue_()
    expect(page.locator(".hinted")).to_have_count(3)
    assert not objections(page)
    press(page, page.locator("#hint-2"))
    expect(page.locator("#hint-2[aria-pressed=true]")).to_be_visible()
    expect(page.locator("#main .chosen")).not_to_have_count(0)
    assert not objections(page)
    before = version(page)
    press(page, page.locator("#confirm"))
    page.wait_for_function(f"() => Number(document.getElementById('table').dataset.version) > {before}")
    expect(page.locator(".hinted")).to_have_count(0)

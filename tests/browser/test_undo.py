"""Taking moves back and clocks, with two persons in two browsers."""

import random
import re

from playwright.sync_api import Page, expect

from tests.browser.access import objections
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import click, press_anything, version


def play_one(page: Page, chance: random.Random) -> None:
    """Play one whole move."""
    page.wait_for_selector("#table .bar.mine")
    while page.locator(".bar.mine").count():
        press_anything(page, chance, click)
        if not page.locator("#confirm").count() and not page.locator(".cancel").count():
            return


def test_a_move_is_taken_back_by_consent_while_clocks_run(open_browser: Open) -> None:
    """Who asks sees that it waits, the other is asked at the bar and agrees; both clocks are counted down."""
    maker, other = open_browser(DESKTOP).new_page(), open_browser(PHONE, locale="fr-FR").new_page()
    made = maker.request.post(
        "/tables",
        form={
            "game": "costa-ruana",
            "players": "2",
            "seat1": "friend",
            "clock": "player:600+10",
            "pace": "at once",
        },
    )
    address = made.url
    other.goto(address)
    other.locator("#confirm").click()
    maker.goto(address)
    expect(maker.locator(".bar > .clock")).to_be_visible()
    shown = maker.locator(".bar > .clock .time-left")
    expect(shown).to_have_text(re.compile(r"^\d:\d\d$"))  # counted down since 10:00
    chance = random.Random(3)
    first, second = (maker, other) if maker.locator(".bar.mine").count() else (other, maker)
    play_one(first, chance)
    play_one(second, chance)
    before = version(first)
    first.locator("#undo").click()
    expect(first.locator("#undo-withdraw")).to_be_visible()
    expect(second.locator("#undo-agree")).to_be_visible()
    for page in (maker, other):
        assert objections(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    second.locator("#undo-agree").click()
    expect(first.locator("#undo-question")).to_have_count(0)
    expect(first.locator(".bar.mine")).to_be_visible()
    assert version(first) > before
    expect(maker.locator("#log")).to_contain_text("all have agreed")

"""Cast Away in a real browser: a whole game, what the places tell, and that a phone is enough for all of it."""

import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import objections
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import (
    Press,
    click,
    make_table,
    play_out,
    press_anything,
    tap,
    version,
    wait_for_turn,
)
from tests.browser.test_playing import by_keyboard

SMALL = """() => [...document.querySelectorAll("#main :is(button, a.small-button)")].filter((button) => {
  const box = button.getBoundingClientRect();
  return box.width && (box.width < 43.5 || box.height < 43.5);
}).map((button) => button.getAttribute("aria-label") || button.textContent.trim())"""
"""Buttons of the table that a finger would miss."""


def test_a_game_from_its_first_rounds_to_its_score(open_browser: Open) -> None:
    """By finger on a phone by night, the last rounds by a bot: in no phase anything to object to, nor, where a phase
    asks more than one thing, on a desktop by day; no button is too small. At the end every column of the score is on
    the screen.
    """
    page = open_browser(PHONE, color_scheme="dark", has_touch=True).new_page()
    make_table(page, players=2, game="cast-away")
    found: dict[tuple[str, int, int], list[object]] = {}

    def look(page: Page) -> None:
        phase = page.locator(".phase.now").all_inner_texts() or ["over"]
        position = (phase[0], page.locator("#question").count(), page.locator("#told").count())
        if position in found:
            return
        new_phase = phase[0] not in {seen for seen, _, _ in found}
        found[position] = page.evaluate(SMALL)
        if new_phase:
            found[position] += objections(page)
        else:
            page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
            page.emulate_media(color_scheme="light")
            found[position] += objections(page)
            page.set_viewport_size(PHONE)  # type: ignore[arg-type]
            page.emulate_media(color_scheme="dark")

    assert play_out(page, press=tap, look=look, most=24) == 24
    assert {phase for phase, _, _ in found} >= {"Actions", "over"}  # which others come depends on the deal
    assert not {position: problems for position, problems in found.items() if problems}
    expect(page.locator(".scores .total .won")).not_to_have_count(0)
    for total in page.locator(".scores .total td").all():
        box = total.bounding_box()
        assert box
        assert box["x"] + box["width"] <= PHONE["width"]


def play_a_round(page: Page, press: Press) -> None:
    """Play at random until the second round has begun."""
    chance = random.Random(3)
    while wait_for_turn(page) and "Round 1 of" in (page.locator(".round").text_content() or ""):
        press_anything(page, chance, press)


def test_a_round_by_keyboard(page: Page) -> None:
    make_table(page, players=2, game="cast-away")
    play_a_round(page, by_keyboard)


def play_until_an_action(page: Page) -> None:
    """Play at random until a meeple is to be placed."""
    chance = random.Random(1)
    while wait_for_turn(page) and page.locator("#question").count():
        press_anything(page, chance, click)


def test_places_tell_what_they_would_give_now(page: Page) -> None:
    make_table(page, players=2, game="cast-away")
    play_until_an_action(page)
    page.locator(".at-water").hover()
    expect(page.locator("#words-water .now")).to_be_visible()
    expect(page.locator("#words-water .now")).to_have_text("For you now: 2 water")
    page.mouse.move(0, 0)
    expect(page.locator("#words-water")).to_be_hidden()
    page.locator("#press-water").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#words-water .now")).to_be_visible()


def test_a_closed_place_says_why_in_the_bar(open_browser: Open) -> None:
    """By mouse, by finger and by keyboard, in place of what is asked, until the next choice; it covers no button.
    Without scripts the place's own words say so.
    """
    context = open_browser(PHONE, has_touch=True)
    page = context.new_page()
    closed, why = page.locator("#about-construction"), page.locator("#bar [role=status] #why")
    make_table(page, players=2, game="cast-away")
    play_until_an_action(page)
    assert closed.count(), "in some deals one can pay for a construction at once: another has to be dealt"
    plain = open_browser(java_script_enabled=False, storage_state=context.storage_state()).new_page()
    plain.goto(page.url)
    plain.locator("#about-construction").click()
    expect(plain.locator("#words-construction .now")).to_have_text(
        "For you now: nothing that you can pay for"
    )
    asked = page.locator("#prompt").inner_text()
    for press in (tap, click, by_keyboard):
        press(page, closed)
        expect(why).to_have_text("Construction: nothing that you can pay for")
        page.keyboard.press("Escape")
        expect(why).to_have_count(0)
        expect(page.locator("#prompt")).to_have_text(asked, use_inner_text=True)
    closed.tap()
    page.locator(".round").tap()
    expect(why).to_have_count(0)
    closed.tap()
    page.locator("#press-water").tap()
    expect(why).to_have_count(0)
    expect(page.locator("#confirm")).to_be_visible()
    closed.tap()
    expect(why).to_be_visible()
    assert not objections(page)
    before = version(page)
    page.locator("#confirm").tap()  # fails if something lies over it
    page.wait_for_function("before => modules.table.version(modules.table.live()) > before", arg=before)
    expect(why).to_have_count(0)


@pytest.mark.parametrize("forced", ["none", "active"])
def test_places_that_can_be_pressed_stand_out(open_browser: Open, forced: str) -> None:
    """In the colours of the table and in those that the system forces; what cannot be pressed looks closed."""
    page = open_browser(forced_colors=forced).new_page()
    make_table(page, players=2, game="cast-away")
    play_until_an_action(page)
    looks = page.evaluate("""() => [...document.querySelectorAll(".place:not(#compass)")].map((place) => {
        const plaque = getComputedStyle(place.querySelector(".plaque"));
        const look = [getComputedStyle(place).outlineStyle, plaque.borderTopStyle, plaque.boxShadow !== "none"];
        return [place.querySelector(":scope > .press-form") !== null, look.join(" ")];
    })""")
    touchable, closed = ({look for can, look in looks if can is wanted} for wanted in (True, False))
    assert touchable
    assert closed
    assert touchable.isdisjoint(closed)


STICKING_OUT = """tray => [...document.querySelectorAll(`${tray} li`)].filter((part) =>
  part.getBoundingClientRect().right > document.querySelector(tray).getBoundingClientRect().right
).map((part) => part.textContent.trim())"""
"""What does not fit into a board."""


def test_on_a_phone_everything_is_a_tap_away(open_browser: Open) -> None:
    """Own things stay on the screen; a place tells what it gives before it is taken; a rival's board opens."""
    page = open_browser(PHONE, has_touch=True).new_page()
    make_table(page, players=2, game="cast-away")
    play_until_an_action(page)
    for own in (".hand .stores", ".hand .tonight", ".hand .figures"):
        expect(page.locator(own)).to_be_in_viewport(ratio=1)
    assert page.evaluate(STICKING_OUT, ".left > .tray > .lore") == []
    page.locator("#press-water").tap()
    expect(page.locator("#told .now")).to_be_in_viewport(ratio=1)
    expect(page.locator("#told .now")).to_have_text("For you now: 2 water")
    page.locator(".bar .cancel").tap()
    expect(page.locator("#told")).to_have_count(0)
    page.locator("#open-1").tap()
    for part in ("stores", "slots", "experience", "held", "tonight"):
        expect(page.locator(f"#board-1 .{part}")).to_be_visible()
    assert page.evaluate(STICKING_OUT, "#board-1 .lore") == []
    page.locator("#board-1 .close").tap()
    expect(page.locator("#board-1 .slots")).to_be_hidden()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_four_players_on_a_laptop_see_the_log(open_browser: Open, language: str) -> None:
    """Below the players and the event, in what is left of the screen; its last line is in view."""
    page = open_browser({"width": 1366, "height": 768}, locale=language).new_page()
    make_table(page, players=4, game="cast-away")
    chance = random.Random(2)
    while wait_for_turn(page) and page.locator("#question, #told").count():
        press_anything(page, chance, click)
    log, last = page.locator("#log"), page.locator(".log-entry").last
    expect(log).to_be_visible()
    expect(last).to_be_in_viewport()
    box = log.bounding_box()
    assert box is not None
    assert box["height"] > 90
    assert box["y"] + box["height"] <= 768

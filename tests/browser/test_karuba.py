"""Karuba in a real browser: secret choices, laying by dragging or pressing, the final score as a picture."""

import random

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.access import Inspector
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import click, make_table, play_out, press_anything, tap, wait_for_turn
from tests.browser.test_playing import InTurn, by_keyboard
from tests.browser.wrappers import let_wrap

CORNER = "A card lies edge to edge with a card of your island: a corner is not enough."


@pytest.mark.parametrize(
    ("size", "colours"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop by day", "phone by night"]
)
def test_a_game_by_mouse_and_keyboard_or_finger(
    open_browser: Open, size: dict[str, int], colours: str
) -> None:
    """Every phase, the last rounds by a bot, and nothing to object to in any of them."""
    page = open_browser(size, color_scheme=colours, has_touch=size is PHONE).new_page()
    make_table(page, players=2, game="karuba")
    inspector = Inspector()
    assert play_out(page, press=tap if size is PHONE else InTurn(), look=inspector, most=20) == 20
    assert len(inspector.found) >= 5
    assert not inspector.problems
    expect(page.locator(".final .won")).not_to_have_count(0)
    total = page.locator(".adventurers .now b").inner_text().split()[0]
    expect(page.locator(".final tr").filter(has_text="You").locator("td.total")).to_have_text(total)


def two_friends(open_browser: Open) -> tuple[Page, Page]:
    """A table for two people, both looking at it."""
    host, guest = open_browser().new_page(), open_browser().new_page()
    address = make_table(host, players=2, game="karuba", seat0="me", seat1="friend")
    guest.goto(address)
    guest.get_by_role("button", name="Play as Blue").first.click()
    expect(guest.locator(".tray")).to_be_visible()
    return host, guest


def choose(page: Page, *cards: int) -> None:
    """Choose two cards of the hand by their places in it, and say so."""
    for index in cards:
        page.locator(".hand-part .slot button.press").nth(index).click()
        expect(page.locator(".hand-part .slot.chosen")).to_have_count(cards.index(index) + 1)
    page.locator("#confirm").click()


def test_a_choice_is_secret_and_can_be_taken_back_until_all_have_chosen(open_browser: Open) -> None:
    host, guest = two_friends(open_browser)
    choose(host, 0, 1)
    expect(host.locator(".secret .card")).to_have_count(2)
    expect(guest.locator("#player-0 .face-down")).to_have_count(2)
    expect(guest.locator("[id^=card-0-]")).to_have_count(0)
    host.get_by_role("button", name="Take it back").click()
    expect(guest.locator("#player-0 .face-down")).to_have_count(0)
    choose(host, 1, 2)
    choose(guest, 0, 1)
    for page in (host, guest):
        expect(page.locator(".sum .total")).to_have_count(2)
        expect(page.locator(".sum.lowest")).not_to_have_count(0)
        expect(page.locator(".face-down.piece")).to_have_count(0)


def play_until(page: Page, phase: str) -> None:
    """Play at random until something is asked in this phase."""
    chance = random.Random(4)
    while wait_for_turn(page) and page.locator(".phase.now").inner_text() != phase:
        press_anything(page, chance, click)


def test_a_closed_place_says_why_in_the_bar(open_browser: Open) -> None:
    """KA-6: before the first card, and later where a card would touch only a corner; without scripts the place's own
    words say so.
    """
    context = open_browser()
    page, chance = context.new_page(), random.Random(4)
    make_table(page, players=2, game="karuba")
    play_until(page, "Lay")
    closed, why = page.locator("#board .reach > .about").first, page.locator("#bar [role=status] #why")
    closed.click()
    expect(why).to_have_text("Your first card lies in the middle: the island grows from there to all sides.")
    laid = page.locator("#board .cell.card:not(.can)")
    while wait_for_turn(page) and not (laid.count() and closed.count()):
        press_anything(page, chance, click)
    expect(why).to_have_count(0)
    for press in (click, by_keyboard):
        press(page, closed)
        expect(why).to_have_text(CORNER)
        expect(page.locator("#closed-corner")).to_be_hidden()
        page.keyboard.press("Escape")
        expect(why).to_have_count(0)
    plain = open_browser(java_script_enabled=False, storage_state=context.storage_state()).new_page()
    plain.goto(page.url)
    plain.locator("#board .reach > .about").first.click()
    expect(plain.locator("#closed-corner")).to_have_text(CORNER)


def drag(page: Page, piece: Locator, place: Locator) -> None:
    """Drag a piece to a place."""
    start, goal = piece.bounding_box(), place.bounding_box()
    assert start
    assert goal
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=5)
    page.mouse.up()


def test_a_card_is_laid_by_dragging_it(page: Page) -> None:
    make_table(page, players=2, game="karuba")
    play_until(page, "Lay")
    before = page.locator(".board .cell.card").count()
    drag(page, page.locator(".tray [data-drag] .card").first, page.locator("[data-drop]").first)
    expect(page.locator(".board .tried")).to_have_count(1)
    page.locator("#confirm").click()
    expect(page.locator(".board .cell.card")).not_to_have_count(before)


def test_a_card_that_is_dropped_glides_from_there(open_browser: Open) -> None:
    page = open_browser(reduced_motion="no-preference").new_page()
    let_wrap(page, "motion", "moves")
    make_table(page, players=2, game="karuba")
    chance, pressable = random.Random(4), page.locator(".tray [data-drag]:has(button.press) .card")
    while wait_for_turn(page) and not pressable.count():
        press_anything(page, chance, click)
    page.evaluate(
        "modules.motion.settle()"
    )  # what is dealt glides to its place; a box taken meanwhile is on the way
    page.evaluate("""() => {
        window.around = { moves: (moves, before, ...rest) => {
            window.left = Object.fromEntries(Array.from(before, ([id, { box }]) => [id, [box.x, box.y]]));
            return moves(before, ...rest);
        } };
    }""")
    card, place = pressable.first, page.locator("[data-drop]").first
    name, box, goal = card.get_attribute("id"), card.bounding_box(), place.bounding_box()
    assert box
    assert goal
    drag(page, card, place)
    expect(page.locator("#confirm")).to_be_visible()
    middle = goal["x"] + (goal["width"] - box["width"]) / 2, goal["y"] + (goal["height"] - box["height"]) / 2
    assert page.evaluate("(name) => left[name]", name) == pytest.approx(middle, abs=10)


def test_a_card_that_is_dropped_elsewhere_goes_back(page: Page) -> None:
    make_table(page, players=2, game="karuba")
    play_until(page, "Lay")
    card, asked = page.locator(".tray [data-drag] .card").first, "modules.requests.questions"
    before = card.bounding_box(), page.evaluate(asked)
    drag(page, card, page.locator("#sums-heading"))
    expect(page.locator(".dragging")).to_have_count(0)
    assert (card.bounding_box(), page.evaluate(asked)) == before


def test_the_sixteen_cards_are_at_hand_on_a_phone(open_browser: Open) -> None:
    page = open_browser(PHONE, has_touch=True).new_page()
    make_table(page, players=2, game="karuba")
    page.locator("#open-cards").tap()
    expect(page.locator(".sixteen li")).to_have_count(16)
    expect(page.locator(".sixteen li").first).to_be_visible()
    page.locator("#cards .close").tap()
    expect(page.locator(".sixteen li").first).to_be_hidden()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("players", [4, 5, 6])
def test_no_name_in_the_sums_is_cut(open_browser: Open, size: dict[str, int], players: int) -> None:
    """Where there is no room for them the marks stand alone, alike in every sum, and screen readers say the names."""
    page = open_browser(size).new_page()
    make_table(page, players=players, game="karuba")
    wait_for_turn(page)
    choose(page, 0, 1)
    expect(page.locator(".sum .total.wait")).to_have_count(0)
    sums = page.locator("#sums")
    assert [name for name in ("Green", "Yellow") if name not in sums.aria_snapshot()] == []
    cut = """all => all.filter(name => name.clientWidth > 1 && name.scrollWidth > name.clientWidth).length"""
    assert sums.locator(".who b").evaluate_all(cut) == 0
    below = """all => new Set(all.map(mark => Math.round(mark.getBoundingClientRect().top))).size"""
    assert sums.locator(".token").evaluate_all(below) == 1


LONG = "Wolfeschlegelsteinhausen"
"""As long as a name may be."""


def test_a_long_name_ends_in_an_ellipsis_and_is_told_in_full(open_browser: Open) -> None:
    """Beside an island on a phone and in the final score, whole words stand or the beginning of one; nothing leaves its
    panel.
    """
    page = open_browser(PHONE).new_page()
    seats = {f"seat{seat}": "here" for seat in range(1, 6)} | {
        f"name{seat}": LONG[seat:] for seat in range(1, 6)
    }
    make_table(page, players=6, game="karuba", **seats)
    name = page.locator("#player-1 .short-name")
    expect(name).to_have_attribute("title", f"\N{FIRST STRONG ISOLATE}{LONG[1:]}\N{POP DIRECTIONAL ISOLATE}")
    expect(page.get_by_role("heading", name=LONG[1:], exact=True)).to_be_attached()
    assert (
        name.evaluate("name => name.scrollWidth > name.clientWidth && getComputedStyle(name).textOverflow")
        == "ellipsis"
    )
    lines = """all => all.map(name => { const text = document.createRange(); text.selectNodeContents(name);
        return new Set([...text.getClientRects()].map(line => Math.round(line.top))).size; })"""
    assert page.locator(".short-name").evaluate_all(lines) == [1] * 5

"""What tests do at a table: make one, find what can be pressed, play on."""

import random
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

CONTROLS = "#table button.press:not(.entry):not(.about):not([aria-pressed=true])"
"""Whatever moves a game on: pieces to press and the bar's button."""


def make_table(page: Page, *, players: int = 4, pace: str = "at once", **seats: str) -> str:
    """Make a table with the start page's form and return its address."""
    page.goto("/")
    form = page.locator("form.new-table").first
    details = form.locator("details")
    if not details.evaluate("element => element.open"):
        details.locator("summary").click()
    form.locator("select[name=players]").select_option(str(players))
    form.locator("select[name=pace]").select_option(pace)
    for seat, who in seats.items():
        form.locator(f"select[name={seat}]").select_option(who)
    form.get_by_role("button", name="Make this table").click()
    page.wait_for_url("**/tables/*")
    return page.url


def version(page: Page) -> int:
    """The version of the table that the page shows."""
    return int(page.locator("#table").get_attribute("data-version") or -1)


def wait_for_turn(page: Page) -> bool:
    """Wait until something is asked of the page's seat; False if the game is over."""
    page.wait_for_selector("#table .bar.mine, #table.over")
    return page.locator("#table.over").count() == 0


def controls(page: Page) -> list[Locator]:
    """What can be pressed now to move on."""
    return page.locator(CONTROLS).all()


def state(page: Page) -> str:
    """What changes with every press."""
    return f"{version(page)} {page.url}"


def press_anything(page: Page, chance: random.Random, press: Callable[[Locator], None]) -> None:
    """Press one of the things that can be pressed, the bar's button first, and wait until something came of it."""
    confirm = page.locator("#confirm")
    found = confirm if confirm.count() else chance.choice(controls(page))
    before = state(page)
    press(found)
    page.wait_for_function(
        "before => `${document.getElementById('table').dataset.version} ${location.href}` !== before",
        arg=before,
    )


def play_out(
    page: Page, press: Callable[[Locator], None], seed: int = 1, look: Callable[[], None] | None = None
) -> int:
    """Play the game to its end, pressing at random; returns how many presses that took."""
    chance = random.Random(seed)
    presses = 0
    while wait_for_turn(page):
        if look is not None:
            look()
        press_anything(page, chance, press)
        presses += 1
    expect(page.locator("#table.over")).to_be_visible()
    return presses

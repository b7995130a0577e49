"""A stranger's path: change a tile, learn what it does, play it, in the browser alone."""

import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser.access import objections
from tests.browser.conftest import DESKTOP, PHONE, Open


@pytest.mark.parametrize(("size", "locale"), [(DESKTOP, "en-GB"), (PHONE, "fr-FR")])
def test_a_tile_is_changed_tried_and_played(open_browser: Open, size: dict[str, int], locale: str):
    page: Page = open_browser(size, forgive="422", locale=locale).new_page()
    page.goto("/")
    page.locator("#new-karuba a[href$='/workshop']").click()
    page.wait_for_url("**/workshop")
    assert objections(page) == []
    page.locator("#ws-begin").click()
    page.locator("#entry-cards-2 .ws-open").click()
    entry = page.locator("#entry-cards-2.open")
    crystals = entry.locator("[name='v:cards[2].crystals']")
    crystals.fill("99")
    crystals.press("Enter")
    expect(page.locator("#entry-cards-2 [aria-invalid]")).to_be_focused()
    assert objections(page) == []
    crystals.fill("4")
    crystals.evaluate("field => [1, 2].forEach(() => field.form.requestSubmit())")  # as who presses twice
    expect(page.locator("[aria-invalid]")).to_have_count(0)
    expect(page.locator("#ws-state .ws-good")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".ws-fault")).to_have_count(0)
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert width <= 0
    page.locator("#ws-ask [name=games]").select_option("200")
    crystals.fill("5")  # is applied by what is asked about it
    page.locator("#ws-compare").click()
    expect(page.locator("#trial")).to_be_attached()
    expect(crystals).to_have_value("5")
    expect(page.locator(".ws-findings li").first).to_be_visible(timeout=240_000)
    assert objections(page) == []
    expect(page.locator("#ws-ask [name=against]")).to_have_value("1")
    page.locator("#ws-play").click()
    expect(page.locator("#table")).to_be_visible()
    table = page.url.rpartition("/")[2].partition("?")[0]
    page.goto(f"/games/karuba/components?table={table}")
    expect(page.locator("#card-3")).to_contain_text("5")


def ask(page: Page, games: str) -> str:
    """Change the set, ask what that does, and wait for the answer: its figures."""
    page.goto("/games/karuba/workshop")
    page.locator("#ws-begin").click()
    page.locator("#entry-cards-2 .ws-open").click()
    page.locator("#entry-cards-2.open [name='v:cards[2].crystals']").fill("5")
    page.locator("#ws-ask [name=games]").select_option(games)
    page.locator("#ws-compare").click()
    expect(page.locator(".ws-findings li").first).to_be_visible(timeout=240_000)
    return page.locator(".ws-findings").inner_text()


def test_what_the_browser_plays_has_the_figures_of_the_server(open_browser: Open):
    """Where it can play, in chunks; the server where it cannot."""
    page = open_browser().new_page()
    told: list[tuple[str, int]] = []

    def note(answer: Response) -> None:
        if "trial/games" in answer.url:
            told.append((answer.request.method, answer.status))

    page.on("response", note)
    figures = ask(page, "1000")
    assert told == [("GET", 200), *[("POST", 204)] * 4]
    context = open_browser()
    context.add_init_script("delete globalThis.WebAssembly")
    without = context.new_page()
    without.on("response", note)
    assert ask(without, "1000") == figures
    assert len(told) == 5


def test_the_workshop_works_without_scripts(open_browser: Open):
    page = open_browser(java_script_enabled=False).new_page()
    page.goto("/games/costa-ruana/workshop")
    page.locator("#ws-begin").click()
    page.locator("#entry-game .ws-open").click()
    page.locator("[name='v:game.treasure_points']").fill("3")
    page.locator("#entry-game button.call").click()
    expect(page.locator("#ws-state .ws-good")).to_contain_text("1 change since version 1.")
    page.locator("#ws-play").click()
    expect(page.locator("#table")).to_be_visible()


def test_who_goes_back_finds_the_new_set_in_the_list(page: Page) -> None:
    """The browser has kept the page as it was left."""
    page.add_init_script(
        "addEventListener('pageshow', (shown) => shown.persisted && (sessionStorage.kept = 'yes'))"
    )
    page.goto("/games/costa-ruana/workshop")
    page.locator("#ws-begin").click()
    expect(page.locator("#workshop")).to_be_visible()
    page.go_back(wait_until="commit")
    expect(page.get_by_role("heading", name="Your sets")).to_be_visible()
    page.wait_for_function("() => sessionStorage.kept === 'yes'")

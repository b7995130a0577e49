"""The start page in a real browser: seats, the list of tables, putting away and deleting; with and without scripts."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import make_table, post_table


def make_tables(page: Page, count: int) -> list[str]:
    """Make that many tables for two people; returns their addresses."""
    return [post_table(page, players=2, game="karuba", seat1="friend") for _ in range(count)]


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_list_folds_and_a_table_is_archived_and_deleted(open_browser: Open, scripts: bool) -> None:
    page = open_browser(DESKTOP, forgive="404", java_script_enabled=scripts).new_page()
    addresses = make_tables(page, 5)
    page.goto("/")
    rows = page.locator("#tables li:visible")
    expect(rows).to_have_count(3)
    page.locator("#more-tables > summary").click()
    expect(rows).to_have_count(5)
    page.get_by_role("button", name="Archive Karuba").first.click()
    expect(page.locator("#archived-tables > summary")).to_have_text("1 archived table")
    page.get_by_role("link", name="Delete Karuba").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Delete this table?")
    page.locator("#keep").click()
    page.get_by_role("link", name="Delete Karuba").first.click()
    page.wait_for_url("**/delete")
    deleted = page.url.removesuffix("/delete")
    assert deleted in addresses
    page.get_by_role("button", name="Delete for everybody").click()
    expect(page.locator(f'#tables a[href="{deleted[deleted.index("/tables") :]}"]')).to_have_count(0)
    answer = page.goto(deleted)
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")
    page.get_by_role("link", name="Home page").click()
    expect(page.locator("#tables")).to_be_visible()


def test_an_open_page_of_a_deleted_table_says_so(open_browser: Open) -> None:
    host, guest = open_browser().new_page(), open_browser(forgive="404").new_page()
    address = make_table(host, players=2, game="karuba", seat1="friend")
    guest.goto(address)
    expect(guest.locator("#board")).to_be_visible()
    host.goto(f"{address}/delete")
    host.locator("#delete").click()
    expect(guest.get_by_role("heading", level=1)).to_have_text("Not found")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_there_are_as_many_seats_as_players_are_chosen(open_browser: Open, size: dict[str, int]) -> None:
    page = open_browser(size, java_script_enabled=False).new_page()
    page.goto("/")
    form = page.locator("#new-karuba")
    form.locator(".options > summary").click()
    seats = form.locator(".seats li:visible")
    expect(seats).to_have_count(2)
    form.locator("select[name=players]").select_option("5")
    expect(seats).to_have_count(5)
    expect(form.locator(".seats-help")).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_the_island_of_somebody_else_is_enlarged_by_keyboard(open_browser: Open, scripts: bool) -> None:
    page = open_browser(DESKTOP, java_script_enabled=scripts).new_page()
    make_table(page, players=3, game="karuba")
    large = page.locator("#island-1")
    expect(large).to_be_hidden()
    page.locator("#enlarge-1").focus()
    page.keyboard.press("Enter")
    expect(large).to_be_visible()
    box = large.bounding_box()
    assert box is not None
    assert box["height"] > 600
    page.keyboard.press("Escape")
    expect(large).to_be_hidden()


def options_of_a_new_table(page: Page) -> Locator:
    """The form for a new table, with its options open."""
    page.goto("/")
    form = page.locator("#new-karuba")
    form.locator("details.options > summary").click()
    return form


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_who_takes_a_second_seat_changes_places_or_gets_the_form_back(
    open_browser: Open, scripts: bool
) -> None:
    """Nothing of what was filled in is lost."""
    page = open_browser(DESKTOP, forgive="400", java_script_enabled=scripts).new_page()
    form = options_of_a_new_table(page)
    seats = [form.locator(f"select[name=seat{number}]") for number in range(3)]
    form.locator("select[name=players]").select_option("3")
    seats[2].select_option("here")
    form.locator("input[name=name2]").fill("Ann")
    seats[1].select_option("bot:easy")
    seats[1].select_option("me")
    form.get_by_role("button", name="Make this table").click()
    if not scripts:
        expect(form.get_by_role("alert")).to_have_text(
            "You can sit in one seat only: say who plays in the other."
        )
        expect(seats[1]).to_have_value("me")
        expect(form.locator("input[name=name2]")).to_have_value("Ann")
        seats[0].select_option("bot:easy")
        form.get_by_role("button", name="Make this table").click()
    page.wait_for_url("**/tables/*")
    page.goto("/")
    expect(page.locator("#tables li .company")).to_have_text("You, Ann, and 1 bot")


def test_a_guests_name_changes_places_with_its_seat(open_browser: Open) -> None:
    page = open_browser(DESKTOP).new_page()
    form = options_of_a_new_table(page)
    form.locator("select[name=seat1]").select_option("here")
    form.locator("input[name=name1]").fill("Ann")
    form.locator("select[name=seat1]").select_option("me")
    expect(form.locator("select[name=seat0]")).to_have_value("here")
    expect(form.locator("input[name=name0]")).to_have_value("Ann")
    expect(form.locator("input[name=name1]")).to_have_value("")

"""axe-core finds nothing to object to on the pages around the tables; whole games look at the tables themselves."""

import re
from pathlib import Path

from playwright.sync_api import Browser, expect

from bench.sizes import Gallery
from tests.browser.access import objections
from tests.browser.conftest import PHONE, Open


def test_nothing_to_object_to_on_a_start_page_with_all_open(open_browser: Open) -> None:
    page = open_browser().new_page()
    page.goto("/")
    for summary in page.locator("summary").all():
        summary.click()
    assert not objections(page)


def test_nothing_to_object_to_on_any_page(chromium: Browser, tmp_path: Path) -> None:
    """On those around the tables, a newcomer's and of somebody who has played, on a phone in French; on rules also on a
    desk by night. Colours of the others by night are looked at in `test_everyone.py`.
    """
    with Gallery(tmp_path) as gallery:
        pages = gallery.others("fr")
        assert {"start-own-fr", "room-fr", "history-fr"} <= pages.keys()
        for name, _, page in gallery.show(chromium, pages, ["390"]):
            assert not objections(page), name
        rules = {name: page for name, page in pages.items() if "-rules-" in name}
        assert rules
        for name, _, page in gallery.show(chromium, rules, ["1366"], color_scheme="dark"):
            assert not objections(page), name


def test_rules_are_searched_and_folded(open_browser: Open) -> None:
    """Accents and case do not matter, Enter goes on; on a phone the contents open and close by a chapter."""
    page = open_browser(PHONE, locale="fr").new_page()
    page.goto("/games/karuba/rules")
    assert not objections(page)
    page.get_by_role("searchbox").fill("RECOLTE")
    expect(page.locator("#found")).to_have_text("rien trouvé")
    page.get_by_role("searchbox").fill("DEFAUSSE")
    expect(page.locator("mark.found.now")).to_have_text(re.compile("défausse", re.IGNORECASE))
    expect(page.locator("#found")).to_have_text(re.compile("^1 sur"))
    page.get_by_role("searchbox").press("Enter")
    expect(page.locator("#found")).to_have_text(re.compile("^2 sur"))
    page.get_by_role("searchbox").fill("")
    expect(page.locator("mark.found")).to_have_count(0)
    page.get_by_role("button", name="Sommaire").click()
    page.locator("#contents").get_by_role("link", name="Fin de la partie").click()
    expect(page.locator("#contents")).to_be_hidden()
    expect(page).to_have_url(re.compile("#end$"))

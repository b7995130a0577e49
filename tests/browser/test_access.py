"""axe-core finds nothing to object to on the pages around the tables; whole games look at the tables themselves."""

import re
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.access import objections
from tests.browser.conftest import DESKTOP, PHONE, Open


@pytest.mark.parametrize("path", ["/", "/games/costa-ruana/rules", "/nowhere"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_to_object_to(open_browser: Open, path: str, language: str) -> None:
    page = open_browser(locale=language, forgive="404 (Not Found)").new_page()
    page.goto(path)
    if path == "/":
        for summary in page.locator("summary").all():
            summary.click()
    assert not objections(page)


@pytest.mark.parametrize("game", ["karuba", "cast-away", "costa-ruana"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_rules_are_for_everybody(open_browser: Open, game: str, scheme: Literal["light", "dark"]) -> None:
    """On a desk and on a phone nothing to object to, and nothing wider than the page."""
    for size, language in ((DESKTOP, "en"), (PHONE, "fr")):
        page = open_browser(size, locale=language, color_scheme=scheme).new_page()
        page.goto(f"/games/{game}/rules")
        assert not objections(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_rules_are_searched_and_folded(open_browser: Open) -> None:
    """Accents and case do not matter, Enter goes on; on a phone the contents open and close by a chapter."""
    page = open_browser(PHONE, locale="fr").new_page()
    page.goto("/games/karuba/rules")
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

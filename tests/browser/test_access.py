"""axe-core finds nothing to object to where something was opened or found; `test_everyone.py` has the pages around the
tables, and whole games look at the tables themselves.
"""

import re

from playwright.sync_api import expect

from tests.browser.access import objections
from tests.browser.conftest import PHONE, Open


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

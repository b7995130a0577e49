"""axe-core finds nothing to object to on the pages around the tables; whole games look at the tables themselves."""

import pytest

from tests.browser.access import objections
from tests.browser.conftest import Open


@pytest.mark.parametrize("path", ["/", "/games/costa-ruana/rules", "/nowhere"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_to_object_to(open_browser: Open, path: str, language: str) -> None:
    page = open_browser(locale=language, forgive="404 (Not Found)").new_page()
    page.goto(path)
    if path == "/":
        for summary in page.locator("summary").all():
            summary.click()
    assert not objections(page)

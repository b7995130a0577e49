"""axe-core finds nothing to object to, in one position of each phase and on every other page."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import make_table, play_out

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"


def objections(page: Page) -> list[tuple[str, str, list[Any]]]:
    """What axe-core finds: rule, what it says, where."""
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        (rule["id"], rule["help"], [node["target"] for node in rule["nodes"]][:4])
        for rule in found["violations"]
    ]


@pytest.mark.parametrize(
    ("size", "colours"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop by day", "phone by night"]
)
def test_nothing_to_object_to_in_any_phase(open_browser: Open, size: dict[str, int], colours: str) -> None:
    page = open_browser(size, color_scheme=colours).new_page()
    make_table(page)
    seen: set[tuple[str, str]] = set()
    found: dict[tuple[str, str], Any] = {}

    def look(page: Page) -> None:
        phase = page.locator(".phase.now").all_inner_texts() or ["over"]
        position = (phase[0], "chosen" if "?" in page.url else "")
        if position not in seen:
            seen.add(position)
            if problems := objections(page):
                found[position] = problems

    for seed in range(2):
        play_out(page, seed=seed, look=look)
        make_table(page)
    assert len(seen) >= 8
    assert not found


@pytest.mark.parametrize("path", ["/", "/games/costa-ruana/rules", "/nowhere"])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_to_object_to_on_the_other_pages(open_browser: Open, path: str, language: str) -> None:
    page = open_browser(locale=language, forgive="404 (Not Found)").new_page()
    page.goto(path)
    if path == "/":
        page.locator("summary").first.click()
    assert not objections(page)

"""Looking at pages with axe-core."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"

LOOK = """(contrast) => axe.run(document, {
    resultTypes: ["violations"], preload: false, rules: { "color-contrast": { enabled: contrast } },
})"""
"""Stylesheets and videos are not fetched anew: the site has no videos, and the only rule about stylesheets is
experimental, which axe-core leaves out.
"""

Objection = tuple[str, str, list[Any]]
"""The rule, what it says, where."""


def objections(page: Page, contrast: bool = True) -> list[Objection]:
    """What axe-core finds; unless `contrast`, without that of texts, which takes most of its time."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text())
    found = page.evaluate(LOOK, contrast)
    return [
        (rule["id"], rule["help"], [node["target"] for node in rule["nodes"]][:4])
        for rule in found["violations"]
    ]


def kind_of_position(page: Page) -> tuple[str, bool]:
    """The phase that a table is in, and whether something is chosen."""
    phase = page.locator(".phase.now").all_inner_texts() or ["over"]
    return phase[0], bool(page.evaluate("modules.table.page.address.search"))


class Inspector:
    """Looks at a table in one position of each phase, with something chosen and without."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, bool], list[Objection]] = {}

    def __call__(self, page: Page) -> None:
        position = kind_of_position(page)
        if position not in self.found:
            self.found[position] = objections(page)

    @property
    def problems(self) -> dict[tuple[str, bool], list[Objection]]:
        """Where there is something to object to, and what."""
        return {position: found for position, found in self.found.items() if found}

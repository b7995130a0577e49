"""Whether a page fits on the screen: nothing overlaps, is cut, leaves its panel or cannot be reached (`layout.js`)."""

from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

SCRIPT = Path(__file__).with_suffix(".js")

SIZES = {
    "320": (320, 568),
    "390": (390, 844),
    "844": (844, 390),
    "768": (768, 1024),
    "1024": (1024, 768),
    "1100": (1100, 800),
    "1280": (1280, 720),
    "1366": (1366, 768),
    "1440": (1440, 900),
    "1920": (1920, 1080),
    "1280-at-200%": (640, 360),
    "1440-at-200%": (720, 450),
}
"""CSS pixels, width and height; twice the zoom is half of them."""

TALL = {"phone": (390, 2600), "laptop": (1366, 1600)}
"""The same; high enough that little is scrolled away."""


class Finding(NamedTuple):
    """What is wrong, with which element, and what of it."""

    fault: str
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where} {self.fault}: {self.what}"


def findings(page: Page, thorough: bool = False) -> list[Finding]:
    """What does not fit on the page at its size; if `thorough`, also in what opens and in the words of its controls."""
    if page.evaluate("typeof fitting") == "undefined":
        page.evaluate(SCRIPT.read_text())
    return [Finding(*found) for found in page.evaluate("thorough => fitting(thorough)", thorough)]


LOOKS = """
display position color backgroundColor fontSize fontWeight lineHeight textAlign opacity visibility order flexGrow rowGap
columnGap paddingTop paddingLeft borderTopWidth borderTopLeftRadius overflowX overflowY containerType fill stroke
"""
"""What a stylesheet says of an element that does not hang on the size of what is in others."""

RESTYLED = """(looks) => {
    const own = /\\/games\\/([^/]+)\\/(table|rules|sheet|drawings)\\.css/;
    const sheets = [...document.styleSheets].filter(({ href }) => own.test(href ?? ""));
    if (!sheets.length) return [];
    const key = own.exec(sheets[0].href)[1];
    const outside = [...document.querySelectorAll("body *")].filter((one) => !one.closest(`.${key}, symbol`));
    const seen = () => outside.map((one) => looks.map((name) => getComputedStyle(one)[name]).join());
    const before = seen();
    for (const sheet of sheets) sheet.disabled = true;
    const after = seen();
    for (const sheet of sheets) sheet.disabled = false;
    return outside.filter((_, i) => before[i] !== after[i]).map((one) => one.outerHTML.slice(0, 120));
}"""


def restyled(page: Page) -> list[str]:
    """The elements outside of what a game draws that look otherwise without its stylesheets."""
    found: list[str] = page.evaluate(RESTYLED, LOOKS.split())
    return found

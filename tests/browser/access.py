"""Looking at pages with axe-core; where it leaves the contrast of a text open, that is measured in a picture."""

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"

Numbers = NDArray[np.float64]
Objection = tuple[str, str, list[Any]]
"""The rule, what it says, where."""

LARGE, LARGE_BOLD = 24, 18.66
"""From so many pixels on a text is large, and a bold one (WCAG 1.4.3)."""

LINES = """(targets) => targets.map((target) => {
    const element = document.querySelector(target);
    if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return null;
    const style = getComputedStyle(element), svg = element instanceof SVGElement;
    const range = document.createRange(), lines = [];
    for (const node of element.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
        range.selectNodeContents(node);
        for (const { left, top, right, bottom } of range.getClientRects()) {
            const whole = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && right - left > 1;
            const middle = whole && document.elementsFromPoint((left + right) / 2, (top + bottom) / 2);
            if (whole) lines.push({ box: [left, top, right, bottom], seen: middle.includes(element) });
        }
    }
    const { color, fill, fontSize, fontWeight } = style;
    return { lines, colour: svg ? fill : color, size: parseFloat(fontSize), weight: fontWeight };
})"""
"""Where the own texts of elements stand in the window, and how they are written; null for what is not shown."""

WITH_STYLE = """(style) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    document.adoptedStyleSheets = style ? [sheet] : [];
}"""
NO_TEXT = "*, *::placeholder { color: transparent !important; } text { fill: transparent !important; }"
ALL_FOUND = "* { pointer-events: auto !important; }"
"""Styles under which texts do not show, and under which everything is found by where it stands."""


def objections(page: Page) -> list[Objection]:
    """What axe-core finds, and the texts whose contrast it leaves open and is too low."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations', 'incomplete'] })")
    objected = [
        (rule["id"], rule["help"], [node["target"] for node in rule["nodes"]][:4])
        for rule in found["violations"]
    ]
    left_open = [
        node["target"][0]
        for rule in found["incomplete"]
        if rule["id"] == "color-contrast"
        for node in rule["nodes"]
        if isinstance(node["target"][0], str)
    ]
    return objected + too_pale(page, left_open)


def too_pale(page: Page, targets: list[str]) -> list[Objection]:
    """Of these elements, those whose text has too little contrast to what is painted behind it."""
    faults: list[Objection] = []
    waiting = list(targets)
    while waiting:
        page.evaluate(
            "target => document.querySelector(target)?.scrollIntoView({ block: 'nearest' })", waiting[0]
        )
        page.evaluate(WITH_STYLE, NO_TEXT)
        picture = np.asarray(Image.open(BytesIO(page.screenshot(animations="disabled"))).convert("RGB"))
        page.evaluate(WITH_STYLE, ALL_FOUND)
        shown = page.evaluate(LINES, waiting)
        page.evaluate(WITH_STYLE, "")
        scale = picture.shape[1] / page.evaluate("innerWidth")
        left = []
        for number, (target, text) in enumerate(zip(waiting, shown, strict=True)):
            lines = [line["box"] for line in text["lines"] if line["seen"]] if text else []
            if text and not lines and number:
                left.append(target)  # it stands elsewhere: its turn comes
            for line in lines:
                x0, y0, x1, y1 = (round(edge * scale) for edge in line)
                behind = picture[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)].reshape(-1, 3)
                bold = int(text["weight"]) >= 700
                needed = 3 if text["size"] >= (LARGE_BOLD if bold else LARGE) else 4.5
                ratio = float(np.percentile(contrast(text["colour"], behind), 5))
                if ratio < needed:
                    faults.append(("color-contrast", f"{ratio:.2f} of {needed}, measured", [target]))
        waiting = left
    return faults


def contrast(colour: str, behind: NDArray[np.uint8]) -> Numbers:
    """The contrast of a colour, as computed styles say it, to each of these pixels (WCAG 2.2)."""
    numbers = [float(number) for number in colour[colour.index("(") + 1 : -1].replace("/", ",").split(",")]
    red_green_blue, alpha = np.array(numbers[:3]), (*numbers, 1.0)[3]
    text = luminance(red_green_blue * alpha + behind * (1 - alpha))
    ground = luminance(behind.astype(float))
    ratio: Numbers = (np.maximum(text, ground) + 0.05) / (np.minimum(text, ground) + 0.05)
    return ratio


def luminance(pixels: NDArray[Any]) -> Numbers:
    """Relative luminance of colours in sRGB, 0 to 255."""
    share = pixels / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    found: Numbers = linear @ np.array([0.2126, 0.7152, 0.0722])
    return found


def kind_of_position(page: Page) -> tuple[str, bool]:
    """The phase that a table is in, and whether something is chosen."""
    phase = page.locator(".phase.now").all_inner_texts() or ["over"]
    return phase[0], "?" in page.url


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

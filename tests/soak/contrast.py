"""Does every text stand out from what is behind it, as painted?

`python -m tests.soak contrast [PAGE ...] [--sizes ...] [--schemes ...]`.

axe-core leaves open what stands on pictures, or on what is drawn over something else. Here each page is painted four
times: as it is, with its texts left out, in black and in white. The last two differ where letters are, whatever is
behind them; the first two give the letters' colour and what they stand on. A text is faint if a tenth of its letters'
pixels has less than 4.5:1, or 3:1 where it is large (WCAG 2.2, 1.4.3). With `--axe` every node that axe-core leaves
open must hold one of the texts that were decided. Exit status 1 if one is faint or left open.
"""

import argparse
import base64
import io
import math
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import CDPSession, Page, TimeoutError

from atoll.core.catalogue import find_game, games
from atoll.text.translation import LANGUAGES
from tests.chromium import chromium
from tests.soak.layout import TALL
from tests.soak.sizes import Gallery

AXE = Path(__file__).parents[1] / "vendor" / "axe.min.js"
NORMAL, LARGE = 4.5, 3.0
SHARE = 10  # percent of a text's pixels that may have less
SOLID = 0.6  # of a letter's pixels count those that it covers by this share of the most
PATIENCE = 30_000  # ms, for one picture

LINES = """() => {
  const found = [], clipped = new Map();
  const isUnseen = (at) => {  // there for those who listen alone
    if (!at || at === document.body) return false;
    if (!clipped.has(at)) clipped.set(at, getComputedStyle(at).clipPath === "inset(50%)" || isUnseen(at.parentElement));
    return clipped.get(at);
  };
  const isCut = (box, at) => {  // by the edge of what scrolls
    for (; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === "visible") continue;
      const { top, bottom } = at.getBoundingClientRect();
      if (box.top < top - 2 || box.bottom > bottom + 2) return true;
    }
    return false;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, element = node.parentElement;
    if (!/[\\p{L}\\p{N}]/u.test(node.data) || element.closest("script, style, noscript, option, title")) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (isUnseen(element)) {
      element.dataset.unseen = "";
      continue;
    }
    const { fontSize, fontWeight } = getComputedStyle(element);
    const scale = element instanceof SVGElement ? Math.abs(element.getScreenCTM().d) : 1;
    const size = parseFloat(fontSize) * scale;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const { left, top, right, bottom } = box;
      if (right - left < 2 || bottom - top < 2 || isCut(box, element)) continue;
      const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
      element.dataset.line = found.length;
      const around = element.closest("[id]"), kind = element.getAttribute("class") ?? "";
      found.push({
        box: [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY],
        large, text: node.data.replace(/\\s+/g, " ").trim().slice(0, 60),
        where: `${around ? `#${around.id} ` : ""}${element.tagName.toLowerCase()}.${kind}`,
      });
    }
  }
  return found;
}"""
"""Every line of text: its box in CSS pixels of the page, whether it is large, its words and where it stands."""

OPEN = """async () => (await axe.run(document, { runOnly: ["color-contrast"], resultTypes: ["incomplete"] })).incomplete
  .flatMap((rule) => rule.nodes.map(({ target }) => [target.join(" "), document.querySelector(target.at(-1))]))
  .filter(([, element]) => element?.textContent.trim() && !element.matches("[data-unseen]"))
  .map(([name, element]) => [name, [element, ...element.querySelectorAll("[data-line]")]])
  .map(([name, elements]) => [name, elements.map(({ dataset }) => Number(dataset.line ?? -1))])"""
"""What axe-core leaves open: its selector, and the last lines of the texts in it."""

PAINT = """(colour) => {
  const sheet = new CSSStyleSheet();
  if (colour) sheet.replaceSync(`
    * { -webkit-text-fill-color: ${colour} !important; transition: none !important }
    text, tspan { fill: ${colour} !important }`);
  document.adoptedStyleSheets = [sheet];
}"""
"""Gives all texts that colour, or their own again."""

Pixels = NDArray[np.float64]
Picture = NDArray[np.uint8]


class Line(NamedTuple):
    """A line of text and its contrast; `None` where all of it is scrolled away or covered."""

    where: str
    text: str
    large: bool
    contrast: float | None

    @property
    def is_faint(self) -> bool:
        """Whether it has less contrast than it needs."""
        return self.contrast is not None and self.contrast < (LARGE if self.large else NORMAL)

    def __str__(self) -> str:
        return f"{self.where} has {self.contrast or 0:.2f}:1: {self.text}"


def luminance(pixels: Pixels) -> Pixels:
    """The relative luminance of sRGB pixels in 0 to 1, [..., 3], as WCAG 2.2 defines it."""
    linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
    weighted: Pixels = linear @ np.array([0.2126, 0.7152, 0.0722])
    return weighted


def painted(painter: CDPSession, clip: dict[str, float]) -> Picture:
    """That part of the window, [height, width, 3]; compressed little, which takes half the time.

    Without a screen Chromium does not always come to paint the frame that it waits for: it is made to, once.
    """
    asked = ("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True, "clip": clip})
    try:
        taken = painter.send(*asked, timeout=PATIENCE)
    except TimeoutError:
        painter.send("Page.startScreencast", {"format": "jpeg"})
        painter.send("Page.stopScreencast")
        taken = painter.send(*asked, timeout=PATIENCE)
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(taken["data"]))).convert("RGB"))


def contrast(shown: Pixels, behind: Pixels, black: Pixels, white: Pixels) -> float | None:
    """The contrast that all but a tenth of the letters' pixels reach: as shown, what is behind them, and in black and
    white, all in 0 to 1.
    """
    covered = np.abs(white - black).mean(axis=2)
    most = covered.max(initial=0)
    if most < 0.1:
        return None
    solid = covered >= SOLID * most
    behind = behind[solid]
    letters = np.clip(behind + (shown[solid] - behind) * (most / covered[solid])[:, None], 0, 1)
    one, two = luminance(letters), luminance(behind)
    ratios = (np.maximum(one, two) + 0.05) / (np.minimum(one, two) + 0.05)
    return float(np.percentile(ratios, SHARE))


def make_room(page: Page) -> None:
    """Make the window as high as the page."""
    width, height, whole = page.evaluate("[innerWidth, innerHeight, document.documentElement.scrollHeight]")
    if whole > height:
        page.set_viewport_size({"width": width, "height": whole})


def lines_of(page: Page) -> list[Line]:
    """Every line of text on the page with its contrast; the window is as high as the page then.

    A page with a faint text is looked at again: the lower part of a high window may be painted late.
    """
    make_room(page)
    lines = looked_at(page)
    return looked_at(page) if any(line.is_faint for line in lines) else lines


def looked_at(page: Page) -> list[Line]:
    """Every line of text in the window with its contrast."""
    painter = page.context.new_cdp_session(page)
    found = page.evaluate(LINES)
    scale, width, height = page.evaluate("[devicePixelRatio, innerWidth, innerHeight]")
    lowest = max((line["box"][3] for line in found), default=1)
    clip = {"x": 0, "y": 0, "width": width, "height": min(math.ceil(lowest), height), "scale": 1}
    paints = []
    for colour in ("", "transparent", "black", "white"):
        page.evaluate(PAINT, colour)
        paints.append(painted(painter, clip))
    page.evaluate(PAINT, "")
    painter.detach()
    lines = []
    for line in found:
        left, top, right, bottom = (max(0, round(edge * scale)) for edge in line["box"])
        boxes = (picture[top:bottom, left:right] / 255 for picture in paints)
        lines.append(Line(line["where"], line["text"], line["large"], contrast(*boxes)))
    return lines


def left_open(page: Page) -> list[str]:
    """What axe-core leaves open and no line is about."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE.read_text())
    nodes: list[tuple[str, list[int]]] = page.evaluate(OPEN)
    return [name for name, numbers in nodes if max(numbers) < 0]


def pages_asked_for(gallery: Gallery, options: argparse.Namespace) -> dict[str, str]:
    """The pages that the arguments name."""
    pages: dict[str, str] = {}
    for name in options.games:
        pages |= gallery.tables(name, find_game(name).seats[-1], options.language)
        if options.thorough:
            pages |= gallery.lessons(name, options.language)
    pages |= gallery.others(options.language)
    wanted = options.names or [""]
    return {name: page for name, page in pages.items() if any(part in name for part in wanted)}


def arguments() -> argparse.Namespace:
    """What is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak contrast",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", help="only pages whose names hold one of these")
    parser.add_argument("--sizes", nargs="+", choices=TALL, default=list(TALL))
    parser.add_argument("--schemes", nargs="+", choices=["light", "dark"], default=["light", "dark"])
    parser.add_argument("--games", nargs="*", choices=list(games()), default=list(games()))
    parser.add_argument("--language", choices=list(LANGUAGES), default="en")
    parser.add_argument("--axe", action="store_true", help="also what axe-core leaves open")
    parser.add_argument("--thorough", action="store_true", help="also lessons")
    return parser.parse_intermixed_args()


def main() -> int:
    """Look at all pages; 1 if a text is faint or left open."""
    options = arguments()
    found: dict[str, Any] = {}
    decided = 0
    with tempfile.TemporaryDirectory() as folder, Gallery(Path(folder)) as gallery:
        pages = pages_asked_for(gallery, options)
        with chromium() as browser:
            for scheme in options.schemes:
                for name, size, page in gallery.show(browser, pages, options.sizes, color_scheme=scheme):
                    lines = lines_of(page)
                    decided += sum(line.contrast is not None for line in lines)
                    faults = [str(line) for line in lines if line.is_faint]
                    if options.axe:
                        faults += [f"{node} is left open" for node in left_open(page)]
                    for fault in faults:
                        if found.setdefault(fault, (scheme, size, name)) == (scheme, size, name):
                            print(f"{scheme} {size} {name}: {fault}", flush=True)
    print(f"{len(pages)} pages: {decided} lines decided, {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

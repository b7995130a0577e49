"""A game's drawings as a stylesheet: what a table draws over and over is a picture that fills one element.

The template `drawings.svg.jinja` of a game is one SVG document: symbols, and below its root an <svg> with an id for
each drawing. `drawings.css` colours them and may colour the table too. A page shows a drawing by the classes `drawn`
and `drawn-ID`. In inline SVG it would be a dozen elements each time, which the browser styles, lays out and paints
(docs/table-page.md).

The picture is the middle of the element's border image: that has one size, its own, and is only stretched. A picture
in the background is laid out for each size, and pieces are shown in several, one after another: seven times as slow.
"""

import re
from collections.abc import Iterator
from functools import cache, partial
from hashlib import sha256
from urllib.parse import quote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from atoll.core.game import Game
from atoll.web import STATIC
from atoll.web.pages.templating import draw, short_name

COLOURS = ("red", "blue", "yellow", "green", "purple", "black")
MARKS = ("circle", "square", "triangle", "diamond", "star", "cross")
"""Of the seats: never one without the other."""

SVG = "http://www.w3.org/2000/svg"
TOKENS = STATIC / "tokens.css"
CLASS_RULE = re.compile(r"^ *((?:\.[\w-]+(?:, )?)+) \{.*\}\n", re.MULTILINE)
"""A rule of one line that styles elements by one class each."""
PROPERTY = re.compile(r"^ *(--[\w-]+): .*;\n", re.MULTILINE)
"""A custom property with a line of its own."""
SAFE = " /:;,=()'"
"""What a stylesheet's quoted address may hold as it is, besides letters, digits and _.-~."""

ElementTree.register_namespace("", SVG)


@cache
def drawings_css(game: Game) -> str | None:
    """The stylesheet with all drawings of a game; None for a game without."""
    if not (game.folder / "drawings.svg.jinja").is_file():
        return None
    seats = [{"colour": colour, "mark": mark} for colour, mark in zip(COLOURS, MARKS, strict=True)]
    root = ElementTree.fromstring(draw(f"{short_name(game)}/drawings.svg.jinja", "en", game, seats=seats))
    colours = (game.folder / "drawings.css").read_text(encoding="utf-8")
    css = re.sub(r"/\*.*?\*/", "", f"{TOKENS.read_text(encoding='utf-8')}\n{colours}", flags=re.DOTALL)
    symbols = {element.get("id"): element for element in root.iter() if element.tag != f"{{{SVG}}}svg"}
    rules = [CLASS_RULE.sub(partial(_rule_within, f".{game.name}"), colours)]
    for drawing in root.findall(f"{{{SVG}}}svg[@id]"):
        _, _, width, height = drawing.get("viewBox", "").split()
        drawing.attrib |= {"width": width, "height": height}
        name = drawing.attrib.pop("id")
        address = drawing_url(drawing, symbols, css)
        rules.append(
            f'.drawn-{name} {{ aspect-ratio: {width} / {height}; border-image-source: url("{address}"); }}\n'
        )
    return "".join(rules)


def _rule_within(scope: str, rule: re.Match[str]) -> str:
    """A rule of one line for what stands within elements of that class alone; its rank stays as it was."""
    return rule[0] if rule[1] == scope else rule[0].replace(rule[1], f":where({scope}) :is({rule[1]})", 1)


@cache
def drawings_url(game: Game) -> str | None:
    """Where the site has that stylesheet: another address when anything in it changes."""
    css = drawings_css(game)
    return css and f"/games/{game.name}/drawings.css?{sha256(css.encode()).hexdigest()[:12]}"


def drawing_url(drawing: Element, symbols: dict[str | None, Element], css: str) -> str:
    """A drawing as an address that holds it whole: with the symbols and the styles that it needs."""
    whole = Element(f"{{{SVG}}}svg", drawing.attrib)
    style = ElementTree.SubElement(whole, f"{{{SVG}}}style")
    whole.extend(dict.fromkeys(used_symbols(drawing, symbols)))
    whole.extend(drawing)
    style.text = styles_of({name for part in whole.iter() for name in part.get("class", "").split()}, css)
    text = re.sub(r"\s+", " ", ElementTree.tostring(whole, encoding="unicode").replace('"', "'"))
    return f"data:image/svg+xml,{text.translate(_QUOTES)}"


class _QuoteTable(dict[int, str]):
    """What stands for each character in a quoted address, for `str.translate`: `quote` goes byte by byte."""

    def __missing__(self, code: int) -> str:
        self[code] = quote(chr(code), safe=SAFE)
        return self[code]


_QUOTES = _QuoteTable()


def used_symbols(element: Element, symbols: dict[str | None, Element]) -> Iterator[Element]:
    """The symbols that an element uses, and those that these use."""
    for use in element.iter(f"{{{SVG}}}use"):
        symbol = symbols[use.get("href", "").removeprefix("#")]
        yield symbol
        yield from used_symbols(symbol, symbols)


def styles_of(classes: set[str], css: str) -> str:
    """The rules that style some of these classes, and the custom properties that they use; `css` has no comments."""
    rules = CLASS_RULE.sub(lambda rule: rule[0] if classes & _class_names(rule[1]) else "", css)
    used = set(re.findall(r"var\((--[\w-]+)", rules))
    return PROPERTY.sub(lambda line: line[0] if line[1] in used else "", rules)


@cache
def _class_names(selector: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w-]+", selector))

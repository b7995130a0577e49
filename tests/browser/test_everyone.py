"""Pages for everybody: on every screen, in forced colours, with reduced motion, without telling colours apart;
`test_playing.py` has the keyboard. Each page is opened once for all looks at it.
"""

import re
from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page

from atoll.core.catalogue import find_game, games
from atoll.web.pages.drawings import COLOURS, MARKS, drawings_css
from tests.browser.access import objections
from tests.soak.contrast import lines_of
from tests.soak.layout import findings, restyled
from tests.soak.sizes import Gallery, set_size

NEW, OWN = "a newcomer's pages around the tables", "those of somebody who has played"
SIZES = {
    **dict.fromkeys((NEW, OWN), ("390", "320", "1280-at-200%", "1366")),
    **dict.fromkeys(games(), ("390", "1024", "1440-at-200%", "1280")),
}
"""Where pages are shown; at the last size all else is looked for than what does not fit. `python -m tests.soak sizes`
has more.
"""

DAY_AND_NIGHT: tuple[tuple[str, Literal["light", "dark"]], ...] = (("phone", "light"), ("laptop", "dark"))
DECIDED = (
    "-rules",
    "-components",
    "-workshop",
    "-sets",
    "devices",
    "here",
    "delete",
    "chat",
    "name",
    "forget",
    "messages",
)
"""Pages whose texts stand on paper, where axe-core decides their contrast, but for headings, which others have, too."""
PART = "start-fr"
"""What this page has `start-own-fr` has, too."""
ALIKE = {f"{game}-{page}-fr" for game in list(games())[1:] for page in ("sets", "differences")}
"""Pages that differ from the first game's in names alone."""

UNSEEN_FOCUS = """() => [...document.querySelectorAll("a[href], button, select, input, summary")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0)
    .filter((one) => {
        one.focus({ preventScroll: true });
        if (document.activeElement !== one) return false;
        let around = one;
        for (let i = 0; i < 3 && around; i++, around = around.parentElement) {
            const { outlineStyle, outlineWidth } = getComputedStyle(around);
            if (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2) return false;
        }
        return true;
    }).map((one) => one.outerHTML.slice(0, 120))"""

UNMARKED_CHOICE = """() => [...document.querySelectorAll(".can, .chosen, [aria-pressed=true]")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .filter((one) => getComputedStyle(one).outlineStyle === "none")
    .map((one) => one.outerHTML.slice(0, 120))"""

MOVING = """() => [
    ...document.getAnimations().filter((one) => one.playState === "running").map((one) => one.effect.target),
    ...[...document.querySelectorAll("*")].filter((one) => {
        const { transitionDuration, scrollBehavior } = getComputedStyle(one);
        return scrollBehavior === "smooth" || transitionDuration.split(",").some((text) => parseFloat(text) > 0);
    }),
].map((one) => one.outerHTML.slice(0, 120))"""

COLOUR_ALONE = """() => {
    const marks = (one) => one.querySelector("use[href*='mark-'], use[href*='chest-'], [class*='drawn']");
    return [...document.querySelectorAll("[class*='seat-']")]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 0)
        .filter((one) => /(^| )seat-(red|blue|yellow|green|purple|black)/.test(one.getAttribute("class")))
        .filter((one) => !one.matches(".past-line"))  // a line of points ends at its seat's mark
        .filter((one) => !one.matches("[class*='drawn']") && !marks(one) && !one.closest("tr, li")?.textContent.trim())
        .map((one) => one.outerHTML.slice(0, 160));
}"""

FITS, FREE, CLEAR = "everything fits on every screen", "axe-core objects to nothing", "every text stands out"
STILL = "nothing moves by itself with reduced motion"
TOLD = "what has a seat's colour has its mark, too, or stands in a line with words"
CHOSEN, FOCUS = (f"in forced colours a line is around what {what}" for what in ("is chosen", "has the focus"))
APART = "the styles of a game change nothing outside of what it draws"
PROMISES = (FITS, FREE, CLEAR, STILL, TOLD, CHOSEN, FOCUS, APART)

Found = dict[str, dict[str, list[Any]]]
"""By what is promised, what was found against it on each page."""


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    """Pages without a server."""
    with Gallery(tmp_path_factory.mktemp("everyone")) as found:
        yield found


def pages_of(gallery: Gallery, kind: str) -> tuple[dict[str, str], set[str]]:
    """Those around the tables; or of a table of the most players the opening, the end, and moves late in the game,
    asked for and half chosen. And of which the contrast is measured; `python -m tests.soak contrast` has the others.
    """
    if kind in (NEW, OWN):
        drawn = gallery.others("fr")
        names = {name for name in drawn if (name.removesuffix("-fr") in gallery.own) == (kind == OWN)} - ALIKE
        assert names >= ({"start-own-fr", "room-fr", "history-fr"} if kind == OWN else {PART, "no-page-fr"})
        painted = {name for name in names if not name.removesuffix("-fr").endswith(DECIDED) and name != PART}
        return {name: page for name, page in drawn.items() if name in names}, painted
    players = find_game(kind).seats[-1]
    drawn = gallery.tables(kind, players, "fr")
    opening, last, over = (f"{kind}-{players}-{what}-fr" for what in ("opening", "last", "over"))
    earlier, late = [name for name in drawn if name.endswith("-chosen-fr")][-2:]
    return {name: drawn[name] for name in (opening, last, over, earlier, late)}, {opening, late, over}


def look(gallery: Gallery, chromium: Browser, kind: str) -> Found:
    """What is found on these pages, in French, whose words are long; `tests.soak sizes` has every language."""
    found: Found = {promise: {} for promise in PROMISES}
    (pages, painted), sizes = pages_of(gallery, kind), SIZES[kind]
    for name, size, page in gallery.show(chromium, pages, sizes):
        found[FITS][f"{name} at {size}"] = [str(finding) for finding in findings(page)]
        if size == sizes[0]:
            found[APART][name] = restyled(page)
        if size == sizes[0] and kind in (NEW, OWN):
            found[FREE][name] = objections(page, contrast=name not in painted)
        if size != sizes[-1]:
            continue
        found[STILL][name] = page.evaluate(MOVING)
        found[TOLD][name] = page.evaluate(COLOUR_ALONE)
        if name.endswith("-rules-fr"):
            page.emulate_media(color_scheme="dark")
            found[FREE][f"{name} by night"] = objections(page)
        if name in painted:
            found[CLEAR][name] = faint(page)
        page.emulate_media(forced_colors="active", color_scheme="light")
        assert page.evaluate("matchMedia('(forced-colors: active)').matches")
        found[CHOSEN][name] = page.evaluate(UNMARKED_CHOICE)
        page.keyboard.press("Tab")
        found[FOCUS][name] = page.evaluate(UNSEEN_FOCUS)
        page.emulate_media(forced_colors="none")
    return found


def faint(page: Page) -> list[str]:
    """The texts that do not stand out, on a phone by day or on a laptop by night."""
    found: list[str] = []
    for size, scheme in DAY_AND_NIGHT:
        set_size(page, size)
        page.emulate_media(color_scheme=scheme)
        lines = lines_of(page)
        assert sum(line.contrast is not None for line in lines) > 1
        found += [f"{size} by {scheme}: {line}" for line in lines if line.is_faint]
    return found


@pytest.mark.parametrize("kind", SIZES)
def test_pages_are_for_everybody(gallery: Gallery, chromium: Browser, kind: str) -> None:
    """On every screen, to whoever cannot tell colours apart, has forced colours or wants no motion; axe-core looks at
    what is around the tables on a phone, and at the rules of each game on a desk by night, too. Every text stands out
    from what is painted behind it (WCAG 2.2, 1.4.3), also where axe-core does not decide: on pictures and where things
    lie over each other.
    """
    found = look(gallery, chromium, kind)
    nights = [name for name in found[FREE] if name.endswith("by night")]
    assert len(nights) == (len(games()) if kind == NEW else 0)
    looked = {promise for promise, pages in found.items() if pages}
    assert looked == set(PROMISES) - ({FREE} if kind in games() else set())
    broken = {(promise, page): what for promise in PROMISES for page, what in found[promise].items() if what}
    assert broken == {}


def test_pictures_of_seats_have_their_marks() -> None:
    """Those that stand in a stylesheet: of each thing that is drawn in the seats' colours."""
    drawn = [css for game in games().values() if (css := drawings_css(game))]
    assert drawn
    for css in map(unquote, drawn):
        pictures = re.findall(r"\.drawn-([\w-]+) \{(.*?)\"\); \}", css, re.DOTALL)
        for colour, mark in zip(COLOURS, MARKS, strict=True):
            own = [picture for name, picture in pictures if name.endswith(f"-{colour}")]
            assert own
            assert all(re.search(rf"(mark|chest)-{mark}\b", picture) for picture in own), colour


PLANTED = {
    UNMARKED_CHOICE: ".chosen, [aria-pressed=true] { outline: none !important; }",
    UNSEEN_FOCUS: "* { outline: none !important; }",
}
"""What spoils a page, by what must find it."""


@pytest.mark.parametrize("looked", PLANTED)
def test_what_is_not_seen_in_forced_colours_is_found(chromium: Browser, looked: str) -> None:
    page = chromium.new_page(forced_colors="active")
    page.set_content(
        '<style>a:focus, .chosen { outline: 3px solid }</style><a href="/" class="chosen">Go</a>'
    )
    assert page.evaluate(looked) == []
    page.add_style_tag(content=PLANTED[looked])
    assert len(page.evaluate(looked)) == 1
    page.close()


PAINTED = """<style>p { margin: 0; width: 200px; padding: 9px; font: 16px sans-serif; color: #17262e; background: %s }
i { position: absolute; clip-path: inset(50%%) }</style><p>Written %s</p><i>said</i>"""


def test_what_does_not_stand_out_is_found(chromium: Browser) -> None:
    """On a picture, under a veil, in part or altogether; what only listeners have is left out."""
    page = chromium.new_page()
    page.set_content(PAINTED % ("linear-gradient(#fff, #dde)", "well"))
    (line,) = lines_of(page)
    assert line.contrast == pytest.approx(14, abs=2)
    for background, more in (
        ("linear-gradient(to right, #fff 40px, #17262e 60px)", "half"),
        ("#17262e", "unseen"),
        ("#fff", "<style>p { opacity: 0.3 }</style>"),
    ):
        page.set_content(PAINTED % (background, more))
        assert [line.is_faint for line in lines_of(page)] == [True], more
    page.close()


def test_what_moves_or_has_a_colour_alone_is_found(chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_content('<p id="one">Still</p><div class="seat-red" style="width: 9px">&nbsp;</div>')
    assert page.evaluate(MOVING) == []
    assert len(page.evaluate(COLOUR_ALONE)) == 1
    page.add_style_tag(content="#one { transition: color 1s; }")
    assert len(page.evaluate(MOVING)) == 1
    page.close()

"""Pages for everybody: on every screen, in forced colours, with reduced motion, without telling colours apart;
`test_playing.py` has the keyboard.
"""

import re
from collections.abc import Iterator
from typing import Any, Literal
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page

from atoll.core.catalogue import find_game, games
from atoll.web.pages.drawings import COLOURS, MARKS, drawings_css
from bench.contrast import lines_of
from bench.fitting import findings
from bench.sizes import Gallery, set_size
from tests.browser.access import objections

AROUND = "the pages around the tables"
SMALL = "390"
SIZES = {
    AROUND: [SMALL, "320", "768", "1280-at-200%", "1366"],
    **{game: [SMALL, "1024", "1440-at-200%", "1280"] for game in games()},
}
"""Where pages are shown; at the last size all else is looked for than what does not fit."""

DAY_AND_NIGHT: tuple[tuple[str, Literal["light", "dark"]], ...] = (("phone", "light"), ("laptop", "dark"))

Found = dict[str, dict[str, list[Any]]]
"""By what is looked for, what was found on each page."""


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    """Pages without a server."""
    with Gallery(tmp_path_factory.mktemp("everyone")) as found:
        yield found


def pages_of(gallery: Gallery, kind: str) -> tuple[dict[str, str], set[str]]:
    """Those around the tables, a newcomer's and of somebody who has played; or of a table of the most players the
    opening, the end, and moves late in the game, asked for and half chosen. And of which the contrast is measured;
    `python -m bench.contrast` has the others.
    """
    if kind == AROUND:
        pages = {name: page for name, page in gallery.others("fr").items() if name not in ALIKE}
        assert {"start-own-fr", "room-fr", "history-fr"} <= pages.keys()
        return pages, {name for name in pages if not name.endswith(LONG) and name != PART}
    players = find_game(kind).seats[-1]
    drawn = gallery.tables(kind, players, "fr")
    opening, last, over = (f"{kind}-{players}-{what}-fr" for what in ("opening", "last", "over"))
    earlier, late = [name for name in drawn if name.endswith("-chosen-fr")][-2:]
    return {name: drawn[name] for name in (opening, last, over, earlier, late)}, {opening, late, over}


@pytest.fixture(scope="module", params=[AROUND, *games()])
def found(request: pytest.FixtureRequest, chromium: Browser, gallery: Gallery) -> Found:
    """What each of the looks below finds on these pages, each of which is opened once: in French, whose words are long;
    `python -m bench.sizes` has every language.
    """
    looks = (UNFIT, OBJECTED, MOVING, COLOUR_ALONE, UNMARKED_CHOICE, UNSEEN_FOCUS, FAINT)
    found: Found = {look: {} for look in looks}
    (pages, painted), sizes = pages_of(gallery, request.param), SIZES[request.param]
    for name, size, page in gallery.show(chromium, pages, sizes):
        found[UNFIT][f"{name} at {size}"] = [str(finding) for finding in findings(page)]
        if size == SMALL and request.param == AROUND:
            found[OBJECTED][name] = objections(page, contrast=name not in painted)
        if size != sizes[-1]:
            continue
        for look in (MOVING, COLOUR_ALONE):
            found[look][name] = page.evaluate(look)
        if name.endswith("-rules-fr"):
            page.emulate_media(color_scheme="dark")
            found[OBJECTED][f"{name} by night"] = objections(page)
        if name in painted:
            found[FAINT][name] = faint(page)
        page.emulate_media(forced_colors="active", color_scheme="light")
        assert page.evaluate("matchMedia('(forced-colors: active)').matches")
        found[UNMARKED_CHOICE][name] = page.evaluate(UNMARKED_CHOICE)
        page.keyboard.press("Tab")
        found[UNSEEN_FOCUS][name] = page.evaluate(UNSEEN_FOCUS)
        page.emulate_media(forced_colors="none")
    return found


UNFIT, OBJECTED = "what does not fit", "what axe-core objects to"


def seen(found: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The pages on which something was found."""
    assert found, "no page was looked at"
    return {name: what for name, what in found.items() if what}


def test_everything_fits_on_every_screen(found: Found) -> None:
    assert seen(found[UNFIT]) == {}


@pytest.mark.parametrize("found", [AROUND], indirect=True)
def test_there_is_nothing_to_object_to_around_the_tables(found: Found) -> None:
    """On a phone; in the rules of each game also on a desk by night."""
    assert sum(name.endswith("by night") for name in found[OBJECTED]) == len(games())
    assert seen(found[OBJECTED]) == {}


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


def test_focus_and_choice_are_seen_in_forced_colours(found: Found) -> None:
    """Where backgrounds and shadows are gone, lines around things say what has the focus and what is chosen."""
    assert seen(found[UNMARKED_CHOICE]) == {}
    assert seen(found[UNSEEN_FOCUS]) == {}


MOVING = """() => [
    ...document.getAnimations().filter((one) => one.playState === "running").map((one) => one.effect.target),
    ...[...document.querySelectorAll("*")].filter((one) => {
        const { transitionDuration, scrollBehavior } = getComputedStyle(one);
        return scrollBehavior === "smooth" || transitionDuration.split(",").some((text) => parseFloat(text) > 0);
    }),
].map((one) => one.outerHTML.slice(0, 120))"""


def test_nothing_moves_by_itself_with_reduced_motion(found: Found) -> None:
    assert seen(found[MOVING]) == {}


FAINT = "texts that do not stand out"
LONG = ("-rules-fr", "-components-fr", "-workshop-fr")
PART = "start-fr"
"""What this page has `start-own-fr` has, too."""
ALIKE = {f"{game}-{page}-fr" for game in list(games())[1:] for page in ("sets", "differences")}
"""Pages that differ from the first game's in names alone."""


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


def test_every_text_stands_out_from_what_is_painted_behind_it(found: Found) -> None:
    """WCAG 2.2, 1.4.3: also where axe-core does not decide, on pictures and where things lie over each other."""
    assert seen(found[FAINT]) == {}


COLOUR_ALONE = """() => {
    const marks = (one) => one.querySelector("use[href*='mark-'], use[href*='chest-'], [class*='drawn']");
    return [...document.querySelectorAll("[class*='seat-']")]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 0)
        .filter((one) => /(^| )seat-(red|blue|yellow|green|purple|black)/.test(one.getAttribute("class")))
        .filter((one) => !one.matches(".past-line"))  // a line of points ends at its seat's mark
        .filter((one) => !one.matches("[class*='drawn']") && !marks(one) && !one.closest("tr, li")?.textContent.trim())
        .map((one) => one.outerHTML.slice(0, 160));
}"""


def test_no_seat_is_told_by_its_colour_alone(found: Found) -> None:
    """What has a seat's colour has its mark, too, or stands in a line with words."""
    assert seen(found[COLOUR_ALONE]) == {}


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

"""Tables of the fewest players, lessons and long words fit on small screens, and what does not fit is found;
`test_everyone.py` has tables of the most players and the pages around them, `python -m tests.soak sizes` many more.
"""

import re
from collections.abc import Iterator, Sequence

import pytest
from playwright.sync_api import Browser, Page

from atoll.core.catalogue import find_game, games
from atoll.testing.pseudo import pseudo_language
from tests.soak.layout import Finding, findings, restyled
from tests.soak.sizes import LONG_NAME, Gallery


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gallery]:
    """Pages without a server."""
    with Gallery(tmp_path_factory.mktemp("sizes")) as found:
        yield found


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of its own, with no site behind it."""
    found = chromium.new_page(viewport={"width": 1280, "height": 720})
    yield found
    found.close()


def look(gallery: Gallery, chromium: Browser, pages: dict[str, str], sizes: Sequence[str]) -> list[str]:
    """What does not fit, at which size."""
    return [
        f"{size} {name}: {finding}"
        for name, size, page in gallery.show(chromium, pages, sizes)
        for finding in findings(page)
    ]


def said(page: str) -> str:
    """What the bar's button of a chosen move says."""
    button = re.search(r'id="confirm" aria-label="([^"]*)"', page)
    return button[1] if button else ""


@pytest.mark.parametrize("name", games())
def test_a_table_of_the_fewest_players_fits_on_the_smallest_screens(
    gallery: Gallery, chromium: Browser, name: str
) -> None:
    """At its opening, and with the move chosen whose button has most to say; on screens of everybody also with the best
    moves, other tables that wait and a notice.
    """
    seats = find_game(name).seats[0]
    pages = gallery.tables(name, seats, "fr")
    shown = (f"{name}-{seats}-opening-fr", max(pages, key=lambda page: len(said(pages[page]))))
    assert said(pages[shown[1]])
    assert not look(gallery, chromium, {page: pages[page] for page in shown}, ["320", "1280-at-200%"])

    strips = {page: pages[page] for page in pages if page.endswith(("-strips-fr", "-notice-fr"))}
    opened = ("hints-heading", "next-table", "talk")
    assert len(strips) == 4
    assert all(any(f'id="{part}"' in page for page in strips.values()) for part in opened)
    assert not look(gallery, chromium, strips, ["390", "768", "1280"])
    assert not [found for _, _, page in gallery.show(chromium, strips, ["1280"]) for found in restyled(page)]


def test_the_chat_fits_beside_a_table(gallery: Gallery, chromium: Browser) -> None:
    """Opened over the table, with long messages of somebody with a long name."""
    name = next(iter(games()))
    table = gallery.make(name)
    gallery.seat_friends(table, name)
    gallery.client.post("/name", data={"name": LONG_NAME})
    for text in ("M" * 200, "Zoé " * 50):
        gallery.client.post(f"{table}/chat", data={"text": text})
    chat = re.search(r'<div id="talk-body".*</div>', gallery.client.get(f"{table}/chat").text, re.DOTALL)
    page = gallery.client.get(table).text
    empty = '<div id="talk-body"></div>'
    assert chat
    assert empty in page
    for _, size, shown in gallery.show(chromium, {"chat": page.replace(empty, chat[0])}, ["390", "1280"]):
        shown.evaluate("document.getElementById('talk').showPopover()")
        assert shown.locator("#talk .messages li").count() == 2
        own = [found for found in findings(shown) if found.where.startswith(("#talk", "#say", "#message"))]
        assert not own, size


@pytest.mark.parametrize("name", games())
def test_the_steps_of_a_first_game_fit_on_a_phone(gallery: Gallery, chromium: Browser, name: str) -> None:
    """The last of each lesson, with the move chosen that it asks for."""
    pages = gallery.lessons(name, "fr")
    whole = {page[: -len("-00-whole-fr")]: page for page in sorted(pages) if page.endswith("-whole-fr")}
    assert not look(gallery, chromium, {page: pages[page] for page in whole.values()}, ["390"])


@pytest.mark.parametrize("name", games())
def test_words_half_as_long_again_fit_on_a_phone(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    """In the pseudo-language: a table at its opening, with moves half chosen late in the game, and at its end."""
    seats = find_game(name).seats[0]
    with pseudo_language() as language, Gallery(tmp_path_factory.mktemp("pseudo")) as gallery:
        pages = gallery.tables(name, seats, language)
        kinds = [page for page in pages if page.endswith(f"-chosen-{language}")][-3:]
        kinds += [f"{name}-{seats}-{kind}-{language}" for kind in ("opening", "over")]
        assert all(f'<html lang="{language}"' in pages[page] for page in kinds)
        assert not look(gallery, chromium, {page: pages[page] for page in kinds}, ["390"])


FAULTS = {
    "overlaps": ".plan span { position: absolute; left: 0; top: 0; }",
    "covers": ".label + .label { margin-left: -30px; background: #fff; }",
    "meets": ".label { background: #fff; } .label + .label { margin-left: -2px; }",
    "cut": ".label { overflow: hidden; width: 20px; }",
    "leaves its panel": ".plan { width: 30px; }",
    "scrolls sideways": ".plan { width: 3000px; }",
    "leaves the window": ".plan { position: relative; left: -40px; }",
    "cannot be pressed": "#cover { display: block; }",
    "is too high": ".bar { height: 400px; }",
    "is not in view": ".bar { margin-top: 2000px; }",
    "is out of sight": ".plan { height: 10px; overflow: auto; }",
}
"""Styles that spoil the page below, by what must be found."""

PAGE = """<!doctype html><title>plan</title><style>
body { margin: 0; }
main { min-height: 500px; }
.plan { display: flex; border: 2px solid; }
.label { white-space: nowrap; border: 1px solid; position: relative; }
#cover { display: none; position: fixed; inset: 0; background: #fff; }
</style><style>%s</style>
<div id="table"><section class="bar mine"><p>Your turn</p></section><main id="main">
<div class="plan"><span class="label">Construction</span><span class="label">Gathering</span></div>
<button class="press">Press</button></main></div><div id="cover"></div>"""


def faults(page: Page, style: str = "") -> set[str]:
    """The kinds of findings on the page with that style."""
    page.set_content(PAGE % style)
    return {finding.fault for finding in findings(page)}


def test_a_page_that_fits_is_found_to_fit(page: Page) -> None:
    assert not faults(page)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(page: Page, fault: str) -> None:
    assert fault in faults(page, FAULTS[fault])


def test_a_log_that_cannot_be_opened_or_shows_no_line_is_found(page: Page) -> None:
    log = '<section id="log" popover>%s</section>'
    page.set_content(log % '<ul><li class="log-entry"><span>Red plays</span></li></ul>')
    assert Finding("cannot be opened", "#log", "") in findings(page)
    opener = '<button popovertarget="log">Log</button>'
    page.set_content(opener + log % '<ul><li class="log-entry" hidden><span>Red plays</span></li></ul>')
    assert "shows no line" in {finding.fault for finding in findings(page)}

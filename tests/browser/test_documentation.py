"""The site of the documentation: built without a warning, and its pages looked at as files, without a server."""

import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from docs.site.tour import TOUR, files_of, write_game
from tests.browser.access import objections
from tests.browser.conftest import BAD, DESKTOP, PHONE

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of its pages; a link that leads nowhere, or a page that no list leads to, would have failed."""
    folder = tmp_path_factory.mktemp("documentation") / "site"
    built = subprocess.run(
        [sys.executable, "-m", "docs.site", "--without-tour", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
    )
    assert (built.returncode, built.stderr) == (0, "")
    return folder


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESKTOP, "light")], ids=["phone", "desktop"])
def test_pages_are_within_everybodys_reach(
    site: Path, chromium: Browser, size: dict[str, int], scheme: Literal["dark", "light"]
) -> None:
    """axe-core objects to nothing, nothing is wider than the screen, and nothing comes from elsewhere."""
    context = chromium.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    requests: list[str] = []
    messages: list[str] = []
    context.on("request", lambda request: requests.append(request.url))
    context.on("console", lambda message: messages.append(message.text) if message.type in BAD else None)
    page = context.new_page()
    for name in ("index", "first-evening", "reference", "benchmark"):
        page.goto((site / f"{name}.html").as_uri())
        assert objections(page, contrast=name != "reference") == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], name
    context.close()
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert messages == []


def test_a_game_of_the_tour_is_gone_through(site: Path, chromium: Browser) -> None:
    """From the page of the tour, from the first move to the last, as a file."""
    write_game("karuba", site / "tour")
    page = chromium.new_context(viewport=DESKTOP).new_page()  # type: ignore[arg-type]
    page.goto((site / "tour.html").as_uri())
    for name in TOUR:
        for end in files_of(name):
            expect(page.locator(f'a[href="tour/{name}{end}.html"]')).to_be_visible()
    for end in files_of("karuba"):
        assert (site / "tour" / f"karuba{end}.html").is_file()
    page.get_by_role("link", name="Watch Karuba").click()
    page.wait_for_load_state()
    first = page.locator("#table").inner_text()
    page.keyboard.press("End")
    expect(page.get_by_text("wins", exact=False).first).to_be_visible()
    assert page.locator("#table").inner_text() != first


def test_pages_are_searched_without_a_server(site: Path, chromium: Browser) -> None:
    context = chromium.new_context(viewport=PHONE)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto((site / "search.html").as_uri() + "?q=resample")
    expect(page.locator("#search-results a", has_text="The design of Atoll")).to_be_visible()
    context.close()

"""How long does a stranger take through the workshop?

`python -m bench.workshop OUT_DIR GAME ENTRY PART=VALUE...`.

From the start page, in Chromium alone: open the game's workshop, change an entry of its components, such as
`constructions-7 prestige=6 cost.liana=1`, ask what that does, read the answer, and play it at a table until the first
move is made. Photographed at each step, on a desktop in English and on a phone in French; `--pause` seconds are taken
to read each page before it is used.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from atoll.core.catalogue import games
from tests.chromium import chromium
from tests.site_process import serving

PATHS: dict[str, dict[str, Any]] = {
    "desktop-en": {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB"},
    "phone-fr": {
        "viewport": {"width": 390, "height": 844},
        "locale": "fr-FR",
        "has_touch": True,
        "is_mobile": True,
    },
}
ANSWERED = 240_000
"""Milliseconds after which a comparison is given up."""


def walk(page: Page, address: str, name: str, settings: argparse.Namespace) -> None:
    """Go the whole path; prints the seconds of each step."""
    listed, _, number = settings.entry.rpartition("-")
    began = last = time.monotonic()

    def step(done: str, *, whole: bool = False) -> None:
        nonlocal last
        now = time.monotonic()
        print(f"{name}: {now - last:5.1f} s  {done}")
        page.screenshot(path=settings.out / f"{name}-{done.replace(' ', '-')}.png", full_page=whole)
        time.sleep(settings.pause)
        last = now

    page.goto(address)
    step("start page")
    page.locator(f"#new-{settings.game} a[href$='/workshop']").click()
    page.locator("#ws-begin").click()
    entry = f"#entry-{settings.entry}"
    expect(page.locator(entry)).to_be_visible()
    step("workshop opened")
    page.locator(f"{entry} .ws-open").click()
    for part, value in (change.split("=") for change in settings.changes):
        field = page.locator(f"{entry}.open [name='v:{listed}[{number}].{part}']")
        field.fill(value)
    field.press("Enter")
    expect(page.locator("#ws-state .ws-good")).to_contain_text("1")  # change since version 1
    page.locator(entry).scroll_into_view_if_needed()
    step("entry changed")
    page.locator("#ws-compare").click()
    expect(page.locator("#ws-progress").or_(page.locator(".ws-findings li").first)).to_be_visible()
    step("comparison under way")
    expect(page.locator(".ws-findings li").first).to_be_visible(timeout=ANSWERED)
    page.locator("#trial").scroll_into_view_if_needed()
    step("comparison answered")
    page.locator("#ws-play").click()
    expect(page.locator("#table")).to_be_visible(timeout=ANSWERED)
    button = page.locator("#main button.press[type=submit]").first
    button.click(timeout=ANSWERED)
    step("a table with it")
    print(f"{name}: {time.monotonic() - began:5.1f} s in all")


def main() -> None:
    """Go the path on both."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.workshop",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("game", choices=games())
    parser.add_argument("entry", help="the list and the number of what is changed, from 0")
    parser.add_argument("changes", nargs="+", metavar="PART=VALUE")
    parser.add_argument("--pause", type=float, default=0.0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        serving(home, cached=True) as address,
        chromium() as browser,
    ):
        for name, settings in PATHS.items():
            page = browser.new_context(**settings).new_page()
            walk(page, address, name, arguments)


if __name__ == "__main__":
    main()

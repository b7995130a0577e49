"""A stranger's path through the workshop, timed: `python -m bench.workshop OUT_DIR`.

From the start page, in Chromium alone: open Cast Away's workshop, give a tile twice the prestige and a lower price, ask
what that does, read the answer, and play it at a table until the first move is made. Photographed at each step, on a
desktop in English and on a phone in French; `--pause` seconds are taken to read each page before it is used.
"""

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from bench.click import FLAGS
from bench.site import serving

PATHS: dict[str, dict[str, Any]] = {
    "desktop-en": {"viewport": {"width": 1366, "height": 768}, "locale": "en-GB"},
    "phone-fr": {
        "viewport": {"width": 390, "height": 844},
        "locale": "fr-FR",
        "has_touch": True,
        "is_mobile": True,
    },
}
GAME, LISTED, TILE = "cast-away", "constructions", 7
"""What is changed: the eighth construction tile."""
ANSWERED = 240_000
"""Milliseconds after which a comparison is given up."""


def walk(page: Page, address: str, out: Path, name: str, pause: float) -> None:
    """Go the whole path; prints the seconds of each step."""
    began = last = time.monotonic()

    def step(done: str, *, whole: bool = False) -> None:
        nonlocal last
        now = time.monotonic()
        print(f"{name}: {now - last:5.1f} s  {done}")
        page.screenshot(path=out / f"{name}-{done.replace(' ', '-')}.png", full_page=whole)
        time.sleep(pause)
        last = now

    page.goto(address)
    step("start page")
    page.locator(f"#new-{GAME} a[href$='/workshop']").click()
    page.locator("#ws-begin").click()
    entry = f"#entry-{LISTED}-{TILE}"
    expect(page.locator(entry)).to_be_visible()
    step("workshop opened")
    page.locator(f"{entry} .ws-open").click()
    for part, value in (("prestige", "6"), ("cost.liana", "1")):
        field = page.locator(f"{entry}.open [name='v:{LISTED}[{TILE}].{part}']")
        field.fill(value)
        field.press("Enter")
    expect(page.locator("#ws-state .ws-good")).to_be_visible()
    page.locator(entry).scroll_into_view_if_needed()
    step("tile changed")
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
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--pause", type=float, default=0.0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as home,
        serving(home, cached=True) as address,
        sync_playwright() as playwright,
    ):
        browser: Browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, settings in PATHS.items():
            page = browser.new_context(**settings).new_page()
            walk(page, address, arguments.out, name, arguments.pause)
        browser.close()


if __name__ == "__main__":
    main()

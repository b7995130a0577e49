"""Take the pictures of the tutorials: `python -m docs.site.pictures`.

A site is started, and a host and a guest walk through the first evening, pressing what it names. The printed
sheet is what the command of the designer's tutorial writes. The pictures stand in docs/pictures, so that building the
documentation needs no browser.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from atoll import find_game
from tests.browser.test_newcomer import Presses, choose, invite
from tests.chromium import chromium
from tests.site_process import serving

PICTURES = Path(__file__).parents[1] / "pictures"
DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 700}


def someone(browser: Browser, size: dict[str, int]) -> Presses:
    """A person at a browser of their own."""
    context = browser.new_context(viewport=size, locale="en-GB", reduced_motion="reduce")  # type: ignore[arg-type]
    context.set_default_timeout(60_000)
    return Presses(context.new_page())


def take(page: Page, name: str) -> None:
    """Write a picture of what is in sight."""
    page.wait_for_load_state("networkidle")
    page.screenshot(path=PICTURES / f"{name}.png")


def first_evening(browser: Browser, address: str) -> None:
    """The start page, a first game that teaches, the invitation, a friend's phone, and the table."""
    host, guest, beginner = someone(browser, DESKTOP), someone(browser, PHONE), someone(browser, DESKTOP)
    host.page.goto(f"{address}/")
    take(host.page, "start-page")
    beginner.page.goto(f"{address}/")
    beginner.press(beginner.page.get_by_role("button", name="Learn by playing").first)
    expect(beginner.page.locator("#table")).to_be_visible()
    take(beginner.page, "lesson")
    invite(host)
    take(host.page, "invitation")
    take_seats_in_english(host, guest)
    choose(guest)
    expect(guest.page.get_by_text("You have chosen.").first).to_be_visible()
    take(guest.page, "friend-phone")
    take(host.page, "first-table")


def changed_sheet(browser: Browser, folder: Path) -> None:
    """What is printed when the first tile of Cast Away has another prestige."""
    text = (find_game("cast-away").folder / "components.toml").read_text("utf-8")
    first = text.index("[[constructions]]")
    mine, html = folder / "mine.toml", folder / "changed.html"
    mine.write_text(text[:first] + text[first:].replace("prestige = 1", "prestige = 5", 1), "utf-8")
    command = [sys.executable, "-m", "atoll", "print", "cast-away", "--components", str(mine)]
    subprocess.run([*command, "--changes-from", "reconstruction", "--out", str(html)], check=True)
    page = someone(browser, {"width": 800, "height": 1130}).page
    page.emulate_media(media="print")
    page.goto(html.as_uri())
    box = page.locator(".print-side").nth(2).bounding_box()
    assert box is not None
    clip = {"x": box["x"], "y": box["y"], "width": 500, "height": 320}
    page.screenshot(path=PICTURES / "changed.png", full_page=True, clip=clip)  # type: ignore[arg-type]


def take_seats_in_english(host: Presses, guest: Presses) -> None:
    guest.page.goto(host.page.url)
    take(guest.page, "friend-invited")
    guest.press(guest.page.locator(".room-seats button.call").first)
    expect(guest.page.locator("#leave")).to_be_visible()
    host.press(host.page.locator("#start"))
    expect(host.page.locator("#waiting-room")).to_have_count(0)


def main() -> None:
    """Take all of them."""
    expect.set_options(timeout=60_000)
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, serving(home) as address, chromium() as browser:
        first_evening(browser, address)
        changed_sheet(browser, Path(home))


if __name__ == "__main__":
    main()

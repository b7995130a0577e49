"""Can every first game be played to its end by mouse, touch and keyboard?

`python -m tests.soak lessons OUT_DIR [NAME ...]` plays them in Chromium.

By mouse on a desktop, by touch on a phone and by keyboard alone, in every language; what is ringed is pressed, and each
step is photographed. At every step something else is pressed first, where there is anything else, and must be answered
with a reason that changes nothing; in the middle the table is left and resumed from the start page. With `--to-the-end`
each game is played on freely until it is over. `--language` and `--way` name some.
"""

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, TimeoutError

from atoll.core.catalogue import games
from atoll.core.lessons import scripts_of
from atoll.text.translation import LANGUAGES
from tests.chromium import chromium
from tests.site_process import serving

ASKED = "#confirm.asked, #main .asked"
"""What a lesson asks to press; the bar's button stands before the rest."""
OTHERS = "#main button.press[type=submit]:not(.asked):not([aria-pressed=true])"
"""What it does not."""
CONTROL = (
    "form => [form.action, new URLSearchParams(new FormData(form)), form.querySelector('button').ariaPressed]"
)
"""What a form sends, and whether it is chosen; how its button looks while it is on its way does not count."""
SHOWN = f"[...document.querySelectorAll('.asked')].map(button => button.form).map({CONTROL}).join()"
"""What can be pressed that the lesson asks for, with the number of the decision and what is chosen."""
FREE = "#main button.press[type=submit]:not([aria-pressed=true])"
SHOWN_FREE = f"[...document.querySelectorAll('#table .press-form')].map({CONTROL}).join()"
TABS = 200
"""So many times Tab is pressed in search of a button, the most."""

IN_GROUP = """button =>
  button.tabIndex === -1 && button.closest("[data-keys]")?.contains(document.activeElement)"""
"""Whether the focus is in the button's group, in which arrow keys walk."""

WAYS: dict[str, dict[str, Any]] = {
    "mouse": {"viewport": {"width": 1440, "height": 900}},
    "touch": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "keys": {"viewport": {"width": 1280, "height": 720}},
}
"""Ways to press, each with its browser."""

Press = Callable[[Page, Locator], None]


def by_mouse(page: Page, button: Locator) -> None:
    """Press with the mouse."""
    button.click()


def by_touch(page: Page, button: Locator) -> None:
    """Press with a finger."""
    button.tap()


def by_keys(page: Page, button: Locator) -> None:
    """Walk there with Tab and the arrow keys, and press Enter."""
    handle = button.element_handle()
    is_there = "button => document.activeElement === button"
    for _ in range(TABS):
        if page.evaluate(is_there, handle):
            page.keyboard.press("Enter")
            return
        stop = page.evaluate(IN_GROUP, handle)
        page.keyboard.press("ArrowRight" if stop else "Tab")
    raise LookupError(f"no way by keyboard to {button}")


PRESS: dict[str, Press] = {"mouse": by_mouse, "touch": by_touch, "keys": by_keys}


def begin(page: Page, game: str, number: int) -> None:
    """Begin a game's lesson of that number, from 1, from the start page."""
    page.goto("/")
    page.locator(f"#new-{game} details.lessons > summary").click()
    page.locator(f"#new-{game} details.lessons li button").nth(number - 1).click()
    page.wait_for_selector("#table")
    address = page.url
    page.request.post(
        f"{address}/pace", form={"pace": "at once"}, headers={"Origin": address.partition("/tables")[0]}
    )
    page.goto(address)


def step_of(page: Page) -> str:
    """The number of the step that the bar shows; empty once the lesson is over, and while others move."""
    shown = page.locator("#bar.mine .lesson-step [aria-hidden]")
    return shown.inner_text() if shown.count() else ""


def steps(page: Page, press: Press) -> Iterator[str]:
    """Play a lesson to its last step; gives, before each press, the step's number and how many presses there were."""
    presses = 0
    while True:
        page.wait_for_selector("#bar.mine, #table.over")
        step = step_of(page)
        if not step:
            return
        yield f"{step.partition('/')[0]:0>2}-{presses}"
        before = page.evaluate(SHOWN)
        press(page, page.locator(ASKED).first)
        page.wait_for_function(f"before => {SHOWN} !== before", arg=before)
        presses += 1


def try_another(page: Page, press: Press) -> str | None:
    """Press something that the step does not ask for; gives the reason why not, or None if there is nothing else."""
    step, others = step_of(page), page.locator(OTHERS)
    if not others.count():
        return None
    press(page, others.first)
    reason = page.locator("#bar .reason")
    reason.wait_for()
    assert step_of(page) == step, "a wrong try went on to another step"
    return reason.inner_text()


def leave_and_resume(page: Page, game: str) -> None:
    """Go to the start page and come back to the same step."""
    step, address = step_of(page), page.url.partition("?")[0]
    page.goto("/")
    page.locator(f"#resume-{game}").click()
    page.wait_for_url(address)
    page.wait_for_selector("#bar.mine")
    assert step_of(page) == step, "the lesson goes on at another step"


def play_through(page: Page, game: str, press: Press) -> Iterator[str]:
    """Play a lesson as `steps` does, with a wrong try at each step, and left in the middle; gives the steps' names."""
    seen: dict[str, str | None] = {}
    for name in steps(page, press):
        step = name[:2]
        if step not in seen:
            if len(seen) == int(step_of(page).partition("/")[2]) // 2:
                leave_and_resume(page, game)
            seen[step] = try_another(page, press)
        yield name
    tried = sum(reason is not None for reason in seen.values())
    print(f"  {len(seen)} steps, {tried} wrong tries explained, left and resumed", flush=True)


def play_on(page: Page, press: Press, chance: random.Random) -> int:
    """Play freely until the game is over; returns how often something was pressed."""
    presses = 0
    while True:
        page.wait_for_selector("#bar.mine, #table.over", timeout=120_000)
        if page.locator("#table.over").count():
            return presses
        before = page.evaluate(SHOWN_FREE)
        sure = page.locator("#bar:has(.cancel) #confirm")
        with suppress(TimeoutError, LookupError):  # others move meanwhile, and what was to be pressed is gone
            press(page, sure if sure.count() else chance.choice(page.locator(FREE).all()))
            page.wait_for_function(f"before => {SHOWN_FREE} !== before", arg=before)
        presses += 1


@contextmanager
def browsing(browser: Browser, way: str, language: str, address: str) -> Iterator[Page]:
    """A page of a browser for that way to press."""
    context = browser.new_context(
        base_url=address, locale=f"{language}-{language.upper()}", reduced_motion="reduce", **WAYS[way]
    )
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def main() -> None:
    """Play them all."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak lessons",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", help="games, or GAME:NUMBER for one lesson")
    parser.add_argument("--language", action="append", choices=list(LANGUAGES))
    parser.add_argument("--way", action="append", choices=list(WAYS))
    parser.add_argument("--to-the-end", action="store_true")
    settings = parser.parse_args()
    settings.out.mkdir(parents=True, exist_ok=True)
    wanted = [
        (game, number + 1)
        for game in games().values()
        for number in range(len(scripts_of(game)))
        if not settings.names or game.name in settings.names or f"{game.name}:{number + 1}" in settings.names
    ]
    with (
        tempfile.TemporaryDirectory() as home,
        serving(home, cached=True) as address,
        chromium() as browser,
    ):
        for game, number in wanted:
            for way in settings.way or WAYS:
                for language in settings.language or LANGUAGES:
                    with browsing(browser, way, language, address) as page:
                        begin(page, game.name, number)
                        for name in play_through(page, game.name, PRESS[way]):
                            file = f"{game.name}-{number}-{way}-{language}-{name}.png"
                            page.screenshot(path=settings.out / file)
                        page.screenshot(path=settings.out / f"{game.name}-{number}-{way}-{language}-end.png")
                        print(game.name, number, way, language, "played", flush=True)
                        if settings.to_the_end:
                            page.set_default_timeout(5_000)
                            presses = play_on(page, PRESS[way], random.Random(1))
                            print(
                                "  on to the end:",
                                presses,
                                "presses,",
                                page.locator("#prompt").inner_text(),
                                flush=True,
                            )


if __name__ == "__main__":
    main()

"""Chromium, as measurements and browser tests start it."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from atoll.web.chromium import browser

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
FOR_MANY_PAGES = (
    # A new browser's pages would begin in a process of their own, beside one that waits for the next: dear to start.
    "--renderer-process-limit=1",
    # The address bar's lists, two pages of Chromium's own beside each of ours: two thirds of what opening one costs.
    # A later list replaces Playwright's, of which these are the ones that could be seen on a page or in the log.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,AimEnabled,PaintHolding,HttpsUpgrades,"
    "MediaRouter,OptimizationHints,LensOverlay,ThirdPartyStoragePartitioning,DestroyProfileOnBrowserClose",
)
KEEPS_PAGES = "--disable-back-forward-cache"
"""Left out where a page that was left is kept, as by the browsers of players; Playwright says it."""


@contextmanager
def chromium(*, for_many_pages: bool = False) -> Iterator[Browser]:
    """The browser that CHROMIUM names, else one that is installed; raises AtollError without one.

    `for_many_pages`: they open quickly, and are kept as by the browsers of players.
    """
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=browser(),
            args=[*FLAGS, *(FOR_MANY_PAGES if for_many_pages else ())],
            ignore_default_args=[KEEPS_PAGES] if for_many_pages else None,
        )
        yield started
        started.close()

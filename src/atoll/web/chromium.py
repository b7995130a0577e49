"""Chromium or Chrome, where it is installed: it takes pictures of pages and prints them."""

import os
import shutil
import subprocess
import tempfile
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path

from atoll.text.errors import AtollError
from atoll.text.messages import Message

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 60
"""Seconds that a browser has for a page."""
ONE_AT_A_TIME = threading.Lock()
"""A browser takes some hundred MB; the others wait."""


@cache
def browser() -> str:
    """The program: the one that CHROMIUM names, else one that is installed; raises AtollError if there is none."""
    setting = os.environ.get("CHROMIUM")
    names = (setting,) if setting else BROWSERS
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        raise AtollError(
            Message(
                "this needs Chromium or Chrome, and there is none: apt install chromium installs it; "
                "CHROMIUM names it if it is elsewhere"
            )
        )
    return program


def visit(html: str, name: str, made: str, *options: str) -> bytes:
    """What the browser makes of a page, by the option that names a file, such as `--screenshot`; the ending
    of its `name` is of that kind. Raises AtollError if it makes nothing.
    """
    with ONE_AT_A_TIME, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page, result = Path(folder) / "page.html", Path(folder) / name
        page.write_text(html, encoding="utf-8")
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(
                [
                    browser(),
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--hide-scrollbars",
                    "--no-first-run",
                    f"--user-data-dir={folder}/browser",
                    *options,
                    f"{made}={result}",
                    page.as_uri(),
                ],
                check=False,
                capture_output=True,
                timeout=PATIENCE,
            )
        if not result.is_file():
            raise AtollError(Message("%(browser)s made nothing of the page", browser=browser()))
        return result.read_bytes()


def pdf_of(html: str) -> bytes:
    """The page as a PDF, in the sizes that its own style gives."""
    return visit(html, "page.pdf", "--print-to-pdf", "--no-pdf-header-footer", "--disable-pdf-tagging")

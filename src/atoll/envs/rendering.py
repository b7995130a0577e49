"""How the environments that play one game are shown: as text, as a picture of the table, or in a browser.

The picture and the page are the site's own table (`web/pages/static_page.py`), drawn from what the viewer may know.
"""

import shutil
import tempfile
import webbrowser
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.state import SPECTATOR
from atoll.envs import require
from atoll.envs.referee import Referee, check_choice
from atoll.web.chromium import browser, visit

RENDER_MODES = ("ansi", "rgb_array", "human")
"""Text as the terminal shows it; an array of uint8, shape (height, width, 3); a page in the browser that follows."""
WIDTH, HEIGHT = 1280, 800
"""Of the picture, in pixels."""
FOLLOWS = 1
"""Seconds after which the page in the browser looks whether there is something new."""

Rendered = str | NDArray[np.uint8] | None


class Renderer:
    """Shows one environment in its render mode; None shows nothing. Raises AtollError for a mode that is not there."""

    def __init__(self, mode: str | None) -> None:
        self.mode = None if mode is None else check_choice("render mode", mode, RENDER_MODES)
        self._page: Path | None = None
        if mode == "rgb_array":
            require("PIL")
            browser()

    def render(self, referee: Referee, seat: int | None = None) -> Rendered:
        """What a seat sees, or, for None, somebody who watches."""
        if self.mode == "ansi":
            return referee.picture(SPECTATOR if seat is None else seat)
        if self.mode == "rgb_array":
            return photograph(page_of(referee, seat))
        if self.mode == "human":
            self._show(page_of(referee, seat, again=FOLLOWS))
        return None

    def _show(self, html: str) -> None:
        """Put the page where the browser looks; the first time, open it there."""
        first = self._page is None
        if self._page is None:
            self._page = Path(tempfile.mkdtemp(prefix="atoll-")) / "table.html"
        fresh = self._page.with_suffix(".new")
        fresh.write_text(html, encoding="utf-8")
        fresh.replace(self._page)
        if first:
            webbrowser.open(self._page.as_uri())

    def close(self) -> None:
        """Throw the page away."""
        if self._page is not None:
            shutil.rmtree(self._page.parent, ignore_errors=True)
            self._page = None

    def __getstate__(self) -> dict[str, Any]:
        return {"mode": self.mode, "_page": None}  # a copy opens a page of its own


def page_of(referee: Referee, seat: int | None, again: int = 0) -> str:
    """The table's page at a moment of a game."""
    from atoll.web.pages.static_page import draw_static

    return draw_static(referee.position, seat, again=again)


def photograph(html: str) -> NDArray[np.uint8]:
    """A page as a browser paints it, shape (HEIGHT, WIDTH, 3), uint8."""
    from PIL import Image

    picture = visit(html, "page.png", "--screenshot", f"--window-size={WIDTH},{HEIGHT}")
    with Image.open(BytesIO(picture)) as image:
        return np.array(image.convert("RGB"))

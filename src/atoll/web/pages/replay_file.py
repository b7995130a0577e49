"""A game as one HTML file: the table after each of its moves, to be watched without a site.

Styles and drawings are inlined, and nothing is loaded from elsewhere. The pages are cut into pieces, most of which many
of them share: the file holds each piece once, and of each page the numbers of its pieces.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from gzip import compress

from msgspec.json import encode

from atoll.core.records import Record, replay
from atoll.web import STATIC
from atoll.web.pages.replay_page import draw_replay
from atoll.web.pages.static_page import inlined
from atoll.web.table.replay import look_of
from atoll.web.table.seats import Viewer
from atoll.web.table.watched_record import WatchedRecord

_PIECE = re.compile(r"(?=<(?:g|li|section|div|button|form)\b)")
"""Where a page is cut."""
_HEAD = """
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'">
<style>.past-rest, .languages, .icon-button:not(.log-button, .close) { display: none !important; }</style>
"""


class ReplayFile:
    """The file of a recorded game. Raises RecordError if the game does not replay."""

    def __init__(self, record: Record, language: str) -> None:
        for _ in replay(record):
            pass  # checks every line
        self.table = WatchedRecord(record, "replay")
        self.language = language
        self.pages = range(len(self.table.timeline.answers) + 1)
        """By how many moves each comes after."""

    def page(self, moves: int, *, whole: bool = False) -> str:
        """The table after so many moves, everything open that the record shows."""
        look = look_of(self.table, Viewer(None), str(moves), None, None)
        return str(draw_replay(self.table, look, self.language, whole=whole))

    def draw(self, pages: Iterable[int] | None = None) -> str:
        """The file's HTML. `pages` is `self.pages`, perhaps with a progress bar."""
        numbers: dict[str, int] = {}
        shown = [
            [numbers.setdefault(piece, len(numbers)) for piece in _PIECE.split(self.page(moves))]
            for moves in (self.pages if pages is None else pages)
        ]
        data = b64encode(
            compress(encode({"pieces": list(numbers), "pages": shown, "at": self.table.opens_at}), mtime=0)
        ).decode()
        scripts = [
            (STATIC / name).read_text(encoding="utf-8") for name in ("vendor/morphdom.js", "replay_file.js")
        ]
        end = (
            f'<script type="application/gzip" id="replay">{data}</script>'
            f'<script>{scripts[0]}</script><script type="module">{scripts[1]}</script></body>'
        )
        html = inlined(self.page(0, whole=True), self.table.game)
        return html.replace("</head>", _HEAD + "</head>", 1).replace("</body>", end, 1)

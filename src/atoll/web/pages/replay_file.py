"""A game as one HTML file: the table after each of its moves, to be watched without a site.

Styles and drawings are inlined, and nothing is loaded from elsewhere. The pages are cut into pieces, most of which many
of them share: the file holds each piece once, and of each page the numbers of its pieces. Where the moves of a seat are
guessed all pages are as that seat saw them.
"""

import re
from base64 import b64encode
from collections.abc import Iterable
from gzip import compress

from msgspec.json import encode

from atoll.core.records import Record, replay
from atoll.web import STATIC
from atoll.web.pages.guesses import decisions_of, engine_data
from atoll.web.pages.replay_page import draw_replay
from atoll.web.pages.static_page import STYLESHEET, inlined, style_element
from atoll.web.table.replay import look_of
from atoll.web.table.seats import Viewer
from atoll.web.table.watched_record import WatchedRecord

SCRIPTS = ("vendor/morphdom.js", "replay_file.js")
_PIECE = re.compile(r"(?=<(?:g|li|section|div|button|form)\b)")
"""Where a page is cut."""
_WATCHING = """
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'">
"""
_HEAD = """
<style>.past-rest, .languages, .icon-button:not(.log-button, .close) { display: none !important; }</style>
"""
_GUESSING = """
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; script-src 'unsafe-inline' \
'wasm-unsafe-eval'; worker-src blob:; connect-src data:; style-src 'unsafe-inline'">
"""


class ReplayFile:
    """The file of a recorded game; of the seat `guesses` every decision is asked for before it is shown.

    Raises RecordError if the game does not replay, and AtollError if the seat's moves cannot be guessed.
    """

    def __init__(self, record: Record, language: str, guesses: int | None = None) -> None:
        for _ in replay(record):
            pass  # checks every line
        self.table = WatchedRecord(record, "replay")
        self.language = language
        self.pages = range(len(self.table.timeline.answers) + 1)
        """By how many moves each comes after."""
        self.guesses = guesses
        self.decisions = {} if guesses is None else decisions_of(self.table, guesses)
        self.engine = engine_data(self.table.game, self.decisions) if self.decisions else None

    def page(self, moves: int, *, whole: bool = False) -> str:
        """The table after so many moves, everything open that the record shows, or as the seat saw it that guesses."""
        html = self._drawn(moves, whole=whole)
        return html if whole else STYLESHEET.sub("", html)

    def _drawn(self, moves: int, *, whole: bool = False) -> str:
        look = look_of(self.table, Viewer(self.guesses), str(moves), None, None)
        decision = self.decisions.get(moves)
        return str(draw_replay(self.table, look, self.language, whole=whole, decision=decision))

    def _ending_styles(self) -> str:
        """The styles that the page of a game's end brings itself."""
        links = STYLESHEET.findall(self._drawn(self.pages[-1]))
        return "".join(style_element(link, self.table.game) for link in links)

    def draw(self, pages: Iterable[int] | None = None) -> str:
        """The file's HTML. `pages` is `self.pages`, perhaps with a progress bar."""
        numbers: dict[str, int] = {}
        shown = [
            [numbers.setdefault(piece, len(numbers)) for piece in _PIECE.split(self.page(moves))]
            for moves in (self.pages if pages is None else pages)
        ]
        at = min(self.decisions, default=self.table.opens_at)
        held = {"pieces": list(numbers), "pages": shown, "at": at, "guess": self.engine}
        data = b64encode(compress(encode(held), mtime=0)).decode()
        first, *rest = SCRIPTS if self.engine is None else (*SCRIPTS, "guess.js")
        end = (
            f'<script type="application/gzip" id="replay">{data}</script>'
            f'<script>{script(first)}</script><script type="module">{"".join(map(script, rest))}</script></body>'
        )
        head = [_WATCHING, self._ending_styles()]
        if self.engine is not None:
            head = [_GUESSING, self._ending_styles(), style_element("/static/guess.css", self.table.game)]
        html = inlined(self.page(0, whole=True), self.table.game)
        html = html.replace("</head>", "".join(head) + _HEAD + "</head>", 1)
        return html.replace("</body>", end, 1)


def script(name: str) -> str:
    """A script of the site's."""
    return (STATIC / name).read_text(encoding="utf-8")

"""What a refused request gets: a page, or for the site's own script one line, with a sentence that says why."""

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from atoll.web.pages.language import language_of
from atoll.web.pages.templating import draw, words_for
from atoll.web.refusal import Gone, Refusal

FRAGMENT = "atoll-fragment"
"""The header with which the site's script asks for the live part of a page alone; its value is how many rounds
the page's log has."""


def wants_fragment(connection: HTTPConnection) -> bool:
    """Whether the site's own script asks."""
    return FRAGMENT in connection.headers


def rounds_known(connection: HTTPConnection) -> int:
    """How many rounds the log of the asking page has."""
    return as_count(connection.headers.get(FRAGMENT, ""))


def as_count(text: str) -> int:
    """A small number that a page sent; 0 if it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def sentence(connection: HTTPConnection, refusal: Refusal) -> str:
    """Why, in the reader's language."""
    return words_for(language_of(connection))(refusal.text, **refusal.values)


def refused(connection: HTTPConnection, refusal: Refusal) -> HTMLResponse:
    """The answer."""
    language = language_of(connection)
    gone = refusal if isinstance(refusal, Gone) else None
    template = "refusal_line.html.jinja" if wants_fragment(connection) else "refusal.html.jinja"
    return HTMLResponse(
        draw(template, language, sentence=sentence(connection, refusal), gone=gone),
        status_code=refusal.status,
    )

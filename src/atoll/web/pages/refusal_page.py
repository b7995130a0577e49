"""What a refused request gets: a page, or for the site's own script one line, with a sentence that says why."""

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.text.messages import Message
from atoll.text.printable import sentence as printable
from atoll.text.translation import Translator
from atoll.web.pages.language import language_of
from atoll.web.pages.rules_page import has_rules_page
from atoll.web.pages.templating import draw, translator_for
from atoll.web.refusal import TABLE_ID, Gone, NoSuchTable, Refusal

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


def refusal_text(connection: HTTPConnection, refusal: Refusal) -> str:
    """Why, in the reader's language."""
    translator = translator_for(language_of(connection), refusal.package)
    return printable(Message(refusal.text, **refusal.values).said(translator))


def refusal_response(connection: HTTPConnection, refusal: Refusal) -> HTMLResponse:
    """The answer."""
    language = language_of(connection)
    gone = refusal if isinstance(refusal, Gone) else None
    reads = connection.scope.get("method") == "GET"
    template = "refusal_line.html.jinja" if wants_fragment(connection) else "refusal.html.jinja"
    return HTMLResponse(
        draw(
            template,
            language,
            name=name_of(refusal, translator_for(language)),
            sentence=refusal_text(connection, refusal),
            gone=gone,
            table=table_beside(connection, refusal),
            set=set_beside(connection, refusal),
            game=game_beside(connection, gone),
            games=[game for game in games().values() if has_rules_page(game)]
            if refusal.status == 404
            else [],
            here=connection.url.path if reads else "/",
        ),
        status_code=refusal.status,
    )


def name_of(refusal: Refusal, translator: Translator) -> str:
    """What is wrong, as the heading says it."""
    match refusal.status:
        case 403:
            return translator("Not allowed")
        case 404 | 405:
            return translator("Not found")
        case 410:
            return translator("No longer playable")
        case 413 | 429:
            return translator("Too much")
        case 500:
            return translator("Something went wrong")
        case 503:
            return translator("Not now")
        case _:
            return translator("Not possible")


def table_beside(connection: HTTPConnection, refusal: Refusal) -> str | None:
    """The table to which the refused request belongs, if it can be gone back to."""
    return None if isinstance(refusal, Gone | NoSuchTable) else page_above(connection, "tables")


def set_beside(connection: HTTPConnection, refusal: Refusal) -> str | None:
    """The workshop's set to which the refused request belongs, if it can be gone back to."""
    return None if refusal.status == 404 else page_above(connection, "workshop")


def page_above(connection: HTTPConnection, folder: str) -> str | None:
    """The page of the one thing in that folder to which the request belongs."""
    first, _, rest = connection.url.path.removeprefix("/").partition("/")
    named = rest.partition("/")[0]
    return f"/{folder}/{named}" if first == folder and TABLE_ID.fullmatch(named) else None


def game_beside(connection: HTTPConnection, gone: Gone | None) -> Game | None:
    """The game to which the refused request belongs, if it is here and tells its rules."""
    first, _, rest = connection.url.path.removeprefix("/").partition("/")
    name = gone.game if gone is not None else rest.partition("/")[0] if first == "games" else ""
    game = games().get(name)
    return game if game is not None and has_rules_page(game) else None

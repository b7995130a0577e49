"""The response to a refused request: a page that says why or, for the site's own script, one line."""

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.text.messages import Message
from atoll.text.printable import sentence as printable
from atoll.text.translation import Translator
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import wants_fragment
from atoll.web.pages.rules_page import has_rules_page
from atoll.web.pages.templating import draw
from atoll.web.refusal import TABLE_ID, NoSuchTable, Refusal
from atoll.web.store.store import Gone
from atoll.web.translation import translator_for


def refusal_text(connection: HTTPConnection, refusal: Refusal) -> str:
    """The refusal's message in the reader's language."""
    translator = translator_for(language_of(connection), refusal.package)
    return printable(Message(refusal.text, **refusal.values).translate(translator))


def refusal_response(connection: HTTPConnection, refusal: Refusal) -> HTMLResponse:
    """The response to a refused request."""
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
    """The page's heading."""
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
    """The address of the table that the request is about; None if it cannot be opened."""
    return None if isinstance(refusal, Gone | NoSuchTable) else page_above(connection, "tables")


def set_beside(connection: HTTPConnection, refusal: Refusal) -> str | None:
    """The address of the workshop's set that the request is about; None if it cannot be opened."""
    return None if refusal.status == 404 else page_above(connection, "workshop")


def page_above(connection: HTTPConnection, folder: str) -> str | None:
    """The address of the table or set, as `folder` says, that the request's path begins with."""
    first, _, rest = connection.url.path.removeprefix("/").partition("/")
    name = rest.partition("/")[0]
    return f"/{folder}/{name}" if first == folder and TABLE_ID.fullmatch(name) else None


def game_beside(connection: HTTPConnection, gone: Gone | None) -> Game | None:
    """The game that the request is about, if it is installed and has a page of rules."""
    first, _, rest = connection.url.path.removeprefix("/").partition("/")
    name = gone.game if gone is not None else rest.partition("/")[0] if first == "games" else ""
    game = games().get(name)
    return game if game is not None and has_rules_page(game) else None

"""Pages about a game: its rules, and everything in its box; opened from a table, as that table was begun."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.text.errors import AtollError
from atoll.web.pages import lessons
from atoll.web.pages.language import language_of
from atoll.web.pages.rules_page import Begun, draw_rules, has_rules_page, shipped
from atoll.web.refusal import TABLE_ID, Refusal
from atoll.web.serving.site import page, site_of
from atoll.web.store.store import Store
from atoll.web.table.creation import components_of


def game_of(request: Request) -> Game:
    """The game that the address names."""
    try:
        return find_game(request.path_params["game"])
    except AtollError:
        raise Refusal(404, "There is no such game.") from None


def table_left(request: Request) -> str | None:
    """The table from which the page was opened, as its address names it."""
    named = request.query_params.get("table", "")
    return named if TABLE_ID.fullmatch(named) else None


def begun_with(store: Store, game: Game, table_id: str | None) -> Begun:
    """With what the table from which a page was opened was begun; as the game comes, if there is none of this game."""
    row = None if table_id is None else store.row(table_id)
    if row is None or row.game != game.name:
        return shipped(game)
    try:
        return Begun(components_of(game, row), row.options, row.players, row.id)
    except (AtollError, Refusal):  # what cannot be played any more can still be left by its link
        return Begun(game.components(), table=row.id)


async def rules_page(request: Request) -> Response:
    """A game's rules."""
    site, game, language = site_of(request), game_of(request), language_of(request)
    if not has_rules_page(game):
        raise Refusal(404, "There is no such page.")

    def drawn() -> str:
        begun = begun_with(site.store, game, table_left(request))
        teaching = None if begun.table else lessons.offers(game, language)
        return draw_rules(game, language, begun, examples=site.loading.is_ready(game.name), teaching=teaching)

    return page(await run_in_threadpool(drawn))


async def all_components(request: Request) -> Response:
    """Everything in a components file, drawn."""
    from atoll.web.pages.components_page import components_page

    store, game, language = site_of(request).store, game_of(request), language_of(request)

    def drawn() -> str:
        begun = begun_with(store, game, table_left(request))
        return components_page(game, begun.components, language, table=begun.table)

    return page(await run_in_threadpool(drawn))


ROUTES = [
    Route("/games/{game}/rules", rules_page),
    Route("/games/{game}/components", all_components),
]

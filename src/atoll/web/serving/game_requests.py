"""Requests of a game's pages: its rules and components, with a table's settings if opened from there."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.text.errors import AtollError, LeftOut
from atoll.web.pages import lessons
from atoll.web.pages.language import language_of
from atoll.web.pages.rules_page import GameSetup, default_setup, draw_rules, has_rules_page
from atoll.web.refusal import TABLE_ID, Refusal, cannot_be_played
from atoll.web.serving.site import page, site_of
from atoll.web.store.store import Store
from atoll.web.table.creation import components_of


def game_of(request: Request) -> Game:
    """The game that the address names."""
    try:
        return find_game(request.path_params["game"])
    except LeftOut as error:
        raise cannot_be_played(error) from None
    except AtollError:
        raise Refusal(404, "There is no such game.") from None


def origin_table(request: Request) -> str | None:
    """The id of the table from which the page was opened, if the address has one."""
    name = request.query_params.get("table", "")
    return name if TABLE_ID.fullmatch(name) else None


def setup_of(store: Store, game: Game, table_id: str | None) -> GameSetup:
    """The settings of the table from which a page was opened; the defaults without such a table."""
    row = None if table_id is None else store.row(table_id)
    if row is None or row.game != game.name:
        return default_setup(game)
    try:
        return GameSetup(components_of(game, row), row.players, row.id)
    except (AtollError, Refusal):  # no longer playable, but the page still links back to it
        return GameSetup(game.components(), table=row.id)


async def rules_page(request: Request) -> Response:
    """A game's rules."""
    site, game, language = site_of(request), game_of(request), language_of(request)
    if not has_rules_page(game):
        raise Refusal(404, "There is no such page.")

    def render() -> str:
        setup = setup_of(site.store, game, origin_table(request))
        teaching = None if setup.table else lessons.lesson_offers(game, language)
        return draw_rules(game, language, setup, teaching)

    return page(await run_in_threadpool(render))


async def components_page_of(request: Request) -> Response:
    """Everything in a components file, drawn."""
    from atoll.web.pages.components_page import components_page

    store, game, language = site_of(request).store, game_of(request), language_of(request)

    def render() -> str:
        setup = setup_of(store, game, origin_table(request))
        return components_page(game, setup.components, language, table=setup.table)

    return page(await run_in_threadpool(render))


ROUTES = [
    Route("/games/{game}/rules", rules_page),
    Route("/games/{game}/components", components_page_of),
]

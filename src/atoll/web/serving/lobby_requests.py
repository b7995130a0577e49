"""Requests of those who come to play: whoever else is here, and the deal of the day."""

from dataclasses import replace

from sqlalchemy.exc import IntegrityError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.text.errors import AtollError, LeftOut
from atoll.web.bounds import MAKING
from atoll.web.pages.daily_page import draw_daily
from atoll.web.pages.language import language_of
from atoll.web.pages.start_page import draw_lobby
from atoll.web.refusal import Refusal, cannot_be_played
from atoll.web.serving.site import Site, bounded, browser_of, page, read_pairs, site_of
from atoll.web.store.store import SeatRow, now
from atoll.web.table.creation import HINTS, new_table
from atoll.web.table.daily import daily_table, players_of, today

WAIT = 60.0
"""Seconds for which a quick match waits for other people."""
PACE = "calm"


async def game_named(request: Request) -> Game:
    """The game that a form names; raises Refusal."""
    try:
        return find_game(dict(await read_pairs(request)).get("game", ""))
    except LeftOut as error:
        raise cannot_be_played(error) from None
    except AtollError:
        raise Refusal(404, "There is no such game.") from None


async def lobby(request: Request) -> Response:
    """The lobby alone, for the start page's polling."""
    return page(
        await run_in_threadpool(draw_lobby, site_of(request).store, browser_of(request), language_of(request))
    )


async def quick_match(request: Request) -> Response:
    """Sit down where somebody waits for whoever comes, or wait there; bots fill up after a minute."""
    site, game = site_of(request), await game_named(request)
    table_id = await run_in_threadpool(sit_or_wait, site, game, browser_of(request))
    site.watched.notify(table_id)
    return RedirectResponse(f"/tables/{table_id}", 303)


def sit_or_wait(site: Site, game: Game, browser: str) -> str:
    """The table at which a browser plays with whoever comes."""
    for table_id in site.store.gathering(game.name):
        try:
            table = site.tables.find(table_id)
            with table.lock:
                table.catch_up()
                if table.seating.viewer(browser).seat is None:
                    table.take_seat(next(iter(table.seating.free), -1), browser)
                return table_id
        except Refusal:  # others were faster, or its game has gone
            continue
    players = players_of(game)
    row = new_table(game, players, {}, PACE, None, browser, False, HINTS[0])
    row = replace(row, waiting=True, public=True, begins_at=site.store.time.now() + WAIT)
    seats = [SeatRow(0, browser, None, now()), *(SeatRow(seat) for seat in range(1, players))]
    site.make_table(row, seats)
    return row.id


async def daily_page(request: Request) -> Response:
    """Today's deals, and how one did at those that one has finished."""
    site = site_of(request)
    return page(await run_in_threadpool(draw_daily, site.daily, browser_of(request), language_of(request)))


async def play_daily(request: Request) -> Response:
    """Play today's deal of a game, or go on with it: everybody has one try."""
    site, game, browser = site_of(request), await game_named(request), browser_of(request)
    table_id = await run_in_threadpool(todays_table, site, game, browser)
    return RedirectResponse(f"/tables/{table_id}", 303)


def todays_table(site: Site, game: Game, browser: str) -> str:
    """The table of a browser's one try at today's deal; made unless there is one."""
    row, seats = daily_table(site.daily, game, browser)
    try:
        site.make_table(row, seats)
    except IntegrityError:
        wanted = today(), game.name
        return next(one.table_id for one in site.daily.of(browser) if (one.day, one.game) == wanted)
    return row.id


ROUTES = [
    Route("/lobby", lobby),
    Route("/quick", bounded(MAKING, quick_match), methods=["POST"]),
    Route("/daily", daily_page),
    Route("/daily", bounded(MAKING, play_daily), methods=["POST"]),
]

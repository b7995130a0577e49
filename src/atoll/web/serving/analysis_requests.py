"""Requests of the analysis of a finished game, at a table or of an uploaded record.

The page of who asked for it may carry it out: its socket brings tasks, which are views of that game, and takes what the
page's workers find.
"""

from contextlib import suppress

import msgspec
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from atoll.core.game import Game
from atoll.core.types import Components
from atoll.text.errors import AtollError
from atoll.web.bounds import CHANGES, SOCKETS
from atoll.web.live.analysing import Loan
from atoll.web.pages.analysis_page import draw_analysis
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import as_count
from atoll.web.refusal import Refusal
from atoll.web.serving.module_requests import module_url, network_url
from atoll.web.serving.site import (
    bounded,
    browser_of,
    check_analysable,
    find_table,
    page,
    site_of,
    visitor_of,
    with_viewer,
)
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.watched_record import WatchedRecord


async def analysed_game(request: HTTPConnection) -> tuple[Table, Viewer]:
    """The finished game of the address, and who looks; raises Refusal if it is not over, or not theirs to see."""
    if "record" in request.path_params:
        site = site_of(request)
        upload = await run_in_threadpool(site.history.uploaded, request.path_params["record"])
        if upload is None:
            raise Refusal(404, "There is no such record; whoever uploaded it may have deleted it.")
        record: WatchedRecord = await run_in_threadpool(site.records.of, upload)
        check_analysable(record)
        return record, Viewer(None)
    table = await find_table(request)

    def check(viewer: Viewer) -> Viewer:
        check_analysable(table)
        return viewer

    return table, await run_in_threadpool(with_viewer, table, browser_of(request), check)


async def analysis_page(request: Request) -> Response:
    """The analysis of a finished game, or how far it is."""
    (table, viewer), language = await analysed_game(request), language_of(request)
    analyses = site_of(request).analysing.analyses

    def render() -> str:
        stored = analyses.of(table.address.lstrip("/"))
        if stored is not None and stored.is_under_way:
            analyses.look(stored.game_of)
        with table.lock:
            return draw_analysis(table, viewer.seat, stored, language)

    return page(await run_in_threadpool(render))


async def ask(request: Request) -> Response:
    """Have a finished game analysed, and redirect to its analysis."""
    table, _ = await analysed_game(request)
    await site_of(request).analysing.ask(table.address.lstrip("/"), visitor_of(request))
    return RedirectResponse(f"{table.address}/analysis", 303)


async def stop(request: Request) -> Response:
    """Stop an analysis; what was found is kept."""
    table, _ = await analysed_game(request)
    analyses = site_of(request).analysing.analyses
    await run_in_threadpool(analyses.stop, table.address.lstrip("/"))
    return RedirectResponse(f"{table.address}/analysis", 303)


async def lend_cores(socket: WebSocket) -> None:
    """Carry an analysis out with the cores of the page, until it is closed."""
    site = site_of(socket)

    async def send(text: str) -> None:
        with suppress(WebSocketDisconnect):
            await socket.send_text(text)

    async def receive() -> str | None:
        return (await socket.receive()).get("text")

    try:
        table, _ = await analysed_game(socket)
        with site.bounds.under_way(SOCKETS, visitor_of(socket)):
            loan = await run_in_threadpool(loan_for, table, as_count(socket.query_params.get("cores", "")))
            await socket.accept()
            if loan is not None:
                game_of, browser = table.address.lstrip("/"), browser_of(socket)
                await site.analysing.lend(game_of, browser, loan, send, receive)
            with suppress(RuntimeError, WebSocketDisconnect):  # where the page was closed meanwhile
                await socket.close()
    except (Refusal, DBAPIError):
        await socket.close(1013)


lend_cores.bound = SOCKETS  # type: ignore[attr-defined]


def loan_for(table: Table, cores: int) -> Loan | None:
    """What a page is told first that lends its cores; None where browsers cannot play the game."""
    from atoll.bots.guidance import is_guided
    from atoll.lab.continued_image import continued_image
    from atoll.lab.judge import Judge

    with table.lock:
        view = table.timeline.position.view()
    games = continued_image(view, Judge(0).bot)
    if games is None:
        return None
    network, guided = None, is_guided(table.game)
    if guided and is_shipped(view.components, table.game):
        network = network_url(table.game, view.players, view.components)
    about = {"module": module_url(table.game), "network": network, "games": games}
    return Loan(cores, msgspec.json.encode(about).decode(), searches=network is not None or not guided)


def is_shipped(components: Components, game: Game) -> bool:
    """Whether components are those that come with the game under their name."""
    try:
        own = game.under(game.components(components.name), components.options)
    except AtollError:
        return False
    return own.parts.tobytes() == components.parts.tobytes()


PLACES = ("tables/{table}", "records/{record}")
ROUTES = [
    *(
        Route(f"/{place}/analysis{path}", handler, methods=[method])
        for place in PLACES
        for path, handler, method in (
            ("", analysis_page, "GET"),
            ("/begin", bounded(CHANGES, ask), "POST"),
            ("/stop", bounded(CHANGES, stop), "POST"),
        )
    ),
    *(WebSocketRoute(f"/{place}/analysis/cores", lend_cores) for place in PLACES),
]

"""Requests of the analysis of a finished game, at a table or of an uploaded record."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.bounds import CHANGES
from atoll.web.pages.analysis_page import draw_analysis
from atoll.web.pages.language import language_of
from atoll.web.refusal import Refusal
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


async def analysed_game(request: Request) -> tuple[Table, Viewer]:
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


ROUTES = [
    Route(f"/{place}/analysis{path}", handler, methods=[method])
    for place in ("tables/{table}", "records/{record}")
    for path, handler, method in (
        ("", analysis_page, "GET"),
        ("/begin", bounded(CHANGES, ask), "POST"),
        ("/stop", bounded(CHANGES, stop), "POST"),
    )
]

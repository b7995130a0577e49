"""Requests of replays: a table after some of its moves, playing on from there, and undoing to there."""

from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.core.types import Json
from atoll.web.bounds import CHANGES, MAKING
from atoll.web.pages.analysis_page import moment_at
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import wants_fragment
from atoll.web.pages.replay_page import draw_replay
from atoll.web.refusal import Refusal
from atoll.web.serving.site import (
    Site,
    bounded,
    browser_of,
    find_table,
    page,
    read_pairs,
    site_of,
    with_viewer,
)
from atoll.web.table.replay import Look, as_number, branch_of, look_of, renumbered
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table, bits
from atoll.web.table.timeline import PastTimeline


async def replay_page(request: Request) -> Response:
    """The replay of a table, as this browser may see it."""
    table, language = await find_table(request), language_of(request)
    query = request.query_params
    whole = not wants_fragment(request)

    def render(viewer: Viewer) -> str:
        look = look_of(table, viewer, query.get("at"), query.get("eyes"), query.get("by"))
        moment = moment_of(site_of(request), query, table, look)
        return str(draw_replay(table, look, language, whole=whole, moment=moment))

    return page(await run_in_threadpool(with_viewer, table, browser_of(request), render))


def moment_of(site: Site, query: Mapping[str, str], table: Table, look: Look) -> tuple[Json, Json] | None:
    """What an analysis tells of the position, if the address asks for it."""
    if "moment" not in query or not table.timeline.is_over:
        return None
    stored = site.analysing.analyses.of(table.address.lstrip("/"))
    return moment_at(stored, look.at, look.viewer.seat)


async def play_on(request: Request) -> Response:
    """Make a table that continues a finished game from a position, and redirect to it."""
    site, browser = site_of(request), browser_of(request)
    form = dict(await read_pairs(request))
    table = await find_table(request)
    at, seat = as_number(form.get("at", ""), 0), as_number(form.get("seat", ""), 0)
    if at is None or seat is None:
        raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")

    def make(viewer: Viewer) -> str:
        return make_branch(site, table, seat, at, browser)

    table_name = await run_in_threadpool(with_viewer, table, browser, make)
    return RedirectResponse(f"/tables/{table_name}", 303)


def make_branch(site: Site, table: Table, seat: int, at: int, browser: str) -> str:
    """A new table that continues a finished game after so many moves, and its id. The caller holds the lock."""
    row, sitting = branch_of(table, seat, at, browser)
    site.make_table(row, sitting)
    timeline = PastTimeline.of(table.timeline, table.start(), at)
    if lines := renumbered(timeline):
        round_number = timeline.rounds[-1].number if timeline.rounds else 0
        site.store.append(row.id, row.version, 0, lines, bits(timeline.to_act), round_number)
    return row.id


async def undo_to(request: Request) -> Response:
    """Undo a game against bots to the shown position, and redirect to the table."""
    site, form = site_of(request), dict(await read_pairs(request))
    table = await find_table(request)
    to, decision = as_number(form.get("at", ""), 0), as_number(form.get("decision", ""), 0)
    if to is None or decision is None:
        raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")

    def take_back(viewer: Viewer) -> None:
        if viewer.seat is None:
            raise Refusal(403, "You have no seat at this table.")
        table.undo(viewer.seat, decision, to)

    await run_in_threadpool(with_viewer, table, browser_of(request), take_back)
    site.watched.notify(table.row.id)
    site.bots.wake(table)
    return RedirectResponse(f"/tables/{table.row.id}", 303)


ROUTES = [
    Route("/tables/{table}/back", replay_page),
    Route("/tables/{table}/back/play", bounded(MAKING, play_on), methods=["POST"]),
    Route("/tables/{table}/back/undo", bounded(CHANGES, undo_to), methods=["POST"]),
]

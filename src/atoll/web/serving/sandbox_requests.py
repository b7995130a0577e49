"""Requests of who tries moves out on a private copy of a table."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.pages.buttons import confirms
from atoll.web.pages.language import language_of
from atoll.web.pages.refusal_page import sentence, wants_fragment
from atoll.web.pages.sandbox_page import draw_try
from atoll.web.refusal import Refusal
from atoll.web.serving.site import browser_of, find_table, looking, page, read_pairs, site_of, table_id
from atoll.web.serving.table_requests import TableRequest
from atoll.web.table.move_choice import Fields, as_fields
from atoll.web.table.sandbox import SandboxTable
from atoll.web.table.seats import Viewer

Step = Callable[[SandboxTable, TableRequest], None]


async def shown(
    request: Request, fields: Fields, step: Step | None = None, *, anew: bool = False
) -> Response:
    """The copy, after a step if one is made; without scripts one is sent to its page then."""
    site, browser, language = site_of(request), browser_of(request), language_of(request)
    pairs = await read_pairs(request) if step else []
    table = await find_table(request)
    whole = not wants_fragment(request)

    def do(viewer: Viewer) -> Response:
        tried = site.sandboxes.of(browser, table, viewer, anew=anew)
        notice, status = None, 200
        with tried.lock:
            if step is not None:
                try:
                    step(tried, TableRequest(tried.viewer, browser, pairs))
                    site.sandboxes.keep(browser, tried)
                except Refusal as refusal:
                    notice, status = sentence(request, refusal), refusal.status
                if whole and notice is None:
                    return RedirectResponse(tried.address, 303)
            stale = tried.of != len(table.timeline.lines)
            html = draw_try(
                tried, language, fields, notice, whole=whole, confirms=confirms(request), stale=stale
            )
        return page(str(html), status)

    return await run_in_threadpool(looking, table, browser, do)


async def try_page(request: Request) -> Response:
    """The copy, with the parts of a move that the address names."""
    return await shown(request, as_fields(request.query_params.multi_items()))


def steps(step: Step, *, anew: bool = False) -> Callable[[Request], Any]:
    """The handler of a step."""

    async def handle(request: Request) -> Response:
        return await shown(request, {}, step, anew=anew)

    return handle


def play(tried: SandboxTable, asked: TableRequest) -> None:
    """Carry out a move."""
    tried.play(asked.number("decision"), asked.move)


def undo(tried: SandboxTable, _: TableRequest) -> None:
    """Take the last move back."""
    tried.back()


def nothing(_: SandboxTable, __: TableRequest) -> None:
    """Only begin."""


async def end(request: Request) -> Response:
    """Throw the copy away and go back to the table."""
    named = table_id(request)
    await run_in_threadpool(site_of(request).sandboxes.end, browser_of(request), named)
    return RedirectResponse(f"/tables/{named}", 303)


ROUTES = [
    Route("/tables/{table}/try", try_page),
    Route("/tables/{table}/try/moves", steps(play), methods=["POST"]),
    Route("/tables/{table}/try/undo", steps(undo), methods=["POST"]),
    Route("/tables/{table}/try/take-back", steps(undo), methods=["POST"]),
    Route("/tables/{table}/try/anew", steps(nothing, anew=True), methods=["POST"]),
    Route("/tables/{table}/try/end", end, methods=["POST"]),
]

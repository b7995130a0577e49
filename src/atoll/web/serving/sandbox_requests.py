"""Requests of sandboxes, the private copies of tables on which moves are tried out."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.bounds import CHANGES, SANDBOXES
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import wants_fragment
from atoll.web.pages.move_confirmation import confirms
from atoll.web.pages.refusal_page import refusal_text
from atoll.web.pages.sandbox_page import draw_sandbox
from atoll.web.refusal import Refusal
from atoll.web.serving.site import (
    bounded,
    browser_of,
    find_table,
    page,
    read_pairs,
    site_of,
    table_id,
    with_viewer,
)
from atoll.web.serving.table_requests import TableRequest
from atoll.web.store.sandboxes import kept_name
from atoll.web.table.move_choice import Fields, as_fields
from atoll.web.table.sandbox import SandboxTable
from atoll.web.table.seats import Viewer

Step = Callable[[SandboxTable, TableRequest], None]


async def sandbox_response(
    request: Request, fields: Fields, step: Step | None = None, *, others: bool = False, anew: bool = False
) -> Response:
    """The sandbox, after a step if there is one, as seen by who moves for the `others` or from the own seat. Redirects
    where it is seen from elsewhere then, and without scripts after each step."""
    site, browser, language = site_of(request), browser_of(request), language_of(request)
    pairs = await read_pairs(request) if step else []
    table = await find_table(request)
    whole = not wants_fragment(request)

    def respond() -> Response:
        stored = None if anew else site.sandboxes.stored(browser, table)
        lines = 0

        def begin(viewer: Viewer) -> tuple[SandboxTable, SandboxTable | None]:
            nonlocal lines
            lines = len(table.timeline.lines)
            return site.sandboxes.begin(browser, table, viewer, stored, anew=anew)

        sandbox = site.sandboxes.of(browser, stored, *with_viewer(table, browser, begin))
        notice, status = None, 200
        with sandbox.lock:
            sandbox.look_from(others)
            if step is not None:
                try:
                    thing = kept_name(browser, table.row.id)
                    site.bounds.take(SANDBOXES, site.bounds.visitor(browser), thing, site.sandboxes.kept)
                    step(sandbox, TableRequest(sandbox.viewer, browser, pairs))
                    site.sandboxes.keep(browser, sandbox)
                except Refusal as refusal:
                    notice, status = refusal_text(request, refusal), refusal.status
                if whole and notice is None:
                    return RedirectResponse(sandbox.address, 303)
            if sandbox.moves_for_others != others and notice is None:
                return RedirectResponse(sandbox.address, 303)
            html = draw_sandbox(
                sandbox,
                language,
                fields,
                notice,
                whole=whole,
                confirms=confirms(request),
                stale=sandbox.of != lines,
            )
        return page(str(html), status)

    return await run_in_threadpool(respond)


async def sandbox_page(request: Request) -> Response:
    """The sandbox, with the parts of a move in the address."""
    return await sandbox_response(request, as_fields(request.query_params.multi_items()))


async def others_page(request: Request) -> Response:
    """The same, to move for the others."""
    return await sandbox_response(request, as_fields(request.query_params.multi_items()), others=True)


def step_handler(step: Step, *, others: bool = False, anew: bool = False) -> Callable[[Request], Any]:
    """The handler of a step."""

    async def handle(request: Request) -> Response:
        return await sandbox_response(request, {}, step, others=others, anew=anew)

    return handle


def play(sandbox: SandboxTable, request: TableRequest) -> None:
    """Carry out a move."""
    sandbox.play(request.number("decision"), request.move)


def undo(sandbox: SandboxTable, _: TableRequest) -> None:
    """Take the last move back."""
    sandbox.back()


def play_others(sandbox: SandboxTable, _: TableRequest) -> None:
    """Have bots move for the others."""
    sandbox.play_others()


def nothing(_: SandboxTable, __: TableRequest) -> None:
    """Make no move."""


async def end(request: Request) -> Response:
    """Delete the sandbox and redirect to the table."""
    name = table_id(request)
    await run_in_threadpool(site_of(request).sandboxes.end, browser_of(request), name)
    return RedirectResponse(f"/tables/{name}", 303)


ROUTES = [
    Route("/tables/{table}/try", sandbox_page),
    Route("/tables/{table}/try/others", others_page),
    Route(
        "/tables/{table}/try/others/moves",
        bounded(CHANGES, step_handler(play, others=True)),
        methods=["POST"],
    ),
    Route(
        "/tables/{table}/try/others/undo", bounded(CHANGES, step_handler(undo, others=True)), methods=["POST"]
    ),
    Route("/tables/{table}/try/bots", bounded(CHANGES, step_handler(play_others)), methods=["POST"]),
    Route("/tables/{table}/try/moves", bounded(CHANGES, step_handler(play)), methods=["POST"]),
    Route("/tables/{table}/try/undo", bounded(CHANGES, step_handler(undo)), methods=["POST"]),
    Route("/tables/{table}/try/take-back", bounded(CHANGES, step_handler(undo)), methods=["POST"]),
    Route("/tables/{table}/try/anew", bounded(CHANGES, step_handler(nothing, anew=True)), methods=["POST"]),
    Route("/tables/{table}/try/end", bounded(CHANGES, end), methods=["POST"]),
]

"""Requests of a table's chat and its settings, and answers to proposals."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.bounds import CHANGES, CHAT
from atoll.web.pages.chat_page import draw_chat
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import wants_fragment
from atoll.web.pages.refusal_page import refusal_text
from atoll.web.people.chat import PHRASES, checked_text
from atoll.web.people.proposals import agree, close
from atoll.web.refusal import Refusal
from atoll.web.serving.site import bounded, browser_of, find_table, page, read_pairs, site_of, with_viewer
from atoll.web.serving.table_requests import TableRequest, change_handler
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table


async def chat(request: Request) -> Response:
    """The chat of a table."""
    return await show(request, await find_table(request))


async def show(request: Request, table: Table, refusal: Refusal | None = None) -> Response:
    """The chat as this browser may read it, with the reason if a message was refused."""
    site, language, whole = site_of(request), language_of(request), not wants_fragment(request)

    def render(viewer: Viewer) -> str:
        watching = site.watched.watching(table.row.id, table.seating)
        messages = site.messages.of(table.row.id)
        notice = refusal_text(request, refusal) if refusal else None
        return draw_chat(table, viewer, messages, watching, language, whole=whole, notice=notice)

    html = await run_in_threadpool(with_viewer, table, browser_of(request), render)
    return page(html, refusal.status if refusal else 200)


async def say(request: Request) -> Response:
    """Post a message or a phrase."""
    site, browser = site_of(request), browser_of(request)
    form = dict(await read_pairs(request))
    table = await find_table(request)

    def store_message(viewer: Viewer) -> None:
        phrase = form.get("phrase")
        if not table.row.chat:
            raise Refusal(409, "The chat is switched off at this table.")
        if phrase is not None and phrase not in PHRASES:
            raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")
        text = "" if phrase is not None else checked_text(form.get("text", ""))
        site.bounds.take(CHAT, site.bounds.visitor(browser))
        seat = viewer.here[0] if viewer.seat is None and viewer.here else viewer.seat
        name = site.people.name(browser) if seat is None else None
        site.messages.add(table.row.id, seat, name, phrase, text)

    try:
        await run_in_threadpool(with_viewer, table, browser, store_message)
    except Refusal as refusal:
        return await show(request, table, refusal)
    site.watched.notify(table.row.id)
    if wants_fragment(request):
        return await show(request, table)
    return RedirectResponse(f"/tables/{table.row.id}/chat", 303)


async def change_settings(request: Request) -> Response:
    """Change whether the chat is on, and whether others may watch."""
    form = dict(await read_pairs(request))
    table = await find_table(request)
    settings = {name: form[name] == "yes" for name in ("chat", "watchable") if name in form}

    def store_settings(viewer: Viewer) -> None:
        if not viewer.maker:
            raise Refusal(403, "Only the person who made the table can change this.")
        while any(getattr(table.row, name) != value for name, value in settings.items()):
            table.change(**settings)

    await run_in_threadpool(with_viewer, table, browser_of(request), store_settings)
    site_of(request).watched.notify(table.row.id)
    if wants_fragment(request):
        return await show(request, table)
    return RedirectResponse(f"/tables/{table.row.id}/chat", 303)


def answer_proposal(table: Table, request: TableRequest) -> str | None:
    """Agree to a proposal, or withdraw; redirects to the next game once all agree to a rematch."""
    agree(table, request.viewer, request.form.get("about", ""), "no" not in request.form)
    return None if table.row.next is None else f"/tables/{table.row.next}"


def close_table(table: Table, request: TableRequest) -> None:
    """Close an abandoned table."""
    close(table, request.viewer)


ROUTES = [
    Route("/tables/{table}/chat", chat),
    Route("/tables/{table}/chat", bounded(CHANGES, say), methods=["POST"]),
    Route("/tables/{table}/chat/settings", bounded(CHANGES, change_settings), methods=["POST"]),
    Route("/tables/{table}/agree", bounded(CHANGES, change_handler(answer_proposal)), methods=["POST"]),
    Route("/tables/{table}/close", bounded(CHANGES, change_handler(close_table)), methods=["POST"]),
]

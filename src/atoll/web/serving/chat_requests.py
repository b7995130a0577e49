"""Requests of people to each other: what they say, what they agree to, and who may watch."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.pages.chat_page import draw_talk
from atoll.web.pages.language import language_of
from atoll.web.pages.refusal_page import sentence, wants_fragment
from atoll.web.people.chat import PHRASES, checked_text
from atoll.web.people.proposals import agree, close
from atoll.web.refusal import Refusal
from atoll.web.serving.site import browser_of, find_table, looking, page, read_pairs, site_of
from atoll.web.serving.table_requests import TableRequest, changes
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table


async def chat(request: Request) -> Response:
    """What is said at a table."""
    return await show(request, await find_table(request))


async def show(request: Request, table: Table, refusal: Refusal | None = None) -> Response:
    """What is said at a table as this browser hears it, and why something was not said."""
    site, language, whole = site_of(request), language_of(request), not wants_fragment(request)

    def drawn(viewer: Viewer) -> str:
        watching = site.watched.watching(table.row.id, table.seating)
        said = site.messages.of(table.row.id)
        notice = sentence(request, refusal) if refusal else None
        return draw_talk(table, viewer, said, watching, language, whole=whole, notice=notice)

    html = await run_in_threadpool(looking, table, browser_of(request), drawn)
    return page(html, refusal.status if refusal else 200)


async def say(request: Request) -> Response:
    """Say something to the others."""
    site, browser = site_of(request), browser_of(request)
    form = dict(await read_pairs(request))
    table = await find_table(request)

    def keep(viewer: Viewer) -> None:
        phrase = form.get("phrase")
        if not table.row.chat:
            raise Refusal(409, "The chat is switched off at this table.")
        if phrase is not None and phrase not in PHRASES:
            raise Refusal(400, "That form is not one of ours.")
        text = "" if phrase is not None else checked_text(form.get("text", ""))
        site.chat_limit.note(browser, site.visitors.name(browser)[0])
        seat = viewer.here[0] if viewer.seat is None and viewer.here else viewer.seat
        name = site.people.name(browser) if seat is None else None
        site.messages.add(table.row.id, seat, name, phrase, text)

    try:
        await run_in_threadpool(looking, table, browser, keep)
    except Refusal as refusal:
        return await show(request, table, refusal)
    site.watched.notify(table.row.id)
    if wants_fragment(request):
        return await show(request, table)
    return RedirectResponse(f"/tables/{table.row.id}/chat", 303)


async def settle(request: Request) -> Response:
    """Switch the chat on or off, and let others watch or not."""
    form = dict(await read_pairs(request))
    table = await find_table(request)
    wanted = {name: form[name] == "yes" for name in ("chat", "watchable") if name in form}

    def keep(viewer: Viewer) -> None:
        if not viewer.maker:
            raise Refusal(403, "Only the person who made the table can change this.")
        while any(getattr(table.row, name) != value for name, value in wanted.items()):
            table.change(**wanted)

    await run_in_threadpool(looking, table, browser_of(request), keep)
    site_of(request).watched.notify(table.row.id)
    if wants_fragment(request):
        return await show(request, table)
    return RedirectResponse(f"/tables/{table.row.id}/chat", 303)


def say_yes_or_no(table: Table, asked: TableRequest) -> str | None:
    """Agree to what is asked, or no longer; leads to the next game where all have agreed to one."""
    agree(table, asked.viewer, asked.form.get("about", ""), "no" not in asked.form)
    return None if table.row.next is None else f"/tables/{table.row.next}"


def close_table(table: Table, asked: TableRequest) -> None:
    """Close a table that nobody else plays any more."""
    close(table, asked.viewer)


ROUTES = [
    Route("/tables/{table}/chat", chat),
    Route("/tables/{table}/chat", say, methods=["POST"]),
    Route("/tables/{table}/chat/settings", settle, methods=["POST"]),
    Route("/tables/{table}/agree", changes(say_yes_or_no), methods=["POST"]),
    Route("/tables/{table}/close", changes(close_table), methods=["POST"]),
]

"""Requests about finished games: the list, its export and deletion, and records that are uploaded and watched."""

import secrets
from functools import partial

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.pages.history_page import draw_history, exported
from atoll.web.pages.language import language_of
from atoll.web.pages.refusal_page import sentence, wants_fragment
from atoll.web.pages.replay_page import draw_past
from atoll.web.pages.templating import draw
from atoll.web.refusal import Refusal
from atoll.web.serving.site import browser_of, page, site_of
from atoll.web.store.history import LONGEST, Upload
from atoll.web.store.store import now
from atoll.web.table.replay import look_of
from atoll.web.table.seats import Viewer
from atoll.web.table.watched_record import WatchedRecord


async def history(request: Request) -> Response:
    """The page of one's games."""
    site = site_of(request)
    browser = browser_of(request)
    told = await run_in_threadpool(site.notifications.of, browser)
    return page(await run_in_threadpool(draw_history, site.history, browser, language_of(request), told=told))


async def export(request: Request) -> Response:
    """All that is kept of one's games, as a file."""
    site, browser = site_of(request), browser_of(request)
    told = await run_in_threadpool(site.notifications.of, browser)
    found = await run_in_threadpool(exported, site.history, browser, told)
    headers = {
        "Content-Disposition": 'attachment; filename="atoll-games.json"',
        "Cache-Control": "no-store",
        "Vary": "Cookie",
    }
    return Response(msgspec.json.encode(found), media_type="application/json", headers=headers)


async def forget(request: Request) -> Response:
    """Ask whether all of it is to be deleted; delete it."""
    if request.method == "GET":
        return page(draw("forget.html.jinja", language_of(request), here="/history/forget"))
    site, browser = site_of(request), browser_of(request)
    await run_in_threadpool(site.history.forget, browser)
    await run_in_threadpool(site.notifications.forget, browser)
    return RedirectResponse("/history", 303)


async def upload(request: Request) -> Response:
    """Keep a record to be watched, and go and watch it."""
    site, browser = site_of(request), browser_of(request)
    if not site.loading.ready.is_set():
        raise Refusal(503, "The rules are still being made ready; try again in a moment.")
    async with request.form(max_files=1, max_fields=4) as form:
        file = form.get("record")
        content = await file.read(LONGEST + 1) if isinstance(file, UploadFile) else b""
    kept = Upload(secrets.token_urlsafe(9), browser, now(), "", content.decode(errors="replace"))
    try:
        watched = await site.bots.search_pool.run(
            WatchedRecord, kept, owner=site.visitors.name(browser), searches=False
        )
    except Refusal as refusal:
        draw_it = partial(
            draw_history, site.history, browser, language_of(request), notice=sentence(request, refusal)
        )
        return page(await run_in_threadpool(draw_it), refusal.status)
    kept = Upload(kept.id, browser, kept.made_at, watched.game.name, kept.text)
    await run_in_threadpool(site.history.upload, kept)
    return RedirectResponse(f"/records/{kept.id}/back", 303)


async def watch(request: Request) -> Response:
    """An uploaded record after some of its moves, for whoever has the link."""
    site, language, asked = site_of(request), language_of(request), request.query_params
    found = await run_in_threadpool(site.history.uploaded, request.path_params["record"])
    if found is None:
        raise Refusal(404, "There is no such record; whoever uploaded it may have deleted it.")
    if not site.loading.ready.is_set():
        raise Refusal(503, "The rules are still being made ready; try again in a moment.")
    whole = not wants_fragment(request)

    def look() -> str:
        table = site.records.of(found)
        with table.lock:
            where = look_of(table, Viewer(None), asked.get("at"), asked.get("eyes"), asked.get("by"))
            return str(draw_past(table, where, language, whole=whole))

    return page(await run_in_threadpool(look))


async def to_history(request: Request) -> Response:
    """A record has no table; its page leads to one's games."""
    return RedirectResponse("/history", 303)


ROUTES = [
    Route("/history", history),
    Route("/history/export", export),
    Route("/history/forget", forget, methods=["GET", "POST"]),
    Route("/records", upload, methods=["POST"]),
    Route("/records/{record}", to_history),
    Route("/records/{record}/back", watch),
]

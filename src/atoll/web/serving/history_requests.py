"""Requests about finished games: the list, its export and deletion, and records that are uploaded and watched."""

import secrets
from functools import partial

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.bounds import CHANGES, SEARCHES
from atoll.web.pages.history_page import draw_history, history_export
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import wants_fragment
from atoll.web.pages.refusal_page import refusal_text
from atoll.web.pages.replay_page import draw_replay
from atoll.web.pages.templating import draw
from atoll.web.refusal import Refusal
from atoll.web.serving.replay_requests import moment_of
from atoll.web.serving.site import bounded, browser_of, page, site_of
from atoll.web.store.history import LONGEST, Upload
from atoll.web.store.store import now
from atoll.web.table.replay import look_of
from atoll.web.table.seats import Viewer
from atoll.web.table.watched_record import watched


async def history(request: Request) -> Response:
    """The page of one's games."""
    site = site_of(request)
    browser = browser_of(request)
    channels = await run_in_threadpool(site.notifications.of, browser)
    render = partial(
        draw_history,
        site.history,
        browser,
        language_of(request),
        channels=channels,
        course=request.query_params.get("course"),
        lent=request.scope["device"] is not None,
    )
    return page(await run_in_threadpool(render))


async def export(request: Request) -> Response:
    """Everything stored about the browser's games, as a file."""
    site, browser = site_of(request), browser_of(request)
    channels = await run_in_threadpool(site.notifications.of, browser)
    export_ = await run_in_threadpool(history_export, site.history, browser, channels)
    headers = {
        "Content-Disposition": 'attachment; filename="atoll-games.json"',
        "Cache-Control": "no-store",
        "Vary": "Cookie",
    }
    return Response(msgspec.json.encode(export_), media_type="application/json", headers=headers)


async def delete_history(request: Request) -> Response:
    """Ask for confirmation (GET); delete the browser's history (POST)."""
    if request.method == "GET":
        return page(draw("history_deletion.html.jinja", language_of(request), here="/history/forget"))
    site, browser = site_of(request), browser_of(request)
    await run_in_threadpool(site.history.forget, browser)
    await run_in_threadpool(site.notifications.forget, browser)
    return RedirectResponse("/history", 303)


async def upload(request: Request) -> Response:
    """Store an uploaded record and redirect to its replay."""
    site, browser = site_of(request), browser_of(request)
    async with request.form(max_files=1, max_fields=4) as form:
        file = form.get("record")
        content = await file.read(LONGEST + 1) if isinstance(file, UploadFile) else b""
    try:
        return await to_record(request, content.decode(errors="replace"))
    except Refusal as refusal:
        render = partial(
            draw_history, site.history, browser, language_of(request), notice=refusal_text(request, refusal)
        )
        return page(await run_in_threadpool(render), refusal.status)


async def to_record(request: Request, text: str) -> Response:
    """Store a record of this browser and redirect to its replay; raises Refusal for one that cannot be watched."""
    site, browser = site_of(request), browser_of(request)
    record = Upload(secrets.token_urlsafe(9), browser, now(), "", text)
    replay = await site.bots.search_pool.run(
        watched, record, owner=site.bounds.owner(browser), searches=False
    )
    record = Upload(record.id, browser, record.made_at, replay.game.name, record.text)
    await run_in_threadpool(site.history.upload, record)
    return RedirectResponse(f"/records/{record.id}/back", 303)


async def watch(request: Request) -> Response:
    """The replay of an uploaded record, for whoever has the link."""
    site, language, query = site_of(request), language_of(request), request.query_params
    record = await run_in_threadpool(site.history.uploaded, request.path_params["record"])
    if record is None:
        raise Refusal(404, "There is no such record; whoever uploaded it may have deleted it.")
    whole = not wants_fragment(request)

    def render() -> str:
        table = site.records.of(record)
        with table.lock:
            look = look_of(table, Viewer(None), query.get("at"), query.get("eyes"), query.get("by"))
            moment = moment_of(site, query, table, look)
            return str(draw_replay(table, look, language, whole=whole, moment=moment))

    return page(await run_in_threadpool(render))


async def to_history(request: Request) -> Response:
    """A record has no table: redirect to the browser's games."""
    return RedirectResponse("/history", 303)


ROUTES = [
    Route("/history", history),
    Route("/history/export", export),
    Route("/history/forget", bounded(CHANGES, delete_history), methods=["GET", "POST"]),
    Route("/records", bounded(SEARCHES, upload), methods=["POST"]),
    Route("/records/{record}", to_history),
    Route("/records/{record}/back", watch),
]

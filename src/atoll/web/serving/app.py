"""The site as an ASGI application: its pages, and what answers which address."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DBAPIError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from atoll.text.translation import LANGUAGES
from atoll.web import STATIC
from atoll.web.pages import buttons, lessons
from atoll.web.pages import language as languages
from atoll.web.pages.drawings import drawings_css, drawings_url
from atoll.web.pages.files import Files, file_answer, text_answer
from atoll.web.pages.language import language_of
from atoll.web.pages.plain_table import STYLES
from atoll.web.pages.refusal_page import refused
from atoll.web.pages.scripts import Scripts, scripts_url
from atoll.web.pages.start_page import draw_start
from atoll.web.pages.templating import draw
from atoll.web.refusal import Refusal
from atoll.web.serving import (
    chat_requests,
    game_pages,
    health,
    history_requests,
    json_log,
    lesson_requests,
    metrics,
    notification_requests,
    own_tables,
    people_requests,
    replay_requests,
    sandbox_requests,
    table_requests,
    workshop_requests,
)
from atoll.web.serving.game_pages import game_of
from atoll.web.serving.platform import Platform
from atoll.web.serving.security import Guard, read_secret
from atoll.web.serving.site import Site, browser_of, page, site_of, way_back
from atoll.web.serving.sockets import live
from atoll.web.store.allowance import ALONE, Allowance
from atoll.web.store.store import Store
from atoll.web.store.write_errors import write_error
from atoll.web.translation import translator_for


async def start_page(request: Request) -> Response:
    """This browser's tables, and a new one."""
    site = site_of(request)
    drawn = await run_in_threadpool(
        draw_start,
        site.store,
        site.loading.progress(translator_for(language_of(request))),
        browser_of(request),
        language_of(request),
        lessons.declined(request),
        request.query_params.get("friends", ""),
    )
    site.loading.asked.set()
    return page(drawn)


async def favicon(request: Request) -> Response:
    """The site's icon, for browsers that ask for it without looking at the page."""
    return RedirectResponse("/static/icon.svg", 308)


async def progress(request: Request) -> Response:
    """How far the rules are: all, or those of the game that a page waits for."""
    loading, language = site_of(request).loading, language_of(request)
    shown = loading.progress(translator_for(language), request.query_params.get("game", ""))
    return page(draw("progress.html.jinja", language, **shown))


async def drawings(request: Request) -> Response:
    """The stylesheet with a game's drawings, to be kept for good at the address that changes with it."""
    game = game_of(request)
    css = await run_in_threadpool(drawings_css, game)
    if css is None:
        raise Refusal(404, "There is no such page.")
    asked = f"{request.url.path}?{request.url.query}"
    kept = Scripts.kept if asked == drawings_url(game) else None
    return text_answer(css.encode(), "text/css", request.headers, kept)


async def cover(request: Request) -> Response:
    """The game's picture on the start page: its own, or its first letters on the water."""
    game = game_of(request)
    if (file := game.folder / "cover.svg").is_file():
        return file_answer(Path(str(file)), request.headers)
    return Response(draw("cover.svg.jinja", "en", game=game), media_type="image/svg+xml")


def of_the_game(name: str, usual: Path | None = None) -> Callable[[Request], Awaitable[Response]]:
    """The handler that gives a file of a game's package, or else the usual one."""

    async def handle(request: Request) -> Response:
        file = game_of(request).folder / name
        if not file.is_file():
            if usual is None:
                raise Refusal(404, "There is no such page.")
            file = usual
        return file_answer(Path(str(file)), request.headers)

    return handle


async def switch_language(request: Request) -> Response:
    """Choose the language, and back to where one was."""
    to = request.query_params.get("to", "")
    if to not in LANGUAGES:
        raise Refusal(400, "There is no such language.")
    return back_with(request, languages.COOKIE, to)


async def switch_pressing(request: Request) -> Response:
    """Choose whether moves are confirmed, and back to where one was."""
    to = request.query_params.get("to", "")
    if to not in buttons.WAYS:
        raise Refusal(400, "There is no such setting.")
    return back_with(request, buttons.COOKIE, to)


def back_with(request: Request, cookie: str, value: str) -> Response:
    """Back to where one was, with a preference of the browser."""
    response = RedirectResponse(way_back(request.query_params.get("back", "/")), 303)
    response.set_cookie(cookie, value, max_age=400 * 24 * 3600, httponly=True, samesite="lax")
    return response


# Refusals


async def refuse(request: Request, error: Exception) -> Response:
    """The answer to a request that is not carried out."""
    match error:
        case Refusal():
            return refused(request, error)
        case DBAPIError():
            return refused(request, write_error(error))
        case HTTPException(status_code=404 | 405 as status) if request.method in ("GET", "HEAD"):
            return refused(request, Refusal(status, "There is no such page."))
        case HTTPException(status_code=status):
            return refused(request, Refusal(status, "That form is not one of ours."))
        case _:
            return refused(request, Refusal(500, "Something went wrong here; nothing was lost. Try again."))


# The application


def create_app(
    store: Store,
    hosts: Sequence[str] = ("127.0.0.1", "localhost"),
    allowance: Allowance = ALONE,
    others: str | None = None,
    platform: Platform | None = None,
    *,
    measured: bool = False,
    logged: bool = False,
) -> Starlette:
    """The site of a store, which it closes, answering only to these host names ("*": to any).

    `measured`: with figures for Prometheus at `/metrics`. `logged`: with a line in the log for each request.
    `others` is its address for other devices, if they reach it; `platform` what it runs on, if not the usual.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        site = app.state.site = Site(store, allowance, others, platform)
        site.loading.start()
        with contextlib.suppress(
            DBAPIError
        ):  # a locked database lets the site start; its clocks then lose that time
            await run_in_threadpool(store.time.begin)
        tasks = [
            asyncio.create_task(site.clocks.run(), name="watching clocks"),
            asyncio.create_task(site.notifier.run(site.loading.ready.is_set), name="telling people"),
            asyncio.create_task(site.watch(), name="watching other processes"),
            asyncio.create_task(site.keep_notes(), name="keeping notes"),
            asyncio.create_task(site.comparisons.run(), name="comparing components"),
        ]
        yield
        site.loading.stop()
        for task in tasks:
            task.cancel()
        with contextlib.suppress(DBAPIError):
            await run_in_threadpool(site.comparisons.stop)
        await site.bots.stop()
        await run_in_threadpool(site.leases.close)
        with contextlib.suppress(DBAPIError):
            await run_in_threadpool(store.keep_notes)
        await run_in_threadpool(store.engine.dispose)

    handlers: dict[Any, Any] = dict.fromkeys((Refusal, HTTPException, DBAPIError, Exception), refuse)
    return Starlette(
        routes=[
            Route("/", start_page),
            Route("/progress", progress),
            Route("/favicon.ico", favicon),
            Route("/language", switch_language),
            Route("/pressing", switch_pressing),
            *health.ROUTES,
            *(metrics.ROUTES if measured else ()),
            *history_requests.ROUTES,
            *sandbox_requests.ROUTES,
            *game_pages.ROUTES,
            Route("/games/{game}/table.css", of_the_game("table.css", STATIC / STYLES)),
            Route("/games/{game}/drawings.css", drawings),
            Route("/games/{game}/sheet.css", of_the_game("sheet.css")),
            Route("/games/{game}/rules.css", of_the_game("rules.css")),
            Route("/games/{game}/cover.svg", cover),
            *own_tables.ROUTES,
            *lesson_requests.ROUTES,
            *workshop_requests.ROUTES,
            *table_requests.ROUTES,
            *replay_requests.ROUTES,
            *people_requests.ROUTES,
            *chat_requests.ROUTES,
            *notification_requests.ROUTES,
            WebSocketRoute("/tables/{table}/live", live),
            Mount(scripts_url(), Scripts()),
            Mount("/static", Files(directory=STATIC)),
        ],
        middleware=[
            *([Middleware(json_log.Logged)] if logged else ()),
            *([Middleware(metrics.Measured)] if measured else ()),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
            Middleware(Guard, secret=read_secret()),
            Middleware(ServerErrorMiddleware, handler=refuse),  # within the guard, unlike Starlette's own
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )

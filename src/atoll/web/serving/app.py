"""The site as an ASGI application: its pages, and what answers which address."""

import asyncio
import contextlib
import gc
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DBAPIError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute

from atoll.text.translation import LANGUAGES
from atoll.web import STATIC
from atoll.web.bounds import ALONE, Allowance
from atoll.web.pages import language as languages
from atoll.web.pages import lessons, move_confirmation
from atoll.web.pages.drawings import drawings_css, drawings_url
from atoll.web.pages.language import language_of
from atoll.web.pages.plain_table import STYLES
from atoll.web.pages.refusal_page import refusal_response
from atoll.web.pages.scripts import Scripts, scripts_url
from atoll.web.pages.start_page import draw_start
from atoll.web.pages.static_files import StaticFolder, file_response, text_response
from atoll.web.pages.templating import draw
from atoll.web.refusal import Refusal
from atoll.web.serving import (
    analysis_requests,
    chat_requests,
    device_requests,
    finding_requests,
    game_requests,
    health,
    hint_requests,
    history_requests,
    invitation_requests,
    json_log,
    lesson_requests,
    lobby_requests,
    metrics,
    module_requests,
    notification_requests,
    people_requests,
    puzzle_requests,
    question_requests,
    replay_requests,
    sandbox_requests,
    table_list_requests,
    table_requests,
    workshop_requests,
)
from atoll.web.serving.game_requests import game_of
from atoll.web.serving.local_network import LocalNetwork
from atoll.web.serving.platform import Platform
from atoll.web.serving.prefix import Prefix
from atoll.web.serving.security import ROBOTS, Guard, KnownHosts, read_secret
from atoll.web.serving.site import Site, browser_of, page, return_address, site_of
from atoll.web.serving.sockets import live
from atoll.web.store.store import Store
from atoll.web.store.write_errors import write_error

GC_THRESHOLDS = (20_000, 20, 20)
"""Thresholds of the garbage collector. Rendering a page makes thousands of objects, hardly any of them in cycles; with
the defaults, collections would delay single responses."""


async def start_page(request: Request) -> Response:
    """The start page."""
    site = site_of(request)
    html = await run_in_threadpool(
        draw_start,
        site.store,
        browser_of(request),
        language_of(request),
        lessons.declined_lessons(request),
        site=str(request.base_url).rstrip("/"),
        network=invitation_requests.network_switch(request),
    )
    return page(html)


async def favicon(request: Request) -> Response:
    """The site's icon, for browsers that request this address without reading the page."""
    return RedirectResponse("/static/icon.svg", 308)


async def robots(request: Request) -> Response:
    """What crawlers may look at."""
    return text_response(ROBOTS.encode(), "text/plain", request.headers)


async def drawings(request: Request) -> Response:
    """The stylesheet with a game's drawings, immutable at the address with its digest."""
    game = game_of(request)
    css = await run_in_threadpool(drawings_css, game)
    if css is None:
        raise Refusal(404, "There is no such page.")
    address = f"{request.url.path}?{request.url.query}"
    lifetime = Scripts.lifetime if address == drawings_url(game) else None
    return text_response(css.encode(), "text/css", request.headers, lifetime)


async def cover(request: Request) -> Response:
    """A game's cover: its own, or one with the first letters of its title."""
    game = game_of(request)
    if (file := game.folder / "cover.svg").is_file():
        return file_response(Path(str(file)), request.headers)
    return Response(draw("cover.svg.jinja", "en", game=game), media_type="image/svg+xml")


def game_file(name: str, usual: Path | None = None) -> Callable[[Request], Awaitable[Response]]:
    """The handler that serves a file of a game's package, else the default."""

    async def handle(request: Request) -> Response:
        file = game_of(request).folder / name
        if not file.is_file():
            if usual is None:
                raise Refusal(404, "There is no such page.")
            file = usual
        return file_response(Path(str(file)), request.headers)

    return handle


async def switch_language(request: Request) -> Response:
    """Set the language and redirect back."""
    to = request.query_params.get("to", "")
    if to not in LANGUAGES:
        raise Refusal(400, "There is no such language.")
    return set_preference(request, languages.COOKIE, to)


async def switch_confirmation(request: Request) -> Response:
    """Set whether moves are confirmed and redirect back."""
    to = request.query_params.get("to", "")
    if to not in move_confirmation.CHOICES:
        raise Refusal(400, "There is no such setting.")
    return set_preference(request, move_confirmation.COOKIE, to)


def set_preference(request: Request, cookie: str, value: str) -> Response:
    """A redirect back that sets a browser's preference."""
    response = RedirectResponse(return_address(request.query_params.get("back", "/")), 303)
    response.set_cookie(cookie, value, max_age=400 * 24 * 3600, httponly=True, samesite="lax")
    return response


# Refusals


async def handle_error(request: Request, error: Exception) -> Response:
    """The response to a request that failed."""
    match error:
        case Refusal():
            return refusal_response(request, error)
        case DBAPIError():
            return refusal_response(request, write_error(error))
        case HTTPException(status_code=404 | 405 as status) if request.method in ("GET", "HEAD"):
            return refusal_response(request, Refusal(status, "There is no such page."))
        case HTTPException(status_code=status):
            return refusal_response(
                request,
                Refusal(
                    status, "Something went wrong with that form: go back, reload the page and try again."
                ),
            )
        case _:
            return refusal_response(
                request, Refusal(500, "Something went wrong here; nothing was lost. Try again.")
            )


# The application


def create_app(
    store: Store,
    hosts: Sequence[str] = ("127.0.0.1", "localhost"),
    allowance: Allowance = ALONE,
    others: str | None = None,
    platform: Platform | None = None,
    network: LocalNetwork | None = None,
    *,
    prefix: str = "",
    measured: bool = False,
    logged: bool = False,
) -> Starlette:
    """The site of a store, which it closes. It responds only to these host names, and
    with LOCAL_NETWORK among them to all that no other site can have.

    `prefix`: the path below which it is, if its host name is not its own.
    `measured`: with figures for Prometheus at `/metrics`. `logged`: with a line in the log for each request.
    `others`: its address for other devices, if they always reach it; `network`: lets them join meanwhile. `platform`:
    other threads and queues, for simulations.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        gc.set_threshold(*GC_THRESHOLDS)
        site = app.state.site = Site(store, allowance, others, platform, network)
        with contextlib.suppress(DBAPIError):  # a full disk lets it start; its clocks stand
            await run_in_threadpool(store.time.begin)
        tasks = [
            asyncio.create_task(site.clocks.run(), name="watching clocks"),
            asyncio.create_task(site.notifier.run(), name="telling people"),
            asyncio.create_task(site.watch(), name="watching other processes"),
            asyncio.create_task(site.keep_notes(), name="keeping notes"),
            asyncio.create_task(site.comparisons.run(), name="comparing components"),
            asyncio.create_task(site.analysing.run(), name="analysing games"),
        ]
        yield
        for task in tasks:
            task.cancel()
        with contextlib.suppress(DBAPIError):
            await run_in_threadpool(site.comparisons.stop)
            await run_in_threadpool(site.analysing.stop)
        await site.bots.stop()
        await run_in_threadpool(site.leases.close)
        with contextlib.suppress(DBAPIError):
            await run_in_threadpool(store.keep_notes)
        await run_in_threadpool(store.engine.dispose)

    secret = read_secret()
    handlers: dict[Any, Any] = dict.fromkeys((Refusal, HTTPException, DBAPIError, Exception), handle_error)
    return Starlette(
        routes=[
            Route("/", start_page),
            Route("/favicon.ico", favicon),
            Route("/robots.txt", robots),
            Route("/language", switch_language),
            Route("/pressing", switch_confirmation),
            *health.ROUTES,
            *(metrics.ROUTES if measured else ()),
            *history_requests.ROUTES,
            *analysis_requests.ROUTES,
            *sandbox_requests.ROUTES,
            *module_requests.ROUTES,
            *game_requests.ROUTES,
            Route("/games/{game}/table.css", game_file("table.css", STATIC / STYLES)),
            Route("/games/{game}/drawings.css", drawings),
            Route("/games/{game}/sheet.css", game_file("sheet.css")),
            Route("/games/{game}/rules.css", game_file("rules.css")),
            Route("/games/{game}/cover.svg", cover),
            Route("/games/{game}/cover.png", game_file("cover.png", STATIC / "icon-512.png")),
            *table_list_requests.ROUTES,
            *lesson_requests.ROUTES,
            *workshop_requests.ROUTES,
            *finding_requests.ROUTES,
            *table_requests.ROUTES,
            *hint_requests.ROUTES,
            *question_requests.ROUTES,
            *replay_requests.ROUTES,
            *people_requests.ROUTES,
            *device_requests.ROUTES,
            *lobby_requests.ROUTES,
            *puzzle_requests.ROUTES,
            *invitation_requests.ROUTES,
            *chat_requests.ROUTES,
            *notification_requests.ROUTES,
            WebSocketRoute("/tables/{table}/live", live),
            Mount(scripts_url(), Scripts()),
            Mount("/static", StaticFolder(directory=STATIC)),
        ],
        middleware=[
            *([Middleware(Prefix, prefix=prefix)] if prefix else ()),
            *([Middleware(json_log.Logged)] if logged else ()),
            *([Middleware(metrics.Measured)] if measured else ()),
            Middleware(KnownHosts, hosts=hosts, more=(lambda: network.hosts) if network else list),
            Middleware(Guard, secret=secret),
            Middleware(
                ServerErrorMiddleware, handler=handle_error
            ),  # within the guard, unlike Starlette's own
            Middleware(device_requests.OtherDevices, secret=secret),
        ],
        exception_handlers=handlers,
        lifespan=lifespan,
    )

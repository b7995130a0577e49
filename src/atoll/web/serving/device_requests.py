"""Requests of a person's devices: one browser used by the person of another, until that is undone."""

from typing import Any

from markupsafe import Markup
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as ASGIMessage
from starlette.websockets import WebSocket

from atoll.web.bounds import CHANGES, CODES
from atoll.web.pages import language, lessons, move_confirmation, notifications_page
from atoll.web.pages.invitation import addresses_for_others, qr_code
from atoll.web.pages.language import language_of
from atoll.web.pages.refusal_page import refusal_response, refusal_text
from atoll.web.pages.templating import draw
from atoll.web.people.devices import new_code, use_here
from atoll.web.refusal import Refusal
from atoll.web.serving.invitation_requests import network_switch
from atoll.web.serving.security import COOKIE_AGE, cookie_name
from atoll.web.serving.site import Site, bounded, browser_of, page, read_pairs, site_of
from atoll.web.store.write_errors import write_error

LOOK = "atoll_look"
"""The cookie of theme, motion and sounds, which pages write themselves (`static/look.js`)."""
PREFERENCES = (language.COOKIE, lessons.COOKIE, move_confirmation.COOKIE, notifications_page.COOKIE, LOOK)
"""Cookies that go along to another device."""
LONGEST_PREFERENCE = 200


class OtherDevices:
    """Middleware: a browser that is used by the person of another one counts as that other one (`scope["browser"]`);
    `scope["device"]` is then its own name.

    A cookie says that there is something to look up; it proves nothing.
    """

    def __init__(self, app: ASGIApp, secret: bytes) -> None:
        self.app = app
        self.cookie = mark_of(secret)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        scope["device"], scope["device_mark"] = None, self.cookie
        connection = HTTPConnection(scope)
        if self.cookie not in connection.cookies:
            await self.app(scope, receive, send)
            return
        try:
            person = await run_in_threadpool(site_of(connection).devices.person_of, scope["browser"])
        except DBAPIError as error:
            await _refuse(connection, scope, receive, send, write_error(error))
            return
        if person is not None:
            scope["device"], scope["browser"] = scope["browser"], person
            await self.app(scope, receive, send)
            return

        async def send_unmarked(message: ASGIMessage) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("cache-control") == "no-store":
                    for header in forgotten(self.cookie).raw_headers:
                        message["headers"].append(header)
            await send(message)

        await self.app(scope, receive, send_unmarked)


async def _refuse(
    connection: HTTPConnection, scope: Scope, receive: Receive, send: Send, refusal: Refusal
) -> None:
    if scope["type"] == "websocket":
        await WebSocket(scope, receive, send).close(1013)
    else:
        await refusal_response(connection, refusal)(scope, receive, send)


def mark_of(secret: bytes) -> str:
    """The name of the cookie by which a browser says that it may be somebody else's."""
    return f"{cookie_name(secret)}-device"


def forgotten(mark: str) -> Response:
    """A response whose cookies leave nothing of another person in a browser."""
    response = Response()
    del response.headers["content-length"]
    for name in (mark, *PREFERENCES):
        response.delete_cookie(name, httponly=True, samesite="lax")
    return response


def own_name(request: HTTPConnection) -> str:
    """The browser's own name, whoever uses it."""
    return request.scope["device"] or browser_of(request)


def device_page(request: Request, site: Site, status: int = 200, **context: Any) -> Response:
    """The page of one's devices."""
    html = draw(
        "device.html.jinja",
        language_of(request),
        here="/devices",
        others=len(site.devices.of(browser_of(request))),
        lent=request.scope["device"] is not None,
        name=site.people.name(browser_of(request)),
        **context,
    )
    return page(html, status)


async def devices_page(request: Request) -> Response:
    """The page of the devices on which one plays."""
    switch = network_switch(request)
    return await run_in_threadpool(device_page, request, site_of(request), switch=switch)


async def make_code(request: Request) -> Response:
    """Make a code that lets another device be used, and show it once, as a link and a QR code."""
    site, browser = site_of(request), browser_of(request)
    settings = {
        name: value[:LONGEST_PREFERENCE] for name, value in request.cookies.items() if name in PREFERENCES
    }
    code = await run_in_threadpool(new_code, site.devices, browser, settings)
    path = f"/here#{code}"  # what stands behind # is sent to nobody: no log and no Referer has it
    addresses = addresses_for_others(request, site.addresses, path)
    address = addresses[0] if addresses else str(request.base_url).rstrip("/") + path
    picture = Markup((await run_in_threadpool(qr_code, address)).decode()) if addresses else None
    return await run_in_threadpool(device_page, request, site, code=code, link=address, picture=picture)


async def end(request: Request) -> Response:
    """Give a device back to whom it was, or take back all others if it is one's own."""
    site, device = site_of(request), request.scope["device"]
    for table_id in await run_in_threadpool(site.devices.end, browser_of(request), device):
        site.watched.notify(table_id)
    response = RedirectResponse("/devices", 303)
    if device is not None:
        response.raw_headers += forgotten(request.scope["device_mark"]).raw_headers
    return response


def code_page(request: Request, status: int = 200, **context: Any) -> Response:
    """The page that asks for a code, which the page's script takes from behind the address."""
    return page(draw("device_code.html.jinja", language_of(request), here="/here", **context), status)


async def ask_code(request: Request) -> Response:
    """Ask for the code of another device, and whether its games are to be shown here."""
    return code_page(request)


async def use_code(request: Request) -> Response:
    """Let the person of the code's browser use this one."""
    site, form = site_of(request), dict(await read_pairs(request))
    try:
        settings = await run_in_threadpool(use_here, site.devices, form.get("code", ""), own_name(request))
    except Refusal as refusal:
        return code_page(request, refusal.status, notice=refusal_text(request, refusal))
    response = RedirectResponse("/", 303)
    cookies = {request.scope["device_mark"]: "yes", **settings}
    for name, value in cookies.items():
        response.set_cookie(name, value, max_age=COOKIE_AGE, httponly=name != LOOK, samesite="lax")
    return response


ROUTES = [
    Route("/devices", devices_page),
    Route("/devices", bounded(CHANGES, make_code), methods=["POST"]),
    Route("/devices/end", bounded(CHANGES, end), methods=["POST"]),
    Route("/here", ask_code),
    Route("/here", bounded(CODES, use_code), methods=["POST"]),
]

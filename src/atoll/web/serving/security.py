"""Security of requests: browsers have a signed cookie, and other sites cannot post in their name."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as ASGIMessage
from starlette.websockets import WebSocket

from atoll.text import folders
from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.web.pages.refusal_page import refusal_response
from atoll.web.refusal import Refusal

COOKIE = "atoll"
COOKIE_AGE = 400 * 24 * 3600
COOKIE_CHECK = ("cookie", "check")
"""The query that marks a form that is posted again after the browser got its cookie."""
MAX_BODY = 64 * 1024
SECRET_SIZE, LEAST_SECRET = 32, 16
"""Bytes of a new secret, and of the shortest that is accepted."""

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


ROBOTS = """User-agent: facebookexternalhit
User-agent: Twitterbot
User-agent: Slackbot-LinkExpanding
User-agent: Discordbot
User-agent: TelegramBot
User-agent: WhatsApp
User-agent: LinkedInBot
Allow: /

User-agent: *
Disallow: /tables/
"""
"""What crawlers are asked (RFC 9309): tables are for who has their address, and for the previews of those whom they
send it to.
"""


def is_public(path: str) -> bool:
    """Whether search engines may list a page: the start, and what is said of games; the rest is for who has its address
    or a cookie."""
    return path == "/" or path.startswith(("/games/", "/static/"))


def secret_path() -> Path:
    """The file of the secret that signs cookies."""
    return folders.data_folder() / "cookie-secret"


def read_secret() -> bytes:
    """The secret that signs cookies: made at first start, readable by its owner alone. Raises AtollError for one that
    is too short: whoever guesses it can move for anybody.
    """
    path = secret_path()
    if not path.exists():
        _make_secret(path)
    secret = path.read_bytes()
    if not is_secret(secret):
        raise AtollError(
            Message(
                "the secret %(file)s is damaged, it has %(size)s bytes: put the last backup back with "
                "`atoll restore FILE`, or delete it, and nobody has a seat any more",
                file=path,
                size=len(secret),
            )
        )
    return secret


def is_secret(content: bytes) -> bool:
    """Whether nobody can guess it."""
    return len(content) >= LEAST_SECRET


def _make_secret(path: Path) -> None:
    """Write a new secret, unless there is one."""
    fresh = Path(f"{path}.{secrets.token_hex(8)}")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(secrets.token_bytes(SECRET_SIZE))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(fresh, path)  # whole or not at all, and never over the secret of another process
    except FileExistsError:
        pass
    finally:
        fresh.unlink()


def is_cross_site_request(headers: Headers) -> bool:
    """Whether another site's page made the request, by the browser's headers."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = headers.get("origin")
    return origin is not None and origin.partition("://")[2] != headers.get("host")


class Guard:
    """Middleware: names the browser (`scope["browser"]`), refuses other sites' posts and sockets and large bodies,
    and gives every answer its security headers.

    Who has no cookie gets one with whatever no cache may keep. A form is carried out only for a browser that has sent
    its cookie: without one it is sent back once, to be posted anew with the cookie that it got.
    """

    def __init__(self, app: ASGIApp, secret: bytes) -> None:
        self.app = app
        self.signer = Signer(secret, salt="atoll.browser")

    def browser(self, connection: HTTPConnection) -> str | None:
        """The browser's name, if its cookie was made here."""
        try:
            return self.signer.unsign(connection.cookies.get(COOKIE, "")).decode()
        except BadSignature:
            return None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        known_browser = self.browser(connection)
        scope["browser"] = known_browser or secrets.token_urlsafe(16)
        is_action = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        is_cross_site = is_action and is_cross_site_request(connection.headers)

        async def send_guarded(message: ASGIMessage) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not is_public(scope["path"]):
                    headers.setdefault("X-Robots-Tag", "noindex")
                if "etag" not in headers:
                    headers.setdefault("Cache-Control", "no-store")
                # Another site's form comes without the cookie that the browser has, and must not replace it
                if known_browser is None and not is_cross_site and headers.get("cache-control") == "no-store":
                    headers.append("Set-Cookie", self._cookie(scope))
            await send(message)

        if scope["type"] == "http":
            response = rejection(
                connection, has_cookie=known_browser is not None, is_cross_site=is_cross_site
            )
            with suppress(ClientDisconnect):  # nobody is there to be told
                await (response or self.app)(scope, limit_body(receive), send_guarded)
        elif is_cross_site:
            await WebSocket(scope, receive, send).close(1008)
        else:
            await self.app(scope, limit_body(receive), send)

    def _cookie(self, scope: Scope) -> str:
        value = self.signer.sign(scope["browser"]).decode()
        secure = "; Secure" if scope["scheme"] == "https" else ""
        return f"{COOKIE}={value}; Max-Age={COOKIE_AGE}; Path=/; HttpOnly; SameSite=Lax{secure}"


def rejection(connection: HTTPConnection, *, has_cookie: bool, is_cross_site: bool) -> ASGIApp | None:
    """The response to a request that is rejected for lack of a cookie or because it comes from another site; None for
    any other request."""
    if is_cross_site:
        return refusal_response(
            connection, Refusal(403, "Another site’s page asked for this; open Atoll itself.")
        )
    if has_cookie or connection.scope["method"] != "POST":
        return None
    if COOKIE_CHECK in connection.query_params.multi_items():
        return refusal_response(
            connection,
            Refusal(403, "Atoll knows players by a cookie, which this browser does not keep; allow it here."),
        )
    return RedirectResponse("?" + urlencode([COOKIE_CHECK]), 307)  # with the same form


def limit_body(receive: Receive) -> Callable[[], Any]:
    """`receive` that refuses bodies larger than MAX_BODY."""
    length = 0

    async def receive_limited() -> ASGIMessage:
        nonlocal length
        message = await receive()
        if message["type"] == "http.request":
            length += len(message.get("body", b""))
            if length > MAX_BODY:
                raise Refusal(413, "That is too much at once.")
        return message

    return receive_limited

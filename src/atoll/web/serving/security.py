"""Security of requests: browsers have a signed cookie, and other sites cannot post in their name."""

import hmac
import os
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from itsdangerous import BadSignature, Signer
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as ASGIMessage
from starlette.websockets import WebSocket

from atoll.text import folders
from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.text.platform import CREATING
from atoll.web.pages.refusal_page import refusal_response
from atoll.web.refusal import Refusal

COOKIE = "atoll-"
"""What the name of the cookie begins with; the rest tells sites apart, since browsers send a host's cookies to each of
its ports."""
EARLIER_COOKIE = "atoll"
HOST_ONLY = "__Host-"
"""What names of cookies begin with under https: browsers take them from this host alone, and over https alone."""
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
HTTPS_ALONE = {"Strict-Transport-Security": "max-age=31536000"}
"""For a year, a browser that came by https comes by nothing else."""


ROBOTS = """User-agent: Googlebot
User-agent: Bingbot
User-agent: YandexBot
User-agent: facebookexternalhit
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
send it to. Search engines that heed `noindex` have to see it: they list the bare address of what they may not fetch.
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
    with open(os.open(fresh, CREATING, 0o600), "wb") as file:
        file.write(secrets.token_bytes(SECRET_SIZE))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(fresh, path)  # whole or not at all, and never over the secret of another process
    except FileExistsError:
        pass
    finally:
        fresh.unlink()


LOCAL_NETWORK = "*"
"""Among the names of a site: all that no other site can have."""
LOCAL_ENDINGS = (".local", ".lan", ".home.arpa", ".internal", ".localhost")
"""Of names that only a local network knows (RFC 6762, RFC 8375)."""


class KnownHosts:
    """Middleware: answers to known names alone, so that no other site can let its own name lead here (DNS rebinding).

    With LOCAL_NETWORK among the names it answers to addresses, and to names that only a local network knows.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str], more: Callable[[], Sequence[str]] = list) -> None:
        """`more`: hosts with their ports that are known now, too."""
        self.app = app
        self.more = more
        self.hosts = {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or self.knows(Headers(scope=scope).get("host", "")):
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(1008)
        else:
            text = "Atoll does not answer to this name here: open it by its address.\n"
            await PlainTextResponse(text, 400, {"Connection": "close"})(scope, receive, send)

    def knows(self, header: str) -> bool:
        """Whether the site answers to a Host header."""
        if header in self.more():
            return True
        try:
            name = (urlsplit(f"//{header}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self.hosts:
            return True
        return LOCAL_NETWORK in self.hosts and is_local_name(name)


def is_local_name(name: str) -> bool:
    """Whether it is an address, or a name that only a local network can know."""
    try:
        ip_address(name)
    except ValueError:
        return bool(name) and ("." not in name or name.endswith(LOCAL_ENDINGS))
    return True


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
        self.cookie = cookie_name(secret)

    def browser(self, connection: HTTPConnection) -> str | None:
        """The browser's name, if its cookie was made here: under the name that it has now, or that it had before."""
        cookies = connection.cookies
        try:
            return self.signer.unsign(cookies.get(self.cookie) or cookies.get(EARLIER_COOKIE, "")).decode()
        except BadSignature:
            return None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        is_secure = scope.get("scheme") in ("https", "wss")
        if is_secure:
            scope["headers"] = with_host_cookies(scope["headers"])
        connection = HTTPConnection(scope)
        known_browser = self.browser(connection)
        scope["browser"] = known_browser or secrets.token_urlsafe(16)
        is_action = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        is_cross_site = is_action and is_cross_site_request(connection.headers)

        async def send_guarded(message: ASGIMessage) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (HEADERS | (HTTPS_ALONE if is_secure else {})).items():
                    headers.setdefault(name, value)
                if not is_public(scope["path"]):
                    headers.setdefault("X-Robots-Tag", "noindex")
                if "etag" not in headers:
                    headers.setdefault("Cache-Control", "no-store")
                # Another site's form comes without the cookie that the browser has, and must not replace it
                is_new = known_browser is None or self.cookie not in connection.cookies
                if is_new and not is_cross_site and headers.get("cache-control") == "no-store":
                    headers.append("Set-Cookie", self._cookie(scope["browser"]))
                if is_secure:
                    message["headers"] = [host_only(header) for header in message["headers"]]
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

    def _cookie(self, browser: str) -> str:
        value = self.signer.sign(browser).decode()
        return f"{self.cookie}={value}; Max-Age={COOKIE_AGE}; Path=/; HttpOnly; SameSite=Lax"


def cookie_name(secret: bytes) -> str:
    """The name of the cookie of the site with that secret."""
    return COOKIE + hmac.digest(secret, b"atoll.cookie", "sha256").hex()[:8]


def host_only(header: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """A header of an answer; one that sets a cookie does so for this host and https alone."""
    name, value = header
    if name != b"set-cookie" or value.startswith(HOST_ONLY.encode()):
        return header
    return name, HOST_ONLY.encode() + value + b"; Secure"


def with_host_cookies(headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """A request's headers with those cookies alone, by their plain names."""
    prefix, found = HOST_ONLY.encode(), []
    for name, value in headers:
        if name == b"cookie":
            cookies = (cookie.strip() for cookie in value.split(b";"))
            value = b"; ".join(cookie.removeprefix(prefix) for cookie in cookies if cookie.startswith(prefix))
        found.append((name, value))
    return found


def rejection(connection: HTTPConnection, *, has_cookie: bool, is_cross_site: bool) -> ASGIApp | None:
    """The response to a request that is rejected since its end is in doubt, it comes from another site or has no
    cookie; None for any other request."""
    if {"content-length", "transfer-encoding"} <= {*connection.headers.keys()}:
        # A proxy may take another part of it for the request (RFC 9112, 6.1)
        response = refusal_response(
            connection,
            Refusal(400, "Something went wrong with that form: go back, reload the page and try again."),
        )
        response.headers["Connection"] = "close"
        return response
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

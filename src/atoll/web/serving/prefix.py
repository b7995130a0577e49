"""A site below a path of a host name that it shares, such as https://example.org/atoll.

Inside, all addresses begin at the site's own root. What comes in loses the prefix, and what goes out gets it: the
attributes of HTML that are addresses, in answers and over sockets, and redirects. Stylesheets, scripts and the manifest
name their neighbours by relative addresses.
"""

import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ADDRESS = re.compile(r'(\s(?:href|src|action|formaction|data-url)=")/(?!/)')
"""An address of the site's own in HTML; in texts and values quotation marks are escaped."""

REDIRECT = re.compile(r"^((?:https?://[^/]*)?)/")
"""The beginning of an address that the site redirects to, which is always its own."""


class Prefix:
    """Middleware: serves a site below `prefix`, of which the proxy takes nothing away."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app = app
        self.prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        inner = {**scope, "path": self.without(scope["path"]), "app_root_path": self.prefix}
        if raw := scope.get("raw_path"):
            inner["raw_path"] = self.without(raw.decode("latin-1")).encode("latin-1")
        start: Message | None = None
        body = b""

        async def send_prefixed(message: Message) -> None:
            nonlocal start, body
            match message["type"]:
                case "http.response.start":
                    headers = MutableHeaders(scope=message)
                    if "location" in headers:
                        headers["location"] = REDIRECT.sub(rf"\1{self.prefix}/", headers["location"])
                    if not headers.get("content-type", "").startswith("text/html"):
                        await send(message)
                        return
                    start = message
                case "http.response.body" if start is not None:  # of a page, which is sent in one piece
                    body += message.get("body", b"")
                    if message.get("more_body"):
                        return
                    page = self.within(body.decode()).encode()
                    MutableHeaders(scope=start)["content-length"] = str(len(page))
                    await send(start)
                    await send({"type": "http.response.body", "body": page})
                case "websocket.send" if message.get("text"):
                    await send({**message, "text": self.within(message["text"])})
                case _:
                    await send(message)

        await self.app(inner, receive, send_prefixed)

    def without(self, path: str) -> str:
        """A path as the site knows it; one that has no prefix, as of a health check on this machine, is one."""
        inside = path == self.prefix or path.startswith(f"{self.prefix}/")
        return (path.removeprefix(self.prefix) or "/") if inside else path

    def within(self, html: str) -> str:
        """HTML whose addresses are below the prefix."""
        return ADDRESS.sub(rf"\1{self.prefix}/", html)

"""The log as lines of JSON, one for each request, socket and message (`atoll serve --log json`).

A request is logged with its route as declared, its status and its time, but not its address, which may be a private
link. Cookies, names, moves and texts are never logged. An error is logged with its type and traceback, but not its
message, which may contain values.
"""

import json
import logging
import secrets
import time
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from typing import Any, TextIO

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUESTS = "atoll.requests"
"""The logger of requests and sockets."""
HEADER = "Atoll-Request"
"""The response header with the request's number in the log."""
_current: ContextVar[str | None] = ContextVar("request", default=None)


class JsonLines(logging.Formatter):
    """One object a line: time (UTC), level, logger, message; the request in which it was said; what else is in
    `fields`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        fields: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage().partition("\n")[0],  # asyncio's further lines show values
        }
        if (request := _current.get()) is not None:
            fields["request"] = request
        fields |= getattr(record, "fields", {})
        if record.exc_info and record.exc_info[1] is not None:
            _, error, trace = record.exc_info
            fields["error"] = type(error).__name__
            fields["at"] = [
                f"{Path(line.filename).name}:{line.lineno} {line.name}" for line in extract_tb(trace)
            ]
        return json.dumps(fields, ensure_ascii=False)


def log_as_json(stream: TextIO | None = None) -> None:
    """Log to a stream, or to standard error, in that form alone, with requests."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], force=True)
    logging.getLogger(REQUESTS).setLevel(logging.INFO)


def route_of(scope: Scope) -> str | None:
    """The route as declared, such as `/tables/{table}`; None if the response came before routing."""
    return getattr(scope.get("route"), "path", None)


class Logged:
    """Middleware that numbers requests and sockets, and logs each when it has ended."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.logger = logging.getLogger(REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        kind = "socket" if scope["type"] == "websocket" else "request"
        number, start, status = secrets.token_hex(6), time.perf_counter(), 500

        async def send_numbered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = number
            elif message["type"] == "websocket.accept":
                status = 101
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            await send(message)

        outer = _current.set(number)
        try:
            await self.app(scope, receive, send_numbered)
        finally:
            fields = {
                "method": scope.get("method"),
                "route": route_of(scope),
                "status": status,
                "ms": round((time.perf_counter() - start) * 1000, 1),
            }
            self.logger.info(kind, extra={"fields": fields})
            _current.reset(outer)

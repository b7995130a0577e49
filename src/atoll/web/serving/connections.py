"""Deadlines and limits of the server's connections.

uvicorn has deadlines for idle connections and for unanswered pings, but none for a request that is never completed, nor
for a response that is never read.
"""

import asyncio
import logging
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode

from atoll.text.platform import allow_descriptors
from atoll.web.bounds import THIS_MACHINE
from atoll.web.serving.security import MAX_BODY

LEAST_READ = 1024
"""Bytes of a response that a client has to read within `Limits.answer`."""

MALFORMED = re.compile(rb"(?<!\r)\n|\r(?=[^\n])|\r\n[ \t]")
"""What h11 takes in a request's head and others take for something else: line breaks of one character, folded lines."""

BUSY_TEXT = b"Atoll has too many visitors now; try again in a moment.\n"
BUSY = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nCache-Control: no-store\r\nRetry-After: 5\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(BUSY_TEXT), BUSY_TEXT)
)


@dataclass(frozen=True)
class Limits:
    """Deadlines in seconds, and limits of connections."""

    head: float = 10.0
    """for a request's headers, from the connection or the last response on"""
    body: float = 20.0
    """for the rest of the request"""
    answer: float = 30.0
    """for a client to read LEAST_READ more bytes of its response"""
    idle: int = 5
    """between two requests on one connection"""
    ping: float = 20.0
    """between two pings on a web socket"""
    pong: float = 20.0
    """for the answer to a ping"""
    connections: int = 8000
    """at once; fewer if the process may not have as many descriptors"""
    of_one_address: int = 1000
    trusted: tuple[str, ...] = THIS_MACHINE
    """addresses that may have more: this machine's, and those of a proxy"""
    backlog: int = 100
    """connections that the system queues for the server"""
    spare: int = 192
    """descriptors besides connections: the database has two for each reading thread"""
    headers: int = 32 * 1024
    """bytes of a request's headers"""


def within_descriptors(limits: Limits) -> Limits:
    """Raise the process's limit of descriptors as far as needed and allowed; returns the limits that it permits.

    A whole backlog is accepted at once, and two more may be before excess connections are closed.
    """
    reserve = 3 * limits.backlog + limits.spare
    allowed = allow_descriptors(limits.connections + reserve)
    if allowed is None:
        return limits
    return replace(limits, connections=min(limits.connections, allowed - min(reserve, allowed // 2)))


class ConnectionPool:
    """All connections: their number, their addresses, and those that wait for their client.

    Without room for a new connection, the one that has waited longest is closed, so that half-sent requests cannot keep
    visitors out.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.waiting: dict[TimedHTTP, None] = {}
        self._addresses: Counter[str] = Counter()
        self._count = 0

    def enter(self, address: str) -> bool:
        """Count a new connection; returns False if there is no room for it."""
        is_over_limit = address not in self.limits.trusted and (
            self._addresses[address] >= self.limits.of_one_address
        )
        if is_over_limit or (self._count >= self.limits.connections and not self.waiting):
            logging.getLogger(__name__).warning("too many connections: one was refused")
            return False
        if self._count >= self.limits.connections:
            logging.getLogger(__name__).warning("too many connections: one that was waited for was closed")
            next(iter(self.waiting)).end()
        self._addresses[address] += 1
        self._count += 1
        return True

    def leave(self, address: str) -> None:
        """Count one less."""
        self._count -= 1
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]


class Config(uvicorn.Config):
    """uvicorn's settings with the limits."""

    def __init__(self, app: ASGIApp | Callable[[], ASGIApp], limits: Limits, **settings: Any) -> None:
        super().__init__(
            app,
            http=TimedHTTP,
            ws=TimedSocket,
            ws_max_size=MAX_BODY,
            ws_per_message_deflate=False,
            ws_ping_interval=limits.ping,
            ws_ping_timeout=limits.pong,
            timeout_keep_alive=limits.idle,
            backlog=limits.backlog,
            h11_max_incomplete_event_size=limits.headers,
            **settings,
        )
        self.pool = ConnectionPool(limits)


class TimedHTTP(H11Protocol):
    """A connection with deadlines for sending the request and reading the response."""

    config: Config

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request, if there is room for the connection."""
        super().connection_made(transport)
        self.phase = ""
        self.deadline: asyncio.TimerHandle | None = None
        self.unread = 0
        self.head_size = 0
        self.head_end = b""
        self.pool = self.config.pool
        self.address = self.client[0] if self.client else ""
        self.is_counted = self.pool.enter(self.address)
        if self.is_counted:
            self._update_deadline()
        else:
            transport.write(BUSY)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._set_phase("")
        super().connection_lost(exc)
        if self.is_counted:
            self.pool.leave(self.address)

    def data_received(self, data: bytes) -> None:
        """Go on with the request."""
        if self.conn.their_state is h11.IDLE and not self._is_well_formed(data):
            self.send_400_response("Invalid HTTP request received.")
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self.head_size, self.head_end = 0, b""
        self._update_deadline()

    def on_response_complete(self) -> None:
        """Go on to the next request, which may have come already."""
        is_next = self.conn.their_state is h11.DONE
        if is_next and not self._is_well_formed(self.conn.trailing_data[0]):
            self.transport.close()
            return
        super().on_response_complete()
        if self.conn.their_state is not h11.IDLE:
            self.head_size, self.head_end = 0, b""
        self._update_deadline()

    def _is_well_formed(self, data: bytes) -> bool:
        """Whether more of a request's head is as RFC 9112 wants it, and not too long. h11 has no setting for the one,
        and asks for the other only where a head does not come at once."""
        data = self.head_end + data
        length = data.find(b"\r\n\r\n")
        head = data if length < 0 else data[: length + 4]
        self.head_size += len(head) - len(self.head_end)
        self.head_end = head[-3:].removeprefix(b"\n")
        return not MALFORMED.search(head) and self.head_size <= self.pool.limits.headers

    def pause_writing(self) -> None:
        """The client reads more slowly than the server writes."""
        super().pause_writing()
        self._update_deadline()

    def resume_writing(self) -> None:
        """The client has read most of it."""
        super().resume_writing()
        self._update_deadline()

    def end(self) -> None:
        """Close the connection at once."""
        self._set_phase("")
        self.transport.abort()

    def _update_deadline(self) -> None:
        """Start the deadline of the current phase, if the server waits for the client."""
        if self.transport.get_protocol() is self:
            self._set_phase(self._current_phase())
        else:  # upgraded to a web socket
            self._set_phase("")

    def _current_phase(self) -> str:
        """The name of the limit that applies to the client; empty while the server works."""
        if self.conn.their_state is h11.SEND_BODY and not self.transport.is_closing():
            return "body"
        if self.transport.get_write_buffer_size():
            return "answer"
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            return "head" if self.timeout_keep_alive_task is None else "idle"
        return ""

    def _set_phase(self, phase: str) -> None:
        if phase == self.phase:
            return
        self.phase = phase
        self.pool.waiting.pop(self, None)
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None
        if phase:
            self.pool.waiting[self] = None
        if phase in ("head", "body", "answer"):  # uvicorn itself ends what is idle
            self.unread = self.transport.get_write_buffer_size()
            after = getattr(self.pool.limits, phase)
            self.deadline = self.loop.call_later(after, self._expire)

    def _expire(self) -> None:
        unread = self.transport.get_write_buffer_size()
        if self.phase != "answer" or unread > max(0, self.unread - LEAST_READ):
            self.end()
        else:
            self._set_phase("")
            self._update_deadline()


class TimedSocket(WebSocketsSansIOProtocol):
    """A web socket that is closed when its client stops answering pings. When the site stops, pending questions are
    answered before it closes with code 1012, which uvicorn would send at once."""

    config: Config
    stops = False

    def shutdown(self) -> None:
        """The site stops: read no more messages."""
        if not self.handshake_complete or self.close_sent:
            super().shutdown()
            return
        self.stops = True
        self.stop_keepalive()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": CloseCode.SERVICE_RESTART})

    async def run_asgi(self) -> None:
        """Run the application, then close with the code if the site stops."""
        serve = self.app

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await serve(scope, receive, send)
            finally:
                if self.stops and not self.transport.is_closing():
                    super(TimedSocket, self).shutdown()

        self.app = app
        await super().run_asgi()

    async def send(self, message: Any) -> None:
        """Send a message; raises ClientDisconnected, not uvicorn's RuntimeError, if the socket was closed meanwhile."""
        try:
            await super().send(message)
        except RuntimeError:
            if self.close_sent and message["type"] == "websocket.send":
                raise ClientDisconnected from None
            raise

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        super().connection_lost(exc)
        self.config.pool.leave(self.client[0] if self.client else "")

    def keepalive_timeout(self) -> None:
        """A ping was not answered: drop what is not sent."""
        super().keepalive_timeout()
        self.transport.abort()

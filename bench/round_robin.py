"""A plain proxy that gives connections to servers in turn, without sticky sessions, and leaves out who is down."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType

HOST = "127.0.0.1"


class RoundRobin:
    """Takes connections on a port of its own; `ports` are those of the servers, and may be changed."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.ports = list(ports)
        self.served = dict.fromkeys(ports, 0)
        """connections that each has taken"""
        self._turn = 0
        self._pipes: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "RoundRobin":
        self._server = await asyncio.start_server(self._serve, HOST, 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        for pipe in self._pipes:
            pipe.cancel()
        await asyncio.gather(*self._pipes, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await self._next()
        if there is None:
            writer.close()
            return
        pipes = {asyncio.create_task(pipe(*ends)) for ends in ((reader, there[1]), (there[0], writer))}
        self._pipes |= pipes
        for one in pipes:
            one.add_done_callback(self._pipes.discard)
        await asyncio.wait(pipes)
        for end in (writer, there[1]):
            end.close()

    async def _next(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """A connection to the server whose turn it is, or the next that answers; None if none does."""
        for _ in self.ports:
            self._turn += 1
            port = self.ports[self._turn % len(self.ports)]
            with suppress(OSError):
                found = await asyncio.open_connection(HOST, port)
                self.served[port] = self.served.get(port, 0) + 1
                return found
        return None


async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on all that comes, and the end of it."""
    with suppress(OSError):
        while part := await reader.read(1 << 16):
            writer.write(part)
            await writer.drain()
    with suppress(OSError):
        writer.write_eof()

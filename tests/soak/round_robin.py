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
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "RoundRobin":
        self._server = await asyncio.start_server(self._serve, HOST, 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        await asyncio.sleep(0)  # connections that were accepted begin to be served
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        ends = [writer]
        try:
            if (there := await self._next()) is not None:
                ends.append(there[1])
                await asyncio.gather(pipe(reader, there[1]), pipe(there[0], writer))
        except asyncio.CancelledError:
            pass  # asyncio's streams would take it for a mistake of ours
        finally:
            for end in ends:
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

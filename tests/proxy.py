"""A reverse proxy in front of a site: hands on what is asked for below one path, and knows nothing of the rest."""

import asyncio
import threading
from contextlib import suppress

GONE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Proxy:
    """It answers on a port of its own. `others` are the paths beside `path` that were asked for."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.others: list[str] = []
        self.target = 0
        self.address = ""
        ready = threading.Event()
        self._thread = threading.Thread(target=asyncio.run, args=(self._serve(ready),), daemon=True)
        self._thread.start()
        ready.wait()

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._handle, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        ready.set()
        await self._ended.wait()
        server.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            first, _, rest = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
            path = first.split()[1].decode()
            if not path.startswith(f"{self.path}/"):
                self.others.append(path)
                writer.write(GONE)
            else:
                server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.target)
                closing = b"" if b"upgrade: websocket" in rest.lower() else b"Connection: close\r\n"
                kept = b"\r\n".join(
                    line
                    for line in rest.split(b"\r\n")
                    if not (closing and line.lower().startswith(b"connection:"))
                )
                server_writer.write(first + b"\r\n" + closing + b"X-Forwarded-For: 203.0.113.7\r\n" + kept)
                await asyncio.gather(pipe(reader, server_writer), pipe(server_reader, writer))
        writer.close()

    def stop(self) -> None:
        """Answer no longer."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()


async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hand on all that comes."""
    with suppress(ConnectionError):
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
    writer.close()

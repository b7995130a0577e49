"""The switch that lets devices on this network join a site that else answers on its own machine alone."""

import asyncio
from contextlib import suppress
from functools import partial

import uvicorn

from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.web.bounds import Allowance
from atoll.web.serving.connections import TimedHTTP, TimedSocket
from atoll.web.serving.listening import listen_on_all, netloc, private_addresses

POLL = 0.05
"""Seconds between two looks whether connections have ended."""


class LocalNetwork:
    """What listens on this machine's private addresses while devices on its network may join; off at first.

    Its connections are the server's: they have the same limits, and end with it.
    """

    def __init__(self, port: int, allowance: Allowance) -> None:
        """`port`: the one that is tried first. `allowance`: of whoever comes from another device."""
        self.port = port
        self.allowance = allowance
        self.hosts: list[str] = []
        """host and port of each address that others can open, the likeliest first; none while it is off"""
        self._server: uvicorn.Server | None = None
        self._listeners: list[asyncio.Server] = []
        self._changing = asyncio.Lock()

    def attach(self, server: uvicorn.Server) -> None:
        """Say which server serves the site."""
        self._server = server

    @property
    def addresses(self) -> list[str]:
        """The site's addresses for devices on this network, the likeliest first; none while it is off."""
        return [f"http://{host}/" for host in self.hosts]

    async def switch(self, on: bool) -> None:
        """Switch it on or off; raises AtollError if there is no address to listen on."""
        assert self._server is not None
        async with self._changing:
            if on and not self.hosts:
                await self._open(self._server)
            elif self.hosts and not on:
                await self._close(self._server)

    async def _open(self, server: uvicorn.Server) -> None:
        hosts = private_addresses()
        if not hosts:
            raise AtollError(
                Message("this machine has no address in a home network: connect it to one and try again")
            )
        config = server.config
        protocol = partial(
            TimedHTTP,
            config=config,
            server_state=server.server_state,
            app_state=server.lifespan.state,
        )
        sockets = listen_on_all(hosts, self.port)
        port = sockets[0].getsockname()[1]
        loop = asyncio.get_running_loop()
        listeners = list[asyncio.Server]()
        try:
            for each in sockets:
                listeners.append(await loop.create_server(protocol, sock=each, backlog=config.backlog))
        except BaseException:
            for listener in listeners:
                listener.close()
            for each in sockets:
                each.close()
            raise
        self._listeners = listeners
        server.servers += listeners
        self.hosts = [netloc(host, port) for host in hosts]

    async def _close(self, server: uvicorn.Server) -> None:
        """Stop listening, and end its connections as a stopping site does: what was asked before is answered, and pages
        hear that the site is away."""
        ends = {socket.getsockname()[:2] for listener in self._listeners for socket in listener.sockets}
        for listener in self._listeners:
            listener.close()
            server.servers.remove(listener)
        self._listeners = []
        told: set[TimedHTTP | TimedSocket] = set()
        with suppress(TimeoutError):
            async with asyncio.timeout(server.config.timeout_graceful_shutdown):
                while True:
                    await asyncio.sleep(POLL)  # one that was just taken begins meanwhile
                    connections = {
                        connection
                        for connection in server.server_state.connections
                        if isinstance(connection, TimedHTTP | TimedSocket) and connection.server in ends
                    }
                    for connection in connections - told:
                        connection.shutdown()
                    told |= connections
                    if not connections:
                        break
        for connection in told:
            if connection in server.server_state.connections:
                connection.transport.abort()
        self.hosts = []

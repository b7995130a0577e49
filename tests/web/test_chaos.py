"""Processes that are killed while games run, in short (`python -m tests.soak chaos`): nothing acknowledged is lost."""

import asyncio

import pytest

from tests.soak.chaos import chaos, until
from tests.soak.round_robin import HOST, RoundRobin


@pytest.mark.parametrize(("postgresql", "processes"), [(False, 1), (True, 2)])
def test_no_acknowledged_move_is_lost_or_doubled_by_kill_9(postgresql: bool, processes: int) -> None:
    """People play whole games through a plain round-robin proxy, over HTTP and sockets, on either database."""
    told = chaos(postgresql, processes, 1, 0.5, 1, lambda told: until(told, games=1, kills=1))
    assert told.games >= 1
    assert len(told.waits) >= 20
    assert told.kills + told.database_kills == 1


def test_the_proxy_gives_connections_to_servers_in_turn_and_leaves_out_who_is_down() -> None:
    async def ask(port: int) -> bytes:
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write_eof()
        said = await reader.read()
        writer.close()
        return said

    async def said(names: list[bytes]) -> list[list[bytes]]:
        servers = []
        for name in names:

            async def serve(
                reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: bytes = name
            ) -> None:
                writer.write(name + await reader.read())
                writer.close()

            servers.append(await asyncio.start_server(serve, HOST, 0))
        async with RoundRobin([server.sockets[0].getsockname()[1] for server in servers]) as proxy:
            first = [await ask(proxy.port) for _ in range(6)]
            servers[0].close()
            second = [await ask(proxy.port) for _ in range(4)]
        for server in servers:
            server.close()
        return [sorted(first), sorted(set(second))]

    assert asyncio.run(said([b"a", b"b", b"c"])) == [[b"a", b"a", b"b", b"b", b"c", b"c"], [b"b", b"c"]]

"""The switch that lets devices on this network join: who may use it, what it opens, and that nothing is left of it.

Here 127.0.0.2 stands for this machine's address in a network, and 127.0.0.3 for a phone's: all of 127.0.0.0/8 leads to
this machine on Linux, and only 127.0.0.1 counts as it. `python -m tests.soak phone` has two machines.
"""

import asyncio
import socket
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
import uvicorn
from uvicorn.lifespan.off import LifespanOff
from websockets.frames import CloseCode

from atoll.text.errors import AtollError
from atoll.web.bounds import OPEN
from atoll.web.serving import local_network
from atoll.web.serving.listening import listen_on_all, listening_socket
from atoll.web.serving.local_network import LocalNetwork
from tests.site import START, StartServer
from tests.web.conftest import Browser
from tests.web.test_stopping import Visitor, closed_with, refuses

LAN, PHONE = "127.0.0.2", "127.0.0.3"
IN_A_NETWORK = f"""
from atoll.web.serving import local_network
local_network.private_addresses = lambda: ["{LAN}"]
{START}"""
TABLE = {"game": "signs", "players": "2", "seat1": "friend"}
LONG = {"game": "signs", "players": "2", "seat1": "bot:search:3000ms"}


def status(visitor: Visitor, path: str, form: object = None, **headers: str) -> int:
    """What a visitor's request is answered with."""
    visitor.ask(path, form, **headers)
    return visitor.answer()[0]


def test_a_guest_joins_while_the_switch_is_on_and_no_longer(
    start_server: StartServer, tmp_path: Path
) -> None:
    """The issue's promise: a guest can be invited from a site that was started for this machine alone."""
    server = start_server(tmp_path, "signs", start=IN_A_NETWORK)
    on, off = {"on": "yes"}, {"on": "no"}
    with closing(Visitor(server)) as host:
        host.ask("/tables", TABLE)
        path = urlsplit(host.answer()[1]).path
        address = f"http://{LAN}:{server.port}{path}"
        host.ask(f"{path}/invitation")
        page = host.answer()[2]
        assert 'aria-checked="false"' in page
        assert address not in page
        assert refuses(server.port, LAN)
        for headers in (
            {"Origin": "http://elsewhere.example"},
            {"Sec-Fetch-Site": "same-site"},  # another program's page on this machine
            {"X-Forwarded-For": "192.0.2.9"},  # a proxy that was not announced
        ):
            assert status(host, "/network", on, **headers) == 403
        assert status(host, "/network", {"on": "perhaps"}) == 400
        assert refuses(server.port, LAN)

        host.ask("/network", {**on, "back": f"{path}/invitation"})
        assert host.answer()[:2] == (303, f"{path}/invitation")
        host.ask(f"{path}/invitation")
        page = host.answer()[2]
        assert 'aria-checked="true"' in page
        assert f'value="{address}"' in page
        code = f"{path}/address.svg?{urlencode({'of': address})}"
        assert status(host, code) == 200
        assert status(host, f"{path}/address.svg?of=http://elsewhere.example{path}") == 404

        with closing(Visitor(server, LAN, PHONE)) as guest, host.watch(path) as at_home:
            assert status(guest, "/", Host=f"elsewhere.example:{server.port}") == 400
            assert status(guest, "/network", off) == 403
            guest.ask(f"{path}/invitation")
            page = guest.answer()[2]
            assert "/network" not in page
            assert f'value="{address}"' in page
            assert status(guest, f"{path}/seats", {"seat": "1"}) == 303
            at_home.recv(timeout=20)
            assert status(host, "/tables", LONG) == 303, "this machine's own limits are as before"
            assert status(guest, "/tables", LONG) == 400, "a guest's are a stranger's"
            assert status(guest, f"{path}/bots", {"seat": "1", "bot": "search:3000ms"}) == 400
            with guest.watch(path) as open_page:
                open_page.recv(timeout=20)
                assert status(host, "/network", off) == 303
                assert closed_with(open_page) == CloseCode.SERVICE_RESTART
            at_home.ping().wait(20)
            assert refuses(server.port, LAN)
            assert status(host, path) == 200

        assert status(host, "/network", on) == 303
        with closing(Visitor(server, LAN, PHONE)) as guest, guest.watch(path) as open_page:
            open_page.recv(timeout=20)
            assert server.stop() == 0
            assert closed_with(open_page) == CloseCode.SERVICE_RESTART
    assert not server.errors


def test_where_the_port_is_taken_the_next_is_used() -> None:
    with closing(socket.create_server((LAN, 0))) as taken:
        port = taken.getsockname()[1]
        listeners = listen_on_all(["127.0.0.4", LAN], port)
        try:
            assert {listener.getsockname()[0] for listener in listeners} == {"127.0.0.4", LAN}
            ports = {listener.getsockname()[1] for listener in listeners}
            assert len(ports) == 1
            assert port < ports.pop() <= port + 99
            with closing(listening_socket("127.0.0.4", port)):  # nothing is left of the first try
                pass
        finally:
            for listener in listeners:
                listener.close()


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_network, "private_addresses", list)
    network = LocalNetwork(7180, OPEN)
    network.attach(uvicorn.Server(uvicorn.Config("nothing:app", log_config=None)))
    with pytest.raises(AtollError, match="no address in a home network"):
        asyncio.run(network.switch(True))
    assert not network.hosts


def test_where_one_address_fails_none_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the switch can be tried again."""

    def second_is_lost(hosts: list[str], port: int) -> list[socket.socket]:
        sockets = listen_on_all(hosts, port)
        sockets[1].close()
        return sockets

    monkeypatch.setattr(local_network, "private_addresses", lambda: [LAN, PHONE])
    server = uvicorn.Server(uvicorn.Config("nothing:app", log_config=None))
    server.lifespan, server.servers = LifespanOff(server.config), []
    with closing(listening_socket(LAN, 0)) as probe:
        port = int(probe.getsockname()[1])
    network = LocalNetwork(port, OPEN)
    network.attach(server)

    async def switch() -> None:
        with monkeypatch.context() as lost:
            lost.setattr(local_network, "listen_on_all", second_is_lost)
            with pytest.raises(OSError, match="Bad file descriptor"):
                await network.switch(True)
        assert (network.hosts, server.servers) == ([], [])
        assert refuses(port, LAN)
        await network.switch(True)
        assert [host.rpartition(":")[0] for host in network.hosts] == [LAN, PHONE]
        assert not refuses(port, LAN)
        await network.switch(False)
        assert refuses(port, LAN)

    asyncio.run(switch())


def test_a_site_that_others_reach_anyway_has_no_switch(browser: Browser) -> None:
    path = browser.make_table(game="signs", seat1="friend")
    assert "/network" not in browser.get(f"{path}/invitation").text
    assert browser.post("/network", {"on": "yes"}).status_code == 403

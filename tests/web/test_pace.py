"""Sockets that flood, and browsers that open too many, wait; others do not."""

from collections.abc import Callable
from dataclasses import replace

import anyio
import pytest
from starlette.websockets import WebSocketDisconnect

from atoll.web.bounds import HEARD, SOCKETS, Bounds
from atoll.web.serving import sockets
from atoll.web.serving.site import Site
from tests.web.conftest import Browser


def test_a_socket_that_floods_is_heard_at_that_pace(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [0.0]
    path, slept, sleep = browser.make_table(game="signs"), [], anyio.sleep

    async def count(seconds: float) -> None:
        slept.append(seconds)
        moment[0] += seconds
        await sleep(0)

    monkeypatch.setattr(site, "bounds", Bounds(lambda: moment[0]))
    monkeypatch.setattr(sockets, "HEARD", replace(HEARD, browser=3))
    monkeypatch.setattr(anyio, "sleep", count)
    with browser.client.websocket_connect(f"{path}/live?version=99999") as socket:
        for number in range(1, 6):
            socket.send_text(f"{number} 0 ?")
        answers = (said for said in iter(socket.receive_text, "") if not said.startswith("0\n"))  # bots move
        for number in range(1, 6):
            assert next(answers).startswith(f"{number}\n")
    assert slept == [HEARD.within]


def test_one_browser_has_so_many_sockets_and_others_have_theirs(
    browser: Browser, new_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = browser.make_table(game="signs"), new_browser()
    monkeypatch.setattr(sockets, "SOCKETS", replace(SOCKETS, browser=1))
    with browser.client.websocket_connect(f"{path}/live?version=-1") as socket:
        socket.receive_text()
        with pytest.raises(WebSocketDisconnect), browser.client.websocket_connect(f"{path}/live?version=-1"):
            pass
        with other.client.websocket_connect(f"{path}/live?version=-1") as one:
            assert one.receive_text()
    with browser.client.websocket_connect(f"{path}/live?version=-1") as again:
        assert again.receive_text()

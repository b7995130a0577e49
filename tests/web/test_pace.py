"""Sockets that flood, and browsers that open too many, wait; others do not."""

from collections.abc import Callable

import anyio
import pytest
from starlette.websockets import WebSocketDisconnect

from atoll.web.live import rate_limits
from atoll.web.live.rate_limits import MessageRate
from tests.web.conftest import Browser


def test_who_floods_waits_ever_longer_and_who_plays_never() -> None:
    moment = [0.0]
    flooding, playing = MessageRate(lambda: moment[0]), MessageRate(lambda: moment[0])
    waits = [flooding.wait() for _ in range(rate_limits.BURST + 40)]
    assert waits[: rate_limits.BURST] == [0.0] * rate_limits.BURST
    assert waits[-1] == pytest.approx(40 / rate_limits.PER_SECOND)
    for _ in range(500):
        moment[0] += 1 / rate_limits.PER_SECOND
        assert playing.wait() == 0
    moment[0] += 60
    assert flooding.wait() == 0


def test_a_socket_that_floods_is_heard_at_that_pace(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, slept, sleep = browser.make_table(game="signs"), [], anyio.sleep

    async def count(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    monkeypatch.setattr(rate_limits, "BURST", 3)
    monkeypatch.setattr(rate_limits, "PER_SECOND", 0.001)
    monkeypatch.setattr(anyio, "sleep", count)
    with browser.client.websocket_connect(f"{path}/live?version=99999") as socket:
        for number in range(1, 6):
            socket.send_text(f"{number} 0 ?")
        answers = (said for said in iter(socket.receive_text, "") if not said.startswith("0\n"))  # bots move
        for number in range(1, 6):
            assert next(answers).startswith(f"{number}\n")
    assert [seconds > 0 for seconds in slept] == [True, True]


def test_one_browser_has_so_many_sockets_and_others_have_theirs(
    browser: Browser, new_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = browser.make_table(game="signs"), new_browser()
    monkeypatch.setattr(rate_limits, "MOST_SOCKETS", 1)
    with browser.client.websocket_connect(f"{path}/live?version=-1") as socket:
        socket.receive_text()
        with pytest.raises(WebSocketDisconnect), browser.client.websocket_connect(f"{path}/live?version=-1"):
            pass
        with other.client.websocket_connect(f"{path}/live?version=-1") as one:
            assert one.receive_text()
    with browser.client.websocket_connect(f"{path}/live?version=-1") as again:
        assert again.receive_text()

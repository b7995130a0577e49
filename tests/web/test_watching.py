"""Those who watch a table and have the same page are sent the same, drawn once; who may not watch is sent nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from atoll.web.live.sockets import DELETED
from atoll.web.pages import table_page
from atoll.web.serving.site import Site
from atoll.web.table.seating import Viewer
from tests.web.conftest import Browser
from tests.web.test_tables import decide

TWO = {"game": "karuba", "players": "2", "seat0": "me", "seat1": "friend"}


def test_those_who_watch_are_sent_what_was_drawn_once(
    new_browser: Callable[..., Browser], site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in French, and the player, get their own."""
    red = new_browser()
    path = red.make_table(**TWO)
    new_browser().post(f"{path}/seats", {"seat": "1"})
    watchers = [new_browser(), new_browser(), new_browser(headers={"Accept-Language": "fr"})]
    drawn: list[tuple[Viewer, str]] = []
    draw = table_page.draw_table

    def noting(table: Any, viewer: Viewer, *rest: Any, **settings: Any) -> Any:
        drawn.append((viewer, settings["language"]))
        return draw(table, viewer, *rest, **settings)

    monkeypatch.setattr("atoll.web.live.sockets.draw_table", noting)
    table = site.tables.find(path.rpartition("/")[2])
    version = table.version
    opened = [
        watcher.client.websocket_connect(f"{path}/live?version={version}&rounds=0") for watcher in watchers
    ]
    with opened[0] as one, opened[1] as other, opened[2] as french:
        for socket in (one, other, french):
            socket.send_text("6 0 ?")
            while not socket.receive_text().startswith("6\n"):
                pass
        del drawn[:]
        for _ in range(2):
            decide(table)
        assert red.client.portal is not None
        red.client.portal.call(site.watched.notify, table.row.id)
        said = [next_live_part(socket) for socket in (one, other, french)]
        assert said[0] == said[1] != said[2]
        assert sorted(language for viewer, language in drawn if viewer == Viewer(None)) == ["en", "fr"]
        site_off = red.post(f"{path}/chat/settings", {"watchable": "no"})
        assert site_off.status_code == 200
        for socket in (one, other, french):
            while (heard := socket.receive())["type"] != "websocket.close":
                assert "hand" not in str(heard)
            assert heard["code"] == DELETED


def next_live_part(socket: Any) -> str:
    """The next live part that nobody asked for."""
    while not (text := socket.receive_text()).startswith("0\n"):
        pass
    return str(text)

"""A person plays in a second browser, too: by a code that works once, until it is undone; and then nothing is left."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from atoll.web.bounds import CODES
from atoll.web.pages import language, move_confirmation
from atoll.web.people import devices
from atoll.web.serving.device_requests import mark_of
from atoll.web.serving.security import read_secret
from atoll.web.serving.site import Site
from atoll.web.store import devices as stored
from atoll.web.store.schema import device_codes, seats
from atoll.web.store.store import now
from atoll.web.table.table import Table
from tests.web.conftest import SCRIPT, Browser
from tests.web.test_tables import decide

NewBrowser = Callable[..., Browser]
TableAt = Callable[[str], Table]


def code_in(page: str) -> str:
    """The code in the link that a page shows: behind the #, which browsers send to nobody."""
    found = re.search(r'value="http://testserver/here#([a-z0-9-]+)"', page)
    assert found
    return found[1]


def show(host: Browser, other: Browser) -> str:
    """Show the games of one browser in another, too; returns the code."""
    code = code_in(host.post("/devices").text)
    assert other.post("/here", {"code": code}).url.path == "/"
    return code


def test_two_devices_are_one_person_until_it_is_undone(new_browser: NewBrowser, table_at: TableAt) -> None:
    """Name, tables, hands, results and settings; then the second has nothing of them, and its own again."""
    anna, phone = new_browser(), new_browser()
    anna.post("/name", {"name": "Anna"})
    anna.get("/language?to=fr")
    phone.post("/name", {"name": "Phone"})
    own = phone.make_table(game="karuba", players="2")
    path = anna.make_table(game="karuba", players="2", seat1="friend")
    show(anna, phone)
    assert "<bdi>Anna</bdi>" in phone.get("/").text
    assert 'lang="fr"' in phone.get("/").text
    for browser in (anna, phone):
        assert path in browser.get("/").text
        assert browser.page(path).choices, "both have the hand"
    assert own not in phone.get("/").text
    later = anna.make_table(game="karuba", players="2")
    assert later in phone.get("/").text
    phone.post("/name", {"name": "Anne"})
    assert "<bdi>Anne</bdi>" in anna.get("/").text
    page = phone.post("/devices/end").text
    assert "Make a link" in page
    assert phone.client.cookies.get(language.COOKIE) is None
    assert not any(name.endswith("-device") for name in phone.client.cookies)
    home = phone.get("/").text
    assert "<bdi>Phone</bdi>" in home
    assert own in home
    for gone in ("Anne", path, later):
        assert gone not in home
    assert not phone.page(path).choices
    assert anna.page(path).choices


def test_the_first_device_takes_all_others_back(
    new_browser: NewBrowser, running: TestClient, table_at: TableAt
) -> None:
    """With one press, open pages of theirs among them; whoever was shown the hand takes no other seat there."""
    anna, phone, tablet = new_browser(), new_browser(), new_browser()
    path = anna.make_table(game="karuba", players="3", seat1="friend", seat2="friend")
    for other in (phone, tablet):
        show(anna, other)
    assert "On this device and 2 others." in anna.get("/devices").text
    with phone.client.websocket_connect(f"{path}/live?version=99999") as socket:
        socket.send_text("7 0 ?")
        assert "slot" in socket.receive_text()
        anna.post("/devices/end")
        socket.send_text("8 0 ?")
        answers = iter(socket.receive_text, "")
        with pytest.raises(WebSocketDisconnect) as closed:
            list(answers)
    assert closed.value.code == 4404
    for other in (phone, tablet):
        assert not other.page(path).choices
        assert other.post(f"{path}/seats", {"seat": "1"}).status_code == 409
        assert not any(name.endswith("-device") for name in other.client.cookies)
    assert table_at(path).seating.seats[1].browser is None


def test_a_code_works_once_and_dies_after_ten_minutes(
    new_browser: NewBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, phone, thief = new_browser(), new_browser(), new_browser()
    first, second = (code_in(anna.post("/devices").text) for _ in range(2))
    assert phone.post("/here", {"code": first}).status_code == 404, "a new one takes its place"
    assert anna.post("/here", {"code": second}).status_code == 409
    at = now()
    with monkeypatch.context() as patch:
        patch.setattr(stored, "now", lambda: at + timedelta(minutes=10, seconds=5))
        assert phone.post("/here", {"code": second}).status_code == 404
    assert phone.post("/here", {"code": second.upper().replace("-", " ")}).status_code == 200, (
        "as it is typed"
    )
    assert thief.post("/here", {"code": second}).status_code == 404
    third = code_in(anna.post("/devices").text)
    anna.post("/devices/end")
    assert thief.post("/here", {"code": third}).status_code == 404, "taken back"


def test_codes_cannot_be_tried_out(new_browser: NewBrowser) -> None:
    thief = new_browser()
    answers = [thief.post("/here", {"code": f"aaaa-aaaa-aaa{n}"}).status_code for n in range(2, 9)]
    assert answers == [404] * (CODES.browser or 0) + [429] * (7 - (CODES.browser or 0))


def test_a_code_is_told_to_nobody_else(new_browser: NewBrowser, table_at: TableAt, site: Site) -> None:
    """Neither on any page nor in the database, which keeps a digest; and in no address that a browser sends."""
    anna, ben = new_browser(), new_browser()
    path = anna.make_table(game="karuba", players="2", seat1="friend")
    ben.post(f"{path}/seats", {"seat": "1"})
    code = code_in(anna.post("/devices").text)
    for _ in range(2):
        decide(table_at(path))
    for browser in (anna, ben):
        for where in (
            path,
            f"{path}/back",
            f"{path}/record",
            "/devices",
            "/here",
            "/history",
            "/history/export",
            "/",
        ):
            assert code not in browser.get(where).text
        assert code not in browser.get(path, headers=SCRIPT).text
        assert code not in browser.ask(path, "", {})
    with site.store.engine.connect() as connection:
        rows = str(connection.execute(select(device_codes)).all())
    assert code not in rows
    assert devices.digest(code) in rows


def test_a_code_that_is_stored_as_it_is_would_be_found(
    new_browser: NewBrowser, table_at: TableAt, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same check with the code planted in the database."""
    monkeypatch.setattr(devices, "digest", lambda code: code)
    with pytest.raises(AssertionError):
        test_a_code_is_told_to_nobody_else(new_browser, table_at, site)


def test_a_device_that_is_somebody_elses_lends_itself_no_further(new_browser: NewBrowser) -> None:
    anna, ben, phone = new_browser(), new_browser(), new_browser()
    show(anna, phone)
    bens = code_in(ben.post("/devices").text)
    assert phone.post("/here", {"code": bens}).status_code == 409
    assert anna.post("/here", {"code": bens}).status_code == 409, "its games are shown elsewhere"
    assert "Make a link" not in phone.get("/devices").text


def test_only_preferences_go_along(new_browser: NewBrowser) -> None:
    anna, phone = new_browser(), new_browser()
    anna.client.cookies.set("other", "mine")
    anna.client.cookies.set(move_confirmation.COOKIE, move_confirmation.CONFIRM)
    show(anna, phone)
    assert phone.client.cookies.get("other") is None
    assert move_confirmation.CONFIRM in [
        cookie.value for cookie in phone.client.cookies.jar if cookie.name == move_confirmation.COOKIE
    ]


def test_a_made_up_mark_changes_nothing(new_browser: NewBrowser, site: Site) -> None:
    """The cookie that says to look says nothing of whom."""
    anna, thief = new_browser(), new_browser()
    path = anna.make_table(game="karuba", players="2")
    show(anna, new_browser())
    thief.client.cookies.set(mark_of(read_secret()), anna.name)
    assert not thief.page(path).choices
    with site.store.engine.connect() as connection:
        assert thief.name not in set(connection.scalars(select(seats.c.browser)))

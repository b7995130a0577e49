"""Who may ask the site: other sites may not, cookies cannot be made up, answers carry their headers.

What guards it is tried piece by piece in test_guarding.py.
"""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode
from urllib.robotparser import RobotFileParser

import pytest
from sqlalchemy import func, select
from starlette.websockets import WebSocketDisconnect

from atoll.web.pages.scripts import scripts_url
from atoll.web.serving.security import MAX_BODY, cookie_name, read_secret
from atoll.web.serving.site import Site
from atoll.web.serving.sockets import DELETED
from atoll.web.store.schema import tables
from atoll.web.table.move_choice import fields_of
from atoll.web.table.table import Table
from tests.web.conftest import Browser

FORM = {"game": "costa-ruana"}


def test_a_form_of_another_site_is_refused(browser: Browser) -> None:
    answer = browser.post("/tables", FORM, headers={"sec-fetch-site": "cross-site"})
    assert answer.status_code == 403
    assert "Another site" in answer.text
    assert 'id="table-' not in browser.get("/").text


def test_a_socket_of_another_site_is_refused(browser: Browser) -> None:
    path = browser.make_table()
    with (
        pytest.raises(WebSocketDisconnect),
        browser.client.websocket_connect(f"{path}/live", headers={"origin": "https://elsewhere.example"}),
    ):
        pass


def test_a_socket_to_an_unknown_table_is_refused(browser: Browser) -> None:
    """With a code that its page can read: a table that is deleted ends there, too."""
    closed_as_deleted(browser, "/tables/none/live")


def closed_as_deleted(browser: Browser, address: str) -> None:
    with browser.client.websocket_connect(address) as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_text()
    assert closed.value.code == DELETED


@pytest.mark.parametrize("name", ["%00", "a%00b", "x" * 33, "%F0%9F%8F%9D", "a%20b", "%27", "%ED%A0%80"])
def test_the_store_is_asked_for_nothing_that_is_no_name_of_a_table(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """PostgreSQL takes no NUL, nor more characters than a column has."""

    def read(*_: object) -> None:
        raise AssertionError("the store was asked")

    for method in ("read", "version"):
        monkeypatch.setattr(site.store, method, read)
    for path in (f"/tables/{name}", f"/tables/{name}/record"):
        assert browser.get(path).status_code == 404
    for change in ("moves", "seats", "hint"):
        assert browser.post(f"/tables/{name}/{change}").status_code == 404
    closed_as_deleted(browser, f"/tables/{name}/live")


def test_a_made_up_cookie_is_nobody(browser: Browser, new_browser: Callable[..., Browser]) -> None:
    path = browser.make_table()
    thief = new_browser()
    name, cookie = browser.name, cookie_name(read_secret())
    thief.client.cookies.clear()
    answer = thief.get(path, headers={"cookie": f"{cookie}={name}.made-up"})
    assert "set-cookie" in answer.headers
    assert f'action="{path}/moves"' not in answer.text
    assert (
        thief.post(f"{path}/moves", {"decision": "0"}, headers={"cookie": f"{cookie}={name}"}).status_code
        == 403
    )


@pytest.mark.parametrize("cookie", [None, "made-up", "someone.signed-with-another-secret"])
def test_a_form_without_its_cookie_is_carried_out_for_who_gets_one(
    browser: Browser, table_at: Callable[[str], Table], cookie: str | None
) -> None:
    """Cookies cleared while the start page was open, or a new secret: the seat is of the browser that then plays."""
    browser.client.cookies.clear()
    if cookie is not None:
        browser.client.cookies.set(cookie_name(read_secret()), cookie, domain="testserver.local", path="/")
    path = browser.make_table(game="karuba", players="2", seat1="friend")
    move = fields_of(table_at(path).timeline.legal_moves(0)[0])
    assert browser.post(f"{path}/moves", {"decision": "0", **move}).status_code == 200
    assert list(table_at(path).timeline.choices) == [0]
    assert path in browser.get("/").text


def tables_kept(table: Table) -> int | None:
    """How many tables the store has in which this one is kept."""
    with table.store.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(tables))


def test_who_keeps_no_cookie_takes_no_seat(browser: Browser, table_at: Callable[[str], Table]) -> None:
    path = browser.make_table(players="2", seat1="friend")
    nobody, before = browser.client, tables_kept(table_at(path))
    for address, form in (("/tables", FORM), (f"{path}/seats", {"seat": "1"})):
        nobody.cookies.clear()
        asked = nobody.post(address, data=form, follow_redirects=False)
        assert asked.status_code == 307
        nobody.cookies.clear()
        again = nobody.post(asked.url.join(asked.headers["location"]), data=form, follow_redirects=False)
        assert again.status_code == 403
        assert "Atoll knows players by a cookie" in again.text
        assert "set-cookie" in again.headers
    assert table_at(path).seating.seats[1].browser is None
    assert tables_kept(table_at(path)) == before


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/nowhere",
        "/tables/none",
        "/language?to=fr",
        "/language?to=x",
        "/pressing?to=once",
        "/pressing?to=x",
        "/games/karuba/rules",
        "/progress",
    ],
)
def test_what_brings_a_cookie_is_kept_by_no_cache(browser: Browser, path: str) -> None:
    browser.client.cookies.clear()
    headers = browser.get(path, follow_redirects=False).headers
    assert headers["cache-control"] == "no-store"
    assert any(cookie.startswith("atoll-") for cookie in headers.get_list("set-cookie"))


@pytest.mark.parametrize(
    "path",
    [
        f"{scripts_url()}/main.js",
        "/games/karuba/table.css",
        "/games/costa-ruana/drawings.css",
        "/games/karuba/cover.svg",
    ],
)
def test_what_caches_keep_brings_no_cookie(browser: Browser, path: str) -> None:
    browser.client.cookies.clear()
    headers = browser.get(path).headers
    assert "set-cookie" not in headers
    assert headers.get("cache-control") != "no-store"


@pytest.mark.parametrize(
    "path",
    ["/", "/nowhere", f"{scripts_url()}/main.js", "/games/karuba/components", "/games/costa-ruana/rules"],
)
def test_every_answer_is_guarded(browser: Browser, path: str) -> None:
    check_guarded(browser.get(path).headers)


def check_guarded(headers: Mapping[str, str]) -> None:
    """An answer has its security headers."""
    assert "default-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"


def test_search_engines_list_no_table(browser: Browser) -> None:
    """Nor what one browser alone sees; the start and what is said of games they may. An engine that may not fetch a
    page lists its bare address, wherever that is linked, since it does not see that it should not."""
    path = browser.make_table()
    rules = RobotFileParser()
    rules.parse(browser.get("/robots.txt").text.splitlines())
    fetched = {name for name in ("Googlebot", "Bingbot", "WhatsApp", "Other") if rules.can_fetch(name, path)}
    assert fetched == {"Googlebot", "Bingbot", "WhatsApp"}
    for address in (path, f"{path}/record", "/nowhere"):
        assert browser.get(address).headers["x-robots-tag"] == "noindex"
    for address in ("/", "/games/karuba/rules"):
        assert "x-robots-tag" not in browser.get(address).headers


def test_a_table_is_not_kept_by_caches(browser: Browser) -> None:
    path = browser.make_table()
    for address in (path, f"{path}/record", "/"):
        assert browser.get(address).headers["cache-control"] == "no-store"


def test_a_huge_form_is_refused(browser: Browser) -> None:
    answer = browser.post("/tables", {"game": "x" * (MAX_BODY + 1)})
    assert answer.status_code == 413


def test_another_host_name_is_refused(browser: Browser) -> None:
    assert browser.get("/", headers={"host": "elsewhere.example"}).status_code == 400


def test_an_error_shows_nothing_of_itself(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, running: Any
) -> None:
    def fail(*rest: Any, **settings: Any) -> str:
        raise RuntimeError("the hidden cards are 1, 2, 3")

    path = browser.make_table()
    monkeypatch.setattr("atoll.web.serving.table_requests.draw_table", fail)
    monkeypatch.setattr(browser.client._transport, "raise_server_exceptions", False)
    answer = browser.get(path)
    assert answer.status_code == 500
    assert "hidden cards" not in answer.text
    assert "Traceback" not in answer.text
    assert "Something went wrong" in answer.text
    check_guarded(answer.headers)
    assert answer.headers["cache-control"] == "no-store"


# Languages


def test_the_browser_and_the_reader_choose_the_language(browser: Browser) -> None:
    assert '<html lang="fr">' in browser.get("/", headers={"accept-language": "fr-CH,fr;q=0.9,en;q=0.8"}).text
    assert '<html lang="en">' in browser.get("/", headers={"accept-language": "de, en;q=0.5, fr;q=0.1"}).text
    back = browser.get("/language", params={"to": "fr", "back": "/games/costa-ruana/rules"})
    assert back.url.path == "/games/costa-ruana/rules"
    assert '<html lang="fr">' in browser.get("/", headers={"accept-language": "en"}).text


@pytest.mark.parametrize(
    "back",
    [
        "//elsewhere.example",
        "https://elsewhere.example",
        "/\\elsewhere.example",
        "/\t/elsewhere.example",
        "\n//elsewhere.example",
        "/\r\n/elsewhere.example",
        "///elsewhere.example",
        "http:elsewhere.example",
        " //elsewhere.example",
        "//[",
    ],
)
@pytest.mark.parametrize("switch", ["/language?to=en", "/pressing?to=once"])
def test_a_switch_leads_nowhere_else(browser: Browser, switch: str, back: str) -> None:
    """Browsers leave out tabs and line breaks."""
    query = urlencode({"back": back})
    answer = browser.get(f"{switch}&{query}", follow_redirects=False)
    assert answer.headers["location"] == "/"
    for page in ("/name", "/telling"):
        assert "elsewhere" not in browser.get(f"{page}?{query}").text


def test_an_unknown_language_is_refused(browser: Browser) -> None:
    assert browser.get("/language", params={"to": "tlh"}).status_code == 400

"""The log as lines of JSON: what was asked for and how long it took, and nothing that anybody may not know."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from starlette.testclient import TestClient

from atoll.web.serving import json_log
from atoll.web.serving.app import create_app
from atoll.web.serving.json_log import HEADER, REQUESTS, log_as_json
from atoll.web.serving.security import cookie_name, read_secret
from atoll.web.serving.site import Site
from atoll.web.store.database import open_store
from atoll.web.table.move_choice import fields_of
from atoll.web.table.table import Table
from tests.web.conftest import Browser
from tests.web.test_devices import code_in

NAME, CHAT = "Zanzibarbara", "xylophone-quagmire"


@contextmanager
def logging_to(stream: io.StringIO) -> Iterator[None]:
    """Log there as the site does, and then as before."""
    root, requests = logging.getLogger(), logging.getLogger(REQUESTS)
    before = root.handlers[:]
    for handler in before:
        root.removeHandler(handler)  # basicConfig would close them
    try:
        log_as_json(stream)
        yield
    finally:
        root.handlers[:] = before
        requests.setLevel(logging.NOTSET)


def seen(running: TestClient, table_at: Callable[[str], Table]) -> tuple[str, list[str]]:
    """What is logged while somebody plays, talks and makes a link, and all that may not stand there."""
    app = create_app(open_store(), ["testserver"], logged=True)
    app.state.site = running.app.state.site  # type: ignore[attr-defined]
    client = TestClient(app, raise_server_exceptions=False)
    client.portal = running.portal
    stream = io.StringIO()
    with logging_to(stream):
        browser = Browser(client)
        browser.post("/name", {"name": NAME})
        path = browser.make_table(game="karuba", players="2", seat1="friend")
        browser.post(f"{path}/chat", {"text": CHAT})
        code = code_in(browser.post("/devices").text)
        browser.get("/here")
        browser.post("/here", {"code": code})
        move = fields_of(table_at(path).timeline.legal_moves(0)[0])
        browser.ask(path, "moves", {"decision": "0", **move})
        browser.post(f"{path}/moves", {"decision": "0", **move}, headers={"origin": "https://elsewhere"})
        browser.get(f"/nowhere/{CHAT}?{NAME}")
    cookie = client.cookies[cookie_name(read_secret())]
    return stream.getvalue(), [
        *(NAME, CHAT, cookie, cookie.partition(".")[0], code, path.rpartition("/")[2], "elsewhere"),
        *(f"{name}={value}" for name, value in move.items()),
        *(json.dumps(move), "decision"),
    ]


def test_requests_are_logged_without_anything_secret(
    running: TestClient, table_at: Callable[[str], Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that names addresses as they were asked for is found out."""
    log, hidden = seen(running, table_at)
    assert [secret for secret in hidden if secret in log] == []
    lines = [json.loads(line) for line in log.splitlines()]
    assert all(isinstance(line["ms"], float) and len(line["request"]) == 12 for line in lines)
    asked = {(line["message"], line["method"], line["route"], line["status"]) for line in lines}
    assert ("request", "POST", "/tables", 303) in asked
    assert ("request", "POST", "/here", 409) in asked
    assert ("socket", None, "/tables/{table}/live", 101) in asked
    assert ("request", "POST", None, 403) in asked
    assert ("request", "GET", None, 404) in asked
    monkeypatch.setattr(json_log, "route_of", lambda scope: scope["path"])
    log, hidden = seen(running, table_at)
    assert [secret for secret in hidden if secret in log]


def test_errors_are_logged_by_their_place_and_not_by_what_they_say(site: Site) -> None:
    stream, logger = io.StringIO(), logging.getLogger("uvicorn.error")

    def fail(said: str) -> None:
        raise RuntimeError(said)

    with logging_to(stream):
        try:
            fail(CHAT)
        except RuntimeError:
            logger.exception("Exception in ASGI application\n%s", CHAT)
    (line,) = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert CHAT not in stream.getvalue()
    assert (line["level"], line["message"], line["error"]) == (
        "error",
        "Exception in ASGI application",
        "RuntimeError",
    )
    assert line["at"][-1].endswith(" fail")
    with site.store.engine.connect() as connection, pytest.raises(DBAPIError) as refused:
        connection.execute(text("SELECT nothing FROM tables WHERE id = :id"), {"id": CHAT})
    assert CHAT not in str(refused.value)


def test_an_answer_names_its_line_in_the_log(running: TestClient) -> None:
    app: Any = create_app(open_store(), ["testserver"], logged=True)
    app.state.site = running.app.state.site  # type: ignore[attr-defined]
    stream = io.StringIO()
    with logging_to(stream):
        answer = TestClient(app).get("/healthz")
    assert json.loads(stream.getvalue())["request"] == answer.headers[HEADER]
    assert HEADER not in running.get("/healthz").headers

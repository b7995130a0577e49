"""What guards the site, piece by piece, without a site around it."""

import asyncio
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import Signer
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from atoll.text.errors import AtollError
from atoll.web.refusal import Refusal
from atoll.web.serving import security
from atoll.web.serving.security import (
    COOKIE_AGE,
    HEADERS,
    LOCAL_NETWORK,
    MAX_BODY,
    Guard,
    KnownHosts,
    cookie_name,
    is_cross_site_request,
    limit_body,
)
from atoll.web.store.migrations import migrate
from atoll.web.store.store import Store
from atoll.web.table.names import checked_name
from tests.web.test_store import empty

SECRET = b"s" * 32
NAME = cookie_name(SECRET)
SAID: Message = {"type": "http.request", "body": b"said"}
Headers = dict[str, str]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store in which nothing is kept."""
    migrate(engine := empty(tmp_path))
    return Store(engine)


class Asked:
    """What was asked of a guarded application, and what was answered."""

    def __init__(self) -> None:
        self.browser: str | None = None
        """whom the application was asked for; None if it was not asked"""
        self.heard: Message | None = None
        """what the application heard"""
        self.route: str | None = None
        """what the application said to whoever asked the guard, such as the log"""
        self.sent: list[Message] = []

    @property
    def status(self) -> int:
        """Of the answer."""
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> list[tuple[str, str]]:
        """Of the answer."""
        return [(name.decode(), value.decode()) for name, value in self.sent[0]["headers"]]

    @property
    def cookies(self) -> list[str]:
        """That were set."""
        return [value for name, value in self.headers if name == "set-cookie"]


def ask(
    *,
    method: str = "GET",
    headers: Headers | None = None,
    query: str = "",
    scheme: str = "http",
    kind: str = "http",
    answer: Sequence[tuple[bytes, bytes]] = ((b"cache-control", b"no-store"),),
    secret: bytes = SECRET,
    gone: bool = False,
) -> Asked:
    """Ask a guarded application, which gives that answer."""
    asked = Asked()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        asked.browser, scope["route"] = scope.get("browser"), "found"
        asked.heard = await receive()
        if gone:
            raise ClientDisconnect
        if kind == "http":
            await send({"type": "http.response.start", "status": 200, "headers": [*answer]})
            await send({"type": "http.response.body", "body": b"done"})
        else:
            await send({"type": f"{kind}.accept"})

    async def receive() -> Message:
        return SAID if kind == "http" else {"type": f"{kind}.connect"}

    async def send(message: Message) -> None:
        asked.sent.append(message)

    known = {"host": "atoll.example.org", "accept-language": "en", **(headers or {})}
    scope: dict[str, Any] = {
        "type": kind,
        "method": method,
        "scheme": scheme,
        "path": "/tables",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in known.items()],
    }
    if kind == "websocket":
        del scope["method"]
    asyncio.run(Guard(app, secret)(scope, receive, send))
    asked.route = scope.get("route")
    return asked


def cookie_of(asked: Asked) -> Headers:
    """The header of the browser that got the answer."""
    (given,) = asked.cookies
    return {"cookie": given.partition(";")[0]}


def test_whoever_comes_without_a_cookie_gets_one_that_names_them_from_then_on() -> None:
    first = ask()
    (cookie,) = first.cookies
    value, *rest = cookie.split("; ")
    assert rest == [f"Max-Age={COOKIE_AGE}", "Path=/", "HttpOnly", "SameSite=Lax"]
    assert value.startswith(f"{NAME}={first.browser}.")
    again = ask(headers=cookie_of(first))
    assert (again.browser, again.cookies, again.heard) == (first.browser, [], SAID)
    assert first.browser is not None
    assert len(first.browser) == 22, "16 random bytes"
    assert ask().browser != first.browser


def test_cookies_that_were_given_before_stay_good() -> None:
    """As long as the secret is the same, whatever else is changed."""
    signed = Signer(SECRET, salt="atoll.browser").sign("somebody").decode()
    assert ask(headers={"cookie": f"{NAME}={signed}"}).browser == "somebody"
    renamed = ask(headers={"cookie": f"atoll={signed}"})
    assert renamed.browser == "somebody"
    assert renamed.cookies[0].startswith(f"{NAME}={signed};")


def test_under_https_cookies_are_this_hosts_alone_and_the_browser_comes_by_nothing_else() -> None:
    """RFC 6265bis, 4.1.3.2: what another name or http has set is not believed."""
    first = ask(scheme="https", answer=[(b"set-cookie", b"atoll_language=fr; Path=/")])
    own, other = sorted(first.cookies, reverse=True)
    assert first.route == "found"
    assert own == "__Host-atoll_language=fr; Path=/; Secure"
    assert other.startswith(f"__Host-{NAME}={first.browser}.")
    assert other.endswith("Path=/; HttpOnly; SameSite=Lax; Secure")
    assert dict(first.headers)["strict-transport-security"] == "max-age=31536000"
    cookie = other.partition(";")[0]
    assert ask(scheme="https", headers={"cookie": f"a=b; {cookie}"}).browser == first.browser
    assert ask(scheme="wss", kind="websocket", headers={"cookie": cookie}).browser == first.browser
    for planted in (cookie.removeprefix("__Host-"), cookie.replace(f"__Host-{NAME}", "atoll")):
        assert ask(scheme="https", headers={"cookie": planted}).browser != first.browser
    assert "strict-transport-security" not in dict(ask().headers)


def test_two_sites_on_one_host_do_not_take_each_others_cookies() -> None:
    """Browsers send a host's cookies to all its ports."""
    here = ask()
    there = ask(secret=b"t" * 32, headers=cookie_of(here))
    both = {"cookie": f"{cookie_of(here)['cookie']}; {cookie_of(there)['cookie']}"}
    assert ask(headers=both).browser == here.browser
    assert ask(headers=both, secret=b"t" * 32).browser == there.browser


@pytest.mark.parametrize(
    ("host", "at_home", "here"),
    [
        ("localhost:7180", True, True),
        ("127.0.0.1", True, True),
        ("atoll.example.org", False, False),
        ("attacker.example:7180", False, False),
        ("192.168.1.7:7180", True, False),
        ("[fe80::1]:7180", True, False),
        ("raspberry:7180", True, False),
        ("raspberry.local", True, False),
        ("raspberry.fritz.box", False, False),
        ("", False, False),
        ("[::1", False, False),
    ],
)
def test_a_site_answers_to_names_alone_that_no_other_site_can_have(
    host: str, at_home: bool, here: bool
) -> None:
    """With --host 0.0.0.0, and on this machine alone."""
    assert KnownHosts(Asked, ["localhost", LOCAL_NETWORK]).knows(host) == at_home  # type: ignore[arg-type]
    assert KnownHosts(Asked, ["localhost", "127.0.0.1"]).knows(host) == here  # type: ignore[arg-type]


def test_a_form_whose_end_is_in_doubt_is_refused() -> None:
    """RFC 9112, 6.1: a proxy may go by the other length."""
    doubtful = ask(method="POST", headers={"content-length": "5", "transfer-encoding": "chunked"})
    assert (doubtful.status, doubtful.browser) == (400, None)
    assert dict(doubtful.headers)["connection"] == "close"


def test_a_cookie_that_was_not_signed_here_is_nobodys() -> None:
    mine = cookie_of(ask())["cookie"]
    name, _, signature = mine.partition("=")[2].rpartition(".")
    for made_up in (name, f"{name}.", f"x{name}.{signature}", f"{name}.{signature[:-1]}", ""):
        found = ask(headers={"cookie": f"{NAME}={made_up}"})
        assert found.browser != name
        assert found.cookies
    assert ask(headers={"cookie": mine}, secret=b"t" * 32).browser != name


def test_what_caches_keep_has_no_cookie_and_what_has_no_word_about_them_is_not_kept() -> None:
    kept = ask(answer=[(b"cache-control", b"max-age=60")])
    assert kept.cookies == []
    assert dict(kept.headers)["cache-control"] == "max-age=60"
    tagged = ask(answer=[(b"etag", b"1")])
    assert tagged.cookies == []
    assert "cache-control" not in dict(tagged.headers)
    silent = ask(answer=[])
    assert dict(silent.headers)["cache-control"] == "no-store"
    assert len(silent.cookies) == 1


def test_every_answer_has_the_headers_that_it_has_not_itself() -> None:
    found = dict(ask(answer=[(b"referrer-policy", b"no-referrer")]).headers)
    assert found["referrer-policy"] == "no-referrer"
    for name, value in HEADERS.items():
        assert found[name.lower()] == value or name == "Referrer-Policy"


@pytest.mark.parametrize(
    ("headers", "elsewhere"),
    [
        ({}, False),
        ({"sec-fetch-site": "same-origin"}, False),
        ({"sec-fetch-site": "none"}, False),
        ({"sec-fetch-site": "same-site"}, True),
        ({"sec-fetch-site": "cross-site"}, True),
        ({"origin": "https://atoll.example.org"}, False),
        ({"origin": "https://atoll.example.org:8000"}, True),
        ({"origin": "https://elsewhere.example"}, True),
        ({"origin": "null"}, True),
        ({"origin": "https://elsewhere.example://atoll.example.org"}, True),
        ({"sec-fetch-site": "same-origin", "origin": "https://elsewhere.example"}, True),
    ],
)
def test_another_sites_page_may_look_and_do_nothing(headers: Headers, elsewhere: bool) -> None:
    known = cookie_of(ask())
    asked = {"host": "atoll.example.org", **headers}
    assert is_cross_site_request(HTTPConnection(scope_of(asked)).headers) is elsewhere
    for method in ("POST", "PUT", "DELETE"):
        found = ask(method=method, headers=known | headers)
        assert (found.browser is None) is elsewhere
        assert found.status == (403 if elsewhere else 200)
    for method in ("GET", "HEAD"):
        assert ask(method=method, headers=known | headers).browser is not None
    socket = ask(kind="websocket", headers=known | headers)
    assert (socket.browser is None) is elsewhere
    expected = (
        {"type": "websocket.close", "code": 1008, "reason": ""} if elsewhere else {"type": "websocket.accept"}
    )
    assert socket.sent == [expected]
    assert elsewhere or socket.heard == {"type": "websocket.connect"}


def scope_of(headers: Headers, client: tuple[str, int] | None = None) -> Scope:
    """A request's scope."""
    return {
        "type": "http",
        "client": client,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


def says(asked: Asked, sentence: str) -> bool:
    """Whether an answer says that, and nothing more beside it."""
    return re.search(rf">\s*{re.escape(sentence)}\s*<", asked.sent[1]["body"].decode()) is not None


def test_another_sites_form_is_told_so_and_leaves_the_cookie_alone() -> None:
    found = ask(method="POST", headers={"sec-fetch-site": "cross-site"})
    assert (found.status, found.cookies) == (403, [])
    assert says(found, "Another site’s page asked for this; open Atoll itself.")


def test_a_form_is_carried_out_for_who_sends_a_cookie_back() -> None:
    first = ask(method="POST", query="a=1")
    assert (first.browser, first.status) == (None, 307)
    assert dict(first.headers)["location"] == "?cookie=check"
    again = ask(method="POST", query="cookie=check", headers=cookie_of(first))
    assert (again.browser is not None, again.status) == (True, 200)
    refused = ask(method="POST", query="cookie=check")
    assert (refused.browser, refused.status) == (None, 403)
    assert says(refused, "Atoll knows players by a cookie, which this browser does not keep; allow it here.")
    assert ask(method="POST", query="cookie=no").status == 307
    assert ask(method="PUT").browser is not None


def test_what_is_no_request_passes_and_who_leaves_is_no_mistake() -> None:
    started = ask(kind="lifespan")
    assert (started.browser, started.heard) == (None, {"type": "lifespan.connect"})
    assert started.sent == [{"type": "lifespan.accept"}]
    assert ask(gone=True).sent == []


@pytest.mark.parametrize(
    ("parts", "passes"), [([MAX_BODY], True), ([MAX_BODY, 1], False), ([MAX_BODY - 1, 1], True)]
)
def test_a_body_is_read_up_to_its_limit(parts: list[int], passes: bool) -> None:
    sent: list[Message] = [{"type": "http.request", "body": b"x" * length} for length in parts]
    sent += [{"type": "http.request"}, {"type": "http.disconnect", "body": b"x" * 9}]

    async def receive() -> Message:
        return sent.pop(0)

    async def read() -> list[Message]:
        within, count = limit_body(receive), len(sent)
        return [await within() for _ in range(count)]

    if passes:
        assert len(asyncio.run(read())) == len(parts) + 2
        return
    with refused_with(413, "That is too much at once."):
        asyncio.run(read())


def test_the_secret_is_made_once_whole_and_for_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    link, first = os.link, [True]

    def another_was_first(source: object, target: object) -> None:
        if first and first.pop():
            Path(str(target)).write_bytes(b"t" * 32)
        link(source, target)  # type: ignore[arg-type]

    made = security.read_secret()
    path = security.secret_path()
    assert path == tmp_path / "data" / "cookie-secret"
    assert (len(made), security.read_secret()) == (32, made)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["cookie-secret"]
    path.unlink()
    monkeypatch.setattr(os, "link", another_was_first)
    assert security.read_secret() == b"t" * 32
    assert [file.name for file in path.parent.iterdir()] == ["cookie-secret"]


@pytest.mark.parametrize("content", [b"", b"\n", b"s" * 15])
def test_a_secret_that_anybody_could_guess_is_refused_and_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    """What a full disk has made of it, for instance: a made-up cookie is nobody's (docs/security.md)."""
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    security.secret_path().write_bytes(content)
    with pytest.raises(AtollError, match="atoll restore"):
        security.read_secret()
    assert security.secret_path().read_bytes() == content


@contextmanager
def refused_with(status: int, text: str, **values: Any) -> Iterator[None]:
    """What is done is refused with exactly that."""
    with pytest.raises(Refusal) as refused:
        yield
    assert (refused.value.status, refused.value.text, refused.value.values) == (status, text, values)


# Who comes, and how much they may make


@pytest.mark.parametrize(
    ("said", "text", "values"),
    [
        ("x" * 25, "A name has at most %(most)s characters: choose a shorter one.", {"most": 24}),
        ("a\x07b", "This name holds characters that cannot be shown: leave them out.", {}),
        ("?!", "A name needs a letter or a digit.", {}),
        (
            "Bot",
            "A name has no brackets and no “@”, and is none that Atoll itself says, such as “bot” or “you”: "
            "choose another.",
            {},
        ),
    ],
)
def test_a_name_that_is_not_possible_is_refused_in_words(
    said: str, text: str, values: dict[str, int]
) -> None:
    with refused_with(400, text, **values):
        checked_name(said)


def test_a_name_has_up_to_24_characters_and_four_marks_on_a_letter() -> None:
    for name in ("x" * 24, "x\u0323\u0302\u0304\u0301q\u0302\u0304"):
        assert checked_name(name) == name

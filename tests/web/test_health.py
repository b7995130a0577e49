"""What watches over a site and what stands before it: `/healthz`, `/readyz`, `--behind-proxy` (docs/operate.md)."""

import sqlite3
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from atoll.text.errors import AtollError
from atoll.web.serving.server import default_allowance, host_of
from atoll.web.serving.site import Site
from tests.site import START, Server
from tests.web.conftest import Browser


def test_a_site_that_works_says_so(browser: Browser) -> None:
    assert browser.get("/healthz").text == "ok\n"
    assert browser.get("/readyz").json() == {"database": True}


def test_a_database_that_cannot_be_read_is_not_ready_and_not_ill(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> None:
        raise OperationalError("SELECT", {}, sqlite3.OperationalError("disk I/O error"))

    monkeypatch.setattr(site.store.engine, "connect", fails)
    answer = browser.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"database": False})
    assert browser.get("/healthz").status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_a_probe_becomes_no_browser(new_browser: Callable[..., Browser], path: str) -> None:
    probe = new_browser()
    probe.client.cookies.clear()
    assert "set-cookie" not in probe.get(path).headers


def test_a_site_behind_a_proxy_is_open_to_others() -> None:
    assert default_allowance("127.0.0.1").tables is None
    assert default_allowance("127.0.0.1", behind_proxy=True).tables is not None
    assert host_of("https://play.example.org:8443/") == "play.example.org"
    assert host_of("https://example.org/games/atoll/") == "example.org"


@pytest.mark.parametrize("proxy", ["https://atoll.example.org", None])
def test_the_headers_of_a_proxy_are_believed_where_one_was_named_and_only_there(
    tmp_path: Path, proxy: str | None
) -> None:
    """X-Forwarded-For and X-Forwarded-Proto (docs/security.md); a real server, since uvicorn reads them."""
    begun = START.replace("open_browser=False", f"open_browser=False, proxy={proxy!r}")
    server = Server(tmp_path / "home", start=begun, games=["signs"])
    try:
        told = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7", "Host": "atoll.example.org"}
        if proxy is None:
            del told["Host"]
        with urllib.request.urlopen(urllib.request.Request(f"{server.address}/", headers=told)) as answer:
            assert ("; Secure" in answer.headers["Set-Cookie"]) == (proxy is not None)
    finally:
        server.kill()


@pytest.mark.parametrize(
    "address", ["play.example.org", "ftp://a.b", "https://a.b/a b", "https://a.b/?x", "https://", ""]
)
def test_an_address_that_is_no_site_is_refused(address: str) -> None:
    with pytest.raises(AtollError, match="is not an address of a site like"):
        host_of(address)

"""Figures for Prometheus: off unless asked for, for this machine alone, and without anything secret."""

import re

import pytest
from starlette.testclient import TestClient

from atoll.web.serving.app import create_app
from atoll.web.serving.security import cookie_name, read_secret
from atoll.web.store.database import open_store
from tests.web.conftest import Browser


@pytest.mark.parametrize(("measured", "host", "status"), [(True, "127.0.0.1", 200), (True, "10.1.2.3", 404)])
def test_figures_are_for_this_machine_alone(
    running: TestClient, measured: bool, host: str, status: int
) -> None:
    app = create_app(open_store(), ["testserver"], measured=measured)
    app.state.site = running.app.state.site  # type: ignore[attr-defined]
    client = TestClient(app, client=(host, 4000))
    cookie = client.get("/").cookies[cookie_name(read_secret())]
    client.get("/nowhere")
    answer = client.get("/metrics")
    assert answer.status_code == status
    assert "set-cookie" not in answer.headers or status == 404
    if status == 200:
        assert 'atoll_requests_total{status="2xx"} 1\n' in answer.text
        assert 'atoll_requests_total{status="4xx"} 1\n' in answer.text
        assert 'atoll_request_seconds_bucket{le="+Inf"} 2\n' in answer.text
        assert cookie.partition(".")[0] not in answer.text
        line = re.compile(r'# TYPE \w+ (counter|gauge|histogram)|\w+(\{\w+="[^"]+"\})? [0-9.]+')
        assert all(line.fullmatch(said) for said in answer.text.splitlines())


def test_there_are_none_unless_asked_for(browser: Browser) -> None:
    assert browser.get("/metrics").status_code == 404

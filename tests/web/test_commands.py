"""The site runs no commands: programs are bots on the command line alone."""

import subprocess
from collections.abc import Callable

import pytest

from atoll.web.table.table import Table
from tests.web.conftest import Browser

COMMANDS = ["cmd:touch ran", "cmd:100ms:touch ran", " cmd:touch ran", "CMD:touch ran"]


@pytest.fixture(autouse=True)
def no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be started."""

    def started(*arguments: object, **named: object) -> None:
        raise AssertionError(f"a request started {arguments}")

    monkeypatch.setattr(subprocess, "Popen", started)
    monkeypatch.setattr("os.posix_spawn", started)


@pytest.mark.parametrize("command", COMMANDS)
def test_no_request_seats_a_program(command: str, browser: Browser, table_at: Callable[[str], Table]) -> None:
    """Neither at a new table nor in a seat of one that is there."""
    form = {"game": "signs", "players": "2", "seat0": "me", "seat1": f"bot:{command}"}
    refused = browser.post("/tables", form)
    assert refused.status_code == 400
    path = browser.make_table(game="signs", players="2", seat0="me", seat1="friend")
    refused = browser.post(f"{path}/bots", {"seat": "1", "bot": command})
    assert refused.status_code == 400
    assert [seat.bot for seat in table_at(path).seating.seats] == [None, None]

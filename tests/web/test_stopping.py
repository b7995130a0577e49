"""The site stops: what is under way is answered, open pages hear of it, and nothing new is taken."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlencode, urlsplit

import pytest
import uvicorn
from uvicorn.supervisors.multiprocess import SIGNALS
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.sync.client import ClientConnection, connect

from atoll.web.pages.move_confirmation import AT_ONCE
from atoll.web.pages.move_confirmation import COOKIE as PRESSING
from atoll.web.serving.server import Processes, heed_hangup
from tests.site import Server, StartServer
from tests.web.conftest import Page

TIME = 20.0
"""Seconds after which something has not happened."""


class Visitor:
    """A browser whose connection stays open, of this machine or, by a `source`, of another."""

    def __init__(self, server: Server, host: str = "127.0.0.1", source: str | None = None) -> None:
        self.end, self.source = (host, server.port), None if source is None else (source, 0)
        self.connection = HTTPConnection(*self.end, timeout=TIME, source_address=self.source)
        self.connection.request("GET", "/")
        cookie = self.answer()[1].partition(";")[0]
        self.cookies = {"Cookie": f"{cookie}; {PRESSING}={AT_ONCE}"}

    def close(self) -> None:
        """Leave."""
        self.connection.close()

    def ask(self, path: str, form: object = None, **more: str) -> None:
        """Ask for a page, or send a form."""
        body = urlencode(form, doseq=True) if form else None  # type: ignore[arg-type]
        headers = {**self.cookies, "Content-Type": "application/x-www-form-urlencoded", **more}
        self.connection.request("POST" if form else "GET", path, body, headers)

    def answer(self) -> tuple[int, str, str]:
        """The status, and the cookie or address and the text that came."""
        with self.connection.getresponse() as answer:
            headers = answer.headers
            return (
                answer.status,
                headers["location"] or headers["set-cookie"] or "",
                answer.read().decode(),
            )

    def watch(self, path: str) -> ClientConnection:
        """The socket of an open page."""
        address = f"ws://{self.end[0]}:{self.end[1]}{path}/live?version=-1"
        connection = socket.create_connection(self.end, TIME, self.source)
        return connect(address, sock=connection, additional_headers=self.cookies)


def closed_with(page: ClientConnection) -> int | None:
    """The code with which the server closes a socket, once it has said what it had to say."""
    with suppress(ConnectionClosed):
        while True:
            page.recv(timeout=TIME)
    return page.close_code


def refuses(port: int, host: str = "127.0.0.1") -> bool:
    """Whether nobody listens there."""
    try:
        socket.create_connection((host, port), TIME).close()
    except ConnectionRefusedError:
        return True
    return False


def test_what_is_under_way_is_answered_and_pages_hear_that_the_site_stops(
    start_server: StartServer, tmp_path: Path
) -> None:
    """A move by a socket and a new table by a request wait for the database while the site is told to stop."""
    server = start_server(tmp_path, "signs")
    with closing(Visitor(server)) as mover:
        mover.ask("/tables", {"game": "signs", "players": "2", "seat1": "friend"})
        path = urlsplit(mover.answer()[1]).path
        mover.ask(path)
        page = Page(mover.answer()[2])
        while not page.moves:
            mover.ask(f"{path}?{urlencode(page.choices[0].data, doseq=True)}")
            page = Page(mover.answer()[2])
    file = next(tmp_path.rglob("*.sqlite"))
    with (
        mover.watch(path) as asking,
        mover.watch(path) as idle,
        closing(sqlite3.connect(file, isolation_level=None)) as other,
        closing(Visitor(server)) as maker,
    ):
        for shown in (asking, idle):
            shown.recv(timeout=TIME)
        other.execute("BEGIN IMMEDIATE")
        asking.send(f"7 0 moves?{urlencode(page.moves[0].data, doseq=True)}")
        maker.ask("/tables", {"game": "signs", "players": "2", "seat1": "friend"})
        server.process.send_signal(signal.SIGTERM)
        assert closed_with(idle) == CloseCode.SERVICE_RESTART
        began = time.monotonic()
        while not refuses(server.port):
            assert time.monotonic() - began < TIME
        other.execute("ROLLBACK")
        answer = str(asking.recv(timeout=TIME))
        assert answer.startswith("7\n")
        assert "Nothing was changed" not in answer
        assert closed_with(asking) == CloseCode.SERVICE_RESTART
        assert maker.answer()[0] == 303
        assert server.process.wait(TIME) == 0
        kept = [other.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("tables", "choices")]
        assert kept == [2, 1]
    assert not server.errors


def test_a_worker_ends_when_its_supervisor_is_gone(tmp_path: Path) -> None:
    """By SIGKILL, too, which the supervisor cannot tell it: else the port would stay taken (docs/operate.md)."""
    script = (
        "import os, signal\nfrom multiprocessing import get_context\n"
        "from atoll.web.serving.server import end_with_parent\n"
        "if __name__ == '__main__':\n"
        "    worker = get_context('spawn').Process(target=end_with_parent)\n"
        "    worker.start()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    (tmp_path / "main.py").write_text(script)
    command = [sys.executable, str(tmp_path / "main.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as supervisor:
        assert supervisor.stdout is not None
        assert supervisor.stdout.read() == b"", "the worker holds it open until it ends"
    assert supervisor.returncode == -signal.SIGKILL


@pytest.mark.parametrize("at_terminal", [False, True])
def test_a_hangup_stops_a_site_with_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, at_terminal: bool
) -> None:
    """Where the terminal is closed it stops as for SIGTERM, pages are told; a service goes on."""
    before = {number: signal.getsignal(number) for number in (signal.SIGHUP, signal.SIGTERM)}
    stopped: list[int] = []
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: at_terminal))
    try:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
        heed_hangup()
        signal.raise_signal(signal.SIGHUP)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert stopped == [signal.SIGTERM] * at_terminal


@pytest.mark.parametrize("at_terminal", [False, True])
def test_a_hangup_stops_several_processes_with_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch, at_terminal: bool
) -> None:
    """A terminal that is closed is none any more when the signal comes; without one SIGHUP begins workers anew."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    other_end, terminal = os.openpty()
    with open(terminal if at_terminal else os.devnull) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        try:
            processes = Processes(uvicorn.Config("nothing:app", log_config=None), [])
            os.close(other_end)
            assert not stdin.isatty()
            processes.handle_hup()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    if not at_terminal:
        os.close(terminal)
    assert processes.should_exit.is_set() == at_terminal


def test_a_process_that_ends_while_it_is_asked_whether_it_works_is_replaced_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a site of several processes (docs/operate.md), also while it is too busy to answer."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    with closing(socket.create_server(("127.0.0.1", 0))) as found:
        patience = round(3 * TIME)
        config = uvicorn.Config(
            "nothing:app", workers=1, timeout_worker_healthcheck=patience, log_config=None
        )
        processes = Processes(config, [found])
        try:
            processes.init_processes()
            asked = processes.processes[0]
            assert asked.pid is not None
            os.kill(asked.pid, signal.SIGSTOP)
            ask = asked.parent_conn.send

            def ask_and_kill(question: object) -> None:
                ask(question)
                os.kill(asked.process.pid or 0, signal.SIGKILL)

            monkeypatch.setattr(asked.parent_conn, "send", ask_and_kill)
            began = time.monotonic()
            processes.keep_subprocess_alive()
            assert time.monotonic() - began < TIME
            assert processes.processes[0] is not asked
        finally:
            for process in processes.processes:
                process.kill()
                process.join()
            for number, handler in before.items():
                signal.signal(number, handler)

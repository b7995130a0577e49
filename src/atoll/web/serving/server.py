"""The server: runs the site on a free port until Ctrl-C, and opens it in the browser if wanted."""

import contextlib
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from multiprocessing import parent_process
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from uvicorn.supervisors import Multiprocess

from atoll.core.catalogue import leave_out
from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.text.platform import HANGUP
from atoll.text.translation import Translator
from atoll.web.bounds import ALONE, NAMES_OF_THIS_MACHINE, OPEN, Allowance
from atoll.web.serving.app import create_app
from atoll.web.serving.connections import Config, Limits, within_descriptors
from atoll.web.serving.json_log import log_as_json
from atoll.web.serving.listening import address_for_others, listen, netloc
from atoll.web.serving.local_network import LocalNetwork
from atoll.web.serving.log_limit import limit_logs
from atoll.web.serving.security import LOCAL_NETWORK, secret_path
from atoll.web.store.database import open_store

LIMITS = Limits()
"""The default limits."""

SHUTDOWN_TIMEOUT = 5
"""Seconds for running requests when the site stops."""

HEALTHCHECK_TIMEOUT = 60
"""Seconds until an unresponsive worker is replaced."""

SITE_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*/?")
"""The path of a site's address."""
ANYWHERE = "0.0.0.0"
ENGLISH = Translator("en")


class Server(uvicorn.Server):
    """A server that announces its address once it has started."""

    def __init__(
        self, config: uvicorn.Config, address: str, open_browser: bool, translator: Translator
    ) -> None:
        super().__init__(config)
        self.address = address
        self.open_browser = open_browser
        self.translator = translator

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then show where."""
        await super().startup(sockets)
        if self.started:
            announce(self.address, self.open_browser, self.translator)


class Processes(Multiprocess):
    """uvicorn's supervisor, which replaces a worker at once that ends during a health check.

    uvicorn would wait as long as for a busy worker, and ignore Ctrl-C meanwhile.
    """

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        self.stops_at_hangup = has_terminal()  # once it is closed, that cannot be told any more

    def keep_subprocess_alive(self) -> None:
        """Replace those that have ended or do not answer."""
        for process in self.processes:
            process.child_conn.close()  # else this process would hold open what it waits at
        super().keep_subprocess_alive()

    def handle_hup(self) -> None:
        """Start the workers anew; where the terminal is closed, stop."""
        if self.stops_at_hangup:
            self.handle_term()
        else:
            super().handle_hup()


def has_terminal() -> bool:
    """Whether the site was started at a terminal."""
    return sys.stdin is not None and sys.stdin.isatty()


def heed_hangup() -> None:
    """A closed terminal stops the site as Ctrl-C does; a site without one, such as a service, goes on at SIGHUP."""
    if HANGUP is not None and signal.getsignal(HANGUP) is signal.SIG_DFL:
        stops = has_terminal()
        signal.signal(HANGUP, (lambda *_: signal.raise_signal(signal.SIGTERM)) if stops else signal.SIG_IGN)


def end_with_parent() -> None:
    """Stop this worker, as SIGTERM does, once the process that began it is gone, such as by SIGKILL."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def announce(address: str, open_browser: bool, translator: Translator) -> None:
    """Print the site's address, and open it in the browser if wanted."""
    print(translator("Atoll is at %(address)s   (Ctrl-C stops it)", address=address), flush=True)
    if open_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def host_of(address: str) -> str:
    """The host that an address names; raises AtollError if it is not of the form http(s)://host[:port][/path]."""
    parts = urlsplit(address)
    is_base = SITE_PATH.fullmatch(parts.path) and not parts.query and not parts.fragment
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_base:
        raise AtollError(
            Message("%(address)s is not an address of a site like https://atoll.example.org", address=address)
        )
    return parts.hostname


def default_allowance(
    host: str, tables: int | None = None, search: int | None = None, *, behind_proxy: bool = False
) -> Allowance:
    """The allowance of visitors by the site's host, unless given: `tables` (0: unlimited), `search` in ms."""
    allowance = ALONE if host in NAMES_OF_THIS_MACHINE and not behind_proxy else OPEN
    if tables is not None:
        allowance = replace(allowance, tables=tables or None)
    return allowance if search is None else replace(allowance, milliseconds=search)


def worker_app(
    hosts: Sequence[str],
    allowance: Allowance,
    others: str | None,
    *,
    prefix: str = "",
    left_out: Mapping[str, Message],
    measured: bool = False,
    logged: bool = False,
) -> Starlette:
    """The site in a worker process, with its own connections to the database."""
    for name, why in left_out.items():
        leave_out(name, why)
    if HANGUP is not None:
        signal.signal(HANGUP, signal.SIG_IGN)  # the supervisor's, who starts workers anew
    threading.Thread(target=end_with_parent, name="watching the supervisor", daemon=True).start()
    if logged:
        log_as_json()
    limit_logs()
    return create_app(open_store(), hosts, allowance, others, prefix=prefix, measured=measured, logged=logged)


def serve(
    host: str = "127.0.0.1",
    port: int = 0,
    open_browser: bool = True,
    limits: Limits = LIMITS,
    tables: int | None = None,
    search: int | None = None,
    proxy: str | None = None,
    processes: int = 1,
    measured: bool = False,
    logged: bool = False,
    left_out: Mapping[str, Message] | None = None,
    translator: Translator = ENGLISH,
) -> None:
    """Serve the site until it is interrupted; raises AtollError if its address or its database cannot be used.

    `tables` and `search` are those of `default_allowance`. `proxy` is the address of a proxy on this machine by which
    visitors come; only then are its headers about them believed. Several `processes` take
    connections from one socket, and one that dies is replaced. `measured`: with figures for Prometheus at `/metrics`,
    for this machine alone. `logged`: the log is lines of JSON, with one for each request. `left_out`: games that cannot
    be played, and why. `translator` is for its announcement.
    """
    if logged:
        log_as_json()
    left_out = left_out or {}
    for name, why in left_out.items():
        leave_out(name, why)
    proxy_hosts = [] if proxy is None else [host_of(proxy)]
    prefix = "" if proxy is None else urlsplit(proxy).path.rstrip("/")
    store = open_store(is_first=not secret_path().exists())
    listener = listen(host, port)
    hostname = address_for_others(host)
    port_number = listener.getsockname()[1]
    address = f"http://{netloc(hostname, port_number)}/"
    local = host in NAMES_OF_THIS_MACHINE
    may_open = local and proxy is None and processes == 1
    network = LocalNetwork(port_number, default_allowance(ANYWHERE, tables, search)) if may_open else None
    site = (
        (*NAMES_OF_THIS_MACHINE, *proxy_hosts)
        if local or proxy_hosts
        else (hostname, socket.gethostname(), LOCAL_NETWORK),
        default_allowance(host, tables, search, behind_proxy=bool(proxy_hosts)),
        proxy or (None if local else address),
    )
    config = Config(
        create_app(store, *site, network=network, prefix=prefix, measured=measured, logged=logged)
        if processes == 1
        else partial(worker_app, *site, left_out=left_out, prefix=prefix, measured=measured, logged=logged),
        within_descriptors(limits),
        factory=processes > 1,
        workers=processes,
        timeout_worker_healthcheck=HEALTHCHECK_TIMEOUT,
        log_level="warning",
        **({"log_config": None} if logged else {}),
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=list(LIMITS.trusted),
    )
    limit_logs()
    if processes > 1:
        store.engine.dispose()
        announce(address, open_browser, translator)
        Processes(config, [listener]).run()
        return
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # what uvicorn raises again ends it as Ctrl-C does
    heed_hangup()
    with contextlib.suppress(KeyboardInterrupt):
        server = Server(config, address, open_browser, translator)
        if network is not None:
            network.attach(server)
        server.run(sockets=[listener])

"""A server of pages that were drawn before, for a browser that shows many and keeps the files that they load."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import NamedTuple

FOREVER = "max-age=86400"
"""Of a file: as long as a browser that shows pages is open."""


class Answer(NamedTuple):
    """What is found at an address: its words, their content type, the status, and whether the browser may keep it."""

    body: bytes
    kind: str
    status: int = HTTPStatus.OK
    is_kept: bool = True


@contextmanager
def served(find: Callable[[str], Answer]) -> Iterator[str]:
    """The address of a server that answers each path, as `find` says, one after the other."""
    finding = Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with finding:
                content = find(self.path)
            self.send_response(content.status)
            self.send_header("Content-Type", content.kind)
            self.send_header("Content-Length", str(len(content.body)))
            self.send_header("Cache-Control", FOREVER if content.is_kept else "no-store")
            self.end_headers()
            self.wfile.write(content.body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    answering = Thread(target=server.serve_forever)
    answering.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        answering.join()

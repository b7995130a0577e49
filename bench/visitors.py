"""Browsers without a screen that make tables and watch them, for measurements of a site."""

import time
import urllib.request
from http.cookiejar import CookieJar
from urllib.parse import urlencode

from websockets.sync.client import ClientConnection, connect


class Visitor:
    """A browser with cookies of its own."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.get("/")

    def get(self, path: str) -> str:
        """A page."""
        with self.opener.open(self.address + path, timeout=60) as answer:
            return str(answer.read().decode())

    def post(self, path: str, **fields: str) -> str:
        """Send a form; gives the path to which it leads."""
        body = urlencode(fields).encode()
        with self.opener.open(self.address + path, body, timeout=60) as answer:
            return str(answer.url).removeprefix(self.address)

    def watch(self, path: str) -> ClientConnection:
        """The socket of a page of that table as it was when it was made."""
        cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
        address = self.address.replace("http", "ws", 1) + path
        return connect(f"{address}/live?version=0", additional_headers={"Cookie": cookie}, max_size=None)

    def wait(self) -> None:
        """Wait until everything can be played."""
        while 'data-over="yes"' not in self.get("/progress"):
            time.sleep(0.1)

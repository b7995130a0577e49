"""Requests that make sense, nearly make sense, or none (`python -m tests.soak fuzz`)."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.routing import BaseRoute, Match, Mount, Route, WebSocketRoute

from atoll.core.catalogue import games
from atoll.web import serving
from tests.soak.crawler import Form, Pressable

RARELY = ("/print", "/trial", "/hint", "/hint/search", "/telling/webhook", "/webhook")
"""How routes end that let others work for seconds; they are asked one time in 50."""
KNOWN_OF_EACH = 40
"""Values that are remembered of a name, the latest."""
KNOWN_PAGES = 200
"""Forms and links that are remembered."""
FORM, FILE = b"application/x-www-form-urlencoded", b"multipart/form-data; boundary=x"
ODD = (
    *("", "0", "-1", "1", "7", "9" * 21, "1e9", "0x10", "٣", "²", "1.0", " 1", "+1", "NaN", "[1,2]"),
    *("[[1],[]]", "{}", "null", "true", "yes", "no", "\x00", "a\x00b", "\r\nX: y", "../../etc/passwd"),
    *("%00", "%", "%2e%2e%2f", "//x", "<script>alert(1)</script>", "&amp;", "'\"`", "{{7*7}}", "%(count)s"),
    *("%s%s%n", "{0}", "\\", "\ud7ff", "\U0010ffff", "\u202e", "\u200d", "e" + "\u0301" * 300, "a" * 3000),
    *("me", "friend", "here", "bot:random", "random", "search:1", "search:-1", "cmd:ls", "decision:60"),
    *("player:600+10", "decision:99999999999", "https://example.org/hook"),
)
HEADERS = {
    "accept-language": (b"fr", b"eo;q=2, *;q=x", b"\xff", b"en-" * 200, b",;=,"),
    "accept-encoding": (b"gzip", b"gzip;q=0", b"br, *", b"\x80"),
    "origin": (b"null", b"http://testserver", b"https://evil.example", b"//", b"\xe9"),
    "referer": (b"http://[::1", b"javascript:1"),
    "range": (b"bytes=0-0", b"bytes=9-1,-5", b"bytes=-", b"lines=1"),
    "if-none-match": (b"*", b'"x"', b'W/"', b"\xff"),
    "if-modified-since": (b"yesterday", b"Mon, 31 Feb 99999 00:00:00 GMT"),
    "atoll-fragment": (b"yes", b"0", b"-1", b"x" * 500),
    "sec-fetch-site": (b"same-origin", b"cross-site", b"none", b""),
    "x-forwarded-for": (b"1.2.3.4", b"::1, x", b"\xff"),
    "x-forwarded-proto": (b"https", b"x"),
    "host": (b"testserver", b"testserver:99999", b"[", b"evil.example", b""),
    "content-type": (b"multipart/form-data; boundary=", FILE + b"; charset=utf-7", b";", b"\xff"),
    "content-length": (b"0", b"-1", b"x", b"99999999999"),
    "transfer-encoding": (b"chunked", b"identity, chunked"),
    "upgrade": (b"websocket", b"h2c"),
}
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "get", "X" * 40)
BODIES = (b"", b'{"a": [', b"a=" + b"x" * 70_000, b"--x\r\n\r\n--x--", b"%zz=%", b"&" * 500)
FILES = (
    *(b"", b"\xef\xbb\xbf", b"PK\x03\x04", b"a;b\n1;2\n" * 50, b'{"game": "karuba"}\n', b"[" * 5000),
    *(b'{"a":' * 3000, b'id,count\n"'),
)
FILE_FIELDS = ("record", "file", "upload", "components", "sheet")
FILE_NAMES = (b"a.csv", b"a.xlsx", b"a.json", b"\xff", b"", b'"')
MESSAGES = ("moves", "undo", "take-back", "undo/answer", "seats", "program", "", "look")
PAGES = "a page's form or link"
"""Stands for the route of a request that follows one."""
FORGED = (b"atoll=x.y", b"atoll=", b"atoll-00000000=a.b", b"a=b; ; =", b"\xff=\xff", b"atoll_pressing=?")
"""Cookies that the site does not know."""


@dataclass
class Request:
    """What is sent; a socket has messages."""

    route: str
    """as the application declares it"""
    path: str
    method: str = "GET"
    query: str = ""
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""
    messages: list[str] | None = None

    def __str__(self) -> str:
        shown = [f"{name.decode()}: {value!r}" for name, value in self.headers]
        said = "" if self.messages is None else f" says {self.messages!r}"
        return f"{self.method} {self.path}?{self.query} {shown} {self.body[:2000]!r}{said}"


class Known:
    """What is known of a site: values of the parts of addresses and of fields, and pages' forms and links."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self.routes = routes
        self.values: dict[str, dict[str, None]] = defaultdict(dict)
        self.forms: dict[str, Form] = {}
        self.links: dict[str, str] = {}
        self.learn("game", games())

    def learn(self, name: str, values: Iterable[str]) -> None:
        """Remember values of a name."""
        for value in values:
            remember(self.values[name], value, None, KNOWN_OF_EACH)

    def look(self, address: str) -> None:
        """Learn from an address to which something leads."""
        try:
            parts = urlsplit(address)
        except ValueError:
            return
        if parts.netloc or not parts.path.startswith("/"):
            return
        scope = {"type": "http", "method": "GET", "path": parts.path, "headers": [], "root_path": ""}
        for route in self.routes:
            if isinstance(route, Route) and (match := route.matches(scope))[0] is not Match.NONE:
                for name, value in match[1]["path_params"].items():
                    self.learn(name, [str(value)])
        for name, value in parse_qsl(parts.query):
            self.learn(name, [value])

    def read(self, html: str) -> None:
        """Learn from a page."""
        found = Pressable(html)
        for link in found.links:
            self.look(link)
            remember(self.links, link, link, KNOWN_PAGES)
        for form in found.forms:
            self.look(form.action)
            remember(self.forms, f"{form.action} {[name for name, _ in form.fields]}", form, KNOWN_PAGES)
            for name, values in form.fields:
                self.learn(name, filter(None, values[:6]))


def remember(known: dict[str, Any], key: str, value: Any, most: int) -> None:
    """Put it last, and forget the first beyond the most."""
    known.pop(key, None)
    known[key] = value
    if len(known) > most:
        del known[next(iter(known))]


def names_of_fields() -> list[str]:
    """The fields that handlers ask for by name, as far as their source tells."""
    sources = Path(serving.__file__).parent.glob("*.py")
    pattern = re.compile(r'(?:\.get|\.number|form|fields|query_params)[(\[]"(\w+)"')
    return sorted({name for source in sources for name in pattern.findall(source.read_text())})


class OddRequests:
    """Makes requests, from one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.names = names_of_fields()
        self.asked = Counter[str]()
        """how many by their route"""

    # Values

    def odd(self) -> str:
        """Some text."""
        chance = self.chance
        match chance.randrange(4):
            case 0:
                points = (chance.choice((127, 0xD7FF)) for _ in range(chance.randrange(9)))
                return "".join(chr(chance.randint(1, most)) for most in points)
            case 1:
                return str(
                    chance.choice((chance.randrange(-3, 20), 2**63, -(2**63) - 1, 10 ** chance.randrange(30)))
                )
            case _:
                return chance.choice(ODD)

    def value(self, known: Known, name: str, sense: float = 0.75) -> str:
        """A value for a name: what the site itself has there, sometimes changed a little, or anything."""
        chance, values = self.chance, list(known.values.get(name, ()))
        if not values or chance.random() > sense:
            return self.odd()
        value = chance.choice(values)
        if value and chance.random() < 0.1:
            at = chance.randrange(len(value))
            return value[:at] + chance.choice(("", self.odd()[:3], value[at] * 2)) + value[at + 1 :]
        return value

    def fields(self, known: Known) -> list[tuple[str, str]]:
        """Fields of a form, with or without sense."""
        chance = self.chance
        if known.forms and chance.random() < 0.5:
            return self.changed(known, chance.choice(list(known.forms.values())))
        names = [self.name(known) for _ in range(chance.choices((0, 1, 2, 4, 70), (3, 3, 3, 3, 1))[0])]
        return [(name, self.value(known, name)) for name in names]

    def name(self, known: Known) -> str:
        """A field's."""
        names = self.names if self.chance.random() < 0.7 else list(known.values)
        return self.chance.choice(names) if self.chance.random() < 0.95 else self.odd()

    def changed(self, known: Known, form: Form) -> list[tuple[str, str]]:
        """A page's form as it might be sent: filled in, without a field, with one twice, with odd values."""
        chance, sent = self.chance, list[tuple[str, str]]()
        for name, values in form.fields:
            value = self.value(known, name) if not values or chance.random() < 0.1 else chance.choice(values)
            sent += [] if value is None or not name else [(name, value)]
        if sent and chance.random() < 0.2:
            sent.append((chance.choice(sent)[0], self.odd()))
        if sent and chance.random() < 0.1:
            sent.pop(chance.randrange(len(sent)))
        return sent

    def filled(self, known: Known, route: str) -> str:
        """An address of a route."""

        def value(found: re.Match[str]) -> str:
            return quote(self.value(known, found[1], 0.93)[:200], safe="") or "x"

        return re.sub(r"{(\w+)(?::\w+)?}", value, route)

    def no_cookie(self) -> bytes | None:
        """What a browser sends that the site does not know."""
        return self.chance.choice((None, None, *FORGED))

    # Requests

    def request(self, known: Known, cookie: bytes | None) -> Request:
        """What is sent next by a browser with that cookie, if it has one."""
        request = self._request(known)
        while request.path.endswith(RARELY) and self.chance.random() > 0.02:
            request = self._request(known)
        self.asked[request.route] += 1
        request.headers.insert(0, (b"host", b"testserver"))
        if cookie is not None:
            request.headers.append((b"cookie", cookie))
        if self.chance.random() < 0.25:
            self._add_headers(request)
        return request

    def _request(self, known: Known) -> Request:
        """By a page's form or link, or by a route."""
        chance = self.chance
        if known.forms and chance.random() < 0.3:
            form = chance.choice(list(known.forms.values()))
            return self._form(PAGES, form.action, form.method.upper(), self.changed(known, form))
        if known.links and chance.random() < 0.1:
            link = urlsplit(chance.choice(list(known.links)))
            return Request(PAGES, link.path, query=link.query)
        route = chance.choice(known.routes)
        path = f"{route.path}/{{path}}" if isinstance(route, Mount) else str(getattr(route, "path", ""))
        address = self.filled(known, path)
        if isinstance(route, WebSocketRoute) and chance.random() < 0.9:
            fields = [("version", chance.choice(("-1", "99999", self.odd()))), *self.fields(known)]
            return Request(path, address, query=encoded(fields), messages=self._messages(known))
        usual = sorted(getattr(route, "methods", None) or ("GET",))
        method = chance.choice(usual if chance.random() < 0.93 else METHODS)
        return self._form(path, address, method, self.fields(known))

    def _form(self, route: str, path: str, method: str, fields: list[tuple[str, str]]) -> Request:
        """A form, in its usual encoding or in an odd one."""
        chance, sent = self.chance, encoded(fields)
        if method not in ("POST", "PUT", "PATCH"):
            odd = chance.choice(ODD).encode("ascii", "replace").decode()
            return Request(route, path, method, sent if chance.random() < 0.95 else odd)
        odd = encoded([("table", self.odd()), ("cookie", "check")][chance.randrange(2) :])
        query, kind = odd if chance.random() < 0.2 else "", chance.random()
        if kind < 0.75:
            return Request(route, path, method, query, [(b"content-type", FORM)], sent.encode())
        if kind < 0.93:
            return Request(route, path, method, query, [(b"content-type", FILE)], self._multipart(fields))
        declared = [(b"content-type", chance.choice((FORM, FILE, b"application/json", b"")))]
        return Request(route, path, method, query, declared, chance.choice((*BODIES, chance.randbytes(200))))

    def _multipart(self, fields: list[tuple[str, str]]) -> bytes:
        """The same with files, whole or broken."""
        chance, parts = self.chance, bytearray()
        for name, value in fields:
            parts += b"--x\r\n" + disposition(name) + b"\r\n\r\n" + value.encode("utf-8", "replace") + b"\r\n"
        for name in FILE_FIELDS:
            if chance.random() < 0.4:
                content = chance.choice(
                    (*FILES, chance.randbytes(300), self.odd().encode("utf-8", "replace"))
                )
                file_name = b'; filename="%s"' % chance.choice(FILE_NAMES)
                parts += b"--x\r\n" + disposition(name) + file_name + b"\r\n\r\n" + content + b"\r\n"
        parts += b"--x--\r\n"
        if chance.random() < 0.2:
            at = chance.randrange(len(parts))
            parts[at : at + chance.randrange(9)] = chance.randbytes(chance.randrange(4))
        return bytes(parts)

    def _messages(self, known: Known) -> list[str]:
        """What a page's socket says."""
        chance, found = self.chance, list[str]()
        for _ in range(chance.randrange(4)):
            name = chance.choice((*MESSAGES, self.odd()[:20]))
            number, rounds = chance.choice((0, 1, 7, -1)), chance.choice((0, 3, 10**9))
            usual = f"{number} {rounds} {name}?{encoded(self.fields(known))}"
            odd = chance.choice(("look", "look away", self.odd(), "7", " ", "7 0"))
            found.append(usual if chance.random() < 0.8 else odd)
        return found

    def _add_headers(self, request: Request) -> None:
        """Odd ones, besides or instead."""
        chance = self.chance
        for name in chance.sample(sorted(HEADERS), chance.choice((1, 1, 2, 4))):
            if chance.random() < 0.8:
                request.headers = [header for header in request.headers if header[0] != name.encode()]
            request.headers.append((name.encode(), chance.choice(HEADERS[name])))


def encoded(fields: Iterable[tuple[str, str]]) -> str:
    """Fields as addresses and forms have them."""
    return urlencode(list(fields), errors="replace")


def disposition(name: str) -> bytes:
    """The header of a part of a form."""
    shown = name.encode("utf-8", "replace").translate(None, b'\r\n"')
    return b'Content-Disposition: form-data; name="%s"' % shown

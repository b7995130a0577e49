"""Names of people on pages: each stands in `<bdi>` or, where there can be no element, between marks of isolation."""

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

from atoll.web.pages.isolation import ISOLATE, POP, isolated, with_elements
from atoll.web.table.table import Table
from tests.web.conftest import Browser
from tests.web.test_tables import decide

NewBrowser = Callable[..., Browser]
TableAt = Callable[[str], Table]
NAME = "\u05d3\u05d5\u05d3 7"
OTHER = "\u0645\u06cc\u200c\u062e 8"
TEXT = "\u05de\u05d4 \u05e9\u05dc\u05d5\u05de\u05da? 3 (\u05d0\u05d5 4)."
PLAIN = ("title", "option", "text", "tspan")
"""Elements that hold no others."""


class Names(HTMLParser):
    """What is wrong with how names stand on a page, and how many stand there."""

    def __init__(self, html: str, names: tuple[str, ...] = (NAME, OTHER)) -> None:
        super().__init__()
        self.names, self.path = names, list[str]()
        self.faults, self.count = list[str](), 0
        self.feed(html)

    def check(self, text: str, *, marked: bool) -> None:
        for name in self.names:
            self.count += text.count(name)
            free = text.replace(f"{ISOLATE}{name}{POP}", "") if marked else text
            if name in free or (not marked and (ISOLATE in text or POP in text)):
                self.faults.append(f"{' '.join(self.path)}: {text.strip()}")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("input", "meta", "link", "br", "img", "path", "use", "circle", "rect"):
            self.path.append(tag)
        fields = ("value", "href", "data-names", "aria-label")  # what is heard, or seen by who writes it
        for key, value in attrs:
            if value and key not in fields:
                self.check(value, marked=True)

    def handle_endtag(self, tag: str) -> None:
        while tag in self.path and self.path.pop() != tag:
            pass

    def handle_data(self, text: str) -> None:
        if self.path and self.path[-1] == "bdi":
            self.count += any(name in text for name in self.names)
            return
        self.check(text, marked=bool(self.path) and self.path[-1] in PLAIN)


def check(browser: Browser, address: str, **settings: Any) -> int:
    """That all names are isolated at an address; returns how many stand there."""
    answer = browser.get(address, **settings)
    assert answer.status_code == 200, address
    html = str(answer.text)
    names = Names(html)
    assert not names.faults, address
    assert html.count(f'<span dir="auto">{TEXT}</span>') == html.count(TEXT)
    return names.count


@pytest.mark.parametrize("game", ["karuba", "costa-ruana", "cast-away"])
def test_every_name_on_every_page_of_a_table_is_isolated(
    new_browser: NewBrowser, table_at: TableAt, game: str
) -> None:
    """In both languages, for who plays and who watches; in waiting rooms, questions, logs and links, too."""
    one, other, watching = new_browser(), new_browser(headers={"Accept-Language": "fr"}), new_browser()
    for browser, name in ((one, NAME), (other, OTHER), (watching, NAME)):
        assert browser.post("/name", {"name": name}).status_code == 200
    path = one.make_table(game=game, players="2", seat1="friend", public="yes")
    assert check(one, path)
    assert check(other, path)
    assert check(other, "/")
    other.post(f"{path}/seats", {"seat": "1"})
    assert check(one, path, headers={"Atoll-Fragment": "0"})
    for _ in range(8):
        decide(table_at(path))
    for browser in (other, watching):
        browser.post(f"{path}/chat", {"text": TEXT})
    other.post(f"{path}/agree", {"about": "resign"})
    for browser in (one, other, watching):
        assert check(browser, path) > 2
        assert check(browser, f"{path}/chat")
    assert check(one, f"{path}/try")
    check(one, "/devices")
    assert check(one, "/")
    one.post(f"{path}/agree", {"about": "resign"})
    assert check(one, path)
    for browser in (one, other, watching):
        assert check(browser, f"{path}/back") > 2
    for page in ("/", "/name", "/history", f"/telling?table={path.rpartition('/')[2]}", f"{path}/delete"):
        check(one, page)


def test_marks_become_elements_where_elements_can_stand() -> None:
    name = isolated("d")
    html = (
        f"<title>{name}</title><p title='{name}' aria-label=\"a {name}\">{name} and {name}</p>"
        f"<svg><text>{name}</text></svg>{name}"
    )
    marked = with_elements(html)
    assert marked == (
        f"<title>{name}</title><p title='{name}' aria-label=\"a d\"><bdi>d</bdi> and <bdi>d</bdi></p>"
        f"<svg><text>{name}</text></svg><bdi>d</bdi>"
    )
    assert with_elements(marked) == marked
    assert with_elements("<p>a</p>") == "<p>a</p>"


@pytest.mark.parametrize(
    "html",
    [f"<p>{NAME}</p>", f"<p title='{NAME}'></p>", f"<option>{NAME}</option>", f"<p>{isolated(NAME)}</p>"],
)
def test_the_check_finds_what_is_not_isolated(html: str) -> None:
    assert Names(html).faults

"""Others at the table: the address by which they reach it, and seats in which nobody sits yet."""

from collections.abc import Callable
from xml.etree import ElementTree

import pytest
import segno
from starlette.requests import HTTPConnection

from atoll.web.pages.invitation import addresses_for_others
from atoll.web.serving.site import Site
from atoll.web.table.table import Table
from tests.web.conftest import Browser

LAN = "http://192.0.2.7:7180/"


@pytest.mark.parametrize(
    ("host", "bases", "addresses"),
    [
        ("127.0.0.1:7180", [], []),
        ("localhost:7180", [], []),
        ("[::1]:7180", [], []),
        ("127.0.0.1:7180", [LAN], ["http://192.0.2.7:7180/tables/x"]),
        ("localhost:7180", [LAN, LAN], ["http://192.0.2.7:7180/tables/x"] * 2),
        ("games.example", [LAN], ["http://games.example/tables/x"]),
        ("192.0.2.9:80", [], ["http://192.0.2.9:80/tables/x"]),
    ],
)
def test_others_get_an_address_that_leads_here_from_where_they_are(
    host: str, bases: list[str], addresses: list[str]
) -> None:
    """The one by which this browser came, unless that leads each machine to itself."""
    scope = {"type": "http", "scheme": "http", "path": "/", "headers": [(b"host", host.encode())]}
    assert addresses_for_others(HTTPConnection(scope), bases, "/tables/x") == addresses


def test_the_code_is_of_the_address_and_keeps_to_the_policy(browser: Browser) -> None:
    """Its dark squares are those of the address in the dialog, and it has no style of its own."""
    path = browser.make_table(game="signs", seat1="friend")
    html = browser.get(path).text
    assert f'value="http://testserver{path}"' in html
    assert f'src="{path}/address.svg?of=http%3A//testserver{path}"' in html
    answer = browser.get(f"{path}/address.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "style" not in answer.text
    drawing = ElementTree.fromstring(answer.text)
    wanted = segno.make(f"http://testserver{path}", error="m", micro=False)
    assert drawing.attrib["viewBox"] == "0 0 {0} {0}".format(wanted.symbol_size(border=4)[0])
    assert [line.attrib["d"] for line in drawing if "stroke" in line.attrib] == [
        line.attrib["d"]
        for line in ElementTree.fromstring(wanted.svg_inline(border=4))
        if "stroke" in line.attrib
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_free_seat_is_not_said_to_be_playing(
    browser: Browser,
    new_browser: Callable[..., Browser],
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    table_at: Callable[[str], Table],
    language: str,
) -> None:
    """The bar says that the game waits for somebody, the seat looks free, and both stop once somebody sits there."""
    monkeypatch.setattr(site.bots, "wake", lambda table: None)
    spoken = {"accept-language": language}
    waits, free, plays = {
        "en": (
            "Blue’s seat is free: the game waits for somebody to take it.",
            "free seat",
            "Blue is placing",
        ),
        "fr": (
            "La place de Bleu est libre\u202f: la partie attend que quelqu’un la prenne.",
            "place libre",
            "Bleu place",
        ),
    }[language]
    while True:
        path = browser.make_table(players="2", seat1="friend")
        if table_at(path).timeline.to_act == (1,):
            break
    html = browser.get(path, headers=spoken).text
    assert waits in html
    assert f'<span class="kind unclaimed">{free}</span>' in html
    assert plays not in html
    assert 'id="open-invite"' in html
    new_browser().post(f"{path}/seats", {"seat": "1"})
    html = browser.get(path, headers=spoken).text
    assert waits not in html
    assert "unclaimed" not in html
    assert 'id="open-invite"' not in html

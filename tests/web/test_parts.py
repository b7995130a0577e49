"""A socket leaves out what it has sent before, and nothing else: a page that puts it back has the whole live part."""

import random
import re
from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from starlette.testclient import WebSocketTestSession

from atoll.core.catalogue import games
from atoll.web.parts import abridged, sealed

from .conftest import SCRIPT, Browser, Page

NewBrowser = Callable[..., Browser]

PART = re.compile(r'<!--part--><(\w+) id="([^"]+)" data-digest="(\w+)".*?<!--/part-->', re.DOTALL)
LEFT_OUT = re.compile(r'<(\w+) id="([^"]+)" data-digest="(\w+)" data-same></\1>')


class Screen:
    """What an open page keeps of each part, as the site's script does."""

    def __init__(self) -> None:
        self.parts: dict[tuple[str, str], str] = {}
        self.left_out = 0

    def show(self, html: str) -> str:
        """A live part with what the socket left out put back."""
        self.parts |= {(part[2], part[3]): part[0] for part in PART.finditer(html)}
        self.left_out += len(LEFT_OUT.findall(html))
        return LEFT_OUT.sub(lambda part: self.parts[part[2], part[3]], html)


def test_a_part_is_sent_again_when_it_is_different() -> None:
    def drawn(one: str, other: str) -> str:
        part = '<!--part--><{0} id="{1}" class="x">{2}</{0}><!--/part-->'
        return sealed(f"<p>{part.format('li', 'a', one)}</p> {part.format('g', 'b', other)}")

    known: dict[str, str] = {}
    assert abridged(drawn("1", "2"), known) == drawn("1", "2")
    changed = abridged(drawn("1", "3"), known)
    assert re.findall(r'id="(\w)"[^>]*data-same', changed) == ["a"]
    assert ">3</g>" in changed
    assert Screen().show(drawn("1", "2")) == drawn("1", "2")
    back = abridged(drawn("1", "2"), known)
    assert ">2</g>" in back
    assert known == {part[2]: part[3] for part in PART.finditer(drawn("1", "2"))}


class Player:
    """Somebody who plays by a socket, and looks whether the page shows what it would be given if it asked for all."""

    def __init__(self, browser: Browser, path: str, socket: WebSocketTestSession) -> None:
        self.browser, self.path, self.socket = browser, path, socket
        self.screen = Screen()
        self.asked = 0

    def ask(self, name: str, fields: dict[str, list[str]]) -> str:
        """The live part that the page shows afterwards."""
        self.asked += 1
        self.socket.send_text(f"{self.asked} 0 {name}?{urlencode(fields, doseq=True)}")
        number = -1
        while number != self.asked:
            head, _, html = self.socket.receive_text().partition("\n")
            number, shown = int(head), self.screen.show(html)
        return shown

    def move(self, chance: random.Random) -> None:
        """Make a move if there is one to make, any."""
        fields: dict[str, list[str]] = {}
        shown = self.ask("", fields)
        while True:
            address = f"{self.path}?{urlencode(fields, doseq=True)}"
            assert shown == self.browser.get(address, headers=SCRIPT).text
            page = Page(shown)
            if page.moves:
                self.ask("moves", chance.choice(page.moves).data)
                return
            if not page.choices:
                return
            fields = chance.choice(page.choices).data
            shown = self.ask("", fields)


@pytest.mark.parametrize("game", list(games()))
def test_an_open_page_puts_together_what_its_socket_sends(new_browser: NewBrowser, game: str) -> None:
    host, guest = new_browser(), new_browser()
    path = host.make_table(game, players="2", seat1="friend")
    guest.post(f"{path}/seats", {"seat": "1"})
    chance = random.Random(5)
    with (
        host.client.websocket_connect(f"{path}/live?version=99999") as one,
        guest.client.websocket_connect(f"{path}/live?version=99999") as other,
    ):
        players = [Player(host, path, one), Player(guest, path, other)]
        for _ in range(12):
            for player in players:
                player.move(chance)
    assert all(player.screen.left_out > 12 for player in players)

"""Whole games by people who were invited, with a bot in the third seat: they say their names, meet in the waiting
room, are watched, play to the end in two languages and at two sizes, and play again or look back. The games have few
rounds, by a components file that the host brings.
"""

import random
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

import pytest
import tomlkit
from playwright.sync_api import FilePayload, Page, TimeoutError, expect

from atoll.core.catalogue import find_game
from atoll.core.types import Json
from tests.browser.access import Inspector, objections
from tests.browser.conftest import ALIKE, DESKTOP, PHONE, Open
from tests.browser.table import CONTROLS, Look, click, fill_in_form, press_anything, tap, version
from tests.browser.test_people import call_oneself
from tests.site import Server

MOST = 300
"""Presses of a game: more than twice what it took."""
TIME = 90.0
"""Seconds after which nobody is asked for anything."""
AWAY = ("ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "WebSocket connection", "503 (Service Unavailable)")
"""What the browser's own console says of a server that does not answer."""
TURNED = """
import os, time
from pathlib import Path
from atoll.web.store.site_time import SiteTime
ahead = Path(os.environ["ATOLL_HOME"], "ahead")
SiteTime.__init__.__defaults__ = tuple(
    lambda clock=clock: clock() + float(ahead.read_text()) for clock in (time.time, time.monotonic)
)
"""
"""Lets the time of a site be ahead by the seconds that stand in a file of its home."""


SHORT: Mapping[str, Callable[[Json], None]] = {
    "costa-ruana": lambda data: data["game"].update(rounds=2, hand=3, draws=[2], first_natives=2),
    "karuba": lambda data: data["game"].update(rounds=3),
}
"""What gives games few rounds."""


def short(game: str) -> FilePayload:
    """A components file that is changed so."""
    data = deepcopy(find_game(game).components().data)
    SHORT[game](data)
    return {"name": "short.toml", "mimeType": "application/toml", "buffer": tomlkit.dumps(data).encode()}


def turn(home: Path, seconds: float) -> None:
    """Let the site's time be so many seconds ahead."""
    (home / "new").write_text(str(seconds))
    (home / "new").replace(home / "ahead")


@pytest.fixture
def open_server(tmp_path: Path) -> Iterator[Server]:
    """A site that other devices reach, too, on a time that the test turns."""
    home = tmp_path / "home"
    home.mkdir()
    turn(home, 0)
    found = Server(home, host="0.0.0.0", start=TURNED + ALIKE, games=("karuba",))
    try:
        yield found
    finally:
        found.kill()


def gather(
    host: Page, guest: Page, watcher: Page, game: str, address: str | None = None, **options: str
) -> None:
    """Anna makes a table, Benoît comes by its address, somebody watches, and a bot has the seat that is left."""
    call_oneself(host, "Anna")
    call_oneself(guest, "Benoît")
    seats = {"seat1": "friend", "seat2": "friend"}
    made = fill_in_form(host, players=3, game=game, file=short(game), **seats, **options)
    expect(host.locator("#waiting-room")).to_be_visible()  # `test_people.py` has axe-core look at it
    if address:
        made = address + made[made.index("/tables/") :]
        expect(host.locator("#invite-address")).to_have_value(made)
        host.get_by_role("button", name="Share").click()
        host.wait_for_function("(made) => window.shared?.url === made", arg=made)
        host.wait_for_function("() => document.querySelector('.qr-code').naturalWidth > 0")
        assert not objections(host)
    path = made[made.index("/tables/") :]
    guest.goto(path)
    expect(guest.locator("#waiting-room")).to_contain_text("Anna")
    guest.locator("#room-take-1").tap()
    expect(host.locator("#waiting-room")).to_contain_text("Benoît")
    watcher.goto(path)
    host.locator(".room-start select").select_option("easy")
    host.locator("#fill").click()
    for page, other in ((host, "Benoît"), (guest, "Anna"), (watcher, "Anna"), (watcher, "Benoît")):
        expect(page.locator("#waiting-room")).to_have_count(0)
        expect(page.locator("#main")).to_contain_text(other)


def asked(*people: Page) -> Page | None:
    """The page of which something is asked, as soon as its browser knows; None when the game is over."""
    until = time.monotonic() + TIME
    while time.monotonic() < until:
        for page in people:
            if found := page.query_selector("#table .bar.mine, #table.over"):
                return None if found.get_attribute("id") == "table" else page
        with suppress(TimeoutError):
            people[0].wait_for_selector("#table .bar.mine, #table.over", timeout=50)
    raise AssertionError("nobody is asked for anything")


def unseen(page: Page) -> None:
    """Nobody looks at what is asked."""


def play(
    host: Page, guest: Page, watcher: Page, chance: random.Random, most: int = MOST, look: Look = unseen
) -> int:
    """Play at random, the guest with a finger, so many presses at most; `look` is shown what the guest is asked.
    Returns how many presses there were.
    """
    for count in range(most):
        mover = asked(host, guest)
        if mover is None:
            for page in (host, guest, watcher):
                expect(page.locator("#table.over")).to_be_visible()
            return count
        if count % 10 == 0:
            assert watcher.locator(CONTROLS).count() == 0
        if mover is guest:
            look(guest)
        press_anything(mover, chance, tap if mover is guest else click)
    return most


def test_a_whole_game_by_invited_people_and_once_more(open_browser: Open) -> None:
    """They agree on the next one, to which their pages go by themselves, and in which everybody sits one seat further.
    axe-core finds nothing in any phase on the guest's phone by night, with something chosen and without;
    `test_cast_away.py` plays that game from its first rounds to its end.
    """
    host, watcher = open_browser().new_page(), open_browser().new_page()
    guest = open_browser(PHONE, has_touch=True, locale="fr-FR", color_scheme="dark").new_page()
    gather(host, guest, watcher, "costa-ruana")
    address, inspector = host.url, Inspector()
    assert 20 < play(host, guest, watcher, random.Random(5), look=inspector) < MOST
    assert len(inspector.found) >= 5
    assert not inspector.problems
    for page in (host, guest, watcher):
        assert not objections(page)
    expect(guest.locator("#main")).to_contain_text("Anna")
    assert guest.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    host.locator("#again").click()
    expect(guest.locator("#agreement")).to_contain_text("Anna")
    guest.locator("#agree").tap()
    for page in (host, guest):
        page.wait_for_url(lambda url: url.partition("?")[0] != address)
    assert host.url.partition("?")[0] == guest.url.partition("?")[0]
    expect(host.locator("#table.over")).to_have_count(0)
    expect(host.locator("#main")).to_contain_text("Benoît")


def test_a_whole_game_though_the_site_is_killed_and_somebodys_time_runs_out(
    open_browser: Open, open_server: Server
) -> None:
    """`kill -9` in the middle of a move: the bar says that the server is away and moves nothing, what is pressed
    meanwhile is sent when it is back, and everybody goes on. Later a bot plays for who is out of time, until they are
    back. At the end the phone looks back.
    """
    settings = {"forgive": AWAY, "base_url": f"http://127.0.0.1:{open_server.port}"}
    context = open_browser(DESKTOP, **settings)
    context.add_init_script("navigator.share = async (what) => void (window.shared = what);")
    host, watcher = context.new_page(), open_browser(**settings).new_page()
    guest = open_browser(PHONE, has_touch=True, locale="fr-FR", **settings).new_page()
    host.clock.install()
    gather(host, guest, watcher, "karuba", open_server.address, clock="decision:180", stand_in="easy")
    people, chance = (host, guest, watcher), random.Random(5)
    play(*people, chance, most=8)

    while not host.locator("#confirm").count() and (mover := asked(host, guest)):
        press_anything(mover, chance, click)
    before, board = version(host), host.locator("#main").bounding_box()
    open_server.kill()
    for page in people:
        expect(page.get_by_role("alert")).to_be_visible()
    line = host.get_by_role("alert")
    expect(line).to_contain_text("this page goes on by itself")
    assert over_the_bar(host)
    assert over_the_bar(guest)
    assert host.locator("#main").bounding_box() == board
    host.locator("#confirm").press("Enter")
    expect(line).to_contain_text("what you pressed is sent when it is back")
    again = Server(
        open_server.home, open_server.port, host="0.0.0.0", start=TURNED + ALIKE, games=("karuba",)
    )
    try:
        for page in people:
            expect(page.get_by_role("alert")).to_have_count(0)
            page.wait_for_function(f"() => modules.table.version(modules.table.live()) > {before}")
        run_out_of_time(host, guest, again, chance)
        assert play(*people, chance) < MOST
        guest.locator("button[popovertarget=menu]").first.tap()
        guest.locator("#menu a[href$='/back']").tap()
        at = guest.locator("#past-at")
        expect(at).to_have_value(at.get_attribute("max") or "")
        expect(guest.locator("#main")).to_contain_text("Anna")
        assert not objections(guest)
    finally:
        again.kill()


def run_out_of_time(host: Page, guest: Page, server: Server, chance: random.Random) -> None:
    """Anna's clock is counted down, a bot plays for her, Benoît's log says so; then she is back."""
    while mover := asked(host, guest):
        guest.wait_for_function(f"() => modules.table.version(modules.table.live()) >= {version(host)}")
        if mover is host and not guest.locator("#table .bar.mine").count():
            break  # only Anna's clock runs
        press_anything(guest, chance, click)
    clock = host.locator(".bar > .clock")
    expect(clock).not_to_have_class(re.compile("soon"))
    turn(server.home, 162)
    host.clock.fast_forward(162_000)
    expect(clock).to_have_class(re.compile("soon"))
    expect(clock.locator(".time-left")).to_contain_text("0:")
    turn(server.home, 181)
    host.clock.fast_forward(19_000)
    expect(host.locator("#prompt")).to_contain_text("A bot plays for you.")
    expect(guest.locator("#log")).to_contain_text("Anna n’a plus de temps\u202f: un robot prend la suite")
    host.locator("#confirm").click()
    expect(host.locator("#log")).to_contain_text("is back and plays on")


def over_the_bar(page: Page) -> bool:
    """Whether what is said lies over the bar and nowhere else."""
    found: bool = page.evaluate("""() => {
        const [line, bar] = ["line", "bar"].map((id) => document.getElementById(id).getBoundingClientRect());
        return ["left", "top", "right", "bottom"].every((edge) => Math.abs(line[edge] - bar[edge]) < 2);
    }""")
    return found

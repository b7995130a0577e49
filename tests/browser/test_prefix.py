"""A site below a path of a host name that it shares, behind a reverse proxy: everything leads there."""

import random
import re
from collections.abc import Iterator
from html import unescape

import httpx2
import pytest
from playwright.sync_api import Browser, expect

from atoll.web.pages.move_confirmation import AT_ONCE, COOKIE
from tests.browser.conftest import MODULES
from tests.browser.table import play_out
from tests.proxy import Proxy
from tests.site import START, Server
from tests.web.conftest import Page

PATH = "/games"  # which is also the beginning of some of the site's own
OVER = re.compile(r'<div id="table" class="[^"]* over')
LEADS = re.compile(r'\s(?:href|src|action|formaction|data-url|data-share|content)="([^"#?][^"]*)"')


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """The proxy of a site."""
    found = Proxy(PATH)
    begun = START.replace("open_browser=False", f"open_browser=False, proxy='{found.address}{PATH}'")
    server = Server(tmp_path_factory.mktemp("prefix-home"), start=begun, games=["karuba"])
    found.target = server.port
    try:
        yield found
        assert server.stop() == 0
        assert not server.errors
    finally:
        server.kill()
        found.stop()


def leading_out(address: str, html: str) -> list[str]:
    """What leads out of the site."""
    paths = [unescape(found).removeprefix(address) for found in LEADS.findall(html)]
    return [path for path in paths if path.startswith(("/", "http")) and not path.startswith(f"{PATH}/")]


def test_a_whole_game_is_played_by_forms(proxy: Proxy) -> None:
    chance = random.Random(5)
    headers, cookies = {"Origin": proxy.address}, {COOKIE: AT_ONCE}
    with httpx2.Client(
        base_url=proxy.address, follow_redirects=True, headers=headers, cookies=cookies, timeout=60
    ) as client:

        def look(answer: httpx2.Response) -> str:
            assert answer.status_code == 200, answer.url
            assert answer.url.path.startswith(f"{PATH}/")
            assert leading_out(proxy.address, answer.text) == []
            return str(answer.text)

        look(client.get(f"{PATH}/"))
        assert "<bdi>Anna</bdi>" in look(client.post(f"{PATH}/name", data={"name": "Anna"}))
        assert client.get(f"{PATH}/language?to=fr&back=/history").url.path == f"{PATH}/history"
        table = {"game": "karuba", "players": "2", "seat1": "bot:random", "pace": "at once"}
        made = client.post(f"{PATH}/tables", data=table)
        html, path = look(made), made.url.path
        while not OVER.search(html):
            forms = [*Page(html).moves, *Page(html).choices]
            if not forms:  # the bot moves
                html = look(client.get(path))
                continue
            form = chance.choice(forms)
            if form.method == "get":
                html = look(client.get(form.action, params=form.data))
            else:
                html = look(client.post(form.action, data=form.data))
        for page in ("/back", "/chat", "/record"):
            look(client.get(f"{path}{page}"))
        for page in ("/history", "/telling", "/games/karuba/rules", "/games/karuba/components", "/missing"):
            answer = client.get(f"{PATH}{page}")
            assert answer.status_code == (404 if page == "/missing" else 200)
            assert leading_out(proxy.address, answer.text) == []
        manifest = client.get(f"{PATH}/manifest.json")
        for address in (manifest.json()["start_url"], *(icon["src"] for icon in manifest.json()["icons"])):
            assert client.get(manifest.url.join(address)).status_code == 200
    assert proxy.others == []


def test_a_table_is_played_over_its_socket(proxy: Proxy, chromium: Browser) -> None:
    """Scripts, styles, pictures, sockets, the manifest and the service worker are all below the path."""
    context = chromium.new_context(base_url=f"{proxy.address}{PATH}/", reduced_motion="reduce")
    context.add_init_script(MODULES)
    page = context.new_page()
    loaded = list[tuple[int, str]]()
    page.on("response", lambda answer: loaded.append((answer.status, answer.url)))
    page.goto("./")
    page.locator(".new-table [id^=play-]").click()
    page.wait_for_url(f"**{PATH}/tables/*")
    expect(page.locator("#table .bar.mine")).to_be_visible()
    play_out(page)
    context.close()
    assert [found for found in loaded if found[0] >= 400] == []
    assert proxy.others == []

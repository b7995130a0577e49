"""What one visitor may ask of a site that is open to others; and where it is not, what always holds."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from atoll.web.bounds import ALONE, DAY, OPEN, Allowance, Bounds
from atoll.web.pages.language import COOKIE
from atoll.web.serving.server import default_allowance
from atoll.web.serving.site import Site
from atoll.web.store.store import now
from atoll.web.table.bots import bot_here
from atoll.web.table.table import Table
from tests.web.conftest import Browser

TableAt = Callable[[str], Table]
NewBrowser = Callable[..., Browser]
MANY = "This browser has 2 unfinished tables of the last 24 hours, as many as this site allows"
MANY_HERE = "Your network has 10 unfinished tables of the last 24 hours, as many as this site allows"


@pytest.fixture
def two(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser may have two unfinished tables, ten may come from an address, and bots sit still."""
    allowance = Allowance(milliseconds=2000, tables=2)
    monkeypatch.setattr(site, "allowance", allowance)
    monkeypatch.setattr(site, "bounds", Bounds())
    monkeypatch.setattr(site.bots, "wake", lambda table: None)


def finish(browser: Browser, path: str, table: Table) -> None:
    """Play the game to its end."""
    for seat in range(2):
        browser.post(f"{path}/bots", {"seat": str(seat), "bot": "random"})
    with table.lock:
        while (turn := table.bots.turn()) is not None:
            seat, decision, bot, view = turn
            table.move_bot(seat, decision, bot, bot.choose(view, decision))


@pytest.mark.usefixtures("two")
def test_a_browser_makes_so_many_tables_until_some_are_finished(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt
) -> None:
    """Each reader is told in their language; others may still make some, and playing again is making a table."""
    paths = [browser.make_table(players="2") for _ in range(2)]
    answer = browser.post("/tables", {"game": "costa-ruana"})
    assert answer.status_code == 429
    assert f"{MANY}: play one to its end, or let bots do so." in answer.text
    browser.client.cookies.set(COOKIE, "fr")
    assert "laissez des robots la finir" in browser.post("/tables", {"game": "costa-ruana"}).text
    new_browser().make_table()
    for path in paths:
        finish(browser, path, table_at(path))
    again = browser.post(f"{paths[0]}/again", {"turn": "0"})
    assert again.status_code == 200
    browser.make_table()
    assert browser.post(f"{paths[1]}/again", {"turn": "0"}).status_code == 429
    assert browser.post(f"{paths[0]}/again", {"turn": "0"}).url == again.url


@pytest.mark.usefixtures("two")
def test_tables_of_yesterday_no_longer_count(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who leaves games unfinished is not shut out for good."""
    for _ in range(2):
        browser.make_table()
    later = now() + DAY + timedelta(seconds=1)
    monkeypatch.setattr("atoll.web.table.creation.now", lambda: later)
    browser.make_table()


@pytest.mark.usefixtures("two")
def test_who_throws_cookies_away_does_not_make_more_tables(
    new_browser: NewBrowser, table_at: TableAt
) -> None:
    home = ("8.8.8.8", 80)
    paths = [new_browser(client=home).make_table(players="2", seat0="bot:random") for _ in range(10)]
    latest = new_browser(client=home)
    answer = latest.post("/tables", {"game": "costa-ruana"})
    assert answer.status_code == 429
    assert MANY_HERE in answer.text
    table = table_at(paths[3])
    with table.lock:
        while (turn := table.bots.turn()) is not None:
            seat, decision, bot, view = turn
            table.move_bot(seat, decision, bot, bot.choose(view, decision))
    latest.make_table()
    assert latest.post("/tables", {"game": "costa-ruana"}).status_code == 429


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize("bot", ["search:2001ms", "search:100001"])
def test_a_bot_that_searches_more_than_is_allowed_is_refused(browser: Browser, bot: str) -> None:
    path = browser.make_table(players="2", seat1="bot:search:2000ms")
    for answer in (
        browser.post("/tables", {"game": "costa-ruana", "players": "2", "seat1": f"bot:{bot}"}),
        browser.post(f"{path}/bots", {"seat": "1", "bot": bot}),
    ):
        assert answer.status_code == 400
        assert "2000 milliseconds or 100000 iterations" in answer.text
    assert "search:2000ms" in browser.get(path).text


@pytest.mark.parametrize("name", ["search:10000ms", "search:100000", "hard", "expert"])
def test_no_search_at_a_table_takes_longer_than_is_allowed(name: str) -> None:
    """Also at one that was made when more was."""
    assert 0 < bot_here(name, OPEN).milliseconds <= 2000  # type: ignore[attr-defined]
    assert 0 < bot_here(name, Allowance(100)).milliseconds <= 100  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("host", "said", "allowance"),
    [
        ("127.0.0.1", (None, None), ALONE),
        ("::1", (None, None), ALONE),
        ("0.0.0.0", (None, None), OPEN),
        ("0.0.0.0", (0, 10_000), replace(OPEN, tables=None, milliseconds=10_000)),
        ("localhost", (20, 2000), replace(ALONE, tables=20, milliseconds=2000)),
    ],
)
def test_a_site_that_is_open_to_others_allows_less_unless_it_is_said(
    host: str, said: tuple[int | None, int | None], allowance: Allowance
) -> None:
    assert default_allowance(host, *said) == allowance

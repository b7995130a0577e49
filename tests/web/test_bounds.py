"""Nobody uses up what all share: what visitors may ask is bounded by browser, address and network, and every route that
writes or waits has such a bound."""

import asyncio
import math
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient

from atoll.web import bounds as rules
from atoll.web.bounds import (
    ALONE,
    CHANGES,
    CHAT,
    COMPARISONS,
    DAY,
    HEARD,
    PUBLISHED,
    SANDBOXES,
    Allowance,
    Bound,
    Bounds,
    Visitor,
    visitor_at,
)
from atoll.web.refusal import Refusal
from atoll.web.serving.app import create_app
from atoll.web.serving.site import Site
from atoll.web.store.migrations import migrate
from atoll.web.store.schema import metadata
from atoll.web.store.store import SeatRow, Store
from atoll.web.table.sandbox import MOST_LINES
from atoll.web.workshop.comparisons import ComparisonRequest, Comparisons
from tests.web.conftest import Browser
from tests.web.test_store import empty, row

NewBrowser = Callable[..., Browser]
HERE, THERE, ELSEWHERE = "8.8.8.8", "8.8.8.9", "9.9.9.9"
"""Two addresses of one network, and one of another."""


@pytest.fixture
def moment() -> list[float]:
    """What the clock shows."""
    return [1000.0]


@pytest.fixture
def bounds(moment: list[float]) -> Bounds:
    """Of a site, with that clock."""
    return Bounds(lambda: moment[0])


@contextmanager
def refused(text: str) -> Iterator[None]:
    with pytest.raises(Refusal, match=re.escape(text)) as found:
        yield
    assert found.value.status == 429


# Who is counted


@pytest.mark.parametrize(
    ("host", "address", "network"),
    [
        ("8.8.8.8", "8.8.8.8", "8.8.8.0/24"),
        ("::ffff:8.8.8.8", "8.8.8.8", "8.8.8.0/24"),
        ("2606:4700:1:2:3:4:5:6", "2606:4700:1:2::", "2606:4700:1::/48"),
        ("192.168.1.7", "192.168.1.7", ""),
        ("fe80::1%eth0", "fe80::", ""),
        ("127.0.0.1", "", ""),
        ("::1", "", ""),
        ("testclient", "", ""),
        ("", "", ""),
    ],
)
def test_a_visitor_is_a_browser_an_address_and_a_network(host: str, address: str, network: str) -> None:
    """Of IPv6 one customer has 64 bits of addresses or more; who sits at the machine itself is no network."""
    assert visitor_at("me", host) == Visitor("me", address, network)


def test_a_browser_is_known_by_the_address_from_which_it_came_last(
    bounds: Bounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rules, "MOST_KNOWN", 2)
    for browser, host in (("a", "8.8.8.1"), ("b", "8.8.8.2"), ("a", "8.8.8.3"), ("c", "8.8.8.4")):
        bounds.note(visitor_at(browser, host))
    assert [bounds.owner(browser) for browser in "abc"] == [("8.8.8.3", "a"), ("b", "b"), ("8.8.8.4", "c")]


# How much


def test_each_of_browser_address_network_and_all_has_a_bound_of_its_own(bounds: Bounds) -> None:
    bound = Bound("some", 10, browser=1, address=2, network=3, everybody=4)
    bounds.take(bound, visitor_at("a", HERE))
    with refused("from this browser"):
        bounds.take(bound, visitor_at("a", ELSEWHERE))
    bounds.take(bound, visitor_at("b", HERE))
    with refused("from your network"):
        bounds.take(bound, visitor_at("c", HERE))
    bounds.take(bound, visitor_at("d", THERE))
    with refused("from your network"):
        bounds.take(bound, visitor_at("e", "8.8.8.10"))
    bounds.take(bound, visitor_at("f", ELSEWHERE))
    with refused("Too many ask"):
        bounds.take(bound, visitor_at("g", "7.7.7.7"))
    bounds.take(replace(bound, name="other"), visitor_at("g", "7.7.7.7"))


def test_what_was_refused_does_not_count_and_what_was_counted_does_for_its_time(
    bounds: Bounds, moment: list[float]
) -> None:
    me = visitor_at("me", HERE)
    for _ in range(CHAT.browser or 0):
        bounds.take(CHAT, me)
    for _ in range(20):
        with refused("Not so fast"):
            bounds.take(CHAT, me)
    bounds.take(CHAT, visitor_at("you", HERE))
    moment[0] += CHAT.within
    bounds.take(CHAT, me)


def test_what_is_under_way_counts_until_it_is_over(bounds: Bounds) -> None:
    bound = Bound("sockets", browser=1, everybody=9)
    with bounds.under_way(bound, Visitor("me")):
        assert bounds.count(bound) == 1
        with refused("at once"), bounds.under_way(bound, Visitor("me")):
            pass
    assert bounds.count(bound) == 0
    with pytest.raises(ZeroDivisionError), bounds.under_way(bound, Visitor("me")):
        raise ZeroDivisionError
    bounds.take(bound, Visitor("me"))


def test_what_stands_counts_as_long_as_it_does(bounds: Bounds) -> None:
    bound, standing = Bound("tables", math.inf, browser=2), {"1", "2"}
    for thing in ("1", "2", "2"):
        bounds.take(bound, Visitor("me"), thing, standing.intersection)
    with refused("at once"):
        bounds.take(bound, Visitor("me"), "3", standing.intersection)
    standing.remove("1")
    bounds.take(bound, Visitor("me"), "3", standing.intersection)


def test_who_throws_cookies_away_pushes_no_count_out(bounds: Bounds, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many fresh browsers are forgotten first, since their address is seen with each of them."""
    monkeypatch.setattr(rules, "MOST_KNOWN", 20)
    bound = Bound("some", 100, browser=1, address=50)
    for number in range(50):
        bounds.take(bound, visitor_at(str(number), HERE))
    with refused("your network"):
        bounds.take(bound, visitor_at("another", HERE))


def test_a_page_that_floods_waits_and_another_does_not(bounds: Bounds, moment: list[float]) -> None:
    flooding, most = Visitor("flooding"), HEARD.browser or 0
    assert [bounds.wait(HEARD, flooding) for _ in range(most)] == [0.0] * most
    assert bounds.wait(HEARD, flooding) == HEARD.within
    assert bounds.wait(HEARD, Visitor("playing")) == 0
    moment[0] += HEARD.within
    assert bounds.wait(HEARD, flooding) == 0


# Tables


def test_tables_are_counted_by_browser_and_by_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(engine := empty(tmp_path))
    store = Store(engine)
    site = Site(store, Allowance(1000, tables=1))
    for number in range(6):
        site.bounds.note(visitor_at(str(number), HERE))
    for number in range(5):
        site.make_table(row(str(number), maker=str(number)), [SeatRow(0)])
    with refused("This browser has %(count)s unfinished tables"):
        site.make_table(row("again", maker="0"), [SeatRow(0)])
    with refused("Your network has %(count)s unfinished tables"):
        site.make_table(row("sixth", maker="5"), [SeatRow(0)])
    assert store.read("again") is store.read("sixth") is None
    site.bounds.note(visitor_at("elsewhere", ELSEWHERE))
    site.make_table(row("other", maker="elsewhere"), [SeatRow(0)])
    store.change("3", 0, {"to_act": 0})
    site.make_table(row("sixth", maker="5"), [SeatRow(0)])
    monkeypatch.setattr(site.bounds, "_clock", lambda: 1e9 + DAY.total_seconds())
    site.make_table(row("tomorrow", maker="3"), [SeatRow(0)])
    free = Site(store, ALONE)
    for number in range(7):
        free.make_table(row(f"free{number}", maker="me"), [SeatRow(0)])


def test_one_network_does_not_push_others_tables_out_of_the_lobby(
    browser: Browser, new_browser: NewBrowser, site: Site
) -> None:
    """30 fresh browsers, each with a table for all."""
    shown = {"game": "signs", "players": "2", "seat0": "me", "seat1": "friend", "public": "yes"}
    path = browser.make_table(**shown)
    flood = [new_browser(client=(HERE if n % 2 else THERE, 1)).post("/tables", shown) for n in range(30)]
    taken = [answer for answer in flood if answer.status_code == 200]
    assert len(taken) == PUBLISHED.network
    assert path in new_browser().get("/lobby").text
    assert "tables to all already" in flood[-1].text
    late = new_browser(client=(HERE, 1))
    del shown["public"]
    hidden = late.make_table(**shown)
    assert late.post(f"{hidden}/public", {"public": "yes"}).status_code == 429, "nor by showing it later"
    for answer in taken:
        site.store.delete(str(answer.url.path).rpartition("/")[2])
    assert late.post(f"{hidden}/public", {"public": "yes"}).status_code == 200
    site.store.delete(hidden.rpartition("/")[2])
    site.store.delete(path.rpartition("/")[2])


# Comparisons and sandboxes


def test_one_address_does_not_fill_the_queue_of_comparisons(
    browser: Browser, new_browser: NewBrowser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """20 fresh browsers, and then somebody else."""
    monkeypatch.setattr(site.comparisons.queue, "claim", lambda worker: None)
    question = ComparisonRequest("signs", {}, {}, "1", "2", 2, 1)

    def ask(name: str, host: str) -> str:
        made = site.sets.make(name, "signs", name, "", {"name": name})
        try:
            browser.client.portal.call(  # type: ignore[union-attr]
                site.comparisons.ask, made.id, visitor_at(name, host), question
            )
        except Refusal as refusal:
            site.sets.delete(made.id)
            return refusal.text
        asked.append(made.id)
        return ""

    asked: list[str] = []
    answers = [ask(f"fresh {number}", HERE) for number in range(20)]
    assert answers.count("") == COMPARISONS.address
    assert answers[-1] == COMPARISONS.text_around
    assert ask("somebody", ELSEWHERE) == ""
    assert ask("somebody", ELSEWHERE) == COMPARISONS.text
    site.comparisons.queue.cancel(asked[0])
    assert ask("fresh 1000", HERE) == ""
    for set_id in asked:
        site.sets.delete(set_id)


def test_two_comparisons_asked_for_in_one_instant_do_not_pass_the_bound(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads who asks waits until the other has asked."""
    queue, question = site.comparisons.queue, ComparisonRequest("signs", {}, {}, "1", "2", 2, 1)
    monkeypatch.setattr(queue, "claim", lambda worker: None)
    both, asking = threading.Barrier(2), queue.asking

    def asking_slowly() -> dict[str, str]:
        found = asking()
        with suppress(threading.BrokenBarrierError):
            both.wait(1)
        return found

    monkeypatch.setattr(queue, "asking", asking_slowly)
    comparisons = Comparisons(queue, site.bounds)
    sets = [site.sets.make("twin", "signs", name, "", {"name": name}).id for name in ("a", "b")]

    def ask(set_id: str) -> bool:
        try:
            asyncio.run(comparisons.ask(set_id, visitor_at("twin", HERE), question))
        except Refusal:
            return False
        return True

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(ask, sets)) == [False, True]
    for set_id in sets:
        site.sets.delete(set_id)


def test_a_sandbox_holds_so_many_moves_and_an_address_so_many_sandboxes(
    browser: Browser, new_browser: NewBrowser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = browser.make_table("signs", players="2")
    for limit in (0, MOST_LINES):
        monkeypatch.setattr("atoll.web.table.sandbox.MOST_LINES", limit)
        answer = browser.post(f"{path}/try/undo")
        assert ("begin again" in answer.text) == (limit == 0)
    assert browser.post(f"{path}/try/anew").status_code == 200
    few = replace(SANDBOXES, browser=1, address=2)
    monkeypatch.setattr("atoll.web.serving.sandbox_requests.SANDBOXES", few)
    answers = [new_browser(client=(HERE, 1)).post(f"{path}/try/anew") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert browser.post(f"{path}/try/anew").status_code == 200, "one's own is kept in place of the last"


# Every route


def rows_kept(site: Site) -> dict[str, int]:
    with site.store.engine.connect() as connection:
        return {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in metadata.sorted_tables
        }


def addresses(path: str, table: str) -> str:
    """An address of a route, at a table that is there."""
    names = {
        "table": table,
        "game": "signs",
        "set": "none",
        "record": "none",
        "link": "none",
        "digest": "none",
        "form": "none",
        "number": "1",
        "at": "1",
    }
    return re.sub(r"{(\w+)(:\w+)?}", lambda found: names[found[1]], path)


def test_every_route_that_writes_or_waits_has_a_bound_and_looking_keeps_nothing(
    games_for_tests: None, tmp_path: Path
) -> None:
    migrate(engine := empty(tmp_path))
    app: Any = create_app(Store(engine), ["testserver"])
    with TestClient(app, follow_redirects=False) as stranger:
        site = app.state.site
        without = [
            route.path
            for route in app.routes
            if isinstance(route, WebSocketRoute)
            or (isinstance(route, Route) and not (route.methods or set()) <= {"GET", "HEAD"})
            if not isinstance(getattr(route.endpoint, "bound", None), Bound)
        ]
        assert without == []
        maker = TestClient(app)
        maker.portal = stranger.portal
        table = Browser(maker).make_table("signs", players="2", seat1="friend").rpartition("/")[2]
        before = rows_kept(site)
        for route in app.routes:
            if isinstance(route, Route) and "GET" in (route.methods or ()):
                stranger.cookies.clear()
                assert stranger.get(addresses(route.path, table)).status_code < 500
        assert rows_kept(site) == before
        for route in app.routes:
            if isinstance(route, Route) and "POST" in (route.methods or ()):
                stranger.cookies.clear()
                answer = stranger.post(addresses(route.path, table))
                assert answer.status_code == 307, "first it gets a cookie"
        assert rows_kept(site) == before


def test_a_form_beyond_its_bound_is_refused_with_a_sentence_and_changes_nothing(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "bounds", Bounds(lambda: 0.0))
    for _ in range(CHANGES.browser or 0):
        site.bounds.take(CHANGES, Visitor(browser.name))
    answer = browser.post("/name", {"name": "Anna"})
    assert answer.status_code == 429
    assert "wait a moment" in answer.text
    assert site.people.name(browser.name) is None

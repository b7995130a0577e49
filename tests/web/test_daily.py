"""The deal of the day: the same for everybody, once, and nobody is told more of it than they have seen."""

import json
import random
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import insert
from starlette.testclient import TestClient

from atoll.core.catalogue import games
from atoll.web.pages.daily_page import result_among
from atoll.web.serving.site import Site
from atoll.web.store import engine as engines
from atoll.web.store.daily import DailyDeals
from atoll.web.store.schema import daily_games, results
from atoll.web.table.daily import today
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from atoll.web.translation import translator_for
from tests.web.conftest import Browser
from tests.web.test_foretelling import play_against_bots

NewBrowser = Callable[..., Browser]
TableAt = Callable[[str], Table]


def play_daily(browser: Browser, game: str = "karuba") -> str:
    """Go to a browser's table of today's deal."""
    answer = browser.post(
        "/daily", {"game": game}, follow_redirects=False
    )  # nobody looks, so bots do not move
    assert answer.status_code == 303
    return str(answer.headers["location"])


def start_of(table: Table) -> bytes:
    """The first position."""
    return bytes(table.timeline.start.state.tobytes())


def test_all_games_have_one_deal_a_day_for_everybody_also_after_a_restart(
    new_browser: NewBrowser, table_at: TableAt, site: Site, days: Callable[[int], None]
) -> None:
    for game in games():
        one, other = (table_at(play_daily(new_browser(), game)) for _ in range(2))
        again = Tables(site.store).find(other.row.id)  # as a process reads it that has just started
        assert start_of(one) == start_of(other) == start_of(again)
        assert [seat.bot for seat in one.seating.seats] == [seat.bot for seat in other.seating.seats]
    days(1)
    assert start_of(table_at(play_daily(new_browser(), game))) != start_of(one)


def test_everybody_has_one_try(browser: Browser, table_at: TableAt, days: Callable[[int], None]) -> None:
    path = play_daily(browser)
    assert play_daily(browser) == path
    browser.post(f"{path}/delete")
    assert play_daily(browser) == path, "a deleted table is no second try"
    assert browser.get(path).status_code == 404
    days(1)
    assert play_daily(browser) != path


def test_nothing_makes_it_another_game_than_everybodys(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt
) -> None:
    """No hints, no taking back, no other in a seat, no bot for the person, no spectators."""
    path = play_daily(browser)
    play_against_bots(table_at(path), 6, random.Random(1))
    table = table_at(path)
    page = browser.get(path).text
    for offer in ("/undo", "/hint", "/open", "/bots"):
        assert f'action="{path}{offer}"' not in page
    decision = str(table.timeline.decision(0))
    for what, form in (
        ("undo", {"decision": decision}),
        ("back/undo", {"at": "0", "decision": decision}),
        ("hint", {}),
        ("open", {"open": "yes"}),
        ("bots", {"seat": "0", "bot": "expert"}),
        ("bots", {"seat": "1", "bot": "random"}),
    ):
        assert browser.post(f"{path}/{what}", form).status_code in (403, 409), what
    stranger = new_browser()
    assert stranger.get(path).status_code == 403
    assert stranger.post(f"{path}/seats", {"seat": "1"}).status_code in (403, 409)
    assert table_at(path).row.version == table.row.version


def finish(browser: Browser, table_at: TableAt, game: str = "costa-ruana") -> str:
    """Play a browser's try to its end."""
    path = play_daily(browser, game)
    play_against_bots(table_at(path), 10_000, random.Random(1))
    assert table_at(path).timeline.is_over
    return path


def test_who_has_finished_is_told_no_more_than_they_saw_before_the_day_is_over(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt, days: Callable[[int], None]
) -> None:
    """The key and the others' hands would tell what comes to whoever plays the same deal later."""
    path = finish(browser, table_at)
    seed = table_at(path).row.seed
    record = browser.get(f"{path}/record").text
    page = browser.get(path).text
    assert 'id="analyse"' not in page
    for text in (record, page, browser.get(f"{path}/back").text, browser.get("/daily").text):
        assert seed not in text
    assert json.loads(record.splitlines()[0]).get("seed") is None
    assert browser.get(f"{path}/back?eyes=1").status_code == 403
    assert browser.get(f"{path}/back?eyes=open").status_code == 403
    assert browser.post(f"{path}/back/play", {"at": "0", "seat": "0"}).status_code == 409
    assert "analysed from tomorrow on" in browser.post(f"{path}/analysis/begin").text
    assert "This deal can be checked" not in page
    days(1)
    assert json.loads(browser.get(f"{path}/record").text.splitlines()[0])["seed"] == seed
    assert browser.get(f"{path}/back?eyes=open").status_code == 200
    assert 'id="analyse"' in browser.get(path).text
    again = table_at(str(browser.post(f"{path}/again", {"turn": "0"}).url.path))
    assert (again.row.daily, again.row.hints, again.row.watchable) == (None, "alone", True)
    assert start_of(again) != start_of(table_at(path))


def test_what_others_did_is_told_once_one_has_finished_and_of_nobodys_name(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt, site: Site
) -> None:
    """Nor of what a browser is called."""
    other = new_browser()
    other.post("/name", {"name": "Zacharias"})
    browser.post("/name", {"name": "Wilhelmina"})
    finish(other, table_at, "signs")
    for where in ("/daily", "/"):
        assert (
            "others"
            not in browser.get(where).text.partition('id="daily-heading"')[2].partition("</section>")[0]
        )
    assert 'role="img"' not in browser.get("/daily").text
    assert "the first to play it" in other.get("/daily").text
    path = finish(browser, table_at, "signs")
    assert 'id="others-did" href="/daily"' in browser.get(path).text
    page = browser.get("/daily").text
    assert page.count('role="img"') == 1
    for name in ("Zacharias", "Wilhelmina", other.name, browser.name):
        assert name not in page
    assert "the first to play it" not in page
    assert "1 day in a row" in page
    assert DailyDeals(site.store.engine).points("2000-01-01", "signs") == [], "each day is one's own"


@pytest.mark.parametrize(
    ("points", "mine", "text"),
    [
        ([7], 7, "You are the first to play it today."),
        ([3, 7], 7, "Better than the one other player."),
        ([3, 4, 7], 7, "Better than all 2 others."),
        ([3, 7, 9, 9], 7, "Better than 1 of 3 others."),
        ([7, 7, 7], 7, "The same as everybody else."),
        ([7, 8, 9], 7, "2 of the 2 others did better."),
        ([7, 7, 9], 7, "1 of the 2 others did better."),
    ],
)
def test_how_one_did_is_one_sentence(points: list[int], mine: int, text: str) -> None:
    told = result_among(points, mine, translator_for("en"))
    assert told["text"] == text
    assert sum(bar["count"] for bar in told["bars"]) == len(points)
    assert sum(bar["mine"] for bar in told["bars"]) == 1


def test_a_streak_goes_on_until_a_day_is_left_out(
    browser: Browser, site: Site, days: Callable[[int], None]
) -> None:
    """What was begun and not finished is none."""

    def row(ago: int, table_id: str) -> dict[str, str]:
        day = (datetime.fromisoformat(today()) - timedelta(days=ago)).date().isoformat()
        return {"day": day, "game": "karuba", "browser": browser.name, "table_id": table_id}

    ended = {
        "ended_at": engines.aware(datetime(2026, 1, 1)),
        "game": "karuba",
        "players": 1,
        "seat": 0,
        "place": 1,
    }
    with site.store.engine.begin() as connection:
        for ago in (1, 2, 4):
            connection.execute(insert(daily_games), [row(ago, f"table-{ago}")])
            result = {
                **ended,
                "browser": browser.name,
                "table_id": f"table-{ago}",
                "points": [1],
                "against": [],
            }
            connection.execute(insert(results), [result])
        connection.execute(insert(daily_games), [row(0, "begun")])
    assert "2 days in a row" in browser.get("/daily").text
    days(1)
    assert "days in a row" not in browser.get("/daily").text.replace("several days in a row", "")


def test_of_two_who_ask_first_one_seed_is_kept(site: Site) -> None:
    deals = DailyDeals(site.store.engine)
    assert [deals.seed("2000-01-01", "karuba", fresh) for fresh in ("one", "two")] == ["one", "one"]


def test_a_game_that_is_none_has_no_deal(browser: Browser, running: TestClient) -> None:
    assert browser.post("/daily", {"game": "chess"}).status_code == 404
    assert browser.post("/quick", {}).status_code == 404

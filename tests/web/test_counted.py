"""Games that reports count with their maker's word, and what people say of a set that is worked on."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest

from atoll.commands.people import count_people
from atoll.core.catalogue import find_game
from atoll.core.records import read_records
from atoll.lab.played import Setup
from atoll.web.pages.start_page import OWN_SET
from atoll.web.serving.site import Site
from atoll.web.table.counted_games import counted_games
from atoll.web.table.table import Table
from tests.conftest import Run
from tests.web.conftest import Browser
from tests.web.test_undo import play_some

TableAt = Callable[[str], Table]
NewBrowser = Callable[..., Browser]
COUNTED, ASKED = "counted in reports", "two questions are asked"


def own_set(browser: Browser, game: str = "signs") -> str:
    """A set in a browser's workshop."""
    path = browser.post(f"/games/{game}/workshop", {"name": "Mine"}).url.path
    return str(path.rpartition("/")[2])


def two_at(browser: Browser, other: Browser, table_at: TableAt, game: str = "signs", **fields: str) -> str:
    """A finished game of two people."""
    path = browser.make_table(game, players="2", seat1="friend", **fields)
    other.post(f"{path}/seats", {"seat": "1"})
    play_some(table_at(path), 10_000)
    return path


def test_games_count_only_with_their_makers_word_which_all_at_the_table_see(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt, site: Site
) -> None:
    other = new_browser()
    before = len(site.store.counted("signs"))
    silent = two_at(browser, other, table_at)
    path = browser.make_table("signs", players="2", seat1="friend", wait="yes", counted="yes")
    assert COUNTED in new_browser().get(path).text  # in the waiting room, before one sits down
    other.post(f"{path}/seats", {"seat": "1"})
    browser.post(f"{path}/start")
    assert len(site.store.counted("signs")) == before  # it is not over
    play_some(table_at(path), 10_000)
    assert COUNTED in other.get(path).text
    assert COUNTED not in other.get(silent).text
    ids = site.store.counted("signs")
    assert ids[-1] == path.rpartition("/")[2]
    assert silent.rpartition("/")[2] not in ids
    *_, text = counted_games(site.store, "signs")
    assert text is not None
    (record,) = read_records(text.splitlines())
    assert record.header["players"] == ["1", "2"]  # nobody's name
    again = browser.post(f"{path}/again", {"turn": "0"})
    assert again.status_code == 200
    browser.post(f"{path}/delete")
    assert ids[-1] not in site.store.counted("signs")


def test_people_are_asked_about_a_set_of_the_workshop_where_the_maker_says_so(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt, site: Site
) -> None:
    other, stranger = new_browser(), new_browser()
    mine = OWN_SET + own_set(browser)
    refused = browser.post("/tables", {"game": "signs", "asks": "yes"})
    assert refused.status_code == 400
    assert "questions are asked about a set of your own" in refused.text
    not_asked = two_at(browser, other, table_at, components=mine)
    assert other.get(f"{not_asked}/questions").status_code == 409
    path = two_at(browser, other, table_at, components=mine, asks="yes")
    sha256 = table_at(path).row.components_sha256
    assert ASKED in browser.get(path).text
    assert f'href="{path}/questions"' in other.get(path).text
    assert "/questions" not in stranger.get(path).text
    assert stranger.get(f"{path}/questions").status_code == 403
    assert stranger.post(f"{path}/questions", {"fun": "5"}).status_code == 403
    for wrong in ({"fun": "6"}, {"fun": "x"}, {"confusing": "x" * 1001}):
        assert other.post(f"{path}/questions", wrong).status_code == 400
    other.post(f"{path}/questions", {"fun": "", "confusing": " "})
    assert site.store.feedback("signs", sha256) == []
    said = "<b>The signs</b>\x00\nare alike"
    assert other.post(f"{path}/questions", {"fun": "4", "confusing": said}).status_code == 200
    browser.post(f"{path}/questions", {"fun": "2"})
    expected = [{"fun": 2, "confusing": ""}, {"fun": 4, "confusing": "<b>The signs</b>\nare alike"}]
    assert site.store.feedback("signs", sha256) == expected
    for one in (
        browser,
        other,
        stranger,
    ):  # answers are nobody else's, and who has answered is not asked again
        page = unescape(one.get(path).text)
        assert "are alike" not in page
        assert f'href="{path}/questions"' not in page
    assert "are alike" in other.get(f"{path}/questions").text
    assert "are alike" not in browser.get(f"{path}/questions").text
    browser.post(f"{path}/delete")
    assert site.store.feedback("signs", sha256) == []


def test_a_table_of_the_workshop_asks_if_its_box_is_ticked(browser: Browser, table_at: TableAt) -> None:
    mine = own_set(browser)
    for fields, asks in (({}, False), ({"asks": "yes"}, True)):
        path = browser.post(f"/workshop/{mine}/play", {"players": "2", **fields}).url.path
        assert table_at(path).row.asks == asks


def test_a_report_counts_the_games_of_the_site_and_lists_answers(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt, site: Site
) -> None:
    """The database of the tests' own site, read beside it."""
    mine = OWN_SET + own_set(browser, "karuba")
    path = two_at(browser, new_browser(), table_at, "karuba", components=mine, asks="yes", counted="yes")
    browser.post(f"{path}/questions", {"fun": "5", "confusing": "nothing"})
    table = table_at(path)
    setup = Setup(table.game, table.components, 2, [], 1, table.game.check_options({}))
    people = count_people(setup, None, at_site=True)
    assert people is not None
    assert people.with_people.games == people.between_people.games == 1
    assert [(one.fun, one.confusing) for one in people.feedback] == [(5, "nothing")]
    shipped = find_game("karuba")
    other = Setup(shipped, shipped.components(), 2, [], 1, shipped.check_options({}))
    elsewhere = count_people(other, None, at_site=True)
    assert elsewhere is not None
    assert elsewhere.left_out["set"] >= 1
    assert elsewhere.feedback == []


def test_where_there_is_no_site_a_report_says_so_and_makes_none(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "atoll.sqlite"
    monkeypatch.setenv("ATOLL_DATABASE_URL", f"sqlite:///{missing}")
    code, _, wrong = run("report", "karuba", "--games", "10", "--site", "--json", tmp_path / "r.json")
    assert code == 2
    assert re.search(r"there is no site here yet: \S*atoll.sqlite", wrong.replace("\n", ""))
    assert not missing.exists()

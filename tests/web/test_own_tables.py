"""The start page's list of tables: what it says of each, putting away, deleting; and ways on from other pages."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select
from starlette.websockets import WebSocketDisconnect

from atoll.core.catalogue import games
from atoll.web.serving.site import Site
from atoll.web.serving.sockets import DELETED
from atoll.web.store.schema import metadata
from atoll.web.table.creation import PACES
from atoll.web.table.table import Table
from tests.web.conftest import SCRIPT, Browser, Page, within_a_minute

PERSONS = {"players": "2", "seat0": "me", "seat1": "friend"}
TableAt = Callable[[str], Table]
NewBrowser = Callable[..., Browser]


def listed(browser: Browser, path: str) -> str:
    """The row of a table in the start page's list."""
    rows: list[str] = browser.get("/").text.split('<ul class="tables">')[1].split("<li ")
    return next(row for row in rows if f'href="{path}"' in row)


def play_once(path: str, table: Table, *browsers: Browser) -> None:
    """Let the browser of the seat that has to decide carry out the first move that its page offers."""
    browser = browsers[table.timeline.to_act[0]]
    form = browser.page(path).moves[0]
    assert browser.post(form.action, form.data).status_code == 200


def test_no_page_with_a_form_comes_anew_under_the_hand(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt
) -> None:
    """Item 8: without scripts only a page on which one merely waits looks again by itself; what is filled in on others
    would be lost every two seconds.
    """
    again, guest = 'http-equiv="refresh"', new_browser()
    path = browser.make_table("karuba", players="2")
    assert table_at(path).timeline.to_act, "it is somebody's turn"
    assert "Your turn" in browser.get("/").text
    assert again not in browser.get("/").text
    room = browser.make_table("karuba", **PERSONS, wait="yes")
    assert again not in browser.get(room).text, "the maker chooses the bots' level there"
    assert again in guest.get(room).text
    guest.post(f"{room}/seats", {"seat": "1"})
    assert 'name="name"' in guest.get(room).text
    assert again not in guest.get(room).text


def test_a_table_says_who_plays_whose_turn_it_is_and_how_far(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt
) -> None:
    path = browser.make_table("costa-ruana", **PERSONS)
    assert "You and 1 free seat" in listed(browser, path)
    friend = new_browser(headers={"Accept-Language": "fr"})
    friend.post(f"{path}/seats", {"seat": "1"})
    table = table_at(path)
    mine, theirs = listed(browser, path), listed(friend, path)
    assert "You and 1 other person" in mine
    assert "Vous et 1 autre personne" in theirs
    if table.timeline.to_act == (0,):
        assert "Your turn" in mine
        assert "On attend Rouge" in theirs
    else:
        assert "Waiting for Blue" in mine
        assert "À vous" in theirs
    assert "Round" not in mine  # nobody has moved
    play_once(path, table, browser, friend)
    assert "Round 1" in listed(browser, path)


def test_bots_and_watchers_are_told_apart_in_the_list(browser: Browser) -> None:
    path = browser.make_table("signs", players="2", seat0="bot:random", seat1="friend")
    assert "1 bot and 1 free seat" in listed(browser, path)


def test_the_list_shows_three_running_tables_and_folds_the_others(browser: Browser) -> None:
    for _ in range(5):
        browser.make_table("signs", **PERSONS)
    shown, _, folded = browser.get("/").text.partition('<details id="more-tables"')
    assert shown.count("/archive") == 3
    assert folded.count("/archive") == 2
    assert "2 more tables" in folded


def test_an_archived_table_is_listed_apart_for_who_archived_it_alone(
    browser: Browser, new_browser: NewBrowser
) -> None:
    path = browser.make_table("signs", **PERSONS)
    friend = new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    browser.post(f"{path}/archive", {"archived": "yes"})
    start = browser.get("/").text
    assert start.index("1 archived table") < start.index(f'href="{path}"')
    assert "archived" not in friend.get("/").text.split('id="new-heading"')[0].replace(
        'name="archived" value="yes"', ""
    )
    browser.post(f"{path}/archive", {"archived": "no"})
    assert "1 archived table" not in browser.get("/").text
    assert new_browser().post(f"{path}/archive", {"archived": "yes"}).status_code == 403


def test_only_the_maker_is_asked_and_may_delete(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt
) -> None:
    path = browser.make_table("signs", **PERSONS)
    friend = new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    assert f"{path}/delete" not in friend.get("/").text
    assert friend.get(f"{path}/delete").status_code == 403
    assert friend.post(f"{path}/delete").status_code == 403
    assert f"{path}/delete" in browser.get("/").text
    asked = browser.get(f"{path}/delete").text
    assert "deleted for everybody" in asked
    assert "1 other person plays there." in asked
    assert friend.get(path).status_code == 200  # asking deletes nothing


def test_a_deleted_table_is_gone_for_everybody_with_all_that_was_kept_of_it(
    browser: Browser, new_browser: NewBrowser, site: Site, table_at: TableAt
) -> None:
    path = browser.make_table("costa-ruana", **PERSONS)
    friend = new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    play_once(path, table_at(path), browser, friend)
    friend.post(f"{path}/archive", {"archived": "yes"})
    name = path.rpartition("/")[2]
    form = next(form for form in browser.page(f"{path}/delete").forms if form.action.endswith("/delete"))
    assert browser.post(form.action).url.path == "/"
    for visitor in (browser, friend):
        for answer in (visitor.get(path), visitor.get(f"{path}/record"), visitor.post(f"{path}/moves")):
            assert answer.status_code == 404
            assert "Not found" in answer.text
            assert "may have deleted it" in answer.text
        assert path not in visitor.get("/").text
    with site.store.engine.connect() as connection:
        kept = [
            table for table in metadata.tables.values() if table.name == "tables" or "table_id" in table.c
        ]
        assert len(kept) >= 5
        for table in kept:
            whose = table.c.table_id if "table_id" in table.c else table.c.id
            count = connection.scalar(select(func.count()).select_from(table).where(whose == name))
            assert count == 0, table.name


def test_an_open_page_of_a_deleted_table_is_told(browser: Browser) -> None:
    path = browser.make_table("signs", **PERSONS)
    for version in (99999, 0):  # one that is told, and one that comes when the table is gone
        with browser.client.websocket_connect(f"{path}/live?version={version}") as socket:
            browser.post(f"{path}/delete")
            with pytest.raises(WebSocketDisconnect) as closed:
                socket.receive_text()
            assert closed.value.code == DELETED


def test_bots_leave_a_deleted_table(browser: Browser, site: Site) -> None:
    """They would go on for LINGER after a look, which is longer than a minute."""
    path = browser.make_table("costa-ruana", pace="calm", players="2", seat0="bot:random", seat1="bot:random")
    browser.get(path)
    name = path.rpartition("/")[2]
    assert name in site.bots._tasks
    browser.post(f"{path}/delete")
    assert browser.client.portal is not None
    browser.client.portal.call(within_a_minute, lambda: name not in site.bots._tasks)


def test_the_same_can_be_played_again_where_the_next_table_is_deleted(
    browser: Browser, site: Site, table_at: TableAt
) -> None:
    path = browser.make_table("signs", **PERSONS)
    table, store = table_at(path), site.store
    following = browser.make_table("signs", **PERSONS).rpartition("/")[2]
    store.continue_at(table.row.id, table.version, *copied(table, "later"))
    assert table_at(path).row.next == "later"
    store.delete("later")
    assert table_at(path).row.next is None
    assert store.version(following) is not None


def copied(table: Table, name: str) -> tuple[Any, Any]:
    """The same table under another name."""
    from dataclasses import replace

    return replace(table.row, id=name), table.seating.seats


def test_each_game_says_how_long_it_takes_how_much_there_is_to_learn_and_which_comes_first(
    browser: Browser, new_browser: NewBrowser
) -> None:
    for visitor, words in (
        (browser, ("Light", "10 to 20 minutes", "Good first game")),
        (new_browser(headers={"Accept-Language": "fr"}), ("Facile", "10 à 20 minutes", "Idéal pour débuter")),
    ):
        start = visitor.get("/").text
        assert start.count("first-game") == sum(game.for_newcomers for game in games().values())
        first = start.split('class="new-table panel"')[1]
        for said in words:
            assert said in first


@pytest.mark.parametrize("page", ["rules", "components"])
def test_pages_about_a_game_lead_back_to_the_table_and_to_a_new_one(browser: Browser, page: str) -> None:
    path = browser.make_table("karuba", **PERSONS)
    rules = f"/games/karuba/rules?table={path.rpartition('/')[2]}"
    assert rules in browser.get(path).text
    about = browser.get(rules.replace("rules", page)).text
    assert about.count(f'href="{path}"') == 2
    new = next(form for form in Page(about).forms if form.action == "/tables")
    assert browser.post(new.action, new.data).url.path.startswith("/tables/")
    elsewhere = browser.get(f"/games/karuba/{page}?table=//evil.example").text
    assert "evil" not in elsewhere
    assert "Back to the table" not in elsewhere


@pytest.mark.parametrize(
    ("path", "name", "ways"),
    [
        ("/nowhere", "Not found", ["/", "/games/karuba/rules"]),
        ("/games/karuba/nothing", "Not found", ["/", "/games/karuba/rules"]),
        ("/games/chess/rules", "Not found", ["/", "/games/karuba/rules"]),
        ("/tables/none", "Not found", ["/", "/games/karuba/rules"]),
        ("/language?to=xx", "Not possible", ["/"]),
    ],
)
def test_an_error_page_names_what_is_wrong_and_leads_on(
    browser: Browser, path: str, name: str, ways: list[str]
) -> None:
    shown = browser.get(path).text
    assert f"<h1>{name}</h1>" in shown
    assert f"<title>{name} · Atoll</title>" in shown
    for way in ways:
        assert f'href="{way}"' in shown


def test_what_is_refused_at_a_table_leads_back_to_it(browser: Browser, new_browser: NewBrowser) -> None:
    path = browser.make_table("signs", **PERSONS)
    shown = new_browser().get(f"{path}/delete").text
    assert "<h1>Not allowed</h1>" in shown
    assert f'href="{path}"' in shown
    assert "<h1>" not in browser.get("/nowhere", headers=SCRIPT).text


def test_the_menu_marks_the_pace_and_offers_nothing_that_does_not_apply(browser: Browser) -> None:
    alone = browser.get(browser.make_table("signs", **PERSONS)).text
    assert "Bot speed" not in alone
    assert "bots’ seats" not in alone
    mixed = browser.get(browser.make_table("signs", pace="fast", players="2", seat1="bot:random")).text
    assert re.search(r'<p [^>]*aria-current="true">Fast</p>', mixed)
    assert ">One by one</button>" in mixed
    assert "bots’ seats" in mixed


def test_the_paces_stand_under_a_heading_of_their_own(browser: Browser) -> None:
    """Not among what one can do: as what a press does stands under one."""
    shown = browser.get(browser.make_table("signs", players="2", seat1="bot:random")).text
    menu = shown.split('<nav id="menu"')[1].split("</nav>")[0]
    heading = '<h2 id="paces-heading">Bot speed</h2>'
    assert "One by one" not in menu.split(heading)[0]
    group = menu.split(heading)[1].split("</ul>")[0]
    assert 'aria-labelledby="paces-heading"' in group
    assert re.findall(r'id="(menu-pace-[^"]+)"', group) == [f"menu-pace-{pace}" for pace in PACES]
    assert "paces-heading" not in browser.get(browser.make_table("signs", **PERSONS)).text

"""Trying moves out: a private copy, made of what one may know and of nothing else, thrown away at the end."""

import random
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from atoll.core.catalogue import games
from atoll.web.people.proposals import RESIGN
from atoll.web.refusal import Refusal
from atoll.web.serving.site import Site
from atoll.web.store.history import History
from atoll.web.store.sandboxes import KEPT, SandboxStore
from atoll.web.store.store import Answer
from atoll.web.table.move_choice import fields_of
from atoll.web.table.sandbox import Sandboxes, SandboxTable
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from tests.web.conftest import SCRIPT, Browser, Page, QuietTable
from tests.web.test_undo import play_some

TableAt = Callable[[str], Table]


def copy(sandboxes: Sandboxes, table: Table, seat: int, anew: bool = False) -> SandboxTable:
    """The copy of who sits there, whose browser is called as the seat, and who moves for the others too."""
    browser = str(seat)
    stored = None if anew else sandboxes.stored(browser, table)
    begun = sandboxes.begin(browser, table, Viewer(seat), stored, anew=anew)
    tried = sandboxes.of(browser, stored, *begun)
    tried.look_from(others=True)
    return tried


def try_some(tried: SandboxTable, moves: int, seed: int = 1) -> None:
    """Random moves of whoever is to move."""
    chance = random.Random(seed)
    for _ in range(moves):
        seat = tried.viewer.seat
        if seat is None or not tried.timeline.to_act:
            return
        assert seat in tried.timeline.to_act
        assert seat == tried.own or tried.own not in tried.timeline.to_act
        move = fields_of(chance.choice(tried.timeline.legal_moves(seat)))
        tried.play(tried.timeline.decision(seat), {name: (text,) for name, text in move.items()})


@pytest.mark.parametrize("game", list(games()))
def test_a_copy_is_made_of_what_its_viewer_may_know(quiet_table: QuietTable, game: str) -> None:
    """It is the same when all that is hidden is drawn anew; one made of the truth is not, and so is found."""
    table = quiet_table(game)
    play_some(table, 12)
    view = table.timeline.view(0)
    other = [view.resample(seed) for seed in range(4)]
    copies = {
        SandboxTable.begin(table, position.view(0), 7).timeline.position.state.tobytes() for position in other
    }
    assert copies == {SandboxTable.begin(table, view, 7).timeline.position.state.tobytes()}
    assert len({position.state.tobytes() for position in other}) > 1


def test_trying_changes_nothing_and_plays_for_everybody(quiet_table: QuietTable) -> None:
    table = quiet_table("costa-ruana")
    play_some(table, 8)
    known = table.version, table.timeline.position.state.tobytes(), table.row
    tries = Sandboxes(SandboxStore(table.store.engine))
    tried = copy(tries, table, 0)
    assert tried.timeline.view(0).state.tobytes() == table.timeline.view(0).state.tobytes()
    elsewhere = copy(Sandboxes(SandboxStore(table.store.engine)), table, 0)
    assert elsewhere.timeline.position.state.tobytes() == tried.timeline.position.state.tobytes()
    assert tries.stored("0", table) is None, "looking keeps nothing, and any process shows the same"
    try_some(tried, 12)
    tries.keep("0", tried)
    assert {answer.seat for answer in tried.timeline.answers} == {0, 1}
    assert (table.version, table.timeline.position.state.tobytes(), table.row) == known
    assert table.store.version(table.row.id) == table.version
    kept = copy(tries, table, 0)
    assert kept is copy(tries, table, 0)
    assert kept.timeline.lines == tried.timeline.lines
    assert copy(tries, table, 1) is not tried
    tries.end("0", table.row.id)
    assert copy(tries, table, 0).timeline.lines == []


@pytest.mark.parametrize("game", list(games()))
def test_the_own_seat_stays_the_point_of_view(quiet_table: QuietTable, game: str) -> None:
    """Whoever has to move: bots move for the others until it is one's own turn, or one moves for them when one says
    so, from where they sit."""
    table = quiet_table(game)
    play_some(table, 6)
    tried = copy(Sandboxes(SandboxStore(table.store.engine)), table, 0)
    seen = set()
    for number in range(6):
        try_some(tried, 1, seed=number)
        tried.look_from(others=False)
        assert tried.viewer == Viewer(0)
        seen.add(tried.waits_for_others)
        if tried.waits_for_others:
            with pytest.raises(Refusal, match=r"not your turn|not possible"):
                tried.play(tried.timeline.decision(0), {"do": ("fly",)})
            tried.look_from(others=True)
            assert tried.viewer.seat == tried.timeline.to_act[0] != 0
            tried.play_others()
            assert 0 in tried.timeline.to_act or tried.timeline.is_over
            assert tried.viewer == Viewer(0)
        tried.look_from(others=True)
    assert True in seen


def test_the_page_moves_for_the_others_when_asked(
    browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    path = browser.make_table("costa-ruana", players="2", seat1="friend")
    new_browser().post(f"{path}/seats", {"seat": "1"})
    page = browser.page(f"{path}/try")
    while not any(form.action == f"{path}/try/bots" for form in page.forms):
        form = (page.moves or page.choices)[0]
        if form.method == "post":
            browser.post(form.action, form.data)
        page = browser.page(f"{path}/try", params=form.data if form.method == "get" else {})
    assert str(browser.get(f"{path}/try/others").url.path) == f"{path}/try/others"
    assert "Back to my seat" in browser.get(f"{path}/try/others").text
    there = browser.page(f"{path}/try/others")
    while not there.moves:
        there = browser.page(f"{path}/try/others", params=there.choices[0].data)
    assert there.moves[0].action == f"{path}/try/others/moves"
    browser.post(there.moves[0].action, there.moves[0].data)
    assert str(browser.post(f"{path}/try/bots").url.path) == f"{path}/try"
    assert str(browser.get(f"{path}/try/others").url.path) == f"{path}/try", "it is one's own turn"
    assert table_at(path).timeline.lines == []


@pytest.mark.parametrize("game", list(games()))
def test_any_process_of_the_site_goes_on_with_a_try(quiet_table: QuietTable, game: str) -> None:
    """Processes share one socket, and a request may reach any of them (docs/operate.md): moves, what was taken back
    and what one of several has chosen are there, and an older copy in memory gives way.
    """
    table = quiet_table(game)
    play_some(table, 6)
    here, there = (Sandboxes(SandboxStore(table.store.engine)) for _ in range(2))
    for number in range(9):
        tries = (here, there)[number % 2]
        tried = copy(tries, table, 0)
        if number == 5:
            tried.back()
        else:
            try_some(tried, 1, seed=number)
        tries.keep("0", tried)
        other = copy((there, here)[number % 2], table, 0)
        assert other is not tried
        assert other.timeline.position.state.tobytes() == tried.timeline.position.state.tobytes()
        assert (other.timeline.lines, other.timeline.choices) == (
            tried.timeline.lines,
            tried.timeline.choices,
        )
        assert (other.of, other.viewer) == (tried.of, tried.viewer)
    assert copy(here, table, 0) is not copy(here, table, 0, anew=True)
    there.end("0", table.row.id)
    assert copy(here, table, 0).timeline.lines == []


def test_a_try_that_other_rules_began_is_begun_anew(quiet_table: QuietTable) -> None:
    """As after an update of the site."""
    table = quiet_table("karuba")
    kept = SandboxStore(table.store.engine)
    tried = copy(Sandboxes(kept), table, 0)
    try_some(tried, 2)
    for change in ({"rules_version": 0}, {"start": b"short"}, {"lines": (Answer(0, 0, {"do": "fly"}),)}):
        kept.keep("0", table.row.id, replace(tried.kept(), **change))
        assert copy(Sandboxes(kept), table, 0).timeline.lines == []
    kept.keep("0", table.row.id, tried.kept())
    assert copy(Sandboxes(kept), table, 0).timeline.lines == tried.timeline.lines != []


def test_a_try_is_forgotten_after_a_day_with_its_browser_and_with_its_table(
    quiet_table: QuietTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = quiet_table("signs")
    kept = SandboxStore(table.store.engine)
    tried = copy(Sandboxes(kept), table, 0)
    later = time.time() + KEPT + 1
    monkeypatch.setattr(time, "time", lambda: later)
    kept.keep("1", table.row.id, tried.kept())
    assert kept.read("0", table.row.id) is None
    assert kept.read("1", table.row.id) == tried.kept()
    kept.keep("2", table.row.id, tried.kept())
    History(table.store.engine).forget("2")
    assert kept.read("2", table.row.id) is None
    table.store.delete(table.row.id)
    assert kept.read("1", table.row.id) is None


@pytest.mark.parametrize("game", ["costa-ruana", "karuba"])
def test_every_move_of_a_try_is_taken_back(quiet_table: QuietTable, game: str) -> None:
    table = quiet_table(game)
    tried = copy(Sandboxes(SandboxStore(table.store.engine)), table, 0)
    first = tried.timeline.position.state.tobytes()
    try_some(tried, 3)
    while tried.timeline.answers or tried.timeline.choices:
        tried.back()
    assert tried.timeline.position.state.tobytes() == first
    with pytest.raises(Refusal):
        tried.back()


def test_a_game_that_is_over_is_not_tried(quiet_table: QuietTable) -> None:
    table = quiet_table("signs")
    play_some(table, 10_000)
    with pytest.raises(Refusal, match="look back"):
        copy(Sandboxes(SandboxStore(table.store.engine)), table, 0)


@pytest.mark.parametrize("game", ["cast-away", "costa-ruana"])
def test_nothing_on_the_page_leads_to_what_a_copy_does_not_have(
    game: str, browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt
) -> None:
    """No talk, nothing to agree to, nothing that is done again and again (`Browser.get` looks where a page leads)."""
    path, friend = browser.make_table(game, players="2", seat1="friend"), new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    play_some(table_at(path), 6)
    friend.post(f"{path}/agree", {"about": RESIGN})
    assert f"{path}/chat" in browser.get(path).text
    assert f"{path}/agree" in browser.get(path).text
    page = browser.get(f"{path}/try").text
    for _ in range(8):
        assert "/chat" not in page
        assert "/agree" not in page
        assert "/program" not in page
        forms = Page(page).choices + Page(page).moves + Page(page).forms
        form = next(f for f in forms if f.method == "get" or f.action.endswith(("/try/moves", "/try/bots")))
        page = (
            browser.get(form.action, params=form.data)
            if form.method == "get"
            else browser.post(form.action, form.data)
        ).text


def test_the_page_tries_and_goes_back(
    browser: Browser, new_browser: Callable[..., Browser], site: Site, table_at: TableAt
) -> None:
    """Without scripts too; a spectator may try as well; the table's page leads there."""
    path = browser.make_table("signs", players="2", seat1="friend")
    assert f'href="{path}/try"' in browser.get(path).text
    page = browser.page(f"{path}/try")
    while not page.moves:
        page = browser.page(f"{path}/try", params=page.choices[0].data)
    form = page.moves[0]
    assert form.action == f"{path}/try/moves"
    answer = browser.post(form.action, form.data)
    assert str(answer.url.path) == f"{path}/try"
    assert "Only a try" in answer.text
    assert table_at(path).timeline.choices == {}
    assert browser.post(form.action, form.data).status_code == 200, "the same again changes nothing"
    assert browser.post(form.action, form.data | {"decision": "1"}).status_code == 409
    assert browser.post(f"{path}/try/undo", headers=SCRIPT).status_code == 200
    play_some(table_at(path), 2)
    assert "has gone on since" in browser.get(f"{path}/try").text
    assert "Only a try" in browser.post(f"{path}/try/anew").text
    assert str(browser.post(f"{path}/try/end").url.path) == path
    assert "Only a try" in new_browser().get(f"{path}/try").text

"""Several people at one screen: a curtain before each hand, and nothing of a hand before it is opened."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from atoll.web.pages.render_cache import render_cache
from atoll.web.serving.site import Site
from atoll.web.table.move_choice import fields_of
from atoll.web.table.seats import Seating, Viewer
from atoll.web.table.table import Table
from tests.web.conftest import Browser
from tests.web.test_secrecy import channels, without_record

NewBrowser = Callable[..., Browser]
TableAt = Callable[[str], Table]
SHARED = {"players": "3", "seat0": "me", "seat1": "here", "name1": "Ben", "seat2": "here", "name2": "Cleo"}


def decide_as(table: Table, seat: int, move: Any = None) -> None:
    """A seat of a shared screen decides, after showing its hand."""
    with table.lock:
        viewer = Viewer(None, True, (0, 1, 2))
        table.open_hand(seat, viewer)
        chosen = fields_of(move or table.timeline.legal_moves(seat)[0])
        table.answer(seat, table.timeline.decision(seat), {name: (text,) for name, text in chosen.items()})


def test_a_turn_begins_with_a_curtain_and_ends_with_one(browser: Browser, table_at: TableAt) -> None:
    """The form works without scripts: one button shows the hand, and with the move the curtain falls."""
    browser.post("/name", {"name": "Anna"})
    path = browser.make_table(game="karuba", **SHARED)
    html = browser.get(path).text
    assert "<bdi>Anna</bdi>, <bdi>Ben</bdi>, and <bdi>Cleo</bdi>’s turn" in html
    assert browser.page(path).choices == []
    assert browser.post(f"{path}/moves", {"decision": "0", "do": "choose"}).status_code == 409
    browser.post(f"{path}/hand", {"seat": "1"})
    assert 'id="curtain"' not in browser.get(path).text
    assert "Hide the hand" in browser.get(path).text
    decide_as(table_at(path), 1)
    html = browser.get(path).text
    assert "<bdi>Anna</bdi> and <bdi>Cleo</bdi>’s turn" in html
    assert browser.post(f"{path}/hand", {"seat": "1"}).status_code == 409, "Ben has chosen"
    browser.post(f"{path}/hand", {"seat": "0"})
    browser.post(f"{path}/hand")
    assert 'id="curtain"' in browser.get(path).text, "a hand can be hidden again"


def test_a_hidden_choice_is_taken_back_by_lifting_ones_curtain_again(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt
) -> None:
    """Until everyone has chosen. It shows that hand alone, and the curtain falls after the new choice."""
    path, other = browser.make_table(game="karuba", **SHARED | {"seat2": "friend"}), new_browser()
    other.post(f"{path}/seats", {"seat": "2"})
    table = table_at(path)
    assert f"{path}/hand" not in other.get(path).text
    for seat in (0, 1):
        assert "choose again" not in browser.get(path).text or seat
        decide_as(table, seat)
    html = browser.get(path).text
    assert "Waiting for Yellow" in html
    assert "Red: choose again" in html
    assert "Ben: choose again" in html
    assert "choose again" not in other.get(path).text
    assert other.post(f"{path}/hand", {"seat": "1", "again": "yes"}).status_code == 409
    assert browser.post(f"{path}/hand", {"seat": "1"}).status_code == 409, (
        "a page that is out of date takes nothing back"
    )
    assert sorted(table.timeline.choices) == [0, 1]
    browser.post(f"{path}/hand", {"seat": "1", "again": "yes"})
    assert table.seating.opened == 1
    assert sorted(table.timeline.choices) == [0]
    assert browser.page(path).choices
    decide_as(table, 1, table.timeline.legal_moves(1)[-1])
    assert table.seating.opened is None
    assert table.timeline.choices[1].move == table.timeline.legal_moves(1)[-1]
    with table.lock:
        moves = table.timeline.legal_moves(2)
        chosen = {name: (text,) for name, text in fields_of(moves[0]).items()}
        table.answer(2, table.timeline.decision(2), chosen)
    assert not table.timeline.choices
    answer = browser.post(f"{path}/hand", {"seat": "1", "again": "yes"})
    assert "choose again" not in answer.text


def test_a_curtain_is_for_who_shares_the_screen(new_browser: NewBrowser, table_at: TableAt) -> None:
    here, elsewhere = new_browser(), new_browser()
    path = here.make_table(game="karuba", **SHARED | {"seat2": "friend"})
    elsewhere.post(f"{path}/seats", {"seat": "2"})
    assert 'id="curtain"' not in elsewhere.get(path).text
    assert elsewhere.page(path).choices
    assert elsewhere.post(f"{path}/hand", {"seat": "0"}).status_code == 409
    assert here.post(f"{path}/hand", {"seat": "2"}).status_code == 409
    here.post(f"{path}/hand", {"seat": "0"})
    assert table_at(path).seating.opened == 0


def test_the_last_move_at_a_shared_screen_is_taken_back_from_behind_the_curtain(
    browser: Browser, new_browser: NewBrowser, table_at: TableAt
) -> None:
    """Item 4: whoever has just moved sees the curtain already. It is by consent, whatever that hand knows: at once
    where all share the screen, else the others are asked; and not while somebody's choice is hidden.
    """
    path = browser.make_table(game="costa-ruana", **SHARED)
    table = table_at(path)
    assert f"{path}/undo" not in browser.get(path).text, "nobody has moved"
    (first,) = table.timeline.to_act
    decide_as(table, first)
    (button,) = [form for form in browser.page(path).forms if form.action == f"{path}/undo"]
    browser.post(button.action, button.data)
    assert table.timeline.to_act == (first,)
    assert [(taken.seat, taken.count) for taken in table.timeline.undone] == [(first, 1)]
    assert table.timeline.undone[-1].agreed, "the log says that all agreed"
    assert 'id="curtain"' in browser.get(path).text
    other = new_browser()
    mixed = browser.make_table(game="costa-ruana", **SHARED | {"seat2": "friend"})
    other.post(f"{mixed}/seats", {"seat": "2"})
    table = table_at(mixed)
    while table.timeline.to_act != (0,):
        decide_as(table, table.timeline.to_act[0])
    decide_as(table, 0)
    decision = str(table.timeline.decision(0))
    browser.post(f"{mixed}/undo", {"decision": decision})
    assert len(table.timeline.undone) == 0
    other.post(f"{mixed}/undo/answer", {"answer": "yes"})
    assert len(table.timeline.undone) == 1
    hidden = browser.make_table(game="karuba", **SHARED)
    decide_as(table_at(hidden), 1)
    assert f"{hidden}/undo" not in browser.get(hidden).text


def test_a_shared_game_is_played_to_its_end(browser: Browser, table_at: TableAt) -> None:
    """Whose turn is over never sees on; the last scores are everybody's."""
    path = browser.make_table(game="karuba", **SHARED)
    table, chance = table_at(path), random.Random(4)
    while not table.timeline.is_over:
        seat = chance.choice(table.timeline.to_act)
        decide_as(table, seat, chance.choice(table.timeline.legal_moves(seat)))
        assert table.seating.opened in (None, *table.timeline.to_act)
    html = browser.get(path).text
    assert 'id="curtain"' not in html
    assert "Ben" in html


def drawn_anew(table: Table, seat: int | None, seed: int) -> None:
    """Draw anew whatever a seat, or a spectator, cannot know."""
    with table.lock:
        view = table.timeline.position.view() if seat is None else table.timeline.position.view(seat)
        table.timeline.position = view.resample(seed)
        table.timeline.rounds[-1].after = table.timeline.position
        for part in table.timeline.rounds[:-1]:
            part.after = (part.after.view() if seat is None else part.after.view(seat)).resample(seed)
        table.timeline._events_seen.clear()
        render_cache(table).clear()


def check_curtain(browser: Browser, site: Site) -> None:
    """With a closed curtain no channel depends on any hand; with an open one none depends on the others'."""
    path = browser.make_table(game="costa-ruana", **SHARED)
    table, chance = site.tables.find(path.rpartition("/")[2]), random.Random(3)
    while len(table.timeline.answers) < 20:
        seat = table.timeline.to_act[0]
        decide_as(table, seat, chance.choice(table.timeline.legal_moves(seat)))
    seat = table.timeline.to_act[0]
    for opened in (None, seat):
        with table.lock:
            table.open_hand(opened, Viewer(None, True, (0, 1, 2)))
        before = without_record(channels(browser, path))
        assert "Ben" in str(before["page"])
        drawn_anew(table, opened, 7)
        after = without_record(channels(browser, path))
        for channel in before:
            assert before[channel] == after[channel], channel


def test_nothing_of_a_hand_comes_before_its_curtain_is_opened(browser: Browser, site: Site) -> None:
    check_curtain(browser, site)


def plant_in_viewer(patch: pytest.MonkeyPatch) -> None:
    """A closed curtain shows the hand of whose turn it is."""
    viewer = Seating.viewer

    def showing(seating: Seating, browser: str) -> Viewer:
        found = viewer(seating, browser)
        return Viewer(0, found.maker, found.here) if found.here and found.seat is None else found

    patch.setattr(Seating, "viewer", showing)


def test_a_hand_that_is_planted_behind_the_curtain_is_found(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_in_viewer(monkeypatch)
    with pytest.raises(AssertionError):
        check_curtain(browser, site)


def test_the_last_move_leaves_no_hand_on_the_page(browser: Browser, table_at: TableAt) -> None:
    """The answer to a move, by form and by socket, is the curtain and not the hand of who moved."""
    path = browser.make_table(game="costa-ruana", **SHARED)
    table = table_at(path)
    for ask in ("form", "socket"):
        seat = table.timeline.to_act[0]
        browser.post(f"{path}/hand", {"seat": str(seat)})
        move = {"decision": table.timeline.decision(seat), **fields_of(table.timeline.legal_moves(seat)[0])}
        by_form = ask == "form"
        answer = browser.post(f"{path}/moves", move).text if by_form else browser.ask(path, "moves", move)
        assert table.timeline.to_act[0] == seat or 'id="curtain"' in answer

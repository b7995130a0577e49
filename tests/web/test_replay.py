"""Looking back at a game: the table as it was after any of its moves, and playing on from there."""

import copy
import dataclasses
import random
from collections.abc import Callable
from typing import Any

import pytest

from atoll.core.catalogue import games
from atoll.core.game_translator import GameTranslator
from atoll.web.pages import replay_page
from atoll.web.pages.log import log
from atoll.web.pages.players import seat_labels
from atoll.web.pages.replay_page import draw_replay
from atoll.web.pages.table_page import draw_table
from atoll.web.pages.templating import draw
from atoll.web.serving.site import Site
from atoll.web.store.store import SeatRow
from atoll.web.table.creation import again
from atoll.web.table.move_choice import Fields, fields_of
from atoll.web.table.replay import (
    Look,
    leaders,
    look_of,
    standings_by_round,
    stops,
)
from atoll.web.table.seats import Seating, Viewer
from atoll.web.table.table import Table
from atoll.web.table.timeline import PastTimeline, Timeline
from atoll.web.translation import translator_for
from tests.web.conftest import Browser, QuietTable
from tests.web.test_reach import leaks

TableAt = Callable[[str], Table]


def play_some(table: Table, moves: int | None = None, seed: int = 3) -> None:
    """Play random moves: so many, or to the end."""
    chance = random.Random(seed)
    while not table.timeline.is_over and (moves is None or len(table.timeline.answers) < moves):
        seat = chance.choice(table.timeline.to_act)
        move = fields_of(chance.choice(table.timeline.legal_moves(seat)))
        fields: Fields = {name: (text,) for name, text in move.items()}
        table.answer(seat, table.timeline.decision(seat), fields)


def told(timeline: Timeline, seat: int | None) -> list[Any]:
    """The log of a course as a seat hears it."""
    translator = GameTranslator(
        translator_for("en", timeline.position.game.package), timeline.position.components
    )
    nobody = tuple(SeatRow(number) for number in range(timeline.position.players))
    names = seat_labels(translator, Seating("", False, nobody), seat)
    return [
        [(line.text, line.effects) for line in part["lines"]]
        for part in log(timeline, seat, translator, names)["rounds"]
    ]


@pytest.mark.parametrize("game", list(games()))
def test_the_past_is_the_game_as_it_was(quiet_table: QuietTable, game: str) -> None:
    """State for state and line for line what the moves led to when they were made."""
    table = quiet_table(game)
    play_some(table, 60)
    stepped = Timeline(table.start())
    for number in range(len(table.timeline.answers) + 1):
        if number:
            stepped.replay(table.timeline.answers[number - 1])
        if number % 7 and number not in stops(table.timeline, "round"):
            continue
        past = PastTimeline.of(table.timeline, table.start(), number)
        assert past.position.state.tobytes() == stepped.position.state.tobytes()
        assert past.events == stepped.events
        for seat in (None, 0):
            assert told(past, seat) == told(stepped, seat), number


def test_what_is_new_in_the_past_is_its_last_move(quiet_table: QuietTable) -> None:
    table = quiet_table("karuba")
    play_some(table, 30)
    past = PastTimeline.of(table.timeline, table.start(), 20)
    for seat in (None, 0, 1):
        assert past.events_by_look(seat)[-1] == past.events_seen(seat)[19]
        assert log(past, seat, translator_for("en", table.game.package), ["a", "b"])["new"] is None


def test_steps_stop_after_each_move_each_round_or_a_seats_moves(quiet_table: QuietTable) -> None:
    table = quiet_table("costa-ruana")
    play_some(table)
    timeline, count = table.timeline, len(table.timeline.answers)
    assert stops(timeline, "move") == list(range(count + 1))
    assert stops(timeline, "round") == sorted({0, *(played.last for played in timeline.rounds)})
    assert all(timeline.answers[stop - 1].seat == 1 for stop in stops(timeline, "1")[1:-1])


def test_the_points_end_as_the_game_did_and_the_lead_changes_where_others_lead(
    quiet_table: QuietTable,
) -> None:
    table = quiet_table("costa-ruana")
    play_some(table)
    found = standings_by_round(table)
    assert table.timeline.over is not None
    assert list(found[-1].points) == table.timeline.over["points"]
    lead: set[int] = set()
    for standing in found:
        now = leaders(standing.points)
        if len(now) < len(standing.points):
            assert standing.turns == bool(lead and now != lead)
            lead = now


@pytest.mark.parametrize("eyes", ["1", "open"])
def test_a_running_game_is_seen_through_ones_own_eyes_only(
    browser: Browser, table_at: TableAt, eyes: str
) -> None:
    path = browser.make_table("signs", players="2", seat0="me", seat1="friend")
    assert browser.get(f"{path}/back?eyes=0").status_code == 200
    assert browser.get(f"{path}/back?eyes={eyes}").status_code == 403
    play_some(table_at(path))
    assert browser.get(f"{path}/back?eyes={eyes}").status_code == 200


@pytest.mark.parametrize("asked", ["at=999", "at=x", "at=-1", "eyes=7", "eyes=x", "by=x", "by=9"])
def test_what_there_is_not_is_refused(browser: Browser, table_at: TableAt, asked: str) -> None:
    path = browser.make_table("signs", players="2", seat0="me", seat1="friend")
    play_some(table_at(path))
    assert browser.get(f"{path}/back?{asked}").status_code == 404


def test_nothing_can_be_decided_in_the_past(browser: Browser, table_at: TableAt) -> None:
    path = browser.make_table("signs", players="2", seat0="me", seat1="friend")
    play_some(table_at(path))
    page = browser.page(f"{path}/back?at=2")
    assert page.moves == []
    assert {form.action for form in page.forms} == {f"{path}/back", f"{path}/back/play"}


@pytest.mark.parametrize("game", list(games()))
def test_every_position_of_a_running_game_is_drawn_for_whoever_decides_there(
    quiet_table: QuietTable, game: str
) -> None:
    """As the last of the past, in which nothing can be decided, and as where the game was given up."""
    table = quiet_table(game)
    for number in range(60):
        play_some(table, number)
        for seat in table.timeline.to_act:
            look = look_of(table, Viewer(seat), None, None, None)
            assert look.at == len(table.timeline.answers)
            assert f'data-version="{look.at}"' in str(draw_replay(table, look, "en", whole=False))
            given_up = copy.copy(table)
            given_up.row = dataclasses.replace(table.row, ended="agreed")
            given_up.seating = dataclasses.replace(table.seating, ended="agreed")
            given_up.timeline = table.timeline.copy(table.timeline.position.copy())
            assert "This game has ended without a result." in str(
                draw_table(given_up, Viewer(seat), "en", {})
            )


def given_while_drawn(table: Table, look: Look, patch: pytest.MonkeyPatch) -> list[Any]:
    """All that the page's templates are given."""
    given: list[Any] = []

    def drawn(*rest: Any, **context: Any) -> str:
        given.append(context)
        return draw(*rest, **context)

    with patch.context() as during:
        during.setattr(replay_page, "draw", drawn)
        draw_replay(table, look, "en", whole=False)
    assert len(given) == 1
    return given


@pytest.mark.parametrize("game", list(games()))
def test_the_position_cannot_be_reached_from_the_page_of_the_past(
    quiet_table: QuietTable, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = quiet_table(game)
    play_some(table, 20)
    for seat in (None, 0):
        look = look_of(table, Viewer(seat), "11", None, None)
        assert leaks(given_while_drawn(table, look, monkeypatch)) == []


def test_an_open_past_is_found_by_that_test(quiet_table: QuietTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """The leak that it looks for: everything open while the game runs."""
    table = quiet_table("karuba")
    play_some(table, 20)
    look = Look(11, Viewer(0), opened=True, by="move")
    assert leaks(given_while_drawn(table, look, monkeypatch))


def test_a_finished_game_is_played_on_from_a_position(
    browser: Browser, site: Site, table_at: TableAt
) -> None:
    path = browser.make_table("signs", players="2", seat0="me", seat1="friend", hints="always")
    table = table_at(path)
    play_some(table, 2)
    form = {"at": "2", "seat": "1"}
    assert browser.post(f"{path}/back/play", form).status_code == 409
    play_some(table)
    for wrong in (
        {"at": "999", "seat": "0"},
        {"at": str(len(table.timeline.answers)), "seat": "0"},
        {"at": "1", "seat": "2"},
    ):
        assert browser.post(f"{path}/back/play", wrong).status_code == 404
    assert browser.post(f"{path}/back/play", {"at": "x", "seat": "0"}).status_code == 400
    answer = browser.post(f"{path}/back/play", form)
    assert answer.status_code == 200
    assert "Played on from move 2 of another game" in answer.text
    assert f"{path}/back?at=2" in answer.text
    branch = table_at(answer.url.path)
    assert branch.timeline.answers[:2] == table.timeline.answers[:2]
    then = PastTimeline.of(table.timeline, table.start(), 2).position
    assert (
        PastTimeline.of(branch.timeline, branch.start(), 2).position.state.tobytes() == then.state.tobytes()
    )
    assert branch.seating.seats[1].browser is not None
    assert branch.seating.seats[0].bot == "normal"


def test_a_branch_played_again_is_no_branch(quiet_table: QuietTable) -> None:
    table = quiet_table("karuba")
    row = dataclasses.replace(table.row, branched_from="another", branched_at=2)
    fresh, _ = again(row, table.seating.seats, 0)
    assert (fresh.branched_from, fresh.branched_at) == (None, None)

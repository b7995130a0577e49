"""Nobody in a seat knows more than its view shows, by whatever way they came to it (`web/table/foreknowledge.py`)."""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from atoll.core import records
from atoll.text.errors import RecordError
from atoll.web.people import proposals
from atoll.web.people.devices import new_code, use_here
from atoll.web.refusal import Refusal
from atoll.web.store.devices import Devices
from atoll.web.store.store import SeatRow, now
from atoll.web.table import table as table_module
from atoll.web.table import undo
from atoll.web.table.foreknowledge import is_foreseen
from atoll.web.table.replay import renumbered
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record
from atoll.web.table.tables import Tables
from atoll.web.table.timeline import PastTimeline, Timeline
from atoll.web.table.watched_record import WatchedRecord
from tests.soak import foretelling
from tests.web.conftest import Browser, QuietTable
from tests.web.test_undo import TableAt, bots_move, fresh, play, told

NEWCOMER = "newcomer"
JOINED = "who has joined: others had seen what was to come"


def test_nobody_is_shown_what_a_view_hides() -> None:
    """The search in short: `python -m tests.soak foretelling --sequences 10000`."""
    met = Counter[str]()
    assert list(foretelling.search(60, 3, met)) == []
    assert met["dealt anew"] > 3


@pytest.mark.parametrize(
    ("sequence", "way"),
    [(84, "played on"), (6, "a lesson"), (78, "taken back"), (1397, "another device")],
)
def test_the_search_finds_each_way_without_the_rule(
    sequence: int, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with foretelling.new_site() as site:
        foretelling.Evening(site, f"1 {sequence}").go()
        monkeypatch.setattr(table_module, "rule_for", lambda *_: None)
        with pytest.raises(foretelling.Foretold, match=way):
            foretelling.Evening(site, f"1 {sequence}").go()


def test_the_search_asks_for_all_that_can_be_asked(running: TestClient) -> None:
    """Every route by which a table is changed is tried, or said to be harmless."""
    known = foretelling.CHANGES.keys() | foretelling.OTHERS | foretelling.HARMLESS
    asked = {
        route.path.removeprefix("/tables/{table}")
        for route in running.app.routes  # type: ignore[attr-defined]
        if isinstance(route, Route) and "POST" in (route.methods or ())
        if route.path.startswith("/tables") or route.path == "/lessons"
    }
    assert asked == known


def alone(table: Table, players: int) -> Table:
    """Another table like that one, dealt by a key, at which one person plays against bots."""
    row = replace(table.row, id="alone", players=players, seed=f"{7:032x}", to_act=None)
    others = (SeatRow(seat, None, "random") for seat in range(1, players))
    table.store.make_table(row, [SeatRow(0, "0", None, now()), *others])
    return Tables(table.store).find(row.id)


def play_against_bots(table: Table, moves: int, chance: random.Random) -> None:
    """Until the game has so many moves, or is over."""
    while len(table.timeline.answers) < moves and not table.timeline.is_over:
        bots_move(table, chance)
        seats = [seat for seat in table.timeline.to_act if table.seating.seats[seat].bot is None]
        if seats:
            play(table, seats[0], chance)


@pytest.fixture(params=["cast-away", "costa-ruana", "karuba"])
def seen_further(request: pytest.FixtureRequest, quiet_table: QuietTable) -> Table:
    """A table at which somebody alone has played on and gone back; visitors may take the bots' seats."""
    table = alone(quiet_table(request.param), 3)
    play_against_bots(table, 30, random.Random(4))
    table.undo(0, table.timeline.decision(0), 11)
    table.open_bots(True, Viewer(0, maker=True))
    return table


def test_who_joins_finds_what_is_hidden_dealt_anew(seen_further: Table) -> None:
    """What everybody sees stays; the same is read anew, told, recorded, looked back at, and played to the end."""
    table, chance = seen_further, random.Random(5)
    before, count = table.timeline.position, len(table.timeline.answers)
    table.take_seat(1, NEWCOMER)
    after = table.timeline.position
    assert after.view().states.tobytes() == before.view().states.tobytes()
    assert after.state.generator.tolist() != before.state.generator.tolist()
    assert after.to_json() != before.to_json()
    after.check()
    assert table.timeline.choices == {}
    assert [text for text in told(table, 1) if JOINED in text]
    for seat in (None, 0, 1):
        lines = [json.loads(line) for line in table_record(table, seat).splitlines()]
        [line] = [line for line in lines if "redeal" in line]
        assert line["redeal"] == (after.view() if seat is None else after.view(seat)).to_json()
        assert lines[0]["seed"] is None
    with pytest.raises(Refusal, match="nothing that you can take back"):
        table.undo(0, table.timeline.decision(0))
    play_against_bots(table, 10_000, chance)
    assert table.timeline.is_over
    again = fresh(table)
    assert again.timeline.position.state.tobytes() == table.timeline.position.state.tobytes()
    past = PastTimeline.of(again.timeline, again.start(), count)
    assert past.position.state.tobytes() == after.state.tobytes()
    past = PastTimeline.of(past, again.start(), count)
    assert past.position.state.tobytes() == after.state.tobytes()
    text = table_record(table, None)
    [record] = records.read_records(text.splitlines())
    *_, last = records.replay(record)
    assert last.position.to_json() == table.timeline.position.to_json()
    watched = WatchedRecord(record, "watched")
    assert watched.timeline.over == table.timeline.over
    assert [redeal.at for redeal in watched.timeline.redeals] == [count]
    assert [text for text in told(watched) if JOINED in text]


def test_a_wrong_redeal_in_a_record_is_refused(seen_further: Table) -> None:
    """It keeps what everybody sees, passes every invariant, and no undo goes to before it."""
    table = seen_further
    table.take_seat(1, NEWCOMER)
    play_against_bots(table, 10_000, random.Random(5))
    lines = [json.loads(line) for line in table_record(table, None).splitlines()]
    at = next(number for number, line in enumerate(lines) if "redeal" in line)
    words = lines[at]["redeal"]

    def refused(line: object, *more: object) -> str:
        text = records.encode([*lines[:at], line, *more, *lines[at + 1 :]])  # type: ignore[list-item]
        with pytest.raises(RecordError) as caught:
            [list(records.replay(record)) for record in records.read_records(text.splitlines())]
        return str(caught.value)

    assert "words of a state" in refused({"player": 1, "redeal": f"{7:032x}"})
    assert "seat's number" in refused({"player": 7, "redeal": words})
    assert "has the keys" in refused({"player": 1, "redeal": words, "undo": 1})
    assert refused({"player": 1, "redeal": {**words, "round": words["round"] + 1}})
    assert refused({"player": 1, "redeal": {}})
    assert "dealt anew after that" in refused(lines[at], {"player": 0, "undo": 3})


def test_a_choice_that_was_not_shown_yet_is_forgotten(quiet_table: QuietTable) -> None:
    table = alone(quiet_table("karuba"), 3)
    play_against_bots(table, 12, random.Random(4))
    table.undo(0, table.timeline.decision(0), 0)
    table.open_bots(True, Viewer(0, maker=True))
    bots_move(table, random.Random(4))
    assert table.timeline.choices
    table.take_seat(1, NEWCOMER)
    assert fresh(table).timeline.choices == {}
    assert table.row.to_act == 0b111


def test_nobody_joins_several_who_have_seen_further(quiet_table: QuietTable) -> None:
    """Their hands would be others. Who has joined before plays on, and may agree to take back."""
    table, chance = alone(quiet_table("costa-ruana"), 3), random.Random(4)
    table.open_bots(True, Viewer(0, maker=True))
    table.take_seat(1, NEWCOMER)
    assert table.timeline.redeals == []
    play_against_bots(table, 20, chance)
    seat = next(
        seat
        for seat in (0, 1)
        if undo.undo_target(table.timeline, table.seating, seat) is not None
        and not undo.is_free(table.timeline, seat)
    )
    table.undo(seat, table.timeline.decision(seat))
    table.answer_undo(1 - seat, "yes")
    assert is_foreseen(table.row, table.timeline)
    with pytest.raises(Refusal, match="nobody else can join"):
        table.take_seat(2, "third")
    table.put_bot(1, "random", Viewer(1))
    table.take_seat(1, NEWCOMER)
    assert table.timeline.redeals == []


def test_what_showed_nothing_and_is_taken_back_changes_nothing_for_who_joins(quiet_table: QuietTable) -> None:
    """In Costa Ruana who lays a native down at the start has told everybody all of it."""
    table = alone(quiet_table("costa-ruana"), 3)
    bots_move(table, random.Random(1))
    play(table, 0, random.Random(1))
    table.undo(0, table.timeline.decision(0))
    assert not is_foreseen(table.row, table.timeline)


def test_who_has_been_another_takes_no_other_seat_than_theirs(quiet_table: QuietTable) -> None:
    """By whatever way, as long as both are one and after it was given back; what was seen is the game's alone."""
    table = alone(quiet_table("costa-ruana"), 3)
    table.open_bots(True, Viewer(0, maker=True))
    devices = Devices(table.store.engine)
    devices.make_code("0", "digest", {})
    devices.use("digest", "phone")
    with pytest.raises(Refusal, match="already have a seat"):
        table.take_seat(1, "phone")
    table.take_seat(1, "other")
    devices.end("0")
    table.catch_up()
    assert fresh(table).seating.seats[0].earlier == ["phone"]
    with pytest.raises(Refusal, match="another hand"):
        table.take_seat(2, "phone")


def test_who_sits_with_somebody_cannot_become_them(quiet_table: QuietTable) -> None:
    """Neither now, nor by a rematch in a place that is kept."""
    table = alone(quiet_table("karuba"), 2)
    table.open_bots(True, Viewer(0, maker=True))
    table.take_seat(1, "phone")
    devices = Devices(table.store.engine)
    code = new_code(devices, "0", {})
    with pytest.raises(Refusal, match="the same game"):
        use_here(devices, code, "phone")
    proposals.end(table, proposals.RESIGNED)
    use_here(devices, code, "phone")
    with pytest.raises(Refusal, match="the same person"):
        table.play_again(Viewer(0, maker=True), 0)
    assert table.row.next is None


def test_a_game_that_is_played_on_twice_is_known_again(quiet_table: QuietTable) -> None:
    """The second time by the deals that its record shows."""
    table = alone(quiet_table("karuba"), 3)
    play_against_bots(table, 30, random.Random(4))
    table.undo(0, table.timeline.decision(0), 0)
    table.open_bots(True, Viewer(0, maker=True))
    table.take_seat(1, NEWCOMER)
    assert not is_foreseen(table.row, table.timeline)
    play_against_bots(table, 10_000, random.Random(5))
    again = Timeline(table.start())
    for line in renumbered(table.timeline):
        again.replay(line)
    assert again.position.state.tobytes() == table.timeline.position.state.tobytes()
    assert is_foreseen(replace(table.row, branched_from=table.row.id), again)


def test_from_the_page(browser: Browser, new_browser: Callable[..., Browser], table_at: TableAt) -> None:
    """Alone one plays on, takes everything back and opens the seats; a finished game is played on and opened."""
    path, chance = browser.make_table("costa-ruana", players="2", seat1="bot:random"), random.Random(2)
    table = table_at(path)
    with table.lock:
        play_against_bots(table, 10, chance)
    browser.post(f"{path}/back/undo", {"at": "0", "decision": str(table_at(path).timeline.decision(0))})
    assert "all that is hidden is then dealt anew" in browser.get(path).text
    browser.post(f"{path}/open", {"open": "yes"})
    friend = new_browser()
    assert JOINED in friend.post(f"{path}/seats", {"seat": "1"}).text
    assert JOINED in browser.get(path).text
    table = table_at(path)
    with table.lock:
        play_against_bots(table, 10_000, chance)
    assert table_at(path).timeline.is_over
    branch = str(browser.post(f"{path}/back/play", {"at": "2", "seat": "0"}).url.path)
    browser.post(f"{branch}/open", {"open": "yes"})
    before = table_at(branch).timeline.position.to_json()
    assert JOINED in friend.post(f"{branch}/seats", {"seat": "1"}).text
    assert table_at(branch).timeline.position.to_json() != before

"""Clocks at tables, on a time that the tests turn: nobody sleeps here."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import Engine, event, select
from sqlalchemy.exc import OperationalError

from atoll.text.errors import AtollError
from atoll.text.translation import Translator
from atoll.web.live.bot_moves import BotMoves
from atoll.web.live.clock_watch import ClockWatch
from atoll.web.live.watched_tables import WatchedTables
from atoll.web.pages.clocks import clock_label, clock_text
from atoll.web.people.proposals import RESIGNED, end
from atoll.web.refusal import Refusal
from atoll.web.serving.site import Site
from atoll.web.store.schema import site_time
from atoll.web.store.site_time import SiteTime, clocks_due
from atoll.web.store.store import SeatRow, Store, now
from atoll.web.table.clocks import PRESETS, Clock, Times
from atoll.web.table.creation import again, new_table
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.tables import Tables
from atoll.web.translation import translator_for
from tests.web.conftest import Browser, QuietTable
from tests.web.test_undo import fresh, play, play_some, told


class Wall:
    """A clock on the wall that is turned by hand."""

    def __init__(self) -> None:
        self.time = 1_000_000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def wall() -> Wall:
    """The clock on the wall."""
    return Wall()


TimedTable = Callable[..., Table]


@pytest.fixture
def timed(quiet_table: QuietTable, wall: Wall) -> TimedTable:
    """Makes a table for two with a clock, which goes by that wall."""

    def make(clock: str, game: str = "costa-ruana", free: bool = False) -> Table:
        store: Store = quiet_table(game).store
        store.time = SiteTime(store.engine, wall, wall)
        from atoll.core.catalogue import find_game

        found = Clock.read(clock, "random")
        row = new_table(find_game(game), 2, {}, "fast", None, "0", False, "alone", found)
        seats = [SeatRow(0, "0", None, now()), SeatRow(1, None if free else "1", None, now())]
        store.make_table(row, seats)
        table = Tables(store).find(row.id)
        table.tick()
        return table

    return make


def watch(table: Table) -> ClockWatch:
    """What watches the clocks of that table's store, with that table."""
    tables = Tables(table.store)
    tables._used[table.row.id] = table
    return ClockWatch(table.store, tables, WatchedTables(), None)  # type: ignore[arg-type]


def left(table: Table, seat: int) -> float:
    """Seconds that are left to a seat."""
    times = table.times
    assert times is not None
    return times.left_to(seat, table.store.time.now())


@pytest.mark.parametrize("name", PRESETS)
def test_every_offered_clock_can_be_read_and_is_said_in_words(name: str) -> None:
    clock = Clock.read(name, "random")
    assert (clock is None) == (name == "none")
    for language in ("en", "fr"):
        assert clock_label(translator_for(language), clock)


@pytest.mark.parametrize(
    "name", ["x", "decision:1", "decision:99999", "days:0", "days:99", "player:60", "player:60+9999"]
)
def test_what_is_no_clock_is_refused(name: str) -> None:
    with pytest.raises(AtollError, match="clock"):
        Clock.read(name, "random")


def test_a_table_has_no_clock_unless_one_is_chosen(
    browser: Browser, table_at: Callable[[str], Table]
) -> None:
    assert table_at(browser.make_table()).clock is None
    path = browser.make_table(clock="player:600+10", stand_in="hard", seat1="friend")
    clock = table_at(path).clock
    assert clock == Clock("player", 600, 10, "hard")
    assert browser.post("/tables", {"game": "costa-ruana", "clock": "decision:2"}).status_code == 400
    assert browser.post("/tables", {"game": "costa-ruana", "stand_in": "nobody"}).status_code == 400


def test_time_runs_for_who_has_to_decide_and_only_once_no_seat_is_free(timed: TimedTable, wall: Wall) -> None:
    table = timed("decision:60", free=True)
    wall.time += 600
    assert [left(table, seat) for seat in range(2)] == [60, 60]
    table.take_seat(1, "1")
    seat = table.timeline.to_act[0]
    wall.time += 20
    assert (left(table, seat), left(table, 1 - seat)) == (40, 60)


def test_no_time_runs_out_at_a_game_that_was_given_up(timed: TimedTable, wall: Wall) -> None:
    """No bot sits down there, and nobody looks at its clock any more."""
    table = timed("decision:60")
    end(table, RESIGNED)
    wall.time += 100
    table.tick()
    assert [sitting.bot for sitting in table.seating.seats] == [None, None]
    assert table.row.clock_due is None


def test_each_decision_has_its_time(timed: TimedTable, wall: Wall) -> None:
    table = timed("decision:60")
    chance, seat = random.Random(1), table.timeline.to_act[0]
    wall.time += 59
    play(table, seat, chance)
    assert left(table, seat) == 60


def test_a_player_has_one_time_for_all_and_gets_more_with_each_decision(
    timed: TimedTable, wall: Wall
) -> None:
    table = timed("player:600+10")
    chance, seat = random.Random(1), table.timeline.to_act[0]
    wall.time += 100
    play(table, seat, chance)
    assert left(table, seat) == 510
    assert left(fresh(table), seat) == 510


def test_who_is_out_of_time_is_played_for_until_they_are_back(timed: TimedTable, wall: Wall) -> None:
    """By the bot of the chosen level; the log says so, and that they are back, with enough time to begin with."""
    table = timed("player:60+0")
    looks, seat = watch(table), table.timeline.to_act[0]
    wall.time += 59
    assert looks.check() == []
    assert not table.seating.has_stand_in(seat)
    wall.time += 2
    assert looks.check() == [table]
    assert table.seating.seats[seat].bot == "random"
    assert table.seating.seats[seat].browser == str(seat)
    assert table.bots.have_to_act
    assert [line for line in told(table) if "is out of time: a bot plays on" in line]
    table.take_seat(seat, str(seat))
    assert left(table, seat) == 60
    assert [line for line in told(fresh(table)) if "is back and plays on" in line]


def test_a_move_that_comes_too_late_is_not_made(timed: TimedTable, wall: Wall) -> None:
    """Though nobody has looked at the clock since."""
    table = timed("decision:60")
    seat = table.timeline.to_act[0]
    wall.time += 61
    with pytest.raises(Refusal, match="out of time"):
        play(table, seat, random.Random(1))
    assert table.timeline.answers == []
    assert table.seating.has_stand_in(seat)


def test_choosing_again_and_again_gains_no_time(timed: TimedTable, wall: Wall) -> None:
    """Where all choose at once a choice stops the clock, and taking it back lets it run on."""
    table = timed("player:600+10", game="signs")
    chance = random.Random(1)
    wall.time += 10
    play(table, 0, chance)
    wall.time += 100
    assert left(table, 0) == 590
    table.take_back(0)
    wall.time += 10
    assert left(table, 0) == 580
    play(table, 0, chance)
    play(table, 1, chance)
    assert left(table, 0) == 590


def test_a_game_that_is_over_or_of_bots_has_no_time_running(timed: TimedTable, wall: Wall) -> None:
    table = timed("decision:60", game="signs")
    play_some(table, 10_000)
    assert table.timeline.is_over
    assert table.row.clock_due is None
    other = timed("decision:60")
    seat = other.timeline.to_act[0]
    other.put_bot(seat, "random", Viewer(seat))
    wall.time += 1000
    assert left(other, seat) == 60


def test_a_restart_costs_no_time(timed: TimedTable, wall: Wall) -> None:
    """Nor does a server that was down for a week; another process that serves the site meanwhile changes nothing."""
    table = timed("decision:60")
    seat = table.timeline.to_act[0]
    time = table.store.time
    time.begin()
    wall.time += 10
    time.beat()
    wall.time += 7 * 86_400
    time.begin()
    assert left(table, seat) == 50
    second = SiteTime(table.store.engine, wall, wall)
    second.begin()
    assert second.now() == time.now()
    wall.time += 20
    assert left(fresh_on(table, second), seat) == 30


@pytest.mark.parametrize("hours", [1, -1])
def test_a_clock_of_the_machine_that_is_set_costs_no_time_and_gives_none(
    timed: TimedTable, wall: Wall, hours: int
) -> None:
    """An hour forward, as when a laptop sleeps, or back; of two processes one counts it, and a third that starts later
    tells the same time."""
    steady = Wall()
    engine = timed("decision:60").store.engine
    one, other = (SiteTime(engine, wall, steady) for _ in range(2))
    for time in (one, other):
        time.begin()
    began = one.now()
    for clock in (wall, steady):
        clock.time += 10
    wall.time += hours * 3600
    assert one.now() == began + 10
    for time in (one, other, one):
        time.beat()
        assert time.now() == began + 10
    third = SiteTime(engine, wall, steady)
    third.begin()
    for clock in (wall, steady):
        clock.time += 5
    for time in (third, other, one):
        time.beat()
    assert [time.now() for time in (one, other, third)] == [began + 15] * 3


@pytest.mark.parametrize("hours", [1, -1])
@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_clock_that_is_set_as_another_process_starts_is_counted_once(
    timed: TimedTable, wall: Wall, hours: int, first: int
) -> None:
    """Where no clock ran, nobody kept that the site did: who starts takes the time for one without the site."""
    steady = Wall()
    engine = timed("decision:60").store.engine
    times = [SiteTime(engine, wall, steady) for _ in range(3)]
    for time in times[:2]:
        time.begin()
    for clock in (wall, steady):
        clock.time += 100
    times[2].begin()
    began = times[2].now()
    wall.time += hours * 3600
    for time in (times[first], *times):
        time.beat()
        assert time.now() == began
    for clock in (wall, steady):
        clock.time += 1
    assert [time.now() for time in times] == [began + 1] * 3


def test_time_without_the_site_adds_up(quiet_table: QuietTable, wall: Wall) -> None:
    """Each time that it was down, from its last beat on; a moment without one, as long as a process takes to start or
    two machines' clocks differ, is none."""
    time = SiteTime(quiet_table("signs").store.engine, wall, wall)
    for gone, down in (
        (0, 0),
        (12, 0),
        (12.5, 12.5),
        (100, 112.5),
        (-2, 112.5),
        (-2.5, 110),
        (0, 110),
    ):
        wall.time += gone
        time.begin()
        assert time.down == down, gone
    assert time.now() == wall.time - 110
    assert time.on_the_wall(time.now()) == wall.time


def test_a_clock_that_differs_a_little_was_not_set(quiet_table: QuietTable, wall: Wall) -> None:
    """Two seconds are what a clock is corrected by now and then; beyond that it was set."""
    steady = Wall()
    time = SiteTime(quiet_table("signs").store.engine, wall, steady)
    time.begin()
    for gone, down in ((2, 0), (-2, 0), (2.5, 2.5), (-2.5, 0)):
        for clock in (wall, steady):
            clock.time += 1
        wall.time += gone
        time.learn()
        assert time.down == down, gone


def test_a_clock_that_is_set_while_nothing_can_be_written_is_counted_later(
    quiet_table: QuietTable, wall: Wall
) -> None:
    """On a full disk no time passes by it meanwhile, and none once it can be kept."""
    steady, store = Wall(), quiet_table("signs").store
    time = SiteTime(store.engine, wall, steady)
    time.begin()
    began = time.now()
    wall.time += 3600
    with full_disk(store.engine):
        for _ in range(2):
            with pytest.raises(OperationalError):
                time.now()
            assert time.shown() == began
    assert time.now() == began
    assert time.down == 3600


def test_a_process_that_starts_while_nothing_can_be_written_tells_the_same_time(
    quiet_table: QuietTable, wall: Wall
) -> None:
    """Nobody is out of time because the clock was set before its start could be kept."""
    steady, store = Wall(), quiet_table("signs").store
    one, other = (SiteTime(store.engine, wall, steady) for _ in range(2))
    one.begin()
    for clock in (wall, steady):
        clock.time += 10
    one.beat()
    began = one.now()
    wall.time += 3600
    with full_disk(store.engine):
        for start in (other.begin, other.learn):
            with pytest.raises(OperationalError):
                start()
            assert other.shown() == began
    for time in (other, one, other):
        time.learn()
        assert time.now() == began


def test_nothing_is_timed_before_a_start_is_kept(quiet_table: QuietTable, wall: Wall) -> None:
    """Where no clock ran, the others did not keep that the site did: what one takes for time without the site counts
    for all before anybody's time runs by it (simulation, seed 3000)."""
    store = quiet_table("signs").store
    one, other = (SiteTime(store.engine, wall, wall) for _ in range(2))
    one.begin()
    wall.time += 74
    with full_disk(store.engine), pytest.raises(OperationalError):
        other.begin()
    timed = other.now()
    one.learn()
    assert one.now() == timed


def test_no_change_is_timed_by_a_start_that_is_not_kept(quiet_table: QuietTable, wall: Wall) -> None:
    """On a full disk nobody keeps that the site runs: who starts then takes it for down, and would be behind the others
    in what it keeps as soon as there is room (simulation, seed 4652)."""
    store = quiet_table("signs").store
    one, other = (SiteTime(store.engine, wall, wall) for _ in range(2))
    one.begin()
    with full_disk(store.engine):
        wall.time += 20
        for start in (other.begin, other.now):
            with pytest.raises(OperationalError):
                start()
        assert other.shown() == one.now() - 20
    one.beat()
    assert other.now() == one.now()


def test_changes_are_timed_by_what_all_processes_know_by_then(quiet_table: QuietTable, wall: Wall) -> None:
    """One that ran on while the disk was full learns at once that another, which started since, took that for time
    without the site: it would put people out of time whose clocks the other had begun (simulation, seed 6090)."""
    store = quiet_table("signs").store
    one, other = (SiteTime(store.engine, wall, wall) for _ in range(2))
    one.begin()
    began = one.now()
    wall.time += 76
    other.begin()
    assert other.now() == began
    assert one.shown() == began + 76
    assert one.now() == began


@contextmanager
def full_disk(engine: Engine) -> Iterator[None]:
    """Meanwhile nothing can be written."""

    def refuse(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(("INSERT", "UPDATE")):
            raise OperationalError(statement, {}, Exception("database or disk is full"))

    event.listen(engine, "before_cursor_execute", refuse)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", refuse)


def test_of_two_processes_that_count_at_once_one_does(quiet_table: QuietTable, wall: Wall) -> None:
    """What has changed since it was read stays as it is; where nothing is kept yet, nothing has passed."""
    engine, steady = quiet_table("signs").store.engine, Wall()
    time = SiteTime(engine, wall, steady)
    time.learn()
    assert time.down == 0
    time.begin()

    def kept() -> tuple[float, float]:
        with engine.connect() as connection:
            found = connection.execute(select(site_time)).one()
        return found.ran_at, found.down

    began = kept()
    time._known = 7.0, *time._known[1:]
    wall.time += 1
    assert not time._keep(5.0)
    assert kept() == began
    steady.time += 1
    wall.time += 3600
    time.learn()
    assert kept() == (wall.time, 3600)


def test_that_the_site_runs_is_kept_every_four_seconds(quiet_table: QuietTable, wall: Wall) -> None:
    """And at once where the machine's clock was set back."""
    engine = quiet_table("signs").store.engine
    steady = Wall()
    time = SiteTime(engine, wall, steady)
    time.begin()
    kept = []
    for gone in (3.5, 0.5, 1, 3, -1.5):
        for clock in (wall, steady) if gone > 0 else (wall,):
            clock.time += gone
        time.beat()
        with engine.connect() as connection:
            kept.append(connection.scalar(select(site_time.c.ran_at)) - 1_000_000)  # type: ignore[operator]
    assert kept == [0, 4, 4, 8, 6.5]


def fresh_on(table: Table, time: SiteTime) -> Table:
    """The table as a process with that time reads it."""
    found = fresh(table)
    found.store.time = time
    return found


def test_taking_back_lets_time_run_for_who_decides_anew(timed: TimedTable, wall: Wall) -> None:
    table = timed("player:600+10")
    chance, seat = random.Random(1), table.timeline.to_act[0]
    wall.time += 100
    play(table, seat, chance)
    wall.time += 5
    table.undo(seat, table.timeline.decision(seat))
    wall.time += 5
    assert table.timeline.to_act == (seat,)
    assert left(table, seat) == 505


def test_the_next_game_has_the_same_clock_anew(timed: TimedTable) -> None:
    table = timed("player:600+10")
    row, _ = again(table.row, table.seating.seats, 0)
    assert row.clock == table.row.clock
    assert (row.clock_state, row.clock_due) == (None, 0.0)


def test_the_clock_of_a_table_that_cannot_be_played_is_looked_at_no_longer(
    timed: TimedTable, wall: Wall, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = timed("decision:60")
    looks = watch(table)

    def gone(*_: Any) -> Table:
        raise Refusal(410, "gone")

    monkeypatch.setattr(looks.tables, "find", gone)
    wall.time += 61
    assert looks.check() == []
    assert clocks_due(table.store.engine, wall.time) is None


def test_the_page_shows_clocks_at_seats_and_bar_and_the_site_watches_them(
    browser: Browser, new_browser: Callable[..., Browser], site: Site, table_at: Callable[[str], Table]
) -> None:
    """With what the page's script counts down, and the server's time for it."""
    path = browser.make_table(clock="decision:180", players="2", seat1="friend")
    assert 'data-due="' not in browser.get(path).text
    new_browser().post(f"{path}/seats", {"seat": "1"})
    html = browser.get(path).text
    assert html.count('data-due="') == 2
    assert 'name="atoll-now"' in html
    assert ">3:00</span>" in html
    assert "Time to think: 3 minutes for each decision" in html
    assert site.clocks.store is site.store
    assert isinstance(site.clocks.bots, BotMoves)
    assert "atoll-now" not in browser.get(browser.make_table()).text


def test_the_list_of_ones_tables_says_what_time_is_left_and_begins_with_the_most_urgent(
    browser: Browser, new_browser: Callable[..., Browser], table_at: Callable[[str], Table]
) -> None:
    """Items 2 and 3: games over days, and "next table waiting for me"."""
    other = new_browser()
    made = {}
    for clock in ("days:1", "none", "days:7"):
        path = browser.make_table("karuba", players="2", seat1="friend", clock=clock)
        other.post(f"{path}/seats", {"seat": "1"})
        table_at(path).tick()
        made[clock] = path
    start = browser.get("/").text.partition('id="tables"')[2]
    places = [start.index(f'href="{made[clock]}"') for clock in ("days:1", "days:7", "none")]
    assert places == sorted(places)
    rows = {clock: start.partition(f'href="{path}"')[2].partition("</li>")[0] for clock, path in made.items()}
    assert "23 h left" in rows["days:1"]
    assert "6 d 23 h left" in rows["days:7"]
    assert "left" not in rows["none"]
    elsewhere = browser.get(f"/next?table={made['days:7'].rpartition('/')[2]}").text
    assert f'href="{made["days:1"]}"' in elsewhere
    assert "left" not in other.get("/lobby").text.partition('id="lobby"')[2]


def test_the_bar_says_that_the_one_for_whom_all_wait_is_away(
    browser: Browser, new_browser: Callable[..., Browser], table_at: Callable[[str], Table]
) -> None:
    """Item 2: a note "away until" is shown, where one wonders why nothing happens."""
    ben = new_browser()
    ben.post("/name", {"name": "Ben"})
    browser.post("/name", {"name": "Anna"})
    path = browser.make_table("costa-ruana", players="2", seat1="friend")
    ben.post(f"{path}/seats", {"seat": "1"})
    (seat,) = table_at(path).timeline.to_act
    one, other, name = ((browser, ben, "Anna"), (ben, browser, "Ben"))[seat]
    one.post(f"{path}/away", {"until": "2999-08-31"})
    assert f"<bdi>{name}</bdi>: away until 31 August" in other.get(path).text
    assert f"<bdi>{name}</bdi> (you): away until" not in one.get(path).text
    other.post(f"{path}/away", {"until": "2999-08-30"})
    assert "away until 30 August</span>" in other.get(path).text, "beside one's own name"
    assert ": away until 30 August" not in one.get(path).text.replace("a person: away until", "")


def test_who_is_away_says_until_when(browser: Browser, new_browser: Callable[..., Browser]) -> None:
    other = new_browser()
    path = browser.make_table(seat1="friend")
    other.post(f"{path}/seats", {"seat": "1"})
    assert browser.post(f"{path}/away", {"until": "2999-08-31"}).status_code == 200
    assert "away until 31 August" in other.get(path).text
    assert "de retour le 31 août" in other.get(path, headers={"accept-language": "fr"}).text
    assert browser.post(f"{path}/away", {"until": "soon"}).status_code == 400
    browser.post(f"{path}/away", {"until": ""})
    assert "away until" not in other.get(path).text.replace("I am away until", "")
    browser.post(f"{path}/away", {"until": "2020-01-01"})
    assert "away until" not in other.get(path).text.replace("I am away until", "")


def test_times_are_shown_as_clocks_show_them() -> None:
    assert [clock_text(seconds) for seconds in (-3, 0, 59.9, 61, 3599, 3723)] == [
        "0:00",
        "0:00",
        "0:59",
        "1:01",
        "59:59",
        "1:02:03",
    ]
    assert clock_label(Translator("en"), None) == "No limit"


def test_times_are_stored_as_they_are() -> None:
    clock = Clock("decision", 60, 0, "random")
    times = Times.of(clock, 2, None).go_on(clock, 5.0, [1]).noting(3, 1, "out")
    assert Times.of(clock, 2, times.to_json()) == times
    assert times.back_to(2).notes == ((2, 1, "out"),)

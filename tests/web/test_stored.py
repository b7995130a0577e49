"""What the store keeps and tells, method by method, on either database."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, make_url, select

from atoll.web.store import chat_messages as talk
from atoll.web.store import history as histories
from atoll.web.store import notifications as tellings
from atoll.web.store.chat_messages import ChatMessages
from atoll.web.store.comparison_queue import BROWSER, LOST, MOST_BEGUN, ComparisonQueue, QueuedComparison
from atoll.web.store.component_sets import TRIALS_KEPT, ComponentSet, ComponentSets
from atoll.web.store.devices import Devices, browsers_of
from atoll.web.store.engine import aware, open_engine
from atoll.web.store.history import History, Result, Upload
from atoll.web.store.migrations import migrate
from atoll.web.store.notifications import NotificationChannels, NotificationStore
from atoll.web.store.people import People
from atoll.web.store.schema import metadata, seats, tables
from atoll.web.store.site_time import clocks_due, stop_clock
from atoll.web.store.store import Answer, Contents, Overtaken, SeatRow, Store, TableRow, now
from tests.postgresql import PostgreSQL
from tests.web.test_store import empty, row

T0 = datetime(2020, 1, 1, tzinfo=UTC)
THIS, THAT = {"do": "this"}, {"do": "that"}
ME, YOU = SeatRow(0, "me"), SeatRow(1, "you")


def at(minutes: float) -> datetime:
    """A moment."""
    return T0 + timedelta(minutes=minutes)


@pytest.fixture(scope="module")
def shared() -> Iterator[Engine]:
    """A database of a PostgreSQL server, brought up to date once."""
    with closing(PostgreSQL()) as server:
        found = open_engine(make_url(server.new_database()))
        migrate(found)
        yield found
        found.dispose()


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A database that is up to date, and empty."""
    if request.param == "SQLite":
        found = empty(tmp_path)
        migrate(found)
        event.listen(found, "before_cursor_execute", who_writes_says_so)
        yield found
        found.dispose()
        return
    yield (found := request.getfixturevalue("shared"))
    with found.begin() as connection:
        for full in reversed(metadata.sorted_tables):
            connection.execute(full.delete())


def who_writes_says_so(connection: Connection, _: object, statement: str, *rest: object) -> None:
    """SQLite would give up at once where a transaction that has read begins to write while somebody else does."""
    if statement.startswith(("INSERT", "UPDATE", "DELETE")):
        assert connection.get_execution_options().get("writes"), statement


@pytest.fixture
def store(engine: Engine) -> Store:
    """A store in which nothing is kept."""
    return Store(engine)


@pytest.fixture
def begun(store: Store) -> Store:
    """A store with the tables t and u, each with two people."""
    for name in "tu":
        store.make_table(row(name, made_at=at(0)), [ME, YOU])
    return store


def kept(store: Store, name: str = "t") -> Contents:
    """All that is kept of a table, as another process reads it."""
    found = Store(store.engine).read(name)
    assert found is not None
    return found


# Tables


def test_a_game_may_go_on_while_it_is_kept_that_it_began(begun: Store) -> None:
    """The note of who begins is gone by the time that it would be taken back."""
    begun.begin("t", 1)

    @event.listens_for(begun.engine, "commit")
    def moved_meanwhile(connection: Connection) -> None:
        begun._begun.pop("t", None)

    begun.keep_notes()
    event.remove(begun.engine, "commit", moved_meanwhile)
    assert kept(begun).row.to_act == 1


def test_a_table_is_kept_as_it_was_made(store: Store) -> None:
    made = row(
        *("t",),
        made_at=at(3),
        options={"loud": True},
        components_data={"cards": [1]},
        clock={"kind": "days"},
        clock_due=12.5,
        lesson="first",
        branched_from="s",
        branched_at=4,
        public=True,
        waiting=True,
        watchable=False,
        chat=False,
    )
    sitting = [
        SeatRow(0, "me", None, at(1)),
        SeatRow(1, None, "random"),
        SeatRow(2, "me", "greedy", None, guest="Ann", program={"name": "dry", "since": 2}),
        SeatRow(3, away_until="2030-02-01"),
    ]
    store.make_table(made, sitting)
    found = kept(store)
    assert TableRow(**{**vars(found.row), "made_at": aware(found.row.made_at)}) == made
    assert [seat.seen_at and aware(seat.seen_at) for seat in found.seats] == [at(1), None, None, None]
    expected = [{**vars(seat), "seen_at": None, "name": "Ann" if seat.guest else None} for seat in sitting]
    assert [{**vars(seat), "seen_at": None} for seat in found.seats] == expected
    assert (found.moves, found.choices) == ((), ())
    assert store.row("t") == found.row
    assert store.version("t") == 0
    assert (store.read("none"), store.row("none"), store.version("none")) == (None, None, None)


def test_a_key_has_twice_the_digits_of_a_seed() -> None:
    assert row(seed="f" * 32).keyed
    assert not row(seed="f" * 16).keyed


def test_lines_are_kept_in_order_and_end_choices_and_what_was_asked(begun: Store) -> None:
    begun.choose("t", 0, Answer(0, 0, THIS), 2)
    begun.choose("u", 0, Answer(1, 0, THIS), 1)
    begun.change("t", 1, {"undo_asked": {"seat": 0}})
    before = now()
    begun.append(
        "t", 2, 0, [Answer(1, 0, THAT), Answer(0, 0, THIS)], 3, round_number=2, opened=1, pace="fast"
    )
    begun.append("t", 3, 2, [Answer(0, 1, THAT)], 1)
    found = kept(begun)
    assert found.moves == (Answer(1, 0, THAT), Answer(0, 0, THIS), Answer(0, 1, THAT))
    assert found.choices == ()
    assert (found.row.version, found.row.to_act, found.row.opened, found.row.pace) == (4, 1, None, "fast")
    assert found.row.undo_asked is None
    assert kept(begun, "u").choices == (Answer(1, 0, THIS),)
    assert begun.read("t", 2) == Contents(found.row, found.seats, (), found.moves[2:])
    listed = begun.listed("t", "me")
    assert listed is not None
    assert listed.round == 0
    assert listed.moved_at is not None
    assert before <= aware(listed.moved_at) <= now()


def test_the_last_line_says_which_round_it_is_and_whose_hand_a_screen_shows(begun: Store) -> None:
    begun.append("t", 0, 0, [Answer(0, 0, THIS)], 3, 5, 1)
    listed = begun.listed("t", "me")
    assert listed is not None
    assert (listed.round, listed.row.opened, listed.row.to_act) == (5, 1, 3)


def test_a_choice_replaces_the_seats_earlier_one_and_may_be_taken_back(begun: Store) -> None:
    before = now()
    begun.choose("t", 0, Answer(0, 0, THIS), 3)
    begun.choose("t", 1, Answer(1, 0, THIS), 3)
    begun.choose("t", 2, Answer(0, 0, THAT), 2, 1, pace="fast")
    found = kept(begun)
    assert found.choices == (Answer(0, 0, THAT), Answer(1, 0, THIS))
    assert (found.row.to_act, found.row.opened, found.row.pace, found.row.version) == (2, 1, "fast", 3)
    listed = begun.listed("t", "me")
    assert listed is not None
    assert listed.moved_at is not None
    assert aware(listed.moved_at) >= before
    begun.take_back("t", 3, 0, 3, pace="slow")
    found = kept(begun)
    assert found.choices == (Answer(1, 0, THIS),)
    assert (found.row.to_act, found.row.version, found.row.pace) == (3, 4, "slow")


def test_who_sits_in_a_seat_changes_there_alone(begun: Store) -> None:
    begun.sit("t", 0, SeatRow(1, "other", "greedy"), opened=1)
    found = kept(begun)
    assert found.seats == (ME, SeatRow(1, "other", "greedy"))
    assert (found.row.opened, found.row.version) == (1, 1)
    assert kept(begun, "u").seats == (ME, YOU)


def test_a_game_begins_with_the_seats_as_they_are_then(store: Store) -> None:
    store.make_table(row(waiting=True), [ME, SeatRow(1)])
    store.begin_game("t", 0, [SeatRow(1, None, "random")], clock_due=3.0)
    found = kept(store)
    assert found.seats == (ME, SeatRow(1, None, "random"))
    assert (found.row.waiting, found.row.clock_due, found.row.version) == (False, 3.0, 1)


def test_the_same_is_played_again_at_a_table_that_the_old_one_names(begun: Store) -> None:
    begun.continue_at("t", 0, row("v"), [YOU, SeatRow(0, "me")])
    assert (kept(begun).row.next, kept(begun).row.version) == ("v", 1)
    assert [seat.browser for seat in kept(begun, "v").seats] == ["me", "you"]
    assert kept(begun, "u").row.next is None


CHANGES: dict[str, Callable[[Store, int], None]] = {
    "append": lambda store, known: store.append("t", known, 0, [Answer(0, 0, THIS)], 1),
    "choose": lambda store, known: store.choose("t", known, Answer(0, 0, THIS), 1),
    "take back": lambda store, known: store.take_back("t", known, 0, 1),
    "sit": lambda store, known: store.sit("t", known, SeatRow(1, "other")),
    "begin": lambda store, known: store.begin_game("t", known, [SeatRow(1, "other")]),
    "change": lambda store, known: store.change("t", known, {"pace": "fast"}),
    "go on": lambda store, known: store.continue_at("t", known, row("v"), [ME]),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("known", [0, 2])
def test_who_knows_another_version_changes_nothing(begun: Store, name: str, known: int) -> None:
    """An older one, or one that there never was."""
    begun.change("t", 0, {"pace": "slow"})
    begun.changed.clear()
    before = kept(begun)
    with pytest.raises(Overtaken):
        CHANGES[name](begun, known)
    assert kept(begun) == before
    assert begun.row("v") is None
    assert begun.changed == set()


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_raises_the_version_by_one_and_is_noted(begun: Store, name: str) -> None:
    CHANGES[name](begun, 0)
    assert begun.versions(["t", "u", "none"]) == {"t": 1, "u": 0}
    assert begun.changed == {"t"}


def test_what_looking_notes_is_read_at_once_and_kept_later(begun: Store) -> None:
    begun.see("t", 1, at(5))
    begun.begin("t", 3)
    found = begun.read("t")
    assert found is not None
    assert (found.seats[0].seen_at, found.seats[1].seen_at, found.row.to_act) == (None, at(5), 3)
    assert (kept(begun).seats[1].seen_at, kept(begun).row.to_act) == (None, None)
    begun.keep_notes()
    again = kept(begun)
    assert (again.seats[1].seen_at and aware(again.seats[1].seen_at), again.row.to_act) == (at(5), 3)
    assert (again.row.version, kept(begun, "u").row.to_act) == (0, None)
    begun.append("t", 0, 0, [Answer(0, 0, THIS)], 2)
    begun.begin("t", 1)
    begun.keep_notes()
    assert kept(begun).row.to_act == 2, "who begins was written over who decides"


def test_what_is_kept_is_not_written_again(begun: Store) -> None:
    """Another process may have written a later look meanwhile."""
    begun.see("t", 0, at(1))
    begun.begin("t", 3)
    begun.keep_notes()
    other = Store(begun.engine)
    other.see("t", 0, at(2))
    other.keep_notes()
    begun.keep_notes()
    assert begun._begun == {}
    seen = kept(begun).seats[0].seen_at
    assert seen is not None
    assert aware(seen) == at(2)


def test_a_deleted_table_is_gone_with_all_that_is_its_own(begun: Store) -> None:
    begun.append("t", 0, 0, [Answer(0, 0, THIS)], 1)
    begun.choose("t", 1, Answer(1, 0, THIS), 1)
    begun.append("u", 0, 0, [Answer(0, 0, THIS)], 1)
    begun.change("u", 1, {"next": "t"})
    begun.archive("t", "me", True)
    begun.archive("u", "me", True)
    ChatMessages(begun.engine).add("u", 0, None, None, "Hello")
    begun.begin("t", 3)
    begun.delete("t")
    begun.keep_notes()
    assert begun.read("t") is None
    found = kept(begun, "u")
    assert (found.row.next, found.row.version, found.moves) == (None, 4, (Answer(0, 0, THIS),))
    assert found.seats == (ME, YOU)
    assert [table.archived for table in begun.tables_of("me")] == [True]
    assert len(ChatMessages(begun.engine).of("u")) == 1
    begun.make_table(row("t", made_at=at(1)), [ME, YOU])
    assert kept(begun).moves == kept(begun).choices == ()
    assert {listed.row.id: listed.archived for listed in begun.tables_of("me")} == {"t": False, "u": True}


# Lists


def test_a_browser_is_shown_what_it_made_or_plays_at_where_something_happened_last_first(
    store: Store,
) -> None:
    store.make_table(row("made", made_at=at(1), maker="me"), [YOU])
    store.make_table(row("played", made_at=at(0), maker="you"), [ME, YOU])
    store.make_table(row("others", made_at=at(9), maker="you"), [YOU])
    People(store.engine).rename("you", "Ann")
    assert [listed.row.id for listed in store.tables_of("me")] == ["made", "played"]
    store.append("played", 1, 0, [Answer(0, 0, THIS)], 1, 7)
    found = store.tables_of("me")
    assert [listed.row.id for listed in found] == ["played", "made"]
    by_name = {listed.row.id: listed for listed in found}
    assert [(seat.browser, seat.name) for seat in by_name["played"].seats] == [("me", None), ("you", "Ann")]
    assert [seat.browser for seat in by_name["made"].seats] == ["you"]
    assert (by_name["played"].round, by_name["made"].round) == (7, None)
    assert by_name["made"].moved_at is None
    assert len(store.tables_of("me", 1)) == 1
    assert store.tables_of("nobody") == []


def test_a_table_is_archived_for_one_browser_alone(begun: Store) -> None:
    begun.archive("t", "me", True)
    begun.archive("t", "me", True)
    assert {listed.row.id: listed.archived for listed in begun.tables_of("me")} == {"t": True, "u": False}
    assert not any(listed.archived for listed in begun.tables_of("you"))
    for browser, name, apart in (("me", "t", True), ("you", "t", False), ("me", "u", False)):
        listed = begun.listed(name, browser)
        assert listed is not None
        assert listed.archived is apart
        assert listed.seats == (ME, YOU)
    assert begun.listed("none", "me") is None
    begun.archive("u", "me", True)
    begun.archive("t", "me", False)
    assert {listed.row.id: listed.archived for listed in begun.tables_of("me")} == {"t": False, "u": True}


def test_the_lobby_shows_public_tables_with_a_free_seat_the_newest_first(store: Store) -> None:
    free, full = [ME, SeatRow(1)], [ME, SeatRow(1, None, "random")]
    for name, minutes, sitting, also in (
        ("first", 1, free, {"to_act": 1}),
        ("second", 2, free, {}),
        ("full", 3, full, {}),
        ("private", 4, free, {"public": False}),
        ("over", 5, free, {"to_act": 0}),
        ("old", -1, free, {}),
    ):
        store.make_table(row(name, made_at=at(minutes), **{"public": True, **also}), sitting)
    found = store.public_tables(at(0))
    assert [(listed.row.id, listed.archived) for listed in found] == [("second", False), ("first", False)]
    assert found[0].seats == tuple(free)
    assert [listed.row.id for listed in store.public_tables(at(0), 1)] == ["second"]


def test_unfinished_tables_are_counted_by_maker_and_time(store: Store) -> None:
    for name, minutes, also in (
        ("new", 1, {}),
        ("running", 2, {"to_act": 2}),
        ("over", 3, {"to_act": 0}),
        ("old", -1, {}),
        ("yours", 4, {"maker": "you"}),
    ):
        store.make_table(row(name, made_at=at(minutes), **also), [ME])
    assert store.unfinished_by("me", at(0)) == 2
    assert store.unfinished_by("nobody", at(0)) == 0
    assert store.unfinished(["new", "over", "yours", "none"]) == {"new", "yours"}


# People


def test_a_name_is_of_one_browser_and_its_tables_are_drawn_again(begun: Store) -> None:
    known = People(begun.engine)
    begun.make_table(row("v"), [YOU])
    assert sorted(known.rename("me", "Ann")) == ["t", "u"]
    known.rename("you", "Bob")
    known.rename("you", "Ben")
    assert (known.name("me"), known.name("nobody")) == ("Ann", None)
    assert known.names(["me", "you", "nobody"]) == {"me": "Ann", "you": "Ben"}
    assert begun.versions("tuv") == {"t": 3, "u": 3, "v": 2}
    assert [seat.name for seat in kept(begun).seats] == ["Ann", "Ben"]
    begun.sit("t", 3, SeatRow(0, "me", guest="Cleo"))
    begun.sit("t", 4, SeatRow(1, "you", guest=""))
    assert [seat.name for seat in kept(begun).seats] == ["Cleo", None]
    known.rename("me", None)
    assert known.names(["me", "you"]) == {"you": "Ben"}


def test_a_person_has_one_code_at_most_which_works_once(begun: Store) -> None:
    devices = Devices(begun.engine)
    for person, digest in (("me", "old"), ("me", "new"), ("you", "yours")):
        devices.make_code(person, digest, {"language": person})
    assert [devices.owner(digest) for digest in ("old", "new", "yours", "")] == [None, "me", "you", None]
    assert devices.use("old", "phone") is None
    assert devices.use("new", "phone") == {"language": "me"}
    assert devices.use("new", "tablet") is None
    assert (devices.person_of("phone"), devices.person_of("tablet"), devices.person_of("me")) == (
        "me",
        None,
        None,
    )
    assert [device.browser for device in devices.of("me")] == ["phone"]
    assert browsers_of(begun.engine, "me") == browsers_of(begun.engine, "phone") == {"me", "phone"}
    assert sorted(devices.end("me")) == ["t", "u"]
    assert (devices.of("me"), devices.owner("yours")) == ([], "you")
    assert (kept(begun).row.version, kept(begun).seats[0].earlier) == (1, ["phone"])


def test_the_last_messages_of_a_table_are_kept(begun: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "KEPT", 2)
    said = ChatMessages(begun.engine)
    said.add("u", None, "Zoe", "well", "")
    for what in ("one", "two", "three"):
        said.add("t", 1, None, None, what)
    said.add("none", 1, None, None, "lost")
    assert [(message.number, message.text) for message in said.of("t")] == [(2, "two"), (3, "three")]
    (first,) = said.of("u")
    assert (first.number, first.seat, first.name, first.phrase, first.text) == (1, None, "Zoe", "well", "")
    assert (kept(begun).row.version, kept(begun).row.said, kept(begun, "u").row.said) == (3, 3, 1)
    assert abs(aware(first.made_at) - now()) < timedelta(minutes=5)


# What people have finished


def result(browser: str, table: str, minutes: float, **also: Any) -> Result:
    """How a game ended."""
    known = {"game": "signs", "players": 2, "seat": 0, "place": 1, "points": [3, 1], "against": ["Ann"]}
    return Result(**{"browser": browser, "table_id": table, "ended_at": at(minutes), **known, **also})


def test_results_come_with_the_last_line_and_stay_until_they_are_forgotten(begun: Store) -> None:
    mine = [result("me", "t", 1), result("me", "u", 2, place=2), result("you", "t", 1, seat=1)]
    begun.append("t", 0, 0, [Answer(0, 0, THIS)], 0, results=mine)
    begun.delete("t")
    past = History(begun.engine)
    assert [(found.table_id, found.place, found.points) for found in past.of("me")] == [
        ("u", 2, [3, 1]),
        ("t", 1, [3, 1]),
    ]
    past.upload(Upload("r", "me", at(1), "signs", "{}"))
    past.upload(Upload("s", "you", at(1), "signs", "{}"))
    past.forget("me")
    assert (past.of("me"), past.uploads_of("me"), past.uploaded("r")) == ([], [], None)
    assert ([found.against for found in past.of("you")], past.uploaded("s") is not None) == ([["Ann"]], True)


def test_the_latest_records_of_a_browser_are_kept(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "MOST_UPLOADS", 2)
    past = History(engine)
    past.upload(Upload("other", "you", at(0), "signs", "{}"))
    for number in range(4):
        past.upload(Upload(str(number), "me", at(number), "signs", "x" * number))
    assert [(row["id"], row["game"]) for row in past.uploads_of("me")] == [("3", "signs"), ("2", "signs")]
    assert [row["id"] for row in past.uploads_of("you")] == ["other"]
    found = past.uploaded("3")
    assert found is not None
    assert (found.browser, found.text, past.uploaded("0")) == ("me", "xxx", None)


# Being told


def ways(**also: Any) -> NotificationChannels:
    """How somebody is told."""
    return NotificationChannels(**{"language": "en", "site": "https://atoll.example.org", **also})


def test_ways_are_a_browsers_and_those_that_lead_nowhere_are_forgotten(engine: Engine) -> None:
    told, mine = (
        NotificationStore(engine),
        ways(push={"endpoint": "https://push.example.org/1"}, webhook="https://h/1"),
    )
    assert told.of("me") is None
    told.keep("me", ways(webhook="https://h/0", language="fr"))
    told.keep("me", mine)
    told.keep("you", ways(push={"endpoint": "https://push.example.org/2"}))
    assert told.of("me") == mine
    assert set(told.of_all(["me", "you", "nobody"])) == {"me", "you"}
    told.forget_push("https://push.example.org/1")
    assert told.of("me") == ways(webhook="https://h/1")
    yours = told.of("you")
    assert yours is not None
    assert yours.push is not None
    told.keep("me", ways())
    assert (told.of("me"), told.of("you")) == (None, yours)


def test_a_table_has_one_webhook_which_goes_with_its_maker(begun: Store) -> None:
    told = NotificationStore(begun.engine)
    begun.make_table(row("v", maker="you"), [YOU])
    for name in "tv":
        told.keep_for_table(name, ways(webhook="https://h/0"))
        told.keep_for_table(name, ways(webhook=f"https://h/{name}", language="fr"))
    told.keep("me", ways(webhook="https://h/me"))
    told.keep("you", ways(webhook="https://h/you"))
    assert told.of_table("t") == ways(webhook="https://h/t", language="fr")
    assert told.of_table("u") is None
    told.forget("me")
    assert (told.of("me"), told.of_table("t")) == (None, None)
    assert told.of("you") is not None
    assert told.of_table("v") is not None
    told.keep_for_table("v", ways())
    assert told.of_table("v") is None


def test_failures_of_a_webhook_are_counted_from_its_last_success_on(begun: Store) -> None:
    told = NotificationStore(begun.engine)
    told.keep("me", ways(webhook="https://h/1"))
    told.keep("you", ways(webhook="https://h/2"))
    told.keep_for_table("t", ways(webhook="https://h/1"))

    def failed() -> list[int]:
        return [found.failed for found in (told.of("me"), told.of("you"), told.of_table("t")) if found]

    told.note_webhook("https://h/1", False)
    told.note_webhook("https://h/1", False)
    assert failed() == [2, 0, 2]
    told.note_webhook("https://h/2", True)
    assert failed() == [2, 0, 2]
    told.note_webhook("https://h/1", True)
    assert failed() == [0, 0, 0]


def test_a_decision_is_claimed_once_by_whoever_is_first(begun: Store) -> None:
    one, other = NotificationStore(begun.engine), NotificationStore(begun.engine)
    assert one.claim("t", 0, 3)
    assert not other.claim("t", 0, 3)
    assert not other.claim("t", 0, 2)
    assert other.claim("t", 0, 4)
    assert one.claim("t", 1, 0)
    assert one.claim("u", 0, 0)


def test_who_has_seen_a_decision_is_not_told_of_it_by_any_process(begun: Store) -> None:
    one, other = NotificationStore(begun.engine), NotificationStore(begun.engine)
    one.note("t", 0, 0)
    one.note("t", 0, 2)
    one.note("t", 0, 2)
    assert not one.claim("t", 0, 2)
    assert not one.claim("t", 0, 1)
    one.keep_notes()
    assert not other.claim("t", 0, 2)
    assert other.claim("t", 0, 3)
    one.note("t", 0, 1)
    one.keep_notes()
    with begun.engine.connect() as connection:
        assert list(connection.scalars(select(seats.c.told).order_by(seats.c.table_id, seats.c.seat))) == [
            *(3, None, None, None)
        ]


def test_notes_that_are_kept_are_not_kept_again(begun: Store) -> None:
    told = NotificationStore(begun.engine)
    told.note("t", 0, 2)
    told.keep_notes()
    with begun.engine.execution_options(writes=True).begin() as connection:
        connection.execute(seats.update().values(told=None))
    told.keep_notes()
    told.note("t", 0, 2)
    told.keep_notes()
    with begun.engine.connect() as connection:
        assert set(connection.scalars(select(seats.c.told))) == {None}


def test_the_seats_of_which_most_is_remembered_are_the_latest(
    begun: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tellings, "KNOWN", 2)
    told = NotificationStore(begun.engine)
    told.note("t", 0, 5)
    told.note("t", 1, 5)
    told.note("t", 0, 6)
    told.note("u", 0, 5)
    assert not told.claim("t", 0, 6)
    assert not told.claim("u", 0, 5)
    assert told.claim("t", 1, 5)


def test_after_a_start_running_tables_are_looked_at_where_somebody_wants_to_be_told(begun: Store) -> None:
    told = NotificationStore(begun.engine)
    for name, also in (
        ("running", {"to_act": 1}),
        ("over", {"to_act": 0}),
        ("given-up", {"to_act": 1, "ended": "agreed"}),
        ("unknown", {}),
        ("hooked", {"to_act": 2}),
        ("others", {"to_act": 2}),
    ):
        begun.make_table(row(name, **also), [YOU if name in ("hooked", "others") else ME])
    told.keep("me", ways(webhook="https://h/1"))
    told.keep_for_table("hooked", ways(webhook="https://h/2"))
    assert sorted(told.awaiting()) == ["hooked", "running"]


# Clocks


def test_tables_whose_clock_is_due_are_found(begun: Store) -> None:
    assert clocks_due(begun.engine, 100) is None
    begun.change("t", 0, {"clock_due": 50.0})
    begun.change("u", 0, {"clock_due": 60.0})
    assert clocks_due(begun.engine, 49) == []
    assert clocks_due(begun.engine, 50) == ["t"]
    assert sorted(clocks_due(begun.engine, 60) or []) == ["t", "u"]
    stop_clock(begun.engine, "t")
    assert clocks_due(begun.engine, 100) == ["u"]
    with begun.engine.connect() as connection:
        assert dict(connection.execute(select(tables.c.id, tables.c.clock_due)).all()) == {
            "t": None,
            "u": 60.0,
        }


# The workshop


def asked_for(queue: ComparisonQueue, made: ComponentSet, browser: str = "me") -> QueuedComparison:
    """A comparison that a set was asked for."""
    queue.ask(made.id, browser, {"games": 5})
    found = queue.of(made.id)
    assert found is not None
    return found


def test_a_set_has_its_latest_trials_and_goes_with_them(engine: Engine) -> None:
    sets, queue = ComponentSets(engine), ComparisonQueue(engine)
    mine, other = (sets.make("me", "karuba", name, "source", {"a": 1}) for name in ("one", "two"))
    for made, number in [(mine, number) for number in range(TRIALS_KEPT + 2)] + [(other, 99)]:
        asked_for(queue, made)
        running = queue.claim("worker")
        assert running is not None
        queue.finish(running, "worker", {"number": number})
        assert queue.of(made.id) is None
    assert [trial.result["number"] for trial in sets.trials(mine.id)] == [*range(TRIALS_KEPT + 1, 1, -1)]
    assert (sets.count("me"), sets.count("you")) == (2, 0)
    asked_for(queue, mine)
    running = queue.claim("worker")
    assert running is not None
    sets.delete(mine.id)
    queue.finish(running, "worker", {"number": -1})
    assert (sets.find(mine.id, "me"), sets.trials(mine.id), sets.versions(mine.id)) == (None, [], [])
    assert [trial.result for trial in sets.trials(other.id)] == [{"number": 99}]
    assert len(sets.versions(other.id)) == 1


def test_comparisons_are_played_once_in_the_order_in_which_they_were_asked_for(engine: Engine) -> None:
    sets, queue, elsewhere = ComponentSets(engine), ComparisonQueue(engine), ComparisonQueue(engine)
    first, second = (sets.make(name, "karuba", name, "source", {}) for name in ("me", "you"))
    asked = [asked_for(queue, made, made.name) for made in (first, second)]
    assert sorted(elsewhere.asking().values()) == ["me", "you"]
    claimed = [queue.claim("here"), elsewhere.claim("there"), queue.claim("here")]
    assert [found and found.id for found in claimed] == [asked[0].id, asked[1].id, None]
    assert queue.note(asked[0], "here", "playing", 3)
    assert not elsewhere.note(asked[0], "there", "playing", 4)
    found = elsewhere.of(first.id)
    assert found is not None
    assert (found.state, found.done, found.question) == ("playing", 3, {"games": 5})
    elsewhere.finish(asked[0], "there", {})
    queue.finish(asked[0], "here", None)
    elsewhere.finish(asked[1], "there", {"found": 1})
    found = queue.of(first.id)
    assert (found and found.state, queue.of(second.id), queue.asking()) == ("failed", None, {})
    assert ([one.result for one in sets.trials(second.id)], sets.trials(first.id)) == ([{"found": 1}], [])


def test_what_a_process_gives_back_waits_as_if_it_had_not_been_begun(engine: Engine) -> None:
    """As often as a site is restarted."""
    sets, queue = ComponentSets(engine), ComparisonQueue(engine)
    first, second = (sets.make(name, "karuba", name, "source", {}) for name in ("me", "you"))
    asked = [asked_for(queue, made, made.name) for made in (first, second)]
    assert queue.claim("there") is not None
    for _ in range(MOST_BEGUN + 1):
        claimed = queue.claim("here")
        assert claimed is not None
        assert (claimed.id, queue.note(claimed, "here", "playing", 3)) == (asked[1].id, True)
        queue.give_back("here")
        assert queue.of(second.id) == asked[1]
    assert queue.note(asked[0], "there", "playing", 5)


def test_a_cancelled_comparison_is_nobodys(engine: Engine) -> None:
    sets, queue = ComponentSets(engine), ComparisonQueue(engine)
    made = sets.make("me", "karuba", "one", "source", {})
    asked = asked_for(queue, made)
    assert queue.claim("here") is not None
    queue.cancel(made.id)
    again = asked_for(queue, made)
    assert not queue.note(asked, "here", "playing", 1)
    queue.finish(asked, "here", {})
    assert (queue.of(made.id), sets.trials(made.id)) == (again, [])


def test_what_a_dead_process_played_is_begun_anew_and_what_kills_two_is_not(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets, queue = ComponentSets(engine), ComparisonQueue(engine)
    made = sets.make("me", "karuba", "one", "source", {})
    asked = asked_for(queue, made)
    began = time.time()
    for died, worker in enumerate(("first", "second")):
        monkeypatch.setattr(time, "time", lambda died=died: began + died * (LOST + 1))
        claimed = queue.claim(worker)
        assert claimed is not None
        assert claimed.id == asked.id
        assert queue.note(asked, worker, "playing", 1)
        assert queue.claim("other") is None
    assert not queue.note(asked, "first", "playing", 2)
    monkeypatch.setattr(time, "time", lambda: began + 2 * (LOST + 1))
    assert queue.claim("third") is None
    found = queue.of(made.id)
    assert found is not None
    assert found.state == "failed"


def test_what_a_browser_has_left_is_begun_anew_by_a_process(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets, queue = ComponentSets(engine), ComparisonQueue(engine)
    made = sets.make("me", "karuba", "one", "source", {})
    began = time.time()
    queue.ask(made.id, "me", {"games": 5}, by_browser=True)
    assert queue.claim("here") is None
    asked = queue.of(made.id)
    assert asked is not None
    assert asked.by_browser
    monkeypatch.setattr(time, "time", lambda: began + LOST - 1)
    assert queue.go_on(asked, 3, {"games": 5, "sums": {}})
    assert not queue.go_on(asked, 3, {"games": 5}), "as another page of the browser would"
    monkeypatch.setattr(time, "time", lambda: began + LOST + 1)
    assert queue.claim("here") is None
    further = queue.of(made.id)
    assert further is not None
    assert (further.done, further.question) == (3, {"games": 5, "sums": {}})
    monkeypatch.setattr(time, "time", lambda: began + 2 * LOST)
    assert queue.claim("here") is not None
    assert not queue.go_on(further, 4, {"games": 5})
    queue.finish(further, BROWSER, {})
    found = queue.of(made.id)
    assert found is not None
    assert (found.by_browser, found.done, found.state) == (False, 0, "compiling")


def test_a_draft_that_cannot_be_played_leaves_what_can(engine: Engine) -> None:
    sets = ComponentSets(engine)
    made = sets.make("me", "karuba", "one", "source", {"a": 1})
    assert (made.is_playable, made.revision, made.source) == (True, 0, "source")
    sets.change(made, "new", {"a": 2}, False)
    found = sets.find(made.id, "me")
    assert found is not None
    assert (found.name, found.draft, found.playable, found.is_playable, found.revision) == (
        *("new", {"a": 2}, {"a": 1}, False, 1),
    )
    with pytest.raises(Overtaken):
        sets.change(made, "late", {"a": 4}, True)
    assert sets.find(made.id, "you") is None
    sets.change(found, "new", {"a": 3}, True)
    again = sets.find(made.id, "me")
    assert again is not None
    assert (again.playable, again.is_playable, again.changed_at >= found.changed_at) == ({"a": 3}, True, True)


def test_sets_are_listed_the_last_changed_first(engine: Engine) -> None:
    sets = ComponentSets(engine)
    first = sets.make("me", "karuba", "one", "s", {})
    second = sets.make("me", "signs", "two", "s", {})
    sets.make("you", "signs", "three", "s", {})
    assert [found.id for found in sets.of("me")] == [second.id, first.id]
    assert [found.id for found in sets.of("me", "karuba")] == [first.id]
    sets.change(first, "first", {}, True)
    assert sets.names("me") == [("karuba", first.id, "first"), ("signs", second.id, "two")]


def test_a_version_has_the_next_number_and_the_last_note(engine: Engine) -> None:
    sets = ComponentSets(engine)
    made = sets.make("me", "karuba", "one", "s", {"a": 1})
    assert sets.keep(made.id, "", {"a": 1}) == 1
    assert sets.keep(made.id, "said", {"a": 1}) == 1
    assert sets.keep(made.id, "", {"a": 1}) == 1
    assert sets.keep(made.id, "more", {"a": 2}) == 2
    assert [(found.number, found.note, found.data) for found in sets.versions(made.id)] == [
        *((1, "said", {"a": 1}), (2, "more", {"a": 2})),
    ]

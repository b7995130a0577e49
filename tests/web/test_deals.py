"""Deals that can be checked: committed to before anybody sits down, with what players add, proved at the end."""

import dataclasses
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL, insert

from atoll.core import records
from atoll.core.catalogue import find_game
from atoll.core.lessons import scripts_of
from atoll.core.provable_deals import ProvenDeal, prove
from atoll.engine.commitments import commitment, deal_seed, written
from atoll.text.errors import RecordError
from atoll.web.refusal import Refusal
from atoll.web.serving.replay_requests import make_branch
from atoll.web.serving.site import Site
from atoll.web.store.engine import open_engine
from atoll.web.store.migrations import migrate
from atoll.web.store.schema import seats as seat_rows
from atoll.web.store.schema import tables as table_rows
from atoll.web.store.store import SeatRow, Store, now
from atoll.web.table import deals
from atoll.web.table.creation import again, new_table
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record
from atoll.web.table.tables import Tables
from tests.conftest import Run
from tests.web.conftest import Browser
from tests.web.test_coming_together import made
from tests.web.test_foretelling import JOINED, NEWCOMER, play_against_bots
from tests.web.test_undo import fresh, told

TableAt = Callable[[str], Table]
Lines = list[dict[str, Any]]


@pytest.fixture
def store(tmp_path: Path, games_for_tests: None) -> Store:
    """A database of its own."""
    found = Store(open_engine(URL.create("sqlite", database=str(tmp_path / "atoll.sqlite"))))
    migrate(found.engine)
    return found


def waiting_table(store: Store, game: str, people: int = 2) -> Table:
    """A table of three in its waiting room, where seat i has the browser i; nobody has the other seats."""
    row = new_table(find_game(game), 3, {}, "at once", None, "0", False, "alone")
    store.make_table(
        dataclasses.replace(row, waiting=True),
        [SeatRow(seat, str(seat) if seat < people else None, None, now()) for seat in range(3)],
    )
    return Tables(store).find(row.id)


def finished(table: Table, seed: int = 1) -> Lines:
    """Play to the end; the lines of the record."""
    play_against_bots(table, 100_000, random.Random(seed))
    return lines_of(table)


def lines_of(table: Table) -> Lines:
    """The lines of its record, as a spectator gets it."""
    return [json.loads(line) for line in table_record(table, None).splitlines()]


def proved(lines: Lines) -> ProvenDeal:
    """What a record proves; raises RecordError."""
    [record] = records.read_records(records.encode(lines).splitlines())
    for _ in records.replay(record):
        pass
    return prove(record)


@pytest.mark.parametrize("game", ["cast-away", "costa-ruana", "karuba"])
def test_what_players_add_goes_into_the_deal_and_is_proved(store: Store, game: str) -> None:
    """Another process that has the table in memory deals the same; the record proves it, and no other words do."""
    table = waiting_table(store, game)
    elsewhere, before = fresh(table), table.start().to_json()
    shown = deals.deal_of(table.row, (), whole=False)
    table.contribute(Viewer(0, maker=True), "7")
    table.contribute(Viewer(1), "héron bleu")
    table.begin_game(Viewer(0, maker=True), "easy")
    assert table.start().to_json() != before
    elsewhere.catch_up()
    assert elsewhere.timeline.position.state.tobytes() == table.timeline.position.state.tobytes()
    assert table.timeline.position.state.tobytes() == table.start().state.tobytes()
    assert table.row.to_act == sum(1 << seat for seat in table.timeline.to_act)
    table.put_bot(1, "random", Viewer(1))
    table.put_bot(2, "random", Viewer(0, maker=True))
    lines = finished(table)
    deal = proved(lines)
    assert {"commitment": deal.commitment} == shown
    assert deal.contributions == ("7", "héron bleu", None)
    assert deal.earlier is None
    for words in (["8", "héron bleu", None], [None, "héron bleu", None], ["héron bleu", "7", None]):
        with pytest.raises(RecordError, match="the seed does not follow"):
            proved([{**lines[0], "deal": {**lines[0]["deal"], "contributions": words}}, *lines[1:]])


def test_every_change_of_what_was_dealt_is_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever exchanges the key, what was added, the cards or what chance decided later, and whatever is adjusted to
    it."""
    monkeypatch.setattr("atoll.web.table.creation.new_key", lambda: 1)  # a pile is shuffled anew in that game
    table = waiting_table(store, "cast-away")
    table.contribute(Viewer(0), "7")
    table.begin_game(Viewer(0, maker=True), "easy")
    for seat in range(1, 3):
        table.put_bot(seat, "random", Viewer(0, maker=True) if seat > 1 else Viewer(1))
    lines = finished(table)
    proved(lines)
    head, deal = lines[0], lines[0]["deal"]

    def refused(*changed: dict[str, Any], after: int = 1, **header: Any) -> str:
        text = records.encode([{**head, **header}, *changed, *lines[after:]])
        [record] = records.read_records(text.splitlines())
        with pytest.raises(RecordError) as caught:
            prove(record)
        return str(caught.value)

    other = written(5)
    assert "not the one to whose digest" in refused(deal={**deal, "key": other})
    assert "the seed does not follow" in refused(deal={**deal, "key": other, "commitment": commitment(other)})
    seed, whole = deal_seed(other, deal["contributions"]), {"key": other, "commitment": commitment(other)}
    assert "line 1: the start is not" in refused(deal={**deal, **whole}, seed=seed)
    assert "nothing by which" in refused(deal=None)
    assert "once the game is over" in refused(deal={**deal, "key": None})
    assert "one line of text" in refused(deal={**deal, "contributions": ["7\n1: 8"]})
    assert "missing or wrong" in refused(deal={**deal, "from": 0})
    pile = head["start"]["boosts"]["pile"]
    turned = {**head["start"], "boosts": {**head["start"]["boosts"], "pile": pile[::-1]}}
    assert "line 1: the start is not" in refused(start=turned)
    at = next(
        number for number, line in enumerate(lines) if len(line.get("chance", {}).get("fishing_pile", ())) > 1
    )
    chance = {**lines[at]["chance"], "fishing_pile": lines[at]["chance"]["fishing_pile"][::-1]}
    found = refused(*lines[1:at], {**lines[at], "chance": chance}, after=at + 1)
    assert f"line {at + 1}: chance decided otherwise" in found


def test_a_table_dealt_anew_was_committed_to_that_deal_before(store: Store, site: Site) -> None:
    """The key to it follows from the one whose digest was shown from the start; a second time, and where the game is
    played on, from a key of the new table's own. The log says so.
    """
    table = waiting_table(store, "karuba", people=1)
    table.begin_game(Viewer(0, maker=True), "random")
    chance = random.Random(4)
    play_against_bots(table, 12, chance)
    for newcomer in (NEWCOMER, "another"):
        table.undo(0, table.timeline.decision(0), table.timeline.stays)
        table.open_bots(True, Viewer(0, maker=True))
        table.take_seat(1, newcomer)
        assert [text for text in told(table, 1) if JOINED in text and "from the beginning" in text]
        table.change_seat(lambda: dataclasses.replace(table.seating.seats[1], browser=None, bot="random"))
        play_against_bots(table, len(table.timeline.answers) + 8, chance)
    assert [redeal.number for redeal in fresh(table).timeline.redeals] == [1, 2]
    assert all("key" not in line for line in lines_of(table))
    lines = finished(table)
    assert proved(lines).commitment == commitment(str(table.row.key))
    first, second = (number for number, line in enumerate(lines) if "redeal" in line)
    for key in ("key", "number"):
        for missing in (first, second):
            changed = [
                {k: v for k, v in line.items() if k != key or n != missing} for n, line in enumerate(lines)
            ]
            if key == "key":
                with pytest.raises(RecordError, match="does not follow from the key"):
                    proved(changed)
    exchanged = [dict(line) for line in lines]
    exchanged[second]["key"] = lines[first]["key"]
    with pytest.raises(RecordError, match=f"line {second + 1}: .*does not follow"):
        proved(exchanged)


def test_a_game_that_is_played_on_proves_what_was_dealt_since(store: Store, site: Site) -> None:
    """The earlier deal, which all could know, is no longer proved, and the record says so."""
    before = waiting_table(store, "karuba", people=1)
    before.begin_game(Viewer(0, maker=True), "random")
    play_against_bots(before, 12, random.Random(4))
    before.undo(0, before.timeline.decision(0), 0)
    before.open_bots(True, Viewer(0, maker=True))
    before.take_seat(1, NEWCOMER)
    before.put_bot(1, "random", Viewer(1))
    finished(before)

    class Here:
        store = before.store
        make_table = staticmethod(before.store.make_table)

    at = 20
    branch = Tables(store).find(make_branch(Here, before, 0, at, "0"))  # type: ignore[arg-type]
    assert branch.row.key != before.row.key
    branch.open_bots(True, Viewer(0, maker=True))
    branch.take_seat(1, NEWCOMER)
    branch.put_bot(1, "random", Viewer(1))
    lines = finished(branch)
    assert proved(lines).earlier == lines[0]["deal"]["from"] == at + 1
    earlier, own = (number for number, line in enumerate(lines) if "redeal" in line)
    assert "number" not in lines[earlier]
    forged = [dict(line) for line in lines]
    forged[own]["key"] = lines[earlier]["key"]
    with pytest.raises(RecordError, match="does not follow"):
        proved(forged)


def test_a_lesson_is_no_secret(browser: Browser, table_at: TableAt) -> None:
    path = str(
        browser.post(
            "/lessons", {"game": "karuba", "lesson": next(iter(scripts_of(find_game("karuba"))))}
        ).url.path
    )
    assert "goes on from one whose cards all could know" in browser.get(path).text
    assert lines_of(table_at(path))[0]["deal"]["from"] == 0


def test_from_the_waiting_room_to_the_proof(
    new_browser: Callable[..., Browser], table_at: TableAt, run: Run, tmp_path: Path
) -> None:
    """As people meet it, spectators too; until the end nothing shows the key, and a later game has another."""
    anna, ben, eve = new_browser(), new_browser(), new_browser()
    path = made(anna)
    ben.post(f"{path}/seats", {"seat": "1"})
    digest = commitment(str(table_at(path).row.key))
    for browser in (anna, ben, eve):
        assert digest in browser.get(path).text
    assert eve.post(f"{path}/deal", {"words": "mine"}).status_code == 403
    assert "at most 40" in ben.post(f"{path}/deal", {"words": "x" * 41}).text
    assert ben.post(f"{path}/deal", {"words": "a\u202eb"}).status_code == 400
    anna.post(f"{path}/deal", {"words": " <b>7 "})
    ben.post(f"{path}/deal", {"words": "8"})
    ben.post(f"{path}/leave")
    assert table_at(path).row.contributions == ["<b>7", None, None]
    ben.post(f"{path}/seats", {"seat": "1"})
    ben.post(f"{path}/deal", {"words": "9"})
    assert '<bdi class="words">&lt;b&gt;7</bdi>' in ben.get(path).text
    ben.post(f"{path}/deal", {"words": ""})
    assert table_at(path).row.contributions == ["<b>7", None, None]
    ben.post(f"{path}/deal", {"words": "9"})
    anna.post(f"{path}/start", {"bot": "random"})
    assert "The game has begun" in ben.post(f"{path}/deal", {"words": "10"}).text
    table = table_at(path)
    key = str(table.row.key)
    for browser in (anna, ben, eve):
        for address in (path, f"{path}/record", f"{path}/back"):
            text = browser.get(address).text
            assert key not in text
            assert address.endswith("back") or digest in text
    with table.lock:
        for seat in (0, 1):
            table.put_bot(seat, "random", Viewer(seat))
        play_against_bots(table, 10_000, random.Random(1))
    assert key in eve.get(path).text
    file = tmp_path / "game.jsonl"
    file.write_text(eve.get(f"{path}/record").text, "utf-8")
    status, said, _ = run("replay", file, "--prove", "--no-log")
    assert status == 0
    assert "from the key and from what players added" in " ".join(said.split())
    assert digest in said
    file.write_text(file.read_text("utf-8").replace('"<b>7"', '"8"'), "utf-8")
    status, _, complaint = run("replay", file, "--prove", "--no-log")
    assert (status, "the seed does not follow" in " ".join(complaint.split())) == (2, True)
    row, _ = again(table.row, table.seating.seats, 0)
    assert row.key not in (None, key)
    assert (row.seed, row.contributions) == (deal_seed(str(row.key), ()), None)


def test_a_table_of_an_older_site_goes_on_as_it_was_dealt(store: Store, tmp_path: Path) -> None:
    """One in its waiting room and one at which somebody has seen further: neither has anything to check."""
    old = Store(open_engine(URL.create("sqlite", database=str(tmp_path / "old.sqlite"))))
    migrate(old.engine, "0002")
    new = {"key", "contributions", "daily", "begins_at", "counted", "asks"}
    kept = {}
    for name, waiting in (("waits", True), ("runs", False)):
        row = new_table(find_game("karuba"), 3, {}, "fast", None, "0", True, "alone")
        kept[name] = dataclasses.replace(row, id=name, waiting=waiting)
        with old.engine.begin() as connection:
            columns = {column: value for column, value in vars(kept[name]).items() if column not in new}
            connection.execute(insert(table_rows), [columns])
            people = [SeatRow(seat, None if seat else "0", "random" if seat else None) for seat in range(3)]
            seats = [person.stored(name) for person in people]
            connection.execute(
                insert(seat_rows), [{k: v for k, v in seat.items() if k != "feedback"} for seat in seats]
            )
    migrate(old.engine)
    for name, row in kept.items():
        table = Tables(old).find(name)
        if row.waiting:
            with pytest.raises(Refusal):
                table.contribute(Viewer(0), "7")
            table.begin_game(Viewer(0, maker=True), None)
        assert table.row.seed == row.seed
        play_against_bots(table, 12, random.Random(4))
        table.undo(0, table.timeline.decision(0), 0)
        table.take_seat(1, NEWCOMER)
        assert [redeal.number for redeal in table.timeline.redeals] == [None]
        table.put_bot(1, "random", Viewer(1))
        lines = finished(table)
        assert "deal" not in lines[0]
        with pytest.raises(RecordError, match="nothing by which"):
            proved(lines)

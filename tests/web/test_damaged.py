"""A database file that is damaged is found at the start, and never played on."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from atoll.text.errors import AtollError
from atoll.web.serving.security import secret_path
from atoll.web.serving.server import serve
from atoll.web.store.database import check_file, open_store
from atoll.web.store.migrations import migrate
from atoll.web.store.store import Answer, SeatRow, Store
from tests.web.test_store import empty, row


def is_refused(file: Path) -> bool:
    """Whether a database is refused, with the way to restore."""
    try:
        check_file(str(file))
    except AtollError as error:
        return "atoll restore" in str(error)
    return False


def test_a_flipped_bit_is_found_or_changes_no_key_of_a_move(tmp_path: Path) -> None:
    """Which table, seat and decision a move is of stands in the table and in its indexes, which are compared."""
    file, keys = tmp_path / "atoll.sqlite", "SELECT table_id, number, seat, decision FROM moves ORDER BY 1, 2"
    store = Store(empty(tmp_path))
    migrate(store.engine)
    for number in range(12):
        store.make_table(row(f"table{number}"), [SeatRow(0, "me"), SeatRow(1, "you")])
        for decision in range(8):
            answers = [Answer(0, decision, {"do": "this"})]
            store.append(f"table{number}", decision, decision, answers, 1)
    store.engine.dispose()
    whole, found, chance = file.read_bytes(), 0, random.Random(1)
    with closing(sqlite3.connect(file)) as opened:
        before = opened.execute(keys).fetchall()
    for _ in range(150):
        at = chance.randrange(len(whole))
        flipped = bytes([whole[at] ^ 1 << chance.randrange(8)])
        file.write_bytes(whole[:at] + flipped + whole[at + 1 :])
        if is_refused(file):
            found += 1
            continue
        with closing(sqlite3.connect(file)) as opened:
            assert opened.execute(keys).fetchall() == before, at
    assert found > 5


def test_a_database_that_is_open_elsewhere_is_checked_and_left_as_it_is(tmp_path: Path) -> None:
    """With what has been written to its log alone."""
    file = tmp_path / "atoll.sqlite"
    store = Store(empty(tmp_path))
    migrate(store.engine)
    store.make_table(row("t"), [SeatRow(0, "me"), SeatRow(1, "you")])
    log = Path(f"{file}-wal")
    before = file.read_bytes(), log.read_bytes()
    assert before[1]
    check_file(str(file))
    assert (file.read_bytes(), log.read_bytes()) == before
    store.engine.dispose()


def test_what_a_killed_site_has_left_is_checked_and_left_as_it_is(tmp_path: Path) -> None:
    """The log of what it had not yet written into the file, which its next start does."""
    store = Store(empty(tmp_path))
    migrate(store.engine)
    left = tmp_path / "left"
    left.mkdir()
    for name in ("atoll.sqlite", "atoll.sqlite-wal"):
        shutil.copy(tmp_path / name, left)
    store.engine.dispose()
    before = {name: (left / name).read_bytes() for name in ("atoll.sqlite", "atoll.sqlite-wal")}
    check_file(str(left / "atoll.sqlite"))
    assert {name: (left / name).read_bytes() for name in before} == before


def test_damage_that_the_check_cannot_put_into_words_is_damage(tmp_path: Path) -> None:
    """What it would say names an index whose name is no text any more."""
    file = tmp_path / "atoll.sqlite"
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute("CREATE TABLE words (word)")
        opened.execute("CREATE INDEX by_word ON words (word)")
    spoilt = file.read_bytes().replace(b"by_word", b"\xff\xff_word").replace(b"CREATE INDEX", b"CREATE INDEN")
    file.write_bytes(spoilt)
    with pytest.raises(AtollError) as refused:
        check_file(str(file))
    assert str(refused.value) == (
        f"the database {file} is damaged (what it says of its tables cannot be read): put the last backup back with "
        "`atoll restore FILE`, or move this one away and Atoll begins a new one"
    )


def test_an_empty_file_has_lost_everything_where_the_site_has_run_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database cut to nothing is as damaged as one that was cut short; at a first start that was killed it is none.
    The secret of cookies, made after the database, tells these apart.
    """
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    monkeypatch.delenv("ATOLL_DATABASE_URL", raising=False)
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "atoll.sqlite"
    file.touch()
    secret_path().write_bytes(b"s" * 32)
    with pytest.raises(AtollError, match=r"is damaged \(it is empty\): .* `atoll restore FILE`"):
        serve("127.0.0.1", 0, open_browser=False)
    assert file.read_bytes() == b""
    open_store().engine.dispose()
    assert file.stat().st_size


def test_a_database_that_cannot_be_opened_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder in its place; a file that may not be read fails in the same way."""
    monkeypatch.setenv("ATOLL_HOME", str(tmp_path))
    monkeypatch.delenv("ATOLL_DATABASE_URL", raising=False)
    (tmp_path / "data" / "atoll.sqlite").mkdir(parents=True)
    with pytest.raises(AtollError, match=r"atoll\.sqlite cannot be used: "):
        open_store()

"""A database file that is damaged is found at the start, and never played on."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

from atoll.core.errors import AtollError
from atoll.web.store.migrations import migrate
from atoll.web.store.opening import check_file
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

"""The record of a table's game, to be downloaded."""

from collections.abc import Iterator, Sequence

from atoll.bots import RECORDED_BOT
from atoll.core import records
from atoll.core.state import SPECTATOR
from atoll.core.types import Json
from atoll.text.translation import seat_names
from atoll.web.store.store import Answer, Contents, SeatRow, TableRow
from atoll.web.table.daily import is_todays
from atoll.web.table.deals import deal_of
from atoll.web.table.names import distinct_names
from atoll.web.table.table import Table
from atoll.web.table.timeline import is_redeal, is_undo
from atoll.web.translation import translator_for


def table_record(table: Table, seat: int | None) -> str:
    """The record: whole when the game is over, until then as the seat (None: a spectator) may know it."""
    action_of = table.game.notation.action_of
    names = player_names(table.seating.seats)
    start = table.start()
    if table.tells_all:
        return records.encode(whole_record(table, names))
    moves = [
        (
            line.seat,
            undo_line(line) if is_undo(line) else line.move if is_redeal(line) else action_of(line.move),
        )
        for line in table.timeline.lines
    ]
    eyes, deal = SPECTATOR if seat is None else seat, deal_of(table.row, table.timeline.lines, whole=False)
    return records.encode(records.redacted(start, moves, names, eyes, deal))


def stored_record(contents: Contents, browser: str) -> Iterator[Json]:
    """The lines of the record of a table that can no longer be replayed, as far as the store alone knows it: without
    `start` and `result`.

    Of a running game a browser gets the moves of its own seat, and of the others that they decided: only the rules
    under which they did so could tell what is hidden of it.
    """
    row = contents.row
    whole = row.is_over and not is_todays(row)
    described: Json = {"name": row.components_name, "sha256": row.components_sha256}
    if row.components_data is not None:
        described["data"] = row.components_data
    yield {
        "atoll": records.FORMAT,
        "game": row.game,
        "rules_version": row.rules_version,
        "players": player_names(contents.seats),
        "components": described,
        "options": row.options,
        "seed": seed_of(row) if whole else None,
        **({} if (deal := deal_of(row, contents.moves, whole=whole)) is None else {"deal": deal}),
    }
    mine = {occupant.seat for occupant in contents.seats if occupant.browser == browser}
    if len(mine) > 1:  # several share a screen, and each sees the own hand alone
        mine = set()
    for answer in contents.moves:
        if is_undo(answer):
            yield undo_line(answer)
            continue
        if is_redeal(answer):
            dealt = answer.move["redeal"] if whole else None
            yield {"player": answer.seat, "redeal": dealt, **records.numbered(answer.move)}
            continue
        yield {"player": answer.seat, "move": answer.move if whole or answer.seat in mine else None}


def seed_of(row: TableRow) -> int | str:
    """What a table was dealt with, as records say it."""
    return row.seed if row.keyed else int(row.seed, 16)


def player_names(seats: Sequence[SeatRow]) -> list[str]:
    """What a record calls who sits there."""
    translator = translator_for("en")
    people = [None if occupant.bot else occupant.name for occupant in seats]
    names = distinct_names(translator, people, seat_names(translator))
    return [RECORDED_BOT + occupant.bot if occupant.bot else names[occupant.seat] for occupant in seats]


def whole_record(table: Table, names: list[str]) -> Iterator[Json]:
    """Every line of a finished game's record."""
    position = table.start()
    lines = table.timeline.lines
    undoes = any(map(is_undo, lines))
    yield records.header(position, names, seed_of(table.row), deal_of(table.row, lines, whole=True))
    stood = [position.copy()]
    for answer in lines:
        if is_undo(answer):
            yield undo_line(answer)
            del stood[answer.move["undo"] + 1 :]
            position = stood[-1].copy()
            continue
        if is_redeal(answer):
            position = records.dealt_anew(position, answer.move["redeal"])
            stood[-1] = position.copy()
            key = {"key": answer.move["redeal"]}
            yield records.redeal(answer.seat, position) | key | records.numbered(answer.move)
            continue
        before = position.copy()
        events = position.play(answer.seat, answer.move)
        yield records.decision(before, position, answer.seat, answer.move, events)
        stood += [position.copy()] if undoes else []
    yield records.result(position)


def undo_line(line: Answer) -> Json:
    """The line that takes moves back, as records have it."""
    return records.take_back(line.seat, line.move["undo"], line.move.get("agreed", ()))

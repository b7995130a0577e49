"""The record of a table's game, to be downloaded."""

from collections.abc import Iterator

from atoll.core import records
from atoll.core.game import Json
from atoll.core.state import SPECTATOR
from atoll.core.words import seat_names
from atoll.web.drawing import words_for
from atoll.web.tables import Table


def table_record(table: Table, seat: int | None) -> str:
    """The record: whole when the game is over, until then as the seat (None: a spectator) may know it."""
    action_of = table.game.notation.action_of
    names = [
        f"bot: {sitting.bot}" if sitting.bot else name
        for sitting, name in zip(table.seats, seat_names(words_for("en")), strict=False)
    ]
    start = table.start()
    if table.position.is_over:
        return records.encode(whole_record(table, names))
    moves = [(answer.seat, action_of(answer.move)) for answer in table.answers]
    return records.encode(records.redacted(start, moves, names, SPECTATOR if seat is None else seat))


def whole_record(table: Table, names: list[str]) -> Iterator[Json]:
    """Every line of a finished game's record."""
    position = table.start()
    seed = table.row.seed if table.row.keyed else int(table.row.seed, 16)
    yield records.header(position, names, seed)
    for answer in table.answers:
        events = position.play(answer.seat, answer.move)
        yield records.decision(position, answer.seat, answer.move, events)
    yield records.result(position)

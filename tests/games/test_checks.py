"""What stands between a record and compiled rules, which have no bounds checks: every game's `check`."""

import random

import numpy as np
import pytest

from atoll.core import records
from atoll.core.game import Game, Position
from atoll.testing.playing import play_to_the_end, walk
from atoll.text.errors import RecordError
from atoll.text.printable import LONGEST_SENTENCE

FREE = {
    "cast-away": (
        *("generator", "phase"),
        *("event", "event_pile", "seen_count", "first_player"),
        *("stock", "lots", "gifts", "arrival_seat", "chooser"),
        *("prestige", "health", "happiness", "favour", "experience", "resources", "rests", "tribe"),
        *("learnt", "building", "price", "asked_target", "asked_amount"),
        *("todo_word", "todo_target", "todo_amount"),
    ),
    "costa-ruana": (
        *("generator", "phase", "tide", "time", "shaman", "table_front"),
        *("table_resolved", "card", "applied", "pieces_left", "taken_from"),
    ),
    "karuba": ("generator", "chosen"),
}
"""By game the fields of which another value can be right while all others stay."""


def change_one_number(position: Position, name: str, chance: random.Random) -> Position:
    """A copy in which one number of a field is another: one more or less, or at an end of what the field holds."""
    changed = position.copy()
    values = np.atleast_1d(changed.states[name].reshape(-1))  # a view of the record
    limits, at = np.iinfo(values.dtype), chance.randrange(values.size)
    old = int(values[at])
    near = [value for value in (old - 1, old + 1) if limits.min <= value <= limits.max]
    ends = [
        value for value in (int(limits.min), int(limits.max), -1, 0) if value != old and value >= limits.min
    ]
    values[at] = chance.choice(near if chance.random() < 0.7 else ends)
    return changed


def test_a_number_that_alone_is_another_is_refused(game: Game, players: int) -> None:
    """Every field is tied to others, but those that are free; where words say all, the game then goes on."""
    chance = random.Random(players)
    tried = 0
    for number, position in walk(game, players, 31):
        if number % 7 and not position.is_over:
            continue
        for name in (field.name for field in game.declared.fields):
            changed = change_one_number(position, name, chance)
            assert changed.states.tobytes() != position.states.tobytes()
            tried += 1
            try:
                changed.check()
            except AssertionError:
                continue
            assert name in FREE[game.name], f"{name} after decision {number}"
            try:
                restored = Position.from_json(game, changed.to_json(), changed.components, {})
            except RecordError:
                continue
            if number % 30 == 0:
                play_to_the_end(restored, seed=number)
    assert tried > 100


def test_a_view_is_refused_where_a_position_is_wanted(game: Game) -> None:
    shown = game.start(game.default_players, 1).view(0)
    with pytest.raises(AssertionError, match="a full position"):
        Position(game, shown.components, {}, shown.states).check()


def test_a_record_begins_before_the_first_decision(game: Game, players: int) -> None:
    """records.md, `start`: positions that games come to later are refused there."""
    names = ["x"] * players
    refused = 0
    for number, position in walk(game, players, 32):
        head = records.header(position, names, 1)
        if number == 0:
            records.first_position(records.Record(head))
            continue
        with pytest.raises(
            RecordError, match=r"^line 1: .*(before the first decision|replay from the start)"
        ):
            records.first_position(records.Record(head))
        refused += 1
    assert refused > 10


def test_more_players_than_a_game_has_are_refused(game: Game) -> None:
    words = game.start(game.seats[-1], 1).to_json()
    for more in range(1, 10):
        crowded = {**words, "players": [*words["players"], *words["players"][:1] * more]}
        with pytest.raises(RecordError, match="players"):
            Position.from_json(game, crowded, game.components(), {})


def test_a_line_is_told_in_a_sentence_however_long_it_is(game: Game) -> None:
    """What it quotes of the line is cut off."""
    head = records.header(game.start(2, 1), ["x", "y"], 1)
    for line in ({**head, "game": "g" * 100_000}, {**head, "atoll": "1" * 100_000}):
        with pytest.raises(RecordError, match=r"^line 1: ") as refused:
            list(records.replay(next(records.read_records([records.encode([line])]))))
        assert len(str(refused.value)) <= LONGEST_SENTENCE + 1

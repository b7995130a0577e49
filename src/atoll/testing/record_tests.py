"""Records of any game, written, read and replayed; and what is wrong with one, named."""

import random
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from atoll.core import records
from atoll.core.game import Game, Position
from atoll.lab.played import Setup
from atoll.lab.recording import record_games
from atoll.testing.playing import GREEDY, RANDOM, state_bytes, walk
from atoll.text.errors import RecordError


def record_text(game: Game, players: int, folder: Path, *, trace: bool = False, games: int = 1) -> str:
    path = folder / "games.jsonl"
    options = {option.name: True for option in game.options}
    setup = Setup(game, game.components(), players, (RANDOM, GREEDY), 5, options)
    record_games(setup, games, path, trace=trace)
    return path.read_text()


def replayed(text: str) -> list[list[records.ReplayedMove]]:
    return [list(records.replay(record)) for record in records.read_records(text.splitlines(keepends=True))]


WRONG: list[Any] = [None, "x", -1, 99, 10**30, 1.5, [], {}, [7], True, [[]], {"do": 1}]


def tampered(value: Any, chance: random.Random) -> Any:
    """The value with one thing in it replaced by another."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        return {**value, key: tampered(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        i = chance.randrange(len(value))
        return [*value[:i], tampered(value[i], chance), *value[i + 1 :]]
    return chance.choice([wrong for wrong in WRONG if wrong != value])


FREE = ("seed", "players", "options", "components")

"""Keys of a header whose values may be others and still be right."""


class RecordTests:
    """What records of any game must do."""

    @pytest.mark.parametrize("trace", [False, True])
    def test_a_record_replays_to_the_same_game(
        self, game: Game, players: int, trace: bool, tmp_path: Path
    ) -> None:
        text = record_text(game, players, tmp_path, trace=trace)
        lines = [msgspec.json.decode(line) for line in text.splitlines()]
        [record] = records.read_records(text.splitlines())
        position = records.first_position(record)
        assert position.to_json() == lines[0]["start"]
        assert lines[0]["start"] == game.start(players, int(lines[0]["seed"])).to_json()
        for step, line in zip(records.replay(record), lines[1:-1], strict=True):
            assert step.move == line["move"]
            assert ("state" in line) == ("legal" in line) == trace
            if trace:
                assert step.position.to_json() == line["state"]
        outcome = step.position.outcome
        assert outcome is not None
        assert lines[-1]["result"]["points"] == list(outcome.points)
        assert lines[-1]["result"]["winners"] == list(outcome.winners)

    def test_a_file_holds_several_records(self, game: Game, tmp_path: Path) -> None:
        text = record_text(game, game.default_players, tmp_path, games=3)
        assert len(replayed(text)) == 3
        assert len({record.header["seed"] for record in records.read_records(text.splitlines())}) == 3

    def test_unknown_keys_are_ignored(self, game: Game, tmp_path: Path) -> None:
        lines = [
            msgspec.json.decode(line)
            for line in record_text(game, game.default_players, tmp_path).splitlines()
        ]
        text = records.encode({**line, "remark": {"by": "somebody"}} for line in lines)
        assert len(replayed(text)) == 1

    def test_an_unfinished_record_replays_as_far_as_it_goes(self, game: Game, tmp_path: Path) -> None:
        lines = record_text(game, game.default_players, tmp_path).splitlines(keepends=True)
        half = len(lines) // 2
        [steps] = replayed("".join(lines[:half]))
        assert len(steps) == half - 1 > 0
        assert not steps[-1].position.is_over

    def test_a_truncated_record_is_refused_naming_the_line(self, game: Game, tmp_path: Path) -> None:
        lines = record_text(game, game.default_players, tmp_path).splitlines(keepends=True)
        half = len(lines) // 2
        with pytest.raises(RecordError, match=rf"^line {half + 1}: .*cut off"):
            replayed("".join(lines[:half]) + lines[half][: len(lines[half]) // 2])

    def test_a_missing_or_doubled_line_is_refused(self, game: Game, tmp_path: Path) -> None:
        lines = record_text(game, game.default_players, tmp_path, trace=True).splitlines(keepends=True)
        half = len(lines) // 2
        for wrong in (
            [*lines[:half], *lines[half + 1 :]],
            [*lines[: half + 1], *lines[half:]],
            [lines[0], *lines[2:]],
        ):
            with pytest.raises(RecordError, match=r"^line \d+: "):
                replayed("".join(wrong))
        with pytest.raises(RecordError, match="line 1: a record begins with a header"):
            replayed("".join(lines[1:]))
        with pytest.raises(RecordError, match=f"line {len(lines) - 1}: a result, but the game is not over"):
            replayed("".join([*lines[:-2], lines[-1]]))
        with pytest.raises(RecordError, match=f"line {len(lines) + 1}: nothing but another header"):
            replayed("".join([*lines, lines[-2]]))

    def test_blank_lines_do_not_shift_the_line_that_is_named(self, game: Game, tmp_path: Path) -> None:
        lines = record_text(game, game.default_players, tmp_path).splitlines(keepends=True)
        half = len(lines) // 2
        lines[half] = lines[half].replace('"player":', '"player":1')
        with pytest.raises(RecordError, match=rf"^line {half + 3}: "):
            replayed("\n" + "".join(lines[:2]) + "\n" + "".join(lines[2:]))

    def test_tampered_records_are_refused_naming_the_line(self, game: Game, tmp_path: Path) -> None:
        """Whatever is put where, the answer is a RecordError."""
        text = record_text(game, game.default_players, tmp_path, trace=True)
        lines = [msgspec.json.decode(line) for line in text.splitlines()]
        last = len(lines) - 1
        chance = random.Random(1)
        for step in range(200):
            number = last if step % 40 == 39 else min(last - 1, chance.choice([0, 0, 0, 1, 2, 5, 9]))
            wrong = tampered(lines[number], chance)
            replay_wrong = partial(replayed, records.encode([*lines[:number], wrong]))
            if (
                number == 0
                and isinstance(wrong, dict)
                and any(wrong.get(key) != lines[0][key] for key in FREE)
            ):
                with suppress(RecordError):
                    replay_wrong()
            else:
                with pytest.raises(RecordError, match=rf"^line {number + 1}: "):
                    replay_wrong()

    def test_a_wrong_state_in_words_is_refused_naming_its_key(self, game: Game) -> None:
        words = game.start(game.default_players, 1).to_json()
        for key in words:
            missing = {name: value for name, value in words.items() if name != key}
            for wrong in (missing, {**words, key: "nonsense"}):
                with pytest.raises(RecordError, match=key):
                    Position.from_json(game, wrong, game.components(), {})

    def test_a_state_in_words_is_the_state_where_words_say_all(self, game: Game, players: int) -> None:
        restored = 0
        for _, position in walk(game, players, 24):
            words = msgspec.json.decode(msgspec.json.encode(position.to_json()))
            assert words == position.to_json()
            try:
                again = Position.from_json(game, words, position.components, {})
            except RecordError:
                continue
            restored += 1
            again.check()
            assert again.to_json() == words
            again.state.generator[:] = position.state.generator
            assert state_bytes(again) == state_bytes(position)
        assert restored >= 3

"""What every game of the catalogue must do, at every number of players. No game is named here."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from atoll.bots.catalogue import QUICK_BOTS, find_bot
from atoll.core import records
from atoll.core.chance import WORD, generator, keyed_generator
from atoll.core.errors import AtollError, IllegalMove, RecordError
from atoll.core.events import event_buffer
from atoll.core.game import Game
from atoll.core.position import SPECTATOR, Position, View
from atoll.lab.recording import record_games
from atoll.lab.simulate import bot_generators, simulate
from bench.chance import Fill, count, fair_piles, fills, most_unlike, piles
from bench.foretelling import KINDS

from . import fingerprints
from .playing import check_law, elements, play_to_the_end, random_move, refusals, state_bytes, walk

ROOT = Path(__file__).parents[2]
RANDOM, GREEDY = find_bot("random"), find_bot("greedy")
BOTS = (*QUICK_BOTS, find_bot("search:10"))


def spaced(game: Game, players: int, seed: int, step: int) -> Iterator[Position]:
    """Every `step`-th position of a random game, and its last."""
    for number, position in walk(game, players, seed):
        if number % step == 0 or position.is_over:
            yield position


# The same rules, compiled or not


@pytest.fixture(scope="module")
def other_ways() -> Iterator[dict[str, "subprocess.Popen[str]"]]:
    """Processes, begun now, that play random games uncompiled and with checked bounds."""
    ways = {"uncompiled": {"NUMBA_DISABLE_JIT": "1"}, "bounds checked": {"NUMBA_BOUNDSCHECK": "1"}}
    command = [sys.executable, "-W", "error", "-m", "tests.games.fingerprints", "10"]
    begun = {
        name: subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **settings},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, settings in ways.items()
    }
    yield begun
    for process in begun.values():
        process.kill()
        process.communicate()


@pytest.fixture(scope="module", autouse=True)
def begin_other_ways(other_ways: dict[str, Any]) -> None:
    """They work on another core while the tests before theirs run."""


# Moves and positions


def test_invariants_hold_after_every_move(game: Game, players: int) -> None:
    for seed in range(8):
        for _, position in walk(game, players, seed):
            position.check()


def test_legal_moves_are_ascending_codes_within_the_declared_bounds(game: Game, players: int) -> None:
    rules = game.rules
    for seed in range(8):
        for _, position in walk(game, players, seed):
            for seat in range(players):
                out = np.full(rules.MAX_LEGAL + 8, -7, dtype=np.int32)
                count = rules.legal_actions(position.state, position.components.parts[0], seat, out)
                assert (count > 0) == (seat in position.to_act)
                assert count <= rules.MAX_LEGAL
                codes = out[:count].tolist()
                assert codes == sorted(set(codes))
                assert all(0 <= code < rules.ACTIONS for code in codes)
                assert (out[count:] == -7).all()
                assert position.legal_moves(seat).actions.tolist() == codes


def test_words_and_codes_of_all_moves_agree(game: Game) -> None:
    notation = game.notation
    moves = [notation.move_of(code) for code in range(game.rules.ACTIONS)]
    for code, move in enumerate(moves):
        assert isinstance(move["do"], str)
        assert notation.action_of(move) == code
        assert notation.action_of(msgspec.json.decode(msgspec.json.encode(move))) == code
    assert len({msgspec.json.encode(move) for move in moves}) == len(moves)


def test_every_code_is_a_move_of_one_declared_kind_with_its_parts_in_order(game: Game) -> None:
    moves = game.moves
    assert len(moves) == game.rules.ACTIONS == sum(kind.count for kind in moves.kinds)
    for code in range(len(moves)):
        kind = moves.kind_of(code)
        named = dict(zip([part.name for part in kind.parts], kind.numbers(code), strict=True))
        said = {part.name: part.words[named[part.name] - part.least] for part in kind.parts}
        assert list(moves.move_of(code).items()) == [("do", kind.word), *said.items()]
        assert all(part.of for part in kind.parts)


def test_legal_moves_can_be_counted_iterated_and_asked(game: Game) -> None:
    position = game.start(game.default_players, 1)
    seat = position.to_act[0]
    legal = position.legal_moves(seat)
    moves = list(legal)
    assert len(legal) == len(moves) == len(legal.actions)
    assert all(move in legal for move in moves)
    illegal = [game.notation.move_of(code) for code in range(game.rules.ACTIONS) if code not in legal.actions]
    assert not any(move in legal for move in illegal)
    assert {"do": "nothing like it"} not in legal
    assert "nonsense" not in legal


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"do": 3},
        {"do": "nothing like it"},
        {"do": ["x"]},
        {"island": 1},
        {"do": None, "card": {}},
        True,
        10**9,
        -1,
    ],
)
def test_what_is_no_move_is_refused(game: Game, move: Any) -> None:
    position = game.start(game.default_players, 1)
    before = state_bytes(position)
    if move is not True or 1 not in position.legal_moves(position.to_act[0]).actions:
        with pytest.raises(IllegalMove):
            position.play(position.to_act[0], move)
    assert state_bytes(position) == before


def test_every_legal_move_can_be_played(game: Game, players: int) -> None:
    """On a copy, which the original does not notice."""
    for position in spaced(game, players, seed=3, step=2):
        before = state_bytes(position)
        for seat in position.to_act:
            for move in position.legal_moves(seat):
                copy = position.copy()
                copy.play(seat, move)
                copy.check()
                assert state_bytes(copy) != before
        assert state_bytes(position) == before


def test_every_other_move_is_refused_and_changes_nothing(game: Game, players: int) -> None:
    for position in spaced(game, players, seed=4, step=19):
        before = state_bytes(position)
        for seat in range(players):
            legal = position.legal_moves(seat).actions.tolist()
            codes = range(game.rules.ACTIONS) if seat in position.to_act else range(0, game.rules.ACTIONS, 29)
            for code in codes:
                if code not in legal:
                    with pytest.raises(IllegalMove):
                        position.play(seat, code)
        assert state_bytes(position) == before


def test_a_move_out_of_turn_is_refused(game: Game, players: int) -> None:
    for position in spaced(game, players, seed=5, step=5):
        before = state_bytes(position)
        moves = [move for seat in position.to_act for move in position.legal_moves(seat)] or [
            {"do": "anything"}
        ]
        for seat in (-1, *range(players), players):
            if seat not in position.to_act:
                with pytest.raises(IllegalMove, match=r"over|nothing to decide|no seat"):
                    position.play(seat, moves[0])
                assert len(position.legal_moves(seat)) == 0
        assert state_bytes(position) == before


def test_a_refusal_is_one_sentence_that_names_what_is_legal(game: Game) -> None:
    position = game.start(game.default_players, 2)
    seat = position.to_act[0]
    legal = position.legal_moves(seat)
    illegal = next(code for code in range(game.rules.ACTIONS) if code not in legal.actions)
    with pytest.raises(IllegalMove) as refused:
        position.play(seat, game.notation.move_of(illegal))
    assert str(next(iter(legal))) in str(refused.value)
    assert "\n" not in str(refused.value)


# Starting and copying


def test_the_same_seed_is_the_same_game(game: Game, players: int) -> None:
    for (_, one), (_, other) in zip(walk(game, players, 6), walk(game, players, 6), strict=True):
        assert state_bytes(one) == state_bytes(other)


def test_other_seeds_are_other_games(game: Game, players: int) -> None:
    starts = {msgspec.json.encode(game.start(players, seed).to_json()) for seed in range(50)}
    assert len(starts) == 50


def test_neighbouring_seeds_and_numbers_of_players_do_not_share_chance(game: Game) -> None:
    words = {
        int(game.start(players, seed).state.generator[WORD]) for players in game.seats for seed in range(20)
    }
    assert len(words) >= 20
    assert 0 not in words


def test_every_card_is_as_often_in_every_place(game: Game) -> None:
    """Deals, and positions drawn from views, with either generator (`python -m bench.chance` counts more)."""
    for what, fill in fills(game):
        counted = [count(game, fill, kind, 20_000, 1) for kind in KINDS]
        for found in counted:
            test = fair_piles(game, found)
            assert test is not None
            assert test.probability > 1e-6, what
        numbers, likely = most_unlike(game, *counted)
        assert numbers > 5
        assert likely > 1e-6, what


def test_a_shuffle_that_is_not_fair_is_noticed(game: Game) -> None:
    """The two lowest cards of a pile lie in order."""
    _, honest = next(iter(fills(game)))
    place = next(iter(piles(game)))[0]

    def unfair(states: Any, chances: Any) -> None:
        honest(states, chances)
        states.view(np.uint8).reshape(len(states), -1)[:, place : place + 2].sort(axis=1)

    planted: Fill = unfair
    fair, found = (count(game, fill, KINDS[1], 20_000, 1) for fill in (honest, planted))
    test = fair_piles(game, found)
    assert test is not None
    assert test.probability < 1e-6
    assert most_unlike(game, fair, found)[1] < 1e-6


def test_copies_go_their_own_ways(game: Game, players: int) -> None:
    for position in spaced(game, players, seed=7, step=11):
        copy = position.copy()
        before = state_bytes(position)
        assert state_bytes(copy) == before
        if not position.is_over:
            play_to_the_end(copy, seed=1)
            assert state_bytes(position) == before
            assert not position.is_over


@pytest.mark.parametrize("garbage", [0x00, 0x5A, 0xFF])
def test_every_byte_of_a_reused_record_is_written(game: Game, players: int, garbage: int) -> None:
    rules, parts = game.rules, game.components().parts[0]

    def dirty() -> Any:
        return np.full(rules.STATE.itemsize, garbage, dtype=np.uint8).view(rules.STATE)

    for keyed in (False, True):
        reused, chance = dirty(), keyed_generator(8) if keyed else generator(8)
        rules.start(reused[0], parts, players, chance)
        assert reused.tobytes() == state_bytes(game.start(players, 8, keyed=keyed))
    for position in spaced(game, players, seed=8, step=17):
        for seat in (SPECTATOR, *range(players)):
            view, drawn = dirty(), dirty()
            rules.view(position.state, parts, seat, view[0])
            assert view.tobytes() == state_bytes(position.view(seat))
            rules.resample(view[0], parts, generator(3), drawn[0])
            assert drawn.tobytes() == state_bytes(position.view(seat).resample(3))


def test_nothing_is_written_but_where_it_should_be(game: Game, players: int) -> None:
    """Neither the components nor what is only looked at; a game's buffer of 0 events takes none."""
    rules, components = game.rules, game.components()
    parts = components.parts[0]
    kept = components.parts.tobytes()
    scores, points = np.zeros(rules.MAX_LEGAL, np.int32), np.zeros(players, np.int32)
    for position in spaced(game, players, seed=9, step=3):
        before = state_bytes(position)
        position.outcome  # noqa: B018
        rules.result(position.state, parts, points)
        position.to_json()
        for seat in (SPECTATOR, *range(players)):
            view = position.view(seat)
            seen = state_bytes(view)
            view.resample(1)
            view.to_json()
            moves = view.legal_moves().actions
            if len(moves):
                listed = moves.copy()
                game.advise(view.state, parts, moves, len(moves), scores)
                for bot in BOTS:
                    assert bot.choose(view, seed=1) in listed
                assert (moves == listed).all()
            assert state_bytes(view) == seen
        assert state_bytes(position) == before
        if not position.is_over:
            quiet, told = position.copy(), position.copy()
            seat, action = random_move(position, random.Random(1))
            rules.play(quiet.state, parts, seat, action, np.zeros((0, 6), np.int16))
            told.play_action(seat, action)
            assert state_bytes(quiet) == state_bytes(told)
    assert components.parts.tobytes() == kept


# Declared bounds


def test_ten_thousand_games_stay_within_the_declared_bounds(game: Game, players: int) -> None:
    components, rules = game.components(), game.rules
    longest = rules.max_decisions(components, players)
    least, most = rules.points_range(components, players)
    for bots, seed in (((RANDOM,), 1), ((GREEDY, RANDOM), 2)):
        results = simulate(game, components, players, bots, 5000, seed, workers=2)
        assert results.points.shape == (5000, players)
        assert results.lengths.min() > 0
        assert results.lengths.max() <= longest
        assert least <= results.points.min()
        assert results.points.max() <= most
        assert (results.winners > 0).all()
        assert (results.winners < 1 << players).all()


def test_events_fit_their_buffer_and_nothing_behind_it_is_written(game: Game, players: int) -> None:
    rules = game.rules
    most = 0
    for seed in range(4):
        position = game.start(players, seed)
        chance = random.Random(seed)
        while not position.is_over:
            events = event_buffer(rules.MAX_EVENTS)
            seat, action = random_move(position, chance)
            rules.play_at(position._states, 0, position.components.parts, seat, action, events)
            count = int(events[0, 0])
            assert not events[count + 1 :].any()
            most = max(most, count)
    assert 0 < most <= rules.MAX_EVENTS


def test_the_outcome_is_there_at_the_end_and_not_before(game: Game, players: int) -> None:
    for _, position in walk(game, players, 10):
        outcome = position.outcome
        assert (outcome is not None) == position.is_over
    assert outcome is not None
    assert len(outcome.points) == players
    assert set(outcome.winners) <= set(range(players))
    best = max(outcome.points)
    assert all(outcome.points[seat] == best for seat in outcome.winners)
    assert [part["points"] for part in position.breakdown()] == list(outcome.points)


def test_the_game_refuses_other_numbers_of_players_and_options(game: Game) -> None:
    for players in (game.seats.start - 1, game.seats.stop):
        with pytest.raises(AtollError, match=f"not {players}"):
            game.start(players, 1)
    with pytest.raises(AtollError, match="no option 'nothing_like_it'"):
        game.start(game.default_players, 1, options={"nothing_like_it": True})
    for option in game.options:
        with pytest.raises(AtollError, match="true or false"):
            game.start(game.default_players, 1, options={option.name: 1})  # type: ignore[dict-item]


# What a player may know


def test_a_drawn_state_is_sound_and_looks_the_same(game: Game, players: int) -> None:
    for position in spaced(game, players, seed=12, step=9):
        for seat in (SPECTATOR, *range(players)):
            view = position.view(seat)
            for seed in range(3):
                drawn = view.resample(seed)
                drawn.check()
                assert state_bytes(drawn.view(seat)) == state_bytes(view)
                assert drawn.view(seat).to_json() == view.to_json()


def test_a_drawn_state_plays_to_the_end(game: Game, players: int) -> None:
    for position in spaced(game, players, seed=13, step=23):
        for seat in (SPECTATOR, *range(players)):
            play_to_the_end(position.view(seat).resample(1), seed=2)


def test_nothing_that_reaches_a_seat_depends_on_what_it_cannot_know(game: Game, players: int) -> None:
    for seed in range(2):
        for number, position in walk(game, players, 20 + seed):
            if number % 8 == 0:
                for seat in (SPECTATOR, *range(players)):
                    check_law(position, seat, seed=number)


def test_what_a_seat_cannot_know_takes_several_values(game: Game, players: int) -> None:
    """Over 200 draws, early in the game, where nothing hidden can be counted yet."""
    early = game.rules.max_decisions(game.components(), players) // 8
    for number, position in walk(game, players, 14):
        if number > early:
            break
        if number % 7 == 0:
            for seat in (SPECTATOR, number % players):
                view = position.view(seat)
                truth, shown = dict(elements(position.state)), dict(elements(view.state))
                hidden = [
                    where
                    for where in truth
                    if truth[where] != shown[where]
                    and where[0] != "seat"
                    and not is_unused(game, where, truth)
                ]
                assert hidden
                found: dict[tuple[str, int], set[int]] = {where: set() for where in hidden}
                for seed in range(200):
                    drawn = dict(elements(view.resample(seed).state))
                    for where in hidden:
                        found[where].add(drawn[where])
                assert not [where for where in hidden if len(found[where]) < 2]


def is_unused(game: Game, where: tuple[str, int], truth: dict[tuple[str, int], int]) -> bool:
    """Whether nothing stands in that place of a state, or a word of a key that its generator does not have."""
    name, index = where
    return truth[where] == game.declared.field(name).empty or (name == "generator" and index != WORD)


def test_drawing_says_nothing_of_the_truth(game: Game) -> None:
    """Two true states with the same view draw the same from the same generator; other generators draw others."""
    position = game.start(game.default_players, 15)
    view = position.view(0)
    twin = view.resample(99).view(0)
    assert state_bytes(view.resample(5)) == state_bytes(twin.resample(5))
    assert len({state_bytes(view.resample(seed)) for seed in range(20)}) == 20


def test_a_drawn_state_brings_its_own_chance(game: Game) -> None:
    """The generator of the truth is not in the view; drawn states get others, which are not 0."""
    position = game.start(game.default_players, 16)
    view = position.view(SPECTATOR)
    assert view.state.generator.tobytes() == b"\xff" * 24
    words = {int(view.resample(seed).state.generator[WORD]) for seed in range(50)}
    assert len(words) == 50
    assert not words & {0, int(position.state.generator[WORD])}


def test_bots_choose_by_the_view_alone(game: Game, players: int) -> None:
    """Any true state that agrees with the view gives the same choice for the same generator."""
    for position in spaced(game, players, seed=17, step=6):
        for seat in position.to_act:
            view = position.view(seat)
            for bot in BOTS:
                chosen = {bot.choose(view.resample(seed).view(seat), seed=4) for seed in range(3)}
                assert chosen == {bot.choose(view, seed=4)}


# Planted leaks: the law must notice each


def law_is_broken(game: Game) -> str | None:
    """The channel in which check_law finds a leak in a random game, if it finds one."""
    for number, position in walk(game, game.default_players, 21):
        if number % 4 == 0:
            for seat in (SPECTATOR, *range(position.players)):
                try:
                    check_law(position, seat, seed=number)
                except AssertionError as error:
                    return str(error).splitlines()[0]
    return None


def test_no_leak_is_found_where_none_was_planted(game: Game) -> None:
    assert law_is_broken(game) is None


def test_a_leak_in_the_view_is_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """One number that should be hidden is shown."""
    honest = game.rules.view

    def leaking(state: Any, parts: Any, seat: int, out: Any) -> None:
        honest(state, parts, seat, out)
        truth, shown = dict(elements(state)), dict(elements(out))
        hidden = [
            place
            for place in truth
            if truth[place] != shown[place] and place[0] != "seat" and not is_unused(game, place, truth)
        ]
        if hidden:
            name, index = hidden[-1]
            out[name].reshape(-1)[index] = truth[name, index]

    monkeypatch.setattr(game.rules, "view", leaking)
    assert law_is_broken(game) == "view"


def test_a_leak_of_chance_into_the_view_is_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = game.rules.view

    def leaking(state: Any, parts: Any, seat: int, out: Any) -> None:
        honest(state, parts, seat, out)
        out.generator[:] = state.generator

    monkeypatch.setattr(game.rules, "view", leaking)
    assert law_is_broken(game) == "view"


def test_a_leak_in_the_legal_moves_is_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last move is left out when something in the full state is odd."""
    honest = game.rules.legal_actions_at

    def leaking(states: Any, index: int, parts: Any, seat: int, out: Any) -> int:
        count: int = honest(states, index, parts, seat, out)
        return count - 1 if count > 1 and sum(states[index].tobytes()) % 2 else count

    monkeypatch.setattr(game.rules, "legal_actions_at", leaking)
    assert law_is_broken(game) == "legal moves"


def test_a_leak_in_the_error_texts_is_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Position._not_legal

    def leaking(self: Position, move: Any, legal: Any) -> str:
        return f"{honest(self, move, legal)} ({sum(state_bytes(self)) % 7})"

    monkeypatch.setattr(Position, "_not_legal", leaking)
    assert law_is_broken(game) == "error text"


@pytest.mark.parametrize(("name", "channel"), [("hide_event", "events"), ("hide_move", "record")])
def test_a_leak_in_what_happened_is_noticed(
    game: Game, monkeypatch: pytest.MonkeyPatch, name: str, channel: str
) -> None:
    """Events and the record's moves as they are, if the game ever had to hide any."""
    honest = getattr(game.notation, name)
    hidden = []

    def leaking(what: Any, *arguments: Any) -> Any:
        hidden.append(honest(what, *arguments) != what)
        return what

    monkeypatch.setattr(game.notation, name, leaking)
    assert law_is_broken(game) == (channel if any(hidden) else None)


def test_a_leak_in_the_start_of_a_record_is_noticed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = records.header

    def leaking(position: Position, players: Any, seed: Any) -> Any:
        return {**honest(position, players, seed), "checksum": sum(state_bytes(position)) % 7}

    monkeypatch.setattr(records, "header", leaking)
    assert law_is_broken(game) == "record"


def test_the_law_of_advice_notices_a_bot_that_peeks(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot handed the true state chooses differently for different true states."""
    position = game.start(game.default_players, 18)
    seat = position.to_act[0]
    view = position.view(seat)
    moves = view.legal_moves().actions

    def peeking(full: Position) -> int:
        return int(moves[sum(state_bytes(full)) % len(moves)])

    assert len({peeking(view.resample(seed)) for seed in range(40)}) > 1


# Records


def record_text(game: Game, players: int, folder: Path, *, trace: bool = False, games: int = 1) -> str:
    path = folder / "games.jsonl"
    options = {option.name: True for option in game.options}
    record_games(game, game.components(), players, (RANDOM, GREEDY), games, 5, options, path, trace=trace)
    return path.read_text()


def replayed(text: str) -> list[list[records.Step]]:
    return [list(records.replay(record)) for record in records.read_records(text.splitlines(keepends=True))]


@pytest.mark.parametrize("trace", [False, True])
def test_a_record_replays_to_the_same_game(game: Game, players: int, trace: bool, tmp_path: Path) -> None:
    text = record_text(game, players, tmp_path, trace=trace)
    lines = [msgspec.json.decode(line) for line in text.splitlines()]
    [record] = records.read_records(text.splitlines())
    position = records.first_position(record)
    assert position.to_json() == lines[0]["start"]
    assert lines[0]["start"] == game.start(players, lines[0]["seed"]).to_json()
    for step, line in zip(records.replay(record), lines[1:-1], strict=True):
        assert step.move == line["move"]
        assert ("state" in line) == ("legal" in line) == trace
        if trace:
            assert step.position.to_json() == line["state"]
    outcome = step.position.outcome
    assert outcome is not None
    assert lines[-1]["result"]["points"] == list(outcome.points)
    assert lines[-1]["result"]["winners"] == list(outcome.winners)


def test_a_file_holds_several_records(game: Game, tmp_path: Path) -> None:
    games = replayed(record_text(game, game.default_players, tmp_path, games=3))
    assert len(games) == 3
    assert len({state_bytes(steps[-1].position) for steps in games}) == 3


def test_unknown_keys_are_ignored(game: Game, tmp_path: Path) -> None:
    lines = [
        msgspec.json.decode(line) for line in record_text(game, game.default_players, tmp_path).splitlines()
    ]
    text = records.encode({**line, "remark": {"by": "somebody"}} for line in lines)
    assert len(replayed(text)) == 1


def test_an_unfinished_record_replays_as_far_as_it_goes(game: Game, tmp_path: Path) -> None:
    lines = record_text(game, game.default_players, tmp_path).splitlines(keepends=True)
    [steps] = replayed("".join(lines[:10]))
    assert len(steps) == 9
    assert not steps[-1].position.is_over


def test_a_truncated_record_is_refused_naming_the_line(game: Game, tmp_path: Path) -> None:
    lines = record_text(game, game.default_players, tmp_path).splitlines(keepends=True)
    with pytest.raises(RecordError, match=r"^line 7: .*cut off"):
        replayed("".join(lines[:6]) + lines[6][: len(lines[6]) // 2])


def test_a_missing_or_doubled_line_is_refused(game: Game, tmp_path: Path) -> None:
    lines = record_text(game, game.default_players, tmp_path, trace=True).splitlines(keepends=True)
    for wrong in ([*lines[:5], *lines[6:]], [*lines[:6], *lines[5:]], [lines[0], *lines[2:]]):
        with pytest.raises(RecordError, match=r"^line \d+: "):
            replayed("".join(wrong))
    with pytest.raises(RecordError, match="line 1: a record begins with a header"):
        replayed("".join(lines[1:]))
    with pytest.raises(RecordError, match=f"line {len(lines) - 1}: a result, but the game is not over"):
        replayed("".join([*lines[:-2], lines[-1]]))
    with pytest.raises(RecordError, match=f"line {len(lines) + 1}: nothing but another header"):
        replayed("".join([*lines, lines[-2]]))


def test_blank_lines_do_not_shift_the_line_that_is_named(game: Game, tmp_path: Path) -> None:
    lines = record_text(game, game.default_players, tmp_path).splitlines(keepends=True)
    lines[4] = lines[4].replace('"player":', '"player":1')
    with pytest.raises(RecordError, match=r"^line 7: "):
        replayed("\n" + "".join(lines[:2]) + "\n" + "".join(lines[2:]))


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


def test_tampered_records_are_refused_naming_the_line(game: Game, tmp_path: Path) -> None:
    """Whatever is put where, the answer is a RecordError."""
    text = record_text(game, game.default_players, tmp_path, trace=True)
    lines = [msgspec.json.decode(line) for line in text.splitlines()]
    last = len(lines) - 1
    chance = random.Random(1)
    for step in range(200):
        number = last if step % 40 == 39 else chance.choice([0, 0, 0, 1, 2, 5, 9])
        wrong = tampered(lines[number], chance)
        replay_wrong = partial(replayed, records.encode([*lines[:number], wrong]))
        if number == 0 and isinstance(wrong, dict) and any(wrong.get(key) != lines[0][key] for key in FREE):
            with suppress(RecordError):
                replay_wrong()
        else:
            with pytest.raises(RecordError, match=rf"^line {number + 1}: "):
                replay_wrong()


def test_a_wrong_state_in_words_is_refused_naming_its_key(game: Game) -> None:
    words = game.start(game.default_players, 1).to_json()
    for key in words:
        missing = {name: value for name, value in words.items() if name != key}
        for wrong in (missing, {**words, key: "nonsense"}):
            with pytest.raises(RecordError, match=key):
                Position.from_json(game, wrong, game.components(), {})


def test_a_state_in_words_is_the_state_where_words_say_all(game: Game, players: int) -> None:
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


# Many games


def same(one: Any, other: Any) -> bool:
    return all(
        (getattr(one, name) == getattr(other, name)).all()
        for name in ("bots", "points", "winners", "lengths")
    )


def test_simulations_do_not_depend_on_the_number_of_workers(game: Game) -> None:
    components, players = game.components(), game.default_players
    one, two, three = (
        simulate(game, components, players, (GREEDY, RANDOM), 1300, 7, workers) for workers in (1, 2, 3)
    )
    assert same(one, two)
    assert same(one, three)
    other = simulate(game, components, players, (GREEDY, RANDOM), 1300, 8)
    assert not same(one, other)


def test_fewer_games_are_the_first_of_more(game: Game) -> None:
    components, players = game.components(), game.default_players
    more = simulate(game, components, players, (RANDOM,), 600, 7)
    fewer = simulate(game, components, players, (RANDOM,), 50, 7)
    assert (more.points[:50] == fewer.points).all()


def test_stepped_games_are_those_of_the_compiled_loop(game: Game, players: int, tmp_path: Path) -> None:
    components, bots = game.components(), (GREEDY, RANDOM)
    stepped = record_games(game, components, players, bots, 12, 9, {}, tmp_path / "games.jsonl")
    looped = simulate(game, components, players, bots, 12, 9)
    assert same(stepped, looped)


def test_every_seat_of_every_game_has_chance_of_its_own() -> None:
    own = {tuple(chance.tolist()) for index in range(50) for chance in bot_generators(1, index, 6)}
    assert len(own) == 300


# Last, so that the processes have had time


@pytest.mark.parametrize("way", ["uncompiled", "bounds checked"])
def test_the_rules_are_the_same_in_every_way_of_running_them(
    other_ways: dict[str, "subprocess.Popen[str]"], way: str
) -> None:
    """State by state; warnings are errors there."""
    out, complaint = other_ways[way].communicate(timeout=240)
    assert complaint == ""
    assert other_ways[way].returncode == 0
    assert out.splitlines() == fingerprints.fingerprints(10)


def test_a_view_is_not_a_position(game: Game) -> None:
    view = game.start(game.default_players, 1).view(0)
    assert isinstance(view, View)
    assert not isinstance(view, Position)
    assert refusals(game.start(game.default_players, 1), 0, [])

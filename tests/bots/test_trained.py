"""The bot `trained`, its files of weights, and the law of what a seat may know for its network."""

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from kuhn_poker import game

from atoll.bots.bot import QUICK_BOTS, TrainedBot
from atoll.bots.catalogue import EXPLOITER, find_bot
from atoll.bots.network import Activations, looking, predict
from atoll.bots.network_inputs import inputs_of
from atoll.bots.relations import relations_of
from atoll.bots.weights import (
    MOST_BYTES,
    SHIPPED,
    TrainedOn,
    Weights,
    about_now,
    packed,
    shapes_of,
    shipped_weights,
    unpacked,
)
from atoll.core.action_encoding import Actions
from atoll.core.catalogue import find_game, games
from atoll.core.fields import UNKNOWN
from atoll.core.game import Game, Position
from atoll.core.observation import counts_seats, holds_seats, names_seats
from atoll.lab.played import game_seed
from atoll.lab.simulate import seat_bots, simulate_chunk, step_game
from atoll.text.errors import AtollError, UnknownBot
from tests.site import FAKES


def any_weights(of: Game, seed: int = 1, width: int = 8, depth: int = 8) -> Weights:
    """A network that nobody trained."""
    chance = np.random.default_rng(seed)
    shapes = shapes_of(of, width, depth)
    arrays = {name: chance.normal(0, 0.4, shape).astype(np.float32) for name, shape in shapes.items()}
    arrays["advice_unit"][:] = 10
    return Weights(of, about_now(of, 1, 2, 3, 4.5, [TrainedOn("own", "0", 2, 3)]), arrays)


def thought(weights: Weights, position: Position, seat: int, record: Any) -> tuple[bytes, bytes]:
    """What the network is given of a record as a seat's view, and all that it makes of it."""
    mind = weights.mind(position.players, position.components)
    room, moves = Activations.of(position.game, mind), position.legal_moves(seat).actions
    looking(position.game)(mind, room, record, position.components.parts[0], moves, len(moves))
    predict(mind.layers, room, position.players)
    move_features = room.move_features[: len(moves)]
    inputs = room.seen.tobytes() + room.rows.tobytes() + room.weights.tobytes() + move_features.tobytes()
    return inputs, room.worths[: len(moves)].tobytes() + room.outputs.tobytes()


def showing(view: Any, state: Any, hidden: Sequence[str]) -> Any:
    """A view's record with what it hides of some fields: a leak."""
    leak = view.copy()
    for name in hidden:
        leak[0][name] = np.where(leak[0][name] == UNKNOWN, state[name], leak[0][name])
    return leak[0]


@pytest.mark.parametrize("name", list(games()))
def test_what_a_seat_cannot_know_changes_no_byte_and_a_leak_is_found(name: str) -> None:
    """In worlds that a seat cannot tell apart, the shipped network is given the same and makes the same of it. The
    planted leak is a view that shows what is hidden: of what nothing was learnt the shipped one makes nothing, so
    another network must make something of it.
    """
    found = find_game(name)
    shipped, other = shipped_weights(found), any_weights(found)
    hidden = [field.name for field in found.declared.fields if field.name in inputs_of(found).blocks]
    leaks_seen = 0
    for players in (found.seats.start, 4):
        position = found.start(players, 4)
        for turn, _ in enumerate(position.until_over()):
            seat = position.to_act[0]
            view = position.view(seat)
            if turn % 12 == 5:
                honest, leaking = set(), set()
                for seed in range(4):
                    world = view.resample(seed)
                    honest.add(thought(shipped or other, world, seat, world.view(seat).state))
                    leak = showing(world.view(seat).states, world.state, hidden)
                    leaking.add(thought(other, world, seat, leak))
                assert len(honest) == 1
                leaks_seen += (
                    len({given for given, _ in leaking}) > 1 and len({made for _, made in leaking}) > 1
                )
            position.play_action(seat, QUICK_BOTS[-1].choose(view, turn))
            if turn == 60:
                break
    assert leaks_seen >= 3


def a_seat_further(position: Position) -> Position:
    """The same position with everybody, and all that is told of them, one seat further."""
    players, moved = position.players, position.copy()
    for field in position.game.declared.fields:
        values = moved.states[0][field.name]
        if names_seats(field):
            values = np.where(values < 0, values, (values + 1) % players)
        if holds_seats(field):
            values = (values << 1 | values >> (players - 1)) & ((1 << players) - 1)
        for axis in range(len(field.shape)):
            if counts_seats(field, axis):
                seats = np.arange(field.shape[axis])
                seats[:players] = np.roll(seats[:players], 1)
                values = np.take(values, seats, axis)
        moved.states[0][field.name] = values
    return moved


@pytest.mark.parametrize("name", list(games()))
def test_a_network_plays_alike_in_every_seat(name: str) -> None:
    """Else a game of whose seats none is better looks unfair between trained players."""
    found, players = find_game(name), 3
    mind = any_weights(found).mind(players, found.components())
    position = found.start(players, 3)
    for turn, _ in zip(range(80), position.until_over(), strict=False):
        seat, made = position.to_act[0], []
        for own, whose in ((position, seat), (a_seat_further(position), (seat + 1) % players)):
            room, moves = Activations.of(found, mind), own.legal_moves(whose).actions
            view = own.view(whose).state
            count = looking(found)(mind, room, view, own.components.parts[0], moves, len(moves))
            made.append((room.rows[:count], room.weights[:count]))
        np.testing.assert_array_equal(made[0][0], made[1][0])
        np.testing.assert_allclose(
            made[0][1], made[1][1], atol=0.01
        )  # thousandths, rounded in the order of seats
        position.play_action(seat, QUICK_BOTS[-1].choose(position.view(seat), turn))


def test_a_leak_in_what_a_game_considers_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs considers all cards that the view shows: in a view that shows what is hidden, its numbers differ."""
    monkeypatch.syspath_prepend(FAKES)
    from signs import game as signs

    mind, position = any_weights(signs).mind(2, signs.components()), signs.start(2, 1)
    moves = position.legal_moves(0).actions
    honest: set[bytes] = set()
    leaking: set[bytes] = set()
    for seed in range(4):
        world = position.view(0).resample(seed)
        for view, found in (
            (world.view(0).state, honest),
            (showing(position.view(0).states, position.state, ["hand"]), leaking),
        ):
            room = Activations.of(signs, mind)
            looking(signs)(mind, room, view, position.components.parts[0], moves, len(moves))
            assert room.move_features.shape[1] == 2
            found.add(
                room.move_features[: len(moves)].tobytes() + room.rows.tobytes() + room.weights.tobytes()
            )
    assert len(honest) == 1
    assert not honest & leaking


def test_a_file_brings_back_the_network_and_what_it_was_trained_on() -> None:
    weights = any_weights(game)
    copy = unpacked(game, "file", packed(weights))
    assert copy.about == weights.about
    for name, array in weights.arrays.items():
        room = np.abs(array).max(initial=0) / 100
        np.testing.assert_allclose(copy.arrays[name], array, atol=room, err_msg=name)


def rewritten(content: bytes, **changes: Any) -> bytes:
    """A file of weights with other arrays or entries of `about`."""
    with np.load(io.BytesIO(content)) as file:
        arrays = dict(file)
    about = msgspec.json.decode(arrays["about"].tobytes())
    for name, value in changes.items():
        if name in about:
            about[name] = value
        else:
            arrays[name] = value
    arrays["about"] = np.frombuffer(msgspec.json.encode(about), dtype=np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"format": 2}, "has the format 2, and this version reads 1"),
        ({"game": "chess"}, "was trained for the game “chess”, not for “kuhn-poker”"),
        ({"rules": 7}, "was trained under version 7 of the rules of Kuhn poker, and they are at version 1"),
        ({"features": "0"}, "on other features of Kuhn poker than there are now"),
        ({"worth": np.zeros(9, np.float16)}, "holds a network of another shape than its game's"),
        ({"worth": np.full(8, np.nan, np.float16)}, "holds a network of another shape than its game's"),
        ({"inputs scales": np.zeros(1, np.float16)}, "holds a network of another shape than its game's"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_with_a_sentence(changes: dict[str, Any], why: str) -> None:
    """Compiled code has no bounds checks: shapes are compared before anything is computed."""
    content = rewritten(packed(any_weights(game)), **changes)
    with pytest.raises(AtollError) as refused:
        unpacked(game, "mine.npz", content)
    assert str(refused.value).startswith("mine.npz: ")
    assert why in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04nonsense", b"\x80\x04N.", b"x" * 1000])
def test_what_is_no_file_of_weights_is_refused(content: bytes) -> None:
    with pytest.raises(AtollError, match=r"x: is no file of weights; atoll train kuhn-poker writes one$"):
        unpacked(game, "x", content)


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.npz"
    large.write_bytes(b"x" * (MOST_BYTES + 1))
    for path, why in (
        (tmp_path / "none", "cannot be read: No such file"),
        (large, "cannot be read: it has more"),
    ):
        with pytest.raises(AtollError, match=why):
            find_bot(f"trained:{path}").prepare(game)
    with pytest.raises(UnknownBot):
        find_bot("trained:")


def test_a_bot_of_a_file_takes_what_its_network_rates_highest(tmp_path: Path) -> None:
    actions = set()
    for seed in range(12):
        path = tmp_path / f"{seed}.npz"
        path.write_bytes(packed(any_weights(game, seed)))
        bot = find_bot(f"trained:{path}")
        assert isinstance(bot, TrainedBot)
        weights = bot.weights(game)
        assert weights is not None
        view = game.start(2, seed).view(0)
        mind, moves = weights.mind(2, view.components), view.legal_moves().actions
        room = Activations.of(game, mind)
        looking(game)(mind, room, view.state, view.components.parts[0], moves, len(moves))
        assert bot.choose(view, seed) == moves[room.worths[: len(moves)].argmax()]
        actions.add(bot.choose(view, seed))
    assert len(actions) == 2  # networks differ


def test_many_games_at_once_are_those_that_are_played_step_by_step(tmp_path: Path) -> None:
    """Of trained, greedy and random players in every seat, with the same seeds."""
    path = tmp_path / "own.npz"
    path.write_bytes(packed(any_weights(game, seed=3)))
    bots = [find_bot(name) for name in (f"trained:{path}", "random", "greedy")]
    components = game.under(game.components(), {})
    for pair in ((0, 1), (2, 0), (0, 0)):
        seated = [bots[which] for which in pair]
        results = simulate_chunk(game, components, 2, seated, seed=5, first=3, count=20)
        for place in range(20):
            position = game.start(2, game_seed(5, 3 + place), components)
            decisions = sum(1 for _ in step_game(position, seat_bots(seated, 2, 5, 3 + place)))
            assert position.outcome is not None
            assert list(position.outcome.points) == results.points[place].tolist()
            assert decisions == results.lengths[place]


def test_in_a_game_without_weights_it_is_greedy() -> None:
    bot = find_bot("trained")
    assert shipped_weights(game) is None
    assert bot.quick(game) is QUICK_BOTS[-1]
    view = game.start(2, 3).view(0)
    assert bot.choose(view, 7) == QUICK_BOTS[-1].choose(view, 7)


@pytest.mark.parametrize("name", list(games()))
def test_the_weights_that_a_game_brings_fit_it(name: str) -> None:
    """At most a mebibyte in all that plays at tables, for these rules and features, and finite for all numbers of
    players; else it brings none.
    """
    found = find_game(name)
    files = [file for file in found.folder.iterdir() if file.name.endswith(".npz")]
    sizes = {file.name: len(file.read_bytes()) for file in files}
    assert sum(size for file, size in sizes.items() if file != EXPLOITER.shipped) <= MOST_BYTES
    assert sizes.get(EXPLOITER.shipped, 0) <= MOST_BYTES // 2
    if not (found.folder / SHIPPED).is_file():
        assert shipped_weights(found) is None
    for file in files:
        check_weights(found, unpacked(found, file.name, file.read_bytes()))


def check_weights(found: Game, weights: Weights) -> None:
    assert weights.about.games > 0
    for players in found.seats:
        components = found.under(found.components(), {})
        mind = weights.mind(players, components)
        assert np.isfinite(mind.layers.base).all()
        assert mind.actions.shape[0] == mind.turned.shape[1] == Actions(found, players).count


@pytest.mark.parametrize("name", list(games()))
def test_fewer_players_have_the_rows_of_the_most(name: str) -> None:
    """What is observed of the viewer has the same rows whatever the number of players, and all rows are there."""
    found = find_game(name)
    inputs, relations = inputs_of(found), relations_of(found)
    plans = {players: inputs.plan(players) for players in found.seats}
    for players, plan in plans.items():
        for rows in (plan.number, plan.value + np.where(plan.value >= 0, plan.high - plan.low, 0)):
            assert rows.max() < inputs.count
        ends, entries = relations.columns(players, plan)
        assert ends[-1] == len(entries)
        assert entries[:, 0].max() < len(plan.number)
        columns = entries[:, 0]
        last = entries[:, 2] + plan.high[columns] - plan.low[columns]
        assert max(entries[:, 1].max(), last.max()) < relations.count
    fewest, most = plans[found.seats[0]], plans[found.seats[-1]]
    assert set(fewest.number) <= set(most.number)
    assert set(fewest.value) <= set(most.value)


@pytest.mark.parametrize("name", list(games()))
def test_components_and_the_number_of_players_are_inputs(name: str) -> None:
    """One changed number of a file changes what the network is given, and so does another player; the usual set adds
    nothing.
    """
    found = find_game(name)
    inputs = inputs_of(found)
    usual = found.under(found.components(), {})
    rows, weights = inputs.setting(found.seats[0], usual)
    assert (len(rows), weights.tolist()) == (1, [1.0])
    assert inputs.setting(found.seats[1], usual)[0].tolist() != rows.tolist()
    parts = usual.parts.copy()
    field = next(part for part in found.declared_parts.fields if not part.shape and part.is_copied)
    parts[0][field.name] += 1
    changed = inputs.setting(found.seats[0], replace(usual, parts=parts))
    assert len(changed[0]) == 2
    assert changed[1][1] > 0

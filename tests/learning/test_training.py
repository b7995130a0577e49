"""Training on Kuhn poker: it learns what wins, goes on where it stopped, and keeps its games."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pyarrow.parquet as pq
import pytest
import torch
from kuhn_poker import game
from kuhn_poker.rules import CALL, FOLD

from atoll.bots.network import EXPECTED, Activations, Mind, looking, predict
from atoll.bots.weights import Weights, about_now, packed, read_weights
from atoll.commands.main import main
from atoll.core.catalogue import find_game, games
from atoll.core.game import Game
from atoll.core.state import UNKNOWN
from atoll.core.types import Components
from atoll.lab.played import TRAINED
from atoll.lab.trained_policy import DecisionLog, play_trained
from atoll.learning.games import Group, decisions_of, trace_back
from atoll.learning.model import Network
from atoll.learning.search_games import read_searched
from atoll.learning.settings import Settings
from atoll.learning.training import Training
from atoll.learning.variants import varied
from atoll.text.errors import AtollError
from tests.site import FAKES

torch.set_num_threads(1)  # as the command does: several that wait for a core are slower than one
QUEEN, KING = 1, 2
SMALL = Settings(game.name, 1, width=12, depth=12, decisions=1500)


@pytest.fixture(scope="module")
def usual() -> Components:
    return game.under(game.components(), {})


def trained(folder: Path, generations: int, seed: int = 1) -> Training:
    training = Training(game, replace(SMALL, seed=seed, generations=generations), folder)
    training.run(lambda now: None)
    return training


def chance_to_call(weights: Weights, usual: Components, card: int) -> float:
    """How likely a player with that card calls a bet."""
    position = next(
        position for seed in range(100) if (position := game.start(2, seed)).state.card[1] == card
    )
    position.play_action(0, 1)
    view = position.view(1)
    mind = weights.mind(2, usual)
    room, moves = Activations.of(game, mind), view.legal_moves().actions
    assert moves.tolist() == [FOLD, CALL]
    looking(game)(mind, room, view.state, usual.parts[0], moves, len(moves))
    likely = np.exp(room.worths[:2])
    return float(likely[1] / likely.sum())


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a training that is over."""
    folder = tmp_path_factory.mktemp("trained")
    trained(folder, 12)
    return folder


def test_it_learns_what_wins(player: Path, usual: Components) -> None:
    """Whoever folds loses, and whoever calls a bet with the queen or the king may win; untrained, it knows neither."""
    weights = read_weights(game, player / "trained.npz")
    untrained = Training(game, SMALL, player / "none").weights
    for card in (QUEEN, KING):
        assert chance_to_call(weights, usual, card) > 0.75
        assert 0.35 < chance_to_call(untrained, usual, card) < 0.65


def test_a_training_tells_and_keeps_what_it_did(player: Path) -> None:
    lines = [msgspec.json.decode(line) for line in (player / "journal.jsonl").read_bytes().splitlines()]
    assert [line["generation"] for line in lines] == list(range(1, 13))
    assert all(0 <= share <= 100 for line in lines for share, _ in line["won"].values())
    assert sum(bool(line["won"]) for line in lines) >= 10
    games = pq.read_table(player / "games-000001.parquet").to_pylist()
    assert len(games) == sum(line["games"] for line in lines)
    assert all(any(row["learner"]) and sum(row["points"]) == 0 for row in games)
    about = read_weights(game, player / "trained.npz").about
    assert (about.generations, about.games, about.seed) == (12, len(games), 1)
    assert "<svg" in (player / "curve.svg").read_text()


def test_a_stopped_training_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    """Two generations are one and, from the same folder, another; and the same seed gives the same player."""
    once = trained(tmp_path / "once", 2)
    first = {name: array.copy() for name, array in trained(tmp_path / "twice", 1).network.arrays().items()}
    twice = trained(tmp_path / "twice", 2)
    for name, array in once.network.arrays().items():
        assert np.array_equal(array, twice.network.arrays()[name]), name
    assert not np.array_equal(first["inputs"], twice.network.arrays()["inputs"])


def searched(folder: Path, generations: int, workers: int = 1) -> Training:
    """A training that learns from searches of 60 iterations."""
    settings = replace(SMALL, search=60, decisions=150, workers=workers)
    training = Training(game, replace(settings, generations=generations), folder)
    training.run(lambda now: None)
    return training


def test_it_learns_from_what_the_search_finds(tmp_path: Path, usual: Components) -> None:
    """Expert iteration: whoever calls a bet with the king always wins, and the search tries that more often."""
    searched(tmp_path, 4)
    assert chance_to_call(read_weights(game, tmp_path / "trained.npz"), usual, KING) > 0.75
    lines = [msgspec.json.decode(line) for line in (tmp_path / "journal.jsonl").read_bytes().splitlines()]
    assert all(line["decisions"] > 100 for line in lines)
    assert lines[-1]["policy"] < lines[0]["policy"]


def test_what_the_search_found_is_kept_from_the_seats_views(tmp_path: Path) -> None:
    """Every search has all its iterations; what the network learns from is what each seat may know, byte for byte."""
    searched(tmp_path, 1)
    found = read_searched(tmp_path / "searched-000001.npz", game)[0]
    assert len(found.views) > 10
    assert set(np.add.reduceat(found.visits, np.concatenate([[0], found.move_ends[:-1]])).tolist()) == {60.0}
    for view, seat in zip(found.views, found.seats, strict=True):
        assert view["seat"] == seat
        assert view["card"][1 - seat] == UNKNOWN != view["card"][seat]


def test_a_training_from_the_search_goes_on_as_if_it_had_not_been_stopped(tmp_path: Path) -> None:
    """Also on another number of cores."""
    once = searched(tmp_path / "once", 2)
    searched(tmp_path / "twice", 1, workers=2)
    twice = searched(tmp_path / "twice", 2, workers=2)
    for name, array in once.network.arrays().items():
        assert np.array_equal(array, twice.network.arrays()[name]), name
    with pytest.raises(AtollError, match=r"was begun with search 60, not 0; name another folder"):
        Training(game, replace(SMALL, decisions=150), tmp_path / "once")
    (tmp_path / "once" / "searched-000001.npz").write_bytes(b"PK")
    with pytest.raises(
        AtollError, match=r"searched-000001.npz: what the search found there is missing or damaged"
    ):
        searched(tmp_path / "once", 3)


def test_a_folder_with_another_training_is_refused(tmp_path: Path) -> None:
    trained(tmp_path, 1)
    before = (tmp_path / "training.pt").read_bytes()
    with pytest.raises(AtollError, match=r"was begun with seed 1, not 2; name another folder"):
        trained(tmp_path, 1, seed=2)
    assert (tmp_path / "training.pt").read_bytes() == before


def test_two_do_not_train_in_one_folder_at_once(tmp_path: Path) -> None:
    def begin_another(now: Training) -> None:
        with pytest.raises(AtollError, match="another training is writing to this folder now"):
            trained(tmp_path, 2)

    Training(game, replace(SMALL, generations=1), tmp_path).run(begin_another)
    trained(tmp_path, 2)


def signs() -> Game:
    """A game that considers numbers of moves."""
    from signs import game as found

    assert isinstance(found, Game)
    return found


@pytest.mark.parametrize(
    ("find", "players"), [(lambda: game, 2), (signs, 3)], ids=["Kuhn poker", "with move features"]
)
def test_what_pytorch_learns_is_what_is_played(
    find: Callable[[], Game], players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiled network and that of PyTorch rate all moves of a game alike, and foretell the same."""
    monkeypatch.syspath_prepend(FAKES)
    played_game = find()
    network = Network(played_game, 6, 5, 10.0)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.5)
    weights = network.weights(about_now(played_game, 1, 0, 0, 0, []))
    components = played_game.under(played_game.components(), {})
    mind = weights.mind(players, components)
    log = DecisionLog.of(100, 20_000, 5000, 50_000, len(played_game.move_features))
    who = np.full((3, players), TRAINED, dtype=np.int8)
    seeds = np.array([4, 5, 6], dtype=np.uint64)
    played = play_trained(played_game, components, mind, who, seeds, explores=True, log=log)
    shares = np.zeros((3, players), dtype=np.float32)
    group = Group(components, players, who, seeds, played.points, shares, log, 1.0)
    found = decisions_of(played_game, [group], "cpu")
    with torch.no_grad():
        worths, outputs = network(found.batch(np.arange(len(found)), "cpu"))
    checked = 0
    for seed in seeds.tolist():
        position = played_game.start(players, seed, components)
        for _ in position.until_over():
            seat = position.to_act[0]
            view, moves = position.view(seat), position.legal_moves(seat).actions
            if len(moves) > 1:
                room = Activations.of(played_game, mind)
                looking(played_game)(mind, room, view.state, components.parts[0], moves, len(moves))
                predict(mind.layers, room, players)
                own = slice(0, len(moves))
                np.testing.assert_allclose(worths[checked, own], room.worths[own], rtol=1e-4, atol=1e-4)
                np.testing.assert_allclose(
                    outputs[checked, EXPECTED], room.outputs[EXPECTED], rtol=1e-4, atol=1e-4
                )
                np.testing.assert_allclose(
                    outputs[checked, :players].softmax(0), room.outputs[:players], rtol=1e-4, atol=1e-4
                )
                position.play_action(seat, int(moves[found.choices[checked]]))
                checked += 1
            else:
                position.play_action(seat, int(moves[0]))
    assert len(played) == 3
    assert checked == len(found) >= 6


def test_what_a_decision_was_worth_is_traced_back_for_each_seat() -> None:
    """Seats 0, 1, 0 decide, and the game brings 1 and -1: with a decay of a half, seat 0's first decision was worth
    what was expected at its second, and half of the surprise there.
    """
    expected = np.array([0.1, -0.2, 0.4], np.float32)
    out = np.zeros(3, np.float32)
    returns = np.array([[1.0, -1.0]], np.float32)
    trace_back(np.zeros(3, np.int64), np.array([0, 1, 0]), expected, returns, 0.5, out)
    np.testing.assert_allclose(out, [0.4 + 0.5 * (1 - 0.4), -1.0, 1.0], atol=1e-6)


def test_a_full_log_holds_whole_games_alone(usual: Components, tmp_path: Path) -> None:
    mind: Mind = Training(game, SMALL, tmp_path).weights.mind(2, usual)
    log = DecisionLog.of(10, 1000, 1000, 1000)
    who = np.full((20, 2), TRAINED, dtype=np.int8)
    played = play_trained(game, usual, mind, who, np.arange(1, 21, dtype=np.uint64), log=log)
    decisions = int(log.counts[2])
    assert 0 < len(played) < 20
    assert decisions == played.lengths.sum() <= 10 < decisions + 3
    assert log.decisions[decisions - 1, 0] == len(played) - 1


@pytest.mark.parametrize("name", list(games()))
def test_components_are_varied_near_what_they_are(name: str) -> None:
    """Other sets that can be played, the same for the same seed; of a game without a file, its own."""
    found = find_game(name)
    usual = found.components()
    sets = [varied(found, seed) for seed in range(6)]
    assert len({one.sha256 for one in sets} - {usual.sha256}) >= 3
    assert varied(found, 3).sha256 == sets[3].sha256
    assert found.components().sha256 == usual.sha256
    assert varied(game, 1).sha256 == game.components().sha256


def test_who_lacks_pytorch_is_told_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(sys, "argv", ["atoll", "train", "karuba"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert (
        capsys.readouterr().err
        == "atoll: atoll train needs PyTorch and Matplotlib: make train installs both "
        "(or pip install 'atoll[lab]' torch).\n"
    )


def test_it_learns_to_beat_a_trained_player(tmp_path: Path, usual: Components) -> None:
    """It begins as that player, to the byte, and soon wins more than half against one that folds too often."""
    folds = Training(game, SMALL, tmp_path / "none").weights
    folds.arrays["alone"][CALL], folds.arrays["alone"][FOLD] = -1, 1
    file = tmp_path / "folds.npz"
    file.write_bytes(packed(folds))
    settings = replace(SMALL, against=f"trained:{file}", generations=10, decisions=3000)
    training = Training(game, settings, tmp_path / "own")
    began = read_weights(game, file)
    for name, array in training.network.arrays().items():
        assert np.array_equal(array, began.arrays[name]), name
    training.run(lambda now: None)
    assert training.lines[-1].won[2][0] - training.lines[-1].won[2][1] > 50
    with pytest.raises(AtollError, match=r"--against is a trained player, .*, not .greedy"):
        Training(game, replace(settings, against="greedy"), tmp_path / "other")

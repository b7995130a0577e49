"""The learners in examples/ learn from what they should, keep what they learnt, and go on where they ended."""

import json
import os
import socket
import subprocess
import sys
import tempfile
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from numba import cuda

from tests.conftest import Run

EXAMPLES = Path(__file__).parents[2] / "examples"
SHORT = [
    "--game",
    "karuba",
    "--threads",
    "1",
    "--seconds",
    "1e12",
    "--games",
    "8",
    "--steps",
    "8",
    "--hidden",
    "16",
]
SHORT += ["--look", "2", "--evaluate", "4"]


def example(name: str) -> ModuleType:
    spec = util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def ppo() -> ModuleType:
    return example("train_ppo")


def test_a_stopped_learner_goes_on_as_if_it_had_not_been(
    ppo: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two updates are one, and one more after `--resume`: the games, the chances and the optimizer go on too."""
    how = ["--lean", "--imitate", "0", "--against", "self,random"]
    ppo.main([*SHORT, *how, "--updates", "2", "--out", str(tmp_path / "once")])
    ppo.main([*SHORT, *how, "--updates", "1", "--out", str(tmp_path / "twice")])
    first = torch.load(tmp_path / "twice" / "player.pt", weights_only=False)["player"]
    ppo.main([*SHORT, *how, "--updates", "2", "--out", str(tmp_path / "twice"), "--resume"])
    once, twice = (
        torch.load(tmp_path / name / "player.pt", weights_only=False)["player"] for name in ("once", "twice")
    )
    for name, weights in once.items():
        torch.testing.assert_close(weights, twice[name])
    assert not torch.equal(first["body.1.weight"], twice["body.1.weight"])
    assert "of 4 games against greedy" in capsys.readouterr().out
    assert "<svg" in (tmp_path / "once" / "curve.svg").read_text()


def test_what_a_game_brings_goes_to_each_seat(ppo: ModuleType) -> None:
    """Seats 0, 1, 0 decide, then seat 1 has won and the next game begins: its last decision earned each its return."""
    value = torch.tensor([[0.1], [0.2], [0.3], [0.4]])
    empty = torch.zeros(4, 1)
    found = ppo.Decisions(
        seen=empty,
        legal=empty,
        count=empty,
        advised=empty,
        move_features=empty,
        action=empty,
        chance=empty,
        value=value,
        seat=torch.tensor([[0], [1], [0], [1]]),
        over=torch.tensor([[False], [False], [True], [False]]),
        returns=torch.tensor([[[0.0, 0.0]], [[0.0, 0.0]], [[-1.0, 1.0]], [[9.0, 9.0]]]),
        last_value=torch.tensor([0.5]),
        last_seat=torch.tensor([0]),
    ).advantages()[:, 0]
    last = -1.0 - 0.3
    torch.testing.assert_close(
        found, torch.tensor([0.3 - 0.1 + ppo.TRACE * last, 1.0 - 0.2, last, -0.5 - 0.4])
    )


def test_points_become_how_far_a_seat_is_ahead(ppo: ModuleType) -> None:
    """Games of 3 points to 1 and of 0 to 6: 2 and 6 ahead, of which the root of the mean square is the unit."""
    empty = torch.zeros(2, 1)
    decisions = ppo.Decisions(
        seen=empty,
        legal=empty,
        count=empty,
        advised=empty,
        move_features=empty,
        action=empty,
        chance=empty,
        value=empty,
        seat=empty,
        over=torch.tensor([[True], [True]]),
        returns=torch.tensor([[[3.0, 1.0]], [[0.0, 6.0]]]),
        last_value=empty,
        last_seat=empty,
    )
    spread = torch.tensor(0.0)
    decisions.compare(spread)
    assert float(spread) == pytest.approx(((2**2 + 6**2) / 2) ** 0.5)
    ahead = torch.tensor([[[2.0, -2.0]], [[-6.0, 6.0]]])
    torch.testing.assert_close(decisions.returns, torch.tanh(ahead / spread))


def test_imitating_makes_greedys_moves_likelier(ppo: ModuleType) -> None:
    torch.manual_seed(1)
    settings = ppo.argparse.Namespace(game="karuba", players=2, threads=1, seed=1)
    table = ppo.Table(settings, "greedy", 16, "points")
    player = ppo.Player(table.envs, hidden=16, lean=False)
    optimizer = torch.optim.Adam(player.parameters(), lr=1e-2)
    decisions = table.play(player, 8, ppo.FOLLOWED)
    losses = [ppo.learn(player, optimizer, [decisions], True)["policy loss"] for _ in range(6)]
    assert losses[-1] < losses[0] * 0.8


def test_illegal_actions_have_no_chance(ppo: ModuleType) -> None:
    """Of decisions with fewer legal actions than others, all that is beyond them has the chance 0; with greedy's move
    leant on, that one has e to TRUST times the chance of all others together where the network knows nothing.
    """
    envs, player = ignorant(ppo, "costa-ruana")
    seen, _ = envs.reset(seed=1)
    count, best = torch.tensor([2, 5, 1, 4]), torch.tensor([1, 3, 0, 0])
    legal = torch.arange(5).repeat(4, 1)
    chances = player(torch.from_numpy(seen), legal, count, best, torch.zeros(4, 0, 0))[0].softmax(1)
    assert (chances[torch.arange(5) >= count[:, None]] == 0).all()
    torch.testing.assert_close(chances[0, 1] / chances[0, 0], 2 * torch.tensor(ppo.TRUST).exp())


def test_move_features_are_leant_on(ppo: ModuleType) -> None:
    """Where the network knows nothing, a move's logit falls by FALL for each scale that its first number is behind the
    highest of the legal ones; what stands beyond these does not count, and the other numbers weigh what was learnt.
    """
    envs, player = ignorant(ppo, "karuba")
    seen, _ = envs.reset(seed=1)
    count, nobody = torch.tensor([2, 3, 1, 1]), torch.zeros(4, dtype=torch.long)
    numbers = torch.rand(4, 120, len(envs.game.move_features))
    numbers[:, :3, 0] = torch.tensor([7.0, 6.5, 100.0])
    player.weights.data[3] = -0.5
    for place in range(2):
        numbers[0, place, 3] = place / 2
    given = torch.from_numpy(seen), torch.arange(3).repeat(4, 1), count, nobody, numbers
    logits = player(*given)[0]
    spared = 0.5 / envs.game.move_features[3].scale * -0.5
    torch.testing.assert_close(logits[0, 1] - logits[0, 0], ppo.FALL * torch.tensor(-0.5 + spared))
    assert (logits.softmax(1)[torch.arange(3) >= count[:, None]] == 0).all()


def ignorant(ppo: ModuleType, game: str) -> tuple[Any, Any]:
    """A player to whom all actions are alike, so that only what it leans on tells them apart."""
    envs = ppo.GamesEnv(4, game=game, bots=None, advise=True, threads=1)
    player = ppo.Player(envs, hidden=8, lean=True)
    torch.nn.init.zeros_(player.alone)
    torch.nn.init.zeros_(player.alike.weight)
    torch.nn.init.zeros_(player.alike.bias)
    return envs, player


def test_nothing_to_resume_is_said(
    ppo: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        ppo.main([*SHORT, "--resume", "--out", str(tmp_path)])
    assert "there is nothing to resume in" in capsys.readouterr().err


def test_the_benchmarks_learner_learns_by_a_critic_that_sees_all_and_plays_by_its_view(
    tmp_path: Path, run: Run
) -> None:
    """The critic is asked of hidden cards in training; what plays has no part of it, and an illegal action would end
    the run.
    """
    kept = tmp_path / "karuba-2.pt"
    short = [
        "--game",
        "karuba",
        "--players",
        "2",
        "--games",
        "8",
        "--steps",
        "8",
        "--width",
        "16",
        "--look",
        "2",
    ]
    ppo = example("ppo")
    device = "cuda" if cuda.is_available() else "cpu"
    for critic in ("own", "full"):
        learner = [*short, "--device", device, "--critic", critic, "--out", str(kept)]
        ppo.main([*learner, "--decisions", "100"])
        learnt = [json.loads(line)["learnt"] for line in kept.with_suffix(".jsonl").read_text().splitlines()]
        assert (learnt[0], learnt[-1]) == (0, 96)
        assert not any("critic" in name for name in torch.load(kept)["network"])
    policy = f"{EXAMPLES / 'ppo.py'}:Player:{tmp_path}/{{game}}-{{players}}.pt"
    quick = ["--task", "karuba-2", "--opponent", "greedy", "--deals", 2, "--learnt", 96, "--name", "ppo"]
    status, said, _ = run("benchmark", "run", policy, *quick, "--out", tmp_path / "ppo.json")
    assert (status, "| `ppo` | Atoll-10M | karuba-2 | 2 |" in said) == (0, True)


def test_what_a_game_brings_goes_to_each_seat_of_the_benchmarks_learner(tmp_path: Path) -> None:
    """As above: seats 0, 1, 0 decide, then seat 1 has won and the next game begins."""
    ppo = example("ppo")
    played = {
        "returns": torch.tensor([[[0.0, 0.0]], [[0.0, 0.0]], [[-1.0, 1.0]], [[9.0, 9.0]]]),
        "over": torch.tensor([[False], [False], [True], [False]]),
        "seat": torch.tensor([[0], [1], [0], [1]]),
        "value": torch.tensor([[0.1], [0.2], [0.3], [0.4]]),
    }
    found = ppo.Training.advantages(None, played, torch.tensor([0.5]), torch.tensor([0]))[:, 0]
    last = -1.0 - 0.3
    torch.testing.assert_close(
        found, torch.tensor([0.3 - 0.1 + ppo.TRACE * last, 1.0 - 0.2, last, -0.5 - 0.4])
    )


def one_of_two(ppo: Any) -> tuple[Any, Any, Any]:
    """The network before and after learning, and what was observed, in one of two processes."""
    ppo.distributed.init_process_group("gloo")
    learner = ppo.Training(
        ppo.argparse.Namespace(
            game="karuba", players=2, against="self", critic="own", reward="points", games=8, steps=8, batch=32,
            epochs=1, width=16, rate=1e-2, threads=1, seed=1, device="cpu",
        )
    )  # fmt: skip
    begun = [one.detach().clone() for one in learner.network.parameters()]
    played = learner.play(8)
    learner.learn(played)
    ppo.distributed.destroy_process_group()
    return begun, [one.detach() for one in learner.network.parameters()], played["seen"]


def test_processes_play_games_of_their_own_and_learn_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two begin with one network, play four of eight games each, other ones, and have one network after learning."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    two = {"WORLD_SIZE": "2", "RANK": "0", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    for name, value in two.items():
        monkeypatch.setenv(name, value)
    file = tmp_path / "other.pt"
    source = (
        "import sys, torch; from tests.examples.test_learners import example, one_of_two\n"
        "torch.save(one_of_two(example('ppo')), sys.argv[1])"
    )
    other = subprocess.Popen([sys.executable, "-c", source, str(file)], env={**os.environ, "RANK": "1"})
    begun, learnt, seen = one_of_two(example("ppo"))
    assert other.wait() == 0
    begun_too, learnt_too, seen_too = torch.load(file)
    torch.testing.assert_close(begun, begun_too)
    torch.testing.assert_close(learnt, learnt_too)
    assert not any(torch.equal(one, other) for one, other in zip(begun[:2], learnt[:2], strict=True))
    assert seen.shape == seen_too.shape == (8, 4, seen.shape[2])
    assert not torch.equal(seen, seen_too)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # TorchRL's own, of what it imports
def test_torchrl_learns_with_masks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """TorchRL's own wrapper, collector and loss; an illegal action would lose at once."""
    kept = tmp_path / "player.pt"
    example("train_torchrl").main(
        ["--game", "karuba", "--decisions", "64", "--evaluate", "2", "--out", str(kept)]
    )
    assert kept.exists()
    assert "of 2 games against random" in capsys.readouterr().out


def test_maskable_ppo_learns_with_masks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """sb3-contrib's own algorithm trains, is saved, is loaded and plays; an illegal action would lose at once."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # for stable-baselines3's log
    kept = tmp_path / "player.zip"
    example("train_maskable_ppo").main(
        ["--game", "karuba", "--decisions", "64", "--evaluate", "2", "--out", str(kept)]
    )
    assert kept.exists()
    assert "of 2 games against random" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "package", "installs"),
    [
        ("ppo", "torch", "make train"),
        ("train_ppo", "matplotlib.figure", "make train"),
        ("train_maskable_ppo", "sb3_contrib", "make train"),
        ("train_tianshou", "tianshou", "pip install 'tianshou>=2.0'"),
        ("train_torchrl", "torchrl.envs", "make train"),
        ("train_nfsp", "pyspiel", "make train"),
        ("train_rllib", "ray.rllib.algorithms.ppo", "pip install 'ray\\[rllib\\]>=2.54'"),
    ],
)
def test_who_lacks_what_a_learner_needs_is_told_the_command(
    name: str, package: str, installs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SystemExit, match=f"^this needs .+: {installs} installs it$"):
        example(name)

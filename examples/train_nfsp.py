"""Neural fictitious self-play by OpenSpiel's own code, on any of the games.

    make train                                                         installs PyTorch and OpenSpiel
    .venv/bin/pip install dm-tree                                      installs what OpenSpiel's NFSP needs besides
    .venv/bin/python examples/train_nfsp.py --game costa-ruana --players 2 --decisions 200000 --out runs/nfsp.pt
    atoll benchmark run examples/train_nfsp.py:Player:runs/nfsp.pt --task costa-ruana-2 --learnt 200000 --out nfsp.json

What is kept and measured is the average policy of the first seat's learner: observations and actions count seats from
the viewer, so it plays in any seat. J. Heinrich and D. Silver, "Deep Reinforcement Learning from Self-Play in
Imperfect-Information Games", 2016.
"""

import argparse
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

try:
    import pyspiel
    import torch
    from open_spiel.python import rl_environment
    from open_spiel.python.pytorch import dqn, nfsp
except ModuleNotFoundError as missing:
    wanted = "pip install dm-tree" if missing.name == "tree" else "make train"
    raise SystemExit(f"this needs {missing.name}: {wanted} installs it") from None

from atoll.core.catalogue import games
from atoll.envs.open_spiel import register


@cache
def kept(path: str) -> torch.nn.Module:
    """The average policy in a file."""
    found = torch.load(path, weights_only=True)
    network = dqn.MLP(found["size"], [found["width"]] * 2, found["actions"], seed=0)
    network.load_state_dict(found["network"])
    return network


class Player:
    """The average policy as the benchmark asks it: it draws a legal action by what its seat observes."""

    def __init__(self, path: str, *, game: str, players: int, seat: int, seed: int) -> None:
        self.network, self.chance = kept(path), np.random.default_rng(seed)

    @torch.no_grad()
    def __call__(self, seen: dict[str, np.ndarray]) -> int:
        legal = np.flatnonzero(seen["action_mask"])
        logits = self.network(torch.from_numpy(seen["observation"])[None])[0, legal]
        return int(self.chance.choice(legal, p=logits.double().softmax(0).numpy()))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, learn and keep the player."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(games()), default="costa-ruana")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--decisions", type=int, default=200_000, help="how many of all seats to learn from")
    parser.add_argument("--width", type=int, default=128, help="the width of both layers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs") / "nfsp.pt")
    settings = parser.parse_args(arguments)
    torch.set_num_threads(1)
    torch.manual_seed(settings.seed)
    np.random.seed(settings.seed)
    register()
    name = f"atoll_{settings.game.replace('-', '_')}"
    game = pyspiel.load_game(name, {"players": settings.players, "reward": "win"})
    table = rl_environment.Environment(game, observation_type=rl_environment.ObservationType.OBSERVATION)
    table.seed(settings.seed)
    size, actions = table.observation_spec()["info_state"][0], table.action_spec()["num_actions"]
    learners = [
        nfsp.NFSP(
            seat, size, actions, [settings.width] * 2, reservoir_buffer_capacity=100_000,
            anticipatory_param=0.1, rl_learning_rate=1e-3, sl_learning_rate=1e-3, optimizer_str="adam",
            replay_buffer_capacity=50_000, epsilon_decay_duration=settings.decisions,
            seed=settings.seed + seat,
        )
        for seat in range(settings.players)
    ]  # fmt: skip
    decided, began = 0, time.process_time()
    while decided < settings.decisions:
        step = table.reset()
        while not step.last():
            action = learners[step.observations["current_player"]].step(step).action
            step = table.step([action])
            decided += 1
        for learner in learners:
            learner.step(step)
    settings.out.parent.mkdir(parents=True, exist_ok=True)
    network = learners[0]._avg_network
    torch.save(
        {"size": size, "width": settings.width, "actions": actions, "network": network.state_dict()},
        settings.out,
    )
    print(f"{decided:,} decisions in {time.process_time() - began:.0f} processor seconds; {settings.out}")


if __name__ == "__main__":
    main()

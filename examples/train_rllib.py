"""Train a player of any of the games with RLlib's PPO, on the Gymnasium environment as it is.

    make train                                                  installs PyTorch and the environments
    .venv/bin/pip install 'ray[rllib]>=2.54'                    installs RLlib, and what it needs
    .venv/bin/python examples/train_rllib.py --game karuba --decisions 100000

With `dict_observation=True` an observation is a dictionary of `observation` and `action_mask`: the module below gives
illegal actions, which would lose the game, no chance.
"""

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

try:
    import gymnasium
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.columns import Columns
    from ray.rllib.core.rl_module.apis import ValueFunctionAPI
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.core.rl_module.torch import TorchRLModule
    from ray.tune import register_env
    from torch import nn
except ModuleNotFoundError as missing:
    wanted = "make train" if missing.name in ("gymnasium", "torch") else "pip install 'ray[rllib]>=2.54'"
    raise SystemExit(f"this needs {missing.name}: {wanted} installs it") from None

import atoll.envs.gymnasium
from atoll.core.catalogue import games


class MaskedModule(TorchRLModule, ValueFunctionAPI):  # type: ignore[misc]
    """What chooses among the legal actions, and what it expects; two layers of both are the same."""

    def setup(self) -> None:
        """Make the network."""
        size, width = self.observation_space["observation"].shape[0], self.model_config["width"]
        self.body = nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy, self.value = nn.Linear(width, self.action_space.n), nn.Linear(width, 1)

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        logits = self.policy(self.body(seen["observation"]))
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, -1e9)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """What it expects, (n,)."""
        return self.value(self.body(batch[Columns.OBS]["observation"]))[:, 0]


def table(settings: dict[str, Any]) -> gymnasium.Env:
    """One learner among bots."""
    name = f"{atoll.envs.gymnasium.__name__}:atoll/{settings['game']}-v0"
    return gymnasium.make(name, bots=settings["bots"], dict_observation=True)


@torch.no_grad()
def win_share(module: Any, env: gymnasium.Env, count: int) -> float:
    """The win share of its likeliest moves in so many games, each from the next seat."""
    players = env.unwrapped.referee.players  # type: ignore[attr-defined]
    share = 0.0
    seen, _ = env.reset(seed=1_000_003)
    for _ in range(count):
        over, reward = False, 0.0
        while not over:
            batch = {Columns.OBS: {name: torch.from_numpy(part)[None] for name, part in seen.items()}}
            logits = module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS]
            seen, reward, over, _, _ = env.step(int(logits.argmax()))
        share += (float(reward) * (players - 1) + 1) / players
        seen, _ = env.reset()
    return share / count


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, train, evaluate and save."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(games()), default="karuba")
    parser.add_argument("--bots", default="random", help="who sits in the other seats, separated by commas")
    parser.add_argument("--decisions", type=int, default=100_000, help="how many to learn from")
    parser.add_argument("--width", type=int, default=128, help="the width of the network")
    parser.add_argument("--evaluate", type=int, default=200, help="games at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where the player is kept; runs/GAME-rllib.pt if not said")
    settings = parser.parse_args(arguments)
    out = settings.out or Path("runs") / f"{settings.game}-rllib.pt"
    played = {"game": settings.game, "bots": settings.bots}
    steps = min(2048, settings.decisions)
    ray.init(num_cpus=1, include_dashboard=False, logging_level=logging.ERROR)
    register_env("atoll", table)
    trainer = (
        PPOConfig()
        .environment("atoll", env_config=played)
        .env_runners(num_env_runners=0)
        .learners(num_learners=0)
        .training(
            gamma=1.0, lambda_=0.95, lr=1e-3, entropy_coeff=0.01, grad_clip=0.5, num_epochs=3,
            train_batch_size_per_learner=steps, minibatch_size=min(256, steps),
        )
        .rl_module(
            rl_module_spec=RLModuleSpec(module_class=MaskedModule, model_config={"width": settings.width})
        )
        .debugging(seed=settings.seed)
        .build_algo()
    )  # fmt: skip
    for _ in range(-(-settings.decisions // steps)):
        trainer.train()
    module = trainer.get_module()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(module.state_dict(), out)
    share = win_share(module, table(played), settings.evaluate)
    print(f"wins {share:.1%} of {settings.evaluate} games against {settings.bots}; {out}")
    trainer.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()

"""Train a player of any of the games with TorchRL's proximal policy optimization, against bots of `atoll play`.

    make train                                                       installs PyTorch and the environments
    .venv/bin/pip install 'torchrl>=0.14'                            installs TorchRL, and what it needs
    .venv/bin/python examples/train_torchrl.py --game karuba --decisions 200000

`atoll/GAME-v0` with `dict_observation=True` has `observation` and `action_mask`: TorchRL's `GymWrapper` makes entries
of its tensordicts and `ActionMask` gives to the action's space; the policy draws from a `MaskedCategorical`.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

try:
    import gymnasium
    import torch
    from tensordict.nn import (
        ProbabilisticTensorDictModule,
        ProbabilisticTensorDictSequential,
        TensorDictModule,
    )
    from torch import nn
    from torchrl.collectors import Collector
    from torchrl.envs import ActionMask, GymWrapper, TransformedEnv
    from torchrl.modules import MaskedCategorical, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE
except ModuleNotFoundError as missing:
    theirs = str(missing.name).startswith(("torchrl", "tensordict"))
    wanted = "pip install 'torchrl>=0.14'" if theirs else "make train"
    raise SystemExit(f"this needs {missing.name}: {wanted} installs it") from None

import atoll.envs.gymnasium  # registers atoll/NAME-v0 for every game
from atoll.core.catalogue import games


def layers(inputs: int, width: int, outputs: int) -> nn.Sequential:
    """Two layers and what comes of them."""
    hidden = (nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
    return nn.Sequential(*hidden, nn.Linear(width, outputs))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, train, evaluate and save."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(games()), default="karuba")
    parser.add_argument("--bots", default="random", help="who sits in the other seats, separated by commas")
    parser.add_argument("--decisions", type=int, default=100_000, help="how many to learn from")
    parser.add_argument("--width", type=int, default=128, help="the width of the networks")
    parser.add_argument("--evaluate", type=int, default=200, help="games at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where the player is kept; runs/GAME-torchrl.pt if not said")
    settings = parser.parse_args(arguments)
    out = settings.out or Path("runs") / f"{settings.game}-torchrl.pt"
    torch.manual_seed(settings.seed)
    name = f"{atoll.envs.gymnasium.__name__}:atoll/{settings.game}-v0"
    made = gymnasium.make(name, bots=settings.bots, dict_observation=True)
    env = TransformedEnv(GymWrapper(made, categorical_action_encoding=True), ActionMask())
    env.set_seed(settings.seed)
    inputs, actions = made.observation_space["observation"].shape[0], int(made.action_space.n)
    logits = TensorDictModule(layers(inputs, settings.width, actions), ["observation"], ["logits"])
    draw = ProbabilisticTensorDictModule(
        {"logits": "logits", "mask": "action_mask"}, ["action"], distribution_class=MaskedCategorical,
        return_log_prob=True,
    )  # fmt: skip
    policy = ProbabilisticTensorDictSequential(logits, draw)
    value = ValueOperator(layers(inputs, settings.width, 1), in_keys=["observation"])
    loss = ClipPPOLoss(policy, value, entropy_coeff=0.01)
    estimate = GAE(gamma=1.0, lmbda=0.95, value_network=value)
    learner = torch.optim.Adam(loss.parameters(), lr=3e-4)
    frames = min(2048, settings.decisions)
    for played in Collector(env, policy, frames_per_batch=frames, total_frames=settings.decisions):
        for _ in range(4):
            with torch.no_grad():
                estimate(played)
            rows = played.reshape(-1)
            for batch in torch.randperm(len(rows)).split(256):
                parts = loss(rows[batch])
                learner.zero_grad()
                sum(parts[f"loss_{what}"] for what in ("objective", "critic", "entropy")).backward()
                learner.step()
    share = 0.0
    players = made.unwrapped.referee.players  # type: ignore[attr-defined]
    judged = gymnasium.make(name, bots=settings.bots, dict_observation=True)
    seen, _ = judged.reset(seed=1_000_003)
    for _ in range(settings.evaluate):
        over, reward = False, 0.0
        while not over:
            with torch.no_grad():
                fits = logits.module(torch.from_numpy(seen["observation"]))
            fits[torch.from_numpy(seen["action_mask"] == 0)] = -torch.inf
            seen, reward, over, _, _ = judged.step(int(fits.argmax()))
        share += (float(reward) * (players - 1) + 1) / players
        seen, _ = judged.reset()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(logits.module.state_dict(), out)
    print(f"wins {share / settings.evaluate:.1%} of {settings.evaluate} games against {settings.bots}; {out}")


if __name__ == "__main__":
    main()

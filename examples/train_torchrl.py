"""Train a player of any of the games with TorchRL's PPO, on the Gymnasium environment as it is.

    make train                                                  installs what this needs
    .venv/bin/python examples/train_torchrl.py --game karuba --decisions 200000

With `dict_observation=True` an observation is a dictionary of `observation` and `action_mask`, which TorchRL's
`ActionMask` and `MaskedCategorical` take, so that nobody tries an illegal action, which would lose the game.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

try:
    import gymnasium
    import torch
    from tensordict.nn import TensorDictModule, TensorDictSequential
    from torch import nn
    from torchrl.collectors import Collector
    from torchrl.envs import (
        ActionMask,
        Compose,
        DTypeCastTransform,
        ExplorationType,
        GymWrapper,
        TransformedEnv,
        set_exploration_type,
    )
    from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
    from torchrl.objectives import ClipPPOLoss
    from torchrl.objectives.value import GAE
except ModuleNotFoundError as missing:
    raise SystemExit(f"this needs {missing.name}: make train installs it") from None

import atoll.envs.gymnasium
from atoll.core.catalogue import games


def table(settings: argparse.Namespace) -> TransformedEnv:
    """One learner among bots."""
    name = f"{atoll.envs.gymnasium.__name__}:atoll/{settings.game}-v0"
    env = gymnasium.make(name, bots=settings.bots, dict_observation=True)
    masked = Compose(DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]), ActionMask())
    return TransformedEnv(GymWrapper(env, categorical_action_encoding=True), masked)


def player_of(env: TransformedEnv, width: int) -> tuple[ProbabilisticActor, ValueOperator]:
    """What chooses among the legal actions, and what it expects; two layers of both are the same."""
    size, actions = env.observation_spec["observation"].shape[-1], env.action_spec.n
    body = nn.Sequential(nn.Linear(size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
    logits = TensorDictModule(
        nn.Sequential(body, nn.Linear(width, actions)), in_keys=["observation"], out_keys=["logits"]
    )
    actor = ProbabilisticActor(
        TensorDictSequential(logits),
        in_keys={"logits": "logits", "mask": "action_mask"},
        spec=env.action_spec,
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return actor, ValueOperator(nn.Sequential(body, nn.Linear(width, 1)), in_keys=["observation"])


@torch.no_grad()
def win_share(actor: ProbabilisticActor, env: TransformedEnv, count: int) -> float:
    """The win share of its likeliest moves in so many games, each from the next seat."""
    players = env.base_env.unwrapped.referee.players
    env.set_seed(1_000_003)
    share = 0.0
    with set_exploration_type(ExplorationType.DETERMINISTIC):
        for _ in range(count):
            last = env.rollout(100_000, actor)["next", "reward"][-1].item()
            share += (last * (players - 1) + 1) / players
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
    parser.add_argument("--out", type=Path, help="where the player is kept; runs/GAME-torchrl.pt if not said")
    settings = parser.parse_args(arguments)
    out = settings.out or Path("runs") / f"{settings.game}-torchrl.pt"
    torch.manual_seed(settings.seed)
    env = table(settings)
    env.set_seed(settings.seed)
    actor, critic = player_of(env, settings.width)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    steps = min(2048, settings.decisions)
    collector = Collector(
        env,
        actor,
        frames_per_batch=steps,
        total_frames=settings.decisions,
        auto_register_policy_transforms=True,
    )
    for played in collector:
        advantage(played)
        for batch in torch.randperm(steps).repeat(3).split(256):
            found = loss(played[batch])
            optimizer.zero_grad()
            sum(found[name] for name in ("loss_objective", "loss_critic", "loss_entropy")).backward()
            nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
            optimizer.step()
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(actor.state_dict(), out)
    share = win_share(actor, table(settings), settings.evaluate)
    print(f"wins {share:.1%} of {settings.evaluate} games against {settings.bots}; {out}")


if __name__ == "__main__":
    main()

"""Train a player of any of the games with tianshou's DQN, in one seat of the PettingZoo environment.

    make train                                                       installs PyTorch and the environments
    .venv/bin/pip install 'tianshou>=2.0'                            installs tianshou, and what it needs
    .venv/bin/python examples/train_tianshou.py --game karuba --decisions 200000

tianshou's `PettingZooEnv` passes on the masks as they are: neither the learner, in the last seat, nor the random
players in the others try an illegal action, which would lose the game.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

try:
    import numpy as np
    import torch
    from tianshou.algorithm import (
        DQN,
        MARLRandomDiscreteMaskedOffPolicyAlgorithm,
        MultiAgentOffPolicyAlgorithm,
    )
    from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
    from tianshou.algorithm.optim import AdamOptimizerFactory
    from tianshou.data import Collector, CollectStats, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv
    from tianshou.env.pettingzoo_env import PettingZooEnv
    from tianshou.trainer import OffPolicyTrainerParams
    from tianshou.utils.net.common import Net
except ModuleNotFoundError as missing:
    wanted = "pip install 'tianshou>=2.0'" if str(missing.name).startswith("tianshou") else "make train"
    raise SystemExit(f"this needs {missing.name}: {wanted} installs it") from None

from atoll.core.catalogue import games
from atoll.envs.pettingzoo import env


def players_of(table: PettingZooEnv, hidden: int, rate: float) -> MultiAgentOffPolicyAlgorithm:
    """Random players, and in the last seat one that learns."""
    shape = table.env.observation_space(table.agents[-1])["observation"].shape
    policy = DiscreteQLearningPolicy(
        model=Net(state_shape=shape, action_shape=table.action_space.n, hidden_sizes=[hidden, hidden]),
        action_space=table.action_space,
        eps_training=0.1,
        eps_inference=0.0,
    )
    learner = DQN(
        policy=policy, optim=AdamOptimizerFactory(lr=rate), gamma=1.0, n_step_return_horizon=8,
        target_update_freq=500,
    )  # fmt: skip
    others = [
        MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=table.action_space) for _ in table.agents[1:]
    ]
    return MultiAgentOffPolicyAlgorithm(algorithms=[*others, learner], env=table)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, train, evaluate and save."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(games()), default="karuba")
    parser.add_argument("--players", type=int, help="the game's usual number if not said")
    parser.add_argument("--decisions", type=int, default=100_000, help="how many of all seats to learn from")
    parser.add_argument("--games", type=int, default=8, help="games at once")
    parser.add_argument("--hidden", type=int, default=128, help="the width of the network")
    parser.add_argument("--rate", type=float, default=3e-4, help="the learning rate")
    parser.add_argument("--evaluate", type=int, default=200, help="games at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, help="where the player is kept; runs/GAME-tianshou.pt if not said"
    )
    settings = parser.parse_args(arguments)
    out = settings.out or Path("runs") / f"{settings.game}-tianshou.pt"
    np.random.seed(settings.seed)
    torch.manual_seed(settings.seed)

    def table() -> PettingZooEnv:
        return PettingZooEnv(env(settings.game, players=settings.players))

    one, many, judged = table(), *(DummyVectorEnv([table] * settings.games) for _ in range(2))
    many.seed(settings.seed)
    judged.seed(settings.seed + 1_000_003)
    seats = players_of(one, settings.hidden, settings.rate)
    learns = Collector[CollectStats](
        seats, many, VectorReplayBuffer(50_000, settings.games), exploration_noise=True
    )
    plays = Collector[CollectStats](seats, judged)
    learns.reset()
    learns.collect(n_step=64 * settings.games)
    epoch = min(10_000, settings.decisions)
    seats.run_training(
        OffPolicyTrainerParams(
            training_collector=learns,
            test_collector=None,
            max_epochs=max(1, settings.decisions // epoch),
            epoch_num_steps=epoch,
            collection_step_num_env_steps=8 * settings.games,
            batch_size=128,
            update_step_num_gradient_steps_per_sample=0.05,
            multi_agent_return_reduction=lambda returns: returns[:, -1],
        )
    )
    plays.reset()
    returns = plays.collect(n_episode=settings.evaluate).returns[:, -1]
    players = len(one.agents)
    share = float(((returns * (players - 1) + 1) / players).mean())
    out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(seats.get_algorithm(one.agents[-1]).state_dict(), out)
    print(f"wins {share:.1%} of {len(returns)} games against random; {out}")


if __name__ == "__main__":
    main()

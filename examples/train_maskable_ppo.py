"""Train a player of any of the games with sb3-contrib's MaskablePPO, against bots of `atoll play`.

    make train                                                       installs what this needs
    .venv/bin/python examples/train_maskable_ppo.py --game karuba --decisions 200000

`atoll/GAME-v0` has `action_masks()`, where MaskablePPO looks for the legal actions; nothing else is needed. For many
games a second, see `examples/train_ppo.py`.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

try:
    import gymnasium
    from sb3_contrib import MaskablePPO
except ModuleNotFoundError as missing:
    raise SystemExit(f"this needs {missing.name}: make train installs it") from None

import atoll.envs.gymnasium  # registers atoll/NAME-v0 for every game
from atoll.core.catalogue import games


def win_share(player: MaskablePPO, env: gymnasium.Env, count: int) -> float:
    """The player's win share in so many games, each from the next seat."""
    share = 0.0
    players = env.unwrapped.referee.players  # type: ignore[attr-defined]
    seen, info = env.reset(seed=1_000_003)
    for _ in range(count):
        over, reward = False, 0.0
        while not over:
            action, _ = player.predict(seen, action_masks=info["action_mask"], deterministic=True)
            seen, reward, over, _, info = env.step(action)
        share += (float(reward) * (players - 1) + 1) / players
        seen, info = env.reset()
    return share / count


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, train, evaluate and save."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(games()), default="karuba")
    parser.add_argument("--bots", default="random", help="who sits in the other seats, separated by commas")
    parser.add_argument("--decisions", type=int, default=100_000, help="how many to learn from")
    parser.add_argument("--evaluate", type=int, default=200, help="games at the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--out", type=Path, help="where the player is kept; runs/GAME-maskable-ppo.zip if not said"
    )
    settings = parser.parse_args(arguments)
    out = settings.out or Path("runs") / f"{settings.game}-maskable-ppo.zip"
    env = gymnasium.make(f"{atoll.envs.gymnasium.__name__}:atoll/{settings.game}-v0", bots=settings.bots)
    steps = min(2048, settings.decisions)
    player = MaskablePPO(
        "MlpPolicy", env, gamma=1.0, n_steps=steps, batch_size=min(256, steps), seed=settings.seed
    )
    player.learn(settings.decisions)
    out.parent.mkdir(parents=True, exist_ok=True)
    player.save(out)
    share = win_share(MaskablePPO.load(out), env, settings.evaluate)
    print(f"wins {share:.1%} of {settings.evaluate} games against {settings.bots}; {out}")


if __name__ == "__main__":
    main()

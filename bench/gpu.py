"""Games stepped by the GPU's kernel against those of the processor, bit for bit: `python -m bench.gpu`.

Without an NVIDIA GPU that is Numba's CUDA simulator, which runs the device functions made of the rules' Python source:
`NUMBA_ENABLE_CUDASIM=1 python -m bench.gpu --game cast-away`. It takes half a minute of the processor where a game has
large effects.
"""

import argparse
import sys
from typing import Any

import numpy as np

from atoll.core.catalogue import games
from atoll.core.errors import AtollError
from atoll.envs.vector import GamesEnv


def differences(game: str, bots: str | None, steps: int) -> list[str]:
    """What differs after so many random decisions in each of two games: names of arrays, and where first."""
    here, there = (
        GamesEnv(2, game=game, bots=bots, autoreset_mode="SameStep", threads=1, device=device)
        for device in ("cpu", "cuda")
    )
    chance = np.random.default_rng(1)
    given: list[Any] = [envs.reset(seed=3) for envs in (here, there)]
    for step in range(steps):
        info = given[0][-1]
        actions = info["legal"][np.arange(2), (chance.random(2) * info["legal_count"]).astype(int)]
        given = [envs.step(actions) for envs in (here, there)]
        one, other = (
            {**dict(zip(("observations", "rewards", "over", "cut"), told[:-1], strict=True)), **told[-1]}
            for told in given
        )
        found = [name for name in one if one[name].tobytes() != other[name].tobytes()]
        if found:
            return [f"{name} after {step + 1} decisions" for name in found]
    kept, copied = (envs.get_state()["games"] for envs in (here, there))
    return [f"{name} at the end" for name in kept if kept[name].tobytes() != copied[name].tobytes()]


def main() -> None:
    """Compare, and say what differs."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.gpu", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--bots", help="who sits in the other seats: random or greedy; nobody if not said")
    parser.add_argument("--steps", type=int, default=8, help="decisions in each of two games")
    settings = parser.parse_args()
    broken = False
    for name in settings.game or games():
        try:
            found = differences(name, settings.bots, settings.steps)
        except AtollError as error:
            parser.error(str(error))
        broken |= bool(found)
        print(f"{name}: {', '.join(found) or 'the same'}", flush=True)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()

"""Games stepped by the GPU's kernel are those of the processor, bit for bit: in Numba's CUDA simulator, which runs the
device functions made of the rules' Python source, so that no GPU is needed.
"""

import os
import subprocess
import sys

import pytest

COMPARE = """
import sys
import numpy as np
from numba import config
from atoll.envs.vector import GamesEnv

assert config.ENABLE_CUDASIM
game, bots = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
here, there = (
    GamesEnv(2, game=game, bots=bots, autoreset_mode="SameStep", threads=1, device=device)
    for device in ("cpu", "cuda")
)
chance = np.random.default_rng(1)
given = [envs.reset(seed=3) for envs in (here, there)]
for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 8):
    info = given[0][-1]
    actions = info["legal"][np.arange(2), (chance.random(2) * info["legal_count"]).astype(int)]
    given = [envs.step(actions) for envs in (here, there)]
    for one, other in zip(*(step[:-1] for step in given)):
        assert one.tobytes() == other.tobytes()
    assert {name: array.tobytes() for name, array in given[0][-1].items()} == {
        name: array.tobytes() for name, array in given[1][-1].items()
    }
kept, copied = (envs.get_state()["games"] for envs in (here, there))
for name in kept:
    assert kept[name].tobytes() == copied[name].tobytes(), name
print("the same")
"""


def simulated(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", COMPARE, *arguments],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("game", ["karuba", "costa-ruana"])
def test_the_kernel_steps_as_the_processor_does(game: str) -> None:
    done = simulated(game)
    assert done.stdout == "the same\n", done.stderr


def test_without_a_gpu_that_is_said() -> None:
    program = "from atoll.envs.vector import GamesEnv; GamesEnv(2, game='karuba', device='cuda')"
    plain = {name: value for name, value in os.environ.items() if name != "NUMBA_ENABLE_CUDASIM"}
    hidden = {**plain, "CUDA_VISIBLE_DEVICES": "-1"}
    done = subprocess.run([sys.executable, "-c", program], env=hidden, capture_output=True, text=True)
    assert "there is no NVIDIA GPU that Numba can use" in done.stderr

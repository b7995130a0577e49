"""Games stepped by the GPU's kernel are those of the processor, bit for bit: in Numba's CUDA simulator, which runs the
device functions made of the rules' Python source, so that no GPU is needed. `bench/gpu.py` compares them.
"""

import os
import subprocess
import sys


def compared(game: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    plain = {name: value for name, value in os.environ.items() if name != "NUMBA_ENABLE_CUDASIM"}
    return subprocess.run(
        [sys.executable, "-m", "bench.gpu", "--game", game],
        env={**plain, **environment},
        capture_output=True,
        text=True,
    )


def test_the_kernel_steps_as_the_processor_does() -> None:
    """The shortest game; `python -m bench.gpu` compares the others."""
    done = compared("karuba", NUMBA_ENABLE_CUDASIM="1")
    assert done.stdout == "karuba: the same\n", done.stderr


def test_without_a_gpu_that_is_said() -> None:
    done = compared("karuba", CUDA_VISIBLE_DEVICES="-1")
    assert "there is no NVIDIA GPU that Numba can use" in done.stderr

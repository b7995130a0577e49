"""Does the GPU's kernel play as the processor does, and how fast?

`python -m bench.gpu`.

First both play the same, and what differs is told: nothing may, bit for bit. Without an NVIDIA GPU that is Numba's CUDA
simulator, which runs the device functions made of the rules' Python source:
`NUMBA_ENABLE_CUDASIM=1 python -m bench.gpu --game cast-away`. It takes half a minute of the processor where a game has
large effects.

With `--speed` it then measures, on a GPU: seconds until the kernel is there, and decisions a second of many games at
once, legal actions drawn in compiled code, on the processor's threads, on the GPU with its arrays left there
(`copy=False`), and with all copied to the processor's memory after each step.

`--ptx` only compiles the kernels to PTX, for GPUs of compute capability 9.0: that needs numba-cuda with NVVM
(`pip install 'numba-cuda[cu13]'`), and no GPU.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import cuda
from rich.console import Console
from rich.table import Table

from atoll.core.catalogue import find_game, games
from atoll.envs import gpu
from atoll.envs.vector import GamesEnv
from atoll.text.errors import AtollError

FORMS = ("normalized", "bytes")
CAPABILITY = (9, 0)
WAYS: dict[str, dict[str, Any]] = {
    "observations in normalized, and masks": {"form": "normalized"},
    "observations in bytes, and masks": {"form": "bytes"},
    "legal actions alone": {"form": "bytes", "observe": False, "mask": False},
}


def differences(game: str, bots: str | None, steps: int, count: int, form: str) -> list[str]:
    """What differs after so many random decisions in each of the games, some begun anew: names of arrays, and where."""
    each = [
        GamesEnv(
            count, game=game, bots=bots, autoreset_mode="SameStep", threads=1, form=form, sample=True, **place
        )
        for place in ({"device": "cpu"}, {"device": "cuda"}, {"device": "cuda", "copy": False})
    ]
    chance = np.random.default_rng(1)
    results = [named(envs.reset(seed=3)) for envs in each]
    for step in range(steps):
        here = results[0]
        actions = here["legal"][np.arange(count), (chance.random(count) * here["legal_count"]).astype(int)]
        results = [named(envs.step(actions)) for envs in each]
        if step % 3 == 2:
            some = {"reset_mask": chance.random(count) < 0.5}
            again = [named(envs.reset(seed=None if step % 2 else step, options=some)) for envs in each]
            results = [{**one, **other} for one, other in zip(results, again, strict=True)]
        if difference := unlike(results):
            return [f"{name} after {step + 1} decisions" for name in difference]
    return [f"{name} at the end" for name in unlike([envs.get_state()["games"] for envs in each])]


def named(told: tuple[Any, ...]) -> dict[str, Any]:
    """What `step` or `reset` returned, by name, in the processor's memory."""
    shown = dict(zip(("observations", "rewards", "over", "cut"), told[:-1], strict=False)) | told[-1]
    shown |= {f"final {name}": array for name, array in shown.pop("final_info", {}).items()}
    return {
        name: array if isinstance(array, np.ndarray) else array.copy_to_host()
        for name, array in shown.items()
    }


def unlike(each: list[dict[str, Any]]) -> list[str]:
    """The names of arrays that are not the same byte by byte."""
    return [
        name
        for name, one in each[0].items()
        if any(one.tobytes() != other[name].tobytes() for other in each[1:])
    ]


def rate(envs: GamesEnv, seconds: float) -> float:
    """Decisions a second of the loop; the kernel is there, and games have come to differ in length."""
    _, info = envs.reset(seed=1)
    for _ in range(30):
        _, _, _, _, info = envs.step(info["sampled"])
    began, steps = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        _, _, _, _, info = envs.step(info["sampled"])
        steps += 1
    return envs.num_envs * steps / (time.perf_counter() - began)


def rates(game: str, count: int, seconds: float, bots: str | None) -> Iterator[tuple[str, list[str]]]:
    """A row of the table for each way to step so many games."""
    for name, way in WAYS.items():
        rows = []
        for place in ({"threads": os.cpu_count()}, {"device": "cuda"}, {"device": "cuda", "copy": True}):
            settings = {"copy": False, **way, **place}
            envs = GamesEnv(count, game=game, bots=bots, sample=True, autoreset_mode="SameStep", **settings)
            rows.append(rate(envs, seconds))
            envs.close()
        here, there, copied = rows
        cells = [
            f"{here:,.0f}",
            f"{there:,.0f}",
            f"{there / here:.2f}",
            f"{copied:,.0f}",
            f"{copied / here:.2f}",
        ]
        yield name, cells


def measure(game: str, counts: list[int], seconds: float, bots: str | None) -> None:
    """Print how fast a game is stepped, and how long compiling took."""
    console = Console(highlight=False, width=140)
    for form in FORMS:
        began = time.perf_counter()
        GamesEnv(32, game=game, bots=bots, form=form, device="cuda", sample=True).reset(seed=1)
        console.print(f"{game}, {form}: {time.perf_counter() - began:.1f} s until the kernel is there")
    table = Table(
        title=f"{game}, bots {bots}: decisions a second, on {os.cpu_count()} threads and on the GPU"
    )
    for heading in ("games", "what", "processor", "GPU", "ratio", "copied back", "ratio"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    for count in counts:
        for what, cells in rates(game, count, seconds, bots):
            table.add_row(f"{count:,}", what, *cells)
    console.print(table)
    free, whole = cuda.current_context().get_memory_info()
    console.print(f"{(whole - free) / 2**30:.1f} GiB of the GPU's memory in use")


def to_ptx(game: str, form: str) -> str:
    """What the compiler said of a game's kernel: how long it took, or what it refuses."""
    from numba import typeof, types
    from numba.cuda import dispatcher

    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=CAPABILITY)  # none is asked
    envs = GamesEnv(1, game=game, form=form, threads=1)
    arguments = np.zeros(1, dtype=np.uint8), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    kinds = map(typeof, (envs.games, gpu.rooms(envs.game, envs.players, 1), 0, *arguments))
    began = time.perf_counter()
    code, _ = cuda.compile(gpu.kernel(find_game(game)).py_func, types.void(*kinds), cc=CAPABILITY)
    return f"{len(code):,} bytes of PTX in {time.perf_counter() - began:.0f} s"


def main() -> None:
    """Compare, and say what differs."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.gpu", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=list(games()), help="which game; all if not said")
    parser.add_argument("--bots", help="who sits in the other seats: random or greedy; nobody if not said")
    parser.add_argument(
        "--form", choices=FORMS, default=FORMS[0], help="of the observations that are compared"
    )
    parser.add_argument("--steps", type=int, default=8, help="decisions in each game that are compared")
    parser.add_argument("--games", type=int, default=2, help="how many games are compared")
    parser.add_argument("--speed", action="store_true", help="measure, too")
    parser.add_argument("--counts", type=int, nargs="+", default=[4096, 16384, 65536], help="games at once")
    parser.add_argument("--seconds", type=float, default=0.5, help="how long each is measured")
    parser.add_argument("--ptx", action="store_true", help="only compile, without a GPU")
    settings = parser.parse_args()
    broken = False
    for name in settings.game or games():
        if settings.ptx:
            print(f"{name}: {to_ptx(name, settings.form)}", flush=True)
            continue
        try:
            difference = differences(name, settings.bots, settings.steps, settings.games, settings.form)
        except AtollError as error:
            parser.error(str(error))
        broken |= bool(difference)
        print(f"{name}: {', '.join(difference) or 'the same'}", flush=True)
        if settings.speed:
            measure(name, settings.counts, settings.seconds, settings.bots)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()

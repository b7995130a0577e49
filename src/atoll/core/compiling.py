"""Compiling rules with Numba, and the cache that makes the second start fast.

The same functions run uncompiled with `NUMBA_DISABLE_JIT=1`.
"""

import hashlib
import os
import platform
import shutil
from collections.abc import Callable
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types

from atoll.core import places

Function = TypeVar("Function", bound=Callable[..., Any])

KEPT_CACHES = 3
"""How many caches of other versions of the sources stay on disk."""


def compiled_packages() -> list[Path]:
    """Folders whose functions may be compiled: Atoll's own and those of every installed game."""
    own = Path(__file__).parent.parent
    folders = [own / name for name in ("core", "bots", "lab", "games")]
    for entry in metadata.entry_points(group="atoll.games"):
        spec = util.find_spec(entry.module)
        if spec is not None and spec.origin is not None:
            folders.append(Path(spec.origin).parent)
    return sorted({folder for folder in folders if folder.is_dir()})


def sources_digest() -> str:
    """A digest of all that decides what compiled code does.

    Numba does not notice that a called function in another file changed, so its cache is kept in a folder
    named by this digest.
    """
    digest = hashlib.sha256()
    for part in (numba.__version__, np.__version__, platform.python_version(), platform.machine()):
        digest.update(part.encode() + b"\0")
    digest.update(str(numba.config.BOUNDSCHECK).encode())
    for folder in compiled_packages():
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


@cache
def use_cache_folder() -> Path:
    """Point Numba at the cache of these sources and forget all but a few of the others."""
    home = places.cache_folder() / "compiled"
    folder = home / sources_digest()
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    others = sorted(
        (other for other in home.iterdir() if other != folder), key=lambda other: other.stat().st_mtime
    )
    for other in others[:-KEPT_CACHES]:
        shutil.rmtree(other, ignore_errors=True)
    numba.config.CACHE_DIR = str(folder)
    return folder


use_cache_folder()


def compiled(function: Function) -> Function:
    """Compile `function` on its first call with given types; releases the GIL; cached on disk."""
    return numba.njit(cache=True, nogil=True)(function)  # type: ignore[no-any-return]


def compiled_as(signature: Any, function: Function) -> Function:
    """Compile `function` now, for exactly `signature`; found in the cache by the next process.

    Compiled functions passed as arguments are cached only if their type stands in an explicit signature.
    """
    if numba.config.DISABLE_JIT:
        return function
    return numba.njit(signature, cache=True, nogil=True)(function)  # type: ignore[no-any-return]


ACTIONS = types.Array(types.int32, 1, "C")
EVENTS = types.Array(types.int16, 2, "C")
GENERATOR = types.Array(types.uint64, 1, "C")


class ContractTypes:
    """The Numba types of a game's contract, made from the dtypes of its state and its parts."""

    def __init__(self, state: np.dtype[Any], parts: np.dtype[Any]) -> None:
        self.state = numba.from_dtype(state)
        self.parts = numba.from_dtype(parts)
        state_, parts_, seat = self.state, self.parts, types.intp
        self.states = types.Array(state_, 1, "C")
        self.parts_array = types.Array(parts_, 1, "C")
        self.start = types.FunctionType(types.void(state_, parts_, seat, types.uint64))
        self.legal_actions = types.FunctionType(types.intp(state_, parts_, seat, ACTIONS))
        self.play = types.FunctionType(types.void(state_, parts_, seat, types.intp, EVENTS))
        self.view = types.FunctionType(types.void(state_, parts_, seat, state_))
        self.resample = types.FunctionType(types.void(state_, parts_, GENERATOR, state_))
        self.result = types.FunctionType(types.intp(state_, parts_, ACTIONS))
        self.advise = types.FunctionType(types.void(state_, parts_, ACTIONS, types.intp, ACTIONS))
        self.choose = types.FunctionType(
            types.intp(self.advise, state_, parts_, ACTIONS, types.intp, GENERATOR)
        )

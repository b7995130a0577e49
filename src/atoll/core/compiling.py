"""Compiling rules with Numba, and the cache that makes the second start fast.

The same functions run uncompiled with `NUMBA_DISABLE_JIT=1`.
"""

import ast
import builtins
import hashlib
import os
import platform
import shutil
import warnings
from collections.abc import Callable
from functools import cache
from importlib import util
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from atoll.core import places
from atoll.core.linking import Executable, Linked

Function = TypeVar("Function", bound=Callable[..., Any])

KEPT_CACHES = 3
"""How many caches of other versions of a module stay on disk."""

_PARSING = Lock()
"""Held while a file is parsed: when two threads do that at once, CPython 3.11 raises SystemError (its issue 106905)."""


def compiled_sources(*modules: str) -> list[Path]:
    """The files that decide what the compiled code of modules does: their own, and those of every module of Atoll or
    of their packages that they import, directly or not.
    """
    packages = {"atoll", *(module.partition(".")[0] for module in modules)}
    found: dict[str, Path] = {}
    names = list(modules)
    while names:
        name = names.pop()
        path = _file_of(name) if name.partition(".")[0] in packages and name not in found else None
        if path is not None:
            found[name] = path
            names += _imports(path, name)
    return [found[name] for name in sorted(found)]


@cache
def _file_of(module: str) -> Path | None:
    """The file of a module, found without importing it; None for a name inside a module."""
    package, *names = module.split(".")
    spec = util.find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        place = Path(folder).joinpath(*names)
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.is_file():
                return path
    return None


@cache
def _imports(path: Path, module: str) -> list[str]:
    """The modules that a file may import when it is itself imported: what a function imports later, and what only
    type checkers read, no compiled function sees.
    """
    names = []
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    with _PARSING:
        nodes: list[ast.AST] = [ast.parse(path.read_bytes())]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef) or (
            isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        ):
            continue
        nodes += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                parent = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
                source = f"{parent}.{source}".rstrip(".")
            names += [source, *(f"{source}.{alias.name}" for alias in node.names)]
    return names


def sources_digest(*modules: str) -> str:
    """A digest of all that decides what the compiled code of modules does.

    Numba does not notice that a called function in another file changed, so what it caches of a module is kept in a
    folder named by this digest.
    """
    digest = hashlib.sha256()
    for part in (numba.__version__, np.__version__, platform.python_version(), platform.machine()):
        digest.update(part.encode() + b"\0")
    digest.update(f"{numba.config.BOUNDSCHECK} {numba.config.DISABLE_JIT}".encode())
    for path in compiled_sources(*modules):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


@cache
def module_cache(module: str) -> Path:
    """The folder for a module's compiled code; forgets all but a few of those of its other versions."""
    home = places.cache_folder() / "compiled" / module
    folder = home / sources_digest(module)
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    others = sorted(
        (other for other in home.iterdir() if other != folder), key=lambda other: other.stat().st_mtime
    )
    for other in others[:-KEPT_CACHES]:
        shutil.rmtree(other, ignore_errors=True)
    return folder


# Functions as arguments are what generic drivers are made of; `docs/design.md` says why.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


class _Rules(Executable):
    """The dispatcher of a function that Python calls, or passes as an argument; calls by compiled functions are linked.

    For them all signed integers are one type. Otherwise a function is compiled anew for every width and every constant
    that callers pass: twice the time.
    """

    def __init__(self, function: Callable[..., Any], targetoptions: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=targetoptions)
        self._linked = Linked(function, targetoptions)
        self.enable_caching()

    def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return self._linked.get_call_template(tuple(map(_widened, args)), kws)

    def get_overload(self, signature: Any) -> Any:
        return self._linked.get_overload(signature)


def _widened(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.intp if isinstance(kind, types.Integer) and kind.signed else kind


_BUILTINS = set(dir(builtins))
_FUNCTIONS = {name for name in vars(np) if not isinstance(getattr(np, name), type)} - _BUILTINS
_METHODS = {name for name, member in vars(np.ndarray).items() if callable(member)} - _BUILTINS


def _may_allocate(function: Callable[..., Any]) -> bool:
    """Whether a function calls functions of NumPy or methods of arrays, most of which make arrays.

    Only then are references to arrays counted: an atomic operation, which costs more than most calls do. (Numba refuses
    to compile a function that makes arrays without counting.)
    """
    names = function.__code__.co_names
    uses_numpy = any(function.__globals__.get(name) is np for name in names)
    return not _METHODS.isdisjoint(names) or (uses_numpy and not _FUNCTIONS.isdisjoint(names))


def compiled(function: Function) -> Function:
    """Compile `function` when it is first needed; releases the GIL; cached on disk."""
    return _compiled(function, forceinline=False)


def inlined(function: Function) -> Function:
    """`compiled`, and made a part of each compiled function that calls it: for what is called most.

    A call hands over seven words for each array, more than a short function's own work.
    """
    return _compiled(function, forceinline=True)


def _compiled(function: Function, **options: bool) -> Function:
    if numba.config.DISABLE_JIT:
        return function
    numba.config.CACHE_DIR = str(module_cache(function.__module__))
    return _Rules(function, _options(function) | options)


def _options(function: Callable[..., Any]) -> dict[str, Any]:
    return {"nopython": True, "nogil": True, "boundscheck": None, "_nrt": _may_allocate(function)}


def compiled_as(signature: Any, function: Function) -> Function:
    """Compile `function` now, for exactly `signature`; found in the cache by the next process.

    Compiled functions passed as arguments are cached only if their type stands in an explicit signature.
    """
    if numba.config.DISABLE_JIT:
        return function
    numba.config.CACHE_DIR = str(module_cache(function.__module__))
    dispatcher = Executable(function, targetoptions=_options(function))
    dispatcher.enable_caching()
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


ACTIONS = POINTS = SCORES = types.Array(types.int32, 1, "C")
EVENTS = types.Array(types.int16, 2, "C")
GENERATOR = types.Array(types.uint64, 1, "C")


class ContractTypes:
    """The Numba types of a game's contract, made from the dtypes of its state and its parts."""

    def __init__(self, state: np.dtype[Any], parts: np.dtype[Any]) -> None:
        self.state = numba.from_dtype(state)
        self.parts = numba.from_dtype(parts)
        self.states = types.Array(self.state, 1, "C")
        self.parts_array = types.Array(self.parts, 1, "C")
        seat = count = action = types.intp
        self.start = types.void(self.state, self.parts, seat, GENERATOR)
        self.legal_actions = types.intp(self.state, self.parts, seat, ACTIONS)
        self.play = types.void(self.state, self.parts, seat, action, EVENTS)
        self.view = types.void(self.state, self.parts, seat, self.state)
        self.resample = types.void(self.state, self.parts, GENERATOR, self.state)
        self.result = types.intp(self.state, self.parts, POINTS)
        self.advise = types.void(self.state, self.parts, ACTIONS, count, SCORES)
        self.choose = types.intp(
            types.FunctionType(self.advise), self.state, self.parts, ACTIONS, count, GENERATOR
        )

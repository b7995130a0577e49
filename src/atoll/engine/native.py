"""Functions in machine code, by Numba, and the cache that makes the second start fast."""

import ast
import hashlib
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable
from functools import cache
from importlib import util
from importlib.machinery import ModuleSpec
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np
from numba.extending import typeof_impl

from atoll.engine.compiling import is_compiled, is_inlined
from atoll.engine.exports import Export, HostRunner
from atoll.engine.lowering import PLAIN
from atoll.text import folders
from atoll.text.errors import ContractError

Function = TypeVar("Function", bound=Callable[..., Any])

if not PLAIN:
    from atoll.engine import linking

KEPT_CACHES = 3
"""How many caches of other versions of a module stay on disk."""

_PARSING = Lock()
"""Held while a file is parsed: when two threads do that at once, CPython 3.11 raises SystemError (its issue 106905)."""


def compiled_sources(*modules: str | Path) -> list[Path]:
    """The files that decide what the compiled code of modules does: their own, and those of every module of Atoll or
    of their packages that they import, directly or not.

    A script is named by its file; what it imports from its own folder counts too.
    """
    packages = {"atoll", *(module.partition(".")[0] for module in modules if isinstance(module, str))}
    folders = {module.parent for module in modules if isinstance(module, Path)}
    found: dict[str, Path] = {}
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if str(module) in found:
            continue
        if isinstance(module, Path):
            path, name = module, _name_of_main()
        else:
            top, name = module.partition(".")[0], module
            if top not in packages and not (folders and _folder_of(top) in folders):
                continue
            if (file := _file_of(module)) is None:
                continue
            path = file
        found[str(module)] = path
        waiting += _imports(path, name)
    return [found[name] for name in sorted(found)]


def _name_of_main() -> str:
    """What a script is called: the module that `python -m` runs, else `__main__`."""
    spec = getattr(sys.modules["__main__"], "__spec__", None)
    return spec.name if spec else "__main__"


@cache
def _spec(package: str) -> ModuleSpec | None:
    try:
        return util.find_spec(package)
    except ValueError:  # a module that was made without one, or no name
        return None


def _folder_of(package: str) -> Path | None:
    """The folder in which a package or module at the top lies."""
    spec = _spec(package)
    if spec is None:
        return None
    place = spec.submodule_search_locations[0] if spec.submodule_search_locations else spec.origin
    return Path(place).parent if place else None


@cache
def _file_of(module: str) -> Path | None:
    """The file of a module, found without importing it; None for a name inside a module."""
    package, *names = module.split(".")
    spec = _spec(package)
    if spec is not None and spec.submodule_search_locations is None:
        file = Path(spec.origin or "")
        return file if not names and file.suffix == ".py" and file.is_file() else None
    for folder in (spec and spec.submodule_search_locations) or ():
        place = Path(folder).joinpath(*names)
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.is_file():
                return path
    return None


@cache
def _source(path: Path) -> bytes:
    """The content of a file, read once: it is a part of many modules' digests."""
    return path.read_bytes()


@cache
def _imports(path: Path, module: str) -> list[str]:
    """The modules that a file may import when it is itself imported: what a function imports later, and what only
    type checkers read, no compiled function sees.
    """
    names = []
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    with _PARSING:
        nodes: list[ast.AST] = [ast.parse(_source(path))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef) or (
            isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        ):
            continue
        nodes += (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                parent = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
                source = f"{parent}.{source}".rstrip(".")
            names += [source, *(f"{source}.{alias.name}" for alias in node.names)]
    return names


def sources_digest(*modules: str | Path) -> str:
    """A digest of all that decides what the compiled code of modules, or of scripts by their files, does.

    Numba does not notice that a called function in another file changed, so what it caches of a module is kept in a
    folder named by this digest.
    """
    digest = hashlib.sha256()
    for part in (numba.__version__, np.__version__, platform.python_version(), platform.machine()):
        digest.update(part.encode() + b"\0")
    digest.update(f"{numba.config.BOUNDSCHECK} {PLAIN}".encode())
    for path in compiled_sources(*modules):
        digest.update(path.name.encode() + b"\0" + _source(path) + b"\0")
    return digest.hexdigest()[:20]


@cache
def module_cache(module: str | Path, *sources: str) -> Path:
    """The folder for the compiled code of a module, or of a script by its file; forgets all but a few of those of its
    other versions. `sources` are further modules from which the code is made, the first of them where it stands.
    """
    name = module if isinstance(module, str) else f"script {module.stem} {_short_digest(str(module))}"
    cache = folders.cache_folder().resolve()  # not by a link, which may be gone sooner
    home = cache / "compiled" / " ".join((name, *sources[:1]))
    folder = home / sources_digest(module, *sources)
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    others = sorted(
        (other for other in home.iterdir() if other != folder), key=lambda other: other.stat().st_mtime
    )
    for other in others[:-KEPT_CACHES]:
        shutil.rmtree(other, ignore_errors=True)
    return folder


def _short_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _use_cache_of(function: Callable[..., Any]) -> bool:
    """Let Numba keep the code of a function where its module's is kept; False if the function stands in no file, as in
    a notebook or a doctest, or belongs to no module that the next process could import.
    """
    file = Path(function.__code__.co_filename).absolute()
    module = function.__module__
    if not file.is_file() or module not in sys.modules:
        return False
    imported = module != "__main__" and _file_of(module) is not None
    sources = getattr(function, "made_in", ())  # where the functions of others are its globals
    numba.config.CACHE_DIR = str(module_cache(module if imported else file, *sources))
    return True


def native(function: Callable[..., Any]) -> Any:
    """A function marked as compiled, or made of such, in machine code: compiled when it is first called with arguments
    of some types; releases the GIL; cached on disk if it stands in a file.
    """
    if "native" not in vars(function):
        vars(function)["native"] = _dispatcher(function)
    return vars(function)["native"]


def _dispatcher(function: Callable[..., Any]) -> Any:
    cached = _use_cache_of(function)
    if PLAIN:
        return numba.njit(nogil=True, cache=cached, forceinline=is_inlined(function))(function)
    return linking.Rules(function, cached=cached, forceinline=is_inlined(function))


def native_types(example: tuple[Any, ...]) -> tuple[Any, ...]:
    """Numba's types of arguments."""
    return tuple(map(numba.typeof, example))


def native_as(signature: Any, function: Function) -> Function:
    """A function in machine code for exactly `signature`, compiled now; found in the cache by the next process."""
    cached = _use_cache_of(function)
    try:
        if PLAIN:
            return numba.njit(signature, nogil=True, cache=cached)(function)  # type: ignore[no-any-return]
        return linking.Executable.of(signature, function, cached=cached)
    except numba.core.errors.NumbaError as error:
        raise ContractError(_why_not(str(error))) from error


def _why_not(told: str) -> str:
    """What Numba says of a function that it does not compile, in a sentence: the innermost of what it goes through."""
    reasons = [
        line for line in told.splitlines() if line and not line.startswith(("Failed in", "During:", " "))
    ]
    reason = reasons[0] if reasons else told
    if "NRT required" in reason:
        reason = "a whole array is made or copied: go through its numbers in a loop"
    line = re.search(r"at (.+\.py) \((\d+)\)", told) or re.search(r'File "(.+\.py)", line (\d+)', told)
    where = f"{line[1]}, line {line[2]}: " if line else ""
    return f"{where}this cannot be compiled: {reason}"


@typeof_impl.register(FunctionType)  # type: ignore[untyped-decorator]
def _type_of_function(function: Callable[..., Any], _: Any) -> Any:
    """Compiled functions call those that are marked in machine code, too."""
    return numba.typeof(native(function)) if is_compiled(function) else None


class NativeRunner(HostRunner):
    """Carries out exports in machine code, compiled when they are first called."""

    def function(self, export: Export) -> Callable[..., int]:
        return native_as(native_types(export.example(self._game)), export.bind(self._game))  # type: ignore[no-any-return]

"""Digests of compiled functions: of the source of all that they call and of the constants that they read, comments and
docstrings left out. The same under every version of Python.
"""

import ast
import hashlib
import inspect
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np


def builder_digest() -> str:
    """A digest of what decides how modules are built, besides Numba and Zig."""
    digest = hashlib.sha256()
    for name in ("building.py", "linking.py", "lowering.py", "runtime.c"):
        digest.update(Path(__file__).with_name(name).read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()


def code_digest(functions: Iterable[FunctionType], examples: Iterable[Any] = ()) -> str:
    """A digest of functions and all that they call, and of the types of examples of their arguments."""
    digest = hashlib.sha256("\0".join(map(_kind, examples)).encode())
    known: dict[int, int] = {}
    waiting: list[Any] = list(functions)
    while waiting:
        function = waiting.pop(0)
        if id(function) in known:
            continue
        known[id(function)] = len(known)
        digest.update(f"{function.__name__} {_source(function)}".encode())
        for name, value in _read(function):
            digest.update(f"{name}={_written(value, waiting)}\0".encode())
    return digest.hexdigest()


def _kind(example: Any) -> str:
    """The type of an argument in words."""
    if isinstance(example, tuple):
        return f"({', '.join(map(_kind, example))})"
    if isinstance(example, np.ndarray):
        return f"{_layout(example.dtype)} {example.ndim}"
    return type(example).__name__


def _layout(kind: np.dtype[Any]) -> str:
    return f"{kind.descr} {kind.itemsize}"


def _source(function: FunctionType) -> str:
    """The statements of a function."""
    written = getattr(function, "written", None)
    if written is not None:
        return str(written)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    if ast.get_docstring(tree) is not None:
        tree.body = tree.body[1:]
    return "".join(_words(tree))


def _words(node: ast.AST) -> Iterator[str]:
    """A tree of syntax in words; what newer versions of Python added to it is left out."""
    yield f"({type(node).__name__}"
    for name, value in ast.iter_fields(node):
        if name not in ("type_params", "kind", "type_comment", "decorator_list", "returns", "annotation"):
            for one in value if isinstance(value, list) else [value]:
                yield from _words(one) if isinstance(one, ast.AST) else [f" {one!r}"]
    yield ")"


def _read(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """The globals and the variables of outer functions that a function reads, by name."""
    for name in sorted(_names(function.__code__)):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _names(code: CodeType) -> set[str]:
    """The names that code reads, that within it included."""
    inner = (one for one in code.co_consts if isinstance(one, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _written(value: Any, waiting: list[Any]) -> str:
    """A constant in words; functions are looked at later."""
    if isinstance(value, FunctionType):
        waiting.append(value)
        return f"function {value.__name__}"
    if isinstance(value, tuple | list):
        return f"({', '.join(_written(one, waiting) for one in value)})"
    if isinstance(value, np.ndarray):
        return f"{_layout(value.dtype)} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, np.dtype):
        return _layout(value)
    if isinstance(value, np.generic):
        return f"{value.dtype} {value.item()!r}"
    if isinstance(value, bool | int | float | str | None):
        return repr(value)
    if isinstance(value, ModuleType | type) or callable(value):
        return getattr(value, "__name__", type(value).__name__)
    return type(value).__name__

"""Marks of the functions that are compiled: into machine code by Numba (`native.py`), into a module that runs anywhere
(`building.py`). Called from Python they are the plain functions that they are written as, slow and easy to debug.
"""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

INLINED = "compiled_inlined"
"""The attribute that marks a function: whether it is a part of each compiled function that calls it."""


def compiled(function: Function) -> Function:
    """Mark `function` as one that compiled functions call, or that is compiled itself."""
    vars(function)[INLINED] = False
    return function


def inlined(function: Function) -> Function:
    """`compiled`, and made a part of each compiled function that calls it: for what is called most.

    A call passes seven words for each array, which is more work than a short function's own.
    """
    vars(function)[INLINED] = True
    return function


def is_compiled(function: Any) -> bool:
    """Whether a function is marked."""
    return INLINED in getattr(function, "__dict__", ())


def is_inlined(function: Any) -> bool:
    """Whether a function is marked as a part of those that call it."""
    return bool(getattr(function, INLINED, False))

"""Calling the function that a row of a table names: a compiled function cannot, as it would have to look it up."""

import sys
from collections.abc import Sequence
from typing import Any

from atoll.engine.compiling import compiled


def dispatch(name: str, module: str, parameters: Sequence[str], functions: Sequence[Any]) -> Any:
    """A compiled function of `which` and the parameters, called `name`: it returns what `functions[which]` returns.

    It is written out as a chain of comparisons, which compiles to a jump; all functions must take these parameters.
    `module` is where it is made; its compiled code is kept with that module's.
    """
    given = ", ".join(parameters)
    lines = [f"def {name}(which, {given}):"]
    for i in range(len(functions) - 1):
        lines += [f"    if which == {i}:", f"        return function_{i}({given})"]
    lines.append(f"    return function_{len(functions) - 1}({given})")
    known = {f"function_{i}": function for i, function in enumerate(functions)} | {"__name__": module}
    file = sys.modules[module].__file__
    exec(compile("\n".join(lines), file or "<no file>", "exec"), known)
    return compiled(known[name])

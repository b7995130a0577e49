"""Calling the function that a row of a table names: a compiled function cannot, as it would have to look it up."""

import sys
from collections.abc import Sequence
from typing import Any

from atoll.engine.compiling import compiled, inlined
from atoll.engine.derived import name_digest


def dispatch(
    name: str, module: str, parameters: Sequence[str], functions: Sequence[Any], *, inline: bool = False
) -> Any:
    """A compiled function of `which` and the parameters, called `name`: it returns what `functions[which]` returns.

    It is written out as a chain of comparisons, which compiles to a jump; all functions must take these parameters.
    `module` is where it is made; its compiled code is kept with that module's. With `inline` it becomes a part of each
    compiled function that calls it, as with `inlined`.
    """
    arguments = ", ".join(parameters)
    lines = [f"def {name}(which, {arguments}):"]
    for i in range(len(functions) - 1):
        lines += [f"    if which == {i}:", f"        return function_{i}({arguments})"]
    lines.append(f"    return function_{len(functions) - 1}({arguments})")
    namespace = {f"function_{i}": function for i, function in enumerate(functions)} | {"__name__": module}
    file = sys.modules[module].__file__
    exec(compile("\n".join(lines), file or "<no file>", "exec"), namespace)
    function = namespace[name]
    function.__qualname__ = f"{name}_{name_digest(functions)}"  # by which its machine code is kept
    function.written = "\n".join(lines)  # where `digest.py` reads what stands in no file
    return inlined(function) if inline else compiled(function)

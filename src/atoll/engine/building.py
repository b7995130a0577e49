"""Building modules: functions compiled to WebAssembly by Numba's own LLVM and linked by Zig's linker.

Nothing may be optimized for the processor, whose pointers are longer: Numba would bring along what it has compiled so
before. So modules are built in processes of their own.

A module exports each function under its name. It takes the address of a frame, words of 8 bytes: the arguments as Numba
passes them (`module.py` lays them out) from the second word on; what the function returns is left in the first. The
function itself returns 0, or another number if it raised an exception.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import types

from atoll.engine.linking import Lowered, lowered
from atoll.engine.lowering import PLAIN
from atoll.engine.module import MADE, STACK
from atoll.engine.native import native_types
from atoll.text.errors import AtollError

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"
RUNTIME = Path(__file__).with_name("runtime.c")
"""What stands for Numba's runtime, which is for this processor."""


_OWN_RUNTIME = re.compile(r"^define [^\n]*@((?:NRT|nrt)_\w+)\(.*?^\}\n", re.MULTILINE | re.DOTALL)
_DECLARED = {
    "NRT_incref": "declare void @NRT_incref(ptr)\n",
    "NRT_decref": "declare void @NRT_decref(ptr)\n",
    "NRT_MemInfo_data_fast": "declare ptr @NRT_MemInfo_data_fast(ptr)\n",
}
"""Numba's own runtime in its code, and what of it functions call."""


def build_module(functions: Mapping[str, tuple[Any, Callable[..., Any]]]) -> bytes:
    """The module of functions by the names that they are exported under, each with its arguments as examples.

    Raises AtollError, naming it, for what a module cannot do, and unless Numba was started with NUMBA_OPT=0.
    """
    if numba.config.OPT != 0:
        raise AtollError("modules are built in a process of their own, with NUMBA_OPT=0")
    if PLAIN:
        raise AtollError(f"modules are not built with Numba {numba.__version__} alone: see engine/linking.py")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES, reloc="static")
    module = _with_target("", machine)
    adapters = []
    for name, (example, function) in functions.items():
        made = lowered(native_types(example), function)
        for bitcode in made.bitcode:
            module.link_in(_with_target(str(llvm.parse_bitcode(bitcode)), machine))
        adapters.append(_adapter(name, made, module))
    for adapter in adapters:
        module.link_in(_with_target(adapter, machine))
    _optimize(module, machine, set(functions))
    return _linked(machine.emit_object(module), list(functions))


def _with_target(code: str, machine: Any) -> Any:
    """LLVM's code for the machine that it was not made for."""
    code = re.sub(r'^target (datalayout|triple) = ".*"$', "", code, flags=re.MULTILINE)
    code = re.sub(r'"target-(cpu|features)"="[^"]*"', "", code)
    code = _OWN_RUNTIME.sub(lambda found: _DECLARED.get(found[1], ""), code)
    target = f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
    return llvm.parse_assembly(target + re.sub(r"\b(common|linkonce_odr)\b", "weak_odr", code))


def _adapter(name: str, made: Lowered, module: Any) -> str:
    """The exported function, which takes the arguments of the lowered one from the frame."""
    kinds = [str(argument.type) for argument in module.get_function(made.symbol).arguments][2:]
    loads = [
        f"%at{i} = getelementptr i64, ptr %frame, i32 {i + 1}\n%a{i} = load {kind}, ptr %at{i}"
        for i, kind in enumerate(kinds)
    ]
    passed = ", ".join(["ptr %returned", "ptr %raised", *(f"{kind} %a{i}" for i, kind in enumerate(kinds))])
    return f"""
declare i32 @"{made.symbol}"({", ".join(["ptr", "ptr", *kinds])})
define i32 @"{name}"(ptr %frame) {{
%returned = alloca i64
%raised = alloca ptr
{chr(10).join(loads)}
%status = call i32 @"{made.symbol}"({passed})
{_store(name, made.returns)}
ret i32 %status
}}
"""


def _store(name: str, returns: Any) -> str:
    """What leaves the returned whole number in the frame."""
    if returns is types.none:
        return ""
    if not isinstance(returns, types.Integer):
        raise AtollError(
            f"{name} returns {returns}, and what a module exports returns a whole number or nothing"
        )
    width, extend = returns.bitwidth, "sext" if returns.signed else "zext"
    widened = f"%wide = {extend} i{width} %value to i64" if width < 64 else "%wide = add i64 %value, 0"
    return f"%value = load i{width}, ptr %returned\n{widened}\nstore i64 %wide, ptr %frame"


def _optimize(module: Any, machine: Any, exports: set[str]) -> None:
    for function in module.functions:
        if not function.is_declaration and function.name not in exports:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _linked(code: bytes, exports: list[str]) -> bytes:
    with TemporaryDirectory() as folder:
        source, runtime, target = (str(Path(folder, name)) for name in ("code.o", "runtime.o", "module.wasm"))
        Path(source).write_bytes(code)
        names = [f"--export={name}" for name in [*exports, "__heap_base"]]
        layout = ["--stack-first", "-z", f"stack-size={STACK}"]
        _zig(
            "cc", "-target", "wasm32-freestanding", "-O2", f"-DMADE={MADE}", "-c", str(RUNTIME), "-o", runtime
        )
        how = ["--no-entry", "--gc-sections", "-O3", "--strip-all"]
        _zig("wasm-ld", *how, *names, *layout, source, runtime, "-o", target)
        return Path(target).read_bytes()


def _zig(*arguments: str) -> None:
    command = [sys.executable, "-m", "ziglang", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AtollError(f"the module cannot be linked: {done.stderr.strip()}")

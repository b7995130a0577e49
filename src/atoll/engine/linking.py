"""How Numba compiles our functions: in fewer stages, and those that only compiled functions call into their callers.

Numba makes every function callable by itself: it optimizes it with all that it calls, emits machine code, and wraps it
for Python and for C. Of functions that call each other that is most of the time of compiling, and of no use for those
that only other compiled functions call. Here they are lowered and linked into their callers, which optimize them.

All this stands on parts of Numba that are not its public interface; `engine/compiling.py` does without this module
where
`PLAIN` is set, and nothing else imports it.
"""

import builtins
import dis
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from llvmlite.binding import Linkage
from numba import _dynfunc, types
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

LEFT_OUT = {
    untyped_passes.DeadBranchPrune,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.InlineClosureLikes,
    untyped_passes.InlineInlinables,
    untyped_passes.LiteralPropagationSubPipelinePass,
    untyped_passes.LiteralUnroll,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.WithLifting,
    typed_passes.DumpParforDiagnostics,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
}
"""Stages for what our functions do not contain: closures, `with`, loops over tuples of several types, branches that
some types cannot take, expressions of whole arrays. Numba refuses a function that does."""

DEFAULTS = {name: option.default for name, option in Flags.options.items()}
"""Numba's options of a function where nothing else is asked for."""


class Executable(CPUDispatcher):  # type: ignore[misc]
    """A dispatcher of functions that may have others linked in; `cached`, its code is kept on disk."""

    def __init__(self, function: Callable[..., Any], *, cached: bool, forceinline: bool = False) -> None:
        options = _options(function, forceinline)
        super().__init__(function, targetoptions=options, pipeline_class=_Stages)
        if cached:
            self.enable_caching()

    @classmethod
    def of(cls, signature: Any, function: Callable[..., Any], *, cached: bool) -> "Executable":
        """A function compiled now, for exactly this signature."""
        dispatcher = cls(function, cached=cached)
        dispatcher.compile(signature)
        dispatcher.disable_compile()
        return dispatcher

    def compile(self, signature: Any) -> Any:
        """Compile it and all that it calls, or load it from the cache."""
        with _uncollected():
            return super().compile(signature)

    def add_overload(self, compiled: Any) -> None:
        """Give each function in the code its environment, as Numba does for code from the cache; Python objects such as
        what it prints are found there.
        """
        super().add_overload(compiled)
        for environment in compiled._find_referenced_environments():
            compiled.target_context.codegen().set_env(environment.env_name, environment)


class Rules(Executable):
    """The dispatcher of a function that Python calls, or passes as an argument; calls by compiled functions are linked.

    For them all signed integers are one type. Otherwise a function is compiled anew for every width and every constant
    that callers pass.
    """

    def __init__(self, function: Callable[..., Any], *, cached: bool, forceinline: bool = False) -> None:
        super().__init__(function, cached=cached, forceinline=forceinline)
        self._forceinline = forceinline

    @cached_property
    def _linked(self) -> "Linked":
        """Made when compiled functions call it: where everything is loaded from the cache, none does."""
        return Linked(self.py_func, _options(self.py_func, self._forceinline))

    def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return self._linked.get_call_template(tuple(map(_widened, args)), kws)

    def get_overload(self, signature: Any) -> Any:
        return self._linked.get_overload(signature)


class Linked(CPUDispatcher):  # type: ignore[misc]
    """The dispatcher of a function that compiled functions call; Python must not call it."""

    def __init__(self, function: Any, targetoptions: dict[str, Any]) -> None:
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions={**targetoptions, **wrappers}, pipeline_class=_LinkedStages)

    def add_overload(self, compiled: Any) -> None:
        """Note it for callers that are compiled, and not for Python."""
        self.overloads[tuple(compiled.signature.args)] = compiled


def _widened(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.intp if isinstance(kind, types.Integer) and kind.signed else kind


def _options(function: Callable[..., Any], forceinline: bool) -> dict[str, Any]:
    options = {"nopython": True, "nogil": True, "boundscheck": None}
    return options | {"forceinline": forceinline, "_nrt": _may_allocate(function)}


_BUILTINS = set(dir(builtins))
_FUNCTIONS = {name for name in vars(np) if not isinstance(getattr(np, name), type)} - _BUILTINS
_METHODS = {name for name, member in vars(np.ndarray).items() if callable(member)} - _BUILTINS


def _may_allocate(function: Callable[..., Any]) -> bool:
    """Whether a function calls functions of NumPy or methods of arrays, most of which make arrays.

    Only then are references to arrays counted: an atomic operation, slow beside most calls. (Numba refuses to compile a
    function that makes arrays without counting.)
    """
    names = function.__code__.co_names
    numpy = {name for name in names if function.__globals__.get(name) is np}
    if _METHODS.isdisjoint(names) and (not numpy or _FUNCTIONS.isdisjoint(names)):
        return False
    owner = ""  # of an attribute: the global that was loaded just before
    for step in dis.get_instructions(function):
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD") and step.argval in (
            _FUNCTIONS if owner in numpy else _METHODS
        ):
            return True
        owner = step.argval if step.opname == "LOAD_GLOBAL" else ""
    return False


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without garbage collection: the compiler makes more objects than any program, and keeps most."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _settled(context: Any) -> Iterator[None]:
    """Without looking for new definitions, as Numba does wherever it finds none: for each array that is made."""
    context.refresh = lambda: None
    try:
        yield
    finally:
        del context.refresh


class _Flags(Flags):  # type: ignore[misc]
    """The options of a function, which Numba compares at every call of a function of NumPy or Python."""

    def values(self) -> dict[str, Any]:
        values: dict[str, Any] = DEFAULTS | self._values
        return values


class _Arguments(tuple[Any, ...]):
    """The types of arguments, which Numba writes out at every stage: a thousand characters for a state."""

    def __str__(self) -> str:
        return f"{len(self)} arguments"


class _LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into other libraries and never optimized or emitted itself.

    It is linked without what it calls, which its callers link beside it: once, however many call it.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"  # several may bring it along
        return self._final_module


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """Code that is optimized as a whole, once.

    Numba optimizes each function, then all together a little, to prune the counting of references, of which our
    functions have hardly any.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):  # type: ignore[misc]
    """Lowering into such a library."""

    _name = "lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        with _settled(state.targetctx):
            return bool(super().run_pass(state))


@register_pass(mutates_CFG=True, analysis_only=False)
class _LinkedLowering(NativeLowering):  # type: ignore[misc]
    """Lowering into a library that is linked into others."""

    _name = "linked_lowering"

    def run_pass(self, state: Any) -> bool:
        library = state.library = _LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        with _settled(state.targetctx):
            super().run_pass(state)
        lowered = state["cr"]
        # What callers know it by; there is no address behind it.
        known_by = _dynfunc.make_function(
            lowered.fndesc.lookup_module(), state.func_id.func_name, "", 0, lowered.env, (library,)
        )
        libraries = dict.fromkeys([library, *library._linking_libraries])
        state.targetctx.insert_user_function(known_by, lowered.fndesc, list(libraries))
        state["cr"] = lowered._replace(cfunc=known_by)
        return True


class _Stages(Compiler):  # type: ignore[misc]
    """Numba's stages without those that our functions do not need."""

    lowering: Any = _Lowering

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.state.flags = _Flags(self.state.flags)
        self.state.args = _Arguments(self.state.args)

    def define_pipelines(self) -> list[Any]:
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (self.lowering if stage is NativeLowering else stage, why)
                for stage, why in pipeline.passes
                if stage not in LEFT_OUT
            ]
        return pipelines


class _LinkedStages(_Stages):
    """These stages with that lowering."""

    lowering = _LinkedLowering


class Lowered(NamedTuple):
    """A function that was lowered and not optimized: its name in the code, the types of its arguments and of what it
    returns, and the code of it and of all that it calls, as LLVM's bitcode.
    """

    symbol: str
    arguments: tuple[Any, ...]
    returns: Any
    bitcode: list[bytes]


def lowered(kinds: tuple[Any, ...], function: Callable[..., Any]) -> Lowered:
    """Lower a function for arguments of these types."""
    dispatcher = Linked(function, _options(function, False))
    with _uncollected():
        dispatcher.compile(kinds)
    compiled = dispatcher.overloads[kinds]
    libraries: list[Any] = []
    waiting = [compiled.library]
    while waiting:
        library = waiting.pop()
        if library not in libraries:
            libraries.append(library)
            waiting += library._linking_libraries
    bitcode = [library._get_module_for_linking().as_bitcode() for library in libraries]
    return Lowered(
        compiled.fndesc.llvm_func_name, compiled.signature.args, compiled.signature.return_type, bitcode
    )

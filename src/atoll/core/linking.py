"""Functions that only compiled functions call: compiled into those that call them, and into nothing else.

Numba makes every function callable by itself: it optimizes it with all that it calls, emits machine code, and wraps it
for Python and for C. Of functions that call each other that is most of the time of compiling, and of no use for those
that only other compiled functions call. Here they are lowered and linked into their callers, which optimize them.
"""

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering


class Executable(CPUDispatcher):  # type: ignore[misc]
    """A dispatcher of functions that may have others linked in."""

    def add_overload(self, compiled: Any) -> None:
        """Give each function in the code its environment, as Numba does for code from the cache; Python objects such as
        what it prints are found there.
        """
        super().add_overload(compiled)
        for environment in compiled._find_referenced_environments():
            compiled.target_context.codegen().set_env(environment.env_name, environment)


class Linked(CPUDispatcher):  # type: ignore[misc]
    """The dispatcher of a function that compiled functions call; Python must not call it."""

    def __init__(self, function: Any, targetoptions: dict[str, Any]) -> None:
        wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions={**targetoptions, **wrappers}, pipeline_class=_Compiler)

    def add_overload(self, compiled: Any) -> None:
        """Note it for callers that are compiled, and not for Python."""
        self.overloads[tuple(compiled.signature.args)] = compiled


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """Code that is linked into other libraries and never emitted itself."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):  # type: ignore[misc]
    """Lowering into such a library."""

    _name = "linked_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        # What callers know it by; there is no address behind it.
        known_by = _dynfunc.make_function(
            lowered.fndesc.lookup_module(), state.func_id.func_name, "", 0, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(known_by, lowered.fndesc, [state.library])
        state["cr"] = lowered._replace(cfunc=known_by)
        return True


class _Compiler(Compiler):  # type: ignore[misc]
    """Numba's stages with that lowering."""

    def define_pipelines(self) -> list[Any]:
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (_Lowering if stage is NativeLowering else stage, why) for stage, why in pipeline.passes
            ]
        return pipelines

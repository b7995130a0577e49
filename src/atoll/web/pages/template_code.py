"""The Python code of templates: what Jinja writes, without what ours do not need.

Jinja asks at each call whether what is called wants the template's context, looks attributes up by catching errors,
fills in at each drawing texts that have nothing to fill in, and makes an object wherever an `if` without `else` does
not hold.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from keyword import iskeyword
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, optimizeconst
from jinja2.runtime import Macro, Undefined
from jinja2.utils import missing
from markupsafe import Markup

TEXT = "_"
"""What templates call for a text."""
OF_DICTS = frozenset(dir(dict))
"""Attributes that a dict has of its own."""


class QuickCode(CodeGenerator):
    """Writes the Python code of a template. Nothing that our templates call wants their context."""

    @optimizeconst
    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """A call; a text without values stands in the environment's `texts`."""
        if is_plain_text(node) and frame.symbols.ref(TEXT) == f"l_0_{TEXT}":
            self.write(f"environment.texts[{node.args[0].value!r}]")  # type: ignore[attr-defined]
        elif node.dyn_args or any(iskeyword(one.key) for one in node.kwargs):
            super().visit_Call(node, frame, forward_caller=forward_caller)
        else:
            self.visit(node.node, frame)
            self.write("(")
            for argument in (*node.args, *node.kwargs):
                self.visit(argument, frame)
                self.write(", ")
            if node.dyn_kwargs is not None:
                self.write("**")
                self.visit(node.dyn_kwargs, frame)
                self.write(", ")
            self.write("caller=caller)" if forward_caller else ")")

    @optimizeconst
    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """An attribute or, in a dict, an entry."""
        if node.attr in OF_DICTS:
            super().visit_Getattr(node, frame)
            return
        self.write("attribute(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r}, environment)")

    @optimizeconst
    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:
        """One or the other; nothing where there is no other."""
        if node.expr2 is not None:
            super().visit_CondExpr(node, frame)
            return
        self.write("(")
        self.visit(node.expr1, frame)
        self.write(" if ")
        self.visit(node.test, frame)
        self.write(" else nothing)")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if is_plain_text(node):
            self.write("(")
        else:
            super()._output_child_pre(node, frame, finalize)


def is_plain_text(node: nodes.Node) -> bool:
    """Whether this is a text with nothing to fill in."""
    return (
        isinstance(node, nodes.Call)
        and isinstance(node.node, nodes.Name)
        and node.node.name == TEXT
        and len(node.args) == 1
        and isinstance(node.args[0], nodes.Const)
        and not (node.kwargs or node.dyn_args or node.dyn_kwargs)
    )


def attribute(of: Any, name: str, environment: Any) -> Any:
    """What `of.name` means in a template, for a name that dicts have no attribute of."""
    if type(of) is dict:
        return of[name] if name in of else environment.undefined(obj=of, name=name)
    try:
        return getattr(of, name)
    except AttributeError:
        return environment.getattr(of, name)


_new = str.__new__
_NO_CALLER = Undefined("No caller defined", name="caller")


def quick_macro(
    environment: Any,
    draw: Callable[..., str],
    name: str | None,
    arguments: tuple[str, ...],
    catch_kwargs: bool,
    catch_varargs: bool,
    caller: bool,
    autoescape: bool | None = None,
) -> Callable[..., Any]:
    """A macro as a function; what it is not given, it takes as its compiled code does: `missing`."""
    count = len(arguments)
    if catch_kwargs or catch_varargs or "caller" in arguments:
        return Macro(
            environment, draw, name or "", [*arguments], catch_kwargs, catch_varargs, caller, autoescape
        )

    def macro(*args: Any, **kwargs: Any) -> Markup:
        missed = count - len(args)
        if missed:
            if missed < 0:
                raise TypeError(f"macro {name!r} takes {count} arguments")
            if kwargs:
                args += tuple([kwargs.pop(argument, missing) for argument in arguments[-missed:]])
            else:
                args += (missing,) * missed
        if caller:
            args += (kwargs.pop("caller", _NO_CALLER),)
        if kwargs:
            raise TypeError(f"macro {name!r} takes no argument {next(iter(kwargs))!r}")
        return _new(Markup, draw(*args))

    if DRAWING.macros is not None:
        DRAWING.macros.append(macro)
    return macro


class Drawing(threading.local):
    """The macros of the page that this thread draws; None between two pages, and while what stays is made.

    Macros refer to each other, so what they draw from would stay until Python looks for garbage. They let go of it
    as soon as the page is drawn.
    """

    macros: list[Callable[..., Any]] | None = None

    @contextmanager
    def of(self, macros: list[Callable[..., Any]] | None) -> Iterator[None]:
        """Note the macros that are made meanwhile."""
        before, self.macros = self.macros, macros
        try:
            yield
        finally:
            self.macros = before


DRAWING = Drawing()


def let_go(macros: Iterable[Callable[..., Any]]) -> None:
    """Part macros from what they draw from; they cannot be called any more."""
    for macro in macros:
        closure = macro.__closure__ or ()
        closure[macro.__code__.co_freevars.index("draw")].cell_contents = None


NOTHING = Undefined()
"""What an `if` without `else` is where it does not hold."""

WHAT_CODE_CALLS = {"Macro": quick_macro, "attribute": attribute, "nothing": NOTHING}
"""By the names in the code."""

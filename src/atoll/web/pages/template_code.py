"""The code generator of templates: Jinja's, without what our templates do not need.

It is Jinja's own hook (`Environment.code_generator_class`). It saves about a third of the time that rendering takes
(docs/measurements.md); pages are the same without it.
"""

from keyword import iskeyword
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame, optimizeconst

TEXT = "_"
"""The function of gettext in templates."""
DICT_ATTRIBUTES = frozenset(dir(dict))
"""Attributes of every dict."""


class TemplateCodeGenerator(CodeGenerator):
    """Writes the Python code of a template for `Templates` (`web/pages/templating.py`).

    Functions that our templates call never take the template's context, so calls do not check for that.
    """

    @optimizeconst
    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        """A call; a text without values is looked up in the environment's `texts`."""
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
        if node.attr in DICT_ATTRIBUTES:
            super().visit_Getattr(node, frame)
            return
        self.write("environment.attribute(")
        self.visit(node.node, frame)
        self.write(f", {node.attr!r})")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if is_plain_text(node):
            self.write("(")
        elif frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.escaped(")


def is_plain_text(node: nodes.Node) -> bool:
    """Whether this is a text without placeholders' values."""
    return (
        isinstance(node, nodes.Call)
        and isinstance(node.node, nodes.Name)
        and node.node.name == TEXT
        and len(node.args) == 1
        and isinstance(node.args[0], nodes.Const)
        and not (node.kwargs or node.dyn_args or node.dyn_kwargs)
    )

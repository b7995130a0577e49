"""Tools that test for longer than the suite: `python -m tests.soak` lists and runs them; never part of `make test`.

The first line of a tool's docstring is the question that it answers.
"""

import ast
from pathlib import Path


def questions(folder: Path) -> dict[str, str]:
    """The question that each command of a package answers, by the name of its module."""
    result = {}
    for file in sorted([*folder.glob("*.py"), *folder.glob("*/__main__.py")]):
        name = file.parent.name if file.parent != folder else file.stem
        question, _, _ = (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").partition("\n")
        if question.endswith("?"):
            result[name] = question
    return dict(sorted(result.items()))

"""docs/glossary.md against the code: each name is defined in the file that the page gives."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "atoll"
SECTIONS = re.split(r"^## ", (ROOT / "docs" / "glossary.md").read_text("utf-8"), flags=re.MULTILINE)[1:]
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| `([^|`]+)` \|$", re.MULTILINE)


@cache
def names_defined(file: Path) -> frozenset[str]:
    """What a module defines: classes, functions, what is assigned or declared, fields of declarations too."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
    return frozenset(names)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.partition("\n")[0])
def test_names_are_defined_where_the_glossary_says(section: str) -> None:
    rows = ROW.findall(section)
    assert len(rows) == section.count("\n| ") - 1  # the head is no row
    wrong = []
    for term, _, names, place in rows:
        file = SOURCE / place
        for name in re.findall(r"`(\w+)`", names):
            if not file.is_file() or name not in names_defined(file):
                others = [
                    str(other.relative_to(SOURCE))
                    for other in SOURCE.rglob("*.py")
                    if name in names_defined(other)
                ]
                wrong.append(f"{term}: {name} is not in {place}, but in {others}")
    assert wrong == []


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.partition("\n")[0])
def test_terms_stand_once_and_in_order(section: str) -> None:
    terms = [term.lower() for term, *_ in ROW.findall(section)]
    assert terms == sorted(set(terms))

"""The command `examples`: copies what comes with Atoll to begin with, by what it is for or by its name."""

import ast
import re
import shutil
import tomllib
from pathlib import Path
from typing import Annotated

import typer

from atoll.commands.options import console
from atoll.text.errors import AtollError
from atoll.text.messages import quoted

PACKAGE = Path(__file__).parents[1]
PLACES = (PACKAGE / "examples", PACKAGE.parents[1] / "examples")
"""Where they lie: in the package as it is installed, or beside the sources."""

GOALS = {
    "design": "aims for a search, to change",
    "research": "learners and policies",
    "game": "packages of whole games",
}
"""What examples are for; their kinds of files follow: TOML, Python, and folders."""


def examples(
    goal: Annotated[
        str | None,
        typer.Argument(
            metavar="[GOAL]", help=f"{', '.join(GOALS)}, or one by its name; lists all if not said."
        ),
    ] = None,
    into: Annotated[
        Path, typer.Option("--into", metavar="DIR", help="A folder for them; it is made if it is not there.")
    ] = Path(),
) -> None:
    """Copy examples to begin with: aims for designers, learners for researchers, whole games."""
    known = examples_by_name()
    if goal is None:
        for name, path in known.items():
            console().print(f"{goal_of(path):9} {name:24} {about(path)}", soft_wrap=True, markup=False)
        return
    chosen = [path for name, path in known.items() if goal in (goal_of(path), name, path.name)]
    if not chosen:
        raise AtollError(
            f"there are no examples called {quoted(goal)}; there are: {', '.join([*GOALS, *known])}"
        )
    for path in copied(chosen, into):
        console().print(f"{path}", soft_wrap=True, markup=False)


def examples_by_name() -> dict[str, Path]:
    """The files and folders of examples, by their names without an ending; raises AtollError if none are here."""
    folder = next((place for place in PLACES if place.is_dir()), None)
    if folder is None:
        raise AtollError("this installation has no examples: install Atoll anew")
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in (".py", ".toml") or path.is_dir()]
    return {path.stem: path for path in paths if not path.name.startswith(("_", "."))}


def goal_of(path: Path) -> str:
    """What an example is for."""
    return "game" if path.is_dir() else "design" if path.suffix == ".toml" else "research"


def about(path: Path) -> str:
    """A line that says what an example is, from its own text."""
    if path.is_dir():
        project = tomllib.loads((path / "pyproject.toml").read_text("utf-8"))["project"]
        return str(project["description"])
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        return " ".join((ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0].split())
    return re.sub(r"^# ", "", text.partition("\n")[0])


def copied(paths: list[Path], into: Path) -> list[Path]:
    """Copy examples into a folder; raises AtollError, and copies nothing, if one is there already."""
    there = [into / path.name for path in paths]
    taken = next((path for path in there if path.exists()), None)
    if taken is not None:
        raise AtollError(f"{taken} is there already: take another folder with --into, or remove it")
    into.mkdir(parents=True, exist_ok=True)
    for path, target in zip(paths, there, strict=True):
        if path.is_dir():
            shutil.copytree(path, target, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
        else:
            shutil.copyfile(path, target)
    return there

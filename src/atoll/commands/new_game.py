"""The command `new-game`: a package with a small complete game in it, to be changed into another."""

import keyword
import re
import shutil
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from atoll.commands.options import console
from atoll.core.catalogue import games
from atoll.text.errors import AtollError
from atoll.text.messages import quoted

SCAFFOLD = files("atoll") / "scaffold"
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def new_game(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Its name: lower-case words joined by hyphens.")
    ],
    into: Annotated[
        Path, typer.Option("--into", metavar="DIR", help="Where its folder is written; here if not said.")
    ] = Path(),
) -> None:
    """Write the package of a new game: small, complete, and yours to change."""
    folder = write_game(name, into)
    console().print(f"The game is in {folder}; its README says how to play it.", soft_wrap=True)


def check_name(name: str) -> None:
    """Raise AtollError unless a new game can be called so."""
    package = name.replace("-", "_")
    if not NAME.fullmatch(name) or keyword.iskeyword(package):
        raise AtollError(
            f"a game's name is lower-case words joined by hyphens, such as sand-castle; {quoted(name)} cannot be one"
        )
    if name in games():
        raise AtollError(f"there is a game called {quoted(name)} already")
    if find_spec(package) is not None:
        raise AtollError(f"there is a Python package called {quoted(package)} already: take another name")


def write_game(name: str, into: Path) -> Path:
    """Write the package of a new game into a folder of its name below `into`; returns that folder.

    Raises AtollError for a name that cannot be, or a folder that is there already; then nothing is written.
    """
    check_name(name)
    folder = into / name
    if folder.exists():
        raise AtollError(f"{folder} is there already: take another name, or another folder with --into")
    package = name.replace("-", "_")
    title = name.replace("-", " ").capitalize()
    names = {
        "NAME": name,
        "PACKAGE": package,
        "TITLE": title,
        "CLASS": "".join(map(str.capitalize, name.split("-"))),
    }
    places = {"package": f"src/{package}", "test_game.py": f"test_{package}.py"}
    try:
        for path, text in _texts(SCAFFOLD, Path()):
            file = folder.joinpath(*(places.get(part, part) for part in path.parts))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                re.sub("NAME|PACKAGE|TITLE|CLASS", lambda word: names[word[0]], text), encoding="utf-8"
            )
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise OSError(error.errno, error.strerror, error.filename or str(folder)) from None
    return folder


def _texts(folder: Traversable, below: Path) -> list[tuple[Path, str]]:
    texts: list[tuple[Path, str]] = []
    for file in folder.iterdir():
        if file.is_dir():
            texts += _texts(file, below / file.name)
        elif file.name.endswith(".txt"):
            texts.append((below / file.name.removesuffix(".txt"), file.read_text(encoding="utf-8")))
    return texts

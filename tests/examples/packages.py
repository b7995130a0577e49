"""The example packages, and new ones, as if they were installed: on the path, with their entry points."""

import shutil
import tomllib
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from atoll.commands.new_game import write_game
from atoll.text import folders

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(file.parent for file in (ROOT / "examples").glob("*/pyproject.toml"))


def metadata_of(project: Path, into: Path) -> None:
    """Write what an installer would note of a package: its name, and the games that it has."""
    with (project / "pyproject.toml").open("rb") as file:
        described = tomllib.load(file)["project"]
    folder = into / f"{described['name'].replace('-', '_')}-{described['version']}.dist-info"
    folder.mkdir(parents=True)
    name, version = described["name"], described["version"]
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    entries = [f"{game} = {place}" for game, place in described["entry-points"]["atoll.games"].items()]
    (folder / "entry_points.txt").write_text("\n".join(["[atoll.games]", *entries]) + "\n")


def paths(projects: list[Path], into: Path) -> list[str]:
    """Folders for the path of a process that shall find these packages; `into` gets what is noted of them."""
    for project in projects:
        metadata_of(project, into)
    return [str(into), *(str(project / "src") for project in projects)]


@cache
def new_game(name: str) -> Path:
    """A new game as `atoll new-game` writes it, in a folder that stays from run to run: what is compiled stays too."""
    home = folders.cache_folder() / "new-games"
    with TemporaryDirectory() as folder:
        fresh, kept = write_game(name, Path(folder)), home / name
        if texts(fresh) != texts(kept):
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(fresh, kept)
    return kept


def texts(folder: Path) -> dict[str, bytes]:
    """Every file below a folder that a person wrote."""
    files = (file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}

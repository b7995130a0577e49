"""The site's script: ES modules at an address with a digest of all of them.

Browsers may cache them for ever, and never mix modules of two versions.
"""

from functools import cache
from hashlib import sha256
from pathlib import Path

from atoll.core.game import Game
from atoll.web import STATIC
from atoll.web.pages.static_files import StaticFolder

FOLDER = STATIC / "scripts"


@cache
def scripts_url() -> str:
    """The address of the folder of modules."""
    digest = sha256()
    for file in sorted(FOLDER.rglob("*.js")):
        digest.update(file.read_bytes())
    return f"/scripts/{digest.hexdigest()[:12]}"


@cache
def modules() -> tuple[str, ...]:
    """The addresses of the modules that every table needs, to be preloaded together. Those in `later` are imported on
    demand."""
    return tuple(f"{scripts_url()}/{file.name}" for file in sorted(FOLDER.glob("*.js")))


@cache
def drags(game: Game) -> bool:
    """Whether a game's table has pieces to drag."""
    return any(b"data-drag=" in file.read_bytes() for file in Path(str(game.folder)).glob("*.jinja"))


class Scripts(StaticFolder):
    """The folder of modules, which are immutable at their address."""

    lifetime = "max-age=31536000, immutable"

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

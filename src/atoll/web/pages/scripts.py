"""The site's script: ES modules that import each other by name, at an address that changes with any of them.

So browsers may keep them for good, and never mix modules of two versions.
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
    """Where the site has its modules."""
    digest = sha256()
    for file in sorted(FOLDER.rglob("*.js")):
        digest.update(file.read_bytes())
    return f"/scripts/{digest.hexdigest()[:12]}"


@cache
def modules() -> tuple[str, ...]:
    """The addresses of the modules that every table needs, to be loaded at once and not one after another as they
    import each other; those in `later` are loaded by whoever needs them."""
    return tuple(f"{scripts_url()}/{file.name}" for file in sorted(FOLDER.glob("*.js")))


@cache
def drags(game: Game) -> bool:
    """Whether a game's table has anything to drag."""
    return any(b"data-drag=" in file.read_bytes() for file in Path(str(game.folder)).glob("*.jinja"))


class Scripts(StaticFolder):
    """The modules, which never change at their address."""

    kept = "max-age=31536000, immutable"

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

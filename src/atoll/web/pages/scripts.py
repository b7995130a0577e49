"""The site's script: ES modules at an address with a digest of all of them.

Browsers may cache them for ever, and never mix modules of two versions.
"""

from functools import cache
from hashlib import sha256
from os import PathLike, stat_result
from pathlib import Path

from starlette.responses import Response
from starlette.types import Scope

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


ENGINE = "engine.js"
ENGINE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
"""What the workers may do whose script it is: compile a game's module. Pages may not."""


class Scripts(StaticFolder):
    """The folder of modules, which are immutable at their address."""

    lifetime = "max-age=31536000, immutable"

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    def file_response(
        self, full_path: str | PathLike[str], stat_result: stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        if Path(full_path).name == ENGINE:
            response.headers["Content-Security-Policy"] = ENGINE_POLICY
        return response

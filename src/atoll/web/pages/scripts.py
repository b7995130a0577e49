"""The site's script: ES modules that import each other by name, at an address that changes with any of them.

So browsers may keep them for good, and never mix modules of two versions.
"""

from functools import cache
from hashlib import sha256

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from atoll.web import STATIC

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


class Scripts(StaticFiles):
    """The modules, which never change at their address."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A module, to be kept for good."""
        answer = await super().get_response(path, scope)
        answer.headers["Cache-Control"] = "max-age=31536000, immutable"
        return answer

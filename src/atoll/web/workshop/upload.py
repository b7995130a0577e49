"""Components files that somebody brings: read, and checked with the sentences of the command line."""

from starlette.datastructures import UploadFile
from starlette.requests import Request

from atoll.core.components import parse_toml
from atoll.core.game import Game
from atoll.core.types import Components, Json
from atoll.text.errors import AtollError
from atoll.text.printable import printable
from atoll.web.refusal import Refusal

File = tuple[str, bytes]
"""Name and content."""


async def read_with_file(request: Request, most_fields: int) -> tuple[dict[str, str], File | None]:
    """The fields of a form, the last of each name, and the file that came along, if one did."""
    async with request.form(max_files=1, max_fields=most_fields) as form:
        fields = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        for value in form.values():
            if isinstance(value, UploadFile):
                return fields, (value.filename or "", await value.read())
    return fields, None


def checked_file(game: Game, name: str, content: bytes) -> tuple[Components, Json]:
    """What a file says, ready to be played, and as data; raises Refusal with the checker's sentence."""
    name = printable(name)[:80] or "components.toml"
    try:
        data = parse_toml(name, content)
        return game.components_from(name, data), data
    except AtollError as error:
        raise Refusal(400, "This file cannot be opened: %(why)s", why=error.message) from None

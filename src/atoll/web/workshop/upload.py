"""Components files and spreadsheets that somebody brings: read, and checked with the sentences of the command line."""

from pathlib import Path

from starlette.datastructures import UploadFile
from starlette.requests import Request

from atoll.core.component_sheets import ComponentSheets
from atoll.core.components import parse_toml
from atoll.core.game import Game
from atoll.core.types import Components, Json
from atoll.text.errors import AtollError
from atoll.text.printable import printable
from atoll.text.spreadsheets import SPREADSHEETS, tables_of
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


def is_sheet(name: str) -> bool:
    """Whether a file of this name is a spreadsheet."""
    return Path(name).suffix.lower() in SPREADSHEETS


def checked_file(game: Game, name: str, content: bytes, base: Json | None = None) -> tuple[Components, Json]:
    """What a file says, ready to be played, and as data; what a spreadsheet lacks is as in `base`, or in the game's own
    file. Raises Refusal with the checker's sentence.
    """
    name = printable(name)[-80:] or "components.toml"
    try:
        if is_sheet(name):
            sheets = ComponentSheets(game, "en")
            tables = tables_of(name, content, sheets.headings())
            data = sheets.data(tables, game.components().data if base is None else base)
            name = str(data["name"])
        else:
            data = parse_toml(name, content)
        return game.components_from(name, data), data
    except AtollError as error:
        raise Refusal(400, "This file cannot be opened: %(why)s", why=error.message) from None

"""A components file as tables for a person: as the game's module `components` tells it, or entry by entry."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from atoll.core.game import Components, Game, Table
from atoll.core.words import Words


def show_components(console: Console, game: Game, components: Components, words: Words) -> None:
    """Print all tables of a file."""
    said = words.with_package(game.package).with_components(components.data)
    told = getattr(import_module(f"{game.package}.components"), "tables", None)
    for table in told(said) if told else plain_tables(components.data):
        shown = RichTable(*map(escape, table.heading), title=escape(table.title), title_justify="left")
        for row in table.rows:
            shown.add_row(*map(escape, row))
        console.print(shown)


def plain_tables(data: Mapping[str, Any]) -> Iterator[Table]:
    """Every section of the file as it stands there: a list of entries as rows, anything else as keys and values."""
    for name, section in data.items():
        if isinstance(section, list) and all(isinstance(entry, dict) for entry in section):
            keys = list(dict.fromkeys(key for entry in section for key in entry))
            yield Table(name, keys, [[plain(entry.get(key, "")) for key in keys] for entry in section])
        elif isinstance(section, dict):
            yield Table(name, ["", ""], [[key, plain(value)] for key, value in section.items()])


def plain(value: Any) -> str:
    """A value as one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {plain(part)}" for key, part in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(plain, value))
    return str(value)

"""What a components file lists, as tables: as the game's module `components` tells it, or entry by entry."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from atoll.core.game import Components, Game, Table
from atoll.core.words import Words


def component_tables(game: Game, components: Components, words: Words) -> Iterator[Table]:
    """All tables of a file, in the language of `words`."""
    said = words.with_package(game.package).with_components(components)
    told = getattr(game.component_reader, "tables", None)
    return iter(told(said) if told else plain_tables(components.data))


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

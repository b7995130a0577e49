"""What a components file lists, as listings: as the game's module `components` tells it, or entry by entry."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from atoll.core.game import Game
from atoll.core.game_translator import GameTranslator
from atoll.core.types import Components, Listing
from atoll.text.translation import Translator


def listings(game: Game, components: Components, translator: Translator) -> Iterator[Listing]:
    """All listings of a file, in the reader's language."""
    own = getattr(game.component_reader, "listings", None)
    if own is None:
        return plain_listings(components.data)
    return iter(own(GameTranslator(translator.with_package(game.package), components)))


def plain_listings(data: Mapping[str, Any]) -> Iterator[Listing]:
    """Every section of the file as it stands there: a list of entries as rows, anything else as keys and values."""
    for name, section in data.items():
        if isinstance(section, list) and all(isinstance(entry, dict) for entry in section):
            keys = list(dict.fromkeys(key for entry in section for key in entry))
            yield Listing(name, keys, [[plain(entry.get(key, "")) for key in keys] for entry in section])
        elif isinstance(section, dict):
            yield Listing(name, ["", ""], [[key, plain(value)] for key, value in section.items()])


def plain(value: Any) -> str:
    """A value as one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {plain(part)}" for key, part in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(plain, value))
    return str(value)

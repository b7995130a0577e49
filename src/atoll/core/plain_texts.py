"""What the plain pages and sentences say of a game, in English: the names of its declarations."""

from collections.abc import Iterator
from typing import Any

from atoll.core.defaults import has_module
from atoll.core.forms import Form, Named
from atoll.core.game import Game
from atoll.core.plain_board import labels


def plain_texts(game: Game) -> list[str]:
    """Every text that a game's catalogue should translate because the game leaves its telling to the usual one."""
    if has_module(game, "telling"):
        return []
    rules: Any = game.rules
    found = [*labels(game.declared), *_names(game), *(told.text for told in rules.TOLD.values())]
    found += [name for told in rules.TOLD.values() for names in told.names.values() for name in names]
    for code in range(rules.ACTIONS):
        move = game.notation.move_of(code)
        found += [value for value in move.values() if isinstance(value, str)]
    return [text for text in dict.fromkeys(found) if not text.isdecimal()]


def _names(game: Game) -> Iterator[str]:
    """The names of the values of fields."""
    for field in game.declared.fields:
        form = field.form if isinstance(field.form, Form) else getattr(field.form, "form", None)
        if field.key and isinstance(form, Named):
            yield from (name for name in form.names if name and name != "over")
        yield from getattr(field.form, "names", ()) if not isinstance(field.form, Form) and field.key else ()

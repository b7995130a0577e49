"""What is said of a game in the words of its declarations, in English: on the plain pages, and in the usual log."""

from collections.abc import Iterator

from atoll.core.defaults import has_module
from atoll.core.forms import Form, Named
from atoll.core.game import Game
from atoll.core.plain_board import labels


def plain_texts(game: Game) -> list[str]:
    """Every text that a game's catalogue should translate because a declaration says it: the sentences of events, and
    all else where the game leaves its telling to the usual one.
    """
    found = game.events.texts()
    if has_module(game, "messages"):
        return found
    found += [*labels(game.declared), *_names(game)]
    for code in range(game.rules.ACTIONS):
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

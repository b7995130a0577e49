"""The table of a game that draws none: its declared state by name, its legal moves as buttons."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from atoll.core.game import Game
from atoll.text.translation import Translator

if TYPE_CHECKING:
    from atoll.core.position import View

PLAIN = "plain_table.html.jinja"
"""The site's template for games without one."""
STYLES = "plain_table.css"


@cache
def table_function(game: Game) -> Callable[..., dict[str, Any]] | None:
    """The game's `table.table`, which gives its template's context; None for a game without a template."""
    if not (game.folder / "table.html.jinja").is_file():
        return None
    function: Callable[..., dict[str, Any]] = import_module(f"{game.package}.table").table
    return function


def plain_table(
    translator: Translator, names: Sequence[str], view: "View", over: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The plain template's own part of the context."""
    from atoll.core.plain_board import shown_fields  # which imports NumPy

    score = view.game.messages.score(translator, names, over["breakdown"]) if over is not None else None
    common, players = shown_fields(view, translator)
    return {"moved": {}, "common": common, "players": players, "score": score}

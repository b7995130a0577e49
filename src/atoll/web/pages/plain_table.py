"""The table of a game that draws none: its declared state by name, its legal moves as buttons."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from atoll.core.game import Game
from atoll.text.translation import Translator

if TYPE_CHECKING:
    from atoll.core.game import View

PLAIN = "plain_table.html.jinja"
"""The site's template for games without one."""
STYLES = "plain_table.css"


@cache
def table_function(game: Game) -> Callable[..., dict[str, Any]] | None:
    """The game's `table.table`, which gives its template's context; None for a game without a template."""
    if game.table is None or not (game.folder / "table.html.jinja").is_file():
        return None
    return game.table.table


def plain_table(
    translator: Translator, names: Sequence[str], view: "View", over: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The plain template's own part of the context."""
    from atoll.core.plain_messages import shown_fields

    score = view.game.messages.score(translator, names, over["breakdown"]) if over is not None else None
    common, players = shown_fields(view.game, view, translator, names)
    return {"moved": {}, "common": common, "players": players, "score": score}

"""The table of a game that draws none, its declared state by name and its legal moves as buttons; and what a template
gets that has no module `table`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from atoll.core.game import Game
from atoll.core.seen import Seen
from atoll.core.types import Components
from atoll.text.translation import Translator

if TYPE_CHECKING:
    from atoll.core.game import View

PLAIN = "plain_table.html.jinja"
"""The site's template for games without one."""
STYLES = "plain_table.css"


@cache
def table_function(game: Game) -> Callable[..., dict[str, Any]] | None:
    """What gives the game's template its context, its own `table.table` if it has one; None without a template."""
    if not (game.folder / "table.html.jinja").is_file():
        return None
    return declared_table if game.table is None else game.table.table


def declared_table(seen: Seen) -> dict[str, Any]:
    """The view by the names of what the game declares: the fields of the state, the numbers of the components."""
    view = seen.view
    return {"moved": {}, "fields": view.fields, "known": view.known, "numbers": view.components.plain}


def naming(
    game: Game, components: Components, translator: Translator, names: Sequence[str]
) -> Callable[[str, int], str]:
    """What a number `of` something is called, such as `("card", 7)`; looked up when the first is asked for."""
    from atoll.core.plain_messages import called_by

    @cache
    def called() -> Mapping[str, Mapping[int, str]]:
        return called_by(game, components, translator, names)

    return lambda what, number: called()[what].get(number, str(number))


def plain_table(
    translator: Translator, names: Sequence[str], view: "View", over: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The plain template's own part of the context."""
    from atoll.core.plain_messages import shown_fields

    score = view.game.messages.score(translator, names, over["breakdown"]) if over is not None else None
    common, players = shown_fields(view.game, view, translator, names)
    return {"moved": {}, "common": common, "players": players, "score": score}

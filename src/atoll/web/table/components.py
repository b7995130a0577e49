"""The components with which tables were begun."""

from functools import lru_cache

from atoll.core.game import Game
from atoll.core.types import Components
from atoll.web.refusal import Gone
from atoll.web.store.store import TableRow


def components_of(game: Game, row: TableRow) -> Components:
    """The components with which a table was begun; raises Gone if they are no longer here."""
    if row.components_data is not None:
        return game.components_from(row.components_name, row.components_data)
    try:
        return shipped(game, row.components_name, row.components_sha256)
    except LookupError:
        raise Gone("This table was begun with other components, which are no longer here.", row) from None


@lru_cache(64)
def shipped(game: Game, name: str, sha256: str) -> Components:
    """A set that comes with the game, read once for all tables; raises LookupError if it has another digest."""
    components = game.components(name)
    if components.sha256 != sha256:
        raise LookupError(name)
    return components

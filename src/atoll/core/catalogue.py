"""The catalogue of games: every installed package that declares an entry point `atoll.games`."""

from functools import cache
from importlib import metadata

from atoll.core.errors import UnknownGame
from atoll.core.game import Game


@cache
def games() -> dict[str, Game]:
    """Every installed game by its name, in the order of their names."""
    found = [entry.load() for entry in metadata.entry_points(group="atoll.games")]
    return {game.name: game for game in sorted(found, key=lambda game: game.name)}


def find_game(name: str) -> Game:
    """The game of that name; raises UnknownGame, which names those that there are."""
    if name not in games():
        raise UnknownGame(f"there is no game called {name!r}; there are: {', '.join(games())}")
    return games()[name]

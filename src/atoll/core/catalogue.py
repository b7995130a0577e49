"""The catalogue of games: every installed package that declares an entry point `atoll.games`."""

import logging
from functools import cache
from importlib import metadata

from atoll.core.game import Game
from atoll.text.errors import UnknownGame
from atoll.text.messages import Message, quoted


@cache
def games() -> dict[str, Game]:
    """Every installed game by its name, in the order of their names; one that cannot be imported is left out and
    logged in one line.
    """
    found = []
    for entry in metadata.entry_points(group="atoll.games"):
        try:
            game = entry.load()
            if not isinstance(game, Game):
                raise TypeError(f"{entry.value} is no Game")
        except Exception as error:  # whatever another package's code raises
            fault = f"{type(error).__name__}: {error}"
            logging.getLogger(__name__).error("The game %r is left out: %s", entry.name, fault)
        else:
            found.append(game)
    return {game.name: game for game in sorted(found, key=lambda game: game.name)}


def find_game(name: str) -> Game:
    """The game of that name; raises UnknownGame, which names those that there are."""
    if name not in games():
        raise UnknownGame(
            Message(
                "there is no game called %(name)s; there are: %(known)s",
                name=quoted(name),
                known=", ".join(games()),
            )
        )
    return games()[name]

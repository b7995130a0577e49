"""The catalogue of games: every installed package that declares an entry point `atoll.games`."""

import logging
from functools import cache
from importlib import metadata

from atoll.core.game import Game
from atoll.text.errors import LeftOut, UnknownGame
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


_left_out: dict[str, Message] = {}
"""Why games are left out, by their names."""


def leave_out(name: str, why: Message) -> None:
    """Take a game out of the catalogue: whoever asks for it is told why."""
    games().pop(name, None)
    _left_out[name] = why


def find_game(name: str) -> Game:
    """The game of that name; raises UnknownGame, which names those that there are, or LeftOut."""
    if name in _left_out:
        raise LeftOut(_left_out[name])
    if name not in games():
        raise UnknownGame(
            Message(
                "there is no game called %(name)s; there are: %(known)s",
                name=quoted(name),
                known=", ".join(games()),
            )
        )
    return games()[name]

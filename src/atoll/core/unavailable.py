"""What a game does not offer, said in the reader's language: components, numbers of players, options, an end."""

from typing import TYPE_CHECKING, Any

from atoll.text.messages import Message, quoted

if TYPE_CHECKING:
    from atoll.core.game import Game


def no_components(game: "Game", name: str) -> Message:
    """No set of components of that name comes with the game."""
    return Message(
        "%(game)s has no components called %(name)s; there are: %(known)s",
        game=game.title,
        name=quoted(name),
        known=", ".join(game.component_files),
    )


def not_so_many(game: "Game", players: int) -> Message:
    """The game is for other numbers of players."""
    least, most = game.seats.start, game.seats.stop - 1
    return Message(
        "%(game)s is for %(least)s to %(most)s players, not %(players)s",
        game=game.title,
        least=least,
        most=most,
        players=players,
    )


def no_end(game: "Game", players: int, components: str, most: int) -> Message:
    """A game went on past its declared maximum of decisions."""
    return Message(
        "a game of %(game)s for %(players)s players with the components %(name)s went on past its declared maximum of "
        "%(most)s decisions and was given up",
        game=game.title,
        players=players,
        name=quoted(components),
        most=most,
    )


def no_option(game: "Game", name: str) -> Message:
    """The game has no option of that name."""
    if not game.options:
        return Message("%(game)s has no options, so not %(name)s", game=game.title, name=quoted(name))
    known = ", ".join(option.name for option in game.options)
    return Message(
        "%(game)s has no option %(name)s; there are: %(known)s",
        game=game.title,
        name=quoted(name),
        known=known,
    )


def no_truth(game: "Game", name: str, value: Any) -> Message:
    """An option is on or off."""
    return Message(
        "the option %(name)s of %(game)s is true or false, not %(found)s",
        name=quoted(name),
        game=game.title,
        found=quoted(str(value)),
    )

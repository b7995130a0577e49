"""What a game does not offer, said in the reader's language: components, numbers of players, options, an end."""

from typing import TYPE_CHECKING, Any

from atoll.core.saying import Sentence, quoted

if TYPE_CHECKING:
    from atoll.core.game import Game


def no_components(game: "Game", name: str) -> Sentence:
    """No set of components of that name comes with the game."""
    return Sentence(
        "%(game)s has no components called %(name)s; there are: %(known)s",
        game=game.title,
        name=quoted(name),
        known=", ".join(game.component_files),
    )


def not_so_many(game: "Game", players: int) -> Sentence:
    """The game is for other numbers of players."""
    least, most = game.seats.start, game.seats.stop - 1
    return Sentence(
        "%(game)s is for %(least)s to %(most)s players, not %(players)s",
        game=game.title,
        least=least,
        most=most,
        players=players,
    )


def no_end(game: "Game", players: int, components: str, most: int) -> Sentence:
    """A game went on past its declared maximum of decisions."""
    return Sentence(
        "a game of %(game)s for %(players)s players with the components %(name)s went on past its declared maximum of "
        "%(most)s decisions and was given up",
        game=game.title,
        players=players,
        name=quoted(components),
        most=most,
    )


def no_option(game: "Game", name: str) -> Sentence:
    """The game has no option of that name."""
    if not game.options:
        return Sentence("%(game)s has no options, so not %(name)s", game=game.title, name=quoted(name))
    known = ", ".join(option.name for option in game.options)
    return Sentence(
        "%(game)s has no option %(name)s; there are: %(known)s",
        game=game.title,
        name=quoted(name),
        known=known,
    )


def no_truth(game: "Game", name: str, value: Any) -> Sentence:
    """An option is on or off."""
    return Sentence(
        "the option %(name)s of %(game)s is true or false, not %(found)s",
        name=quoted(name),
        game=game.title,
        found=quoted(str(value)),
    )

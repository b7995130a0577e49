"""Goofspiel: bid for a row of prizes in secret, with each card of one's hand once."""

from atoll.core.game import Game

game = Game(
    name="goofspiel",
    title="Goofspiel",
    package=__name__,
    seats=range(2, 7),
    default_players=2,
    summary="A prize lies open; everybody bids a card in secret, and the highest card wins it.",
    rules_version=1,
)

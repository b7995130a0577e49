"""Tokens, a game for tests: no two hidden numbers are ever alike, so who knows one has been shown it."""

from atoll.core.game import Game

game = Game(
    name="tokens",
    title="Tokens",
    package=__name__,
    seats=range(2, 4),
    default_players=3,
    summary="Show one of two tokens, and draw another.",
    rules_version=1,
)

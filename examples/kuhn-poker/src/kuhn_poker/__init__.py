"""Kuhn poker: three cards, one chip each, one bet."""

from atoll.core.game import Game

game = Game(
    name="kuhn-poker",
    title="Kuhn poker",
    package=__name__,
    seats=range(2, 3),
    default_players=2,
    summary="One card each out of jack, queen and king, and one bet: the smallest poker worth bluffing in.",
    rules_version=1,
)

"""Privateers: ships of a hidden hand are sent after the gold of others, if the wind allows."""

from atoll.core.game import Game

game = Game(
    name="privateers",
    title="Privateers",
    package=__name__,
    seats=range(2, 5),
    default_players=3,
    summary="Send the ships of a hidden hand after the gold of others; the wind decides which of them sail.",
    rules_version=1,
    component_files={"usual": "components.toml"},
)

"""Lantern Bay: gear is drafted in secret, then all boats fish by the same dice, and each decides how long to stay."""

from atoll.core.game import Game

game = Game(
    name="lantern-bay",
    title="Lantern Bay",
    package=__name__,
    seats=range(2, 6),
    default_players=3,
    summary="Draft your boat's gear in secret, fish by lantern light, and be home before the squall that sinks you.",
    rules_version=1,
    component_files={"usual": "components.toml"},
    minutes=(15, 25),
    weight="Light",
    for_newcomers=True,
)

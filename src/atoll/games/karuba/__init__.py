"""Karuba, the card game, by Rüdiger Dorn: secret choices and paths through one's own island, for 2 to 6 players."""

from atoll.core.game import Game
from atoll.core.types import Option

game = Game(
    name="karuba",
    title="Karuba",
    package=__name__,
    seats=range(2, 7),
    default_players=2,
    summary="Choose two cards in secret, lay what is left of them, and lead your adventurers to their temples.",
    rules_version=1,
    minutes=(10, 20),
    weight="Light",
    for_newcomers=True,
    component_files={
        "reconstruction": "components.toml",
        "dead-end temples": "dead_end_temples.toml",
    },
    component_help={"dead-end temples": "Temples have a single exit, so that no path leads on behind them."},
    options=(
        Option(
            name="blocked_shortest",
            label="The shortest path of all",
            help="An adventurer takes the shortest path of all, and is stopped if another one stands on it; "
            "otherwise it takes the shortest path that is free.",
        ),
    ),
)

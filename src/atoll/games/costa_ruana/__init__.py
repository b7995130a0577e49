"""Costa Ruana, by Yuri Zhuravlev: bluff and area majority on treasure islands, for 2 to 6 players."""

from atoll.core.game import Game
from atoll.core.types import Option

game = Game(
    name="costa-ruana",
    title="Costa Ruana",
    package=__name__,
    seats=range(2, 7),
    default_players=4,
    summary="Bluff with cards, crowd the islands, and be the one who does not argue when treasure is shared out.",
    rules_version=1,
    minutes=(45, 45),
    weight="Medium",
    component_files={"reconstruction": "components.toml"},
    options=(
        Option(
            name="open_huts",
            label="Open huts",
            help="Everyone sees how many treasures lie behind each hut.",
        ),
    ),
)

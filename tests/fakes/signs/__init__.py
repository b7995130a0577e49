"""Signs, a game for tests: everybody secretly chooses two cards at once; whoever shows the highest sum takes a point.

It has what the site must cope with in any game: simultaneous choices that can be taken back until the last player
has chosen, moves with a part that is a list, and hidden hands.
"""

from atoll.core.game import Game
from atoll.core.types import Option

game = Game(
    name="signs",
    title="Signs",
    package=__name__,
    seats=range(2, 5),
    default_players=2,
    summary="Choose two cards in secret.",
    rules_version=1,
    component_files={"plain": "components.toml"},
    options=(Option("loud", "Loud", "Nothing changes."),),
)

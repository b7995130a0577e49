"""Cast Away, a prototype by Nicolas Douarec: survive, settle and be remembered, for 2 to 4 castaways."""

from atoll.core.game import Game

game = Game(
    name="cast-away",
    title="Cast Away",
    package=__name__,
    seats=range(2, 5),
    default_players=4,
    summary="Place your meeples to feed yourself, learn, build and pray on an island, until a ship comes.",
    rules_version=1,
    minutes=(55, 105),
    weight="Heavy",
    component_files={"reconstruction": "components.toml"},
)

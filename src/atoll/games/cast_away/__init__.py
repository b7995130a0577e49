"""Cast Away, a prototype by Nicolas Douarec: survive, settle and be remembered, for 2 to 4 castaways."""

from atoll.core.game import Game
from atoll.core.types import Option

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
    component_files={"reconstruction": "components.toml", "tuned": "tuned.toml", "fair": "fair.toml"},
    component_help={
        "tuned": "The most meeples above the candle score 1 prestige instead of the rulebook’s 2, five start boosts "
        "give more or fewer resources, and six constructions have another price or prestige.",
        "fair": "No seat is better off. Exploring first brings 1 resource instead of the rulebook’s 2, gathering 1 "
        "fruit more, the most meeples above the candle 1 prestige instead of 2; three start boosts bring no resource, "
        "the first four event cards work otherwise, and some players begin with prestige or happiness. Leisure, the "
        "wrecks and some constructions are worth something else, too.",
    },
    options=(
        Option(
            name="free_compass",
            label="Compass beside a meeple",
            help="Placing the compass marker does not end the turn: it may be placed before a meeple, or after the "
            "last one; otherwise it is placed instead of a meeple.",
        ),
        Option(
            name="any_storey",
            label="Any storey of the mystery",
            help="Whoever sends enough meeples takes a tile of any storey; otherwise a storey is open to who has "
            "every design of those below.",
        ),
        Option(
            name="lots_may_stay",
            label="Lots may stay on the compass",
            help="Nobody has to take a lot from the compass; otherwise everybody takes one as long as any is left.",
        ),
        Option(
            name="boost_of_first_design",
            label="The Mystery boost gives the first tile",
            help="The start boost gives the first design of the mystery; otherwise any one of its first storey.",
        ),
        Option(
            name="miracles_for_all",
            label="Miracles for everybody",
            help="Every miracle that somebody has scores for all players, by who is first and second in what it "
            "counts; otherwise for its owner alone.",
        ),
    ),
)

"""What the rulebook leaves open or says in two ways, and how it is settled: told on the page of rules."""

from atoll.core.types import Ruling

RULINGS = (
    Ruling(
        "CA-1",
        "The rulebook calls water and fish unlimited and is silent about the rest. Here the reserve never runs out of "
        "anything; only the stocks on the board do.",
    ),
    Ruling(
        "CA-2",
        "When the prestige of a level of experience scores is not said. It scores at once, when you reach the level.",
    ),
    Ruling(
        "CA-4",
        "The slots are numbered, but in which order they are covered is not said. It goes by the numbers, and what a "
        "slot gives comes before the effect of the tile that covers it.",
    ),
    Ruling(
        "CA-5",
        "The youngest takes start boosts first, says the rulebook. Here the first is drawn by lot, and boosts work as "
        "soon as they are taken.",
    ),
    Ruling(
        "CA-5",
        "The boost with a mystery tile gives “the first”: of the first storey, or one certain design. Usually you "
        "choose among the designs of the first storey.",
        option="boost_of_first_design",
    ),
    Ruling(
        "CA-7",
        "The list of the box counts 16 event cards, the set-up and the pictures 14 and the Ship. The game is played "
        "with these 15.",
    ),
    Ruling(
        "CA-13",
        "The rulebook says twice that the compass marker is placed instead of a meeple, and once that placing it does "
        "not end the turn. Usually it takes the place of a meeple, and you go on with meeples when it is your turn "
        "again.",
        option="free_compass",
    ),
    Ruling(
        "CA-13",
        "How many positions the compass has is not said. There are as many as players: when two play, only 1 and 2.",
    ),
    Ruling(
        "CA-18",
        "Meeples are sent for a tile of “the level that the player wishes”, says the rulebook. But the tiles form a "
        "pyramid: usually a storey opens to you once you have the whole one below.",
        option="any_storey",
    ),
    Ruling(
        "CA-18",
        "To solve the mystery you need six different tiles. Whether you may take a design twice is not said; you may "
        "not.",
    ),
    Ruling(
        "CA-19",
        "One page lets you take the favour of the step that you reach “at each advance”, another that of any step that "
        "you pass or reach. Here you go up all the steps of your level in faith, stop at none before, and may take any "
        "that you passed or reached, but not the one from which you came.",
    ),
    Ruling(
        "CA-19",
        "Whether one may pray without faith is not said. It takes at least one level of your own. A marker on the top "
        "step does not move: take its favour, or stay.",
    ),
    Ruling(
        "CA-23",
        "Which event cards stay with you is not said. Those stay that have something still to come; what works at once "
        "is done, and its card leaves the game.",
    ),
    Ruling(
        "CA-24",
        "The gift to the tribe is “one of your resources”. It may be a fish, too.",
    ),
    Ruling(
        "CA-25",
        "A meeple could go to the tribe and back for ever. Whoever has sent a white meeple back does not meet the "
        "tribe again in that round.",
    ),
    Ruling(
        "CA-27",
        "A card doubles “your next fishing”. You are asked before every fishing card and may keep it for a later one.",
    ),
    Ruling(
        "CA-29",
        "Players “will be able to choose” a lot from the compass. Usually you must take one, as long as there is one.",
        option="lots_may_stay",
    ),
    Ruling(
        "CA-29",
        "Should several players hold a card that gives the first choice, the first of them in turn order has it.",
    ),
    Ruling(
        "CA-31",
        "Whether one may go hungry on purpose is not said. Whoever can feed must; with how many fish is their choice, "
        "and the rest is fruit, no more than it takes.",
    ),
    Ruling(
        "CA-32",
        "The prestige for arriving on a level of health scores each time you come up to it, not only the first time.",
    ),
    Ruling(
        "CA-33",
        "Prestige may be paid to stay on health 0. Whoever has too little of it cannot, and goes down.",
    ),
    Ruling(
        "CA-33",
        "What hunger costs on the lowest level is not said. There nothing more is lost.",
    ),
    Ruling(
        "CA-34",
        "Which meeple is lost is not said. It is one of your own that is not above the candle; if all are there, one "
        "comes back for a white one and is lost, and its gift stays on the candle.",
    ),
    Ruling(
        "CA-37",
        "Should several of those who tie above the candle hold a calumet, none of them counts.",
    ),
    Ruling(
        "CA-41",
        "For whom a miracle scores is not said. Usually it scores for its owner alone.",
        option="miracles_for_all",
    ),
    Ruling(
        "CA-41",
        "How ties in what a miracle counts are settled is not said. A tie is worth the rank below, and a count of 0 "
        "ranks like any other.",
    ),
)

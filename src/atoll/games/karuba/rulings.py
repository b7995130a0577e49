"""What the rulebook leaves open, and how it is settled: told on the page of rules."""

from atoll.core.types import Ruling

RULINGS = (
    Ruling(
        "KA-2",
        "Which paths and treasures a card has is printed on the cards alone. Those here are a reconstruction; whoever "
        "owns the box can put the real ones into a file.",
    ),
    Ruling(
        "KA-5",
        "In which order players discard and lay is not said. All do it at the same time, and nobody lays before the "
        "last discard.",
    ),
    Ruling(
        "KA-11",
        "An adventurer of another colour interrupts a path; of temples nothing is said. They do not: whether one can "
        "walk on depends on their paths.",
    ),
    Ruling(
        "KA-12",
        "An adventurer has to take the shortest path. Whether that is the shortest of all, even if somebody stands on "
        "it, is not said. Usually it is the shortest of those that are free.",
        option="blocked_shortest",
    ),
    Ruling(
        "KA-12",
        "Which of several equally short paths counts is not said. It is the one that is worth most.",
    ),
    Ruling(
        "KA-13",
        "Treasures count that lie on the path between an adventurer and the temple. The cards of both belong to that "
        "path.",
    ),
)

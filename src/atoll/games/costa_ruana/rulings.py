"""What the rulebook leaves open, and how it is settled: told on the page of rules."""

from atoll.core.types import Ruling

RULINGS = (
    Ruling(
        "CR-2",
        "How many backgrounds there are is to be seen in the pictures alone. Every card has one of four; each of the "
        "two condition cards shows one of two, and a card is live if its own shows.",
    ),
    Ruling(
        "CR-4",
        "How many cards of each kind there are is printed on the cards alone. The counts here are a reconstruction; "
        "whoever owns the box can put the real ones into a file.",
    ),
    Ruling(
        "CR-6",
        "“Any two” islands begin with fewer treasures than the others. Here these are the first two: islands differ in "
        "nothing else.",
    ),
    Ruling(
        "CR-14",
        "A player chooses the order among several cards of one kind. If these are alike, with natives of the same "
        "owners on them, nobody is asked, and the one played first comes first.",
    ),
    Ruling(
        "CR-18",
        "Of those who collected equally few, the one “sitting closest to the Shaman” clockwise is the next. Counting "
        "begins at the Shaman’s left-hand neighbour, so that the old Shaman comes last, as in the rulebook’s Picture "
        "6.",
    ),
    Ruling(
        "CR-19",
        "Treasures are collected in the open and then hidden. One may remember them; usually the table does not show "
        "what lies behind the others’ huts.",
        option="open_huts",
    ),
    Ruling(
        "CR-22",
        "If players tie on points and on treasures, the rulebook goes no further. They share the win.",
    ),
)

"""What players of a game do by habit, and a restricted player does without, such as bluffing.

A game declares them in its module `habits`, where reports should tell what it costs to do without:

    HABITS = (Habit("bluff", is_bluff, *texts("No bluff", "It is a bluff to bet with the lowest card.")),)

`is_bluff(view, parts, action)` is compiled and says whether a legal move of the view's seat is of the habit. As
`advise`, it is given a seat's view. `restrict:BOT,without=bluff` makes such a move only where there is no other.

A habit may be a taste, such as a hoarder's, which reports show by a player who keeps to it:
`restrict:BOT,taste=hoarder` makes other moves only where there is none of it. Of moves that its plan says nothing about
a taste includes all.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Habit:
    """`name` stands in the names of bots. `label` calls a player who does without, and `about` says in a sentence which
    moves these are: English, translated by the game's catalogue. Of a taste both tell of the player who keeps to it.
    """

    name: str
    includes: Callable[..., Any]
    """compiled (view, parts, action) -> whether the move is of the habit"""
    label: str
    about: str
    is_taste: bool = field(default=False, kw_only=True)

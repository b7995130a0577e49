"""The players of Karuba as a view shows them."""

from collections.abc import Iterable
from dataclasses import dataclass

from atoll.core.game import View
from atoll.core.state import UNKNOWN, seats_in
from atoll.games.karuba.rules import lowest_sums
from atoll.games.karuba.state import DISCARD, LAY


@dataclass(frozen=True)
class Choice:
    """What a player has chosen this round, as far as the viewer may know it."""

    cards: list[int]
    """none while they are hidden"""
    hidden: int
    """cards that lie face down"""
    total: int | None
    """their sum, once all have chosen"""
    lowest: bool


@dataclass(frozen=True)
class Player:
    """A player: cards by their numbers, as far as the viewer may know them."""

    hand: list[int]
    held: int
    """how many are in hand"""
    pile: int
    """how many are in the pile"""
    choice: Choice
    to_lay: list[int]
    discarded: list[int]
    island: list[int]
    """the card on each cell, or NO_CARD"""

    def overview(self, cards: Iterable[int]) -> dict[int, str]:
        """Where each of these cards is: laid, discarded, in hand, chosen, or still to come as far as that is known."""
        found = dict.fromkeys(cards, "coming")
        places = {"chosen": self.choice.cards, "hand": self.hand, "discarded": self.discarded}
        for name, lying in {**places, "laid": self.island}.items():
            found |= {card: name for card in lying if card in found}
        return found


def players_of(view: View) -> list[Player]:
    """The players, in the order of their seats."""
    seen, found = view.fields, []
    revealed = seen.phase in (DISCARD, LAY)
    lowest = seats_in(int(lowest_sums(view.state))) if revealed else ()
    for seat in range(view.players):
        cards, chosen = view.known("chosen", seat), seen.chosen[seat]
        found.append(
            Player(
                hand=view.known("hand", seat),
                held=seen.hand_count[seat],
                pile=seen.pile_count[seat],
                choice=Choice(cards, chosen.count(UNKNOWN), sum(cards) if revealed else None, seat in lowest),
                to_lay=[card for i, card in enumerate(chosen) if seen.to_lay[seat] >> i & 1],
                discarded=view.known("discarded", seat),
                island=seen.island[seat],
            )
        )
    return found

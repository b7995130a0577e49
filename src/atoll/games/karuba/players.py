"""The players of Karuba as a view shows them."""

from collections.abc import Iterable
from dataclasses import dataclass

from atoll.core.game import View
from atoll.core.state import UNKNOWN, seats_in
from atoll.games.karuba.rules import lowest_sums
from atoll.games.karuba.state import DISCARD, LAY


@dataclass(frozen=True)
class CardChoice:
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
    choice: CardChoice
    to_lay: list[int]
    discarded: list[int]
    island: list[int]
    """the card on each cell, or NO_CARD"""

    def overview(self, cards: Iterable[int]) -> dict[int, str]:
        """Where each of these cards is: laid, discarded, in hand, chosen, or still to come as far as that is known."""
        where = dict.fromkeys(cards, "coming")
        places = {"chosen": self.choice.cards, "hand": self.hand, "discarded": self.discarded}
        for name, numbers in {**places, "laid": self.island}.items():
            where |= {card: name for card in numbers if card in where}
        return where


def players_of(view: View) -> list[Player]:
    """The players, in the order of their seats."""
    fields, players = view.fields, []
    is_revealed = fields.phase in (DISCARD, LAY)
    lowest = seats_in(int(lowest_sums(view.state))) if is_revealed else ()
    for seat in range(view.players):
        cards, choice = view.known("chosen", seat), fields.chosen[seat]
        players.append(
            Player(
                hand=view.known("hand", seat),
                held=fields.hand_count[seat],
                pile=fields.pile_count[seat],
                choice=CardChoice(
                    cards, choice.count(UNKNOWN), sum(cards) if is_revealed else None, seat in lowest
                ),
                to_lay=[card for i, card in enumerate(choice) if fields.to_lay[seat] >> i & 1],
                discarded=view.known("discarded", seat),
                island=fields.island[seat],
            )
        )
    return players

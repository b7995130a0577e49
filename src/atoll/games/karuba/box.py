"""What is in the box: everybody's cards with the seat's mark on the back, and what they are worth."""

from atoll.core.box import PieceGroup, PrintedPiece
from atoll.core.types import Components
from atoll.games.karuba import game
from atoll.games.karuba.cards import numbered_cards
from atoll.games.karuba.vocabulary import card_name
from atoll.text.translation import Translator, seat_names

CARD = 58.0
"""Millimetres, either way: islands are laid of cards."""


def box(translator: Translator, components: Components) -> list[PieceGroup]:
    """The cards of each seat, and an aid for each."""
    seats = range(game.seats.stop - 1)
    names = seat_names(translator)
    cards = [
        PrintedPiece(
            f"{seat}-{number}",
            translator(
                "%(label)s: %(text)s", label=f"{names[seat]} {number}", text=card_name(translator, card)
            ),
            (seat, number),
        )
        for seat in seats
        for number, card in numbered_cards(components).items()
    ]
    aid = PrintedPiece("aid", translator("Player aid"), count=len(seats))
    return [
        PieceGroup("cards", translator("Cards"), CARD, CARD, cards),
        PieceGroup("aids", translator("Player aids"), CARD, CARD, [aid], back="none"),
    ]

"""What is in the box: the deck for the most players, the condition cards, islands, natives, treasures and aids."""

from collections.abc import Iterator

from msgspec import to_builtins

from atoll.core.box import PieceGroup, PrintedPiece
from atoll.core.types import Components
from atoll.games.costa_ruana import game
from atoll.games.costa_ruana.state import BACKGROUNDS
from atoll.games.costa_ruana.vocabulary import background, card_name
from atoll.text.translation import Translator, seat_names

CARD = 56.0, 77.8
"""Millimetres; a card is drawn 72 by 100."""
AID = 84.0, 116.0
ISLAND = 84.0, 58.0
NATIVE = 16.0, 21.6
TREASURE = 15.0
SHORES = 6


def box(translator: Translator, components: Components) -> list[PieceGroup]:
    """All groups of pieces, for as many as may play."""
    most = game.seats.stop - 1
    islands = components.file.islands(most)
    numbers = components.file.game
    names = seat_names(translator)
    natives = [PrintedPiece(f"{seat}", names[seat], seat, numbers.natives) for seat in range(most)]
    conditions = [
        PrintedPiece(kind, background(translator, faces[0]), faces)
        for kind, faces in (("tide", ("high tide", "low tide")), ("time", ("day", "night")))
    ]
    shores = [
        PrintedPiece(str(number), translator("Island %(number)s", number=number + 1), number % SHORES)
        for number in range(len(islands))
    ]
    return [
        PieceGroup("cards", translator("Cards"), *CARD, list(cards(translator, components))),
        PieceGroup("conditions", translator("Condition cards"), *CARD, conditions),
        PieceGroup(
            "aids",
            translator("Player aids"),
            *AID,
            [PrintedPiece("aid", translator("Player aid"), count=most)],
        ),
        PieceGroup("islands", translator("Islands"), *ISLAND, shores, back="none"),
        PieceGroup("natives", translator("Natives"), *NATIVE, natives, back="same", bleed=1.0),
        PieceGroup(
            "treasures",
            translator("Treasures"),
            TREASURE,
            TREASURE,
            [PrintedPiece("treasure", translator("Treasure"), count=sum(islands))],
            back="same",
            bleed=1.0,
            is_round=True,
        ),
        PieceGroup(
            "shaman",
            translator("Shaman"),
            28.0,
            39.0,
            [PrintedPiece("shaman", translator("Shaman"))],
            back="same",
            bleed=1.0,
        ),
    ]


def cards(translator: Translator, components: Components) -> Iterator[PrintedPiece]:
    """The deck: each kind in each background, by the notches of the cards."""
    for block in to_builtins(components.file.cards):
        for kind, count in block["counts"].items():
            for ground in BACKGROUNDS:
                card = f"{kind}/{ground}"
                yield PrintedPiece(
                    f"{block['notches']}-{card}", card_name(translator, card), (card, block["notches"]), count
                )

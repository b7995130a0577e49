"""What is in the box: tiles and cards, the island, a board for each player, meeples, markers and resources."""

from atoll.core.box import PieceGroup, PrintedPiece
from atoll.core.types import Components
from atoll.games.cast_away import game
from atoll.games.cast_away import state as ca
from atoll.games.cast_away import vocabulary as vo
from atoll.text.translation import Translator, capital, seat_names

CARD = 56.0, 78.0
"""Millimetres, of tiles and of cards."""
BOARD = 180.0, 122.0
ISLAND = 172.0, 240.0
MYSTERY = 26.0, 26.0
MEEPLE = 15.0, 17.0
MARKER, CUBE = 12.0, 12.0
MARKERS = 4 + len(ca.DOMAINS)
"""Of each player: compass, health, happiness, favour, and experience in each domain."""
RESOURCES = 20
"""Of each kind. The reserve never runs out: print more if it does."""


def box(translator: Translator, components: Components) -> list[PieceGroup]:
    """All groups of pieces, for as many as may play."""
    file, most = components.file, game.seats.stop - 1
    seats = seat_names(translator)[:most]
    meeples = max(level.meeples for level in file.health.levels)
    tiles = [
        PrintedPiece(str(tile.id), vo.tile_name(translator, tile.id), tile.id) for tile in file.constructions
    ]
    miracles = [
        PrintedPiece(tile.id, vo.miracle_name(translator, tile.id), tile.id) for tile in file.miracles
    ]
    events = [PrintedPiece(card.id, vo.event_name(translator, card.id), card.id) for card in file.events]
    fishing = [
        PrintedPiece(str(card.id), translator("Fishing card %(number)s", number=card.id), card.id)
        for card in file.fishing
    ]
    boosts = [
        PrintedPiece(name, capital(vo.boost_name(translator, name)), number)
        for number, name in enumerate(ca.BOOSTS)
    ]
    mystery = [
        PrintedPiece(
            f"{storey}-{design}", vo.design_name(translator, storey, design), (storey, design), row.copies
        )
        for storey, row in enumerate(file.mystery.storeys)
        for design in range(row.designs)
    ]
    markers = [PrintedPiece(str(s), name, s, MARKERS) for s, name in enumerate(seats)]
    resources = [
        PrintedPiece(name, capital(vo.resource_name(translator, name)), name, RESOURCES)
        for name in ca.RESOURCES
    ]
    island = PrintedPiece("island", translator("The island"))
    white = PrintedPiece("white", translator("White meeple"), None, file.tribe.meeples)
    return [
        PieceGroup("constructions", translator("Constructions"), *CARD, tiles),
        PieceGroup("miracles", translator("Miracles"), *CARD, miracles),
        PieceGroup("events", translator("Events"), *CARD, events),
        PieceGroup("fishing", translator("Fishing cards"), *CARD, fishing),
        PieceGroup("boosts", translator("Start boosts"), *CARD, boosts),
        PieceGroup("mystery", translator("The mystery"), *MYSTERY, mystery),
        PieceGroup("meeples", translator("Meeples"), *MEEPLE,
                   [*(PrintedPiece(str(s), name, s, meeples) for s, name in enumerate(seats)), white], "same", 1.0),
        PieceGroup("markers", translator("Markers"), MARKER, MARKER,
                   markers, "same", 1.0, is_round=True),
        PieceGroup("resources", translator("Resources"), CUBE, CUBE,
                   resources,
                   "same", 1.0, is_round=True),
        PieceGroup("island", translator("The island"), *ISLAND, [island], "none", 0.0),
        PieceGroup("boards", translator("Player boards"), *BOARD,
                   [PrintedPiece("board", translator("Player board"), count=most)], "none", 0.0),
    ]  # fmt: skip

"""What the page of components needs besides the file: how many there are of each card."""

from typing import Any

from msgspec import to_builtins

from atoll.core.game import Components
from atoll.core.words import texts
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.components import MIN_PLAYERS


def sheet(components: Components) -> dict[str, Any]:
    """The context of the page's template: `copies` of a kind in each background, `decks` and `islands` by players."""
    parts, players = components.parts[0], range(MIN_PLAYERS, cr.MAX_PLAYERS + 1)
    decks = {count: parts.deck[count][: parts.deck_count[count]].tolist() for count in players}
    copies = {
        name: {count: decks[count].count(kind * len(cr.BACKGROUNDS)) for count in players}
        for kind, name in enumerate(cr.KINDS)
    }
    return {
        "file": components.file,
        "backgrounds": cr.BACKGROUNDS,
        "players": players,
        "blocks": to_builtins(components.file.cards),
        "copies": {kind: counts for kind, counts in copies.items() if counts[cr.MAX_PLAYERS]},
        "decks": {count: len(deck) for count, deck in decks.items()},
        "islands": {count: components.file.treasures.of(count) for count in players},
    }


KEYS = {
    "rounds": texts("Rounds")[0],
    "hand": texts("Cards dealt to each player")[0],
    "draws": texts("Cards drawn before each later round")[0],
    "natives": texts("Natives of each player")[0],
    "first_natives": texts("Natives placed in the setup")[0],
    "island_capacity": texts("Natives on an island, at most")[0],
    "treasure_points": texts("Points for a treasure")[0],
    "native_points": texts("Points for a native in the hut at the end")[0],
    "treasures": texts("Treasures")[0],
    "game": texts("Figures")[0],
    "cards": texts("Cards")[0],
    "source": texts("Source")[0],
    "notches": texts("Notches")[0],
    "counts": texts("Cards of each background")[0],
    "players_2": texts("2 players")[0],
    "players_3": texts("3 players")[0],
    "players_4": texts("4 players")[0],
    "players_5": texts("5 players")[0],
    "players_6": texts("6 players")[0],
    "move treasure": texts("Move a treasure")[0],
    "move native": texts("Move a native")[0],
    "place 1": texts("Place 1")[0],
    "place 2": texts("Place 2")[0],
    "place 3": texts("Place 3")[0],
    "return 1": texts("Return 1")[0],
    "return 2": texts("Return 2")[0],
    "return 3": texts("Return 3")[0],
    "name": texts("Name")[0],
}
"""What the workshop calls the keys and words of the file."""

"""What the page of components needs besides the file: how many there are of each card."""

from typing import Any

from msgspec import to_builtins

from atoll.core.types import Components
from atoll.games.costa_ruana import game
from atoll.games.costa_ruana import state as cr


def sheet(components: Components) -> dict[str, Any]:
    """The context of the page's template: `copies` of a kind in each background, `decks` and `islands` by players."""
    parts, players = components.plain, game.seats
    decks = {count: parts.deck[count][: parts.deck_count[count]] for count in players}
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
        "islands": {count: components.file.islands(count) for count in players},
    }


KEYS = {
    "hand": "Cards dealt to each player",
    "draws": "Cards drawn before each later round",
    "natives": "Natives of each player",
    "first_natives": "Natives placed in the setup",
    "island_capacity": "Natives on an island, at most",
    "treasure_points": "Points for a treasure",
    "native_points": "Points for a native in the supply at the end",
    "game": "Figures",
    "counts": "Cards of each background",
    **{f"players_{count}": f"{count} players" for count in game.seats},
    "move treasure": "Move a treasure",
    "move native": "Move a native",
}
"""What the workshop calls the keys and words of the file that are not called as they stand there."""

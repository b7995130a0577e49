"""What the page of components needs besides the file: how many there are of each card."""

from typing import Any

from msgspec import to_builtins

from atoll.core.game import Components
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

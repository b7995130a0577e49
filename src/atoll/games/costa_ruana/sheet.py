"""What the page of components needs besides the file's data: how many there are of each card."""

from typing import Any

from atoll.core.game import Components
from atoll.games.costa_ruana.components import MIN_PLAYERS
from atoll.games.costa_ruana.state import BACKGROUNDS, KINDS, MAX_PLAYERS


def sheet(components: Components) -> dict[str, Any]:
    """The context of the page's template: `copies` of a kind in each background, `decks` and `islands` by players."""
    players = range(MIN_PLAYERS, MAX_PLAYERS + 1)
    blocks = components.data.get("cards", [])
    copies = {
        kind: {
            count: sum(block["counts"].get(kind, 0) for block in blocks if block["notches"] <= count)
            for count in players
        }
        for kind in KINDS
    }
    return {
        "backgrounds": BACKGROUNDS,
        "players": players,
        "blocks": blocks,
        "copies": {kind: counts for kind, counts in copies.items() if counts[MAX_PLAYERS]},
        "decks": {n: len(BACKGROUNDS) * sum(counts[n] for counts in copies.values()) for n in players},
        "islands": {count: components.data["treasures"][f"players_{count}"] for count in players},
    }

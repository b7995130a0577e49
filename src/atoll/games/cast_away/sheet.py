"""What the page of components needs besides the file: the effects of tiles, cards and tracks, and their signs."""

from typing import Any

from atoll.core.game import Components
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import COUNTS
from atoll.games.cast_away.pictures import Pictures
from atoll.games.cast_away.table import chips, owner_chips
from atoll.games.cast_away.vocabulary import LASTING_WORD, Rows, event_owner, rows_of, tile_owner


def sheet(components: Components) -> dict[str, Any]:
    """The context of the page's template."""
    file, parts = components.file, components.parts[0]

    def effects(first: int, count: int) -> list[Rows]:
        return [rows_of(components, first + i) for i in range(count)]

    boosts = effects(ca.BOOST_ROWS, len(ca.BOOSTS))
    last = int(parts.event_cards - parts.events_boxed)
    return {
        "pictures": Pictures(components),
        "signs": chips,
        "levels": sorted({tile.level for tile in file.constructions}),
        "tile_chips": {tile.id: owner_chips(components, tile_owner(tile.id)) for tile in file.constructions},
        "event_chips": {card.id: owner_chips(components, event_owner(card.id)) for card in file.events},
        "event_stays": {card.id: stays(rows_of(components, event_owner(card.id))) for card in file.events},
        "fishing": {card.id: rows_of(components, ca.FISHING_ROWS + card.id) for card in file.fishing},
        "boosts": list(zip(ca.BOOSTS, boosts, strict=True)),
        "favours": list(zip(ca.STEPS, effects(ca.STEP_ROWS, int(parts.steps)), strict=False)),
        "bonuses": effects(ca.SLOT_ROWS, int(parts.slots)),
        "count_icons": {count.name: count.icon for count in COUNTS},
        "domains": ca.DOMAINS,
        "lowest_health": ca.LOWEST_HEALTH,
        "ship_rounds": (last - int(parts.ship_cards) + 1, last),
    }


def stays(rows: Rows) -> str:
    """How long an event card is with a player: `always`, `until used`, or not at all."""
    kept = [row for row in rows if row.when == ca.ALWAYS]
    if any(not LASTING_WORD[row.word].until_used for row in kept):
        return "always"
    return "until used" if kept else ""

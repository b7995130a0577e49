"""What the page of components needs besides the file's data: the signs of what tiles, cards and tracks give."""

from typing import Any

from atoll.core.game import Components
from atoll.games.cast_away.effect_words import COUNTS
from atoll.games.cast_away.pictures import Pictures
from atoll.games.cast_away.state import BOOSTS, DOMAINS, LOWEST_HEALTH, STEPS
from atoll.games.cast_away.table import entry_chips, gain_chips


def sheet(components: Components) -> dict[str, Any]:
    """The context of the page's template."""
    data = components.data
    aside, boxed = data["event_pile"]["set_aside"], data["event_pile"]["boxed"]
    last = len(data["events"]) - boxed
    return {
        "pictures": Pictures(data),
        "levels": sorted({tile["level"] for tile in data["constructions"]}),
        "tile_chips": {tile["id"]: entry_chips(tile) for tile in data["constructions"]},
        "event_chips": {card["id"]: entry_chips(card) for card in data["events"]},
        "fishing_chips": {card["id"]: gain_chips(card.get("extra", {})) for card in data["fishing"]},
        "boosts": [(name, data["boosts"][name], gain_chips(data["boosts"][name])) for name in BOOSTS],
        "favours": list(zip(STEPS, data["favours"]["steps"], strict=False)),
        "favour_chips": [gain_chips(step) for step in data["favours"]["steps"]],
        "slot_chips": [gain_chips(bonus) for bonus in data["slots"]["bonuses"]],
        "count_icons": {count.name: count.icon for count in COUNTS},
        "domains": DOMAINS,
        "lowest_health": LOWEST_HEALTH,
        "ship_rounds": (last - (aside - boxed), last),
    }

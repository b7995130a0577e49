"""What the page of components needs besides the file: the effects of tiles, cards and tracks, and their signs."""

from typing import Any

from atoll.core.types import Components
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.drawings import Pictures
from atoll.games.cast_away.effect_words import COUNTS, LASTING
from atoll.games.cast_away.table import chips, owner_chips
from atoll.games.cast_away.vocabulary import Rows, event_owner, rows_of, tile_owner
from atoll.text.translation import texts


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
        "head_starts": head_starts(components),
        "ship_rounds": (last - int(parts.ship_cards) + 1, last),
    }


def head_starts(components: Components) -> dict[str, dict[int, list[int]]]:
    """Of `prestige` and `happiness`, by the numbers of players with which anybody begins with some: that of each, as
    they take boosts.
    """
    starts = {name: getattr(components.plain, f"start_{name}") for name in ("prestige", "happiness")}
    return {
        name: {players: row[:players] for players, row in enumerate(rows) if any(row)}
        for name, rows in starts.items()
    }


def stays(rows: Rows) -> str:
    """How long an event card is with a player: `always`, `until used`, or not at all."""
    lasting = [row for row in rows if row.when == ca.ALWAYS]
    if any(not LASTING[row.word].until_used for row in lasting):
        return "always"
    return "until used" if lasting else ""


KEYS = {
    "counts": "Numbers of cards and tiles",
    "boxed": "Back into the box",
    "stock": "Stocks of the board",
    "actions": "Places of the island",
    "exploration_places": "Exploration: places at each spot",
    "exploration_first": "Exploration: for the first",
    "exploration_later": "Exploration: for later ones",
    "exploration_extra": "Exploration: more for a fruit",
    "construction_places": "Construction: places",
    "construction_first_discount": "Construction: saved by the first",
    "gathering_fruit": "Gathering: fruit",
    "fishing_places": "Fishing: places",
    "event_places": "Event: places",
    "prayer_places": "Prayer: places",
    "leisure_places": "Leisure: places",
    "leisure_happiness": "Leisure: happiness",
    "rest_places": "Rest: places",
    "study_free_places": "Study: free places",
    "study_paid_places": "Study: paid places",
    "study_price": "Study: price in fruit",
    "mystery_places": "Mystery: places",
    "majority": "Prestige for the majority",
    "fish_kept": "Fish kept, at most",
    "ransom": "Prestige to stay off the lowest health",
    "start": "At the start",
    "fish": "Fish (food)",
    "reached": "Prestige on arrival",
    "met": "Prestige when fed",
    "any_building": "Any building resource",
    "look": "Look at the next events",
    "favours": "Divine favour",
    "tile_prestige": "Prestige of a tile",
    "copies": "Tiles of each",
    "complete": "Prestige when complete",
    "boosts": "Start boosts",
    "miracle_prestige": "Prestige of miracles",
    "start_prestige": "Prestige at the start",
    "start_happiness": "Happiness at the start",
    "two": "Two players",
    "three": "Three players",
    "four": "Four players",
    "id": "Number",
    "en": "English",
    "fr": "French",
    "count": "Counts",
    "lots_source": "Source of the compass",
    "lots": "On the compass",
    "income": "At the start of every round",
    "reduction": "Constructions cost less",
    "free_exploration": "Exploration without a fruit",
    "keep_fish": "More fish kept",
    "no_gift": "No gift to the tribe",
    "event_prestige": "Prestige for event cards",
    "majority_prestige": "More prestige for the majority",
    "singles": "Resources from the compass",
    "calumet": "Wins ties above the candle",
    "until_used": "Until it is used",
    "first_in_orientation": "First in the Orientation",
    "extra": "Besides",
    "arrow": "Shuffle afterwards",
    "cost": "Price",
    "activate": "By a meeple",
    "activate_own": "By one’s own meeple",
    "at_end": "At the end",
    "per": "For each",
    "most": "At most",
}
"""What the workshop calls the keys and words of the file that say too little as they stand there."""

(EFFECT,) = texts("Effect")
COLUMNS = {
    EFFECT: (
        "once", "always", "until_used", "activate", "activate_own", "at_end",
        "extra", "bonuses", "steps",
    ),
}  # fmt: skip
"""The columns of a spreadsheet that several keys of an entry share; effects have one."""

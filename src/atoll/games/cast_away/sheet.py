"""What the page of components needs besides the file: the effects of tiles, cards and tracks, and their signs."""

from typing import Any

from atoll.core.game import Components
from atoll.core.words import texts
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


KEYS = {
    "name": texts("Name")[0],
    "counts": texts("Numbers of cards and tiles")[0],
    "source": texts("Source")[0],
    "constructions": texts("Constructions")[0],
    "miracles": texts("Miracles")[0],
    "events": texts("Events")[0],
    "fishing": texts("Fishing")[0],
    "event_pile": texts("Event pile")[0],
    "set_aside": texts("Set aside")[0],
    "boxed": texts("Back into the box")[0],
    "stock": texts("Stocks of the board")[0],
    "bamboo": texts("Bamboo")[0],
    "liana": texts("Liana")[0],
    "palm": texts("Palm")[0],
    "fruit": texts("Fruit")[0],
    "water": texts("Water")[0],
    "fish": texts("Fish")[0],
    "actions": texts("Places of the island")[0],
    "exploration_places": texts("Exploration: places at each spot")[0],
    "exploration_first": texts("Exploration: for the first")[0],
    "exploration_later": texts("Exploration: for later ones")[0],
    "exploration_extra": texts("Exploration: more for a fruit")[0],
    "construction_places": texts("Construction: places")[0],
    "construction_first_discount": texts("Construction: saved by the first")[0],
    "gathering_fruit": texts("Gathering: fruit")[0],
    "fishing_places": texts("Fishing: places")[0],
    "event_places": texts("Event: places")[0],
    "prayer_places": texts("Prayer: places")[0],
    "leisure_places": texts("Leisure: places")[0],
    "leisure_happiness": texts("Leisure: happiness")[0],
    "rest_places": texts("Rest: places")[0],
    "study_free_places": texts("Study: free places")[0],
    "study_paid_places": texts("Study: paid places")[0],
    "study_price": texts("Study: price in fruit")[0],
    "mystery_places": texts("Mystery: places")[0],
    "tribe": texts("Tribe")[0],
    "meeples": texts("Meeples")[0],
    "majority": texts("Prestige for the majority")[0],
    "food": texts("Food")[0],
    "fish_kept": texts("Fish kept, at most")[0],
    "ransom": texts("Prestige to stay off the lowest health")[0],
    "health": texts("Health")[0],
    "start": texts("At the start")[0],
    "levels": texts("Levels")[0],
    "reached": texts("Prestige on arrival")[0],
    "met": texts("Prestige when fed")[0],
    "happiness": texts("Happiness")[0],
    "thresholds": texts("Thresholds")[0],
    "points": texts("Points")[0],
    "prestige": texts("Prestige")[0],
    "experience": texts("Experience")[0],
    "fire": texts("Fire")[0],
    "nature": texts("Nature")[0],
    "construction": texts("Construction")[0],
    "faith": texts("Faith")[0],
    "slots": texts("Slots")[0],
    "bonuses": texts("Bonuses")[0],
    "any_cube": texts("Any cube")[0],
    "any_building": texts("Any building resource")[0],
    "any_level": texts("Any level")[0],
    "look": texts("Look at the next events")[0],
    "miracle": texts("Miracle")[0],
    "mystery": texts("Mystery")[0],
    "favours": texts("Divine favour")[0],
    "steps": texts("Steps")[0],
    "action": texts("Action")[0],
    "exploration": texts("Exploration")[0],
    "gathering": texts("Gathering")[0],
    "leisure": texts("Leisure")[0],
    "prayer": texts("Prayer")[0],
    "rest": texts("Rest")[0],
    "otherwise": texts("Otherwise")[0],
    "tile_prestige": texts("Prestige of a tile")[0],
    "storeys": texts("Storeys")[0],
    "designs": texts("Designs")[0],
    "copies": texts("Tiles of each")[0],
    "complete": texts("Prestige when complete")[0],
    "boosts": texts("Start boosts")[0],
    "first player": texts("First player")[0],
    "miracle_prestige": texts("Prestige of miracles")[0],
    "first": texts("First")[0],
    "second": texts("Second")[0],
    "id": texts("Number")[0],
    "en": texts("English")[0],
    "fr": texts("French")[0],
    "abundance": texts("Abundance")[0],
    "builders": texts("Builders")[0],
    "gardens": texts("Gardens")[0],
    "joy": texts("Joy")[0],
    "rain": texts("Rain")[0],
    "shoals": texts("Shoals")[0],
    "spirits": texts("Spirits")[0],
    "tales": texts("Tales")[0],
    "vigour": texts("Vigour")[0],
    "wisdom": texts("Wisdom")[0],
    "count": texts("Counts")[0],
    "candle": texts("Candle")[0],
    "resources": texts("Resources")[0],
    "lots_source": texts("Source of the compass")[0],
    "lots": texts("On the compass")[0],
    "once": texts("Once")[0],
    "always": texts("Always")[0],
    "income": texts("At the start of every round")[0],
    "reduction": texts("Constructions cost less")[0],
    "any": texts("Any")[0],
    "free_exploration": texts("Exploration without a fruit")[0],
    "keep_fish": texts("More fish kept")[0],
    "no_gift": texts("No gift to the tribe")[0],
    "event_prestige": texts("Prestige for event cards")[0],
    "majority_prestige": texts("More prestige for the majority")[0],
    "singles": texts("Resources from the compass")[0],
    "calumet": texts("Wins ties above the candle")[0],
    "until_used": texts("Until it is used")[0],
    "double_fishing": texts("Double fishing")[0],
    "first_in_orientation": texts("First in the Orientation")[0],
    "extra": texts("Besides")[0],
    "arrow": texts("Shuffle afterwards")[0],
    "level": texts("Level")[0],
    "cost": texts("Price")[0],
    "activate": texts("By a meeple")[0],
    "pay": texts("Pay")[0],
    "activate_own": texts("By one’s own meeple")[0],
    "at_end": texts("At the end")[0],
    "per": texts("For each")[0],
    "most": texts("At most")[0],
}
"""What the workshop calls the keys and words of the file."""

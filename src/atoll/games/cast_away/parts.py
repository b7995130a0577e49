"""What is printed on boards, tiles and cards, as the arrays that the rules read."""

from typing import Any, NamedTuple

from atoll.core.fields import Int8s, Int16s
from atoll.core.parts import Parts, part
from atoll.core.state import UNKNOWN
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import COUNTS

_HEALTH: dict[str, Any] = {"shape": ca.MAX_HEALTH_LEVELS, "of": "health.levels[]"}
_STOREY: dict[str, Any] = {"shape": ca.STOREYS, "of": "mystery.storeys[]"}


class EffectRow(NamedTuple):
    """A row of the table of effects, as `state.py` numbers its words."""

    when: int
    word: int
    target: int
    amount: int


def rows_of(parts: Any, owner: int) -> list[EffectRow]:
    """The effects of a tile, a card, a boost, a favour or a slot; `parts` is a record, or what `plain` gives of it."""
    first = parts.row_first[owner]
    rows = parts.rows[first : first + parts.row_count[owner]]
    return [EffectRow(*row) for row in (rows if isinstance(rows, list) else rows.tolist())]


def event_index(event_id: str) -> int:
    """The index of an event card by its id."""
    return ca.SHIP if event_id == "ship" else int(event_id)


_EVENT: dict[str, Any] = {"of": "events[]", "at": lambda card: event_index(card.id)}
_FISHING: dict[str, Any] = {"of": "fishing[]", "at": lambda card: card.id}
_TILE: dict[str, Any] = {"of": "constructions[]", "at": lambda tile: tile.id - 1}
_MIRACLE: dict[str, Any] = {"of": "miracles[]", "at": lambda tile: ca.MIRACLES.index(tile.id)}


class CastAwayParts(Parts):
    """What a components file says. Health levels count from the lowest, tiles from number 1, steps from A at 1."""

    stock: Int8s = part(
        "resources on the board at the start of a round",
        shape=ca.STOCKED,
        of="",
        names=ca.RESOURCES[: ca.STOCKED],
    )
    white: int = part("meeples of the tribe", of="tribe", key="meeples")
    majority: int = part("prestige for most meeples above the candle", of="tribe")
    health: int = part("health at the start", of="health", key="start")
    health_top: int = part("the highest level of health")
    water_need: Int8s = part("water that feeding takes", **_HEALTH, key="water")
    food_need: Int8s = part("food that feeding takes", **_HEALTH, key="food")
    meeples: Int8s = part("own meeples", **_HEALTH)
    arrival_prestige: Int8s = part("prestige on going up to it", **_HEALTH, key="reached")
    met_prestige: Int8s = part("prestige for feeding on it", **_HEALTH, key="met")
    ransom: int = part("prestige for staying above the lowest health", of="food")
    fish_food: int = part("food that a fish is", of="food", key="fish")
    fish_kept: int = part("fish that do not rot", of="food")
    happiness_top: int = part("the most happiness")
    happiness_prestige: Int8s = part(
        "prestige on reaching so many points",
        shape=ca.MAX_HAPPINESS + 1,
        of="happiness.thresholds[]",
        key="prestige",
        at=lambda threshold: threshold.points,
    )
    domain_top: Int8s = part("the highest level of each domain", shape=len(ca.DOMAINS))
    level_prestige: Int8s = part(
        "prestige on reaching the level of a domain", shape=(len(ca.DOMAINS), ca.MAX_LEVEL + 1)
    )
    steps: int = part("steps of divine favour", counts="favours.steps")
    step_miracle: Int8s = part("1 if the favour of the step gives a miracle", shape=ca.MAX_STEPS + 1)
    slots: int = part("slots of a player's board", counts="slots.bonuses")
    places: Int8s = part("room on each place of the board", shape=len(ca.PLACES), empty=ca.ENDLESS)
    study_free_places: int = part("places to study that cost nothing", of="actions")
    study_price: int = part("fruit that the others cost", of="actions")
    exploration_first: int = part("resources for the first on a spot", of="actions")
    exploration_later: int = part("resources for those after", of="actions")
    exploration_extra: int = part("resources for a fruit", of="actions")
    construction_first_discount: int = part("resources spared by the first to build", of="actions")
    gathering_fruit: int = part("fruit beside the level in nature", of="actions")
    water_drawn: int = part("water at the source", of="actions", key="water")
    leisure_happiness: int = part("happiness of a Leisure", of="actions")
    designs: Int8s = part("designs of each storey", **_STOREY)
    copies: Int8s = part("tiles of each design", **_STOREY)
    solvers: Int8s = part("meeples for a tile", **_STOREY, key="meeples")
    storey_prestige: Int8s = part("prestige for the whole storey", **_STOREY, key="complete")
    mystery_prestige: int = part("prestige of a tile", of="mystery", key="tile_prestige")
    event_cards: int = part("how many, the Ship included", counts="events")
    event_card: Int8s = part("the Ship, then the others, ascending", shape=ca.MAX_EVENT_CARDS, empty=UNKNOWN)
    ship_cards: int = part("how many of the last cards of the pile the Ship is among (CA-7)")
    events_boxed: int = part("those for the box", of="event_pile", key="boxed")
    event_lots: Int8s = part(
        "resources that a card puts on the compass",
        shape=(ca.MAX_EVENT_CARDS, len(ca.RESOURCES)),
        key="lots",
        names=ca.RESOURCES,
        **_EVENT,
    )
    event_kept: Int8s = part("1 if the card stays with the player", shape=ca.MAX_EVENT_CARDS)
    fishing_cards: int = part("how many fishing cards", counts="fishing")
    fishing_card: Int8s = part("fishing cards, ascending", shape=ca.MAX_FISHING_CARDS, empty=UNKNOWN)
    fish: Int8s = part(
        "fish of a card, by level in fishing", shape=(ca.MAX_FISHING_CARDS, ca.MAX_LEVEL + 1), **_FISHING
    )
    fishing_arrow: Int8s = part(
        "1 if the card has all shuffled", shape=ca.MAX_FISHING_CARDS, key="arrow", **_FISHING
    )
    tiles: int = part("one more than the highest tile")
    tile_there: Int8s = part("1 if the tile is in the game", shape=ca.MAX_TILES)
    tile_level: Int8s = part("level in construction that it needs", shape=ca.MAX_TILES, key="level", **_TILE)
    tile_cost: Int8s = part(
        "its price in each resource for building",
        shape=(ca.MAX_TILES, ca.BUILDING),
        key="cost",
        names=ca.RESOURCES[: ca.BUILDING],
        **_TILE,
    )
    tile_prestige: Int8s = part("its prestige at the end", shape=ca.MAX_TILES, key="prestige", **_TILE)
    tile_use: Int8s = part("ACTIVATED, ACTIVATED_OWN, or NOBODY", shape=ca.MAX_TILES, empty=ca.NOBODY)
    miracle_there: Int8s = part("1 if the miracle is in the game", shape=len(ca.MIRACLES))
    miracle_counts: Int8s = part(
        "what it counts: an index into COUNTS",
        shape=len(ca.MIRACLES),
        key="count",
        names=[count.name for count in COUNTS],
        **_MIRACLE,
    )
    miracle_first: int = part("prestige for most", of="miracle_prestige", key="first")
    miracle_second: int = part("prestige for second most", of="miracle_prestige", key="second")
    start_prestige: Int8s = part(
        "prestige with which seats begin, by the number of players; first who takes boosts first",
        shape=(ca.MAX_PLAYERS + 1, ca.MAX_PLAYERS),
        for_start=True,
    )
    start_happiness: Int8s = part(
        "happiness with which seats begin, likewise",
        shape=(ca.MAX_PLAYERS + 1, ca.MAX_PLAYERS),
        for_start=True,
    )
    free_compass: int = part(
        "1 if placing the compass marker does not end the turn (CA-13)", option="free_compass"
    )
    any_storey: int = part(
        "1 if a storey of the mystery is open without those below it (CA-18)", option="any_storey"
    )
    lots_may_stay: int = part("1 if nobody has to take a lot (CA-29)", option="lots_may_stay")
    boost_of_first_design: int = part(
        "1 if the Mystery boost gives the first design that can be had (CA-5)", option="boost_of_first_design"
    )
    miracles_for_all: int = part(
        "1 if every player scores by rank for each miracle (CA-41)", option="miracles_for_all"
    )
    row_first: Int16s = part("the first row of who has effects", "i2", ca.ROW_OWNERS)
    row_count: Int16s = part("how many rows they have", "i2", ca.ROW_OWNERS)
    rows: Int8s = part("when, word, target, amount of each effect", shape=(ca.MAX_ROWS, 4))

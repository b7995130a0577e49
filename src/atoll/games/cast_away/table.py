"""What the table's templates need: who has what, what each place would give now, where each piece stands.

Everything here is a pure function of what one player sees: the view, and the events since the start. What follows
from the rules is asked of `outlook.py`. A chip is what an effect amounts to as a sign and a short text, `{"icon",
"text"}`; the words for it are the templates'.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from atoll.core.components import cached_by_components
from atoll.core.events import Event
from atoll.core.game import View
from atoll.core.seen import Seen
from atoll.core.types import Components, Json
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca
from atoll.games.cast_away import vocabulary
from atoll.games.cast_away.drawings import Pictures
from atoll.games.cast_away.effect_words import ACTIONS, LASTING
from atoll.games.cast_away.meeples import MeepleIds, place_pieces
from atoll.games.cast_away.notation import WORDING
from atoll.games.cast_away.outlook import outlook, seen_events
from atoll.games.cast_away.parts import EffectRow
from atoll.games.cast_away.placement import WHY_CLOSED

Chip = dict[str, Any]

BUILDINGS = ca.RESOURCES[: ca.BUILDING]
"""What one builds with, each with its place of Exploration."""

PRESTIGE_ROWS = 11
"""How many rows the track of prestige shows."""

PLACES = {name.rpartition(" ")[2]: place for place, name in enumerate(ca.PLACES)}
"""The places of the board by what the page calls them."""

SHOWN = (
    *("gathering", "bamboo", "liana", "palm", "water", "fishing", "construction"),
    *("mystery", "study", "prayer", "event", "tribe", "rest", "leisure"),
)
"""The places of the island in the order of the page."""


NOW = (
    *("phase", "last_round", "to_act", "order", "players", "event"),
    *("compass", "constructions", "miracles", "mystery"),
)
"""What the templates are given of the position in the words of records."""


# What cards and tiles amount to


def chip(icon: str, text: str = "") -> Chip:
    """A sign and its short text."""
    return {"icon": icon, "text": text}


def row_chip(row: EffectRow) -> Chip:
    """What one effect gives."""
    if row.when == ca.AT_END:
        return chip("i-star", f"+{row.amount}×")
    if row.when == ca.ALWAYS:
        lasting = LASTING[row.word]
        return chip(lasting.icon, f"{lasting.sign}{row.amount}" if lasting.sign else "")
    if row.word == ca.PAY:
        return chip(f"cube-{ca.RESOURCES[row.target]}", f"−{row.amount}")
    if row.word == ca.CARRY_OUT:
        return chip(ACTIONS[row.target].icon)
    return chip(vocabulary.WORD[row.word, row.target].icon, f"+{row.amount}")


def chips(rows: vocabulary.Rows) -> list[Chip]:
    """What effects give: at once, by activation, as long as they hold, at the end."""
    return list(_chips(tuple(rows)))


@lru_cache(4096)
def _chips(rows: tuple[EffectRow, ...]) -> list[Chip]:
    times = (ca.AT_ONCE, ca.ACTIVATED, ca.ALWAYS, ca.AT_END)
    signs = []
    for row in sorted((row for row in rows if row.when in times), key=lambda row: times.index(row.when)):
        reduces = row.when == ca.ALWAYS and ca.REDUCTION <= row.word <= ca.FREE_REDUCTION
        if reduces and chip("i-construction") not in signs:
            signs.append(chip("i-construction"))
        signs.append(row_chip(row))
    return signs


def owner_chips(components: Components, owner: int) -> list[Chip]:
    """What a tile, a card, a boost, a favour or a slot amounts to."""
    return all_chips(components)[owner]


@cached_by_components
def all_chips(components: Components) -> list[list[Chip]]:
    """What everything amounts to that has effects, by owner."""
    return [chips(rows) for rows in vocabulary.all_rows(components)]


# The scene


@dataclass
class CastAwayScene:
    """What the table shows besides the pieces and the position's own fields."""

    me: int
    """the seat whose gains the places show"""
    boosting: bool
    """whether start boosts are still taken"""
    places: list[Json]
    """`key`, `meeples`, `spots` (None without a limit), `free`, `paid`: fruit that the next spot costs, `why` it is
    closed, if it is, `gains`: chips; `effect`, `more`, `step` and `catch`: what they are in words"""
    boards: list[list[Json]]
    """[seat]: slots as `{kind, id, chips, level, use, meeples, bonus, fresh}`"""
    gained: list[bool]
    """[seat]: whether the last move brought resources"""
    tracks: list[Json]
    """`key` and `rows`, the highest first: `{label, chips, seats}`"""
    tiles: dict[int, Json]
    """constructions by id: `chips`, `price` now, `cost`: it as an effect, `level`, `prestige`"""
    buildable: list[int]
    event_chips: list[Chip]
    """what the card of the round amounts to"""
    seen: list[str]
    """the next events, if the viewer knows them"""
    fishing: list[Json]
    """the fishing cards left: `fish` by level, `now`: how many for `me`, `extra`: an effect, `arrow`"""
    feeding: list[Json]
    """[seat]: `{water, food, own_water, own_food, enough, rests}`"""
    ship: tuple[int, int] | None
    """the rounds in which the Ship may still come"""
    free_positions: list[int]
    gifts: vocabulary.Rows
    """what lies on the candle"""
    to_send: int
    """meeples that `me` has left to place"""
    leader: int | None
    """who would score for the meeples above the candle now"""


def place(view: View, look: Any, key: str, pieces: MeepleIds) -> Json:
    """A place of the island as the picture shows it."""
    fields, parts = view.fields, view.components.plain
    entry: Json = {
        "key": key,
        "meeples": [],
        "spots": None,
        "free": None,
        "effect": [],
        "gains": [],
        "more": 0,
        "step": None,
        "catch": None,
        "paid": 0,
        "paid_spots": 0,
        "stock": None,
    }
    if key == "tribe":
        return entry | {"why": WHY_CLOSED[look.tribe_closed]}
    number = PLACES[key]
    spots = parts.places[number]
    if spots != ca.ENDLESS:
        entry |= {"spots": spots, "free": max(0, spots - fields.place_count[number])}
    numbers = dict(zip(ca.RESOURCES, look.gains[number], strict=True))
    numbers |= {"happiness": look.happiness[number], "any_level": 1 if key == "study" else 0}
    entry["effect"] = vocabulary.gains(**numbers, prestige=look.prestige[number])
    entry["gains"] = chips([*vocabulary.gains(**numbers), *vocabulary.gains(prestige=look.prestige[number])])
    if key in BUILDINGS:
        entry["more"] = look.for_fruit[number]
        if entry["more"]:
            entry["gains"].append(chip("cube-fruit", f"→+{entry['more']}") | {"for_fruit": True})
    elif key == "fishing":
        cards = parts.fishing_card[: parts.fishing_cards]
        catches = [
            look.catch[card] for card in cards if fields.fishing_left[card] or not fields.fishing_count
        ]
        least, most = entry["catch"] = min(catches), max(catches)
        entry["gains"] = [chip("cube-fish", f"+{least}" if least == most else f"+{least}–{most}")]
    elif key == "prayer" and look.favour[number]:
        entry["step"] = look.favour[number] - 1
        entry["effect"] = vocabulary.rows_of(view.components, ca.STEP_ROWS + entry["step"])
        entry["gains"] = [chip("", ca.STEPS[entry["step"]]), *chips(entry["effect"])]
    elif key == "event":
        entry["gains"] = event_chips(view)
    elif key == "mystery":
        entry["gains"] = [chip("i-mystery", "+1")]
    elif key == "study":
        entry["paid"] = look.study_cost
        entry["paid_spots"] = spots - parts.study_free_places
    resource = "fruit" if key == "gathering" else key
    return entry | {
        "meeples": pieces.places.get(number, []),
        "why": WHY_CLOSED[look.closed[number]],
        "stock": fields.stock[ca.RESOURCES.index(resource)]
        if resource in ca.RESOURCES[: ca.STOCKED]
        else None,
    }


def event_chips(view: View) -> list[Chip]:
    """What the card of the round amounts to, as long as it lies there."""
    is_there = view.fields.event != ca.NOBODY
    return owner_chips(view.components, ca.EVENT_ROWS + view.fields.event) if is_there else []


def board(view: View, seat: int, pieces: MeepleIds, latest: Sequence[Event]) -> list[Json]:
    """A player's slots."""
    fields, components = view.fields, view.components
    parts = components.plain
    covers = [event for event in latest if event.what in (ev.TILE_BUILT, ev.MIRACLE_TAKEN)]
    fresh = {event.target for event in covers if event.whose == seat}
    slots = []
    for k in range(parts.slots):
        tile, bonus = fields.slots[seat][k], owner_chips(components, ca.SLOT_ROWS + k)
        slot: Json = {"kind": "free", "number": k + 1, "bonus": bonus, "fresh": k in fresh}
        if tile >= ca.MIRACLE_SLOT:
            slot |= {"kind": "miracle", "id": ca.MIRACLES[tile - ca.MIRACLE_SLOT]}
        elif tile != ca.NOBODY:
            slot |= {
                "kind": "construction",
                "id": tile + 1,
                "level": parts.tile_level[tile],
                "chips": owner_chips(components, ca.TILE_ROWS + tile),
                "use": {ca.ACTIVATED: "any", ca.ACTIVATED_OWN: "own"}.get(parts.tile_use[tile]),
                "meeples": pieces.places.get(ca.TILE_PLACE + tile, []),
            }
        slots.append(slot)
    return slots


def tracks(view: View) -> list[Json]:
    """Health, happiness, prestige and divine favour with everybody's markers."""
    fields, parts, levels = view.fields, view.components.plain, view.components.file.health.levels

    def row(values: Sequence[int], value: int, label: str, chips: list[Chip]) -> Json:
        markers = values[: fields.players]
        seats = [seat for seat, marker in enumerate(markers) if marker == value] if value in markers else []
        return {"label": label, "chips": chips, "seats": seats}

    def stars(prestige: int) -> list[Chip]:
        return [chip("i-star", f"+{prestige}")] if prestige else []

    health = []
    for k in range(len(levels) - 1, -1, -1):
        signs = stars(levels[k].reached or levels[k].met)
        label = str(k + ca.LOWEST_HEALTH).replace("-", "−")
        more = k > 0 and levels[k].meeples > levels[k - 1].meeples
        health.append(row(fields.health, k + ca.LOWEST_HEALTH, label, signs) | {"more": more})
    happiness = [
        row(fields.happiness, value, str(value), stars(parts.happiness_prestige[value]))
        for value in range(parts.happiness_top, -1, -1)
    ]
    favour = [
        row(fields.favour, k + 1, ca.STEPS[k], owner_chips(view.components, ca.STEP_ROWS + k))
        for k in range(parts.steps - 1, -1, -1)
    ]
    return [
        {"key": "health", "rows": health},
        {"key": "happiness", "rows": happiness},
        {"key": "prestige", "rows": prestige_rows(fields.prestige[: fields.players])},
        {"key": "favour", "rows": [*favour, row(fields.favour, 0, "", [])]},
    ]


def prestige_rows(prestige: Sequence[int]) -> list[Json]:
    """The track of prestige from who has least to who has most; where they are far apart, a row stands for several."""
    least, most = min(prestige), max(prestige)
    step = max(1, -(-(most - least) // (PRESTIGE_ROWS - 1)))
    first = max(0, min(least, most - PRESTIGE_ROWS // 2) if step == 1 else least)
    return [
        {
            "label": str(value),
            "chips": [],
            "seats": [seat for seat, points in enumerate(prestige) if value <= points < value + step],
        }
        for value in range(first + step * (PRESTIGE_ROWS - 1), first - 1, -step)
    ]


def feeding(view: View, look: Any, seat: int) -> Json:
    """What the next Feeding phase asks, and whether the player has it (CA-31)."""
    return {
        "water": look.water_needed[seat],
        "food": look.food_needed[seat],
        "own_water": view.fields.resources[seat][ca.WATER],
        "own_food": look.food[seat],
        "rests": view.fields.rests[seat],
        "enough": look.feeds[seat],
    }


def tiles(components: Components, look: Any) -> dict[int, Json]:
    """What the page shows of each construction."""
    parts = components.plain
    entries = {}
    for tile in range(parts.tiles):
        price = dict(zip(BUILDINGS, look.price[tile], strict=True))
        entries[tile + 1] = {
            "chips": owner_chips(components, ca.TILE_ROWS + tile),
            "price": price,
            "cost": vocabulary.gains(**price),
            "level": parts.tile_level[tile],
            "prestige": parts.tile_prestige[tile],
        }
    return entries


def fishing_cards(view: View, look: Any) -> list[Json]:
    """The fishing cards that are left."""
    return [
        {
            "fish": card.fish,
            "now": look.catch[card.id],
            "extra": vocabulary.rows_of(view.components, ca.FISHING_ROWS + card.id),
            "arrow": card.arrow,
        }
        for card in view.components.file.fishing
        if view.fields.fishing_left[card.id]
    ]


def now(view: View) -> Json:
    """The position in the words of records, as far as templates need it."""
    return WORDING.say(view.state, NOW)


pictures = cached_by_components(Pictures)


def table(seen: Seen) -> dict[str, Any]:
    """The context of the table's templates: `now`: of the position in the words of records what NOW names, `pieces`,
    `moved`, `scene`, the components' `data` and `pictures`.
    """
    view, components = seen.view, seen.view.components
    fields = view.fields
    pieces, order = place_pieces(seen)
    me = view.viewer if view.viewer is not None else (*view.to_act, fields.order[0])[0]
    look = outlook(view, me)
    seats = range(fields.players)
    scene = CastAwayScene(
        me=me,
        boosting=fields.stage == ca.BOOSTING,
        places=[place(view, look, key, pieces) for key in SHOWN],
        boards=[board(view, s, pieces, seen.latest) for s in seats],
        gained=[any(e.what == ev.GAINED and e.whose == s for e in seen.latest) for s in seats],
        tracks=seen.for_all(tracks),
        tiles=tiles(components, look),
        buildable=[tile + 1 for tile, can_build in enumerate(look.buildable) if can_build],
        event_chips=seen.for_all(event_chips),
        seen=seen_events(view),
        fishing=fishing_cards(view, look),
        feeding=[feeding(view, look, s) for s in seats],
        ship=(look.ship_first, look.ship_last) if look.ship_last and not fields.last_round else None,
        free_positions=[position + 1 for position in seats if fields.markers[position] == ca.NOBODY],
        gifts=vocabulary.gains(**dict(zip(ca.RESOURCES, fields.gifts, strict=True))),
        to_send=fields.left_own[me] + fields.left_white[me],
        leader=None if look.leader == ca.NOBODY else look.leader,
    )
    return {
        "now": seen.for_all(now),
        "pieces": pieces,
        "moved": order,
        "scene": scene,
        "data": components.file,
        "pictures": pictures(components),
    }

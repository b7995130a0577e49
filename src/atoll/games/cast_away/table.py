"""What the table's templates need beyond the view: what each place would give now, where each piece stands.

Everything here is a pure function of a view (see the records), of the events since the start, both as one player sees
them, and of the components, so nothing hidden can come through. A chip is what an effect amounts to as a sign and a
short text, `{"icon", "text"}`; the words for it are the templates'.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from atoll.core.events import Event
from atoll.core.game import Json
from atoll.core.position import View
from atoll.core.seen import Seen
from atoll.games.cast_away import events as ev
from atoll.games.cast_away.effect_words import LASTING
from atoll.games.cast_away.pictures import Pictures
from atoll.games.cast_away.state import (
    BUILDING,
    LOWEST_HEALTH,
    PLACES,
    RESOURCES,
    STEPS,
    TILE_PLACE,
    WHITE,
)
from atoll.games.cast_away.vocabulary import ACTION, WORD, meant

Chip = dict[str, Any]

Meeple = dict[str, Any]
"""A meeple on a place: `seat` for whom it works, `id`, and whether it is `white`."""

BUILDINGS = RESOURCES[:BUILDING]
"""What one builds with, each with its place of Exploration."""

PRESTIGE_ROWS = 11
"""How many rows the track of prestige shows."""

SPOTS = {
    "bamboo": "exploration_places",
    "liana": "exploration_places",
    "palm": "exploration_places",
    "construction": "construction_places",
    "fishing": "fishing_places",
    "event": "event_places",
    "prayer": "prayer_places",
    "leisure": "leisure_places",
    "rest": "rest_places",
    "mystery": "mystery_places",
}
"""The words of the components file for how many may be on a place; the others have no such limit."""


# What cards and tiles amount to


def sign(number: int) -> str:
    """A gain as a chip writes it."""
    return f"+{number}"


def gain_chips(effect: Mapping[str, Any]) -> list[Chip]:
    """What an effect gives at once, or by activation."""
    found = [chip(f"cube-{name}", f"−{count}") for name, count in effect.get("pay", {}).items() if count]
    found += [chip(WORD[name].icon, sign(count)) for name, count in effect.items() if name in WORD and count]
    if effect.get("action"):
        found.append(chip(ACTION[effect["action"]].icon, ""))
    return found


def lasting_chips(lasting: Mapping[str, Any]) -> list[Chip]:
    """What an effect gives as long as it holds."""
    found = [chip(f"cube-{name}", sign(count)) for name, count in lasting.get("income", {}).items() if count]
    less = {name: count for name, count in lasting.get("reduction", {}).items() if count}
    if less:
        found.append(chip("i-construction", ""))
    found += [
        chip("i-building" if name == "any" else f"cube-{name}", f"−{count}") for name, count in less.items()
    ]
    for word in LASTING:
        if lasting.get(word.name):
            found.append(chip(word.icon, sign(lasting[word.name]) if word.counted else ""))
    return found


def chip(icon: str, text: str) -> Chip:
    """A sign and its short text."""
    return {"icon": icon, "text": text}


def entry_chips(entry: Json) -> list[Chip]:
    """What a construction or an event card amounts to."""
    return [
        *gain_chips(entry.get("once", {})),
        *gain_chips(entry.get("activate", {})),
        *gain_chips(entry.get("activate_own", {})),
        *lasting_chips(entry.get("always", {})),
        *lasting_chips(entry.get("until_used", {})),
        *(chip("i-star", sign(end["prestige"]) + "×") for end in entry.get("at_end", ())),
    ]


def use_of(tile: Json) -> str | None:
    """Whose meeples use a construction: `any`, `own` ones of its owner alone, or none."""
    if meant(tile.get("activate", {})):
        return "any"
    return "own" if meant(tile.get("activate_own", {})) else None


def lasting_of(view: View, data: Json, seat: int) -> tuple[Counter[str], Counter[str]]:
    """The sums of what holds always for a player, and of how much less each resource of a construction costs."""
    player = view["players"][seat]
    built = {slot.partition(" ")[2] for slot in player["slots"] if slot.startswith("construction")}
    held = [tile for tile in data["constructions"] if str(tile["id"]) in built]
    held += [card for card in data["events"] if card["id"] in player["events"]]
    sums: Counter[str] = Counter()
    less: Counter[str] = Counter()
    for entry in held:
        for name, count in entry.get("always", {}).items():
            if name == "reduction":
                less.update(count)
            elif name != "income":
                sums[name] += count
    return sums, less


# What a place would give


@dataclass
class Castaway:
    """Whose gains the places tell: the viewer's own, or of who is to act."""

    view: View
    data: Json
    seat: int
    bonus: Counter[str] = field(default_factory=Counter)
    less: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.bonus, self.less = lasting_of(self.view, self.data, self.seat)

    @property
    def player(self) -> Json:
        """The player's part of the view."""
        found: Json = self.view["players"][self.seat]
        return found

    def gains(self, place: str) -> list[Chip]:
        """What the place would give now, as far as one can know it."""
        match place:
            case "bamboo" | "liana" | "palm":
                more = chip("cube-fruit", sign(self.for_fruit(place)))
                found = gain_chips(self.effect(place))
                return [*found, {**more, "for_fruit": True}] if self.for_fruit(place) else found
            case "fishing":
                least, most = self.catch()
                return [chip("cube-fish", sign(least) if least == most else f"+{least}–{most}")]
            case "event":
                return entry_chips(event_of(self.data, self.view["event"])) if self.view["event"] else []
            case "prayer":
                step = self.step()
                return [chip("", STEPS[step]), *gain_chips(self.effect(place))] if step is not None else []
            case "mystery":
                return [chip("i-mystery", "+1")]
            case "tribe":
                return [chip("i-meeple", "+1")]
        return gain_chips(self.effect(place))

    def effect(self, place: str) -> Json:
        """What the place is sure to give, as the components file writes an effect."""
        actions, view = self.data["actions"], self.view
        match place:
            case "bamboo" | "liana" | "palm":
                first = not view["places"].get(f"exploration {place}")
                found = actions["exploration_first" if first else "exploration_later"]
                if self.bonus["free_exploration"]:
                    found += actions["exploration_extra"] + self.bonus["exploration"]
                return {place: min(view["stock"][place], found)}
            case "gathering":
                fruit = actions["gathering_fruit"] + self.player["experience"]["nature"]
                return {"fruit": min(view["stock"]["fruit"], fruit + self.bonus["gathering"])}
            case "water":
                return {"water": actions["water"]}
            case "study":
                return {"any_level": 1}
            case "leisure":
                return self.happier(actions["leisure_happiness"])
            case "prayer":
                step = self.step()
                effect: Json = {} if step is None else self.data["favours"]["steps"][step]
                return effect
        return {}

    def for_fruit(self, resource: str) -> int:
        """What an Exploration brings more for a fruit that the player has, never more than the stock."""
        if self.bonus["free_exploration"] or not self.player["resources"]["fruit"]:
            return 0
        left = int(self.view["stock"][resource] - self.effect(resource)[resource])
        return min(left, int(self.data["actions"]["exploration_extra"]) + self.bonus["exploration"])

    def catch(self) -> tuple[int, int]:
        """Fish of the worst and of the best card that may be next."""
        left = [card for card in self.data["fishing"] if card["id"] in self.view["fishing_pile"]]
        fish = [self.fish_of(card) for card in left or self.data["fishing"]]
        return min(fish), max(fish)

    def fish_of(self, card: Json) -> int:
        """What a fishing card gives."""
        fish: int = card["fish"][self.player["experience"]["fishing"]] + self.bonus["fishing"]
        return fish

    def happier(self, points: int) -> Json:
        """Points of happiness, and the prestige of the thresholds that they reach."""
        thresholds = self.data["happiness"]["thresholds"]
        before = self.player["happiness"]
        after = min(before + points, thresholds[-1]["points"])
        prestige = sum(step["prestige"] for step in thresholds if before < step["points"] <= after)
        return {"happiness": after - before, "prestige": prestige}

    def step(self) -> int | None:
        """The step that a prayer would reach, counted from 0."""
        faith = self.player["experience"]["faith"]
        if not faith:
            return None
        reached = self.player["favour"] + faith + self.bonus["prayer"]
        return int(min(reached, len(self.data["favours"]["steps"]))) - 1

    def buildable(self) -> list[int]:
        """The constructions that could be built now (CA-15)."""
        first = not self.view["places"].get("construction")
        spared = self.less["any"] + (self.data["actions"]["construction_first_discount"] if first else 0)
        return [
            tile["id"]
            for tile in self.data["constructions"]
            if tile["id"] in self.view["constructions"]
            and tile["level"] <= self.player["experience"]["construction"]
            and self.missing(tile) <= spared
        ]

    def missing(self, tile: Json) -> int:
        """How many resources are missing for a construction."""
        return sum(max(0, self.price(tile, name) - self.player["resources"][name]) for name in BUILDINGS)

    def price(self, tile: Json, resource: str) -> int:
        """Its price in a resource, less what is always saved."""
        return max(0, int(tile["cost"].get(resource, 0)) - self.less[resource])

    def lacks(self, place: str) -> str | None:
        """The domain without which the place is closed to the player."""
        needed = {"mystery": "fire", "prayer": "faith"}.get(place)
        return needed if needed and not self.player["experience"][needed] else None


def event_of(data: Json, card: str) -> Json:
    """An event card's entry."""
    return next(entry for entry in data["events"] if entry["id"] == card)


# Pieces


@dataclass
class Pieces:
    """Ids of all meeples by where they are; a meeple keeps its id for the whole game."""

    own: list[list[str]]
    """[seat]: own ones left to place"""
    white: list[list[str]]
    """[seat]: white ones left to place"""
    candle: list[list[str]]
    """[seat]: own ones above the candle"""
    tribe: list[str]
    """white ones above the candle"""
    places: dict[str, list[Meeple]]
    """those on a place, in order of arrival"""


@dataclass
class Camp:
    """Where everybody's meeples are while the events are followed."""

    seats: int
    white: int
    own: list[int]
    left: list[list[str]] = field(init=False)
    candle: list[list[str]] = field(init=False)
    whites: list[list[str]] = field(init=False)
    tribe: list[str] = field(init=False)
    placed: dict[str, list[Meeple]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.left = [[f"m-{seat}-{k}" for k in range(self.own[seat])] for seat in range(self.seats)]
        self.candle = [[] for _ in range(self.seats)]
        self.whites = [[] for _ in range(self.seats)]
        self.tribe = [f"w-{k}" for k in range(self.white)]

    def follow(self, event: Event) -> list[str]:
        """What an event does to the meeples; returns those that moved."""
        seat = event.whose
        if event.what == ev.MEEPLE_PLACED:
            pile = self.whites[seat] if event.piece == WHITE else self.left[seat]
            piece = pile.pop() if pile else f"x-{seat}-{sum(map(len, self.placed.values()))}"
            meeple = {"seat": seat, "id": piece, "white": event.piece == WHITE}
            self.placed.setdefault(place_of(event), []).append(meeple)
            return [piece]
        if event.what == ev.TRIBE_MET and self.left[seat] and self.tribe:
            self.candle[seat].append(self.left[seat].pop())
            self.whites[seat].append(self.tribe.pop())
            return [self.candle[seat][-1], self.whites[seat][-1]]
        if event.what in (ev.TRIBE_LEFT, ev.MEEPLE_CALLED) and self.candle[seat]:
            called = self.candle[seat].pop()
            self.left[seat].append(called)
            if self.whites[seat]:
                self.tribe.append(self.whites[seat].pop())
            return [called]
        if event.what == ev.MEEPLES_CHANGED:
            self.own[seat] += event.extra
        elif event.what == ev.ROUND_BEGUN:
            self.go_home()
        return []

    def go_home(self) -> None:
        """All meeples go home; new ones come, lost ones leave."""
        for meeples in self.placed.values():
            for meeple in meeples:
                home = self.whites if meeple["white"] else self.left
                home[meeple["seat"]].append(meeple["id"])
        self.placed = {}
        for seat in range(self.seats):
            while len(self.whites[seat]) > len(self.candle[seat]):
                self.tribe.append(self.whites[seat].pop())
            here = sorted(self.left[seat], key=lambda piece: int(piece.rpartition("-")[2]))
            taken = {*here, *self.candle[seat]}
            count = max(0, self.own[seat] - len(self.candle[seat]))
            fresh = (f"m-{seat}-{k}" for k in range(100) if f"m-{seat}-{k}" not in taken)
            while len(here) < count:
                here.append(next(fresh))
            self.left[seat] = here[:count]


def place_of(event: Event) -> str:
    """The place of the view on which a meeple was placed."""
    if event.target < TILE_PLACE:
        return PLACES[event.target]
    return f"construction {event.target - TILE_PLACE + 1} of {event.extra}"


def place_pieces(view: View, history: Sequence[Sequence[Event]], data: Json) -> tuple[Pieces, dict[str, int]]:
    """Where each meeple is, and the order in which the last move's moved."""
    seats = len(view["players"])
    start = data["health"]["levels"][data["health"]["start"] - LOWEST_HEALTH]["meeples"]
    camp = Camp(seats, data["tribe"]["meeples"], [start] * seats)
    moved: dict[str, int] = {}
    for number, events in enumerate(history):
        for event in events:
            for piece in camp.follow(event):
                if number == len(history) - 1:
                    moved.setdefault(piece, len(moved))
    players, candle = view["players"], view["candle"]
    pieces = Pieces(
        own=[fitted(camp.left[s], players[s]["left"]["own"], f"m-{s}-l") for s in range(seats)],
        white=[fitted(camp.whites[s], players[s]["left"]["white"], f"w-{s}-l") for s in range(seats)],
        candle=[fitted(camp.candle[s], candle["own"][s], f"m-{s}-c") for s in range(seats)],
        tribe=fitted(camp.tribe, candle["white"], "w-t"),
        places={},
    )
    for place, arrived in view["places"].items():
        found = camp.placed.get(place, [])
        if [meeple["seat"] for meeple in found] != list(arrived):
            slug = place.replace(" ", "-")
            found = [{"seat": s, "id": f"x-{slug}-{k}", "white": False} for k, s in enumerate(arrived)]
        pieces.places[place] = found
    return pieces, moved


def fitted(ids: Iterable[str], count: int, spare: str) -> list[str]:
    """As many of the ids as the view says, filled up with spare ones."""
    found = list(ids)[:count]
    return found + [f"{spare}-{k}" for k in range(count - len(found))]


# The scene


@dataclass
class Scene:
    """What is to be seen on the table besides the pieces."""

    me: int
    """whose gains the places tell"""
    places: list[Json] = field(default_factory=list)
    """`key`, `meeples`, `spots` (None without a limit), `free`, `paid`: whether the next spot costs a fruit, `gains`,
    `effect`, `more`, `step` and `catch`: what they are in words; `lacks`: the domain that one needs first"""
    boards: list[list[Json]] = field(default_factory=list)
    """[seat]: slots as `{kind, id, chips, entry, use, meeple, bonus, fresh}`"""
    tracks: list[Json] = field(default_factory=list)
    """`key` and `rows`, the highest first: `{label, chips, seats}`"""
    tiles: dict[int, Json] = field(default_factory=dict)
    """constructions by id: `chips`, `price` now, `missing`, `level`, `prestige`"""
    buildable: list[int] = field(default_factory=list)
    event: Json | None = None
    """the card of the round: `id`, `chips`, `lots`"""
    fishing: list[Json] = field(default_factory=list)
    """the fishing cards left: `fish` by level, `now`: how many for `me`, `extra`, `arrow`"""
    feeding: list[Json] = field(default_factory=list)
    """[seat]: `{water, food, enough, rests}`"""
    ship: tuple[int, int] | None = None
    """the rounds in which the Ship may still come"""
    free_positions: list[int] = field(default_factory=list)
    """positions of the compass where nobody's marker is"""
    to_send: int = 0
    """meeples that `me` has left to place"""
    leader: int | None = None
    """who would score for the meeples above the candle now"""


PLACE_KEYS = (
    "gathering",
    "bamboo",
    "liana",
    "palm",
    "water",
    "fishing",
    "construction",
    "mystery",
    "study",
    "prayer",
    "event",
    "tribe",
    "rest",
    "leisure",
)


def place(castaway: Castaway, key: str, pieces: Pieces) -> Json:
    """A place of the island as the picture shows it."""
    actions, view = castaway.data["actions"], castaway.view
    name = f"exploration {key}" if key in BUILDINGS else key
    meeples = pieces.places.get(name, [])
    spots: int | None = actions[SPOTS[key]] if key in SPOTS else None
    paid = False
    if key == "study":
        spots = actions["study_free_places"] + actions["study_paid_places"]
        paid = len(meeples) >= actions["study_free_places"]
    taken = 1 if key == "mystery" and meeples else len(meeples)
    empty = (
        (key in view["stock"] and not view["stock"][key])
        or (key == "gathering" and not view["stock"]["fruit"])
        or (key == "event" and view["event"] is None)
        or (key == "tribe" and not view["candle"]["white"])
    )
    return {
        "key": key,
        "meeples": meeples,
        "spots": spots,
        "free": None if spots is None else max(0, spots - taken),
        "open": not empty and (spots is None or taken < spots),
        "full": spots is not None and taken >= spots,
        "paid": paid,
        "paid_spots": actions["study_paid_places"] if key == "study" else 0,
        "gains": castaway.gains(key),
        "effect": castaway.effect(key),
        "more": castaway.for_fruit(key) if key in BUILDINGS else 0,
        "step": castaway.step() if key == "prayer" else None,
        "catch": castaway.catch() if key == "fishing" else None,
        "lacks": castaway.lacks(key),
        "stock": view["stock"].get("fruit" if key == "gathering" else key),
    }


def board(view: View, data: Json, seat: int, pieces: Pieces, fresh: set[tuple[int, int]]) -> list[Json]:
    """A player's slots."""
    entries = {str(tile["id"]): tile for tile in data["constructions"]}
    slots = view["players"][seat]["slots"]
    found = []
    for k, bonus in enumerate(data["slots"]["bonuses"]):
        slot: Json = {
            "kind": "free",
            "number": k + 1,
            "bonus": gain_chips(bonus),
            "fresh": (seat, k) in fresh,
        }
        if k < len(slots):
            kind, _, which = slots[k].partition(" ")
            slot |= {"kind": kind, "id": which}
            if kind == "construction":
                tile = entries[which]
                slot |= {"id": tile["id"], "entry": tile, "chips": entry_chips(tile), "use": use_of(tile)}
                slot["meeples"] = pieces.places.get(f"construction {which} of {seat}", [])
        found.append(slot)
    return found


def tracks(view: View, data: Json) -> list[Json]:
    """Health, happiness, prestige and divine favour with everybody's markers."""
    players = list(enumerate(view["players"]))
    levels = data["health"]["levels"]
    top = data["happiness"]["thresholds"][-1]["points"]
    happy = {step["points"]: step["prestige"] for step in data["happiness"]["thresholds"]}

    def at(key: str, value: int) -> list[int]:
        return [seat for seat, player in players if player[key] == value]

    health = []
    for k in range(len(levels) - 1, -1, -1):
        value = k + LOWEST_HEALTH
        prestige = levels[k].get("reached", 0) or levels[k].get("met", 0)
        chips = [chip("i-star", sign(prestige))] if prestige else []
        more = k > 0 and levels[k]["meeples"] > levels[k - 1]["meeples"]
        label = str(value).replace("-", "−")
        health.append({"label": label, "chips": chips, "more": more, "seats": at("health", value)})
    happiness = [
        {
            "label": str(value),
            "chips": [chip("i-star", sign(happy[value]))] if value in happy else [],
            "seats": at("happiness", value),
        }
        for value in range(top, -1, -1)
    ]
    prestige = prestige_rows([player["prestige"] for _, player in players])
    steps = data["favours"]["steps"]
    favour = [
        {"label": STEPS[k], "chips": gain_chips(steps[k]), "seats": at("favour", k + 1)}
        for k in range(len(steps) - 1, -1, -1)
    ]
    favour.append({"label": "", "chips": [], "seats": at("favour", 0)})
    return [
        {"key": "health", "rows": health},
        {"key": "happiness", "rows": happiness},
        {"key": "prestige", "rows": prestige},
        {"key": "favour", "rows": favour},
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


def feeding(view: View, data: Json, seat: int) -> Json:
    """What the next Feeding phase asks, and whether the player has it (CA-31)."""
    player = view["players"][seat]
    need = data["health"]["levels"][player["health"] - LOWEST_HEALTH]
    held = player["resources"]
    food = held["fruit"]
    if player["experience"]["fire"]:
        food += data["food"]["fish"] * held["fish"]
    return {
        "water": need["water"],
        "food": need["food"],
        "own_water": held["water"],
        "own_food": food,
        "rests": player["rests"],
        "enough": player["rests"] or (held["water"] >= need["water"] and food >= need["food"]),
    }


def ship_rounds(view: View, data: Json) -> tuple[int, int] | None:
    """The rounds in which the Ship may still come (CA-7); None once it has."""
    if view["event"] == "ship" or view["last_round"]:
        return None
    pile = data["event_pile"]
    last = len(data["events"]) - pile["boxed"]
    first = last - (pile["set_aside"] - pile["boxed"])
    return max(first, min(view["round"] + 1, last)), last


def majority(view: View, bonuses: Sequence[Counter[str]]) -> int | None:
    """Who would score for most meeples above the candle now (CA-37)."""
    own = view["candle"]["own"]
    leaders = [seat for seat, count in enumerate(own) if count and count == max(own)]
    if len(leaders) > 1:
        leaders = [seat for seat in leaders if bonuses[seat]["calumet"]]
    return leaders[0] if len(leaders) == 1 else None


def table(seen: Seen) -> dict[str, Any]:
    """The context of the table's templates: `pieces`, `moved`, `scene`, the components' `data` and `pictures`."""
    view, seat, history, components = seen.view, seen.view.viewer, seen.heard, seen.view.components
    data = components.data
    pieces, moved = place_pieces(view, history, data)
    me = seat if seat is not None else (view["to_act"] or view["order"])[0]
    castaway = Castaway(view, data, me)
    latest = history[-1] if history else ()
    fresh = {
        (event.whose, event.target)
        for event in latest
        if event.what in (ev.TILE_BUILT, ev.MIRACLE_TAKEN) and event.target != ev.NO_PLACE
    }
    seats = range(len(view["players"]))
    event = view["event"]
    scene = Scene(
        me=me,
        places=[place(castaway, key, pieces) for key in PLACE_KEYS],
        boards=[board(view, data, s, pieces, fresh) for s in seats],
        tracks=tracks(view, data),
        tiles={
            tile["id"]: {
                "chips": entry_chips(tile),
                "price": {name: castaway.price(tile, name) for name in BUILDINGS},
                "level": tile["level"],
                "prestige": tile["prestige"],
            }
            for tile in data["constructions"]
        },
        buildable=castaway.buildable(),
        event=None
        if event is None
        else {
            "id": event,
            "chips": entry_chips(event_of(data, event)),
            "lots": event_of(data, event)["lots"],
        },
        fishing=[
            {
                "fish": card["fish"],
                "now": castaway.fish_of(card),
                "extra": meant(card.get("extra", {})),
                "arrow": card.get("arrow", False),
            }
            for card in data["fishing"]
            if card["id"] in view["fishing_pile"]
        ],
        feeding=[feeding(view, data, s) for s in seats],
        ship=ship_rounds(view, data),
        free_positions=[k + 1 for k, marker in enumerate(view["compass"]["markers"]) if marker is None],
        to_send=view["players"][me]["left"]["own"] + view["players"][me]["left"]["white"],
        leader=majority(view, [lasting_of(view, data, s)[0] for s in seats]),
    )
    return {"pieces": pieces, "moved": moved, "scene": scene, "data": data, "pictures": Pictures(data)}

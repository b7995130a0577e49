"""Positions of Cast Away in a few words, and playing on from them.

What is not said is as at the start of a first round: three meeples each, nothing owned, all tiles to be had, event 9
on the table, the Ship at the bottom of the pile. White meeples, mystery tiles and constructions that players have
are taken from where they lie.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from atoll.core.catalogue import find_game
from atoll.core.events import Event
from atoll.core.game import Position
from atoll.core.types import Components, Json
from atoll.testing.playing import abridged

GAME = find_game("cast-away")

RED, BLUE, YELLOW, GREEN = range(4)

RESOURCES = ("bamboo", "liana", "palm", "fruit", "water", "fish")
DOMAINS = ("fire", "fishing", "nature", "construction", "faith")
MEEPLES = {-1: 2, 0: 3, 1: 3, 2: 3, 3: 4, 4: 4, 5: 5, 6: 5, 7: 5}
MIRACLES = ("abundance", "joy", "vigour", "wisdom", "builders", "spirits")
EVENTS = (*(str(number) for number in range(1, 15)), "ship")
BOXED = 2

Seats = Mapping[int, Any]


def counts(names: Sequence[str], given: Mapping[str, int]) -> dict[str, int]:
    """All names, with 0 for those that are not given."""
    assert set(given) <= set(names)
    return {name: given.get(name, 0) for name in names}


def words(
    players: int = 2,
    *,
    to_act: int = RED,
    order: Sequence[int] | None = None,
    round: int = 1,  # as the record says it
    event: str | None = "9",
    pile: Sequence[str] = (),
    lots: Mapping[str, int] | None = None,
    markers: Sequence[int | None] | None = None,
    stock: Mapping[str, int] | None = None,
    gifts: Mapping[str, int] | None = None,
    candle: Seats | None = None,
    fishing: Sequence[int] = (1, 2, 3, 4, 5, 6, 7),
    places: Mapping[str, Sequence[int]] | None = None,
    resources: Seats | None = None,
    experience: Seats | None = None,
    slots: Seats | None = None,
    events: Seats | None = None,
    mystery: Seats | None = None,
    left: Seats | None = None,
    last_round: bool = False,
    **tracks: Seats,
) -> Json:
    """A state in the record's words, in the phase `action`.

    `pile` are the next events; `left` is (own, white, compass); `tracks` are health, happiness, favour, prestige,
    rests and tribe, each by seat.
    """
    above = {seat: (candle or {}).get(seat, 0) for seat in range(players)}
    states = []
    for seat in range(players):
        health = tracks.get("health", {}).get(seat, 1)
        own, white, compass = (left or {}).get(seat, (MEEPLES[health] - above[seat], above[seat], True))
        states.append(
            {
                "prestige": tracks.get("prestige", {}).get(seat, 0),
                "health": health,
                "happiness": tracks.get("happiness", {}).get(seat, 0),
                "favour": tracks.get("favour", {}).get(seat, 0),
                "experience": counts(DOMAINS, (experience or {}).get(seat, {})),
                "resources": counts(RESOURCES, (resources or {}).get(seat, {})),
                "meeples": MEEPLES[health],
                "white": above[seat],
                "left": {"own": own, "white": white, "compass": compass},
                "slots": list((slots or {}).get(seat, ())),
                "events": list((events or {}).get(seat, ())),
                "mystery": (mystery or {}).get(seat, [[0, 0, 0], [0, 0], [0]]),
                "rests": tracks.get("rests", {}).get(seat, False),
                "tribe": tracks.get("tribe", {}).get(seat),
            }
        )
    held = [card for state in states for card in state["events"]]
    turned = [*held, *([event] if event else [])]
    rest = [card for card in EVENTS if card not in (*turned, *pile, "ship")]
    ship = [] if "ship" in (*turned, *pile) else ["ship"]
    count = len(EVENTS) - BOXED - len(turned) - len(pile) - len(ship)
    built = [slot for state in states for slot in state["slots"]]
    return {
        "round": round,
        "phase": "action",
        "to_act": [to_act],
        "order": list(order or range(players)),
        "event": event,
        "event_pile": [*pile, *rest[:count], *ship],
        "last_round": last_round,
        "boosts": {"first player": False, "pile": []},
        "stock": {"bamboo": 5, "liana": 5, "palm": 5, "fruit": 8, **(stock or {})},
        "compass": {"lots": dict(lots or {}), "markers": list(markers or [None] * players)},
        "candle": {
            "white": 5 - sum(above.values()),
            "own": list(above.values()),
            "gifts": dict(gifts or {}),
        },
        "fishing_pile": list(fishing),
        "constructions": [tile for tile in range(1, 34) if f"construction {tile}" not in built],
        "miracles": [name for name in MIRACLES if f"miracle {name}" not in built],
        "mystery": [
            [copies - sum(state["mystery"][storey][design] for state in states) for design in range(designs)]
            for storey, (designs, copies) in enumerate(((3, 3), (2, 2), (1, 1)))
        ],
        "places": dict(places or {}),
        "players": states,
    }


def position(
    players: int = 2,
    *,
    components: Components | None = None,
    options: Mapping[str, bool] | None = None,
    **said: Any,
) -> Position:
    """The position that `words` describes, which no game need come to."""
    return abridged(GAME, words(players, **said), components, options)


def last_move(players: int = 2, **said: Any) -> Position:
    """Red has one meeple left and everybody else nothing: after `draw water` the action phase is over."""
    left = dict.fromkeys(range(players), (0, 0, False))
    said.setdefault("markers", list(range(players)))
    return position(players, **{"left": {**left, RED: (1, 0, False)}, **said})


def end_actions(where: Position) -> list[Event]:
    """Play the last meeple."""
    return play(where, "draw water", **{"with": "own"})


def play(where: Position, do: str, **keys: Any) -> list[Event]:
    """Play a move of the player who has to decide."""
    [seat] = where.to_act
    keys = {name.rstrip("_"): value for name, value in keys.items()}
    return where.play(seat, {"do": do, **keys})


def own(where: Position, do: str, **keys: Any) -> list[Event]:
    """Play a move with an own meeple."""
    return play(where, do, **keys, **{"with": "own"})


def white(where: Position, do: str, **keys: Any) -> list[Event]:
    """Play a move with a white meeple."""
    return play(where, do, **keys, **{"with": "white"})


def legal(where: Position, do: str | None = None) -> list[Json]:
    """The legal moves of the player who has to decide, of one kind if said."""
    [seat] = where.to_act
    return [move for move in where.legal_moves(seat) if do in (None, move["do"])]


def choices(where: Position) -> list[Any]:
    """The answers to a question."""
    return [move["choice"] for move in legal(where)]


def asked(where: Position) -> tuple[str, int]:
    """The phase and the one player who has to decide."""
    [seat] = where.to_act
    return where.to_json()["phase"], seat


def player(where: Position, seat: int) -> Json:
    """A player in the record's words."""
    found: Json = where.to_json()["players"][seat]
    return found


def has(where: Position, seat: int) -> dict[str, int]:
    """What resources a player has, those of which there are none left out."""
    return {name: count for name, count in player(where, seat)["resources"].items() if count}


def changed(*changes: Any) -> Json:
    """The content of the shipped components file, changed by functions of it."""
    data = deepcopy(GAME.components().data)
    for change in changes:
        change(data)
    return data


def tile(number: int, **keys: Any) -> Any:
    """A change of a construction."""
    return lambda data: data["constructions"][number - 1].update(keys)


def variant(*changes: Any) -> Components:
    """Components from the shipped file, changed."""
    return GAME.components_from("my-file.toml", changed(*changes))

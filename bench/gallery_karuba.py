"""Positions of Karuba to be photographed by bench.gallery: out of games in which all lay what joins and scores most."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from atoll.core.catalogue import find_game
from atoll.core.events import Event
from atoll.core.position import Position
from atoll.core.state import SPECTATOR
from atoll.games.karuba.table import Island
from bench.gallery import Scene

Json = dict[str, Any]
GAME = find_game("karuba")
EXITS = {number: card["exits"] for number, card in enumerate(GAME.components().data["cards"], start=1)}


def joined_paths(places: Json) -> int:
    """How often two cards of an island are joined."""
    island = Island(0, {tuple(map(int, place.split(","))): card for place, card in places.items()}, EXITS, 4)  # type: ignore[misc]
    return sum(len(island.joins(at, card)) for at, card in island.places.items())


def best_move(position: Position, seat: int, chance: Random) -> Json:
    """A move at random, but a card is laid where it brings points at once, or joins most."""

    def worth(move: Json) -> tuple[int, int]:
        if move["do"] != "lay":
            return 0, 0
        after = position.copy()
        after.play(seat, move)
        places = after.view(seat).to_json()["players"][seat]["island"]
        return after.breakdown()[seat]["points"], joined_paths(places)

    moves = list(position.legal_moves(seat))
    chance.shuffle(moves)
    return max(moves, key=worth)


def scene(
    players: int,
    seed: int,
    until: Callable[[Json], bool],
    chosen: Callable[[list[Json]], Json] | None = None,
    answer: Callable[[list[Json]], Json] | None = None,
    seat: int | None = 0,
) -> Scene:
    """The position of a game with this seed as soon as `until` is true of it, or at its end."""
    position, chance = GAME.start(players, seed=seed), Random(seed)
    history: list[list[Event]] = []
    while not position.is_over and not until(position.view(0).to_json()):
        mover = chance.choice(position.to_act)
        history.append(list(position.play(mover, best_move(position, mover, chance))))
    who = SPECTATOR if seat is None else seat
    legal = [] if seat is None else list(position.legal_moves(seat))
    over = None
    if position.outcome is not None:
        over = {"points": list(position.outcome.points), "winners": list(position.outcome.winners)}
    return Scene(
        view=(position.view() if seat is None else position.view(seat)).to_json(),
        legal=[] if answer else legal,
        chosen=chosen(legal) if chosen else {},
        history=[[GAME.notation.hide_event(event, who) for event in events] for events in history],
        seat=seat,
        over=over,
        game=GAME.name,
        answer=answer(legal) if answer else None,
        told=(),
    )


def when(number: int, phase: str) -> Callable[[Json], bool]:
    """In this round and phase, as soon as the first seat has something to decide."""
    return lambda view: view["round"] == number and view["phase"] == phase and 0 in view["to_act"]


def never(view: Json) -> bool:
    """At the end."""
    return False


def one_card(legal: list[Json]) -> Json:
    """The first card of the first move."""
    move = legal[0]
    return (
        {"do": "choose", "cards": move["cards"][:1]}
        if "cards" in move
        else {"do": "lay", "card": move["card"]}
    )


def second(legal: list[Json]) -> Json:
    """A whole move."""
    return legal[min(1, len(legal) - 1)]


def scenes() -> Iterator[tuple[str, Scene]]:
    """Every picture with its name."""
    yield "start", scene(4, 8, lambda view: True)
    yield "choose-one", scene(4, 3, when(4, "choose"), one_card)
    yield "choose-two", scene(4, 3, when(4, "choose"), second)
    yield "answered", scene(4, 3, when(4, "choose"), answer=second)
    yield "last-two", scene(2, 3, when(8, "choose"))
    yield (
        "discard",
        scene(3, 22, lambda view: view["phase"] == "discard" and 0 in view["to_act"] and view["round"] > 3),
    )
    yield "first-card", scene(2, 8, when(1, "lay"), one_card)
    yield "lay", scene(4, 5, when(6, "lay"), one_card)
    yield "lay-chosen", scene(4, 5, when(6, "lay"), second)
    yield "floating", scene(2, 11, when(3, "lay"), one_card)
    yield (
        "waiting",
        scene(4, 7, lambda view: view["phase"] == "lay" and 0 not in view["to_act"] and view["round"] > 4),
    )
    yield "five", scene(5, 9, when(5, "lay"), second)
    yield "six", scene(6, 9, when(7, "lay"), second)
    yield "spectator", scene(4, 5, when(6, "lay"), seat=None)
    yield "over", scene(4, 5, never)
    yield "two-over", scene(2, 4, never)
    yield "six-over", scene(6, 9, never)

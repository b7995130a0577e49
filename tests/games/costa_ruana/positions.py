"""Positions of Costa Ruana in a few words, and playing on from them.

What is not said is filled in so that no piece and no card is missing: natives that are nowhere else are in the
supplies, treasures that are nowhere else behind the last player's hut, and the hands, the draw pile and the discard
pile hold the cards of the deck that are nowhere else.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from atoll.core.catalogue import find_game
from atoll.core.events import Event
from atoll.core.game import Position
from atoll.core.invariants import check_declared
from atoll.core.types import Components, Json
from atoll.games.costa_ruana.invariants import check_pieces
from atoll.testing.playing import abridged

GAME = find_game("costa-ruana")

ANTONY, MARY, SERGE = range(3)
"""The players of the rulebook's examples, clockwise."""

BACKGROUNDS = ("high tide", "low tide", "day", "night")

BLOCKS = {
    2: ("move treasure", "move native", "place 1", "place 2", "place 3", "return 1"),
    3: ("place 2", "return 2", "move native"),
    4: ("place 1", "place 3", "move treasure"),
    5: ("place 2", "return 3", "move native"),
    6: ("place 1", "place 2", "return 1"),
}
"""The cards of each background by their notches, as this project reconstructed them (CR-4)."""

ISLAND_TREASURES = {
    2: [4, 4, 5, 5],
    3: [4, 4, 5, 5, 5, 5],
    4: [4, 4, 5, 5, 5, 5, 5],
    5: [4, 4, 5, 5, 5, 5, 5, 5, 5],
    6: [4, 4, 5, 5, 5, 5, 5, 5, 5, 5],
}
"""CR-6: the number of islands by the number of players; two have 4 treasures, the others 5."""

NATIVES = 10
DRAWS = (2, 2, 2, 1)


def deck(players: int) -> "Counter[str]":
    """The cards that so many players use (CR-3)."""
    return Counter(
        f"{kind}/{background}"
        for notches, kinds in BLOCKS.items()
        if notches <= players
        for kind in kinds
        for background in BACKGROUNDS
    )


def card(
    name: str,
    front: int,
    natives: Sequence[int] = (),
    *,
    by: int | None = None,
    face: str = "up",
    resolved: bool = False,
) -> Json:
    """A card on the table, in front of a player and played by `by`, who is the same player unless said."""
    return {
        "card": name,
        "played_by": front if by is None else by,
        "in_front_of": front,
        "face": face,
        "natives": sorted(natives),
        "resolved": resolved,
    }


def words(
    players: int = 3,
    *,
    phase: str = "condition",
    to_act: int | None = None,
    shaman: int = 0,
    round: int = 1,  # as the record says it
    tide: str = "high",
    time: str = "day",
    natives: Mapping[int, Sequence[int]] | None = None,
    treasures: Mapping[int, int] | None = None,
    huts: Sequence[int] | None = None,
    table: Sequence[Json] = (),
    hands: Mapping[int, Sequence[str]] | None = None,
) -> Json:
    """A state in the record's words; `natives` and `treasures` say what differs from the start, by island."""
    islands: list[Json] = [
        {"treasures": count, "natives": [0] * players} for count in ISLAND_TREASURES[players]
    ]
    for island, counts in (natives or {}).items():
        islands[island]["natives"] = [*counts, *[0] * (players - len(counts))]
    for island, count in (treasures or {}).items():
        islands[island]["treasures"] = count
    missing = sum(ISLAND_TREASURES[players]) - sum(island["treasures"] for island in islands)
    if huts is None:
        huts = [0] * (players - 1) + [missing]
    assert sum(huts) == missing, f"{missing} treasures are behind huts, not {sum(huts)}"
    left = deck(players) - Counter(entry["card"] for entry in table)
    assert left.total() == 12 * players - len(table), "cards on the table that are not in the deck"
    played = Counter(entry["played_by"] for entry in table)
    if phase in ("native", "condition"):
        played = Counter(dict.fromkeys(range(players), 2))
    sizes = [(4 if round == 5 else 5) - played[seat] for seat in range(players)]
    given: dict[int, list[str]] = {seat: list(hand) for seat, hand in (hands or {}).items()}
    for hand in given.values():
        for name in hand:
            assert left[name], f"there is no further card {name}"
            left[name] -= 1
    rest = list(left.elements())
    for seat in range(players):
        if seat not in given:
            given[seat] = [rest.pop() for _ in range(sizes[seat])]
    pile = [rest.pop() for _ in range(players * sum(DRAWS[round - 1 :]))]
    on_cards = Counter(owner for entry in table for owner in entry["natives"])
    supplies = [
        NATIVES - on_cards[seat] - sum(island["natives"][seat] for island in islands)
        for seat in range(players)
    ]
    return {
        "round": round,
        "phase": phase,
        "to_act": [shaman if to_act is None else to_act],
        "shaman": shaman,
        "tide": tide,
        "time": time,
        "islands": islands,
        "players": [
            {"supply": supplies[seat], "treasures": huts[seat], "hand": sorted(given[seat])}
            for seat in range(players)
        ],
        "table": list(table),
        "draw_pile": pile,
        "discarded": rest,
    }


def position(
    players: int = 3,
    *,
    components: Components | None = None,
    options: Mapping[str, bool] | None = None,
    **said: Any,
) -> Position:
    """The position that `words` describes, which no game need come to: nothing but pieces and cards is complete."""
    made = abridged(GAME, words(players, **said), components, options)
    check_complete(made)
    return made


def check_complete(made: Position) -> None:
    """Raise AssertionError if a piece or a card was lost or made."""
    check_declared(made.state, GAME.declared, made.components.parts[0])
    check_pieces(made.state, made.components)


def resolving(table: Sequence[Json], players: int = 3, **said: Any) -> Position:
    """The table after the Shaman has turned the time: high tide and night are live."""
    made = position(players, table=table, tide="high", time="day", **said)
    play(made, "turn condition", condition="time")
    return made


def collecting(natives: Mapping[int, Sequence[int]], players: int = 3, **said: Any) -> Position:
    """The position after a round in which no card did anything to these islands."""
    return resolving([], players, natives=natives, **said)


def play(where: Position, do: str, **keys: Any) -> list[Event]:
    """Play a move of the player who has to decide; nothing may be lost by it."""
    [seat] = where.to_act
    events = where.play(seat, {"do": do, **keys})
    check_complete(where)
    return events


def legal(where: Position) -> list[Json]:
    """The legal moves of the player who has to decide."""
    [seat] = where.to_act
    return list(where.legal_moves(seat))


def offered(where: Position, do: str) -> list[Any]:
    """Of the legal moves, which must all be of this kind, the value of the one key, or the values of all."""
    moves = legal(where)
    assert {move["do"] for move in moves} == {do}
    rests = [[value for key, value in move.items() if key != "do"] for move in moves]
    return [rest[0] if len(rest) == 1 else tuple(rest) for rest in rests]


def natives_on(where: Position, island: int) -> list[int]:
    """The natives on an island, by seat."""
    found: list[int] = where.to_json()["islands"][island]["natives"]
    return found


def treasures_on(where: Position) -> list[int]:
    """The treasures on every island."""
    return [island["treasures"] for island in where.to_json()["islands"]]


def supplies(where: Position) -> list[int]:
    """The natives in every player's supply."""
    return [player["supply"] for player in where.to_json()["players"]]


def huts(where: Position) -> list[int]:
    """The treasures behind every player's hut."""
    return [player["treasures"] for player in where.to_json()["players"]]


def asked(where: Position) -> tuple[str, int]:
    """The phase and the one player who has to decide."""
    [seat] = where.to_act
    return where.to_json()["phase"], seat

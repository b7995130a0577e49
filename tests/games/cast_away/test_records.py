"""What is particular to this game's records (records.md, cast-away)."""

import random
from copy import deepcopy
from typing import Any

import pytest

from atoll.core import records
from atoll.core.game import Position
from atoll.core.types import Json
from atoll.text.errors import RecordError

from .positions import GAME


def random_record(seed: int) -> list[Json]:
    """The lines of a random game up to the first that tells what chance decided."""
    game, chance = GAME.start(2, seed), random.Random(seed)
    lines = [records.header(game, ["a", "b"], seed)]
    while "chance" not in lines[-1]:
        [seat] = game.to_act
        move = chance.choice(list(game.legal_moves(seat)))
        before = game.copy()
        lines.append(records.decision(before, game, seat, move, game.play(seat, move)))
    return lines


def refused(lines: list[Json]) -> str:
    record = records.Record(lines[0], lines[1:], lines=list(range(2, len(lines) + 1)))
    with pytest.raises(RecordError, match=rf"^line {len(lines)}: ") as error:
        list(records.replay(record))
    return str(error.value)


@pytest.mark.parametrize(
    "wrong", [None, [], 7, {}, {"fishing_pile": 3}, {"fishing_pile": [1, "a"]}, {"fishing_pile": [True, [2]]}]
)
def test_a_pile_of_other_cards_is_refused(wrong: Any) -> None:
    """records.md, `chance`: the whole new pile."""
    *lines, last = random_record(1)
    assert "fishing_pile" in refused([*lines, {**last, "chance": wrong}])
    pile = last["chance"]["fishing_pile"]
    assert "fishing_pile" in refused([*lines, {**last, "chance": {"fishing_pile": [True, *pile[1:]]}}])


def test_what_chance_decided_stands_in_the_line_of_its_move_alone() -> None:
    """records.md: so a record replays without the generator that made it."""
    *lines, last = random_record(1)
    told = last.pop("chance")
    assert "fishing_pile" in refused([*lines, last])
    start = lines[0]["start"]["fishing_pile"]
    assert "nothing was left to chance" in refused(
        [lines[0], {**lines[1], "chance": {"fishing_pile": start}}]
    )
    list(
        records.replay(
            records.Record(lines[0], [*lines[1:], {**last, "chance": told}], lines=[0] * len(lines))
        )
    )


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("players", 0, "health"), 9, "health of at most 7"),
        (("players", 1, "health"), -1, "meeples by health"),
        (("players", 0, "meeples"), 4, "meeples by health"),
        (("players", 0, "resources", "fish"), 1, ""),
        (("players", 0, "favour"), 3, ""),
        (("stock", "palm"), 4, ""),
        (("compass", "lots"), {"water": 1}, "lots of water"),
        (("event",), "6", "event cards"),
        (("event_pile",), [], "an event card turned up in each round"),
        (("boosts", "pile"), ["fire"], "the number of boosts left"),
        (("last_round",), True, "the last round"),
        (("round",), 2, ""),
        (("places",), {"water": [0]}, ""),
        (("fishing_pile",), [1, 2, 3, 4, 5, 6], ""),
    ],
)
def test_a_start_that_no_game_has_is_refused(path: tuple[Any, ...], value: Any, why: str) -> None:
    """CA-5 to CA-8."""
    head = deepcopy(records.header(GAME.start(2, 1), ["a", "b"], 1))
    *way, last = path
    within = head["start"]
    for key in way:
        within = within[key]
    within[last] = value
    with pytest.raises(RecordError, match=r"cannot be right|before the first decision") as error:
        records.first_position(records.Record(head))
    assert why in str(error.value)


def test_the_ship_lies_among_the_lowest_cards() -> None:
    """CA-7: above them a game could not come to it."""
    words = GAME.start(2, 1).to_json()
    pile = [card for card in words["event_pile"] if card != "ship"]
    with pytest.raises(RecordError, match="the Ship among the lowest event cards"):
        Position.from_json(GAME, {**words, "event_pile": ["ship", *pile]}, GAME.components(), {})

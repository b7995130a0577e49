"""The components files: what they must hold, and that figures in them are played by."""

from typing import Any

import pytest

from atoll.core.types import Json
from atoll.text.errors import ComponentError

from .positions import GAME
from .variants import changed, variant


def test_dead_end_temples_differ_in_the_temples_exits_alone():
    base, dead_ends = (GAME.components(name).data for name in GAME.component_files)
    assert [card["exits"] for card in dead_ends["cards"][12:]] == ["S", "W", "N", "E"]
    for card, other in zip(base["cards"], dead_ends["cards"], strict=True):
        assert card | {"exits": ""} == other | {"exits": ""}
    assert base["game"] == dead_ends["game"]
    assert base["cards"][:12] == dead_ends["cards"][:12]


def test_shipped_sets_are_called_as_the_records_say():
    assert {name: GAME.components(name).name for name in GAME.component_files} == {
        "reconstruction": "reconstruction",
        "dead-end temples": "dead-end temples",
    }


def test_no_colour_is_favoured():
    """Turned by 90 degrees, each colour's cards are the next one's; and every side has eleven exits."""
    cards = GAME.components().data["cards"]
    turned = str.maketrans("NESW", "ESWN")
    for kind in (cards[8:12], cards[12:16]):
        for card, after in zip(kind, [*kind[1:], kind[0]], strict=True):
            assert set(card["exits"].translate(turned)) == set(after["exits"])
    assert [sum(edge in card["exits"] for card in cards) for edge in "NESW"] == [11] * 4


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"game": {"rounds": 9}}, "game.rounds"),
        ({"game": {"hand": 1}}, "game.hand"),
        ({"game": {"frame": 3}}, "game.frame"),
        ({"game": {"frame": 5}}, "game.frame"),
        ({"game": {"height": 4}}, "game"),
        ({"cards": {1: {"exits": "WN"}}}, r"cards\[0\].exits: must be one to four of the letters"),
        ({"cards": {1: {"exits": ""}}}, r"cards\[0\].exits"),
        ({"cards": {1: {"temple": "red"}}}, r"cards\[0\].temple"),
        ({"cards": {1: {"crystals": 9}}}, r"cards\[0\].crystals"),
        ({"cards": {9: {"temple": "blue"}}}, r"cards\[8\]"),
        ({"cards": {1: {"temple": "blue"}}}, "cards: exactly one card has this, not 2: Blue temple"),
        ({"cards": {9: {"adventurer": None}}}, "cards: exactly one card has this, not 0: Blue adventurer"),
    ],
)
def test_a_wrong_file_is_refused_naming_the_entry(change: dict[str, Any], place: str):
    data = changed(change.get("cards"), **change.get("game", {}))
    with pytest.raises(ComponentError, match=f"my-file.toml: {place}"):
        GAME.components_from("my-file.toml", data)


def test_too_few_cards_are_refused():
    data = changed()
    del data["cards"][:2]
    with pytest.raises(ComponentError, match="cards: with rounds = 8, 16 cards are needed, not 14"):
        GAME.components_from("my-file.toml", data)


@pytest.mark.parametrize(
    "figures", [{"rounds": 1}, {"rounds": 4, "frame": 3}, {"hand": 2}, {"hand": 5}, {"hand": 16}]
)
def test_games_with_other_figures_are_played_to_the_end(figures: Json):
    components = variant(**figures)
    where = GAME.start(3, 1, components)
    assert len(where.to_json()["players"][0]["hand"]) == components.data["game"]["hand"]
    decisions = 0
    while not where.is_over:
        where.check()
        seat = where.to_act[-1]
        where.play_action(seat, int(where.legal_moves(seat).actions[-1]))
        decisions += 1
    where.check()
    assert where.to_json()["round"] == components.data["game"]["rounds"]
    assert decisions == GAME.rules.max_decisions(components, 3)


def test_a_smaller_deck_is_played():
    data = changed(rounds=6)
    del data["cards"][2:6]
    where = GAME.start(2, 1, GAME.components_from("my-file.toml", data))
    while not where.is_over:
        where.check()
        seat = where.to_act[0]
        where.play_action(seat, int(where.legal_moves(seat).actions[0]))
    assert all(len(seat["pile"]) == 0 for seat in where.to_json()["players"])

"""The Orientation and Feeding phases, the end of a round and of the game: CA-29 to CA-42."""

from typing import Any

import pytest

from atoll.core.game import Position
from atoll.core.game_translator import GameTranslator
from atoll.games.cast_away import events as ev
from atoll.text.translation import Translator

from .positions import (
    BLUE,
    GAME,
    GREEN,
    RED,
    YELLOW,
    asked,
    choices,
    end_actions,
    has,
    last_move,
    own,
    play,
    player,
    tile,
    variant,
)

FED: Any = {"resources": {seat: {"fruit": 5, "water": 2} for seat in range(4)}}
"""Everybody can feed, with fruit alone."""


# The Orientation phase


def test_lots_are_taken_from_the_last_position_to_the_first() -> None:
    """CA-29: all resources of one kind; mandatory."""
    game = last_move(3, markers=[RED, YELLOW, BLUE], lots={"water": 3, "palm": 1, "fish": 2})
    end_actions(game)
    assert asked(game) == ("orientation", BLUE)
    assert choices(game) == ["palm", "water", "fish"]
    play(game, "take lot", choice="water")
    assert asked(game) == ("orientation", YELLOW)
    play(game, "take lot", choice="fish")
    state = game.to_json()
    assert state["players"][RED]["resources"]["palm"] == 1  # the only one that was left


def test_lots_may_stay_on_the_compass() -> None:
    """CA-29, read otherwise (“may”): whoever takes none is asked no more; nobody is asked with an empty compass."""
    said: Any = {"pile": ["9"], "event": None, "lots": {"bamboo": 2}}
    ruled = last_move(**said)
    end_actions(ruled)
    assert has(ruled, BLUE)["bamboo"] == 2  # the only lot, so nobody was asked
    game = last_move(**said, options={"lots_may_stay": True})
    end_actions(game)
    assert asked(game) == ("orientation", BLUE)
    assert choices(game) == ["bamboo", None]
    [left] = [event for event in play(game, "take lot", choice=None) if event.what == ev.LOT_LEFT]
    assert left.whose == BLUE
    assert asked(game) == ("orientation", RED)
    played = game.copy()
    play(game, "take lot", choice="bamboo")
    assert has(game, RED)["bamboo"] == 2
    events = play(played, "take lot", choice=None)
    assert played.to_json()["round"] == 2
    assert played.to_json()["compass"]["lots"]["bamboo"] == 2
    words = GameTranslator(Translator("en").with_package(GAME.package), GAME.components())
    told = GAME.messages.tell(words, ["Anne", "Bo"], events, played.view(RED))
    assert told[0].text == "Anne takes no lot."
    empty = last_move(event=None, lots={}, options={"lots_may_stay": True})
    assert ev.LOT_LEFT not in [event.what for event in end_actions(empty)]
    assert empty.to_json()["phase"] != "orientation"


def test_what_nobody_takes_stays_on_the_compass() -> None:
    """CA-29."""
    game = last_move(pile=["9"], event=None, lots={"bamboo": 2, "liana": 1, "palm": 4})
    end_actions(game)
    play(game, "take lot", choice="bamboo")
    play(game, "take lot", choice="liana")
    assert game.to_json()["compass"]["lots"] == {"palm": 6, "fish": 1, "water": 1}


@pytest.mark.parametrize(("choice", "first", "order"), [("yes", RED, [0, 1, 2]), ("no", YELLOW, [1, 0, 2])])
def test_event_8_chooses_first_and_begins_the_next_round(choice: str, first: int, order: list[int]) -> None:
    """CA-29, CA-30."""
    game = last_move(3, markers=[BLUE, RED, YELLOW], lots={"palm": 1, "liana": 1}, events={RED: ["8"]}, **FED)
    end_actions(game)
    assert asked(game) == ("first choice", RED)
    play(game, "choose first", choice=choice)
    assert asked(game) == ("orientation", first)
    play(game, "take lot", choice="palm")
    while game.to_json()["round"] == 1:
        play(game, asked_move(game), choice=choices(game)[0])
    assert game.to_json()["order"] == order
    assert player(game, RED)["events"] == ([] if choice == "yes" else ["8"])


def asked_move(game: Position) -> str:
    """What kind of answer is asked for."""
    return str(next(iter(game.legal_moves(game.to_act[0])))["do"])


def test_the_dugout_takes_a_single_resource_afterwards() -> None:
    """CA-29: tile 20."""
    game = last_move(slots={RED: ["construction 20"]}, lots={"palm": 3, "bamboo": 1, "liana": 2})
    end_actions(game)
    play(game, "take lot", choice="bamboo")
    play(game, "take lot", choice="palm")
    assert has(game, RED)["liana"] == 1  # the only kind that was left
    game = last_move(slots={RED: ["construction 20"]}, lots={"palm": 3, "bamboo": 1, "liana": 2, "fish": 1})
    end_actions(game)
    play(game, "take lot", choice="bamboo")
    play(game, "take lot", choice="fish")
    assert asked(game) == ("dugout", RED)
    play(game, "take single", choice="palm")
    assert has(game, RED)["palm"] == 1


def test_the_compass_positions_are_the_next_turn_order() -> None:
    """CA-30, CA-38."""
    game = last_move(4, markers=[GREEN, RED, BLUE, YELLOW])
    end_actions(game)
    assert game.to_json()["order"] == [GREEN, RED, BLUE, YELLOW]
    assert game.to_json()["compass"]["markers"] == [None] * 4


# The Feeding phase


def test_who_can_feed_must_and_chooses_how_many_fish() -> None:
    """CA-31: 3 food as 3 fruits, or fish and the rest fruit; no change is given."""
    game = last_move(
        health={RED: 4}, experience={RED: {"fire": 1}}, resources={RED: {"fruit": 3, "fish": 3, "water": 1}}
    )
    end_actions(game)
    assert (asked(game), choices(game)) == (("feeding", RED), [0, 1, 2])
    play(game, "eat fish", choice=2)
    assert has(game, RED) == {"fruit": 3, "fish": 1, "water": 2}


def test_fish_are_no_food_without_fire() -> None:
    """CA-31."""
    game = last_move(resources={RED: {"fish": 3}})
    end_actions(game)
    assert player(game, RED)["health"] == 0
    assert has(game, RED) == {"fish": 3, "water": 2}


def test_who_is_fed_goes_up_and_gets_meeples() -> None:
    """CA-32: the fourth on level 3."""
    game = last_move(health={RED: 2}, resources={RED: {"fruit": 2}})
    end_actions(game)
    assert (player(game, RED)["health"], player(game, RED)["meeples"]) == (3, 4)
    assert has(game, RED) == {"water": 1}


@pytest.mark.parametrize(("health", "after"), [(5, 6), (7, 7)])
def test_level_six_and_level_seven_score(health: int, after: int) -> None:
    """CA-32: on arrival, and each time it is met."""
    game = last_move(health={RED: health}, resources={RED: {"fruit": 5}})
    end_actions(game)
    assert (player(game, RED)["health"], player(game, RED)["prestige"]) == (after, 2)


def test_who_is_not_fed_spends_nothing_and_goes_down() -> None:
    """CA-33: from 5 to 4 with the loss of a meeple, from 4 to 3 without."""
    for health, meeples in ((5, 4), (4, 4), (3, 3)):
        game = last_move(health={RED: health}, resources={RED: {"fruit": 1}})
        end_actions(game)
        assert (player(game, RED)["health"], player(game, RED)["meeples"]) == (health - 1, meeples)
        assert has(game, RED) == {"fruit": 1, "water": 2}


@pytest.mark.parametrize(("choice", "after"), [("lose meeple", (-1, 2, 2)), ("pay", (0, 3, 0))])
def test_before_the_lowest_level_one_loses_a_meeple_or_pays(choice: str, after: tuple[int, ...]) -> None:
    """CA-33."""
    game = last_move(health={RED: 0}, prestige={RED: 2})
    end_actions(game)
    assert (asked(game), choices(game)) == (("health", RED), ["lose meeple", "pay"])
    play(game, "go down", choice=choice)
    state = player(game, RED)
    assert (state["health"], state["meeples"], state["prestige"]) == after


def test_without_two_prestige_there_is_no_choice_and_on_the_lowest_level_nothing_is_lost() -> None:
    """CA-33."""
    game = last_move(health={RED: 0, BLUE: -1}, prestige={RED: 1, BLUE: 5})
    end_actions(game)
    assert (player(game, RED)["health"], player(game, RED)["meeples"]) == (-1, 2)
    assert (player(game, BLUE)["health"], player(game, BLUE)["meeples"]) == (-1, 2)
    assert player(game, BLUE)["prestige"] == 5


def test_if_all_meeples_are_above_the_candle_one_comes_back_to_be_lost() -> None:
    """CA-34: for a white one, without a gift."""
    game = last_move(
        candle={BLUE: 3}, health={BLUE: 0}, gifts={"fish": 3}, left={RED: (1, 0, False), BLUE: (0, 0, False)}
    )
    end_actions(game)
    state = game.to_json()
    assert state["candle"] == {"white": 3, "own": [0, 2], "gifts": {"fish": 3}}
    assert (player(game, BLUE)["meeples"], player(game, BLUE)["white"]) == (2, 2)


def test_who_rests_neither_eats_nor_changes_health() -> None:
    """CA-35: by the board's place or tile 2."""
    game = last_move(resources={RED: {"fruit": 2}}, rests={BLUE: True}, slots={RED: ["construction 2"]})
    events = own(game, "activate", tile=2, of=RED)
    assert not [event for event in events if event.what == ev.NOT_FED]
    assert [player(game, seat)["health"] for seat in (RED, BLUE)] == [1, 1]
    assert has(game, RED) == {"fruit": 2}


@pytest.mark.parametrize(("slots", "kept"), [([], 3), (["construction 6"], 6)])
def test_at_most_three_fish_are_kept(slots: list[str], kept: int) -> None:
    """CA-36: six with tile 6."""
    game = last_move(slots={RED: slots}, resources={RED: {"fish": 9}})
    end_actions(game)
    assert has(game, RED)["fish"] == kept


# The end of a round


@pytest.mark.parametrize(
    ("candle", "events", "prestige"),
    [
        ({}, {}, [0, 0, 0]),
        ({RED: 1}, {}, [2, 0, 0]),
        ({RED: 1, BLUE: 2}, {}, [0, 2, 0]),
        ({RED: 1, BLUE: 1}, {}, [0, 0, 0]),
        ({RED: 1, BLUE: 1}, {BLUE: ["7"]}, [0, 2, 0]),
        ({RED: 1, BLUE: 1}, {YELLOW: ["7"]}, [0, 0, 0]),
    ],
)
def test_the_majority_above_the_candle_scores(candle: Any, events: Any, prestige: list[int]) -> None:
    """CA-37: nobody on a tie, but for the calumet."""
    left = {RED: (1, 0, False), BLUE: (0, 0, False), YELLOW: (0, 0, False)}
    game = last_move(3, candle=candle, events=events, left=left)
    end_actions(game)
    assert [player(game, seat)["prestige"] for seat in range(3)] == prestige


def test_the_council_ring_adds_to_the_majority() -> None:
    """CA-37: tile 26."""
    game = last_move(
        candle={RED: 1}, slots={RED: ["construction 26"]}, left={RED: (1, 0, False), BLUE: (0, 0, False)}
    )
    end_actions(game)
    assert player(game, RED)["prestige"] == 3


def test_everything_goes_home_and_the_event_is_discarded() -> None:
    """CA-38."""
    game = last_move(event="9", pile=["10"], candle={BLUE: 2}, tribe={BLUE: "met"}, places={"water": [BLUE]})
    end_actions(game)
    state = game.to_json()
    assert (state["event"], state["places"]) == ("10", {})
    assert player(game, BLUE)["left"] == {"own": 1, "white": 2, "compass": True}
    assert player(game, BLUE)["tribe"] is None
    assert "9" not in state["event_pile"]


# The end of the game


def test_the_game_ends_with_the_ships_round() -> None:
    """CA-39: the majority still scores, and order, places and markers stay."""
    game = last_move(
        event="ship",
        last_round=True,
        candle={RED: 1},
        markers=[BLUE, RED],
        left={RED: (1, 0, False), BLUE: (0, 0, False)},
    )
    end_actions(game)
    state = game.to_json()
    assert game.is_over
    assert (state["phase"], state["order"], state["event"]) == ("over", [RED, BLUE], "ship")
    assert state["places"] == {"water": [RED]}
    assert state["compass"]["markers"] == [BLUE, RED]
    assert player(game, RED)["prestige"] == 2


def test_the_game_ends_with_the_round_in_which_a_last_slot_is_covered() -> None:
    """CA-39, CA-4: it gives four prestige."""
    seven = [f"construction {number}" for number in (1, 2, 3, 4, 5, 6, 7)]
    game = last_move(slots={RED: seven}, experience={RED: {"construction": 1}}, resources={RED: {"liana": 2}})
    own(game, "build", tile=8)
    assert game.is_over
    assert game.to_json()["last_round"] is True
    assert player(game, RED)["prestige"] == 4


def finished(players: int = 2, **said: Any) -> Position:
    """A game that has just ended."""
    game = last_move(
        players, **{"event": "ship", "last_round": True, "rests": dict.fromkeys(range(4), True), **said}
    )
    end_actions(game)
    assert game.is_over
    return game


def parts(game: Position, seat: int) -> dict[str, int]:
    """A seat's points by what they are for, without the zeros."""
    return {name: points for name, points in game.breakdown()[seat].items() if points}


@pytest.mark.parametrize(
    ("tiles", "points"),
    [
        ([[1, 0, 1], [0, 0], [0]], 2),
        ([[1, 1, 1], [0, 0], [0]], 5),
        ([[1, 1, 1], [1, 1], [0]], 11),
        ([[1, 1, 1], [1, 1], [1]], 18),
    ],
)
def test_the_mystery_scores_by_tile_and_storey(tiles: Any, points: int) -> None:
    """CA-40."""
    assert parts(finished(mystery={RED: tiles}), RED)["mystery"] == points


def test_constructions_score_their_prestige_and_their_effects() -> None:
    """CA-40: mystery tiles, constructions, and event cards held, at most six."""
    game = finished(
        slots={RED: ["construction 30", "construction 31", "construction 32"], BLUE: ["construction 33"]},
        mystery={RED: [[1, 1, 0], [0, 0], [0]]},
        events={BLUE: ["1", "2", "3", "4"]},
        prestige={RED: 5},
    )
    assert parts(game, RED) == {
        "prestige": 5,
        "constructions": 25,
        "effects": 2 + 3,
        "mystery": 2,
        "points": 37,
    }
    assert parts(game, BLUE) == {"constructions": 8, "effects": 6, "points": 14}


@pytest.mark.parametrize(
    ("happiness", "points"),
    [
        ({RED: 5, BLUE: 3}, 6),
        ({RED: 5, BLUE: 5, YELLOW: 1}, 3),
        ({RED: 3, BLUE: 5, YELLOW: 1}, 3),
        ({RED: 3, BLUE: 5, YELLOW: 3}, 0),
        ({RED: 1, BLUE: 5, YELLOW: 3}, 0),
        ({RED: 0, BLUE: 0, YELLOW: 0}, 3),
        ({RED: 0, BLUE: 1, YELLOW: 0}, 0),
    ],
)
def test_a_miracle_scores_by_its_owners_rank(happiness: Any, points: int) -> None:
    """CA-41: a tie is worth the rank below; a count of 0 ranks like any other."""
    game = finished(3, slots={RED: ["miracle joy"]}, happiness=happiness)
    assert parts(game, RED).get("miracles", 0) == points


def test_a_miracle_may_score_for_everybody() -> None:
    """CA-41, read otherwise: all rank in what any miracle counts, whoever has it."""
    said = {
        "slots": {RED: ["miracle joy"], BLUE: ["miracle wisdom"]},
        "happiness": {RED: 1, BLUE: 5, YELLOW: 3},
    }
    ruled, majority = finished(3, **said), finished(3, **said, options={"miracles_for_all": True})
    assert [parts(ruled, seat).get("miracles", 0) for seat in (RED, BLUE, YELLOW)] == [0, 3, 0]
    assert [parts(majority, seat)["miracles"] for seat in (RED, BLUE, YELLOW)] == [3, 6 + 3, 3 + 3]
    assert majority.outcome is not None
    assert majority.outcome.points == (3, 9, 6)


@pytest.mark.parametrize(
    ("miracle", "said"),
    [
        ("abundance", {"resources": {BLUE: {"palm": 3}, RED: {"fish": 3, "bamboo": 2}}}),
        ("vigour", {"health": {RED: 3, BLUE: 2}}),
        ("wisdom", {"experience": {RED: {"fire": 1, "faith": 2}, BLUE: {"nature": 2}}}),
        ("builders", {"slots": {RED: ["miracle builders", "construction 1"]}}),
        ("spirits", {"candle": {RED: 1}, "left": {RED: (1, 0, False), BLUE: (0, 0, False)}}),
    ],
)
def test_each_miracle_counts_something(miracle: str, said: Any) -> None:
    """CA-41: abundance all six resources, wisdom the sum of the five levels."""
    game = finished(**{"slots": {RED: [f"miracle {miracle}"]}, **said})
    assert parts(game, RED)["miracles"] == 6


@pytest.mark.parametrize("markers", [[RED, BLUE, YELLOW], [YELLOW, BLUE, RED]])
def test_of_equals_the_nearest_to_compass_position_1_wins(markers: list[int]) -> None:
    """CA-42."""
    game = finished(3, prestige={RED: 9, BLUE: 9, YELLOW: 8}, markers=markers)
    assert game.outcome is not None
    assert game.outcome.points == (9, 9, 8)
    assert game.outcome.winners == (RED if markers[0] == RED else BLUE,)


def test_a_longer_effect_at_the_end_is_data() -> None:
    """CA-40: a tile of one's own that counts something else."""
    own_tile = variant(tile(30, at_end=[{"prestige": 3, "per": "happiness", "most": 10}]))
    game = last_move(
        components=own_tile,
        event="ship",
        last_round=True,
        slots={RED: ["construction 30"]},
        happiness={RED: 4},
    )
    end_actions(game)
    assert parts(game, RED)["effects"] == 10

"""Setup, the start of a round and the action phase: CA-1 to CA-28."""

from collections import Counter
from typing import Any

import pytest

from atoll.engine.chance import WORD
from atoll.text.errors import IllegalMove

from .positions import (
    BLUE,
    EVENTS,
    GAME,
    RED,
    YELLOW,
    asked,
    choices,
    end_actions,
    has,
    last_move,
    legal,
    own,
    play,
    player,
    position,
    white,
)


def started(players: int, seed: int, first: str = "random") -> Any:
    """A game with the boosts taken, `first` by whoever is asked first."""
    game = GAME.start(players, seed)
    if first in choices(game):
        play(game, "take boosts", choice=first)
    while not game.is_over and game.to_json()["phase"] != "action":
        play(game, **legal(game)[0])
    return game


# Goods and tracks


def test_there_are_six_resources_and_the_stock_is_limited() -> None:
    """CA-1: what is not in stock comes from a reserve without end."""
    game = position(stock={"fruit": 1}, experience={RED: {"nature": 4}})
    own(game, "gather")
    assert has(game, RED) == {"fruit": 1}
    own(game, "draw water")
    assert has(game, BLUE) == {"water": 2}


@pytest.mark.parametrize(("level", "prestige"), [(0, 0), (1, 0), (2, 1), (3, 2)])
def test_levels_three_and_four_score_when_reached(level: int, prestige: int) -> None:
    """CA-2."""
    game = position(experience={RED: {"nature": level}})
    play(game, "study", domain="nature")
    assert player(game, RED)["prestige"] == prestige
    assert player(game, RED)["experience"]["nature"] == level + 1


def test_fire_has_one_level_and_scores_nothing() -> None:
    """CA-2."""
    game = position()
    play(game, "study", domain="fire")
    assert (player(game, RED)["experience"]["fire"], player(game, RED)["prestige"]) == (1, 0)


@pytest.mark.parametrize(("before", "prestige"), [(0, 1), (2, 2), (4, 3), (6, 5), (8, 7), (9, 7), (10, 0)])
def test_thresholds_of_happiness_score_once_when_reached(before: int, prestige: int) -> None:
    """CA-2, CA-3, CA-22: two points; above ten they are lost, and Leisure may still be taken."""
    game = position(happiness={RED: before})
    own(game, "leisure")
    assert player(game, RED)["prestige"] == prestige
    assert player(game, RED)["happiness"] == min(before + 2, 10)


def test_slots_are_filled_in_order_and_their_bonus_is_given_when_covered() -> None:
    """CA-4: the second gives a level in construction."""
    game = position(
        experience={RED: {"construction": 1}}, resources={RED: {"liana": 9}}, slots={RED: ["construction 1"]}
    )
    own(game, "build", tile=8)
    assert player(game, RED)["slots"] == ["construction 1", "construction 8"]
    assert player(game, RED)["experience"]["construction"] == 2


# Setup


def test_the_first_players_boost_goes_to_somebody_who_is_first() -> None:
    """CA-5: then clockwise."""
    for seed in range(20):
        game = GAME.start(4, seed)
        [taker] = game.to_act
        play(game, "take boosts", choice="face up")
        while game.to_json()["phase"] != "action":
            assert game.to_json()["phase"] != "boost"  # who can only draw at random is not asked
            play(game, **legal(game)[0])
        assert game.to_json()["order"] == [(taker + turn) % 4 for turn in range(4)]
        assert has(game, taker).get("fish") == 1


def test_the_last_player_must_take_the_face_up_boost() -> None:
    """CA-5: without being asked."""
    game = GAME.start(3, 4)
    order = game.to_json()["order"]
    for seat in order[:2]:
        assert asked(game) == ("boost", seat)
        assert choices(game) == ["face up", "random"]
        play(game, "take boosts", choice="random")
        while game.to_json()["phase"] == "boost tile":
            play(game, **legal(game)[0])
    while game.to_json()["phase"] != "action":
        play(game, **legal(game)[0])
    assert game.to_json()["order"][0] == order[2]


def test_every_seat_may_be_first_to_take_boosts() -> None:
    """CA-5: a random seat."""
    assert {GAME.start(4, seed).to_act for seed in range(60)} == {(0,), (1,), (2,), (3,)}


def test_each_player_starts_with_three_meeples_on_the_first_level() -> None:
    """CA-6."""
    state = GAME.start(4, 1).to_json()
    assert all((seat["meeples"], seat["health"]) == (3, 1) for seat in state["players"])
    assert state["candle"] == {"white": 5, "own": [0, 0, 0, 0], "gifts": {}}


def test_the_ship_is_one_of_the_last_three_of_thirteen_events() -> None:
    """CA-7: two others are in the box."""
    places: Counter[int] = Counter()
    for seed in range(90):
        pile = GAME.start(2, seed).to_json()["event_pile"]
        assert len(pile) == len(set(pile)) == 13
        assert set(pile) <= set(EVENTS)
        places[pile.index("ship")] += 1
    assert set(places) == {10, 11, 12}
    assert min(places.values()) > 18


def test_the_fishing_cards_are_shuffled() -> None:
    """CA-8."""
    piles = {tuple(GAME.start(2, seed).to_json()["fishing_pile"]) for seed in range(30)}
    assert all(sorted(pile) == [1, 2, 3, 4, 5, 6, 7] for pile in piles)
    assert len(piles) > 25


# Start of a round


def test_a_round_adds_lots_refills_the_stock_and_pays_incomes() -> None:
    """CA-9: the lots join what lies there."""
    game = last_move(
        pile=["1"],
        lots={"fish": 2, "palm": 1, "bamboo": 3},
        stock={"bamboo": 0, "fruit": 2},
        slots={BLUE: ["construction 3"]},
        resources={RED: {"fruit": 1}, BLUE: {"fruit": 1, "water": 1}},
    )
    end_actions(game)
    play(game, "take lot", choice="fish")
    play(game, "take lot", choice="palm")
    state = game.to_json()
    assert (state["round"], state["event"]) == (2, "1")
    assert state["compass"]["lots"] == {"bamboo": 3, "water": 2, "liana": 1, "fruit": 1}
    assert state["stock"] == {"bamboo": 5, "liana": 5, "palm": 5, "fruit": 8}
    assert has(game, BLUE)["water"] == 1


def test_with_the_ship_the_last_round_begins() -> None:
    """CA-10."""
    game = last_move(pile=["ship"])
    end_actions(game)
    assert game.to_json()["event"] == "ship"
    assert game.to_json()["last_round"] is True


# The action phase


def test_players_place_in_turn_order_until_nobody_has_anything_left() -> None:
    """CA-11: who has nothing left is skipped, nobody may pass."""
    game = position(
        3, order=[RED, YELLOW, BLUE], left={RED: (2, 0, False), BLUE: (1, 0, False), YELLOW: (0, 0, True)}
    )
    assert not legal(game, "pass")
    own(game, "draw water")
    assert asked(game) == ("action", YELLOW)
    play(game, "place compass", position=1)
    assert asked(game) == ("action", BLUE)
    own(game, "draw water")
    assert asked(game) == ("action", RED)


def test_places_are_limited_and_one_player_may_take_several() -> None:
    """CA-12."""
    game = position(places={"fishing": [RED]}, left={RED: (3, 0, True), BLUE: (0, 0, False)})
    own(game, "fish")
    assert game.to_json()["places"]["fishing"] == [RED, RED]
    assert not legal(game, "fish")


def test_the_compass_marker_is_placed_once_on_a_free_position() -> None:
    """CA-13: as many positions as players."""
    game = position(3, markers=[None, BLUE, None])
    assert [move["position"] for move in legal(game, "place compass")] == [1, 3]
    play(game, "place compass", position=3)
    assert game.to_json()["compass"]["markers"] == [None, BLUE, RED]
    assert asked(game) == ("action", BLUE)
    assert player(game, RED)["left"]["compass"] is False


def test_the_compass_marker_may_be_placed_beside_a_meeple() -> None:
    """CA-13, read otherwise: the turn goes on, and ends with the meeple; without one left it ends with the marker."""
    left = {RED: (1, 0, True), BLUE: (1, 0, True)}
    game = position(left=left, options={"free_compass": True})
    play(game, "place compass", position=2)
    assert asked(game) == ("action", RED)
    assert not legal(game, "place compass")
    own(game, "draw water")
    assert asked(game) == ("action", BLUE)
    own(game, "draw water")
    assert asked(game) == ("action", BLUE)
    assert [move["do"] for move in legal(game)] == ["place compass"]
    game = position(left={RED: (0, 0, True), BLUE: (1, 0, True)}, options={"free_compass": True})
    play(game, "place compass", position=2)
    assert asked(game) == ("action", BLUE)
    game = position(left=left)
    play(game, "place compass", position=2)
    assert asked(game) == ("action", BLUE)


def test_the_compass_marker_may_come_after_the_last_meeple() -> None:
    """CA-13, read otherwise (“at any time”): in the same turn once all is done that the meeple brings, or later."""
    left = {RED: (1, 0, True), BLUE: (1, 0, True)}
    free = {"free_compass": True}
    game = position(left=left, resources={RED: {"fruit": 1}}, options=free)
    own(game, "explore", resource="palm")
    assert asked(game) == ("fruit", RED)
    play(game, "spend fruit", choice="yes")
    assert asked(game) == ("marker", RED)
    assert choices(game) == ["yes", "no"]
    later = game.copy()
    play(game, "place compass now", choice="yes")
    assert asked(game) == ("action", RED)
    assert [(move["do"], move["position"]) for move in legal(game)] == [
        ("place compass", 1),
        ("place compass", 2),
    ]
    play(game, "place compass", position=2)
    assert asked(game) == ("action", BLUE)
    play(later, "place compass now", choice="no")
    assert asked(later) == ("action", BLUE)
    play(later, "place compass", position=1)
    own(later, "draw water")  # Blue's marker is placed, so nothing is asked
    assert asked(later) == ("action", RED)
    assert [move["position"] for move in legal(later)] == [2]
    ruled = position(left=left)
    own(ruled, "draw water")
    assert asked(ruled) == ("action", BLUE)


def test_who_is_asked_for_the_marker_has_others_to_wait_for_and_no_meeple_left() -> None:
    """CA-13, CA-24: a white meeple is one; with nobody else to wait for the marker is placed at once."""
    free = {"free_compass": True}
    game = position(left={RED: (2, 0, True), BLUE: (1, 0, True)}, options=free)
    own(game, "draw water")
    assert asked(game) == ("action", BLUE)
    meets = position(left={RED: (1, 0, True), BLUE: (1, 0, True)}, resources={RED: {"palm": 1}}, options=free)
    play(meets, "meet tribe", gift="palm")
    assert asked(meets) == ("action", BLUE)
    last = position(left={RED: (1, 0, True), BLUE: (0, 0, False)}, markers=[BLUE, None], options=free)
    own(last, "draw water")
    assert asked(last) == ("action", RED)


@pytest.mark.parametrize(("places", "found"), [({}, 2), ({"exploration palm": [BLUE]}, 1)])
def test_the_first_explorer_takes_two_and_the_second_one(places: Any, found: int) -> None:
    """CA-14."""
    game = position(places=places)
    own(game, "explore", resource="palm")
    assert has(game, RED) == {"palm": found}


def test_an_explorer_may_spend_a_fruit_for_one_more() -> None:
    """CA-14."""
    for choice, resources in (("yes", {"bamboo": 3}), ("no", {"bamboo": 2, "fruit": 1})):
        game = position(resources={RED: {"fruit": 1}})
        own(game, "explore", resource="bamboo")
        assert asked(game) == ("fruit", RED)
        play(game, "spend fruit", choice=choice)
        assert has(game, RED) == resources


def test_explorers_never_take_more_than_the_stock_holds() -> None:
    """CA-14: and an empty one cannot be explored."""
    game = position(resources={RED: {"fruit": 1}}, stock={"bamboo": 1, "palm": 0})
    assert {move["resource"] for move in legal(game, "explore")} == {"bamboo", "liana"}
    own(game, "explore", resource="bamboo")
    assert has(game, RED) == {"bamboo": 1, "fruit": 1}
    assert asked(game) == ("action", BLUE)


@pytest.mark.parametrize(("slots", "found"), [([], 3), (["construction 7"], 4)])
def test_event_1_gives_the_extra_without_a_fruit(slots: list[str], found: int) -> None:
    """CA-14: two with tile 7."""
    game = position(events={RED: ["1"]}, slots={RED: slots}, resources={RED: {"fruit": 2}})
    own(game, "explore", resource="liana")
    assert has(game, RED) == {"liana": found, "fruit": 2}


def test_a_construction_needs_its_level_and_its_price() -> None:
    """CA-15: one resource less for the first to arrive."""
    game = position(experience={RED: {"construction": 1}}, resources={RED: {"liana": 2, "bamboo": 1}})
    tiles = {move["tile"] for move in legal(game, "build")}
    assert tiles == {4, 5, 7, 8, 9}  # one resource short at most
    assert not legal(position(resources={RED: {"liana": 9}}), "build")


def test_the_second_builder_pays_the_whole_price() -> None:
    """CA-15."""
    game = position(
        experience={RED: {"construction": 1}}, resources={RED: {"liana": 3}}, places={"construction": [BLUE]}
    )
    assert {move["tile"] for move in legal(game, "build")} == {8}
    own(game, "build", tile=8)
    assert has(game, RED) == {}
    assert player(game, RED)["slots"] == ["construction 8"]


def test_the_spared_resource_is_a_choice_that_leaves_the_tile_payable() -> None:
    """CA-15: woven mat, 1 liana and 2 palm leaves."""
    game = position(experience={RED: {"construction": 1}}, resources={RED: {"liana": 1, "palm": 2}})
    own(game, "build", tile=1)
    assert (asked(game), choices(game)) == (("discount", RED), ["liana", "palm"])
    play(game, "spare", choice="liana")
    assert has(game, RED) == {"liana": 1}
    assert player(game, RED)["happiness"] == 2
    short = position(experience={RED: {"construction": 1}}, resources={RED: {"liana": 1, "palm": 1}})
    own(short, "build", tile=1)  # only a palm leaf can be spared
    assert has(short, RED) == {}


def test_discounts_add_up_and_events_reduce_first() -> None:
    """CA-15: event 3 and the workshop for a second arrival."""
    game = position(
        experience={RED: {"construction": 1}},
        events={RED: ["3"]},
        slots={RED: ["construction 15"]},
        resources={RED: {"palm": 1}},
        places={"construction": [BLUE]},
    )
    assert 1 in {move["tile"] for move in legal(game, "build")}
    own(game, "build", tile=1)  # 1 liana less, and 1 of the palm leaves
    assert has(game, RED) == {}


def test_without_a_free_slot_nothing_is_built() -> None:
    """CA-15."""
    full = [f"construction {number}" for number in range(1, 9)]
    game = position(
        experience={RED: {"construction": 4}},
        slots={RED: full},
        resources={RED: dict.fromkeys(("palm", "liana"), 9)},
    )
    assert not legal(game, "build")


@pytest.mark.parametrize("level", range(5))
def test_gathering_takes_fruit_by_the_level_in_nature(level: int) -> None:
    """CA-16: one more with tile 4."""
    game = position(experience={RED: {"nature": level}}, slots={BLUE: ["construction 4"]})
    own(game, "gather")
    assert has(game, RED) == {"fruit": level + 1}
    own(game, "gather")
    assert has(game, BLUE) == {"fruit": 2}


def test_gathering_has_no_limit_but_the_stock() -> None:
    """CA-16."""
    assert legal(position(places={"gathering": [BLUE] * 5}), "gather")
    assert not legal(position(stock={"fruit": 0}), "gather")


def test_the_source_gives_two_water_without_limit() -> None:
    """CA-17."""
    game = position(places={"water": [BLUE] * 6})
    own(game, "draw water")
    assert has(game, RED) == {"water": 2}


def test_the_mystery_needs_fire_and_one_place_a_round() -> None:
    """CA-18."""
    assert not legal(position(), "solve mystery")
    fire = {RED: {"fire": 1}, BLUE: {"fire": 1}}
    game = position(experience=fire)
    assert {(move["storey"], move["design"]) for move in legal(game, "solve mystery")} == {
        (1, 0),
        (1, 1),
        (1, 2),
    }
    play(game, "solve mystery", storey=1, design=2, own=1, white=0)
    assert player(game, RED)["mystery"] == [[0, 0, 1], [0, 0], [0]]
    assert game.to_json()["mystery"][0] == [3, 3, 2]
    assert not legal(game, "solve mystery")


def test_the_mystery_is_a_pyramid_of_designs_that_one_does_not_have() -> None:
    """CA-18: with any split of own and white meeples, each of which counts as placed."""
    game = position(
        experience={RED: {"fire": 1}},
        mystery={RED: [[1, 1, 1], [1, 0], [0]]},
        candle={RED: 1},
        tribe={RED: "met"},
    )
    moves = legal(game, "solve mystery")
    assert {(move["storey"], move["design"]) for move in moves} == {(2, 1)}
    assert {(move["own"], move["white"]) for move in moves} == {(1, 1), (2, 0)}
    play(game, "solve mystery", storey=2, design=1, own=1, white=1)
    assert game.to_json()["places"]["mystery"] == [RED, RED]
    assert player(game, RED)["left"] == {"own": 1, "white": 0, "compass": True}


def test_the_mystery_may_be_solved_from_any_storey() -> None:
    """CA-18, read otherwise (“the level that the player wishes”): a design still but once, and a storey its meeples."""
    said: Any = {"experience": {RED: {"fire": 1}}, "mystery": {RED: [[0, 1, 0], [0, 0], [0]]}}
    assert {move["storey"] for move in legal(position(**said), "solve mystery")} == {1}
    game = position(**said, options={"any_storey": True})
    assert {(move["storey"], move["design"], move["own"]) for move in legal(game, "solve mystery")} == {
        *((1, 0, 1), (1, 2, 1), (2, 0, 2), (2, 1, 2), (3, 0, 3)),
    }
    play(game, "solve mystery", storey=3, design=0, own=3, white=0)
    assert player(game, RED)["mystery"] == [[0, 1, 0], [0, 0], [1]]
    game.check()
    few = position(left={RED: (2, 0, True)}, **said, options={"any_storey": True})
    assert {move["storey"] for move in legal(few, "solve mystery")} == {1, 2}


def test_prayer_needs_faith_and_moves_up_by_it() -> None:
    """CA-19: one may stay."""
    assert not legal(position(), "pray")
    game = position(experience={RED: {"faith": 3}})
    own(game, "pray")
    assert player(game, RED)["favour"] == 3  # while the question is open the marker stands there
    assert choices(game) == ["stay", "A", "B", "C"]
    play(game, "choose favour", choice="stay")
    assert player(game, RED)["favour"] == 3


def test_a_favour_of_any_step_passed_or_reached_sends_the_marker_back() -> None:
    """CA-19: the step where it stood is not passed."""
    game = position(experience={RED: {"faith": 2}}, favour={RED: 2})
    own(game, "pray")
    assert choices(game) == ["stay", "C", "D"]
    play(game, "choose favour", choice="D")
    assert (player(game, RED)["favour"], has(game, RED)) == (0, {"fish": 2})


def test_on_the_last_step_one_takes_its_favour_or_stays() -> None:
    """CA-19."""
    game = position(experience={RED: {"faith": 4}}, favour={RED: 8})
    own(game, "pray")
    assert choices(game) == ["stay", "H"]
    play(game, "choose favour", choice="H")
    assert player(game, RED)["prestige"] == 4


def test_the_altar_adds_a_step() -> None:
    """CA-19: tile 18, which does not replace faith."""
    game = position(experience={RED: {"faith": 1}}, slots={RED: ["construction 18"]})
    own(game, "pray")
    assert player(game, RED)["favour"] == 2
    assert not legal(position(slots={RED: ["construction 18"]}), "pray")


@pytest.mark.parametrize(
    ("step", "gained"),
    [("A", {"fish": 1}), ("C", {}), ("D", {"fish": 2}), ("F", {})],
)
def test_favours_give_fish_and_prestige(step: str, gained: dict[str, int]) -> None:
    """CA-20."""
    game = position(experience={RED: {"faith": 4}}, favour={RED: 0 if step < "E" else 4})
    own(game, "pray")
    play(game, "choose favour", choice=step)
    assert has(game, RED) == gained
    assert player(game, RED)["prestige"] == {"C": 1, "F": 2}.get(step, 0)


@pytest.mark.parametrize(("step", "count"), [("B", 2), ("E", 4)])
def test_favours_of_cubes_are_choices_one_by_one(step: str, count: int) -> None:
    """CA-20, CA-9: all but fish."""
    game = position(experience={RED: {"faith": 4}}, favour={RED: 0 if step < "E" else 3})
    own(game, "pray")
    play(game, "choose favour", choice=step)
    for _ in range(count):
        assert choices(game) == ["bamboo", "liana", "palm", "fruit", "water"]
        play(game, "take cube", choice="palm")
    assert has(game, RED) == {"palm": count}
    assert asked(game) == ("action", BLUE)


def test_favour_g_gives_a_miracle_if_there_is_one_and_a_free_slot() -> None:
    """CA-19, CA-20."""
    game = position(experience={RED: {"faith": 4}}, favour={RED: 3})
    own(game, "pray")
    play(game, "choose favour", choice="G")
    assert asked(game) == ("miracle", RED)
    play(game, "take miracle", choice="wisdom")
    assert player(game, RED)["slots"] == ["miracle wisdom"]
    assert "wisdom" not in game.to_json()["miracles"]
    full = [f"construction {number}" for number in range(1, 9)]
    game = position(experience={RED: {"faith": 4}}, favour={RED: 3}, slots={RED: full})
    own(game, "pray")
    assert choices(game) == ["stay", "D", "E", "F"]


def test_study_has_two_free_places_and_a_third_for_a_fruit() -> None:
    """CA-21: in a domain that is not complete."""
    both = {"study": [BLUE, BLUE]}
    assert not legal(position(places=both), "study")
    game = position(places=both, resources={RED: {"fruit": 1}}, experience={RED: {"fire": 1}})
    assert [move["domain"] for move in legal(game, "study")] == ["fishing", "nature", "construction", "faith"]
    play(game, "study", domain="faith")
    assert (has(game, RED), player(game, RED)["experience"]["faith"]) == ({}, 1)
    assert not legal(position(places={"study": [BLUE] * 3}, resources={RED: {"fruit": 9}}), "study")


def test_leisure_and_rest_have_one_place() -> None:
    """CA-22."""
    game = position(places={"leisure": [BLUE], "rest": [BLUE]})
    assert not legal(game, "leisure")
    assert not legal(game, "rest")
    game = position()
    own(game, "rest")
    assert player(game, RED)["rests"] is True


@pytest.mark.parametrize("card", ["1", "2", "3", "4", "6", "7", "8"])
def test_cards_with_an_effect_to_come_stay_with_the_player(card: str) -> None:
    """CA-23."""
    game = position(event=card)
    own(game, "take event")
    assert player(game, RED)["events"] == [card]
    assert game.to_json()["event"] is None
    assert not legal(game, "take event")


@pytest.mark.parametrize(
    ("card", "prestige", "gained"),
    [
        ("9", 2, {}),
        ("10", 3, {}),
        ("11", 4, {}),
        ("13", 0, {"water": 3, "fruit": 1}),
        ("14", 0, {"fish": 2, "fruit": 2}),
        ("ship", 4, {}),
    ],
)
def test_cards_that_work_at_once_leave_the_game(card: str, prestige: int, gained: dict[str, int]) -> None:
    """CA-23."""
    game = position(event=card, last_round=card == "ship")
    own(game, "take event")
    assert (player(game, RED)["prestige"], has(game, RED)) == (prestige, gained)
    assert player(game, RED)["events"] == []


def test_event_12_gives_three_building_resources_of_ones_choice() -> None:
    """CA-23."""
    game = position(event="12")
    own(game, "take event")
    for resource in ("palm", "palm", "liana"):
        assert choices(game) == ["bamboo", "liana", "palm"]
        play(game, "take cube", choice=resource)
    assert has(game, RED) == {"palm": 2, "liana": 1}


def test_the_look_out_scores_for_event_cards() -> None:
    """CA-23: tile 17."""
    game = position(event="9", slots={RED: ["construction 17"]})
    own(game, "take event")
    assert player(game, RED)["prestige"] == 3


def test_meeting_the_tribe_costs_a_meeple_and_a_gift() -> None:
    """CA-24: fish too; the white meeple may be placed in this round."""
    game = position(resources={RED: {"fish": 1, "palm": 2}})
    assert [move["gift"] for move in legal(game, "meet tribe")] == ["palm", "fish"]
    play(game, "meet tribe", gift="fish")
    state = game.to_json()
    assert state["candle"] == {"white": 4, "own": [1, 0], "gifts": {"fish": 1}}
    assert player(game, RED)["left"] == {"own": 2, "white": 1, "compass": True}
    assert (player(game, RED)["white"], player(game, RED)["tribe"]) == (1, "met")
    assert asked(game) == ("action", BLUE)


def test_the_tribe_is_not_met_without_a_gift_or_a_white_meeple() -> None:
    """CA-24: tile 10 needs none."""
    assert not legal(position(), "meet tribe")
    assert not legal(position(resources={RED: {"palm": 1}}, candle={BLUE: 3, RED: 2}), "meet tribe")
    game = position(slots={RED: ["construction 10"]}, resources={RED: {"palm": 1}})
    assert legal(game, "meet tribe") == [{"do": "meet tribe", "gift": None}]
    play(game, "meet tribe", gift=None)
    assert has(game, RED) == {"palm": 1}


def test_a_white_meeple_goes_back_for_an_own_one_and_a_gift() -> None:
    """CA-25: then the tribe is not met again in this round."""
    game = position(candle={RED: 2}, gifts={"fruit": 1, "water": 1}, resources={RED: {"palm": 3}})
    assert [move["take"] for move in legal(game, "leave tribe")] == ["fruit", "water"]
    play(game, "leave tribe", take="water")
    assert game.to_json()["candle"] == {"white": 4, "own": [1, 0], "gifts": {"fruit": 1}}
    assert player(game, RED)["left"] == {"own": 2, "white": 1, "compass": True}
    own(game, "draw water")
    assert not legal(game, "meet tribe")
    assert legal(game, "leave tribe")


def test_from_an_empty_candle_nothing_is_taken_back() -> None:
    """CA-25."""
    game = position(candle={RED: 1})
    assert legal(game, "leave tribe") == [{"do": "leave tribe", "take": None}]


def test_white_meeples_do_useful_things_alone() -> None:
    """CA-26: no rest, leisure, study, prayer or tribe; everything else of the board."""
    game = position(
        candle={RED: 3},
        event="9",
        experience={RED: {"fire": 1, "faith": 1, "construction": 1}},
        resources={RED: {"liana": 3}},
        slots={RED: ["construction 11", "construction 25"]},
    )
    moves = legal(game)
    done = {move["do"] for move in moves if move.get("with") == "white"}
    assert done == {"explore", "build", "gather", "draw water", "fish", "take event", "activate"}
    assert {"solve mystery", "leave tribe", "place compass"} <= {move["do"] for move in moves}
    assert not {"study", "pray", "rest", "leisure", "meet tribe"} & {move["do"] for move in moves}
    assert [move["tile"] for move in moves if move["do"] == "activate"] == [11]


def test_others_constructions_are_open_to_white_meeples_and_their_effect_is_ones_own() -> None:
    """CA-26: marked "use", not "own use"."""
    left = {RED: (0, 2, False), BLUE: (0, 0, False)}
    game = position(candle={RED: 2}, slots={BLUE: ["construction 11", "construction 8"]}, left=left)
    assert legal(game, "activate") == [{"do": "activate", "tile": 11, "of": BLUE, "with": "white"}]
    white(game, "activate", tile=11, of=BLUE)
    assert (has(game, RED), has(game, BLUE)) == ({"water": 3}, {})
    assert game.to_json()["places"] == {"construction 11 of 1": [RED]}
    assert not legal(game, "activate")


@pytest.mark.parametrize(("level", "fish"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3)])
def test_fish_are_caught_by_level(level: int, fish: int) -> None:
    """CA-27: card 2."""
    game = position(fishing=[2, 7], experience={RED: {"fishing": level}})
    own(game, "fish")
    assert has(game, RED) == ({"fish": fish} if fish else {})
    assert game.to_json()["fishing_pile"] == [7]


def test_a_fishing_cards_extra_comes_after_the_fish() -> None:
    """CA-27: a level, or prestige."""
    game = position(fishing=[5, 6, 7])
    own(game, "fish")
    assert (has(game, RED), player(game, RED)["experience"]["fishing"]) == ({"fish": 1}, 1)
    own(game, "fish")
    assert player(game, BLUE)["prestige"] == 1


def test_the_arrow_reshuffles_all_cards_afterwards() -> None:
    """CA-27."""
    piles: set[tuple[int, ...]] = set()
    for _ in range(10):
        game = position(fishing=[7, 1])
        game.state.generator[WORD] += len(piles) + 1
        own(game, "fish")
        assert has(game, RED) == {"fish": 1}
        piles.add(tuple(game.to_json()["fishing_pile"]))
        assert sorted(game.to_json()["fishing_pile"]) == [1, 2, 3, 4, 5, 6, 7]
    assert len(piles) > 1


def test_event_6_doubles_the_cards_fish_only_and_is_used_up() -> None:
    """CA-27: not tile 5's, and it is offered before the card is seen."""
    said: Any = {"events": {RED: ["6"]}, "slots": {RED: ["construction 5"]}, "fishing": [3, 4, 7]}
    game = position(**said)
    own(game, "fish")
    assert asked(game) == ("double", RED)
    play(game, "double fishing", choice="yes")
    assert (has(game, RED), player(game, RED)["events"]) == ({"fish": 3}, [])
    game = position(**said)
    own(game, "fish")
    play(game, "double fishing", choice="no")
    assert (has(game, RED), player(game, RED)["events"]) == ({"fish": 2}, ["6"])


def test_the_raft_is_fishing_in_every_respect() -> None:
    """CA-27: tile 12."""
    game = position(slots={RED: ["construction 12", "construction 5"]}, events={RED: ["6"]}, fishing=[3, 7])
    own(game, "activate", tile=12, of=RED)
    play(game, "double fishing", choice="yes")
    assert has(game, RED) == {"fish": 3}


@pytest.mark.parametrize(("tile", "gained"), [(11, {"water": 3}), (13, {"fruit": 3}), (23, {"fish": 2})])
def test_constructions_are_used_by_a_meeple(tile: int, gained: dict[str, int]) -> None:
    """CA-28: once a round."""
    game = position(slots={RED: [f"construction {tile}"]})
    own(game, "activate", tile=tile, of=RED)
    assert has(game, RED) == gained
    own(game, "draw water")
    assert not legal(game, "activate")


@pytest.mark.parametrize(
    ("tile", "said"),
    [
        (14, {"resources": {RED: {"fish": 1}}}),
        (22, {}),
        (24, {}),
        (27, {"experience": {RED: {"faith": 1}}}),
        (28, {"experience": {RED: {"construction": 1}}, "resources": {RED: {"liana": 3}}}),
    ],
)
def test_some_constructions_need_something(tile: int, said: Any) -> None:
    """CA-28: a fish, an incomplete domain, stock, faith, a payable tile."""
    slots = {RED: [f"construction {tile}"]}
    assert legal(position(slots=slots, **said), "activate")
    nothing: Any = {
        22: {"experience": {RED: {"fire": 1, "fishing": 4, "nature": 4, "construction": 4, "faith": 4}}},
        24: {"stock": {"bamboo": 0, "liana": 0, "palm": 0}},
    }
    assert not legal(position(slots=slots, **nothing.get(tile, {})), "activate")


def test_the_smokehouse_changes_a_fish_into_three_fruits() -> None:
    """CA-28."""
    game = position(slots={RED: ["construction 14"]}, resources={RED: {"fish": 1}})
    own(game, "activate", tile=14, of=RED)
    assert has(game, RED) == {"fruit": 3}


def test_the_study_hut_the_sanctuary_and_the_bridge_ask_as_the_actions_do() -> None:
    """CA-28."""
    game = position(
        slots={RED: ["construction 22", "construction 27", "construction 24"]}, experience={RED: {"faith": 1}}
    )
    own(game, "activate", tile=22, of=RED)
    assert choices(game) == ["fire", "fishing", "nature", "construction", "faith"]
    play(game, "learn", choice="faith")
    own(game, "draw water")
    own(game, "activate", tile=27, of=RED)
    assert choices(game) == ["stay", "A", "B"]
    play(game, "choose favour", choice="stay")
    own(game, "draw water")
    own(game, "activate", tile=24, of=RED)
    assert choices(game) == ["bamboo", "liana", "palm"]
    play(game, "choose spot", choice="liana")
    assert has(game, RED)["liana"] == 2


def test_the_great_workshop_builds_without_the_first_arrivals_discount() -> None:
    """CA-28, and CA-4, CA-15 with tile 15."""
    said: Any = {"experience": {RED: {"construction": 1}}, "resources": {RED: {"liana": 2}}}
    assert not legal(position(slots={RED: ["construction 28"]}, **said), "activate")
    game = position(slots={RED: ["construction 28", "construction 15"]}, **said)
    own(game, "activate", tile=28, of=RED)
    assert asked(game) == ("tile", RED)
    play(game, "choose tile", choice=8)
    assert player(game, RED)["slots"][-1] == "construction 8"
    assert has(game, RED) == {}


def test_a_tile_may_be_used_in_the_round_it_is_built() -> None:
    """CA-28."""
    game = position(experience={RED: {"construction": 1}}, resources={RED: {"liana": 3}})
    own(game, "build", tile=8)
    own(game, "draw water")
    assert legal(game, "activate") == [{"do": "activate", "tile": 8, "of": RED, "with": "own"}]


def test_an_action_out_of_turn_or_without_its_need_is_refused() -> None:
    """CA-11: naming what is legal."""
    game = position()
    with pytest.raises(IllegalMove, match="nothing to decide"):
        game.play(BLUE, {"do": "draw water", "with": "own"})
    with pytest.raises(IllegalMove, match="is not legal now"):
        game.play(RED, {"do": "pray", "with": "own"})


def test_the_boosts_are_applied_as_they_are_taken() -> None:
    """CA-5: every boost gives its level or tile and its resource."""
    found: set[str] = set()
    for seed in range(12):
        game = started(4, seed)
        for seat in range(4):
            state = player(game, seat)
            found |= {name for name, level in state["experience"].items() if level}
            found |= {"mystery"} if any(state["mystery"][0]) else set()
            found |= {"prestige"} if state["prestige"] == 2 else set()
            assert sum(state["resources"].values()) == 2
    assert found == {"fire", "fishing", "nature", "construction", "faith", "mystery", "prestige"}


def test_the_mystery_boost_gives_any_design_or_the_first() -> None:
    """CA-5: read otherwise (“the 1st”) without a question."""
    for options, designs in (({}, [0, 1, 2]), ({"boost_of_first_design": True}, [])):
        offered: list[int] = []
        for seed in range(8):
            game = GAME.start(2, seed, options=options)
            while game.to_json()["phase"] in ("boost", "boost tile"):
                if game.to_json()["phase"] == "boost tile":
                    offered = choices(game)
                play(game, **legal(game)[-1])
            owners = [state["mystery"][0] for state in game.to_json()["players"] if any(state["mystery"][0])]
            if owners:
                assert owners == ([[0, 0, 1]] if designs else [[1, 0, 0]])
        assert offered == designs

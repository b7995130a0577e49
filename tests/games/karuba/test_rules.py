"""The course of the game: KA-1 to KA-8."""

import random
from itertools import combinations, permutations

import numpy as np
import pytest

from atoll.core.game import Position
from atoll.games.karuba import rules
from atoll.games.karuba.events import CARD_DISCARDED, CARD_REVEALED
from atoll.games.karuba.state import COLOURS
from atoll.text.errors import IllegalMove

from .positions import (
    CARDS,
    CLAUDIA,
    GAME,
    TINA,
    choose,
    discard,
    island,
    lay,
    laying,
    of,
    places,
    player,
    position,
    waiting,
)


def two(claudia: tuple[int, int, int], tina: tuple[int, int, int]) -> Position:
    """The first choice of two players with these hands."""
    return position(player(hand=claudia), player(hand=tina))


# Components and setup


def test_everyone_has_the_same_16_cards_four_adventurers_four_temples_and_eight_paths():
    """KA-1."""
    cards = GAME.components().data["cards"]
    assert len(cards) == 16
    assert [card.get("adventurer") for card in cards] == [None] * 8 + list(COLOURS) + [None] * 4
    assert [card.get("temple") for card in cards] == [None] * 12 + list(COLOURS)
    state = GAME.start(6, 1).to_json()
    assert all(sorted(seat["hand"] + seat["pile"]) == list(CARDS) for seat in state["players"])


@pytest.mark.parametrize("players", range(2, 7))
def test_everyone_shuffles_their_own_cards_and_draws_three(players: int):
    """KA-3."""
    state = GAME.start(players, 1).to_json()
    assert state["phase"] == "choose"
    assert state["to_act"] == list(range(players))
    assert all(len(seat["hand"]) == 3 and len(seat["pile"]) == 13 for seat in state["players"])
    assert len({tuple(seat["pile"]) for seat in state["players"]}) == players


def test_every_card_comes_up_first_equally_often():
    """KA-3."""
    tops = [of(GAME.start(2, seed), seat)["pile"][0] for seed in range(500) for seat in range(2)]
    counts = np.bincount(tops, minlength=17)[1:]
    assert counts.min() > 35
    assert counts.max() < 95


# Select cards


def test_any_two_of_the_three_cards_can_be_chosen():
    """KA-4."""
    where = two((3, 9, 16), (1, 2, 4))
    chosen = [move["cards"] for move in where.legal_moves(CLAUDIA)]
    assert chosen == [list(pair) for pair in combinations((3, 9, 16), 2)]


def test_chosen_cards_leave_the_hand_and_wait():
    """KA-4."""
    where = two((3, 9, 16), (1, 2, 4))
    choose(where, CLAUDIA, 3, 16)
    assert of(where, CLAUDIA)["hand"] == [9]
    assert of(where, CLAUDIA)["chosen"] == [3, 16]
    assert of(where, CLAUDIA)["to_lay"] == []
    assert waiting(where) == [TINA]
    assert where.to_json()["phase"] == "choose"


def test_nobody_chooses_twice():
    """KA-4."""
    where = two((3, 9, 16), (1, 2, 4))
    choose(where, CLAUDIA, 3, 16)
    with pytest.raises(IllegalMove):
        choose(where, CLAUDIA, 3, 9)


def test_the_last_choice_reveals_all():
    """KA-4."""
    where = two((3, 9, 16), (1, 2, 4))
    assert not any(event.what == CARD_REVEALED for event in choose(where, TINA, 1, 2))
    shown = [event for event in choose(where, CLAUDIA, 3, 9) if event.what == CARD_REVEALED]
    assert [(event.whose, event.piece) for event in shown] == [(0, 3), (0, 9), (1, 1), (1, 2)]


def test_a_choice_may_be_taken_back_until_the_last_and_nothing_else_may():
    """KA-4."""
    where = two((3, 9, 16), (1, 2, 4))
    assert rules.replaceable(where.state)
    choose(where, CLAUDIA, 3, 9)
    assert rules.replaceable(where.state)
    choose(where, TINA, 1, 2)
    assert not rules.replaceable(where.state)
    discard(where, TINA, 1)
    assert not rules.replaceable(where.state)


# The lowest sum


def test_claudia_with_16_discards_and_tina_with_20_does_not():
    """KA-5, the rulebook's example."""
    where = two((4, 12, 1), (5, 15, 2))
    choose(where, CLAUDIA, 4, 12)
    choose(where, TINA, 5, 15)
    assert where.to_json()["phase"] == "discard"
    assert waiting(where) == [CLAUDIA]
    assert [move["card"] for move in where.legal_moves(CLAUDIA)] == [4, 12]
    discard(where, CLAUDIA, 4)
    assert of(where, CLAUDIA)["discarded"] == [4]
    assert of(where, CLAUDIA)["to_lay"] == [12]
    assert of(where, TINA)["to_lay"] == [5, 15]
    assert where.to_json()["phase"] == "lay"


def test_all_who_share_the_lowest_sum_discard_and_nobody_lays_before_the_last():
    """KA-5."""
    where = position(player(hand=[4, 12, 1]), player(hand=[7, 9, 2]), player(hand=[8, 9, 2]))
    choose(where, 0, 4, 12)
    choose(where, 1, 7, 9)
    choose(where, 2, 8, 9)
    assert waiting(where) == [0, 1]
    events = discard(where, 1, 9)
    assert [event.what for event in events] == [CARD_DISCARDED]
    assert where.to_json()["phase"] == "discard"
    assert waiting(where) == [0]
    discard(where, 0, 4)
    assert where.to_json()["phase"] == "lay"
    assert waiting(where) == [0, 1, 2]


def test_with_equal_sums_everybody_discards():
    """KA-5."""
    where = two((4, 12, 1), (7, 9, 2))
    choose(where, CLAUDIA, 4, 12)
    choose(where, TINA, 7, 9)
    assert waiting(where) == [CLAUDIA, TINA]


# Lay cards


def test_the_first_card_begins_the_island_anywhere():
    """KA-6: wherever it lies, later places are counted from it."""
    where = laying({}, 5)
    assert places(where, CLAUDIA, 5) == {(0, 0)}


def test_cards_are_laid_edge_to_edge_and_not_at_a_corner():
    """KA-6, the placements that the rulebook shows."""
    where = laying({"0,0": 2}, 7)
    assert places(where, CLAUDIA, 7) == {(0, -1), (1, 0), (0, 1), (-1, 0)}


def test_no_card_is_laid_on_another_and_none_is_turned():
    """KA-6: a move names a card and a place, and nothing else."""
    where = laying(island("2 3\n4 ."), 7)
    assert (0, 0) not in places(where, CLAUDIA, 7)
    assert all(set(move) == {"do", "card", "at"} for move in where.legal_moves(CLAUDIA))


def test_paths_need_not_connect():
    """KA-6: 8 has no exit to the east, 7 none to the north."""
    where = laying({"0,0": 8}, 7)
    assert {(1, 0), (0, 1)} <= places(where, CLAUDIA, 7)


def test_the_island_never_exceeds_four_cards_in_width_or_height():
    """KA-6."""
    row = island("1 2 3 4")
    assert places(laying(row, 7), CLAUDIA, 7) == {(x, y) for x in range(4) for y in (-1, 1)}
    column = island("1\n2\n3\n4", first=3)
    assert places(laying(column, 7), CLAUDIA, 7) == {(x, y) for x in (-1, 1) for y in range(-2, 2)}


def test_the_frame_is_wherever_the_cards_leave_it():
    """KA-6: with three columns, the fourth may come on either side."""
    where = laying(island("1 2 3"), 7)
    assert {(-1, 0), (3, 0)} <= places(where, CLAUDIA, 7)
    lay(where, CLAUDIA, 7, -1, 0)
    assert of(where, CLAUDIA)["island"] == {"-1,0": 7, "0,0": 1, "1,0": 2, "2,0": 3}


def test_two_cards_are_laid_in_the_order_one_likes():
    """KA-6: the second may touch the first."""
    where = position(
        player(chosen=[5, 9], to_lay=[5, 9], island={"0,0": 1}, discarded=[2]),
        player(chosen=[3, 4], to_lay=[3], discarded=[4]),
        phase="lay",
        round=2,
    )
    assert {move["card"] for move in where.legal_moves(CLAUDIA)} == {5, 9}
    lay(where, CLAUDIA, 9, 1, 0)
    assert places(where, CLAUDIA, 5) == {(2, 0), (1, -1), (1, 1), (0, -1), (0, 1), (-1, 0)}
    assert places(where, CLAUDIA, 9) == set()


def test_all_lay_at_once_and_the_round_ends_with_the_last_card():
    """KA-6, KA-7."""
    where = two((3, 9, 16), (1, 2, 4))
    choose(where, CLAUDIA, 9, 16)
    choose(where, TINA, 1, 2)
    discard(where, TINA, 2)
    assert waiting(where) == [CLAUDIA, TINA]
    lay(where, CLAUDIA, 16, 0, 0)
    assert waiting(where) == [CLAUDIA, TINA]
    lay(where, TINA, 1, 0, 0)
    assert waiting(where) == [CLAUDIA]
    lay(where, CLAUDIA, 9, 0, 1)
    state = where.to_json()
    assert (state["round"], state["phase"], state["to_act"]) == (2, "choose", [CLAUDIA, TINA])
    assert of(where, CLAUDIA)["chosen"] == of(where, CLAUDIA)["to_lay"] == []


# Draw cards


def test_everyone_draws_up_to_three_from_the_top_of_their_own_pile():
    """KA-7."""
    pile = [card for card in CARDS if card not in (3, 9, 16)][::-1]
    where = position(player(hand=[3, 9, 16], pile=pile), player(hand=[1, 2, 4]))
    choose(where, CLAUDIA, 9, 16)
    choose(where, TINA, 1, 2)
    discard(where, TINA, 2)
    lay(where, TINA, 1, 0, 0)
    lay(where, CLAUDIA, 9, 0, 0)
    lay(where, CLAUDIA, 16, 1, 0)
    assert of(where, CLAUDIA)["hand"] == sorted([3, *pile[:2]])
    assert of(where, CLAUDIA)["pile"] == pile[2:]


@pytest.mark.parametrize("players", range(2, 7))
def test_eight_rounds_are_played_and_the_last_hand_has_two_cards_both_chosen(players: int):
    """KA-7, KA-8."""
    where, chance = GAME.start(players, 3), random.Random(3)
    hands = {}
    while not where.is_over:
        state = where.to_json()
        if state["phase"] == "choose" and len(state["to_act"]) == players:
            hands[state["round"]] = [(len(seat["hand"]), len(seat["pile"])) for seat in state["players"]]
        seat = chance.choice(where.to_act)
        where.play(seat, chance.choice(list(where.legal_moves(seat))))
    drawn = {number: [(3, 15 - 2 * number)] * players for number in range(1, 8)}
    assert hands == drawn | {8: [(2, 0)] * players}
    state = where.to_json()
    assert (state["round"], state["phase"]) == (8, "over")
    for seat in state["players"]:
        assert seat["hand"] == seat["pile"] == seat["chosen"] == seat["to_lay"] == []
        assert sorted([*seat["discarded"], *seat["island"].values()]) == list(CARDS)


# All at once


def play_in_order(start: Position, order: tuple[int, ...]) -> list[bytes]:
    """The states after each phase of a game in which, within a phase, the players decide in this order.

    What a player decides depends on the player and on how often they have decided alone.
    """
    where, states = start.copy(), []
    chances = [random.Random(seat) for seat in range(start.players)]
    while not where.is_over:
        phase = where.state.phase
        for seat in order:
            while seat in where.to_act and where.state.phase == phase:
                where.play_action(seat, chances[seat].choice(where.legal_moves(seat).actions.tolist()))
        states.append(where.state.tobytes())
    return states


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_order_in_which_they_decide_changes_nothing(players: int):
    """KA-4, KA-5, KA-6: choices, discards and layings are made at once."""
    start = GAME.start(players, 1)
    ends = {tuple(play_in_order(start, order)) for order in permutations(range(players))}
    assert len(ends) == 1
    assert len(ends.pop()) == 3 * 8


def test_laying_may_alternate_between_players():
    """KA-6: any order between players, also card by card."""
    where = two((3, 9, 16), (1, 2, 4))
    choose(where, CLAUDIA, 3, 16)
    choose(where, TINA, 2, 4)
    discard(where, TINA, 2)
    other = where.copy()
    lay(where, CLAUDIA, 3, 0, 0)
    lay(where, TINA, 4, 0, 0)
    lay(where, CLAUDIA, 16, 1, 0)
    lay(other, TINA, 4, 0, 0)
    lay(other, CLAUDIA, 3, 0, 0)
    lay(other, CLAUDIA, 16, 1, 0)
    assert where.state.tobytes() == other.state.tobytes()

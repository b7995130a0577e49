"""How the search of Costa Ruana takes its seats to play, and what its trees see of moves."""

import random

import numpy as np
import pytest

from atoll.bots import search
from atoll.bots.iteration import USUAL
from atoll.core.catalogue import find_game
from atoll.core.policies import read_table
from atoll.engine.chance import generator
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import policy
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.beliefs import shown

GAME = find_game("costa-ruana")


@pytest.mark.parametrize("players", [2, 4])
def test_a_seat_of_a_drawn_world_plays_by_what_it_may_know(players: int) -> None:
    """Moves are worth in the full state what they are worth in the seat's view: cards face down are hidden (CR-10)."""
    chance, asked = random.Random(players), set()
    position = GAME.start(players, 4)
    parts = position.components.parts[0]
    for _ in position.until_over():
        seat = position.to_act[0]
        moves = position.legal_moves(seat).actions
        scores = np.zeros((2, len(moves)), dtype=np.int32)
        world = position.states.copy()
        world[0]["seat"] = seat
        policy.rate(world[0], parts, moves, len(moves), scores[0])
        policy.rate(position.view(seat).state, parts, moves, len(moves), scores[1])
        assert (scores[0] == scores[1]).all()
        asked.add(int(position.state.phase))
        position.play_action(seat, int(chance.choice(moves)))
    assert {cr.NATIVE, cr.CONDITION, cr.PLACE, cr.TAKE_NATIVE, cr.RESIGN} <= asked


def test_others_see_of_a_card_laid_face_down_in_front_of_whom_it_lies() -> None:
    """And nothing else (CR-10); all other moves they see as they are."""
    position = GAME.start(2, 1)
    looks: dict[int, set[int]] = {}
    while position.state.phase != cr.NATIVE:
        seat = position.to_act[0]
        moves = position.legal_moves(seat).actions.tolist()
        for move in moves:
            if position.state.phase == cr.FACE_DOWN:
                looks.setdefault(mv.decode_play(move)[1], set()).add(shown(position.states[0], move))
            else:
                assert shown(position.states[0], move) == move
        position.play_action(seat, moves[0])
    assert {front: len(seen) for front, seen in looks.items()} == {0: 1, 1: 1}
    assert looks[0] != looks[1]


def test_a_tree_does_not_know_what_the_other_lays_face_down() -> None:
    """After one's own card face down there is one branch for each player in front of whom the other's may lie."""
    position = GAME.start(2, 1)
    while position.state.phase != cr.FACE_DOWN:
        position.play_action(position.to_act[0], int(position.legal_moves(position.to_act[0]).actions[0]))
    tree = search._grown(position.view(position.to_act[0]), generator(1), 400, None, USUAL)
    own, branches = int(tree[0]["child"]), set()
    while own:
        other = int(tree[own]["child"])
        while other:
            branches.add(int(tree[other]["action"]))
            other = int(tree[other]["sibling"])
        own = int(tree[own]["sibling"])
    assert branches == {mv.encode_play(0, front) for front in range(2)}


def test_a_table_of_another_policy_is_refused() -> None:
    """Compiled code holds the table's numbers, so the module names its own."""
    with pytest.raises(ValueError, match="not the table"):
        read_table(policy.__file__, policy.ROWS, "another")

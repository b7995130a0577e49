"""Going back in a round of Costa Ruana, and what the search makes of what the others did."""

import random
from pathlib import Path

import numpy as np
import pytest

from atoll.bots import search
from atoll.bots.beliefs import LOOK_BACK, NONE, WRITE_KEYS, _OpponentModel, beliefs_of
from atoll.bots.iteration import USUAL
from atoll.bots.search import evaluate
from atoll.bots.tree import MAX_SEATS
from atoll.core.catalogue import find_game
from atoll.core.game import Position, View
from atoll.engine.chance import generator
from atoll.games.costa_ruana import moves as mv
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.beliefs import decisions

GAME = find_game("costa-ruana")
SMALL = Path(__file__).parents[3] / "bench" / "solvable_small.toml"


def asked(view: View) -> _OpponentModel:
    return _OpponentModel(view, decisions(view.state), 100, lambda other: {}, lambda: False)


@pytest.mark.parametrize("players", [2, 4])
def test_going_back_finds_the_positions_and_moves_of_the_round(players: int) -> None:
    """Cards face up, cards face down and natives (CR-9 to CR-11), in every field as they were."""
    chance, compared = random.Random(players), set()
    position = GAME.start(players, 3)
    past: list[tuple[bytes, int, int]] = []
    for _ in position.until_over():
        count = decisions(position.state)
        for number in range(count):
            out = np.zeros(1, dtype=GAME.rules.STATE)
            action = GAME.runner.call(LOOK_BACK, position.states, position.components.parts, number, out)
            state, phase, taken = past[len(past) - count + number]
            assert (out.tobytes(), action) == (state, taken)
            compared.add(phase)
        seat = position.to_act[0]
        action = chance.choice(position.legal_moves(seat).actions.tolist())
        past.append((position.states.tobytes(), int(position.state.phase), action))
        position.play_action(seat, action)
    assert compared == {cr.FACE_UP, cr.FACE_DOWN, cr.NATIVE}


def last_question() -> View:
    """The Shaman turns a condition over: both own cards, and the one that the other shows, are settled alike; what the
    other hides decides. It lies in front of the Shaman, so it is one that the Shaman will not let live.
    """
    card = {"natives": [], "resolved": False}
    table = [
        {"card": "return 1/high tide", "played_by": 0, "in_front_of": 1, "face": "up", **card},
        {"card": "return 1/day", "played_by": 1, "in_front_of": 1, "face": "up", **card},
        {"card": "return 1/day", "played_by": 0, "in_front_of": 1, "face": "down", **card},
        {"card": "return 1/low tide", "played_by": 1, "in_front_of": 0, "face": "down", **card},
    ]
    components = GAME.read_components(SMALL)
    words = GAME.start(2, seed=1, components=components).to_json()
    deck = [card for player in words["players"] for card in player["hand"]] + words["draw_pile"]
    for played in table:
        deck.remove(played["card"])
    words |= {"phase": "condition", "shaman": 0, "to_act": [0], "tide": "high", "time": "day"}
    words |= {"islands": [{"treasures": 1, "natives": [1, 1]}], "table": table, "draw_pile": deck}
    words["players"] = [{**player, "hand": [], "supply": 0} for player in words["players"]]
    return Position.from_json(GAME, words, components, {}).view(0)


def test_worlds_count_as_much_as_the_others_moves_are_likely_in_them() -> None:
    """Whoever always shows Low tide and has shown Day has not hidden it: hardly a world has it there."""
    view = last_question()
    low, hidden = 4 * cr.RETURN_1 + cr.LOW_TIDE, 3

    def habits(other: View) -> dict[int, int]:
        if other.state.phase != cr.FACE_UP:
            return {}
        moves = other.legal_moves().actions.tolist()
        return {move: 1000 for move in moves if mv.decode_play(move)[0] == low}

    believed = beliefs_of(view, generator(1), 100, habits)
    world, back, keys = view.states.copy(), view.states.copy(), np.zeros(MAX_SEATS, dtype=np.uint64)
    chances = {}
    for seed in range(40):
        world[:] = view.resample(seed).states
        GAME.runner.call(WRITE_KEYS, world, view.components.parts, back, keys)
        place = np.flatnonzero(believed.keys == keys[1])[0]
        chances[int(world[0]["table_card"][hidden]) == low] = believed.chances[place]
    assert chances[False] == 1
    assert chances[True] < 0.05


def test_a_search_without_time_or_iterations_for_it_believes_nothing() -> None:
    view = last_question()
    assert beliefs_of(view, generator(1), 0, lambda other: {}) is NONE
    assert beliefs_of(view, generator(1), 100, lambda other: {}, lambda: True) is NONE
    assert beliefs_of(GAME.start(2, 1).view(0), generator(1), 100, lambda other: {}) is NONE


def test_the_shaman_reckons_with_what_the_other_would_have_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """In equilibrium it turns the time of day here (`bench/exploitability.py`), and the tide if all worlds count
    alike."""
    view = last_question()
    tide, time = mv.TURN_CONDITION, mv.TURN_CONDITION + 1
    assert {evaluate(view, generator(seed), 1000, None)[0].action for seed in range(5)} == {time}
    monkeypatch.setattr(search, "beliefs_of", lambda *arguments: NONE)
    assert {evaluate(view, generator(seed), 1000, None)[0].action for seed in range(5)} == {tide}


def test_beliefs_depend_on_nothing_that_the_seat_cannot_know() -> None:
    """Other positions that look the same are searched alike, in each phase of a round."""
    position, phases, chance = GAME.start(2, 5), set(), random.Random(1)
    for number, _ in enumerate(position.until_over()):
        seat = position.to_act[0]
        view = position.view(seat)
        if decisions(view.state) and len(view.legal_moves()) > 1 and view.state.phase not in phases:
            phases.add(int(view.state.phase))
            found = [evaluate(view.resample(other).view(seat), generator(1), 300, None) for other in (1, 2)]
            assert found[0] == found[1] == evaluate(view, generator(1), 300, None)
        position.play_action(seat, chance.choice(position.legal_moves(seat).actions.tolist()))
        if number == 60:
            break
    assert phases == {cr.FACE_UP, cr.FACE_DOWN, cr.NATIVE, cr.CONDITION}
    assert USUAL.trained

"""The search: what it counts, what it needs, and that it finds what can be found."""

import os
import random
from collections.abc import Iterator
from threading import Thread

import numpy as np
import pytest

from atoll.bots import search
from atoll.bots.bot import SearchBot
from atoll.bots.cores import Cores
from atoll.bots.iteration import USUAL
from atoll.bots.multi_observer import has_observers
from atoll.bots.search import Evaluation, evaluate
from atoll.bots.tree import MAX_SEATS, reward
from atoll.core.catalogue import games
from atoll.core.game import Game, Position
from atoll.engine.chance import generator

each_game = pytest.mark.parametrize("game", games().values(), ids=list(games()))


def choices(game: Game, seed: int) -> Iterator[tuple[Position, int]]:
    """The positions of a random game in which a seat has several moves, and that seat."""
    position = game.start(game.seats.start, seed)
    chance = random.Random(seed)
    while not position.is_over:
        seat = chance.choice(position.to_act)
        moves = position.legal_moves(seat).actions.tolist()
        if len(moves) > 1:
            yield position, seat
        position.play_action(seat, chance.choice(moves))


def last_choices(game: Game) -> Iterator[tuple[Position, int, dict[int, float]]]:
    """Positions in which a seat's next move ends the game and decides it: that seat's share of the win by move."""
    for seed in range(1, 40):
        for position, seat in choices(game, seed):
            shares = {}
            for action in position.legal_moves(seat).actions.tolist():
                end = position.copy()
                end.play_action(seat, action)
                if end.outcome is None:
                    break
                shares[action] = (seat in end.outcome.winners) / len(end.outcome.winners)
            else:
                if len(set(shares.values())) > 1:
                    yield position.copy(), seat, shares


@each_game
def test_every_iteration_tries_one_of_the_legal_moves(game: Game) -> None:
    position, seat = next(choices(game, 1))
    evaluations = evaluate(position.view(seat), generator(1), 150, None)
    assert sum(move.visits for move in evaluations) == 150
    assert {move.action for move in evaluations} <= set(position.legal_moves(seat).actions.tolist())
    assert all(0 <= move.wins <= 1 for move in evaluations)
    assert [move.visits for move in evaluations] == sorted(
        (move.visits for move in evaluations), reverse=True
    )


@each_game
def test_every_iteration_is_backed_up_in_every_tree(game: Game) -> None:
    """The roots, one or as many as seats, are the first nodes."""
    position, seat = next(choices(game, 1))
    nodes = search._grown(position.view(seat), generator(1), 60, None, USUAL)
    trees = position.players if has_observers(game) else 1
    assert nodes["visits"][:trees].tolist() == [60] * trees


@each_game
def test_the_same_seed_and_iterations_find_the_same(game: Game) -> None:
    position, seat = next(choices(game, 2))
    view = position.view(seat)
    assert evaluate(view, generator(5), 100, None) == evaluate(view, generator(5), 100, None)
    assert evaluate(view, generator(5), 100, None) != evaluate(view, generator(6), 100, None)


@each_game
def test_a_search_depends_on_nothing_that_its_seat_cannot_know(game: Game) -> None:
    """Other positions that look the same are searched alike, and the view is left as it was."""
    for number, (position, seat) in enumerate(choices(game, 3)):
        if number % 10 == 5:
            view = position.view(seat)
            before = view.state.tobytes()
            evaluations = [
                evaluate(view.resample(other).view(seat), generator(1), 30, None) for other in (1, 2, 3)
            ]
            assert (
                evaluations[0] == evaluations[1] == evaluations[2] == evaluate(view, generator(1), 30, None)
            )
            assert view.state.tobytes() == before


def test_the_last_move_is_the_one_that_wins() -> None:
    last = [choice for game in games().values() for choice in last_choices(game)]
    assert len(last) > 5
    for position, seat, shares in last:
        best = evaluate(position.view(seat), generator(1), 300, None)[0]
        assert shares[best.action] == max(shares.values())
        assert best.wins == pytest.approx(shares[best.action])


def test_a_tree_without_room_goes_on_counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "BRANCHES", 0)
    game = next(iter(games().values()))
    position, seat = next(choices(game, 1))
    assert sum(move.visits for move in evaluate(position.view(seat), generator(1), 200, None)) == 200


def test_time_ends_a_search_that_has_no_iterations_to_count() -> None:
    game = next(iter(games().values()))
    position, seat = next(choices(game, 1))
    evaluations = evaluate(position.view(seat), generator(1), None, 1)
    assert sum(move.visits for move in evaluations) < search.MOST


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_as_many_trees_grow_as_cores_are_free(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two at most here, each with all the iterations; and all cores are given back."""
    monkeypatch.setattr(search, "CORES", lent := Cores(cores))
    game = next(iter(games().values()))
    position, seat = next(choices(game, 1))
    evaluations = evaluate(position.view(seat), generator(1), 50, 60_000, trees=2)
    assert sum(move.visits for move in evaluations) == 50 * min(cores, 2)
    assert all(0 <= move.wins <= 1 for move in evaluations)
    assert [lent.take_spare() for _ in range(cores + 1)] == [True] * cores + [False]


def test_another_tree_ends_when_a_search_waits_for_its_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reply is promised within its time however many search."""
    monkeypatch.setattr(search, "CORES", lent := Cores(1))
    game = next(iter(games().values()))
    position, seat = next(choices(game, 1))
    view = position.view(seat)
    assert lent.take_spare()
    evaluations: list[Evaluation] = []
    waiting = Thread(target=lambda: evaluations.extend(evaluate(view, generator(1), 50, None)), daemon=True)
    waiting.start()
    while not lent.wanted:
        os.sched_yield()
    assert not lent.take_spare()
    tree = search._grown(view, generator(1), search.MOST, 60_000, USUAL, yields=True)
    assert tree[0]["visits"] == search.CHUNK
    assert not evaluations
    lent.give_back()
    waiting.join()
    assert sum(move.visits for move in evaluations) == 50


def test_what_trees_found_is_added_up() -> None:
    """Visits as they are, the chance to win as the mean over all of them."""
    game = next(iter(games().values()))
    position, seat = next(choices(game, 1))
    view = position.view(seat)
    trees = [search._grown(view, generator(seed), 40, None, USUAL) for seed in (1, 2)]
    alone = [{move.action: move for move in search.merged([tree])} for tree in trees]
    for move in search.merged(trees):
        parts = [one[move.action] for one in alone if move.action in one]
        assert move.visits == sum(one.visits for one in parts)
        assert move.wins * move.visits == pytest.approx(sum(one.wins * one.visits for one in parts))


def test_reward_is_mostly_the_share_of_the_win() -> None:
    """Two of three share the win; the rest is each one's part of all points and one."""
    rewards = np.zeros(MAX_SEATS)
    reward(np.array([4, 1, 4], dtype=np.int32), 0b101, 3, 0.9, rewards)
    assert rewards[:3] == pytest.approx([0.45 + 0.04, 0.01, 0.45 + 0.04])


def test_a_bot_that_samples_takes_moves_as_often_as_it_tried_them() -> None:
    game = next(iter(games().values()))
    for position, seat in choices(game, 1):
        view = position.view(seat)
        tried = {move.action for move in evaluate(view, generator(1), 40, None)}
        if len(tried) > 2:
            break
    steady, wavering = SearchBot("steady", iterations=40), SearchBot("wavering", iterations=40, samples=True)
    assert steady.choose(view, 1) == evaluate(view, generator(1), 40, None)[0].action
    taken = [wavering.choose(view, seed) for seed in range(60)]
    found = [evaluate(view, generator(seed), 40, None) for seed in range(60)]
    expected = sum(moves[0].visits for moves in found) / 40
    first = sum(action == moves[0].action for action, moves in zip(taken, found, strict=True))
    assert abs(first - expected) < 4 * np.sqrt(60 / 4)
    assert 0 < first < 60

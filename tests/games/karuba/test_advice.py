"""What greedy goes by: its strength, and that it needs nothing but the cards that everyone has seen go."""

import random

import numpy as np

from atoll.bots import find_bot
from atoll.core.game import Position
from atoll.core.types import Json
from atoll.lab.simulate import simulate

from .positions import CLAUDIA, GAME, LOUIS_ISLAND, island, player, position


def advice(where: Position, seat: int) -> list[int]:
    """The advice on every legal move of a seat, from its view."""
    view = where.view(seat)
    moves = view.legal_moves()
    out = np.zeros(len(moves), dtype=np.int32)
    GAME.advise(view.state, where.components.parts[0], moves.actions, len(moves), out)
    scores: list[int] = out.tolist()
    return scores


def best(where: Position, seat: int) -> Json:
    """The move with the highest advice."""
    scores = advice(where, seat)
    return list(where.legal_moves(seat))[scores.index(max(scores))]


def test_greedy_scores_well_and_beats_random():
    """Both far above what the project asks for: a mean of 9.5 points, and 95 % of the games."""
    components, greedy, chance = GAME.components(), find_bot("greedy"), find_bot("random")
    assert simulate(GAME, components, 2, [greedy], 300, seed=1).points.mean() > 12
    results = simulate(GAME, components, 2, [greedy, chance], 300, seed=1)
    seats = np.arange(300) % 2  # of greedy: one further each game
    assert results.shares[np.arange(300), seats].mean() > 0.97


def test_advice_depends_on_no_hidden_card():
    """On a full position it is the same as on the view, so that a search may play by it."""
    where, chance = GAME.start(3, 1), random.Random(1)
    while not where.is_over:
        seat = chance.choice(where.to_act)
        view = where.view(seat)
        moves = view.legal_moves().actions
        drawn = view.resample(1)
        drawn.state.seat = seat
        found = [np.zeros(len(moves), dtype=np.int32) for _ in range(2)]
        for shown, out in zip((view, drawn), found, strict=True):
            GAME.advise(shown.state, where.components.parts[0], moves, len(moves), out)
        assert (found[0] == found[1]).all()
        where.play_action(seat, int(chance.choice(moves.tolist())))


def test_an_adventurer_is_laid_where_it_reaches_the_temple():
    where = position(
        player(chosen=[9, 16], to_lay=[9], discarded=[16], island=island("13 2\n1 .", first=1)),
        player(chosen=[3, 4], to_lay=[3], discarded=[4]),
        phase="lay",
        round=3,
    )
    where.play(CLAUDIA, best(where, CLAUDIA))
    assert where.breakdown()[CLAUDIA]["points"] == 3


def test_the_card_that_nothing_can_come_of_is_discarded():
    where = position(
        player(chosen=[9, 16], to_lay=[9, 16], discarded=[12, 2], island={"0,0": 13}),
        player(chosen=[15, 16], to_lay=[15, 16]),
        phase="discard",
        round=4,
        to_act=[CLAUDIA],
    )
    assert best(where, CLAUDIA) == {"do": "discard", "card": 16}


def test_advice_is_fit_for_a_full_island():
    lying = island(LOUIS_ISLAND)
    assert len(lying) == 14
    where = position(
        player(chosen=[4, 7], to_lay=[4, 7], island=lying),
        player(chosen=[3, 4], to_lay=[3], discarded=[4]),
        phase="lay",
        round=8,
    )
    assert len(advice(where, CLAUDIA)) == 4

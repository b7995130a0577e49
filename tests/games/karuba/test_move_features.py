"""What players that learn are told of moves of Karuba."""

import random
from typing import Any

import numpy as np

from atoll.core.game import Position
from atoll.games.karuba.advice import CARDS, OCCUPIED, SURVEY, lay, look_over, promise, try_cards
from atoll.games.karuba.islands import open_cells
from atoll.games.karuba.move_features import MOVE_FEATURES, PROMISE, SPARED, WORTH
from atoll.games.karuba.state import CELLS, CHOOSE, NO_CARD, NOWHERE
from atoll.games.karuba.view import cards_to_come

from .positions import CLAUDIA, GAME, island, player, position


def move_features(where: Position, seat: int) -> Any:
    """The numbers of every legal move of a seat, from its view: shape (moves, numbers)."""
    view, moves = where.view(seat), where.legal_moves(seat).actions
    found = np.zeros((len(moves), len(MOVE_FEATURES)), dtype=np.float32)
    GAME.write_features(view.state, where.components.parts[0], moves, len(moves), found)
    return found


def test_cards_are_tried_on_every_place() -> None:
    """What a colour promises is found anew only where a card can change it: in no position of random games, under
    either reading of KA-12, does that differ from finding all anew.
    """
    chance = random.Random(2)
    for seed, blocked in ((1, False), (2, False), (3, True)):
        where = GAME.start(2, seed, options={"blocked_shortest": blocked})
        parts = where.components.parts[0]
        board = np.zeros(CELLS, np.int8)
        survey, laid = np.zeros(SURVEY, np.int64), np.zeros(SURVEY, np.int64)
        worths, places = np.zeros(CARDS, np.int64), np.zeros(CARDS, np.int64)
        while not where.is_over:
            seat = chance.choice(where.to_act)
            coming = cards_to_come(where.state, parts, seat)
            look_over(where.state.island[seat], parts, board, survey)
            cells = int(open_cells(survey[OCCUPIED], parts))
            try_cards(coming, cells, board, parts, coming, survey, worths, places)
            for card in range(CARDS):
                if coming >> card & 1:
                    best = (-1, NOWHERE)
                    for cell in range(CELLS):
                        if cells >> cell & 1:
                            lay(board, parts, card, cell, survey, laid)
                            worth = promise(board, parts, coming & ~(1 << card), laid)
                            board[cell] = NO_CARD
                            best = max(best, (worth, cell), key=lambda found: found[0])
                    assert (worths[card], places[card]) == best
            where.play_action(seat, int(chance.choice(where.legal_moves(seat).actions.tolist())))


def test_a_higher_sum_is_lowest_less_often() -> None:
    where = GAME.start(3, 1)
    assert where.state.phase == CHOOSE
    seat = where.to_act[0]
    sums = [sum(move["cards"]) for move in where.legal_moves(seat)]
    spared = move_features(where, seat)[:, SPARED]
    assert (np.diff(spared[np.argsort(sums)]) >= 0).all()
    assert 0 <= spared.min() < spared.max() < 1


def test_a_full_island_is_worth_what_lies_there() -> None:
    lying = island("14 2 3 1\n16 8 . 15\n10 6 5 9\n. 13 12 11")
    where = position(
        player(chosen=[4, 7], to_lay=[4, 7], island=lying),
        player(chosen=[3, 4], to_lay=[3], discarded=[4]),
        phase="lay",
        round=8,
    )
    found = move_features(where, CLAUDIA)
    assert found.shape == (4, len(MOVE_FEATURES))
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(found[:, WORTH], found[:, PROMISE])

"""Scoring: KA-9 to KA-14."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from typing import Any

import numba
import numpy as np
import pytest

from atoll.core.types import Components
from atoll.engine.native import native
from atoll.games.karuba.notation import paths_of
from atoll.games.karuba.scoring import score as plain_score
from atoll.games.karuba.state import CELLS, COLOURS, REACH, SPAN

from .positions import CARDS, GAME, LOUIS_ISLAND, board, island, player, position
from .variants import variant


def points(drawn: str, components: Components | None = None) -> int:
    """What an island brings."""
    return int(score(board(drawn), (components or GAME.components()).parts[0]))


def paths(drawn: str, components: Components | None = None) -> dict[str, tuple[list[int], int]]:
    """The paths of the adventurers who arrive, and their points, by colour."""
    found = paths_of(board(drawn), components or GAME.components())
    return {path["colour"]: (path["cards"], path["points"]) for path in found}


def test_louis_island_brings_13_points():
    """The rulebook's example: blue 3 + 2 + 2, orange 2 + 1 + 3, green cut by blue, purple not connected."""
    assert points(LOUIS_ISLAND) == 13
    found = paths(LOUIS_ISLAND)
    assert {colour: worth for colour, (_, worth) in found.items()} == {"blue": 7, "orange": 6}
    blue, orange = found["blue"][0], found["orange"][0]
    assert (blue[0], blue[-1], orange[0], orange[-1]) == (9, 13, 10, 14)
    assert {6, 8} <= set(blue) & set(orange)


def test_an_adventurer_beside_the_temple_brings_three_points():
    """KA-9, KA-10: both have an exit on the shared edge."""
    assert points("13\n9") == 3
    assert paths("13\n9") == {"blue": ([9, 13], 3)}


@pytest.mark.parametrize("drawn", ["9 13", "13 9", "9 . 13", "9\n.\n13", "13 .\n. 9"])
def test_cards_that_are_not_joined_bring_nothing(drawn: str):
    """KA-9: both cards need an exit, on an edge that they share."""
    assert points(drawn) == 0


def test_one_exit_is_not_enough():
    """KA-9: 9 leads east, and 8 and 4 not west."""
    assert points("9 8\n. 13") == 0
    assert points("9 4\n. 13") == 0
    assert points("9 5\n. 13") == 4


@pytest.mark.parametrize(
    ("drawn", "cards"),
    [
        ("13\n1\n9", [9, 1, 13]),
        ("9 1\n. 13", [9, 1, 13]),
        ("13 .\n1 2\n9 .", [9, 1, 13]),
        ("2 1\n13 9", [9, 1, 2, 13]),
    ],
)
def test_a_path_brings_three_points_however_long(drawn: str, cards: list[int]):
    """KA-10: paths without treasures; in the third a card beside the path is not used."""
    assert paths(drawn) == {"blue": (cards, 3)}


def test_another_adventurer_cuts_the_path():
    """KA-11: orange between blue and its temple."""
    assert points("9 5\n. 13") == 4
    assert points("9 10\n. 13") == 0
    assert points("9 12 5\n. . 13") == 0


def test_another_temple_does_not_cut_the_path():
    """KA-11, Ruling: its exits alone decide."""
    assert points("9 14 5\n. . 13") == 4
    assert points("9 15 5\n. . 13") == 0
    assert points("9 14 5\n. . 13", GAME.components("dead-end temples")) == 0


def test_one_may_go_round_an_adventurer_in_the_way():
    """KA-12, Ruling: the shortest of the uninterrupted paths."""
    assert paths("9 7 5\n1 2 13\n. 4 3") == {"blue": ([9, 7, 5, 13], 6)}
    assert paths("9 10 5\n1 2 13\n. 4 3") == {"blue": ([9, 1, 2, 4, 3, 13], 5)}


def test_an_adventurer_may_be_stopped_on_the_shortest_path_of_all():
    """KA-12, read otherwise: the shortest way is over orange; where one as short is free, blue takes that."""
    strict = GAME.under(GAME.components(), {"blocked_shortest": True})
    blocked, free = "9 10 5\n1 2 13\n. 4 3", "9 10\n1 2\n. 13"
    assert (points(blocked), points(blocked, strict)) == (5, 0)
    assert paths(blocked, strict) == {}
    assert points("9 7 5\n1 2 13\n. 4 3", strict) == 6
    assert paths(free) == paths(free, strict) == {"blue": ([9, 1, 2, 13], 3)}


def test_greedy_expects_nothing_of_an_adventurer_who_is_stopped():
    """KA-12, read otherwise: laying orange beside blue costs blue's path, though there is a longer one."""
    lying = island("9 . 5\n1 2 13\n. 4 3")
    worth = {}
    for strict in (False, True):
        where = position(
            player(chosen=[10, 16], to_lay=[10], discarded=[16], island=lying),
            player(chosen=[1, 16], to_lay=[1], discarded=[16]),
            phase="lay",
            components=GAME.under(GAME.components(), {"blocked_shortest": strict}),
        )
        view = where.view(0)
        moves = view.legal_moves().actions
        scores = np.zeros(len(moves), dtype=np.int32)
        GAME.advise(view.state, where.components.parts[0], moves, len(moves), scores)
        worth[strict] = dict(zip(map(str, view.legal_moves()), scores.tolist(), strict=True))
    [between] = [move for move in worth[True] if "[1, 0]" in move]
    assert worth[True][between] < worth[False][between]


def test_the_shortest_path_counts_even_if_a_longer_one_has_more_treasure():
    """KA-12: the other one, over 8, 4 and 3, would bring 7 points."""
    assert paths("9 1\n8 13\n4 3") == {"blue": ([9, 1, 13], 3)}


def test_of_equally_short_paths_the_most_valuable_counts():
    """KA-12, Ruling: from 9 to 13 over 3 and 5 or over 1 and 2."""
    drawn = "9 2\n4 1\n. 13"
    assert paths(drawn)["blue"] == ([9, 4, 1, 13], 4)
    rich = variant({2: {"crystals": 3}})
    assert paths(drawn, rich)["blue"] == ([9, 2, 1, 13], 6)


def test_no_card_is_used_twice():
    """KA-9: every path of a full island names each of its cards once."""
    for path in paths_of(board(LOUIS_ISLAND), GAME.components()):
        assert len(set(path["cards"])) == len(path["cards"])


def test_each_crystal_is_worth_one_point_and_each_nugget_two():
    """KA-13."""
    assert points("13\n4\n9") == 4
    assert points("13\n8\n9") == 5
    assert points("13\n8\n4\n9") == 6


def test_the_adventurers_own_card_and_the_temples_count():
    """KA-13, Ruling."""
    assert points("13\n9", variant({9: {"crystals": 1}, 13: {"nuggets": 1}})) == 6


def test_every_adventurer_counts_the_treasures_of_a_card_that_several_use():
    """KA-13: blue and orange cross on card 1."""
    crossing = ". 13 .\n10 1 14\n. 9 ."
    assert points(crossing) == 6
    assert points(crossing, variant({1: {"crystals": 1}})) == 8


def test_treasures_beside_the_paths_are_worth_nothing():
    """KA-13."""
    assert points("13 7\n9 3") == 3
    assert points("3 4 5 6\n7 8 . .") == 0


def test_the_figures_of_the_components_file_count():
    """KA-10, KA-13."""
    assert points("13\n8\n4\n9", variant(adventurer_points=5, crystal_points=2, nugget_points=7)) == 14


def test_the_example_of_the_first_columns_is_right():
    drawn = "13 .\n8 .\n4 14\n9 10"
    for name in GAME.component_files:
        assert points(drawn, GAME.components(name)) == 6


def over(*drawn: str) -> Any:
    """The end of a game with these islands; what is not in one was discarded."""
    islands = [island(text) for text in drawn]
    rests = [[card for card in CARDS if card not in lying.values()] for lying in islands]
    seats = [
        player(island=lying, discarded=rest[:8], pile=()) | {"pile": rest[8:]}
        for lying, rest in zip(islands, rests, strict=True)
    ]
    return position(*seats, phase="over", round=8, to_act=())


def test_most_points_win_and_tied_players_win_together():
    """KA-14."""
    many, few = "13\n8\n4\n9", "13\n9"
    assert over(many, few).outcome.points == (6, 3)
    assert over(many, few).outcome.winners == (0,)
    assert over(few, many, many).outcome.winners == (1, 2)
    assert over("1", "2").outcome.winners == (0, 1)


# Against brute force


score = native(plain_score)


@numba.njit
def walk(
    grid, exits, adventurer, worth, colour, row, column, goal_row, goal_column, used, length, value, best
):
    """Try every path from a cell on: the shortest so far, and the most valuable of these, are kept in `best`."""
    if row == goal_row and column == goal_column:
        if length < best[0] or (length == best[0] and value > best[1]):
            best[0] = length
            best[1] = value
        return
    for edge in range(4):
        r = row + (1 if edge == 2 else -1 if edge == 0 else 0)
        c = column + (1 if edge == 1 else -1 if edge == 3 else 0)
        if r < 0 or r > 3 or c < 0 or c > 3 or used >> (4 * r + c) & 1:
            continue
        card = grid[r, c]
        if card == 0 or not exits[grid[row, column]] >> edge & 1 or not exits[card] >> ((edge + 2) % 4) & 1:
            continue
        if adventurer[card] >= 0 and adventurer[card] != colour:
            continue
        after = used | 1 << (4 * r + c)
        walk(
            grid,
            exits,
            adventurer,
            worth,
            colour,
            r,
            c,
            goal_row,
            goal_column,
            after,
            length + 1,
            value + worth[card],
            best,
        )


@numba.njit
def brute_force(grid, exits, adventurer, temple, worth, points_each):
    """The points of a 4 x 4 grid of cards, by trying every simple path."""
    total = 0
    best = np.zeros(2, dtype=np.int64)
    for colour in range(4):
        best[0] = 100
        best[1] = 0
        for row in range(4):
            for column in range(4):
                if grid[row, column] > 0 and adventurer[grid[row, column]] == colour:
                    for r in range(4):
                        for c in range(4):
                            if grid[r, c] > 0 and temple[grid[r, c]] == colour:
                                used = 1 << (4 * row + column)
                                value = worth[grid[row, column]]
                                walk(
                                    grid,
                                    exits,
                                    adventurer,
                                    worth,
                                    colour,
                                    row,
                                    column,
                                    r,
                                    c,
                                    used,
                                    1,
                                    value,
                                    best,
                                )
        if best[0] < 100:
            total += points_each + best[1]
    return total


@numba.njit
def compare(grids, boards, parts, exits, adventurer, temple, worth, points_each):
    """How many islands are scored differently, and the sum of all points."""
    wrong = 0
    total = 0
    for i in range(len(grids)):
        expected = brute_force(grids[i], exits, adventurer, temple, worth, points_each)
        total += expected
        if score(boards[i], parts[0]) != expected:
            wrong += 1
    return wrong, total


def random_islands(count: int, chance: np.random.Generator) -> tuple[Any, Any]:
    """Grids of 4 x 4 cards, 0 for none, and the same islands on the board, somewhere."""
    cards = chance.permuted(np.tile(np.arange(1, 17, dtype=np.int8), (count, 1)), axis=1)
    cards[chance.random((count, 16)) < chance.random((count, 1)) * 0.6] = 0
    grids = cards.reshape(count, 4, 4)
    boards = np.zeros((count, SPAN, SPAN), dtype=np.int8)
    for i, (row, column) in enumerate(chance.integers(0, REACH + 1, (count, 2))):
        boards[i, row : row + 4, column : column + 4] = grids[i]
    return grids, boards.reshape(count, CELLS)


def random_cards(chance: np.random.Generator) -> Components:
    """Components with other exits and treasures, more open than the real ones."""
    return variant(
        {
            number: {
                "exits": "".join(edge for edge in "NESW" if chance.random() < 0.75) or "N",
                "crystals": int(chance.integers(0, 3)),
                "nuggets": int(chance.integers(0, 2)),
            }
            for number in CARDS
        }
    )


def test_100000_random_islands_score_as_by_trying_every_path():
    """KA-9 to KA-13."""
    chance = np.random.default_rng(1)
    sets = [GAME.components(name) for name in GAME.component_files] + [
        random_cards(chance) for _ in range(18)
    ]
    scored = 0
    for components in sets:
        cards = [{"exits": ""}, *components.data["cards"]]
        exits = np.array([sum(1 << "NESW".index(edge) for edge in card["exits"]) for card in cards])
        adventurer, temple = (
            np.array([COLOURS.index(card[kind]) if kind in card else -1 for card in cards])
            for kind in ("adventurer", "temple")
        )
        worth = np.array([card.get("crystals", 0) + 2 * card.get("nuggets", 0) for card in cards])
        grids, boards = random_islands(5000, chance)
        wrong, total = compare(grids, boards, components.parts, exits, adventurer, temple, worth, 3)
        assert wrong == 0
        assert total > 1000
        scored += len(grids)
    assert scored == 100_000

"""Puzzles: those that are shipped hold what a seat may know and nothing else, and the same seed makes the same ones."""

from itertools import islice

import pytest
from msgspec.structs import replace

from atoll.bots.iteration import USUAL, Tuning
from atoll.core.catalogue import find_game, games
from atoll.core.state import UNKNOWN
from atoll.lab import puzzle_making
from atoll.lab.puzzle_making import BETTER, FEWEST_FINE, make_puzzles
from atoll.lab.puzzles import ONE, Puzzle, shipped_puzzles, view_fields, view_of
from atoll.text.errors import RecordError

SHIPPED = [name for name, game in games().items() if shipped_puzzles(game)]


def is_known_alone(puzzle: Puzzle) -> bool:
    """Whether a puzzle shows what its seat may know and no more: whoever draws a world from that, and looks at it from
    the seat, sees the same.
    """
    view = view_of(find_game(puzzle.game), puzzle)
    worlds = [view.resample(seed) for seed in range(2)]
    for world in worlds:
        world.check()
    return all(view_fields(world.view(puzzle.seat)) == puzzle.view for world in worlds)


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_puzzles_show_a_seats_view_and_their_moves_are_the_legal_ones(name: str) -> None:
    for puzzle in shipped_puzzles(find_game(name)):
        view = view_of(find_game(name), puzzle)
        assert is_known_alone(puzzle)
        legal = list(view.legal_moves())
        assert len(legal) == len(puzzle.choices)
        assert all(puzzle.choice(move) is not None for move in legal)
        others = puzzle.choices[1:]
        if puzzle.kind == ONE:
            assert puzzle.right == [puzzle.choices[0].move]
            assert all(choice.loss >= BETTER and choice.low > 0 for choice in others)
        else:
            assert len(puzzle.right) >= FEWEST_FINE


def test_a_puzzle_that_told_more_or_is_of_other_rules_would_be_found() -> None:
    """A hidden card, planted: the first number that the seat does not know."""
    puzzle = shipped_puzzles(find_game("costa-ruana"))[0]
    seat = next(seat for seat in range(2) if seat != puzzle.seat)
    hand = [list(row) for row in puzzle.view["hand"]]
    assert hand[seat][0] == UNKNOWN
    hand[seat][0] = 0
    assert not is_known_alone(replace(puzzle, view={**puzzle.view, "hand": hand}))
    for wrong in (replace(puzzle, rules_version=99), replace(puzzle, seat=5), replace(puzzle, view={})):
        with pytest.raises(RecordError):
            view_of(find_game("costa-ruana"), wrong)


@pytest.fixture
def content(monkeypatch: pytest.MonkeyPatch) -> None:
    """Puzzles are made with so little thought, and so easily, that one takes a second."""
    little = {"ITERATIONS": 40, "CONFIRMING": (80,), "ROUNDS": (4, 8, 12), "TRIES": 1, "VISITED": 2}
    easily = {
        "SURE_Z": 0.0,
        "BETTER": 0.0,
        "CONFIRMS": -1.0,
        "CONFIRMS_UNGUIDED": -1.0,
        "FINE": 1.0,
        "SURELY_FINE": 1.0,
    }
    for name, value in {**little, **easily}.items():
        monkeypatch.setattr(puzzle_making, name, value)


@pytest.mark.usefixtures("content")
def test_the_same_seed_makes_the_same_puzzles_also_in_two_goes() -> None:
    game = find_game("costa-ruana")
    whole = list(make_puzzles(game, 3, seed=5))
    assert len({puzzle.origin for puzzle in whole}) == 3
    first = list(islice(make_puzzles(game, 3, seed=5), 1))
    assert [*first, *make_puzzles(game, 3, 5, 1, first)] == whole
    assert whole[:1] != list(make_puzzles(game, 1, seed=6))
    assert all(is_known_alone(puzzle) for puzzle in whole)


@pytest.mark.usefixtures("content")
def test_each_of_the_deeper_searches_has_to_find_what_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/analysis.md: one that takes a wrong move keeps a position from being a puzzle; the last is without the
    game's network."""
    game = find_game("cast-away")
    puzzle = next(
        one for one in make_puzzles(game, 9, seed=5) if any(choice.low > 0 for choice in one.choices)
    )
    maker = puzzle_making._Maker(view_of(game, puzzle), puzzle.origin)
    wrong = game.notation.action_of(next(choice.move for choice in puzzle.choices if choice.low > 0))
    looked = puzzle_making._Maker._looked
    guided: list[bool] = []
    astray: int | None = None

    def look(
        self: puzzle_making._Maker, number: int, iterations: int, tuning: Tuning = USUAL
    ) -> dict[int, float]:
        found = looked(self, number, iterations, tuning)
        guided.append(bool(tuning.trained))
        return {wrong: 1.0, **found} if number == astray else found

    monkeypatch.setattr(puzzle_making._Maker, "_looked", look)
    assert maker.make(puzzle.kind) == puzzle
    assert guided == [True, *[True] * puzzle_making.AGREEING, False]
    for astray in range(len(guided)):
        assert maker.make(puzzle.kind) is None, f"the search {astray} took a wrong move"

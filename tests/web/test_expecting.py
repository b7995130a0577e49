"""What a page is told ahead of a decision: what its seat can expect, which is most, and nothing that it cannot."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from atoll.core.catalogue import games
from atoll.web.choosing import Fields, fields_of
from atoll.web.table_page import draw_table
from atoll.web.tables import Table, Viewer

from .conftest import QuietTable


def expected(table: Table, seat: int, fields: Fields) -> str | None:
    """The live part that the seat expects after a move."""
    found = table.expect(seat, table.decision(seat), fields)
    return None if found is None else drawn(found, seat)


def drawn(table: Table, seat: int) -> str:
    """The live part, drawn by itself."""
    table.fragments.clear()
    table.parts = {}
    return str(draw_table(table, Viewer(seat), "en", {}))


def random_move(table: Table, chance: random.Random) -> tuple[int, Fields]:
    """Any legal move of any seat that has to decide."""
    seat = chance.choice(table.to_act)
    return seat, {name: (text,) for name, text in fields_of(chance.choice(table.legal_moves(seat))).items()}


@pytest.mark.parametrize("game", list(games()))
def test_what_is_expected_is_what_comes(quiet_table: QuietTable, game: str) -> None:
    """In a whole game, for most decisions; the others' outcomes hang on what is hidden."""
    table, chance = quiet_table(game), random.Random(3)
    count: Counter[bool] = Counter()
    while not table.position.is_over:
        seat, fields = random_move(table, chance)
        before = expected(table, seat, fields)
        table.answer(seat, table.decision(seat), fields)
        count[before is not None] += 1
        if before is not None:
            assert before == drawn(table, seat)
    assert count[True] > 2 * count[False] > 0


def another_world(table: Table, seat: int, chance: random.Random) -> Table:
    """The table with all drawn anew that the seat cannot know, the others' choices too."""
    other = table._copy(table.position.view(seat).resample(chance.getrandbits(32)))
    for chosen in table.choices.values():
        mine = chosen.seat == seat
        move = chosen.move if mine else chance.choice(other.legal_moves(chosen.seat))
        other.choices[chosen.seat] = replace(chosen, move=move)
    return other


def find_leak(table: Table) -> None:
    """Play a game to its end; the law: what a seat expects is the same whatever it does not know."""
    chance = random.Random(4)
    while not table.position.is_over:
        seat, fields = random_move(table, chance)
        other = another_world(table, seat, chance)
        assert expected(table, seat, fields) == expected(other, seat, fields)
        table.answer(seat, table.decision(seat), fields)


@pytest.mark.parametrize("game", list(games()))
def test_what_is_expected_tells_nothing_that_the_seat_cannot_know(quiet_table: QuietTable, game: str) -> None:
    find_leak(quiet_table(game))


@pytest.mark.parametrize("game", list(games()))
def test_an_expectation_made_of_the_position_is_found(
    quiet_table: QuietTable, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Table, "expect", Table.foresee)
    with pytest.raises(AssertionError):
        find_leak(quiet_table(game))

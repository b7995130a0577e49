"""What a page is told ahead of a decision: what its seat can expect, which is most, and nothing that it cannot."""

import random
from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import replace

import pytest

from atoll.core.catalogue import games
from atoll.web.pages.table_page import draw_table
from atoll.web.table import timeline
from atoll.web.table.move_choice import Fields, fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.timeline import Timeline

from .conftest import QuietTable

COPY = Timeline.copy
LOOKED_AT = 120
"""Decisions of a game that are looked at, about, if it is as long as can be."""
Plant = Callable[[pytest.MonkeyPatch], None]


def drawn(table: Table, seat: int) -> str:
    """The live part, drawn by itself."""
    table.timeline.drawn.forget_fragments()
    table.timeline.drawn.regions = {}
    return str(draw_table(table, Viewer(seat), "en", {}))


def random_move(table: Table, chance: random.Random) -> tuple[int, Fields]:
    """Any legal move of any seat that has to decide."""
    seat = chance.choice(table.timeline.to_act)
    return seat, {
        name: (text,) for name, text in fields_of(chance.choice(table.timeline.legal_moves(seat))).items()
    }


def another_world(table: Table, seat: int, chance: random.Random) -> Table:
    """The table with all drawn anew that the seat cannot know, the others' choices too."""
    other = copy(table)
    timeline = other.timeline = COPY(
        table.timeline, table.timeline.view(seat).resample(chance.getrandbits(32))
    )
    for chosen in table.timeline.choices.values():
        mine = chosen.seat == seat
        move = chosen.move if mine else chance.choice(timeline.legal_moves(chosen.seat))
        timeline.choices[chosen.seat] = replace(chosen, move=move)
    return other


def made_of(table: Table, seat: int, fields: Fields) -> tuple[bytes, str] | None:
    """The live part that the seat expects after a move, and the position of which it is drawn.

    Where the others have yet to choose that position is the table's own, of which only the seat's view is drawn.
    """
    found = table.expect(seat, table.timeline.decision(seat), fields)
    if found is None:
        return None
    position = found.timeline.position.view(seat) if found.timeline.choices else found.timeline.position
    return position.state.tobytes(), drawn(found, seat)


def find_leak(table: Table) -> None:
    """Play a game to its end; the law: what a seat expects is the same whatever it does not know."""
    chance = random.Random(4)
    while not table.timeline.is_over:
        seat, fields = random_move(table, chance)
        other = another_world(table, seat, chance)
        assert made_of(table, seat, fields) == made_of(other, seat, fields)
        table.answer(seat, table.timeline.decision(seat), fields)


@pytest.mark.parametrize("game", list(games()))
def test_what_is_expected_comes_and_tells_nothing_that_the_seat_cannot_know(
    quiet_table: QuietTable, game: str
) -> None:
    """In a whole game, something is expected of most decisions; the others' outcomes hang on what is hidden. Of a long
    game some decisions are looked at.
    """
    table, chance = quiet_table(game), random.Random(3)
    count: Counter[bool] = Counter()
    longest = table.game.rules.max_decisions(table.game.components(), table.row.players)
    while not table.timeline.is_over:
        seat, fields = random_move(table, chance)
        if chance.random() > LOOKED_AT / longest:
            table.answer(seat, table.timeline.decision(seat), fields)
            continue
        found = made_of(table, seat, fields)
        assert found == made_of(another_world(table, seat, chance), seat, fields)
        table.answer(seat, table.timeline.decision(seat), fields)
        count[found is not None] += 1
        if found is not None:
            assert found[1] == drawn(table, seat)
    assert count[True] > 2 * count[False] > 0


def plant_answer(patch: pytest.MonkeyPatch) -> None:
    """What is expected is what comes."""
    patch.setattr(Table, "expect", Table.foresee)


def plant_position(patch: pytest.MonkeyPatch) -> None:
    """What can be expected is drawn of the true position."""
    patch.setattr(Timeline, "copy", lambda timeline, _: COPY(timeline, timeline.position.copy()))


def plant_unchecked_position(patch: pytest.MonkeyPatch) -> None:
    """It is, and nothing is asked of the guesses."""
    plant_position(patch)
    plant_no_guesses(patch)


def plant_no_guesses(patch: pytest.MonkeyPatch) -> None:
    """What one guess shows is expected."""
    patch.setattr(timeline, "GUESSES", 1)


@pytest.mark.parametrize("plant", [plant_answer, plant_position, plant_unchecked_position])
@pytest.mark.parametrize("game", list(games()))
def test_an_expectation_made_of_the_position_is_found(
    quiet_table: QuietTable, game: str, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError):
        find_leak(quiet_table(game))


@pytest.mark.parametrize("game", list(games()))
def test_an_expectation_of_a_single_guess_is_found(
    quiet_table: QuietTable, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells nothing, but something else may come."""
    plant_no_guesses(monkeypatch)
    with pytest.raises(AssertionError):
        test_what_is_expected_comes_and_tells_nothing_that_the_seat_cannot_know(quiet_table, game)

"""What templates and games are given of a table: from none of it the position can be reached."""

import random
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pytest

from atoll.core.catalogue import games
from atoll.core.game import Position, View
from atoll.core.state import REFEREE
from atoll.web.pages import table_page
from atoll.web.pages.render_cache import render_cache
from atoll.web.pages.templating import draw
from atoll.web.store.store import Store, TableRow
from atoll.web.table.move_choice import Fields, as_fields, fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.seen_table import seen_by
from atoll.web.table.table import Table
from atoll.web.table.timeline import Timeline

from .conftest import QuietTable

SECRET = (Position, Timeline, Table, TableRow, Store)
PLAIN = (str, bytes, int, float, type(None), type, ModuleType, BuiltinFunctionType, np.dtype)


def beyond(found: Any) -> Iterator[Any]:
    """What can be reached from something in one step: items, attributes, and what a function keeps."""
    match found:
        case Mapping():
            yield from (*found.keys(), *found.values())
        case list() | tuple() | set() | frozenset():
            yield from found
        case partial():
            yield from (found.func, *found.args, *found.keywords.values())
        case MethodType():
            yield from (found.__self__, found.__func__)
        case FunctionType():
            yield from (cell.cell_contents for cell in found.__closure__ or ())
            yield from found.__defaults__ or ()
    if isinstance(kept := getattr(found, "__dict__", None), dict):
        yield from kept.values()
    slots = (name for kind in type(found).__mro__ for name in getattr(kind, "__slots__", ()))
    yield from (getattr(found, name) for name in slots if hasattr(found, name))


def leaks(given: Iterable[Any]) -> list[str]:
    """The referee's side of a table, as far as it can be reached."""
    found, seen, todo = [], set(), list(given)
    kept = []  # so that no two things have the same id
    while todo:
        one = todo.pop()
        if type(one) in weakref.ProxyTypes or isinstance(one, PLAIN) or id(one) in seen:
            continue
        seen.add(id(one))
        kept.append(one)
        names = one.dtype.names or () if isinstance(one, np.ndarray | np.void) else ()
        whole = "seat" in names and "to_act" in names and bool(np.any(np.atleast_1d(one)["seat"] == REFEREE))
        if whole or isinstance(one, SECRET):
            found.append(f"a {type(one).__name__}{' with everything' if whole else ''}")
        else:
            todo += beyond(one)
    return found


def given_while_drawn(table: Table, seat: int | None, patch: pytest.MonkeyPatch) -> Sequence[Any]:
    """All that templates and the game's own page are given to draw a table for a seat."""
    given: list[Any] = []

    def drawn(*rest: Any, **context: Any) -> str:
        given.append(context)
        return draw(*rest, **context)

    def seen(*rest: Any) -> Any:
        given.append(seen_by(*rest))
        return given[-1]

    with patch.context() as during:
        during.setattr(table_page, "draw", drawn)
        during.setattr(table_page, "seen_by", seen)
        render_cache(table).forget_fragments()
        table_page.draw_table(table, Viewer(seat), "en", {})
    assert len(given) == 2
    return given


@pytest.mark.parametrize("game", list(games()))
def test_the_position_cannot_be_reached_from_what_a_page_is_drawn_from(
    quiet_table: QuietTable, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, chance = quiet_table(game), random.Random(2)
    for _ in range(3):
        for seat in (None, *range(len(table.seating.seats))):
            assert leaks(given_while_drawn(table, seat, monkeypatch)) == []
        mover = chance.choice(table.timeline.to_act)
        move = fields_of(chance.choice(table.timeline.legal_moves(mover)))
        fields: Fields = {name: (text,) for name, text in move.items()}
        table.answer(mover, table.timeline.decision(mover), fields)


def plant_in_view(patch: pytest.MonkeyPatch) -> None:
    """The view keeps the position that it was made of."""
    view = Position.view

    def keeping(position: Position, *seat: int) -> View:
        found = view(position, *seat)
        found.whole = position  # type: ignore[attr-defined]
        return found

    patch.setattr(Position, "view", keeping)


def plant_in_record(patch: pytest.MonkeyPatch) -> None:
    """The view shows everything."""
    patch.setattr(Timeline, "view", lambda timeline, seat: timeline.position.opened())


def plant_in_function(patch: pytest.MonkeyPatch) -> None:
    """A function that templates call has the table."""
    context, table = table_page.context, table_drawn(patch)

    def telling(*given: Any) -> dict[str, Any]:
        drawn = table()
        return {**context(*given), "options": lambda: drawn.timeline}

    patch.setattr(table_page, "context", telling)


def table_drawn(patch: pytest.MonkeyPatch) -> Callable[[], Table]:
    """What gives the table that is being drawn."""
    draw_table = table_page.draw_table
    drawn: list[Table] = []

    def keep(table: Table, *rest: Any, **settings: Any) -> Any:
        drawn[:] = [table]
        return draw_table(table, *rest, **settings)

    patch.setattr(table_page, "draw_table", keep)
    return lambda: drawn[0]


@pytest.mark.parametrize("plant", [plant_in_view, plant_in_record, plant_in_function])
def test_a_position_that_can_be_reached_is_found(
    quiet_table: QuietTable, plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert leaks(given_while_drawn(quiet_table("karuba"), 0, monkeypatch))


def found_for_all(table: Table) -> list[bytes]:
    """What a function that is found for all is given, as the page of each viewer gets it, once for all of them."""
    given: list[View] = []

    def shown(view: View) -> bytes:
        given.append(view)
        return bytes(view.states.tobytes())

    seats = range(len(table.seating.seats))
    found = [table.timeline.seen(seat, []).for_all(shown) for seat in (*seats, None)]
    assert len(given) == 1
    return found


@pytest.mark.parametrize("game", list(games()))
def test_what_is_found_for_all_is_found_of_what_everybody_sees(quiet_table: QuietTable, game: str) -> None:
    table, chance = quiet_table(game), random.Random(3)
    for _ in range(6):
        assert set(found_for_all(table)) == {table.timeline.position.view().states.tobytes()}
        mover = chance.choice(table.timeline.to_act)
        move = chance.choice(table.timeline.legal_moves(mover))
        table.answer(mover, table.timeline.decision(mover), as_fields(fields_of(move).items()))


@pytest.mark.parametrize("game", list(games()))
def test_a_seats_view_that_all_would_be_shown_is_found(
    quiet_table: QuietTable, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, view = quiet_table(game), Timeline.view
    monkeypatch.setattr(Timeline, "view", lambda timeline, seat: view(timeline, seat or 0))
    assert set(found_for_all(table)) != {table.timeline.position.view().states.tobytes()}

"""The simulated site (`tests.soak simulation`), in short: it holds, it repeats, and it finds what is planted."""

import gc
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import bindparam, update
from sqlalchemy.exc import DBAPIError

from atoll.web.store import store
from atoll.web.store.schema import tables
from atoll.web.store.store import Answer, Store
from atoll.web.table.seats import Viewer
from atoll.web.table.seen_table import SeenTable, seen_by
from atoll.web.table.table import Table
from tests.soak.simulation.checks import Broken
from tests.soak.simulation.database import Faults
from tests.soak.simulation.evening import simulate

SECONDS = 150.0
"""Of an evening."""
MOST = 12
"""Evenings in which a planted fault must have been found."""


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """What the site logs about simulated faults."""
    logging.disable(logging.CRITICAL)
    yield
    gc.collect()  # tasks that a planted fault ended say so when they go, wherever that is
    logging.disable(logging.NOTSET)


def test_nothing_is_broken_and_a_seed_repeats() -> None:
    """Moves stand once and in order, pages end at the table, no seat sees more than its view, whatever happens; an
    evening twice is the same.
    """
    first = told = simulate(1, parties=2, seconds=SECONDS)
    assert simulate(1, parties=2, seconds=SECONDS) == first
    for seed in range(2, MOST):
        if min(told.kills, told.fills, told.hung, told.lies) > 0:
            break
        told.add(simulate(seed, parties=2, seconds=SECONDS))
    assert min(told.kills, told.fills, told.hung, told.lies, told.acknowledged, told.drawn) > 0


def plant_moves_made_twice(patch: pytest.MonkeyPatch) -> None:
    """A move of which the database does not answer whether it was kept is kept once more."""
    append = Store.append

    def insist(
        kept: Store, table: str, version: int, number: int, answers: Sequence[Answer], *rest: Any, **also: Any
    ) -> None:
        try:
            append(kept, table, version, number, answers, *rest, **also)
        except DBAPIError:
            again = [replace(answer, decision=answer.decision + 1) for answer in answers]
            append(kept, table, version + 1, number + len(answers), again, *rest, **also)

    patch.setattr(Store, "append", insist)
    patch.setattr("tests.soak.simulation.evening.Faults", partial(Faults, unanswered=0.3))


def plant_lost_version(patch: pytest.MonkeyPatch) -> None:
    """A change does not look whether somebody else was first."""
    patch.setattr(
        store, "_CHANGE", update(tables).where(tables.c.id == bindparam("of"), bindparam("known") >= 0)
    )


def plant_leaked_view(patch: pytest.MonkeyPatch) -> None:
    """The page of a seat shows everything. Bots keep their views: what cannot be known is not for them to search."""

    def leak(viewer: Viewer, table: Table, names: Sequence[str]) -> SeenTable:
        shown = seen_by(viewer, table, names)
        return replace(shown, seen=replace(shown.seen, view=table.timeline.position.opened()))

    patch.setattr("atoll.web.pages.table_page.seen_by", leak)


def plant_taken_lies(patch: pytest.MonkeyPatch) -> None:
    """A move counts for the decision that is due, whatever it says."""
    answer = Table.answer

    def take(table: Table, seat: int, decision: int, *rest: Any) -> Any:
        return answer(table, seat, table.timeline.decision(seat), *rest)

    patch.setattr(Table, "answer", take)


@pytest.mark.parametrize(
    ("plant", "said", "first"),
    [
        (plant_taken_lies, "nobody asked for", 1),
        (plant_moves_made_twice, "cannot be played|UNIQUE constraint", 1),
        (plant_lost_version, "shows something else|stayed at version|UNIQUE constraint|answered with 500", 6),
        (plant_leaked_view, "shows more than its view", 1),
    ],
)
def test_what_is_planted_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], said: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(Broken, match=said):
        simulate_some(first, MOST)


def simulate_some(first: int, evenings: int) -> None:
    """Simulate some evenings, each from the next seed."""
    for seed in range(first, first + evenings):
        simulate(seed, parties=2, seconds=SECONDS)

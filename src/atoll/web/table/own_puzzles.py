"""Puzzles from one's own games: what an analysis found to be an error is to be played better. Nobody else sees them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from atoll.core.game import View
from atoll.core.records import read_records
from atoll.core.types import Json
from atoll.lab.analysis import Analysis, steps_of
from atoll.lab.puzzles import ONE, Puzzle, Why, view_fields
from atoll.text.translation import Translator
from atoll.web.refusal import Refusal
from atoll.web.store.analyses import Analyses
from atoll.web.store.history import Result
from atoll.web.store.puzzle_answers import PuzzleAnswer
from atoll.web.table.daily import today
from atoll.web.table.puzzles import NumberedPuzzle
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record

GAMES = 20
"""The last games of a person that puzzles come from."""


@dataclass(frozen=True)
class OwnError:
    """An error of somebody in a game at a table; `number` counts the game's decisions from 0."""

    table_id: str
    number: int

    @property
    def name(self) -> str:
        """What answers are kept under."""
        return f"{self.table_id}-{self.number}"

    @property
    def address(self) -> str:
        """Where it is solved."""
        return f"/tables/{self.table_id}/puzzles/{self.number}"


@dataclass(frozen=True)
class OwnPuzzle(NumberedPuzzle):
    """The puzzle of an error."""

    error: OwnError
    seen: View
    played: Json
    """the move that was chosen in the game"""

    @property
    def name(self) -> str:
        return self.error.name

    @property
    def address(self) -> str:
        return self.error.address

    def view(self) -> View:
        return self.seen


class _Decision(msgspec.Struct):
    number: int
    seat: int
    choices: list[msgspec.Raw] = []


class _Decisions(msgspec.Struct):
    """What is needed here of an `Analysis`."""

    decisions: list[_Decision]


def own_errors(results: Iterable[Result], analyses: Analyses) -> list[OwnError]:
    """Those of a person, whose results these are, in the last of their games that were analysed, the latest first."""
    seats = {f"tables/{result.table_id}": result.seat for result in results}
    done = analyses.done(seats)
    last = [place for place in seats if place in done][:GAMES]
    findings, decoder = analyses.findings(last), msgspec.json.Decoder(_Decisions)
    return [
        OwnError(place.removeprefix("tables/"), one.number)
        for place in last
        for one in decoder.decode(findings[place]).decisions
        if one.choices and one.seat == seats[place]
    ]


def next_own(errors: Sequence[OwnError], answers: Mapping[str, PuzzleAnswer]) -> OwnError | None:
    """The one to be solved next: what comes again today, else the first without an answer; None if there is none."""
    due = [one for one in errors if one.name in answers and answers[one.name].is_due(today())]
    new = [one for one in errors if one.name not in answers]
    return next(iter([*due, *new]), None)


def own_puzzle(table: Table, seat: int | None, findings: str, number: int) -> OwnPuzzle:
    """The puzzle of a seat's error in a game that was analysed; raises Refusal if there is none."""
    found = msgspec.json.decode(findings, type=Analysis)
    decision = next(
        (one for one in found.decisions if (one.number, one.seat) == (number, seat) and one.choices), None
    )
    if decision is None:
        raise Refusal(404, "There is no such puzzle.")
    steps, end = steps_of(next(read_records(table_record(table, None).splitlines())))
    view = steps[number].before.view(decision.seat)
    parts = [name for name, _ in end.game.messages.score_parts(Translator("en"), end.breakdown()[0])]
    puzzle = Puzzle(
        game=table.game.name,
        rules_version=table.game.rules_version,
        components=view.components.name,
        options=dict(view.options),
        seat=decision.seat,
        view=view_fields(view),
        kind=ONE,
        level="",
        choices=decision.choices,
        why=[Why(round(points, 1), part) for points, part in decision.sure_figures(parts)],
        found={},
        tries=0,
        origin=(found.seed, 0, number),
    )
    return OwnPuzzle(table.game, number, puzzle, OwnError(table.row.id, number), view, decision.move)

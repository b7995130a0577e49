"""The page of an analysis: the verdict, three moments, the course, and what luck and skill made of each result."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from babel.numbers import format_decimal

from atoll.core.game_translator import GameTranslator
from atoll.core.types import Json
from atoll.lab.analysis import Analysis, JudgedDecision, SeatParts, Step, steps_of
from atoll.web.pages.drawings import COLOURS, MARKS
from atoll.web.pages.players import names_of, seat_labels
from atoll.web.pages.templating import draw
from atoll.web.store.analyses import StoredAnalysis
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record
from atoll.web.table.watched_record import WatchedRecord
from atoll.web.translation import translator_for

if TYPE_CHECKING:
    from atoll.core.game import Position
    from atoll.core.records import Record
    from atoll.lab.estimates import Estimate

Entry = dict[str, Any]
WIDE, HIGH = 1000, 200
"""Size of the course's picture, in units of its viewBox."""
ROOM = 40
"""Of a round's number in the same units, at least."""
PARTS = ("deal", "chance", "own", "others")


def draw_analysis(table: Table, seat: int | None, stored: StoredAnalysis | None, language: str) -> str:
    """The page for a viewer in a seat, or in none. The caller holds the table's lock."""
    translator = GameTranslator(translator_for(language, table.game.package), table.components)
    state = "none" if stored is None else stored.state
    here = f"{table.address}/analysis"
    found: Entry = {}
    if stored is not None and state == "done":
        found = found_context(table, seat, stored.findings, translator)
    return draw(
        "analysis.html.jinja",
        language,
        table.game,
        here=here,
        title=table.game.title,
        back=f"{table.address}/back",
        leave=None if table.is_record else table.address,
        state=state,
        under_way=stored is not None and stored.is_under_way,
        done=stored.done if stored else 0,
        total=stored.total if stored else 0,
        **found,
    )


def found_context(table: Table, seat: int | None, findings: str, translator: GameTranslator) -> Entry:
    """What an analysis found, as the template shows it."""
    analysis = msgspec.json.decode(findings, type=Analysis)
    steps, end = steps_of(record_of(table))
    telling = Telling(table, seat, analysis, steps, end, translator)
    moments = analysis.moments
    others = [one for one in analysis.decisions if one.kind != "fine" and one not in moments]
    return {
        "seats": [
            {"name": name, "colour": COLOURS[own], "mark": MARKS[own]}
            for own, name in enumerate(telling.labels)
        ],
        "verdict": telling.verdict(),
        "moments": [telling.moment(one, number) for number, one in enumerate(moments, 1)],
        "others": [telling.moment(one, 0) for one in others],
        "course": telling.course(moments),
        "bars": telling.bars(),
    }


def moment_at(stored: StoredAnalysis | None, at: int, seat: int | None) -> tuple[Json, Json] | None:
    """What a seat played after so many moves, and what was better, if that was a moment of the analysis."""
    if stored is None or stored.state != "done":
        return None
    analysis = msgspec.json.decode(stored.findings, type=Analysis)
    return next(
        (
            (one.move, one.other)
            for one in analysis.decisions
            if (one.number, one.seat) == (at, seat) and one.kind != "fine"
        ),
        None,
    )


def record_of(table: Table) -> "Record":
    """The whole record of a finished game."""
    from atoll.core.records import read_records

    if isinstance(table, WatchedRecord):
        return table.record
    return next(read_records(table_record(table, None).splitlines()))


class Telling:
    """What is told of an analysis, to a viewer in a seat or in none."""

    def __init__(
        self,
        table: Table,
        seat: int | None,
        analysis: Analysis,
        steps: Sequence[Step],
        end: "Position",
        translator: GameTranslator,
    ) -> None:
        self.table = table
        self.seat = seat
        self.analysis = analysis
        self.steps = steps
        self.say = translator
        self.names = names_of(translator, table.seating)
        self.labels = seat_labels(translator, table.seating, seat)
        self.messages = end.game.messages
        self.parts = [name for name, _ in self.messages.score_parts(translator, end.breakdown()[0])]

    def verdict(self) -> Entry:
        """How the game ended for the viewer, else for who won, and what made that."""
        seat = self.analysis.winners[0] if self.seat is None else self.seat
        part = self.analysis.parts[seat]
        return {
            "seat": seat,
            "head": self._head(seat, part),
            "text": self._made_of(part),
        }

    def _head(self, seat: int, part: SeatParts) -> str:
        say, name = self.say, self.names[seat]
        won, mine = seat in self.analysis.winners, self.seat is not None
        if won and len(self.analysis.winners) > 1:
            if mine:
                return say("You share the win.")
            return say(
                "%(names)s share the win.", names=say.both([self.names[one] for one in self.analysis.winners])
            )
        match won, self._cause(part, 1 if won else -1), mine:
            case True, "", True:
                return say("You won.")
            case True, "luck", True:
                return say("You won, mostly by good luck.")
            case True, "own", True:
                return say("You won, mostly by your own choices.")
            case True, _, True:
                return say("You won, mostly by what the others chose.")
            case False, "", _:
                return say("You did not win.")
            case False, "luck", _:
                return say("You did not win, mostly by bad luck.")
            case False, "own", _:
                return say("You did not win, mostly by your own choices.")
            case False, _, _:
                return say("You did not win, mostly because the others chose well.")
            case _, "", _:
                return say("%(name)s won.", name=name)
            case _, "luck", _:
                return say("%(name)s won, mostly by good luck.", name=name)
            case _, "own", _:
                return say("%(name)s won, mostly by their own choices.", name=name)
            case _:
                return say("%(name)s won, mostly by what the others chose.", name=name)

    def _cause(self, part: SeatParts, sign: int) -> str:
        """What did most for the result, or against it: "luck", "own" or "others"; empty if none surely did."""
        causes = {"luck": (part.deal, part.chance), "own": (part.own,), "others": (part.others,)}
        sure = {
            cause: sign * sum(one.value for one in estimates)
            for cause, estimates in causes.items()
            if sum(sign * one.value - (one.high - one.low) / 2 for one in estimates) > 0
        }
        return max(sure, key=lambda cause: sure[cause], default="")

    def _made_of(self, part: SeatParts) -> str:
        return self.say(
            "In 100 games like this: %(fair)s wins by a fair share, %(deal)s by the deal, %(chance)s by chance since, "
            "%(own)s by own choices, %(others)s by the others’ choices.",
            fair=points(part.fair),
            **{name: self.with_half(getattr(part, name)) for name in PARTS},
        )

    def with_half(self, estimate: "Estimate") -> str:
        """A share in points of 100, and half of its interval."""
        half = points((estimate.high - estimate.low) / 2)
        return self.say("%(value)s ± %(half)s", value=self.signed(estimate.value), half=half)

    def moment(self, one: JudgedDecision, number: int) -> Entry:
        """A decision that cost something."""
        view = self.steps[one.number].before.view(one.seat)
        played, better = (
            self.messages.move_text(self.say, self.names, move, view, one.seat)
            for move in (one.move, one.other)
        )
        low, high = max(0, points(one.cost.low)), points(one.cost.high)
        return {
            "number": number,
            "seat": one.seat,
            "title": self.say("Round %(round)s: %(name)s", round=one.round, name=self.labels[one.seat]),
            "cost": self.say("Cost about %(loss)s", loss=points(one.cost.value)),
            "played": played,
            "better": better,
            "reason": self.reason(one),
            "low": low,
            "high": high,
            "middle": points(one.cost.value),
            "range": self.say("somewhere from %(low)s to %(high)s games in 100", low=low, high=high),
            "in_fact": None
            if one.in_fact is None
            else self.say("With the real cards: about %(loss)s.", loss=points(one.in_fact.value)),
            "url": f"{self.table.address}/back?at={one.number}&eyes={one.seat}&moment=1",
        }

    def reason(self, one: JudgedDecision) -> str:
        """What the better move brings more at the end, in the parts of the score."""
        told = one.sure_figures(self.parts)
        if not told:
            return ""
        listed = self.say.both([f"{part} {self.decimal(value)}" for value, part in told])
        return self.say("In points at the end, on average: %(figures)s.", figures=listed)

    def course(self, moments: Sequence[JudgedDecision]) -> Entry:
        """The seats' shares of the win as each round began, and the moments."""
        steps, shares = self.steps, self.analysis.shares
        starts = [
            place for place, step in enumerate(steps) if not place or step.round != steps[place - 1].round
        ]
        places = [*starts, len(steps)]
        ends = [y(one.value) for one in shares[-1]]
        lines = [
            {
                "colour": COLOURS[seat],
                "mark": MARKS[seat],
                "mine": seat == self.seat,
                "line": " ".join(f"{self.x(at)},{y(shares[at][seat].value)}" for at in places),
                "band": " ".join(
                    [f"{self.x(at)},{y(shares[at][seat].high)}" for at in places]
                    + [f"{self.x(at)},{y(shares[at][seat].low)}" for at in reversed(places)]
                ),
                "end": ends[seat],
                "beside": ends[:seat].count(ends[seat]),
            }
            for seat in range(len(self.names))
        ]
        rows = [
            {
                "label": self.say("Round %(round)s", round=steps[at].round)
                if at < len(steps)
                else self.say("End"),
                "shares": [
                    f"{points(share.value)} ({points(share.low)}–{points(share.high)})"
                    for share in shares[at]
                ],
            }
            for at in places
        ]
        return {
            "wide": WIDE,
            "high": HIGH,
            "even": y(1 / len(self.names)),
            "lines": lines,
            "rounds": [
                {
                    "x": self.x(at),
                    "number": steps[at].round,
                    "has_room": not number or self.x(at) - self.x(starts[number - 1]) >= ROOM,
                }
                for number, at in enumerate(starts)
            ],
            "marks": [
                {
                    "number": number,
                    "x": 100 * self.x(one.number) / WIDE,
                    "y": 100 * y(shares[one.number][one.seat].value) / HIGH,
                }
                for number, one in enumerate(moments, 1)
            ],
            "rows": rows,
        }

    def x(self, place: int) -> float:
        """Where a decision lies in the picture."""
        return round(WIDE * place / max(1, len(self.steps)), 1)

    def bars(self) -> Entry:
        """A bar a seat: what cost lies left of the fair share, what helped right of it."""
        values: list[list[float]] = [
            [getattr(part, name).value for name in PARTS] for part in self.analysis.parts
        ]
        least = min(-0.05, *(sum(one for one in row if one < 0) for row in values))
        most = max(0.05, *(sum(one for one in row if one > 0) for row in values))

        def place(value: float) -> float:
            return round(100 * (value - least) / (most - least), 2)

        rows = []
        for part, row in zip(self.analysis.parts, values, strict=True):
            left, right, pieces = 0.0, 0.0, []
            for name, value in zip(PARTS, row, strict=True):
                if value < 0:
                    begin, left = left + value, left + value
                else:
                    begin, right = right, right + value
                width = place(begin + abs(value)) - place(begin)
                text = self.signed(value) if width > 11 else ""
                pieces.append(
                    {
                        "part": name,
                        "x": place(begin),
                        "width": round(width, 2),
                        "middle": round(place(begin) + width / 2, 2),
                        "text": text,
                    }
                )
            rows.append(
                {
                    "seat": part.seat,
                    "result": points(part.result),
                    "pieces": pieces,
                    "cells": [self.with_half(getattr(part, name)) for name in PARTS],
                }
            )
        return {"fair": points(1 / len(self.names)), "zero": place(0.0), "rows": rows}

    def signed(self, share: float) -> str:
        """A share in points of 100, with its sign."""
        return format_decimal(points(share), format="+0;−0", locale=self.say.locale)

    def decimal(self, value: float) -> str:
        """A difference with one decimal and its sign."""
        return format_decimal(round(value, 1), format="+0.#;−0.#", locale=self.say.locale)


def points(share: float) -> int:
    """A share in points of 100."""
    return round(100 * share)


def y(share: float) -> float:
    """Where a share lies in the course's picture."""
    return round(HIGH - HIGH * share, 1)

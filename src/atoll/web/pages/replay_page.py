"""The replay page: a table after some of its moves, and controls that step through the game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from atoll.core.game_translator import GameTranslator
from atoll.core.types import Json, Line
from atoll.text.translation import Translator
from atoll.web.pages.drawings import COLOURS, MARKS
from atoll.web.pages.guesses import GuessedDecision, guess_context
from atoll.web.pages.log import first_from, log
from atoll.web.pages.players import names_of, seat_labels
from atoll.web.pages.regions import Fragment, RegionDrawer
from atoll.web.pages.rules_page import has_rules_page
from atoll.web.pages.table_links import rules_address
from atoll.web.pages.table_page import ELSEWHERE, Entry, context
from atoll.web.pages.templating import draw
from atoll.web.table.move_choice import Control, MoveChoice, post
from atoll.web.table.replay import (
    MOVE,
    OPEN,
    ROUND,
    Look,
    PointsAfter,
    past_of,
    standings_by_round,
    stops,
)
from atoll.web.table.seen_table import SeenTable, seen_by
from atoll.web.table.table import Table
from atoll.web.table.timeline import Timeline
from atoll.web.translation import translator_for

WIDE, HIGH = 1000, 100
"""Size of the chart of points, in units of its viewBox."""


@dataclass
class ShownMove(MoveChoice):
    """A move that is ringed on the board and not made: pressing what it takes shows the same page again."""

    look: Mapping[str, str] = field(default_factory=dict)

    def control(self, do: str, *, add: Mapping[str, Any] | None = None, **parts: Any) -> Control | None:
        """What it takes of the board."""
        return super().control(do, add=add, **parts) and self.press(self.moves[0])

    def press(self, move: Json) -> Control:
        """The move as a whole."""
        return Control("step", self.page, self.look, best=True)


def draw_replay(
    table: Table,
    look: Look,
    language: str,
    *,
    whole: bool,
    moment: tuple[Json, Json] | None = None,
    decision: GuessedDecision | None = None,
) -> Fragment:
    """A table after some of its moves: the live part, or the whole page; of a `moment` of an analysis the move that was
    played is told and the better one, the second, is ringed; a `decision` can be taken on the table, and in a list. The
    caller holds the table's lock.
    """
    past = past_of(table, look)
    drawing = RegionDrawer({})
    translator = GameTranslator(translator_for(language, table.game.package), table.components)
    names = seat_labels(translator, table.seating, look.viewer.seat)
    seen = past_table(seen_by(look.viewer, past, names))
    shown, told = None, None
    if moment is not None and look.viewer.seat is not None:
        page, fields = f"{seen.address}/back", look_fields(look) | {"moment": "1"}
        shown = ShownMove([moment[1]], {}, page, page, 0, best=moment[1], look=fields)
        played, better = (
            seen.game.messages.move_text(translator, names, move, seen.view, look.viewer.seat)
            for move in moment
        )
        told = translator(
            "Better, and ringed: “%(better)s”. Played: “%(played)s”.", better=better, played=played
        )
    guess = None
    if decision is not None:
        seen = replace(seen, moves=decision.moves)
        guess = guess_context(decision, translator, names)
    table_context = context(seen, translator, {}, confirms=decision is None, shown=shown)
    log_context = log(past.timeline, look.viewer.seat, translator, names)
    html = draw(
        "table.html.jinja" if whole else "table_live.html.jinja",
        language,
        table.game,
        draw_region=drawing.draw_region,
        log=log_context,
        **table_context
        | replay_context(
            table,
            look,
            seen,
            translator,
            told or last_entry(past.timeline, log_context["rounds"], look.viewer.seat),
        )
        | {"guess": guess},
    )
    return drawing.fragment(html, look.at)


def past_table(table: SeenTable) -> SeenTable:
    """The same table without legal moves, clocks and hints; its version is the number of moves."""
    return replace(
        table,
        moves=(),
        gives_hint=False,
        hint=None,
        lesson=None,
        choice=None,
        have_chosen=(),
        clock=None,
        clocks=(None,) * len(table.clocks),
        next=None,
        version=len(table.seen.heard),
    )


def last_entry(past: Timeline, rounds: Sequence[Entry], seat: int | None) -> str | None:
    """The text of the log's last entry, if it is about the last move."""
    if not past.rounds:  # the log may have notes of undone moves
        return None
    before = past.rounds[-1].events_before(past.events_seen(seat), past.since_last_look(seat))
    lines: Sequence[Line] = rounds[-1]["lines"]
    return lines[-1].text if first_from(lines, before) < len(lines) else None


def replay_context(
    table: Table, look: Look, seen: SeenTable, translator: Translator, happened: str | None
) -> Entry:
    """The entries of the context that differ from a running table's."""
    here = f"{seen.address}/back"
    count, names = len(table.timeline.answers), names_of(translator, table.seating)
    text = translator("Move %(number)s of %(count)s", number=look.at, count=count)
    leave = translator("My games") if table.is_record else translator("Back to the table")
    entries = [{"label": leave, "url": seen.address}]
    if has_rules_page(seen.game):
        entries.insert(0, {"label": translator("Rules"), "url": rules_address(seen)})
    return ELSEWHERE | {
        "past": {
            "steps": steps(table, look, here, translator),
            "at": look.at,
            "count": count,
            "here": here,
            "table": seen.address,
            "leave": leave,
            "analysis": f"{seen.address}/analysis" if table.tells_all else None,
            "eyes": look.eyes,
            "by": look.by,
            "step_kinds": step_kinds(translator, names),
            "viewpoints": viewpoints(translator, names) if table.is_record or table.tells_all else [],
            "play_on": play_on_button(table, look, seen, here, translator),
            "points": points_chart(standings_by_round(table), names) if table.timeline.is_over else None,
        },
        "here": replay_address(here, look),
        "prompt": {"text": text, "hint": happened, "mine": False},
        "tab_title": translator("Looking back – %(game)s", game=seen.game.title),
        "menu": entries,
        "paces": [],
        "confirmations": [],
        "confirm": None,
        "again": None,
        "undo_request": None,
        "clock": None,
        "clocked": False,
        "refreshes": False,
    }


def replay_address(here: str, look: Look) -> str:
    """The address of the page."""
    return f"{here}?at={look.at}&by={look.by}" + (f"&eyes={look.eyes}" if look.eyes else "")


def steps(table: Table, look: Look, here: str, translator: Translator) -> list[Entry]:
    """The buttons: to the beginning, one step back, one on, to the end. Without such a step the control is None."""
    positions = stops(table.timeline, look.by)
    before = [stop for stop in positions if stop < look.at]
    after = [stop for stop in positions if stop > look.at]
    return [
        {"id": name, "label": label, "control": step_control(here, look, to)}
        for name, label, to in (
            ("first", translator("To the start"), before[:1]),
            ("back", translator("One step back"), before[-1:]),
            ("on", translator("One step forward"), after[:1]),
            ("last", translator("To the end"), after[-1:]),
        )
    ]


def step_control(here: str, look: Look, to: Sequence[int]) -> Control | None:
    """The control that leads to the position in `to`; None if that is empty."""
    return Control("step", here, look_fields(replace(look, at=to[0]))) if to else None


def look_fields(look: Look) -> dict[str, str]:
    """The fields that lead to it."""
    fields = {"at": str(look.at), "by": look.by}
    return fields | {"eyes": look.eyes} if look.eyes else fields


def step_kinds(translator: Translator, names: Sequence[str]) -> list[Entry]:
    """The units in which one can step."""
    ways = {MOVE: translator("each move"), ROUND: translator("each round")}
    for seat, name in enumerate(names):
        ways[str(seat)] = translator("moves of %(name)s", name=name)
    return [{"value": value, "label": label} for value, label in ways.items()]


def viewpoints(translator: Translator, names: Sequence[str]) -> list[Entry]:
    """The viewpoints from which a finished game can be watched."""
    seats = [
        {"value": str(seat), "label": translator("as %(name)s saw it", name=name)}
        for seat, name in enumerate(names)
    ]
    return [*seats, {"value": OPEN, "label": translator("everything open")}]


def play_on_button(
    table: Table, look: Look, seen: SeenTable, here: str, translator: Translator
) -> Entry | None:
    """The button that plays on from this position: a new game once this one is over, else an undo. None for neither."""
    if table.is_record:
        return None
    if not table.timeline.is_over:
        return undo_button(table, look, seen, here, translator)
    if not seen.to_act or not table.tells_all:
        return None
    seat = seen.to_act[0] if look.viewer.seat is None else look.viewer.seat
    control = post(f"{here}/play", at=str(look.at), seat=str(seat))
    return {
        "control": control,
        "label": translator("Play on from here"),
        "help": translator("As %(name)s, against bots", name=names_of(translator, seen.seating)[seat]),
    }


def undo_button(table: Table, look: Look, seen: SeenTable, here: str, translator: Translator) -> Entry | None:
    """The button that undoes a running game to this position; None unless the viewer plays it alone against bots."""
    seat = look.viewer.seat
    timeline = table.timeline
    if (
        table.row.daily is not None
        or not seen.alone
        or seat is None
        or not timeline.stays <= look.at < len(timeline.answers)
    ):
        return None
    control = post(f"{here}/undo", at=str(look.at), decision=str(timeline.decision(seat)))
    return {
        "control": control,
        "label": translator("Take back to here"),
        "help": translator("The game goes on from this position, and the log says so"),
    }


def points_chart(standings: Sequence[PointsAfter], names: Sequence[str]) -> dict[str, Any]:
    """The chart of points after each round: a line for each seat, and where the lead changed."""
    last = max(1, standings[-1].moves)
    values = [value for standing in standings for value in standing.points]
    low, high = min(values), max(min(values) + 1, *values)

    def place(standing: PointsAfter, value: int) -> tuple[float, float]:
        return round(WIDE * standing.moves / last, 1), round(HIGH - HIGH * (value - low) / (high - low), 1)

    lines = []
    for seat, name in enumerate(names):
        points = [standing.points[seat] for standing in standings]
        at = [place(standing, value) for standing, value in zip(standings, points, strict=True)]
        lines.append(
            {
                "colour": COLOURS[seat],
                "mark": MARKS[seat],
                "name": name,
                "points": points,
                "line": " ".join(f"{x},{y}" for x, y in at),
                "end": at[-1][1],
            }
        )
    return {
        "wide": WIDE,
        "high": HIGH,
        "lines": lines,
        "rounds": [place(standing, 0)[0] for standing in standings[1:-1]],
        "turns": [place(standing, max(standing.points)) for standing in standings if standing.turns],
    }

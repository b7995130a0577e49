"""The findings of a report with all that belongs to them: what another bot says, games to watch, numbers to try."""

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from atoll.bots.bot import Bot
from atoll.core.entries import differences, shortened, value_at, with_value
from atoll.core.records import opened_at
from atoll.core.types import Components, Json
from atoll.lab import counts
from atoll.lab.aims import left_out, whole
from atoll.lab.chunks import Chunk, collect
from atoll.lab.estimates import Estimate
from atoll.lab.findings import MOST, Claim, Key, Standout, chosen, claims, standouts, verdict
from atoll.lab.items import items_of
from atoll.lab.played import Setup
from atoll.lab.recording import record_game
from atoll.lab.report import GameReport
from atoll.lab.sections import usage
from atoll.lab.sections.findings import (
    AVAILABLE,
    BEGIN,
    DISAGREES,
    OPENING,
    SEAT,
    TIMES,
    USE,
    WIN,
    Finding,
    Findings,
    NumberChange,
    WatchedMoment,
)
from atoll.lab.sections.strategies import as_text
from atoll.lab.totals import GAMES, Totals
from atoll.text.errors import AtollError
from atoll.text.toml_text import with_data

GAMES_TO_WATCH = 3
SEARCHED, SEARCHED_SLOWLY = 200, 6
"""Games in which moments to watch are looked for, with bots in compiled code and with others."""
TRIED_GAMES = 200
"""Games with each number that is tried."""
FARTHEST = 3
"""A number is changed by one; the one that helps most by up to so many."""
MOST_NUMBERS = 6
"""Numbers of an entry that are tried."""
WITH_NUMBERS = 2
"""Findings for which numbers are tried, the first that are of an entry of a list."""
STEP_PRICE = 0.02
"""A number that is changed by one more must bring the figure so much nearer."""
HELPS = 0.75
"""A number is proposed if not more than this part of the distance is left."""
AIMED_SEATS, AIMED_FIRST, AIMED_USES = 2.0, 1.3, 5
"""What the aims file of a finding wants: seats, a first choice, and of what is used hardly ever."""


class Beside(NamedTuple):
    """A bot of another strength, and how many games it plays."""

    bot: Bot
    games: int


Measure = Callable[[Setup, int], GameReport]
"""Plays so many games and makes their report."""


def findings(
    report: GameReport,
    setup: Setup,
    measure: Measure,
    since: Components | None = None,
    beside: Beside | None = None,
    most: int = MOST,
) -> Findings:
    """The findings of a report; beside the same games with the components `since`, if there are any. `measure` plays
    further games.
    """
    own = claims(report)
    others = [dataclasses.replace(setup, components=since)] if since is not None else []
    before = claims(measure(others[0], report.about.games)) if others else None
    found, looked_at = standouts(own, before)
    claims_beside: Mapping[Key, Claim] = {}
    before_beside: Mapping[Key, Claim] | None = {} if others else None
    if beside is not None and found:
        claims_beside, *rest = [
            claims(measure(dataclasses.replace(one, bots=[beside.bot]), beside.games))
            for one in (setup, *others)
        ]
        before_beside = rest[0] if rest else None

    def says(one: Standout) -> tuple[Estimate | None, float, str]:
        return verdict(one, claims_beside, before_beside)

    picked = chosen(found, lambda one: beside is not None and says(one)[2] == DISAGREES)[:most]
    entries = [one for one in picked if since is None and entry_of(one.claim, setup.components) is not None]
    with_numbers = entries[:WITH_NUMBERS]
    watched = Watched(setup, report.about.games)
    return Findings(
        [_finding(one, says(one), setup, watched, has_numbers=one in with_numbers) for one in picked],
        looked_at,
        "" if since is None else since.name,
        [] if since is None else list(_changed(since, setup.components)),
        "" if beside is None else beside.bot.name,
        0 if beside is None else beside.games,
    )


def _finding(
    one: Standout,
    said: tuple[Estimate | None, float, str],
    setup: Setup,
    watched: "Watched",
    *,
    has_numbers: bool,
) -> Finding:
    """A finding with games to watch and, if it `has_numbers`, a number to try."""
    claim = one.claim
    return Finding(
        claim.kind,
        claim.name,
        claim.thing,
        claim.players,
        claim.seat,
        claim.value,
        one.norm,
        one.size,
        one.p_value,
        *said,
        moments=watched.moments(one),
        change=_change(one, setup) if has_numbers and setup.is_quick else None,
        aims=aims_text(setup, claim),
    )


def _changed(before: Components, after: Components) -> Iterator[str]:
    """Where two files differ."""
    for one in differences(whole(before), whole(after)):
        if one.path not in ("name",) and not one.path.endswith("source"):
            yield f"{one.path}: {one.before} → {one.after}"


# Games to watch


class Watched:
    """The first games of a report with their decisions, in which moments are looked for."""

    def __init__(self, setup: Setup, games: int) -> None:
        self.setup = setup
        self.count = min(games, SEARCHED if setup.is_compiled else SEARCHED_SLOWLY)
        self._chunk: Chunk | None = None
        self._records: dict[int, str] = {}

    @property
    def chunk(self) -> Chunk:
        """The games."""
        if self._chunk is None:
            self._chunk = collect(self.setup, 0, self.count, keep_log=True)
        return self._chunk

    def record(self, game: int) -> str:
        """The text of a game's record."""
        if game not in self._records:
            self._records[game] = record_game(self.setup, game)[0]
        return self._records[game]

    def moments(self, one: Standout) -> list[WatchedMoment]:
        """Three games with the decision at which it happens: the thing is used, or is there and left alone, the
        opening is made, or, of a seat, the game is half over; where it never happens, the first games' last decision.
        """
        if one.claim.players != self.setup.players:
            return []
        log = self.chunk.log
        assert log is not None
        rows = log.rows
        games, seats = rows[:, counts.IN_GAME], rows[:, counts.BY]
        starts = np.searchsorted(games, np.arange(self.count))
        places = self._places(one, np.arange(len(rows)), starts)
        moments: list[WatchedMoment] = []
        for game in dict.fromkeys(games[places].tolist()):
            place = next(at for at in places.tolist() if games[at] == game)
            decision = int(place - starts[game]) + 1
            moments.append(
                WatchedMoment(
                    int(game),
                    decision,
                    int(rows[place, counts.IN_ROUND]),
                    int(seats[place]) + 1,
                    opened_at(self.record(int(game)), decision),
                )
            )
            if len(moments) == GAMES_TO_WATCH:
                break
        return moments

    def _places(self, one: Standout, rows: Any, starts: Any) -> Any:
        """Rows of the log at which it happens, the plainest first."""
        claim, chunk = one.claim, self.chunk
        log = chunk.log
        assert log is not None
        games, seats, actions = (log.rows[:, column] for column in (counts.IN_GAME, counts.BY, counts.ACTION))
        won = (chunk.shares > 0)[games, seats]
        ends = np.append(starts[1:], len(rows))
        last = ends - 1
        is_more = claim.scaled(claim.value.value) > claim.scaled(one.norm)
        if claim.kind == SEAT:
            half = (starts + ends) // 2
            wins = (chunk.shares > 0)[:, claim.seat - 1] == is_more
            return half[wins]
        if claim.thing is None:
            first = chunk.games[:, counts.FIRST_ACTION : counts.FIRST_ACTION + chunk.players] - 1
            several = np.diff(log.rows[:, counts.LEGAL_END], prepend=0) > 1
            begins = several & (actions == first[games, seats])
            game = self.setup.game
            words = np.array([as_text(game, action) == claim.key for action in range(len(game.moves))])
            makes = begins & words[actions]
            return np.concatenate([rows[makes & (won == is_more)], rows[makes]])
        has = (items_of(self.setup.game).move_items == _place_of(claim, self.setup)).any(axis=1)
        used = has[actions]
        sizes = np.diff(log.rows[:, counts.LEGAL_END], prepend=0)
        could = np.zeros(len(rows), dtype=bool)
        np.logical_or.at(could, np.repeat(rows, sizes), has[log.legal])
        left_alone = rows[could & ~used]
        if claim.kind in (USE, AVAILABLE, TIMES) and not is_more:
            return np.concatenate([left_alone, rows[used], last])
        return np.concatenate([rows[used & (won == is_more)], rows[used], last])


# Numbers to try


def entry_of(claim: Claim, components: Components) -> str | None:
    """The path of the entry of a components file that a thing is: the value is its number in the list that is called
    as the things are, such as `cards` of cards.
    """
    thing = claim.thing
    if thing is None or not isinstance(thing.value, int) or components.file is None:
        return None
    listed = whole(components).get(f"{thing.of}s")
    if isinstance(listed, list) and 1 <= thing.value <= len(listed):
        return f"{thing.of}s[{thing.value - 1}]"
    return None


def number_paths(data: Any, path: str) -> Iterator[str]:
    """The whole numbers at and below a path."""
    value = value_at(data, path)
    if type(value) is int:
        yield path
    elif isinstance(value, dict):
        for key in value:
            yield from number_paths(data, f"{path}.{key}")
    elif isinstance(value, list):
        for place in range(len(value)):
            yield from number_paths(data, f"{path}[{place}]")


def changed_components(setup: Setup, path: str, number: int) -> tuple[Components, Json]:
    """The components with a number changed, and their data; raises ComponentError if that is not played."""
    data: Json = with_value(deepcopy(whole(setup.components)), path, number)
    data = shortened(data, left_out(setup.components))
    components = setup.game.components_from(f"{setup.components.name}", data)
    return setup.game.under(components, setup.options), data


def _change(one: Standout, setup: Setup) -> NumberChange | None:
    """The least change of a number of the thing's entry that brings its figure nearest to what is expected, as games
    with each of them say; None if there is none, or none helps.
    """
    claim = one.claim
    if claim.kind in (SEAT, OPENING, BEGIN) or claim.players != setup.players:
        return None
    entry = entry_of(claim, setup.components)
    if entry is None:
        return None
    data = whole(setup.components)
    goal = claim.scaled(one.norm)
    now = abs(claim.scaled(claim.value.value) - goal)

    def tried(path: str, step: int) -> tuple[float, NumberChange | None]:
        before = value_at(data, path)
        try:
            components, changed = changed_components(setup, path, before + step)
        except AtollError:  # the file may not say that
            return math.inf, None
        then = _figure(claim, dataclasses.replace(setup, components=components))
        if then is None:
            return math.inf, None
        miss = abs(claim.scaled(then.value) - goal) + STEP_PRICE * abs(step)
        return miss, NumberChange(path, before, before + step, then, with_data("", changed))

    paths = list(number_paths(data, entry))[:MOST_NUMBERS]
    rows = [(tried(path, step), path, step) for path in paths for step in (-1, 1)]
    if not rows:
        return None
    (miss, change), path, step = min(rows, key=lambda row: row[0][0])
    for further in range(2, FARTHEST + 1):
        next_miss, next_change = tried(path, further * step)
        if next_miss >= miss:
            break
        miss, change = next_miss, next_change
    return change if miss < HELPS * now else None


def _figure(claim: Claim, setup: Setup) -> Estimate | None:
    """The figure of a claim about a thing in some games."""
    assert claim.thing is not None
    chunk = collect(setup, 0, TRIED_GAMES)
    totals = Totals({"usage": (1, counts.USAGE_COLUMNS), "shares": (setup.players,), GAMES: (3,)}, 0)
    totals.sums["usage"][0] = chunk.usage[_place_of(claim, setup)]
    totals.sums["shares"] += chunk.shares.sum(axis=0)
    totals.sums[GAMES][0] = len(chunk)
    (one,) = usage.figures(totals, [claim.thing], [True], setup.players).things
    return {USE: one.used, AVAILABLE: one.available, TIMES: one.uses}.get(claim.kind, one.win)


def _place_of(claim: Claim, setup: Setup) -> int:
    """The place of a thing among those of the game."""
    items = items_of(setup.game).items
    return next(place for place, item in enumerate(items) if item.key == claim.key)


def aims_text(setup: Setup, claim: Claim) -> str:
    """An aims file for a finding: that the thing is used, or seats are alike and no first choice wins. Numbers outside
    of lists, and those of the thing's entry, may change by one; empty if there are none.
    """
    if setup.components.file is None:
        return ""
    data = whole(setup.components)
    ranges = {}
    entry = entry_of(claim, setup.components)
    for path in (path for key in data for path in number_paths(data, key)):
        is_own = entry is not None and path.startswith((f"{entry}.", f"{entry}["))
        if (is_own or "[" not in path) and path != "format" and not path.startswith("counts."):
            value = value_at(data, path)
            ranges[path] = [max(0, value - 1), value + 1]
    if not ranges:
        return ""
    lines = [f"players = [{setup.players}]", "", "[ranges]"]
    lines += [f'"{path}" = [{low}, {high}]' for path, (low, high) in ranges.items()]
    if claim.thing is not None and claim.thing.of and claim.kind != WIN:
        aims = [f'used = [{{ moves = "{claim.thing.key}", least = {AIMED_USES} }}]']
    else:
        aims = [f"seats = {AIMED_SEATS:g}", f"first_action = {AIMED_FIRST}"]
    return "\n".join([*lines, "", "[aims]", *aims, ""])

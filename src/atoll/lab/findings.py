"""What stands out in a report: figures of seats, things and openings that are out of line, the largest first.

A figure is compared with what it would be if nothing were wrong: of seats with that of seats that are alike, of a thing
with that of its like (the median of the other values of that part of that kind of moves), of openings with what such
seats win however they begin; or, beside a report of another set, with what it was there. Sizes are J. Cohen's h, the
difference of two shares after the arcsine transformation, which makes them equally sure wherever they lie; a number of
uses, which is no share, is told by its logarithm.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

import numpy as np

from atoll.lab.estimates import Estimate, Z, normal_tail
from atoll.lab.figures import Names
from atoll.lab.items import NamedItem
from atoll.lab.report import GameReport
from atoll.lab.sections.findings import (
    AGREES,
    AVAILABLE,
    BEGIN,
    DISAGREES,
    OPENING,
    SEAT,
    TIMES,
    UNSURE,
    USE,
    WIN,
)
from atoll.lab.sections.usage import ItemUsage

MOST = 7
"""Findings that are told."""
MOST_OF_KIND = 3
FALSE_RATE = 0.01
"""How often a report tells of anything where nothing is."""
WORTH = {SEAT: 0.035, USE: 0.25, AVAILABLE: 0.25, TIMES: 0.25, WIN: 0.1, OPENING: 0.1, BEGIN: 0.2}
"""From which size on a finding of a kind is worth telling; of a seat of four it is a point and a half."""
FEWEST_LIKE = 4
"""Of fewer that are alike there is no usual one."""
FEWEST_UNITS = 30
FEWEST_TOLD = 100
"""Of fewer seats that could do something nothing is told."""
COMMON = 0.01
"""Openings of fewer of the seats are not looked at."""
DISPUTED = 0.3
"""By so much less a finding counts with which the other bot disagrees."""

Key = tuple[str, str]


class Claim(NamedTuple):
    """A figure of a kind, and what is expected of it."""

    kind: str
    key: str
    name: Names
    value: Estimate
    norm: float
    players: int
    seat: int = 0
    thing: NamedItem | None = None
    is_too_small: bool = False
    """whether it is a fault only below the norm"""

    @property
    def identity(self) -> Key:
        """What tells it from all others of a report."""
        return self.kind, self.key

    def scaled(self, value: float) -> float:
        """A value on the scale on which sizes are compared."""
        if self.kind == TIMES:
            return math.log(max(value, 1e-3))
        return 2 * math.asin(math.sqrt(min(1.0, max(0.0, value))))

    @property
    def error(self) -> float:
        """The standard error on that scale."""
        ends = (self.value.low, self.value.high)
        return max(abs(self.scaled(end) - self.scaled(self.value.value)) for end in ends) / Z


class Standout(NamedTuple):
    """A claim that is out of line: by how much at least, in times of what is worth telling, and how sure."""

    claim: Claim
    norm: float
    size: float
    p_value: float


def claims(report: GameReport) -> dict[Key, Claim]:
    """All figures of a report that findings are made of."""
    return {
        claim.identity: claim
        for claim in (*_seat_claims(report), *_thing_claims(report), *_opening_claims(report))
        if claim.value.method != "none" and claim.value.units >= FEWEST_UNITS
    }


def _seat_claims(report: GameReport) -> Iterator[Claim]:
    """Every seat at every number of players."""
    for table in report.seats.tables if report.seats is not None else ():
        for seat in table.seats:
            key = f"{table.players}/{seat.seat}"
            yield Claim(SEAT, key, {}, seat.share, seat.expected, table.players, seat.seat)


def _thing_claims(report: GameReport) -> Iterator[Claim]:
    """Every kind of moves, and every value of every part of it beside the others of that part."""
    players = report.about.players
    things = [
        one
        for one in (report.things.things if report.things is not None else ())
        if one.thing.what == "move" and any(one.thing.name.values())
    ]
    alike: dict[str, list[ItemUsage]] = {}
    for one in things:
        alike.setdefault(one.thing.key.rpartition("/")[0] if one.thing.of else "", []).append(one)
    for like, of_part in alike.items():
        used = _usual(like, [one.used.value for one in of_part if one.used.method != "none"])
        available = _usual(like, [one.available.value for one in of_part if one.available is not None])
        excess = _usual(like, [one.win.value - one.expected for one in of_part if _is_known(one.win)])
        for one in of_part:
            base = Claim(USE, one.thing.key, one.thing.name, one.used, used, players, thing=one.thing)
            yield base._replace(is_too_small=True)
            yield base._replace(kind=TIMES, value=one.uses, norm=math.nan)
            if one.available is not None:
                yield base._replace(kind=AVAILABLE, value=one.available, norm=available, is_too_small=True)
            if one.win is not None:
                yield base._replace(kind=WIN, value=one.win, norm=one.expected + excess)


def _usual(like: str, values: Sequence[float]) -> float:
    """The median of what is alike; not a number where too little is."""
    return float(np.median(values)) if like and len(values) >= FEWEST_LIKE else math.nan


def _is_known(win: Estimate | None) -> TypeGuard[Estimate]:
    return win is not None and win.units >= FEWEST_UNITS


def _opening_claims(report: GameReport) -> Iterator[Claim]:
    """First choices, by what who makes them wins and how many make them."""
    for one in report.strategies.openings if report.strategies is not None else ():
        if len(one.moves) == 1 and one.taken.value >= COMMON:
            base = Claim(OPENING, one.moves[0], one.name, one.win, one.expected, report.about.players)
            yield base
            yield base._replace(kind=BEGIN, value=one.taken, norm=math.nan)


def standouts(
    own: Mapping[Key, Claim], before: Mapping[Key, Claim] | None = None
) -> tuple[list[Standout], int]:
    """What is out of line, beside the figures `before` if there are any, the largest first; and of how many figures."""
    rows = []
    for key, claim in own.items():
        other = None if before is None else before.get(key)
        norm = claim.norm if before is None else math.nan if other is None else other.value.value
        if math.isnan(norm) or claim.value.units < FEWEST_TOLD:
            continue
        gap = claim.scaled(claim.value.value) - claim.scaled(norm)
        error = math.hypot(claim.error, 0.0 if other is None else other.error)
        rows.append((claim, norm, gap, error, normal_tail(gap / error) if error > 0 else float(gap == 0)))
    found = [
        Standout(claim, norm, (abs(gap) - Z * error) / WORTH[claim.kind], p_value)
        for claim, norm, gap, error, p_value in rows
        if p_value * len(rows) < FALSE_RATE
        and abs(gap) >= WORTH[claim.kind]
        and not (before is None and claim.is_too_small and gap > 0)
    ]
    return sorted(found, key=lambda one: -one.size), len(rows)


def verdict(
    one: Standout, beside: Mapping[Key, Claim], before: Mapping[Key, Claim] | None = None
) -> tuple[Estimate | None, float, str]:
    """What a bot of another strength says of a finding: the same figure, what is expected of it, and whether it
    agrees: the difference is sure and of the same sign; it disagrees where its interval leaves no room for half of it.
    """
    claim = beside.get(one.claim.identity)
    other = None if before is None else before.get(one.claim.identity)
    if claim is None or (before is not None and other is None):
        return None, 0.0, UNSURE
    norm = claim.norm if other is None else other.value.value
    if math.isnan(norm):
        return None, 0.0, UNSURE
    first = one.claim.scaled(one.claim.value.value) - one.claim.scaled(one.norm)
    gap = claim.scaled(claim.value.value) - claim.scaled(norm)
    error = Z * math.hypot(claim.error, 0.0 if other is None else other.error)
    sign = math.copysign(1.0, first)
    if sign * gap - error > 0:
        return claim.value, norm, AGREES
    return claim.value, norm, DISAGREES if sign * gap + error < abs(first) / 2 else UNSURE


def chosen(found: Sequence[Standout], disputed: Callable[[Standout], bool]) -> list[Standout]:
    """At most MOST of them: the largest of each kind, then the largest of what is left, of a thing and of the seats at
    a table one each; what the other bot disputes counts less.
    """
    ranked = sorted(found, key=lambda one: -one.size * (DISPUTED if disputed(one) else 1.0))
    different: dict[str, Standout] = {}
    for one in ranked:
        claim = one.claim
        about = f"table {claim.players}" if claim.kind == SEAT else claim.key
        different.setdefault(about, one)
    rows = list(different.values())
    first_of_kind = {one.claim.kind: one for one in reversed(rows)}
    picked = list(first_of_kind.values())
    counts = Counter(one.claim.kind for one in picked)
    for one in rows:
        if len(picked) < MOST and one not in picked and counts[one.claim.kind] < MOST_OF_KIND:
            picked.append(one)
            counts[one.claim.kind] += 1
    return [one for one in ranked if one in picked][:MOST]

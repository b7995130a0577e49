"""Planted faults: are they among the findings of a report, and is anything found where nothing was changed?

`python -m tests.soak planted [--games 2000] [--selves 20] [--only NAME]` plays each set of components with a fault in
it beside the set without it, and then sets beside themselves on other deals. The held faults were not looked at while
the findings were made. It prints where each fault stands among the findings, and fails if more than one is missed, or
more than one set beside itself has findings.
"""

import argparse
import dataclasses
import sys
from collections.abc import Callable
from copy import deepcopy
from typing import Any, NamedTuple

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.core.entries import with_value
from atoll.core.types import Components
from atoll.lab import report_builder
from atoll.lab.finding_games import findings
from atoll.lab.findings import claims, standouts
from atoll.lab.played import Setup
from atoll.lab.report import GameReport
from atoll.lab.sections.findings import SEAT, Finding

SEED = 11


class Fault(NamedTuple):
    """What is changed in a set, and by what a finding is recognized; `held` for the test."""

    name: str
    game: str
    components: str
    players: int
    changes: dict[str, Any]
    is_found_by: Callable[[Finding], bool]
    held: bool = False


def of_seat(finding: Finding) -> bool:
    """Whether it is about a seat."""
    return finding.kind == SEAT


def naming(*values: Any) -> Callable[[Finding], bool]:
    """Whether the value of a thing, or the name of an opening, is one of these or holds it."""

    def named(finding: Finding) -> bool:
        thing = finding.thing
        if thing is None:
            words = finding.name.get("en", "").lower().split()
            return any(str(value) in words for value in values)
        parts = thing.value if isinstance(thing.value, list) else [thing.value]
        return any(value in (part, thing.kind) for part in parts for value in values)

    return named


FAULTS = (
    Fault(
        "a tile twice as dear",
        *("cast-away", "fair", 4),
        {"constructions[6].cost": {"bamboo": 2, "liana": 4, "palm": 0}},
        naming(7),
    ),
    Fault(
        "a seat that begins with two more",
        "cast-away",
        "fair",
        4,
        {"start_prestige.four": [4, 1, 2, 0]},
        of_seat,
    ),
    Fault("a dominant action", "cast-away", "fair", 4, {"actions.gathering_fruit": 6}, naming("gather")),
    Fault("a card worth twice as much", "karuba", "reconstruction", 2, {"cards[2].nuggets": 4}, naming(3)),
    Fault(
        "an island with most of the treasure",
        *("costa-ruana", "reconstruction", 3),
        {"treasures.players_3": [30, 4, 5, 5, 5, 5]},
        naming(0, 1),
    ),
    Fault(
        "a tile that nobody can build",
        *("cast-away", "fair", 4),
        {"constructions[11].cost": {"bamboo": 20, "liana": 20, "palm": 20}},
        naming(12),
        held=True,
    ),
    Fault(
        "another tile twice as dear",
        *("cast-away", "fair", 4),
        {"constructions[2].cost": {"bamboo": 4, "liana": 2, "palm": 4}},
        naming(3),
        held=True,
    ),
    Fault(
        "a last seat that begins with three more",
        *("cast-away", "fair", 4),
        {"start_prestige.four": [2, 1, 2, 3]},
        of_seat,
        held=True,
    ),
    Fault(
        "a card with one exit", "karuba", "reconstruction", 2, {"cards[1].exits": "N"}, naming(2), held=True
    ),
    Fault(
        "points for natives at home",
        *("costa-ruana", "reconstruction", 3),
        {"game.native_points": 6},
        naming("keep native", "put native on card", "place native", "return native"),
        held=True,
    ),
)
SETS = (("cast-away", "fair", 4), ("karuba", "reconstruction", 2), ("costa-ruana", "reconstruction", 3))


def setup_of(game_name: str, components: str, players: int, seed: int = SEED) -> Setup:
    """Games of `greedy` with a set that comes with a game."""
    game = find_game(game_name)
    return Setup(game, game.components(components), players, [find_bot("greedy")], seed)


def with_changes(setup: Setup, changes: dict[str, Any]) -> Components:
    """The components of a setup with a fault in them."""
    data = deepcopy(setup.components.data)
    for path, value in changes.items():
        data = with_value(data, path, value)
    return setup.game.components_from("planted", data)


def measure(setup: Setup, games: int) -> GameReport:
    """The report of so many games."""
    totals = report_builder.empty(setup)
    report_builder.play_and_count(setup, games, totals)
    return report_builder.report(setup, totals)


def place_of(fault: Fault, games: int) -> tuple[int, list[Finding]]:
    """Where among the findings a fault is, from 1, 0 if it is not; and the findings."""
    before = setup_of(fault.game, fault.components, fault.players)
    own = dataclasses.replace(before, components=with_changes(before, fault.changes))
    found = findings(measure(own, games), own, measure, since=before.components).findings
    return next((place for place, one in enumerate(found, start=1) if fault.is_found_by(one)), 0), found


def main() -> int:
    """Look for all faults, and for faults where there are none."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--selves", type=int, default=20)
    parser.add_argument("--only", default="", help="faults whose name begins so")
    options = parser.parse_args()
    missed = false = 0
    for fault in FAULTS:
        if fault.name.startswith(options.only):
            place, found = place_of(fault, options.games)
            missed += place == 0
            held = ", held" if fault.held else ""
            print(f"{fault.game}, {fault.name}{held}: {f'number {place}' if place else 'MISSED'}", flush=True)
            for one in found:
                subject = one.name.get("en", f"{one.seat} of {one.players}")
                print(f"    {one.kind} {subject}: {one.value.value:.3f}, before {one.norm:.3f}")
    for number in range(options.selves):
        setups = [setup_of(*SETS[number % len(SETS)], seed=SEED + 2 * number + side) for side in (1, 2)]
        first, second = (claims(measure(setup, options.games)) for setup in setups)
        found_by_chance, looked_at = standouts(first, second)
        false += bool(found_by_chance)
        names = [f"{one.claim.kind} {one.claim.key}" for one in found_by_chance]
        print(
            f"{setups[0].game.name} beside itself: {len(names)} of {looked_at} figures {names[:3]}",
            flush=True,
        )
    print(f"missed {missed}, false {false}")
    return int(missed > 1 or false > 1)


if __name__ == "__main__":
    sys.exit(main())

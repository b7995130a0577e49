"""A report on a game: all its sections, as they stand in `report.json`."""

from pathlib import Path

import msgspec

from atoll.lab.figures import Provenance, read_figures
from atoll.lab.sections.causes import Causes
from atoll.lab.sections.choices import ChoiceFigures
from atoll.lab.sections.examples import Examples
from atoll.lab.sections.findings import Findings
from atoll.lab.sections.flows import Flows
from atoll.lab.sections.lead import LeadCourse
from atoll.lab.sections.length import Length
from atoll.lab.sections.luck import LuckAndSkill
from atoll.lab.sections.people import PeopleFigures
from atoll.lab.sections.seats import SeatFairness
from atoll.lab.sections.strategies import Strategies
from atoll.lab.sections.usage import UsageStatistics


class GameReport(msgspec.Struct, frozen=True):
    """All that a report shows."""

    format: int
    about: Provenance
    findings: Findings | None = None
    people: PeopleFigures | None = None
    length: Length | None = None
    seats: SeatFairness | None = None
    course: LeadCourse | None = None
    choice: ChoiceFigures | None = None
    flows: Flows | None = None
    luck: LuckAndSkill | None = None
    things: UsageStatistics | None = None
    causes: Causes | None = None
    strategies: Strategies | None = None
    examples: Examples | None = None


def read_report(path: Path) -> GameReport:
    """The figures in a file; raises AtollError for one that holds none."""
    report: GameReport = read_figures(path, GameReport)
    return report

"""What differs between two sets of components or options, as it stands in the file of a comparison."""

from pathlib import Path

import msgspec

from atoll.lab.estimates import Estimate
from atoll.lab.figures import Names, Provenance, read_figures


class FigureDifference(msgspec.Struct, frozen=True):
    """A figure under both rules on the same deals: `change` is the second less the first, `effect` in standard
    deviations of the figure (Cohen's d for paired games), 0 where it does not vary (`is_constant`); `within` is the x
    of "no difference larger than x".

    `key` names the figure: "length.decisions", "seat 1", "thing move/build/tile/3".
    """

    key: str
    name: Names
    first: Estimate
    second: Estimate
    change: Estimate
    effect: float
    p_value: float
    significant: bool
    within: float
    unit: str

    @property
    def is_constant(self) -> bool:
        """Whether the figure is the same in all games of a side, and another on the other side."""
        return self.effect == 0 and self.change.low == self.change.high != 0


class Disagreement(msgspec.Struct, frozen=True):
    """A figure that changes otherwise between search bots than between the bots of the comparison."""

    key: str
    name: Names
    quick: Estimate
    search: Estimate


class Comparison(msgspec.Struct, frozen=True):
    """Two sets of components or options, the same deals under both; the largest effect first."""

    format: int
    first: Provenance
    second: Provenance
    differences: list[FigureDifference]
    search_bot: str = ""
    search_games: int = 0
    search_differences: list[FigureDifference] = []
    disagreements: list[Disagreement] = []


def read_comparison(path: Path) -> Comparison:
    """The comparison in a file; raises AtollError for one that holds none."""
    comparison: Comparison = read_figures(path, Comparison)
    return comparison

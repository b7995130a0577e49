"""What a training is begun with; imports no PyTorch, so that the command can say it."""

from dataclasses import asdict, dataclass
from typing import Any

ENDS = ("seconds", "generations", "device", "workers")
USUAL_SECONDS = 1200.0
"""How long the command trains if nothing is said."""
SEARCHED_DECISIONS = 6_000
"""Decisions of a generation that learns from the search, if nothing is said."""


@dataclass(frozen=True)
class Settings:
    """What a training is begun with; all but `seconds`, `generations`, `device` and `workers` stay as they were begun.

    It ends after so many `seconds` of the processor or `generations`, whichever comes first. With `search` it learns
    from games of searches of so many iterations a move, which are played on so many cores as `workers`. `against` is
    the name of a trained bot: the learner begins as it, and plays against it instead of greedy.
    """

    game: str
    seed: int
    width: int = 128
    depth: int = 64
    decisions: int = 48_000
    rate: float = 2e-3
    search: int = 0
    against: str = ""
    seconds: float = float("inf")
    generations: int = 1 << 30
    device: str = "cpu"
    workers: int = 1

    @property
    def begun_with(self) -> dict[str, Any]:
        """What must be the same to go on."""
        return {name: value for name, value in asdict(self).items() if name not in ENDS}

"""Limits of what one visitor may ask of the site: low ones where strangers can reach it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from atoll.web.refusal import Refusal
from atoll.web.store.store import Store, now

DAY = timedelta(days=1)
"""How long a table counts that is never finished."""


@dataclass(frozen=True)
class Allowance:
    """What one visitor may ask for."""

    milliseconds: int
    """that a bot may search for a move"""
    tables: int | None = None
    """unfinished ones that one browser may have made within a day; None: as many as it likes"""
    component_sets: int | None = None
    """that one browser may have in the workshop; None: as many as it likes"""
    trial_games: int = 20_000
    """that a comparison of the workshop plays under each set, at most"""

    @property
    def tables_by_address(self) -> int | None:
        """Unfinished tables that may be made within a day from one address, behind which several people can be."""
        return None if self.tables is None else 5 * self.tables

    def check_maker(self, store: Store, maker: str) -> None:
        """Raise Refusal if the browser has made as many tables as it may have."""
        if self.tables is not None and store.unfinished_by(maker, now() - DAY) >= self.tables:
            raise Refusal(
                429,
                "This browser has %(count)s unfinished tables of the last 24 hours, as many as this site allows: play "
                "one to its end, or let bots do so.",
                count=self.tables,
            )


ALONE = Allowance(milliseconds=10_000)
"""Where the site answers on its own machine only."""
OPEN = Allowance(milliseconds=2_000, tables=20, component_sets=20, trial_games=5_000)
"""Where others can come."""

AllowanceOf = Callable[[str], Allowance]
"""The allowance of a browser."""


def alone(browser: str) -> Allowance:
    """The allowance of a browser on the site's own machine."""
    return ALONE

"""Time that passes only while the site runs, by which clocks at tables go: a restart costs nobody any.

The database keeps when the site last ran and for how long it has been down, all told. Every process that serves the
site reads both each second, so all of them tell the same time.
"""

import time
from collections.abc import Callable

from sqlalchemy import Engine, insert, select, update

from atoll.web.store.schema import site_time

BEAT = 4.0
"""Seconds between two beats that are kept, while a clock runs."""
DOWN = 12.0
"""Seconds without a beat after which the site was down."""


class SiteTime:
    """Seconds of the site's own time; `wall` gives the seconds since 1970 that it goes by."""

    def __init__(self, engine: Engine, wall: Callable[[], float] = time.time) -> None:
        self.engine = engine
        self.wall = wall
        self.down = 0.0
        """seconds for which the site did not run"""
        self._kept = 0.0

    def now(self) -> float:
        """The time."""
        return self.wall() - self.down

    def on_the_wall(self, moment: float) -> float:
        """When a moment of the site's time is, in seconds since 1970, unless the site is down before."""
        return moment + self.down

    def begin(self) -> None:
        """The site starts: what has passed since it last ran does not count."""
        with self.engine.connect() as connection:
            found = connection.execute(select(site_time)).first()
        self.down = 0.0 if found is None else found.down
        if found is not None and (gone := self.wall() - found.ran_at) > DOWN:
            self.down += gone
        self._keep()

    def beat(self) -> None:
        """Keep that the site runs now, and learn what other processes know of when it did not."""
        with self.engine.connect() as connection:
            self.down = connection.scalar(select(site_time.c.down)) or 0.0
        if self.wall() - self._kept >= BEAT:
            self._keep()

    def _keep(self) -> None:
        self._kept = self.wall()
        values = {"ran_at": self._kept, "down": self.down}
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            if not connection.execute(update(site_time).values(**values)).rowcount:
                connection.execute(insert(site_time), [{"id": 1, **values}])

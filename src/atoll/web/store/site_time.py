"""Time that passes only while the site runs, by which clocks at tables go: a restart costs nobody any, and neither does
a machine that sleeps or whose clock is set.

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
LEAP = 2.0
"""Seconds by which the machine's clock and what has passed may differ between two beats; beyond that it was set."""


class SiteTime:
    """Seconds of the site's own time.

    `wall` gives the seconds since 1970, which may be set; `steady` seconds that only pass, and not while the machine
    sleeps.
    """

    def __init__(
        self,
        engine: Engine,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine = engine
        self.wall = wall
        self.steady = steady
        self.down = 0.0
        """seconds for which the site did not run, with those by which the machine's clock was set forward"""
        self._read = wall(), steady()
        self._kept = 0.0

    def now(self) -> float:
        """The time."""
        wall, steady = self._read
        return wall + (self.steady() - steady) - self.down

    def on_the_wall(self, moment: float) -> float:
        """When a moment of the site's time is, in seconds since 1970, unless the site is down before."""
        return moment + self.down

    def begin(self) -> None:
        """The site starts: what has passed since it last ran does not count."""
        with self.engine.connect() as connection:
            found = connection.execute(select(site_time)).first()
        self.down = 0.0 if found is None else found.down
        self._read = self.wall(), self.steady()
        if found is not None and not -LEAP <= (gone := self.wall() - found.ran_at) <= DOWN:
            self.down += gone
        self._keep()

    def beat(self) -> None:
        """Keep that the site runs now, and learn what other processes know of when it did not.

        Of several processes that see how the machine's clock was set, one counts it.
        """
        with self.engine.connect() as connection:
            known = connection.scalar(select(site_time.c.down)) or 0.0
        wall, steady = self._read
        self._read = self.wall(), self.steady()
        leap = (self._read[0] - wall) - (self._read[1] - steady)
        if known == self.down and abs(leap) > LEAP:
            self._count(known, leap)
        else:
            self.down = known
        if not 0 <= self.wall() - self._kept < BEAT:
            self._keep()

    def _count(self, known: float, leap: float) -> None:
        """Take what the machine's clock was set by for time in which the site was down, unless another process did."""
        counted = update(site_time).where(site_time.c.down == known).values(down=known + leap)
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            connection.execute(counted)
            self.down = connection.scalar(select(site_time.c.down)) or 0.0

    def _keep(self) -> None:
        self._kept = self.wall()
        values = {"ran_at": self._kept, "down": self.down}
        with self.engine.connect().execution_options(writes=True) as connection, connection.begin():
            if not connection.execute(update(site_time).values(**values)).rowcount:
                connection.execute(insert(site_time), [{"id": 1, **values}])

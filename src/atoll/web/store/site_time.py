"""Time that passes only while the site runs, by which clocks at tables go: a restart costs nobody any, and neither does
a machine that sleeps or whose clock is set.

The database keeps when the site last ran and for how long it has been down, all told. Every process that serves the
site reads both each second, so all of them tell the same time.
"""

import time
from collections.abc import Callable

from sqlalchemy import Engine, func, insert, select, update

from atoll.web.store.engine import writing
from atoll.web.store.schema import site_time, tables

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
        self._known = 0.0, wall(), steady()
        """seconds without the site, all told, and what the two clocks said as they were learnt"""
        self._kept = 0.0
        self._begun = False

    @property
    def down(self) -> float:
        """Seconds for which the site did not run, with those by which the machine's clock was set forward."""
        return self._known[0]

    def now(self) -> float:
        """The time, as changes keep it: what all processes know by then. Raises DBAPIError as long as this cannot be
        learnt, or the site's start not be kept.
        """
        self.learn()
        return self.shown()

    def shown(self) -> float:
        """The time as pages show it, as this process last knew it."""
        down, wall, steady = self._known
        return wall + (self.steady() - steady) - down

    def on_the_wall(self, moment: float) -> float:
        """When a moment of the site's time is, in seconds since 1970, unless the site is down before."""
        return moment + self.down

    def begin(self) -> None:
        """The site starts: what has passed since it last ran does not count."""
        self._begun = begun = False
        while not begun:
            with self.engine.connect() as connection:
                row = connection.execute(select(site_time)).first()
            down = before = 0.0 if row is None else row.down
            wall, steady = self.wall(), self.steady()
            if row is not None and not -LEAP <= (gone := wall - row.ran_at) <= DOWN:
                down += gone
            self._known = down, wall, steady
            begun = self._keep(before)  # unless another process has counted the same meanwhile
        self._begun = True

    def beat(self) -> None:
        """Keep that the site runs now, and learn what other processes know."""
        self.learn()
        if not 0 <= self.wall() - self._kept < BEAT:
            self._keep(self.down)

    def learn(self) -> None:
        """Learn what other processes know of when the site did not run, and by what the machine's clock was set.

        Of several processes that see how it was set, one counts it. A start that could not be kept is kept first.
        """
        if not self._begun:
            self.begin()
        known_down, wall, steady = self._known  # before the row: other threads learn, too
        with self.engine.connect() as connection:
            row = connection.execute(select(site_time)).first()
        down = 0.0 if row is None else row.down
        wall_now, steady_now = self.wall(), self.steady()
        passed = steady_now - steady
        leap = wall_now - wall - passed
        # Whoever counts keeps when that was, too, so what was kept before the clock was set does not look like it
        is_counted = row is not None and -LEAP <= wall_now - row.ran_at <= passed + LEAP
        if abs(leap) > LEAP and not (is_counted and down != known_down):
            down = self._count(down, leap, wall_now)  # on a full disk next time: until then it is as before
        self._known = down, wall_now, steady_now

    def _count(self, down_before: float, leap: float, wall: float) -> float:
        """Take what the machine's clock was set by for time in which the site was down, unless another process did;
        returns how long it was down, all told.
        """
        values = {"down": down_before + leap, "ran_at": wall}
        with writing(self.engine) as connection:
            connection.execute(update(site_time).where(site_time.c.down == down_before).values(**values))
            return connection.scalar(select(site_time.c.down)) or 0.0

    def _keep(self, down_before: float) -> bool:
        """Keep that the site runs now; False, and nothing, if another process has changed `down_before`."""
        values = {"ran_at": self.wall(), "down": self.down}
        with writing(self.engine) as connection:
            if not connection.execute(
                update(site_time).where(site_time.c.down == down_before).values(**values)
            ).rowcount:
                if connection.scalar(select(site_time.c.id)) is not None:
                    return False
                connection.execute(insert(site_time), [{"id": 1, **values}])
        self._kept = values["ran_at"]
        return True


def clocks_due(engine: Engine, moment: float) -> list[str] | None:
    """The tables where somebody is out of time, or whose clock is to begin; None where no clock runs at all."""
    with engine.connect() as connection:
        first = connection.scalar(select(func.min(tables.c.clock_due)))
        if first is None or first > moment:
            return None if first is None else []
        return list(connection.scalars(select(tables.c.id).where(tables.c.clock_due <= moment)))


def stop_clock(engine: Engine, table_id: str) -> None:
    """Look no longer at the clock of a table that cannot be played."""
    with writing(engine) as connection:
        connection.execute(
            update(tables).where(tables.c.id == table_id).values(clock_due=None, begins_at=None)
        )

"""Letting the bots of a table move, one after another, at the table's pace."""

import asyncio
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool

from atoll.bots import Bot
from atoll.web.live.loading import Loading
from atoll.web.live.visitors import Visitors
from atoll.web.live.watched import WatchedTables
from atoll.web.refusal import NoSuchTable
from atoll.web.store.backoff import Backoff
from atoll.web.store.leases import Leases
from atoll.web.table.creation import PACES
from atoll.web.table.search_pool import SearchPool
from atoll.web.table.seats import ABANDONED_AFTER
from atoll.web.table.table import Table

HEAD_START = 0.12
"""Seconds in which pages can draw a move before a bot that thinks takes a core."""
LOOK_AGAIN = 0.25
"""Seconds until a process asks again whether another one still lets a table's bots move."""
LINGER = ABANDONED_AFTER.total_seconds()
"""Seconds after a look for which bots go on where nobody plays and no page is open."""


@dataclass
class Moving:
    """A table at which bots are moving."""

    looked: float
    """when somebody last looked or changed something, in seconds of the monotonic clock"""
    stirred: bool = False
    """whether that was after the bots had last seen what they have to do"""
    task: asyncio.Task[None] | None = None


class BotMoves:
    """The tables at which bots are moving now; each has one task, which ends when nobody waits for them."""

    def __init__(
        self,
        watched: WatchedTables,
        loading: Loading,
        visitors: Visitors,
        leases: Leases | None = None,
        search_pool: SearchPool | None = None,
    ) -> None:
        self.watched = watched
        self.loading = loading
        self.visitors = visitors
        self.leases = leases or Leases()
        self.search_pool = search_pool or SearchPool()
        self._moving: dict[str, Moving] = {}

    def wake(self, table: Table) -> None:
        """Let the table's bots move if they have to; called after every change and look."""
        table_id = table.row.id
        if table_id in self._moving:
            self._moving[table_id].stirred = True
            self._moving[table_id].looked = time.monotonic()
        elif table.bots.have_to_act:
            moving = self._moving[table_id] = Moving(time.monotonic())
            moving.task = asyncio.create_task(self._run(table, moving), name=f"bots of {table_id}")

    async def _run(self, table: Table, moving: Moving) -> None:
        table_id = table.row.id
        backoff = Backoff(f"a bot at table {table_id} could not move")
        ours = False
        try:
            while self._is_awaited(table, moving):
                moving.stirred = False
                try:
                    ours = ours or await run_in_threadpool(self.leases.take, table_id)
                    moved = await (self._move(table) if ours else self._wait_for_turn(table))
                except NoSuchTable:
                    break
                except Exception as error:
                    await backoff.wait(error)
                    continue
                backoff.succeeded()
                if not moved and not moving.stirred:
                    break
        finally:
            del self._moving[table_id]
            self.watched.notify(table_id)  # whose pages look whether bots have to act
            if ours:
                with suppress(DBAPIError):
                    await run_in_threadpool(self.leases.give_back, table_id)

    async def _wait_for_turn(self, table: Table) -> bool:
        """Wait a little while another process lets the table's bots move; whether they still have to."""
        await asyncio.sleep(LOOK_AGAIN)
        return await run_in_threadpool(have_to_act, table)

    def _is_awaited(self, table: Table, moving: Moving) -> bool:
        """Whether somebody plays there, or looks, or did so a moment ago and may look again."""
        plays = any(sitting.browser is not None and sitting.bot is None for sitting in table.seating.seats)
        lately = time.monotonic() - moving.looked < LINGER
        return plays or lately or self.watched.is_watched(table.row.id)

    async def _move(self, table: Table) -> bool:
        """Let the next bot choose and, once the move before has been visible long enough, move."""
        shown = time.monotonic()
        await asyncio.sleep(min(HEAD_START, pause(table)))
        if table.bots.premove() is not None:
            await asyncio.sleep(max(0.0, shown + pause(table) - time.monotonic()))
            moved = await run_in_threadpool(play_premove, table)
            self.watched.notify(table.row.id, table.version)
            return moved or table.bots.have_to_act
        searches = table.search_next
        await self.loading.bots_ready(table.game.name, searching=searches)
        owner = (*self.visitors.name(table.row.maker), table.row.id)
        chosen = await self.search_pool.run(think, table, searches, owner=owner, searches=searches)
        if chosen is None:
            return table.bots.have_to_act
        await asyncio.sleep(max(0.0, shown + pause(table) - time.monotonic()))
        await run_in_threadpool(carry_out, table, chosen)
        if pause(table):
            self.watched.notify(table.row.id, table.version)
        return True

    async def stop(self) -> None:
        """Let no bot move any more."""
        tasks = [moving.task for moving in self._moving.values() if moving.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


Chosen = tuple[int, int, Bot, int]
"""Seat, number of its decision, the bot that decided, action."""


def pause(table: Table) -> float:
    """Seconds between moves; a choice that nobody sees needs none."""
    return 0.0 if table.timeline.may_take_back() else PACES[table.row.pace]


def think(table: Table, may_search: bool = True) -> Chosen | None:
    """What the next bot does; None if no bot has to decide, or one that searches and may not."""
    with table.lock:
        table.catch_up()
        turn = table.bots.turn()
        scripted = None if turn is None else table.scripted(turn[0], turn[1])
    if turn is not None and scripted is not None:
        return turn[0], turn[1], turn[2], scripted
    if turn is None or (turn[2].searches and not may_search):
        return None
    seat, decision, bot, view = turn
    return seat, decision, bot, bot.choose(view, secrets.randbits(63))


def have_to_act(table: Table) -> bool:
    """Whether a bot has to decide, as the table is kept now."""
    with table.lock:
        table.catch_up()
        return table.bots.have_to_act


def play_premove(table: Table) -> bool:
    """Play the table's next premove; whether there was one."""
    with table.lock:
        table.catch_up()
        return table.play_premove()


def carry_out(table: Table, chosen: Chosen) -> None:
    """Move as the bot chose."""
    with table.lock:
        table.move_bot(*chosen)

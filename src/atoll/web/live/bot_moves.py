"""Moves of bots: one task a table, one move after another, at the table's pace."""

import asyncio
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool

from atoll.bots import Bot
from atoll.web.bounds import Bounds
from atoll.web.live.watched_tables import WatchedTables
from atoll.web.refusal import NoSuchTable
from atoll.web.store.backoff import Backoff
from atoll.web.store.leases import Leases
from atoll.web.table.creation import PACES
from atoll.web.table.search_pool import SearchPool
from atoll.web.table.seats import ABANDONED_AFTER
from atoll.web.table.table import Table

HEAD_START = 0.12
"""Seconds in which pages can show a move before a searching bot takes a core."""
LEASE_POLL = 0.25
"""Seconds until a process tries again to get the lease of a table's bots."""
LINGER = ABANDONED_AFTER.total_seconds()
"""Seconds for which bots go on after a visit, where nobody plays and no page is open."""


@dataclass
class BotTask:
    """The task of a table at which bots move."""

    last_look: float
    """when somebody last looked or changed something, in seconds of the monotonic clock"""
    is_stale: bool = False
    """whether that was after the task last looked which bot has to move"""
    task: asyncio.Task[None] | None = None


class BotMoves:
    """The tables at which bots move now, each with a task, which ends when nobody plays or watches there."""

    def __init__(
        self,
        watched: WatchedTables,
        bounds: Bounds,
        leases: Leases | None = None,
        search_pool: SearchPool | None = None,
    ) -> None:
        self.watched = watched
        self.bounds = bounds
        self.leases = leases or Leases()
        self.search_pool = search_pool or SearchPool()
        self._tasks: dict[str, BotTask] = {}

    def wake(self, table: Table) -> None:
        """Start the table's task if a bot has to move; called after every change and every visit."""
        table_id = table.row.id
        if table_id in self._tasks:
            self._tasks[table_id].is_stale = True
            self._tasks[table_id].last_look = time.monotonic()
        elif table.bots.have_to_act:
            bot_task = self._tasks[table_id] = BotTask(time.monotonic())
            bot_task.task = asyncio.create_task(self._run(table, bot_task), name=f"bots of {table_id}")

    async def _run(self, table: Table, bot_task: BotTask) -> None:
        table_id = table.row.id
        backoff = Backoff(f"a bot at table {table_id} could not move")
        has_lease = False
        try:
            while self._has_audience(table, bot_task):
                bot_task.is_stale = False
                try:
                    has_lease = has_lease or await run_in_threadpool(self.leases.take, table_id)
                    has_moved = await (self._move(table) if has_lease else self._wait_for_lease(table))
                except NoSuchTable:
                    break
                except Exception as error:
                    await backoff.wait(error)
                    continue
                backoff.succeeded()
                if not has_moved and not bot_task.is_stale:
                    break
        finally:
            del self._tasks[table_id]
            self.watched.notify(table_id)  # its pages then wake bots that have to act
            if has_lease:
                with suppress(DBAPIError):
                    await run_in_threadpool(self.leases.give_back, table_id)

    async def _wait_for_lease(self, table: Table) -> bool:
        """Wait while another process has the lease; returns whether a bot still has to act."""
        await asyncio.sleep(LEASE_POLL)
        return await run_in_threadpool(have_to_act, table)

    def _has_audience(self, table: Table, bot_task: BotTask) -> bool:
        """Whether somebody plays at the table, watches it, or did within LINGER."""
        has_player = any(
            sitting.browser is not None and sitting.bot is None for sitting in table.seating.seats
        )
        was_seen_lately = time.monotonic() - bot_task.last_look < LINGER
        return has_player or was_seen_lately or self.watched.is_watched(table.row.id)

    async def _move(self, table: Table) -> bool:
        """Make the next bot's move, once the last one was visible for the table's pause; returns whether to go on."""
        shown_at = time.monotonic()
        await asyncio.sleep(min(HEAD_START, pause(table)))
        if table.bots.premove() is not None:
            await asyncio.sleep(max(0.0, shown_at + pause(table) - time.monotonic()))
            has_moved = await run_in_threadpool(play_premove, table)
            self.watched.notify(table.row.id, table.version)
            return has_moved or table.bots.have_to_act
        searches = table.search_next
        owner = (*self.bounds.owner(table.row.maker), table.row.id)
        decision = await self.search_pool.run(choose_move, table, searches, owner=owner, searches=searches)
        if decision is None:
            return table.bots.have_to_act
        await asyncio.sleep(max(0.0, shown_at + pause(table) - time.monotonic()))
        await run_in_threadpool(play_move, table, decision)
        if pause(table):
            self.watched.notify(table.row.id, table.version)
        return True

    async def stop(self) -> None:
        """Cancel all tasks."""
        tasks = [bot_task.task for bot_task in self._tasks.values() if bot_task.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


BotDecision = tuple[int, int, Bot, int]
"""Seat, number of its decision, the bot that decided, action."""


def pause(table: Table) -> float:
    """Seconds between moves; none for simultaneous choices, which nobody sees."""
    return 0.0 if table.timeline.may_take_back() else PACES[table.row.pace]


def choose_move(table: Table, may_search: bool = True) -> BotDecision | None:
    """The next bot's decision; None if no bot has to decide, or only one that would search without `may_search`."""
    with table.lock:
        table.catch_up()
        turn = table.bots.turn()
        action = None if turn is None else table.scripted(turn[0], turn[1])
    if turn is not None and action is not None:
        return turn[0], turn[1], turn[2], action
    if turn is None or (turn[2].searches and not may_search):
        return None
    seat, decision, bot, view = turn
    return seat, decision, bot, bot.choose(view, secrets.randbits(63))


def have_to_act(table: Table) -> bool:
    """Whether a bot has to decide, by the table's stored state."""
    with table.lock:
        table.catch_up()
        return table.bots.have_to_act


def play_premove(table: Table) -> bool:
    """Play the table's next premove; whether there was one."""
    with table.lock:
        table.catch_up()
        return table.play_premove()


def play_move(table: Table, decision: BotDecision) -> None:
    """Play the bot's decision."""
    with table.lock:
        table.move_bot(*decision)

"""Letting the bots of a table move, one after another, at the table's pace."""

import asyncio
import secrets
import time

from starlette.concurrency import run_in_threadpool

from atoll.bots import Bot
from atoll.web.backoff import Backoff
from atoll.web.live import Bells
from atoll.web.loading import Loading
from atoll.web.tables import PACES, Table
from atoll.web.thinking import Thinkers

HEAD_START = 0.12
"""Seconds in which pages can draw a move before a bot that thinks takes a core."""


class BotMoves:
    """The tables at which bots are moving now; each has one task."""

    def __init__(self, bells: Bells, loading: Loading) -> None:
        self.bells = bells
        self.loading = loading
        self.thinkers = Thinkers()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._stirred: set[str] = set()

    def wake(self, table: Table) -> None:
        """Let the table's bots move if they have to; called after every change and look."""
        table_id = table.row.id
        if table_id in self._tasks:
            self._stirred.add(table_id)
        elif table.bots_to_act:
            self._tasks[table_id] = asyncio.create_task(self._run(table), name=f"bots of {table_id}")

    async def _run(self, table: Table) -> None:
        table_id = table.row.id
        backoff = Backoff(f"a bot at table {table_id} could not move")
        try:
            moved = True
            while moved or table_id in self._stirred:
                self._stirred.discard(table_id)
                try:
                    moved = await self._move(table)
                except Exception as error:
                    await backoff.wait(error)
                    continue
                backoff.succeeded()
        finally:
            del self._tasks[table_id]
            self.bells.ring(table_id)

    async def _move(self, table: Table) -> bool:
        """Let the next bot choose and, once the move before has been visible long enough, move."""
        shown = time.monotonic()
        await asyncio.sleep(min(HEAD_START, pause(table)))
        await self.loading.bots_ready(table.game.name, searching=table.search_to_act)
        chosen = await self.thinkers.run(think, table)
        if chosen is None:
            return False
        await asyncio.sleep(max(0.0, shown + pause(table) - time.monotonic()))
        await run_in_threadpool(carry_out, table, chosen)
        if pause(table):
            self.bells.ring(table.row.id)
        return True

    async def stop(self) -> None:
        """Let no bot move any more."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


Chosen = tuple[int, int, Bot, int]
"""Seat, number of its decision, the bot that decided, action."""


def pause(table: Table) -> float:
    """Seconds between moves; a choice that nobody sees needs none."""
    return 0.0 if table.may_take_back() else PACES[table.row.pace]


def think(table: Table) -> Chosen | None:
    """What the next bot does; None if no bot has to decide."""
    with table.lock:
        table.catch_up()
        turn = table.bot_to_act()
    if turn is None:
        return None
    seat, decision, bot, view = turn
    return seat, decision, bot, bot.choose(view, secrets.randbits(63))


def carry_out(table: Table, chosen: Chosen) -> None:
    """Move as the bot chose."""
    with table.lock:
        table.bot_moves(*chosen)

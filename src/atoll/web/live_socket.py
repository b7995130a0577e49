"""The socket of an open page: sends the table's live part whenever there is a newer one."""

from urllib.parse import parse_qsl

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from atoll.web.choosing import Fields, as_fields
from atoll.web.language import language_of
from atoll.web.live import Bell
from atoll.web.refusal import Refusal
from atoll.web.refusal_page import as_count
from atoll.web.site import browser_of, find_table, looking, site_of
from atoll.web.table_page import draw_table
from atoll.web.tables import ABANDONED_AFTER, Table, Viewer

LOOK_AGAIN = ABANDONED_AFTER.total_seconds() / 3
"""Seconds after which an open page counts as another look."""


class OpenPage:
    """A page that is open somewhere: what it shows, and what is chosen there."""

    def __init__(self, socket: WebSocket, table: Table) -> None:
        self.socket = socket
        self.table = table
        self.browser = browser_of(socket)
        self.language = language_of(socket)
        self.version = as_count(socket.query_params.get("version", ""))
        self.rounds = as_count(socket.query_params.get("rounds", ""))
        self.fields = chosen(socket.query_params.get("chosen", ""))

    async def listen(self) -> None:
        """Hear what is chosen on the page, until it is closed."""
        try:
            while True:
                self.fields = chosen(await self.socket.receive_text())
        except (WebSocketDisconnect, KeyError):
            return

    async def tell(self, bell: Bell) -> None:
        """Send the latest live part whenever it is newer than the page's, until the page is closed."""
        while True:
            rings = bell.event
            newer = await run_in_threadpool(looking, self.table, self.browser, self._newer)
            if newer is None:
                with anyio.move_on_after(LOOK_AGAIN):
                    await rings.wait()
            else:
                try:
                    await self.socket.send_text(newer)
                except WebSocketDisconnect:
                    return

    def _newer(self, viewer: Viewer) -> str | None:
        if self.table.version <= self.version:
            return None
        self.version = self.table.version
        known, self.rounds = self.rounds, len(self.table.rounds)
        return draw_table(self.table, viewer, self.language, self.fields, rounds_known=known)


def chosen(address: str) -> Fields:
    """The parts of a move in the query of a page's address."""
    try:
        return as_fields(parse_qsl(address[:4000].removeprefix("?"), max_num_fields=64))
    except ValueError:
        return {}


async def live(socket: WebSocket) -> None:
    """Keep an open page up to date."""
    site = site_of(socket)
    try:
        table = await find_table(socket)
    except Refusal:
        await socket.close(1013)
        return
    await socket.accept()
    bell = site.bells.listen(table.row.id)
    site.bots.wake(table)
    opened = OpenPage(socket, table)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(opened.tell, bell)
            await opened.listen()
            group.cancel_scope.cancel()
    finally:
        site.bells.leave(table.row.id)

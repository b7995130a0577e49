"""The web socket of an open page: sends the table's live part whenever there is a newer one, and answers questions.

A question is `<number> <rounds> <decision>?<fields>`: the number of rounds in the page's log, and the chosen parts of a
move or, with the name of a decision, a whole form. Its answer is the number, a line break and the live part, as the
same form posted would get it, but without regions that this socket has sent before (`web/pages/regions.py`). Number 0
requests no answer; news has that number. Instead of a number, `look` and `look away` say that the page became visible
or hidden.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from urllib.parse import parse_qsl

import anyio
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from atoll.web.bounds import HEARD, SOCKETS
from atoll.web.live.watched_tables import News, WatchedTable
from atoll.web.pages.chat_page import draw_chat
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import as_count
from atoll.web.pages.move_confirmation import confirms
from atoll.web.pages.refusal_page import refusal_text
from atoll.web.pages.regions import Digests
from atoll.web.pages.table_page import draw_table
from atoll.web.refusal import Closed, NoSuchTable, Refusal
from atoll.web.serving.site import Result, browser_of, find_table, site_of, visitor_of, with_viewer
from atoll.web.serving.table_requests import DECISIONS, TableRequest, attempt, play
from atoll.web.store.backoff import Backoff
from atoll.web.table.move_choice import as_fields
from atoll.web.table.seats import ABANDONED_AFTER, Viewer
from atoll.web.table.table import Table

LOOK = "look"
"""Stands for the number in a message about the page's visibility."""
DELETED = 4404
"""The code that closes the socket of a table that was deleted, or closed to spectators."""
NO_VERSION = -1
"""The version of a page that shows no table yet: a new table's is 0."""
LOOK_AGAIN = ABANDONED_AFTER.total_seconds() / 3
"""Seconds after which an open page counts as another visit."""


class OpenPage:
    """An open page: what it shows, and what is chosen there."""

    def __init__(self, socket: WebSocket, table: Table, watched: WatchedTable) -> None:
        self.socket = socket
        self.table = table
        self.watched = watched
        self.browser = browser_of(socket)
        self.device: str | None = socket.scope["device"]
        self.draw = partial(draw_table, language=language_of(socket), confirms=confirms(socket))
        version = socket.query_params.get("version", "")
        self.version = as_count(version) if version.isdigit() else NO_VERSION
        self.rounds = as_count(socket.query_params.get("rounds", ""))
        self.fields = as_fields(pairs_of(socket.query_params.get("chosen", "")))
        self.regions: Digests = {}
        self.in_sight = "hidden" not in socket.query_params
        self.sending = asyncio.Lock()
        self.chat = self._chat_state()

    async def listen(self) -> None:
        """Read the page's messages and answer them until it is closed.

        Messages that it sent before closing count. A change that the database refuses is answered with the reason.
        If the table cannot even be read there is no answer: the page then sends a request, whose response has it.
        """
        site = site_of(self.socket)
        visitor = site.bounds.visitor(self.browser)
        while (message := await self._receive()) is not None:
            while (seconds := site.bounds.wait(HEARD, visitor)) > 0:
                await anyio.sleep(seconds)  # further messages wait in the socket
            number, _, question = message.partition(" ")
            if number == LOOK:
                self.in_sight = question != "away"
                with suppress(DBAPIError):
                    await self._look(self._note_sight)
                continue
            head, _, fields = question.partition("?")
            rounds, name = (*head.split(" "), "", "")[:2]
            pairs = pairs_of(fields)
            if not as_count(number):
                self.fields = as_fields(pairs)
                continue
            with suppress(DBAPIError):
                await self._reply(as_count(number), name, pairs, as_count(rounds))
            if name in DECISIONS:
                site.watched.notify(self.table.row.id, self.table.version)
            site.bots.wake(self.table)

    async def _reply(self, number: int, name: str, pairs: list[tuple[str, str]], rounds: int) -> None:
        async with self.sending:
            is_current = site_of(self.socket).watched.is_notified or DECISIONS.get(name) is play
            version = self.watched.version if is_current else None
            answer = await self._look(partial(self._answer, name, pairs, rounds), version)
            await self._send(f"{number}\n{answer}")

    async def send_updates(self) -> None:
        """Send the latest live part whenever it is newer than the page's."""
        watched = self.watched
        backoff = Backoff(f"a page of table {self.table.row.id} could not be kept up to date")
        must_read = True
        while True:
            event, changes = watched.event, watched.changes
            try:
                await self._send_news(must_read)
            except DBAPIError as error:
                must_read = True
                await backoff.wait(error)
                continue
            backoff.succeeded()
            try:
                async with asyncio.timeout(LOOK_AGAIN):
                    await event.wait()  # already set if something came meanwhile
                must_read = watched.changes != changes
            except TimeoutError:
                must_read = True

    async def _send_news(self, must_read: bool) -> None:
        """Send what is newer; `must_read`: read the table from the store although no newer version is known."""
        async with self.sending:
            version = max(self.watched.version, self.table.version)
            if must_read or self.version < version:
                newer = await self._news(None if must_read else version)
                if newer is not None:
                    await self._send(f"0\n{newer}")
            if (chat_state := self._chat_state()) != self.chat:
                self.chat = chat_state
                await self._send(f"talk\n{await self._chat_html()}")

    @property
    def _is_spectator(self) -> bool:
        """Whether the page is a spectator's, so that all spectators see the same."""
        return self.table.row.watchable and self.table.seating.viewer(self.browser) == Viewer(None)

    async def _news(self, version: int | None) -> str | None:
        """The newer live part, if there is one. It is rendered once for all spectators whose pages have the same."""
        if self.fields or not self._is_spectator:
            return await self._look_for_newer(version)
        key = self.version, self.rounds, *self.draw.keywords.items(), *self.regions.items()
        async with self.watched.drawing:
            news = self.watched.news.get(key)
            if news is None or news.version < self.table.version:
                text = await self._look_for_newer(version)
                if text is not None:
                    self.watched.keep(key, News(text, self.version, self.rounds, dict(self.regions)))
                return text
        self.version, self.rounds, self.regions = news.version, news.rounds, dict(news.regions)
        return news.text

    async def _look_for_newer(self, version: int | None) -> str | None:
        text = await self._look(self._newer_html, version)
        site_of(self.socket).bots.wake(self.table)
        return text

    async def _chat_html(self) -> str:
        """The chat's HTML, rendered once for all spectators."""
        watched = self.watched
        if not self._is_spectator:
            return await self._look(self._draw_chat)
        async with watched.drawing:
            key = self.draw.keywords["language"], self.chat
            if key not in watched.chat:
                watched.chat = {key: await self._look(self._draw_chat)}
            return watched.chat[key]

    def _chat_state(self) -> tuple[object, ...]:
        """A key that changes with the chat's messages and settings, and with the number of spectators."""
        row = self.table.row
        watching = site_of(self.socket).watched.watching(row.id, self.table.seating)
        return row.said, row.chat, row.watchable, watching

    def _draw_chat(self, viewer: Viewer) -> str:
        messages = site_of(self.socket).messages.of(self.table.row.id) if self.table.row.said else []
        return draw_chat(self.table, viewer, messages, int(str(self.chat[-1])), language_of(self.socket))

    async def _receive(self) -> str | None:
        """The page's next message; None once it is closed, or if that is no text."""
        # `receive_text` fails after sending to a closed page, although there may be more messages
        return (await self.socket.receive()).get("text")

    async def _send(self, text: str) -> None:
        """Send a text, unless the page is closed."""
        if self.socket.application_state is WebSocketState.CONNECTED:
            with suppress(WebSocketDisconnect):
                await self.socket.send_text(text)

    async def _look(self, do: Callable[[Viewer], Result], version: int | None = None) -> Result:
        return await run_in_threadpool(self._with_viewer, do, version)

    def _with_viewer(self, do: Callable[[Viewer], Result], version: int | None) -> Result:
        """Call `do` with the page's viewer; raises NoSuchTable once this device is no longer this person's."""
        if self.device is not None and site_of(self.socket).devices.person_of(self.device) != self.browser:
            raise NoSuchTable
        return with_viewer(self.table, self.browser, do, version)

    def _note_sight(self, viewer: Viewer) -> None:
        """Note that the viewer of a visible page has seen whose turn it is."""
        if self.in_sight:
            site_of(self.socket).notifier.seen(self.table, viewer)

    def _answer(self, name: str, pairs: list[tuple[str, str]], rounds: int, viewer: Viewer) -> str:
        self.rounds = rounds
        if name not in DECISIONS:
            self.fields = as_fields(pairs)
            return self._draw(viewer)
        self.fields = {}
        refusal = self._decide(name, pairs, viewer)
        is_refused = refusal is not None and refusal.status < 500
        if is_refused and self.table.catch_up():  # the table was out of date
            refusal = self._decide(name, pairs, self.table.seating.viewer(self.browser))
        viewer = self.table.seating.viewer(self.browser)  # a shared screen may show nobody's hand now
        return self._draw(viewer, refusal_text(self.socket, refusal) if refusal else None)

    def _decide(self, name: str, pairs: list[tuple[str, str]], viewer: Viewer) -> Refusal | None:
        return attempt(DECISIONS[name], self.table, TableRequest(viewer, self.browser, pairs))[1]

    def _newer_html(self, viewer: Viewer) -> str | None:
        return self._draw(viewer) if self.table.version > self.version else None

    def _draw(self, viewer: Viewer, notice: str | None = None) -> str:
        self._note_sight(viewer)
        self.version = self.table.version
        rounds_known, self.rounds = self.rounds, len(self.table.timeline.rounds)
        fragment = self.draw(self.table, viewer, fields=self.fields, notice=notice, rounds_known=rounds_known)
        return fragment.abridged(self.regions)


def pairs_of(query: str) -> list[tuple[str, str]]:
    """The fields of a form or an address; none if they are too many."""
    try:
        return parse_qsl(query.removeprefix("?"), keep_blank_values=True, max_num_fields=64)
    except ValueError:
        return []


async def live(socket: WebSocket) -> None:
    """Keep an open page up to date."""
    site = site_of(socket)
    try:
        table = await find_table(socket)
    except NoSuchTable:
        await socket.accept()
        await socket.close(DELETED)
        return
    except (Refusal, DBAPIError):
        await socket.close(1013)
        return
    try:
        with site.bounds.under_way(SOCKETS, visitor_of(socket)):
            await keep_up(socket, table)
    except Refusal:
        await socket.close(1013)


live.bound = SOCKETS  # type: ignore[attr-defined]


async def keep_up(socket: WebSocket, table: Table) -> None:
    """Keep the page of a table up to date until it is closed."""
    site, browser = site_of(socket), browser_of(socket)
    await socket.accept()
    watched = site.watched.watch(table.row.id, browser, table.version)
    site.bots.wake(table)
    open_page = OpenPage(socket, table, watched)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(open_page.send_updates)
            await open_page.listen()
            group.cancel_scope.cancel()
    except* (NoSuchTable, Closed):
        with suppress(RuntimeError):  # where the page was closed meanwhile
            await socket.close(DELETED)
    finally:
        site.watched.leave(table.row.id, browser)

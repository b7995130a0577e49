"""The socket of an open page: sends the table's live part whenever there is a newer one, and answers questions.

A question is `<number> <rounds> <decision>?<fields>`: how many rounds the page's log has, and the parts of a move that
were chosen there or, with the name of a decision, a whole form. Its answer is the number, a line break and the live
part, as the same form posted would get it, but without what this socket has sent before (`web/pages/regions.py`).
Number 0 wants no answer; a live part that nobody asked for comes with it. `look` or `look away` for a number says that
the page has come into sight, or is out of sight.
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

from atoll.web.live.pace import Pace
from atoll.web.live.watched import News, Watched
from atoll.web.pages.buttons import confirms
from atoll.web.pages.chat_page import draw_talk
from atoll.web.pages.language import language_of
from atoll.web.pages.refusal_page import as_count, sentence
from atoll.web.pages.regions import Digests
from atoll.web.pages.table_page import draw_table
from atoll.web.refusal import Closed, NoSuchTable, Refusal
from atoll.web.serving.site import Result, browser_of, find_table, looking, site_of
from atoll.web.serving.table_requests import DECISIONS, TableRequest, attempt, play
from atoll.web.store.backoff import Backoff
from atoll.web.table.move_choice import as_fields
from atoll.web.table.seats import ABANDONED_AFTER, Viewer
from atoll.web.table.table import Table

LOOK = "look"
"""Stands for a number where the page says whether it is in sight."""
DELETED = 4404
"""The code with which the socket of a deleted table closes, or of one that is closed to who watched."""
NOTHING = -1
"""The version of a page that shows no table yet: a new table's is 0."""
LOOK_AGAIN = ABANDONED_AFTER.total_seconds() / 3
"""Seconds after which an open page counts as another look."""


class OpenPage:
    """A page that is open somewhere: what it shows, and what is chosen there."""

    def __init__(self, socket: WebSocket, table: Table, watched: Watched) -> None:
        self.socket = socket
        self.table = table
        self.watched = watched
        self.browser = browser_of(socket)
        self.draw = partial(draw_table, language=language_of(socket), confirms=confirms(socket))
        version = socket.query_params.get("version", "")
        self.version = as_count(version) if version.isdigit() else NOTHING
        self.rounds = as_count(socket.query_params.get("rounds", ""))
        self.fields = as_fields(pairs_of(socket.query_params.get("chosen", "")))
        self.regions: Digests = {}
        self.in_sight = "hidden" not in socket.query_params
        self.sending = asyncio.Lock()
        self.talk = self._talk_now()

    async def listen(self) -> None:
        """Hear what is chosen and decided on the page, and answer, until it is closed.

        What it said before counts, although the answer may find it closed. What the database does not let us answer
        is not answered: the page then asks in another way, and is told why.
        """
        site = site_of(self.socket)
        pace = Pace()
        while (heard := await self._hear()) is not None:
            if (seconds := pace.wait()) > 0:
                await anyio.sleep(seconds)  # what else it sends waits on its way
            number, _, question = heard.partition(" ")
            if number == LOOK:
                self.in_sight = question != "away"
                with suppress(DBAPIError):
                    await self._look(self._note_sight)
                continue
            words, _, fields = question.partition("?")
            rounds, name = (*words.split(" "), "", "")[:2]
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
            known = site_of(self.socket).watched.is_told or DECISIONS.get(name) is play
            told = self.watched.version if known else None
            answer = await self._look(partial(self._answer, name, pairs, rounds), told)
            await self._send(f"{number}\n{answer}")

    async def tell(self) -> None:
        """Send the latest live part whenever it is newer than the page's."""
        watched = self.watched
        backoff = Backoff(f"a page of table {self.table.row.id} could not be kept up to date")
        looks = True
        while True:
            changed, changes = watched.event, watched.changes
            try:
                await self._tell(looks)
            except DBAPIError as error:
                looks = True
                await backoff.wait(error)
                continue
            backoff.succeeded()
            try:
                async with asyncio.timeout(LOOK_AGAIN):
                    await changed.wait()  # already set if something came meanwhile
                looks = watched.changes != changes
            except TimeoutError:
                looks = True

    async def _tell(self, looks: bool) -> None:
        """Send what is newer. The page `looks` whether something is, else only where it knows that."""
        async with self.sending:
            told = max(self.watched.version, self.table.version)
            if looks or self.version < told:
                newer = await self._news(None if looks else told)
                if newer is not None:
                    await self._send(f"0\n{newer}")
            if (talk := self._talk_now()) != self.talk:
                self.talk = talk
                await self._send(f"talk\n{await self._said()}")

    @property
    def _watches(self) -> bool:
        """Whether it shows what it shows to all who watch, as far as this process knows."""
        return self.table.row.watchable and self.table.seating.viewer(self.browser) == Viewer(None)

    async def _news(self, told: int | None) -> str | None:
        """The newer live part, if there is one. Those who watch and have the same are sent the same: the first of them
        looks, and it is drawn for them all."""
        if self.fields or not self._watches:
            return await self._look_for_newer(told)
        kept = self.version, self.rounds, *self.draw.keywords.items(), *self.regions.items()
        async with self.watched.drawing:
            news = self.watched.news.get(kept)
            if news is None or news.version < self.table.version:
                text = await self._look_for_newer(told)
                if text is not None:
                    self.watched.keep(kept, News(text, self.version, self.rounds, dict(self.regions)))
                return text
        self.version, self.rounds, self.regions = news.version, news.rounds, dict(news.regions)
        return news.text

    async def _look_for_newer(self, told: int | None) -> str | None:
        found = await self._look(self._newer, told)
        site_of(self.socket).bots.wake(self.table)
        return found

    async def _said(self) -> str:
        """What is said. Those who watch are sent the same."""
        watched = self.watched
        if not self._watches:
            return await self._look(self._draw_talk)
        async with watched.drawing:
            kept = self.draw.keywords["language"], self.talk
            if kept not in watched.talk:
                watched.talk = {kept: await self._look(self._draw_talk)}
            return watched.talk[kept]

    def _talk_now(self) -> tuple[object, ...]:
        """What changes when something is said, or somebody comes to watch."""
        row = self.table.row
        watching = site_of(self.socket).watched.watching(row.id, self.table.seating)
        return row.said, row.chat, row.watchable, watching

    def _draw_talk(self, viewer: Viewer) -> str:
        said = site_of(self.socket).messages.of(self.table.row.id) if self.table.row.said else []
        return draw_talk(self.table, viewer, said, int(str(self.talk[-1])), language_of(self.socket))

    async def _hear(self) -> str | None:
        """What the page says next; None once it is closed, or if that is no text."""
        # `receive_text` fails after a sending that found the page closed, with more to be heard
        return (await self.socket.receive()).get("text")

    async def _send(self, text: str) -> None:
        """Send it, unless the page is closed."""
        if self.socket.application_state is WebSocketState.CONNECTED:
            with suppress(WebSocketDisconnect):
                await self.socket.send_text(text)

    async def _look(self, do: Callable[[Viewer], Result], told: int | None = None) -> Result:
        return await run_in_threadpool(looking, self.table, self.browser, do, told)

    def _note_sight(self, viewer: Viewer) -> None:
        """Who looks knows whether it is their turn."""
        if self.in_sight:
            site_of(self.socket).notifier.seen(self.table, viewer)

    def _answer(self, name: str, pairs: list[tuple[str, str]], rounds: int, viewer: Viewer) -> str:
        self.rounds = rounds
        if name not in DECISIONS:
            self.fields = as_fields(pairs)
            return self._draw(viewer)
        self.fields = {}
        refusal = self._decide(name, pairs, viewer)
        refused = refusal is not None and refusal.status < 500
        if refused and self.table.catch_up():  # it was not told yet of what is so now
            refusal = self._decide(name, pairs, self.table.seating.viewer(self.browser))
        viewer = self.table.seating.viewer(self.browser)  # a shared screen may show nobody's hand now
        return self._draw(viewer, sentence(self.socket, refusal) if refusal else None)

    def _decide(self, name: str, pairs: list[tuple[str, str]], viewer: Viewer) -> Refusal | None:
        return attempt(DECISIONS[name], self.table, TableRequest(viewer, self.browser, pairs))[1]

    def _newer(self, viewer: Viewer) -> str | None:
        return self._draw(viewer) if self.table.version > self.version else None

    def _draw(self, viewer: Viewer, notice: str | None = None) -> str:
        self._note_sight(viewer)
        self.version = self.table.version
        known, self.rounds = self.rounds, len(self.table.timeline.rounds)
        drawn = self.draw(self.table, viewer, fields=self.fields, notice=notice, rounds_known=known)
        return drawn.abridged(self.regions)


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
    browser = browser_of(socket)
    if not site.sockets.enter(browser):
        await socket.close(1013)
        return
    try:
        await keep_up(socket, table)
    finally:
        site.sockets.leave(browser)


async def keep_up(socket: WebSocket, table: Table) -> None:
    """Keep the page of a table up to date until it is closed."""
    site, browser = site_of(socket), browser_of(socket)
    await socket.accept()
    watched = site.watched.watch(table.row.id, browser, table.version)
    site.bots.wake(table)
    opened = OpenPage(socket, table, watched)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(opened.tell)
            await opened.listen()
            group.cancel_scope.cancel()
    except* (NoSuchTable, Closed):
        with suppress(RuntimeError):  # where the page was closed meanwhile
            await socket.close(DELETED)
    finally:
        site.watched.leave(table.row.id, browser)

"""Requests of a table: its page, and every change to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.core.catalogue import games
from atoll.web.bounds import CHANGES, MAKING
from atoll.web.pages import lessons
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import rounds_known, wants_fragment
from atoll.web.pages.move_confirmation import confirms
from atoll.web.pages.notifications_page import tab_notifications, waiting_context
from atoll.web.pages.refusal_page import refusal_text
from atoll.web.pages.start_page import FilledForm, draw_start, read_form
from atoll.web.pages.table_page import draw_table
from atoll.web.people.proposals import AGAIN, agree, own_seats, several
from atoll.web.refusal import Refusal
from atoll.web.serving.invitation_requests import invitation
from atoll.web.serving.site import (
    bounded,
    browser_of,
    check_may_watch,
    find_table,
    page,
    read_pairs,
    site_of,
    table_id,
    visitor_allowance,
    with_viewer,
)
from atoll.web.store.store import Gone, TableRow
from atoll.web.store.write_errors import write_error
from atoll.web.table.deals import checked_words
from atoll.web.table.move_choice import Fields, as_fields
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.table.undo import seat_to_undo
from atoll.web.workshop.upload import read_with_file

MOST_FIELDS = 64
"""Fields of the form that makes a table."""


@dataclass(frozen=True)
class TableRequest:
    """A form that somebody sent."""

    viewer: Viewer
    browser: str
    pairs: Sequence[tuple[str, str]]

    @property
    def form(self) -> Mapping[str, str]:
        """The first value of each field."""
        return dict(reversed(self.pairs))

    @property
    def fields(self) -> Fields:
        """All values of each field."""
        return as_fields(self.pairs)

    @property
    def move(self) -> Fields:
        """The parts of a move in a form with a decision."""
        return {name: values for name, values in self.fields.items() if name != "decision"}

    def number(self, name: str) -> int:
        """A required number of the form; raises Refusal."""
        text = self.form.get(name, "")
        if not (text.isascii() and text.isdigit() and len(text) < 9):
            raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")
        return int(text)

    @property
    def seat(self) -> int:
        """The viewer's seat; raises Refusal without one."""
        if self.viewer.seat is None and self.viewer.here:
            raise Refusal(409, "The player whose turn it is shows their hand first.")
        if self.viewer.seat is None:
            raise Refusal(403, "You have no seat at this table.")
        return self.viewer.seat


Change = Callable[[Table, TableRequest], str | None]
"""A change of a table; may return an address to redirect to."""


async def make_table(request: Request) -> Response:
    """Make a table and redirect to it, or show the form again with the reason for its refusal."""
    site = site_of(request)
    form, file = await read_with_file(request, MOST_FIELDS)
    browser, allowance = browser_of(request), visitor_allowance(request)
    try:
        row, seats = await run_in_threadpool(read_form, form, browser, allowance, site.sets, file)
        await run_in_threadpool(site.make_table, row, seats)
    except Refusal as refusal:
        if form.get("game") not in games():
            raise
        filled = FilledForm(form, refusal_text(request, refusal), had_file=file is not None and bool(file[1]))
        html = await run_in_threadpool(
            draw_start,
            site.store,
            browser,
            language_of(request),
            lessons.declined_lessons(request),
            filled=filled,
        )
        return page(html, refusal.status)
    return RedirectResponse(f"/tables/{row.id}", 303)


async def table_page(request: Request) -> Response:
    """A table as this browser may see it, with the parts of a move that the address names."""
    site, language = site_of(request), language_of(request)
    table = await find_table(request)
    fields = as_fields(request.query_params.multi_items())
    whole = not wants_fragment(request)
    waiting = await run_in_threadpool(
        waiting_context, site.store, browser_of(request), language, table.row.id
    )
    frame = {
        **waiting,
        "invitation": invitation(request),
        "site": str(request.base_url).rstrip("/"),
        "tab_notifications": ".".join(tab_notifications(request)),
    }

    def render(viewer: Viewer) -> str:
        site.notifier.seen(table, viewer)
        known_rounds = rounds_known(request)
        return str(
            draw_table(
                table,
                viewer,
                language,
                fields,
                whole=whole,
                confirms=confirms(request),
                rounds_known=known_rounds,
                frame=frame,
            )
        )

    html = await run_in_threadpool(with_viewer, table, browser_of(request), render)
    site.bots.wake(table)
    return page(html)


def attempt(change: Change, table: Table, request: TableRequest) -> tuple[str | None, Refusal | None]:
    """Make a change; returns the address to redirect to, if any, and the refusal, if any."""
    try:
        return change(table, request), None
    except Refusal as refusal:
        return None, refusal
    except DBAPIError as error:
        return None, write_error(error)


def change_handler(change: Change) -> Callable[[Request], Any]:
    """The handler of a change: the script gets the new live part, other clients are redirected to the page."""

    async def handle(request: Request) -> Response:
        site, language, browser = site_of(request), language_of(request), browser_of(request)
        pairs = await read_pairs(request)
        table = await find_table(request)
        whole, known_rounds = not wants_fragment(request), rounds_known(request)

        def do(viewer: Viewer) -> Response:
            address, refusal = attempt(change, table, TableRequest(viewer, browser, pairs))
            if refusal is None and (address or whole):
                return RedirectResponse(address or f"/tables/{table.row.id}", 303)
            notice = refusal_text(request, refusal) if refusal else None
            viewer = table.seating.viewer(browser)
            site.notifier.seen(table, viewer)
            html = draw_table(
                table,
                viewer,
                language,
                {},
                notice,
                whole=whole,
                confirms=confirms(request),
                rounds_known=known_rounds,
            )
            return page(str(html), refusal.status if refusal else 200)

        answer = await run_in_threadpool(with_viewer, table, browser, do)
        site.watched.notify(table.row.id, table.version)
        site.bots.wake(table)
        return answer

    return handle


def play(table: Table, request: TableRequest) -> None:
    """Carry out a move."""
    table.end_premove(request.seat)
    table.answer(request.seat, request.number("decision"), request.move)


def take_back(table: Table, request: TableRequest) -> None:
    """Take back what one has chosen."""
    table.take_back(request.seat)


def undo(table: Table, request: TableRequest) -> None:
    """Undo the viewer's last move, or request it; at a shared screen without an open hand, the last move made there."""
    seat = seat_to_undo(table.timeline, request.viewer)
    behind = request.viewer.seat is None
    table.undo(request.seat if seat is None else seat, request.number("decision"), asks=behind)


def answer_undo(table: Table, request: TableRequest) -> None:
    """Answer a request for an undo, or withdraw it."""
    table.answer_undo(request.seat, request.form.get("answer", ""))


def set_away(table: Table, request: TableRequest) -> None:
    """Announce an absence."""
    until = request.form.get("until", "")
    try:
        day = date.fromisoformat(until) if until else None
    except ValueError:
        raise Refusal(400, "That is not a day: say it like 2026-08-31.") from None
    table.set_away(request.seat, None if day is None else day.isoformat())


def program(table: Table, request: TableRequest) -> None:
    """Set or end a premove."""
    table.set_premove(request.seat, request.form.get("name") or None)


def take_seat(table: Table, request: TableRequest) -> None:
    """Take an open seat, or one's own back from a bot."""
    table.take_seat(request.number("seat"), request.browser)


def leave_seat(table: Table, request: TableRequest) -> None:
    """Leave a seat in the waiting room."""
    table.leave_seat(request.viewer)


def open_hand(table: Table, request: TableRequest) -> None:
    """Show a hand at a shared screen, also to choose again, or nobody's."""
    seat = request.number("seat") if "seat" in request.form else None
    table.open_hand(seat, request.viewer, again="again" in request.form)


def resize(table: Table, request: TableRequest) -> None:
    """Change the number of seats, before the game begins."""
    table.resize(request.viewer, request.number("players"))


def contribute(table: Table, request: TableRequest) -> None:
    """Let a number or words go into the deal, before the game begins."""
    table.contribute(request.viewer, checked_words(request.form.get("words", "")))


def begin_game(table: Table, request: TableRequest) -> None:
    """Begin the game, with bots in the free seats if a level is named."""
    table.begin_game(request.viewer, request.form.get("bot"))


async def change_public(request: Request) -> Response:
    """Show the table in the lobby, or no longer."""
    site, form = site_of(request), dict(await read_pairs(request))
    if form.get("public") == "yes":
        await run_in_threadpool(
            site.count_public, site.bounds.visitor(browser_of(request)), table_id(request)
        )
    changed: Response = await change_handler(publish)(request)
    return changed


def publish(table: Table, request: TableRequest) -> None:
    """Show the table in the lobby, or no longer."""
    table.publish(request.form.get("public") == "yes", request.viewer)


def put_bot(table: Table, request: TableRequest) -> None:
    """Let a bot play in a seat."""
    table.put_bot(request.number("seat"), request.form.get("bot", ""), request.viewer)


def open_bots(table: Table, request: TableRequest) -> None:
    """Change whether who visits may take a bot's seat."""
    table.open_bots(request.form.get("open") == "yes", request.viewer)


def set_pace(table: Table, request: TableRequest) -> None:
    """Change how fast bots move."""
    table.set_pace(request.form.get("pace", ""), request.viewer)


def play_again(table: Table, request: TableRequest) -> str | None:
    """Start a rematch, everybody `turn` seats further; among several people, once all agree."""
    if several(table.seating) and table.row.next is None and own_seats(request.viewer):
        agree(table, request.viewer, AGAIN, yes=True)
        return None if table.row.next is None else f"/tables/{table.row.next}"
    return f"/tables/{table.play_again(request.viewer, request.number('turn'))}"


async def record(request: Request) -> Response:
    """The game's record: whole when it is over, else as the browser's seat may know it."""
    from atoll.core.records import encode
    from atoll.web.table.table_record import (
        stored_record,
        table_record,
    )

    browser = browser_of(request)
    try:
        table = await find_table(request)
    except Gone as gone:
        contents = await run_in_threadpool(site_of(request).store.read, request.path_params["table"])
        if contents is None:
            raise gone
        check_may_watch(contents.row, contents.seats, browser)
        return download(contents.row, encode(stored_record(contents, browser)))

    def encode_record(viewer: Viewer) -> str:
        table.check_begun()
        return table_record(table, viewer.seat)

    text = await run_in_threadpool(with_viewer, table, browser, encode_record)
    return download(table.row, text)


def download(row: TableRow, text: str) -> Response:
    """A table's record, to be kept as a file."""
    name = f"{row.game}-{row.id}.jsonl"
    return Response(
        text,
        media_type="application/jsonl",
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
            "Vary": "Cookie",
        },
    )


DECISIONS: Mapping[str, Change] = {"moves": play, "take-back": take_back, "undo": undo}
"""Changes that a page may also send by its socket, by the last part of their addresses."""

ROUTES = [
    Route("/tables", bounded(MAKING, make_table), methods=["POST"]),
    Route("/tables/{table}", table_page),
    *(
        Route(f"/tables/{{table}}/{name}", bounded(CHANGES, change_handler(change)), methods=["POST"])
        for name, change in DECISIONS.items()
    ),
    Route("/tables/{table}/undo/answer", bounded(CHANGES, change_handler(answer_undo)), methods=["POST"]),
    Route("/tables/{table}/program", bounded(CHANGES, change_handler(program)), methods=["POST"]),
    Route("/tables/{table}/away", bounded(CHANGES, change_handler(set_away)), methods=["POST"]),
    Route("/tables/{table}/seats", bounded(CHANGES, change_handler(take_seat)), methods=["POST"]),
    Route("/tables/{table}/leave", bounded(CHANGES, change_handler(leave_seat)), methods=["POST"]),
    Route("/tables/{table}/hand", bounded(CHANGES, change_handler(open_hand)), methods=["POST"]),
    Route("/tables/{table}/deal", bounded(CHANGES, change_handler(contribute)), methods=["POST"]),
    Route("/tables/{table}/players", bounded(CHANGES, change_handler(resize)), methods=["POST"]),
    Route("/tables/{table}/start", bounded(CHANGES, change_handler(begin_game)), methods=["POST"]),
    Route("/tables/{table}/public", bounded(CHANGES, change_public), methods=["POST"]),
    Route("/tables/{table}/bots", bounded(CHANGES, change_handler(put_bot)), methods=["POST"]),
    Route("/tables/{table}/open", bounded(CHANGES, change_handler(open_bots)), methods=["POST"]),
    Route("/tables/{table}/pace", bounded(CHANGES, change_handler(set_pace)), methods=["POST"]),
    Route("/tables/{table}/again", bounded(MAKING, change_handler(play_again)), methods=["POST"]),
    Route("/tables/{table}/record", record),
]

"""Requests of the two questions that a table's people are asked at the end of a game with a set that is worked on."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from atoll.text.visible import visible_lines
from atoll.web.bounds import CHANGES
from atoll.web.pages.language import language_of
from atoll.web.pages.templating import draw
from atoll.web.refusal import Refusal
from atoll.web.serving.site import bounded, browser_of, find_table, page, with_viewer
from atoll.web.serving.table_requests import TableRequest, change_handler
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.translation import translator_for

MOST_FUN = 5
LONGEST = 1000
"""Characters of an answer."""


async def ask(request: Request) -> Response:
    """The page with both questions."""
    table, language = await find_table(request), language_of(request)

    def render(viewer: Viewer) -> str:
        seat = TableRequest(viewer, browser_of(request), ()).seat
        if not table.row.asks or not table.has_ended:
            raise Refusal(409, "Nobody is asked about this game.")
        address = f"/tables/{table.row.id}"
        return str(
            draw(
                "questions.html.jinja",
                language,
                title=translator_for(language, table.game.package)(table.game.title),
                said=table.seating.seats[seat].feedback,
                most=MOST_FUN,
                longest=LONGEST,
                table=address,
                here=f"{address}/questions",
            )
        )

    return page(await run_in_threadpool(with_viewer, table, browser_of(request), render))


def answer(table: Table, request: TableRequest) -> None:
    """Keep what somebody says of a game; nothing if both answers are empty."""
    seat = request.seat
    fun, confusing = request.form.get("fun", ""), visible_lines(request.form.get("confusing", ""))
    if fun not in ("", *map(str, range(1, MOST_FUN + 1))):
        raise Refusal(400, "The fun is a number from 1 to 5.")
    if len(confusing) > LONGEST:
        raise Refusal(400, "That is too long: say it in at most %(most)d characters.", most=LONGEST)
    if fun or confusing:
        table.give_feedback(seat, int(fun) if fun else None, confusing)


ROUTES = [
    Route("/tables/{table}/questions", ask),
    Route("/tables/{table}/questions", bounded(CHANGES, change_handler(answer)), methods=["POST"]),
]

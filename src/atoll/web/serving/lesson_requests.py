"""Requests of lessons: begin, leave, decline."""

from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.core.lessons import LEARNER, Script, scripts_of
from atoll.text.errors import AtollError, LeftOut
from atoll.web.bounds import CHANGES, MAKING
from atoll.web.pages import lessons
from atoll.web.refusal import Refusal, cannot_be_played
from atoll.web.serving.site import Site, bounded, browser_of, read_pairs, site_of, visitor_allowance
from atoll.web.serving.table_requests import TableRequest, change_handler
from atoll.web.store.store import Answer, SeatRow, TableRow, now
from atoll.web.table.bots import bot_here
from atoll.web.table.creation import new_table
from atoll.web.table.table import Table, bits
from atoll.web.table.timeline import Timeline

if TYPE_CHECKING:
    from atoll.core.game import Position

BOT = "easy"
"""The bots of the other seats once the lesson does not script them."""
PACE = "calm"


def game_with_lessons(name: str) -> Game:
    """A game that has lessons; raises Refusal."""
    try:
        game = find_game(name)
    except LeftOut as error:
        raise cannot_be_played(error) from None
    except AtollError:
        raise Refusal(404, "There is no such game.") from None
    if not scripts_of(game):
        raise Refusal(404, "This game has no lessons.")
    return game


async def begin(request: Request) -> Response:
    """Make a table for a lesson and redirect to it."""
    site, browser = site_of(request), browser_of(request)
    form = dict(await read_pairs(request))
    game = game_with_lessons(form.get("game", ""))
    script = scripts_of(game).get(form.get("lesson", ""))
    if script is None:
        raise Refusal(404, "There is no such lesson.")
    bot = bot_here(BOT, visitor_allowance(request)).name
    row = await run_in_threadpool(make, site, game, script, browser, bot)
    return RedirectResponse(f"/tables/{row.id}", 303)


def make(site: Site, game: Game, script: Script, browser: str, bot: str) -> TableRow:
    """A new table at which a browser plays a lesson against these bots, with the moves that come before it."""
    lesson = script.lesson
    table_row = new_table(game, lesson.players, {}, PACE, None, browser, False, "alone")
    row = replace(table_row, seed=f"{lesson.seed:016x}", lesson=lesson.name)
    others = (SeatRow(seat, None, bot) for seat in range(lesson.players) if seat != LEARNER)
    seats = sorted((SeatRow(LEARNER, browser, None, now()), *others), key=lambda sitting: sitting.seat)
    site.make_table(row, seats)
    if script.before:
        start = game.start(lesson.players, lesson.seed, game.components(), row.options)
        timeline = timeline_of(start, script)
        site.store.append(
            row.id, row.version, 0, timeline.answers, bits(timeline.to_act), timeline.rounds[-1].number
        )
    return row


def timeline_of(start: "Position", script: Script) -> Timeline:
    """The timeline of a lesson's game up to its first step."""
    timeline = Timeline(start)
    for seat, move in script.opening(start.copy()):
        timeline.replay(Answer(seat, timeline.decision(seat), move))
    return timeline


def leave(table: Table, request: TableRequest) -> None:
    """End the lesson and go on with the game."""
    table.leave_lesson(request.viewer)


async def decline(request: Request) -> Response:
    """Offer no lessons of a game any more."""
    game = game_with_lessons(request.query_params.get("game", ""))
    games = sorted({*lessons.declined_lessons(request), game.name} - {""})
    response = RedirectResponse("/", 303)
    response.set_cookie(
        lessons.COOKIE, ".".join(games), max_age=400 * 24 * 3600, httponly=True, samesite="lax"
    )
    return response


async def highlights(request: Request) -> Response:
    """The stylesheet that highlights what a game's lessons are about."""
    css = lessons.highlight_css(game_with_lessons(request.path_params["game"]))
    return Response(css, media_type="text/css", headers={"Cache-Control": "no-cache"})


ROUTES = [
    Route("/lessons", bounded(MAKING, begin), methods=["POST"]),
    Route("/lessons/decline", decline),
    Route("/tables/{table}/lesson", bounded(CHANGES, change_handler(leave)), methods=["POST"]),
    Route("/games/{game}/lessons.css", highlights),
]

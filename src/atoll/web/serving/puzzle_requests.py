"""Requests of puzzles: the list, a puzzle, and an answer to it."""

from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.bounds import CHANGES
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import as_count, wants_fragment
from atoll.web.pages.move_confirmation import confirms
from atoll.web.pages.puzzle_page import LIST, address_of, draw_puzzle, draw_puzzles
from atoll.web.pages.refusal_page import refusal_text
from atoll.web.refusal import Refusal
from atoll.web.serving.analysis_requests import analysed_game
from atoll.web.serving.game_requests import game_of
from atoll.web.serving.site import bounded, browser_of, page, read_pairs, site_of
from atoll.web.table.daily import today
from atoll.web.table.move_choice import Fields, as_fields
from atoll.web.table.own_puzzles import OwnError, OwnPuzzle, next_own, own_errors, own_puzzle
from atoll.web.table.puzzles import NumberedPuzzle, checked_answer, next_puzzle, puzzles_of


async def puzzle_of(request: Request) -> NumberedPuzzle:
    """The puzzle that the address names; raises Refusal."""
    if "at" in request.path_params:
        return await own_puzzle_of(request)
    known = puzzles_of(game_of(request))
    number = as_count(request.path_params["number"])
    if not 0 < number <= len(known):
        raise Refusal(404, "There is no such puzzle.")
    return known[number - 1]


async def own_puzzle_of(request: Request) -> OwnPuzzle:
    """The puzzle of the visitor's error in a finished game; raises Refusal, also for anybody else."""
    table, viewer = await analysed_game(request)
    number = as_count(request.path_params["at"])

    def find() -> OwnPuzzle:
        stored = site_of(request).analysing.analyses.of(table.address.lstrip("/"))
        if stored is None or stored.state != "done":
            raise Refusal(404, "There is no such puzzle.")
        with table.lock:
            return own_puzzle(table, viewer.seat, stored.findings, number)

    return await run_in_threadpool(find)


def errors_of(request: Request) -> Sequence[OwnError]:
    """The visitor's, in games that were analysed."""
    site = site_of(request)
    return own_errors(site.history.of(browser_of(request)), site.analysing.analyses)


async def puzzles_page(request: Request) -> Response:
    """The games that have puzzles, and how one stands there."""
    site, browser, language = site_of(request), browser_of(request), language_of(request)
    return page(
        await run_in_threadpool(
            lambda: draw_puzzles(site.puzzles, browser, language, errors_of(request)),
        )
    )


async def to_next_own(request: Request) -> Response:
    """Redirect to what one solves next of one's own errors."""
    site = site_of(request)

    def find() -> OwnError | None:
        answers = {one.puzzle: one for one in site.puzzles.of(browser_of(request))}
        return next_own(errors_of(request), answers)

    following = await run_in_threadpool(find)
    return RedirectResponse(LIST if following is None else following.address, 303)


async def to_next(request: Request) -> Response:
    """Redirect to what one solves next in a game."""
    site, game = site_of(request), game_of(request)
    answers = await run_in_threadpool(site.puzzles.of, browser_of(request))
    following = await run_in_threadpool(next_puzzle, game, answers)
    return RedirectResponse(address_of(following), 303)


async def puzzle_page(request: Request) -> Response:
    """A puzzle, with the parts of a move in the address."""
    fields = as_fields(request.query_params.multi_items())
    return await puzzle_response(request, fields)


async def answer(request: Request) -> Response:
    """Answer a puzzle: with a move, or that several are fine; without scripts this redirects to its page."""
    site, browser, one = site_of(request), browser_of(request), await puzzle_of(request)
    given = as_fields(await read_pairs(request))
    given.pop("decision", None)

    def keep() -> None:
        found, right = checked_answer(one, given)
        site.puzzles.keep(browser, one.game.name, one.name, found, right=right, day=today())

    try:
        await run_in_threadpool(keep)
    except Refusal as refusal:
        return await puzzle_response(request, {}, refusal)
    if not wants_fragment(request):
        return RedirectResponse(one.address, 303)
    return await puzzle_response(request, {})


async def puzzle_response(request: Request, fields: Fields, refusal: Refusal | None = None) -> Response:
    """The puzzle's page, or its live part."""
    site, one = site_of(request), await puzzle_of(request)
    notice = None if refusal is None else refusal_text(request, refusal)

    def render() -> str:
        return str(
            draw_puzzle(
                one,
                site.puzzles,
                browser_of(request),
                language_of(request),
                fields,
                notice,
                whole=not wants_fragment(request),
                confirms=confirms(request),
            )
        )

    return page(await run_in_threadpool(render), 200 if refusal is None else refusal.status)


ROUTES = [
    Route("/puzzles", puzzles_page),
    Route("/puzzles/own", to_next_own),
    Route("/puzzles/{game}", to_next),
    Route("/puzzles/{game}/{number}", puzzle_page),
    Route("/puzzles/{game}/{number}/moves", bounded(CHANGES, answer), methods=["POST"]),
    Route("/tables/{table}/puzzles/{at}", puzzle_page),
    Route("/tables/{table}/puzzles/{at}/moves", bounded(CHANGES, answer), methods=["POST"]),
]

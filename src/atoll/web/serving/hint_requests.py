"""Requests of hints: the server searches, or the browser does and tells what it found.

A browser that can is given the search of its seat's view and nothing else (`bots/search_image.py`), and sends the best
moves with its request for the hint; from all others the request comes without. What speaks for the moves the server
finds out.
"""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from atoll.bots.hints import MOST_MOVES, best_moves, hint_image, likeliest_first
from atoll.web.bounds import SEARCHES
from atoll.web.refusal import Refusal
from atoll.web.serving.module_requests import compressed_json, module_url, network_url
from atoll.web.serving.site import bounded, browser_of, find_table, read_pairs, site_of, with_viewer
from atoll.web.serving.table_requests import TableRequest, change_handler
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table

if TYPE_CHECKING:
    from atoll.bots.search import Evaluation
    from atoll.core.game import View
    from atoll.lab.reasons import Reason

FoundMoves = Annotated[
    list[tuple[int, Annotated[float, msgspec.Meta(ge=0, le=1)]]],
    msgspec.Meta(min_length=1, max_length=MOST_MOVES),
]
"""Actions, and the chance to win after each."""
Search = tuple[int, "View"]
"""The number of moves before it, and the view that it is from."""


async def give_hint(request: Request) -> Response:
    """Show the table with the best moves for the viewer: those that the browser found, else the server searches."""
    table, browser, form = await find_table(request), browser_of(request), dict(await read_pairs(request))
    search = await run_in_threadpool(with_viewer, table, browser, lambda viewer: hint_search(table, viewer))
    if search is not None:
        moves, view = search
        if "found" in form:
            best = read_found(form, moves, view)
        else:
            best = await in_pool(request, table, best_moves, view, moves)
        why = await in_pool(request, table, partial(reasons_for, best=best), view, moves)
        await run_in_threadpool(
            with_viewer, table, browser, lambda viewer: table.keep_hint(view.seat, moves, best, why)
        )
    show: Response = await change_handler(check_hint)(request)
    return show


def reasons_for(view: "View", seed: int, best: "list[Evaluation]") -> "list[list[Reason]]":
    """What speaks for each of the best moves."""
    from atoll.lab.reasons import reasons

    return reasons(view, seed, [one.action for one in best])


async def describe_search(request: Request) -> Response:
    """The search of a hint for the viewer's browser to carry out; nothing where the server has to."""
    table, browser = await find_table(request), browser_of(request)

    def find(viewer: Viewer) -> Search | None:
        check_hint(table, TableRequest(viewer, browser, ()))
        return hint_search(table, viewer)

    search = await run_in_threadpool(with_viewer, table, browser, find)
    if search is None or not await run_in_threadpool(can_search_elsewhere, table):
        return Response(status_code=204)
    moves, view = search
    content = await in_pool(request, table, search_description, view, moves)
    return compressed_json(content, request)


async def in_pool(request: Request, table: Table, search: Any, view: "View", seed: int) -> Any:
    """What a function of a view and a seed finds in its turn in the search pool."""
    site = site_of(request)
    owner = (*site.bounds.owner(browser_of(request)), table.row.id)
    return await site.bots.search_pool.run(search, view, seed, owner=owner)


def hint_search(table: Table, viewer: Viewer) -> Search | None:
    """The number of moves and the viewer's view for a search; None if there is no hint to search."""
    if viewer.seat is None or not table.bots.give_hints(viewer.seat) or table.bots.hint(viewer.seat):
        return None
    return len(table.timeline.lines), table.timeline.position.view(viewer.seat)


def check_hint(table: Table, request: TableRequest) -> None:
    """Raise Refusal if there are no hints for the viewer."""
    if not table.bots.give_hints(request.seat):
        raise Refusal(409, "There is no hint for you now.")


def read_found(form: dict[str, str], moves: int, view: "View") -> "list[Evaluation]":
    """The best moves that a browser found; raises Refusal unless they are moves of this position."""
    from atoll.bots.search import Evaluation

    if form.get("played") != str(moves):
        raise Refusal(409, "The table has changed; here it is as it is now.")
    try:
        found = msgspec.json.decode(form["found"], type=FoundMoves)
    except msgspec.DecodeError:
        found = []
    actions = {action for action, _ in found}
    if not found or len(actions) < len(found) or not actions <= set(view.legal_moves().actions.tolist()):
        raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")
    return likeliest_first([Evaluation(action, 1, wins) for action, wins in found])


def can_search_elsewhere(table: Table) -> bool:
    """Whether a module carries out the game's searches and browsers can have the network that guides them, which has
    an address for the sets of components that come with the game.
    """
    from atoll.bots.guidance import is_guided
    from atoll.bots.search_image import has_images

    return has_images(table.game) and (table.row.components_data is None or not is_guided(table.game))


def search_description(view: "View", moves: int) -> bytes:
    """What a browser is told of a search, as `static/scripts/later/engine.js` takes it."""
    image = hint_image(view, moves)
    network = None
    if image.network is not None:
        url = network_url(view.game, view.players, view.components)
        network = {"address": image.network, "url": url}
    return msgspec.json.encode(
        {
            **msgspec.structs.asdict(image),
            "module": module_url(view.game),
            "network": network,
            "most_moves": MOST_MOVES,
            "played": moves,
        }
    )


ROUTES = [
    Route("/tables/{table}/hint", bounded(SEARCHES, give_hint), methods=["POST"]),
    Route("/tables/{table}/hint/search", bounded(SEARCHES, describe_search), methods=["POST"]),
]

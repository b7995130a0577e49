"""Requests of a browser's list of tables: archive one, or delete one that it made."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.bounds import CHANGES
from atoll.web.pages.language import language_of
from atoll.web.pages.start_page import draw_deletion
from atoll.web.refusal import NoSuchTable, Refusal
from atoll.web.serving.site import bounded, browser_of, page, read_pairs, site_of, table_id
from atoll.web.store.store import ListedTable


async def listed_table(request: Request) -> ListedTable:
    """The table that the address names; raises NoSuchTable."""
    listed = await run_in_threadpool(site_of(request).store.listed, table_id(request), browser_of(request))
    if listed is None:
        raise NoSuchTable
    return listed


async def archive(request: Request) -> Response:
    """Archive a table in the browser's list, or take it out of the archive."""
    listed, browser = await listed_table(request), browser_of(request)
    if browser != listed.row.maker and all(sitting.browser != browser for sitting in listed.seats):
        raise Refusal(403, "That table is not in your list.")
    archived = dict(await read_pairs(request)).get("archived") == "yes"
    await run_in_threadpool(site_of(request).store.archive, listed.row.id, browser, archived)
    return RedirectResponse("/#tables", 303)


async def own_table(request: Request) -> ListedTable:
    """The table that the address names; raises Refusal if the browser did not make it."""
    listed = await listed_table(request)
    if listed.row.maker != browser_of(request):
        raise Refusal(403, "Only the person who made the table can delete it.")
    return listed


async def ask_deletion(request: Request) -> Response:
    """Ask whether a table is to be deleted."""
    listed = await own_table(request)
    time = site_of(request).store.time.shown()
    return page(draw_deletion(listed, browser_of(request), language_of(request), time))


async def delete(request: Request) -> Response:
    """Delete a table for everybody, and notify its open pages."""
    listed, site = await own_table(request), site_of(request)
    await run_in_threadpool(site.store.delete, listed.row.id)
    site.watched.notify(listed.row.id)
    return RedirectResponse("/#tables", 303)


ROUTES = [
    Route("/tables/{table}/archive", bounded(CHANGES, archive), methods=["POST"]),
    Route("/tables/{table}/delete", ask_deletion),
    Route("/tables/{table}/delete", bounded(CHANGES, delete), methods=["POST"]),
]

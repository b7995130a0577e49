"""Requests of people: their names, the lobby, and moving a seat to another device."""

from collections.abc import Callable
from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.pages.invitation import addresses_for_others, qr_code
from atoll.web.pages.language import language_of
from atoll.web.pages.players import names_of
from atoll.web.pages.start_page import draw_lobby
from atoll.web.pages.templating import draw
from atoll.web.people.devices import link_of, move_here, new_link
from atoll.web.refusal import Refusal
from atoll.web.serving.invitation_requests import network_switch
from atoll.web.serving.site import (
    Result,
    browser_of,
    find_table,
    page,
    read_pairs,
    return_address,
    site_of,
    table_id,
    with_viewer,
)
from atoll.web.table.names import LONGEST, checked_name
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from atoll.web.translation import translator_for


async def name_page(request: Request) -> Response:
    """The page that asks for a name."""
    back = return_address(request.query_params.get("back", "/"))
    name = await run_in_threadpool(site_of(request).people.name, browser_of(request))
    here = f"/name?back={back}"
    html = draw(
        "name_page.html.jinja", language_of(request), name=name, longest_name=LONGEST, back=back, here=here
    )
    return page(html)


async def change_name(request: Request) -> Response:
    """Store a name and redirect back."""
    form, site = dict(await read_pairs(request)), site_of(request)
    name = checked_name(form.get("name", ""))
    for table_name in await run_in_threadpool(site.people.rename, browser_of(request), name):
        site.watched.notify(table_name)
    return RedirectResponse(return_address(form.get("back", "/")), 303)


async def lobby(request: Request) -> Response:
    """The lobby alone, for the start page's polling."""
    return page(
        await run_in_threadpool(draw_lobby, site_of(request).store, browser_of(request), language_of(request))
    )


def device_page(request: Request, **context: Any) -> Response:
    """The page about moving a seat."""
    at = f"/tables/{table_id(request)}"
    html = draw("device.html.jinja", language_of(request), here=f"{at}/device", table=at, **context)
    return page(html)


def own_seat(table: Table, viewer: Viewer) -> int:
    """The viewer's seat in a running game; raises Refusal."""
    if viewer.seat is None:
        raise Refusal(403, "You have no seat at this table.")
    if table.has_ended:
        raise Refusal(409, "The game is over.")
    return viewer.seat


async def device_question(request: Request) -> Response:
    """The page that explains the link to another device."""
    table = await find_table(request)
    await run_in_threadpool(with_viewer, table, browser_of(request), lambda viewer: own_seat(table, viewer))
    return device_page(request, switch=network_switch(request))


async def make_link(request: Request) -> Response:
    """Make a link that moves the viewer's seat, and show it once; or revoke it."""
    site, browser = site_of(request), browser_of(request)
    revoke = dict(await read_pairs(request)).get("revoke") == "yes"
    table = await find_table(request)

    def make(viewer: Viewer) -> str | None:
        seat = own_seat(table, viewer)
        if revoke:
            site.seat_links.revoke(table.row.id, seat)
            return None
        return new_link(site.seat_links, table, seat, browser)

    link_name = await run_in_threadpool(with_viewer, table, browser, make)
    if link_name is None:
        return device_page(request, revoked=True)
    path = f"/tables/{table.row.id}/device/{link_name}"
    addresses = addresses_for_others(request, site.addresses, path)
    if not addresses:
        return device_page(request, link=str(request.base_url).rstrip("/") + path)
    code = Markup((await run_in_threadpool(qr_code, addresses[0])).decode())
    return device_page(request, link=addresses[0], code=code)


def with_lock(table: Table, browser: str, do: Callable[[Viewer], Result]) -> Result:
    """Call `do` with the table's lock, without the check whether the browser may watch, since it has a link."""
    with table.lock:
        table.catch_up()
        return do(table.seating.viewer(browser))


async def move_question(request: Request) -> Response:
    """Ask for confirmation before a link is used, since programs open links, too."""
    table, links = await find_table(request), site_of(request).seat_links
    translator, link_name = translator_for(language_of(request)), request.path_params["link"]

    def name(viewer: Viewer) -> str:
        return names_of(translator, table.seating)[link_of(links, table, link_name).seat]

    seat_name = await run_in_threadpool(with_lock, table, browser_of(request), name)
    return device_page(request, accept=request.url.path, name=seat_name)


async def move_seat(request: Request) -> Response:
    """Move the link's seat to this browser."""
    site, browser, link_name = site_of(request), browser_of(request), request.path_params["link"]
    table = await find_table(request)

    def move(viewer: Viewer) -> None:
        link = link_of(site.seat_links, table, link_name)
        names = site.people.names([link.browser, browser])
        move_here(site.seat_links, table, link_name, browser)
        if browser not in names and link.browser in names:
            site.people.rename(browser, names[link.browser])

    await run_in_threadpool(with_lock, table, browser, move)
    site.watched.notify(table.row.id)
    return RedirectResponse(f"/tables/{table.row.id}", 303)


ROUTES = [
    Route("/lobby", lobby),
    Route("/tables/{table}/device", device_question),
    Route("/tables/{table}/device", make_link, methods=["POST"]),
    Route("/tables/{table}/device/{link}", move_question),
    Route("/tables/{table}/device/{link}", move_seat, methods=["POST"]),
    Route("/name", name_page),
    Route("/name", change_name, methods=["POST"]),
]

"""Requests of invitations: how others reach a table, and the switch that lets devices on this network join."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.text.errors import AtollError
from atoll.web.bounds import CHANGES, is_from_here
from atoll.web.pages.invitation import addresses_for_others, qr_code
from atoll.web.pages.language import language_of
from atoll.web.pages.live_requests import wants_fragment
from atoll.web.pages.static_page import draw_picture
from atoll.web.pages.templating import draw
from atoll.web.refusal import Refusal
from atoll.web.serving.site import (
    bounded,
    browser_of,
    find_table,
    page,
    read_pairs,
    return_address,
    site_of,
    table_id,
    with_viewer,
)
from atoll.web.table.seats import Viewer


def invitation(request: Request) -> dict[str, Any]:
    """The addresses of the table for other devices, the likeliest first, and the switch for who may use it."""
    path = f"/tables/{table_id(request)}"
    return {
        "addresses": addresses_for_others(request, site_of(request).addresses, path),
        "switch": network_switch(request),
    }


def network_switch(request: Request) -> dict[str, Any] | None:
    """Whether devices on this network may join, and by which address, for somebody on the site's own machine; None for
    others, and where it cannot be switched."""
    network = site_of(request).network
    if network is None or not is_from_here(request):
        return None
    return {"on": bool(network.hosts), "address": next(iter(network.addresses), None)}


async def invitation_page(request: Request) -> Response:
    """The invitation as a page of its own or, for the site's script, the dialog with it."""
    table = await find_table(request)
    template = "invitation.html.jinja" if wants_fragment(request) else "invitation_page.html.jinja"

    def render(viewer: Viewer) -> str:
        return draw(
            template,
            language_of(request),
            game={"title": table.game.title},
            here=table.address,
            invitation=invitation(request),
            ended=table.has_ended,
            is_over=table.timeline.is_over,
        )

    return page(await run_in_threadpool(with_viewer, table, browser_of(request), render))


async def final_picture(request: Request) -> Response:
    """The end of a game as a page in one file, of which the site's script makes a picture."""
    table, language = await find_table(request), language_of(request)

    def render(_viewer: Viewer) -> str:
        if not table.timeline.is_over:
            raise Refusal(409, "The game is not over yet.")
        return draw_picture(table, language)

    return page(await run_in_threadpool(with_viewer, table, browser_of(request), render))


async def address_as_code(request: Request) -> Response:
    """One of the table's addresses for others as a QR code, the likeliest if none is named."""
    addresses = invitation(request)["addresses"]
    address = request.query_params.get("of", next(iter(addresses), ""))
    if address not in addresses:
        raise Refusal(404, "There is no such page.")
    return Response(await run_in_threadpool(qr_code, address), media_type="image/svg+xml")


async def switch_network(request: Request) -> Response:
    """Let devices on this network join, or no longer, and redirect back."""
    form, network = dict(await read_pairs(request)), site_of(request).network
    if network is None or network_switch(request) is None:
        raise Refusal(403, "Only somebody at the machine on which Atoll runs can let other devices join.")
    if form.get("on") not in ("yes", "no"):
        raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")
    try:
        await network.switch(form["on"] == "yes")
    except AtollError as error:
        raise Refusal(409, "Other devices cannot join: %(why)s.", why=error.message) from None
    return RedirectResponse(return_address(form.get("back", "/")), 303)


ROUTES = [
    Route("/network", bounded(CHANGES, switch_network), methods=["POST"]),
    Route("/tables/{table}/invitation", invitation_page),
    Route("/tables/{table}/address.svg", address_as_code),
    Route("/tables/{table}/picture", final_picture),
]

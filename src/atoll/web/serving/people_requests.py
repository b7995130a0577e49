"""Requests of people: what they are called."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.pages.language import language_of
from atoll.web.pages.templating import draw
from atoll.web.people.names import LONGEST, checked_name
from atoll.web.serving.site import browser_of, page, read_pairs, site_of, way_back


async def name_page(request: Request) -> Response:
    """Ask what one is called."""
    back = way_back(request.query_params.get("back", "/"))
    name = await run_in_threadpool(site_of(request).people.name, browser_of(request))
    here = f"/name?back={back}"
    html = draw(
        "name.html.jinja", language_of(request), name=name, longest_name=LONGEST, back=back, here=here
    )
    return page(html)


async def change_name(request: Request) -> Response:
    """Keep what one is called, and go back."""
    form, site = dict(await read_pairs(request)), site_of(request)
    name = checked_name(form.get("name", ""))
    for table_id in await run_in_threadpool(site.people.rename, browser_of(request), name):
        site.watched.notify(table_id)
    return RedirectResponse(way_back(form.get("back", "/")), 303)


ROUTES = [
    Route("/name", name_page),
    Route("/name", change_name, methods=["POST"]),
]

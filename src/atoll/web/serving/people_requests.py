"""Requests of people: their names."""

from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.web.bounds import CHANGES
from atoll.web.pages.language import language_of
from atoll.web.pages.templating import draw
from atoll.web.serving.site import bounded, browser_of, page, read_pairs, return_address, site_of
from atoll.web.table.names import LONGEST, checked_name


async def name_page(request: Request) -> Response:
    """The page that asks for a name."""
    back = return_address(request.query_params.get("back", "/"))
    name = await run_in_threadpool(site_of(request).people.name, browser_of(request))
    here = f"/name?{urlencode({'back': back})}"
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


ROUTES = [
    Route("/name", name_page),
    Route("/name", bounded(CHANGES, change_name), methods=["POST"]),
]

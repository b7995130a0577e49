"""Whether the site works, for what watches over it: `/healthz` and `/readyz`."""

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from atoll.web.serving.site import site_of

UNNAMED = {"Cache-Control": "no-cache"}
"""Such an answer brings no cookie: whoever watches over the site is nobody's browser."""


async def healthz(request: Request) -> Response:
    """200 as long as the process answers at all; what it does not have is no reason to start it anew."""
    return PlainTextResponse("ok\n", headers=UNNAMED)


async def readyz(request: Request) -> Response:
    """200 when tables of all games can be shown and the database is read, else 503; either way which of them."""
    site = site_of(request)
    found = {"rules": site.loading.ready.is_set(), "database": await run_in_threadpool(_reads, request)}
    return JSONResponse(found, 200 if all(found.values()) else 503, UNNAMED)


def _reads(request: Request) -> bool:
    try:
        with site_of(request).store.engine.connect() as connection:
            connection.execute(text("SELECT 1 FROM tables LIMIT 1"))
    except DBAPIError:
        return False
    return True


ROUTES = [Route("/healthz", healthz), Route("/readyz", readyz)]

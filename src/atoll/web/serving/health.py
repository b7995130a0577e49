"""Health checks for monitoring: `/healthz` and `/readyz`."""

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from atoll.web.serving.site import site_of

NO_COOKIE = {"Cache-Control": "no-cache"}
"""Headers of responses without a cookie, since monitoring is no visitor."""


async def healthz(request: Request) -> Response:
    """200 as long as the process responds: a failing dependency is no reason to restart it."""
    return PlainTextResponse("ok\n", headers=NO_COOKIE)


async def readyz(request: Request) -> Response:
    """200 when the database can be read, else 503."""
    readable = await run_in_threadpool(_database_is_readable, request)
    return JSONResponse({"database": readable}, 200 if readable else 503, NO_COOKIE)


def _database_is_readable(request: Request) -> bool:
    try:
        with site_of(request).store.engine.connect() as connection:
            connection.execute(text("SELECT 1 FROM tables LIMIT 1"))
    except DBAPIError:
        return False
    return True


ROUTES = [Route("/healthz", healthz), Route("/readyz", readyz)]

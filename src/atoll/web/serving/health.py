"""Health checks for monitoring: `/healthz` and `/readyz`."""

from time import monotonic

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from atoll.core.catalogue import games
from atoll.web.serving.site import site_of

LONGEST_WAIT = 300
"""Seconds that a response is delayed at most."""
NO_COOKIE = {"Cache-Control": "no-cache"}
"""Headers of responses without a cookie, since monitoring is no visitor."""


async def healthz(request: Request) -> Response:
    """200 as long as the process responds: a failing dependency is no reason to restart it."""
    return PlainTextResponse("ok\n", headers=NO_COOKIE)


async def readyz(request: Request) -> Response:
    """200 when tables of all games, or of the `game` asked for, can be shown and the database is read, else 503; either
    way which of them. With `wait` the answer comes when they can, or after so many seconds.
    """
    loading, game = site_of(request).loading, request.query_params.get("game", "")
    wait = request.query_params.get("wait", "0")
    until = monotonic() + (min(int(wait), LONGEST_WAIT) if wait.isascii() and wait.isdecimal() else 0)
    names = [game] if game in games() else games()
    ready = [await loading.tables_ready(name, until - monotonic()) for name in names]
    checks = {"rules": all(ready), "database": await run_in_threadpool(_database_is_readable, request)}
    return JSONResponse(checks, 200 if all(checks.values()) else 503, NO_COOKIE)


def _database_is_readable(request: Request) -> bool:
    try:
        with site_of(request).store.engine.connect() as connection:
            connection.execute(text("SELECT 1 FROM tables LIMIT 1"))
    except DBAPIError:
        return False
    return True


ROUTES = [Route("/healthz", healthz), Route("/readyz", readyz)]

"""Figures for Prometheus, in its text format, at `/metrics` if switched on; for this machine alone.

They are counts and times, without names, addresses of tables or cookies.
"""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from atoll.web.bounds import SOCKETS, is_from_here
from atoll.web.refusal import Refusal
from atoll.web.serving.health import NO_COOKIE
from atoll.web.serving.site import Site, site_of

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds that bound the classes of how long requests take."""
FORMAT = "text/plain; version=0.0.4"
"""The media type of Prometheus' text format."""


class Measured:
    """Middleware that counts requests by the class of their status, and times them."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.statuses: Counter[str] = Counter()
        self.buckets = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope["measured"], began = self, time.perf_counter()

        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._count(message["status"], time.perf_counter() - began)
            await send(message)

        await self.app(scope, receive, send_counted)

    def _count(self, status: int, seconds: float) -> None:
        self.statuses[f"{status // 100}xx"] += 1
        self.buckets[bisect_left(BUCKETS, seconds)] += 1
        self.seconds += seconds

    def lines(self, site: Site) -> Iterator[str]:
        """All figures of this process."""
        yield "# TYPE atoll_requests_total counter"
        for status, count in sorted(self.statuses.items()):
            yield f'atoll_requests_total{{status="{status}"}} {count}'
        yield "# TYPE atoll_request_seconds histogram"
        below = 0
        for bound, count in zip((*map(str, BUCKETS), "+Inf"), self.buckets, strict=True):
            below += count
            yield f'atoll_request_seconds_bucket{{le="{bound}"}} {below}'
        yield f"atoll_request_seconds_sum {self.seconds:.6f}"
        yield f"atoll_request_seconds_count {below}"
        gauges = {
            "atoll_open_pages": site.bounds.count(SOCKETS),
            "atoll_watched_tables": len(site.watched.ids),
        }
        for name, value in gauges.items():
            yield f"# TYPE {name} gauge"
            yield f"{name} {value}"
        yield "# TYPE atoll_process_cpu_seconds_total counter"
        yield f"atoll_process_cpu_seconds_total {time.process_time():.3f}"


async def metrics(request: Request) -> Response:
    """The figures of the process that answers, for this machine alone."""
    if not is_from_here(request):
        raise Refusal(404, "There is no such page.")
    measured: Measured = request.scope["measured"]
    text = "\n".join(measured.lines(site_of(request))) + "\n"
    return PlainTextResponse(text, headers=NO_COOKIE, media_type=FORMAT)


ROUTES = [Route("/metrics", metrics)]

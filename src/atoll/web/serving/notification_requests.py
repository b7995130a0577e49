"""Requests about being told that it is one's turn; and what makes the site an application of its own."""

from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from atoll.web import STATIC
from atoll.web.pages.invitation import address_for_others
from atoll.web.pages.language import language_of
from atoll.web.pages.notifications_page import COOKIE, IN_TABS, chosen, draw_next, draw_telling
from atoll.web.pages.refusal_page import sentence
from atoll.web.pages.templating import draw
from atoll.web.people.push import checked_subscription, is_installed
from atoll.web.refusal import TABLE_ID, Refusal
from atoll.web.serving.site import browser_of, page, read_pairs, site_of, table_id, way_back
from atoll.web.store.notifications import NotificationChannels
from atoll.web.translation import translator_for


async def telling(request: Request) -> Response:
    """The page."""
    done = request.query_params.get("done")
    return await show(
        request, said=DONE.get(done or "", lambda words: None)(translator_for(language_of(request)))
    )


DONE: dict[str, Any] = {
    "kept": lambda words: words("That is kept."),
    "sent": lambda words: words("The message was taken: look where it should have arrived."),
}
"""What the page says after something was done."""


async def show(
    request: Request,
    refusal: Refusal | None = None,
    said: str | None = None,
    typed: dict[str, str] | None = None,
) -> Response:
    """The page, and why something was refused: what was `typed`, by its form."""
    site, browser, asked = site_of(request), browser_of(request), request.query_params
    at = asked.get("table", "")
    table = await own_table(request, at) if TABLE_ID.fullmatch(at) else None
    back = f"/tables/{at}" if TABLE_ID.fullmatch(at) else way_back(asked.get("back", "/"))
    ways = await run_in_threadpool(site.notifications.of, browser)
    key = (await run_in_threadpool(lambda: site.notifier.push.public_key)) if is_installed() else None
    html = draw_telling(
        ways,
        chosen(request),
        key,
        language_of(request),
        back=back,
        table=table,
        notice=sentence(request, refusal) if refusal else None,
        said=said,
        typed=typed or {},
    )
    return page(html, refusal.status if refusal else 200)


async def own_table(request: Request, at: str) -> dict[str, Any] | None:
    """A table whose webhook this browser may choose; None if there is none, or somebody else made it."""
    site, browser = site_of(request), browser_of(request)
    found = await run_in_threadpool(site.store.listed, at, browser)
    if found is None or found.row.maker != browser:
        return None
    from atoll.web.pages.start_page import title

    ways = await run_in_threadpool(site.notifications.of_table, at)
    return {"id": at, "title": title(found.row, translator_for(language_of(request))), "ways": ways}


def site_address(request: Request) -> str:
    """The address of the site for links in messages."""
    found = address_for_others(request, site_of(request).others, "") or str(request.base_url)
    return found.rstrip("/")


def done(request: Request, what: str = "kept") -> Response:
    """Back to the page, which says that it was done."""
    kept = {name: request.query_params[name] for name in ("table", "back") if name in request.query_params}
    query = "&".join(f"{name}={value}" for name, value in {**kept, "done": what}.items())
    return RedirectResponse(f"/telling?{query}", 303)


async def change(request: Request, **values: Any) -> None:
    """Change how this browser's person is told."""
    site, browser = site_of(request), browser_of(request)
    usual = NotificationChannels(language_of(request), site_address(request))
    ways = await run_in_threadpool(site.notifications.of, browser) or usual
    fresh = replace(ways, language=usual.language, site=usual.site, **values)
    await run_in_threadpool(site.notifications.keep, browser, fresh)


async def in_tabs(request: Request) -> Response:
    """Keep what pages do that are open and out of sight."""
    form = dict(await read_pairs(request))
    answer = done(request)
    kept = ".".join(way for way in IN_TABS if way in form)
    answer.set_cookie(COOKIE, kept, max_age=400 * 24 * 3600, httponly=True, samesite="lax")
    return answer


async def push(request: Request) -> Response:
    """Tell this browser by Web Push, or no longer."""
    form = dict(await read_pairs(request))
    try:
        if not is_installed():
            raise Refusal(409, "This site has no Web Push.")
        said = form.get("subscription")
        outgoing = site_of(request).notifier.outbound
        await change(request, push=None if said is None else checked_subscription(said, outgoing))
    except Refusal as refusal:
        return await show(request, refusal)
    return done(request)


async def webhook(request: Request) -> Response:
    """Tell this browser's person by a webhook, or no longer."""
    return await keep_webhook(request, None)


async def table_webhook(request: Request) -> Response:
    """Tell a table's people by a webhook, or no longer."""
    at = table_id(request)
    if await own_table(request, at) is None:
        raise Refusal(403, "Only the person who made the table can change this.")
    return await keep_webhook(request, at)


async def keep_webhook(request: Request, at: str | None) -> Response:
    """Keep a webhook: a person's, or a table's. With `test` in the form it is sent something first."""
    site, form = site_of(request), dict(await read_pairs(request))
    address = form.get("webhook", "").strip()
    try:
        if address:
            site.notifier.outbound.check(address)
        if address and "test" in form:
            await send_test(request, address)
        if at is None:
            await change(request, webhook=address or None, failed=0)
        else:
            ways = NotificationChannels(language_of(request), site_address(request), None, address or None)
            await run_in_threadpool(site.notifications.keep_for_table, at, ways)
    except Refusal as refusal:
        typed = {"own-webhook" if at is None else "table-webhook": address}
        return await show(request, refusal, typed=typed)
    return done(request, "sent" if address and "test" in form else "kept")


async def send_test(request: Request, address: str) -> None:
    """Send a webhook something now; raises Refusal if it is not taken."""
    notifier, words = site_of(request).notifier, translator_for(language_of(request))
    if not notifier.rate.allows(address):
        raise Refusal(429, "This webhook has had enough messages for now: try again in ten minutes.")
    said = words("Atoll tells you here when it is your turn: %(address)s", address=site_address(request))
    if not await notifier.send_webhook(
        address, {"text": said, "content": said, "allowed_mentions": {"parse": []}}
    ):
        raise Refusal(400, "The webhook did not take the message: look whether its address is right.")


async def next_table(request: Request) -> Response:
    """The line that leads to the next table that waits for this browser's person."""
    site, besides = site_of(request), request.query_params.get("table", "")
    return page(
        await run_in_threadpool(
            draw_next, site.store, browser_of(request), language_of(request), besides[:32]
        )
    )


async def offline(request: Request) -> Response:
    """What the installed site shows while the server is away."""
    return page(draw("offline.html.jinja", language_of(request)))


async def service_worker(request: Request) -> Response:
    """The script of the installed site; from here it may serve the whole site."""
    headers = {"Cache-Control": "no-cache"}
    return FileResponse(str(STATIC / "service_worker.js"), media_type="text/javascript", headers=headers)


async def manifest(request: Request) -> Response:
    """What the installed site is called, and how it looks."""
    return FileResponse(
        str(STATIC / "manifest.json"),
        media_type="application/manifest+json",
        headers={"Cache-Control": "no-cache"},
    )


ROUTES = [
    Route("/telling", telling),
    Route("/telling/tabs", in_tabs, methods=["POST"]),
    Route("/telling/push", push, methods=["POST"]),
    Route("/telling/webhook", webhook, methods=["POST"]),
    Route("/tables/{table}/webhook", table_webhook, methods=["POST"]),
    Route("/next", next_table),
    Route("/offline", offline),
    Route("/service_worker.js", service_worker),
    Route("/manifest.json", manifest),
]

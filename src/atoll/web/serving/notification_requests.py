"""Requests of notification settings, and the files of the installed site."""

from dataclasses import replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from atoll.web import STATIC
from atoll.web.pages.invitation import addresses_for_others
from atoll.web.pages.language import language_of
from atoll.web.pages.notifications_page import (
    COOKIE,
    IN_TABS,
    draw_next_table,
    draw_notifications,
    tab_notifications,
)
from atoll.web.pages.refusal_page import refusal_text
from atoll.web.pages.templating import draw
from atoll.web.people.push import checked_subscription, is_installed
from atoll.web.refusal import TABLE_ID, Refusal
from atoll.web.serving.site import browser_of, page, read_pairs, return_address, site_of, table_id
from atoll.web.store.notifications import NotificationChannels
from atoll.web.translation import translator_for


async def notifications_page(request: Request) -> Response:
    """The page."""
    confirmed = request.query_params.get("done")
    return await show(
        request,
        confirmation=CONFIRMATIONS.get(confirmed or "", lambda words: None)(
            translator_for(language_of(request))
        ),
    )


CONFIRMATIONS: dict[str, Any] = {
    "kept": lambda words: words("That is kept."),
    "sent": lambda words: words("The message was taken: look where it should have arrived."),
}
"""Confirmations that the page can show, by name."""


async def show(
    request: Request,
    refusal: Refusal | None = None,
    confirmation: str | None = None,
    rejected: dict[str, str] | None = None,
) -> Response:
    """The page, with the reason if a form was refused; `rejected` are its values, by form."""
    site, browser, query = site_of(request), browser_of(request), request.query_params
    table_name = query.get("table", "")
    table = await own_table(request, table_name) if TABLE_ID.fullmatch(table_name) else None
    back = (
        f"/tables/{table_name}" if TABLE_ID.fullmatch(table_name) else return_address(query.get("back", "/"))
    )
    channels = await run_in_threadpool(site.notifications.of, browser)
    key = (await run_in_threadpool(lambda: site.notifier.push.public_key)) if is_installed() else None
    html = draw_notifications(
        channels,
        tab_notifications(request),
        key,
        language_of(request),
        back=back,
        table=table,
        notice=refusal_text(request, refusal) if refusal else None,
        confirmation=confirmation,
        rejected=rejected or {},
    )
    return page(html, refusal.status if refusal else 200)


async def own_table(request: Request, table_name: str) -> dict[str, Any] | None:
    """A table whose webhook this browser may change; None if there is none, or somebody else made it."""
    site, browser = site_of(request), browser_of(request)
    listed = await run_in_threadpool(site.store.listed, table_name, browser)
    if listed is None or listed.row.maker != browser:
        return None
    from atoll.web.pages.start_page import table_title

    channels = await run_in_threadpool(site.notifications.of_table, table_name)
    return {
        "id": table_name,
        "title": table_title(listed.row, translator_for(language_of(request))),
        "channels": channels,
    }


def site_address(request: Request) -> str:
    """The address of the site for links in messages, which are kept: not one that may be switched off again."""
    others = site_of(request).others
    addresses = addresses_for_others(request, [] if others is None else [others], "")
    return next(iter(addresses), str(request.base_url).rstrip("/"))


def confirmed(request: Request, confirmation: str = "kept") -> Response:
    """Redirect to the page, with a confirmation."""
    parameters = {
        name: request.query_params[name] for name in ("table", "back") if name in request.query_params
    }
    query = "&".join(f"{name}={value}" for name, value in {**parameters, "done": confirmation}.items())
    return RedirectResponse(f"/telling?{query}", 303)


async def change_channels(request: Request, **values: Any) -> None:
    """Change this browser's notification channels."""
    site, browser = site_of(request), browser_of(request)
    default = NotificationChannels(language_of(request), site_address(request))
    channels = await run_in_threadpool(site.notifications.of, browser) or default
    fresh = replace(channels, language=default.language, site=default.site, **values)
    await run_in_threadpool(site.notifications.keep, browser, fresh)


async def change_tab_notifications(request: Request) -> Response:
    """Change what hidden pages do when it is one's turn."""
    form = dict(await read_pairs(request))
    answer = confirmed(request)
    choices = ".".join(choice for choice in IN_TABS if choice in form)
    answer.set_cookie(COOKIE, choices, max_age=400 * 24 * 3600, httponly=True, samesite="lax")
    return answer


async def change_push(request: Request) -> Response:
    """Subscribe this browser to Web Push, or end that."""
    form = dict(await read_pairs(request))
    try:
        if not is_installed():
            raise Refusal(409, "This site has no Web Push.")
        subscription = form.get("subscription")
        outgoing = site_of(request).notifier.outbound
        await change_channels(
            request, push=None if subscription is None else checked_subscription(subscription, outgoing)
        )
    except Refusal as refusal:
        return await show(request, refusal)
    return confirmed(request)


async def change_webhook(request: Request) -> Response:
    """Set or remove this browser's webhook."""
    return await keep_webhook(request, None)


async def change_table_webhook(request: Request) -> Response:
    """Set or remove a table's webhook."""
    table_name = table_id(request)
    if await own_table(request, table_name) is None:
        raise Refusal(403, "Only the person who made the table can change this.")
    return await keep_webhook(request, table_name)


async def keep_webhook(request: Request, table_name: str | None) -> Response:
    """Store a webhook of a browser or a table; with `test` in the form, after a test message."""
    site, form = site_of(request), dict(await read_pairs(request))
    address = form.get("webhook", "").strip()
    try:
        if address:
            site.notifier.outbound.check(address)
        if address and "test" in form:
            await send_test(request, address)
        if table_name is None:
            await change_channels(request, webhook=address or None, failed=0)
        else:
            channels = NotificationChannels(
                language_of(request), site_address(request), None, address or None
            )
            await run_in_threadpool(site.notifications.keep_for_table, table_name, channels)
    except Refusal as refusal:
        rejected = {"own-webhook" if table_name is None else "table-webhook": address}
        return await show(request, refusal, rejected=rejected)
    return confirmed(request, "sent" if address and "test" in form else "kept")


async def send_test(request: Request, address: str) -> None:
    """Send a test message; raises Refusal if the webhook does not accept it."""
    notifier, translator = site_of(request).notifier, translator_for(language_of(request))
    if not notifier.rate.allows(address):
        raise Refusal(429, "This webhook has had enough messages for now: try again in ten minutes.")
    text = translator("Atoll tells you here when it is your turn: %(address)s", address=site_address(request))
    if not await notifier.send_webhook(
        address, {"text": text, "content": text, "allowed_mentions": {"parse": []}}
    ):
        raise Refusal(400, "The webhook did not take the message: look whether its address is right.")


async def next_table(request: Request) -> Response:
    """The link to the next table that waits for this browser's person."""
    site, besides = site_of(request), request.query_params.get("table", "")
    return page(
        await run_in_threadpool(
            draw_next_table, site.store, browser_of(request), language_of(request), besides[:32]
        )
    )


async def offline(request: Request) -> Response:
    """The offline page of the installed site."""
    return page(draw("offline.html.jinja", language_of(request)))


async def service_worker(request: Request) -> Response:
    """The service worker; at this address its scope is the whole site."""
    headers = {"Cache-Control": "no-cache"}
    return FileResponse(str(STATIC / "service_worker.js"), media_type="text/javascript", headers=headers)


async def manifest(request: Request) -> Response:
    """The web app manifest."""
    return FileResponse(
        str(STATIC / "manifest.json"),
        media_type="application/manifest+json",
        headers={"Cache-Control": "no-cache"},
    )


ROUTES = [
    Route("/telling", notifications_page),
    Route("/telling/tabs", change_tab_notifications, methods=["POST"]),
    Route("/telling/push", change_push, methods=["POST"]),
    Route("/telling/webhook", change_webhook, methods=["POST"]),
    Route("/tables/{table}/webhook", change_table_webhook, methods=["POST"]),
    Route("/next", next_table),
    Route("/offline", offline),
    Route("/service_worker.js", service_worker),
    Route("/manifest.json", manifest),
]

"""Requests of notification settings, and the files of the installed site."""

import base64
import hmac
import time
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from atoll.web import STATIC
from atoll.web.bounds import CHANGES
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
from atoll.web.serving.security import read_secret
from atoll.web.serving.site import (
    bounded,
    browser_of,
    page,
    read_pairs,
    return_address,
    site_of,
    table_id,
    visitor_of,
)
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
    "kept": lambda words: words("Saved."),
    "sent": lambda words: words("The message was taken: look where it should have arrived."),
}
"""Confirmations that the page can show, by name."""


async def show(
    request: Request,
    refusal: Refusal | None = None,
    confirmation: str | None = None,
    rejected: dict[str, str] | None = None,
    asking: str | None = None,
) -> Response:
    """The page, with the reason if a form was refused; `rejected` are its values, by form, and `asking` is the form
    that asks for the code which its webhook was sent."""
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
        asking=asking,
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
    return RedirectResponse(f"/telling?{urlencode({**parameters, 'done': confirmation})}", 303)


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
        text, notifier = form.get("subscription"), site_of(request).notifier
        subscription = None if text is None else checked_subscription(text, notifier.outbound)
        if subscription is not None:
            translator = translator_for(language_of(request))
            first = {
                "title": "Atoll",
                "body": translator("This device gets notifications."),
                "url": "/telling",
            }
            message = {**first, "topic": "welcome"}
            if not await notifier.try_push(visitor_of(request), subscription, message, site_address(request)):
                raise Refusal(400, "Your browser’s maker did not take a first notification: try again later.")
        if (
            subscription is not None and request.scope["device"] is not None
        ):  # which takes this along when it is given back
            subscription = {**subscription, "device": request.scope["device"]}
        await change_channels(request, push=subscription)
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
    """Store a webhook of a browser or a table, once it has proved that messages are wanted there: its answer has the
    code of a first message, or whoever reads it there types the code here."""
    site, form = site_of(request), dict(await read_pairs(request))
    address, form_id = (
        form.get("webhook", "").strip(),
        "own-webhook" if table_name is None else "table-webhook",
    )
    try:
        if address:
            site.notifier.outbound.check(address)
        if address and address != await kept_webhook(request, table_name):
            if not await proves_itself(request, address, table_name, form.get("code", "")):
                translator = translator_for(language_of(request))
                confirmation = translator(
                    "A message with a code was sent there: type the code below. Nothing else is sent before."
                )
                return await show(
                    request, confirmation=confirmation, rejected={form_id: address}, asking=form_id
                )
        elif address and "test" in form:
            await send_test(request, address)
        if table_name is None:
            await change_channels(request, webhook=address or None, failed=0)
        else:
            channels = NotificationChannels(
                language_of(request), site_address(request), None, address or None
            )
            await run_in_threadpool(site.notifications.keep_for_table, table_name, channels)
    except Refusal as refusal:
        asking = form_id if form.get("code") else None
        return await show(request, refusal, rejected={form_id: address}, asking=asking)
    return confirmed(request, "sent" if address and "test" in form else "kept")


async def kept_webhook(request: Request, table_name: str | None) -> str | None:
    """The webhook that a browser or a table has."""
    kept = site_of(request).notifications
    channels = await (
        run_in_threadpool(kept.of, browser_of(request))
        if table_name is None
        else run_in_threadpool(kept.of_table, table_name)
    )
    return None if channels is None else channels.webhook


async def proves_itself(request: Request, address: str, table_name: str | None, typed: str) -> bool:
    """Whether a webhook answers with its code, which it is sent, or the code was typed; raises Refusal for a wrong one,
    and if the webhook does not take the message."""
    codes = [challenge_code(browser_of(request), table_name, address, ago) for ago in (0, 1)]
    if typed:
        if not any(hmac.compare_digest(plain_code(code), plain_code(typed)) for code in codes):
            raise Refusal(400, "That is not the code that was sent there; read it again.")
        return True
    translator = translator_for(language_of(request))
    text = translator(
        "Somebody wants to be told here by %(address)s when it is their turn. If it is you, type this code there: "
        "%(code)s",
        address=site_address(request),
        code=codes[0],
    )
    content = {"text": text, "content": text, "challenge": codes[0], "allowed_mentions": {"parse": []}}
    reply = await site_of(request).notifier.send_webhook(visitor_of(request), address, content)
    if reply is None:
        raise not_taken()
    return codes[0].encode() in reply.body


def challenge_code(browser: str, table_name: str | None, address: str, days_ago: int = 0) -> str:
    """The code of the day by which an address proves itself to a browser, for itself or for its table."""
    day = int(time.time() // 86_400) - days_ago
    subject = f"webhook {browser} {table_name or ''} {day} {address}"
    letters = base64.b32encode(hmac.digest(read_secret(), subject.encode(), "sha256")).decode()
    return f"{letters[:4]}-{letters[4:8]}"


def plain_code(code: str) -> bytes:
    """A code without what people add or leave away."""
    return "".join(letter for letter in code.upper() if letter.isalnum()).encode()


def not_taken() -> Refusal:
    """Raised for a webhook that does not answer, or refuses."""
    return Refusal(400, "The webhook did not take the message: look whether its address is right.")


async def send_test(request: Request, address: str) -> None:
    """Send a test message; raises Refusal if the webhook does not accept it."""
    site, translator = site_of(request), translator_for(language_of(request))
    text = translator("Atoll tells you here when it is your turn: %(address)s", address=site_address(request))
    content = {"text": text, "content": text, "allowed_mentions": {"parse": []}}
    reply = await site.notifier.send_webhook(visitor_of(request), address, content)
    await run_in_threadpool(site.notifications.note_webhook, address, reply is not None)
    if reply is None:
        raise not_taken()


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
    Route("/telling/tabs", bounded(CHANGES, change_tab_notifications), methods=["POST"]),
    Route("/telling/push", bounded(CHANGES, change_push), methods=["POST"]),
    Route("/telling/webhook", bounded(CHANGES, change_webhook), methods=["POST"]),
    Route("/tables/{table}/webhook", bounded(CHANGES, change_table_webhook), methods=["POST"]),
    Route("/next", next_table),
    Route("/offline", offline),
    Route("/service_worker.js", service_worker),
    Route("/manifest.json", manifest),
]

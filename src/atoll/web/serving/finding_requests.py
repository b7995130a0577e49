"""Requests about what stands out in a set of the workshop: it is looked for, watched, and what is proposed is tried."""

from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.core.game import Game
from atoll.core.types import Json
from atoll.lab.sections.findings import Finding
from atoll.web.bounds import SEARCHES, WORKSHOP
from atoll.web.pages.language import language_of
from atoll.web.pages.refusal_page import refusal_text
from atoll.web.pages.workshop_page import USUAL_SIZE
from atoll.web.refusal import Refusal
from atoll.web.serving.history_requests import to_record
from atoll.web.serving.site import Site, bounded, browser_of, page, read_pairs, site_of, visitor_allowance
from atoll.web.serving.workshop_requests import (
    MOST_VERSIONS,
    components_of,
    find_version,
    keep_version,
    own_set,
    set_html,
)
from atoll.web.store.component_sets import ComponentSet
from atoll.web.store.store import Overtaken
from atoll.web.translation import translator_for
from atoll.web.workshop.comparisons import ComparisonRequest, FindingsRequest, can_play_elsewhere
from atoll.web.workshop.findings import KeptFindings, is_as_then, latest_findings, with_change

GAMES = 2000
"""In which it is looked for what stands out."""


async def look(request: Request) -> Response:
    """Queue games of the set, and what stands out in them."""
    component_set, game = await own_set(request)
    site, fields = site_of(request), dict(await read_pairs(request))

    def make_request() -> FindingsRequest:
        components_of(game, component_set)
        players = fields.get("players", "")
        if players not in map(str, game.seats):
            raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")
        number = keep_version(site, component_set)
        games = min(GAMES, visitor_allowance(request).trial_games)
        return FindingsRequest(game.name, component_set.draft, number, int(players), games)

    try:
        question = await run_in_threadpool(make_request)
        await site.comparisons.ask(component_set.id, site.bounds.visitor(browser_of(request)), question)
    except Refusal as refusal:
        return await refused(request, component_set, game, refusal)
    return RedirectResponse(f"/workshop/{component_set.id}#trial", 303)


async def refused(request: Request, component_set: ComponentSet, game: Game, refusal: Refusal) -> Response:
    """The page of a set, which is as it was, with why it is."""
    notice = refusal_text(request, refusal)
    html = await run_in_threadpool(set_html, request, component_set, game, notice=notice)
    return page(html, refusal.status)


def found_of(site: Site, component_set: ComponentSet, fields: dict[str, str]) -> tuple[KeptFindings, Finding]:
    """The findings that a form is about, and which of them; raises Refusal if others were found meanwhile."""
    kept = latest_findings(site.sets.trials(component_set.id))
    if kept is None or kept.id != fields.get("found"):
        raise Refusal(409, "This set was changed meanwhile; look again.")
    return kept, kept.finding(fields.get("finding", ""))


async def try_change(request: Request) -> Response:
    """Change the set as a finding proposes, and queue its comparison with how it was before, which is kept."""
    component_set, game = await own_set(request)
    site, fields = site_of(request), dict(await read_pairs(request))
    translator = translator_for(language_of(request), game.package)

    def make_request() -> ComparisonRequest:
        kept, finding = found_of(site, component_set, fields)
        then = find_version(site.sets.versions(component_set.id), str(kept.version)).data
        change = finding.change
        if (
            change is None
            or fields.get("revision") != str(component_set.revision)
            or not is_as_then(game, then, component_set.draft, change)
        ):
            raise Refusal(409, "This set was changed meanwhile; look again.")
        data = with_change(game, component_set.draft, change, translator)
        components_of(game, replace(component_set, draft=data))
        number = keep_version(site, component_set)
        if number >= MOST_VERSIONS:
            raise Refusal(429, "This set has %(count)s versions, as many as are kept.", count=MOST_VERSIONS)
        before, after = (translator("Version %(number)s", number=one) for one in (number, number + 1))
        games = min(USUAL_SIZE, visitor_allowance(request).trial_games)
        return ComparisonRequest(game.name, component_set.draft, data, before, after, kept.players, games)

    def change_set(data: Json) -> None:
        try:
            site.sets.change(component_set, component_set.name, data, playable=True)
        except Overtaken:
            site.comparisons.queue.cancel(component_set.id)
            raise Refusal(409, "This set was changed meanwhile; look again.") from None
        site.sets.keep(component_set.id, translator("Tried what was found"), data)

    try:
        question = await run_in_threadpool(make_request)
        here = fields.get("here") == "yes" and await run_in_threadpool(can_play_elsewhere, question)
        visitor = site.bounds.visitor(browser_of(request))
        await site.comparisons.ask(component_set.id, visitor, question, here)
        await run_in_threadpool(change_set, question.second)
    except Refusal as refusal:
        return await refused(request, component_set, game, refusal)
    return RedirectResponse(f"/workshop/{component_set.id}#trial", 303)


async def watch(request: Request) -> Response:
    """Keep a finding's game as a record of this browser, and redirect to the moment at which it happens."""
    component_set, game = await own_set(request)
    site, fields = site_of(request), dict(await read_pairs(request))

    def record() -> str:
        kept, finding = found_of(site, component_set, fields)
        version = find_version(site.sets.versions(component_set.id), str(kept.version))
        return kept.record(game, version.data, finding, fields.get("moment", ""))

    return await to_record(request, await run_in_threadpool(record))


ROUTES = [
    Route("/workshop/{set}/findings", bounded(WORKSHOP, look), methods=["POST"]),
    Route("/workshop/{set}/findings/try", bounded(WORKSHOP, try_change), methods=["POST"]),
    Route("/workshop/{set}/findings/watch", bounded(SEARCHES, watch), methods=["POST"]),
]

"""Requests of the workshop: component sets are made, changed, compared and played."""

import re
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.bots import DEFAULT_BOT
from atoll.core.component_sheets import ComponentSheets
from atoll.core.components import LONGEST_SET_NAME, digest
from atoll.core.game import Game
from atoll.core.types import Components, Json
from atoll.text.errors import AtollError, ComponentError
from atoll.text.messages import Message
from atoll.text.printable import fault_in_name, printable
from atoll.text.spreadsheets import WORKBOOKS, separator_in, workbook, zipped
from atoll.text.visible import visible
from atoll.web.bounds import CHANGES, MAKING, PRINTS, WORKSHOP
from atoll.web.chromium import browser, pdf_of
from atoll.web.pages.language import language_of
from atoll.web.pages.print_layout import PAPERS
from atoll.web.pages.print_page import PrintSettings, print_page
from atoll.web.pages.refusal_page import refusal_text
from atoll.web.pages.workshop_page import (
    SIZES,
    FilledEntry,
    comparison_context,
    draw_differences,
    draw_set,
    draw_sets,
    element_id,
    file_refusal,
    workshop_game,
)
from atoll.web.refusal import TABLE_ID, Refusal
from atoll.web.serving.module_requests import compressed_json, module_url
from atoll.web.serving.site import Site, bounded, browser_of, page, read_pairs, site_of, visitor_allowance
from atoll.web.store.comparison_queue import QueuedComparison
from atoll.web.store.component_sets import ComponentSet, Version
from atoll.web.store.store import Overtaken, SeatRow, now
from atoll.web.table.bots import bot_here, check_budget
from atoll.web.table.creation import new_table
from atoll.web.table.search_pool import in_own_thread
from atoll.web.translation import translator_for
from atoll.web.workshop.comparisons import SEED, ComparisonRequest, can_play_elsewhere, images, take_games
from atoll.web.workshop.edits import MOST_DATA, EditErrors, begun_entry, changed, problem_of
from atoll.web.workshop.findings import latest_findings
from atoll.web.workshop.upload import File, checked_file, is_sheet, read_with_file

MOST_FIELDS = 600
"""Fields of a form: an entry has one for each of its values."""
MOST_VERSIONS = 200
"""Of a set."""


async def own_set(request: Request) -> tuple[ComponentSet, Game]:
    """The browser's set that the address names, and its game; raises Refusal."""
    set_id: str = request.path_params["set"]
    component_set = None
    if TABLE_ID.fullmatch(set_id):
        component_set = await run_in_threadpool(site_of(request).sets.find, set_id, browser_of(request))
    if component_set is None:
        raise Refusal(404, "This browser has no such set; whoever has it can export it as a file.")
    return component_set, workshop_game(component_set.game)


# A browser's sets


async def sets_page(request: Request) -> Response:
    """The page of this browser's sets of a game."""
    game = workshop_game(request.path_params["game"])

    return page(await run_in_threadpool(sets_html, request, game))


def sets_html(request: Request, game: Game, filled: FilledEntry | None = None) -> str:
    """The page of a game's sets, with a form as it was filled in."""
    sets = site_of(request).sets.of(browser_of(request), game.name)
    return draw_sets(game, sets, language_of(request), filled)


async def make_set(request: Request) -> Response:
    """Make a set from a shipped one or an uploaded file, or show the form again with the reason for its refusal."""
    game, site, browser = workshop_game(request.path_params["game"]), site_of(request), browser_of(request)
    fields, file = await read_with_file(request, MOST_FIELDS)
    if file is None and "upload" in fields:
        file = ("", b"")

    def make() -> ComponentSet:
        text, data = shipped_set(game, fields) if file is None else file_set(game, *file)
        most = visitor_allowance(request).component_sets
        if most is not None and site.sets.count(browser) >= most:
            raise Refusal(
                429, "This browser has %(count)s sets, as many as this site allows: delete one.", count=most
            )
        return site.sets.make(browser, game.name, data["name"], text, data)

    try:
        component_set = await run_in_threadpool(make)
    except Refusal as refusal:
        filled = FilledEntry(fields, refusal_text(request, refusal), is_wrong=refusal.status == 400)
        return page(await run_in_threadpool(sets_html, request, game, filled), refusal.status)
    return RedirectResponse(f"/workshop/{component_set.id}", 303)


def file_set(game: Game, name: str, content: bytes) -> tuple[str, Json]:
    """Text and data of an uploaded file; raises Refusal with the checker's message."""
    data = checked_file(game, name, content)[1]
    return shipped_text(game) if is_sheet(name) else content.decode(), data


def shipped_set(game: Game, fields: dict[str, str]) -> tuple[str, Json]:
    """Text and data of a shipped set under a new name; raises Refusal."""
    origin = fields.get("from") or next(iter(game.component_files))
    name = visible(fields.get("name", "")).strip() or game.title
    if (fault := fault_in_name(name)) is not None or len(name) > LONGEST_SET_NAME:
        raise Refusal(
            400,
            "This name is not possible: it %(why)s.",
            why=fault or Message("has more than %(most)s characters", most=LONGEST_SET_NAME),
        )
    try:
        components = game.components(origin)
    except AtollError as error:
        raise file_refusal(error) from None
    return shipped_text(game, origin), components.data | {"name": name}


def shipped_text(game: Game, name: str | None = None) -> str:
    """The text of a shipped set, of the usual one if none is named."""
    file = game.component_files[name or next(iter(game.component_files))]
    return (game.folder / file).read_text(encoding="utf-8")


# A set


async def set_page(request: Request) -> Response:
    """The page of a set."""
    component_set, game = await own_set(request)
    return page(await run_in_threadpool(set_html, request, component_set, game))


def set_html(
    request: Request,
    component_set: ComponentSet,
    game: Game,
    errors: EditErrors | None = None,
    notice: str | None = None,
) -> str:
    """The page of a set, with the entry open that the address names."""
    site = site_of(request)
    language, trials = language_of(request), site.sets.trials(component_set.id)
    return draw_set(
        game,
        component_set,
        site.sets.versions(component_set.id),
        language,
        open_path=request.query_params.get("open", ""),
        errors=errors,
        notice=notice,
        comparison=comparison_context(
            site.comparisons.queue.of(component_set.id), trials, component_set.id, language
        ),
        found=latest_findings(trials),
    )


Edit = Callable[[Game, ComponentSet, dict[str, str], Any, File | None], tuple[Json, str]]
"""A change of a set by a form, with a translator for its errors and the file that came along; returns the new data and
the entry to show.
"""


def edit_handler(edit: Edit) -> Callable[[Request], Awaitable[Response]]:
    """The handler of a change: redirects to the page, or shows it with errors beside their fields."""

    async def handle(request: Request) -> Response:
        component_set, game = await own_set(request)
        fields, file = await read_with_file(request, MOST_FIELDS)
        language = language_of(request)

        def change() -> Response:
            translator = translator_for(language, game.package)
            try:
                if fields.get("revision") != str(component_set.revision):
                    raise Overtaken(component_set.id)
                data, entry = edit(game, component_set, fields, translator, file)
                if data != component_set.draft:
                    playable = problem_of(game, data) is None
                    site_of(request).sets.change(component_set, str(data["name"]), data, playable)
            except EditErrors as errors:
                at = fields.get("at", "")
                request.scope["query_string"] = f"open={at}".encode()
                return page(set_html(request, component_set, game, errors), 422)
            except Overtaken:
                refusal = Refusal(409, "This set was changed meanwhile; look again.")
                return page(
                    set_html(request, component_set, game, notice=refusal_text(request, refusal)), 409
                )
            except Refusal as refusal:
                return page(
                    set_html(request, component_set, game, notice=refusal_text(request, refusal)),
                    refusal.status,
                )
            query = f"?open={entry}#{element_id(entry)}" if entry else ""
            return RedirectResponse(f"/workshop/{component_set.id}{query}", 303)

        return await run_in_threadpool(change)

    return handle


def change_entry(
    game: Game, component_set: ComponentSet, fields: dict[str, str], translator: Any, file: File | None
) -> tuple[Json, str]:
    """Change an entry's values, or do what the pressed button says."""
    do, at = fields.get("do", ""), fields.get("at", "")
    data, entry = changed(game, component_set.draft, at, fields, "" if do == "done" else do, translator)
    return data, "" if do == "done" else entry


def add_entry(
    game: Game, component_set: ComponentSet, fields: dict[str, str], translator: Any, file: File | None
) -> tuple[Json, str]:
    """Add an entry to a list of the file."""
    return begun_entry(game, component_set.draft, fields.get("list", ""), translator)


def rename(
    game: Game, component_set: ComponentSet, fields: dict[str, str], translator: Any, file: File | None
) -> tuple[Json, str]:
    """Change the name of a set, which its file has."""
    name = visible(fields.get("name", "")).strip()
    fault = fault_in_name(name)
    if fault is not None or not 1 <= len(name) <= LONGEST_SET_NAME:
        raise Refusal(
            400,
            "This name is not possible: it %(why)s.",
            why=fault or Message("must have 1 to %(most)s characters", most=LONGEST_SET_NAME),
        )
    return component_set.draft | {"name": name}, ""


def change_by_sheet(
    game: Game, component_set: ComponentSet, fields: dict[str, str], translator: Any, file: File | None
) -> tuple[Json, str]:
    """Change a set to what stands in a spreadsheet, or in a block of its cells."""
    if file is None or not file[0]:
        cells = fields.get("cells", "")
        if not cells.strip():
            raise Refusal(400, "Choose a file, or paste some cells.")
        file = f"{fields.get('list', '')}.csv", cells.encode(errors="replace")
    data = checked_file(game, *file, component_set.draft)[1]
    if len(msgspec.json.encode(data)) > MOST_DATA:
        raise Refusal(413, "This set would be larger than the workshop can keep.")
    return data, ""


async def export_sheet(request: Request) -> Response:
    """A set as a workbook of sheets, or as an archive of CSV files."""
    component_set, game = await own_set(request)
    ending = "." + request.path_params["form"]
    language = language_of(request)

    def write() -> bytes:
        tables = ComponentSheets(game, language).tables(component_set.draft)
        if ending == ".zip":
            return zipped(tables, separator_in(language))
        return workbook(tables, ending)

    if ending not in (*WORKBOOKS, ".zip"):
        raise Refusal(404, "There is no such file.")
    try:
        content = await run_in_threadpool(write)
    except AtollError as error:
        raise Refusal(404, "This file cannot be written: %(why)s", why=error.message) from None
    headers = {"Content-Disposition": disposition_of(component_set, ending)}
    return Response(content, media_type="application/octet-stream", headers=headers)


async def export(request: Request) -> Response:
    """A set as a file, with the comments and the layout of the file that it began with."""
    from atoll.text.toml_text import with_data

    component_set, _ = await own_set(request)
    text = await run_in_threadpool(with_data, component_set.source, component_set.draft)
    headers = {"Content-Disposition": disposition_of(component_set, ".toml")}
    return Response(text, media_type="application/toml", headers=headers)


async def print_set(request: Request) -> Response:
    """A set as a PDF to print and cut, or what differs from one of its versions."""
    component_set, game = await own_set(request)
    fields = dict(await read_pairs(request))
    how = PrintSettings(
        paper=fields.get("paper", "a4"), fold=fields.get("sides") == "fold", grey=fields.get("ink") == "grey"
    )
    if how.paper not in PAPERS:
        raise Refusal(400, "There is no such paper.")

    def make() -> bytes:
        older = None
        if number := fields.get("from", ""):
            version = find_version(site_of(request).sets.versions(component_set.id), number)
            older = components_of(game, replace(component_set, draft=version.data))
        try:
            browser()
            components = components_of(game, component_set)
            return pdf_of(print_page(game, components, language_of(request), how, older))
        except AtollError as error:
            raise Refusal(409, "This cannot be printed: %(why)s", why=error.message) from None

    content = await in_own_thread(make, patient=True)
    headers = {"Content-Disposition": disposition_of(component_set, ".pdf")}
    return Response(content, media_type="application/pdf", headers=headers)


def disposition_of(component_set: ComponentSet, ending: str) -> str:
    """The header that names a file by its set."""
    letters = unicodedata.normalize("NFKD", component_set.name.lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    name = re.sub("[^a-z0-9]+", "-", plain).strip("-") or "set"
    return f'attachment; filename="{component_set.game}-{name}{ending}"'


async def delete(request: Request) -> Response:
    """Delete a set; tables that play with it go on."""
    component_set, _ = await own_set(request)
    await run_in_threadpool(site_of(request).sets.delete, component_set.id)
    return RedirectResponse(f"/games/{component_set.game}/workshop", 303)


# Versions


async def keep(request: Request) -> Response:
    """Store the draft as a version."""
    component_set, _ = await own_set(request)
    note = printable(visible(dict(await read_pairs(request)).get("note", "")).strip())[:200]
    await run_in_threadpool(keep_version, site_of(request), component_set, note)
    return RedirectResponse(f"/workshop/{component_set.id}#versions", 303)


def keep_version(site: Site, component_set: ComponentSet, note: str = "") -> int:
    """Store a version, if anything has changed; returns its number, and raises Refusal beyond MOST_VERSIONS."""
    check_room(site, component_set)
    return site.sets.keep(component_set.id, note, component_set.draft)


def check_room(site: Site, component_set: ComponentSet) -> None:
    """Raise Refusal if the set has changed and has MOST_VERSIONS."""
    versions = site.sets.versions(component_set.id)
    if len(versions) >= MOST_VERSIONS and versions[-1].data != component_set.draft:
        raise Refusal(429, "This set has %(count)s versions, as many as are kept.", count=MOST_VERSIONS)


def find_version(versions: list[Version], number: str) -> Version:
    """A version by its number; raises Refusal."""
    for version in versions:
        if str(version.number) == number:
            return version
    raise Refusal(404, "This set has no such version.")


async def differences(request: Request) -> Response:
    """The differences between a version and another, or the draft."""
    component_set, game = await own_set(request)
    first, second = (request.query_params.get(name, "") for name in ("from", "to"))

    def render() -> str:
        versions = site_of(request).sets.versions(component_set.id)
        second_version = find_version(versions, second) if second else None
        return draw_differences(
            game, component_set, find_version(versions, first), second_version, language_of(request)
        )

    return page(await run_in_threadpool(render))


def restore(
    game: Game, component_set: ComponentSet, fields: dict[str, str], translator: Any, site: Site
) -> None:
    """Restore a version, after the draft was stored as one."""
    version = find_version(site.sets.versions(component_set.id), fields.get("version", ""))
    keep_version(site, component_set)
    site.sets.change(
        component_set, str(version.data["name"]), version.data, problem_of(game, version.data) is None
    )


async def restore_version(request: Request) -> Response:
    """Go back to a version."""
    component_set, game = await own_set(request)
    fields = dict(await read_pairs(request))
    try:
        await run_in_threadpool(restore, game, component_set, fields, None, site_of(request))
    except Overtaken:
        raise Refusal(409, "This set was changed meanwhile; look again.") from None
    return RedirectResponse(f"/workshop/{component_set.id}", 303)


# Play, and what a change does


def components_of(game: Game, component_set: ComponentSet) -> Components:
    """The components of a set's draft; raises Refusal with the checker's message."""
    try:
        return game.components_from(component_set.name, component_set.draft)
    except ComponentError as error:
        raise Refusal(409, "This set cannot be played yet: %(why)s", why=error.message) from None


async def play(request: Request) -> Response:
    """Make a table with the set and redirect to it."""
    component_set, game = await own_set(request)
    site, browser, fields = site_of(request), browser_of(request), dict(await read_pairs(request))
    allowance = visitor_allowance(request)

    def make() -> str:
        components = components_of(game, component_set)
        players = fields.get("players", "")
        count = (
            int(players)
            if players.isascii() and players.isdigit() and len(players) < 3
            else game.default_players
        )
        bot = fields.get("bot", DEFAULT_BOT)
        try:
            check_budget(bot, allowance)
            name = bot_here(bot, allowance).name
            row = new_table(game, count, {}, "calm", components, browser, False, "alone")
        except AtollError as error:
            raise Refusal(400, "This table cannot be made: %(why)s.", why=error.message) from None
        row = replace(row, asks="asks" in fields)
        check_room(site, component_set)
        others = [SeatRow(seat, None, name) for seat in range(1, count)]
        site.make_table(row, [SeatRow(0, browser, None, now()), *others])
        keep_version(site, component_set)
        return row.id

    return RedirectResponse(f"/tables/{await run_in_threadpool(make)}", 303)


async def start_comparison(request: Request) -> Response:
    """Queue a comparison of the set with an earlier version, by default its first."""
    component_set, game = await own_set(request)
    site, fields = site_of(request), dict(await read_pairs(request))

    def make_request() -> ComparisonRequest:
        components_of(game, component_set)
        versions = site.sets.versions(component_set.id)
        first = find_version(versions, fields.get("against", "1"))
        games, players = fields.get("games", ""), fields.get("players", "")
        if games not in map(str, SIZES) or players not in map(str, game.seats):
            raise Refusal(400, "Something went wrong with that form: go back, reload the page and try again.")
        most = visitor_allowance(request).trial_games
        if problem_of(game, first.data) is not None:
            raise Refusal(409, "Version %(number)d cannot be played.", number=first.number)
        if digest(first.data) == digest(component_set.draft):
            raise Refusal(409, "Nothing has changed since version %(number)d.", number=first.number)
        number = keep_version(site, component_set)
        translator = translator_for(language_of(request))
        before, after = (translator("Version %(number)s", number=one) for one in (first.number, number))
        return ComparisonRequest(
            game.name, first.data, component_set.draft, before, after, int(players), min(int(games), most)
        )

    try:
        comparison = await run_in_threadpool(make_request)
        visitor = site.bounds.visitor(browser_of(request))
        here = fields.get("here") == "yes" and await run_in_threadpool(can_play_elsewhere, comparison)
        await site.comparisons.ask(component_set.id, visitor, comparison, here)
    except Refusal as refusal:
        notice = refusal_text(request, refusal)
        html = await run_in_threadpool(set_html, request, component_set, game, notice=notice)
        return page(html, refusal.status)
    return RedirectResponse(f"/workshop/{component_set.id}#trial", 303)


async def cancel_comparison(request: Request) -> Response:
    """Cancel the comparison."""
    component_set, _ = await own_set(request)
    await run_in_threadpool(site_of(request).comparisons.queue.cancel, component_set.id)
    return RedirectResponse(f"/workshop/{component_set.id}#trial", 303)


def browsers_comparison(request: Request, component_set: ComponentSet) -> QueuedComparison:
    """The comparison of a set that this browser plays; raises Refusal."""
    running = site_of(request).comparisons.queue.of(component_set.id)
    if running is None or not running.by_browser:
        raise Refusal(409, "This comparison is over, or the server plays it.")
    return running


async def describe_games(request: Request) -> Response:
    """The games of a comparison that the browser plays, under both sets, and how many deals it has come to."""
    component_set, game = await own_set(request)

    def describe() -> bytes:
        running = browsers_comparison(request, component_set)
        question = msgspec.convert(running.question, ComparisonRequest)
        about = {"id": running.id, "module": module_url(game), "seed": SEED, "sets": images(question)}
        return msgspec.json.encode({**about, "games": question.games, "done": running.done})

    return compressed_json(await run_in_threadpool(describe), request)


async def take_played_games(request: Request) -> Response:
    """Take the next games of a comparison as the browser has played them: `first` is the number of the first."""
    component_set, _ = await own_set(request)
    content, query = await request.body(), request.query_params

    def take() -> None:
        running = browsers_comparison(request, component_set)
        is_next = (query.get("id"), query.get("first")) == (running.id, str(running.done))
        try:
            if not is_next or not take_games(site_of(request).comparisons.queue, running, content):
                raise Refusal(409, "This comparison is over, or the server plays it.")
        except ValueError:
            raise Refusal(400, "What this browser has played cannot be read.") from None

    await run_in_threadpool(take)
    return Response(status_code=204)


ROUTES = [
    Route("/games/{game}/workshop", sets_page),
    Route("/games/{game}/workshop", bounded(WORKSHOP, make_set), methods=["POST"]),
    Route("/workshop/{set}", set_page),
    Route("/workshop/{set}/change", bounded(WORKSHOP, edit_handler(change_entry)), methods=["POST"]),
    Route("/workshop/{set}/add", bounded(WORKSHOP, edit_handler(add_entry)), methods=["POST"]),
    Route("/workshop/{set}/rename", bounded(WORKSHOP, edit_handler(rename)), methods=["POST"]),
    Route("/workshop/{set}/file", export),
    Route("/workshop/{set}/sheet", bounded(WORKSHOP, edit_handler(change_by_sheet)), methods=["POST"]),
    Route("/workshop/{set}/sheet/{form}", export_sheet),
    Route("/workshop/{set}/print", bounded(PRINTS, print_set), methods=["POST"]),
    Route("/workshop/{set}/delete", bounded(WORKSHOP, delete), methods=["POST"]),
    Route("/workshop/{set}/keep", bounded(WORKSHOP, keep), methods=["POST"]),
    Route("/workshop/{set}/differences", differences),
    Route("/workshop/{set}/restore", bounded(WORKSHOP, restore_version), methods=["POST"]),
    Route("/workshop/{set}/play", bounded(MAKING, play), methods=["POST"]),
    Route("/workshop/{set}/trial", bounded(WORKSHOP, start_comparison), methods=["POST"]),
    Route("/workshop/{set}/trial/games", describe_games),
    Route("/workshop/{set}/trial/games", bounded(CHANGES, take_played_games), methods=["POST"]),
    Route("/workshop/{set}/trial/cancel", bounded(WORKSHOP, cancel_comparison), methods=["POST"]),
]

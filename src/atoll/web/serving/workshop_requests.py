"""Requests of the workshop: sets of components made, changed, compared, tried out and played."""

import re
import unicodedata
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from atoll.bots import DEFAULT_BOT
from atoll.core.components import LONGEST_SET_NAME, digest
from atoll.core.game import Game
from atoll.core.types import Components, Json
from atoll.text.errors import AtollError, ComponentError
from atoll.text.messages import Message
from atoll.text.printable import fault_in_name, printable
from atoll.web.live.visitors import address_of
from atoll.web.pages.language import language_of
from atoll.web.pages.refusal_page import sentence
from atoll.web.pages.workshop_page import (
    SIZES,
    FilledEntry,
    checked_game,
    draw_differences,
    draw_set,
    draw_sets,
    element_id,
    refusal_of,
    trial_context,
)
from atoll.web.refusal import TABLE_ID, Refusal
from atoll.web.serving.site import Site, browser_of, page, read_pairs, site_of
from atoll.web.store.component_sets import ComponentSet, Version
from atoll.web.store.store import Overtaken, SeatRow, now
from atoll.web.table.bots import bot_here, check_budget
from atoll.web.table.creation import new_table
from atoll.web.translation import translator_for
from atoll.web.workshop.comparisons import ComparisonRequest
from atoll.web.workshop.edits import EditErrors, begun_entry, changed, problem_of
from atoll.web.workshop.upload import checked_file, read_with_file

MOST_FIELDS = 600
"""Of a form of the workshop: an entry has one for each of its values."""
MOST_VERSIONS = 200
"""Of a set."""


async def own_set(request: Request) -> tuple[ComponentSet, Game]:
    """The browser's set that the address names, and its game; raises Refusal."""
    named: str = request.path_params["set"]
    found = None
    if TABLE_ID.fullmatch(named):
        found = await run_in_threadpool(site_of(request).sets.find, named, browser_of(request))
    if found is None:
        raise Refusal(404, "This browser has no such set; whoever has it can export it as a file.")
    return found, checked_game(found.game)


# A browser's sets


async def sets_page(request: Request) -> Response:
    """A game's sets, of this browser, and a new one."""
    game = checked_game(request.path_params["game"])

    return page(await run_in_threadpool(drawn_sets, request, game))


def drawn_sets(request: Request, game: Game, filled: FilledEntry | None = None) -> str:
    """The page of a game's sets, with a form as it was filled in."""
    sets = site_of(request).sets.of(browser_of(request), game.name)
    return draw_sets(game, sets, language_of(request), filled)


async def make_set(request: Request) -> Response:
    """Begin a set: from one that comes with the game, or from a file; or back to the form, with what is wrong."""
    game, site, browser = checked_game(request.path_params["game"]), site_of(request), browser_of(request)
    fields, file = await read_with_file(request, MOST_FIELDS)
    if file is None and "upload" in fields:
        file = ("", b"")

    def make() -> ComponentSet:
        text, data = shipped(game, fields) if file is None else opened_file(game, *file)
        most = site.visitors.allowance.component_sets
        if most is not None and site.sets.count(browser) >= most:
            raise Refusal(
                429, "This browser has %(count)s sets, as many as this site allows: delete one.", count=most
            )
        return site.sets.make(browser, game.name, data["name"], text, data)

    try:
        made = await run_in_threadpool(make)
    except Refusal as refusal:
        filled = FilledEntry(fields, sentence(request, refusal), is_wrong=refusal.status == 400)
        return page(await run_in_threadpool(drawn_sets, request, game, filled), refusal.status)
    return RedirectResponse(f"/workshop/{made.id}", 303)


def opened_file(game: Game, name: str, content: bytes) -> tuple[str, Json]:
    """Text and data of a file that somebody brings; raises Refusal with the checker's sentence."""
    data = checked_file(game, name, content)[1]
    return content.decode(), data


def shipped(game: Game, fields: dict[str, str]) -> tuple[str, Json]:
    """Text and data of a set that comes with the game, under a new name; raises Refusal."""
    origin = fields.get("from") or next(iter(game.component_files))
    name = fields.get("name", "").strip() or game.title
    if (wrong := fault_in_name(name)) is not None or len(name) > LONGEST_SET_NAME:
        raise Refusal(
            400,
            "This name is not possible: it %(why)s.",
            why=wrong or Message("has more than %(most)s characters", most=LONGEST_SET_NAME),
        )
    try:
        components = game.components(origin)
    except AtollError as error:
        raise refusal_of(error) from None
    text = (game.folder / game.component_files[origin]).read_text(encoding="utf-8")
    return text, components.data | {"name": name}


# A set


async def set_page(request: Request) -> Response:
    """A set, lying open."""
    found, game = await own_set(request)
    return page(await run_in_threadpool(drawn, request, found, game))


def drawn(
    request: Request,
    found: ComponentSet,
    game: Game,
    wrong: EditErrors | None = None,
    notice: str | None = None,
) -> str:
    """The page of a set, with the entry open that the address names."""
    site = site_of(request)
    language = language_of(request)
    return draw_set(
        game,
        found,
        site.sets.versions(found.id),
        language,
        opened=request.query_params.get("open", ""),
        wrong=wrong,
        notice=notice,
        trial=trial_context(site.comparisons.queue.of(found.id), site.sets, found.id, language),
    )


Edit = Callable[[Game, ComponentSet, dict[str, str], Any], tuple[Json, str]]
"""A change: of the set, by a form, said in these words; the data then, and the entry that is shown."""


def edits(edit: Edit) -> Callable[[Request], Awaitable[Response]]:
    """The handler of a change: back to the page, or the page with what is wrong beside its field."""

    async def handle(request: Request) -> Response:
        found, game = await own_set(request)
        fields, _ = await read_with_file(request, MOST_FIELDS)
        language = language_of(request)

        def change() -> Response:
            translator = translator_for(language, game.package)
            try:
                if fields.get("revision") != str(found.revision):
                    raise Overtaken(found.id)
                data, shown = edit(game, found, fields, translator)
                if data != found.draft:
                    playable = problem_of(game, data) is None
                    site_of(request).sets.change(found, str(data["name"]), data, playable)
            except EditErrors as wrong:
                at = fields.get("at", "")
                request.scope["query_string"] = f"open={at}".encode()
                return page(drawn(request, found, game, wrong), 422)
            except Overtaken:
                refusal = Refusal(409, "This set was changed meanwhile; look again.")
                return page(drawn(request, found, game, notice=sentence(request, refusal)), 409)
            where = f"?open={shown}#{element_id(shown)}" if shown else ""
            return RedirectResponse(f"/workshop/{found.id}{where}", 303)

        return await run_in_threadpool(change)

    return handle


def change_entry(game: Game, found: ComponentSet, fields: dict[str, str], words: Any) -> tuple[Json, str]:
    """Change an entry, or what a button beside it says."""
    do, at = fields.get("do", ""), fields.get("at", "")
    data, shown = changed(game, found.draft, at, fields, "" if do == "done" else do, words)
    return data, "" if do == "done" else shown


def add_entry(game: Game, found: ComponentSet, fields: dict[str, str], words: Any) -> tuple[Json, str]:
    """Add an entry to a list of the file."""
    return begun_entry(game, found.draft, fields.get("list", ""), words)


def rename(game: Game, found: ComponentSet, fields: dict[str, str], words: Any) -> tuple[Json, str]:
    """Change the name of a set, which its file has."""
    name = fields.get("name", "").strip()
    wrong = fault_in_name(name)
    if wrong is not None or not 1 <= len(name) <= LONGEST_SET_NAME:
        raise Refusal(
            400,
            "This name is not possible: it %(why)s.",
            why=wrong or Message("must have 1 to %(most)s characters", most=LONGEST_SET_NAME),
        )
    return found.draft | {"name": name}, ""


async def export(request: Request) -> Response:
    """A set as a file, with the comments and the layout of the file that it began with."""
    from atoll.text.toml_text import with_data

    found, _ = await own_set(request)
    text = await run_in_threadpool(with_data, found.source, found.draft)
    letters = unicodedata.normalize("NFKD", found.name.lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    name = re.sub("[^a-z0-9]+", "-", plain).strip("-") or "set"
    disposition = f'attachment; filename="{found.game}-{name}.toml"'
    return Response(text, media_type="application/toml", headers={"Content-Disposition": disposition})


async def delete(request: Request) -> Response:
    """Delete a set; tables that play with it go on."""
    found, _ = await own_set(request)
    await run_in_threadpool(site_of(request).sets.delete, found.id)
    return RedirectResponse(f"/games/{found.game}/workshop", 303)


# Versions


async def keep(request: Request) -> Response:
    """Keep the set as it is now as a version."""
    found, _ = await own_set(request)
    note = printable(dict(await read_pairs(request)).get("note", "").strip())[:200]
    await run_in_threadpool(keep_version, site_of(request), found, note)
    return RedirectResponse(f"/workshop/{found.id}#versions", 303)


def keep_version(site: Site, found: ComponentSet, note: str = "") -> int:
    """Keep a version, if anything has changed; raises Refusal where there are too many."""
    versions = site.sets.versions(found.id)
    if len(versions) >= MOST_VERSIONS and versions[-1].data != found.draft:
        raise Refusal(429, "This set has %(count)s versions, as many as are kept.", count=MOST_VERSIONS)
    return site.sets.keep(found.id, note, found.draft)


def version_named(versions: list[Version], number: str) -> Version:
    """A version by its number; raises Refusal."""
    for version in versions:
        if str(version.number) == number:
            return version
    raise Refusal(404, "This set has no such version.")


async def differences(request: Request) -> Response:
    """In what a version differs from another, or from the set as it is now."""
    found, game = await own_set(request)
    first, second = (request.query_params.get(name, "") for name in ("from", "to"))

    def drawn() -> str:
        versions = site_of(request).sets.versions(found.id)
        to = version_named(versions, second) if second else None
        return draw_differences(game, found, version_named(versions, first), to, language_of(request))

    return page(await run_in_threadpool(drawn))


def restore(game: Game, found: ComponentSet, fields: dict[str, str], words: Any, site: Site) -> None:
    """Go back to a version; what is lost by that is kept as one before."""
    version = version_named(site.sets.versions(found.id), fields.get("version", ""))
    keep_version(site, found)
    site.sets.change(found, str(version.data["name"]), version.data, problem_of(game, version.data) is None)


async def restore_version(request: Request) -> Response:
    """Go back to a version."""
    found, game = await own_set(request)
    fields = dict(await read_pairs(request))
    try:
        await run_in_threadpool(restore, game, found, fields, None, site_of(request))
    except Overtaken:
        raise Refusal(409, "This set was changed meanwhile; look again.") from None
    return RedirectResponse(f"/workshop/{found.id}", 303)


# Play, and what a change does


def components_of(game: Game, found: ComponentSet) -> Components:
    """What a set is played with; raises Refusal with the checker's sentence."""
    try:
        return game.components_from(found.name, found.draft)
    except ComponentError as error:
        raise Refusal(409, "This set cannot be played yet: %(why)s", why=error.message) from None


async def play(request: Request) -> Response:
    """Open a table that is played with the set, and go there."""
    found, game = await own_set(request)
    site, browser, fields = site_of(request), browser_of(request), dict(await read_pairs(request))
    site.visitors.note(browser, address_of(request))

    def make() -> str:
        components = components_of(game, found)
        players = fields.get("players", "")
        count = (
            int(players)
            if players.isascii() and players.isdigit() and len(players) < 3
            else game.default_players
        )
        bot = fields.get("bot", DEFAULT_BOT)
        try:
            check_budget(bot, site.visitors.allowance)
            name = bot_here(bot, site.visitors.allowance).name
            row = new_table(game, count, {}, "calm", components, browser, False, "alone")
        except AtollError as error:
            raise Refusal(400, "This table cannot be made: %(why)s.", why=error.message) from None
        keep_version(site, found)
        others = [SeatRow(seat, None, name) for seat in range(1, count)]
        site.visitors.make_table(row, [SeatRow(0, browser, None, now()), *others])
        return row.id

    return RedirectResponse(f"/tables/{await run_in_threadpool(make)}", 303)


async def ask_trial(request: Request) -> Response:
    """Have the set compared with an earlier version, or with what it began with."""
    found, game = await own_set(request)
    site, fields = site_of(request), dict(await read_pairs(request))

    def question() -> ComparisonRequest:
        components_of(game, found)
        versions = site.sets.versions(found.id)
        first = version_named(versions, fields.get("against", "1"))
        games, players = fields.get("games", ""), fields.get("players", "")
        if games not in map(str, SIZES) or players not in map(str, game.seats):
            raise Refusal(400, "That form is not one of ours.")
        most = site.visitors.allowance.trial_games
        if problem_of(game, first.data) is not None:
            raise Refusal(409, "Version %(number)d cannot be played.", number=first.number)
        if digest(first.data) == digest(found.draft):
            raise Refusal(409, "Nothing has changed since version %(number)d.", number=first.number)
        number = keep_version(site, found)
        translator = translator_for(language_of(request))
        before, after = (translator("Version %(number)s", number=one) for one in (first.number, number))
        return ComparisonRequest(
            game.name, first.data, found.draft, before, after, int(players), min(int(games), most)
        )

    asked = await run_in_threadpool(question)
    await site.comparisons.ask(found.id, browser_of(request), asked)
    return RedirectResponse(f"/workshop/{found.id}#trial", 303)


async def cancel_trial(request: Request) -> Response:
    """Give the comparison up."""
    found, _ = await own_set(request)
    await run_in_threadpool(site_of(request).comparisons.queue.cancel, found.id)
    return RedirectResponse(f"/workshop/{found.id}#trial", 303)


ROUTES = [
    Route("/games/{game}/workshop", sets_page),
    Route("/games/{game}/workshop", make_set, methods=["POST"]),
    Route("/workshop/{set}", set_page),
    Route("/workshop/{set}/change", edits(change_entry), methods=["POST"]),
    Route("/workshop/{set}/add", edits(add_entry), methods=["POST"]),
    Route("/workshop/{set}/rename", edits(rename), methods=["POST"]),
    Route("/workshop/{set}/file", export),
    Route("/workshop/{set}/delete", delete, methods=["POST"]),
    Route("/workshop/{set}/keep", keep, methods=["POST"]),
    Route("/workshop/{set}/differences", differences),
    Route("/workshop/{set}/restore", restore_version, methods=["POST"]),
    Route("/workshop/{set}/play", play, methods=["POST"]),
    Route("/workshop/{set}/trial", ask_trial, methods=["POST"]),
    Route("/workshop/{set}/trial/cancel", cancel_trial, methods=["POST"]),
]

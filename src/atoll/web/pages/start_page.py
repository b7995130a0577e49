"""The start page: this browser's tables, and the form that makes a new one."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from babel.dates import format_timedelta

from atoll.bots import DEFAULT_BOT, LEVELS
from atoll.core.catalogue import find_game, games
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.text.errors import AtollError
from atoll.text.messages import Message, quoted
from atoll.text.translation import Translator, seat_names
from atoll.web.bounds import ALONE, DAY, Allowance
from atoll.web.pages import clocks, lessons
from atoll.web.pages.daily_page import daily_offer
from atoll.web.pages.isolation import isolated
from atoll.web.pages.puzzle_page import puzzles_offer
from atoll.web.pages.rules_page import has_rules_page, set_help
from atoll.web.pages.table_facts import duration
from atoll.web.pages.table_links import pace_name
from atoll.web.pages.templating import draw
from atoll.web.refusal import Refusal
from atoll.web.store.component_sets import ComponentSets
from atoll.web.store.daily import DailyDeals
from atoll.web.store.engine import aware
from atoll.web.store.people import People
from atoll.web.store.puzzle_answers import PuzzleAnswers
from atoll.web.store.store import ListedTable, SeatRow, Store, TableRow, now
from atoll.web.table.bots import bot_here, check_budget
from atoll.web.table.clocks import PRESETS, Clock
from atoll.web.table.creation import HINTS, PACES, new_table
from atoll.web.table.names import LONGEST, checked_name, distinct_names
from atoll.web.translation import translator_for
from atoll.web.workshop.upload import File, checked_file

MOST_UNFOLDED = 3
"""Running tables that the start page shows above the folded list."""

OWN_SET = "set:"
"""Prefix of a workshop set's id among the choices of components."""

WATCHED = timedelta(minutes=30)
"""Since when somebody must have decided at a public game that is shown to be watched."""

STATES = ("yours", "waiting", "over")
"""States of a table for a viewer, in the order of the list: it waits for the viewer, for others, or is over."""


@dataclass(frozen=True)
class FilledForm:
    """A refused form for a new table: its fields, and why it was refused, in the reader's language.

    An uploaded file has to be chosen again, since a page cannot fill that in.
    """

    fields: Mapping[str, str]
    why: str
    had_file: bool


def draw_start(
    store: Store,
    browser: str,
    language: str,
    declined: Collection[str] = (),
    filled: FilledForm | None = None,
    site: str = "",
    network: Mapping[str, object] | None = None,
) -> str:
    """The start page.

    `declined` are the games of which the browser wants no lesson to be offered, `filled` is a form that lies open as it
    was sent, `network` the switch that lets devices on this network join, shown while on, and `site` the address of the
    site in previews of a link to it.
    """
    translator, own_tables = translator_for(language), store.tables_of(browser)
    sets = ComponentSets(store.engine).names(browser)
    return draw(
        "start.html.jinja",
        language,
        network=network if network and network["on"] else None,
        **tables_context(own_tables, browser, translator, store.time.shown()),
        games=sorted(
            (
                {
                    **game_entry(game, language),
                    "teaching": lessons.lesson_offers(game, language, own_tables, declined),
                    "sets": [
                        (f"{OWN_SET}{name}", table_title) for of, name, table_title in sets if of == game.name
                    ],
                }
                for game in games().values()
            ),
            key=lambda game: not game["for_newcomers"],
        ),
        bots=[
            {
                "name": level.name,
                "label": translator("Bot: %(bot)s", bot=translator(level.name)),
                "default": level.name == DEFAULT_BOT,
            }
            for level in LEVELS
        ],
        clocks=clocks.clock_choices(translator),
        paces=[{"name": pace, "label": pace_name(translator, pace)} for pace in PACES],
        hints=[{"name": hints, "label": hints_name(translator, hints)} for hints in HINTS],
        filled=filled,
        preview={
            "title": "Atoll",
            "description": translator("Board games with friends and bots, in the browser."),
            "image": "/static/icon-512.png",
        },
        site=site,
        seat_names=seat_names(translator),
        name=People(store.engine).name(browser),
        longest_name=LONGEST,
        lobby=lobby(store, browser, translator),
        daily=daily_offer(DailyDeals(store.engine), browser, translator),
        puzzles=puzzles_offer(PuzzleAnswers(store.engine), browser, translator),
    )


def lobby(store: Store, browser: str, translator: Translator) -> dict[str, Any]:
    """The lobby: games for whoever comes, with how many people wait, public tables with free seats where the browser
    can join, and public games that run.
    """
    public = [one for one in store.public_tables(now() - DAY) if is_stranger(one, browser)]
    running = [one for one in store.running_tables(now() - WATCHED) if is_stranger(one, browser)]
    gathering = [one for one in public if one.row.begins_at is not None]
    return {
        "quick": [
            {
                "game": game.name,
                "title": game.title,
                "waiting": sum(
                    seat_row.browser is not None
                    for listed in gathering
                    if listed.row.game == game.name
                    for seat_row in listed.seats
                ),
            }
            for game in sorted(games().values(), key=lambda game: not game.for_newcomers)
            if game.seats[-1] > 1
        ],
        "free": [
            {
                **lobby_entry(listed, aware(listed.row.made_at), translator),
                "free": free_seats(listed.seats, translator),
                "clock": clocks.clock_label(translator, Clock(**listed.row.clock))
                if listed.row.clock
                else "",
            }
            for listed in public
        ],
        "running": [
            {
                **lobby_entry(listed, aware(listed.moved_at or listed.row.made_at), translator),
                "round": translator("Round %(round)s", round=listed.round) if listed.round else "",
            }
            for listed in running
        ],
    }


def is_stranger(listed: ListedTable, browser: str) -> bool:
    """Whether a browser has no seat at a table."""
    return all(seat_row.browser != browser for seat_row in listed.seats)


def lobby_entry(listed: ListedTable, then: datetime, translator: Translator) -> dict[str, Any]:
    """A table that everybody finds, with when something happened there."""
    return {
        "id": listed.row.id,
        "title": table_title(listed.row, translator),
        "company": company(listed.seats, "", translator, free=False),
        "made": then.isoformat(),
        "when": ago(then, translator),
    }


def draw_lobby(store: Store, browser: str, language: str) -> str:
    """The lobby alone, with the tables of the browser's person."""
    translator = translator_for(language)
    tables = tables_context(store.tables_of(browser), browser, translator, store.time.shown())
    return draw("lobby.html.jinja", language, lobby=lobby(store, browser, translator), **tables)


def tables_context(
    own_tables: Sequence[ListedTable], browser: str, translator: Translator, time: float
) -> dict[str, Any]:
    """A browser's tables, as the start page lists them; `time` is the site's time."""
    entries = [table_entry(listed, browser, translator, time) for listed in own_tables]
    entries.sort(key=lambda table: (STATES.index(table["state"]), table["left"]))
    tables = [table for table in entries if not table["archived"]]
    unfolded = [table for table in tables[:MOST_UNFOLDED] if table["state"] != "over"]
    return {
        "unfolded": unfolded,
        "waiting": sum(is_waiting(table) for table in entries),
        "folded": tables[len(unfolded) :],
        "archived": [table for table in entries if table["archived"]],
    }


def is_waiting(table: dict[str, Any]) -> bool:
    """Whether a listed table waits for the viewer."""
    return bool(table["state"] == "yours" and not table["archived"])


def waiting_entries(store: Store, browser: str, translator: Translator) -> list[dict[str, Any]]:
    """The tables that wait for a browser's person: the least time left first, then the longest wait."""
    entries = [
        table_entry(listed, browser, translator, store.time.shown()) for listed in store.tables_of(browser)
    ]
    return sorted(filter(is_waiting, entries), key=lambda table: (table["left"], table["changed"]))


def hints_name(translator: Translator, hints: str) -> str:
    """The label of a setting of hints."""
    match hints:
        case "alone":
            return translator("When alone against bots")
        case "always":
            return translator("For everybody")
        case _:
            return translator("For nobody")


def game_entry(game: Game, language: str) -> dict[str, Any]:
    """A game as the start page shows it."""
    translator = translator_for(language, game.package)
    return {
        "name": game.name,
        "title": game.title,
        "summary": translator(game.summary),
        "has_rules": has_rules_page(game),
        "least": game.seats[0],
        "most": game.seats[-1],
        "counts": list(game.seats),
        "default_players": game.default_players,
        "length": duration(game, translator),
        "weight": translator(game.weight) if game.weight else "",
        "for_newcomers": game.for_newcomers,
        "components": [
            {"name": name, "label": translator(name), "help": set_help(game, name, translator)}
            for name in game.component_files
        ],
        "options": [
            {
                "name": option.name,
                "label": translator(option.label),
                "help": translator(option.help),
                "default": option.default,
            }
            for option in game.options
        ],
    }


def draw_deletion(listed: ListedTable, browser: str, language: str, time: float) -> str:
    """The page that asks whether to delete a table; `time` is the site's time."""
    others = sum(seat_row.browser not in (None, browser) for seat_row in listed.seats)
    table = table_entry(listed, browser, translator_for(language), time)
    return draw("table_deletion.html.jinja", language, table=table, others=others, here=table["delete"])


def table_entry(listed: ListedTable, browser: str, translator: Translator, time: float) -> dict[str, Any]:
    """A table in a browser's list; `time` is the site's time."""
    row, address = listed.row, f"/tables/{listed.row.id}"
    changed = aware(listed.moved_at or row.made_at)
    state, turn = whose_turn(listed, browser, translator)
    left = clocks.time_left(listed, browser, time)
    return {
        "url": address,
        "title": table_title(row, translator),
        "company": company(listed.seats, browser, translator),
        "state": state,
        "turn": turn,
        "left": math.inf if left is None else left,
        "time_left": ""
        if left is None
        else translator("%(time)s left", time=clocks.remaining_time(translator, left)),
        "round": translator("Round %(round)s", round=listed.round)
        if listed.round and row.to_act != 0
        else "",
        "changed": changed.isoformat(),
        "when": ago(changed, translator),
        "archived": listed.archived,
        "archive": f"{address}/archive",
        "delete": f"{address}/delete" if row.maker == browser else None,
    }


def table_title(row: TableRow, translator: Translator) -> str:
    """The title of a table: its game and, if it has one, its lesson."""
    game = games().get(row.game)
    if game is None:
        return row.game
    lesson = lessons.lesson_title(game, row.lesson, translator)
    return translator("%(game)s: %(lesson)s", game=game.title, lesson=lesson) if lesson else game.title


def free_seats(seats: Sequence[SeatRow], translator: Translator) -> str:
    """The number of free seats, as text; empty for none."""
    free = sum(seat_row.browser is None and seat_row.bot is None for seat_row in seats)
    return translator.plural("%(num)s free seat", "%(num)s free seats", free) if free else ""


def company(seats: Sequence[SeatRow], browser: str, translator: Translator, free: bool = True) -> str:
    """Who plays at a table, as text, with the number of free seats if `free`."""
    mine = any(seat_row.browser == browser for seat_row in seats)
    others = [s for s in seats if s.browser is not None and (s.browser != browser or s.guest is not None)]
    names = [isolated(seat_row.name) for seat_row in others if seat_row.name is not None]
    people = len(others) - len(names)
    bots = sum(seat_row.browser is None and seat_row.bot is not None for seat_row in seats)
    parts = [translator("You")] if mine else []
    parts += names
    if people and parts:
        parts.append(translator.plural("%(num)s other person", "%(num)s other people", people))
    elif people:
        parts.append(translator.plural("%(num)s person", "%(num)s people", people))
    if bots:
        parts.append(translator.plural("%(num)s bot", "%(num)s bots", bots))
    if free and free_seats(seats, translator):
        parts.append(free_seats(seats, translator))
    return translator.both(parts)


def whose_turn(listed: ListedTable, browser: str, translator: Translator) -> tuple[str, str]:
    """A table's state for a browser (one of STATES), and whose turn it is, as text."""
    to_act = listed.row.to_act
    if listed.row.waiting:
        return "waiting", translator("Waiting room")
    if to_act is None:
        return "waiting", translator("Not begun")
    if listed.row.ended is not None:
        return "over", translator("Ended without a result")
    if to_act == 0:
        return "over", translator("Over")
    awaited = [seat_row for seat_row in listed.seats if to_act >> seat_row.seat & 1]
    if any(seat_row.browser == browser and seat_row.bot is None for seat_row in awaited):
        return "yours", translator("Your turn")
    people = [seat_row.name and isolated(seat_row.name) for seat_row in listed.seats]
    names = distinct_names(translator, people, seat_names(translator))
    return "waiting", translator(
        "Waiting for %(names)s", names=translator.both([names[s.seat] for s in awaited])
    )


def ago(then: datetime, translator: Translator) -> str:
    """How long ago, as text."""
    return format_timedelta(then - now(), add_direction=True, locale=translator.locale)


def read_form(
    form: Mapping[str, str],
    browser: str,
    allowance: Allowance = ALONE,
    sets: ComponentSets | None = None,
    file: File | None = None,
) -> tuple[TableRow, list[SeatRow]]:
    """The table and seats that a form requests; raises Refusal for values that are not offered.

    `friends` in the form leaves the bots' seats to whoever opens the link, who gather in a waiting room.
    An uploaded components `file` takes precedence over the form's components.
    """
    try:
        game = find_game(form.get("game", ""))
        players = player_count(form.get("players", str(game.default_players)))
        pace = form.get("pace", next(iter(PACES)))
        if pace not in PACES:
            raise AtollError(Message("there is no pace %(name)s", name=quoted(pace)))
        options = {option.name: f"option:{option.name}" in form for option in game.options}
        for name in form:
            if name.startswith("option:") and name.removeprefix("option:") not in options:
                game.check_options({name.removeprefix("option:"): True})
        open_bots = "open_bots" in form
        hints = form.get("hints", HINTS[0])
        if hints not in HINTS:
            choices = ", ".join(HINTS)
            raise AtollError(
                Message(
                    "there are no hints %(name)s; there are: %(known)s", name=quoted(hints), known=choices
                )
            )
        components: Components | str | None
        if file is not None and file[1]:
            components, _ = checked_file(game, *file)
        else:
            components = form_components(game, form.get("components"), browser, sets)
        clock = form_clock(form, allowance)
        row = new_table(game, players, options, pace, components, browser, open_bots, hints, clock)
        if "asks" in form and row.components_data is None:
            raise AtollError(
                Message("questions are asked about a set of your own: choose one, or do not ask")
            )
        seats = [seat_row(seat, form, browser, allowance) for seat in range(players)]
    except AtollError as error:
        raise Refusal(400, "This table cannot be made: %(why)s.", why=error.message) from None
    if sum(seat.browser is not None and seat.guest is None for seat in seats) > 1:
        raise Refusal(400, "You can sit in one seat only: say who plays in the other.")
    free = any(seat.browser is None and seat.bot is None for seat in seats)
    waiting = free and ("wait" in form or "friends" in form)
    row = replace(row, counted="counted" in form, asks="asks" in form)
    return replace(row, waiting=waiting, public=free and "public" in form), seats


def form_clock(form: Mapping[str, str], allowance: Allowance) -> Clock | None:
    """The clock that a form names, with its stand-in bot; raises AtollError or Refusal."""
    stand_in = form.get("stand_in", DEFAULT_BOT)
    check_budget(stand_in, allowance)
    return Clock.read(form.get("clock", PRESETS[0]), bot_here(stand_in, allowance).name)


def form_components(
    game: Game, name: str | None, browser: str, sets: ComponentSets | None
) -> Components | str | None:
    """The components that a form names: the name of a shipped set, or a set of the browser's own; raises AtollError."""
    if name is None or not name.startswith(OWN_SET) or sets is None:
        return name
    own_set = sets.find(name.removeprefix(OWN_SET), browser)
    if own_set is None or own_set.game != game.name:
        raise AtollError(Message("there is no such set in the workshop"))
    return game.components_from(own_set.name, own_set.draft)


def player_count(text: str) -> int:
    """The number of players in a form; raises AtollError."""
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise AtollError(Message("%(text)s is not a number of players", text=quoted(text)))
    return int(text)


def seat_row(seat: int, form: Mapping[str, str], browser: str, allowance: Allowance) -> SeatRow:
    """The occupant of a seat in a form: the browser, a guest at its screen, nobody yet, or a bot; with `friends` in it
    nobody has a bot's seat yet.
    """
    who = form.get(f"seat{seat}", "me" if seat == 0 else f"bot:{DEFAULT_BOT}")
    if who == "me":
        return SeatRow(seat, browser, None, now())
    if who == "friend" or ("friends" in form and who.startswith("bot:")):
        return SeatRow(seat)
    if who == "here":
        return SeatRow(seat, browser, None, now(), checked_name(form.get(f"name{seat}", "")) or "")
    kind, _, bot = who.partition(":")
    if kind != "bot":
        raise AtollError(Message("nobody called %(name)s can sit there", name=quoted(who)))
    check_budget(bot, allowance)
    return SeatRow(seat, None, bot_here(bot, allowance).name)

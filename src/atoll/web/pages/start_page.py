"""The start page: this browser's tables, and the form that makes a new one."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from babel.dates import format_timedelta

from atoll.bots import DEFAULT_BOT, LEVELS
from atoll.core.catalogue import find_game, games
from atoll.core.errors import AtollError
from atoll.core.game import Game
from atoll.core.words import Words, seat_names
from atoll.rules_page import has_rules_page
from atoll.web.pages.table_page import pace_name
from atoll.web.pages.templating import draw, words_for
from atoll.web.refusal import Refusal
from atoll.web.serving.allowance import ALONE, Allowance
from atoll.web.serving.loading import Loading, progress_of
from atoll.web.store.store import SeatRow, Store, TableRow, now
from atoll.web.table.bots import bot_here, check_budget
from atoll.web.table.making import HINTS, PACES, new_table
from atoll.web.table.seating import aware

FINISHED_SHOWN = 8
"""Finished tables on the start page."""

ORDER = ("yours", "waiting", "over")


def draw_start(store: Store, loading: Loading, browser: str, language: str) -> str:
    """The start page."""
    words = words_for(language)
    return draw(
        "start.html.jinja",
        language,
        tables=listed(store.tables_of(browser), words),
        games=[offer(game, language) for game in games().values()],
        bots=[
            {
                "name": level.name,
                "label": words("Bot: %(bot)s", bot=words(level.name)),
                "default": level.name == DEFAULT_BOT,
            }
            for level in LEVELS
        ],
        paces=[{"name": pace, "label": pace_name(words, pace)} for pace in PACES],
        hints=[{"name": hints, "label": hints_name(words, hints)} for hints in HINTS],
        seat_names=seat_names(words),
        **progress_of(loading, words),
    )


def hints_name(words: Words, hints: str) -> str:
    """Who may ask for hints, as the form offers it."""
    match hints:
        case "alone":
            return words("When alone against bots")
        case "always":
            return words("For everybody")
        case _:
            return words("For nobody")


def offer(game: Game, language: str) -> dict[str, Any]:
    """What the start page says of a game."""
    words = words_for(language, game.package)
    return {
        "name": game.name,
        "title": game.title,
        "summary": words(game.summary),
        "has_rules": has_rules_page(game),
        "least": game.seats[0],
        "most": game.seats[-1],
        "counts": list(game.seats),
        "default_players": game.default_players,
        "components": list(game.component_files),
        "options": [
            {
                "name": option.name,
                "label": words(option.label),
                "help": words(option.help),
                "default": option.default,
            }
            for option in game.options
        ],
    }


def listed(found: list[tuple[TableRow, int | None]], words: Words) -> list[dict[str, Any]]:
    """A browser's tables, those that wait for it first, then the newest."""
    tables = [
        {
            "url": f"/tables/{row.id}",
            "title": games()[row.game].title if row.game in games() else row.game,
            "players": row.players,
            "made_at": aware(row.made_at),
            "when": ago(aware(row.made_at), words),
            "state": state(row, seat),
        }
        for row, seat in found
    ]
    tables.sort(key=lambda table: ORDER.index(table["state"]))
    over = [table for table in tables if table["state"] == "over"]
    return tables[: len(tables) - len(over)] + over[:FINISHED_SHOWN]


def state(row: TableRow, seat: int | None) -> str:
    """Whether the table waits for the seat, for others, or is over."""
    if row.to_act == 0:
        return "over"
    return "yours" if seat is not None and (row.to_act or 0) >> seat & 1 else "waiting"


def ago(then: datetime, words: Words) -> str:
    """How long ago, as people say it."""
    return format_timedelta(then - now(), add_direction=True, locale=words.locale)


def read_form(
    form: Mapping[str, str], browser: str, allowance: Allowance = ALONE
) -> tuple[TableRow, list[SeatRow]]:
    """The table that a form asks for and who sits there; raises Refusal for what is not offered."""
    try:
        game = find_game(form.get("game", ""))
        players = number(form.get("players", str(game.default_players)))
        pace = form.get("pace", next(iter(PACES)))
        if pace not in PACES:
            raise AtollError(f"there is no pace {pace!r}")
        options = {option.name: f"option:{option.name}" in form for option in game.options}
        for name in form:
            if name.startswith("option:") and name.removeprefix("option:") not in options:
                game.check_options({name.removeprefix("option:"): True})
        open_bots = "open_bots" in form
        hints = form.get("hints", HINTS[0])
        if hints not in HINTS:
            raise AtollError(f"there are no hints {hints[:20]!r}; there are: {', '.join(HINTS)}")
        row = new_table(game, players, options, pace, form.get("components"), browser, open_bots, hints)
        seats = [sitting(seat, form, browser, allowance) for seat in range(players)]
    except AtollError as error:
        raise Refusal(400, "This table cannot be made: %(why)s.", why=str(error)) from None
    if sum(seat.browser is not None for seat in seats) > 1:
        raise Refusal(400, "You can sit in one seat only.")
    return row, seats


def number(text: str) -> int:
    """A whole number from a form."""
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise AtollError(f"{text[:20]!r} is not a number of players")
    return int(text)


def sitting(seat: int, form: Mapping[str, str], browser: str, allowance: Allowance) -> SeatRow:
    """Who sits in a seat: oneself, somebody else, or a bot."""
    who = form.get(f"seat{seat}", "me" if seat == 0 else f"bot:{DEFAULT_BOT}")
    if who == "me":
        return SeatRow(seat, browser, None, now())
    if who == "friend":
        return SeatRow(seat)
    kind, _, bot = who.partition(":")
    if kind != "bot":
        raise AtollError(f"nobody called {who[:20]!r} can sit there")
    check_budget(bot, allowance)
    return SeatRow(seat, None, bot_here(bot, allowance).name)

"""The page "My games": how finished games ended, and the records that one watches."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from babel.dates import format_date
from babel.numbers import format_decimal, format_percent

from atoll.bots import RECORDED_BOT
from atoll.core.catalogue import games
from atoll.text.translation import Translator
from atoll.web.pages.templating import draw
from atoll.web.store.engine import aware
from atoll.web.store.history import History, Result
from atoll.web.store.notifications import NotificationChannels
from atoll.web.translation import translator_for

SHOWN = 200
"""Results that the page lists."""
RIVALS = 20
"""Opponents that it lists."""


def draw_history(
    history: History,
    browser: str,
    language: str,
    *,
    told: NotificationChannels | None = None,
    notice: str | None = None,
) -> str:
    """The page; `told` is how the browser's person is told of turns, `notice` why a record cannot be watched."""
    words, found = translator_for(language), history.of(browser)
    shown = history.shown(found[:SHOWN])
    return draw(
        "history.html.jinja",
        language,
        here="/history",
        summary=summary(found, words),
        rivals=rivals(found, words),
        results=[entry(result, words, result.table_id in shown) for result in found[:SHOWN]],
        more=max(0, len(found) - SHOWN),
        uploads=[
            {
                "url": f"/records/{upload['id']}/back",
                "title": title(upload["game"]),
                "date": aware(upload["made_at"]).date().isoformat(),
                "day": format_date(aware(upload["made_at"]), format="long", locale=words.locale),
            }
            for upload in history.uploads_of(browser)
        ],
        told=told,
        notice=notice,
    )


def title(game: str) -> str:
    """What a game is called, or its key where it is no longer here."""
    return games()[game].title if game in games() else game


def summary(found: Sequence[Result], translator: Translator) -> list[dict[str, Any]]:
    """By game and number of players: games, wins, and the average place and points."""

    def key(result: Result) -> tuple[str, int]:
        return result.game, result.players

    rows = []
    for (game, players), group in groupby(sorted(found, key=key), key):
        alike = list(group)
        wins = sum(result.place == 1 for result in alike)
        rows.append(
            {
                "game": title(game),
                "players": players,
                "games": len(alike),
                "wins": wins,
                "share": format_percent(wins / len(alike), locale=translator.locale),
                "place": mean([result.place for result in alike], translator),
                "points": mean([result.points[result.seat] for result in alike], translator),
            }
        )
    return rows


def rivals(found: Sequence[Result], translator: Translator) -> list[dict[str, Any]]:
    """By opponent, those met most often first: games with them at the table, and those of them that were won."""
    met = Counter(name for result in found for name in result.against)
    won = Counter(name for result in found if result.place == 1 for name in result.against)
    return [
        {
            "name": opponent(name, translator),
            "games": games_met,
            "wins": won[name],
            "share": format_percent(won[name] / games_met, locale=translator.locale),
        }
        for name, games_met in met.most_common(RIVALS)
    ]


def mean(values: Sequence[int], translator: Translator) -> str:
    """The average with one digit behind the point."""
    return format_decimal(sum(values) / len(values), format="0.0", locale=translator.locale)


def entry(result: Result, translator: Translator, shown: bool) -> dict[str, Any]:
    """A finished game as the list shows it; it leads to the table if that is still there to be shown."""
    return {
        "url": f"/tables/{result.table_id}/back" if shown else None,
        "game": title(result.game),
        "day": format_date(aware(result.ended_at), format="medium", locale=translator.locale),
        "date": aware(result.ended_at).date().isoformat(),
        "place": translator("Won")
        if result.place == 1
        else translator("Place %(place)s", place=result.place),
        "won": result.place == 1,
        "points": result.points[result.seat],
        "against": translator.both([opponent(name, translator) for name in result.against]),
    }


def opponent(name: str, translator: Translator) -> str:
    """Who played against one; bots and colours in the reader's language."""
    if name.startswith(RECORDED_BOT):
        return translator("bot: %(bot)s", bot=translator(name.removeprefix(RECORDED_BOT)))
    return translator(name)


def exported(history: History, browser: str, told: NotificationChannels | None) -> dict[str, Any]:
    """All that is kept of a browser's games, and how its person is told of turns, as JSON."""
    rows = []
    for result in history.of(browser):
        row = asdict(result) | {"ended_at": aware(result.ended_at).isoformat()}
        del row["browser"]
        rows.append(row)
    return {"atoll-history": 1, "games": rows, "told": None if told is None else asdict(told)}

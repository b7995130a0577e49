"""The page "My games": how finished games ended, and the records that one watches."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

from babel.dates import format_date
from babel.numbers import format_decimal, format_percent

from atoll.bots import RECORDED_BOT
from atoll.core.catalogue import games
from atoll.text.translation import Translator, seat_names
from atoll.web.pages.isolation import isolated
from atoll.web.pages.lessons import lesson_title
from atoll.web.pages.templating import draw
from atoll.web.store.engine import aware
from atoll.web.store.history import History, Result
from atoll.web.store.notifications import NotificationChannels
from atoll.web.translation import translator_for

MOST_RESULTS = 200
"""Results that the page lists."""
MOST_RIVALS = 20
"""Opponents that it lists."""


def draw_history(
    history: History,
    browser: str,
    language: str,
    *,
    channels: NotificationChannels | None = None,
    notice: str | None = None,
) -> str:
    """The page; `channels` are the browser's notification channels, `notice` says why a record was refused."""
    translator, results = translator_for(language), history.of(browser)
    viewable = history.shown(results[:MOST_RESULTS])
    return draw(
        "history.html.jinja",
        language,
        here="/history",
        summary=summary(results, translator),
        rivals=rivals(results, translator),
        results=[entry(result, translator, viewable) for result in results[:MOST_RESULTS]],
        more=max(0, len(results) - MOST_RESULTS),
        uploads=[
            {
                "url": f"/records/{upload['id']}/back",
                "title": title(upload["game"]),
                "date": aware(upload["made_at"]).date().isoformat(),
                "day": format_date(aware(upload["made_at"]), format="long", locale=translator.locale),
            }
            for upload in history.uploads_of(browser)
        ],
        channels=channels,
        notice=notice,
    )


def title(game: str) -> str:
    """A game's title; its key if the game is no longer installed."""
    return games()[game].title if game in games() else game


def summary(results: Sequence[Result], translator: Translator) -> list[dict[str, Any]]:
    """By game and number of players: games, wins, and the average place and points."""

    def key(result: Result) -> tuple[str, int]:
        return result.game, result.players

    rows = []
    for (game, players), group in groupby(sorted(results, key=key), key):
        group_results = list(group)
        wins = sum(result.place == 1 for result in group_results)
        rows.append(
            {
                "game": title(game),
                "players": players,
                "games": len(group_results),
                "wins": wins,
                "share": format_percent(wins / len(group_results), locale=translator.locale),
                "place": mean([result.place for result in group_results], translator),
                "points": mean([result.points[result.seat] for result in group_results], translator),
            }
        )
    return rows


def rivals(results: Sequence[Result], translator: Translator) -> list[dict[str, Any]]:
    """By opponent, the most frequent first: games together, and how many of them the browser's person won."""
    met = Counter(name for result in results for name in result.against)
    won = Counter(name for result in results if result.place == 1 for name in result.against)
    return [
        {
            "name": opponent(name, translator),
            "games": games_met,
            "wins": won[name],
            "share": format_percent(won[name] / games_met, locale=translator.locale),
        }
        for name, games_met in met.most_common(MOST_RIVALS)
    ]


def mean(values: Sequence[int], translator: Translator) -> str:
    """The average with one decimal."""
    return format_decimal(sum(values) / len(values), format="0.0", locale=translator.locale)


def entry(result: Result, translator: Translator, viewable: Mapping[str, str | None]) -> dict[str, Any]:
    """A finished game as the list shows it, with a link to its table if that is `viewable`, and the title of the lesson
    that it began with.
    """
    lesson = viewable.get(result.table_id) if result.game in games() else None
    return {
        "url": f"/tables/{result.table_id}/back" if result.table_id in viewable else None,
        "game": title(result.game),
        "lesson": lesson_title(games()[result.game], lesson, translator) if lesson else "",
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
    """An opponent's name; bots and colours in the reader's language."""
    if name.startswith(RECORDED_BOT):
        return translator("bot: %(bot)s", bot=translator(name.removeprefix(RECORDED_BOT)))
    colours = seat_names(translator_for("en"))
    return translator(name) if name in colours else isolated(name)


def history_export(history: History, browser: str, channels: NotificationChannels | None) -> dict[str, Any]:
    """Everything stored about a browser's games, and its notification channels, as JSON."""
    rows = []
    for result in history.of(browser):
        row = asdict(result) | {"ended_at": aware(result.ended_at).isoformat()}
        del row["browser"]
        rows.append(row)
    return {"atoll-history": 1, "games": rows, "told": None if channels is None else asdict(channels)}

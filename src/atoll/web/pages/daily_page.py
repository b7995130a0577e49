"""The deals of the day: those to play, and how one did among all who have played them."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from babel.dates import format_date

from atoll.bots import DEFAULT_BOT
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.text.translation import Translator
from atoll.web.pages.templating import draw
from atoll.web.store.daily import DailyDeals, DailyGame
from atoll.web.table.daily import players_of, seconds_left, today
from atoll.web.translation import translator_for

Entry = dict[str, Any]

MOST_BARS = 16
"""Of the picture of all points."""
WEEK = 7
"""Days that the row of days shows."""


def draw_daily(deals: DailyDeals, browser: str, language: str) -> str:
    """The page of today's deals."""
    translator = translator_for(language)
    tries = deals.of(browser)
    entries = [daily_entry(game, deals, tries, translator) for game in games().values()]
    entries.sort(key=lambda entry: not entry["for_newcomers"])
    return draw(
        "daily.html.jinja",
        language,
        here="/daily",
        deals=entries,
        **streak_context(tries, translator),
        next_deal=next_deal(translator),
    )


def daily_offer(deals: DailyDeals, browser: str, translator: Translator) -> Entry | None:
    """The deal that the start page offers: one that waits to be played, else one's own result; with the row of days."""
    tries = deals.of(browser)
    entries = [daily_entry(game, deals, tries, translator) for game in games().values()]
    if not entries:
        return None
    entries.sort(key=lambda entry: (entry["done"], not entry["running"], not entry["for_newcomers"]))
    return {"deal": entries[0], **streak_context(tries, translator), "next_deal": next_deal(translator)}


def daily_entry(game: Game, deals: DailyDeals, tries: Sequence[DailyGame], translator: Translator) -> Entry:
    """Today's deal of a game, as pages show it: what others did only once one has finished."""
    day = today()
    mine = next((one for one in tries if (one.day, one.game) == (day, game.name)), None)
    bots = players_of(game) - 1
    done = mine is not None and mine.points is not None
    return {
        "game": game.name,
        "title": game.title,
        "for_newcomers": game.for_newcomers,
        "against": translator.plural(
            "Against %(num)s %(level)s bot",
            "Against %(num)s %(level)s bots",
            bots,
            level=translator(DEFAULT_BOT),
        )
        if bots
        else "",
        "url": None if mine is None else f"/tables/{mine.table_id}",
        "running": mine is not None and not done,
        "done": done,
        "result": result_among(deals.points(day, game.name), mine.points, translator)
        if mine is not None and mine.points is not None
        else None,
        "won": done and mine is not None and mine.place == 1,
    }


def result_among(points: Sequence[int], mine: int, translator: Translator) -> Entry:
    """One's points among those of all, ascending: a sentence, and the picture."""
    worse, as_good = bisect_left(points, mine), bisect_right(points, mine) - bisect_left(points, mine) - 1
    others = len(points) - 1
    if others <= 0:
        text = translator("You are the first to play it today.")
    elif worse == others:
        text = translator.plural(
            "Better than the one other player.", "Better than all %(num)s others.", others
        )
    elif worse:
        text = translator("Better than %(worse)s of %(others)s others.", worse=worse, others=others)
    elif as_good == others:
        text = translator("The same as everybody else.")
    else:
        text = translator(
            "%(worse)s of the %(others)s others did better.", worse=others - as_good, others=others
        )
    return {
        "points": mine,
        "text": text,
        "bars": bars(points, mine),
        "least": points[0] if points else mine,
        "most": points[-1] if points else mine,
    }


def bars(points: Sequence[int], mine: int) -> list[Entry]:
    """How many had how many points, as bars from the fewest points to the most: each its height from 0 to 1, and
    whether it is one's own.
    """
    if not points:
        return []
    least, most = points[0], points[-1]
    count = min(MOST_BARS, most - least + 1)
    heights = [0] * count
    for one in points:
        heights[(one - least) * count // (most - least + 1)] += 1
    own = (mine - least) * count // (most - least + 1)
    return [
        {"height": height / max(heights), "count": height, "mine": number == own}
        for number, height in enumerate(heights)
    ]


def streak(tries: Sequence[DailyGame]) -> int:
    """On how many days in a row, up to today or yesterday, one has finished a deal of the day."""
    days = {date.fromisoformat(one.day) for one in tries if one.points is not None}
    day = date.fromisoformat(today())
    if day not in days:
        day -= timedelta(days=1)
    count = 0
    while day in days:
        count, day = count + 1, day - timedelta(days=1)
    return count


def streak_context(tries: Sequence[DailyGame], translator: Translator) -> Entry:
    """The streak, and the last days with what was finished on them."""
    finished = {one.day for one in tries if one.points is not None}
    last = date.fromisoformat(today())
    days = [last - timedelta(days=ago) for ago in reversed(range(WEEK))]
    return {
        "streak": streak(tries),
        "days": [
            {
                "label": format_date(day, "EEE", locale=translator.locale),
                "whole": format_date(day, "EEEE d MMMM", locale=translator.locale),
                "done": day.isoformat() in finished,
                "today": day == last,
            }
            for day in days
        ],
    }


def next_deal(translator: Translator) -> str:
    """When the next deal comes, as text."""
    minutes = int(seconds_left() // 60)
    if minutes >= 60:
        return translator("Next deal in %(hours)s h", hours=minutes // 60)
    return translator("Next deal in %(minutes)s min", minutes=max(1, minutes))

"""The page "My games": the bots that one beats, how finished games ended, and the records that one watches."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any

import msgspec
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent

from atoll.bots import RECORDED_BOT, bot_names
from atoll.core.catalogue import games
from atoll.text.translation import Translator, seat_names, texts
from atoll.web.pages.daily_page import streak
from atoll.web.pages.isolation import isolated
from atoll.web.pages.lessons import lesson_title
from atoll.web.pages.progress import (
    ANALYSED,
    AnalysedGame,
    Course,
    PartsOfGames,
    courses,
    ladder,
    next_step,
    parts_of_games,
)
from atoll.web.pages.templating import draw
from atoll.web.store.analyses import Analyses
from atoll.web.store.daily import DailyDeals
from atoll.web.store.engine import aware
from atoll.web.store.history import History, Result
from atoll.web.store.notifications import NotificationChannels
from atoll.web.store.people import People
from atoll.web.store.puzzle_answers import PuzzleAnswer, PuzzleAnswers
from atoll.web.table.daily import players_of
from atoll.web.table.puzzles import own_answers, puzzles_of, solved
from atoll.web.translation import translator_for

MOST_RESULTS = 200
"""Results that the page lists."""
UNFOLDED = 6
"""Of them, those above the folded list."""
MOST_RIVALS = 20
"""Opponents that it lists."""
MOST_TO_ANALYSE = 3
"""Games that it offers to analyse."""
LEAST_AXIS = 0.05
"""Share of the win that half of the axis of choices shows at least."""
WIDE, HIGH = 400, 160
"""The size of a course's picture."""


def draw_history(
    history: History,
    browser: str,
    language: str,
    *,
    channels: NotificationChannels | None = None,
    notice: str | None = None,
    course: str | None = None,
    lent: bool = False,
) -> str:
    """The page; `channels` are the browser's notification channels, `notice` says why a record was refused, `course` is
    the key of the course that is shown, and `lent` says that it is another device of its person.
    """
    translator, results = translator_for(language), history.of(browser)
    viewable = history.shown(results[:MOST_RESULTS])
    entries = [entry(result, translator, viewable) for result in results[:MOST_RESULTS]]
    return draw(
        "history.html.jinja",
        language,
        here="/history",
        name=People(history.engine).name(browser),
        lent=lent,
        games_played=len(results),
        games_won=sum(result.place == 1 for result in results),
        streak=streak(DailyDeals(history.engine).of(browser)),
        ladders=ladders(results, PuzzleAnswers(history.engine).of(browser), translator),
        course=course_context(courses(results), course, translator),
        choices=choices_context(
            [result for result in results[:MOST_RESULTS] if result.table_id in viewable],
            Analyses(history.engine),
            translator,
        ),
        rivals=rivals(results, translator),
        results=entries[:UNFOLDED],
        folded=entries[UNFOLDED:],
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


def ladders(
    results: Sequence[Result], answers: Sequence[PuzzleAnswer], translator: Translator
) -> list[dict[str, Any]]:
    """By game, those that were played first: the results, the ladder of the levels that are beaten, and the puzzles
    that are solved.
    """
    entries = []
    for game in games().values():
        mine = [result for result in results if result.game == game.name]
        steps, players = ladder(mine), players_of(game)
        wanted = next_step(steps)
        entries.append(
            {
                "game": game.name,
                "title": game.title,
                "games": len(mine),
                "wins": sum(result.place == 1 for result in mine),
                "best": max((result.points[result.seat] for result in mine), default=None),
                "players": players,
                "steps": [
                    {
                        "level": step.level,
                        "label": translator(step.level),
                        "games": step.games,
                        "wins": step.wins,
                        "beaten": step.beaten,
                        "next": step.level == wanted,
                    }
                    for step in steps
                ]
                if players > 1
                else [],
                "by_players": summary(mine, translator),
                "puzzles": len(puzzles_of(game)),
                "solved": solved(puzzles_of(game), own_answers(game, answers)),
            }
        )
    return sorted(entries, key=lambda entry: -entry["games"])


def course_context(
    known: Sequence[Course], wanted: str | None, translator: Translator
) -> dict[str, Any] | None:
    """The wanted course, or that with most games, with a choice of all; None without any."""
    if not known:
        return None
    course = next((one for one in known if one.key == wanted), known[0])
    last = max(1, len(course.shares) - 1)

    def place(number: int, value: float) -> str:
        return f"{WIDE * number / last:.1f},{HIGH - HIGH * value:.1f}"

    line = [place(number, one.value) for number, one in enumerate(course.shares)]
    band = [place(number, one.high) for number, one in enumerate(course.shares)]
    band += [place(number, one.low) for number, one in reversed(list(enumerate(course.shares)))]
    now_ = course.shares[-1]
    return {
        "choices": [
            {
                "key": one.key,
                "label": translator(
                    "%(game)s, %(players)s players, bots: %(level)s",
                    game=title(one.game),
                    players=one.players,
                    level=translator(one.level),
                ),
                "current": one is course,
            }
            for one in known
        ],
        "count": len(course.shares),
        "change": course.change,
        "wins_in_ten": round(10 * now_.value),
        "low": round(10 * now_.low),
        "high": round(10 * now_.high),
        "line": " ".join(line),
        "band": " ".join(band),
        "end": line[-1].split(","),
        "fair": f"{HIGH - HIGH / course.players:.1f}",
    }


def choices_context(
    results: Sequence[Result], analyses: Analyses, translator: Translator
) -> dict[str, Any] | None:
    """What one's choices cost by game and part of the game, over the last of these games that were analysed; and the
    last ones to analyse. None without any game.
    """
    if not results:
        return None
    done = analyses.done({_place(result) for result in results})
    analysed = [result for result in results if _place(result) in done]
    counted = Counter[str]()
    last = []
    for result in analysed:
        counted[result.game] += 1
        if counted[result.game] <= ANALYSED:
            last.append(result)
    findings = analyses.findings({_place(result) for result in last})
    decoder = msgspec.json.Decoder(AnalysedGame)
    games_analysed = [(decoder.decode(findings[_place(result)]), result.seat) for result in last]
    found = parts_of_games(games_analysed)
    most = max(
        [
            LEAST_AXIS,
            *(
                abs(end)
                for one in found
                for part in (*one.thirds, one.whole)
                for end in (part.low, part.high)
            ),
        ]
    )
    return {
        "games": [parts_context(one, most, translator) for one in found],
        "to_analyse": [
            {
                "url": f"/{_place(result)}/analysis",
                "title": title(result.game),
                "day": format_date(aware(result.ended_at), format="medium", locale=translator.locale),
            }
            for result in results
            if _place(result) not in done
        ][:MOST_TO_ANALYSE],
    }


def _place(result: Result) -> str:
    """What analyses are kept by."""
    return f"tables/{result.table_id}"


def parts_context(one: PartsOfGames, most: float, translator: Translator) -> dict[str, Any]:
    """What one's choices were worth in one kind of game; `most` lies at the ends of the axis."""
    labels = (*texts("Beginning", "Middle", "End"), None)

    def place(value: float) -> float:
        return round(50 + 50 * value / most, 1)

    def points(share: float, format_: str = "0") -> str:
        return format_decimal(round(100 * share), format=format_, locale=translator.locale)

    return {
        "title": title(one.game),
        "games": one.games,
        "choices": one.choices,
        "slips": one.slips,
        "parts": [
            {
                "label": translator(label) if label else None,
                "low": place(part.low),
                "width": round(place(part.high) - place(part.low), 1),
                "middle": place(part.value),
                "sure": 1 if part.low > 0 else -1 if part.high < 0 else 0,
                "text": translator(
                    "%(value)s ± %(half)s",
                    value=points(part.value, "+0;−0"),
                    half=points((part.high - part.low) / 2),
                ),
            }
            for label, part in zip(labels, (*one.thirds, one.whole), strict=True)
        ],
    }


def title(game: str) -> str:
    """A game's title; its key if the game is no longer installed."""
    return games()[game].title if game in games() else game


def summary(results: Sequence[Result], translator: Translator) -> list[dict[str, Any]]:
    """By game and number of players: games, wins, the best and the average points."""

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
                "best": max(result.points[result.seat] for result in group_results),
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
    bots = [name.removeprefix(RECORDED_BOT) for name in result.against if name.startswith(RECORDED_BOT)]
    is_viewable = result.table_id in viewable
    return {
        "key": result.game if result.game in games() else None,
        "rematch": rematch_of(result, bots, is_viewable=is_viewable) if not lesson else None,
        "url": f"/tables/{result.table_id}/back" if result.table_id in viewable else None,
        "game": title(result.game),
        "lesson": lesson_title(games()[result.game], lesson, translator) if lesson else "",
        "day": format_date(aware(result.ended_at), format="medium", locale=translator.locale),
        "date": aware(result.ended_at).date().isoformat(),
        "place": translator("Won") if result.place == 1 else translator("Rank %(place)s", place=result.place),
        "won": result.place == 1,
        "points": result.points[result.seat],
        "against": translator.both(opponents(result.against, translator)),
    }


def rematch_of(result: Result, bots: Sequence[str], *, is_viewable: bool) -> dict[str, Any] | None:
    """The form that plays the same again: a new table against the same bots, or with people what is offered at their
    table. None if there is no such game or table any more.
    """
    game = games().get(result.game)
    if game is None:
        return None
    if len(bots) < len(result.against):
        return {"url": f"/tables/{result.table_id}/again", "fields": {"turn": "1"}} if is_viewable else None
    if result.players not in game.seats or any(bot not in bot_names() for bot in bots):
        return None
    seats = {f"seat{seat}": f"bot:{bot}" for seat, bot in enumerate(bots, 1)}
    return {"url": "/tables", "fields": {"game": result.game, "players": str(result.players), **seats}}


def opponents(names: Sequence[str], translator: Translator) -> list[str]:
    """The others of a game; bots of one level are one entry."""
    entries = []
    for name, count in Counter(names).items():
        if name.startswith(RECORDED_BOT) and count > 1:
            level = translator(name.removeprefix(RECORDED_BOT))
            entries.append(translator("%(count)s bots: %(level)s", count=count, level=level))
        else:
            entries += count * [opponent(name, translator)]
    return entries


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
    return {
        "atoll-history": 1,
        "games": rows,
        "puzzles": PuzzleAnswers(history.engine).export(browser),
        "told": None if channels is None else asdict(channels),
    }

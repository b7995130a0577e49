"""Lessons on pages: a table's lesson, and the lessons that are offered elsewhere."""

from collections.abc import Collection, Sequence
from typing import Any

from starlette.requests import HTTPConnection

from atoll.core.game import Game
from atoll.core.lessons import Lesson, scripts_of
from atoll.text.translation import Translator
from atoll.web.store.store import ListedTable
from atoll.web.table.move_choice import MoveChoice, post
from atoll.web.table.seen_table import SeenTable
from atoll.web.translation import translator_for

COOKIE = "atoll_no_lessons"
"""The games whose lessons a browser declined, separated by dots."""

Entry = dict[str, Any]


# At the table


def lesson_context(table: SeenTable, translator: Translator) -> Entry | None:
    """The table's lesson: title, step, number of steps, and the ids of the elements that its step is about (`look`).

    `number` is None right after the last step.
    """
    place, step = table.lesson, table.step
    if place is None or table.has_stand_in or table.is_over:
        return None
    return {
        "title": translator(place.title),
        "number": place.number if place.step else None,
        "count": place.count,
        "look": step.look if step else (),
    }


def lesson_prompt(
    table: SeenTable, translator: Translator, choosing: MoveChoice, refused: str | None
) -> Entry | None:
    """The bar's prompt at a step of a lesson and right after the last one; None elsewhere.

    Its hint is why the step is made or, if another move was refused or chosen, why not that one.
    """
    step = table.step
    if table.lesson is None or table.is_over:
        return None
    if step is None:
        over = table.lesson.step is None and not choosing.fields and table.seat in table.to_act
        return {"text": translator(table.lesson.end), "hint": None, "mine": True} if over else None
    reason = refused or (translator(step.reason(choosing.strayed)) if choosing.strayed else None)
    hint = reason or translator(step.why)
    if choosing.whole is not None:
        hint = translator("Now press the button to play your move.")
    return {"text": translator(step.ask), "hint": hint, "mine": True, "reason": reason is not None}


def next_lesson(table: SeenTable, translator: Translator, choosing: MoveChoice) -> Entry | None:
    """The bar's button for the next lesson, once this one is over."""
    place = table.lesson
    if place is None or place.step is not None or place.next is None or choosing.fields:
        return None
    name, next_title = place.next
    control = post("/lessons", game=table.game.name, lesson=name)
    return {"control": control, "label": translator("Next lesson: %(title)s", title=translator(next_title))}


def leave_entries(table: SeenTable, translator: Translator) -> list[Entry]:
    """The menu entry that ends the lesson and goes on with the game."""
    if table.lesson is None or table.lesson.step is None:
        return []
    return [{"label": translator("Leave the lesson and play on"), "control": post(f"{table.address}/lesson")}]


# Elsewhere


def lesson_title(game: Game, lesson: str | None, translator: Translator) -> str:
    """The title of a game's lesson; empty if there is no such lesson."""
    script = scripts_of(game).get(lesson) if lesson else None
    return translator.with_package(game.package)(script.lesson.title) if script else ""


def declined_lessons(request: HTTPConnection) -> set[str]:
    """The games whose lessons the browser declined."""
    return set(request.cookies.get(COOKIE, "").split("."))


def lesson_offers(
    game: Game, language: str, tables: Sequence[ListedTable] = (), declined_games: Collection[str] = ()
) -> Entry | None:
    """A game's lessons as they are offered to a browser with these tables; None if there are none.

    `new`: whether the browser has neither played the game nor declined its lessons. `open`: the table of an unfinished
    lesson.
    """
    lessons = [script.lesson for script in scripts_of(game).values()]
    if not lessons:
        return None
    translator = translator_for(language, game.package)
    mine = [table.row for table in tables if table.row.game == game.name]
    unfinished = next((row for row in mine if row.lesson and row.to_act != 0), None)
    return {
        "lessons": [lesson_offer(game, lesson, translator) for lesson in lessons],
        "new": not mine and game.name not in declined_games,
        "open": unfinished
        and {"url": f"/tables/{unfinished.id}", "title": lesson_title(game, unfinished.lesson, translator)},
    }


def lesson_offer(game: Game, lesson: Lesson, translator: Translator) -> Entry:
    """An offered lesson: title, description and the control that begins it."""
    return {
        "control": post("/lessons", game=game.name, lesson=lesson.name),
        "title": translator(lesson.title),
        "about": translator(lesson.about),
    }


def highlight_css(game: Game) -> str:
    """The stylesheet that highlights the elements that a lesson's step is about."""
    names = {
        name for script in scripts_of(game).values() for step in script.lesson.steps for name in step.look
    }
    rings = "outline: 4px solid var(--lesson); outline-offset: -4px; border-radius: 12px;"
    return "".join(f'#table[data-look~="{name}"] #{name} {{ {rings} }}\n' for name in sorted(names))

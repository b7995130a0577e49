"""What a table's page says of its lesson, and where lessons are offered."""

from collections.abc import Collection, Sequence
from typing import Any

from starlette.requests import HTTPConnection

from atoll.core.game import Game
from atoll.core.lessons import Lesson, scripts_of
from atoll.text.translation import Translator
from atoll.web.pages.templating import translator_for
from atoll.web.store.store import ListedTable
from atoll.web.table.move_choice import MoveChoice, post
from atoll.web.table.seen_table import SeenTable

COOKIE = "atoll_no_lessons"
"""The games, with dots between them, of which a browser wants no lesson to be offered."""

Entry = dict[str, Any]


# At the table


def lesson_context(table: SeenTable, translator: Translator) -> Entry | None:
    """The lesson and how far it is: what the bar shows of it, and what on the page its sentence is about.

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
    """What the bar says at a step of a lesson, and right after the last one; None elsewhere.

    In place of what the step is good for it says why something else was not carried out, be it `refused` or chosen.
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
        hint = translator("Now press the button: it carries out what you have chosen.")
    return {"text": translator(step.ask), "hint": hint, "mine": True, "reason": reason is not None}


def next_lesson(table: SeenTable, translator: Translator, choosing: MoveChoice) -> Entry | None:
    """The bar's button for the next lesson, when this one has come to its end."""
    place = table.lesson
    if place is None or place.step is not None or place.next is None or choosing.fields:
        return None
    name, lesson_title = place.next
    control = post("/lessons", game=table.game.name, lesson=name)
    return {"control": control, "label": translator("Next lesson: %(title)s", title=translator(lesson_title))}


def leave_entries(table: SeenTable, translator: Translator) -> list[Entry]:
    """The menu's entry that makes the game a free one."""
    if table.lesson is None or table.lesson.step is None:
        return []
    return [{"label": translator("Leave the lesson and play on"), "control": post(f"{table.address}/lesson")}]


# Elsewhere


def lesson_title(game: Game, lesson: str | None, translator: Translator) -> str:
    """What a game's lesson is called; empty for none, or for one that there is no longer."""
    script = scripts_of(game).get(lesson) if lesson else None
    return translator.with_package(game.package)(script.lesson.title) if script else ""


def declined_lessons(request: HTTPConnection) -> set[str]:
    """The games of which the browser wants no lesson to be offered."""
    return set(request.cookies.get(COOKIE, "").split("."))


def lesson_offers(
    game: Game, language: str, tables: Sequence[ListedTable] = (), declined_games: Collection[str] = ()
) -> Entry | None:
    """A game's lessons as they are offered to a browser with these tables; None if there are none.

    `new`: whether somebody who has neither played the game nor declined is to be asked; `open`: the table at which a
    lesson goes on.
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
    """A lesson as it is offered."""
    return {
        "control": post("/lessons", game=game.name, lesson=lesson.name),
        "title": translator(lesson.title),
        "about": translator(lesson.about),
    }


def highlight_css(game: Game) -> str:
    """The stylesheet that rings what on the game's table a lesson's sentence is about."""
    names = {
        name for script in scripts_of(game).values() for step in script.lesson.steps for name in step.look
    }
    rings = "outline: 4px solid var(--lesson); outline-offset: -4px; border-radius: 12px;"
    return "".join(f'#table[data-look~="{name}"] #{name} {{ {rings} }}\n' for name in sorted(names))

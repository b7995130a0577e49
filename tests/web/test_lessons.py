"""Lessons at tables: each step's move, each other move explained, left, resumed, offered to who is new."""

import html
import json
from collections.abc import Callable
from typing import Any

import pytest

from atoll.core.catalogue import games
from atoll.core.lessons import LEARNER, Script, scripts_of
from atoll.text.translation import LANGUAGES, Translator
from atoll.web.table.move_choice import fields_of
from tests.web.conftest import Browser

LESSONS = [(game, script) for game in games().values() for script in scripts_of(game).values()]
NAMES = [f"{game.name}: {script.lesson.name}" for game, script in LESSONS]
FIRST = ("cast-away", "first-day")


def begin(browser: Browser, game: str, lesson: str) -> str:
    """Begin a lesson whose bots do not linger; returns its address."""
    path = str(browser.post("/lessons", {"game": game, "lesson": lesson}).url.path)
    browser.post(f"{path}/pace", {"pace": "at once"})
    return path


def shown(page: str) -> str:
    """A page's text as a reader has it."""
    return html.unescape(page)


@pytest.mark.parametrize(("game", "script"), LESSONS, ids=NAMES)
def test_each_step_says_what_to_do_and_explains_every_other_move(
    browser: Browser, table_at: Callable[..., Any], game, script: Script
):
    """Every language is there; what a sentence points at is drawn, and a ring leads to the move that is asked for. Of
    the moves that are explained in the same words one is made.
    """
    path = begin(browser, game.name, script.lesson.name)
    translator = {language: Translator(language).with_package(game.package) for language in LANGUAGES}
    for number, step in enumerate(script.lesson.steps):
        browser.get("/language?to=en")
        page = shown(browser.wait_for(path, 'class="bar mine'))
        assert step.ask in page
        assert step.why in page
        assert 'class="press' in page
        assert " asked" in page
        assert all(f'id="{name}"' in page for name in step.look)
        table = table_at(path)
        legal, decision = table.timeline.legal_moves(LEARNER), str(table.timeline.decision(LEARNER))
        strayed = [move for move in legal if not step.asks_for(move)]
        assert table.lesson.step.others == []  # what others are going to do does not reach the page
        language = list(LANGUAGES)[number % len(LANGUAGES)]
        browser.get(f"/language?to={language}")
        for move in {step.reason(move): move for move in strayed}.values():
            answer = browser.post(f"{path}/moves", fields_of(move) | {"decision": decision})
            assert answer.status_code == 422
            assert translator[language](step.reason(move)) in shown(answer.text)
        after = table_at(path).timeline
        assert (str(after.decision(LEARNER)), LEARNER in after.choices) == (decision, False)
        move = next(move for move in legal if step.asks_for(move))
        assert browser.post(f"{path}/moves", fields_of(move) | {"decision": decision}).status_code == 200
    browser.get("/language?to=en")
    page = shown(browser.wait_for(path, 'class="bar mine'))
    assert script.lesson.end in page
    assert "lesson-step" not in page


def test_a_wrong_part_is_explained_before_the_move_is_whole_and_not_chosen(browser: Browser):
    path = begin(browser, *FIRST)
    step = scripts_of(games()[FIRST[0]])[FIRST[1]].steps[0]
    page = shown(browser.get(f"{path}?do=take+boosts&choice=random").text)
    assert step.later in page
    assert 'id="confirm"' not in page


def test_a_lesson_is_resumed_where_it_was_left_and_the_back_button_harms_nothing(browser: Browser):
    path = begin(browser, *FIRST)
    first = next(form for form in browser.page(path).moves)
    browser.post(first.action, first.data)
    steps = scripts_of(games()[FIRST[0]])[FIRST[1]].steps
    assert "Go on with the lesson" in browser.get("/").text
    assert steps[1].ask in shown(browser.wait_for(path, 'class="bar mine'))
    again = browser.post(first.action, first.data)  # of a page from before
    assert again.status_code == 200
    assert steps[1].ask in shown(again.text)


def test_who_leaves_a_lesson_plays_on_freely(browser: Browser, table_at: Callable[..., Any]):
    path = begin(browser, *FIRST)
    browser.post(f"{path}/lesson")
    page = browser.get(path).text
    assert "lesson-step" not in page
    assert " asked" not in page
    move = {"do": "take boosts", "choice": "random"}
    assert browser.post(f"{path}/moves", fields_of(move) | {"decision": "0"}).status_code == 200


def test_only_who_plays_a_lesson_can_leave_it(browser: Browser, new_browser: Callable[..., Any]):
    path = begin(browser, *FIRST)
    assert new_browser().post(f"{path}/lesson").status_code == 403
    assert "lesson-step" in browser.get(path).text


def test_lessons_are_offered_to_who_is_new_and_not_to_who_declined_or_has_played(
    new_browser: Callable[..., Any],
):
    offered = f'id="learn-{FIRST[0]}"'
    newcomer, player = new_browser(), new_browser()
    assert offered in newcomer.get("/").text
    assert "Learn by playing" in newcomer.get(f"/games/{FIRST[0]}/rules").text
    newcomer.get(f"/lessons/decline?game={FIRST[0]}")
    assert offered not in newcomer.get("/").text
    player.make_table(FIRST[0])
    page = player.get("/").text
    assert offered not in page
    assert json.dumps(FIRST[1]).strip('"') in page  # quietly, below the options


@pytest.mark.parametrize("form", [{"game": "cast-away", "lesson": "none"}, {"game": "none"}, {}])
def test_a_lesson_that_does_not_exist_is_refused_with_a_sentence(browser: Browser, form):
    answer = browser.post("/lessons", form)
    assert answer.status_code == 404
    assert "There is no such" in answer.text


def test_a_table_whose_moves_are_not_its_lessons_is_a_free_game(browser: Browser):
    """A bot played for the learner, or the lesson was changed meanwhile."""
    path = begin(browser, *FIRST)
    for seat in "10":
        browser.post(f"{path}/bots", {"seat": seat, "bot": "random"})
    browser.wait_for(path, "Round 2")
    browser.post(f"{path}/seats", {"seat": "0"})
    assert "lesson-step" not in browser.wait_for(path, 'class="bar mine')

"""Puzzles on the site: an answer is right or not, what was missed comes again, and that of the day is everybody's."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from atoll.core.catalogue import find_game
from atoll.core.records import read_records
from atoll.lab import analysis, judge
from atoll.lab.analysis import JudgedDecision, analyse
from atoll.lab.puzzles import LEVELS, ONE, SEVERAL
from atoll.web.live.analysing import encoded
from atoll.web.serving.site import Site
from atoll.web.store import store
from atoll.web.store.puzzle_answers import AGAIN, PuzzleAnswer
from atoll.web.table import daily
from atoll.web.table.move_choice import fields_of
from atoll.web.table.puzzles import (
    NumberedPuzzle,
    games_with_puzzles,
    level_of,
    puzzle_of_the_day,
    puzzles_of,
)
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record
from tests.web.conftest import Browser
from tests.web.test_undo import play_some

NewBrowser = Callable[..., Browser]
GAME = "costa-ruana"


def some_puzzle(kind: str, game: str = GAME) -> NumberedPuzzle:
    """The first of a kind."""
    return next(one for one in puzzles_of(find_game(game)) if one.puzzle.kind == kind)


def answer(browser: Browser, one: NumberedPuzzle, place: int) -> str:
    """Answer with the move at that place of the choices, the best first; returns the page."""
    move = one.puzzle.choices[place].move
    return str(browser.post(f"{one.address}/moves", {"decision": "0", **fields_of(move)}).text)


def test_each_game_ships_puzzles_that_are_solved_by_the_forms_of_their_pages(new_browser: NewBrowser) -> None:
    """The best move is among what the page offers; pressing it is right, and the page says why."""
    assert [game.name for game in games_with_puzzles()]
    for game in games_with_puzzles():
        browser, one = new_browser(), some_puzzle(ONE, game.name)
        page = browser.page(one.address)
        best = fields_of(one.puzzle.right[0])
        pressed = [form for form in page.moves if dict(form.fields).items() >= best.items()]
        if not pressed:  # a move of several parts, chosen one after another
            pressed = [
                form
                for form in browser.page(
                    f"{one.address}?{'&'.join(f'{k}={v}' for k, v in best.items())}"
                ).moves
                if dict(form.fields).items() >= best.items()
            ]
        answered = browser.post(pressed[0].action, pressed[0].data)
        assert answered.url.path == one.address
        assert "Right!" in answered.text
        assert "more games in 100 than with the next best move" in answered.text


def test_saying_that_several_are_fine_is_right_where_they_are_and_wrong_where_one_is_better(
    browser: Browser,
) -> None:
    """So is each of the fine moves; a move that is not possible is refused and changes nothing."""
    one, several = some_puzzle(ONE), some_puzzle(SEVERAL)
    assert browser.post(f"{one.address}/moves", {"do": "fly"}).status_code == 422
    assert "Several are fine" in browser.get(one.address).text
    assert "here one move is clearly better" in browser.post(f"{one.address}/moves", {"several": "yes"}).text
    answered = browser.post(f"{several.address}/moves", {"several": "yes"}).text
    assert "Right!" in answered
    assert "Several are fine, and ringed" in answered
    assert answered.count("is-right") >= 3
    assert browser.get("/puzzles/costa-ruana/99999").status_code == 404


def test_what_was_missed_comes_again_after_days_and_goes_with_the_rest_of_what_is_kept(
    browser: Browser, new_browser: NewBrowser, days: Callable[[int], None]
) -> None:
    one, passed = some_puzzle(ONE), 0
    assert "Not the best" in answer(browser, one, 1)
    assert "Not the best" in answer(browser, one, 0)  # too late: it is answered for today
    for wait in AGAIN:
        assert "Several are fine" not in browser.get(one.address).text
        passed += wait
        days(passed)
        assert browser.get(f"/puzzles/{GAME}", follow_redirects=False).headers["location"] == one.address
        assert "You missed this one before." in browser.get(one.address).text
        assert "Right!" in answer(browser, one, 0)
    days(passed + 1000)
    assert browser.get(f"/puzzles/{GAME}", follow_redirects=False).headers["location"] != one.address
    assert "1 puzzle solved" in browser.get("/history").text
    [kept] = browser.get("/history/export").json()["puzzles"]
    assert (kept["game"], kept["first_right"], kept["right"]) == (GAME, False, True)
    answer(new_browser(), one, 0)
    assert "players found it at the first try." in browser.get(one.address).text
    browser.post("/history/forget")
    assert browser.get("/history/export").json()["puzzles"] == []
    assert "Several are fine" in browser.get(one.address).text


def test_the_puzzle_of_the_day_is_the_same_for_everybody_and_another_the_next_days(
    browser: Browser, new_browser: NewBrowser, days: Callable[[int], None]
) -> None:
    of_days = set()
    for day in range(9):
        days(day)
        address = puzzle_of_the_day(find_game(GAME), daily.today()).address
        for one in (browser, new_browser()):
            assert f'id="puzzle-{GAME}" href="{address}"' in one.get("/").text
        of_days.add(address)
    assert len(of_days) > 2


def test_whoever_solves_most_of_a_level_goes_on_to_the_next() -> None:
    known = puzzles_of(find_game(GAME))
    easy = [one.name for one in known if one.puzzle.level == LEVELS[0]][:5]

    def after(*right: bool) -> str:
        tries = zip(easy, right, strict=False)
        return level_of(
            known, {name: PuzzleAnswer(GAME, name, {}, ok, ok, 0, None, store.now()) for name, ok in tries}
        )

    assert after(True, True) == after(False, True, False, False, True) == LEVELS[0]
    assert after(False, True, False, True, True) == LEVELS[1]


def test_errors_of_an_analysed_game_are_puzzles_of_who_made_them_alone(
    browser: Browser,
    new_browser: NewBrowser,
    table_at: Callable[[str], Table],
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What was played is wrong there, what the analysis holds for best is right, and what comes next is another one."""
    for name, value in {
        "CLASSES": (("fine", -9.0), ("blunder", 1.0)),
        "TOLD": 4,
        "ROUND": 16,
        "FEWEST": 2,
    }.items():
        monkeypatch.setattr(judge, name, value)
    monkeypatch.setattr(analysis, "LISTED", 1)
    other = new_browser()
    path = browser.make_table(GAME, players="2", seat1="friend")
    other.post(f"{path}/seats", {"seat": "1"})
    play_some(table_at(path), 10_000)
    assert "Have a finished game explained" in browser.get("/puzzles").text
    record = next(read_records(table_record(table_at(path), None).splitlines()))
    found = analyse(record, worlds=4)
    assert all(one.move in [choice.move for choice in one.choices] for one in found.decisions)
    mine = [with_sure_losses(one) for one in found.decisions if one.seat == 0][:2]
    kept_there = site.analysing.analyses
    kept_there.ask(path[1:], "me")
    assert kept_there.take(path[1:], "page", "me") is not None
    kept_there.finish(path[1:], "page", encoded(replace(found, decisions=mine)))
    assert browser.get("/puzzles/own").url.path.startswith(f"{path}/puzzles/")
    one = mine[0]
    address = f"{path}/puzzles/{one.number}"
    assert "From your own games" in browser.get(address).text
    for stranger in (other, new_browser()):
        assert stranger.get(address).status_code == 404
        assert stranger.post(f"{address}/moves", {"decision": "0", **fields_of(one.other)}).status_code == 404
    assert browser.get(f"{path}/puzzles/99999").status_code == 404
    wrong = browser.post(f"{address}/moves", {"decision": "0", **fields_of(one.move)}).text
    assert "Not the best" in wrong
    assert "In your game you chose another" in wrong
    [kept] = browser.get("/history/export").json()["puzzles"]
    assert (kept["puzzle"], kept["right"]) == (f"{path.removeprefix('/tables/')}-{one.number}", False)
    assert browser.get("/puzzles/own").url.path != address
    right = f"{path}/puzzles/{mine[1].number}"
    assert "Right!" in browser.post(f"{right}/moves", {"decision": "0", **fields_of(mine[1].other)}).text


def with_sure_losses(one: JudgedDecision) -> JudgedDecision:
    """The same decision, in which every move but the best surely costs something."""
    choices = [
        choice if choice.move == one.other else replace(choice, loss=0.2, low=0.1, high=0.3)
        for choice in one.choices
    ]
    return replace(one, choices=choices)

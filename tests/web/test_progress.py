"""What results say of somebody's play: the bots they beat, and whether they get better."""

import random
from datetime import UTC, datetime

import pytest

from atoll.web.pages.progress import change_of, courses, ladder, level_of, next_step
from atoll.web.store.history import Result
from tests.web.conftest import Browser


def result(won: bool, *against: str, game: str = "karuba") -> Result:
    """A game that was won or not."""
    players = 1 + len(against)
    return Result(
        "me",
        "t",
        datetime(2026, 1, 1, tzinfo=UTC),
        game,
        players,
        0,
        1 if won else 2,
        [3] * players,
        [*against],
    )


def test_a_game_counts_against_the_strongest_bot_where_only_bots_play() -> None:
    assert level_of(result(True, "bot: easy", "bot: hard", "bot: normal")) == "hard"
    assert level_of(result(True, "bot: easy", "bot: greedy")) == "easy"
    assert level_of(result(True, "bot: easy", "Anna")) is None
    assert level_of(result(True, "bot: greedy")) is None


def test_a_step_is_climbed_by_three_wins_in_five_games_and_stays() -> None:
    """However many games were lost later; the next is above the highest that is beaten."""

    def steps(won: str, level: str = "easy") -> list[bool]:
        latest_first = [result(one == "w", f"bot: {level}") for one in reversed(won)]
        return [step.beaten for step in ladder(latest_first)]

    for won, beaten in (("ww", 0), ("www", 1), ("wlwlw", 1), ("wllwlw", 0), ("wwwllllll", 1)):
        assert steps(won)[0] == bool(beaten), won
    assert next_step(ladder([])) == "easy"
    assert next_step(ladder(3 * [result(True, "bot: normal")])) == "hard"
    assert next_step(ladder(3 * [result(True, "bot: expert")])) is None


def test_whether_one_gets_better_is_told_as_far_as_games_can_tell() -> None:
    assert change_of([False] * 7) is None
    assert change_of([False] * 10 + [True] * 10) == 1
    assert change_of([True] * 10 + [False] * 10) == -1
    assert change_of([False, True] * 10) == 0
    chance = random.Random(1)
    same = [change_of([chance.random() < 0.5 for _ in range(20)]) for _ in range(400)]
    assert sum(change != 0 for change in same) < 0.05 * len(same), "chance alone is no progress"


def test_a_course_has_an_interval_after_each_game_and_is_of_one_kind_of_game() -> None:
    games = [result(True, "bot: easy"), *4 * [result(False, "bot: easy", "bot: easy")]]
    found = courses(games)
    assert [(one.key, len(one.shares)) for one in found] == [("karuba.3.easy", 4), ("karuba.2.easy", 1)]
    for one in found:
        assert all(share.low <= share.value <= share.high for share in one.shares)


@pytest.mark.parametrize("course", ["", "karuba.2.easy", "nonsense", "a.b.c"])
def test_the_page_is_drawn_whatever_course_is_asked_for(browser: Browser, course: str) -> None:
    assert browser.get(f"/history?course={course}").status_code == 200

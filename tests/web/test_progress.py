"""What results say of somebody's play: the bots they beat, and whether they get better."""

import random
import re
from collections.abc import Callable
from datetime import UTC, datetime

import msgspec
import pytest
from sqlalchemy import update

from atoll.core.records import read_records
from atoll.lab.analysis import analyse
from atoll.web.live.analysing import encoded
from atoll.web.pages.progress import (
    AnalysedGame,
    JudgedChoice,
    change_of,
    courses,
    ladder,
    level_of,
    next_step,
    parts_of_games,
)
from atoll.web.serving.site import Site
from atoll.web.store.engine import writing
from atoll.web.store.history import Result
from atoll.web.store.schema import analyses as stored
from atoll.web.table.table import Table
from atoll.web.table.table_record import table_record
from tests.web.conftest import Browser
from tests.web.test_undo import play_some


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


def choice(number: int, seat: int, effect: float, kind: str = "fine") -> JudgedChoice:
    """A decision of a game for two that changed so much of its seat's share."""
    effects = [effect, -effect] if seat == 0 else [-effect, effect]
    return JudgedChoice(number, seat, kind, effects, [0.0004, 0.0004])


def test_what_choices_were_worth_is_told_by_thirds_of_the_games_with_an_interval_and_for_ones_seat_alone() -> (
    None
):
    end = [msgspec.Raw()] * 10
    one = AnalysedGame(
        "karuba",
        end,
        [choice(0, 0, 0.1), choice(1, 1, 0.7), choice(3, 0, -0.2, "blunder"), choice(8, 0, 0.0)],
    )
    other = AnalysedGame("karuba", end, [choice(2, 1, 0.3)])
    lone = AnalysedGame("atlantis", end, [])
    [parts, none] = parts_of_games([(one, 0), (lone, 0), (other, 1)])
    assert (parts.game, parts.games, parts.choices, parts.slips) == ("karuba", 2, 4, 1)
    assert [third.value for third in parts.thirds] == pytest.approx([0.2, -0.1, 0.0])
    assert parts.whole.value == pytest.approx(0.1)
    halves = [(third.high - third.low) / 2 for third in (*parts.thirds, parts.whole)]
    assert halves == pytest.approx([1.96 * 0.02 * count**0.5 / 2 for count in (2, 1, 1, 4)], rel=1e-3)
    assert (none.game, none.choices, none.whole.value) == ("atlantis", 0, 0)


def test_my_games_tell_what_choices_cost_of_the_browsers_own_analysed_games(
    browser: Browser, new_browser: Callable[..., Browser], table_at: Callable[[str], Table], site: Site
) -> None:
    nothing = browser.get("/history").text
    assert "What your choices cost" not in nothing
    path = browser.make_table("costa-ruana", players="2", seat1="friend")
    other = new_browser()
    other.post(f"{path}/seats", {"seat": "1"})
    play_some(table_at(path), 10_000)
    html = browser.get("/history").text
    assert "None of your games has been analysed yet." in html
    assert f'href="{path}/analysis"' in html
    record = next(read_records(table_record(table_at(path), None).splitlines()))
    found = analyse(record, worlds=20)
    analyses = site.analysing.analyses
    analyses.ask(path[1:], "somebody")
    with writing(analyses.engine) as connection:
        connection.execute(update(stored).values(state="done", findings=encoded(found)))
    for seat, own in enumerate((browser, other)):
        html = own.get("/history").text
        assert f'href="{path}/analysis"' not in html
        choices = sum(one.seat == seat for one in found.decisions)
        slips = sum(one.seat == seat and one.kind != "fine" for one in found.decisions)
        assert f"Choices that surely cost something: {slips} of {choices}." in html
        shown = re.findall(r"<dd>([+−]\d+) ± ", html)[-1]  # in all, after the thirds
        worth = 100 * found.parts[seat].own.value
        assert int(shown.replace("−", "-")) == pytest.approx(
            worth, abs=0.5 + 1e-9
        )  # .5 is rounded either way
    assert "surely cost" not in new_browser().get("/history").text

"""Games of people: recorded games count as the same games that a report plays, people's seats alone, and what the
figures say beside those of bots.
"""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.core.records import Record, encode, read_records
from atoll.lab import counts
from atoll.lab.chunks import collect
from atoll.lab.estimates import share
from atoll.lab.figures import Provenance
from atoll.lab.people_games import PeopleGames, counted
from atoll.lab.played import Setup
from atoll.lab.recording import record_game
from atoll.lab.report_builder import empty, play_and_count, report
from atoll.lab.sections.findings import USE
from atoll.lab.sections.people import Feedback, FigureOfBoth, PeopleFigures, people_told, pictures
from atoll.text.translation import LANGUAGES, Translator
from tests.conftest import Run

ADVISED = (counts.RATED, counts.BEST)
ROUND_SUMS = [counts.DECIDED, counts.LEGAL, counts.CHOSEN, counts.CHOICE_LEGAL, counts.ROUND_GAMES]


def setup_of(name: str, players: int, bot: str = "random") -> Setup:
    game = find_game(name)
    parts = game.under(game.components(), {})
    return Setup(game, parts, players, [find_bot(bot)], 5, game.check_options({}))


def played_by(names: list[str], setup: Setup, number: int) -> Record:
    """A recorded game of a setup, as if these had played it."""
    (record,) = read_records(record_game(setup, number)[0].splitlines())
    record.header["players"] = names
    return record


@pytest.mark.parametrize(("name", "players"), [("karuba", 2), ("costa-ruana", 3), ("cast-away", 2)])
def test_a_recorded_game_counts_as_the_same_game_that_is_played(name: str, players: int):
    setup = setup_of(name, players)
    for number in range(2):
        ours, theirs = (
            counted(setup, played_by([*"ABCD"[:players]], setup, number)),
            collect(setup, number, 1),
        )
        columns = np.delete(np.arange(counts.USAGE_COLUMNS), ADVISED)
        assert (ours.usage[:, columns] == theirs.usage[:, columns]).all()
        assert (ours.rounds[:, ROUND_SUMS] == theirs.rounds[:, ROUND_SUMS]).all()
        for what in ("games", "round_points", "shares"):
            assert (getattr(ours, what) == getattr(theirs, what)).all(), what
        for what in ("lengths", "points", "winners", "beginners", "rounds", "endings"):
            assert (getattr(ours.played, what) == getattr(theirs.played, what)).all(), what


def test_of_a_table_with_bots_the_seats_of_people_alone_are_counted():
    """Two seats of a game, one of them a bot's: what each did adds up to what both did."""
    setup = setup_of("karuba", 2)
    record = played_by(["A", "B"], setup, 0)
    both = counted(setup, record).usage
    first, second = (counted(setup, record, [seat]).usage for seat in (1, 0))
    moves = [place for place, item in enumerate(PeopleGames(setup).items) if item.what == "move"]
    for column in (counts.A, counts.U, counts.W, counts.V, counts.OFFERS, counts.USES):
        assert (first[moves, column] + second[moves, column] == both[moves, column]).all()
    assert first[moves, counts.A].sum()
    assert second[moves, counts.A].sum()


def test_games_that_are_not_of_this_set_are_left_out_and_said():
    setup = setup_of("karuba", 2)
    people = PeopleGames(setup)
    people.add(played_by(["A", "bot: greedy"], setup, 0))
    people.add(played_by(["A", "B"], setup, 1))
    people.add(played_by(["bot: greedy", "bot: greedy"], setup, 0))
    people.add(played_by(["A", "B", "C"], setup_of("karuba", 3), 0))
    people.add(played_by(["A", "B", "C"], setup_of("costa-ruana", 3), 0))
    unfinished = played_by(["A", "B"], setup, 0)
    unfinished.result = None
    people.add(unfinished)
    other = played_by(["A", "B"], setup, 0)
    other.header["components"] = {"name": "another"}
    people.add(other)
    assert people.left_out == dict.fromkeys(("bots", "players", "game", "unfinished", "set"), 1)
    assert (people.with_people.games, people.between_people.games) == (2, 1)


def test_where_people_play_otherwise_than_bots_is_found_and_where_not_nothing_is():
    """Of `random` beside `greedy` most is apart; of `greedy` beside itself about what chance brings."""
    greedy = setup_of("karuba", 2, "greedy")
    totals = empty(greedy)
    play_and_count(greedy, 2000, totals)
    figures = report(greedy, totals)
    beside = {}
    for bot in ("greedy", "random"):
        other = dataclasses.replace(setup_of("karuba", 2, bot), seed=9)
        people = PeopleGames(greedy)
        for number in range(40):
            people.add(played_by(["A", "B"], other, number))
        beside[bot] = people.beside(figures, totals)
    same, unlike = beside["greedy"], beside["random"]
    assert len(same.figures) > 60
    chance = sum(one.apart for one in same.figures)
    assert chance <= 0.05 * len(same.figures)
    assert sum(one.apart for one in unlike.figures) > 0.15 * len(unlike.figures)
    largest = max(unlike.figures, key=lambda one: abs(one.gap))
    assert largest.apart
    assert "people" in people_told(unlike, Translator("en"))
    seen = next(one for one in unlike.things if one.thing.key == "move/lay/card/1")
    assert seen.used is not None
    assert 0.2 < seen.seen.low < seen.seen.high < 0.8


def figures(games: int, *, apart: bool = False, feedback: list[Feedback] | None = None) -> PeopleFigures:
    row = FigureOfBoth(USE, {"en": "<b>Lay</b>"}, 0, 2, share(10, 100), share(60, 100), "share", apart, 1.0)
    return PeopleFigures(games, games, {"bots": 3}, [row], [], feedback or [])


def test_few_games_say_plainly_that_they_are_too_few():
    told = people_told(figures(12), Translator("en"))
    assert "12 games: too few to tell." in told
    assert "Left out: 3 between bots alone." in told
    assert "60.0%" in people_told(figures(50, apart=True), Translator("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_said_is_shown_as_text(language: str):
    """Tags in an answer stay text on the page."""
    from atoll.lab.figures import FORMAT
    from atoll.lab.report import GameReport
    from atoll.lab.report_page import page

    about = Provenance("x", "X", 1, "set", "0" * 64, {}, 2, ["greedy"], 10, 1, "1")
    feedback = [Feedback(4, "<script>alert(1)</script>"), Feedback(2, ""), Feedback(None, "the ship")]
    html = page(GameReport(FORMAT, about, people=figures(50, apart=True, feedback=feedback)), language)
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "<b>Lay" not in html
    assert len(list(pictures(figures(50, feedback=feedback), Translator(language), about))) == 3


def test_the_command_puts_people_beside_bots(run: Run, tmp_path: Path):
    setup = setup_of("karuba", 2)
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(2):
        record = played_by(["Anna", "Ben"], setup, number)
        lines = [record.header, *record.decisions, record.result or {}]
        (folder / f"{number}.jsonl").write_text(encode(lines))
    usual = ("report", "karuba", "-p", "2", "--games", "200", "--seed", "1", "--deals", "0", "--seats", "0")
    quick = (*usual, "--findings", "0", "--json", str(tmp_path / "r.json"))
    code, told, _ = run(*quick, "--people", folder)
    assert code == 0
    assert "2 games: too few to tell." in told
    assert '"between_people": 2' in (tmp_path / "r.json").read_text()
    (folder / "2.jsonl").write_text("no record\n")
    code, _, wrong = run(*quick, "--people", folder)
    assert code == 2
    assert "2.jsonl: line 1: is not JSON" in wrong

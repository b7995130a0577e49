"""Tuning: a study finds what was hidden within the ranges, goes on where it stopped, and names what it misses."""

from pathlib import Path

import msgspec
import numpy as np
import optuna
import pytest

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.lab import tuning
from atoll.lab.aims import AimResult, Aims, AimsFile, Used, aim_results, ranges_of, read_aims
from atoll.lab.batches import Workers
from atoll.lab.differences_text import aim_tables
from atoll.lab.estimates import Estimate, share
from atoll.lab.items import named_items
from atoll.lab.report_builder import empty, play_and_count
from atoll.lab.sections.seats import figures as seat_figures
from atoll.text.errors import AtollError
from tests.conftest import Run

GAME = find_game("karuba")
WANTED = AimsFile({"game.rounds": (5, 8)}, Aims(rounds=(5.0, 5.0)), players=[2], games=100)


RANGE = '[ranges]\n"game.hand" = [2, 5]\n[aims]\n'
LEVEL = '{ bot = "greedy", against = "random", least = %d, most = %d }'


def asked(file: AimsFile = WANTED) -> tuning.TuningTask:
    return tuning.TuningTask(GAME, GAME.components(), file, (find_bot("greedy"),), 7)


def finished(
    journal: Path, trials: int, workers: Workers = 1
) -> tuple[dict[str, int], list[tuple[str, dict[str, int]]]]:
    """The best numbers, and the state and the numbers of every trial."""
    study = tuning.open_study(asked(), journal)
    best = tuning.tune(asked(), study, trials, workers)
    return best, [(trial.state.name, dict(trial.params)) for trial in study.trials]


def test_the_numbers_that_meet_the_aim_are_found_whatever_the_workers(tmp_path: Path):
    """Karuba takes `rounds` rounds: 5 of them is one of four values of the range."""
    best, trials = finished(tmp_path / "one", 16)
    assert best == {"game.rounds": 5}
    assert trials[0] == ("COMPLETE", {"game.rounds": GAME.components().data["game"]["rounds"]})
    assert finished(tmp_path / "three", 16, workers=3) == (best, trials)
    before, after = tuning.remeasure(asked(), best, times=1)
    assert [row.miss > 0 for row in (*before, *after)] == [True, False]


def test_what_cannot_come_nearer_than_the_best_is_given_up():
    """Eight rounds are known for sure after a fifth of the games; nothing that was played nears five."""
    assert tuning.assess(asked(), {"game.rounds": 8}, 1, best=1.0).pruned
    assert not tuning.assess(asked(), {"game.rounds": 8}, 1).pruned
    assert not tuning.assess(asked(), {"game.rounds": 5}, 1, best=0.5).pruned


def test_a_study_goes_on_where_it_stopped_and_keeps_its_seed(tmp_path: Path):
    journal = tmp_path / "journal"
    finished(journal, 4)
    again = tuning.open_study(asked(), journal)
    again.ask()  # a trial that was under way when the program ended
    _, trials = finished(journal, 8)
    assert tuning.seed_of(journal) == 7
    assert [state for state, _ in trials].count("FAIL") == 1
    assert len(trials) == 9


def test_two_tunings_do_not_add_to_one_journal(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The second would call the trials under way failed, which the first could then not tell of."""
    monkeypatch.chdir(tmp_path)
    Path("aims.toml").write_text("games = 100\n" + RANGE + "seats = 2\n")
    with tuning.only_one(Path("journal")):
        status, _, complaint = run(
            "tune", GAME.name, "--aims", "aims.toml", "--study", "journal", "--seed", 1
        )
    assert (status, complaint) == (2, "atoll: journal: another tuning is adding to this file now.\n")
    assert {path.name for path in tmp_path.iterdir()} == {"aims.toml", "journal"}


def test_a_journal_of_other_aims_is_not_mixed_in(tmp_path: Path):
    tuning.open_study(asked(), tmp_path / "journal")
    other = AimsFile({"game.rounds": (5, 8)}, Aims(rounds=(6.0, 6.0)), players=[2], games=100)
    with pytest.raises(AtollError, match="holds trials for other aims"):
        tuning.open_study(asked(other), tmp_path / "journal")


def test_a_journal_is_gone_on_with_by_its_own_seed_alone(tmp_path: Path):
    """All trials play the same deals, so that two differ by their numbers alone (docs/lab.md)."""
    finished(tmp_path / "journal", 4)
    other = tuning.TuningTask(GAME, GAME.components(), WANTED, (find_bot("greedy"),), 8)
    with pytest.raises(AtollError, match="with the seed 7 and not 8"):
        tuning.open_study(other, tmp_path / "journal")


@pytest.mark.parametrize("content", [b"[game]\nhand = 3\n", b"\xff\xfe\n", b"{}\n", b"\n"])
def test_another_file_named_as_journal_is_refused_and_stays_as_it_was(tmp_path: Path, content: bytes):
    """Bad input changes nothing, such as a components file that is named with --study and not with --components."""
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    for use in (tuning.seed_of, lambda journal: tuning.open_study(asked(), journal)):
        with pytest.raises(AtollError, match="holds no trials"):
            use(file)
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_named_as_journal_is_refused_by_its_name(tmp_path: Path):
    with pytest.raises(IsADirectoryError) as refused:
        tuning.seed_of(tmp_path)
    assert refused.value.filename == str(tmp_path)


def test_the_old_numbers_are_tried_first_though_they_lie_outside_the_ranges(tmp_path: Path):
    """And nothing is warned of: pytest makes an error of that."""
    beyond = msgspec.structs.replace(WANTED, ranges={"game.rounds": (4, 5)})
    study = tuning.open_study(asked(beyond), tmp_path / "journal")
    tuning.tune(asked(beyond), study, 2)
    assert [trial.params["game.rounds"] > 5 for trial in study.trials] == [True, False]


def test_numbers_that_do_not_go_together_are_refused_and_not_played():
    assert "hand" in tuning.assess(asked(), {"game.hand": 99}, 1).refused


def test_uses_are_counted_by_card_and_a_missed_aim_is_named():
    played = asked().setup(GAME.components(), 2, 7)
    totals, told = empty(played), named_items(GAME, GAME.components())
    play_and_count(played, 100, totals)
    rows = aim_results(Aims(used=[Used("move/discard/card", 99.9)], seats=100.0), played, totals, told)
    missed = [row for row in rows if row.miss]
    assert len(rows) == 1 + len(GAME.components().data["cards"])
    assert missed
    assert not rows[0].miss
    assert all(0 <= row.value.low <= row.value.value <= row.value.high <= 2 for row in rows[1:])
    assert all(row.value.high > 0 for row in rows[1:])
    said = aim_tables(GAME.components().data, {"game.hand": 3}, rows, rows)
    assert said[-2] == f"{len(rows) - len(missed)} of {len(rows)} aims are met."
    assert "with a chance of 0.0%" in str(said[-1])
    with pytest.raises(AtollError, match="begins with “move/fly”"):
        aim_results(Aims(used=[Used("move/fly", 5.0)]), played, totals, told)


def test_seats_that_chance_alone_puts_apart_meet_the_aim():
    """Karuba is played simultaneously: no seat is better, though in 400 games they differ by more than 5 points."""
    played = asked().setup(GAME.components(), 4, 7)
    totals = empty(played)
    play_and_count(played, 400, totals)
    (row,) = aim_results(Aims(seats=3.0), played, totals, named_items(GAME, GAME.components()))
    (table,) = seat_figures(totals, ["greedy"]).tables
    assert table.largest_difference.value > 0.05
    assert row.miss == 0 < row.most_miss


def test_a_miss_is_measured_in_its_scale_and_its_least_by_the_interval():
    row = AimResult("seats", 2, 0.0, 0.02, Estimate(0.06, 0.03, 0.09, 100), 0.02)
    assert row.miss == pytest.approx(2)
    assert row.least_miss == pytest.approx(0.5)
    assert row.most_miss == pytest.approx(3.5)


@pytest.mark.parametrize("times", [1, 4])
def test_the_chance_to_meet_an_aim_by_luck_is_how_often_games_show_it_met(times: int):
    """Shares of 400 games whose true value is .5, wanted from .52 to .6; and one that must only not be above .47."""
    shares = np.random.default_rng(3).binomial(400 * times, 0.5, 20_000) / (400 * times)
    value = share(200, 400)
    between = AimResult("level", 2, 0.52, 0.6, value, 1.0)
    below = AimResult("seats", 2, 0.0, 0.47, value, 1.0)
    assert between.luck(times) == pytest.approx(((shares >= 0.52) & (shares <= 0.6)).mean(), abs=0.03)
    assert below.luck(times) == pytest.approx((shares <= 0.47).mean(), abs=0.02)
    assert AimResult("rounds", 2, 5.0, 8.0, Estimate(7.0, 7.0, 7.0, 9), 1.0).luck() == 1.0


def study_of(*trials: tuple[float, float]) -> optuna.Study:
    """A study of trials: each how far it was from the aims, and how unsure that is."""
    study = optuna.create_study()
    for miss, error in trials:
        study.add_trial(optuna.trial.create_trial(value=miss, user_attrs={"error": error}))
    return study


def test_a_search_ends_once_more_trials_would_not_change_what_it_advises():
    far, near, unsure = (2.0, 0.1), (0.05, 0.1), (0.5, 0.1)
    assert tuning.ended(study_of(*[far] * 6, near)) == ""  # too few
    assert tuning.ended(study_of(*[far] * 7, near)) == tuning.MET
    assert tuning.ended(study_of(*[far] * 7, unsure)) == ""
    waited = [far] * tuning.PATIENCE
    assert tuning.ended(study_of(*waited)) == ""
    assert tuning.ended(study_of(*waited, far)) == tuning.STILL
    assert (
        tuning.ended(study_of(*waited, (1.95, 0.1), far)) == tuning.STILL
    )  # nearer by less than chance makes
    assert tuning.ended(study_of(*waited, (1.0, 0.1), far)) == ""


def test_a_tuning_tells_how_it_ended_what_luck_does_and_what_to_print_again(run: Run, tmp_path: Path):
    aims = tmp_path / "aims.toml"
    aims.write_text('players = [2]\ngames = 100\n[ranges]\n"game.rounds" = [5, 8]\n[aims]\nrounds = [5, 5]\n')
    to, journal = tmp_path / "new.toml", tmp_path / "journal"
    code, told, _ = run(
        *("tune", "karuba", "--aims", aims, "--trials", "60", "--seed", "7", "--workers", "1"),
        *("--study", journal, "-o", to, "--check", "1"),
    )
    assert code == 0
    assert "The search ended: the best numbers cannot be told from ones that meet all aims." in told
    assert "in at least one of 8 trials with 0.0%" in " ".join(told.split())
    assert f"atoll print karuba --components {to} --changes-from" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[ranges]\n"game.hand" = [2, 5]\n[aims]\nlenght = 3\n', "lenght"),
        ('[ranges]\n"game.hand" = [2, 5]\n[aims]\n', r"\[aims\] has none"),
        ("[ranges]\n[aims]\nseats = 2\n", "names no number"),
        ('games = 5\n[ranges]\n"game.hand" = [2, 5]\n[aims]\nseats = 2\n', "fewer than 100"),
        ("[ranges\n", "aims.toml: is not a TOML file: line 1"),
        ('[ranges]\n"game.hand" = [2.5, 5]\n[aims]\n', r"ranges\[...\]\[0\]: must be a whole number$"),
        ('[ranges]\n"game.hand" = 3\n[aims]\n', r"ranges\[...\]: must be a list of 2 entries$"),
        (RANGE + "rounds = [13, 11]\n", "rounds is wanted from 13 to 11"),
        (
            RANGE + "rounds = [-1, 11]\n",
            r"aims.rounds\[0\]: must be a number above 0, at most 1000000000, not -1$",
        ),
        (RANGE + "seats = -3\n", "aims.seats: must be a "),
        (RANGE + "seats = nan\n", "aims.seats: must be a "),
        (RANGE + "first_action = 0\n", "aims.first_action: must be a "),
        (RANGE + 'used = [{ moves = "move/discard", least = 500 }]\n', "least"),
        (RANGE + "levels = [" + LEVEL % (70, 60) + "]\n", "the level of greedy is wanted from 70 to 60"),
        (RANGE + "levels = [" + LEVEL % (70, 160) + "]\n", "most"),
    ],
)
def test_what_is_wrong_with_an_aims_file_is_said(tmp_path: Path, text: str, told: str):
    file = tmp_path / "aims.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(AtollError, match=told):
        read_aims(file)


def test_a_part_that_the_file_leaves_out_has_numbers_too():
    """Cast Away's prestige at the start: what is proposed leaves it out, as before, where it gives none."""
    game = find_game("cast-away")
    file = AimsFile({"start_prestige.three[*]": (0, 3)}, Aims(seats=3.0))
    question = tuning.TuningTask(game, game.components(), file, (find_bot("greedy"),), 7)
    paths = [f"start_prestige.three[{seat}]" for seat in range(3)]
    assert list(question.ranges) == paths
    assert question.changed(dict.fromkeys(paths, 0)).data == game.components().data
    proposed = question.changed({paths[0]: 2})
    assert proposed.parts[0]["start_prestige"][3].tolist() == [2, 0, 0, 0]


def test_ranges_name_numbers_of_the_file_and_all_of_a_list():
    components, cards = GAME.components(), GAME.components().data["cards"]
    file = AimsFile({"cards[*].nuggets": (0, 3)}, Aims(seats=2.0))
    assert list(ranges_of(file, components)) == [
        f"cards[{place}].nuggets" for place, card in enumerate(cards) if "nuggets" in card
    ]
    for ranges, told in (
        ({"game.hands": (1, 3)}, "no number at game.hands"),
        ({"game.hand": (3, 3)}, "from less to more"),
        ({"game.source": (1, 3)}, "no number at game.source"),
    ):
        with pytest.raises(AtollError, match=told):
            ranges_of(AimsFile(ranges, Aims(seats=2.0)), components)

"""The benchmark: what is pinned, who can be measured, and figures that depend on nothing but the policy."""

import dataclasses
import math
import shlex
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from atoll.benchmark import BUDGETS, Results, Task, named_policy, run_task, table, tasks
from atoll.benchmark.results import Meeting, Score, returns_of
from atoll.text.errors import AtollError
from tests.conftest import Run

TASKS = tasks()
QUICK = TASKS["karuba-2"]
POLICIES = """
import numpy as np

def last(seen):
    seen["observation"][:] = 0  # its own copy
    return np.flatnonzero(seen["action_mask"])[-1]

def wrong(seen):
    return np.flatnonzero(seen["action_mask"] == 0)[0]

class Sampling:
    form = "bytes"

    def __init__(self, *, game, players, seat, seed):
        self.chance = np.random.default_rng(seed)

    def __call__(self, seen):
        assert seen["observation"].dtype == np.int8
        return self.chance.choice(np.flatnonzero(seen["action_mask"]))
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["say"] == "hello":
        print(json.dumps({"say": "ready"}), flush=True)
    if said["say"] == "move":
        print(json.dumps({"id": said["id"], "move": said["legal"][-1]}), flush=True)
"""


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    file = tmp_path / "policies.py"
    file.write_text(POLICIES)
    return file


def meeting_of(
    policy: str, task: Task = QUICK, opponent: str = "greedy", deals: int = 4, workers: int = 1
) -> Meeting:
    with named_policy(policy, task.game, task.players) as bot:
        return run_task(task, opponent, bot, deals, workers)


# What is pinned


def test_the_tasks_are_three_games_for_two_and_for_four() -> None:
    assert [*TASKS] == [
        f"{game}-{players}" for game in ("cast-away", "costa-ruana", "karuba") for players in (2, 4)
    ]
    usual = ("greedy", "search:250", "trained")
    assert {task.opponents for task in TASKS.values() if task.game.name == "karuba"} == {usual}
    assert {task.opponents for task in TASKS.values() if task.game.name != "karuba"} == {
        (*usual, "exploiter")
    }
    assert len({task.pinned.seed for task in TASKS.values()}) == len(TASKS)
    assert all(len(set(task.pinned.opponents.values())) >= 3 for task in TASKS.values()), "told apart"


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_deals_and_opponents_are_those_that_are_pinned(task: Task) -> None:
    """Whoever fails this has changed what figures mean: raise the version, and pin anew what `Task.found` gives."""
    task.check()


def test_the_exploiter_beats_the_trained_player() -> None:
    shares = meeting_of("trained", TASKS["cast-away-2"], "exploiter", deals=15).shares
    assert np.mean(shares) < 0.45


def test_what_is_not_as_it_is_pinned_is_not_played() -> None:
    changed = msgspec.structs.replace(
        QUICK.pinned,
        seed=1 << 40,
        sha256="0" * 64,
        opponents={**QUICK.pinned.opponents, "greedy": QUICK.pinned.opponents["trained"]},
    )
    with pytest.raises(
        AtollError, match=r"^karuba-2: components, deals, greedy.* are not those of Atoll-3 version 1"
    ):
        dataclasses.replace(QUICK, pinned=changed).check()


# Who is measured


def test_figures_are_the_same_to_the_digit_on_any_number_of_cores(policies: Path) -> None:
    def figures(workers: int) -> tuple[list[list[float]], str]:
        met = [
            meeting_of(f"{policies}:Sampling", task, opponent, 3, workers)
            for task in (QUICK, TASKS["karuba-4"])
            for opponent in ("greedy", "trained")
        ]
        return [one.shares for one in met], table([Results("own", 0, 3, met)], [*TASKS.values()])

    once = figures(1)
    assert once == figures(4)
    assert len(once[0][0]) == 3


def test_policies_in_python_programs_and_files_of_weights_are_measured_alike(
    policies: Path, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    python = meeting_of(f"{policies}:last", opponent="greedy")
    command = meeting_of(f"cmd:{shlex.join([sys.executable, str(program)])}", opponent="greedy")
    assert (python.shares, python.games, command.forfeits) == (command.shares, 8, {})
    weights = tmp_path / "karuba.npz"
    weights.write_bytes((QUICK.game.folder / "trained.npz").read_bytes())
    shipped = meeting_of("trained").shares
    assert meeting_of(f"{tmp_path}/{{game}}.npz").shares == shipped
    assert np.mean(shipped) > np.mean(python.shares)
    assert meeting_of("trained", opponent="trained").shares == [0.5] * 4


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ("{file}:wrong", "which is no action that the mask allows"),
        ("{file}:nothing", "has no nothing that can be called"),
        ("{file}:last:runs/a.pt", "last is no class, so it takes no text"),
        ("{file}.py:last", "there is no file"),
        ("no_such_module:last", "there is no module no_such_module here"),
        ("nobody", "there is no bot called"),
        ("greedy,random", "one policy is measured, not 2"),
    ],
)
def test_what_cannot_be_measured_is_told(policy: str, told: str, policies: Path) -> None:
    with pytest.raises(AtollError, match=told):
        meeting_of(policy.replace("{file}", str(policies)))


# What counts


def met(players: int, *shares: float) -> Meeting:
    return Meeting("task", players, "greedy", [*shares], len(shares), {}, 0.0)


def test_a_return_is_the_environments_and_intervals_are_of_deals() -> None:
    assert returns_of(met(4, 1.0, 0.25, 0.0)).tolist() == pytest.approx([1, 0, -1 / 3])
    assert Score.of([met(2, 1.0, 0.0), met(2, 0.5, 0.0)]).value == pytest.approx(-0.25)
    coin = Score.of([met(2, *[0.5, 1.0] * 200)])
    score = Score.mean([coin, Score.of([met(2, *[1.0] * 400)])])
    assert score.value == 0.75
    assert score.half == pytest.approx(1.966 * math.sqrt(0.25 / 399) / 2, rel=1e-3)
    assert str(score) == "+0.750 ± 0.025"
    learnt = [Results("own", decisions, 2).budget for decisions in (0, *BUDGETS.values(), 2 * 10**9)]
    assert learnt == ["-", "Atoll-10M", "Atoll-1B", "more"]


def test_opponents_met_in_the_same_deals_are_not_independent() -> None:
    """The variance is that of the mean over opponents, also where one was met in the first deals alone."""
    rng = np.random.default_rng(1)
    scores = []
    for _ in range(2000):
        deal = rng.normal(size=30)
        quick, slow = deal + rng.normal(size=30), deal[:6] + 2 * rng.normal(size=6)
        scores.append(Score.of([met(2, *quick), met(2, *slow)]))
    seen = np.var([score.value for score in scores])
    assert np.mean([score.variance for score in scores]) == pytest.approx(seen, rel=0.07)
    assert scores[0].deals == 6


def test_a_whole_run_meets_those_who_search_in_fewer_deals() -> None:
    assert [TASKS["cast-away-4"].deals(name) for name in TASKS["cast-away-4"].opponents] == [
        200,
        20,
        200,
        200,
    ]


def test_a_run_goes_on_where_it_stopped_and_its_files_make_a_table(run: Run, tmp_path: Path) -> None:
    own, other, asked = (tmp_path / name for name in ("own.json", "other.json", "asked.json"))
    quick = ["--task", "karuba-2", "--deals", 3]
    assert run("benchmark", "run", "random", *quick, "--opponent", "greedy", "--out", own)[0] == 0
    status, said, _ = run("benchmark", "run", "random", *quick, "--opponent", "greedy,trained", "--out", own)
    assert (status, said.count("karuba-2")) == (0, 1)
    assert [one.opponent for one in Results.read(own).meetings] == ["greedy", "trained"]
    assert (
        run("benchmark", "run", "greedy", *quick, "--opponent", "greedy", "--learnt", 5, "--out", other)[0]
        == 0
    )
    status, said, _ = run("benchmark", "table", own, other)
    assert (status, said.splitlines()[3]) == (
        0,
        "| `greedy` | Atoll-10M | karuba-2 | 3 | 50.0 (itself) |  |  |",
    )
    status, _, told = run("benchmark", "run", "greedy", *quick, "--out", own)
    assert (status, "holds another run, with policy 'random' and not 'greedy'" in told) == (2, True)
    asked.write_text(own.read_text().replace('"version": 1', '"version": 2'))
    status, _, told = run("benchmark", "table", asked)
    assert (status, "is of Atoll-3 version 2" in told) == (2, True)
    assert "there are: cast-away-2" in run("benchmark", "run", "greedy", "--task", "chess", "--out", asked)[2]
    assert "opponents are: greedy" in run("benchmark", "run", "greedy", "--opponent", "me", "--out", asked)[2]

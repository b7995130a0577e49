"""Searching numbers of a components file for stated aims: a study of Optuna, in a journal that can be gone on with.

Every trial plays the same deals, so that two differ by their numbers alone. A trial is given up (pruned) as soon as
even the best values of its intervals are further from the aims than the best trial so far. Trials are asked for a batch
at a time and told in order, so the result does not hang on the number of workers.
"""

import hashlib
import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
import optuna
from optuna.distributions import BaseDistribution, IntDistribution
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import TrialState

from atoll.bots.bot import Bot
from atoll.bots.catalogue import find_bot
from atoll.core.entries import shortened, value_at, with_value
from atoll.core.game import Game
from atoll.core.types import Components, Json
from atoll.engine.chance import derive
from atoll.engine.stopping import check_stop
from atoll.lab import report_builder
from atoll.lab.aims import LEVELS_SCALE, AimResult, AimsFile, Level, aim_results, left_out, ranges_of, whole
from atoll.lab.arena import Match, MatchGames, play_match
from atoll.lab.batches import Workers, in_order
from atoll.lab.chunks import collect
from atoll.lab.estimates import Estimate
from atoll.lab.items import named_items
from atoll.lab.played import Setup
from atoll.lab.rating_table import bot_shares
from atoll.lab.ratings import share_estimate
from atoll.lab.simulate import chunk_size
from atoll.text.errors import AtollError
from atoll.text.files import open_file, take_alone
from atoll.text.messages import Message

BATCH = 4
"""Trials that are asked for together."""
FEWEST_TRIALS = 8
"""Before so many trials a search does not end by itself."""
PATIENCE = 32
"""Trials without one that is nearer by more than chance makes, after which none is expected."""
MET, STILL = "met", "still"
"""Why a search ends before its last trial."""
STEPS = 5
"""Parts of a trial's games; after each it may be given up."""
LONGEST_LINE = 100_000
"""Bytes of a journal's first line."""
FRESH, LEVELS_SEED = 31, 32
"""Steps by which seeds differ: the deals of the last measurement, and those of the matches between levels."""


@dataclass(frozen=True)
class TuningTask:
    """What is tuned: `ranges` by path, of the numbers of `components`."""

    game: Game
    components: Components
    file: AimsFile
    bots: tuple[Bot, ...]
    seed: int

    @property
    def ranges(self) -> dict[str, tuple[int, int]]:
        """Each number's range by its path."""
        return ranges_of(self.file, self.components)

    @property
    def players(self) -> list[int]:
        """The numbers of players that games are played with."""
        return self.file.players or [self.game.default_players]

    def changed(self, numbers: Mapping[str, int]) -> Components:
        """The components with these numbers; raises ComponentError if they do not go together."""
        data: Json = deepcopy(whole(self.components))
        for path, number in numbers.items():
            data = with_value(data, path, number)
        data = shortened(data, left_out(self.components))
        return self.game.components_from(str(data["name"]), data)

    def setup(self, components: Components, players: int, seed: int) -> Setup:
        """Games with some components."""
        return Setup(self.game, components, players, self.bots, seed)


class FirstLine(msgspec.Struct):
    """What a journal begins with: a line of Optuna's."""

    op_code: int
    worker_id: str


class Assessment(NamedTuple):
    """How far a trial is from each aim, and whether it was given up before its end."""

    rows: list[AimResult]
    pruned: bool = False
    refused: str = ""
    """why the numbers do not go together"""

    @property
    def miss(self) -> float:
        """How far it is from all aims together."""
        return sum(row.miss for row in self.rows)

    @property
    def error(self) -> float:
        """The standard error of that, its aims taken as independent."""
        return math.hypot(*(row.error for row in self.rows))


@contextmanager
def only_one(journal: Path) -> Iterator[None]:
    """Nobody else adds to a journal meanwhile; raises AtollError if somebody does."""
    with journal.open("ab") as file:
        take_alone(file, Message("%(file)s: another tuning is adding to this file now", file=journal))
        yield


def open_study(task: TuningTask, journal: Path) -> optuna.Study:
    """The study of a task in a journal, begun or gone on with; raises AtollError if the journal has another."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    parts = (
        *(task.game.name, task.game.rules_version, task.components.sha256),
        msgspec.json.encode(task.file).decode(),
    )
    name = hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]
    storage = _storage(journal)
    names = [study.study_name for study in storage.get_all_studies()]
    if names and name not in names:
        raise AtollError(
            Message(
                "%(file)s holds trials for other aims, ranges or components; name another with --study, or delete it",
                file=journal,
            )
        )
    study = optuna.create_study(storage=storage, study_name=name, load_if_exists=True)
    for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        study.tell(trial.number, state=TrialState.FAIL)
    if study.trials and study.user_attrs.get("seed") != task.seed:
        raise AtollError(
            Message(
                "%(file)s holds trials with the seed %(found)s and not %(wanted)s; leave the seed away, or name "
                "another file with --study",
                file=journal,
                found=study.user_attrs.get("seed"),
                wanted=task.seed,
            )
        )
    if not study.trials:
        study.set_user_attr("seed", task.seed)
        study.enqueue_trial({path: value_at(whole(task.components), path) for path in task.ranges})
    return study


def _storage(journal: Path) -> JournalStorage:
    """What keeps trials in a journal; raises AtollError, and changes nothing, if the file is something else."""
    try:
        if journal.exists():
            with open_file(journal) as file:
                first = file.readline(LONGEST_LINE)
            if first:
                msgspec.json.decode(first, type=FirstLine)
        return JournalStorage(JournalFileBackend(str(journal)))
    except (ValueError, KeyError):
        raise AtollError(
            Message("%(file)s: holds no trials; name another file with --study", file=journal)
        ) from None


def seed_of(journal: Path) -> int | None:
    """The seed of the study in a journal, if there is one."""
    if not journal.exists():
        return None
    studies = _storage(journal).get_all_studies()
    return next((int(study.user_attrs["seed"]) for study in studies if "seed" in study.user_attrs), None)


def trials_done(study: optuna.Study) -> int:
    """Trials that came to an end, refused ones counted."""
    return sum(
        trial.state in (TrialState.COMPLETE, TrialState.PRUNED) or "refused" in trial.user_attrs
        for trial in study.get_trials(deepcopy=False)
    )


def ended(study: optuna.Study) -> str:
    """Why more trials would not change the advice; empty if they may.

    Met: no trial can be nearer than 0, so the best possible is better by its distance at most, and that is no more than
    its games leave unsure (A. Makarova and others, "Automatic Termination for Hyperparameter Optimization", 2022).
    Still: for PATIENCE trials none was nearer by more than that (L. Prechelt, "Early Stopping – But When?", 1998).
    """
    if trials_done(study) < FEWEST_TRIALS:
        return ""
    reached, since, error = math.inf, 0, 0.0
    for trial in study.get_trials(deepcopy=False):
        since += trial.state in (TrialState.COMPLETE, TrialState.PRUNED) or "refused" in trial.user_attrs
        if trial.state == TrialState.COMPLETE and trial.value is not None and trial.value < reached:
            if trial.value < reached - error:
                since = 0
            reached, error = trial.value, float(trial.user_attrs.get("error", 0.0))
    if reached <= error:
        return MET
    return STILL if since >= PATIENCE else ""


def tune(
    task: TuningTask,
    study: optuna.Study,
    trials: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, int]:
    """Try numbers until the study has so many trials, or has `ended`; returns the best. Calls `progress` with the
    number just tried.
    """
    distributions: dict[str, BaseDistribution] = {
        path: IntDistribution(*limits) for path, limits in task.ranges.items()
    }
    for players in task.players:
        report_builder.prepare(task.setup(task.components, players, 0))
    while (count := trials_done(study)) < trials and not ended(study):
        complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        best = min((trial.value for trial in complete if trial.value is not None), default=float("inf"))
        study.sampler = optuna.samplers.TPESampler(
            seed=derive(task.seed, len(study.trials)) & 0xFFFFFFFF, constant_liar=True
        )
        with warnings.catch_warnings():  # the old numbers may lie outside the ranges
            warnings.simplefilter("ignore", UserWarning)
            batch = [study.ask(distributions) for _ in range(min(BATCH, trials - count))]
        work = [partial(assess, task, dict(trial.params), task.seed, best) for trial in batch]
        for trial, assessment in zip(batch, in_order(work, workers), strict=True):
            if assessment.refused:
                trial.set_user_attr("refused", assessment.refused)
                study.tell(trial, state=TrialState.FAIL)
            elif assessment.pruned:
                trial.report(assessment.miss, 0)
                study.tell(trial, state=TrialState.PRUNED)
            else:
                trial.set_user_attr("error", assessment.error)
                study.tell(trial, assessment.miss)
            progress(1)
    if not study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,)):
        raise AtollError(Message("no numbers within these ranges go together; give wider ones"))
    return {path: int(number) for path, number in study.best_params.items()}


def assess(
    task: TuningTask, numbers: Mapping[str, int], seed: int, best: float = float("inf"), times: int = 1
) -> Assessment:
    """How far the components with these numbers are from the aims, over the file's number of games, `times` so many;
    given up once it cannot come nearer than `best`.
    """
    try:
        components = task.changed(numbers)
    except AtollError as error:
        return Assessment([], refused=str(error))
    items = named_items(task.game, components)
    tables = [task.setup(components, players, seed) for players in task.players]
    totals = [report_builder.empty(setup) for setup in tables]
    rows: list[AimResult] = []
    for step in range(1, STEPS + 1):
        rows = []
        for setup, own in zip(tables, totals, strict=True):
            games, size = task.file.games * times * step // STEPS, chunk_size(setup)
            while own.games < games:
                check_stop()
                report_builder.add(own, collect(setup, own.games, min(size, games - own.games)))
            rows += aim_results(task.file.aims, setup, own, items)
        if sum(row.least_miss for row in rows) > best:
            return Assessment(rows, pruned=True)
    rows += [_level(task, components, level, seed) for level in task.file.aims.levels]
    return Assessment(rows)


def _level(task: TuningTask, components: Components, level: Level, seed: int) -> AimResult:
    game = task.game
    players = 2 if 2 in game.seats else task.players[0]
    match = Match(
        game, components, players, [find_bot(level.bot), find_bot(level.against)], derive(seed, LEVELS_SEED)
    )
    results = MatchGames(match)
    play_match(match, match.deals(level.games), results)
    win = share_estimate(bot_shares(match, results.whole_deals(), 0) * players / 2)
    share = Estimate(win.value, win.low, win.high, len(results))
    return AimResult(
        f"{level.bot} : {level.against}", players, level.least / 100, level.most / 100, share, LEVELS_SCALE
    )


def remeasure(
    task: TuningTask, numbers: Mapping[str, int], times: int, workers: Workers = 2
) -> tuple[list[AimResult], list[AimResult]]:
    """How far the old numbers and the proposed ones are from the aims, on deals that no trial played."""
    seed = derive(task.seed, FRESH)
    work = [partial(assess, task, some, seed, times=times) for some in ({}, numbers)]
    before, after = in_order(work, workers)
    return before.rows, after.rows

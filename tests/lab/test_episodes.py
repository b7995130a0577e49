"""Offline data: what is written is what was played, and a learner learns from it by the lines of the docs."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from minari import MinariDataset

from atoll.bots import find_bot
from atoll.core.action_encoding import Actions
from atoll.core.catalogue import find_game
from atoll.core.observation import Observation
from atoll.lab.episodes import probability_of
from tests.conftest import Run

GAME = find_game("karuba")
DOCS = Path(__file__).parents[2] / "docs" / "benchmark.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data") / "karuba-offline"


@pytest.fixture
def written(run: Run, folder: Path) -> MinariDataset:
    if not folder.exists():
        arguments = [
            "--games",
            40,
            "--players",
            2,
            "--bots",
            "random,greedy,trained",
            "--seed",
            1,
            "--out",
            folder,
        ]
        status, said, _ = run("dataset", "karuba", *arguments)
        assert (status, said.replace("\n", " ").startswith("80 episodes with 1,9")) == (0, True), said
    return MinariDataset(folder)


def test_episodes_are_the_games_replayed(written: MinariDataset, folder: Path) -> None:
    """Every observation, mask and return follows from the deal and the actions alone."""
    observation, actions = Observation(GAME, 2), Actions(GAME, 2)
    about = list(written.storage.get_episode_metadata(range(80)))
    assert {one["bot"] for one in about} == {"random", "greedy", "trained"}
    for first in range(0, 20, 2):
        episodes = [written[first], written[first + 1]]
        assert [one["seat"] for one in about[first : first + 2]] == [0, 1]
        position = GAME.start(2, int(about[first]["deal"]))
        at = [0, 0]
        while position.outcome is None:
            seat = position.to_act[0]
            seen, step = episodes[seat].observations, at[seat]
            assert (seen["observation"][step] == observation.of(position, seat)).all()
            action = int(actions.codes[seat, episodes[seat].actions[step]])
            legal = position.legal_moves(seat).actions
            assert sorted(actions.codes[seat, np.flatnonzero(seen["action_mask"][step])]) == legal.tolist()
            position.play_action(seat, action)
            at[seat] += 1
        for seat, episode in enumerate(episodes):
            assert at[seat] == len(episode) == len(episode.infos["probability"]) - 1
            assert (episode.observations["observation"][-1] == observation.of(position, seat)).all()
            won = seat in position.outcome.winners
            assert episode.rewards[-1] == (2 * won / len(position.outcome.winners) - 1)
            assert not episode.rewards[:-1].any()
            assert [*episode.terminations] == [False] * (len(episode) - 1) + [True]
    assert len(list(folder.glob("*/*.parquet"))) == 80


def test_the_behaviour_policys_probability_is_that_of_many_seeds_or_not_said(written: MinariDataset) -> None:
    about = list(written.storage.get_episode_metadata(range(80)))
    for one, episode in zip(about, written, strict=True):
        chances, choices = (
            episode.infos["probability"][:-1],
            episode.observations["action_mask"][:-1].sum(axis=1),
        )
        free = choices > 1
        assert (chances[~free] == 1).all()
        if one["bot"] == "random":
            assert chances == pytest.approx(1 / choices)
        assert np.isnan(chances[free]).all() == (one["bot"] == "trained")
    greedy = find_bot("greedy")
    tied = 0
    for seed in range(30):
        view = GAME.start(2, seed).view(0)
        legal = view.legal_moves().actions
        taken = [greedy.choose(view, draw) for draw in range(60)]
        told = {action: probability_of(greedy, view, legal, action) for action in legal.tolist()}
        assert sum(told.values()) == pytest.approx(1)
        assert set(taken) == {action for action, chance in told.items() if chance}
        tied += len(set(taken)) > 1
    assert tied


def test_games_depend_on_seed_and_number_alone(written: MinariDataset, tmp_path: Path, run: Run) -> None:
    again = tmp_path / "again"
    arguments = ["--games", 3, "--players", 2, "--bots", "random,greedy,trained", "--seed", 1]
    assert run("dataset", "karuba", *arguments, "--workers", 3, "--out", again)[0] == 0
    for one, other in zip(MinariDataset(again), written, strict=False):
        assert (one.actions == other.actions).all()
        assert (one.observations["observation"] == other.observations["observation"]).all()
    status, _, told = run("dataset", "karuba", *arguments, "--out", again)
    assert (status, "is there already" in told) == (2, True)


def test_the_docs_learner_learns_from_what_was_written(
    written: MinariDataset, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behaviour cloning, as the page has it: the moves of those who won are likelier than chance would have them."""
    monkeypatch.chdir(folder.parent)
    torch.set_num_threads(1)
    known: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    exec(next(block for block in blocks if "minari" in block), known)
    assert known["losses"][-1] < known["losses"][0] / 2

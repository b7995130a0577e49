"""On a cluster of three nodes, of which one is killed on the way, everything is as on one machine, byte by byte."""

import os
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from ray.cluster_utils import Cluster as Nodes

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.lab import ray_cluster, report_builder
from atoll.lab.arena import Match, MatchGames, play_match
from atoll.lab.batches import Workers, in_order
from atoll.lab.comparison import compare
from atoll.lab.dataset import Dataset
from atoll.lab.figures import encode
from atoll.lab.played import Setup
from atoll.lab.ray_cluster import RayCluster
from atoll.text.errors import AtollError
from tests.conftest import Run
from tests.lab.test_arena import untimed
from tests.lab.test_reporting import digests
from tests.lab.test_tuning import finished

GAME = find_game("karuba")
PLAYED = Setup(GAME, GAME.components(), 3, [find_bot("greedy")], 5)
GAMES = 6_250


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Three nodes of a core each, every one with processes of its own."""
    alone = {"include_dashboard": False, "include_log_monitor": False, "no_monitor": True}
    found = Nodes(initialize_head=True, head_node_args={"num_cpus": 1, **alone})
    for _ in range(2):
        found.add_node(num_cpus=1)
    yield found
    found.shutdown()


@pytest.fixture(scope="module")
def cluster(nodes: Nodes) -> Iterator[RayCluster]:
    with RayCluster(nodes.address) as joined:
        yield joined


def reported(
    folder: Path, workers: Workers, progress: Any = lambda done: None
) -> tuple[bytes, dict[str, str]]:
    """A report's figures, and the digests of its data."""
    totals = report_builder.empty(PLAYED)
    with Dataset(
        folder, PLAYED, report_builder.header(PLAYED), totals, report_builder.part_size(PLAYED)
    ) as keeper:
        report_builder.play_and_count(PLAYED, GAMES, totals, workers, progress, keeper)
    return encode(report_builder.report(PLAYED, totals)), digests(folder)


def die_once(note: Path, answer: int) -> int:
    """End the process in which it runs by force, the first time."""
    if not note.exists():
        note.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return answer


def test_a_worker_that_is_killed_costs_its_batch_again(cluster: RayCluster, tmp_path: Path):
    work = [partial(die_once, tmp_path / str(number), number) for number in range(4)]
    for living in (0, 2, 3):
        (tmp_path / str(living)).touch()
    assert list(in_order(work, cluster)) == [0, 1, 2, 3]
    assert (tmp_path / "1").exists()


def test_comparisons_arenas_and_tuning_are_as_on_one_machine(cluster: RayCluster, tmp_path: Path):
    options = GAME.check_options({"blocked_shortest": True})
    changed = Setup(GAME, GAME.under(GAME.components(), options), 3, PLAYED.bots, 5, options)
    assert compare(PLAYED, changed, 1200, cluster) == compare(PLAYED, changed, 1200, 1)
    match = Match(GAME, GAME.components(), 2, [find_bot("greedy"), find_bot("random")], 3)
    here, there = MatchGames(match), MatchGames(match)
    play_match(match, 3, here)
    play_match(match, 3, there, cluster)
    assert untimed(there) == untimed(here)
    assert finished(tmp_path / "here", 6) == finished(tmp_path / "there", 6, workers=cluster)


def test_what_goes_wrong_there_is_told_in_the_same_sentence(
    cluster: RayCluster, monkeypatch: pytest.MonkeyPatch
):
    with pytest.raises(AtollError, match="there is no game called “chess”"):
        cluster.do(partial(find_game, "chess"))
    monkeypatch.setattr(ray_cluster, "__version__", "0.0")
    with pytest.raises(AtollError, match="install the same"):
        cluster.do(partial(find_game, GAME.name))


def test_a_node_that_is_killed_counts_nothing_twice(nodes: Nodes, cluster: RayCluster, tmp_path: Path):
    """It is killed once two batches of the report have been counted, with batches under way on it."""
    counted = []

    def kill(done: int) -> None:
        counted.append(done)
        if len(counted) == 2:
            nodes.remove_node(nodes.worker_nodes.copy().pop(), allow_graceful=False)

    assert reported(tmp_path / "there", cluster, kill) == reported(tmp_path / "here", 2)
    assert len(nodes.worker_nodes) == 1
    assert sum(counted) == GAMES


def test_without_ray_the_command_that_installs_it_is_told(run: Run, monkeypatch: pytest.MonkeyPatch):
    asked = ("report", GAME.name, "--games", 10, "--seed", 1, "--ray", "auto")
    status, _, complaint = run(*asked, "--bots", "cmd:cat")
    assert status == 2
    assert "this machine alone" in complaint
    monkeypatch.setitem(sys.modules, "atoll.lab.ray_cluster", None)
    status, _, complaint = run(*asked)
    assert (status, complaint.strip()) == (
        2,
        "atoll: --ray needs Ray: make ray installs it (or pip install 'atoll[ray]').",
    )


@pytest.mark.parametrize(
    "address", ["127.0.0.1:1", "ray://127.0.0.1:1", "nowhere.invalid:6379", "[::1]:99999"]
)
def test_an_address_where_nothing_answers_is_told_at_once(monkeypatch: pytest.MonkeyPatch, address: str):
    """One sentence, instead of minutes in which Ray tries."""
    monkeypatch.setattr("ray.init", lambda *_, **__: pytest.fail("Ray tries"))
    with pytest.raises(AtollError, match="there is no Ray cluster at"):
        RayCluster(address)

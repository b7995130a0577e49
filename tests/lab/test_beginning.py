"""The lab counts seats from who begins (docs/lab.md), which some games draw."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.lab import report_builder
from atoll.lab.chunks import collect, count_games, play_stepped
from atoll.lab.dataset import Dataset
from atoll.lab.played import Setup, game_seed
from atoll.lab.simulate import simulate_chunk

COSTA_RUANA = find_game("costa-ruana")
GAMES = 60


def played(seed: int = 9) -> Setup:
    return Setup(COSTA_RUANA, COSTA_RUANA.components(), 3, [find_bot("greedy"), find_bot("random")], seed)


@pytest.mark.parametrize("name", ["costa-ruana", "karuba"])
def test_who_alone_decides_first_begins_and_else_the_first_chair(name: str) -> None:
    game = find_game(name)
    found = simulate_chunk(game, game.components(), 3, [find_bot("random")], 4, 10, 30).beginners
    for number, beginner in enumerate(found.tolist(), start=10):
        acting = game.start(3, game_seed(4, number)).to_act
        assert [beginner] == (list(acting) if len(acting) == 1 else [0])
    assert set(found.tolist()) == ({0} if name == "karuba" else {0, 1, 2})


def test_shares_points_and_bots_are_those_of_the_seats_from_who_begins() -> None:
    """Against the simulation, whose arrays are by chair."""
    own = played()
    totals = report_builder.empty(own)
    report_builder.play_and_count(own, GAMES, totals)
    told = report_builder.report(own, totals).seats
    assert told is not None
    results = simulate_chunk(own.game, own.components, 3, own.bots, own.seed, 0, GAMES)
    chunk = collect(own, 0, GAMES)
    shares, points = np.zeros((GAMES, 3)), np.zeros((GAMES, 3))
    for number in range(GAMES):
        (first,) = own.game.start(3, game_seed(own.seed, number)).to_act
        for seat in range(3):
            chair = (first + seat) % 3
            shares[number, seat] = results.shares[number, chair]
            points[number, seat] = results.points[number, chair]
            assert chunk.played.bots[number, seat] == results.bots[number, chair]
    assert (results.shares != shares).any()
    for figures in told.tables[0].seats:
        assert figures.share.value == pytest.approx(shares[:, figures.seat - 1].mean())
        assert figures.points.value == pytest.approx(points[:, figures.seat - 1].mean())


def test_games_of_other_bots_are_counted_in_the_same_way() -> None:
    """Step by step as in compiled code, to the last column and row."""
    own = played()
    compiled = collect(own, 0, GAMES, keep_log=True)
    stepped = count_games(own, 0, GAMES, 200 * GAMES, play_stepped(own, 0, GAMES))
    assert stepped is not None
    assert compiled.log is not None
    assert stepped.log is not None
    for name in ("bots", "points", "winners", "lengths", "beginners"):
        assert (getattr(compiled.played, name) == getattr(stepped.played, name)).all(), name
    for name in ("games", "round_points", "usage", "rounds"):
        assert (getattr(compiled, name) == getattr(stepped, name)).all(), name
    assert (compiled.log.rows == stepped.log.rows).all()
    assert (compiled.log.events == stepped.log.events).all()


def test_the_data_name_seats_alike_and_say_which_chair_begins(tmp_path: Path) -> None:
    own, folder = played(), tmp_path / "data"
    totals = report_builder.empty(own)
    with Dataset(folder, own, report_builder.header(own), totals, report_builder.part_size(own)) as keeper:
        report_builder.play_and_count(own, GAMES, totals, keeper=keeper)
    decisions = pl.read_parquet(folder / "decisions.parquet" / "*.parquet")
    assert set(decisions.filter(pl.col("number") == 0)["seat"]) == {1}
    told = pl.read_parquet(folder / "games.parquet" / "*.parquet")["beginner"].to_list()
    assert told == [own.game.start(3, game_seed(own.seed, number)).to_act[0] + 1 for number in range(GAMES)]

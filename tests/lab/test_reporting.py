"""Reports: every figure is what the raw Parquet says, counted by other code; neither workers nor stops change it."""

import hashlib
import json
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.lab import chunks, report_builder, simulate
from atoll.lab.chunks import collect
from atoll.lab.dataset import Dataset
from atoll.lab.figures import encode
from atoll.lab.played import Setup
from atoll.lab.report import GameReport, read_report
from atoll.lab.totals import Totals
from atoll.text.errors import AtollError

GAME = find_game("karuba")
GAMES = 700


def played_by(names: str = "greedy", players: int = 3, seed: int = 5) -> Setup:
    return Setup(GAME, GAME.components(), players, [find_bot(name) for name in names.split(",")], seed)


def collected(folder: Path, played: Setup, games: int, workers: int = 2, **settings: Any) -> Totals:
    totals = report_builder.empty(played)
    header = report_builder.header(played)
    with Dataset(folder, played, header, totals, report_builder.part_size(played)) as keeper:
        report_builder.play_and_count(played, games, totals, workers, keeper=keeper, **settings)
    return totals


@pytest.fixture(scope="module", autouse=True)
def small_parts():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulate, "CHUNK", 100)
        patch.setattr(report_builder, "PART", 2)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data") / "report"


@pytest.fixture(scope="module")
def figures(folder: Path) -> GameReport:
    played = played_by("greedy,random")
    return report_builder.report(played, collected(folder, played, GAMES))


@pytest.fixture(scope="module")
def games(folder: Path, figures: GameReport) -> pl.DataFrame:
    return pl.read_parquet(folder / "games.parquet" / "*.parquet")


@pytest.fixture(scope="module")
def decisions(folder: Path, figures: GameReport) -> pl.DataFrame:
    found = pl.read_parquet(folder / "decisions.parquet" / "*.parquet")
    moves = pl.read_parquet(folder / "moves.parquet")
    return found.join(moves, on="action", how="left").sort("game", "number")


def by_seat(games: pl.DataFrame) -> pl.DataFrame:
    """A row for each seat in each game: what it won, and its bot."""
    seats = pl.int_ranges(1, pl.col("won").list.len() + 1).alias("seat")
    return games.select("game", seats, "won", "points", "bots").explode("seat", "won", "points", "bots")


# The figures, from the raw data


def test_lengths_are_those_of_the_data(figures: GameReport, games: pl.DataFrame):
    assert figures.length is not None
    assert len(games) == GAMES
    assert figures.length.decisions.value == pytest.approx(games["decisions"].mean())
    error = games["choices"].std() / GAMES**0.5
    assert figures.length.choices.value == pytest.approx(games["choices"].mean())
    assert figures.length.choices.high - figures.length.choices.value == pytest.approx(1.959964 * error)
    assert sum(bar.count for bar in figures.length.decisions_histogram) == GAMES


def test_the_choices_are_the_decisions_with_several_moves(games: pl.DataFrame, decisions: pl.DataFrame):
    counted = decisions.group_by("game").agg(
        pl.len().alias("all"), (pl.col("legal").list.len() > 1).sum().alias("several")
    )
    joined = games.join(counted, on="game")
    assert (joined["decisions"] == joined["all"]).all()
    assert (joined["choices"] == joined["several"]).all()


def test_the_seats_and_bots_win_what_the_data_say(figures: GameReport, games: pl.DataFrame):
    assert figures.seats is not None
    (table,) = figures.seats.tables
    seats = by_seat(games)
    for seat in table.seats:
        own = seats.filter(pl.col("seat") == seat.seat)
        assert seat.share.value == pytest.approx(own["won"].mean())
        assert seat.points.value == pytest.approx(own["points"].mean())
        assert seat.share.low < seat.share.value < seat.share.high
    shares = [seat.share.value for seat in table.seats]
    assert table.largest_difference.value == pytest.approx(max(shares) - min(shares))
    won = np.array(games["won"].to_list(), dtype=float)
    apart = [np.var(won[:, one] - won[:, other], ddof=1) for one, other in combinations(range(3), 2)]
    tippett = 1.69257  # the mean range of three normal deviates, in the table of his paper
    assert table.expected_difference == pytest.approx(tippett * np.sqrt(np.mean(apart) / 2 / GAMES), rel=1e-4)
    for bot in figures.seats.by_bot:
        assert bot.share.value == pytest.approx(seats.filter(pl.col("bots") == bot.bot)["won"].mean())


def test_the_course_is_that_of_the_data(figures: GameReport, games: pl.DataFrame):
    """Lead changes, drama and when it was decided, game by game in plain Python from the points after each round."""
    assert figures.course is not None
    changes, dramas, decided = [], [], []
    for row in games.iter_rows(named=True):
        rounds, last, changed = row["course"][1:], None, 0
        winners = [seat for seat, won in enumerate(row["won"]) if won]
        for points in rounds:
            leaders = [seat for seat, value in enumerate(points) if value == max(points)]
            if len(leaders) == 1:
                changed += last is not None and last != leaders[0]
                last = leaders[0]
        behind = [min(max(points) - points[seat] for seat in winners) for points in rounds]
        largest = max(max(points) - min(points) for points in rounds)
        changes.append(changed)
        dramas.append(sum(behind[:-1]) / max(1, largest * (len(rounds) - 1)))
        ever = [number for number, deficit in enumerate(behind, start=1) if deficit]
        decided.append((ever[-1] + 1 if ever else 1) / len(rounds))
    assert figures.course.lead_changes.value == pytest.approx(np.mean(changes))
    assert figures.course.without_changes.value == pytest.approx(np.mean(np.array(changes) == 0))
    assert figures.course.drama.value == pytest.approx(np.mean(dramas), abs=2e-6)
    assert figures.course.decided_at.value == pytest.approx(np.mean(decided), abs=2e-6)


def test_the_comeback_curve_is_that_of_the_data(figures: GameReport, games: pl.DataFrame):
    assert figures.course is not None
    assert figures.course.comebacks
    for point in figures.course.comebacks:
        won = [
            share
            for row in games.iter_rows(named=True)
            for share, points in zip(row["won"], row["course"][point.round], strict=True)
            if point.low <= max(row["course"][point.round]) - points <= point.high
        ]
        assert point.win.units == len(won)
        assert point.win.value == pytest.approx(np.mean(won))
    classes = {(point.low, point.high) for point in figures.course.comebacks}
    ends = sorted(classes)
    assert all(before[1] < after[0] for before, after in pairwise(ends)), "curves of classes that overlap"


def test_choices_are_those_of_the_data(figures: GameReport, decisions: pl.DataFrame):
    assert figures.choice is not None
    legal = decisions["legal"].list.len()
    assert figures.choice.legal.value == pytest.approx(legal.mean())
    assert figures.choice.forced.value == pytest.approx((legal == 1).mean())
    looked = decisions.filter(pl.col("spread").is_not_null())
    assert looked["game"].n_unique() == len([game for game in range(GAMES) if game % 16 == 0])
    mean = looked["spread"].mean()
    for row in figures.choice.rounds:
        own = looked.filter(pl.col("round") == row.round)
        assert row.spread is not None
        assert row.spread.value == pytest.approx(own["spread"].mean() / mean, rel=1e-4)  # type: ignore[operator]
        of_round = decisions.filter(pl.col("round") == row.round)
        assert row.legal.value == pytest.approx(of_round["legal"].list.len().mean())


def test_what_things_do_is_in_the_data(
    figures: GameReport, games: pl.DataFrame, decisions: pl.DataFrame, folder: Path
):
    """Each card that can be discarded: how many seats could, did, and won then, from legal moves and actions."""
    assert figures.things is not None
    words = {
        row["action"]: json.loads(row["move"])
        for row in pl.read_parquet(folder / "moves.parquet").iter_rows(named=True)
    }
    won = {(row["game"], row["seat"]): row["won"] for row in by_seat(games).iter_rows(named=True)}
    could: dict[int, set[Any]] = {}
    did: dict[int, set[Any]] = {}
    uses: Counter[int] = Counter()
    for row in decisions.iter_rows(named=True):
        seat = (row["game"], row["seat"])
        for action in row["legal"]:
            if words[action]["do"] == "discard":
                could.setdefault(words[action]["card"], set()).add(seat)
        if words[row["action"]]["do"] == "discard":
            did.setdefault(words[row["action"]]["card"], set()).add(seat)
            uses[words[row["action"]]["card"]] += 1
    found = {
        one.thing.value: one
        for one in figures.things.things
        if one.thing.kind == "discard" and one.thing.value is not None
    }
    assert len(could) > 10
    for card, seats in could.items():
        figure = found[card]
        assert figure.available is not None
        assert figure.available.value == pytest.approx(len(seats) / (3 * GAMES))
        assert figure.used.value == pytest.approx(len(did.get(card, ())) / len(seats))
        assert figure.uses.value == pytest.approx(uses[card] / GAMES)
        if did.get(card):
            assert figure.win is not None
            assert figure.win.value == pytest.approx(np.mean([won[seat] for seat in did[card]]))
            share = {seat: np.mean([won[game, seat] for game in range(GAMES)]) for seat in (1, 2, 3)}
            assert figure.expected == pytest.approx(np.mean([share[seat] for _, seat in did[card]]))
            assert figure.by_seat[0] == pytest.approx(np.mean([seat == 1 for _, seat in did[card]]))
        rest = seats - did.get(card, set())
        if rest:
            assert figure.without is not None
            assert figure.without.value == pytest.approx(np.mean([won[seat] for seat in rest]))


def test_openings_are_compared_with_their_seats_and_bots(
    figures: GameReport, games: pl.DataFrame, decisions: pl.DataFrame
):
    """The first choice of each seat, beside what the same bots win in the same seats."""
    assert figures.strategies is not None
    first = (
        decisions.filter(pl.col("legal").list.len() > 1)
        .group_by("game", "seat", maintain_order=True)
        .first()
        .join(by_seat(games), on=("game", "seat"))
        .with_columns(expected=pl.col("won").mean().over("seat", "bots"))
    )
    told = {one.moves[0]: one for one in figures.strategies.openings if len(one.moves) == 1}
    assert len(told) > 10
    for move, own in first.group_by("move"):
        words = ", ".join(map(str, json.loads(str(move[0])).values()))
        if words in told:
            assert told[words].taken.value == pytest.approx(len(own) / (3 * GAMES))
            assert told[words].win.value == pytest.approx(own["won"].mean())
            assert told[words].expected == pytest.approx(own["expected"].mean())
            assert told[words].by_seat[2] == pytest.approx((own["seat"] == 3).mean())


def test_events_are_those_of_the_data(figures: GameReport, decisions: pl.DataFrame, folder: Path):
    assert figures.things is not None
    kinds = dict(pl.read_parquet(folder / "events.parquet").iter_rows())
    happened = Counter(kinds[event["event"]] for events in decisions["events"] for event in events)
    found = {
        one.thing.kind: one.uses.value
        for one in figures.things.things
        if one.thing.what == "event" and not one.thing.of
    }
    assert found == {name: pytest.approx(count / GAMES) for name, count in happened.items()}


# The same games, however they are played


@pytest.mark.parametrize("bots", ["greedy", "trained,greedy"])
def test_games_are_counted_alike_compiled_and_step_by_step(bots: str):
    """Also of trained players, whose network is a hook of the loop that counts."""
    played = played_by(bots)
    compiled = collect(played, 5, 20, keep_log=True)
    stepped = chunks.count_games(played, 5, 20, 8000, chunks.play_stepped(played, 5, 20))
    assert stepped is not None
    for name in ("bots", "beginners", "points", "winners", "lengths", "rounds", "endings"):
        assert np.array_equal(getattr(stepped.played, name), getattr(compiled.played, name)), name
    for name in ("games", "round_points", "usage", "rounds"):
        assert np.array_equal(getattr(stepped, name), getattr(compiled, name)), name
    assert compiled.log is not None
    assert stepped.log is not None
    for name in ("rows", "legal", "events"):
        assert np.array_equal(getattr(stepped.log, name), getattr(compiled.log, name)), name


def digests(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*.parquet"))
        if file.is_file()
    }


def test_the_same_bytes_with_any_number_of_workers_and_after_a_stop(tmp_path: Path):
    played = played_by()
    one = collected(tmp_path / "one", played, 500, workers=1)
    three = collected(tmp_path / "three", played, 500, workers=3)

    class Stopping(Exception):
        pass

    counted = []

    def stop(done: int) -> None:
        counted.append(done)
        if len(counted) == 3:  # 300 games: a part of 200, and one that is not whole
            raise Stopping

    with pytest.raises(Stopping):
        collected(tmp_path / "stopped", played, 500, progress=stop)
    again: list[int] = []
    stopped = collected(tmp_path / "stopped", played, 500, progress=again.append)
    assert sum(again) == 300, "the whole part is not played again"
    assert digests(tmp_path / "one") == digests(tmp_path / "three") == digests(tmp_path / "stopped")
    assert len(digests(tmp_path / "one")) == 2 + 2 * 3
    expected = encode(report_builder.report(played, one))
    assert encode(report_builder.report(played, three)) == expected
    assert encode(report_builder.report(played, stopped)) == expected


def test_a_folder_of_other_games_is_refused(tmp_path: Path):
    collected(tmp_path / "data", played_by(), 100)
    before = digests(tmp_path / "data")
    with pytest.raises(AtollError, match="seed 5 and not 6"):
        collected(tmp_path / "data", played_by(seed=6), 100)
    with pytest.raises(AtollError, match="other files"):
        collected(tmp_path, played_by(), 100)
    assert digests(tmp_path / "data") == before


def test_figures_are_read_as_they_were_written(tmp_path: Path, figures: GameReport):
    (tmp_path / "report.json").write_bytes(encode(figures))
    assert read_report(tmp_path / "report.json") == figures
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(AtollError, match="no figures"):
        read_report(tmp_path / "other.json")


def test_a_run_that_is_stopped_keeps_what_it_has_and_names_what_is_missing():
    """Ctrl-C in a section that plays games of its own: those before it are there (docs/lab.md)."""
    played = played_by(players=2)
    totals = report_builder.empty(played)
    report_builder.play_and_count(played, 20, totals)

    def stop(section: str, done: int, of: int) -> None:
        if section == "luck":
            raise KeyboardInterrupt

    extra = report_builder.Extra(seats=5, deals=2, restricted=5)
    told = report_builder.with_extra(
        report_builder.report(played, totals), played, totals, extra, progress=stop
    )
    assert (told.about.finished, told.about.missing) == (False, ["luck", "strategies"])
    assert told.about.weak == ["greedy"]
    assert told.seats is not None
    assert len(told.seats.tables) == len(GAME.seats)
    assert told.luck is None


def test_seats_at_other_numbers_of_players_are_those_of_reports_at_these_numbers():
    """Share of the win by seat, by number of players, with intervals."""
    played = Setup(GAME, GAME.components(), 3, [find_bot("greedy")], 5)
    totals = report_builder.empty(played)
    report_builder.play_and_count(played, 20, totals)
    told = report_builder.with_extra(
        report_builder.report(played, totals), played, totals, report_builder.Extra(seats=30)
    ).seats
    assert told is not None
    assert [table.players for table in told.tables] == list(GAME.seats)
    for table in told.tables:
        alone = Setup(GAME, GAME.components(), table.players, [find_bot("greedy")], 5)
        sums = report_builder.empty(alone)
        report_builder.play_and_count(alone, 20 if table.players == 3 else 30, sums)
        own = report_builder.report(alone, sums).seats
        assert own is not None
        assert own.tables == [table]

"""The arena: every bot in every seat of the same deals, and games that nothing loses or changes."""

import itertools
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from atoll.bots import Bot, find_bot
from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.lab import arena, batches
from atoll.lab.arena import ArenaGame, Match, MatchGames, bucket, bucket_seconds, play_match, play_one
from atoll.lab.rating_table import rated_bots, rating_text, time_quantile
from atoll.text.errors import AtollError
from tests.conftest import Run

GAME = find_game("karuba")


def match_of(names: str, players: int = 2, seed: int = 1) -> Match:
    return Match(GAME, GAME.components(), players, [find_bot(name) for name in names.split(",")], seed)


def untimed(results: MatchGames) -> list[Any]:
    """The games without what they took."""
    return [
        (played.deal, played.seating, played.points, played.winners, played.decisions)
        for _, played in sorted(results.games.items())
    ]


def played_in(path: Path, match: Match, deals: int, **settings: Any) -> MatchGames:
    with MatchGames(match, path) as results:
        play_match(match, deals, results, **settings)
    return results


# Who sits where


@pytest.mark.parametrize(
    ("names", "players"),
    [
        ("random,greedy", 2),
        ("random,greedy,easy", 3),
        ("random,greedy,greedy,greedy", 4),
        ("random,greedy", 4),
        ("random,greedy,easy,hard", 2),
        ("random,greedy,easy,hard,expert", 3),
    ],
)
def test_every_bot_sits_equally_often_in_every_seat_of_a_deal(names: str, players: int) -> None:
    match = match_of(names, players)
    for bot in range(len(match.names)):
        seats = Counter(seat for row in match.seatings for seat in range(players) if row[seat] == bot)
        assert sorted(seats) == list(range(players))
        assert len(set(seats.values())) == 1


def test_of_more_bots_than_seats_every_grouping_meets() -> None:
    match = match_of("random,greedy,easy,hard", 3)
    assert {frozenset(row) for row in match.seatings} == {
        frozenset(found) for found in itertools.combinations(range(4), 3)
    }


def test_one_bot_against_three_alike_takes_each_seat_once() -> None:
    match = match_of("random,greedy,greedy,greedy", 4)
    assert sorted(match.seatings) == [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]


@pytest.mark.parametrize(
    ("names", "players", "told"),
    [
        ("random", 2, "at least two"),
        ("greedy,greedy", 2, "at least two"),
        ("random,greedy,greedy", 2, "once"),
    ],
)
def test_bots_that_cannot_meet_are_refused(names: str, players: int, told: str) -> None:
    with pytest.raises(AtollError, match=told):
        match_of(names, players)


@dataclass(frozen=True)
class Looking(Bot):
    """Takes the first move and notes the view of its first decision."""

    seen: list[bytes] = field(default_factory=list, compare=False)

    def prepare(self, game: Game) -> None:
        pass

    def decide(self, view: Any, moves: Any, generator: Any) -> int:
        self.seen.append(view.state.tobytes())
        return int(moves[0])

    def think(self, view: Any, moves: Any, generator: Any) -> int:
        raise AssertionError


def test_all_seatings_of_a_deal_are_dealt_the_same() -> None:
    looking = Looking("looking")
    match = Match(GAME, GAME.components(), 2, [looking, Looking("other", looking.seen)])
    firsts = []
    for deal, seating in itertools.product(range(3), range(2)):
        looking.seen.clear()
        play_one(match, deal, seating)
        firsts.append(looking.seen[0])
    assert firsts[0] == firsts[1]
    assert firsts[2] == firsts[3]
    assert len(set(firsts)) == 3


# Games depend on nothing but seed, deal and seating


def test_neither_workers_nor_interruptions_change_a_game(tmp_path: Path) -> None:
    match = match_of("greedy,random", players=3)
    straight = played_in(tmp_path / "one", match, 6)
    assert untimed(played_in(tmp_path / "two", match, 6, workers=3)) == untimed(straight)
    done = itertools.count(1)

    def interrupted(games: int) -> None:
        if next(done) % 5 == 0:
            raise KeyboardInterrupt

    for expected in (5, 10, 15):
        with pytest.raises(KeyboardInterrupt):
            played_in(tmp_path / "three", match, 6, progress=interrupted)
        assert expected <= len(MatchGames.read(match, tmp_path / "three")) < 18
    assert untimed(played_in(tmp_path / "three", match, 6, workers=2)) == untimed(straight)
    assert untimed(MatchGames.read(match, tmp_path / "three")) == untimed(straight)


def test_other_seeds_are_other_games(tmp_path: Path) -> None:
    one, other = (played_in(tmp_path / str(seed), match_of("greedy,random", seed=seed), 3) for seed in (1, 2))
    assert untimed(one) != untimed(other)


def test_more_games_go_on_after_fewer(tmp_path: Path) -> None:
    match = match_of("greedy,random")
    few = untimed(played_in(tmp_path / "games", match, 2))
    many = untimed(played_in(tmp_path / "games", match, 5))
    assert many[: len(few)] == few
    assert len(many) == 10


def test_nothing_is_begun_after_enough_but_every_deal_is_finished(tmp_path: Path) -> None:
    match = match_of("greedy,random")
    with MatchGames(match, tmp_path / "games") as results:
        play_match(match, 50, results, workers=2, enough=lambda: len(results) >= 7)
    assert 7 <= len(results) < 20
    assert len(results) == 2 * len(results.whole_deals())


# The file


@pytest.mark.timeout(60)
def test_a_match_that_fails_ends_though_games_have_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games are given to one thread: as the first fails the second is called off, and is not waited for."""

    def failing(*_: object) -> ArenaGame:
        raise ValueError("first")

    monkeypatch.setattr(batches, "ThreadPoolExecutor", lambda lanes: ThreadPoolExecutor(1))
    monkeypatch.setattr(arena, "play_one", failing)
    with pytest.raises(ValueError, match="first"):
        played_in(tmp_path / "games.jsonl", match_of("random,greedy"), 2, workers=2)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file of results of four games."""
    path = tmp_path / "games.jsonl"
    played_in(path, match_of("greedy,random"), 2)
    return path


def test_a_last_line_that_was_cut_off_is_dropped_and_played_again(kept: Path) -> None:
    """Wherever a killed process stopped writing."""
    match, content = match_of("greedy,random"), kept.read_bytes()
    whole = untimed(MatchGames.read(match, kept))
    last = content[:-1].rfind(b"\n") + 1
    for cut in {last + 1, len(content) // 2 + last // 2, len(content) - 1}:
        kept.write_bytes(content[:cut])
        with MatchGames(match, kept) as results:
            assert len(results) == 3
        assert kept.read_bytes() == content[:last]
        assert untimed(played_in(kept, match, 2)) == whole
    first = content.find(b"\n")
    for cut in (0, 1, first):
        kept.write_bytes(content[:cut])
        assert untimed(played_in(kept, match, 2)) == whole


@pytest.mark.parametrize(
    ("names", "seed", "told"),
    [("greedy,easy", 1, "bots"), ("random,greedy", 1, "bots"), ("greedy,random", 2, "seed")],
)
def test_a_file_of_another_match_is_refused_and_left_alone(
    kept: Path, names: str, seed: int, told: str
) -> None:
    content = kept.read_bytes()
    with pytest.raises(AtollError, match=f"another match, with {told}"):
        MatchGames(match_of(names, seed=seed), kept)
    assert kept.read_bytes() == content


@pytest.mark.parametrize(
    "content", [b"dear diary", b"dear diary\n", b'{"atoll": 1}\n', b"[1]\n", b"\n", b"\xff\n"]
)
def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "diary"
    path.write_bytes(content)
    with pytest.raises(AtollError, match="no results of an arena"):
        MatchGames(match_of("greedy,random"), path)
    assert path.read_bytes() == content


def test_a_broken_line_is_named(kept: Path) -> None:
    lines = kept.read_bytes().splitlines(keepends=True)
    lines[2] = b'{"deal": 1}\n'
    kept.write_bytes(b"".join(lines))
    with pytest.raises(AtollError, match="line 3"):
        MatchGames(match_of("greedy,random"), kept)
    assert kept.read_bytes() == b"".join(lines)


@pytest.mark.parametrize(
    "wrong",
    [
        {"seating": 9},
        {"deal": -1},
        {"points": [1]},
        {"winners": []},
        {"winners": [2]},
        {"winners": [0, 0]},
        {"times": [{"9999": 1}, {}]},
        {"forfeits": [{"asleep": 1}, {}]},
        {"seconds": -1.0},
    ],
)
def test_what_cannot_have_come_of_the_match_is_refused_and_left_alone(
    kept: Path, wrong: dict[str, Any]
) -> None:
    lines = kept.read_bytes().splitlines()
    lines[1] = msgspec.json.encode(msgspec.json.decode(lines[1]) | wrong)
    kept.write_bytes(b"\n".join([*lines, b""]))
    before = kept.read_bytes()
    with pytest.raises(AtollError, match="line 2 is not the result of a game of this match"):
        MatchGames(match_of("greedy,random"), kept)
    assert kept.read_bytes() == before


def test_results_are_not_kept_in_what_has_no_end() -> None:
    with pytest.raises(AtollError, match="/dev/zero: is not a regular file"):
        MatchGames(match_of("random,greedy"), Path("/dev/zero"))


def test_two_arenas_cannot_add_to_one_file(kept: Path) -> None:
    match = match_of("greedy,random")
    with MatchGames(match, kept), pytest.raises(AtollError, match="another arena"):
        MatchGames(match, kept)
    with MatchGames(match, kept):
        assert len(MatchGames.read(match, kept)) == 4


# What came of it


def test_standings_count_whole_deals_alone() -> None:
    match = match_of("greedy,random")
    results = MatchGames(match)

    def add(deal: int, seating: int, winner: int) -> None:
        results.add(ArenaGame(deal, seating, [4, 2], [winner], 9, 0.1, [{}, {}], [{20: 3}, {40: 1}]))

    add(0, 0, winner=0)
    assert rated_bots(match, results) == []
    assert "1 game of unfinished deals" in str(rating_text(match, results, [])[-1])
    add(0, 1, winner=1)
    add(1, 0, winner=0)
    add(1, 1, winner=0)
    add(2, 0, winner=1)
    greedy, random = rated_bots(match, results)
    assert (greedy.games, greedy.share.value, random.share.value) == (4, 0.75, 0.25)
    assert greedy.points == random.points == 3
    assert greedy.rating.value > 0 > random.rating.value
    assert greedy.seconds == pytest.approx((1e-5, 1e-4))


def test_forfeits_are_told_by_bot_and_kind() -> None:
    match = match_of("greedy,random")
    results = MatchGames(match)
    for seating in range(2):
        results.add(ArenaGame(0, seating, [4, 2], [0, 1], 9, 0.1, [{"late": 2}, {"gone": 1}], [{}, {}]))
    told = [str(part) for part in rating_text(match, results, rated_bots(match, results))]
    assert any("greedy forfeited 3 moves" in part and "late 2" in part for part in told)
    assert any("random forfeited 3 moves" in part and "program gone 1" in part for part in told)


@pytest.mark.parametrize("seconds", [1e-6, 3.3e-5, 0.0021, 0.25, 9.0])
def test_times_are_kept_to_within_six_percent(seconds: float) -> None:
    assert bucket_seconds(bucket(seconds)) == pytest.approx(seconds, rel=0.06)


def test_quantiles_of_times() -> None:
    times = Counter({bucket(0.001): 94, bucket(0.1): 4, bucket(1.0): 2})
    assert time_quantile(times, 0.5) == pytest.approx(0.001, rel=0.06)
    assert time_quantile(times, 0.95) == pytest.approx(0.1, rel=0.06)
    assert time_quantile(Counter(), 0.5) == 0


# The command


def test_the_command_tells_draws_and_goes_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ["arena", GAME.name, "-p", 3, "--bots", "greedy,random", "--out", file, "--workers", 2]
    status, said, complaint = run(*arguments, "-n", 5)
    assert (status, complaint) == (0, "")
    assert "6 games in 2 deals, each played in 3 seatings" in said
    assert "The seed is" in said
    assert (tmp_path / "games.png").read_bytes().startswith(b"\x89PNG")
    kept = file.read_bytes()
    status, said, _ = run(*arguments, "-n", 9)
    assert "9 games in 3 deals" in said
    assert file.read_bytes().startswith(kept)
    heading = msgspec.json.decode(kept.splitlines()[0])
    assert f"The seed is {heading['seed']}." in said
    assert heading["seatings"] == [
        ["greedy", "random", "greedy"],
        ["greedy", "greedy", "random"],
        ["random", "greedy", "greedy"],
    ]
    status, _, complaint = run("arena", GAME.name, "--bots", "greedy,random", "-n", 2, "--out", file)
    assert status == 2
    assert complaint == (
        f"atoll: {file}: this file holds the results of another match, with players 3 and not 2; "
        "name another file.\n"
    )


def test_the_plot_of_a_bot_that_won_every_deal_is_drawn_beside_the_games(run: Run, tmp_path: Path) -> None:
    """Of four deals the interval's end is less than 1 by a rounding error; and games in a file `x.png` stay there."""
    file = tmp_path / "x.png"
    asked = ("arena", GAME.name, "--bots", "greedy,random", "-n", 8, "--seed", 1, "--out", file)
    status, said, complaint = run(*asked)
    assert (status, complaint) == (0, "")
    assert " 100.0 (" in said
    assert file.read_bytes().startswith(b'{"arena"')
    assert (tmp_path / "x.png.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--bots", "greedy"], "at least two different bots"),
        (["--bots", "greedy,deep"], "“deep”"),
        (["-n", "0"], "--games"),
        (["--out", "no/such/folder/x"], "no/such/folder"),
        (["--bots", "greedy,cmd:"], "names no program"),
        (["--bots", "greedy,cmd:no-such-program-anywhere"], "cannot be started"),
        (["--bots", "greedy,cmd:echo 'x"], "quotation mark"),
    ],
)
def test_wrong_input_ends_with_one_sentence(run: Run, arguments: list[str], told: str) -> None:
    status, _, complaint = run("arena", GAME.name, *arguments)
    assert status == 2
    assert told in complaint
    assert complaint.count("\n") == 1

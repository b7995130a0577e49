"""Planted effects are found, and none is found where none was planted."""

import copy
import re
from io import StringIO
from math import erfc, isnan, sqrt
from pathlib import Path

import msgspec
import numpy as np
import pytest
from rich.console import Console

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.core.types import Components
from atoll.lab import comparison, report_builder
from atoll.lab.aims import Aims, Used, aim_results
from atoll.lab.chunks import Chunk, collect
from atoll.lab.comparison import compare, differences, figure_values
from atoll.lab.differences import Comparison
from atoll.lab.differences_text import comparison_tables
from atoll.lab.estimates import Estimate, beyond_chance, discoveries, expected_range, matched, mean
from atoll.lab.items import existing, items_of, named_items
from atoll.lab.played import Setup
from atoll.lab.report import GameReport
from atoll.lab.sections.causes import figures as cause_figures
from atoll.lab.sections.causes import swap_games
from atoll.lab.sections.seats import TIES, SeatsAt
from atoll.lab.simulate import simulate_chunk
from atoll.text.errors import AtollError
from tests.conftest import Run
from tests.lab.test_restricting import agresti_min

GAME = find_game("karuba")


def played(components: Components | None = None, seed: int = 1) -> Setup:
    return Setup(GAME, components or GAME.components(), 2, [find_bot("greedy")], seed)


def changed(tmp_path: Path, *changes: tuple[str, str]) -> Components:
    text = (Path(str(GAME.folder)) / next(iter(GAME.component_files.values()))).read_text("utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    file = tmp_path / "changed.toml"
    file.write_text(text, "utf-8")
    return GAME.read_components(file)


def test_a_card_made_stronger_costs_more_to_discard(tmp_path: Path):
    """Card 7 has the first nugget of the file: with four nuggets, to discard it costs more of the win."""
    things = named_items(GAME, GAME.components())
    card = [place for place, thing in enumerate(things) if thing.key == "move/discard/card/7"]
    stronger = changed(tmp_path, ("nuggets = 1", "nuggets = 4"))
    (before,) = cause_figures(played(), things, card, 500, 2).causes
    (after,) = cause_figures(played(stronger), things, card, 500, 2).causes
    assert after.difference.high < before.difference.low
    assert after.significant


def test_swaps_do_not_hang_on_the_number_of_workers():
    """The same bytes, time included: none stands in the figures (docs/scale.md)."""
    things = named_items(GAME, GAME.components())
    cards = [place for place, thing in enumerate(things) if thing.kind == "discard" and thing.of][:2]
    one, three = (cause_figures(played(), things, cards, 30, workers) for workers in (1, 3))
    assert one == three
    assert [cause.positions for cause in one.causes] == [30, 30]


def test_a_swap_has_the_interval_of_matched_pairs_and_their_test():
    """As restrictions have: A. Agresti and Y. Min's interval (2005) and Q. McNemar's test (1947), found anew from the
    shares of single games, in which shared wins are fractions.
    """
    what = played()
    things = named_items(GAME, GAME.components())
    card = next(place for place, thing in enumerate(things) if thing.kind == "discard" and thing.of)
    (found,) = cause_figures(what, things, [card], 30, 2).causes
    shares = swap_games(what, np.full(100, card, dtype=np.int32), 0)
    differences = [one - other for one, other in shares.tolist() if not isnan(one)][:30]
    assert len(differences) == found.positions
    interval = (found.difference.low, found.difference.high)
    assert interval == pytest.approx(agresti_min(differences), abs=1e-6)
    assert found.difference.value == pytest.approx(sum(differences) / 30)
    z = sum(differences) / sqrt(sum(one**2 for one in differences))
    assert found.p_value == pytest.approx(erfc(abs(z) / sqrt(2)))


@pytest.mark.parametrize("values", [(-1.0, 0.0, 1.0), (-0.5, 0.0, 0.5), (-1.0, -0.5, 0.0, 0.5, 1.0)])
def test_few_pairs_that_seldom_differ_have_the_true_difference_within_their_interval(
    values: tuple[float, ...],
):
    """As sure as it is said to be, 95 of 100 times or more, with shared wins too; a normal interval misses it in one of
    six, when all pairs came out alike.
    """
    chance = np.random.default_rng(7)
    ways = (len(values) - 1) // 2
    seldom = [0.01 / ways] * ways + [0.97] + [0.02 / ways] * ways
    true = float(np.dot(values, seldom))
    drawn = chance.choice(values, (1000, 50), p=seldom)
    assert np.mean([(found := matched(one)).low <= true <= found.high for one in drawn]) >= 0.95
    normal = [mean(one.sum(), (one**2).sum(), 50) for one in drawn]
    assert np.mean([one.low <= true <= one.high for one in normal]) < 5 / 6


def test_a_comparison_finds_what_was_changed_and_nothing_else(tmp_path: Path):
    """Twice the points for an adventurer: more points, and no other length of the game."""
    double = changed(tmp_path, ("adventurer_points = 3", "adventurer_points = 6"))
    found = {row.key: row for row in compare(played(), played(double), 1000, 2).differences}
    assert found["points.mean"].significant
    assert found["points.mean"].change.low > 5
    assert not found["length.decisions"].significant
    assert found["length.decisions"].within == 0
    assert found["ties"].unit == found["seat 1"].unit == "share"
    assert not found["seat 1"].significant
    assert found["seat 1"].within < 0.1


def test_what_changes_in_every_game_by_the_same_comes_first(tmp_path: Path):
    """Each difference with its effect size, largest first: two rounds fewer, always, is no effect of 0."""
    shorter = played(changed(tmp_path, ("rounds = 8", "rounds = 6")), seed=3)
    found = compare(played(seed=3), shorter, 60)
    always = [row for row in found.differences if row.is_constant]
    assert {row.key for row in always} == {"length.rounds", "length.decisions"}
    assert found.differences[: len(always)] == always
    assert all(row.significant for row in always)
    said = rendered(found)
    assert re.search(r"Rounds of a game +8.00 +6.00 .* always +yes", said)
    assert re.search(r"Share of the win of seat 1, from who begins +\d+\.\d% ", said), (
        "as people write shares"
    )
    assert "too few games" not in said
    few = rendered(compare(played(seed=3), shorter, 20))
    assert "too few games" in few
    assert "no larger than" not in few


def rendered(found: Comparison) -> str:
    """The comparison as the terminal shows it."""
    console = Console(width=160, file=StringIO())
    for part in comparison_tables(found):
        console.print(part)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_figures_of_single_games_are_those_of_the_simulation():
    found = figure_values(played(), 100, 200)
    games = simulate_chunk(GAME, GAME.components(), 2, [find_bot("greedy")], 1, 100, 200)
    several = np.array([len(set(shares)) == 1 for shares in games.shares.tolist()])  # of two, both win
    assert several.any()
    assert (found["ties"] == several).all()
    assert (found["length.decisions"] == games.lengths).all()
    assert (found["length.rounds"] == games.rounds).all()
    assert (found["points.margin"] == np.ptp(games.points, axis=1)).all()
    assert (found["seat 2"] == games.shares[:, 1]).all()


def test_no_effect_is_found_where_none_was_planted():
    """The same components on other deals: few of 12 comparisons find anything."""
    alarms = sum(
        any(row.significant for row in differences(played(seed=seed), played(seed=seed + 1000), 100, 2))
        for seed in range(12)
    )
    assert alarms <= 3  # more with a chance of 0.2 % if it were 5 % each


def test_of_forty_games_without_a_shared_win_it_is_not_said_that_there_is_none():
    """Agresti and Min's interval for pairs, which of 40 that are alike still has 4.7 points to each side."""
    paired = comparison.Paired()
    paired.add(np.zeros(40), np.zeros(40))
    row = comparison.difference(TIES.key, paired, False)
    assert row.change.value == 0
    assert row.within == pytest.approx(0.0467, abs=1e-4)


def test_a_set_is_not_compared_with_itself():
    with pytest.raises(AtollError, match="the same"):
        compare(played(), played(), 100)


def test_false_discoveries_are_controlled_as_published():
    """The example of Benjamini and Hochberg (1995, section 3.2): 15 p-values, of which four are called at 5 %."""
    p_values = [
        *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
        *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
    ]
    assert discoveries(p_values, 0.05) == [True] * 4 + [False] * 11
    assert discoveries([], 0.05) == []


@pytest.mark.parametrize(
    "shares", [(0.25,) * 4, (0.24, 0.24, 0.24, 0.28), (0.3, 0.28, 0.22, 0.2), (0.5, 0.5)]
)
def test_what_chance_makes_is_taken_from_the_largest_difference(shares: tuple[float, ...]):
    """What is left is nearer to the true difference, and nothing most often where there is none (docs/lab.md)."""
    rng, games, truth = np.random.default_rng(1), 800, max(shares) - min(shares)
    measured, left = [], []
    for _ in range(400):
        wins = rng.multinomial(games, shares).astype(float)
        apart = float(np.ptp(wins)) / games
        measured.append(apart)
        expected = expected_range(wins, np.diag(wins), games)
        left.append(beyond_chance(Estimate(apart, apart - 0.05, apart + 0.05, games), expected))
    found = [one.value for one in left]
    assert abs(np.mean(found) - truth) < abs(np.mean(measured) - truth)
    assert np.mean(found) == pytest.approx(truth, abs=0.017)
    assert (np.median(found) == 0) == (truth == 0)
    assert all(0 <= one.low <= one.value <= one.high <= one.value + 0.1 for one in left)


def test_what_the_components_do_not_have_is_no_dead_option():
    """Cast Away's moves have numbers for 64 constructions; those that the file does not have are not told of."""
    game = find_game("cast-away")
    played = Setup(game, game.components(), 2, [find_bot("greedy")], 1)
    totals = report_builder.empty(played)
    report_builder.play_and_count(played, 20, totals)
    found = report_builder.report(played, totals)
    assert found.choice is not None
    assert found.things is not None
    known = {tile["id"] for tile in game.components().data["constructions"]}
    told = [problem.thing for problem in found.choice.problems]
    told += [row.thing for row in found.things.things]
    told = [thing for thing in told if thing.of == "construction"]
    assert {thing.value for thing in told if thing.what == "move" and thing.kind == "build"} == known
    assert {thing.value for thing in told if thing.what == "move"} <= known


@pytest.mark.parametrize("players", [2, 4])
def test_what_other_numbers_of_players_have_is_no_dead_option(players: int):
    """Costa Ruana has more islands, other cards and more places on the table the more play (CR-3): whatever there is,
    chance uses sometimes.
    """
    game = find_game("costa-ruana")
    found = told(Setup(game, game.components(), players, [find_bot("random")], 1), 400).choice
    assert found is not None
    assert [option.thing.key for option in found.problems] == []
    there = existing(game, game.components(), players)
    assert 0 < sum(there) < len(there)


@pytest.mark.parametrize("players", [2, 4])
def test_there_are_as_many_places_of_the_compass_as_players(players: int):
    """Cast Away's compass markers are put on them, one by each player."""
    game = find_game("cast-away")
    found = told(Setup(game, game.components(), players, [find_bot("random")], 1), 60).choice
    assert found is not None
    there = existing(game, game.components(), players)
    keys = [item.key for item, exists in zip(items_of(game).items, there, strict=True) if exists]
    assert [key for key in keys if key.startswith("move/place compass/position/")] == [
        f"move/place compass/position/{place + 1}" for place in range(players)
    ]
    assert not [option for option in found.problems if option.thing.kind == "place compass"]


def test_numbers_that_no_position_can_offer_are_no_dead_options():
    """CA-18, CA-31: nobody eats more fish than the highest level of health takes food for, nor solves the mystery with
    more meeples than a storey takes. What the state could hold of them says nothing of a file.
    """
    game = find_game("cast-away")
    data = copy.deepcopy(game.components().data)
    data["food"]["fish"] = 1
    data["mystery"]["storeys"][2]["meeples"] = 2
    data["tribe"]["meeples"] = 1
    for components, fish, own, white in (
        (game.components(), 3, 3, 3),
        (game.components_from("mine", data), 5, 2, 1),
    ):
        keys = {
            item.key
            for item, exists in zip(items_of(game).items, existing(game, components, 2), strict=True)
            if exists
        }
        for part, most in (
            ("eat fish/choice", fish),
            ("solve mystery/own", own),
            ("solve mystery/white", white),
        ):
            assert [number for number in range(20) if f"move/{part}/{number}" in keys] == list(
                range(most + 1)
            )


def told(played: Setup, games: int) -> GameReport:
    """The report of so many games."""
    totals = report_builder.empty(played)
    report_builder.play_and_count(played, games, totals)
    return report_builder.report(played, totals)


def seats_at_karuba() -> SeatsAt:
    """How the seats of two alike do in 400 games; they choose at once."""
    found = told(played(seed=3), 400).seats
    assert found is not None
    return found.tables[0]


def test_a_seat_with_a_head_start_is_found(monkeypatch: pytest.MonkeyPatch):
    """Planted: the first seat wins every sixth game, whatever became of it."""

    def with_head_start(played: Setup, first: int, count: int, **named: bool) -> Chunk:
        chunk = collect(played, first, count, **named)
        chunk.played.winners[::6] = 1
        return chunk

    alike = seats_at_karuba()
    monkeypatch.setattr(report_builder, "collect", with_head_start)
    ahead = seats_at_karuba()
    assert alike.p_value > 0.001
    assert ahead.p_value < 0.001
    assert ahead.seats[0].share.low > ahead.seats[0].expected > ahead.seats[1].share.high


def too_dear(folder: Path) -> Components:
    """Cast Away's components, but that a tile costs more than anybody can have."""
    game = find_game("cast-away")
    text = (game.folder / "components.toml").read_text("utf-8")
    cost = next(tile for tile in game.components().data["constructions"] if tile["id"] == 1)["cost"]
    printed = f"cost = {{ bamboo = {cost['bamboo']}, liana = {cost['liana']}, palm = {cost['palm']} }}"
    before, tile, after = text.partition("[[constructions]]\nid = 1\n")
    assert printed in after
    dear = printed.replace(f"liana = {cost['liana']}", "liana = 20")
    file = folder / "dear.toml"
    file.write_text(before + tile + after.replace(printed, dear, 1), "utf-8")
    return game.read_components(file)


def test_a_tile_that_nobody_can_build_is_named(tmp_path: Path):
    """Its price is raised to more than anybody can have; as printed it is built."""
    game = find_game("cast-away")
    built = {}
    for name, components in (("printed", game.components()), ("dear", too_dear(tmp_path))):
        found = told(Setup(game, components, 2, [find_bot("greedy")], 1), 200).choice
        assert found is not None
        built[name] = [
            option.problem
            for option in found.problems
            if (option.thing.what, option.thing.kind, option.thing.of, option.thing.value)
            == ("move", "build", "construction", 1)
        ]
    assert built == {"printed": [], "dear": ["dead"]}


def test_a_tile_that_nobody_can_build_misses_the_aim_that_all_are_built(tmp_path: Path):
    """Each thing that the components have is wanted used (docs/lab.md), also one that never was to be had."""
    game = find_game("cast-away")
    missed = {}
    for name, components in (("printed", game.components()), ("dear", too_dear(tmp_path))):
        played = Setup(game, components, 2, [find_bot("greedy")], 1)
        totals = report_builder.empty(played)
        report_builder.play_and_count(played, 200, totals)
        rows = aim_results(
            Aims(used=[Used("move/build", 0.5)]), played, totals, named_items(game, components)
        )
        values = {row.thing.value: row for row in rows if row.thing is not None}
        assert {tile["id"] for tile in components.data["constructions"]} <= set(values)
        missed[name] = values[1].miss > 0
    assert missed == {"printed": False, "dear": True}


def test_an_option_is_compared_on_and_off(run: Run, tmp_path: Path):
    """The command tells the same figures as the two sets side by side; the second has the option (KA-12)."""
    file = tmp_path / "comparison.json"
    status, _, complaint = run(
        *("compare", "karuba", "--option", "blocked_shortest=on", "--games", 400, "--seed", 1),
        *("--workers", 1, "--json", file),
    )
    assert (status, complaint) == (0, "")
    found = msgspec.json.decode(file.read_bytes(), type=Comparison)
    own = GAME.components()
    taken = [
        Setup(GAME, GAME.under(own, options), 2, [find_bot("greedy")], 1, options)
        for options in ({"blocked_shortest": False}, {"blocked_shortest": True})
    ]
    assert found.differences == compare(taken[0], taken[1], 400, 1).differences
    points = next(row for row in found.differences if row.key == "points.mean")
    assert points.change.value != 0, "some adventurer was stopped"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((), "name what differs: --with FILE, or --option NAME=VALUE"),
        (("--option", "blocked_shortest"), "--option is NAME=on or NAME=off, not “blocked_shortest”"),
        (("--option", "no_such=on"), "no_such"),
        (("--option", "blocked_shortest=off"), "the same"),
    ],
)
def test_what_cannot_be_compared_is_refused(run: Run, asked: tuple[str, ...], said: str):
    status, out, complaint = run("compare", "karuba", "--games", 10, "--seed", 1, *asked)
    assert status != 0
    assert said in " ".join((out + complaint).split())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("report", "karuba", "-o", "no/such/page.html"), "no/such/page.html"),
        (("report", "karuba", "--json", "."), "."),
        (("report", "karuba", "--swaps", 30, "--bots", "search:10"), "forced swaps need bots"),
        (
            ("report", "karuba", "--restricted", 30, "--bots", "cmd:true"),
            "only the program's own bots can be restricted",
        ),
        (
            ("report", "karuba", "--swaps", 30, "--only", "move/fly"),
            "begins with “move/fly”; there are: move/",
        ),
        (("compare", "karuba", "--option", "blocked_shortest=on", "--json", "no/such.json"), "no/such.json"),
        (("tune", "karuba", "--aims", "aims.toml", "-o", "no/such.toml"), "no/such.toml"),
    ],
)
def test_what_cannot_come_of_it_is_refused_before_games_are_played(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: tuple[object, ...], said: str
):
    """An hour of games is not lost to a folder that is missing, and nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    aims = tmp_path / "aims.toml"
    aims.write_text('[ranges]\n"game.hand" = [2, 5]\n[aims]\nseats = 2\n', "utf-8")
    monkeypatch.setattr(report_builder, "prepare", lambda played: pytest.fail("games are about to be played"))
    status, _, complaint = run(*asked, "--seed", 1)
    assert status == 2
    assert said in complaint
    assert list(tmp_path.iterdir()) == [aims]

"""What restrictions cost: each figure is what single games say, by other code, and planted effects are found."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import erfc, sqrt
from pathlib import Path

import goofspiel
import pytest

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.engine.chance import derive
from atoll.lab.items import named_items
from atoll.lab.played import Setup, game_seed
from atoll.lab.report import read_report
from atoll.lab.restrictions import SEED, restrictions, styles, without_items
from atoll.lab.sections.strategies import Restriction
from atoll.lab.simulate import seat_bots, step_game
from atoll.text.errors import AtollError
from tests.conftest import Run

KARUBA = find_game("karuba")
TASTES = [f"taste={name}" for name in ("hoarder", "builder", "explorer", "spoiler")]


def played(game: Game, bots: str = "greedy", players: int = 2, seed: int = 1) -> Setup:
    return Setup(game, game.components(), players, [find_bot(bots)], seed)


def styles_of(what: Setup, games: int, workers: int = 2) -> dict[str, Restriction]:
    """What styles cost, by what restricts the bot."""
    return {one.bot.split(",", 1)[1]: one for one in restrictions(what, styles(what), games, workers)}


def shares_step_by_step(what: Setup, bot: str, games: int) -> list[float]:
    """What a restricted bot wins in seat 0, 1, 2 ... of one game after another, against free ones."""
    found = []
    restricted, free = find_bot(bot), what.bots[0]
    for game in range(games):
        seed = derive(what.seed, SEED)
        position = what.game.start(what.players, game_seed(seed, game), what.components)
        for _ in step_game(
            position, seat_bots([restricted] + [free] * (what.players - 1), what.players, seed, game)
        ):
            pass
        assert position.outcome is not None
        winners = position.outcome.winners
        found.append((game % what.players in winners) / len(winners))
    return found


def agresti_min(differences: Sequence[float]) -> tuple[float, float]:
    """A. Agresti and Y. Min's interval (2005) for matched pairs, of which half a one more differs each way."""
    differences = [*differences, 0.0, *[sqrt(0.5), -sqrt(0.5)]]
    n, z = len(differences) - 1, 1.959964
    middle = sum(differences) / n
    half = z * sqrt((sum(one**2 for one in differences) - n * middle**2) / n**2)
    return middle - half, middle + half


def test_every_figure_is_that_of_single_games():
    """Share, cost, interval and p-value from games played step by step, those of a free player in the same seats for
    comparison, and Benjamini and Hochberg by their text.
    """
    what = played(find_game("costa-ruana"), players=3, seed=9)
    told = named_items(what.game, what.components)
    things = [thing for thing in told if thing.key.startswith("move/turn condition/condition/")][:4]
    held = styles(what) + without_items(what, things)
    found = restrictions(what, held, 60, 2)
    assert Counter(one.bot for one in found) == Counter(one.bot.name for one in held)
    assert [one.thing is None for one in found] == sorted((one.thing is None for one in found), reverse=True)
    p_values = []
    free = shares_step_by_step(what, what.bots[0].name, 60)
    for one in found:
        shares = shares_step_by_step(what, one.bot, 60)
        differences = [without - held for without, held in zip(free, shares, strict=True)]
        low, high = agresti_min(differences)
        assert one.free == pytest.approx(sum(free) / 60)
        assert one.share.value == pytest.approx(sum(shares) / 60)
        assert one.cost.units == 60
        cost = (one.cost.low, one.cost.value, one.cost.high)
        assert cost == pytest.approx((low, sum(differences) / 60, high), abs=1e-6)
        changed = sqrt(sum(one**2 for one in differences))
        expected = erfc(abs(sum(differences)) / changed / sqrt(2)) if changed else 1.0
        assert one.p_value == pytest.approx(expected)  # Q. McNemar's test
        p_values.append(one.p_value)
    ordered = sorted(p_values)
    last = max((i for i, p in enumerate(ordered, start=1) if p <= 0.05 * i / len(ordered)), default=0)
    assert [one.significant for one in found] == [p <= ordered[last - 1] if last else False for p in p_values]


def test_a_restriction_that_never_holds_a_bot_back_costs_nothing():
    """The same deals with the same chance: `greedy` never lays a bluff in Costa Ruana, so that no game differs. That
    one in so many games would is still not ruled out.
    """
    found = styles_of(played(find_game("costa-ruana"), players=3, seed=2), 100)["without=bluff"]
    assert found.share.value == found.free
    assert (found.cost.value, found.p_value, found.significant) == (0, 1, False)
    assert -0.02 < found.cost.low < 0 < found.cost.high < 0.02


def test_who_never_wins_is_sure_to_lose():
    """It costs what free players win in its place."""
    found = styles_of(played(KARUBA, players=4, seed=2), 60)["only=points"]
    assert found.share.value == 0
    assert found.significant
    assert 0.05 < found.cost.low < found.cost.value == found.free


def test_a_style_that_is_bad_is_found_with_what_it_costs():
    """In Karuba the cards that pay at once leave no room for those that pay later, and who searches sees more than the
    advice does. In Goofspiel, where greedy looks how far it is ahead, it costs little to look at one's points alone.
    """
    paying = styles_of(played(KARUBA), 200)
    assert set(paying) == {"only=points", *TASTES}
    assert paying["only=points"].significant
    assert paying["only=points"].cost.low > 0.3
    searching = played(KARUBA, "search:20")
    [blind] = restrictions(searching, [one for one in styles(searching) if "ahead" in one.bot.name], 30, 2)
    assert blind.significant
    assert blind.cost.low > 0.05
    alone = styles_of(played(goofspiel.game), 1000)["only=points"]
    assert alone.significant
    assert 0 < alone.cost.low < alone.cost.high < 0.15


def test_what_styles_cost_does_not_hang_on_the_number_of_workers():
    one, three = (styles_of(played(KARUBA), 250, workers) for workers in (1, 3))
    assert one == three


def test_bots_that_search_are_held_to_styles_and_not_kept_from_things(run: Run, tmp_path: Path):
    """Each thing would take them too long; without looking ahead they go by the advice."""
    json = tmp_path / "report.json"
    status, _, complaint = run(
        *("report", "costa-ruana", "--players", 2, "--bots", "search:4", "--games", 4, "--restricted", 5),
        *("--seats", 0, "--seed", 1, "--workers", 2, "--json", json),
    )
    assert (status, complaint) == (0, "")
    found = read_report(json).strategies
    assert found is not None
    rules = ("ahead=0", "only=points", "without=bluff", *TASTES)
    assert {one.bot for one in found.restrictions} == {f"restrict:search:4,{rule}" for rule in rules}
    assert {one.name["fr"] for one in found.restrictions} >= {"Ne pas anticiper", "Sans bluff"}


def test_a_bot_that_is_restricted_already_is_restricted_further():
    bots = [one.bot.name for one in styles(played(goofspiel.game, "restrict:greedy,never=bid/card/3"))]
    assert bots == [f"restrict:greedy,never=bid/card/3,{rule}" for rule in ("ahead=0", "only=points")]
    with pytest.raises(AtollError, match="only the program's own bots"):
        styles(replace(played(KARUBA), bots=[replace(find_bot("random"), name="cmd:true")]))

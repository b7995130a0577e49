"""Many games at once, and the same rules in every way of running them."""

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from atoll.core.game import Game
from atoll.lab.played import Setup
from atoll.lab.recording import record_games
from atoll.lab.simulate import bot_generators, simulate
from atoll.testing import fingerprints, machine
from atoll.testing.playing import GREEDY, RANDOM


def same(one: Any, other: Any) -> bool:
    return all(
        (getattr(one, name) == getattr(other, name)).all()
        for name in ("bots", "points", "winners", "lengths")
    )


class ManyTests:
    """What simulations of any game must do."""

    games: ClassVar[Sequence[Game]] = ()
    compared: ClassVar[int] = 10
    """Games of each number of players that are played uncompiled too."""

    def test_ten_thousand_games_stay_within_the_declared_bounds(self, game: Game, players: int) -> None:
        components, rules = game.components(), game.rules
        longest = rules.max_decisions(components, players)
        least, most = rules.points_range(components, players)
        for bots, seed in (((RANDOM,), 1), ((GREEDY, RANDOM), 2)):
            results = simulate(game, components, players, bots, 5000, seed, workers=2)
            assert results.points.shape == (5000, players)
            assert results.lengths.min() > 0
            assert results.lengths.max() <= longest
            assert least <= results.points.min()
            assert results.points.max() <= most
            assert (results.winners > 0).all()
            assert (results.winners < 1 << players).all()

    def test_simulations_do_not_depend_on_the_number_of_workers(self, game: Game) -> None:
        components, players = game.components(), game.default_players
        one, two, three = (
            simulate(game, components, players, (GREEDY, RANDOM), 1300, 7, workers) for workers in (1, 2, 3)
        )
        assert same(one, two)
        assert same(one, three)
        other = simulate(game, components, players, (GREEDY, RANDOM), 1300, 8)
        assert not same(one, other)

    def test_components_can_be_sent_to_other_machines(self, game: Game) -> None:
        for name in game.component_files:
            components = game.components(name)
            copy = pickle.loads(pickle.dumps(components))
            assert (copy.sha256, copy.file, copy.data) == (
                components.sha256,
                components.file,
                components.data,
            )
            assert copy.parts.tobytes() == components.parts.tobytes()

    def test_fewer_games_are_the_first_of_more(self, game: Game) -> None:
        components, players = game.components(), game.default_players
        more = simulate(game, components, players, (RANDOM,), 600, 7)
        fewer = simulate(game, components, players, (RANDOM,), 50, 7)
        assert (more.points[:50] == fewer.points).all()

    def test_stepped_games_are_those_of_the_compiled_loop(
        self, game: Game, players: int, tmp_path: Path
    ) -> None:
        bots, file = (GREEDY, RANDOM), tmp_path / "games.jsonl"
        turned = {option.name: not option.default for option in game.options}
        for options in [{}, turned] if turned else [{}]:
            components = game.under(game.components(), options)
            stepped = record_games(Setup(game, components, players, bots, 9, options), 12, file)
            looped = simulate(game, components, players, bots, 12, 9)
            assert same(stepped, looped)

    def test_every_seat_of_every_game_has_chance_of_its_own(self) -> None:
        own = {tuple(chance.tolist()) for index in range(50) for chance in bot_generators(1, index, 6)}
        assert len(own) == 300

    # Any legal moves in any order

    def test_any_legal_moves_keep_the_invariants(self, game: Game) -> None:
        """Found by Hypothesis."""
        machine.run(game)

    # The same rules, compiled or not

    @pytest.mark.parametrize(
        "setting",
        [{"ATOLL_RUNNER": "plain"}, {"ATOLL_RUNNER": "native", "NUMBA_BOUNDSCHECK": "1"}],
        ids=["as plain Python", "in machine code, bounds checked"],
    )
    def test_the_rules_are_the_same_in_every_way_of_running_them(
        self, setting: dict[str, str], request: pytest.FixtureRequest
    ) -> None:
        """State by state, in a process of its own; warnings are errors there."""
        ends_only = request.config.getoption(fingerprints.ENDS_ONLY, default=False)
        packages = [game.package for game in self.games]
        command = [sys.executable, "-W", "error", "-m", "atoll.testing.fingerprints", str(self.compared)]
        command += [fingerprints.ENDS_ONLY] * ends_only
        path = os.pathsep.join(filter(None, sys.path))
        other = subprocess.Popen(
            [*command, *packages],
            env={**os.environ, "PYTHONPATH": path, **setting},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            here = fingerprints.fingerprints(self.games, self.compared, ends_only)
            out, complaint = other.communicate(timeout=240)
        finally:
            other.kill()
        assert (other.returncode, complaint) == (0, "")
        assert out.splitlines() == here

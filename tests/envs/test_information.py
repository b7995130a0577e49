"""The information law for other packages' games: honest ones pass, and each planted leak is found."""

from typing import Any

import numpy as np
import pyspiel
import pytest
from goofspiel import game as goofspiel
from kuhn_poker import game as kuhn_poker

from atoll.core.catalogue import games
from atoll.envs.open_spiel import Observer, register
from atoll.envs.pettingzoo import raw_env
from atoll.envs.referee import Referee
from atoll.testing import information
from atoll.testing.information import (
    FALSE_ALARM,
    check_open_spiel,
    check_pettingzoo,
    goodness_of_fit,
    resampled,
)
from atoll.text.errors import AtollError


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of other packages, as if they were installed; and fewer draws."""
    for game in (goofspiel, kuhn_poker):
        monkeypatch.setitem(games(), game.name, game)
    monkeypatch.setattr(information, "DRAWS", 30)
    register()


def test_honest_games_of_theirs_and_ours_keep_both_laws() -> None:
    for name, sets in (("kuhn_poker", "12"), ("atoll_kuhn_poker", "12")):
        report = check_open_spiel(pyspiel.load_game(name), plays=3)
        assert report.faults == []
        assert report.enumerated == f"{sets} information sets"
        assert report.worlds > 20
        assert report.fair is not None
        assert "no fault found" in "\n".join(report.lines())


def test_a_game_without_resampling_says_so() -> None:
    report = check_open_spiel(pyspiel.load_game("tiny_hanabi"), plays=1)
    assert report.resampling.startswith("not offered")
    assert report.fair is None
    assert report.faults == []


def test_a_resampling_that_returns_the_true_state_is_found() -> None:
    """Each such state is the same to the seat; only the counts tell."""
    for name in ("kuhn_poker", "atoll_kuhn_poker"):
        report = check_open_spiel(
            pyspiel.load_game(name), plays=2, resample=lambda state, seat, seed: state.clone()
        )
        assert not report.told_apart
        assert report.fair is not None
        assert report.fair <= FALSE_ALARM
        assert "depend on the true state" in report.faults[0]


def test_a_resampling_that_prefers_some_states_is_found() -> None:
    report = check_open_spiel(
        pyspiel.load_game("kuhn_poker"), plays=2, resample=lambda state, seat, seed: resampled(state, seat, 5)
    )
    assert any("draws are not those of chance" in fault for fault in report.faults)


def test_a_resampling_into_another_information_set_is_found() -> None:
    """It deals the seat itself another card."""

    def wrong(state: Any, seat: int, seed: int) -> Any:
        return resampled(state, 1 - seat, seed)

    report = check_open_spiel(pyspiel.load_game("kuhn_poker"), plays=3, resample=wrong)
    assert report.strangers
    assert any("information_state_string" in fault for fault in report.faults)


def test_an_observation_that_shows_what_is_hidden_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hidden number of the full state is added to the tensor."""
    honest = Observer.set_from

    def leaking(self: Observer, state: Any, player: int) -> None:
        honest(self, state, player)
        if self.tensor is not None and state.line.dealt:
            self.tensor[-1] = sum(state.line.states.tobytes()) % 7

    monkeypatch.setattr(Observer, "set_from", leaking)
    faults = check_open_spiel(pyspiel.load_game("atoll_kuhn_poker"), plays=3).faults
    assert any("observation_tensor" in fault for fault in faults)


def test_the_p_value_of_honest_draws_is_seldom_small() -> None:
    """At most one in five is at most 0.2, but for chance: 60 of them, and five standard deviations."""
    chance = np.random.default_rng(1)
    share = np.array([0.5, 0.3, 0.2])
    p_values = [goodness_of_fit([chance.multinomial(40, share)], [share], seed) for seed in range(60)]
    small = sum(value <= 0.2 for value in p_values)
    assert small <= 12 + 5 * np.sqrt(60 * 0.2 * 0.8)
    assert goodness_of_fit([np.array([40, 0, 0])], [share], 1) <= FALSE_ALARM


# PettingZoo


def test_an_environment_keeps_the_law_and_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    table = raw_env(goofspiel, players=3)
    report = check_pettingzoo(table, plays=1)
    assert report.faults == []
    assert report.worlds > 50

    def leaking(self: Referee, seat: int) -> Any:
        return self.full_state(), honest(self, seat)[1]

    honest = Referee.look
    monkeypatch.setattr(Referee, "look", leaking)
    assert any("by its observation" in fault for fault in check_pettingzoo(table, plays=1).faults)


def test_another_packages_environment_brings_its_own_worlds() -> None:
    class Plain:
        unwrapped = property(lambda self: self)

        def __str__(self) -> str:
            return "plain"

    with pytest.raises(AtollError, match=r"plain has no method resample\(agent, seed\): pass a function"):
        check_pettingzoo(Plain())
    table = raw_env(kuhn_poker)
    report = check_pettingzoo(table, lambda other, agent, seed: other.resample(agent, seed), plays=2)
    assert report.faults == []

"""Hypothesis plays legal moves in any order and checks every invariant after each."""

import os

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from atoll.core.game import Game, Position
from atoll.core.state import SPECTATOR
from atoll.testing.playing import refusals, state_bytes

SETTINGS = settings(
    max_examples=25,
    stateful_step_count=60,
    deadline=None,
    derandomize="CI" in os.environ,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


class PlayedGame(RuleBasedStateMachine):
    """A game played by Hypothesis."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.position: Position | None = None

    @property
    def running(self) -> Position:
        """The position, once there is one."""
        assert self.position is not None
        return self.position

    @initialize(data=st.data(), seed=st.integers(0, 2**64 - 1))
    def start(self, data: st.DataObject, seed: int) -> None:
        players = data.draw(st.sampled_from(self.game.seats), "players")
        self.position = self.game.start(players, seed)
        self.decisions = 0

    @precondition(lambda self: self.position is not None and not self.position.is_over)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        """Several at once, to get deep into the game."""
        for _ in range(5):
            if self.running.is_over:
                return
            seat = data.draw(st.sampled_from(self.running.to_act), "seat")
            actions = self.running.legal_moves(seat).actions.tolist()
            assert actions
            action = data.draw(st.sampled_from(actions), "action")
            self.running.play(seat, action)
            self.decisions += 1

    @precondition(lambda self: self.position is not None and not self.position.is_over)
    @rule(data=st.data(), code=st.integers(-1, 2000))
    def try_something_else(self, data: st.DataObject, code: int) -> None:
        before = state_bytes(self.running)
        seat = data.draw(st.integers(0, self.running.players - 1), "seat")
        if code not in self.running.legal_moves(seat).actions.tolist():
            assert refusals(self.running, seat, [code])[0] != "played"
        assert state_bytes(self.running) == before

    @precondition(lambda self: self.position is not None)
    @rule(data=st.data(), seed=st.integers(0, 1000))
    def go_on_from_what_a_seat_believes(self, data: st.DataObject, seed: int) -> None:
        """A drawn state is as good a position as the true one."""
        seat = data.draw(st.sampled_from([SPECTATOR, *range(self.running.players)]), "seat")
        view = self.running.view(seat)
        world = view.resample(seed)
        assert state_bytes(world.view(seat)) == state_bytes(view)
        self.position = world

    @invariant()
    def nothing_is_lost(self) -> None:
        if self.position is not None:
            self.position.check()

    @invariant()
    def the_declared_length_holds(self) -> None:
        if self.position is not None:
            assert self.decisions <= self.position.most_decisions

    @invariant()
    def the_outcome_is_there_at_the_end(self) -> None:
        if self.position is not None:
            assert (self.position.outcome is not None) == self.position.is_over


def run(game: Game) -> None:
    """Play it, until an invariant breaks."""

    class ThisGame(PlayedGame):
        def __init__(self) -> None:
            super().__init__(game)

    run_state_machine_as_test(ThisGame, settings=SETTINGS)

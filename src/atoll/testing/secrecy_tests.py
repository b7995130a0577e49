"""The law of what a seat may know, on every channel, and that it notices planted leaks."""

from typing import Any, ClassVar

import numpy as np
import pytest

from atoll.core import records
from atoll.core.exports import LEGAL_ACTIONS, RESAMPLE, VIEW
from atoll.core.game import Game, Position, View
from atoll.core.observation import Observation
from atoll.core.state import SPECTATOR
from atoll.engine.chance import WORD, generator
from atoll.testing.information_sets import check_draws, could_be_another, is_small, poisoned
from atoll.testing.planting import plant
from atoll.testing.playing import BOTS, play_to_the_end, refusals, spaced, state_bytes, walk
from atoll.testing.secrecy import check_law, elements, hidden_numbers


def law_is_broken(game: Game) -> str | None:
    """The channel in which check_law finds a leak in a random game, if it finds one."""
    step = 4 if game.rules.max_decisions(game.components(), game.default_players) > 8 else 1
    for number, position in walk(game, game.default_players, 21):
        if number % step == 0:
            for seat in (SPECTATOR, *range(position.players)):
                try:
                    check_law(position, seat, seed=number)
                except AssertionError as error:
                    return str(error).splitlines()[0]
    return None


def small_positions(game: Game, most: int = 2) -> int:
    """Compare what is drawn with all that agrees, in up to `most` positions of random games in which little is hidden;
    returns in how many. The fewest players, and the end of a game, hide the least.
    """
    compared = attempts = 0
    for seed in range(3):
        walked = [position.copy() for position in spaced(game, game.seats.start, 30 + seed, 3)]
        for position in reversed(walked):
            for seat in (SPECTATOR, *range(position.players)):
                if (
                    compared < most
                    and attempts < 4 * most
                    and not position.is_over
                    and is_small(position, seat)
                ):
                    attempts += 1
                    compared += check_draws(position, seat)
    return compared


def says_of_the_truth(game: Game) -> bool:
    """Whether two true states with the same view are drawn from differently."""
    for seed in range(32):  # a planted leak tells of one bit: with few deals it may happen to be alike in all
        position = game.start(game.default_players, 15 + seed)
        world = state_bytes(position.view(0).resample(5))
        twin = position.view(0).resample(99 + seed)
        if state_bytes(twin.view(0).resample(5)) != world:
            return True
    return False


class SecrecyTests:
    """Hidden is hidden."""

    enumerated: ClassVar[int] = 0
    """Positions that must have been compared with exact enumeration: 1 for games that come to any where it is short."""

    def test_a_drawn_state_is_sound_and_looks_the_same(self, game: Game, players: int) -> None:
        for position in spaced(game, players, seed=12, step=9):
            for seat in (SPECTATOR, *range(players)):
                view = position.view(seat)
                for seed in range(3):
                    world = view.resample(seed)
                    world.check()
                    assert state_bytes(world.view(seat)) == state_bytes(view)
                    assert world.view(seat).to_json() == view.to_json()

    def test_a_drawn_state_plays_to_the_end(self, game: Game, players: int) -> None:
        for position in spaced(game, players, seed=13, step=23):
            for seat in (SPECTATOR, *range(players)):
                play_to_the_end(position.view(seat).resample(1), seed=2)

    def test_nothing_that_reaches_a_seat_depends_on_what_it_cannot_know(
        self, game: Game, players: int
    ) -> None:
        for seed in range(2):
            for number, position in walk(game, players, 20 + seed):
                if number % 8 == 0:
                    for seat in (SPECTATOR, *range(players)):
                        check_law(position, seat, seed=number)

    def test_what_a_seat_cannot_know_takes_several_values(self, game: Game, players: int) -> None:
        """Over 200 draws, early in the game: whatever stays the same then can be nothing else."""
        early = game.rules.max_decisions(game.components(), players) // 8
        for number, position in walk(game, players, 14):
            if number > early:
                break
            if number % 7 == 0:
                for seat in (SPECTATOR, number % players):
                    view = position.view(seat)
                    alike = hidden_numbers(game, position.state, view.state)
                    assert alike
                    first = dict(elements(view.resample(0).state))
                    for seed in range(1, 200):
                        world = dict(elements(view.resample(seed).state))
                        alike = [where for where in alike if world[where] == first[where]]
                        if not alike:
                            break
                    other = [where for where in alike if could_be_another(position, seat, where)]
                    assert not other, f"{other} could be another number and never is"

    def test_drawing_says_nothing_of_the_truth(self, game: Game) -> None:
        """Two true states with the same view draw the same from the same generator; other generators draw others."""
        position = game.start(game.default_players, 15)
        view = position.view(0)
        twin = view.resample(99).view(0)
        assert state_bytes(view.resample(5)) == state_bytes(twin.resample(5))
        assert len({state_bytes(view.resample(seed)) for seed in range(20)}) == 20

    def test_a_drawn_state_brings_its_own_chance(self, game: Game) -> None:
        """The generator of the truth is not in the view; drawn states get others, which are not 0."""
        position = game.start(game.default_players, 16)
        view = position.view(SPECTATOR)
        assert view.state.generator.tobytes() == b"\xff" * 24
        words = {int(view.resample(seed).state.generator[WORD]) for seed in range(50)}
        assert len(words) == 50
        assert not words & {0, int(position.state.generator[WORD])}

    def test_bots_choose_by_the_view_alone(self, game: Game, players: int) -> None:
        """Any true state that agrees with the view gives the same choice for the same generator."""
        for position in spaced(game, players, seed=17, step=6):
            for seat in position.to_act:
                view = position.view(seat)
                for bot in BOTS:
                    actions = {bot.choose(view.resample(seed).view(seat), seed=4) for seed in range(3)}
                    assert actions == {bot.choose(view, seed=4)}

    def test_a_view_is_not_a_position(self, game: Game) -> None:
        view = game.start(game.default_players, 1).view(0)
        assert isinstance(view, View)
        assert not isinstance(view, Position)
        assert refusals(game.start(game.default_players, 1), 0, [])

    def test_hidden_numbers_change_nothing_that_a_seat_sees_or_draws(self, game: Game, players: int) -> None:
        """Whatever stands where the view hides it: the lowest number there can be, or the highest."""
        for position in spaced(game, players, seed=19, step=9):
            for seat in (SPECTATOR, *range(players)):
                view = position.view(seat)
                for highest in (False, True):
                    other = poisoned(position, seat, highest=highest).view(seat)
                    assert state_bytes(other) == state_bytes(view)
                    assert state_bytes(other.resample(7)) == state_bytes(view.resample(7))

    def test_what_is_drawn_is_uniform_over_all_that_agrees_with_the_view(self, game: Game) -> None:
        """Compared with exact enumeration, in positions where that is short."""
        assert small_positions(game) >= self.enumerated

    def test_drawing_that_reads_behind_the_view_is_noticed(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What is drawn hangs on the true state of which a view was made last."""
        assert not says_of_the_truth(game)
        behind = [0]

        def view(honest: Any, states: Any, parts: Any, seat: int, out: Any) -> None:
            behind[0] = sum(states.tobytes()) % 2
            honest(states, parts, seat, out)

        def resample(honest: Any, views: Any, parts: Any, generator: Any, out: Any) -> None:
            generator[-1] += behind[0]
            honest(views, parts, generator, out)

        plant(monkeypatch, game, VIEW, view)
        plant(monkeypatch, game, RESAMPLE, resample)
        assert says_of_the_truth(game)

    def test_drawing_that_prefers_some_states_is_noticed(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same cards are drawn again and again."""

        def stubborn(honest: Any, views: Any, parts: Any, chance: Any, out: Any) -> None:
            honest(views, parts, generator(1), out)

        plant(monkeypatch, game, RESAMPLE, stubborn)
        try:
            small = small_positions(game)
        except AssertionError as error:
            assert "drawn too often" in str(error)  # noqa: PT017  a game without small positions raises nothing
        else:
            assert small == 0

    # Planted leaks: the law must notice each

    def test_no_leak_is_found_where_none_was_planted_and_one_in_what_happened_is(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Events and the record's moves as they are, if the game ever had to hide any."""
        hides = {"hide_event": "events", "hide_move": "record"}
        hidden = set()

        def plant(name: str, leaks: bool) -> None:
            honest = getattr(game.notation, name)

            def planted(what: Any, *arguments: Any) -> Any:
                result = honest(what, *arguments)
                if result != what:
                    hidden.add(name)
                return what if leaks else result

            monkeypatch.setattr(game.notation, name, planted)

        for name in hides:
            plant(name, leaks=False)
        assert law_is_broken(game) is None
        monkeypatch.undo()
        for name in hidden:
            plant(name, leaks=True)
            assert law_is_broken(game) == hides[name]
            monkeypatch.undo()

    def test_a_leak_in_the_view_is_noticed(self, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        """One number that should be hidden is shown."""

        def leaking(honest: Any, states: Any, parts: Any, seat: int, out: Any) -> None:
            honest(states, parts, seat, out)
            state, view = states[0], out[0]
            hidden = hidden_numbers(game, state, view)
            if hidden:
                name, number = hidden[-1]
                view[name].reshape(-1)[number] = state[name].reshape(-1)[number]

        plant(monkeypatch, game, VIEW, leaking)
        assert law_is_broken(game) == "view"

    def test_a_leak_of_chance_into_the_view_is_noticed(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def leaking(honest: Any, states: Any, parts: Any, seat: int, out: Any) -> None:
            honest(states, parts, seat, out)
            out[0].generator[:] = states[0].generator

        plant(monkeypatch, game, VIEW, leaking)
        assert law_is_broken(game) == "view"

    def test_a_leak_in_the_observation_is_noticed(self, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        """Made of the full state instead of the seat's view."""

        def leaking(self: Observation, position: Position, seat: int) -> Any:
            full = position.copy().states
            full["seat"] = seat
            out = np.empty(self.size, dtype=self.dtype)
            self.write(full, out)
            return out

        monkeypatch.setattr(Observation, "of", leaking)
        assert law_is_broken(game) == "observation"

    def test_a_leak_in_the_legal_moves_is_noticed(self, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        """The last move is left out when something in the full state is odd."""

        def leaking(honest: Any, states: Any, parts: Any, seat: int, out: Any) -> int:
            count: int = honest(states, parts, seat, out)
            return count - 1 if count > 1 and sum(states.tobytes()) % 2 else count

        plant(monkeypatch, game, LEGAL_ACTIONS, leaking)
        assert law_is_broken(game) == "legal moves"

    def test_a_leak_in_the_error_texts_is_noticed(self, game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
        honest = Position._not_legal

        def leaking(self: Position, move: Any, legal: Any) -> str:
            return f"{honest(self, move, legal)} ({sum(state_bytes(self)) % 7})"

        monkeypatch.setattr(Position, "_not_legal", leaking)
        assert law_is_broken(game) == "error text"

    def test_a_leak_in_the_start_of_a_record_is_noticed(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        honest = records.header

        def leaking(position: Position, *rest: Any) -> Any:
            return {**honest(position, *rest), "checksum": sum(state_bytes(position)) % 7}

        monkeypatch.setattr(records, "header", leaking)
        assert law_is_broken(game) == "record"

    def test_the_law_of_advice_notices_a_bot_that_peeks(
        self, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A bot handed the true state chooses differently for different true states."""
        position = game.start(game.default_players, 18)
        seat = position.to_act[0]
        view = position.view(seat)
        moves = view.legal_moves().actions

        def peeking(full: Position) -> int:
            return int(moves[sum(state_bytes(full)) % len(moves)])

        assert len({peeking(view.resample(seed)) for seed in range(40)}) > 1

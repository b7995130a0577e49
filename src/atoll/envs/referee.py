"""One game at a time, from its full state: what the environments share that play one game.

Seats count from 0. Actions are turned codes (`core/action_encoding.py`), as are masks: parts of moves that name seats
count from the seat that acts, as its observation does.
"""

import os
from collections.abc import Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text

from atoll.core.action_encoding import Actions
from atoll.core.catalogue import find_game
from atoll.core.events import NO_EVENTS
from atoll.core.exports import PLAY, RESULT, START
from atoll.core.game import Game, Position, View
from atoll.core.game_translator import GameTranslator
from atoll.core.observation import observation_of
from atoll.core.state import SPECTATOR
from atoll.core.types import Components
from atoll.engine.chance import fork_generator
from atoll.engine.constants import GENERATOR_WORDS
from atoll.engine.derived import derive as derived
from atoll.engine.native import native
from atoll.engine.seeds import new_seed
from atoll.envs.chances import GAME_CHANCE, chances_of, word_of
from atoll.envs.seat_input import Layout, look_at
from atoll.text.console_drawing import WIDTH
from atoll.text.errors import AtollError, IllegalMove
from atoll.text.translation import LANGUAGES, Translator, seat_names

REWARDS = ("win", "points")
"""What a game is worth to a seat, told at its end: its share of the win from -1 to 1, of sum 0 over all seats, or its
points."""
ILLEGAL = ("lose", "refuse")
"""What becomes of an illegal action: the game is over and lost by that seat, or IllegalMove is raised and nothing
changes."""

NO_GAME = "no game is going on: reset begins one"
GAME_OVER = "the game is over: reset begins the next one"
"""What is said of a step that cannot be."""

Saved = dict[str, Any]
"""A saved game: plain Python values and bytes, which hold what seats cannot know."""


def check_choice(what: str, name: str, names: tuple[str, ...]) -> str:
    """The name, if it is known; raises AtollError that says which are."""
    if name not in names:
        raise AtollError(f"there is no {what} {name!r}; there are: {', '.join(names)}")
    return name


def check_same(saved: Mapping[str, Any], own: Mapping[str, Any]) -> None:
    """Raise AtollError if something was saved of another set-up than `own`."""
    for key, value in own.items():
        if saved.get(key) != value:
            raise AtollError(f"the saved state is not of this {key}: {saved.get(key)!r}, not {value!r}")


def setting_of(game: Game, players: int, components: Components) -> Saved:
    """What a saved state says of the game that it is of."""
    return {
        "game": game.name,
        "rules_version": game.rules_version,
        "players": players,
        "components": components.sha256,
        "options": dict(components.options),
    }


def components_of(game: Game, components: "Components | Path | str | None") -> Components:
    """A game's components: a shipped set by name, a file by its path, or the game's own for None."""
    if isinstance(components, Components):
        return components
    if isinstance(components, os.PathLike):
        return game.read_components(Path(components))
    return game.components(components)


def win_shares(winners: int, players: int) -> NDArray[np.float64]:
    """What the win is worth to each seat: 1 to a sole winner, -1 / (players - 1) to each other; the sum is 0."""
    won = winners >> np.arange(players) & 1
    shares: NDArray[np.float64] = (players * won / won.sum() - 1) / (players - 1)
    return shares


@cache
def compiled_look(game: Game) -> Any:
    """`look_at`, compiled for a game."""
    rules = game.rules
    return native(
        derived(look_at, f"{game.package}.rules", legal_actions=rules.legal_actions, make_view=rules.view)
    )


class Referee:
    """A game and its full state.

    `components` is a shipped set's name, a path or `Components`; `seed` None takes a new one. Raises AtollError for a
    game, number of players, option, form or policy that does not exist.
    """

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        components: Components | Path | str | None = None,
        options: Mapping[str, bool] | None = None,
        form: str = "normalized",
        reward: str = "win",
        illegal: str = "lose",
    ) -> None:
        self.game = find_game(game) if isinstance(game, str) else game
        self.players = self.game.default_players if players is None else players
        self.game.check_players(self.players)
        self.components = self.game.under(components_of(self.game, components), options or {})
        self.options = self.components.options
        self.reward = check_choice("reward", reward, REWARDS)
        self.illegal = check_choice("policy for illegal actions", illegal, ILLEGAL)
        self.form = form
        self.game.check_playable()
        self.chances = chances_of(np.array(new_seed(), dtype=np.uint64))
        """of the deals, by turns, and of bots; shape (CHANCES, GENERATOR_WORDS)"""
        self.number = 0
        """games begun since the seed"""
        self._prepare()

    def _prepare(self) -> None:
        """Make what follows from the settings."""
        rules = self.game.rules
        self.observation = observation_of(self.game, self.players, self.form, self.options)
        self.actions = Actions(self.game, self.players)
        self.states = np.zeros(1, dtype=rules.STATE)
        self.loser = -1
        """the seat that lost by an illegal action, or -1"""
        self.to_act = self.states["to_act"]
        """bit set of the seats that have to decide, shape (1,): the state's own"""
        self._look = compiled_look(self.game)
        self._parts = self.components.parts
        self._layout = Layout(
            program=self.observation.program,
            factors=self.observation.factors,
            turned=self.actions.turned,
            seat_view=np.zeros(1, dtype=rules.STATE),
            moves=np.zeros(rules.MAX_LEGAL, dtype=np.int32),
        )
        self._codes = [codes.tolist() for codes in self.actions.codes]

    def start(self, seed: int | None = None) -> None:
        """Begin game 0 of a seed, or the next game of the seed that there is; raises AtollError for what is no seed."""
        if seed is not None:
            self.chances = chances_of(np.array(word_of(seed), dtype=np.uint64))
            self.number = 0
        chance = np.empty(GENERATOR_WORDS, dtype=np.uint64)
        fork_generator(self.chances[GAME_CHANCE], chance)
        self.states.view(np.uint8)[:] = 0
        self.game.fast_runner.call(START, self.states, self._parts, self.players, chance)
        self.number += 1
        self.loser = -1

    @property
    def position(self) -> Position:
        """The full position, independent of the game that goes on."""
        return Position(self.game, self.components, self.options, self.states).copy()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, or is lost by an illegal action."""
        return self.loser >= 0 or not self.to_act[0]

    @property
    def seat(self) -> int:
        """The lowest of the seats that have to decide."""
        bits = int(self.to_act[0])
        return (bits & -bits).bit_length() - 1

    def look(self, seat: int) -> tuple[NDArray[Any], NDArray[np.int8]]:
        """What a seat observes, and the mask of its legal actions, all 0 if it has nothing to decide; new arrays."""
        observation = np.empty(self.observation.size, dtype=self.observation.dtype)
        mask = np.zeros(self.actions.count, dtype=np.int8)
        self._look(self.states, self._parts, seat, self.loser < 0, self._layout, observation, mask)
        return observation, mask

    def play(self, seat: int, action: int, mask: NDArray[np.int8]) -> bool:
        """Carry out a turned code that `mask`, as `look` gave it, allows; False if it is illegal and loses the game.

        Raises IllegalMove, and changes nothing, for an illegal action that is refused.
        """
        if 0 <= action < len(mask) and mask[action]:
            self.game.fast_runner.call(
                PLAY, self.states, self._parts, seat, self._codes[seat][action], NO_EVENTS
            )
            return True
        if self.illegal == "refuse":
            legal = np.flatnonzero(mask).tolist()
            first_actions = ", ".join(map(str, legal[:12])) + (", ..." if len(legal) > 12 else "")
            raise IllegalMove(f"action {action} of seat {seat} is not legal now; legal: {first_actions}")
        self.loser = seat
        return False

    def returns(self) -> list[float]:
        """What the finished game is worth to each seat, as `reward` says.

        A game lost by an illegal action is worth -1 to that seat and 1 / (players - 1) to the others.
        """
        if self.loser >= 0:
            return [-1.0 if seat == self.loser else 1 / (self.players - 1) for seat in range(self.players)]
        points = np.zeros(self.players, dtype=np.int32)
        winners = self.game.fast_runner.call(RESULT, self.states, self._parts, points)
        values = points if self.reward == "points" else win_shares(winners, self.players)
        return [float(one) for one in values]

    def full_state(self) -> NDArray[Any]:
        """Everything, hidden cards included, as an observation from seat 0: for critics that are trained centrally."""
        full = self.states.copy()
        full["seat"] = 0
        return self.observation.of_view(full)

    def picture(self, seat: int = SPECTATOR, language: str = next(iter(LANGUAGES))) -> str:
        """What a seat, or a spectator, sees, as lines of text."""
        view: View = self.position.view(seat)
        translator = GameTranslator(Translator(language).with_package(self.game.package), self.components)
        names = seat_names(translator)[: self.players]
        markup = self.game.messages.picture(translator, names, view)
        out = Console(file=StringIO(), width=WIDTH + 1, color_system=None, legacy_windows=False)
        out.print(Text.from_markup(markup, emoji=False))
        text: str = out.file.getvalue()  # type: ignore[attr-defined]
        return text

    # State

    def save(self) -> Saved:
        """The game as it stands, to go on from."""
        return {
            **setting_of(self.game, self.players, self.components),
            "record": self.states.tobytes(),
            "loser": self.loser,
            "chances": self.chances.tolist(),
            "number": self.number,
        }

    def restore(self, saved: Saved) -> None:
        """Go on from what `save` gave; raises AtollError, and changes nothing, if it is of another game, number of
        players, components or options, or no position that can be.
        """
        check_same(saved, setting_of(self.game, self.players, self.components))
        record = saved["record"]
        if not isinstance(record, bytes) or len(record) != self.states.itemsize:
            raise AtollError(f"the saved state has no record of {self.states.itemsize} bytes")
        states = np.frombuffer(record, dtype=self.states.dtype).copy()
        try:
            Position(self.game, self.components, self.options, states).check()
        except AssertionError as error:
            raise AtollError(f"the saved state cannot be right: {error}") from None
        chances = np.array(saved["chances"], dtype=np.uint64).reshape(self.chances.shape)
        loser, number = int(saved["loser"]), int(saved["number"])
        self.states[:], self.chances, self.loser, self.number = states, chances, loser, number

    def __getstate__(self) -> dict[str, Any]:
        settings = {name: getattr(self, name) for name in ("players", "options", "reward", "illegal", "form")}
        components = (self.components.name, self.components.data)
        return {"game": self.game.name, "components": components, "settings": settings, "saved": self.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.game = find_game(state["game"])
        vars(self).update(state["settings"])
        self.components = self.game.under(self.game.components_from(*state["components"]), self.options)
        self.chances = np.array(state["saved"]["chances"], dtype=np.uint64)
        self.number = 0
        self._prepare()
        if state["saved"]["number"]:
            self.restore(state["saved"])

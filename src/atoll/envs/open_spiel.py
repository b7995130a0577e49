"""OpenSpiel games: every game of the catalogue, registered from Python.

    import pyspiel
    from atoll.envs.open_spiel import register

    register()
    game = pyspiel.load_game("atoll_NAME(players=2)")

A name is `atoll_` and the game's, with underscores. Parameters, all optional:

- `players`; `components`, a shipped set's name or a file; `options`, names joined by `+`, `-` before one that is off;
- `simultaneous`: whether those who decide at once do so in one node, or one after another, none seeing what another
  chose;
- `chance`: `draws` makes every draw a chance node, its outcomes equally likely; `seed` has chance choose, in SEED_NODES
  nodes, the seed from which all follows; `auto` takes `draws` where a deal takes at most AUTO_DRAWS of them;
- `reward`: `win`, from -1 to 1 and of sum 0, or `points`;
- `form` of the observations, `normalized`, `one-hot` or `bytes`, always as float32.

Actions are turned codes, as in the other environments (`core/action_encoding.py`). An information state is all that a
seat has seen and done (`envs/recall.py`), an observation its present view.
"""

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.action_encoding import Actions
from atoll.core.catalogue import find_game, games
from atoll.core.events import NO_EVENTS
from atoll.core.exports import LEGAL_ACTIONS, PLAY, RESULT, VIEW
from atoll.core.game import Game, Position
from atoll.core.observation import FORMS, observation_of
from atoll.core.scripted_chance import STILL, NeedsDraw
from atoll.core.types import Components
from atoll.engine.chance import derive
from atoll.envs import require
from atoll.envs.recall import NO_ACTION, Recall
from atoll.envs.referee import REWARDS, check_choice, components_of, win_shares
from atoll.text.errors import AtollError, IllegalMove

require("pyspiel")

import msgspec  # noqa: E402
import pyspiel  # noqa: E402

PREFIX = "atoll_"
CHANCE = ("auto", "draws", "seed")
AUTO_DRAWS = 16
SEED_NODES, SEED_OUTCOMES = 15, 16
"""The nodes in which chance chooses a seed of 60 bits, and the outcomes of each."""
CHANCE_PLAYER, TERMINAL, SIMULTANEOUS = (
    int(who) for who in (pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL, pyspiel.PlayerId.SIMULTANEOUS)
)
MOST_OUTCOMES = 1024
"""Outcomes of a chance node, at most."""
MOST_NUMBERS = 1 << 20
"""An information state tensor of more numbers is not offered."""
DEFAULTS: dict[str, Any] = {
    "players": 0,  # the game's usual number
    "components": "",
    "options": "",
    "simultaneous": False,
    "chance": "auto",
    "reward": "win",
    "form": "normalized",
}


def register() -> list[str]:
    """Register every game of the catalogue that is not yet; returns the names of all."""
    names_before = set(pyspiel.registered_names())
    names = []
    for name, game in games().items():
        names.append(PREFIX + name.replace("-", "_"))
        if names[-1] not in names_before:
            pyspiel.register_game(_game_type(game, names[-1]), _Creator(name))
    return names


class _Creator:
    """Makes the OpenSpiel game of parameters; a game by its name, so that it may be another one of that name."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._itself = (
            self  # OpenSpiel gives it up after Python has ended, when nothing can be freed any more
        )

    def __call__(self, parameters: dict[str, Any]) -> "AtollGame":
        return AtollGame(find_game(self._name), parameters)


def _game_type(
    game: Game, short_name: str, *, together: bool = False, zero_sum: bool = True, recalls: bool = True
) -> Any:
    kind = pyspiel.GameType
    return kind(
        short_name=short_name,
        long_name=game.title,
        dynamics=kind.Dynamics.SIMULTANEOUS if together else kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.seats.stop - 1,
        min_num_players=game.seats.start,
        provides_information_state_string=True,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification=DEFAULTS,
    )


def read_options(text: str) -> dict[str, bool]:
    """The options of a parameter such as `open_huts+-other`."""
    return {name.removeprefix("-"): not name.startswith("-") for name in text.split("+") if name}


class AtollGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its settings; raises AtollError for settings that do not exist."""

    def __init__(self, game: Game, parameters: dict[str, Any]) -> None:
        settings = DEFAULTS | parameters
        self.game = game
        self.players = settings["players"] or game.default_players
        game.check_players(self.players)
        components = settings["components"]
        as_file = components not in game.component_files and (
            components.endswith(".toml") or "/" in components
        )
        self.components: Components = components_of(game, Path(components) if as_file else components or None)
        self.options = game.check_options(read_options(settings["options"]))
        self.reward = check_choice("reward", settings["reward"], REWARDS)
        form = check_choice("form", settings["form"], FORMS)
        self.observation = observation_of(game, self.players, form, self.options)
        self.actions = Actions(game, self.players)
        self.together = bool(settings["simultaneous"])
        self.scripted = game.scripted
        self.by_draws = check_choice("kind of chance", settings["chance"], CHANCE) == "draws" or (
            settings["chance"] == "auto"
            and self.scripted.draws_of_start(self.components, self.players, AUTO_DRAWS) is not None
        )
        self.length = game.most_decisions(self.components, self.players)
        self.recalls = self.recall_shape[0] * self.recall_shape[1] <= MOST_NUMBERS
        wins = self.reward == "win"
        least, most = (
            (-1 / (self.players - 1), 1) if wins else game.rules.points_range(self.components, self.players)
        )
        super().__init__(
            _game_type(
                game,
                PREFIX + game.name.replace("-", "_"),
                together=self.together,
                zero_sum=wins,
                recalls=self.recalls,
            ),
            pyspiel.GameInfo(
                num_distinct_actions=self.actions.count,
                max_chance_outcomes=MOST_OUTCOMES,
                num_players=self.players,
                min_utility=float(least),
                max_utility=float(most),
                utility_sum=0.0 if wins else None,
                max_game_length=self.length,
            ),
            {name: value for name, value in parameters.items() if value != DEFAULTS[name]},
        )

    @property
    def recall_shape(self) -> tuple[int, int]:
        """Of an information state tensor: a row for each step, an observation and a number for the action in each."""
        return self.length + 1, self.observation.size + 1

    @cached_property
    def action_names(self) -> list[list[str]]:
        """What actions are called, by seat and turned code."""
        move_of = self.game.notation.move_of
        names = [_said(move_of(code)) for code in range(self.actions.count)]
        return [[names[code] for code in codes] for codes in self.actions.codes.tolist()]

    def new_initial_state(self) -> "AtollState":
        """Before the deal: chance chooses first."""
        return AtollState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer | None":
        """What writes observations, or, with perfect recall, information states; None, as OpenSpiel has it, for public
        or private information by itself: views are not divided so. Raises AtollError for parameters: there are none.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise AtollError(f"observers take no parameters, and not {params}; form is one of the game")
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self, perfect_recall=bool(kind.perfect_recall))

    def position_of(self, states: NDArray[Any]) -> Position:
        """The full position of a record."""
        return Position(self.game, self.components, self.options, states)


def _said(move: dict[str, Any]) -> str:
    """A move in a few words: its kind, then what its parts name."""
    kind, *parts = move.items()
    rest = (f"{name} {msgspec.json.encode(value).decode()}" for name, value in parts)
    return " ".join((str(kind[1]), *rest))


class Moment:
    """A position that every seat saw, and the actions, turned, by seat, that led to it; never changed.

    What seats recall of it and all before is made when it is first asked for: most who step games never ask.
    """

    def __init__(self, before: "Moment | None", states: NDArray[Any], acted: dict[int, int]) -> None:
        self.before, self.states, self.acted = before, states, acted
        self._recalls: tuple[Recall, ...] = ()

    @classmethod
    def first(cls, states: NDArray[Any], recalls: tuple[Recall, ...]) -> "Moment":
        """Before the deal, or before a drawn state: seats recall this."""
        moment = cls(None, states, {})
        moment._recalls = recalls
        return moment

    def view(self, game: "AtollGame", seat: int) -> bytes:
        """The record of what a seat saw; of no bytes before the deal."""
        if self.before is None:
            return b""
        seat_view = np.zeros_like(self.states)
        game.game.fast_runner.call(VIEW, self.states, game.components.parts, seat, seat_view)
        return seat_view.tobytes()

    def recalls(self, game: "AtollGame") -> tuple[Recall, ...]:
        """What each seat recalls."""
        moment, later = self, []
        while not moment._recalls:
            assert moment.before is not None
            later.append(moment)
            moment = moment.before
        recalls = moment._recalls
        for moment in reversed(later):
            recalls = moment._recalls = tuple(
                recall.then(moment.acted.get(seat, NO_ACTION), moment.view(game, seat))
                for seat, recall in enumerate(recalls)
            )
        return recalls

    def alone(self, game: "AtollGame") -> "Moment":
        """The same, with what seats recall made and no moments before it: a long chain of them cannot be pickled."""
        if self.before is None:
            return self
        return Moment(Moment.first(self.states, self.recalls(game)), self.states, {})

    def __deepcopy__(self, memo: object) -> "Moment":
        return self


class LineOfPlay:
    """A line of play: the record, what seats saw of it, and, where chance chooses next, what it chose so far.

    Records are never written to once they are here, so that copies share them. `to_act` is the bit set of who decides
    in the record, and `legal` the legal actions, turned, by seat, as far as they were asked for. `todo` are the
    actions, seat and code, that are still to be carried out, the deal first (None); `script` is what chance chose in
    the first of them, `outcomes` among how many it chooses now, 0 where it does not.
    """

    def __init__(self, game: AtollGame) -> None:
        self.game = game
        self.states: NDArray[Any] = np.zeros(1, dtype=game.game.rules.STATE)
        self.to_act = 0
        self.legal: dict[int, list[int]] = {}
        self.dealt = False
        self.todo: tuple[tuple[int, int] | None, ...] = (None,)
        self.script: tuple[int, ...] = ()
        self.outcomes = 0
        self.moment = Moment.first(self.states, (Recall(),) * game.players)

    def __deepcopy__(self, memo: object) -> "LineOfPlay":
        twin = object.__new__(LineOfPlay)
        vars(twin).update(vars(self))
        return twin

    def __getstate__(self) -> dict[str, Any]:
        # the game by its name and parameters
        return {**vars(self), "game": str(self.game), "moment": self.moment.alone(self.game)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.game = pyspiel.load_game(state["game"])

    def put(self, states: NDArray[Any]) -> None:
        """Go on from a record."""
        self.states, self.to_act, self.legal = states, int(states["to_act"][0]), {}

    def legal_actions(self, seat: int) -> list[int]:
        """The legal actions of a seat, turned, ascending; none if it has nothing to decide."""
        if seat not in self.legal:
            game, self.legal[seat] = self.game, []
            if self.to_act >> seat & 1:
                moves = np.empty(game.game.rules.MAX_LEGAL, dtype=np.int32)
                arguments = (self.states, game.components.parts, seat, moves)
                count = game.game.fast_runner.call(LEGAL_ACTIONS, *arguments)
                turned = game.actions.turned[seat, moves[:count]]
                turned.sort()
                self.legal[seat] = turned.tolist()
        return self.legal[seat]

    def go_on(self) -> None:
        """Carry out what is to be done, until chance has to choose."""
        game, doing = self.game, self.todo
        states = self.states
        script = self.script
        while doing:
            try:
                states = _after(game, states, doing[0], script)
            except NeedsDraw as needed:
                if needed.outcomes > MOST_OUTCOMES:
                    raise AtollError(
                        f"chance chooses among {needed.outcomes} outcomes, more than {MOST_OUTCOMES}: chance=seed does "
                        "without"
                    ) from None
                self.put(states)
                self.todo, self.script, self.outcomes = doing, script, needed.outcomes
                return
            doing, script = doing[1:], ()
        self.put(states)
        self.todo, self.script, self.outcomes, self.dealt = (), (), 0, True

    def remember(self, acted: dict[int, int]) -> None:
        """Let each seat see the position; `acted` are the actions, turned, that seats took just now."""
        self.moment = Moment(self.moment, self.states, acted)


def _after(
    game: AtollGame, states: NDArray[Any], doing: tuple[int, int] | None, script: tuple[int, ...]
) -> NDArray[Any]:
    """The record after the deal or an action; raises NeedsDraw where chance has to choose."""
    if doing is None:
        if game.by_draws:
            return game.scripted.start(game.components, game.players, script)
        if len(script) < SEED_NODES:
            raise NeedsDraw(SEED_OUTCOMES)
        start = game.game.start(game.players, derive(0, *script), game.components, game.options)
        return start.states
    after = states.view(np.uint8).copy().view(states.dtype)  # as bytes, which is quicker than field by field
    game.game.fast_runner.call(PLAY, after, game.components.parts, *doing, NO_EVENTS)
    if not game.by_draws or (after["generator"] == STILL).all():
        return after
    return game.scripted.play(states, game.components, *doing, script)


class AtollState(pyspiel.State):  # type: ignore[misc]
    """A position, or a moment in which chance chooses."""

    def __init__(self, game: AtollGame) -> None:
        super().__init__(game)
        self.line = LineOfPlay(game)
        self.acted: dict[int, int] = {}
        """the actions that seats took since all of them last saw the position"""
        self.line.go_on()

    @property
    def position(self) -> Position:
        """The full position, independent of this state; raises AtollError before the deal."""
        if not self.line.dealt:
            raise AtollError("the game is not dealt yet")
        return self.line.game.position_of(self.line.states).copy()

    def current_player(self) -> int:
        """Who decides: a seat, or one of OpenSpiel's other players."""
        if self.line.outcomes:
            return CHANCE_PLAYER
        bits = self.line.to_act
        if not bits:
            return TERMINAL
        if bits & (bits - 1) and self.line.game.together:
            return SIMULTANEOUS
        return (bits & -bits).bit_length() - 1

    def is_terminal(self) -> bool:
        """Whether the game has ended."""
        return not self.line.outcomes and not self.line.to_act

    def _legal_actions(self, player: int) -> list[int]:
        return self.line.legal_actions(player).copy()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All that chance may choose, each as likely."""
        count = self.line.outcomes
        return [(outcome, 1 / count) for outcome in range(count)]

    def _apply_action(self, action: int) -> None:
        if self.line.outcomes:
            if not 0 <= action < self.line.outcomes:
                raise IllegalMove(f"chance chooses 0 to {self.line.outcomes - 1}, not {action}")
            self._go_on(script=(*self.line.script, action))
        else:
            self._decide({self.current_player(): action})

    def _apply_actions(self, actions: list[int]) -> None:
        bits = self.line.to_act
        self._decide({seat: action for seat, action in enumerate(actions) if bits >> seat & 1})

    def _decide(self, decided: dict[int, int]) -> None:
        """Carry out what seats decided; raises IllegalMove, and changes nothing, if one of them may not."""
        for seat, action in decided.items():
            legal = self.line.legal_actions(seat) if seat >= 0 else []
            if action not in legal:
                raise IllegalMove(f"action {action} of seat {seat} is not legal now; legal: {legal}")
        codes = self.line.game.actions.codes
        todo = tuple((seat, int(codes[seat, action])) for seat, action in decided.items())
        self._go_on(todo=todo, acted=decided)

    def _go_on(self, *, acted: dict[int, int] | None = None, **changes: Any) -> None:
        line = self.line.__deepcopy__({})
        vars(line).update(changes)
        line.go_on()
        self.acted = self.acted if acted is None else acted
        if not line.outcomes:
            line.remember(self.acted)
            self.acted = {}
        self.line = line

    def returns(self) -> list[float]:
        """What the game is worth to each seat, 0 while it runs."""
        game = self.line.game
        if not self.is_terminal():
            return [0.0] * game.players
        points = np.zeros(game.players, dtype=np.int32)
        winners = game.game.fast_runner.call(RESULT, self.line.states, game.components.parts, points)
        values = points if game.reward == "points" else win_shares(winners, game.players)
        return [float(one) for one in values]

    def resample_from_infostate(self, player: int, sampler: Any) -> "AtollState":
        """A state drawn uniformly from those that agree with the present view of a seat, whose recall it keeps.

        `sampler` gives numbers from 0 to below 1. What others recall begins anew with what they see there, and the
        state has no history. Raises AtollError before the deal and while chance chooses.
        """
        game = self.get_game()
        if self.line.outcomes:
            raise AtollError("nothing can be drawn while chance chooses")
        if not 0 <= player < game.players:
            raise AtollError(f"there is no seat {player}: seats are 0 to {game.players - 1}")
        seed = int(sampler() * 2**32) << 32 | int(sampler() * 2**32)
        position = game.position_of(self.line.states).view(player).resample(seed)
        state = game.new_initial_state()
        line = LineOfPlay(game)
        line.dealt, line.todo = True, ()
        if game.by_draws:
            position.states["generator"] = STILL
        line.put(position.states)
        recalls = [Recall()] * game.players
        recalls[player] = self.line.moment.recalls(game)[player]
        line.moment = Moment.first(line.states, tuple(recalls))
        line.remember({})
        state.line, state.acted = line, {}
        return state  # type: ignore[no-any-return]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"outcome {action} of {self.line.outcomes}"
        name: str = self.get_game().action_names[player][action]
        return name

    def __str__(self) -> str:
        line, game = self.line, self.get_game()
        pending = f" then {line.todo}, chance {line.script} of {line.outcomes}" if line.outcomes else ""
        if not line.dealt:
            return f"not dealt{pending}"
        words = game.position_of(line.states).to_json()
        chance = line.states["generator"].tobytes().hex()
        return f"{msgspec.json.encode(words).decode()} {chance}{pending}"


class Observer:
    """Writes a seat's observations, or, with perfect recall, its information states.

    `dict` holds the tensor under `observation`, or under `steps`: there a row is a step of the seat's recall, the
    observation and then 1 + the action, turned, that led to it, 0 for none; rows after the last are 0.
    """

    def __init__(self, game: AtollGame, *, perfect_recall: bool) -> None:
        self._game = game
        self._recalls = perfect_recall
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if self._recalls and game.recalls:
            self.tensor = np.zeros(game.recall_shape[0] * game.recall_shape[1], dtype=np.float32)
            self.dict = {"steps": self.tensor.reshape(game.recall_shape)}
        elif not self._recalls:
            self.tensor = np.zeros(game.observation.size, dtype=np.float32)
            self.dict = {"observation": self.tensor}

    def set_from(self, state: AtollState, player: int) -> None:
        """Write what a seat is given into the tensor; all is 0 before the deal."""
        if self.tensor is None:
            raise AtollError(f"an information state of more than {MOST_NUMBERS} numbers is not offered")
        self.tensor.fill(0)
        moment = state.line.moment
        if self._recalls:
            table = self.dict["steps"]
            for row, (action, view) in enumerate(moment.recalls(self._game)[player].steps):
                self._write(view, table[row, :-1])
                table[row, -1] = action + 1
        elif view := moment.view(self._game, player):
            self._write(view, self.tensor)

    def _write(self, view: bytes, out: NDArray[np.float32]) -> None:
        record = np.frombuffer(view, dtype=self._game.game.rules.STATE).copy()
        self._game.observation.write(record, out)

    def string_from(self, state: AtollState, player: int) -> str:
        """What a seat is given: its view in the words of records; or its own actions, and a digest of all it saw."""
        game, moment = self._game, state.line.moment
        view = moment.view(game, player)
        if not view:
            return f"seat {player}: not dealt"
        if self._recalls:
            recall = moment.recalls(game)[player]
            did = ", ".join(game.action_names[player][action] for action in recall.actions)
            return f"seat {player} did [{did}] saw {recall.digest.hex()}"
        record = np.frombuffer(view, dtype=game.game.rules.STATE).copy()
        words = game.game.notation.state_to_json(record[0], game.options)
        return f"seat {player} sees {msgspec.json.encode(words).decode()}"

"""Thousands of games stepped at once in compiled code on all cores, as a Gymnasium vector environment.

    envs = gymnasium.make_vec("atoll/GAME-v0", num_envs=4096, bots="greedy")

See `GamesEnv`.
"""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.core.action_encoding import Actions
from atoll.core.catalogue import find_game
from atoll.core.game import Game
from atoll.core.observation import observation_of
from atoll.core.types import Components
from atoll.engine.chance import derive_each
from atoll.engine.constants import GENERATOR_WORDS
from atoll.engine.native import module_cache
from atoll.engine.seeds import new_seed
from atoll.envs import require
from atoll.text.errors import AtollError, IllegalMove

require("gymnasium")

from gymnasium import spaces  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402
from gymnasium.vector.utils import batch_space  # noqa: E402

from atoll.core.spaces import masked_space, observation_box  # noqa: E402
from atoll.envs import steps  # noqa: E402
from atoll.envs.chances import CHANCES, chances_of, whole, word_of  # noqa: E402
from atoll.envs.gpu import OUTPUT_ARRAYS, GpuRunner, actions_on_device  # noqa: E402
from atoll.envs.referee import (  # noqa: E402
    ILLEGAL,
    NO_GAME,
    REWARDS,
    Saved,
    check_choice,
    check_same,
    components_of,
    setting_of,
)
from atoll.envs.steps import COUNT, LEARNER, OVER, RUNNING, SEAT, STATUS, Games, Scratch  # noqa: E402

Info = dict[str, Any]
DEVICES = ("cpu", "cuda")
MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED)


class GamesEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """Many games at once.

    - `game`: its name, or a `Game`; `players`: the game's usual number if not said
    - `components`: the name of a shipped set, or the path of a file; `options`: as `atoll play --option` has them
    - `bots`: `random` or `greedy`, or both separated by commas, repeated to fill the other seats from the learner's
      left; None lets the caller decide for every seat in turn: then observation and mask are those of `info["seat"]`,
      the reward is that of the seat that acted, and `info["returns"]` has every seat's of the games that just ended
    - `seat`: the learner's, from 0; None moves it one seat further each game
    - `form`, `reward`, `illegal`: as for `atoll.envs.pettingzoo.env`; `bytes` is the form that is made the quickest
    - `autoreset_mode`: Gymnasium's, next step if not said; in the mode same step `info["final_obs"]` is what was
      observed last of games that just ended, and `info["final_info"]` whose `seat` observed it, with `illegal` and
      `returns`
    - `observe`, `mask`: False leaves these out; the first `info["legal_count"]` numbers of `info["legal"]` are each
      game's legal actions in any case
    - `dict_observation`: observations are dictionaries of `observation` and `action_mask`, as arrays of all games
    - `advise`: `info["advised"]` is what `greedy` would do, for players that learn from it
    - `sample`: `info["sampled"]` is any legal action, each equally likely, for players that explore; 0 in a game that
      is over
    - `move_features`: `info["move_features"]`, shape (num_envs, MAX_LEGAL, numbers), has what the game considers of
      each legal action (`atoll describe GAME` lists it), in the order of `info["legal"]`; of the seat's view, as the
      observation
    - `copy`: False returns the environment's own arrays, read-only, which the next step overwrites; with
      `device="cuda"` they lie on the GPU, have `__cuda_array_interface__`, as PyTorch reads it, are copied nowhere, and
      are not to be written to, which nothing there can forbid; actions may lie there too, as int64
    - `threads`: how many run; as many as there are cores if not said
    - `device`: `cpu`, or `cuda` for a GPU (`atoll.envs.gpu`), a thread of it for each game

    Games depend on the seed and their place alone, not on the number of threads. One thread may call at a time. Raises
    AtollError for what does not exist.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: Game | str,
        players: int | None = None,
        components: Components | Path | str | None = None,
        options: Mapping[str, bool] | None = None,
        bots: str | None = "greedy",
        seat: int | None = None,
        form: str = "normalized",
        reward: str = "win",
        illegal: str = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observe: bool = True,
        mask: bool = True,
        advise: bool = False,
        sample: bool = False,
        move_features: bool = False,
        dict_observation: bool = False,
        copy: bool = True,
        threads: int | None = None,
        device: str = "cpu",
        render_mode: str | None = None,
    ) -> None:
        self.game = find_game(game) if isinstance(game, str) else game
        self.players = self.game.default_players if players is None else players
        self.num_envs = whole("num_envs", num_envs, 1)
        self.components = self.game.under(components_of(self.game, components), options or {})
        self.illegal = check_choice("policy for illegal actions", illegal, ILLEGAL)
        self.copy = copy
        self.form = form
        self.render_mode = render_mode
        self.device = check_choice("device", device, DEVICES)
        wanted = os.cpu_count() or 1 if threads is None else whole("threads", threads, 1)
        self.threads = 1 if device == "cuda" else min(wanted, self.num_envs)
        self._considers = move_features
        self._is_dict = dict_observation
        if dict_observation and not (observe and mask):
            raise AtollError("dict_observation=True needs what is observed and the mask: leave neither out")
        self._check_considering()
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.games = _games(
            self.game, self.players, self.components, self.num_envs, form, _seating(bots, self.players),
            {
                steps.AUTORESET: MODES.index(mode),
                steps.POINTS: int(check_choice("reward", reward, REWARDS) == "points"),
                steps.MOVES_ON: int(bots is not None and seat is None),
                steps.OBSERVES: int(observe),
                steps.MASKS: int(mask),
                steps.ADVISES: int(advise),
                steps.SAMPLES: int(sample),
            },
            len(self.game.move_features) if move_features else 0,
        )  # fmt: skip
        if seat is not None and not 0 <= seat < self.players:
            raise AtollError(f"there is no seat {seat}: seats are 0 to {self.players - 1}")
        self._first_seat = -1 if bots is None else (self.players - 1 if seat is None else seat)
        observation = observation_of(self.game, self.players, form, self.components.options)
        actions = self.game.rules.ACTIONS
        self.single_observation_space: spaces.Space[Any] = (
            masked_space(observation, actions) if dict_observation else observation_box(observation)
        )
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._all = np.ones(self.num_envs, dtype=np.uint8)
        self._no_actions = np.zeros(self.num_envs, dtype=np.int64)
        self._begun = False
        """whether every place has a game, or has had one"""
        self._make_ready()

    def _check_considering(self) -> None:
        """Refuse move features where there are none."""
        if self._considers and not self.game.move_features:
            raise AtollError(
                f"{self.game.title} has no move features of its moves: leave out move_features=True"
            )
        if self._considers and self.device == "cuda":
            raise AtollError("move features are made on the processor: move_features=True needs device='cpu'")

    def _make_ready(self) -> None:
        """Make what is not pickled: what runs the loop, on threads with room of their own or the GPU, and the info."""
        self.gpu = GpuRunner(self.game, self.players, self.games) if self.device == "cuda" else None
        self._loop = steps.loop(self.game)
        self._consider = steps.considerer(self.game) if self._considers else None
        bounds = np.linspace(0, self.num_envs, self.threads + 1).astype(int).tolist()
        self._spans = [(Scratch.of(self.game, self.players), first, end) for first, end in pairwise(bounds)]
        self._process = 0
        self._note: Path | None = self._compiling_note()
        self._busy = Lock()
        read_only = not self.copy and self.gpu is None
        self._given = Games(*map(_read_only, self.games)) if read_only else self._arrays
        self._info_arrays = self._make_info()

    def _compiling_note(self) -> Path:
        """The file that says that the loop was compiled, beside what was."""
        function = self._loop.py_func
        what = "move features" if self._considers else "games"
        folder = module_cache(function.__module__, *function.made_in)
        return folder / f"{what} {self.device} {self.games.observations.dtype}"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While one thread is within; raises AtollError for another."""
        if not self._busy.acquire(blocking=False):
            raise AtollError("another thread is stepping these games: one at a time may")
        try:
            yield
        finally:
            self._busy.release()

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Info | None = None
    ) -> tuple[Any, Info]:
        """Begin new games: the first of a seed, or of a list of seeds one a game; without one, the next.

        `options={"reset_mask": mask}`, shape (num_envs,), begins only those that it marks. Raises AtollError for what
        is no seed.
        """
        with self._alone():
            return self._reset(seed, options)

    def _reset(self, seed: int | Sequence[int | None] | None, options: Info | None) -> tuple[Any, Info]:
        games = self.games
        places = np.arange(self.num_envs, dtype=np.uint64)
        mask = (options or {}).get("reset_mask")
        which = self._all if mask is None else np.array(mask, dtype=np.bool_).astype(np.uint8)
        if which.shape != (self.num_envs,):
            raise AtollError(f"a reset mask has the shape ({self.num_envs},), not {which.shape}")
        fresh = which != 0
        if isinstance(seed, Sequence | np.ndarray):
            words = [word_of(new_seed() if one is None else one) for one in seed]
            if len(words) != self.num_envs:
                raise AtollError(f"there are {self.num_envs} games, not {len(words)} as there are seeds")
            self._deal(fresh, np.array(words, dtype=np.uint64))
        elif seed is not None or not self._begun:
            self._deal(fresh, derive_each(word_of(new_seed() if seed is None else seed), places))
        self._begun = bool(games.chances[..., -1].all())
        self._work(steps.BEGIN, which, self._no_actions)
        return self._observations(), self._info()

    def _deal(self, fresh: NDArray[np.bool_], words: NDArray[np.uint64]) -> None:
        """Seed the generators of some games."""
        if self.gpu is not None:
            self.gpu.pull("chances", "notes")  # those of the others
        self.games.chances[fresh] = chances_of(words)[fresh]
        self.games.notes[fresh, LEARNER] = self._first_seat
        if self.gpu is not None:
            self.gpu.push("chances", "notes")

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        """Carry out an action of every game, shape (num_envs,); of one that the step begins anew it is not read.

        Raises IllegalMove, and changes nothing, for an illegal action if these are refused, and AtollError for actions
        that are no whole numbers, before `reset`, if a game is over that reset has to begin, and while another thread
        steps.
        """
        with self._alone():
            return self._step(actions)

    def _step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Info]:
        if not self._begun:
            raise AtollError(NO_GAME)
        games = self._given
        codes = None if self.gpu is None else actions_on_device(actions)
        if codes is None:
            given = np.asarray(actions)
            if given.dtype.kind not in "iu":
                raise AtollError(f"actions are whole numbers, not {given.dtype}")
            codes = np.array(given, dtype=np.int64)  # of one layout and writable, as the loop is compiled for
        if codes.shape != (self.num_envs,):
            raise AtollError(f"actions have the shape ({self.num_envs},), not {codes.shape}")
        if (
            self.metadata["autoreset_mode"] is AutoresetMode.DISABLED
            and (self._on_host("notes").notes[:, STATUS] != RUNNING).any()
        ):
            raise AtollError("a game is over: reset begins the next one")
        if self.illegal == "refuse":
            self._check(codes if isinstance(codes, np.ndarray) else codes.copy_to_host())
        self._work(steps.STEP, self._all, codes)
        runner = self._runner
        none = np.zeros(self.num_envs, dtype=np.bool_) if runner is None else runner.none
        rewards, terminations = (self._copied(array) for array in (games.rewards, games.terminations))
        return self._observations(), rewards, terminations, none, self._info()

    def _check(self, actions: NDArray[np.int64]) -> None:
        games = self._on_host("notes", "legal")
        counts = games.notes[:, COUNT]
        listed = np.arange(games.legal.shape[1]) < counts[:, None]
        valid = ((games.legal == actions[:, None]) & listed).any(axis=1) | (games.notes[:, STATUS] != RUNNING)
        if not valid.all():
            place = int(np.flatnonzero(~valid)[0])
            legal = ", ".join(map(str, games.legal[place, : min(12, counts[place])].tolist()))
            raise IllegalMove(f"action {actions[place]} of game {place} is not legal now; legal: {legal}")

    def _work(self, what: int, which: NDArray[np.uint8], actions: NDArray[np.int64]) -> None:
        """Run the loop on all threads, or the GPU; raises EndlessGame. The first call compiles it, and says so."""
        if self._note is not None and not self._note.exists():
            logging.getLogger(__name__).warning(
                "%s is being compiled for this machine, once; that takes minutes", self.game.title
            )
        endless = self._run_all(what, which, actions)
        if self._note is not None:
            self._note.touch()
            self._note = None
        if endless:
            raise self.game.endless(self.components, self.players)

    def _run_all(self, what: int, which: NDArray[np.uint8], actions: NDArray[np.int64]) -> int:
        """How many games went on past their declared maximum."""
        if self.gpu is not None:
            endless = self.gpu.work(what, which, actions)
            if self.copy:
                self.gpu.pull(*OUTPUT_ARRAYS)
            return endless
        pool = self._pool() if self.threads > 1 else None
        others = (
            [pool.submit(self._run, span, what, which, actions) for span in self._spans[1:]] if pool else []
        )
        try:
            endless = self._run(self._spans[0], what, which, actions)
        finally:  # after Ctrl-C too, nothing is written once it has been raised
            wait(others)
        return endless + sum(one.result() for one in others)

    def _run(
        self,
        span: tuple[Scratch, int, int],
        what: int,
        which: NDArray[np.uint8],
        actions: NDArray[np.int64],
    ) -> int:
        """Run the loop over one thread's games; returns how many went on past their declared maximum."""
        own, first, end = span
        endless: int = self._loop(self.games, own, what, first, end, which, actions)
        if self._consider is not None:
            self._consider(self.games, own, first, end, which)
        return endless

    def _pool(self) -> ThreadPoolExecutor:
        """The other threads, begun when they are first needed: a process that was forked has none yet."""
        if self._process != os.getpid():
            self._threads = ThreadPoolExecutor(self.threads - 1)
            self._process = os.getpid()
        return self._threads

    @property
    def _runner(self) -> GpuRunner | None:
        """The GPU where what callers are given is left, if it is one's."""
        return None if self.copy else self.gpu

    @property
    def _arrays(self) -> Games:
        """The arrays that callers are given, or are given copies of."""
        return self.games if self._runner is None else self._runner.games

    def _on_host(self, *names: str) -> Games:
        """The arrays in the processor's memory, of which those with these names are up to date."""
        if self._runner is not None:
            self._runner.pull(*names)
        return self.games

    def _copied(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _observations(self) -> Any:
        observations = self._copied(self._given.observations)
        if self._is_dict:
            return {"observation": observations, "action_mask": self._copied(self._given.masks)}
        return observations

    def _info(self) -> Info:
        return {
            name: {key: self._copied(array) for key, array in value.items()}
            if isinstance(value, dict)
            else self._copied(value)
            for name, value in self._info_arrays.items()
        }

    def _make_info(self) -> Info:
        """What `info` has, or has copies of: the same arrays at every step."""
        games = self._given
        runner = self._runner
        info: Info = {
            "seat": games.notes[:, SEAT] if runner is None else runner.seats,
            "legal": games.legal,
            "legal_count": games.notes[:, COUNT] if runner is None else runner.counts,
            "illegal": games.illegal,
            "returns": games.returns,
        }
        settings = self.games.settings
        if settings[steps.MASKS]:
            info["action_mask"] = games.masks
        if settings[steps.ADVISES]:
            info["advised"] = games.advised
        if settings[steps.SAMPLES]:
            info["sampled"] = games.sampled
        if self._considers:
            info["move_features"] = games.move_features
        everywhere = _read_only(np.ones(self.num_envs, dtype=np.bool_))
        info |= {f"_{name}": everywhere for name in info if name != "returns"}
        info["_returns"] = games.terminations
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
            info["final_obs"] = games.final
            if self._is_dict:
                nothing = _read_only(np.zeros(self.games.masks.shape, dtype=np.int8))
                info["final_obs"] = {"observation": games.final, "action_mask": nothing}
            info["final_info"] = {
                "seat": games.final_seats, "illegal": games.illegal, "returns": games.returns,
            }  # fmt: skip
            info["final_info"] |= {f"_{name}": games.terminations for name in info["final_info"]}
            info |= {f"_{name}": games.terminations for name in ("final_obs", "final_info")}
        return info

    def state(self) -> NDArray[Any]:
        """Everything, hidden cards included, as an observation of the seat that decides, shape (num_envs, size): for
        critics that are trained centrally.
        """
        games = self._on_host("states", "notes")
        whole = games.states.copy()
        whole["seat"] = games.notes[:, SEAT]
        out = np.empty(games.observations.shape, dtype=games.observations.dtype)
        observation = observation_of(self.game, self.players, self.form, self.components.options)
        for place in range(self.num_envs):
            observation.write(whole[place : place + 1], out[place])
        return out

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the threads."""
        if self._process == os.getpid():
            self._threads.shutdown()
            self._process = 0

    def get_state(self) -> Saved:
        """All games as they stand, with what no seat may know: arrays of their own."""
        with self._alone():
            if self.gpu is not None:
                self.gpu.pull(*_STATE_ARRAYS)
            arrays = {name: getattr(self.games, name).copy() for name in _STATE_ARRAYS}
        return {**self._setting(), "games": arrays}

    def _setting(self) -> Saved:
        """What a state is of."""
        return {
            **setting_of(self.game, self.players, self.components),
            "bots": self.games.bots.tolist(),
            "seat": self._first_seat,
            "form": self.form,
            "settings": self.games.settings.tolist(),
        }

    def set_state(self, state: Saved) -> None:
        """Go on from what `get_state` gave; raises AtollError, and changes nothing, if it is of something else.

        It trusts the arrays: what comes from elsewhere is not to be given to it.
        """
        check_same(state, self._setting())
        arrays = {name: getattr(self.games, name) for name in _STATE_ARRAYS}
        for name, array in arrays.items():
            stored = state["games"].get(name)
            if stored is None or stored.shape != array.shape or stored.dtype != array.dtype:
                raise AtollError(f"the saved state is not of {self.num_envs} such games: {name}")
        with self._alone():
            for name, array in arrays.items():
                array[:] = state["games"][name]
            self._begun = bool(self.games.chances[..., -1].all())
            if self.gpu is not None:
                self.gpu.push(*_STATE_ARRAYS)

    def __getstate__(self) -> Info:
        left_out = (
            "_loop",
            "_consider",
            "_spans",
            "_threads",
            "_busy",
            "_note",
            "_given",
            "_info_arrays",
            "gpu",
        )
        if self.gpu is not None:
            self.gpu.pull(*_STATE_ARRAYS)
        attributes = {name: value for name, value in vars(self).items() if name not in left_out}
        components = (self.components.name, self.components.data)
        made_of = {"game": self.game.name, "components": components, "options": self.components.options}
        return {**attributes, **made_of, "games": tuple(self.games)}

    def __setstate__(self, state: Info) -> None:
        options = state.pop("options")
        vars(self).update(state)
        self.game = find_game(state["game"])
        self.components = self.game.under(self.game.components_from(*state["components"]), options)
        self.games = Games(*state["games"])
        self._make_ready()


_STATE_ARRAYS = tuple(
    name
    for name in Games._fields
    if name not in ("parts", "settings", "bots", "codes", "turned", "program", "factors")
)
"""The arrays that change."""


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The same memory, not to be written to."""
    view = array.view()
    view.flags.writeable = False
    return view


def _seating(bots: str | None, players: int) -> NDArray[np.int8]:
    """Who sits so many seats after the learner: -1 for the caller, else the bot's place among QUICK_BOTS."""
    seats = np.full(players, -1, dtype=np.int8)
    if bots is not None:
        bots_by_place = [bot.name for bot in QUICK_BOTS]
        names = [
            check_choice("bot for many games at once", name.strip(), tuple(bots_by_place))
            for name in bots.split(",")
        ]
        for seat in range(1, players):
            seats[seat] = bots_by_place.index(names[(seat - 1) % len(names)])
    return seats


def _games(
    game: Game,
    players: int,
    components: Components,
    count: int,
    form: str,
    bots: NDArray[np.int8],
    settings: dict[int, int],
    numbers: int,
) -> Games:
    """The arrays, no game begun; `numbers` are told of each legal action."""
    observation = observation_of(game, players, form, components.options)
    actions, rules = Actions(game, players), game.rules
    game.start(players, 0, components)  # checks the contract
    values = {steps.LONGEST: game.most_decisions(components, players), **settings}
    size = observation.size if settings[steps.OBSERVES] else 0
    masks = rules.ACTIONS if settings[steps.MASKS] else 0
    codes = np.min_scalar_type(-rules.ACTIONS)  # small tables leave the first cache to the games
    notes = np.zeros((count, steps.NOTES), dtype=np.int32)
    notes[:, STATUS] = OVER
    return Games(
        states=np.zeros(count, dtype=rules.STATE),
        parts=components.parts,
        chances=np.zeros((count, CHANCES, GENERATOR_WORDS), dtype=np.uint64),
        notes=notes,
        settings=np.array([values[column] for column in range(len(values))], dtype=np.int64),
        bots=bots,
        codes=actions.codes.astype(codes),
        turned=actions.turned.astype(codes),
        program=observation.program,
        factors=observation.factors,
        observations=np.zeros((count, size), dtype=observation.dtype),
        final=np.zeros((count, size), dtype=observation.dtype),
        final_seats=np.zeros(count, dtype=np.int32),
        masks=np.zeros((count, masks), dtype=np.int8),
        legal=np.zeros((count, rules.MAX_LEGAL), dtype=np.int32),
        advised=np.zeros(count, dtype=np.int32),
        sampled=np.zeros(count, dtype=np.int64),
        move_features=np.zeros((count, rules.MAX_LEGAL, numbers), dtype=np.float32),
        rewards=np.zeros(count),
        returns=np.zeros((count, players)),
        terminations=np.zeros(count, dtype=np.bool_),
        illegal=np.zeros(count, dtype=np.bool_),
    )  # fmt: skip

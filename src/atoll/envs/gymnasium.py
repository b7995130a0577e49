"""Gymnasium environments of every game of the catalogue: one learner, bots in the other seats.

Importing this module registers them, each by its name and the version of its rules:

    import gymnasium
    import atoll.envs.gymnasium

    env = gymnasium.make("atoll/GAME-v0", bots="greedy")
    envs = gymnasium.make_vec("atoll/GAME-v0", num_envs=4096, bots="greedy")

Observations are arrays as `atoll describe GAME` tells them; the mask of legal actions is `info["action_mask"]`,
and what `action_masks()` returns, where sb3-contrib looks for it. With `dict_observation=True` both stand in the
observation, `observation` and `action_mask`, as PettingZoo has them. Rewards come at the end.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.bots.catalogue import find_bot
from atoll.core.catalogue import games
from atoll.core.events import NO_EVENTS
from atoll.core.exports import PLAY
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.envs import require
from atoll.text.errors import AtollError

require("gymnasium")

import gymnasium  # noqa: E402
from gymnasium import spaces  # noqa: E402

from atoll.core.spaces import masked_space, observation_box  # noqa: E402
from atoll.envs.chances import BOT_CHANCE, whole  # noqa: E402
from atoll.envs.referee import GAME_OVER, NO_GAME, Referee, Saved, check_same  # noqa: E402
from atoll.envs.rendering import RENDER_MODES, Rendered, Renderer  # noqa: E402

Info = dict[str, Any]
Numbers = NDArray[Any]
Seen = Any
"""What is observed: an array, or with `dict_observation` a dictionary of that and the mask."""


class SoloEnv(gymnasium.Env[Seen, np.int64]):
    """One learner among bots.

    - `game`: its name, or a `Game`; `players`: the game's usual number if not said
    - `components`: the name of a shipped set, or the path of a file; `options`: such as `{"open_huts": True}`
    - `bots`: names, separated by commas, repeated to fill the other seats from the learner's left
    - `seat`: the learner's, from 0; None moves it one seat further each game
    - `dict_observation`: observations are dictionaries of `observation` and `action_mask`
    - `form`, `reward`, `illegal`, `render_mode`: as for `atoll.envs.pettingzoo.env`; drawn as the learner sees it

    Bots know what their seat may know. Raises AtollError for what does not exist.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  Gymnasium's way

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        *,
        components: Components | Path | str | None = None,
        options: Mapping[str, bool] | None = None,
        bots: str = "greedy",
        seat: int | None = None,
        form: str = "normalized",
        reward: str = "win",
        illegal: str = "lose",
        dict_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.referee = Referee(game, players, components, options, form, reward, illegal)
        if seat is not None and not 0 <= seat < self.referee.players:
            raise AtollError(f"there is no seat {seat}: seats are 0 to {self.referee.players - 1}")
        self.bots = [find_bot(name.strip()) for name in bots.split(",")]
        self.fixed_seat = seat
        self.seat = seat or 0
        """the learner's in this game"""
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode)
        observation, actions = self.referee.observation, self.referee.actions.count
        self._is_dict = dict_observation
        self.observation_space: spaces.Space[Any] = (
            masked_space(observation, actions) if dict_observation else observation_box(observation)
        )
        self.action_space: spaces.Discrete = spaces.Discrete(actions)
        self._mask = np.zeros(self.referee.actions.count, dtype=np.int8)

    def reset(self, *, seed: int | None = None, options: Info | None = None) -> tuple[Seen, Info]:
        """Begin the first game of a seed, or the next one; `options` are not used."""
        super().reset(seed=None if seed is None else whole("a seed", seed, 0))
        referee = self.referee
        while True:
            referee.start(seed)
            number = referee.number - 1
            self.seat = number % referee.players if self.fixed_seat is None else self.fixed_seat
            self._let_bots_play()
            if not referee.is_over:
                return self._look()
            seed = None  # it ended before the learner's first decision

    def step(self, action: np.int64 | int) -> tuple[Seen, float, bool, bool, Info]:
        """Carry out the learner's action, and then what bots decide until it is asked again or the game is over.

        Raises IllegalMove, and changes nothing, for an illegal action if these are refused.
        """
        referee = self.referee
        if referee.is_over:
            raise AtollError(GAME_OVER if referee.number else NO_GAME)
        legal = referee.play(self.seat, whole("an action", action), self._mask)
        if legal:
            self._let_bots_play()
        over = referee.is_over
        reward = referee.returns()[self.seat] if over else 0.0
        observation, info = self._look()
        if not legal:
            info["illegal"] = True
        return observation, reward, over, False, info

    def _look(self) -> tuple[Seen, Info]:
        observation, self._mask = self.referee.look(self.seat)
        info = {"action_mask": self._mask.copy(), "seat": self.seat}
        if self._is_dict:
            return {"observation": observation, "action_mask": self._mask.copy()}, info
        return observation, info

    def _let_bots_play(self) -> None:
        referee = self.referee
        while not referee.is_over and (whose := referee.seat) != self.seat:
            place = (whose - self.seat - 1) % referee.players
            bot = self.bots[place % len(self.bots)]
            view = referee.position.view(whose)
            action = bot.decide(view, view.legal_moves().actions, referee.chances[BOT_CHANCE])
            runner = referee.game.fast_runner
            runner.call(PLAY, referee.states, referee.components.parts, whose, action, NO_EVENTS)

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, shape (actions,)."""
        return self._mask.astype(bool)

    def render(self) -> Rendered:
        """What the learner sees, as text or as an array; None where it is shown, or not asked for."""
        return self._renderer.render(self.referee, self.seat)

    def close(self) -> None:
        """Throw away what the browser shows."""
        self._renderer.close()

    def get_state(self) -> Saved:
        """The environment as it stands, with what no seat may know; plain values and bytes."""
        return {"referee": self.referee.save(), "seat": self.seat, **self._setting()}

    def _setting(self) -> Saved:
        return {"bots": [bot.name for bot in self.bots], "fixed_seat": self.fixed_seat}

    def set_state(self, state: Saved) -> None:
        """Go on from what `get_state` gave; raises AtollError, and changes nothing, if it is of something else."""
        check_same(state, self._setting())
        seat = int(state["seat"])
        self.referee.restore(state["referee"])
        self.seat = seat
        self._look()


def register() -> None:
    """Register every game of the catalogue with Gymnasium, version v0 has the first version of the rules."""
    for game in games().values():
        name = f"atoll/{game.name}-v{game.rules_version - 1}"
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="atoll.envs.gymnasium:SoloEnv",
                vector_entry_point="atoll.envs.vector:GamesEnv",
                kwargs={"game": game.name},
            )


register()

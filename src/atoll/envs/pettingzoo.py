"""PettingZoo environments of any game of the catalogue: one agent after another (AEC), or all at once (parallel).

    from atoll.envs.pettingzoo import env, parallel_env

Agents are `player_0`, `player_1` and so on, by seat. What an agent gets is a dictionary: `observation`, as `atoll
describe GAME` tells it, and `action_mask`, int8, 1 for each legal action. Actions are numbers below `rules.ACTIONS`;
parts of moves that name seats count from the agent, as observations do. Rewards come at the end.
"""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

from atoll.core.action_encoding import Actions
from atoll.core.game import Game
from atoll.core.types import Components
from atoll.envs import require
from atoll.text.errors import AtollError

require("pettingzoo")

from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv, ParallelEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from atoll.core.spaces import masked_space, observation_box  # noqa: E402
from atoll.envs.chances import whole  # noqa: E402
from atoll.envs.referee import NO_GAME, Referee, Saved  # noqa: E402
from atoll.envs.rendering import RENDER_MODES, Rendered, Renderer  # noqa: E402

Seen = dict[str, Any]
"""An `observation` and its `action_mask`."""


class _Table:
    """What both kinds of environment have: the referee, agents and their spaces, state and rendering."""

    def __init__(self, referee: Referee, render_mode: str | None, actions: int) -> None:
        self.referee = referee
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode)
        self.metadata = {
            "name": f"{referee.game.name.replace('-', '_')}_v{referee.game.rules_version - 1}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(referee.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.state_space = observation_box(referee.observation)
        self.observation_spaces = {
            agent: masked_space(referee.observation, actions) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent does."""
        return self.action_spaces[agent]

    def state(self) -> np.ndarray[Any, np.dtype[Any]]:
        """Everything, hidden cards included, as an observation from seat 0: for critics that are trained centrally."""
        return self.referee.full_state()

    def resample(self, agent: str, seed: int) -> "_Table":
        """Another environment, drawn uniformly from those that the agent cannot tell from this one by what it sees."""
        twin = deepcopy(self)
        twin.referee.states[:] = self.referee.position.view(self._seats[agent]).resample(seed).states
        twin.look_again()
        return twin

    def look_again(self) -> None:
        """Find out anew which actions are legal: the position is another."""
        raise NotImplementedError

    def render(self) -> Rendered:
        """What somebody who only watches sees, as text or as an array; None where it is shown, or not asked for."""
        return self._renderer.render(self.referee)

    def close(self) -> None:
        """Throw away what the browser shows."""
        self._renderer.close()


class raw_env(_Table, AECEnv):  # type: ignore[misc]
    """One agent after another, without PettingZoo's wrappers; see `env`."""

    def __init__(
        self,
        game: Game | str,
        players: int | None = None,
        components: Components | Path | str | None = None,
        options: Mapping[str, bool] | None = None,
        form: str = "normalized",
        reward: str = "win",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        referee = Referee(game, players, components, options, form, reward, illegal)
        _Table.__init__(self, referee, render_mode, referee.actions.count)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first game of a seed, or the next one; `options` are not used."""
        self.referee.start(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._mask: np.ndarray[Any, np.dtype[np.int8]] | None = None
        self.agent_selection = self.possible_agents[self.referee.seat]

    def observe(self, agent: str) -> Seen:
        """What an agent observes now; the mask is all 0 unless it has to decide."""
        observation, mask = self.referee.look(self._seats[agent])
        if agent == self.agent_selection:
            self._mask = mask.copy()  # the caller may write into its own
        return {"observation": observation, "action_mask": mask}

    def look_again(self) -> None:
        """The next step looks which actions are legal."""
        self._mask = None

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent whose turn it is; of one whose game is over, None takes it away.

        Raises IllegalMove, and changes nothing, for an illegal action if these are refused.
        """
        if not self.agents:
            raise AtollError(NO_GAME)
        agent, referee = self.agent_selection, self.referee
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        seat = self._seats[agent]
        mask = self._mask if self._mask is not None else referee.look(seat)[1]
        legal = referee.play(seat, -1 if action is None else whole("an action", action), mask)
        self._mask = None
        if legal and referee.to_act[0]:
            self.agent_selection = self.possible_agents[referee.seat]
            return
        if not legal:
            self.infos[agent]["illegal"] = True
        self.rewards = dict(zip(self.agents, referee.returns(), strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def get_state(self) -> Saved:
        """The environment as it stands, with what no seat may know; plain values and bytes."""
        attributes = {
            name: dict(getattr(self, name))
            for name in ("rewards", "_cumulative_rewards", "terminations", "truncations")
        }
        infos = {agent: dict(info) for agent, info in self.infos.items()}
        turn = (self.agent_selection, self._skip_agent_selection, self.agents[:])
        return {"referee": self.referee.save(), "kept": attributes, "infos": infos, "turn": turn}

    def set_state(self, state: Saved) -> None:
        """Go on from what `get_state` gave; raises AtollError, and changes nothing, if it is of something else."""
        self.referee.restore(state["referee"])
        for name, values in state["kept"].items():
            setattr(self, name, dict(values))
        self.infos = {agent: dict(info) for agent, info in state["infos"].items()}
        self.agent_selection, self._skip_agent_selection, agents = state["turn"]
        self.agents = list(agents)
        self.look_again()


def env(*settings: Any, **keywords: Any) -> AECEnv:
    """One agent after another, with PettingZoo's wrappers that check the order of calls and the range of actions.

    - `game`: its name, or a `Game`; `players`: the game's usual number if not said
    - `components`: the name of a shipped set, or the path of a file; `options`: such as `{"open_huts": True}`
    - `form`: `"normalized"`, `"one-hot"` or `"bytes"`
    - `reward`: `"win"`, a share of the win from -1 to 1 whose sum is 0, or `"points"`; 0 before the end
    - `illegal`: `"lose"` ends the game at once, with -1 for that agent and `illegal` in its info; `"refuse"` raises
      IllegalMove and changes nothing
    - `render_mode`: `"ansi"`, the picture that the terminal shows to somebody who watches; `"rgb_array"`, the site's
      table as an array, shape (800, 1280, 3), uint8, which takes Chromium or Chrome about a second; `"human"`, the
      same in the browser, which follows each `render()`

    Where several seats decide at once, they are asked in the order of seats; none sees what another chose.
    """
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(*settings, **keywords)))


class parallel_env(_Table, ParallelEnv):  # type: ignore[misc]
    """All agents act at once; settings as for `env`.

    There is one action more than the game has, the last: to wait, which is all that an agent may do who has nothing to
    decide, and nothing that another may. In games in which one seat decides after another all others wait.
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
        render_mode: str | None = None,
    ) -> None:
        referee = Referee(game, players, components, options, form, reward, illegal)
        self.wait = referee.actions.count
        _Table.__init__(self, referee, render_mode, referee.actions.count + 1)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Begin the first game of a seed, or the next one; `options` are not used."""
        self.referee.start(seed)
        self.agents = self.possible_agents[:]
        return self._observe(), {agent: {} for agent in self.agents}

    def _observe(self) -> dict[str, Seen]:
        seen: dict[str, Seen] = {}
        self._masks: dict[str, np.ndarray[Any, np.dtype[np.int8]]] = {}
        for agent in self.agents:
            observation, mask = self.referee.look(self._seats[agent])
            self._masks[agent] = np.append(mask, np.int8(not mask.any()))
            seen[agent] = {"observation": observation, "action_mask": self._masks[agent].copy()}
        return seen

    def look_again(self) -> None:
        """What is legal is looked at together with what is observed."""
        self._observe()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Carry out an action of every agent. The first illegal one, by seat, loses, or is refused before any is
        carried out.
        """
        referee, agents = self.referee, self.agents
        if not agents:
            raise AtollError(NO_GAME)
        masks = self._masks
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        choices = {agent: whole("an action", actions.get(agent, -1)) for agent in agents}
        wrong = [a for a in agents if not (0 <= choices[a] <= self.wait and masks[a][choices[a]])]
        if wrong:
            referee.play(self._seats[wrong[0]], -1, masks[wrong[0]])
            infos[wrong[0]]["illegal"] = True
        for agent in agents if not wrong else ():
            seat = self._seats[agent]
            if choices[agent] != self.wait and referee.to_act[0] >> seat & 1:
                referee.play(seat, choices[agent], masks[agent])
        over = referee.is_over
        rewards = referee.returns() if over else [0.0] * len(agents)
        observations = self._observe()
        if over:
            self.agents = []
        return (
            observations,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            infos,
        )

    def get_state(self) -> Saved:
        """The environment as it stands, with what no seat may know; plain values and bytes."""
        return {"referee": self.referee.save(), "agents": self.agents[:]}

    def set_state(self, state: Saved) -> None:
        """Go on from what `get_state` gave; raises AtollError, and changes nothing, if it is of something else."""
        self.referee.restore(state["referee"])
        self.agents = list(state["agents"])
        self.look_again()


__all__ = ["Actions", "env", "parallel_env", "raw_env"]

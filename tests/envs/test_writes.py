"""What environments hand out is a copy or read-only: whatever is written into it, the game goes on as it would have."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from atoll.envs.gymnasium import SoloEnv
from atoll.envs.pettingzoo import parallel_env, raw_env
from atoll.envs.vector import GamesEnv
from tests.envs.playing import GAMES, any_action

Look = Callable[[Any], bytes]
every_game = pytest.mark.parametrize("game", GAMES)


def arrays(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Every array in what was returned."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, dict | tuple | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from arrays(part)


def keep(value: Any) -> bytes:
    return b"".join(array.tobytes() for array in arrays(value))


def overwrite(value: Any) -> bytes:
    """Fill every array with ones; returns what was in them."""
    content = keep(value)
    for array in arrays(value):
        array[...] = 1
    return content


class Player:
    """Random legal actions, and after a while an illegal one, which loses."""

    def __init__(self) -> None:
        self._chance = np.random.default_rng(1)
        self._left = 25

    def choose(self, mask: Any) -> int:
        self._left -= 1
        return any_action(mask, self._chance) if self._left else int(np.flatnonzero(mask == 0)[0])


def one_by_one(game: str, look: Look) -> list[bytes]:
    table, player, seen = raw_env(game), Player(), []
    table.reset(seed=3)
    while not any(table.terminations.values()):
        returned = table.last()
        mask = returned[0]["action_mask"].copy()
        seen.append(look((returned, table.observe(table.possible_agents[-1]), table.state())))
        table.step(player.choose(mask))
    return [*seen, repr((table.rewards, table.infos)).encode()]


def together(game: str, look: Look) -> list[bytes]:
    table, player, seen = parallel_env(game), Player(), []
    returned: Any = table.reset(seed=3)
    while table.agents:
        masks = {agent: shown["action_mask"].copy() for agent, shown in returned[0].items()}
        seen.append(look((returned, table.state())))
        deciding = next(agent for agent in table.agents if not masks[agent][-1])
        actions = {agent: int(mask.argmax()) for agent, mask in masks.items()}
        returned = table.step({**actions, deciding: player.choose(masks[deciding])})
    return [*seen, repr(returned[1:]).encode()]


def among_bots(game: str, look: Look) -> list[bytes]:
    table, player, seen = SoloEnv(game, bots="random"), Player(), []
    returned: Any = table.reset(seed=3)
    while not table.referee.is_over:
        mask = returned[-1]["action_mask"].copy()
        seen.append(look((returned, table.action_masks())))
        returned = table.step(player.choose(mask))
    return [*seen, repr((returned[1], returned[-1].get("illegal"))).encode()]


def many(game: str, look: Look) -> list[bytes]:
    envs = GamesEnv(3, game=game, bots=None, sample=True, autoreset_mode="SameStep", threads=1)
    player, seen = Player(), []
    returned: Any = envs.reset(seed=3)
    for _ in range(30):
        mask, actions = returned[-1]["action_mask"][0].copy(), returned[-1]["sampled"].copy()
        seen.append(look(returned))
        actions[0] = player.choose(mask)
        returned = envs.step(actions)
    return [*seen, keep(returned)]


@every_game
@pytest.mark.parametrize("play", [one_by_one, together, among_bots, many])
def test_no_write_to_what_is_returned_changes_a_game(game: str, play: Callable[[str, Look], Any]) -> None:
    """The same game twice, once with all overwritten; the illegal action loses, though a mask was made to allow it."""
    assert play(game, overwrite) == play(game, keep)


@every_game
def test_arrays_that_are_not_copied_are_read_only(game: str) -> None:
    envs = GamesEnv(
        2, game=game, bots=None, copy=False, sample=True, advise=True, autoreset_mode="SameStep", threads=1
    )
    _, info = returned = envs.reset(seed=1)
    assert not any(array.flags.writeable for array in arrays(returned))
    *given, cut, info = envs.step(info["sampled"])
    assert not any(array.flags.writeable for array in arrays((*given, info)))
    assert not cut.any()

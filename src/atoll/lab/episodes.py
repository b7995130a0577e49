"""Games as episodes for offline learning: what each seat observed, could do and did, as Minari's Parquet files.

An episode is one seat's game: an observation and a mask for each of its decisions and one of the end, its actions, and
its return as its last reward, as the environments give it. In each game chance seats the bots, each in any seat equally
likely, so that strengths are mixed. `probability` is that with which the bot would take its action: of `random` and, by
the ties of its advice, of `greedy` it is known, and 1 where only one move is legal; otherwise it is NaN. Game i depends
on (seed, i) alone, whatever the number of workers.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from minari import MinariDataset
from minari import __version__ as minari_version
from minari.data_collector.episode_buffer import EpisodeBuffer
from minari.dataset.minari_storage import MinariStorage
from numpy.typing import NDArray

from atoll import __version__
from atoll.bots.bot import GREEDY, RANDOM, Bot
from atoll.core.action_encoding import Actions
from atoll.core.exports import ADVISE
from atoll.core.game import Game, View
from atoll.core.observation import Observation, observation_of
from atoll.core.spaces import masked_space
from atoll.core.types import Components
from atoll.engine.chance import derive, generator
from atoll.lab.batches import Workers, in_order
from atoll.lab.played import game_seed
from atoll.lab.simulate import step_game
from atoll.text.errors import AtollError

BATCH = 200
"""Episodes that are written together: Minari looks at the sizes of all files after each batch."""
SEATING, PLAYING = 1, 2
"""What a game's chances of bots are drawn for."""


@dataclass
class Episode:
    """One seat's game: arrays of one more entry than decisions but for `actions`."""

    about: dict[str, Any]
    observations: NDArray[Any]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    probabilities: NDArray[np.float32]
    result: float


@dataclass(frozen=True)
class OfflineGames:
    """Which games are played."""

    game: Game
    components: Components
    players: int
    bots: Sequence[Bot]
    seed: int
    form: str = "normalized"

    @cached_property
    def observation(self) -> Observation:
        """How views become arrays; raises AtollError for a form that does not exist."""
        return observation_of(self.game, self.players, self.form, self.components.options)

    @cached_property
    def actions(self) -> Actions:
        """The actions as numbers that count seats from the viewer."""
        return Actions(self.game, self.players)

    def play(self, index: int) -> list[Episode]:
        """The episodes of a game, one a seat that decided anything."""
        own, seats = derive(self.seed, index, SEATING), range(self.players)
        seated_bots = [self.bots[derive(own, seat) % len(self.bots)] for seat in seats]
        chances = [
            bot.sit(generator(derive(self.seed, index, PLAYING, k))) for k, bot in enumerate(seated_bots)
        ]
        dealt = game_seed(self.seed, index)
        position = self.game.start(self.players, dealt, self.components)
        rows: list[list[tuple[Any, ...]]] = [[] for _ in seats]
        for step in step_game(position, chances):
            mask = np.zeros(self.actions.count, dtype=np.int8)
            mask[self.actions.turned[step.seat, step.legal]] = 1
            chance = probability_of(seated_bots[step.seat], step.view, step.legal, step.action)
            action = int(self.actions.turned[step.seat, step.action])
            rows[step.seat].append((self.observation.of_view(step.view.states), mask, action, chance))
        outcome = position.outcome
        assert outcome is not None
        return [
            Episode(
                {"game": index, "deal": str(dealt), "seat": seat, "bot": seated_bots[seat].name,
                 "bots": [bot.name for bot in seated_bots], "points": outcome.points[seat]},
                np.stack([*(row[0] for row in rows[seat]), self.observation.of_view(position.view(seat).states)]),
                np.stack([*(row[1] for row in rows[seat]), np.zeros(self.actions.count, dtype=np.int8)]),
                np.array([row[2] for row in rows[seat]], dtype=np.int64),
                np.array([*(row[3] for row in rows[seat]), np.nan], dtype=np.float32),
                (self.players * (seat in outcome.winners) / len(outcome.winners) - 1) / (self.players - 1),
            )
            for seat in seats
            if rows[seat]
        ]  # fmt: skip


def probability_of(bot: Bot, view: View, legal: NDArray[np.int32], action: int) -> float:
    """With which probability a bot takes an action, as far as that is known; else NaN."""
    if len(legal) == 1:
        return 1.0
    if bot.name == RANDOM.name:
        return 1 / len(legal)
    if bot.name != GREEDY.name or not view.game.has_advice:
        return float("nan")
    scores = np.zeros(len(legal), dtype=np.int32)
    view.game.runner.call(ADVISE, view.states, view.components.parts, legal, len(legal), scores)
    best = legal[scores == scores.max()]
    return float(action in best) / len(best)


class EpisodeStorage:
    """A new folder of a Minari dataset; raises AtollError if something is there."""

    def __init__(self, folder: Path, games: OfflineGames) -> None:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise AtollError(f"{folder}: is there already; name a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        self._storage = MinariStorage.new(
            folder,
            masked_space(games.observation, games.actions.count),
            spaces.Discrete(games.actions.count),
            data_format="parquet",
            jpeg_encoding=False,
        )
        self._storage.update_metadata(
            {
                "dataset_id": f"atoll/{games.game.name}-{games.players}-v{games.game.rules_version - 1}",
                "minari_version": minari_version,
                "algorithm_name": ", ".join(bot.name for bot in games.bots),
                "description": f"{games.game.title} for {games.players}, components {games.components.name} "
                f"({games.components.sha256}), form {games.form}, seed {games.seed}, Atoll {__version__}",
            }
        )
        self._episodes = 0

    def add(self, episodes: Sequence[Episode]) -> None:
        """Write some episodes."""
        first = self._episodes
        self._storage.update_episodes([self._buffer(first + k, one) for k, one in enumerate(episodes)])
        self._episodes += len(episodes)
        self._storage.update_episode_metadata([one.about for one in episodes], range(first, self._episodes))

    def dataset(self) -> MinariDataset:
        """All that was added."""
        return MinariDataset(self._storage)

    def _buffer(self, number: int, one: Episode) -> EpisodeBuffer:
        steps = len(one.actions)
        ends = np.arange(1, steps + 1) == steps
        return EpisodeBuffer(
            id=number,
            observations={"observation": one.observations, "action_mask": one.masks},
            actions=one.actions,
            rewards=ends * one.result,
            terminations=ends,
            truncations=np.zeros(steps, dtype=bool),
            infos={"probability": one.probabilities.tolist()},
        )


def write_episodes(
    folder: Path,
    games: OfflineGames,
    number: int,
    workers: Workers = 1,
    progress: Callable[[int], None] = lambda games: None,
) -> MinariDataset:
    """Play so many games and write them; `progress` is called after each. Raises EndlessGame, and Stopped."""
    for bot in games.bots:
        bot.prepare(games.game)
    storage = EpisodeStorage(folder, games)
    waiting: list[Episode] = []
    with closing(in_order((partial(games.play, index) for index in range(number)), workers)) as played:
        for episodes in played:
            waiting += episodes
            progress(1)
            if len(waiting) >= BATCH:
                storage.add(waiting)
                waiting = []
    storage.add(waiting)
    return storage.dataset()

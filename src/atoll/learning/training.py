"""Training a player of a game, generation by generation, and all that is kept of it.

A generation plays games with the network as it is, the learner in some seats and `greedy`, or the trained player that
it is to beat, in the others, for all numbers of players, with the game's own components and with some that are drawn
near them; then it learns from them. A new network leans on the game's advice, so that generation 0 plays about as
`greedy` does.

Where it learns from the search instead, a generation is games of the search alone, from the second on guided by the
network as it is, and the network learns from those of the latest generations.

In the folder of a training stand `trained.npz`, the network as it is played with; `journal.jsonl`, a line a generation;
`curve.svg`; `games-N.parquet`, the games from generation N on, and `searched-N.npz`, what the search found in those of
generation N; and `training.pt`, from which the same command goes on.
"""

import os
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from matplotlib.figure import Figure

from atoll.bots import find_bot
from atoll.bots.bot import TrainedBot
from atoll.bots.network import MOST_SEATS, MOST_WIDTH
from atoll.bots.weights import SHIPPED, TrainedOn, Weights, about_now, packed
from atoll.core.game import Game
from atoll.engine.chance import derive
from atoll.lab.played import TRAINED
from atoll.lab.trained_policy import DECISIONS
from atoll.learning.games import (
    Group,
    decisions_of,
    kinds_of_games,
    measure,
    play_group,
    usual_advice,
    usual_games,
)
from atoll.learning.model import Network
from atoll.learning.search_games import (
    KindOfGames,
    Searched,
    group_of,
    keep_searched,
    play_searched,
    read_searched,
)
from atoll.learning.settings import Settings
from atoll.learning.updates import TrainingProgress, imitate, improve
from atoll.text.errors import AtollError
from atoll.text.files import take_alone
from atoll.text.messages import Message, quoted

CHECKPOINT, JOURNAL, CURVE = "training.pt", "journal.jsonl", "curve.svg"
LAST_RATE = 0.1
"""The part of the learning rate that is left in the end."""
LOOKS = 10
"""How often strength is measured on the way."""
DEALS = 200
"""Deals of a measurement on the way; each is played once in every seat."""
LAST_DEALS = 1000
SHORT = 2000
"""Decisions for which everything is compiled."""
KEPT_SECONDS = 60.0
"""Processor seconds from one checkpoint to the next."""
LATEST = 120_000
"""So many decisions of the search are learnt from again, the latest."""
MEASURING = 1 << 40
"""What the seeds of measurements are for; those of generations are lower."""
GAMES = pa.schema(
    [
        ("generation", pa.int32()),
        ("seed", pa.uint64()),
        ("components", pa.string()),
        ("sha256", pa.string()),
        ("players", pa.int8()),
        ("learner", pa.list_(pa.bool_())),
        ("points", pa.list_(pa.int32())),
        ("shares", pa.list_(pa.float32())),
    ]
)


class JournalLine(msgspec.Struct):
    """A generation in the journal: means of what it learnt from, and for some numbers of players the share of the win
    that one trained player had among greedy ones, in per cent with half the width of its 95 % interval.
    """

    generation: int
    seconds: float
    games: int
    decisions: int
    policy: float
    expected: float
    shares: float
    entropy: float
    won: dict[int, tuple[float, float]] = {}


class Training:
    """A network that is being trained, in `folder`; raises AtollError if that holds another training."""

    def __init__(self, game: Game, settings: Settings, folder: Path) -> None:
        if game.seats[-1] > MOST_SEATS:
            raise AtollError(
                Message(
                    "%(game)s has up to %(players)s players; a network serves %(most)s at most",
                    game=game.title,
                    players=game.seats[-1],
                    most=MOST_SEATS,
                )
            )
        if not 1 <= settings.width <= MOST_WIDTH or not 1 <= settings.depth <= MOST_WIDTH:
            raise AtollError(Message("width and depth are from 1 to %(most)s", most=MOST_WIDTH))
        self.game, self.settings, self.folder = game, settings, folder
        self.against = _opponent(game, settings.against)
        _compile(game, self.against)
        torch.manual_seed(settings.seed)
        unit = usual_advice(game, settings.seed)
        sizes = (settings.width, settings.depth)
        if self.against is not None:
            sizes = self.against.arrays["second"].shape
        self.network = Network(game, *sizes, unit)
        if self.against is not None:
            self.network.begin_as(self.against)
        self.network = self.network.to(settings.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=settings.rate, eps=1e-5)
        self.generation, self.seconds, self._kept_at = 0, 0.0, 0.0
        self.lines: list[JournalLine] = []
        self._games: list[tuple[int, Any]] = []  # generations that are not kept yet, with their tables
        self._searched: dict[int, list[Searched]] = {}  # the same, with what was searched
        self._latest: deque[list[Group]] = deque()  # of generations that are learnt from again
        self._played: Counter[tuple[str, str, int]] = Counter()
        self._measured = -1
        if (folder / CHECKPOINT).exists():
            self._go_on()

    @property
    def part(self) -> float:
        """How much of the training is done, from 0 to 1."""
        settings = self.settings
        return min(1.0, max(self.seconds / settings.seconds, self.generation / settings.generations))

    @property
    def weights(self) -> Weights:
        """The network as it is."""
        trained_on = [
            TrainedOn(*key[:2], players=key[2], games=games) for key, games in sorted(self._played.items())
        ]
        games = sum(self._played.values())
        seed, seconds = self.settings.seed, self.seconds
        weights: Weights = self.network.weights(
            about_now(self.game, seed, self.generation, games, seconds, trained_on)
        )
        return weights

    def run(self, tell: Callable[["Training"], None]) -> None:
        """Train to the end, calling `tell` after each generation; when interrupted, what there is is kept.

        Raises AtollError if another process trains in the same folder.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("w") as lock:
            take_alone(
                lock,
                Message("%(folder)s: another training is writing to this folder now", folder=self.folder),
            )
            try:
                while self.part < 1:
                    self._generation()
                    tell(self)
                    if self.seconds - self._kept_at > KEPT_SECONDS:
                        self.keep()
            finally:
                self.keep()

    def measure(self, deals: int) -> dict[int, tuple[float, float]]:
        """The share of the win among the opponents, in per cent with half its 95 % interval, by numbers of players."""
        counts = sorted({self.game.seats.start, min(4, self.game.seats[-1])})
        weights, shares_of = self.weights, {}
        components = self.game.under(self.game.components(), {})
        for players in counts:
            seed = derive(self.settings.seed, MEASURING, players)
            shares = 100 * measure(weights, components, players, deals, seed, self.against)
            width = 1.96 * shares.std() / len(shares) ** 0.5
            shares_of[players] = (round(float(shares.mean()), 2), round(float(width), 2))
        return shares_of

    def keep(self) -> None:
        """Write all files of the folder."""
        if self._games:
            first = self._games[0][0]
            rows = pa.concat_tables(table for _, table in self._games).combine_chunks()
            pq.write_table(rows, self.folder / f"games-{first:06}.parquet")
            self._games = []
        for generation, searches in self._searched.items():
            keep_searched(self._searched_file(generation), searches)
        self._searched = {}
        checkpoint = {
            "begun_with": self.settings.begun_with,
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "chance": torch.get_rng_state(),
            "generation": self.generation,
            "seconds": self.seconds,
            "measured": self._measured,
            "played": [[*key, games] for key, games in self._played.items()],
            "lines": msgspec.json.encode(self.lines).decode(),
        }
        _replace(self.folder / CHECKPOINT, lambda path: torch.save(checkpoint, path))
        journal = b"".join(msgspec.json.encode(line) + b"\n" for line in self.lines)
        _replace(self.folder / JOURNAL, lambda path: path.write_bytes(journal))
        _replace(self.folder / SHIPPED, lambda path: path.write_bytes(packed(self.weights)))
        draw(self.game, self.lines, self.folder / CURVE)
        self._kept_at = self.seconds

    def _go_on(self) -> None:
        checkpoint = torch.load(self.folder / CHECKPOINT, weights_only=True)
        begun_with = {"rate": Settings.rate, "search": 0, "against": "", **checkpoint["begun_with"]}
        for name, value in self.settings.begun_with.items():
            if begun_with[name] != value:
                raise AtollError(
                    Message(
                        "%(folder)s: this training was begun with %(key)s %(found)s, not %(wanted)s; name another "
                        "folder",
                        folder=self.folder,
                        key=name,
                        found=repr(begun_with[name]),
                        wanted=repr(value),
                    )
                )
        self.network.load_state_dict(checkpoint["network"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
        torch.set_rng_state(checkpoint["chance"])
        self.generation, self.seconds = checkpoint["generation"], checkpoint["seconds"]
        self._measured, self._kept_at = checkpoint["measured"], self.seconds
        self._played = Counter(
            {(name, digest, players): games for name, digest, players, games in checkpoint["played"]}
        )
        self.lines = msgspec.json.decode(checkpoint["lines"], type=list[JournalLine])
        if self.settings.search:
            for generation in range(1, self.generation + 1):
                searches = read_searched(self._searched_file(generation), self.game)
                self._learn_again(searches, self._searched_kinds(generation - 1))

    def _searched_file(self, generation: int) -> Path:
        return self.folder / f"searched-{generation:06}.npz"

    def _generation(self) -> None:
        """Play, learn, and note how it went."""
        began, settings = time.process_time(), self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate * max(LAST_RATE, 1 - self.part)
        groups, progress = self._search() if settings.search else self._play()
        self.generation += 1
        self._games.append((self.generation, _games_table(self.generation, groups)))
        self._count(groups)
        self.seconds += time.process_time() - began
        self._note(groups, progress)

    def _play(self) -> tuple[list[Group], TrainingProgress]:
        """Play with the network as it is, and learn from that."""
        settings, weights = self.settings, self.weights
        kinds = kinds_of_games(self.game, settings.seed, self.generation)
        share = max(1, settings.decisions // len(kinds))
        groups = [
            play_group(
                weights,
                components,
                players,
                share,
                derive(settings.seed, self.generation, number),
                self.against,
            )
            for number, (players, components) in enumerate(kinds)
        ]
        groups = [group for group in groups if len(group.who)]
        decisions = decisions_of(self.game, groups, settings.device)
        return groups, improve(self.network, self.optimizer, decisions, settings.device)

    def _search(self) -> tuple[list[Group], TrainingProgress]:
        """Let the search play, and learn from what it found now and in the latest generations."""
        settings, kinds = self.settings, self._searched_kinds(self.generation)
        guide = self.weights if self.generation else None
        games = play_searched(self.game, kinds, guide, settings.search, settings.workers)
        self._searched[self.generation + 1] = games
        groups = self._learn_again(games, kinds)
        latest = [group for groups in self._latest for group in groups]
        decisions = decisions_of(self.game, latest, settings.device)
        return groups, imitate(self.network, self.optimizer, decisions, settings.device)

    def _searched_kinds(self, generation: int) -> list[KindOfGames]:
        """The games of the search in a generation, counted from 0."""
        weights, searches = self.weights, []
        kinds = kinds_of_games(self.game, self.settings.seed, generation)
        for number, (players, components) in enumerate(kinds):
            seed = derive(self.settings.seed, generation, number)
            usual = usual_games(weights, components, players, seed)
            games = max(1, round(self.settings.decisions / len(kinds) / usual.length))
            searches.append(KindOfGames(components, players, games, seed, usual.lead))
        return searches

    def _learn_again(self, searches: list[Searched], kinds: list[KindOfGames]) -> list[Group]:
        """A generation's games of the search join those that are learnt from; the oldest go."""
        weights = self.weights
        groups = [group_of(one, weights, kind) for one, kind in zip(searches, kinds, strict=True)]
        self._latest.append(groups)
        while len(self._latest) > 1 and sum(map(_decisions, self._latest)) > LATEST:
            self._latest.popleft()
        return groups

    def _count(self, groups: list[Group]) -> None:
        usual = self.game.components().sha256
        for group in groups:
            own = group.components.sha256 == usual
            key = (group.components.name, usual) if own else ("varied", "")
            self._played[*key, group.players] += len(group.who)

    def _note(self, groups: list[Group], progress: TrainingProgress) -> None:
        line = JournalLine(
            self.generation,
            round(self.seconds, 1),
            sum(len(group.who) for group in groups),
            _decisions(groups),
            *(round(value, 5) for value in asdict(progress).values()),
        )
        look = int(self.part * LOOKS)
        if look > self._measured:
            self._measured = look
            line.won = self.measure(LAST_DEALS if self.part >= 1 else DEALS)
        self.lines.append(line)


def _decisions(groups: list[Group]) -> int:
    return sum(int(group.log.counts[DECISIONS]) for group in groups)


def _opponent(game: Game, name: str) -> Weights | None:
    """The network of a trained bot; raises AtollError for another bot, or where the game brings none."""
    if not name:
        return None
    bot = find_bot(name)
    weights = bot.weights(game) if isinstance(bot, TrainedBot) else None
    if weights is None:
        raise AtollError(
            Message(
                "--against is a trained player, such as trained or trained:FILE, not %(name)s",
                name=quoted(name),
            )
        )
    return weights


def _compile(game: Game, against: Weights | None) -> None:
    """Compile or load all that a generation runs, so that no generation's time is counted for it."""
    network = Network(game, 1, 1, 1.0)
    weights = network.weights(about_now(game, 0, 0, 0, 0, []))
    components = game.under(game.components(), {})
    group = play_group(weights, components, game.seats.start, SHORT, seed=1, against=against)
    improve(network, torch.optim.SGD(network.parameters(), lr=0.0), decisions_of(game, [group], "cpu"), "cpu")


def _replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write a file anew, or leave it as it is."""
    new = path.with_suffix(".new")
    write(new)
    os.replace(new, path)


def _games_table(generation: int, groups: list[Group]) -> Any:
    """A generation's games as rows, without the decisions, which would fill the memory."""
    rows: dict[str, list[Any]] = {name: [] for name in GAMES.names}
    for group in groups:
        count = len(group.who)
        rows["generation"] += [generation] * count
        rows["seed"] += group.seeds.tolist()
        rows["components"] += [group.components.name] * count
        rows["sha256"] += [group.components.sha256] * count
        rows["players"] += [group.players] * count
        rows["learner"] += (group.who == TRAINED).tolist()
        rows["points"] += group.points.tolist()
        rows["shares"] += group.shares.tolist()
    return pa.Table.from_pydict(rows, schema=GAMES)


def draw(game: Game, lines: list[JournalLine], path: Path) -> None:
    """The share of the win against the others by processor seconds, a line for each number of players."""
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    measurements = [line for line in lines if line.won]
    for players in sorted({players for line in measurements for players in line.won}):
        seconds = np.array([line.seconds for line in measurements])
        shares, widths = np.array([line.won[players] for line in measurements]).T
        bars = axes.errorbar(seconds, shares, widths, marker="o", capsize=3, label=f"{players} players")
        axes.axhline(100 / players, color=bars[0].get_color(), linewidth=1, linestyle=":")
    axes.set(xlabel="processor seconds", ylabel="won against the others, %", title=game.title, ylim=(0, 100))
    if measurements:
        axes.legend()
    figure.savefig(path)


def seed_in(folder: Path) -> int | None:
    """The seed of the training that a folder holds, if it holds one."""
    if not (folder / CHECKPOINT).exists():
        return None
    seed: int = torch.load(folder / CHECKPOINT, weights_only=True)["begun_with"]["seed"]
    return seed

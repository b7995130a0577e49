"""The tasks, as games bring them along in `benchmark.toml`, and the digests that pin their deals and opponents."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from atoll.bots import find_bot
from atoll.bots.bot import Bot, SearchBot
from atoll.core.catalogue import games
from atoll.core.components import FileContent, parse_toml
from atoll.core.game import Game, View
from atoll.core.types import Components
from atoll.engine.chance import derive, generator
from atoll.lab.played import game_seed
from atoll.lab.simulate import step_game
from atoll.text.errors import AtollError

FILE = "benchmark.toml"
SUITE = "Atoll-3"
VERSION = 1
"""Raised, with that of the files, whenever a change makes another figure of any policy."""
BUDGETS = {"Atoll-10M": 10_000_000, "Atoll-1B": 1_000_000_000}
"""The most decisions that a player may have learnt from, in all games of a task's game together."""
TRAINING_SEEDS = (1, 2, 3)
"""Seeds of training: one learner for each. Tasks hold out the deals of seeds of 2^32 and more."""
DEALS = 200
"""Deals of a whole run, of each task against each quick opponent."""
DEALS_OF_SEARCH = 20
"""Against one that searches, which takes a hundred times as long."""
PINNED_DEALS = 16
"""Deals of which the first positions are in the digest."""
PINNED_POSITIONS = 40
"""Positions of random games in which each opponent is asked."""

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class PinnedTask(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A task as a file has it: held-out deals follow from `seed`; `opponents` and the digest of what each does."""

    players: Annotated[int, Meta(ge=2)]
    components: str
    sha256: Digest
    seed: Annotated[int, Meta(ge=1 << 32)]
    deals: Digest
    opponents: Annotated[dict[str, Digest], Meta(min_length=1)]


class BenchmarkFile(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """What a game's file says."""

    format: Literal[1]
    suite: Literal["Atoll-3"]
    version: Literal[1]
    rules: int
    """the version of the rules"""
    tasks: Annotated[list[PinnedTask], Meta(min_length=1)]


@dataclass(frozen=True)
class Task:
    """A policy in every seat of every deal, with one opponent in all other seats, for each of some opponents."""

    game: Game
    rules: int
    pinned: PinnedTask

    @property
    def name(self) -> str:
        """The game and the number of players."""
        return f"{self.game.name}-{self.players}"

    @property
    def players(self) -> int:
        """How many play."""
        return self.pinned.players

    @property
    def opponents(self) -> tuple[str, ...]:
        """Bots by name."""
        return tuple(self.pinned.opponents)

    def deals(self, opponent: str) -> int:
        """Deals of a whole run against an opponent."""
        return DEALS_OF_SEARCH if isinstance(find_bot(opponent), SearchBot) else DEALS

    @cached_property
    def components(self) -> Components:
        """What is played, with the game's usual options."""
        return self.game.under(self.game.components(self.pinned.components), {})

    def found(self) -> dict[str, str]:
        """What should be as it is pinned, by what it is called."""
        digests = {"rules": str(self.game.rules_version), "components": self.components.sha256}
        digests["deals"] = deals_digest(self)
        asked = list(asked_views(self))
        return digests | {name: bot_digest(find_bot(name), self.game, asked) for name in self.opponents}

    def check(self) -> None:
        """Raise AtollError unless rules, components, deals and opponents are those of this version."""
        wanted = {"rules": str(self.rules), "components": self.pinned.sha256, "deals": self.pinned.deals}
        wanted |= self.pinned.opponents
        other = [name for name, digest in self.found().items() if digest != wanted[name]]
        if other:
            raise AtollError(
                f"{self.name}: {', '.join(other)} are not those of {SUITE} version {VERSION}, so figures would not "
                "compare; take the version of Atoll that has them"
            )


def tasks() -> dict[str, Task]:
    """All tasks by name; raises ComponentError for a file that is wrong."""
    found: dict[str, Task] = {}
    for game in games().values():
        path = game.folder / FILE
        if path.is_file():
            name = f"{game.name}: {FILE}"
            file = FileContent(name, parse_toml(name, path.read_bytes())).checked(BenchmarkFile)
            found |= {task.name: task for task in (Task(game, file.rules, one) for one in file.tasks)}
    return found


def find_tasks(names: str | None) -> list[Task]:
    """The tasks of these names, separated by commas, a game's name being all of its own; all if None. Raises
    AtollError.
    """
    known = tasks()
    if names is None:
        return list(known.values())
    found: dict[str, Task] = {}
    for name in filter(None, map(str.strip, names.split(","))):
        own = {key: task for key, task in known.items() if name in (key, task.game.name)}
        if not own:
            raise AtollError(f"there is no task {name!r}; there are: {', '.join(known)}")
        found |= own
    if not found:
        raise AtollError(f"no task is named; there are: {', '.join(known)}")
    return list(found.values())


def deals_digest(task: Task) -> str:
    """Of the first positions of the first deals, in the words of records."""
    digest = hashlib.sha256()
    for deal in range(PINNED_DEALS):
        position = task.game.start(task.players, game_seed(task.pinned.seed, deal), task.components)
        digest.update(msgspec.json.encode(position.to_json(), order="sorted"))
    return digest.hexdigest()


def asked_views(task: Task) -> Iterator[View]:
    """Views in which opponents are asked: of seats that have a choice, evenly over a random game of the first deal."""
    position = task.game.start(task.players, game_seed(task.pinned.seed, 0), task.components)
    seats = [
        find_bot("random").sit(generator(derive(task.pinned.seed, seat))) for seat in range(task.players)
    ]
    views = [step.view for step in step_game(position, seats) if len(step.legal) > 1]
    for place in range(PINNED_POSITIONS):
        yield views[place * len(views) // PINNED_POSITIONS]


def bot_digest(bot: Bot, game: Game, views: list[View]) -> str:
    """Of what a bot does in views, in the words of records."""
    bot.prepare(game)
    moves: list[Any] = [game.moves.move_of(bot.choose(view, seed)) for seed, view in enumerate(views)]
    return hashlib.sha256(msgspec.json.encode(moves, order="sorted")).hexdigest()

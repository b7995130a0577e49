"""Getting games ready: importing and compiling their rules and bots while the first pages are served."""

import asyncio
import gc
import logging
import os
import threading
from dataclasses import dataclass, field
from functools import partial

from atoll.bots.warm import STAGES, apart, is_search_warm, is_warm, warm, warm_search
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.core.words import Words

LOOK_AGAIN = 0.1
"""Seconds between two looks whether a search is ready."""


@dataclass
class Loading:
    """How far the games are: as many at a time as there are cores, the quickest first, but one that somebody waits for
    before the others. Of each game the tables come first; the search waits until no tables are left to begin.

    What was never compiled here is compiled in processes of its own, so that the site goes on answering.
    """

    workers: int = os.cpu_count() or 1
    game: str = ""
    """the title of one that is being made ready"""
    stage: str = ""
    """its stage, one of STAGES"""
    total: int = 1
    failed: bool = False
    ready: threading.Event = field(default_factory=threading.Event)
    """set when tables of all games can be shown"""
    _todo: list[Game] = field(default_factory=list)
    """games whose tables cannot be shown, then games whose search is not ready; without those in work"""
    _stages: dict[str, int] = field(default_factory=dict)
    """how many stages each game has behind it"""
    _ready: set[str] = field(default_factory=set)
    """games whose tables can be shown"""
    _wanted: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self) -> None:
        """Begin, in threads that do not keep the process alive."""
        self._todo = sorted(games().values(), key=size_of_sources)
        self.total = len(self._todo) * len(STAGES)
        for _ in range(self.workers):
            threading.Thread(target=self._run, name="atoll-loading", daemon=True).start()

    @property
    def done(self) -> int:
        """How many stages of all games are over."""
        return sum(self._stages.values())

    @property
    def over(self) -> bool:
        """Whether everything is ready, the searches too."""
        return self.done == self.total

    def is_ready(self, game: str) -> bool:
        """Whether tables of that game can be shown; if not, it is the next to be made ready."""
        if game in self._ready:
            return True
        self._wanted = game
        return False

    async def search_ready(self, game: str) -> None:
        """Wait until bots can search in that game; it is the next to be made ready.

        Returns at once if something could not be made ready: then who searches has to compile.
        """
        while self._stages.get(game) != len(STAGES) and not self.failed:
            self._wanted = game
            await asyncio.sleep(LOOK_AGAIN)

    def _run(self) -> None:
        try:
            while (game := self._next()) is not None:
                if game.name in self._ready:
                    self._make_search(game)
                else:
                    self._make_tables(game)
                gc.freeze()  # what is loaded stays: looking through it would hold up an answer
        except Exception:
            logging.getLogger(__name__).exception("the games could not be made ready")
            self.failed = True

    def _make_tables(self, game: Game) -> None:
        begin = partial(self._begin, game)
        if not is_warm(game):
            apart(warm, game, begin)
        warm(game, begin)
        with self._lock:
            self._stages[game.name] = STAGES.index("search")
            self._ready.add(game.name)
            self._todo.append(game)
            if len(self._ready) == len(games()):
                self.ready.set()

    def _make_search(self, game: Game) -> None:
        begin = partial(self._begin, game)
        if not is_search_warm(game):
            apart(warm_search, game, begin)
        warm_search(game, begin)
        self._stages[game.name] = len(STAGES)

    def _next(self) -> Game | None:
        with self._lock:
            wanted = [game for game in self._todo if game.name == self._wanted]
            game = next(iter(wanted or self._todo), None)
            if game is not None:
                self._todo.remove(game)
            return game

    def _begin(self, game: Game, stage: str) -> None:
        self.game, self.stage = game.title, stage
        self._stages[game.name] = max(self._stages.get(game.name, 0), STAGES.index(stage))

    def text(self, words: Words) -> str:
        """What is being done."""
        match self.stage:
            case "rules":
                return words("%(game)s: the rules", game=self.game)
            case "views":
                return words("%(game)s: what each player sees", game=self.game)
            case "bots":
                return words("%(game)s: the bots", game=self.game)
            case "search":
                return words("%(game)s: the bots that search", game=self.game)
            case _:
                return words("One moment")


def progress_of(loading: Loading, words: Words, game: str = "") -> dict[str, object]:
    """What the progress bar is drawn from, on a page of one game, or for all if it names none."""
    ready = loading.ready.is_set() or (bool(game) and loading.is_ready(game))
    return {"loading": loading, "stage": loading.text(words), "awaited": game, "ready": ready}


def size_of_sources(game: Game) -> int:
    """Bytes of a game's modules: about how long they take to compile."""
    return sum(len(file.read_bytes()) for file in game.folder.iterdir() if file.name.endswith(".py"))

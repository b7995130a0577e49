"""Getting games ready: importing and compiling their rules and bots while the first pages are served."""

import logging
import os
import threading
from dataclasses import dataclass, field
from functools import partial

from atoll.bots.warm import STAGES, apart, is_warm, warm, warm_search
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.core.words import Words


@dataclass
class Loading:
    """How far the games are: as many at a time as there are cores, the quickest first, but one that somebody waits for
    before the others.

    What was never compiled here is compiled in processes of its own, so that the site goes on answering.
    """

    workers: int = os.cpu_count() or 1
    game: str = ""
    """the title of one that is being made ready"""
    stage: str = ""
    """its stage, one of those of `warm`"""
    total: int = 1
    failed: bool = False
    ready: threading.Event = field(default_factory=threading.Event)
    """set when all games are ready"""
    _todo: list[Game] = field(default_factory=list)
    _stages: dict[str, int] = field(default_factory=dict)
    """how many stages each game has behind it"""
    _ready: set[str] = field(default_factory=set)
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

    def is_ready(self, game: str) -> bool:
        """Whether tables of that game can be shown; if not, it is the next to be made ready."""
        if game in self._ready:
            return True
        self._wanted = game
        return False

    def _run(self) -> None:
        try:
            while (game := self._next()) is not None:
                begin = partial(self._begin, game)
                if not is_warm(game):
                    apart(warm, game, begin)
                warm(game, begin)
                self._stages[game.name] = len(STAGES)
                with self._lock:
                    self._ready.add(game.name)
                    last = len(self._ready) == len(games())
                if last:
                    self.ready.set()
                    for found in games().values():
                        warm_search(found)
        except Exception:
            self.failed = True
            logging.getLogger(__name__).exception("the games could not be made ready")

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
            case _:
                return words("One moment")


def progress_of(loading: Loading, stage: str, game: str = "") -> dict[str, object]:
    """What the progress bar is drawn from, on a page that waits for one game, or for all if it names none."""
    ready = loading.ready.is_set() or (bool(game) and loading.is_ready(game))
    return {"loading": loading, "stage": stage, "awaited": game, "ready": ready}


def size_of_sources(game: Game) -> int:
    """Bytes of a game's modules: about how long they take to compile."""
    return sum(len(file.read_bytes()) for file in game.folder.iterdir() if file.name.endswith(".py"))

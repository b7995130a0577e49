"""Loading games: their rules and bots are imported and compiled while the first pages are served."""

import asyncio
import gc
import logging
import os
import threading
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from time import monotonic

from atoll.bots.warm import STAGES, Killed, apart, are_bots_warm, is_warm, warm, warm_bots
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.text.translation import Translator
from atoll.web.pages.drawings import drawings_url

ATTEMPTS = 4
"""Attempts in a row at a game whose process is killed."""

RETRY_AFTER = 30.0
"""Seconds after which a game that failed is tried again, if somebody requests it."""

THREAD = "atoll-loading"
"""The name of the threads that load games."""

GC_THRESHOLDS = (20_000, 20, 20)
"""Thresholds of the garbage collector. Rendering a page makes thousands of objects, hardly any of them in cycles; with
the defaults, collections would delay single responses."""

FIRST_PAGE = 0.25
"""Seconds for which loading waits for the first page, since both take a whole core."""

POLL_INTERVAL = 0.03
"""Seconds between two checks whether a game is ready."""


@dataclass
class Loading:
    """Loads all games: the smallest first, but a requested one before the others; all tables before any bots.

    What is not in the compilation cache is compiled in processes of its own, as many as there are cores, so that the
    site keeps responding. What is in the cache is loaded in this process, one game after another, since threads would
    only share Python's lock.
    """

    workers: int = os.cpu_count() or 1
    game: str = ""
    """the title of one that is being made ready"""
    stage: str = ""
    """its stage, one of STAGES"""
    total: int = 1
    retry: float = 1.0
    """seconds until a game whose process was killed is tried again, twice as many each time"""
    ready: threading.Event = field(default_factory=threading.Event)
    """set when tables of all games can be shown"""
    requested: threading.Event = field(default_factory=threading.Event)
    """set when a first page is drawn, or somebody waits for a game"""
    _queue: list[Game] = field(default_factory=list)
    """games whose tables are not loaded, then games whose bots are not; without those in work"""
    _stages: dict[str, int] = field(default_factory=dict)
    """number of finished stages, by game"""
    _ready: set[str] = field(default_factory=set)
    """games whose tables can be shown"""
    _failed: dict[str, float] = field(default_factory=dict)
    """games that failed, and when"""
    _kills: Counter[str] = field(default_factory=Counter)
    """how often in a row a game's process was killed"""
    _requested_game: str = ""
    _stopped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)
    """held while a thread takes the next game, and while it loads it"""

    def start(self) -> None:
        """Start loading, in daemon threads."""
        self._queue = sorted(games().values(), key=size_of_sources)
        self.total = len(self._queue) * len(STAGES)
        for _ in range(self.workers):
            self._begin_thread()

    def skip(self) -> None:
        """Count every game as loaded; what is not compiled yet is compiled when it is first called."""
        self._ready.update(games())
        self._stages = dict.fromkeys(games(), len(STAGES))
        self.total = self.done
        self.ready.set()

    def _begin_thread(self) -> None:
        threading.Thread(target=self._run, name=THREAD, daemon=True).start()

    def stop(self) -> None:
        """Stop, since the process ends; killed compilations are no failures then."""
        self._stopped = True

    @property
    def done(self) -> int:
        """The number of finished stages of all games."""
        return sum(self._stages.values())

    def is_over(self, game: str = "") -> bool:
        """Whether a game, or all, is loaded with its bots."""
        return self.done == self.total or self._stages.get(game) == len(STAGES)

    def has_failed(self, game: str = "") -> bool:
        """Whether loading a game, or any, failed."""
        return game in self._failed if game else bool(self._failed)

    def is_ready(self, game: str) -> bool:
        """Whether tables of a game can be shown; if not, it is loaded next."""
        if game in self._ready:
            return True
        self._request(game)
        return False

    def _request(self, game: str) -> None:
        """Load a game next."""
        self._requested_game = game
        self.requested.set()

    def _retry(self, game: str) -> None:
        """Load a game again that failed some time ago."""
        since = self._failed.get(game)
        if (
            since is not None
            and monotonic() - since > RETRY_AFTER
            and self._failed.pop(game, None) is not None
        ):
            self._enqueue(games()[game])

    def _enqueue(self, game: Game) -> None:
        """Add a game to the queue."""
        if not self._stopped:
            self._queue.append(game)
            self._begin_thread()

    async def tables_ready(self, game: str, within: float) -> bool:
        """Wait at most `within` seconds until tables of a game can be shown; returns whether they can."""
        self._retry(game)
        until = monotonic() + within
        while not (ready := self.is_ready(game)) and not self.has_failed(game) and monotonic() < until:
            await asyncio.sleep(POLL_INTERVAL)
        return ready

    async def bots_ready(self, game: str, searching: bool = True) -> None:
        """Wait until a game's bots are loaded, those that search too if `searching`; they are loaded next.

        Returns at once if loading failed: the bot's first move then compiles what it needs.
        """
        stages = len(STAGES) if searching else STAGES.index("search")
        self._retry(game)
        while self._stages.get(game, 0) < stages and not self.has_failed(game):
            self._requested_game = game
            await asyncio.sleep(POLL_INTERVAL)

    def _run(self) -> None:
        self.requested.wait(FIRST_PAGE)
        try:
            gc.set_threshold(*GC_THRESHOLDS)
            import_module("atoll.engine.compiling")  # slow; meanwhile a game may be requested
            while not self._stopped and self._do_next():
                gc.freeze()  # what is loaded stays in memory: no need to scan it
        except Exception:
            logging.getLogger(__name__).exception("the games could not be made ready")
            self._failed |= dict.fromkeys(games(), monotonic())

    def _do_next(self) -> bool:
        """Load the next game's tables or bots; returns False if the queue is empty."""
        game = None
        try:
            with self._lock:
                game = self._next()
                if game is None:
                    return False
                bots = game.name in self._ready
                is_compiled = are_bots_warm(game) if bots else is_warm(game)
                if is_compiled:
                    self._load(game, bots)
            if not is_compiled:
                apart(warm_bots if bots else warm, game, partial(self._begin, game))
                del self._kills[game.name]
                with self._lock:
                    self._load(game, bots)
        except Exception as error:
            if game is None:
                raise
            self._fail(game, error)
        return True

    def _fail(self, game: Game, error: Exception) -> None:
        """Try a game again later if its process was killed, at most ATTEMPTS times; else count it as failed."""
        if self._stopped:
            return
        log = logging.getLogger(__name__)
        self._kills[game.name] += 1
        if isinstance(error, Killed) and (times := self._kills[game.name]) < ATTEMPTS:
            after = self.retry * 2 ** (times - 1)
            log.warning("%s; it is tried again in %g s", error, after)
            timer = threading.Timer(after, self._enqueue, [game])
            timer.daemon = True
            timer.start()
            return
        if isinstance(error, Killed):
            log.error("%s, %d times; it is tried again when somebody asks for the game", error, ATTEMPTS)
        else:
            log.error("%s could not be made ready", game.title, exc_info=error)
        del self._kills[game.name]
        self._failed[game.name] = monotonic()

    def _load(self, game: Game, bots: bool) -> None:
        if bots:
            warm_bots(game, partial(self._begin, game))
            self._stages[game.name] = len(STAGES)
            return
        warm(game, partial(self._begin, game))
        drawings_url(game)
        self._stages[game.name] = STAGES.index("bots")
        self._ready.add(game.name)
        self._queue.append(game)
        if len(self._ready) == len(games()):
            self.ready.set()

    def _next(self) -> Game | None:
        requested = [game for game in self._queue if game.name == self._requested_game]
        game = next(iter(requested or self._queue), None)
        if game is not None:
            self._queue.remove(game)
        return game

    def _begin(self, game: Game, stage: str) -> None:
        self.game, self.stage = game.title, stage
        self._stages[game.name] = max(self._stages.get(game.name, 0), STAGES.index(stage))

    def text(self, translator: Translator, game: str = "") -> str:
        """The stage that is being loaded, as text; of that game if it is named."""
        title, stage = self.game, self.stage
        if game in games():
            title, stage = games()[game].title, STAGES[min(self._stages.get(game, 0), len(STAGES) - 1)]
        match stage:
            case "rules":
                return translator("%(game)s: the rules", game=title)
            case "views":
                return translator("%(game)s: what each player sees", game=title)
            case "bots":
                return translator("%(game)s: the bots", game=title)
            case "search":
                return translator("%(game)s: the bots that search", game=title)
            case _:
                return translator("One moment")

    def progress(self, translator: Translator, game: str = "") -> dict[str, object]:
        """What the progress bar is drawn from, on a page of one game, or for all if it names none. Somebody waits on
        that page: the game is loaded next.
        """
        is_named = game in games()
        if is_named and not self.is_over(game):
            self._request(game)
        return {
            "finished": self._stages.get(game, 0) if is_named else self.done,
            "stages": len(STAGES) if is_named else self.total,
            "stage": self.text(translator, game),
            "awaited": game,
            "failed": self.has_failed(game),
            "ready": self.ready.is_set() or (bool(game) and self.is_ready(game)),
            "loaded": self.is_over(game),
        }


def size_of_sources(game: Game) -> int:
    """Bytes of a game's modules, an estimate of the time to compile them."""
    return sum(len(file.read_bytes()) for file in game.folder.iterdir() if file.name.endswith(".py"))

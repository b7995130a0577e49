"""Getting games ready: importing and compiling their rules and bots in a thread while the first pages are served."""

import logging
import threading
from dataclasses import dataclass, field

from atoll.bots.warm import STAGES, warm, warm_search
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.core.words import Words


@dataclass
class Loading:
    """How far the games are: one after another, the quickest first, one that somebody waits for before the others."""

    game: str = ""
    """the title of the one that is being made ready"""
    stage: str = ""
    """one of the stages of `warm`"""
    done: int = 0
    total: int = 1
    failed: bool = False
    ready: threading.Event = field(default_factory=threading.Event)
    """set when all games are ready"""
    _ready: set[str] = field(default_factory=set)
    _wanted: str = ""

    def start(self) -> None:
        """Begin, in a thread that does not keep the process alive."""
        threading.Thread(target=self._run, name="atoll-loading", daemon=True).start()

    def is_ready(self, game: str) -> bool:
        """Whether tables of that game can be shown; if not, it is the next to be made ready."""
        if game in self._ready:
            return True
        self._wanted = game
        return False

    def _run(self) -> None:
        try:
            todo = sorted(games().values(), key=size_of_sources)
            self.total = len(todo) * len(STAGES)
            while todo:
                wanted = [game for game in todo if game.name == self._wanted]
                game = (wanted or todo)[0]
                todo.remove(game)
                self.game = game.title
                warm(game, self._begin)
                self._ready.add(game.name)
                self.done = len(self._ready) * len(STAGES)
            self.ready.set()
            for game in games().values():
                warm_search(game)
        except Exception:
            self.failed = True
            logging.getLogger(__name__).exception("the games could not be made ready")

    def _begin(self, stage: str) -> None:
        self.stage = stage
        self.done = len(self._ready) * len(STAGES) + STAGES.index(stage)

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

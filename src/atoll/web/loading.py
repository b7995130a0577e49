"""Getting games ready: importing and compiling their rules and bots in a thread while the first pages are served."""

import logging
import threading
from dataclasses import dataclass, field

from atoll.bots.warm import STAGES, warm, warm_search
from atoll.core.catalogue import games
from atoll.core.words import Words


@dataclass
class Loading:
    """How far the games are."""

    game: str = ""
    """the title of the one that is being made ready"""
    stage: str = ""
    """one of the stages of `warm`"""
    done: int = 0
    total: int = 1
    failed: bool = False
    ready: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Begin, in a thread that does not keep the process alive."""
        threading.Thread(target=self._run, name="atoll-loading", daemon=True).start()

    def _run(self) -> None:
        try:
            self.total = len(games()) * len(STAGES)
            for place, game in enumerate(games().values()):
                self.game = game.title
                warm(game, lambda stage, place=place: self._begin(stage, place))  # type: ignore[misc]
            self.ready.set()
            for game in games().values():
                warm_search(game)
        except Exception:
            self.failed = True
            logging.getLogger(__name__).exception("the games could not be made ready")

    def _begin(self, stage: str, place: int) -> None:
        self.stage = stage
        self.done = place * len(STAGES) + STAGES.index(stage)

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

"""Getting games ready: importing and compiling their rules and bots in a thread while the first pages are served."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from atoll.bots import bot_names, find_bot
from atoll.core.catalogue import games
from atoll.core.game import Game

Stage = tuple[str, Game, Callable[[], object]]
"""What is done, in English with `%(game)s`, for which game, and the doing."""


def stages() -> list[Stage]:
    """Everything that has to be ready before a table can be shown, in order."""
    found: list[Stage] = []
    for game in games().values():
        found.append(("The rules of %(game)s", game, lambda game=game: play_a_little(game)))  # type: ignore[misc]
        for bot in bot_names():
            found.append(
                ("The bots of %(game)s", game, lambda game=game, bot=bot: let_choose(game, bot))  # type: ignore[misc]
            )
    return found


def play_a_little(game: Game) -> None:
    """Use every compiled function that a table uses."""
    position = game.start(game.default_players, 1)
    seat = position.to_act[0]
    position.copy().play_action(seat, int(position.legal_moves(seat).actions[0]))
    position.view(seat).legal_moves()
    position.view().to_json()
    assert position.outcome is None


def let_choose(game: Game, bot: str) -> None:
    """Let a bot choose its first move."""
    position = game.start(game.default_players, 1)
    find_bot(bot).choose(position.view(position.to_act[0]), 1)


@dataclass
class Loading:
    """How far the games are."""

    stage: tuple[str, str] = ("", "")
    """what is being done, in English, and the title of the game"""
    done: int = 0
    total: int = 1
    failed: bool = False
    ready: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        """Begin, in a thread that does not keep the process alive."""
        threading.Thread(target=self._run, name="atoll-loading", daemon=True).start()

    def _run(self) -> None:
        try:
            todo = stages()
            self.total = len(todo)
            for text, game, work in todo:
                self.stage = (text, game.title)
                work()
                self.done += 1
            self.ready.set()
        except Exception:
            self.failed = True
            logging.getLogger(__name__).exception("the games could not be made ready")

"""A game in words for a program that reads and writes, such as a language model: one seat, bots in the others."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from atoll.bots import Bot
from atoll.commands.console import PlainConsole
from atoll.commands.terminal import TerminalTable, parts_of
from atoll.core import records
from atoll.core.game import Position, View
from atoll.core.game_translator import GameTranslator
from atoll.core.types import Json
from atoll.engine.chance import derive, generator
from atoll.text.errors import AtollError
from atoll.text.translation import Translator

WIDTH = 100
"""Columns of the picture of a table."""
LISTED = 60
"""So many legal moves are listed whole; of more, the parts from which to choose."""


class TextGame:
    """A game in which somebody decides for one seat, in the words of records, and bots for the others.

    Decisions with a single legal move are played without asking. What is told is what the seat may know.
    """

    def __init__(self, position: Position, seat: int, bots: Sequence[Bot], seed: int, name: str) -> None:
        """`bots` sit in the other seats in turn, with chances of their own from `seed`; `name` is that of the seat."""
        translator = GameTranslator(Translator("en").with_package(position.game.package), position.components)
        self.position = position
        self.seat = seat
        self.decisions: list[tuple[View, int]] = []
        """What the seat could know when it decided, and the action it took."""
        self._console = PlainConsole(width=WIDTH, color_system=None, force_terminal=False)
        self._table = TerminalTable(self._console, translator, position, seat)
        others = [other for other in range(position.players) if other != seat]
        self._bots = {
            other: bots[number % len(bots)].sit(generator(derive(seed, other)))
            for number, other in enumerate(others)
        }
        names = [
            name if other == seat else f"bot:{self._bots[other].bot.name}"
            for other in range(position.players)
        ]
        self._lines = [records.header(position, names, None)]
        self._go_on()

    @property
    def record(self) -> str:
        """The finished game as a record."""
        return records.encode([*self._lines, records.result(self.position)])

    def look(self) -> Json:
        """The table as the seat sees it, what happened since it was last looked at, and what there is to decide."""
        with self._console.capture() as told:
            self._table.show()
            if self.position.is_over:
                self._table.show_result()
        seen: Json = {"over": self.position.is_over, "text": told.get().strip()}
        if self.position.is_over:
            outcome = self.position.outcome
            assert outcome is not None
            return seen | {"points": list(outcome.points), "winners": list(outcome.winners)}
        view = self._table.view()
        table = self._table
        prompt = table.game.messages.prompt(table.translator, table.names, view, self.seat)
        asked = f"{prompt.text} {prompt.hint}".strip()
        return seen | {"asked": asked, "others_choose_at_once": len(view.to_act) > 1} | self.legal_moves({})

    def legal_moves(self, part: Mapping[str, Any]) -> Json:
        """The legal moves that say what `part` says, each with its text; where they are many, the parts by which they
        differ.
        """
        view, table = self._table.view(), self._table
        moves = [move for move in view.legal_moves() if part.items() <= move.items()]
        listed = parts_of(moves, LISTED) if moves else []
        text = table.game.messages.move_text
        told = [
            {"move": move, "text": text(table.translator, table.names, move, view, self.seat)}
            for move in listed
        ]
        whole = len(listed) == len(moves)
        return {"legal": len(moves), ("moves" if whole else "parts"): told}

    def play(self, move: Mapping[str, Any]) -> None:
        """Carry out a move of the seat, and go on until it has to decide again or the game is over.

        Raises IllegalMove, and changes nothing, for one that is not legal.
        """
        view = self._table.view()
        self._play(self.seat, move)
        self.decisions.append((view, self.position.game.notation.action_of(move)))
        self._go_on()

    def losses(self, worlds: int, seed: int, progress: Callable[[int], None]) -> list[Json]:
        """What each decision cost, in shares of the win, by the judge of finished games (`atoll.lab.judge`).

        Raises AtollError while the game runs.
        """
        from atoll.lab.judge import Judge

        if not self.position.is_over:
            raise AtollError("decisions are graded when the game is over")
        judge, told = Judge(seed), []
        for number, (view, action) in enumerate(self.decisions):
            judged = judge.grade(view, action, worlds, number)
            move_of = view.game.notation.move_of
            told.append(
                {
                    "decision": number + 1,
                    "move": move_of(action),
                    "best_other": move_of(judged.other),
                    "loss": round(judged.loss.value, 4),
                    "interval": [round(judged.loss.low, 4), round(judged.loss.high, 4)],
                    "kind": judged.kind,
                }
            )
            progress(number + 1)
        return told

    def _play(self, seat: int, move: Mapping[str, Any]) -> None:
        before = self.position.copy()
        events = self.position.play(seat, move)
        self._lines.append(records.decision(before, self.position, seat, dict(move), events))
        self._table.note(events)

    def _go_on(self) -> None:
        """Let bots decide, and the seat where it has no choice."""
        position, move_of = self.position, self.position.game.notation.move_of
        for _ in position.until_over():
            seat = position.to_act[0]
            legal = position.legal_moves(seat).actions
            if seat == self.seat and len(legal) > 1:
                return
            action = legal[0] if seat == self.seat else self._bots[seat].decide(position.view(seat), legal)
            self._play(seat, move_of(int(action)))
        for bot in self._bots.values():
            bot.leave(position.outcome)

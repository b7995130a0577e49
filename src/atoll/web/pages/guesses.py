"""Guess the move: the decisions of a seat in a recorded game, to be taken anew and compared with what was played.

The page has the game's module play on after every legal move, from the bytes of the seat's view and nothing else.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from atoll.core.game import Game, View
from atoll.core.types import Json
from atoll.lab.continued_image import continued_image
from atoll.lab.judge import Judge
from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.text.translation import Translator
from atoll.web import STATIC
from atoll.web.table.move_choice import Candidate
from atoll.web.table.table import Table
from atoll.web.table.timeline import PastTimeline

ENGINE = STATIC / "scripts" / "later" / "engine.js"
"""What plays on in a page."""


@dataclass(frozen=True)
class GuessedDecision:
    """A decision that one seat took, with more than one legal move; `at` is how many moves came before it."""

    at: int
    seat: int
    view: View
    moves: Sequence[Json]
    played: Json


def decisions_of(table: Table, seat: int) -> dict[int, GuessedDecision]:
    """The decisions of a seat in a recorded game that had a choice, by how many moves came before. Raises AtollError
    for a seat that the game does not have, and if it has no decision.
    """
    if not 0 <= seat < table.row.players:
        raise AtollError(
            Message("the game has seats 1 to %(last)s, not %(seat)s", last=table.row.players, seat=seat + 1)
        )
    found = {}
    for at, answer in enumerate(table.timeline.answers):
        if answer.seat == seat:
            view = PastTimeline.of(table.timeline, table.start(), at).view(seat)
            moves = list(view.legal_moves())
            if len(moves) > 1:
                found[at] = GuessedDecision(at, seat, view, moves, answer.move)
    if not found:
        raise AtollError(Message("seat %(seat)s never had a choice in this game", seat=seat + 1))
    return found


def engine_data(game: Game, decisions: dict[int, GuessedDecision]) -> Json:
    """What a page needs to play on: engine, module, and of each decision the view, and the moves with their fields.
    Raises AtollError where no module plays the game.
    """
    image = continued_image(next(iter(decisions.values())).view, Judge(0).bot)
    if image is None:
        raise AtollError(
            Message("%(game)s has no module, which browsers play by: atoll build makes one", game=game.title)
        )
    return {
        "engine": worker_script(),
        "module": game.runner.code,  # type: ignore[attr-defined]
        "games": image,
        "decisions": {at: decision_data(one) for at, one in decisions.items()},
    }


def worker_script() -> str:
    """The engine as a script that is no module: a file that is opened without a server can start no other worker."""
    text = ENGINE.read_text("utf-8").replace("import.meta.url", "location.href")
    return re.sub(r"^export ", "", text, flags=re.MULTILINE)


def decision_data(one: GuessedDecision) -> Json:
    """What a page needs of a decision; `fields` are of each move what the forms of the table may say of it."""
    candidates = [Candidate(move) for move in one.moves]
    return {
        "seat": one.seat,
        "view": one.view.states.tobytes(),
        "moves": one.view.legal_moves().actions.tolist(),
        "played": one.moves.index(one.played),
        "fields": [
            {name: [text, *each.items(name)] for name, text in each.texts.items()} for each in candidates
        ],
    }


def guess_context(one: GuessedDecision, translator: Translator, names: Sequence[str]) -> dict[str, Any]:
    """The entries of the strip's template."""
    messages = one.view.game.messages
    return {
        "at": one.at,
        "moves": [messages.move_text(translator, names, move, one.view, one.seat) for move in one.moves],
    }

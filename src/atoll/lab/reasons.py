"""What speaks for moves: what each brings more or less than the others, in the parts of the score of every seat.

All are played on by a quick bot, in the same worlds and with the same chance to come, so what differs is the move.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.core.game import View
from atoll.lab.continued import play_on
from atoll.lab.judge import POLICY
from atoll.text.translation import Translator

GAMES = 40
"""Worlds in which each move is played on."""
LEAST = 0.5
"""Points that are worth a word."""
SURE = 2.0
"""Standard errors from 0 on which a difference is taken for one."""
MOST_PARTS = 2
"""Parts of the own score that are told of a move."""


@dataclass(frozen=True)
class Reason:
    """What a move brings more than the other ones, in points at the end: its own seat by a `part` of the score, named
    in English, or another `seat`.
    """

    points: float
    part: str = ""
    seat: int = -1


def reasons(view: View, seed: int, actions: Sequence[int], games: int = GAMES) -> list[list[Reason]]:
    """What speaks for each of some moves of the view's seat and against it, the weightiest first; nothing where they
    are as good as one another. Raises EndlessGame, and Stopped.
    """
    if len(actions) < 2:
        return [[] for _ in actions]
    place = [bot.name for bot in QUICK_BOTS].index(POLICY)
    ends = play_on(view, place, seed, games, actions).ends
    names, parts, points = _scores(view, ends)
    found: list[list[Reason]] = []
    for place in range(len(actions)):
        own = _differences(parts, place)
        told = [Reason(own[part], names[part]) for part in sorted(own, key=lambda part: -abs(own[part]))]
        others = _differences(points, place)
        others.pop(view.seat, None)
        seats = [
            Reason(others[seat], seat=seat) for seat in sorted(others, key=lambda seat: -abs(others[seat]))
        ]
        found.append([*told[:MOST_PARTS], *seats[:1]])
    return found


def _scores(view: View, ends: NDArray[np.void]) -> tuple[list[str], NDArray[np.float64], NDArray[np.float64]]:
    """The names of the parts of the score; the own ones, (moves, worlds, parts); points, (moves, worlds, seats)."""
    game, english = view.game, Translator("en")
    names: list[str] = []
    parts, points = [], []
    for end in ends.ravel().view(np.recarray):
        rows = game.notation.breakdown(end, view.components)
        own = game.messages.score_parts(english, rows[view.seat])
        names = [name for name, _ in own]
        parts.append([value for _, value in own])
        points.append([row["points"] for row in rows])
    shape = (*ends.shape, -1)
    return names, np.array(parts, float).reshape(shape), np.array(points, float).reshape(shape)


def _differences(values: NDArray[np.float64], place: int) -> dict[int, float]:
    """What one move has more than the others have on average, where that is worth a word and no chance."""
    others = np.delete(values, place, axis=0).mean(axis=0)
    gained = values[place] - others
    mean, error = gained.mean(axis=0), gained.std(axis=0, ddof=1) / np.sqrt(len(gained))
    return {
        int(column): float(mean[column])
        for column in np.flatnonzero((np.abs(mean) >= LEAST) & (np.abs(mean) > SURE * error))
    }

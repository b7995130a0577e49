"""What speaks for moves: what each brings more or less than the others, in the parts of the score of every seat.

All are played on by a quick bot, in the same worlds and with the same chance to come, so what differs is the move.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS
from atoll.core.game import View
from atoll.engine.chance import derive
from atoll.engine.stopping import Stopped
from atoll.lab.judge import CHANCE, PLAYERS, POLICY, WORLDS, after, draw_worlds
from atoll.lab.loop import ENDLESS, NO_CHANCES, PLAIN_GAMES, STOPPED, deal_chances, loop_of, seated_arrays
from atoll.lab.played import BotSeats
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
    worlds = draw_worlds(view, games, derive(seed, WORLDS, CHANCE))
    states = np.concatenate([after(view, worlds, action) for action in actions])
    ends = _ends(view, states, seed, len(actions))
    names, parts, points = _scores(view, ends, len(actions))
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


def _ends(view: View, states: NDArray[np.void], seed: int, repeats: int) -> NDArray[np.void]:
    """The ends of games that a quick bot plays on from `states`, which are `repeats` times the same worlds."""
    game, players, count = view.game, view.players, len(states)
    place = [bot.name for bot in QUICK_BOTS].index(POLICY)
    own = deal_chances(derive(seed, PLAYERS), 0, count // repeats, players)[1]
    seats = BotSeats(
        QUICK_BOTS,
        np.full((count, players), place, np.int8),
        np.zeros((1, len(game.moves)), np.int8),
        np.full((count, players), -1, np.int16),
    )
    room = np.concatenate([states, states[:1]])  # the loop needs one more
    chance = np.concatenate([own] * repeats)
    arrays = seated_arrays(game, view.components, seats, chance, NO_CHANCES, states=room)
    loop = loop_of(PLAIN_GAMES, QUICK_BOTS, arrays)
    runner = game.runner if game.runner.has(loop) else game.fast_runner
    end = runner.call(loop, arrays)
    if end == STOPPED:
        raise Stopped
    if end == ENDLESS:
        raise game.endless(view.components, players)
    return arrays.states[:count]


def _scores(
    view: View, ends: NDArray[np.void], repeats: int
) -> tuple[list[str], NDArray[np.float64], NDArray[np.float64]]:
    """The names of the parts of the score; the own ones, (moves, worlds, parts); points, (moves, worlds, seats)."""
    game, english = view.game, Translator("en")
    names: list[str] = []
    parts, points = [], []
    for end in ends:
        rows = game.notation.breakdown(end, view.components)
        own = game.messages.score_parts(english, rows[view.seat])
        names = [name for name, _ in own]
        parts.append([value for _, value in own])
        points.append([row["points"] for row in rows])
    shape = (repeats, len(ends) // repeats, -1)
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

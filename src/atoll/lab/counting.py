"""The compiled loop of a report: it plays games between quick bots and counts as it goes.

All sums are whole numbers, so that they are the same in whatever order chunks of games are added up. The functions that
count are those that count games of other bots too, decision by decision (`lab/collecting.py`).
"""

# mypy: disable-error-code="no-untyped-def"

from collections.abc import Callable
from functools import cache

import numpy as np
from numba import types

from atoll.core.game import Game
from atoll.engine.compiling import compiled
from atoll.lab.loops import (
    ALL_PLAYED,
    CHANCES,
    ENDLESS,
    LOG_FULL,
    NUMBERS,
    STOPPED,
    SUMS,
    TABLE,
    choose_move,
    compiled_loop,
    next_seat,
)

WIN = 840
"""A whole win; a share of one among up to 8 seats is a whole number of these."""
MOST_SEATS = 8
ROUNDS = 40
"""Rounds that are told apart; what comes later counts as the last of them."""
PARTS_OF_STD = 1000
"""The standard deviation of advice is counted in thousandths."""
SAMPLE = 16
"""The advice on choices is looked at in one game of so many."""

# Columns of `things`: of each thing, sums over games. A, U, N: seats that could use it, that did, that could and did
# not; W, V: what those that used it won, those that could and did not, in parts of WIN.
OFFERS, USES, USES_SQUARED, RATED, BEST = range(5)
A, U, W, V = range(5, 9)
AA, AU, UU, UW, WW, NN, NV, VV = range(9, 17)
BY_SEAT = 17  # + seat, counted from who begins: uses
BY_ROUND = (
    BY_SEAT + MOST_SEATS
)  # + 5 * round of first use: seats, won, and the squares and product of these in games
THING_COLUMNS = BY_ROUND + 5 * ROUNDS

# Columns of `games`: what each was.
WINNERS, LENGTH, CHOICES, SNAPSHOTS, BEGINNER, FIRST_PLAN = range(6)
FIRST_ACTION = FIRST_PLAN + MOST_SEATS  # + seat: the code of its first choice + 1, 0 if it had none
GAME_COLUMNS = FIRST_ACTION + MOST_SEATS
PLAN = 3
"""So many first choices of a seat are its plan: the kinds of moves, as a number with the base kinds + 1."""

# Columns of a game's rounds.
DECIDED, LEGAL, CHOSEN, CHOICE_LEGAL, LOOKED, STD, INDIFFERENT = range(7)
ROUND_MEASURES = 7
LEGAL_CLASSES = 14
"""Classes of the number of legal moves: 1, 2, 3 to 4, 5 to 8, and so on."""

# Columns of `rounds`: the sums of these measures, those of the products of every two, the games that had such a round,
# and the decisions by class of the number of legal moves.
ROUND_GAMES = ROUND_MEASURES + ROUND_MEASURES * (ROUND_MEASURES + 1) // 2
ROUND_COLUMNS = ROUND_GAMES + 1 + LEGAL_CLASSES

# Rows of the scratch `counts`
OFFERED, USED, FIRST_ROUND = range(3)
TOUCHED = OFFERED  # in the row of nobody: whether a thing was offered or used at all

# Columns of the log of decisions
IN_GAME, BY, IN_ROUND, ACTION, LEGAL_COUNT, SPREAD, MARGIN, LEGAL_END, EVENTS_END = range(9)
LOG_COLUMNS = 9

# Columns of `event_items`, as in `lab/things.py`, which this module does not import: that would compile the loop anew
# whenever a text there changes.
_KIND, _PIECE, _LEAST, _VALUES, _BEGINS, _SAYS = range(6)


@compiled
def count_decision(counts, stamps, in_round, move_items, seat, number, moves, count, action):
    """A decision of `seat` in round `number`: what it could use and what it did."""
    stamps[0] += 1
    stamp = stamps[0]
    for i in range(count):
        for k in range(move_items.shape[1]):
            item = move_items[moves[i], k]
            if item >= 0 and stamps[item + 1] != stamp:
                stamps[item + 1] = stamp
                counts[OFFERED, seat, item] += 1
                counts[TOUCHED, MOST_SEATS, item] = 1
    for k in range(move_items.shape[1]):
        item = move_items[action, k]
        if item >= 0:
            use(counts, seat, item, number)
    row = in_round[number]
    row[DECIDED] += 1
    row[LEGAL] += count
    size = 0
    while 1 << size < count:
        size += 1
    row[ROUND_MEASURES + min(size, LEGAL_CLASSES - 1)] += 1
    if count > 1:
        row[CHOSEN] += 1
        row[CHOICE_LEGAL] += count


@compiled
def use(counts, seat, item, number):
    """A seat uses a thing in a round."""
    counts[TOUCHED, MOST_SEATS, item] = 1
    counts[USED, seat, item] += 1
    if counts[USED, seat, item] == 1:
        counts[FIRST_ROUND, seat, item] = number


@compiled
def count_advice(things, stamps, in_round, move_items, number, moves, count, scores):
    """How the advice rates the moves of a choice; returns its standard deviation in thousandths, and how far the best
    is above the next.
    """
    total = 0.0
    best = scores[0]
    worst = scores[0]
    second = np.int64(-1 << 40)
    for i in range(count):
        total += scores[i]
        if i > 0 and scores[i] > best:
            second = np.int64(best)
            best = scores[i]
        elif i > 0 and scores[i] > second:
            second = np.int64(scores[i])
        worst = min(worst, scores[i])
    mean = total / count
    squares = 0.0
    for i in range(count):
        squares += (scores[i] - mean) ** 2
    std = int(PARTS_OF_STD * np.sqrt(squares / count) + 0.5)
    in_round[number, LOOKED] += 1
    in_round[number, STD] += std
    in_round[number, INDIFFERENT] += int(best == worst)
    for column in (RATED, BEST):
        stamps[0] += 1
        for i in range(count):
            if column == RATED or scores[i] == best:
                for k in range(move_items.shape[1]):
                    item = move_items[moves[i], k]
                    if item >= 0 and stamps[item + 1] != stamps[0]:
                        stamps[item + 1] = stamps[0]
                        things[item, column] += 1
    return std, np.int64(best) - second


@compiled
def count_events(counts, event_items, events, number):
    """What happened in a move; returns the round in which it left the game, below 0 if that is a new one."""
    later = number
    for k in range(1, min(events[0, 0] + 1, events.shape[0])):
        kind = event_items[events[k, 0]]
        whose = max(int(events[k, 1]), -1)
        use(counts, whose, kind[_KIND], number)
        place = events[k, 2] - kind[_LEAST]
        if kind[_PIECE] >= 0 and 0 <= place < kind[_VALUES]:
            use(counts, whose, kind[_PIECE] + place, number)
        if kind[_BEGINS]:
            later = int(events[k, 5]) if kind[_SAYS] else abs(later) + 1
            later = -max(1, min(later, ROUNDS - 1))
    return later


@compiled
def note_plan(row, kinds, kind_of, seat, action, choices):
    """A choice of a seat, which has made `choices` before; the first of all are its plan."""
    row[CHOICES] += 1
    if choices[seat] < PLAN:
        row[FIRST_PLAN + seat] = row[FIRST_PLAN + seat] * (kinds + 1) + kind_of[action] + 1
    if choices[seat] == 0:
        row[FIRST_ACTION + seat] = action + 1
    choices[seat] += 1


@compiled
def close_game(things, rounds, counts, in_round, row, points, ended, winners, number):
    """A game is over, in round `number`: `ended` takes the points; add up what it counted."""
    row[WINNERS] = winners
    row[SNAPSHOTS] = number + 1
    for seat in range(points.shape[0]):
        ended[seat] = points[seat]
    count_game(things, counts, winners, points.shape[0], row[BEGINNER])
    count_rounds(rounds, in_round)


@compiled
def count_game(things, counts, winners, players, beginner):
    """A game is over: add up what came of each thing, and forget what the game counted."""
    won = WIN // max(1, bits(winners))
    for item in range(things.shape[0]):
        if counts[TOUCHED, MOST_SEATS, item] == 0:
            continue
        row = things[item]
        a = u = w = v = uses = 0
        for seat in range(players):
            times = counts[USED, seat, item]
            offers = counts[OFFERED, seat, item]
            share = won if winners >> seat & 1 else 0
            uses += times
            row[OFFERS] += offers
            row[BY_SEAT + (seat - beginner + players) % players] += times
            if offers > 0:
                a += 1
            if times > 0:
                u += 1
                w += share
                add_pair(row, BY_ROUND + 5 * counts[FIRST_ROUND, seat, item], 1, share)
            elif offers > 0:
                v += share
        uses += counts[USED, MOST_SEATS, item]
        row[USES] += uses
        row[USES_SQUARED] += uses * uses
        add_sums(row, a, u, w, v)
        for kind in range(3):
            for seat in range(MOST_SEATS + 1):
                counts[kind, seat, item] = 0


@compiled
def bits(number):
    """How many bits are set."""
    count = 0
    while number:
        number &= number - 1
        count += 1
    return count


@compiled
def add_sums(row, a, u, w, v):
    """A game in which `a` seats could use a thing, `u` did and won `w`, while those that did not won `v`."""
    n = max(a - u, 0)
    row[A] += a
    row[U] += u
    row[W] += w
    row[V] += v
    row[AA] += a * a
    row[AU] += a * u
    row[UU] += u * u
    row[UW] += u * w
    row[WW] += w * w
    row[NN] += n * n
    row[NV] += n * v
    row[VV] += v * v


@compiled
def add_pair(row, at, number, value):
    """Add a number of seats and what they won to five sums for their ratio."""
    row[at] += number
    row[at + 1] += value
    row[at + 2] += number * number
    row[at + 3] += number * value
    row[at + 4] += value * value


@compiled
def count_rounds(rounds, in_round):
    """A game is over: add its rounds to the sums and the sums of products of every two measures; forget them."""
    for number in range(in_round.shape[0]):
        if in_round[number, DECIDED]:
            at = ROUND_MEASURES
            for i in range(ROUND_MEASURES):
                rounds[number, i] += in_round[number, i]
                for j in range(i, ROUND_MEASURES):
                    rounds[number, at] += in_round[number, i] * in_round[number, j]
                    at += 1
            rounds[number, ROUND_GAMES] += 1
            for i in range(LEGAL_CLASSES):
                rounds[number, ROUND_GAMES + 1 + i] += in_round[number, ROUND_MEASURES + i]
    in_round[:] = 0


@compiled
def log_decision(log, legal, happened, ends, game, seat, number, moves, count, action, std, margin, events):
    """Keep a decision with its legal moves and what happened; False if there is no room. `ends` says how much of each
    of the three is used.
    """
    told = min(events[0, 0], events.shape[0] - 1) if events.shape[0] else 0
    at, legal_at, events_at = ends[0], ends[1], ends[2]
    if at >= log.shape[0] or legal_at + count > legal.shape[0] or events_at + told > happened.shape[0]:
        return False
    for i in range(count):
        legal[legal_at + i] = moves[i]
    for k in range(told):
        for i in range(3):
            happened[events_at + k, i] = events[k + 1, i]
    row = log[at]
    row[IN_GAME] = game
    row[BY] = seat
    row[IN_ROUND] = number
    row[ACTION] = action
    row[LEGAL_COUNT] = count
    row[SPREAD] = std
    row[MARGIN] = margin
    row[LEGAL_END] = legal_at + count
    row[EVENTS_END] = events_at + told
    ends[0] = at + 1
    ends[1] = legal_at + count
    ends[2] = events_at + told
    return True


def count_games(
    loop,
    states,
    chances,
    scores,
    sampled,
    has_rounds,
    move_items,
    event_items,
    kind_of,
    kinds,
    counts,
    stamps,
    in_round,
    things,
    rounds,
    points,
    games,
    course,
    log,
    legal,
    happened,
    ends,
):
    """Play one game for each row of `loop.bots` and count; compiled for each game.

    As in `play_games`, and: `sampled` bool (n,), whether the advice is looked at; `has_rounds`; the tables of
    `lab/things.py`; the scratch `counts` int32 (3, MOST_SEATS + 1, things), `stamps` int64 (things + 1,) and `in_round`
    int64 (ROUNDS, ROUND_MEASURES + LEGAL_CLASSES); the sums `things` and `rounds`; and
    of each game `points` (n, players), `games` (n, GAME_COLUMNS), in which BEGINNER is given, and `course` (n, ROUNDS,
    players), the points after each round. The log has no rows if none is kept.
    """
    games_played, players = loop.bots.shape
    seen = states[games_played]
    moves, events, part = loop.moves, loop.events, loop.parts[0]
    seat_choices = np.zeros(MOST_SEATS, dtype=np.int64)
    for i in range(games_played):
        state = states[i]
        loop.start(state, part, players, chances[i])
        loop.result(state, part, course[i, 0])
        row = games[i]
        number = 1
        seat_choices[:] = 0
        while state.to_act != 0 and row[LENGTH] < loop.longest:
            seat = next_seat(state)
            count = loop.legal_actions(state, part, seat, moves)
            action = choose_move(loop, state, seen, i, seat, count)
            std = margin = np.int64(-1)
            if count > 1:
                if sampled[i]:
                    loop.make_view(state, part, seat, seen)
                    loop.advise(seen, part, moves, count, scores)
                    std, margin = count_advice(
                        things, stamps, in_round, move_items, number, moves, count, scores
                    )
                note_plan(row, kinds, kind_of, seat, action, seat_choices)
            count_decision(counts, stamps, in_round, move_items, seat, number, moves, count, action)
            events[0, 0] = 0
            loop.play(state, part, seat, action, events)
            row[LENGTH] += 1
            if log.shape[0] and not log_decision(
                log, legal, happened, ends, i, seat, number, moves, count, action, std, margin, events
            ):
                return LOG_FULL
            later = count_events(counts, event_items, events, number)
            if later < 0 or (not has_rounds and row[LENGTH] % players == 0):
                number = -later if later < 0 else min(number + 1, ROUNDS - 1)
                loop.result(state, part, course[i, number - 1])
        winners = loop.result(state, part, points[i])
        close_game(things, rounds, counts, in_round, row, points[i], course[i, number], winners, number)
        if state.to_act != 0:
            return ENDLESS
        if loop.stop[0] != 0:
            return STOPPED
    return ALL_PLAYED


@cache
def compiled_counting(game: Game) -> Callable[..., int]:
    """`count_games`, compiled for one game."""
    return compiled_counting_by(game, count_games)


def compiled_counting_by(game: Game, function: Callable[..., int]) -> Callable[..., int]:
    """A loop with the arguments of `count_games`, compiled for one game."""
    flags, numbers3 = types.Array(types.boolean, 1, "C"), types.Array(types.int32, 3, "C")
    return compiled_loop(
        game,
        function,
        (
            *(CHANCES, NUMBERS, flags, types.boolean, TABLE, TABLE, NUMBERS, types.intp, numbers3),
            *(types.Array(types.int64, 1, "C"), SUMS, SUMS, SUMS, TABLE, SUMS, numbers3),
            *(TABLE, NUMBERS, TABLE, types.Array(types.int64, 1, "C")),
        ),
    )

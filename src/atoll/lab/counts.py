"""The hooks of a report: what the compiled loop counts as it plays.

All sums are whole numbers, so that they are the same in whatever order chunks of games are added up.
"""

# mypy: disable-error-code="no-untyped-def"

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.engine.compiling import compiled, inlined
from atoll.engine.derived import derive
from atoll.lab.flow_counts import FlowArrays, count_flows, count_turn, finish_flows, hold_first, note_losses
from atoll.lab.loop import Hooks

WIN = 840
"""A whole win; a share of one among up to 8 seats is a whole number of these."""
MOST_SEATS = 8
ROUNDS = 40
"""Rounds that are told apart; what comes later counts as the last of them."""
PARTS_OF_STD = 1000
"""The standard deviation of advice is counted in thousandths."""
SAMPLE = 16
"""The advice on choices is looked at in one game of so many."""

# Columns of `usage`: of each item, sums over games. A, U, N: seats that could use it, that did, that could and did
# not; W, V: what those that used it won, those that could and did not, in parts of WIN.
OFFERS, USES, USES_SQUARED, RATED, BEST = range(5)
A, U, W, V = range(5, 9)
AA, AU, UU, UW, WW, NN, NV, VV = range(9, 17)
BY_SEAT = 17  # + seat, counted from who begins: games in which it used the item
BY_ROUND = (
    BY_SEAT + MOST_SEATS
)  # + 5 * round of first use: seats, won, and the squares and product of these in games
USAGE_COLUMNS = BY_ROUND + 5 * ROUNDS

# Columns of `games`: what each was.
CHOICES, SNAPSHOTS, FIRST_PLAN = range(3)
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

# Rows of the scratch `items`
OFFERED, USED, FIRST_ROUND = range(3)
TOUCHED = OFFERED  # in the row of nobody: whether an item was offered or used at all

# Columns of the log of decisions
IN_GAME, BY, IN_ROUND, ACTION, LEGAL_COUNT, SPREAD, MARGIN, LEGAL_END, EVENTS_END = range(9)
LOG_COLUMNS = 9

# Columns of `event_items`, as in `lab/items.py`, which this module does not import: that would compile the loop anew
# whenever a text there changes.
_KIND, _PIECE, _LEAST, _VALUES, _BEGINS, _SAYS = range(6)

# The scratch `turn`: the round, and of the decision under way its number of moves, and the advice on it
ROUND, COUNT, STD_NOW, MARGIN_NOW = range(4)


class CountArrays(NamedTuple):
    """What is counted of n games, and scratch.

    `scores` takes the advice; `sampled` bool (n,) says in which games it is looked at. `has_rounds`, `move_items`,
    `event_items` and `kind_of` are those of `lab/items.py`, `kinds` (1,) how many kinds of moves there are. Scratch:
    `items` int32 (3, MOST_SEATS + 1, items), `stamps` int64 (items + 1,), `in_round` int64 (ROUNDS, ROUND_MEASURES +
    LEGAL_CLASSES), `turn`, and `choices` of each seat. The sums `usage` and `rounds`; and of each game `games` (n,
    GAME_COLUMNS), and `round_points` (n, ROUNDS, players), the points after each round; `flow` is of resources. The log
    has no rows if none is kept: `log` with its legal moves and events, of which `ends` (3,) says how much is used.
    """

    scores: NDArray[np.int32]
    sampled: NDArray[np.bool_]
    has_rounds: NDArray[np.bool_]
    move_items: NDArray[np.int32]
    event_items: NDArray[np.int32]
    kind_of: NDArray[np.int32]
    kinds: NDArray[np.int64]
    items: NDArray[np.int32]
    stamps: NDArray[np.int64]
    in_round: NDArray[np.int64]
    turn: NDArray[np.int64]
    choices: NDArray[np.int64]
    usage: NDArray[np.int64]
    rounds: NDArray[np.int64]
    games: NDArray[np.int64]
    round_points: NDArray[np.int32]
    flow: FlowArrays
    log: NDArray[np.int32]
    legal: NDArray[np.int32]
    happened: NDArray[np.int32]
    ends: NDArray[np.int64]


policy: Any = None


@inlined
def deal_counted(functions, arrays, game):
    """Deal a game, and begin to count."""
    counts = arrays.counts
    functions.start(arrays.states[game], arrays.parts[0], arrays.bots.shape[1], arrays.chances[game])
    functions.result(arrays.states[game], arrays.parts[0], counts.round_points[game, 0])
    hold_first(counts.flow, arrays.states[game], arrays.bots.shape[1])
    counts.turn[ROUND] = 1
    counts.choices[:] = 0
    return True


@inlined
def choose_counted(functions, arrays, game, seat, count):
    """What the policy takes, counted before it is played."""
    counts, moves = arrays.counts, arrays.moves
    action = policy(functions, arrays, game, seat, count)
    counts.turn[COUNT] = count
    counts.turn[STD_NOW] = counts.turn[MARGIN_NOW] = -1
    if count > 1:
        if counts.sampled[game]:
            part, view = arrays.parts[0], arrays.states[arrays.states.shape[0] - 1]
            functions.make_view(arrays.states[game], part, seat, view)
            functions.advise(view, part, moves, count, counts.scores)
            count_advice(counts, moves, count)
        note_plan(counts, game, seat, action)
    count_decision(counts, moves, count, seat, action)
    count_turn(counts.flow, seat, count, counts.kind_of[action], counts.turn[ROUND])
    arrays.events[0, 0] = 0
    return action


@inlined
def observe_counted(functions, arrays, game, seat, action):
    """Count what happened in a move; False if the log has no room."""
    counts = arrays.counts
    if counts.log.shape[0] and not log_decision(counts, arrays.moves, arrays.events, game, seat, action):
        return False
    number = counts.turn[ROUND]
    later = count_events(counts, arrays.events, number)
    note_losses(counts.flow, arrays.events)
    count_flows(counts.flow, arrays.states[game], arrays.bots.shape[1], number)
    if later < 0 or (not counts.has_rounds[0] and arrays.lengths[game] % arrays.bots.shape[1] == 0):
        counts.turn[ROUND] = -later if later < 0 else min(number + 1, ROUNDS - 1)
        functions.result(
            arrays.states[game], arrays.parts[0], counts.round_points[game, counts.turn[ROUND] - 1]
        )
    return True


@inlined
def finish_counted(functions, arrays, game):
    """A game is over: add up what it counted."""
    counts, players = arrays.counts, arrays.bots.shape[1]
    number = counts.turn[ROUND]
    counts.games[game, SNAPSHOTS] = number + 1
    for seat in range(players):
        counts.round_points[game, number, seat] = arrays.points[game, seat]
    count_game(counts, arrays.winners[game], players, arrays.beginners[game])
    count_rounds(counts.rounds, counts.in_round)
    finish_flows(counts.flow, players, arrays.beginners[game], number)


@compiled
def count_decision(counts, moves, count, seat, action):
    """A decision of `seat`: what it could use and what it did."""
    items, stamps, move_items, number = counts.items, counts.stamps, counts.move_items, counts.turn[ROUND]
    stamps[0] += 1
    stamp = stamps[0]
    for i in range(count):
        for k in range(move_items.shape[1]):
            item = move_items[moves[i], k]
            if item >= 0 and stamps[item + 1] != stamp:
                stamps[item + 1] = stamp
                items[OFFERED, seat, item] += 1
                items[TOUCHED, MOST_SEATS, item] = 1
    for k in range(move_items.shape[1]):
        item = move_items[action, k]
        if item >= 0:
            use(items, seat, item, number)
    row = counts.in_round[number]
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
def use(items, seat, item, number):
    """A seat uses an item in a round."""
    items[TOUCHED, MOST_SEATS, item] = 1
    items[USED, seat, item] += 1
    if items[USED, seat, item] == 1:
        items[FIRST_ROUND, seat, item] = number


@compiled
def count_advice(counts, moves, count):
    """How the advice rates the moves of a choice: notes its standard deviation in thousandths, and how far the best is
    above the next.
    """
    scores, stamps, move_items, turn = counts.scores, counts.stamps, counts.move_items, counts.turn
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
    row = counts.in_round[turn[ROUND]]
    row[LOOKED] += 1
    row[STD] += std
    row[INDIFFERENT] += int(best == worst)
    for column in (RATED, BEST):
        stamps[0] += 1
        for i in range(count):
            if column == RATED or scores[i] == best:
                for k in range(move_items.shape[1]):
                    item = move_items[moves[i], k]
                    if item >= 0 and stamps[item + 1] != stamps[0]:
                        stamps[item + 1] = stamps[0]
                        counts.usage[item, column] += 1
    turn[STD_NOW] = std
    turn[MARGIN_NOW] = np.int64(best) - second


@compiled
def count_events(counts, events, number):
    """What happened in a move of a round; returns the round in which it left the game, below 0 if that is a new one."""
    later = number
    for k in range(1, min(events[0, 0] + 1, events.shape[0])):
        kind = counts.event_items[events[k, 0]]
        whose = max(int(events[k, 1]), -1)
        use(counts.items, whose, kind[_KIND], number)
        place = events[k, 2] - kind[_LEAST]
        if kind[_PIECE] >= 0 and 0 <= place < kind[_VALUES]:
            use(counts.items, whose, kind[_PIECE] + place, number)
        if kind[_BEGINS]:
            later = int(events[k, 5]) if kind[_SAYS] else abs(later) + 1
            later = -max(1, min(later, ROUNDS - 1))
    return later


@compiled
def note_plan(counts, game, seat, action):
    """A choice of a seat; the first of all are its plan."""
    row, choices = counts.games[game], counts.choices
    row[CHOICES] += 1
    if choices[seat] < PLAN:
        row[FIRST_PLAN + seat] = row[FIRST_PLAN + seat] * (counts.kinds[0] + 1) + counts.kind_of[action] + 1
    if choices[seat] == 0:
        row[FIRST_ACTION + seat] = action + 1
    choices[seat] += 1


@compiled
def count_game(counts, winners, players, beginner):
    """A game is over: add up what came of each item, and forget what the game counted."""
    items, usage = counts.items, counts.usage
    share_of_winner = WIN // max(1, bits(winners))
    for item in range(usage.shape[0]):
        if items[TOUCHED, MOST_SEATS, item] == 0:
            continue
        row = usage[item]
        a = u = w = v = uses = 0
        for seat in range(players):
            times = items[USED, seat, item]
            offers = items[OFFERED, seat, item]
            share = share_of_winner if winners >> seat & 1 else 0
            uses += times
            row[OFFERS] += offers
            if offers > 0:
                a += 1
            if times > 0:
                u += 1
                w += share
                row[BY_SEAT + (seat - beginner + players) % players] += 1
                add_pair(row, BY_ROUND + 5 * items[FIRST_ROUND, seat, item], 1, share)
            elif offers > 0:
                v += share
        uses += items[USED, MOST_SEATS, item]
        row[USES] += uses
        row[USES_SQUARED] += uses * uses
        add_sums(row, a, u, w, v)
        for kind in range(3):
            for seat in range(MOST_SEATS + 1):
                items[kind, seat, item] = 0


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
    """A game in which `a` seats could use an item, `u` did and won `w`, while those that did not won `v`."""
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
def log_decision(counts, moves, events, game, seat, action):
    """Keep a decision with its legal moves and what happened; False if there is no room."""
    log, ends, turn, count = counts.log, counts.ends, counts.turn, counts.turn[COUNT]
    event_count = min(events[0, 0], events.shape[0] - 1) if events.shape[0] else 0
    at, legal_at, events_at = ends[0], ends[1], ends[2]
    if (
        at >= log.shape[0]
        or legal_at + count > counts.legal.shape[0]
        or events_at + event_count > counts.happened.shape[0]
    ):
        return False
    for i in range(count):
        counts.legal[legal_at + i] = moves[i]
    for k in range(event_count):
        for i in range(3):
            counts.happened[events_at + k, i] = events[k + 1, i]
    row = log[at]
    row[IN_GAME] = game
    row[BY] = seat
    row[IN_ROUND] = turn[ROUND]
    row[ACTION] = action
    row[LEGAL_COUNT] = count
    row[SPREAD] = turn[STD_NOW]
    row[MARGIN] = turn[MARGIN_NOW]
    row[LEGAL_END] = legal_at + count
    row[EVENTS_END] = events_at + event_count
    ends[0] = at + 1
    ends[1] = legal_at + count
    ends[2] = events_at + event_count
    return True


@cache
def counted_games(name: str, chosen_by: Any) -> Hooks:
    """Games in which a policy, itself a hook, decides, and all is counted."""
    decide = derive(choose_counted, chosen_by.__module__, policy=chosen_by)
    return Hooks(f"count {name}", decide, deal_counted, observe_counted, finish_counted)

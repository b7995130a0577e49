"""What a report counts of resources as games are played: gains, spendings and losses, and who is left no choice.

Like all of `lab/counts.py`, sums are whole numbers. A move counts by what a seat has before and after it, so that who
pays two and is given one in a move spends one.
"""

# mypy: disable-error-code="no-untyped-def"

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.engine.compiling import compiled, inlined
from atoll.engine.observing import byte_at

GAINED, SPENT, LOST = range(3)
STREAMS = LEFT = 3
CLASSES = 32
"""Classes of what a seat gains in a round: 0, 1, 2, and so on; more counts as the last."""

# Columns of `places`: where a resource lies in the state
FIRST_BYTE, SEAT_BYTES, VALUE_BYTES, IS_SIGNED = range(4)
PLACE_COLUMNS = 4
# Columns of `turns` and `stuck`
DECISIONS, FORCED = range(2)


class FlowArrays(NamedTuple):
    """What is counted of the flow of m resources among at most `seats`, and scratch.

    `places` int64 (m, PLACE_COLUMNS) says where each lies in a state, `lost_by` int32 (kinds of events,) which of them
    an event loses, or -1. Scratch: `held` and `losing` int64 (seats, m), `moved` (rounds, seats, m, STREAMS), and
    `turns` (rounds, seats, 2). Sums: `flows` (rounds, seats, m, STREAMS, 2), the amounts and their squares, and `whole`
    (seats, m, STREAMS + 1, 2) those of whole games, the last of them what is left at the end; `spread` (rounds, m,
    STREAMS, CLASSES), how often each amount came; `reached` (rounds,), games that had such a round; `stuck` (rounds,
    seats, 2), games in which the seat decided in the round, and in which it never had a choice; `only` (kinds of
    moves,), decisions whose one legal move it is.
    """

    places: NDArray[np.int64]
    lost_by: NDArray[np.int32]
    held: NDArray[np.int64]
    losing: NDArray[np.int64]
    moved: NDArray[np.int64]
    turns: NDArray[np.int64]
    flows: NDArray[np.int64]
    spread: NDArray[np.int64]
    whole: NDArray[np.int64]
    reached: NDArray[np.int64]
    stuck: NDArray[np.int64]
    only: NDArray[np.int64]


@inlined
def amount_of(state, place, seat):
    """What a seat has of a resource."""
    at = np.uint64(place[FIRST_BYTE] + seat * place[SEAT_BYTES])
    one = np.uint64(1)
    low = np.int64(byte_at(state, at))
    if place[VALUE_BYTES] == 1:
        return low - 256 if place[IS_SIGNED] == 1 and low > 127 else low
    low |= np.int64(byte_at(state, at + one)) << 8
    if place[VALUE_BYTES] == 2:
        return low - 65536 if low > 32767 else low
    low |= np.int64(byte_at(state, at + one + one)) << 16
    low |= np.int64(byte_at(state, at + one + one + one)) << 24
    return low - 4294967296 if low > 2147483647 else low


@inlined
def hold_first(flow, state, players):
    """Note what everybody has at the start."""
    for k in range(flow.places.shape[0]):
        for seat in range(players):
            flow.held[seat, k] = amount_of(state, flow.places[k], seat)


@compiled
def note_losses(flow, events):
    """What the events of a move lose of resources."""
    for k in range(1, min(events[0, 0] + 1, events.shape[0])):
        resource = flow.lost_by[events[k, 0]]
        if resource >= 0 and events[k, 1] >= 0:
            flow.losing[events[k, 1], resource] += max(1, int(events[k, 5]))


@inlined
def count_flows(flow, state, players, number):
    """What a move of a round changed of what everybody has."""
    for k in range(flow.places.shape[0]):
        for seat in range(players):
            now = amount_of(state, flow.places[k], seat)
            change = now - flow.held[seat, k]
            lost = min(flow.losing[seat, k], max(0, -change))
            flow.losing[seat, k] = 0
            if change != 0:
                flow.held[seat, k] = now
                row = flow.moved[number, seat, k]
                row[LOST] += lost
                if change > 0:
                    row[GAINED] += change
                else:
                    row[SPENT] -= change + lost


@compiled
def count_turn(flow, seat, count, kind, number):
    """A decision of a seat, among so many moves; the one it takes is of a kind."""
    flow.turns[number, seat, DECISIONS] += 1
    if count == 1:
        flow.turns[number, seat, FORCED] += 1
        flow.only[kind] += 1


@compiled
def finish_flows(flow, players, beginner, last):
    """A game is over, in round `last`: add up what flowed in it, by seats from who begins, and forget it."""
    for number in range(last + 1):
        decided = 0
        for seat in range(players):
            own = (seat - beginner + players) % players
            decisions, forced = flow.turns[number, seat, DECISIONS], flow.turns[number, seat, FORCED]
            decided += decisions
            if decisions > 0:
                flow.stuck[number, own, DECISIONS] += 1
                flow.stuck[number, own, FORCED] += int(decisions == forced)
            flow.turns[number, seat, DECISIONS] = flow.turns[number, seat, FORCED] = 0
        if decided == 0:
            continue
        flow.reached[number] += 1
        for seat in range(players):
            own = (seat - beginner + players) % players
            for k in range(flow.places.shape[0]):
                for stream in range(STREAMS):
                    amount = flow.moved[number, seat, k, stream]
                    flow.spread[number, k, stream, min(amount, CLASSES - 1)] += 1
                    add_amount(flow.flows[number, own, k, stream], amount)
    for seat in range(players):
        own = (seat - beginner + players) % players
        for k in range(flow.places.shape[0]):
            add_amount(flow.whole[own, k, LEFT], flow.held[seat, k])
            for stream in range(STREAMS):
                add_amount(flow.whole[own, k, stream], flow.moved[: last + 1, seat, k, stream].sum())
    flow.moved[: last + 1] = 0


@inlined
def add_amount(sums, amount):
    """Add an amount and its square."""
    sums[0] += amount
    sums[1] += amount * amount

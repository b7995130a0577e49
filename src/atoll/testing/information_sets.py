"""What a seat cannot know, enumerated: the full states that agree with a view, each as often as it should be drawn.

What a view hides are numbers in a state. Where they are few, every way of putting others there is tried: those that
were there in another order, or, where they are very few, any in their declared range. What keeps the game's invariants
(`check`) and looks the same to the seat could be the truth.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from math import factorial, prod, sqrt
from typing import Any

import msgspec
import numpy as np

from atoll.core.fields import UNKNOWN, Field
from atoll.core.game import Position, View
from atoll.testing.playing import state_bytes

MOST_WAYS = 120
"""Ways that are tried of a view, at most."""
MOST_STATES = 24
"""So many different states are few enough for counting how often each is drawn."""
DRAWS_EACH = 100

Place = tuple[Field, tuple[int, ...]]


def hidden_places(position: Position, view: View) -> list[Place]:
    """Where the view hides a number of the state that is used; chance itself is left out."""
    places: list[Place] = []
    for field in position.game.declared.fields:
        if field.seen_by != "everybody" and field.name != "generator":
            truth, numbers = np.asarray(position.state[field.name]), np.asarray(view.state[field.name])
            for place in np.argwhere((numbers == UNKNOWN) & (truth != UNKNOWN)):
                index = tuple(int(number) for number in place)
                unused = field.empty is not None and truth[index] == field.empty
                if not unused:
                    places.append((field, index))
    return places


def ways(position: Position, places: list[Place], view: View) -> Iterator[tuple[int, ...]] | None:
    """All that could stand in those places; None if it is too much to be tried, or more than another order."""
    spans = [range(field.least, field.most + 1) for field, _ in places]
    if prod(map(len, spans)) <= MOST_WAYS:
        return product(*spans)
    if factorial(len(places)) > MOST_WAYS:
        return None
    truth = [int(position.state[field.name][index]) for field, index in places]
    first = {field.name: place for place in places[::-1] for field in (place[0],)}  # of each field
    for place in first.values():
        for number in range(place[0].least, place[0].most + 1):
            if number not in truth and agrees(with_numbers(position, [place], [number]), view):
                return None  # what is hidden can come from elsewhere
    return permutations(truth)


def possible_states(position: Position, seat: int) -> Counter[bytes] | None:
    """The words of every full state that agrees with the view of `seat`, and in how many ways each comes about; None if
    there is nothing hidden, or too much.
    """
    view = position.view(seat)
    places = hidden_places(position, view)
    candidates = ways(position, places, view) if places else None
    if candidates is None:
        return None
    counts: Counter[bytes] = Counter()
    for way in candidates:
        other = with_numbers(position, places, way)
        if agrees(other, view):
            counts[words_of(other)] += 1
    return counts if 1 < len(counts) <= MOST_STATES else None


def with_numbers(position: Position, places: Sequence[Place], numbers: Sequence[int]) -> Position:
    """The position with other numbers in some places."""
    other: Any = position.copy()
    for (field, index), number in zip(places, numbers, strict=True):
        other.state[field.name][index] = number
    return other  # type: ignore[no-any-return]


def agrees(position: Position, view: View) -> bool:
    """Whether it could be the truth behind a view."""
    seat = int(view.state.seat)
    return is_sound(position) and state_bytes(position.view(seat)) == state_bytes(view)


def is_sound(position: Position) -> bool:
    """Whether the game's invariants hold."""
    try:
        position.check()
    except (AssertionError, LookupError):
        return False
    return True


def words_of(position: Position) -> bytes:
    """A full state as a record says it: chance left out, and what has no order in order."""
    return msgspec.json.encode(position.to_json(), order="deterministic")


def could_be_another(position: Position, seat: int, where: tuple[str, int]) -> bool:
    """Whether the number in a place that the seat's view hides could be another one, all else as it is, or with what
    stands in another hidden place of the same range.
    """
    view = position.view(seat)
    places = hidden_places(position, view)
    name, number = where
    if name == "generator":
        return True
    place = next(
        one for one in places if one[0].name == name and np.ravel_multi_index(one[1], one[0].shape) == number
    )
    field, truth = place[0], int(position.state[name][place[1]])
    if any(
        agrees(with_numbers(position, [place], [value]), view)
        for value in range(field.least, field.most + 1)
        if value != truth
    ):
        return True
    for other in places:
        value = int(position.state[other[0].name][other[1]])
        if value != truth and agrees(with_numbers(position, [place, other], [value, truth]), view):
            return True
    return False


def is_small(position: Position, seat: int) -> bool:
    """Whether what the seat cannot know is little enough for trying all of it."""
    places = hidden_places(position, position.view(seat))
    spans = [field.most + 1 - field.least for field, _ in places]
    return bool(places) and (prod(spans) <= MOST_WAYS or factorial(len(places)) <= MOST_WAYS)


def check_draws(position: Position, seat: int) -> bool:
    """Raise AssertionError unless what `resample` draws from a view is any state that agrees with it, each as often as
    it should be; whether there were several, and few enough to tell.
    """
    possible = possible_states(position, seat)
    if possible is None:
        return False
    assert words_of(position) in possible, "the truth is not among what agrees with the view"
    view = position.view(seat)
    number = DRAWS_EACH * len(possible)
    frequencies = Counter(words_of(view.resample(seed)) for seed in range(number))
    assert frequencies.keys() <= possible.keys(), "a drawn state does not agree with the view"
    shares = {state: number * count / possible.total() for state, count in possible.items()}
    distance = sum((frequencies[state] - share) ** 2 / share for state, share in shares.items())
    freedom = len(possible) - 1
    assert distance < freedom + 6 * sqrt(2 * freedom) + 12, (
        "some states are drawn too often, others too seldom"
    )
    return True


def poisoned(position: Position, seat: int, *, highest: bool) -> Position:
    """The position with the lowest or the highest number there can be in every place that the seat's view hides."""
    places = hidden_places(position, position.view(seat))
    return with_numbers(position, places, [field.most if highest else field.least for field, _ in places])

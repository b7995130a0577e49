"""The buffer of events."""

import numpy as np
import pytest

from atoll.core.errors import AtollError
from atoll.core.events import NO_EVENTS, Event, emit, empty_events, event_buffer, read_events


def test_events_are_read_in_the_order_in_which_they_happened() -> None:
    events = event_buffer(3)
    emit(events, 1, 2, 3, 4, 5, 6)
    emit(events, 7, -1, -1, -1, -1, 0)
    assert read_events(events) == [Event(1, 2, 3, 4, 5, 6), Event(7, -1, -1, -1, -1, 0)]


def test_a_full_buffer_is_read_whole() -> None:
    events = event_buffer(2)
    for what in range(2):
        emit(events, what, 0, 0, 0, 0, 0)
    assert [event.what for event in read_events(events)] == [0, 1]


def test_more_events_than_declared_are_an_error_and_write_nothing_further() -> None:
    room = np.zeros((6, 6), dtype=np.int16)
    events = room[:3]
    for what in range(1, 4):
        emit(events, what, 9, 9, 9, 9, 9)
    assert not room[3:].any()
    with pytest.raises(AtollError, match="3 events, but its game declares at most 2"):
        read_events(events)


def test_an_emptied_buffer_is_ready_for_the_next_move() -> None:
    events = event_buffer(2)
    emit(events, 1, 0, 0, 0, 0, 0)
    empty_events(events)
    assert read_events(events) == []


def test_the_buffer_of_no_events_takes_none() -> None:
    emit(NO_EVENTS, 1, 2, 3, 4, 5, 6)
    empty_events(NO_EVENTS)
    assert NO_EVENTS.shape == (0, 6)

"""The buffer of events, and what a game declares of them."""

from typing import Any

import numpy as np
import pytest

from atoll.core.events import NO_EVENTS, Event, Events, empty_events, event_buffer, read_events
from atoll.core.fields import UNKNOWN, everybody, nobody, owner
from atoll.core.state import SPECTATOR
from atoll.core.types import Line
from atoll.engine.events import emit
from atoll.text.errors import AtollError
from atoll.text.translation import Translator


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


# What a game declares


CARDS = ("jack", "queen", "king")


def declared() -> tuple[Events, int, int, int]:
    """Events of a game in which one draws in secret, everybody hears a number, and one looks at what nobody sees."""
    events = Events()
    drawn = events.kind(
        "drawn",
        "%(name)s draws the %(piece)s.",
        unseen="%(name)s draws a card.",
        whose=everybody("who draws"),
        piece=owner("the card", names=CARDS),
    )
    bell = events.kind("bell", "The bell rings %(extra)s times.", extra=everybody("how often", most=5))
    fate = events.kind("fate", whose=everybody("whose"), target=nobody("what chance decided"))
    return events, drawn, bell, fate


def test_an_event_is_heard_as_its_numbers_are_declared_and_no_further() -> None:
    events, drawn, bell, fate = declared()
    assert (drawn, bell, fate) == (0, 1, 2)
    full = (0, 1, 2, 3, 4)
    assert events.hide(Event(drawn, *full), 0) == Event(drawn, 0, 1)
    assert events.hide(Event(drawn, *full), 1) == events.hide(Event(drawn, *full), SPECTATOR)
    assert events.hide(Event(drawn, *full), 1) == Event(drawn, 0, UNKNOWN)
    assert events.hide(Event(bell, *full), 0) == Event(bell, extra=4)
    assert events.hide(Event(fate, *full), 0) == Event(fate, 0)
    assert events.hide(Event(3, *full), 0) == Event(3)


def test_the_log_tells_an_event_as_far_as_it_is_heard() -> None:
    events, drawn, bell, fate = declared()
    event = Event(drawn, 1, 2)

    def told(event: Event, seat: int) -> Line | None:
        return events.line(Translator("en"), ["Red", "Blue"], events.hide(event, seat))

    assert told(event, 1) == Line("Blue draws the king.", 1)
    assert told(event, 0) == Line("Blue draws a card.", 1)
    assert told(Event(bell, extra=3), 0) == Line("The bell rings 3 times.")
    assert told(Event(fate, 0, target=3), 0) is None
    hand_on = Events()
    hand_on.kind(
        "handed on", "%(name)s to %(piece)s.", whose=everybody("who"), piece=everybody("to whom", of="seat")
    )
    assert hand_on.line(Translator("en"), ["Red", "Blue"], Event(0, 1, 0)) == Line("Blue to Red.", 1)
    assert events.texts() == [
        "%(name)s draws the %(piece)s.",
        *CARDS,
        "%(name)s draws a card.",
        "The bell rings %(extra)s times.",
    ]


@pytest.mark.parametrize(
    ("text", "numbers", "sentence"),
    [
        ("", {"piece": "the card"}, "'bid' does not say who sees its piece: declare it with everybody"),
        ("", {"whose": owner("who", shape=1)}, "'bid' must say whose it is to everybody"),
        ("", {"piece": owner("a card")}, "'bid' shows its piece to its owner, but declares no whose"),
        ("Bid %(extra)s.", {}, "'bid' tells of its extra, which it does not declare"),
        ("%(name)s bids.", {}, "'bid' tells of its whose, which it does not declare"),
        (
            "Bid %(piece)s.",
            {"whose": everybody("who"), "piece": owner("a card")},
            "'bid' tells of what not everybody sees: what others are told is its unseen=",
        ),
    ],
)
def test_an_event_that_does_not_say_who_sees_it_is_refused(
    text: str, numbers: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(AtollError, match=sentence):
        Events().kind("bid", text, **numbers)


def test_the_log_says_things_by_their_names_and_what_is_nobodys_in_its_own_sentence() -> None:
    kinds = Events()
    lead = kinds.kind(
        "lead",
        "%(name)s leads with %(piece)s",
        whose=everybody("whose", least=-1),
        piece=everybody("the card", of="card"),
        nobody="nobody leads",
    )
    things = {"card": lambda words, card: "ABC"[card]}
    assert kinds.line(Translator("en"), ["Ada"], Event(lead, 0, 2), things) == Line("Ada leads with C", 0)
    assert kinds.line(Translator("en"), ["Ada"], Event(lead, -1, 2), things) == Line("nobody leads", None)
    assert kinds.texts() == ["%(name)s leads with %(piece)s", "nobody leads"]


def test_two_events_of_one_name_are_refused() -> None:
    with pytest.raises(AtollError, match="there are two events 'bell'"):
        declared()[0].kind("bell")


def test_an_event_that_is_not_as_declared_is_noticed() -> None:
    """A number that no kind declares would never be heard; one out of its range is none of the declared ones."""
    events, drawn, bell, _fate = declared()
    events.check(Event(drawn, 0, 2))
    events.check(Event(bell, extra=5))
    for wrong, what in (
        (Event(drawn, 0, 2, origin=1), "the origin of the event 'drawn' is 1"),
        (Event(bell, extra=6), "the extra of the event 'bell' is 6"),
        (Event(7), "a declared kind of event, not 7"),
    ):
        with pytest.raises(AssertionError, match=what):
            events.check(wrong)

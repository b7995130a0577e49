"""A state declared once: dtype, ranges, what views hide, and the words of records."""

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from atoll.core.catalogue import games
from atoll.core.fields import Int8s, Partition, everybody, nobody, owner
from atoll.core.forms import Amounts, Named, OrNull, Row, SeatSet, Subset, Truth
from atoll.core.invariants import check_declared, flagged
from atoll.core.serialization import Wording
from atoll.core.state import REFEREE, SPECTATOR, UNKNOWN, State
from atoll.engine.hiding import hide, unhide
from atoll.text.errors import AtollError, RecordError

SEATS = 4


class Example(State):
    """A field of each kind."""

    stage: int = everybody("what is being decided", names=("bid", "over"), key="stage")
    leader: int = everybody("seat in front", most=SEATS - 1, empty=-1, key="leader", form=OrNull())
    last: int = everybody("1 in the last round", key="last", form=Truth())
    market: Int8s = everybody("goods", shape=2, most=9, key="market.goods", form=Amounts(("fig", "rice")))
    open_gates: Int8s = everybody("1 if open", shape=2, most=1, key="market.gates", form=Subset(("N", "S")))
    hand_count: Int8s = everybody("cards", shape=SEATS, most=3, counts="players[].hand")
    hand: Int8s = owner(
        "cards", shape=(SEATS, 3), least=1, most=9, empty=0, key="players[].", form=Row(ascending=True)
    )
    pile_count: int = everybody("cards", most=5, counts="pile")
    pile: Int8s = nobody(
        "cards, the top last",
        shape=5,
        most=2,
        empty=UNKNOWN,
        key="pile",
        form=Row(Named(("a", "b", "c")), reverse=True),
    )


WORDING = Wording(Example)
WORDS = {
    "to_act": [1],
    "stage": "bid",
    "leader": None,
    "last": False,
    "market": {"goods": {"fig": 2, "rice": 0}, "gates": ["S"]},
    "players": [{"hand": [3, 7]}, {"hand": []}, {"hand": [9]}],
    "pile": ["c", "a"],
}


@pytest.mark.parametrize("declared", [State, *(game.declared for game in games().values())])
def test_a_field_without_a_word_about_who_sees_it_is_refused(declared: type[State]) -> None:
    with pytest.raises(
        AtollError, match=r"Careless\.secret does not say who sees it: declare it with everybody"
    ):
        type("Careless", (declared,), {"__annotations__": {"secret": int}, "secret": 0})


@pytest.mark.parametrize(
    "name",
    ["size", "round", "take", "choose", "view", "shape", "sort", "copy", "put", "fill", "item", "T", "data"],
)
def test_a_field_like_an_attribute_of_numpys_records_is_refused(name: str) -> None:
    """engine-notes.md: uncompiled, `s.size` would silently read NumPy's."""
    with pytest.raises(AtollError, match=f"cannot be called '{name}'"):
        type("Named", (State,), {"__annotations__": {name: int}, name: everybody("a number")})


def test_a_range_wider_than_the_dtype_is_refused() -> None:
    with pytest.raises(AtollError, match="from 0 to 300, which i1 does not hold"):

        class TooWide(State):
            points: int = everybody("points", most=300)


def test_the_fields_of_a_record_are_its_attributes() -> None:
    states = np.zeros(1, dtype=Example.dtype)
    states[0].stage = 1
    states[0].hand[2, 1] = 5
    assert states["stage"].tolist() == [1]
    assert states["hand"][0].tolist() == [[0, 0, 0], [0, 0, 0], [0, 5, 0], [0, 0, 0]]


def test_a_state_goes_into_words_and_back() -> None:
    states = WORDING.read(WORDS)
    assert WORDING.say(states[0]) == WORDS
    assert states[0].seat == REFEREE
    assert states[0].players == 3
    assert states[0].hand.tolist() == [[3, 7, 0], [0, 0, 0], [9, 0, 0], [0, 0, 0]]
    assert states[0].pile.tolist() == [0, 2, UNKNOWN, UNKNOWN, UNKNOWN]


def one_way(function: Any, *, compiled: bool) -> Any:
    """A function compiled, or the same source uncompiled."""
    return function if compiled else getattr(function, "py_func", function)


@pytest.mark.parametrize("seat", [0, 1, 2, SPECTATOR])
@pytest.mark.parametrize("compiled", [True, False])
def test_a_view_hides_what_is_not_declared_visible(seat: int, compiled: bool) -> None:
    """Every byte that the declarations hide is 255, whatever stood there."""
    states, out = WORDING.read(WORDS), np.zeros(1, dtype=Example.dtype)
    chance = np.random.default_rng(1)
    for name in ("hand", "pile"):
        states[name] = chance.integers(1, 3, states[name].shape)
    one_way(hide, compiled=compiled)(states[0], seat, out[0], Example.hidden)
    assert out[0].seat == seat
    assert (out["pile"] == UNKNOWN).all()
    assert out["generator"].tobytes() == b"\xff" * 24
    for other in range(SEATS):
        assert (out["hand"][0, other] == (states["hand"][0, other] if other == seat else UNKNOWN)).all()
    for field in Example.fields:
        if field.seen_by == "everybody" and field.name != "seat":
            assert (out[field.name] == states[field.name]).all()


@pytest.mark.parametrize("compiled", [True, False])
def test_what_a_view_hides_is_empty_before_it_is_drawn_anew(compiled: bool) -> None:
    """What the rules revealed stays."""
    states, view, out = WORDING.read(WORDS), *(np.zeros(1, dtype=Example.dtype) for _ in range(2))
    hide(states[0], 0, view[0], Example.hidden)
    view[0].hand[2, 0] = 9
    one_way(unhide, compiled=compiled)(view[0], out[0], Example.hidden)
    assert out[0].seat == REFEREE
    assert out[0].hand.tolist() == [[3, 7, 0], [0, 0, 0], [9, 0, 0], [0, 0, 0]]
    assert out[0].pile.tolist() == [UNKNOWN] * 5


def test_in_the_words_of_a_view_a_hidden_list_is_its_length() -> None:
    states, out = WORDING.read(WORDS), np.zeros(1, dtype=Example.dtype)
    hide(states[0], 1, out[0], Example.hidden)
    assert WORDING.say(out[0]) == {
        **WORDS,
        "players": [{"hand": 2}, {"hand": []}, {"hand": 1}],
        "pile": 2,
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"stage": "end"}, "“stage” must be one of bid, over"),
        ({"leader": 4}, "“leader” must be a whole number from 0 to 3"),
        ({"leader": True}, "“leader” must be a whole number from 0 to 3"),
        ({"last": 1}, "“last” must be true or false"),
        ({"to_act": [1, 0]}, "“to_act” must be a list of seats, ascending"),
        (
            {"market": {"goods": {"fig": 1}, "gates": []}},
            "“market.goods” must be an object with all the keys",
        ),
        ({"market": {"gates": []}}, "“market.goods” is missing"),
        ({"market": {"goods": {"fig": 1, "rice": 0}, "gates": ["S", "N"]}}, "“market.gates” must be some of"),
        ({"players": [{"hand": []}, {}]}, r"“players\[1\].hand” is missing"),
        ({"players": [{"hand": [1, 2, 3, 4]}]}, r"“players\[0\].hand” must be a list of at most 3"),
        (
            {"players": [{"hand": [1.0]}]},
            r"“players\[0\].hand” must be a list, and each entry a whole number",
        ),
        ({"players": "many"}, "“players” must be a list"),
        ({"players": []}, "“players” must be a list of 1 to 4"),
        ({"pile": [["a"]]}, "“pile” must be a list, and each entry one of a, b, c"),
    ],
)
def test_words_that_say_no_state_are_refused_by_their_key(change: dict[str, object], said: str) -> None:
    with pytest.raises(RecordError, match=said):
        WORDING.read({**WORDS, **change})


class Dealt(State):
    """Numbers from 1 to 5, each in the hand of somebody, chosen by them, or lying on the table."""

    hand_count: Int8s = everybody("cards", shape=SEATS, most=4, counts="players[].hand")
    hand: Int8s = owner(
        "cards", shape=(SEATS, 4), least=1, most=5, empty=0, key="players[].hand", form=Row(ascending=True)
    )
    chosen: Int8s = owner("the card chosen", shape=SEATS, least=1, most=5, empty=0)
    rows: int = everybody("rows on the table", most=2, counts="rows")
    table: Int8s = everybody("1 for a card, by row", shape=(2, 5), most=1, key="rows[].cards")
    owners: int = everybody("who won cards", "u1", form=SeatSet())
    leader: int = everybody("seat in front", most=SEATS - 1, empty=-1, of="seat")
    stones: Int8s = everybody("stones", shape=(SEATS, 2), used="players", within="stones_each")

    partitions: ClassVar[tuple[Partition, ...]] = (
        Partition(
            "the cards",
            ("hand", "chosen", lambda state: [card + 1 for row in state.table for card in flagged(row)]),
            lambda parts, players: range(1, parts.cards + 1),
        ),
    )


def dealt() -> NDArray[Any]:
    """Of three players the first holds 2 and 4 and has chosen 1, the third holds 3; 5 lies in the first row."""
    states = np.zeros(1, dtype=Dealt.dtype)
    state = states[0]
    state.players, state.seat, state.leader = 3, REFEREE, -1
    state.hand[0, :2], state.hand[2, 0] = (2, 4), 3
    state.hand_count[:3] = 2, 0, 1
    state.chosen[0] = 1
    state.rows, state.table[0, 4] = 1, 1
    return states


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        (None, None, None),
        ("chosen", [[1, 6, 0, 0]], "chosen is 6, not from 1 to 5"),
        ("to_act", 8, "to_act of who plays"),
        ("owners", 9, "owners of who plays"),
        ("leader", 3, "leader of who plays"),
        ("chosen", [[0, 0, 0, 1]], "chosen beyond what is used"),
        ("hand_count", [[2, 0, 0, 0]], r"hand\[2\] beyond what is used"),
        ("hand_count", [[2, 1, 1, 0]], r"hand\[1\] where places are used"),
        ("hand_count", [[2, 0, 1, 1]], "hand_count beyond what is used"),
        ("hand", [[[4, 2, 0, 0], [0] * 4, [3, 0, 0, 0], [0] * 4]], r"hand\[0\] ascending"),
        ("hand", [[[2, 4, 0, 0], [0] * 4, [4, 0, 0, 0], [0] * 4]], "the cards, each in one place"),
        ("table", [[[0, 0, 0, 0, 0], [0, 0, 0, 0, 1]]], "table beyond what is used"),
        ("table", [[[0, 0, 0, 1, 0], [0, 0, 0, 0, 0]]], "the cards, each in one place"),
        ("stones", [[[0, 0], [0, 0], [3, 4], [0, 0]]], r"stones of at most \[5, 3\]"),
    ],
)
def test_a_state_that_is_not_as_declared_is_refused_by_its_field(name: str, value: Any, said: str) -> None:
    """Ranges, counts, unused places, ascending lists, seats, cards that are in one place each, and limits of parts."""
    states, parts = dealt(), SimpleNamespace(cards=5, stones_each=np.array([5, 3]))
    if name is None:
        check_declared(states[0], Dealt, parts)
        return
    states[name] = value
    with pytest.raises(AssertionError, match=f"^{said}$"):
        check_declared(states[0], Dealt, parts)


def test_in_a_partition_of_each_seat_everybody_has_all() -> None:
    own = Partition("the cards", ("hand", "chosen"), lambda parts, players: (1, 2, 4), each_seat=True)
    declared = type("Own", (Dealt,), {"__annotations__": {}, "partitions": (own,)})
    with pytest.raises(AssertionError, match="the cards of seat 1, each in one place"):
        check_declared(dealt()[0], declared, SimpleNamespace(stones_each=9))


@pytest.mark.parametrize(
    ("used", "said"),
    [
        ("coins", "there is no field 'coins'"),
        (("players", "hand_count"), "has 1 axes, not 2"),
        ("hand_count", "has 2 places, but hand_count goes up to 4"),
    ],
)
def test_places_that_nothing_counts_are_refused(used: Any, said: str) -> None:
    with pytest.raises(AtollError, match=said):
        type(
            "Odd",
            (Dealt,),
            {"__annotations__": {"odd": int}, "odd": everybody("numbers", shape=2, used=used)},
        )

"""Play two cards and place a native, and the Shaman's turning of a condition: CR-9 to CR-12."""

import pytest

from atoll.text.errors import IllegalMove

from .positions import ANTONY, MARY, SERGE, asked, card, legal, offered, play, position, supplies

HAND = ["move native/day", "place 1/day", "place 2/night", "place 3/day", "return 1/high tide"]


@pytest.mark.parametrize("face", ["face up", "face down"])
@pytest.mark.parametrize("shaman", [ANTONY, MARY, SERGE])
def test_everyone_plays_a_card_from_the_shaman_clockwise(face: str, shaman: int) -> None:
    """CR-9 and CR-10."""
    game = position(phase=face, shaman=shaman)
    for turn in range(3):
        assert asked(game) == (face, (shaman + turn) % 3)
        play(game, **legal(game)[0])
    assert asked(game) == ({"face up": "face down", "face down": "native"}[face], shaman)


@pytest.mark.parametrize("face", ["face up", "face down"])
def test_any_hand_card_goes_in_front_of_any_player(face: str) -> None:
    """CR-9 and CR-10: themselves included."""
    game = position(phase=face, shaman=MARY, hands={MARY: HAND})
    assert sorted(offered(game, "play card")) == [(name, front) for name in HAND for front in range(3)]


@pytest.mark.parametrize(("face", "lies"), [("face up", "up"), ("face down", "down")])
def test_the_card_lies_where_it_was_played_and_is_gone_from_the_hand(face: str, lies: str) -> None:
    """CR-9 and CR-10."""
    game = position(phase=face, shaman=MARY, hands={MARY: HAND})
    play(game, "play card", card="place 2/night", in_front_of=SERGE)
    state = game.to_json()
    assert state["table"] == [card("place 2/night", SERGE, by=MARY, face=lies)]
    assert state["players"][MARY]["hand"] == [name for name in HAND if name != "place 2/night"]


def test_equal_cards_are_one_choice_and_played_one_at_a_time() -> None:
    """CR-9: the record's words name a card by its face."""
    hand = ["place 2/day", "place 2/day", "place 1/day", "move native/day", "place 3/day"]
    game = position(phase="face up", hands={ANTONY: hand})
    assert sorted(offered(game, "play card")) == [
        (name, front) for name in sorted(set(hand)) for front in range(3)
    ]
    play(game, "play card", card="place 2/day", in_front_of=ANTONY)
    assert game.to_json()["players"][ANTONY]["hand"] == sorted(hand[1:])


def test_a_card_that_one_does_not_hold_cannot_be_played() -> None:
    """CR-9."""
    game = position(phase="face up", hands={ANTONY: HAND})
    with pytest.raises(IllegalMove, match="place 3/night"):
        play(game, "play card", card="place 3/night", in_front_of=MARY)


TABLE = [
    card("place 1/day", ANTONY),
    card("place 2/day", SERGE, by=MARY),
    card("place 3/day", SERGE),
    card("return 1/day", ANTONY, face="down"),
    card("move native/day", MARY, face="down"),
    card("move treasure/day", ANTONY, by=SERGE, face="down"),
]


@pytest.mark.parametrize("shaman", [ANTONY, MARY, SERGE])
def test_natives_are_offered_from_the_shaman_clockwise(shaman: int) -> None:
    """CR-11."""
    game = position(phase="native", shaman=shaman, table=TABLE)
    for turn in range(3):
        assert asked(game) == ("native", (shaman + turn) % 3)
        play(game, "keep native")
    assert asked(game) == ("condition", shaman)


def test_a_native_may_stand_on_any_card_or_stay() -> None:
    """CR-11: face up or down, in front of anyone, played by anyone."""
    game = position(phase="native", table=TABLE)
    moves = legal(game)
    assert {"do": "keep native"} in moves
    assert sorted(move["card"] for move in moves if move["do"] == "put native on card") == [0, 1, 2, 3, 4, 5]
    assert len(moves) == 7


def test_several_players_may_choose_the_same_card() -> None:
    """CR-11."""
    game = position(phase="native", shaman=SERGE, table=TABLE)
    for _ in range(3):
        play(game, "put native on card", card=4)
    assert [entry["natives"] for entry in game.to_json()["table"]] == [[], [], [], [], [0, 1, 2], []]
    assert supplies(game) == [9, 9, 9]


def test_one_may_copy_the_card_in_front_of_oneself() -> None:
    """CR-11."""
    game = position(phase="native", table=TABLE)
    play(game, "put native on card", card=0)
    assert game.to_json()["table"][0]["natives"] == [ANTONY]


def test_keeping_the_native_costs_nothing() -> None:
    """CR-11."""
    game = position(phase="native", table=TABLE)
    play(game, "keep native")
    assert supplies(game) == [10, 10, 10]
    assert not any(entry["natives"] for entry in game.to_json()["table"])


def test_with_an_empty_supply_there_is_no_native_to_put() -> None:
    """CR-11."""
    game = position(phase="native", table=TABLE, natives={0: [7], 1: [3]})
    assert legal(game) == [{"do": "keep native"}]


def test_one_native_in_the_supply_is_enough() -> None:
    """CR-11."""
    game = position(phase="native", table=TABLE, natives={0: [7], 1: [2]})
    assert len(legal(game)) == 7


@pytest.mark.parametrize("shaman", [ANTONY, MARY, SERGE])
def test_the_shaman_must_turn_one_condition(shaman: int) -> None:
    """CR-12: there is nothing else to do."""
    game = position(shaman=shaman)
    assert asked(game) == ("condition", shaman)
    assert legal(game) == [
        {"do": "turn condition", "condition": "tide"},
        {"do": "turn condition", "condition": "time"},
    ]


@pytest.mark.parametrize("tide", ["high", "low"])
@pytest.mark.parametrize("time", ["day", "night"])
def test_exactly_one_condition_is_turned(tide: str, time: str) -> None:
    """CR-12."""
    other = {"high": "low", "low": "high", "day": "night", "night": "day"}
    for condition, expected in (("tide", (other[tide], time)), ("time", (tide, other[time]))):
        game = position(tide=tide, time=time)
        play(game, "turn condition", condition=condition)
        state = game.to_json()
        assert (state["tide"], state["time"]) == expected

"""Revealing and resolving the cards: CR-2 and CR-13 to CR-16."""

from itertools import permutations

import pytest

from atoll.core.game import Position
from atoll.text.errors import IllegalMove

from .positions import (
    ANTONY,
    MARY,
    SERGE,
    asked,
    card,
    collecting,
    legal,
    natives_on,
    offered,
    play,
    position,
    resolving,
    supplies,
    treasures_on,
)

# Reveal the cards


@pytest.mark.parametrize("tide", ["high", "low"])
@pytest.mark.parametrize("time", ["day", "night"])
@pytest.mark.parametrize("condition", ["tide", "time"])
@pytest.mark.parametrize("background", ["high tide", "low tide", "day", "night"])
def test_a_card_is_active_if_its_background_is_visible(
    tide: str, time: str, condition: str, background: str
) -> None:
    """CR-2: of the two faces that show after the turning, one is enough."""
    game = position(tide=tide, time=time, table=[card(f"move treasure/{background}", MARY)], players=2)
    play(game, "turn condition", condition=condition)
    state = game.to_json()
    active = background in (f"{state['tide']} tide", state["time"])
    assert (state["phase"] == "take treasure") is active


def test_hidden_cards_are_turned_up() -> None:
    """CR-13."""
    game = resolving([card("place 1/night", ANTONY, face="down"), card("place 1/day", MARY, face="down")])
    assert [entry["face"] for entry in game.to_json()["table"]] == ["up", "up"]


def test_natives_on_inactive_cards_go_home_before_anything_resolves() -> None:
    """CR-13: they are back in time to be placed by a card."""
    table = [
        card("place 3/night", ANTONY),
        card("place 3/day", MARY, [ANTONY, MARY]),
        card("return 1/low tide", SERGE, [SERGE], face="down"),
    ]
    game = resolving(table, natives={0: [7], 1: [2]})  # Antony's last native stood on the inactive card
    assert asked(game) == ("place", ANTONY)
    assert supplies(game) == [1, 10, 10]
    state = game.to_json()
    assert [entry["natives"] for entry in state["table"]] == [[], [], []]
    assert [entry["resolved"] for entry in state["table"]] == [False, True, True]


def test_natives_on_active_cards_stay_until_the_card_is_done() -> None:
    """CR-13 and CR-15."""
    game = resolving([card("move treasure/night", ANTONY), card("move treasure/high tide", SERGE, [MARY])])
    assert game.to_json()["table"][1]["natives"] == [MARY]
    assert supplies(game) == [10, 9, 10]
    move_a_treasure(game)  # Antony's
    move_a_treasure(game)  # Serge's
    assert asked(game) == ("take treasure", MARY)
    assert supplies(game) == [10, 9, 10]
    move_a_treasure(game)
    assert supplies(game) == [10, 10, 10]


def move_a_treasure(game: Position) -> None:
    play(game, **legal(game)[0])
    play(game, **legal(game)[0])


# The rulebook's example


PICTURE_2 = [
    card("place 2/night", ANTONY),  # (1)
    card("return 1/day", SERGE, by=MARY),  # (2)
    card("place 3/night", SERGE, [SERGE]),  # (3) (9)
    card("move native/high tide", ANTONY, [ANTONY, MARY], face="down"),  # (4) (7) (8)
    card("place 3/day", MARY, face="down"),  # (5)
    card("return 1/high tide", ANTONY, by=SERGE, face="down"),  # (6)
]
SETUP = {0: [1, 1, 1], 1: [1, 1, 0], 2: [1, 0, 1], 3: [0, 1, 1]}


def test_picture_2_cards_and_natives_are_placed() -> None:
    """Picture 2: Antony, the Shaman, plays in front of himself, Mary of Serge, and so on."""
    wanted = {entry["card"]: entry for entry in PICTURE_2}
    spare = ["place 2/day", "move native/day", "move treasure/day"]
    game = position(
        phase="face up",
        natives=SETUP,
        hands={
            ANTONY: ["place 2/night", "move native/high tide", *spare],
            MARY: ["return 1/day", "place 3/day", "place 1/day", "place 1/night", "place 1/low tide"],
            SERGE: [
                *("place 3/night", "return 1/high tide"),
                *("move native/night", "place 1/high tide", "place 2/low tide"),
            ],
        },
    )
    for name in wanted:
        play(game, "play card", card=name, in_front_of=wanted[name]["in_front_of"])
    for k in (3, 3, 2):
        play(game, "put native on card", card=k)
    assert game.to_json()["table"] == PICTURE_2
    assert asked(game) == ("condition", ANTONY)


def test_picture_3_the_shaman_turns_one_condition() -> None:
    """Picture 3: night and high tide are visible afterwards."""
    game = resolving(PICTURE_2, natives=SETUP)
    state = game.to_json()
    assert (state["tide"], state["time"]) == ("high", "night")


def test_picture_4_two_cards_are_discarded() -> None:
    """Picture 4: Mary's Place 3 and the Return 1 in front of Serge."""
    game = resolving(PICTURE_2, natives=SETUP)
    done = [entry for entry in game.to_json()["table"] if entry["resolved"]]
    assert [(entry["card"].split("/")[0], entry["in_front_of"]) for entry in done] == [
        ("return 1", SERGE),
        ("place 3", MARY),
    ]
    assert all(entry["face"] == "up" for entry in game.to_json()["table"])


def test_the_example_of_resolving() -> None:
    """Example: Antony takes one back, places two, moves one and another; Mary moves one; Serge places three,
    and three more.
    """
    game = resolving(PICTURE_2, natives=SETUP)
    steps: list[tuple[int, str]] = []
    while game.to_json()["phase"] != "resign":
        [seat] = game.to_act
        move = legal(game)[0]
        steps.append((seat, move["do"]))
        play(game, **move)
    moved = ["take native", "drop native"]
    assert steps == [
        (ANTONY, "return native"),
        (ANTONY, "place native"),
        (ANTONY, "place native"),
        *((ANTONY, do) for do in moved),
        *((ANTONY, do) for do in moved),
        *((MARY, do) for do in moved),
        *((SERGE, "place native") for _ in range(6)),
    ]


# The order of resolving


@pytest.mark.parametrize("shaman", [ANTONY, MARY, SERGE])
def test_players_resolve_from_the_shaman_clockwise(shaman: int) -> None:
    """CR-14: whoever played the card first."""
    table = [
        card("place 1/high tide", SERGE, by=MARY),
        card("place 1/night", ANTONY, by=SERGE),
        card("place 2/night", MARY, by=ANTONY),
    ]
    game = resolving(table, shaman=shaman)
    asked_seats = []
    while game.to_json()["phase"] == "place":
        asked_seats.append(game.to_act[0])
        play(game, "place native", island=0)
    clockwise = [(shaman + i) % 3 for i in range(3)]
    assert list(dict.fromkeys(asked_seats)) == clockwise
    assert sorted(asked_seats) == [ANTONY, MARY, MARY, SERGE]


ONE_OF_EACH = ["move treasure/night", "return 1/night", "place 1/night", "move native/night"]


@pytest.mark.parametrize("order", list(permutations(ONE_OF_EACH)))
def test_cards_resolve_in_the_order_of_kinds(order: tuple[str, ...]) -> None:
    """CR-14: treasure, return, place, native; nothing is asked about it."""
    game = resolving([card(name, ANTONY) for name in order], natives=SETUP)
    phases = []
    while (phase := game.to_json()["phase"]) != "resign":
        phases.append(phase)
        play(game, **legal(game)[0])
    expected = ["take treasure", "drop treasure", "return", "place", "take native", "drop native"]
    assert phases == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("place 1/night", "place 2/night"),
        ("place 3/night", "place 1/high tide"),
        ("place 2/high tide", "place 3/night"),
        ("return 1/night", "return 2/high tide"),
        ("return 2/night", "return 1/night"),
    ],
)
def test_the_player_in_front_chooses_among_cards_of_one_kind(first: str, second: str) -> None:
    """CR-14: Place 1, 2 and 3 are one kind, and so are Return 1, 2 and 3."""
    for chosen, other in ((0, 1), (1, 0)):
        game = resolving([card(first, MARY, by=SERGE), card(second, MARY)], natives={0: [0, 1, 0], 1: [0, 2]})
        assert asked(game) == ("order", MARY)
        assert offered(game, "resolve card") == [0, 1]
        play(game, "resolve card", card=chosen)
        assert game.to_json()["phase"] in ("place", "return")
        while not game.to_json()["table"][chosen]["resolved"]:
            assert not game.to_json()["table"][other]["resolved"]
            play(game, **legal(game)[0])


def test_the_order_is_asked_card_by_card() -> None:
    """CR-14: with three different cards there are two questions, the second about what is left."""
    table = [card("place 3/night", ANTONY), card("place 1/night", ANTONY), card("place 2/night", ANTONY)]
    game = resolving(table)
    assert offered(game, "resolve card") == [0, 1, 2]
    play(game, "resolve card", card=1)
    play(game, "place native", island=0)
    assert offered(game, "resolve card") == [0, 2]
    play(game, "resolve card", card=2)
    play(game, "place native", island=0)
    play(game, "place native", island=0)
    assert asked(game) == ("place", ANTONY)  # the third card is the last: nothing to choose


def test_alike_cards_resolve_in_the_order_played_and_nothing_is_asked() -> None:
    """CR-14's ruling: background and who played them do not matter."""
    table = [card("place 2/night", MARY, by=ANTONY), card("place 2/high tide", MARY, by=SERGE)]
    game = resolving(table)
    assert asked(game) == ("place", MARY)
    play(game, "place native", island=0)
    play(game, "place native", island=0)
    assert [entry["resolved"] for entry in game.to_json()["table"]] == [True, False]
    assert asked(game) == ("place", MARY)


def test_alike_cards_with_the_same_owners_natives_are_not_asked_about() -> None:
    """CR-14's ruling."""
    table = [card("return 1/night", MARY, [SERGE]), card("return 1/high tide", MARY, [SERGE])]
    game = resolving(table, natives={0: [0, 3, 3]})
    assert asked(game) == ("return", MARY)


def test_the_same_card_with_others_natives_is_a_choice() -> None:
    """CR-14's ruling: the owners of the natives matter."""
    for natives in ([], [ANTONY], [MARY, SERGE]):
        table = [card("return 1/night", MARY, [SERGE]), card("return 1/high tide", MARY, natives)]
        game = resolving(table, natives={0: [1, 2, 2], 1: [1, 1, 1]})
        assert asked(game) == ("order", MARY)
        assert offered(game, "resolve card") == [0, 1]


def test_if_any_two_differ_every_card_of_the_kind_is_offered() -> None:
    """CR-14's ruling: the two that are alike too; cards of other kinds and other players are not."""
    table = [
        card("place 2/night", ANTONY),
        card("place 1/night", MARY),
        card("place 2/high tide", ANTONY),
        card("place 1/high tide", ANTONY),
        card("move native/night", ANTONY),
        card("place 3/day", ANTONY),
    ]
    game = resolving(table)
    assert offered(game, "resolve card") == [0, 2, 3]


def test_a_choice_among_later_kinds_waits_for_the_earlier_kinds() -> None:
    """CR-14."""
    table = [card("place 2/night", ANTONY), card("place 1/night", ANTONY), card("return 1/night", ANTONY)]
    game = resolving(table, natives={0: [2]})
    assert asked(game) == ("return", ANTONY)
    play(game, "return native", island=0)
    assert asked(game) == ("order", ANTONY)


# Who a card applies to


@pytest.mark.parametrize("front", [ANTONY, MARY, SERGE])
@pytest.mark.parametrize("shaman", [ANTONY, MARY, SERGE])
def test_natives_copy_clockwise_from_the_player_in_front(front: int, shaman: int) -> None:
    """CR-15: first the player in front, again for their own native, then the others clockwise from them."""
    game = resolving([card("move treasure/night", front, [ANTONY, MARY, SERGE])], shaman=shaman)
    seats = []
    while game.to_json()["phase"] == "take treasure":
        seats.append(game.to_act[0])
        move_a_treasure(game)
    assert seats == [front, front, (front + 1) % 3, (front + 2) % 3]


def test_natives_of_others_copy_clockwise_wherever_the_shaman_sits() -> None:
    """CR-15: from a card in front of Mary, Serge comes before Antony, who is the Shaman."""
    game = resolving([card("move treasure/night", MARY, [ANTONY, SERGE])])
    seats = []
    while game.to_json()["phase"] == "take treasure":
        seats.append(game.to_act[0])
        move_a_treasure(game)
    assert seats == [MARY, SERGE, ANTONY]


def test_six_players_copy_one_card_clockwise() -> None:
    """CR-15."""
    game = resolving([card("move treasure/night", 4, range(6))], players=6, shaman=2)
    seats = []
    while game.to_json()["phase"] == "take treasure":
        seats.append(game.to_act[0])
        move_a_treasure(game)
    assert seats == [4, 4, 5, 0, 1, 2, 3]


def test_natives_on_a_card_are_not_part_of_the_supply() -> None:
    """CR-15: Serge's Place 3 with his own native on it, and two in his supply: he places the two, nothing more;
    afterwards the native is home.
    """
    game = resolving([card("place 3/night", SERGE, [SERGE])], natives={0: [0, 0, 7]})
    assert supplies(game)[SERGE] == 2
    for _ in range(2):
        assert asked(game) == ("place", SERGE)
        play(game, "place native", island=1)
    assert game.to_json()["phase"] == "resign"
    # One is home from the card, one from each of the two islands that Serge collected from.
    assert supplies(game)[SERGE] == 3


def test_a_native_on_another_live_card_is_not_part_of_the_supply() -> None:
    """CR-15: the supply counts at each application."""
    table = [card("place 3/night", ANTONY), card("move treasure/night", SERGE, [ANTONY])]
    game = resolving(table, natives={0: [7], 1: [1]})
    assert supplies(game)[ANTONY] == 1
    play(game, "place native", island=2)
    assert asked(game) == ("take treasure", SERGE)


def test_natives_come_home_before_the_next_card() -> None:
    """CR-15: a native that copied the first card is placed by the second."""
    table = [card("move treasure/night", ANTONY, [ANTONY]), card("place 1/night", ANTONY)]
    game = resolving(table, natives={0: [7], 1: [2]})
    assert supplies(game)[ANTONY] == 0
    move_a_treasure(game)
    move_a_treasure(game)
    assert supplies(game)[ANTONY] == 1
    assert asked(game) == ("place", ANTONY)


# Effects are mandatory


def test_a_treasure_goes_from_any_island_to_any_other() -> None:
    """CR-16."""
    game = resolving([card("move treasure/night", ANTONY)], treasures={2: 0, 5: 1})
    assert offered(game, "take treasure") == [0, 1, 3, 4, 5]
    play(game, "take treasure", island=5)
    assert offered(game, "drop treasure") == [0, 1, 2, 3, 4]
    assert sum(treasures_on(game)) == 4 + 4 + 5 + 5  # the one in the hand is counted nowhere
    play(game, "drop treasure", island=2)
    assert treasures_on(game) == [4, 4, 1, 5, 5, 0]


def test_an_island_may_hold_any_number_of_treasures() -> None:
    """CR-5 and the card's description: ten treasures, for example."""
    game = resolving([card("move treasure/night", ANTONY)], treasures={0: 9, 2: 0})
    play(game, "take treasure", island=1)
    play(game, "drop treasure", island=0)
    assert treasures_on(game)[0] == 10


def test_without_a_treasure_anywhere_nothing_is_moved() -> None:
    """CR-16: the card and its copies do nothing, and natives go home."""
    game = resolving(
        [card("move treasure/night", ANTONY, [MARY])], treasures=dict.fromkeys(range(6), 0), huts=[10, 10, 8]
    )
    assert game.to_json()["phase"] == "resign"
    assert supplies(game) == [10, 10, 10]


def test_one_takes_back_ones_own_natives_from_any_island() -> None:
    """CR-16: one at a time, several from one island if one likes."""
    game = resolving([card("return 2/night", MARY)], natives={0: [1, 2], 3: [0, 1], 4: [2, 0, 1]})
    assert offered(game, "return native") == [0, 3]
    play(game, "return native", island=0)
    assert offered(game, "return native") == [0, 3]
    play(game, "return native", island=0)
    assert game.to_json()["phase"] == "resign"


@pytest.mark.parametrize(("kind", "there"), [("return 1", 0), ("return 2", 1), ("return 3", 2)])
def test_return_more_than_one_has_returns_all(kind: str, there: int) -> None:
    """CR-16: chosen one by one all the same."""
    natives = {island: [0, 1] for island in range(there)}
    game = resolving([card(f"{kind}/night", MARY)], players=5, natives=natives)
    for left in range(there, 0, -1):
        assert asked(game) == ("return", MARY)
        assert len(offered(game, "return native")) == left
        play(game, **legal(game)[0])
    assert game.to_json()["phase"] == "resign"
    assert supplies(game)[MARY] == 10


@pytest.mark.parametrize(("kind", "count"), [("return 1", 1), ("return 2", 2), ("return 3", 3)])
def test_return_takes_back_as_many_as_the_card_says(kind: str, count: int) -> None:
    """CR-16."""
    natives, no_treasure = {0: [0, 5]}, dict.fromkeys(range(9), 0)
    game = resolving([card(f"{kind}/night", MARY)], players=5, natives=natives, treasures=no_treasure)
    for _ in range(count):
        play(game, "return native", island=0)
    assert game.to_json()["phase"] == "resign"
    assert natives_on(game, 0)[MARY] == 5 - count


@pytest.mark.parametrize(("kind", "count"), [("place 1", 1), ("place 2", 2), ("place 3", 3)])
def test_place_puts_down_as_many_as_the_card_says(kind: str, count: int) -> None:
    """CR-16: on one island or on several."""
    for islands in ([0] * count, list(range(count))):
        game = resolving([card(f"{kind}/night", MARY)], treasures=dict.fromkeys(range(6), 0))
        for island in islands:
            assert asked(game) == ("place", MARY)
            assert offered(game, "place native") == [0, 1, 2, 3, 4, 5]
            play(game, "place native", island=island)
        assert game.to_json()["phase"] == "resign"
        assert supplies(game)[MARY] == 10 - count


def test_place_3_with_two_in_the_supply_places_two() -> None:
    """CR-16, and the rulebook's own exception."""
    game = resolving([card("place 3/night", ANTONY)], natives={0: [7], 1: [1]})
    play(game, "place native", island=2)
    play(game, "place native", island=3)
    assert game.to_json()["phase"] == "resign"


def test_place_with_an_empty_supply_does_nothing() -> None:
    """CR-16."""
    game = resolving([card("place 3/night", ANTONY, [MARY])], natives={0: [7], 1: [3]})
    assert asked(game) == ("place", MARY)


def test_natives_are_placed_only_where_there_is_room() -> None:
    """CR-16 and CR-5: seven natives in total, whoever owns them, fill an island."""
    game = resolving([card("place 2/night", ANTONY)], natives={1: [2, 3, 2], 4: [6]})
    assert offered(game, "place native") == [0, 2, 3, 4, 5]
    play(game, "place native", island=4)
    assert offered(game, "place native") == [0, 2, 3, 5]
    with pytest.raises(IllegalMove):
        play(game, "place native", island=4)


def test_any_players_native_may_be_moved() -> None:
    """CR-16: one's own or an opponent's."""
    game = resolving([card("move native/night", ANTONY)], natives={0: [1, 2], 3: [0, 0, 3]})
    assert sorted(offered(game, "take native")) == [(0, ANTONY), (0, MARY), (3, SERGE)]
    play(game, "take native", island=3, owner=SERGE)
    assert offered(game, "drop native") == [0, 1, 2, 4, 5]
    play(game, "drop native", island=0)
    assert supplies(game)[SERGE] == 7 + 1  # one on island 3 collected and went home
    assert natives_on(game, 0) == [1, 2 - 1, 1]  # Mary, with two, collected
    assert natives_on(game, 3) == [0, 0, 1]


def test_a_native_on_its_way_is_counted_nowhere() -> None:
    """records.md: between take and drop."""
    game = resolving([card("move native/night", ANTONY)], natives={0: [1]})
    play(game, "take native", island=0, owner=ANTONY)
    state = game.to_json()
    assert sum(sum(island["natives"]) for island in state["islands"]) == 0
    assert supplies(game) == [9, 10, 10]


def test_a_native_moves_only_to_an_island_with_room() -> None:
    """CR-16 and CR-5."""
    game = resolving([card("move native/night", ANTONY)], natives={0: [1], 1: [3, 2, 2], 2: [0, 4, 3]})
    play(game, "take native", island=0, owner=ANTONY)
    assert offered(game, "drop native") == [3, 4, 5]


def test_a_native_of_a_full_island_may_leave_it() -> None:
    """CR-16: but not come back, though there is room now."""
    game = resolving([card("move native/night", ANTONY)], natives={1: [3, 2, 2]})
    play(game, "take native", island=1, owner=MARY)
    assert offered(game, "drop native") == [0, 2, 3, 4, 5]


def test_without_a_native_on_any_island_none_is_moved() -> None:
    """CR-16."""
    assert resolving([card("move native/night", ANTONY, [MARY])]).to_json()["phase"] == "resign"


def test_effects_cannot_be_declined() -> None:
    """CR-16: whatever has to be done, there is no move that does less."""
    for kind in ("move treasure", "return 1", "place 1", "move native"):
        game = resolving([card(f"{kind}/night", ANTONY)], natives={0: [1]})
        first = {"move treasure": "take treasure", "return 1": "return native", "place 1": "place native"}
        assert {move["do"] for move in legal(game)} == {first.get(kind, "take native")}


def test_no_cards_no_questions() -> None:
    """CR-14: a round of inactive cards goes on to its end at once."""
    game = resolving([card("place 1/day", ANTONY), card("place 2/low tide", MARY)])
    assert asked(game)[0] == "resign"
    assert collecting({}).to_json()["phase"] == "resign"

"""The setup: CR-1 and CR-3 to CR-8."""

from collections import Counter

import pytest

from atoll.core.game import Position
from atoll.text.errors import AtollError, IllegalMove

from .positions import GAME, ISLAND_TREASURES, asked, deck, legal, natives_on, offered, play, supplies

PLAYERS = (2, 3, 4, 5, 6)


def new(players: int, seed: int = 1) -> Position:
    return GAME.start(players, seed)


@pytest.mark.parametrize("players", [-1, 0, 1, 7])
def test_the_game_is_for_two_to_six(players: int) -> None:
    with pytest.raises(AtollError, match=f"2 to 6 players, not {players}"):
        new(players)


@pytest.mark.parametrize("players", PLAYERS)
def test_islands_and_their_treasures(players: int) -> None:
    """CR-6: 4, 6, 7, 9 or 10 islands; two start with 4 treasures, the others with 5."""
    islands = new(players).to_json()["islands"]
    assert sorted(island["treasures"] for island in islands) == ISLAND_TREASURES[players]
    assert len(islands) == {2: 4, 3: 6, 4: 7, 5: 9, 6: 10}[players]


@pytest.mark.parametrize("players", PLAYERS)
def test_never_more_than_the_fifty_treasures_of_the_box(players: int) -> None:
    """CR-5."""
    assert sum(island["treasures"] for island in new(players).to_json()["islands"]) <= 50


@pytest.mark.parametrize("players", PLAYERS)
def test_everyone_starts_with_ten_natives_and_no_treasure(players: int) -> None:
    """CR-5."""
    for player in new(players).to_json()["players"]:
        assert (player["supply"], player["treasures"]) == (10, 0)


@pytest.mark.parametrize("players", PLAYERS)
def test_five_cards_each_of_the_deck_for_so_many(players: int) -> None:
    """CR-3 and CR-7: 12 cards a player are used, 5 of which are dealt."""
    state = new(players).to_json()
    hands = [player["hand"] for player in state["players"]]
    assert [len(hand) for hand in hands] == [5] * players
    dealt = Counter(card for hand in hands for card in hand)
    assert dealt + Counter(state["draw_pile"]) == deck(players)
    assert len(state["draw_pile"]) == 12 * players - 5 * players


def test_the_deck_has_eight_kinds_on_four_backgrounds() -> None:
    """CR-1 and CR-2."""
    state = new(6).to_json()
    cards = [card for player in state["players"] for card in player["hand"]] + state["draw_pile"]
    kinds, backgrounds = zip(*(card.split("/") for card in cards), strict=True)
    assert set(kinds) == {
        *("move treasure", "return 1", "return 2", "return 3", "place 1", "place 2", "place 3", "move native")
    }
    assert Counter(backgrounds) == dict.fromkeys(("high tide", "low tide", "day", "night"), 18)


@pytest.mark.parametrize("players", PLAYERS)
def test_conditions_and_shaman_are_drawn_evenly(players: int) -> None:
    """CR-7: with 60 games for each of the 4n possibilities, none is off by more than six deviations."""
    found: Counter[tuple[str, str, int]] = Counter()
    for seed in range(240 * players):
        state = new(players, seed).to_json()
        found[state["tide"], state["time"], state["shaman"]] += 1
    assert len(found) == 4 * players
    assert all(abs(count - 60) < 46 for count in found.values())


def test_every_card_can_be_dealt_to_every_seat() -> None:
    """CR-7."""
    seen: list[set[str]] = [set(), set()]
    for seed in range(200):
        for seat, player in enumerate(new(2, seed).to_json()["players"]):
            seen[seat] |= set(player["hand"])
    assert seen == [set(deck(2)), set(deck(2))]


@pytest.mark.parametrize("players", PLAYERS)
def test_three_natives_each_one_at_a_time_from_the_shaman_clockwise(players: int) -> None:
    """CR-8."""
    game = new(players, seed=5)
    shaman = game.to_json()["shaman"]
    for turn in range(3 * players):
        assert asked(game) == ("setup", (shaman + turn) % players)
        play(game, "place native", island=turn % len(ISLAND_TREASURES[players]))
    assert asked(game) == ("face up", shaman)
    assert supplies(game) == [7] * players


def test_natives_go_on_any_island_one_chooses() -> None:
    """CR-8."""
    game = new(3)
    for island in (5, 5, 0, 5):
        assert offered(game, "place native") == [0, 1, 2, 3, 4, 5]
        play(game, "place native", island=island)
    assert sum(natives_on(game, 5)) == 3
    assert sum(natives_on(game, 0)) == 1


def test_an_island_never_takes_more_than_seven_natives_in_the_setup() -> None:
    """CR-8: of nine natives, the eighth and ninth go elsewhere."""
    game = new(3)
    for _ in range(7):
        play(game, "place native", island=2)
    assert sum(natives_on(game, 2)) == 7
    assert offered(game, "place native") == [0, 1, 3, 4, 5]
    with pytest.raises(IllegalMove, match="'island': 2"):
        play(game, "place native", island=2)
    assert sum(natives_on(game, 2)) == 7
    assert len(legal(game)) == 5

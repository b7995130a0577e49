"""Collecting treasures, preparing the next round, and the end: CR-17 to CR-22."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from atoll.core.events import Event
from atoll.core.game import Position
from atoll.core.types import Json, Outcome
from atoll.games.costa_ruana.events import (
    CARD_DISCARDED,
    CARD_DRAWN,
    COLLECTED,
    GAME_OVER,
    ROUND_BEGUN,
    SHAMAN_NEXT,
)

from .positions import (
    ANTONY,
    GAME,
    ISLAND_TREASURES,
    MARY,
    SERGE,
    asked,
    card,
    collecting,
    deck,
    huts,
    legal,
    natives_on,
    offered,
    play,
    position,
    resolving,
    supplies,
    treasures_on,
)

# Collect treasures from the islands


def rulebook_cases(counts: Sequence[int], treasures: int) -> int | None:
    """Who collects, by the rulebook's four cases read one after the other; None if nobody does."""
    if treasures == 0:  # case 4
        return None
    there = {seat: count for seat, count in enumerate(counts) if count}
    for seat, count in there.items():  # case 1
        if all(count > other for rival, other in there.items() if rival != seat):
            return seat
    arguing = {seat for seat, count in there.items() if list(there.values()).count(count) > 1}
    quiet = there.keys() - arguing
    if arguing and len(quiet) == 1:  # case 3
        return quiet.pop()
    assert not quiet, "with at most seven natives the rulebook leaves no other case"
    return None  # case 2, or an empty island


def crowds(players: int, most: int) -> Iterator[list[int]]:
    """Every way in which up to `most` natives of the players can stand on an island."""
    if players == 0:
        yield []
        return
    for count in range(most + 1):
        for rest in crowds(players - 1, most - count):
            yield [count, *rest]


def test_every_island_of_four_players_collects_as_the_four_cases_say() -> None:
    """CR-17: all ways in which up to seven natives can stand on an island, with treasure and without."""
    for counts in crowds(4, 7):
        for treasures in (0, 1, 5):
            game = collecting({2: counts}, players=4, treasures={2: treasures})
            collector = rulebook_cases(counts, treasures)
            expected, left = list(counts), treasures
            if collector is not None:
                expected[collector] -= 1
                left -= 1
            assert natives_on(game, 2) == expected, counts
            assert treasures_on(game)[2] == left, counts
            before = sum(ISLAND_TREASURES[4]) - sum(treasures_on(game)) - (collector is not None)
            assert huts(game) == [before * (seat == 3) + (collector == seat) for seat in range(4)], counts


def test_every_island_of_six_players_collects_as_the_four_cases_say() -> None:
    """CR-17: of six players, the ways in which the first have no fewer than the next."""
    for counts in crowds(6, 7):
        if counts == sorted(counts):
            game = collecting({0: counts}, players=6)
            collector = rulebook_cases(counts, 4)
            assert huts(game) == [int(seat == collector) for seat in range(6)], counts


def test_who_has_more_than_everyone_else_takes_a_treasure() -> None:
    """CR-17, case 1: and one of their natives goes home, the others' stay."""
    game = collecting({2: [1, 3, 2]})
    assert huts(game) == [0, 1, 0]
    assert natives_on(game, 2) == [1, 2, 2]
    assert treasures_on(game) == [4, 4, 4, 5, 5, 5]
    assert supplies(game) == [9, 8, 8]


def test_a_native_alone_takes_a_treasure() -> None:
    """CR-17, case 1."""
    game = collecting({0: [0, 0, 1]})
    assert huts(game) == [0, 0, 1]
    assert natives_on(game, 0) == [0, 0, 0]


@pytest.mark.parametrize("counts", [[1, 1], [2, 2, 0], [1, 1, 1], [2, 2, 1, 1], [3, 3], [1, 1, 1, 1]])
def test_arguing_natives_collect_nothing(counts: list[int]) -> None:
    """CR-17, case 2: and none goes home; there may be several arguments on an island."""
    game = collecting({0: counts}, players=4)
    assert huts(game) == [0, 0, 0, 0]
    assert natives_on(game, 0)[: len(counts)] == counts
    assert treasures_on(game) == ISLAND_TREASURES[4]


@pytest.mark.parametrize("counts", [[3, 3, 1, 0], [2, 2, 1, 0], [2, 2, 2, 1]])
def test_a_native_outside_the_argument_takes_the_treasure(counts: list[int]) -> None:
    """CR-17, case 3: the very three situations that the rulebook lists."""
    game = collecting({0: counts}, players=4)
    collector = counts.index(1)
    assert huts(game) == [int(seat == collector) for seat in range(4)]
    assert natives_on(game, 0) == [0 if seat == collector else count for seat, count in enumerate(counts)]


def test_the_most_wins_over_an_argument_of_fewer() -> None:
    """CR-17, case 1: others arguing below do not matter."""
    assert huts(collecting({0: [1, 1, 3, 1]}, players=4)) == [0, 0, 1, 0]


@pytest.mark.parametrize("counts", [[3, 1, 0], [0, 0, 1], [2, 2, 1]])
def test_without_treasure_nobody_collects_and_no_native_goes_home(counts: list[int]) -> None:
    """CR-17, case 4."""
    game = collecting({0: counts}, treasures={0: 0}, huts=[0, 4, 0])
    assert huts(game) == [0, 4, 0]
    assert natives_on(game, 0) == counts


def test_an_empty_island_keeps_its_treasure() -> None:
    """CR-17."""
    assert treasures_on(collecting({})) == ISLAND_TREASURES[3]


def test_one_treasure_from_each_island_every_island_by_itself() -> None:
    """CR-17: one player may collect from several islands, at most one from each."""
    game = collecting({0: [5], 1: [1, 0, 2], 3: [2, 1], 5: [1, 1, 1]})
    assert huts(game) == [2, 0, 1]
    assert treasures_on(game) == [3, 3, 5, 4, 5, 5]


def test_picture_5_an_island_of_arguing_natives() -> None:
    """Picture 5: on the first island there are only arguing natives; nobody gets anything there."""
    game = collecting({0: [2, 2, 0], 1: [2, 1, 0], 2: [0, 1, 2]})
    assert huts(game) == [1, 0, 1]
    assert natives_on(game, 0) == [2, 2, 0]


# Preparation for the next round


def collections(*collected: int, shaman: int, **said: Any) -> Position:
    """The position after a round in which the players collected so many treasures each."""
    seats = [seat for seat, count in enumerate(collected) for _ in range(count)]
    natives = {
        island: [int(other == seat) for other in range(len(collected))] for island, seat in enumerate(seats)
    }
    return collecting(natives, players=len(collected), shaman=shaman, **said)


def test_picture_6_the_new_shaman() -> None:
    """Picture 6: Antony, the Shaman, and Mary collected 1 each, Serge 3; Mary is next clockwise."""
    game = collections(1, 1, 3, shaman=ANTONY)
    assert asked(game) == ("resign", MARY)
    assert game.to_json()["shaman"] == MARY


@pytest.mark.parametrize(
    ("collected", "shaman", "expected"),
    [
        ((0, 1, 2), MARY, ANTONY),
        ((2, 0, 1), MARY, MARY),
        ((1, 2, 0), ANTONY, SERGE),
        ((0, 0, 1), ANTONY, MARY),
        ((0, 0, 1), MARY, ANTONY),
        ((0, 1, 0), SERGE, ANTONY),
        ((1, 0, 0), SERGE, MARY),
        ((1, 1, 1), ANTONY, MARY),
        ((0, 0, 0), SERGE, ANTONY),
        ((1, 2, 1, 2, 1, 2), 4, 0),
        ((2, 2, 1, 1, 1, 2), 3, 4),
        ((2, 2, 1, 2, 1, 2), 4, 2),
        ((0, 4), 0, 0),
        ((1, 1), 0, 1),
        ((1, 1), 1, 0),
    ],
)
def test_the_next_shaman_collected_least_in_this_round(
    collected: tuple[int, ...], shaman: int, expected: int
) -> None:
    """CR-18: of several, the nearest to the old Shaman clockwise, who comes last."""
    assert asked(collections(*collected, shaman=shaman)) == ("resign", expected)


def test_treasures_of_earlier_rounds_do_not_count_for_the_shaman() -> None:
    """CR-18: this round's alone."""
    natives = {2: [1, 0, 0], 3: [0, 0, 1]}
    game = collecting(natives, treasures={0: 0, 1: 0}, huts=[0, 8, 0], round=2)
    assert asked(game) == ("resign", MARY)


LOW_TIDE = sorted(name for name in deck(3).elements() if name.endswith("/low tide"))


def quiet_round(game: Position) -> None:
    """A round in which everybody plays low tide cards and keeps their native, and low tide does not show."""
    while (phase := game.to_json()["phase"]) != "condition":
        [seat] = game.to_act
        if phase == "native":
            play(game, "keep native")
        else:
            name = next(name for name in game.to_json()["players"][seat]["hand"] if name in LOW_TIDE)
            play(game, "play card", card=name, in_front_of=seat)
    play(game, "turn condition", condition="time")


def test_the_next_rounds_count_starts_at_zero() -> None:
    """CR-18: Antony and Mary collected fewer than Serge in the first round, nobody anything in the second."""
    hands = {seat: LOW_TIDE[seat::3] for seat in range(3)}
    game = collections(1, 1, 3, shaman=ANTONY, hands=hands)
    play(game, "appoint shaman", player=MARY)
    quiet_round(game)
    assert huts(game) == [1, 1, 3]
    assert asked(game) == ("resign", SERGE)


@pytest.mark.parametrize(("round_number", "cards"), [(1, 2), (2, 2), (3, 2), (4, 1)])
def test_everyone_draws_from_the_new_shaman_clockwise_all_at_once(round_number: int, cards: int) -> None:
    """CR-20: two cards each before rounds 2, 3 and 4, one before round 5."""
    game = position(round=round_number, natives={0: [1], 1: [0, 1]}, shaman=MARY)
    before = game.to_json()
    play(game, "turn condition", condition="time")
    after = game.to_json()
    assert after["shaman"] == SERGE
    for i in range(3):
        seat = (SERGE + i) % 3
        drawn = before["draw_pile"][i * cards : (i + 1) * cards]
        held = Counter(before["players"][seat]["hand"])
        assert Counter(after["players"][seat]["hand"]) - held == Counter(drawn)
        assert len(after["players"][seat]["hand"]) == 3 + cards
    assert after["draw_pile"] == before["draw_pile"][3 * cards :]
    assert after["round"] == round_number + 1


def test_a_rounds_end_in_its_order() -> None:
    """CR-20: collection, discarding, new Shaman, drawing, which is told as the next round's, then CR-21."""
    game = position(table=[card("place 1/day", MARY)], natives={0: [1]})
    events = play(game, "turn condition", condition="time")
    wanted = (COLLECTED, CARD_DISCARDED, SHAMAN_NEXT, CARD_DRAWN, ROUND_BEGUN)
    found = [event.what for event in events if event.what in wanted]
    assert found == [COLLECTED, CARD_DISCARDED, SHAMAN_NEXT, ROUND_BEGUN, *[CARD_DRAWN] * 6]
    assert asked(game)[0] == "resign"


def test_the_rounds_cards_are_discarded_in_the_order_played() -> None:
    """CR-20 and records.md: those that resolved and those that did not."""
    table = [card("place 1/day", MARY), card("move treasure/night", ANTONY), card("place 1/night", MARY)]
    game = resolving(table, round=3)
    before = game.to_json()["discarded"]
    assert [entry["card"] for entry in game.to_json()["table"]] == [entry["card"] for entry in table]
    while game.to_json()["phase"] != "resign":
        play(game, **legal(game)[0])
    state = game.to_json()
    assert state["table"] == []
    assert state["discarded"] == before + [entry["card"] for entry in table]


def test_the_new_shaman_may_hand_the_role_to_anybody() -> None:
    """CR-21: or keep it."""
    assert offered(collections(1, 0, 3, shaman=ANTONY), "appoint shaman") == [ANTONY, MARY, SERGE]
    for appointed in (ANTONY, MARY, SERGE):
        game = collections(1, 0, 3, shaman=ANTONY)
        assert asked(game) == ("resign", MARY)
        play(game, "appoint shaman", player=appointed)
        # The appointed neither refuses nor passes it on: the round has begun.
        assert asked(game) == ("face up", appointed)
        assert game.to_json()["shaman"] == appointed


def test_the_new_shaman_has_drawn_before_resigning() -> None:
    """CR-21."""
    game = collections(1, 0, 3, shaman=ANTONY)
    assert [len(player["hand"]) for player in game.to_json()["players"]] == [5, 5, 5]


def test_ties_are_counted_from_who_held_the_role_in_the_round() -> None:
    """CR-18: after CR-21."""
    game = collections(1, 0, 3, shaman=ANTONY, hands={seat: LOW_TIDE[seat::3] for seat in range(3)})
    play(game, "appoint shaman", player=SERGE)
    quiet_round(game)
    assert asked(game) == ("resign", ANTONY)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_game_from_its_first_round_to_its_fifth(players: int) -> None:
    """CR-20: five cards in hand at the start of rounds 1 to 4, four in round 5; 2n cards a round are used, so that
    at the end two cards are left in each hand and none in the pile.
    """
    game = GAME.start(players, seed=11)
    seen: list[Json] = []
    shaman = game.to_json()["shaman"]
    while not game.is_over:
        state = game.to_json()
        if (
            state["phase"] == "face up"
            and state["to_act"] == [state["shaman"]]
            and len(seen) < state["round"]
        ):
            seen.append(state)
        shaman = state["shaman"]
        play(game, **legal(game)[-1])
    assert [[len(player["hand"]) for player in state["players"]] for state in seen] == [
        [cards] * players for cards in (5, 5, 5, 5, 4)
    ]
    assert [len(state["discarded"]) for state in seen] == [2 * players * i for i in range(5)]
    assert [len(state["draw_pile"]) for state in seen] == [players * left for left in (7, 5, 3, 1, 0)]
    over = game.to_json()
    assert (over["round"], over["phase"], over["to_act"], over["table"]) == (5, "over", [], [])
    assert over["shaman"] == shaman
    assert [len(player["hand"]) for player in over["players"]] == [2] * players
    assert len(over["discarded"]) == 10 * players


def test_after_round_5_only_collecting_and_discarding() -> None:
    """CR-20: no new Shaman, nothing drawn."""
    game = position(round=5, natives={0: [0, 1]}, table=[card("place 1/day", MARY)], shaman=SERGE)
    events: list[Event] = play(game, "turn condition", condition="time")
    kinds = {event.what for event in events}
    assert {COLLECTED, CARD_DISCARDED, GAME_OVER} <= kinds
    assert not kinds & {CARD_DRAWN, SHAMAN_NEXT, ROUND_BEGUN}
    assert game.to_json()["shaman"] == SERGE
    assert game.is_over


# End of the game


def end(natives: Sequence[int], treasures: Sequence[int]) -> Position:
    """The end with so many natives in the supplies and so many treasures behind the huts.

    Natives that are not at home stand on islands without treasure, where nobody collects.
    """
    players = len(natives)
    away = [10 - count for count in natives]
    stocks = list(ISLAND_TREASURES[players])
    for _ in range(sum(treasures)):
        stocks[next(island for island, stock in enumerate(stocks) if stock)] -= 1
    standing: dict[int, list[int]] = {}
    for island, stock in enumerate(stocks):
        if stock == 0:
            standing[island] = [0] * players
            for seat in range(players):
                while away[seat] and sum(standing[island]) < 7:
                    standing[island][seat] += 1
                    away[seat] -= 1
    assert not any(away), "the test needs more empty islands"
    return resolving(
        [], players, round=5, natives=standing, treasures=dict(enumerate(stocks)), huts=list(treasures)
    )


def test_two_points_a_treasure_one_a_native_at_home() -> None:
    """CR-22: none for natives on islands."""
    game = end([10, 7, 4], [3, 4, 5])
    assert game.outcome == Outcome((16, 15, 14), (ANTONY,))


def test_there_is_no_outcome_before_the_end() -> None:
    """CR-22."""
    assert position(round=5).outcome is None
    assert collecting({}).outcome is None


def test_the_last_collection_counts() -> None:
    """CR-22: the points are those after round 5's collection, its native home again."""
    game = collecting({0: [1, 2, 0]}, round=5)
    assert game.outcome == Outcome((9, 11, 10), (MARY,))


def test_a_tie_goes_to_who_has_more_treasures() -> None:
    """CR-22."""
    assert end([10, 8, 6], [4, 5, 6]).outcome == Outcome((18, 18, 18), (SERGE,))
    assert end([8, 10, 6], [5, 4, 4]).outcome == Outcome((18, 18, 14), (ANTONY,))


def test_players_tied_on_treasures_too_share_the_win() -> None:
    """CR-22's ruling."""
    assert end([8, 8, 10], [5, 5, 4]).outcome == Outcome((18, 18, 18), (ANTONY, MARY))
    assert end([10, 10, 10, 10], [0, 0, 0, 0]).outcome == Outcome((10, 10, 10, 10), (0, 1, 2, 3))


def test_points_beat_treasures() -> None:
    """CR-22: treasures only break ties."""
    assert end([10, 5, 10], [4, 6, 0]).outcome == Outcome((18, 17, 10), (ANTONY,))


def test_the_score_in_its_parts() -> None:
    """CR-22."""
    parts = end([10, 7, 4], [3, 4, 5]).breakdown()
    assert [(part["treasures"], part["natives"]) for part in parts] == [(3, 10), (4, 7), (5, 4)]
    assert [(part["treasure_points"], part["native_points"]) for part in parts] == [(6, 10), (8, 7), (10, 4)]
    assert [part["points"] for part in parts] == [16, 15, 14]


def test_nothing_can_be_played_after_the_end() -> None:
    """CR-22."""
    game = end([10, 10, 10], [0, 0, 0])
    assert game.is_over
    assert game.to_act == ()
    assert [len(game.legal_moves(seat)) for seat in range(3)] == [0, 0, 0]

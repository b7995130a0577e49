"""What each seat and a spectator may know (KA-4, records.md), and drawing what they cannot."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from atoll.core.game import Position
from atoll.core.records import redacted
from atoll.core.state import SPECTATOR, UNKNOWN
from atoll.games.karuba.events import CARD_CHOSEN, CARD_DRAWN

from .positions import CARDS, CLAUDIA, GAME, TINA, choose, discard, lay, of, player, position


def chosen(where: Position, seat: int) -> list[Any]:
    """What a seat sees of everybody's choice."""
    return [player["chosen"] for player in where.view(seat).to_json()["players"]]


def half_chosen() -> Position:
    """Claudia has chosen 3 and 9, Tina has not."""
    where = position(player(hand=[3, 9, 16]), player(hand=[1, 2, 4]))
    choose(where, CLAUDIA, 3, 9)
    return where


def test_that_a_player_has_chosen_is_visible_and_what_is_not():
    """KA-4."""
    where = half_chosen()
    assert where.view(TINA).to_act == (TINA,)
    assert chosen(where, CLAUDIA) == [[3, 9], 0]
    assert chosen(where, TINA) == [2, []]
    assert chosen(where, SPECTATOR) == [2, 0]


def test_of_each_row_the_cards_are_known_that_the_view_shows():
    """KA-4: what lies in places that are not used or is hidden is not among them."""
    where = half_chosen()
    for seat, hand, choice in ((CLAUDIA, [16], [3, 9]), (TINA, [], []), (SPECTATOR, [], [])):
        view = where.view(seat)
        assert view.known("hand", CLAUDIA) == hand
        assert view.known("chosen", CLAUDIA) == choice
        assert view.known("pile", CLAUDIA) == view.known("discarded", CLAUDIA) == []


def test_all_choices_are_visible_once_the_last_has_chosen():
    """KA-4."""
    where = half_chosen()
    choose(where, TINA, 1, 2)
    for seat in (CLAUDIA, TINA, SPECTATOR):
        assert chosen(where, seat) == [[3, 9], [1, 2]]


def test_the_choice_itself_is_hidden_from_the_others_and_the_revealing_is_not():
    """KA-4."""
    where = position(player(hand=[3, 9, 16]), player(hand=[1, 2, 4]))
    hide = GAME.notation.hide_event
    events = choose(where, CLAUDIA, 3, 9)
    assert [hide(event, CLAUDIA).piece for event in events] == [3, 9]
    for seat in (TINA, SPECTATOR):
        assert [hide(event, seat).piece for event in events] == [UNKNOWN, UNKNOWN]
    revealed = [event for event in choose(where, TINA, 1, 2) if event.what != CARD_CHOSEN]
    assert [hide(event, SPECTATOR) for event in revealed] == revealed


def test_a_redacted_record_hides_choices_until_all_have_chosen():
    """records.md."""
    start = position(player(hand=[3, 9, 16]), player(hand=[1, 2, 4]))
    action_of = GAME.notation.action_of
    claudia = (CLAUDIA, action_of({"do": "choose", "cards": [3, 9]}))
    tina = (TINA, action_of({"do": "choose", "cards": [1, 2]}))
    names = ["Claudia", "Tina"]
    hidden = {"player": CLAUDIA, "move": {"do": "choose", "cards": None}}
    shown = {"player": CLAUDIA, "move": {"do": "choose", "cards": [3, 9]}}
    assert list(redacted(start, [claudia], names, TINA))[1:] == [hidden]
    assert list(redacted(start, [claudia], names, SPECTATOR))[1:] == [hidden]
    assert list(redacted(start, [claudia], names, CLAUDIA))[1:] == [shown]
    assert next(iter(redacted(start, [claudia, tina], names, TINA)))["start"]["players"][0]["hand"] == 3
    assert list(redacted(start, [claudia, tina], names, TINA))[1] == shown


def test_the_others_hands_and_every_pile_are_hidden():
    """records.md."""
    where = GAME.start(3, 1)
    for seat in (0, 1, 2, SPECTATOR):
        players = where.view(seat).to_json()["players"]
        assert [seen["pile"] for seen in players] == [13] * 3
        for other, seen in enumerate(players):
            assert seen["hand"] == (of(where, other)["hand"] if other == seat else 3)


def test_drawn_cards_are_known_to_who_draws_them():
    """KA-7."""
    where = position(player(hand=[3, 9, 16]), player(hand=[1, 2, 4]))
    choose(where, CLAUDIA, 3, 9)
    choose(where, TINA, 1, 2)
    discard(where, TINA, 2)
    lay(where, TINA, 1, 0, 0)
    lay(where, CLAUDIA, 3, 0, 0)
    events = [event for event in lay(where, CLAUDIA, 9, 1, 0) if event.what == CARD_DRAWN]
    assert len(events) == 4
    for event in events:
        for seat in (CLAUDIA, TINA, SPECTATOR):
            assert (GAME.notation.hide_event(event, seat).piece == UNKNOWN) == (seat != event.whose)


def test_what_is_drawn_anew_is_what_a_player_has_not_shown():
    """KA-1: everybody has the same cards, so what is missing is known, only not where."""
    where = GAME.start(4, 5)
    chance = random.Random(5)
    for _ in range(60):
        seat = chance.choice(where.to_act)
        where.play_action(seat, chance.choice(where.legal_moves(seat).actions.tolist()))
        view = where.view(chance.randrange(4))
        drawn = view.resample(chance.randrange(1000))
        drawn.check()
        for other in range(4):
            true, found = of(where, other), of(drawn, other)
            for key in ("to_lay", "discarded", "island"):
                assert found[key] == true[key]
            if other == view.seat:
                assert found["hand"] == true["hand"]
                assert sorted(found["pile"]) == sorted(true["pile"])


def test_every_split_of_the_unseen_cards_is_equally_likely():
    """Tina's hand and choice as Claudia may imagine them, after Tina has shown ten cards."""
    island = {"0,0": 1, "1,0": 2, "2,0": 3, "0,1": 4, "1,1": 5, "2,1": 6, "0,2": 7, "1,2": 8}
    where = position(
        player(hand=[10, 15, 16], island=island, discarded=[9, 11]),
        player(hand=[13], chosen=[11, 12], island=island, discarded=[9, 10]),
        round=6,
        to_act=[CLAUDIA],
    )
    view = where.view(CLAUDIA)
    draws = 3000
    hands, choices, tops = Counter[int](), Counter[tuple[int, ...]](), Counter[int]()
    for seed in range(draws):
        tina = of(view.resample(seed), TINA)
        assert sorted(tina["hand"] + tina["pile"] + tina["chosen"]) == [11, 12, 13, 14, 15, 16]
        hands[tina["hand"][0]] += 1
        choices[tuple(tina["chosen"])] += 1
        tops[tina["pile"][0]] += 1
    for counts, number in ((hands, 6), (choices, 15), (tops, 6)):
        expected = draws / number
        square = sum((count - expected) ** 2 / expected for count in counts.values())
        assert len(counts) == number
        assert square < number - 1 + 5 * np.sqrt(2 * (number - 1))


@pytest.mark.parametrize("seat", [CLAUDIA, TINA, SPECTATOR])
def test_a_view_does_not_depend_on_what_is_hidden(seat: int):
    """KA-4: two true positions that differ in hidden cards alone."""
    pile = [card for card in CARDS if card not in (3, 9, 16)]
    hands = {CLAUDIA: [3, 9, 16], TINA: [1, 2, 4]}
    one = position(player(hand=hands[CLAUDIA], pile=pile), player(hand=hands[TINA]))
    for other_seat in (CLAUDIA, TINA):
        if other_seat != seat:
            hands[other_seat] = [5, 6, 7]
    two = position(player(hand=hands[CLAUDIA]), player(hand=hands[TINA]))
    two.state.pile[CLAUDIA, :13] = two.state.pile[CLAUDIA, :13][::-1]
    for where in (one, two):
        for other_seat in (CLAUDIA, TINA):
            if other_seat != seat:
                cards = of(where, other_seat)["hand"]
                choose(where, other_seat, *cards[:2])
                break
    assert one.view(seat).state.tobytes() == two.view(seat).state.tobytes()

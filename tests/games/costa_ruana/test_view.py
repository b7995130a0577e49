"""What each seat and a spectator may know (CR-7, CR-10, CR-19, records.md), and drawing what they cannot."""

from collections import Counter
from typing import Any

import pytest

from atoll.core.game import Position, View
from atoll.core.records import redacted
from atoll.core.state import SPECTATOR, UNKNOWN
from atoll.core.types import Json
from atoll.testing.playing import abridged
from atoll.text.errors import AtollError, IllegalMove

from .positions import (
    ANTONY,
    GAME,
    MARY,
    SERGE,
    card,
    check_complete,
    collecting,
    deck,
    play,
    position,
    resolving,
    words,
)
from .variants import figures, variant

DOWN = [
    card("place 1/day", ANTONY),
    card("place 2/day", SERGE, by=MARY),
    card("place 3/day", SERGE),
    card("return 1/day", ANTONY, face="down"),
    card("move native/day", ANTONY, by=MARY, face="down"),
    card("move treasure/day", MARY, by=SERGE, face="down"),
]
HANDS = {
    ANTONY: ["move native/night", "place 1/night", "place 2/night"],
    MARY: ["move native/low tide", "place 1/low tide", "place 2/low tide"],
    SERGE: ["move native/high tide", "place 1/high tide", "place 2/high tide"],
}


def hidden_table(**said: Any) -> Position:
    return position(table=DOWN, hands=HANDS, **{"phase": "native", **said})


def hands(view: View) -> list[Any]:
    return [player["hand"] for player in view.to_json()["players"]]


def faces(view: View) -> list[str | None]:
    return [entry["card"] for entry in view.to_json()["table"]]


@pytest.mark.parametrize("phase", ["face up", "face down", "native", "condition", "resign"])
def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_hold(phase: str) -> None:
    game = position(phase=phase, hands=HANDS)
    for seat in range(3):
        expected: list[Any] = [3, 3, 3]
        expected[seat] = HANDS[seat]
        assert hands(game.view(seat)) == expected
    assert hands(game.view()) == [3, 3, 3]


def test_an_empty_hand_of_another_is_a_number_too() -> None:
    """records.md: a hidden list becomes its length."""
    components = variant(figures(hand=2, draws=[2, 2, 2, 2]))
    state = words(2)
    state["discarded"] += [name for player in state["players"] for name in player["hand"]]
    for player in state["players"]:
        player["hand"] = []
    game = abridged(GAME, state, components)
    assert hands(game.view(0)) == [[], 0]
    assert hands(game.view()) == [0, 0]
    assert game.to_json()["players"][1]["hand"] == []


@pytest.mark.parametrize("phase", ["face down", "native", "condition"])
def test_a_face_down_card_is_known_to_who_played_it_alone(phase: str) -> None:
    """CR-10: kind and background; everyone sees in front of whom it lies, even who lies there does not know it."""
    game = hidden_table(phase=phase)
    names = [entry["card"] for entry in DOWN]
    for seat in (ANTONY, MARY, SERGE):
        view = game.view(seat)
        assert faces(view) == [*names[:3], *(names[3 + s] if s == seat else None for s in range(3))]
        assert [entry["in_front_of"] for entry in view.to_json()["table"]] == [0, 2, 2, 0, 0, 1]
        assert [entry["played_by"] for entry in view.to_json()["table"]] == [0, 1, 2, 0, 1, 2]
    assert faces(game.view()) == [*names[:3], None, None, None]


def test_everyone_knows_every_card_after_the_reveal() -> None:
    """CR-10 and CR-13."""
    table = [*DOWN[:5], card("place 1/night", ANTONY, by=SERGE, face="down")]
    game = resolving(table)
    assert game.to_json()["phase"] == "place"
    for seat in (ANTONY, MARY, SERGE, SPECTATOR):
        assert faces(game.view(seat)) == [entry["card"] for entry in table]


def test_natives_on_hidden_cards_are_seen_by_all() -> None:
    """CR-11."""
    game = hidden_table()
    play(game, "put native on card", card=5)
    for seat in (ANTONY, MARY, SERGE, SPECTATOR):
        assert [entry["natives"] for entry in game.view(seat).to_json()["table"]][5] == [ANTONY]


def test_nobody_sees_the_draw_pile_and_everybody_the_discard_pile() -> None:
    game = hidden_table(round=3)
    full = game.to_json()
    assert len(full["discarded"]) > 0
    for seat in (ANTONY, MARY, SERGE, SPECTATOR):
        view = game.view(seat).to_json()
        assert view["draw_pile"] == len(full["draw_pile"])
        assert view["discarded"] == full["discarded"]


STOCK: dict[str, Any] = {"natives": {0: [1, 2]}, "treasures": {2: 0, 3: 0}, "huts": [5, 3, 2]}


def treasures(view: View) -> list[int | None]:
    return [player["treasures"] for player in view.to_json()["players"]]


def test_huts_hide_the_treasures_of_the_others() -> None:
    """CR-19."""
    game = position(**STOCK)
    assert treasures(game.view(ANTONY)) == [5, None, None]
    assert treasures(game.view(SERGE)) == [None, None, 2]
    assert treasures(game.view()) == [None, None, None]
    assert [player["treasures"] for player in game.to_json()["players"]] == [5, 3, 2]


def test_open_huts_show_the_treasures_of_all() -> None:
    """CR-19: if the table was created so."""
    game = position(**STOCK, options={"open_huts": True})
    for seat in (ANTONY, MARY, SERGE, SPECTATOR):
        assert treasures(game.view(seat)) == [5, 3, 2]


def test_huts_are_lifted_at_the_end() -> None:
    """CR-22: each player lifts their hut."""
    game = collecting({}, round=5, treasures={2: 0, 3: 0}, huts=[5, 3, 2])
    assert game.is_over
    for seat in (ANTONY, MARY, SERGE, SPECTATOR):
        assert treasures(game.view(seat)) == [5, 3, 2]


def test_supplies_islands_and_conditions_are_seen_by_all() -> None:
    game = position(**STOCK)
    full = game.to_json()
    for seat in (ANTONY, SPECTATOR):
        view = game.view(seat).to_json()
        for key in ("round", "phase", "to_act", "shaman", "tide", "time", "islands"):
            assert view[key] == full[key]
        assert [player["supply"] for player in view["players"]] == [9, 8, 10]
        assert list(view) == list(full)


def test_the_chance_that_dealt_is_not_in_a_view() -> None:
    view = GAME.start(3, 7).view(0)
    assert view.state.generator.tobytes() == b"\xff" * 24


@pytest.mark.parametrize("seat", [ANTONY, MARY, SERGE, SPECTATOR])
def test_hidden_cards_are_not_in_the_record_that_bots_get(seat: int) -> None:
    """design.md: a view is the same record with what is hidden set to UNKNOWN."""
    seen = hidden_table().view(seat).state
    for other in range(3):
        hand = seen.hand[other, : seen.hand_count[other]].tolist()
        assert (UNKNOWN in hand, len(hand)) == (other != seat, 3)
        assert other == seat or set(hand) == {UNKNOWN}
        assert (seen.table_card[3 + other] == UNKNOWN) == (other != seat)
    assert set(seen.pile[: seen.pile_count].tolist()) == {UNKNOWN}


def test_a_view_knows_its_own_seats_moves_only() -> None:
    game = position(phase="face up", hands={ANTONY: [*HANDS[ANTONY], "place 3/night", "return 1/night"]})
    assert list(game.view(ANTONY).legal_moves()) == list(game.legal_moves(ANTONY))
    assert len(game.view(ANTONY).legal_moves()) == 15
    assert len(game.view(MARY).legal_moves()) == 0
    assert len(game.view().legal_moves()) == 0


def test_a_view_cannot_be_played_on() -> None:
    view = position().view(0)
    assert not hasattr(view, "play")
    assert not hasattr(view, "play_action")


def test_there_is_no_view_of_a_seat_that_does_not_exist() -> None:
    for seat in (3, -1, -2):
        with pytest.raises(AtollError, match="seats are 0 to 2"):
            position().view(seat)


# The record of a running game


def record_for(game: Position, moves: list[tuple[int, Json]], seat: int) -> list[Json]:
    """The redacted record of a game that began at `game`, with these moves, as `seat` may read it."""
    actions = [(whose, GAME.notation.action_of(move)) for whose, move in moves]
    return list(redacted(game, actions, ["Antony", "Mary", "Serge"], seat))


def down(name: str, front: int) -> Json:
    return {"do": "play card", "card": name, "in_front_of": front}


FACE_DOWN_MOVES = [
    (ANTONY, down("move native/night", MARY)),
    (MARY, down("place 1/low tide", MARY)),
    (SERGE, down("place 2/high tide", ANTONY)),
]
TO_THE_REVEAL = [
    *((seat, {"do": "keep native"}) for seat in (ANTONY, MARY, SERGE)),
    (ANTONY, {"do": "turn condition", "condition": "time"}),
]


@pytest.mark.parametrize("seat", [ANTONY, MARY, SERGE, SPECTATOR])
def test_the_move_that_played_a_hidden_card_hides_it_until_the_reveal(seat: int) -> None:
    """CR-10 and records.md: from all but its player, until the reveal."""
    game = position(phase="face down", hands=HANDS)
    lines = record_for(game, [*FACE_DOWN_MOVES, *TO_THE_REVEAL[:3]], seat)
    shown = [line["move"] for line in lines[1:4]]
    assert shown == [move if whose == seat else {**move, "card": None} for whose, move in FACE_DOWN_MOVES]
    lines = record_for(game, [*FACE_DOWN_MOVES, *TO_THE_REVEAL], seat)
    assert [line["move"] for line in lines[1:4]] == [move for _, move in FACE_DOWN_MOVES]


@pytest.mark.parametrize("seat", [ANTONY, SPECTATOR])
def test_a_running_games_record_hides_the_seed_and_the_start(seat: int) -> None:
    """records.md."""
    game = GAME.start(3, 5)
    [head] = record_for(game, [], seat)
    assert head["seed"] is None
    assert head["start"] == game.view(seat).to_json()


# Drawing a full position that agrees with a view


def drawn(view: View, seed: int) -> Json:
    made = view.resample(seed)
    check_complete(made)
    return made.to_json()


@pytest.mark.parametrize("seat", [ANTONY, MARY, SERGE, SPECTATOR])
@pytest.mark.parametrize("round_number", [1, 3, 5])
def test_what_is_drawn_agrees_with_all_that_the_seat_sees(seat: int, round_number: int) -> None:
    """design.md: own hand, own hidden card, table, discard pile and all counts stay."""
    game = (
        hidden_table(round=round_number)
        if round_number < 5
        else position(phase="native", table=DOWN, round=5, hands={s: HANDS[s][:2] for s in range(3)})
    )
    view = game.view(seat)
    for seed in range(50):
        full = drawn(view, seed)
        cards = [*full["draw_pile"], *full["discarded"], *(entry["card"] for entry in full["table"])]
        for player in full["players"]:
            cards += player["hand"]
        assert Counter(cards) == deck(3)
        assert abridged(GAME, full).view(seat).to_json() == view.to_json()


def test_what_can_be_counted_is_not_drawn() -> None:
    """In the last round of two, with the other's hand of two and one hidden card, three cards are unseen."""
    table = [card("place 1/day", 0), card("place 2/day", 0, by=1), card("place 3/day", 1, by=1, face="down")]
    game = position(
        2,
        phase="face down",
        round=5,
        table=table,
        hands={
            0: ["place 1/night", "place 2/night", "place 3/night"],
            1: ["place 1/low tide", "place 2/low tide"],
        },
        to_act=0,
    )
    unseen = Counter({"place 3/day": 1, "place 1/low tide": 1, "place 2/low tide": 1})
    for seed in range(60):
        full = drawn(game.view(0), seed)
        assert Counter([full["table"][2]["card"], *full["players"][1]["hand"]]) == unseen
        assert full["players"][0]["hand"] == game.to_json()["players"][0]["hand"]
    assert len({drawn(game.view(0), seed)["table"][2]["card"] for seed in range(60)}) == 3


def test_a_single_unseen_card_is_known_by_counting() -> None:
    """Whoever sees all cards but one knows the last."""
    table = [card("place 1/day", 0), card("place 2/day", 0, by=1), card("place 3/day", 1, by=1, face="down")]
    state = position(2, phase="face down", round=5, table=table, to_act=0).to_json()
    state["discarded"] += state["players"][1]["hand"]
    state["players"][1]["hand"] = []
    game = abridged(GAME, state)
    assert {drawn(game.view(0), seed)["table"][2]["card"] for seed in range(20)} == {"place 3/day"}


def test_every_unseen_deal_is_equally_likely() -> None:
    """Three unseen cards, one hidden on the table and two in a hand, one of them twice: with the two equal cards
    told apart there are three deals of equal chance, so that the single card lies hidden in a third of them.
    """
    table = [card("place 1/day", 0), card("place 3/day", 0, by=1), card("place 2/day", 1, by=1, face="down")]
    state = position(
        3,
        phase="face down",
        round=5,
        table=table,
        hands={1: ["place 2/day", "return 1/night"]},
        to_act=0,
    ).to_json()
    state["discarded"] += state["players"][2]["hand"]
    state["players"][2]["hand"] = []
    game = abridged(GAME, state)
    draws = 1800
    found = Counter(drawn(game.view(0), seed)["table"][2]["card"] for seed in range(draws))
    assert set(found) == {"place 2/day", "return 1/night"}
    deviation = (draws * (1 / 3) * (2 / 3)) ** 0.5
    assert abs(found["return 1/night"] - draws / 3) < 4 * deviation


def test_the_pile_is_drawn_in_every_order() -> None:
    """Two cards of the pile, everything else seen by nobody but known by counting: both orders, half each."""
    state = words(2, phase="face up", round=4)
    kept = state["draw_pile"][:2]
    state["discarded"] += state["draw_pile"][2:] + [name for p in state["players"] for name in p["hand"]]
    state["draw_pile"] = kept
    for player in state["players"]:
        player["hand"] = []
    assert kept[0] != kept[1]
    game = abridged(GAME, state)
    found = Counter(tuple(drawn(game.view(0), seed)["draw_pile"]) for seed in range(1000))
    assert set(found) == {tuple(kept), tuple(reversed(kept))}
    assert abs(found[tuple(kept)] - 500) < 4 * (1000 * 0.25) ** 0.5


def test_the_same_seed_draws_the_same() -> None:
    view = hidden_table().view(MARY)
    assert drawn(view, 3) == drawn(view, 3)
    assert drawn(view, 3) != drawn(view, 4)


def test_an_error_tells_a_player_nothing_of_other_hands() -> None:
    """Antony tries a card that Mary holds, and one that is in the pile: the answers are the same."""
    game = position(phase="face up", hands={ANTONY: [*HANDS[ANTONY], "place 3/night", "return 1/night"]})
    own, marys = (set(game.to_json()["players"][seat]["hand"]) for seat in (ANTONY, MARY))
    held = min(marys - own)
    buried = min(set(game.to_json()["draw_pile"]) - own - marys)
    told = []
    for name in (held, buried):
        with pytest.raises(IllegalMove) as refused:
            play(game, "play card", card=name, in_front_of=MARY)
        told.append(str(refused.value).replace(name, "X"))
    assert told[0] == told[1]

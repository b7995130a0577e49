"""What is particular to this game's records (records.md, costa-ruana)."""

import random

import msgspec
import pytest

from atoll.core import records
from atoll.core.game import Position
from atoll.core.state import SPECTATOR
from atoll.testing.playing import abridged
from atoll.text.errors import RecordError

from .positions import ANTONY, GAME, MARY, SERGE, card, play, position, resolving, words


def test_a_start_is_the_position_before_the_first_native() -> None:
    head = records.header(GAME.start(3, 5), ["a", "b", "c"], 5)
    assert head["start"]["phase"] == "setup"
    assert head["start"]["round"] == 1
    assert head["components"] == {"name": "reconstruction", "sha256": GAME.components().sha256}


def test_no_move_of_this_game_says_what_chance_decided() -> None:
    """After the deal, which the start holds, nothing is left to chance."""
    game = GAME.start(3, 5)
    lines = [records.header(game, ["a", "b", "c"], 5)]
    seat = game.to_act[0]
    move = next(iter(game.legal_moves(seat)))
    before = game.copy()
    line = records.decision(before, game, seat, move, game.play(seat, move))
    assert "chance" not in line
    with pytest.raises(RecordError, match="line 2: nothing was left to chance in this move"):
        list(
            records.replay(
                next(
                    records.read_records(
                        [*map(msgspec.json.encode, lines), msgspec.json.encode(line | {"chance": {}})]
                    )
                )
            )
        )


@pytest.mark.parametrize(
    "phase",
    ["order", "take treasure", "drop treasure", "return", "place", "take native", "drop native"],
)
def test_a_state_alone_does_not_restore_a_resolution(phase: str) -> None:
    with pytest.raises(RecordError, match=f"phase “{phase}”"):
        Position.from_json(GAME, words(phase=phase), GAME.components(), {})


def test_lists_are_sorted_or_chronological_as_the_format_says() -> None:
    table = [
        card("place 1/night", SERGE, [SERGE, ANTONY]),
        card("return 1/day", ANTONY),
        card("move native/high tide", MARY),
    ]
    game = resolving(table)
    state = game.to_json()
    assert [entry["card"] for entry in state["table"]] == [entry["card"] for entry in table]
    assert [entry["natives"] for entry in state["table"]] == [[ANTONY, SERGE], [], []]
    for player in state["players"]:
        assert player["hand"] == sorted(player["hand"])


def test_inactive_and_resolved_cards_are_marked_and_bare() -> None:
    table = [
        card("place 1/night", ANTONY, [MARY]),
        card("return 1/day", ANTONY, [SERGE]),
        card("place 2/night", SERGE),
    ]
    game = resolving(table)
    for _ in range(2):
        play(game, "place native", island=0)
    found = [(entry["resolved"], entry["natives"]) for entry in game.to_json()["table"]]
    assert found == [(True, []), (True, []), (False, [])]


def test_cards_drawn_are_told_to_who_drew_them_alone() -> None:
    game = position()
    before = game.to_json()
    events = play(game, "turn condition", condition="time")
    after = game.to_json()
    drawn = {
        seat: [name for name in after["players"][seat]["hand"] if name not in before["players"][seat]["hand"]]
        for seat in range(3)
    }
    assert any(drawn.values())
    hide = GAME.notation.hide_event
    hidden = {seat: [hide(event, seat) for event in events] for seat in (ANTONY, MARY, SERGE, SPECTATOR)}
    told = {
        seat: sum(one != other for one, other in zip(hidden[seat], events, strict=True)) for seat in hidden
    }
    # Two cards each: of six, one sees one's own two.
    assert told == {ANTONY: 4, MARY: 4, SERGE: 4, SPECTATOR: 6}


def test_the_order_in_which_one_draws_is_told_to_nobody() -> None:
    """CR-20: all cards are drawn at once, so their order in the pile, which nobody sees, shows nowhere."""
    start = position().to_json()
    pile = start["draw_pile"]
    other = next(i for i, name in enumerate(pile) if name != pile[0])
    told = []
    for first_two in ((pile[0], pile[other]), (pile[other], pile[0])):
        rest = [name for i, name in enumerate(pile) if i not in (0, other)]
        shuffled = {**start, "draw_pile": [*first_two, *rest]}
        game = abridged(GAME, shuffled)
        told.append(play(game, "turn condition", condition="time"))
    assert told[0] == told[1]


def test_more_cards_on_the_table_than_turns_taken_are_refused() -> None:
    """CR-10: 11 cards face down and the Shaman to act again would be a card beyond the table's last place."""
    game, chance = GAME.start(6, 5), random.Random(5)
    while game.to_json()["phase"] != "face down" or len(game.to_json()["table"]) < 11:
        [seat] = game.to_act
        game.play_action(seat, chance.choice(game.legal_moves(seat).actions.tolist()))
    state = game.to_json()
    Position.from_json(GAME, state, GAME.components(), {})
    last, first = game.to_act[0], state["shaman"]
    for wrong in ({"to_act": [first]}, {"shaman": last}, {"to_act": [first], "shaman": last}):
        with pytest.raises(RecordError, match="the position cannot be right: "):
            Position.from_json(GAME, {**state, **wrong}, GAME.components(), {})

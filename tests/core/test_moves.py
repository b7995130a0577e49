"""Moves declared once: codes, words and the compiled functions agree."""

from itertools import product

import numpy as np
import pytest

from atoll.core.moves import Kind, Moves, Part, all_of
from atoll.text.errors import AtollError

CARD = Part("card", range(1, 6), of="card", least=1)
MOVES = Moves(
    Kind("pass"),
    Kind("lay", CARD, Part("at", [[x, y] for y in range(3) for x in range(3)], of="cell")),
    Kind("give", CARD, Part("to", range(4), of="seat")),
    Kind(
        "trade", Part("what", ("fish", "fruit", None), of="resource"), CARD, Part("to", range(4), of="seat")
    ),
    Kind("send", *(Part(name, range(2, 4), of="number", least=2) for name in "abcd")),
)


def test_codes_count_kind_by_kind_and_the_last_part_changes_fastest() -> None:
    assert [kind.first for kind in MOVES.kinds] == [0, 1, 46, 66, 126]
    assert len(MOVES) == 142
    assert MOVES.move_of(0) == {"do": "pass"}
    assert MOVES.move_of(1 + 9 + 5) == {"do": "lay", "card": 2, "at": [2, 1]}
    assert MOVES.move_of(66 + 40 + 4) == {"do": "trade", "what": None, "card": 2, "to": 0}


def test_a_move_is_made_of_its_parts_in_their_order() -> None:
    assert MOVES.move("pass") == {"do": "pass"}
    assert MOVES.move("lay", 2, [2, 1]) == MOVES.move_of(1 + 9 + 5)


def test_all_moves_of_a_kind_are_offered_from_the_first_on() -> None:
    out = np.full(6, -1)
    assert all_of(out, MOVES.first("give"), 4) == 4
    assert out.tolist() == [46, 47, 48, 49, -1, -1]


@pytest.mark.parametrize("word", ["lay", "give", "trade", "send"])
def test_compiled_functions_encode_and_decode_what_is_declared(word: str) -> None:
    encode, decode = MOVES.coding(word)
    kind = next(kind for kind in MOVES.kinds if kind.word == word)
    numbers = product(*(range(part.least, part.least + len(part.words)) for part in kind.parts))
    for code, parts in enumerate(numbers, start=kind.first):
        assert encode(*parts) == code
        assert decode(code) == parts == kind.numbers(code)


@pytest.mark.parametrize(
    ("move", "sentence"),
    [
        ({"do": "lay", "card": 9, "at": [0, 0]}, r"“lay” has the keys do, card, at, for example .*; not .*9"),
        ({"do": "lay", "card": True, "at": [0, 0]}, "“lay” has the keys"),
        ({"do": "fly"}, "there is no move “fly”; there are: pass, lay, give, trade, send"),
        ({}, "there is no move “None”"),
        ("pass", "there is no move “None”"),
    ],
)
def test_words_that_are_no_move_are_refused_with_a_sentence(move: object, sentence: str) -> None:
    with pytest.raises(AtollError, match=sentence):
        MOVES.action_of(move)  # type: ignore[arg-type]


def test_a_move_that_is_changed_changes_no_other() -> None:
    MOVES.move_of(1)["at"].append(7)
    assert MOVES.move_of(1)["at"] == [0, 0]

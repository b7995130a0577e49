"""The tables of what waits and what is asked: a row for each code of the state."""

import pytest

from atoll.games.cast_away import effects, goods
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import WORDS
from atoll.games.cast_away.effects import EFFECTS, QUESTIONS, QuestionRow
from atoll.games.cast_away.moves import MOVES


def test_every_phase_but_the_action_phase_and_the_end_is_a_question_once() -> None:
    asked = sorted(question.phase for question in QUESTIONS)
    assert asked == [phase for phase in range(len(ca.PHASES)) if phase not in (ca.ACTION, ca.OVER)]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.word)
def test_a_question_is_answered_by_all_moves_of_its_kind(question: QuestionRow) -> None:
    """The rules find the row by the phase, and the moves by the code of the first and their number."""
    first, count = effects.FIRST_ANSWER[question.phase], effects.MOST_ANSWERS[question.phase]
    assert QUESTIONS[effects.ROW[question.phase]] is question
    assert count <= effects.MAX_ANSWERS
    words = [MOVES.move_of(action)["do"] for action in range(len(MOVES))]
    assert [code for code, word in enumerate(words) if word == question.word] == list(
        range(first, first + count)
    )


def test_words_on_the_pile_are_carried_out_by_their_functions() -> None:
    """`state.py` numbers those that rules and cards put there, the rest follow."""
    assert EFFECTS[ca.FINISH_BUILDING] is effects.finish_building
    assert EFFECTS[ca.DRAW_FISH] is effects.draw_fish
    assert EFFECTS[ca.SHUFFLE_FISHING] is effects.shuffle_fishing
    assert EFFECTS[ca.CARRY_OUT] is effects.carry_out
    assert EFFECTS[ca.PAY] is goods.pay
    assert all(EFFECTS[word.code] is word.function for word in WORDS if word.function)
    assert len(EFFECTS) <= ca.QUESTION

"""A finished game, explained: luck and skill add up, and what may be chance is no error."""

import pytest

from atoll.core.catalogue import find_game
from atoll.core.records import Record, decision, header
from atoll.lab.analysis import analyse
from atoll.lab.estimates import Estimate
from atoll.lab.judge import kind_of
from atoll.text.errors import RecordError


def some_record(decisions: int | None = None) -> Record:
    """A game of Costa Ruana for two in which each takes its first move, as far as so many decisions."""
    position = find_game("costa-ruana").start(2, seed=5)
    record = Record(header(position, ["Ann", "Ben"], None))
    while not position.is_over and len(record.decisions) != decisions:
        seat = position.to_act[0]
        action = int(position.legal_moves(seat).actions[0])
        before = position.copy()
        events = position.play_action(seat, action)
        record.decisions.append(
            decision(before, position, seat, position.game.notation.move_of(action), events)
        )
        record.lines.append(len(record.decisions) + 1)
    return record


def test_luck_and_skill_add_up_to_each_result() -> None:
    analysis = analyse(some_record(), worlds=20)
    assert sum(share.value for share in analysis.shares[0]) == pytest.approx(1)
    for part in analysis.parts:
        total = part.fair + part.deal.value + part.chance.value + part.own.value + part.others.value
        assert total == pytest.approx(part.result, abs=1e-9)
        by_round = sum(one.chance.value for one in part.rounds)
        assert by_round == pytest.approx(part.chance.value, abs=1e-9)
    assert {one.seat for one in analysis.decisions} == {0, 1}
    assert all(one.loss.low > 0 for one in analysis.moments)


def test_a_game_that_is_not_over_is_refused() -> None:
    with pytest.raises(RecordError, match="only finished games are analysed"):
        analyse(some_record(9), worlds=20)


@pytest.mark.parametrize(
    ("value", "low", "kind"),
    [
        (0.3, -0.01, "fine"),
        (0.3, 0.0, "fine"),
        (0.02, 0.01, "fine"),
        (0.05, 0.01, "inaccuracy"),
        (0.1, 0.01, "mistake"),
        (0.11, 0.01, "blunder"),
    ],
)
def test_what_may_be_chance_is_no_error(value: float, low: float, kind: str) -> None:
    assert kind_of(Estimate(value, low, 1.0)) == kind

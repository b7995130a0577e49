"""A finished game, explained: luck and skill add up, and what may be chance is no error."""

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.json import decode, encode
from numpy.typing import NDArray

from atoll.bots.search import Evaluation
from atoll.core.catalogue import find_game
from atoll.core.game import View
from atoll.core.records import Record, decision, header
from atoll.lab import analysis, judge
from atoll.lab.analysis import Finding, JudgedDecision, analyse
from atoll.lab.estimates import Estimate, Z
from atoll.lab.judge import Judge, kind_of
from atoll.text.errors import RecordError


def some_record(decisions: int | None = None, players: Sequence[str] = ("Ann", "Ben")) -> Record:
    """A game of Costa Ruana for two in which each takes its first move, as far as so many decisions."""
    position = find_game("costa-ruana").start(2, seed=5)
    record = Record(header(position, list(players), None))
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


def test_luck_and_skill_add_up_to_each_result_and_an_analysis_goes_on_where_it_was() -> None:
    record, found = some_record(), list[Finding]()

    def keep(findings: Sequence[Finding], total: int) -> None:
        found[:] = findings
        assert len(findings) <= total

    explained = analyse(record, worlds=20, progress=keep)
    assert sum(share.value for share in explained.shares[0]) == pytest.approx(1)
    for part in explained.parts:
        total = part.fair + part.deal.value + part.chance.value + part.own.value + part.others.value
        assert total == pytest.approx(part.result, abs=1e-9)
        by_round = sum(one.chance.value for one in part.rounds)
        assert by_round == pytest.approx(part.chance.value, abs=1e-9)
    assert {one.seat for one in explained.decisions} == {0, 1}
    assert all(one.loss.low > 0 and one.gain > 0 for one in explained.moments)
    known = decode(encode(found[:-9]), type=list[Finding])
    assert isinstance(known[0], JudgedDecision)
    assert encode(analyse(record, worlds=20, progress=keep, known=known)) == encode(explained)


def test_a_game_that_is_not_over_is_refused() -> None:
    with pytest.raises(RecordError, match="only finished games are analysed"):
        analyse(some_record(9), worlds=20)


def test_only_a_persons_errors_have_every_move_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """As puzzles, which nobody would solve of a bot's; it is what takes longest."""
    monkeypatch.setattr(judge, "CLASSES", (("fine", -9.0), ("blunder", 1.0)))
    monkeypatch.setattr(judge, "CONFIRMED", (2,))
    for name in ("ROUND", "FEWEST", "SURE", "TOLD"):
        monkeypatch.setattr(judge, name, 2)
    monkeypatch.setattr(analysis, "LISTED", 1)
    found = analyse(some_record(players=("Ann", "bot: greedy")), worlds=2).decisions
    assert {one.kind for one in found} == {"blunder"}
    assert {(one.seat, bool(one.choices)) for one in found} == {(0, True), (1, False)}


def surely(least: float) -> Estimate:
    """A loss of 30 points of which that is the least, three standard errors below."""
    return Estimate(0.3, 0.3 - (0.3 - least) * Z / 3, 0.3 + (0.3 - least) * Z / 3)


@pytest.mark.parametrize(
    ("least", "gain", "kind"),
    [
        (-0.1, 0.3, "fine"),
        (0.019, 0.3, "fine"),
        (0.03, 0.3, "inaccuracy"),
        (0.07, 0.3, "mistake"),
        (0.11, 0.3, "blunder"),
        (0.11, 0.0, "fine"),
        (0.11, 0.1, "mistake"),
        (0.11, 0.045, "fine"),
    ],
)
def test_an_error_is_surely_one_and_a_search_agrees(least: float, gain: float, kind: str) -> None:
    assert kind_of(surely(least), gain) == kind


class Scripted:
    """An engine in which the second legal move wins every game and no other does; its searches hold it for better than
    the first by one of `gains` after the other.
    """

    def __init__(self, *gains: float) -> None:
        self.gains = list(gains)
        self.iterations: list[int] = []

    def shares(
        self, view: View, bot: int, seed: int, worlds: int, firsts: Sequence[int] = ()
    ) -> NDArray[np.float64]:
        better = [[[action == self.better] * view.players] * worlds for action in firsts]
        return np.array(better, dtype=np.float64)

    def search(self, view: View, seed: int, iterations: int) -> list[Evaluation]:
        self.better, played = view.legal_moves().actions.tolist()[1::-1]
        self.iterations.append(iterations)
        return [Evaluation(self.better, 9, 0.5), Evaluation(played, 9, 0.5 - self.gains.pop(0))]


@pytest.mark.parametrize(
    ("gains", "kind", "iterations"),
    [
        ((0.3, 0.3, 0.3), "blunder", [1000, 8000, 32_000]),
        ((0.3, 0.3, 0.0), "fine", [1000, 8000, 32_000]),
        ((0.3, 0.3, 0.09), "mistake", [1000, 8000, 32_000]),
        ((0.3, 0.07), "inaccuracy", [1000, 8000]),
        ((0.3, 0.01), "fine", [1000, 8000]),
        ((0.04,), "fine", [1000]),
    ],
)
def test_deeper_searches_have_to_hold_an_error_for_one_too(
    gains: tuple[float, ...], kind: str, iterations: list[int]
) -> None:
    """A second one for any error, a third for a mistake or worse."""
    position = find_game("costa-ruana").start(2, seed=5)
    view = position.view(position.to_act[0])
    engine = Scripted(*gains)
    judged = Judge(1, engine=engine).judge_by_search(view, int(view.legal_moves().actions[0]), 200)
    assert judged is not None
    assert (judged.kind, engine.iterations) == (kind, iterations)

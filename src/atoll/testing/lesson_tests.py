"""Lessons, if the game has any: they can be followed from the first step to the last."""

from collections.abc import Iterator

from atoll.core.game import Game, Position
from atoll.core.lessons import LEARNER, Script, scripts_of
from atoll.core.types import Json

MOST_CHOICES = 6
"""Of a step's moves so many are tried, the most."""


def follow(game: Game, script: Script, choice: int) -> Iterator[tuple[Position, int, Json]]:
    """Play a lesson's game to its last step: each position, who decides and how.

    Where a step asks for one of several moves, it is the one of number `choice`, counted round and round.
    """
    lesson = script.lesson
    position = game.start(lesson.players, lesson.seed)
    decided: dict[int, int] = {}
    while decided.get(LEARNER, 0) < len(script.steps):
        seat, moves = script.next_moves(position, decided)
        move = moves[choice % len(moves)]
        yield position, seat, move
        position.play(seat, move)
        decided[seat] = decided.get(seat, 0) + 1


class LessonTests:
    """What the lessons of any game must do."""

    def test_lessons_can_be_followed_whatever_of_the_moves_asked_for_one_makes(self, game: Game) -> None:
        for script in scripts_of(game).values():
            for choice in range(MOST_CHOICES):
                moves = [(seat, move) for _, seat, move in follow(game, script, choice)]
                assert script.number(moves) == len(script.steps)

    def test_the_step_of_a_lesson_follows_from_the_moves_alone(self, game: Game) -> None:
        for script in scripts_of(game).values():
            moves: list[tuple[int, Json]] = []
            for position, seat, move in follow(game, script, 0):
                number = sum(by == LEARNER for by, _ in moves)
                assert script.number(moves) == number
                others = [other for other in position.view(seat).legal_moves() if other != move]
                step = script.steps[number]
                strayed = [o for o in others if seat != LEARNER or not step.asks_for(o)]
                assert all(script.number([*moves, (seat, other)]) is None for other in strayed)
                moves.append((seat, move))

    def test_every_step_of_a_lesson_has_a_reason_for_each_other_move(self, game: Game) -> None:
        """No reason of a step is left over: for each there is a legal move for which it is given."""
        for script in scripts_of(game).values():
            steps = iter(script.steps)
            for position, seat, _ in follow(game, script, 0):
                if seat != LEARNER:
                    continue
                step = next(steps)
                others = [move for move in position.view(seat).legal_moves() if not step.asks_for(move)]
                reasons = {step.reason(move) for move in others}
                unused = {wrong.why for wrong in step.wrong} - reasons
                assert not unused, (
                    f"{script.lesson.name}: {step.ask} gives no legal move the reasons {unused}"
                )

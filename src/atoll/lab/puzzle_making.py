"""Makes puzzles of games that bots play: what one bot finds, two must agree on.

A search plays; where it holds one move for much better than the others, or several for as good, all moves are played on
by a quick bot in the same worlds, first in few, then those that may be the best in more and new ones. Deeper searches
have to agree. Levels follow from what weaker bots choose there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count as numbers_from

import numpy as np
from numpy.typing import NDArray

from atoll.bots.bot import QUICK_BOTS, Bot, SearchBot
from atoll.bots.catalogue import LEVELS as BOT_LEVELS
from atoll.bots.catalogue import find_bot
from atoll.bots.guidance import NEVER, foretold_after, is_guided
from atoll.bots.iteration import USUAL, Tuning
from atoll.bots.search import evaluate
from atoll.core.game import Game, View
from atoll.engine.chance import derive, generator
from atoll.lab.batches import Workers, in_order
from atoll.lab.continued import play_on
from atoll.lab.estimates import Estimate, Z, matched
from atoll.lab.judge import POLICY
from atoll.lab.puzzles import LEVELS, ONE, SEVERAL, Choice, Puzzle, Why, view_fields
from atoll.lab.reasons import reasons

ITERATIONS = 300
"""Of the search that plays."""
WEAKER = ("greedy", "trained", "easy", "normal")
"""Who may sit beside it, so that positions are not those of good play alone; without limits of time."""
STRONG = 0.6
"""Share of seats in which the search plays, at least one."""
SEEMS_BETTER, SEEM_ALIKE = 0.06, 0.03
"""What the search has to hold its best move for better by, and its best three for no more than that."""
FEWEST = 3
"""Legal moves of a puzzle."""
OPEN = 0.1, 0.9
"""Share of the win between which a game is still open."""
VISITED = 8
"""Iterations from which on the search's word on a move counts."""
ROUNDS = (60, 240, 1000)
"""Worlds of each round; only what may be the best after one comes into the next, whose worlds are new."""
MOST_LEFT = 8
"""Moves in the last round; a position where more may be the best is none for a puzzle."""
BETTER = 0.08
"""Share of the win by which one move is better than every other."""
SURE_Z = 2.575829
"""Of a 99 % interval, in standard errors."""
FINE, SURELY_FINE = 0.03, 0.06
"""What each of several fine moves costs at most, and the end of its interval."""
FEWEST_FINE = 3
CONFIRMING = 8000, 32_000
"""Iterations of deeper searches that have to find the same, one after the other."""
CONFIRMS, CONFIRMS_ALIKE = 0.03, 0.04
"""What each must hold the one move for better by, and the fine ones for no more apart."""
AGREEING = 3
"""Searches more, of as many iterations as the first of these; one that goes astray by chance takes a wrong move."""
CONFIRMS_UNGUIDED = 0.015
"""Where a network guides the search and predicts no results, one more does without it, since moves that it takes for
bad are hardly tried; of as many iterations as the last, it must hold the one move for better by so much."""
TRIES = 4
"""Of each level of bots."""
MOSTLY = 0.5
QUIET = 5
"""One in so many games gives a puzzle with several fine moves."""
MOST_OF_A_GAME = 2
"""Puzzles that each of the other games gives, in which one move is best."""
APART = 4
"""Decisions between two of them, at least."""
SEATING, CHOOSING, LOOKING, CONFIRM, TRYING, EXPLAINING = range(6)
"""Steps by which the seeds of what is done in a game differ."""


def make_puzzles(
    game: Game,
    count: int,
    seed: int,
    workers: Workers = 1,
    known: Sequence[Puzzle] = (),
) -> Iterator[Puzzle]:
    """Puzzles of a game until there are so many with the `known` ones, which are the first ones of the same seed.

    The same seed gives the same puzzles. Raises EndlessGame, and Stopped.
    """
    made = len(known)
    last = known[-1].origin if known else (seed, 0, -1)
    if made >= count:
        return
    work = (partial(puzzles_of_game, game, seed, number) for number in numbers_from(last[1]))
    for found in in_order(work, workers):
        for puzzle in found:
            if puzzle.origin <= last:
                continue
            made += 1
            yield puzzle
            if made == count:
                return


def puzzles_of_game(game: Game, seed: int, number: int) -> list[Puzzle]:
    """The puzzles of one game that bots play."""
    rng = np.random.default_rng(derive(seed, number, SEATING))
    few = [players for players in game.seats if players <= 4] or [game.default_players]
    players = int(rng.choice(few))
    bots: list[Bot | None] = [
        None if rng.random() < STRONG else timeless(find_bot(str(rng.choice(WEAKER)))) for _ in range(players)
    ]
    bots[int(rng.integers(players))] = None
    position = game.start(players, derive(seed, number))
    found: list[Puzzle] = []
    kind, most = (SEVERAL, 1) if number % QUIET == 0 else (ONE, MOST_OF_A_GAME)
    last = -APART
    for decision in position.until_over():
        seat = position.to_act[int(rng.integers(len(position.to_act)))]
        view, chance = position.view(seat), derive(seed, number, CHOOSING, decision)
        moves = view.legal_moves().actions
        bot = bots[seat]
        if bot is not None or len(moves) == 1:
            action = int(moves[0]) if bot is None else bot.choose(view, chance)
        else:
            looked = _look(view, chance, ITERATIONS)
            action = next(iter(looked), int(moves[0]))
            if decision >= last + APART and _seems(looked, len(moves)) == kind:
                puzzle = _Maker(view, (seed, number, decision)).make(kind)
                if puzzle is not None:
                    found.append(puzzle)
                    last = decision
                if len(found) == most:
                    break
        position.play_action(seat, action)
    return found


def timeless(bot: Bot) -> Bot:
    """The same bot without a limit of time, so that it is the same on every machine."""
    return replace(bot, milliseconds=None) if isinstance(bot, SearchBot) else bot


def _look(view: View, seed: int, iterations: int, tuning: Tuning = USUAL) -> dict[int, float]:
    """What a search holds of the moves that it visited, the most visited first."""
    return {
        move.action: move.wins
        for move in evaluate(view, generator(seed), iterations, None, tuning)
        if move.visits >= VISITED
    }


def _seems(looked: dict[int, float], moves: int) -> str:
    """What kind of puzzle a search takes a position for; empty for none."""
    wins = list(looked.values())
    if not wins or moves < FEWEST or not OPEN[0] < wins[0] < OPEN[1]:
        return ""
    if len(wins) > 1 and wins[0] - max(wins[1:]) >= SEEMS_BETTER:
        return ONE
    if len(wins) >= FEWEST_FINE and wins[0] - min(wins[:FEWEST_FINE]) <= SEEM_ALIKE:
        return SEVERAL
    return ""


@dataclass(frozen=True)
class _Maker:
    """Makes a puzzle of a view, if it is good for one."""

    view: View
    origin: tuple[int, int, int]

    def make(self, kind: str) -> Puzzle | None:
        """The puzzle, if both bots agree on it."""
        choices = self._choices(kind)
        if choices is None or not _is_of(kind, choices) or not self._agrees(kind, choices):
            return None
        view = self.view
        move_of = view.game.notation.move_of
        found = {level: self._found(level, choices) for level in LEVELS}
        return Puzzle(
            game=view.game.name,
            rules_version=view.game.rules_version,
            components=view.components.name,
            options={name: bool(on) for name, on in view.options.items()},
            seat=view.seat,
            view=view_fields(view),
            kind=kind,
            level=next((name for name in LEVELS if found[name] >= MOSTLY * TRIES), LEVELS[-1]),
            choices=[
                Choice(move_of(action), *(round(one, 3) for one in (loss.value, loss.low, loss.high)))
                for action, loss in choices
            ],
            why=self._why(choices) if kind == ONE else [],
            found=found,
            tries=TRIES,
            origin=self.origin,
        )

    def _seed(self, *path: int) -> int:
        seed, number, decision = self.origin
        return derive(seed, number, decision, *path)

    def _choices(self, kind: str) -> list[tuple[int, Estimate]] | None:
        """All moves with what they cost against the best, the best first; None where too many may be that, or where
        that ends early, since it is no puzzle of this kind.
        """
        place = [bot.name for bot in QUICK_BOTS].index(POLICY)
        left = self.view.legal_moves().actions.tolist()
        shares: dict[int, NDArray[np.float64]] = {}
        rounds: dict[int, dict[int, NDArray[np.float64]]] = {}
        for number, worlds in enumerate(ROUNDS):
            if len(left) > MOST_LEFT and number == len(ROUNDS) - 1:
                return None
            ends = play_on(self.view, place, self._seed(LOOKING, number), worlds, left)
            shares = dict(zip(left, ends.shares[:, :, self.view.seat], strict=True))
            rounds |= dict.fromkeys(left, shares)
            best = max(left, key=lambda action: float(shares[action].mean()))
            bounds = {
                action: _sure(matched(shares[best] - shares[action])) for action in left if action != best
            }
            left = [action for action in left if action == best or bounds[action][0] <= 0]
            if kind == SEVERAL and len(left) < FEWEST_FINE:
                return None
            if kind == ONE and any(high < BETTER for _, high in bounds.values()):
                return None
        losses = {
            action: matched(rounds[action][best] - rounds[action][action])
            if action != best
            else Estimate(0.0, 0.0, 0.0, ROUNDS[-1], "none")
            for action in rounds
        }
        return sorted(losses.items(), key=lambda one: (one[0] != best, one[1].value))

    def _agrees(self, kind: str, choices: Sequence[tuple[int, Estimate]]) -> bool:
        """Whether deeper searches find the same."""
        right, more = _right(choices), len(CONFIRMING)
        if not all(
            _confirms(kind, right, self._looked(number, iterations))
            for number, iterations in enumerate(CONFIRMING)
        ):
            return False
        if not all(
            _takes_one(right, self._looked(more + number, CONFIRMING[0])) for number in range(AGREEING)
        ):
            return False
        game = self.view.game
        if not is_guided(game) or foretold_after(game) != NEVER:
            return True
        unguided = self._looked(more + AGREEING, CONFIRMING[-1], USUAL.without_guide())
        return _takes_one(right, unguided) and (
            kind == SEVERAL or _ahead(right, unguided) >= CONFIRMS_UNGUIDED
        )

    def _looked(self, number: int, iterations: int, tuning: Tuning = USUAL) -> dict[int, float]:
        """What the deeper search of that number holds of the moves."""
        return _look(self.view, self._seed(CONFIRM, number), iterations, tuning)

    def _found(self, level: str, choices: Sequence[tuple[int, Estimate]]) -> int:
        """In how many tries a level of bots takes a right move."""
        right = _right(choices)
        bot = timeless(next(bot for bot in BOT_LEVELS if bot.name == level))
        place = LEVELS.index(level)
        return sum(bot.choose(self.view, self._seed(TRYING, place, one)) in right for one in range(TRIES))

    def _why(self, choices: Sequence[tuple[int, Estimate]]) -> list[Why]:
        """What speaks for the best move beside the next ones."""
        actions = [action for action, _ in choices[:3]]
        told = reasons(self.view, self._seed(EXPLAINING), actions, games=ROUNDS[1])[0]
        return [Why(round(one.points, 1), one.part, one.seat) for one in told]


def _right(choices: Sequence[tuple[int, Estimate]]) -> set[int]:
    """The moves that may be the best."""
    return {action for action, loss in choices if loss.low <= 0}


def _takes_one(right: set[int], looked: dict[int, float]) -> bool:
    """Whether a search takes one of the right moves."""
    return next(iter(looked), None) in right


def _ahead(right: set[int], looked: dict[int, float]) -> float:
    """By how much a search holds its move for better than every wrong one."""
    wrong = (wins for action, wins in looked.items() if action not in right)
    return next(iter(looked.values())) - max(wrong, default=0.0)


def _confirms(kind: str, right: set[int], looked: dict[int, float]) -> bool:
    """Whether what a search holds of the moves is that of a puzzle with these right ones; where several are, the game
    has to be open, since all moves are alike once it is lost.
    """
    if not _takes_one(right, looked):
        return False
    if kind == ONE:
        return _ahead(right, looked) >= CONFIRMS
    fine = sorted(looked.get(action, 0.0) for action in right)
    return OPEN[0] < fine[-1] < OPEN[1] and max(looked.values()) - fine[-FEWEST_FINE] <= CONFIRMS_ALIKE


def _sure(loss: Estimate) -> tuple[float, float]:
    """The 99 % interval of a loss."""
    middle, half = (loss.low + loss.high) / 2, SURE_Z / Z * (loss.high - loss.low) / 2
    return middle - half, middle + half


def _is_of(kind: str, choices: Sequence[tuple[int, Estimate]]) -> bool:
    """Whether the losses are those of a kind of puzzle."""
    others = [loss for _, loss in choices[1:]]
    if kind == ONE:
        return all(loss.value >= BETTER and _sure(loss)[0] > 0 for loss in others)
    right = [loss for loss in others if loss.low <= 0]
    return len(right) + 1 >= FEWEST_FINE and all(
        loss.value <= FINE and loss.high <= SURELY_FINE for loss in right
    )

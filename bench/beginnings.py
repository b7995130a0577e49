"""How often seats begin with a rare move, and what it wins them: `python -m bench.beginnings GAME MOVE`.

The games are those of `atoll simulate GAME` with the same components, bots and seed; each is played on only if a seat's
first move is the one that is asked for, so that many more can be dealt in the same time. Moves are named by their kind
and its parts, as records have them, without what carries them out:

    python -m bench.beginnings cast-away "take event" --not "take boosts" "take mystery tile" \\
        --players 3 --components fair --bots search:250 --games 9000 --seed 4301

Who takes a rare move at all has a reason, and might have won more than its share without it. With `--instead` each such
game is played once more, with the bot's best other first move, and the two are compared.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atoll.bots.catalogue import Bot, Player
from atoll.bots.external import named_bots
from atoll.command_options import components_in, progress_bar
from atoll.core.catalogue import find_game, games
from atoll.core.game import Components, Game, Outcome
from atoll.core.position import View
from atoll.lab.batches import in_order
from atoll.lab.estimates import Estimate, matched, mean, mean_share
from atoll.lab.played import game_seed
from atoll.lab.simulate import compile_simulation, seat_bots, step_game


class Asked(NamedTuple):
    """What games are looked for: the kinds of moves that are no first move, and the first move that is wanted."""

    game: Game
    passed: frozenset[str]
    wanted: str

    def name(self, action: int) -> str:
        """A move as it is asked for; nothing for one that is no first move."""
        move = self.game.notation.move_of(action)
        if move["do"] in self.passed:
            return ""
        return " ".join(str(value) for part, value in move.items() if part != "with")


class Other(Player):
    """A player whose first move is its best but the one that is wanted, if there is another."""

    def __init__(self, player: Player, asked: Asked) -> None:
        super().__init__(player.bot, player.generator)
        self.player, self.asked, self.begun = player, asked, False

    def decide(self, view: View, moves: NDArray[np.int32]) -> int:
        action = self.player.decide(view, moves)
        if self.begun or not (name := self.asked.name(action)):
            return action
        self.begun = True
        others = [other for other in moves.tolist() if self.asked.name(other) != self.asked.wanted]
        if name != self.asked.wanted or not others:
            return action
        return self.player.decide(view, np.array(others, dtype=np.int32))

    def leave(self, outcome: Outcome | None) -> None:
        self.player.leave(outcome)


class Begun(NamedTuple):
    """The first moves of the seats of a game; what came of those that are wanted, as shares of the win and points more
    than the mean of the game; and the same with the best other first move.
    """

    firsts: tuple[str, ...]
    won: list[tuple[float, float]]
    instead: list[tuple[float, float]]


def begin(
    asked: Asked,
    components: Components,
    players: int,
    bots: Sequence[Bot],
    seed: int,
    instead: bool,
    index: int,
) -> Begun:
    """Game `index` of those that are dealt with a seed, until all have made a first move; to its end, if one of them
    is wanted.
    """

    def play(without: int | None = None) -> tuple[dict[int, str], Outcome | None]:
        position = asked.game.start(players, game_seed(seed, index), components)
        seated = seat_bots(bots, players, seed, index)
        if without is not None:
            seated[without] = Other(seated[without], asked)
        firsts: dict[int, str] = {}
        for decision in step_game(position, seated):
            if decision.seat not in firsts and (name := asked.name(decision.action)):
                firsts[decision.seat] = name
                if without is None and len(firsts) == players and asked.wanted not in firsts.values():
                    break
        return firsts, position.outcome

    firsts, outcome = play()
    seats = [seat for seat, first in firsts.items() if first == asked.wanted] if outcome else []
    return Begun(
        tuple(firsts.get(seat, "") for seat in range(players)),
        [told(outcome, seat) for seat in seats],
        [told(play(seat)[1], seat) for seat in seats] if instead else [],
    )


def told(outcome: Outcome | None, seat: int) -> tuple[float, float]:
    """A seat's share of the win, and its points more than the mean of the game."""
    assert outcome is not None
    share = (seat in outcome.winners) / len(outcome.winners)
    return share, float(outcome.points[seat] - np.mean(outcome.points))


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.beginnings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", choices=list(games()))
    parser.add_argument("move", metavar="MOVE", help="the first move after which games are played on")
    parser.add_argument(
        "--not", dest="passed", nargs="+", default=[], metavar="KIND", help="moves that are no first move"
    )
    parser.add_argument("--instead", action="store_true", help="and with the best other first move instead")
    parser.add_argument("--players", type=int)
    parser.add_argument("--components", type=Path, help="a file, or a set that comes with the game")
    parser.add_argument("--bots", default="search:250")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    game = find_game(given.game)
    players, components = given.players or game.default_players, components_in(game, given.components)
    asked = Asked(game, frozenset(given.passed), given.move)
    kinds = [kind.word for kind in game.moves.kinds]
    if unknown := asked.passed - set(kinds):
        parser.error(f"there is no kind of move {min(unknown)!r}; there are {', '.join(kinds)}")
    if asked.wanted not in map(asked.name, range(len(game.moves))):
        parser.error(
            f"{asked.wanted!r} is no first move: one of these kinds, and its parts: {', '.join(kinds)}"
        )
    counts, won, instead = Counter[str](), list[tuple[float, float]](), list[tuple[float, float]]()
    with named_bots(given.bots) as bots, progress_bar() as bar:
        compile_simulation(game, components, bots)
        one: Callable[[int], Begun] = partial(
            begin, asked, components, players, bots, given.seed, given.instead
        )
        work = (partial(one, index) for index in range(given.games))
        for begun in bar.track(in_order(work, given.workers), total=given.games):
            counts.update(begun.firsts)
            won += begun.won
            instead += begun.instead
    for first, count in counts.most_common():
        print(f"{1000 * count / given.games / players:7.1f} of 1,000 seats begin with {first or 'nothing'}")
    if won:
        tell(given.move, players, np.array(won), np.array(instead))


def tell(move: str, players: int, won: NDArray[Any], instead: NDArray[Any]) -> None:
    """Print what the seats that began with a move won, and what they would have won without it."""
    print(f"{move}: {in_shares(won[:, 0], players)} times their share of {len(won)} seats")
    if len(instead):
        print(f"the best other first move: {in_shares(instead[:, 0], players)} times")
        shares, points = (won - instead).T
        lead = mean(points.sum(), (points**2).sum(), len(points))
        print(f"difference: {as_text(matched(shares), players)} shares, {as_text(lead)} points")


def in_shares(won: NDArray[Any], players: int) -> str:
    """Shares of the win, one a seat, in equal shares of it."""
    return as_text(mean_share(won.sum(), (won**2).sum(), len(won)), players)


def as_text(found: Estimate, scale: int = 1) -> str:
    """An estimate and its interval."""
    value, low, high = (scale * part for part in (found.value, found.low, found.high))
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


if __name__ == "__main__":
    main()

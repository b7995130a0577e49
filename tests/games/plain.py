"""`python -m tests.games.plain GAMES`: plays with whatever way of compiling there is, for another way to compare.

The tests' own game between quick bots and by a search, and recorded games of those named; what is last said is how many
functions were found in the cache.
"""

import sys
from collections.abc import Iterator
from typing import Any

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.engine.exports import HostRunner
from atoll.engine.lowering import PLAIN
from atoll.lab.simulate import simulate
from tests.soak.recorded_games import check, path_of

EVERY = 30
"""Of so many recorded games one is replayed."""


def played() -> Iterator[str]:
    """What came of games between bots."""
    game = find_game("signs")
    results = simulate(game, game.components(), 2, (find_bot("random"), find_bot("greedy")), 50, 1)
    yield f"{results.points.tolist()} {results.lengths.tolist()}"
    position = game.start(2, 3)
    while not position.is_over:
        seat = position.to_act[0]
        action = find_bot("search:50").choose(position.view(seat), seed=1)
        position.play_action(seat, action)
        yield f"{seat} {action} {position.to_json()}"


def hits(loop: Any) -> int:
    """How often a compiled loop was found in the cache."""
    return sum(loop.stats.cache_hits.values())


if __name__ == "__main__":
    assert PLAIN
    print(*played(), sep="\n")
    for name in sys.argv[1:]:
        check(path_of(find_game(name)), EVERY)
    runner = find_game("signs").runner
    assert isinstance(runner, HostRunner)
    print(sum(map(hits, runner.functions.values())))

"""How good the advice is: it beats random moves, and who follows it eats."""

import pytest

from atoll.bots.catalogue import find_bot
from atoll.games.cast_away import events as ev
from atoll.games.cast_away.state import (
    NOBODY,
)
from atoll.lab.played import game_seed
from atoll.lab.simulate import seat_bots, simulate, step_game

from .positions import GAME

GREEDY, RANDOM = find_bot("greedy"), find_bot("random")


def test_greedy_wins_against_random() -> None:
    """At least 95 % of games of two."""
    results = simulate(GAME, GAME.components(), 2, (GREEDY, RANDOM), 400, seed=1)
    greedy = results.bots == 0
    assert results.shares[greedy].mean() >= 0.95
    assert results.points[greedy].mean() > 2 * results.points[~greedy].mean()


@pytest.mark.parametrize(("players", "games"), [(2, 15), (4, 15)])
def test_who_follows_the_advice_eats_and_the_game_ends_in_time(players: int, games: int) -> None:
    """Few feedings fail, and a game takes 11 to 13 rounds or ends by eight slots."""
    fed = failed = 0
    for index in range(games):
        position = GAME.start(players, game_seed(3, index))
        by_slots = False
        for decision in step_game(position, seat_bots((GREEDY,), players, 3, index)):
            fed += sum(event.what == ev.FED for event in decision.events)
            failed += sum(event.what == ev.NOT_FED for event in decision.events)
            by_slots |= any(
                event.what == ev.LAST_ROUND and event.whose != NOBODY for event in decision.events
            )
        assert by_slots or 11 <= position.to_json()["round"] <= 13
    assert failed < 0.03 * (fed + failed)

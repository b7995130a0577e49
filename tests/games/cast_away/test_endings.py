"""How games of Cast Away end, and how `simulate` tells it (CA-39)."""

import numpy as np
import pytest
from rich.console import Console

from atoll.games.cast_away.endings import ENDINGS, endings
from atoll.games.cast_away.state import SHIP, CastAwayState
from atoll.lab.played import PlayedGames
from atoll.lab.summary import lengths

from .positions import GAME, variant


@pytest.mark.parametrize(("slots", "last"), [(8, 8), (3, 3)])
def test_a_game_ends_by_the_ship_by_slots_or_by_both(slots: int, last: int) -> None:
    """The last slot is the one that the components say."""
    components = variant(lambda data: data["slots"].update(bonuses=[{}] * slots))
    states = np.zeros(3, dtype=CastAwayState.dtype)
    states["event_turned"][[0, 2], SHIP] = 1
    states["slot_count"][[1, 2], 3] = last
    states["slot_count"][0, 0] = last - 1
    assert [ENDINGS[way] for way in endings(states, components)] == ["ship", "slots", "both"]


def test_lengths_are_counted_by_rounds_and_by_endings() -> None:
    results = PlayedGames.empty((), np.zeros((4, 0), np.int8))
    results.rounds[:] = [12, 10, 12, 12]
    results.endings[:] = [ENDINGS.index(name) for name in ("ship", "slots", "slots", "ship")]
    console = Console(width=200)
    with console.capture() as output:
        console.print(*lengths(GAME, results))
    lines = [" ".join(line.replace("┃", " ").replace("│", " ").split()) for line in output.get().splitlines()]
    assert set(lines) >= {
        "Rounds Ended: the Ship came Ended: last slot covered In all",
        "10 – 1 (25.0 %) 1 (25.0 %)",
        "12 2 (50.0 %) 1 (25.0 %) 3 (75.0 %)",
        "In all 2 (50.0 %) 2 (50.0 %) 4 (100.0 %)",
    }

"""What a source of chance deals when it is drawn anew is what it might have dealt, and all else stays as it was."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from atoll.core.catalogue import find_game
from atoll.core.chance_sources import redraw
from atoll.core.game import Game
from atoll.engine.chance import generator
from atoll.games.cast_away.state import SHIP
from atoll.lab.estimates import chi_squared_tail

DEALS = 4000
FEWEST = 20
"""Deals of a class that are counted by themselves, at least."""


def of_cast_away(state: Any) -> tuple[int, ...]:
    """Who begins, where the Ship lies, and what lies on two piles."""
    ship = int((state.event_pile[: state.event_count] == SHIP).argmax())
    boost, fishing = state.boost_pile[state.boost_count - 1], state.fishing_pile[state.fishing_count - 1]
    return int(state.order[0]), ship, int(boost) // 3, int(fishing) // 4


def of_costa_ruana(state: Any) -> tuple[int, ...]:
    """The Shaman, what shows, and of which kinds the lowest card of a hand and two of the pile are."""
    first, last = state.pile[0], state.pile[state.pile_count - 1]
    return int(state.shaman), int(state.tide), int(state.hand[0, 0]) // 4, int(first) // 16, int(last) // 16


def of_karuba(state: Any) -> tuple[int, ...]:
    """How many low cards a hand has, which card lies on top of its pile, and whether one is in the other hand."""
    low = int((state.hand[0, : state.hand_count[0]] <= 4).sum())
    return low, int(state.pile[0, state.pile_count[0] - 1]) // 4, int(1 in state.hand[1])


FEATURES: dict[str, Callable[[Any], tuple[int, ...]]] = {
    "cast-away": of_cast_away,
    "costa-ruana": of_costa_ruana,
    "karuba": of_karuba,
}


def alike(one: Counter[Any], other: Counter[Any]) -> float:
    """The p-value, by chi-squared, that two samples of one size come from the same; what is rare is put together."""
    rows = [[one[key], other[key]] for key in one.keys() | other.keys()]
    common = [row for row in rows if sum(row) >= 2 * FEWEST]
    rare = [row for row in rows if sum(row) < 2 * FEWEST]
    if rare:
        common.append([sum(row[0] for row in rare), sum(row[1] for row in rare)])
    return chi_squared_tail(sum((a - b) ** 2 / (a + b) for a, b in common), len(common) - 1)


@pytest.mark.parametrize("name", FEATURES)
def test_a_deal_of_which_a_source_was_drawn_anew_is_as_likely_as_any(name: str) -> None:
    """Compared with fresh deals, by what hangs on all sources together; every third seed deals one of the three."""
    game: Game = find_game(name)
    features, components = FEATURES[name], game.components()
    starts = [game.start(2, seed, components) for seed in range(3 * DEALS)]
    fresh = Counter(features(position.state) for position in starts[::3])
    assert len(fresh) > 10
    for source in game.rules.SOURCES:
        again: Counter[Any] = Counter()
        for seed in range(DEALS):
            dealt, other = starts[3 * seed + 1].copy(), starts[3 * seed + 2]
            redraw(source, dealt.state, other.state, components.parts[0], generator(seed))
            again[features(dealt.state)] += 1
        assert alike(fresh, again) > 0.001, source.key


def test_what_goes_out_of_a_hand_lies_where_what_came_in_lay() -> None:
    """All else stays as it was dealt: a card of a pile that came into no hand is where it was (docs/design.md)."""
    for name in ("costa-ruana", "karuba"):
        game = find_game(name)
        hands = next(source for source in game.rules.SOURCES if source.key == "hands")
        position = game.start(2, 1)
        again = position.copy()
        redraw(hands, again.state, position.state, game.components().parts[0], generator(7))
        before, after = position.state.pile.ravel().tolist(), again.state.pile.ravel().tolist()
        moved = [card for card, now in zip(before, after, strict=True) if card != now]
        assert 0 < len(moved) <= int(position.state.hand_count[:2].sum())
        assert (position.state.hand_count == again.state.hand_count).all()
        came = Counter(again.state.hand[:2].ravel().tolist()) - Counter(
            position.state.hand[:2].ravel().tolist()
        )
        assert came.total() <= len(moved)
        assert came <= Counter(moved)


def test_a_head_start_goes_with_who_begins() -> None:
    """A handicap is given in the order of the start boosts (Cast Away's components), so it is drawn anew with that."""
    game = find_game("cast-away")
    printed = game.components()
    given = {"source": "reconstructed", "two": [0, 0], "three": [3, 2, 0], "four": [0, 0, 0, 0]}
    happy = {"source": "reconstructed", "three": [1, 0, 0]}
    data = {**printed.data, "start_prestige": given, "start_happiness": happy}
    components = game.components_from("handicap", data)
    beginners = set()
    for seed in range(12):
        position, other = (game.start(3, number, components) for number in (seed, seed + 100))
        redraw(game.rules.SOURCES[0], position.state, other.state, components.parts[0], generator(seed))
        position.check()
        first, second, third = (int(seat) for seat in position.state.order[:3])
        assert [int(position.state.prestige[seat]) for seat in (first, second, third)] == [3, 2, 0]
        assert [int(position.state.happiness[seat]) for seat in (first, second, third)] == [1, 0, 0]
        beginners.add(first)
    assert beginners == {0, 1, 2}

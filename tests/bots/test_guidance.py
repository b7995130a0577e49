"""A search that a trained network guides: its priors, and what it foretells."""

from typing import Any

import numpy as np
import pytest

from atoll.bots import LEVELS, search
from atoll.bots.guidance import Guide, NoGuide, guide_by, guiding_weights, is_guided
from atoll.bots.iteration import USUAL
from atoll.bots.network import looking, predict
from atoll.bots.search import evaluate
from atoll.core.catalogue import games
from atoll.core.game import Game
from atoll.engine.chance import generator
from atoll.engine.exports import HostRunner
from atoll.engine.native import native

UNGUIDED = USUAL.without_guide()
guided_game = pytest.mark.parametrize("game", [game for game in games().values() if is_guided(game)])
foretelling_game = pytest.mark.parametrize(
    "game",
    [game for game in games().values() if is_guided(game) and hasattr(game.guidance, "FORETOLD_AFTER")],
)
unguided_game = pytest.mark.parametrize("game", [game for game in games().values() if not is_guided(game)])


@unguided_game
def test_where_the_game_does_not_say_so_no_trained_player_guides_the_search(game: Game) -> None:
    """Then the search is the same without it."""
    view = game.start(game.seats.start, 1).view(game.start(game.seats.start, 1).to_act[0])
    evaluations = [evaluate(view, generator(1), 60, None, tuning) for tuning in (USUAL, UNGUIDED)]
    assert evaluations[0] == evaluations[1]


@guided_game
@pytest.mark.parametrize("players", [2, 4])
def test_priors_are_the_policy_of_the_trained_player_in_the_seats_view(game: Game, players: int) -> None:
    """A move whose worth is less by 1 has e times less prior than another; that of the best is 1."""
    position = game.start(players, 2)
    view = position.view(position.to_act[0])
    moves = view.legal_moves().actions
    weights = guiding_weights(game)
    guide = guide_by(HostRunner(game), weights, players, view.components)
    assert isinstance(guide, Guide)
    native(looking(game))(
        guide.mind, guide.activations, view.state, view.components.parts[0], moves, len(moves)
    )
    worths = guide.activations.worths[: len(moves)]
    expected = dict(zip(moves.tolist(), np.exp(worths - worths.max()).tolist(), strict=True))
    tree = search._grown(view, generator(1), 5, None, USUAL, weights)
    child, found = int(tree[0]["child"]), {}
    while child:
        found[int(tree[child]["action"])] = float(tree[child]["prior"])
        child = int(tree[child]["sibling"])
    assert found == pytest.approx(expected, rel=1e-5)


@guided_game
def test_the_weakest_level_is_guided_by_no_network(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """People who begin should win against it; all other levels are guided."""
    guides = []

    def noted(*given: Any, **active: Any) -> Guide | NoGuide:
        guides.append(guide_by(*given, **active))
        return guides[-1]

    monkeypatch.setattr(search, "guide_by", noted)
    view = game.start(2, 4).view(game.start(2, 4).to_act[0])
    for level in LEVELS:
        guides.clear()
        level.choose(view, 1)
        assert guides
        assert {guide.active for guide in guides if isinstance(guide, Guide)} == {int(level is not LEVELS[0])}


@guided_game
def test_a_network_that_is_not_asked_changes_nothing(game: Game) -> None:
    """The search finds what it finds where there is none."""
    view = game.start(2, 2).view(game.start(2, 2).to_act[0])
    evaluations = evaluate(view, generator(3), 200, None, UNGUIDED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "guiding_weights", lambda game: None)
        assert evaluate(view, generator(3), 200, None, UNGUIDED) == evaluations
    assert evaluate(view, generator(3), 200, None, USUAL) != evaluations


@foretelling_game
def test_what_the_trained_player_foretells_is_counted_instead_of_the_end(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At once, where it foretells after no decision: the first iteration then counts what it says of the view after
    the best move."""
    position = game.start(2, 3)
    seat = position.to_act[0]
    monkeypatch.setattr(game.guidance, "FORETOLD_AFTER", 0)
    weights = guiding_weights(game)
    guide = guide_by(HostRunner(game), weights, 2, position.components)
    assert isinstance(guide, Guide)
    for chance in range(20):
        tree = search._grown(position.view(seat), generator(chance), 1, None, USUAL, weights)
        assert tree[0]["visits"] == 1
        assert 0 < tree[0]["wins"] < 1
        assert tree[0]["reward"][:2].sum() == pytest.approx(1, abs=1e-5)
        assert tree[0]["reward"][seat] == pytest.approx(tree[0]["wins"], abs=1e-6)
    native(looking(game))(
        guide.mind, guide.activations, position.view(seat).state, position.components.parts[0],
        position.legal_moves(seat).actions, len(position.legal_moves(seat)),
    )  # fmt: skip
    native(predict)(guide.mind.layers, guide.activations, 2)
    assert tree[0]["wins"] == pytest.approx(float(guide.activations.outputs[0]), abs=0.2)

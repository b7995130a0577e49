"""Secret looks at the event pile: known to who looked, to their view and what is drawn from it, to nobody else."""

from atoll.core.state import SPECTATOR
from atoll.games.cast_away import events as ev

from .positions import BLUE, GAME, RED, last_move, own, position

PILE = ["3", "11", "1"]


def test_event_5_shows_the_next_three_events_to_its_taker_alone() -> None:
    """CA-23."""
    game = position(event="5", pile=PILE)
    events = own(game, "take event")
    assert game.view(RED).to_json()["seen"] == PILE
    assert game.view(BLUE).to_json()["seen"] == []
    assert "seen" not in game.view(SPECTATOR).to_json()
    shown = [event for event in events if event.what == ev.EVENT_SEEN]
    assert [GAME.notation.hide_event(event, RED).piece for event in shown] == [3, 11, 1]
    assert [GAME.notation.hide_event(event, BLUE).piece for event in shown] == [-1, -1, -1]
    assert [GAME.notation.hide_event(event, SPECTATOR).piece for event in shown] == [-1, -1, -1]


def test_the_look_out_shows_them_when_built() -> None:
    """Tile 17."""
    game = position(
        pile=PILE,
        experience={RED: {"construction": 2}},
        resources={RED: {"bamboo": 2, "liana": 1, "palm": 1}},
    )
    own(game, "build", tile=17)
    assert game.view(RED).to_json()["seen"] == PILE


def test_what_is_drawn_from_a_view_agrees_with_what_was_seen() -> None:
    game = position(event="5", pile=PILE)
    own(game, "take event")
    drawn = [game.view(RED).resample(seed).to_json()["event_pile"] for seed in range(30)]
    assert all(pile[:3] == PILE for pile in drawn)
    assert len({tuple(pile) for pile in drawn}) == 30
    others = {tuple(game.view(BLUE).resample(seed).to_json()["event_pile"][:3]) for seed in range(30)}
    assert len(others) > 20


def test_the_ship_is_drawn_where_it_may_be() -> None:
    """CA-7: each of the last three places is equally likely, as long as nothing is known of them."""
    game = GAME.start(2, 5)
    places = [game.view(RED).resample(seed).to_json()["event_pile"].index("ship") for seed in range(300)]
    assert set(places) == {10, 11, 12}
    assert min(places.count(place) for place in (10, 11, 12)) > 60


def test_what_was_seen_is_known_until_it_comes() -> None:
    game = last_move(event="5", pile=PILE)
    own(game, "take event")
    assert game.to_json()["event"] == "3"
    assert game.view(RED).to_json()["seen"] == ["11", "1"]

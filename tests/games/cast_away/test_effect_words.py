"""The table of effect words: every row is carried out, counted and explained to designers."""

from importlib import resources

import pytest

from atoll.core.game import Position
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import (
    ACTIONS,
    COUNTS,
    LASTING,
    WORDS,
    Action,
    Count,
    LastingWord,
    Word,
)

from .positions import GAME, RED, own, position, tile, variant


def does_something(effect: dict[str, object]) -> bool:
    """Whether using a tile with this effect alone makes anything happen, or asks something."""
    game = position(
        components=variant(tile(30, activate=effect)),
        slots={RED: ["construction 30"]},
        experience={RED: {"construction": 1, "faith": 1}},
        resources={RED: {"liana": 3}},
    )
    events = own(game, "activate", tile=30, of=RED)
    asks = game.to_json()["phase"] != "action"
    return asks or any(event.what != ev.MEEPLE_PLACED for event in events)


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_every_word_of_what_happens_at_once_is_carried_out(word: Word) -> None:
    assert does_something({word.name: 1})


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.name)
def test_every_action_is_carried_out_without_its_place(action: Action) -> None:
    assert does_something({"action": action.name})


def ended(**end: object) -> Position:
    """A position in which Red has one of everything that is counted, and tile 30 that scores at the end."""
    return position(
        components=variant(tile(30, at_end=[end])),
        slots={RED: ["construction 30", "miracle joy"]},
        experience={RED: {"fire": 1}},
        resources={RED: {"fruit": 1}},
        happiness={RED: 1},
        health={RED: 1},
        candle={RED: 1},
        mystery={RED: [[1, 0, 0], [0, 0], [0]]},
        events={RED: ["2"]},
    )


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.name)
def test_everything_that_is_counted_scores_at_the_end(count: Count) -> None:
    assert ended(prestige=3, per=count.name).breakdown()[RED]["effects"] == 3


def test_words_that_hold_always_stand_where_the_state_counts_them() -> None:
    """The rules know each by the constant of `state.py`."""
    places = {word.name: code for code, word in enumerate(LASTING)}
    assert places["income.bamboo"] == ca.INCOME
    assert places["reduction.bamboo"] == ca.REDUCTION
    assert places["reduction.any"] == ca.FREE_REDUCTION
    for name in ("gathering", "fishing", "exploration", "prayer"):
        assert places[name] == getattr(ca, f"{name}_bonus".upper())
    others = ("free_exploration", "keep_fish", "no_gift", "event_prestige", "majority_prestige", "singles")
    for name in (*others, "calumet", "double_fishing", "first_in_orientation"):
        assert places[name] == getattr(ca, name.upper())
    assert len(LASTING) <= ca.MAX_LASTING
    assert len(ACTIONS) == ca.REST + 1


def test_the_head_of_the_components_file_names_every_word() -> None:
    text = (resources.files(GAME.package) / "components.toml").read_text(encoding="utf-8")
    head = text.partition("\nformat = ")[0]
    named = head.replace(",", " ").replace(":", " ").split()
    rows: list[Word | Action | LastingWord | Count] = [*WORDS, *ACTIONS, *LASTING, *COUNTS]
    assert [row.name for row in rows if not set(row.name.split(".")) <= set(named)] == []

"""What Cast Away says: every move, question, event and picture, in both languages."""

import random
import re
from collections.abc import Iterator

import pytest
from rich.text import Text

from atoll.core.events import Event
from atoll.core.game import Position
from atoll.core.game_translator import GameTranslator
from atoll.core.state import SPECTATOR
from atoll.core.types import Json
from atoll.games.cast_away import events as ev
from atoll.games.cast_away.vocabulary import event_help, miracle_help, tile_help
from atoll.text.translation import LANGUAGES, Translator

from .positions import BLUE, GAME, MIRACLES, RED, end_actions, last_move, own, position, tile, variant

NAMES = ["Anne", "Bo", "Cleo", "Dag"]
MESSAGES = GAME.messages


def words_in(language: str) -> Translator:
    """The game's words with the shipped components."""
    return GameTranslator(Translator(language).with_package(GAME.package), GAME.components())


def some_games(players: int, games: int) -> Iterator[tuple[Position, int, Json, list[object]]]:
    """Every decision of random games: the position before, who decided, what, and what happened. The options are on
    in every other game.
    """
    for seed in range(games):
        options = {option.name: bool(seed % 2) for option in GAME.options}
        game, chance = GAME.start(players, seed, options=options), random.Random(seed)
        while not game.is_over:
            [seat] = game.to_act
            move = chance.choice(list(game.legal_moves(seat)))
            before = game.copy()
            yield before, seat, move, list(game.play(seat, move))


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_questions_and_events_are_said_and_told_apart(language: str) -> None:
    words = words_in(language)
    for before, seat, _, events in some_games(3, 3):
        view = before.view(seat)
        moves = list(before.legal_moves(seat))
        labels = [MESSAGES.move_text(words, NAMES, move, view, seat) for move in moves]
        assert len(set(labels)) == len(labels)
        asked = MESSAGES.prompt(words, NAMES, view, seat)
        waiting = MESSAGES.prompt(words, NAMES, before.view(SPECTATOR), None)
        assert asked.text != waiting.text
        lines = MESSAGES.tell(words, NAMES, events, view)  # type: ignore[arg-type]
        for text in (
            *labels,
            asked.text,
            asked.hint or "",
            *(line.text for entry in lines for line in entry.lines()),
        ):
            assert "%(" not in text
            assert not re.search(r"\bNone\b|\{|\}", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_fits_a_terminal(language: str) -> None:
    words = words_in(language)
    for number, (before, seat, _, _) in enumerate(some_games(4, 2)):
        if number % 10 == 0:
            shown = Text.from_markup(MESSAGES.picture(words, NAMES, before.view(seat)))
            assert max(map(len, shown.plain.splitlines())) <= 79


def test_names_are_no_markup() -> None:
    shown = MESSAGES.picture(words_in("en"), ["[red]", "Bo"], position().view(RED))
    assert "[red]" in Text.from_markup(shown).plain


def test_names_of_tiles_and_cards_are_no_markup() -> None:
    """Brackets with a space in them, which a line may be broken at, too."""
    components = variant(
        tile(8, name={"en": "[/x] [red b]", "fr": "f"}),
        lambda data: data["events"][8].update(name={"en": "[/y] [a z]", "fr": "f"}),
    )
    view = position(
        components=components,
        slots={RED: ["construction 8"]},
        places={"construction 8 of 0": [RED]},
        left={RED: (2, 0, True)},
    ).view(RED)
    translator = GameTranslator(words_in("en"), components)
    shown = Text.from_markup(MESSAGES.picture(translator, NAMES, view)).plain
    assert shown.count("[/x] [red b]") == 2
    assert "[/y] [a z]" in shown


def test_french_says_nothing_in_english() -> None:
    english: list[str] = []
    french: list[str] = []
    lists = [(words_in("en"), english), (words_in("fr"), french)]
    for before, seat, _, events in some_games(2, 1):
        view = before.view(seat)
        for words, told in lists:
            told += (line.text for line in MESSAGES.tell(words, NAMES, events, view))  # type: ignore[arg-type]
    assert len(english) == len(french) > 100
    assert not set(english) & set(french)


def test_only_who_looked_is_told_what_was_seen() -> None:
    """CA-23."""
    game = position(event="5", pile=["3", "11", "1"])
    events = own(game, "take event")
    told = {}
    for seat in (RED, BLUE):
        seen = [GAME.notation.hide_event(event, seat) for event in events]
        view = game.view(seat)
        entries = MESSAGES.tell(words_in("en"), NAMES, seen, view)
        told[seat] = " ".join(line.text for entry in entries for line in entry.lines())
    assert "Ropes" in told[RED]
    assert "Ropes" not in told[BLUE]
    assert "Looks at 3 events to come" in told[BLUE]
    shown = MESSAGES.picture(words_in("en"), NAMES, game.view(RED))
    assert "You know what comes: Ropes, Dolmen, Machete" in shown


def entries(*events: Event, viewer: int = RED) -> list[list[str]]:
    """What is told of the events, an entry a list: its own line, then what came of it."""
    lines = MESSAGES.tell(words_in("en"), NAMES, events, position().view(viewer))
    return [[line.text for line in entry.lines()] for entry in lines]


def test_prestige_is_told_with_what_it_is_for() -> None:
    """CA-2, CA-3, CA-4, CA-31, CA-33, CA-37: each of the rules that score says so in what it emits."""
    assert entries(
        Event(ev.FED, RED, 1, 1, 0),
        Event(ev.SCORED, RED, ev.FOR_NEEDS, target=4, extra=1),
        Event(ev.HEALTH_CHANGED, RED, origin=4, target=5),
        Event(ev.SCORED, RED, ev.FOR_HEALTH, target=5, extra=2),
        Event(ev.NOT_FED, BLUE),
        Event(ev.HEALTH_PAID, BLUE, extra=2),
        Event(ev.SCORED, BLUE, ev.RANSOM, extra=-2),
        Event(ev.MAJORITY, RED),
        Event(ev.SCORED, RED, ev.FOR_MAJORITY, extra=3),
    ) == [
        ["Anne feeds.", "+1 prestige (fed at health 4).", "Health 5.", "+2 prestige (health 5)."],
        ["Bo cannot feed."],
        ["Bo pays to keep the health.", "−2 prestige."],
        ["Anne has the majority above the candle.", "+3 prestige."],
    ]
    assert entries(
        Event(ev.EVENT_TAKEN, RED, 3),
        Event(ev.SCORED, RED, ev.FOR_EVENT, extra=1),
        Event(ev.HAPPIER, RED, target=5, extra=2),
        Event(ev.SCORED, RED, ev.FOR_HAPPINESS, target=4, extra=1),
        Event(ev.LEVEL_GAINED, RED, 1, target=3),
        Event(ev.SCORED, RED, ev.FOR_LEVEL + 1, target=3, extra=1),
    )[0][1:] == [
        "+1 prestige (an event taken).",
        "Happiness 5.",
        "+1 prestige (happiness 4).",
        "Fishing 3.",
        "+1 prestige (fishing 3).",
    ]


def test_what_a_built_tile_scores_is_told_apart_from_its_slot() -> None:
    """CA-4: of the first five slots the last scores, and its bonus comes first."""
    one, two = (Event(ev.SCORED, RED, ev.FOR_EFFECT, extra=number) for number in (1, 2))
    [there] = entries(Event(ev.TILE_BUILT, RED, 8, target=4), one, two)
    assert there[1:] == ["+1 prestige (slot bonus).", "+2 prestige (Torch stand)."]
    [here] = entries(Event(ev.TILE_BUILT, RED, 8, target=3), two)
    assert here[1:] == ["+2 prestige (Torch stand)."]


def test_boosts_are_told_with_what_both_give() -> None:
    """CA-5: both are taken, then both take effect."""
    game = GAME.start(2, 1)
    [seat] = game.to_act
    events = game.play(seat, {"do": "take boosts", "choice": "random"})
    taken = [event for event in events if event.what == ev.BOOST_TAKEN]
    first, *_ = entries(*events)
    assert len(taken) == 2
    assert first[0].startswith(f"{NAMES[seat]} takes the boosts “")
    assert " and “" in first[0]


def test_covering_the_last_slot_is_an_effect_among_the_others() -> None:
    """CA-39."""
    [entry] = entries(
        Event(ev.TILE_BUILT, RED, 7, target=3),
        Event(ev.LAST_ROUND, RED),
        Event(ev.HAPPIER, RED, target=2, extra=1),
    )
    assert entry[1:] == ["Covers the last slot: this is the last round.", "Happiness 2."]


def test_what_to_do_is_said_as_the_options_have_it() -> None:
    """CA-13, CA-29: a marker alone asks for no meeple, and who may take no lot is told."""
    words, marker = words_in("en"), {RED: (0, 0, True)}
    both, free, stay = {RED: (1, 0, True)}, {"free_compass": True}, {"lots_may_stay": True}
    for left, options, text in (
        (marker, {}, "Place your compass marker."),
        (marker, free, "Place your compass marker."),
        (both, {}, "Place a meeple or your compass marker."),
        (both, free, "Place a meeple; before it you may place your compass marker."),
    ):
        view = position(left=left, options=options).view(RED)
        assert MESSAGES.prompt(words, NAMES, view, RED).text == text
    for options, text in (
        ({}, "Take a lot from the compass."),
        (stay, "Take a lot from the compass, or none."),
    ):
        game = last_move(lots={"palm": 1, "water": 2}, options=options)
        end_actions(game)
        assert MESSAGES.prompt(words, NAMES, game.view(BLUE), BLUE).text == text


def test_the_needs_of_the_next_meal_are_told_before_it_comes() -> None:
    """CA-31."""
    game = position(health={RED: 4}, resources={RED: {"fruit": 1, "fish": 2}}, experience={RED: {"fire": 1}})
    hint = MESSAGES.prompt(words_in("en"), NAMES, game.view(RED), RED).hint
    assert hint == "You will need 1 water and 3 food; you have 0 water and 5 food."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tile_card_and_miracle_is_explained(language: str) -> None:
    words = words_in(language)
    data = GAME.components().data
    for entry in data["constructions"]:
        said = tile_help(words, entry["id"])
        assert bool(said) == (entry["id"] != 30)  # the great hall does nothing
    assert all(event_help(words, entry["id"]) for entry in data["events"])
    assert all(miracle_help(words, name) for name in MIRACLES)


def test_explanations_are_composed_from_the_words_of_the_file() -> None:
    words = words_in("en")
    assert tile_help(words, 14) == ["For a meeple: 3 fruits for 1 fish."]
    assert tile_help(words, 9) == ["When built: 1 level in fire, or 2 prestige if you have it."]
    assert tile_help(words, 17) == [
        "When built: a secret look at the next 3 events.",
        "1 prestige whenever you take an event.",
    ]
    assert tile_help(words, 33) == ["At the end: 2 prestige for each of your event cards held, at most 6."]
    assert event_help(words, "6") == [
        "Once: doubles the fish of one card, announced before it is turned over."
    ]


def test_the_score_is_a_table_that_adds_up() -> None:
    game = position(prestige={RED: 7}, slots={RED: ["construction 30"]})
    heading, *rows = MESSAGES.score(words_in("en"), NAMES[:2], game.breakdown())
    assert len(heading) == len(rows[0]) == len(rows[1])
    assert rows[0] == ["Anne", "7", "11", "0", "0", "0", "18"]


def test_progress_shows_the_steps_and_how_long_it_may_take() -> None:
    shown = MESSAGES.progress(words_in("en"), position().opened())
    assert (shown.round, shown.rounds) == (1, 13)
    assert [(phase.key, phase.state) for phase in shown.phases] == [
        ("actions", "now"),
        ("orientation", "next"),
        ("feeding", "next"),
    ]
    first = MESSAGES.progress(words_in("en"), GAME.start(2, 1).opened())
    assert first.phases[0].key == "boosts"

"""Costa Ruana in words: the log, moves, prompts, header, terminal table and score, in both languages."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from rich.text import Text

from atoll.core.events import Event
from atoll.core.game import Position, View
from atoll.core.state import SPECTATOR, UNKNOWN
from atoll.core.types import Json, Line
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import game
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.vocabulary import card_effect, card_name, kind_name
from atoll.testing.playing import abridged
from atoll.text.translation import LANGUAGES, Translator

from .complete_words import CompleteWords

NAMES = ["Red", "Blue", "Yellow", "Green", "Purple", "Black"]
telling = game.messages


def words_in(language: str) -> Translator:
    return CompleteWords(language, (game.package, "atoll"))


def whole_game(players: int, seed: int = 1) -> Iterator[tuple[Position, int, list[Event], Position]]:
    """The position before each move of a random game, who moved, what happened, and the position after."""
    chance = random.Random(seed)
    position = game.start(players, seed)
    while not position.is_over:
        before = position.copy()
        (seat,) = position.to_act
        events = position.play(seat, chance.choice(list(position.legal_moves(seat))))
        yield before, seat, events, position


def seen_by(seat: int, events: Sequence[Event]) -> list[Event]:
    return [game.notation.hide_event(event, seat) for event in events]


def assert_said(text: str) -> None:
    assert text.strip() == text != ""
    assert "%(" not in text
    assert "None" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_every_move_of_a_game_is_told(players: int, language: str):
    words, names = words_in(language), NAMES[:players]
    for _before, seat, events, after in whole_game(players):
        lines = telling.tell(words, names, seen_by(0, events), after.view(0))
        assert lines
        assert lines[0].seat == seat or events[0].what == ev.CARD_BEGUN
        for line in (line for entry in lines for line in entry.lines()):
            assert_said(line.text)
            assert line.seat is None or names[line.seat] in line.text
            assert line.text.endswith(".")


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_told_together_leave_nothing_out(language: str):
    words, names = words_in(language), NAMES[:4]
    moves = list(whole_game(4))
    happened = [event for _before, _seat, events, _after in moves for event in events]
    last = moves[-1][-1]
    entries = telling.tell(words, names, happened, last.opened())
    lines = [line.text for entry in entries for line in entry.lines()]
    numbers = [entry.event for entry in entries]
    assert numbers == sorted(set(numbers))
    for text in lines:
        assert_said(text)
    starts = [words("Round %(extra)s begins.", extra=number) for number in range(2, 6)]
    assert [text for text in lines if text in starts] == starts
    turned = sum(event.what == ev.CONDITION_TURNED for event in happened)
    start = words("%(name)s turns over %(condition)s: %(faces)s.", name="", condition="", faces="").split()[0]
    assert sum(f" {start} " in text for text in lines) == turned == 5


def test_the_log_reads_as_a_person_would_tell_it():
    words = words_in("en")
    start = game.start(4, 1).to_json()
    cards = [
        {"card": "place 3/high tide", "played_by": 3, "in_front_of": 3, "face": "up", "natives": []},
        {"card": "return 1/day", "played_by": 2, "in_front_of": 0, "face": "up", "natives": [1]},
    ]
    start.update(
        phase="condition",
        to_act=[0],
        shaman=0,
        tide="high",
        time="night",
        table=[card | {"resolved": False} for card in cards],
    )
    start["islands"][3]["natives"] = [1, 1, 2, 0]
    position = abridged(game, start)
    events = position.play(0, {"do": "turn condition", "condition": "tide"})
    lines = telling.tell(words, NAMES[:4], seen_by(SPECTATOR, events), position.view())
    dead = Line("Place 3 in front of Green is dead.", 3)
    gone = Line("Return 1 in front of Red is dead, the native of Blue goes home.", 0)
    taken = Line("Island 4: Red and Blue argue, Yellow takes a treasure.", 2)
    assert lines[:2] == [
        Line("Red turns over the tide card: low tide and night.", 0, (dead, gone)),
        Line("Treasures collected: Yellow 1.", None, (taken,)),
    ]
    assert events[lines[1].event].what == ev.ARGUED
    assert "Round 2 begins." in [line.text for line in lines]


def test_a_card_with_all_that_comes_of_it_is_one_entry_of_small_moves_told_together():
    words, names = words_in("en"), NAMES[:3]
    card = cr.CARDS.index("place 3/night")
    placed = [
        Event(ev.NATIVE_MOVED, 1, 1, ev.SUPPLY_PLACE + 1, ev.ISLAND_PLACE + island, 0) for island in (3, 0, 0)
    ]
    events = [
        Event(ev.CARD_BEGUN, 1, card, ev.CARD_PLACE, UNKNOWN, 0),
        Event(ev.CARD_APPLIED, 1, card, ev.CARD_PLACE, UNKNOWN, 3),
        *placed,
        Event(ev.CARD_APPLIED, 2, card, ev.CARD_PLACE, UNKNOWN, 0),
    ]
    view = game.start(3, 1).view()
    [entry] = telling.tell(words, names, events, view)
    assert [line.text for line in entry.lines()] == [
        "Place 3 in front of Blue takes effect.",
        "Blue places 3 natives on island 1 (2) and island 4.",
        "The native of Yellow copies it in vain.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_hidden_cards_are_never_told(language: str):
    words, names = words_in(language), NAMES[:4]
    hidden = [ev.CARD_HIDDEN, ev.CARD_DRAWN]
    checked = 0
    for _before, _seat, events, after in whole_game(4, seed=3):
        view = after.view(SPECTATOR)
        entries = telling.tell(words, names, seen_by(SPECTATOR, events), view)
        lines = [line for entry in entries for line in entry.lines()]
        for event in events:
            if event.what in hidden:
                told = [line.text for line in lines if line.seat == event.whose]
                assert not any(card_name(words, cr.CARDS[event.piece]) in text for text in told)
                checked += 1
        shown = telling.picture(words, names, view)
        for entry, full in zip(view.to_json()["table"], after.to_json()["table"], strict=True):
            if entry["card"] is None:
                assert words("hidden") in shown
                assert full["face"] == "down"
    assert checked > 20


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_decision_is_asked_for_and_its_moves_told_apart(players: int, language: str):
    words, names = words_in(language), NAMES[:players]
    phases = set()
    for before, seat, _events, _after in whole_game(players, seed=5):
        view = before.view(seat)
        phases.add(cr.PHASES[view.fields.phase])
        asked = telling.prompt(words, names, view, seat)
        assert_said(asked.text)
        assert asked.hint is None or "%(" not in asked.hint
        waiting = telling.prompt(words, names, before.view(SPECTATOR), None)
        assert names[seat] in waiting.text
        moves = list(view.legal_moves())
        labels = [telling.move_text(words, names, move, view, seat) for move in moves]
        for label in labels:
            assert_said(label)
        assert len(set(labels)) >= len({alike(move, view) for move in moves})
    assert set(cr.PHASES) - phases <= ({"over"} if players > 2 else {"over", "order"})


def alike(move: Json, view: View) -> str:
    """The move, with a card on the table as what it looks like."""
    card = move.get("card")
    if not isinstance(card, int):
        return str(move)
    entry = view.to_json()["table"][card]
    player = entry["played_by"] if entry["card"] is None else None
    return str((move["do"], entry["card"], entry["in_front_of"], entry["natives"], player))


def test_moves_chosen_in_part_have_labels():
    words = words_in("en")
    view = game.start(4, 1).view(0)
    parts: list[tuple[dict[str, Any], str]] = [
        ({"do": "play card", "card": "place 2/night"}, "Play Place 2 (night)"),
        ({"do": "take native", "island": 2}, "Take a native from island 3"),
        ({"do": "put native on card"}, "Put a native on a card"),
        (
            {"do": "play card", "card": "place 2/night", "in_front_of": 1},
            "Play Place 2 (night) in front of you",
        ),
    ]
    for move, text in parts:
        assert telling.move_text(words, NAMES, move, view, 1) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_header_shows_one_step_as_now(language: str):
    words = words_in(language)
    moves = list(whole_game(3))
    for before, _seat, _events, _after in moves:
        shown = telling.progress(words, before.opened())
        assert [phase.state for phase in shown.phases].count("now") == 1
        assert shown.rounds == 5
    over = telling.progress(words, moves[-1][-1].opened())
    assert {phase.state for phase in over.phases} == {"done"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("card", cr.CARDS)
def test_every_card_is_explained(card: str, language: str):
    t = telling.bind(words_in(language))
    background = words_in(language)(card.partition("/")[2])
    assert background in t.card_help(card)
    assert card_effect(words_in(language), card) in t.card_help(card)
    assert kind_name(words_in(language), card) in t.card_name(card)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 6])
def test_the_terminal_table_fits_and_tells_seats_without_colour(players: int, language: str):
    words = words_in(language)
    names = ["A name that is too long to be shown", *NAMES[1:players]]
    for before, _seat, _events, _after in whole_game(players, seed=7):
        shown = Text.from_markup(telling.picture(words, names, before.view(1)))
        assert max(line.cell_len for line in shown.split("\n")) <= 79
        for mark in "●■▲◆★✚"[:players]:
            assert mark in shown.plain
        assert "trésors ?" in shown.plain or "treasures ?" in shown.plain


def test_names_are_not_taken_for_markup():
    view = game.start(2, 1).view(0)
    shown = telling.picture(words_in("en"), ["[red]", "Blue"], view)
    assert "[red]" in Text.from_markup(shown).plain


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_score_is_a_table_of_all_players(language: str):
    words, names = words_in(language), NAMES[:3]
    *_, (_before, _seat, _events, last) = whole_game(3)
    heading, *rows = telling.score(words, names, last.breakdown())
    assert len(heading) == 4
    outcome = last.outcome
    assert outcome is not None
    assert [row[0] for row in rows] == names
    assert [row[-1] for row in rows] == [str(points) for points in outcome.points]

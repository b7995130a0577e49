"""Karuba in words: the log, moves, prompts, header, terminal picture and score, in both languages."""

import random
from collections.abc import Iterator, Sequence

import pytest
from rich.text import Text

from atoll.core.events import Event
from atoll.core.game import Position
from atoll.core.state import SPECTATOR, UNKNOWN
from atoll.core.types import Line
from atoll.games.karuba.events import CARD_REVEALED, SUM_LOWEST
from atoll.text.translation import LANGUAGES, Translator

from ..complete_words import CompleteWords
from .positions import CLAUDIA, GAME, TINA, choose, discard, island, lay, player, position
from .variants import variant

NAMES = ["Claudia", "Tina", "Louis", "Green", "Purple", "Black"]
telling = GAME.messages


def words_in(language: str) -> Translator:
    return CompleteWords(language, (GAME.package, "atoll"))


def seen_by(seat: int, events: Sequence[Event]) -> list[Event]:
    return [GAME.notation.hide_event(event, seat) for event in events]


def whole_game(players: int, seed: int = 1) -> Iterator[tuple[Position, int, list[Event], Position]]:
    """The position before each move of a random game, who moved, what happened, and the position after."""
    chance = random.Random(seed)
    where = GAME.start(players, seed)
    while not where.is_over:
        before = where.copy()
        seat = chance.choice(where.to_act)
        yield before, seat, where.play(seat, chance.choice(list(where.legal_moves(seat)))), where


def told(where: Position, events: Sequence[Event], seat: int) -> list[Line]:
    words, names = words_in("en"), NAMES[: where.players]
    return telling.tell(words, names, seen_by(seat, events), where.view(seat))


def assert_said(text: str) -> None:
    assert text.strip() == text != ""
    assert "%(" not in text
    assert "None" not in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 6])
def test_everything_of_a_game_is_said(players: int, language: str):
    words, names = words_in(language), NAMES[:players]
    for before, seat, events, after in whole_game(players):
        shown = before.view(seat)
        asked = telling.prompt(words, names, shown, seat)
        assert_said(asked.text)
        assert asked.hint
        for other in (seat, SPECTATOR):
            waiting = telling.prompt(words, names, before.view(other), None)
            assert all(names[who] in waiting.text for who in before.to_act)
        labels = [telling.move_text(words, names, move, shown, seat) for move in before.legal_moves(seat)]
        assert len(set(labels)) == len(labels)
        for label in labels:
            assert_said(label)
        lines = telling.tell(words, names, seen_by(0, events), after.view(0))
        assert lines[0].seat == seat or events[-1].what == SUM_LOWEST
        for line in (line for entry in lines for line in entry.lines()):
            assert_said(line.text)
            assert line.seat is None or names[line.seat] in line.text
            assert line.text.endswith(".")
    assert_said(telling.prompt(words, names, after.opened(), 0).text)


def test_the_log_reads_as_a_person_would_tell_it():
    where = position(player(hand=[4, 12, 1]), player(hand=[5, 15, 2]))
    events = choose(where, CLAUDIA, 4, 12)
    assert told(where, events, CLAUDIA) == [Line("Claudia chooses 4 and 12.", CLAUDIA)]
    assert told(where, events, TINA) == [Line("Claudia has chosen two cards.", CLAUDIA)]
    events = choose(where, TINA, 5, 15)
    [reveal] = told(where, events, CLAUDIA)
    assert [line.text for line in reveal.lines()] == [
        "All is shown: Claudia has the lowest sum and must discard a card.",
        "Claudia shows 4 and 12: together 16.",
        "Tina shows 5 and 15: together 20.",
    ]
    assert events[reveal.event].what == CARD_REVEALED
    events = discard(where, CLAUDIA, 12) + lay(where, CLAUDIA, 4, 0, 0)
    events += lay(where, TINA, 5, 0, 0) + lay(where, TINA, 15, 0, 1)
    entries = told(where, events, CLAUDIA)
    lines = [line.text for entry in entries for line in entry.lines()]
    drawn = where.to_json()["players"][CLAUDIA]["hand"]
    assert lines == [
        "Claudia discards 12.",
        "Claudia begins the island with 4.",
        "Tina begins the island with 5.",
        "Tina lays 15 below 5.",
        "Round 2 begins.",
        "Everyone draws 2 cards.",
        f"Claudia draws {' and '.join(str(card) for card in drawn if card != 1)}.",
    ]
    assert [entry.event for entry in entries] == [0, 1, 2, 3, 4, 5]


def test_a_shared_lowest_sum_is_told():
    where = position(player(hand=[4, 12, 1]), player(hand=[7, 9, 2]))
    events = choose(where, CLAUDIA, 4, 12) + choose(where, TINA, 7, 9)
    assert told(where, events, TINA)[-1].text == (
        "All is shown: Claudia and Tina share the lowest sum, each must discard a card."
    )
    view = where.view(CLAUDIA)
    assert telling.prompt(words_in("en"), NAMES[:2], view, CLAUDIA).text == (
        "You share the lowest sum: discard one of your two cards."
    )


def test_a_card_is_laid_beside_its_neighbours_in_ones_own_island():
    """Both players have to lay card 7, beside different cards."""
    where = position(
        player(chosen=[7, 16], to_lay=[7], discarded=[16], island=island("1 2\n3 .")),
        player(chosen=[7, 15], to_lay=[7], discarded=[15], island=island("9 10\n11 .")),
        phase="lay",
    )
    view, move = where.view(SPECTATOR), {"do": "lay", "card": 7, "at": [1, 1]}
    texts = [telling.move_text(words_in("en"), NAMES, move, view, seat) for seat in (CLAUDIA, TINA)]
    assert texts == ["Lay 7 below 2 and right of 3", "Lay 7 below 10 and right of 11"]


def test_moves_chosen_in_part_have_labels():
    words, view = words_in("en"), GAME.start(2, 1).view(0)
    labels = {"choose": "Choose two cards", "discard": "Discard a card", "lay": "Lay a card"}
    for do, label in labels.items():
        assert telling.move_text(words, NAMES, {"do": do}, view, 0) == label
    assert telling.move_text(words, NAMES, {"do": "lay", "card": 7}, view, 0) == "Lay 7"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_header_shows_one_step_as_now(language: str):
    words = words_in(language)
    for before, *_, after in whole_game(2):
        progress = telling.progress(words, before.opened())
        assert progress.rounds == 8
        assert [phase.state for phase in progress.phases].count("now") == 1
        if after.is_over:
            done = telling.progress(words, after.opened())
    assert [phase.state for phase in done.phases] == ["done"] * 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 6])
def test_the_picture_fits_a_terminal_and_shows_no_hidden_card(players: int, language: str):
    words, names = words_in(language), NAMES[:players]
    for number, (before, seat, _events, _after) in enumerate(whole_game(players, seed=2)):
        if number % 5 == 0:
            for viewer in (seat, None):
                view = before.view(SPECTATOR if viewer is None else viewer)
                shown = telling.picture(words, names, view)
                lines = Text.from_markup(shown).plain.splitlines()
                assert max(map(len, lines)) <= 79
                hands = [hand for hand in view.fields.hand[:players] if UNKNOWN not in hand]
                assert len(hands) == (viewer is not None)


def test_the_picture_draws_paths_numbers_and_treasures():
    components = variant({3: {"nuggets": 2}})
    where = position(
        player(hand=[14, 15, 16], island=island("13 3\n9 8"), discarded=[1, 2]),
        player(hand=[14, 15, 16], island=island("1 2\n3 4"), discarded=[5, 6]),
        components=components,
        round=4,
    )
    shown = telling.picture(words_in("en"), NAMES, where.view(0))
    lines = [line[:14].rstrip() for line in Text.from_markup(shown).plain.splitlines()]
    start = next(i for i, line in enumerate(lines) if "⌂13" in line)
    assert lines[start - 1 : start + 5] == [
        "  ╭ ┃ ╮◇ ┃ ●",
        "   ⌂13 ━ 3 ━",
        "  ╰ ┃ ╯●   ╯",
        "  ╭ ┃ ╮● ┃ ╮",
        "   ♟9 ━  8",
        "  ╰ ┃ ╯╰ ┃ ╯",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_score_has_a_column_for_each_adventurer(language: str):
    words = words_in(language)
    after = list(whole_game(3))[-1][-1]
    heading, *rows = telling.score(words, NAMES[:3], after.breakdown())
    assert len(heading) == 6
    assert after.outcome is not None
    assert [int(row[-1]) for row in rows] == list(after.outcome.points)
    for row in rows:
        assert sum(int(cell) for cell in row[1:-1] if cell != "–") == int(row[-1])


def test_a_cards_exits_are_told_to_who_does_not_see_it():
    cards = GAME.components().file.cards
    for language, joined in (("en", "paths to the"), ("fr", "sentiers vers l")):
        t = telling.bind(words_in(language))
        told = {t.card_description(card) for card in cards}
        assert all(joined in text for text in told)
        assert len({(card.exits, t.card_name(card)) for card in cards}) == len(told)

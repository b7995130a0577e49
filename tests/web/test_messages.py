"""What tables say at their end, and the typography of whole pages."""

import random
import re
from collections.abc import Callable
from copy import deepcopy
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest

from atoll.core.catalogue import find_game, games
from atoll.testing import wordcheck
from atoll.text.translation import Translator
from atoll.web.pages.drawings import COLOURS
from atoll.web.pages.ending import standings, verdict
from atoll.web.pages.rules_page import GameSetup, rules_html
from atoll.web.pages.table_page import draw_table
from atoll.web.table.move_choice import Fields, fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from tests.web.conftest import Browser, QuietTable
from tests.web.test_tables import PERSONS, play_signs


def test_places_are_by_points_and_a_shared_win_shares_the_first() -> None:
    over = {"points": [3, 12, 12, 5, 5], "winners": [2]}  # seats 1 and 2 have as much, and 2 wins the tie
    assert [(found["seat"], found["place"]) for found in standings(over)] == [
        (2, 1),
        (1, 2),
        (3, 3),
        (4, 3),
        (0, 5),
    ]
    shared = {"points": [7, 9, 9], "winners": [1, 2]}
    assert [found["place"] for found in standings(shared)] == [1, 1, 3]


@pytest.mark.parametrize(
    ("seat", "winners", "said", "french"),
    [
        (1, [1], "You win with 12 points!", "Vous gagnez avec 12 points\u202f!"),
        (0, [1], "Blue wins with 12 points.", "Bleu gagne avec 12 points."),
        (None, [1], "Blue wins with 12 points.", "Bleu gagne avec 12 points."),
        (
            2,
            [1, 2],
            "You and Blue win together, with 12 points each!",
            "Vous et Bleu gagnez ensemble, avec 12 points chacun\u202f!",
        ),
        (
            0,
            [1, 2],
            "Blue and Yellow share the win, with 12 points each.",
            "Bleu et Jaune se partagent la victoire, avec 12 points chacun.",
        ),
    ],
)
def test_the_verdict_names_who_has_won(seat: int | None, winners: list[int], said: str, french: str) -> None:
    for language, expected, names in (
        ("en", said, ["Red", "Blue", "Yellow"]),
        ("fr", french, ["Rouge", "Bleu", "Jaune"]),
    ):
        table: Any = SimpleNamespace(seat=seat, names=names, over={"points": [3, 12, 12], "winners": winners})
        assert verdict(table, Translator(language))["whole"] == expected


def test_the_bar_of_a_finished_table_names_the_winner(
    browser: Browser, new_browser: Callable[..., Browser]
) -> None:
    path = browser.make_table("signs", **PERSONS)
    friend = new_browser()
    friend.post(f"{path}/seats", {"seat": "1"})
    play_signs(path, browser, friend)
    bar = browser.get(path).text.split('id="prompt"')[1].split("</p>")[0]
    assert re.search(r"(You win|wins|win together)\b", bar)


def play_to_the_end(table: Table) -> None:
    """All seats at random."""
    chance = random.Random(4)
    while not table.timeline.is_over:
        seat = table.timeline.to_act[0]
        move = chance.choice(table.timeline.legal_moves(seat))
        fields: Fields = {part: (text,) for part, text in fields_of(move).items()}
        table.answer(seat, table.timeline.decision(seat), fields)


def test_the_end_shows_the_winners_and_cheers_them_and_who_watches(quiet_table: QuietTable) -> None:
    """Not one's own figure beside somebody else's name; nothing flies for who has lost."""
    table = quiet_table("karuba")
    play_to_the_end(table)
    winners = [COLOURS[winner] for winner in table.timeline.over["winners"]]  # type: ignore[index]
    for seat in (0, 1, None):
        drawn = str(draw_table(table, Viewer(seat), "en", {}))
        verdict = drawn.split('<section id="verdict"')[1].split("</section>")[0]
        assert re.findall(r'class="sitter seat-(\w+)', verdict) == winners
        assert ('class="confetti"' in verdict) == (seat is None or COLOURS[seat] in winners)


@pytest.mark.parametrize("name", ["costa-ruana", "karuba"])
def test_the_final_table_has_the_best_first(quiet_table: QuietTable, name: str) -> None:
    """Each with its place, and the points never rise from one row to the next."""
    table = quiet_table(name)
    play_to_the_end(table)
    final = str(draw_table(table, Viewer(0), "en", {})).split('class="final')[1].split("</table>")[0]
    places = [int(place) for place in re.findall(r'class="unseen">Rank (\d):', final)]
    points = [int(total) for total in re.findall(r'<td class="total">(?:<b>)?(\d+)', final)]
    assert places == sorted(places)
    assert places[0] == 1
    assert len(points) == 2
    assert points == sorted(points, reverse=True)


@pytest.mark.parametrize("name", games())
def test_a_whole_french_page_keeps_to_the_typography(quiet_table: QuietTable, name: str) -> None:
    """Also where texts are put together: labels for screen readers, tooltips."""
    table = quiet_table(name)
    html = str(draw_table(table, Viewer(0, maker=True), "fr", {}, whole=True))
    labels = re.findall(r'(?:aria-label|title)="([^"]*)"', html)
    texts = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    texts = re.sub(r"<svg\b.*?</svg>", "", texts, flags=re.DOTALL)
    texts = re.sub(r'<(\w+)[^>]* aria-hidden="true"[^>]*>[^<]*</\1>', "", texts)
    for text in (*labels, *re.split(r"</?(?:p|li|h\d|button|td|th|dt|dd|section|div)\b[^>]*>", texts)):
        said = unescape(re.sub(r"<[^>]+>", "", text)).strip()
        assert list(wordcheck.wrong_typography(said, "fr")) == [], said


@pytest.mark.parametrize(
    ("language", "said"), [("en", "comes, round %s, or"), ("fr", "paraît, la manche %s, ou")]
)
def test_rules_follow_the_numbers_where_the_ship_can_come_in_one_round_only(language: str, said: str) -> None:
    """Not "the 3th to 3th": with as many events set aside as stay in the box, the Ship is the last card (CA-7)."""
    game = find_game("cast-away")
    data = deepcopy(game.components().data)
    data["event_pile"]["set_aside"] = data["event_pile"]["boxed"]
    begun = GameSetup(game.components_from("changed", data))
    last = len(data["events"]) - data["event_pile"]["boxed"]
    assert said % last in rules_html(game, language, begun, examples=False)

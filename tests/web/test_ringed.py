"""What a hint rings on the table, and where the bar leads: pressing what is ringed plays the best move."""

import random
import re
from html import unescape

import pytest

from atoll.bots.search import Evaluation
from atoll.core.catalogue import find_game
from atoll.core.types import Json
from atoll.web.pages.anchors import anchor_of, phases_of
from atoll.web.pages.table_page import draw_table
from atoll.web.table.move_choice import Fields, as_fields, fields_of
from atoll.web.table.seats import Viewer
from atoll.web.table.table import Table
from tests.web.conftest import QuietTable

GAMES = ["karuba", "costa-ruana", "cast-away"]
PRESS = re.compile(
    r'<form class="press-form" action="[^"]*" method="(get|post)"[^>]*>(.*?)</form>', re.DOTALL
)
FIELD = re.compile(r'name="([^"]*)" value="([^"]*)"')


def drawn(table: Table, seat: int, fields: Fields | None = None, *, confirms: bool = False) -> str:
    """The live part of the page."""
    return str(draw_table(table, Viewer(seat), "en", fields or {}, confirms=confirms))


def ringed(html: str) -> tuple[str, Fields]:
    """What the first button that is ringed does: its method, and its fields."""
    method, inside = next(found for found in PRESS.findall(html) if ' best"' in found[1])
    assert re.search(r'aria-describedby="[^"]*\bbest-move\b', inside), "it is not said in words"
    pairs = [(name, unescape(value)) for name, value in FIELD.findall(inside)]
    return method, as_fields(pair for pair in pairs if pair[0] != "decision")


def advise(table: Table, seat: int, move: Json) -> None:
    """Give the seat a hint that calls this move the best."""
    table.hints = "always"
    action = table.game.notation.action_of(move)
    table.keep_hint(seat, len(table.timeline.lines), [Evaluation(action, 1, wins) for wins in (0.6, 0.5)])


@pytest.mark.parametrize("game", GAMES)
def test_whoever_presses_what_is_ringed_plays_the_best_move(quiet_table: QuietTable, game: str) -> None:
    """Piece by piece, in the kinds of decisions that a game between players at random comes to."""
    table, chance, kinds = quiet_table(game), random.Random(2), set()
    while not table.timeline.is_over and len(table.timeline.answers) < 60:
        seat = table.timeline.to_act[0]
        best = chance.choice(table.timeline.legal_moves(seat))
        if best["do"] not in kinds:
            kinds.add(best["do"])
            assert ' best"' not in drawn(table, seat)
            advise(table, seat, best)
            fields: Fields = {}
            for _ in range(5):
                html = drawn(table, seat, fields)
                assert "Ringed on the table: the best move." in html
                method, fields = ringed(html)
                if method == "post":
                    break
            assert fields == as_fields(fields_of(best).items())
            assert ' best"' not in drawn(table, seat, fields, confirms=True), (
                "once it is chosen nothing is ringed"
            )
            table.keep_hint(seat, len(table.timeline.lines), [])
        table.answer(seat, table.timeline.decision(seat), as_fields(fields_of(best).items()))
    assert len(kinds) > 2


@pytest.mark.parametrize("game", GAMES)
def test_the_bar_leads_to_the_rules_of_what_is_decided(quiet_table: QuietTable, game: str) -> None:
    """By the phase, and no place is named for a phase that there is not; all are on the page (`test_rules_pages`)."""
    table, phases = quiet_table(game), phases_of(find_game(game))
    assert phases is not None
    assert set(vars(find_game(game).messages)["ANCHORS"]) <= set(phases.names)
    phase = table.timeline.view(0).to_json()["phase"]
    address = f"/games/{game}/rules?table={table.row.id}#{anchor_of(find_game(game), phase)}"
    for seat in (0, 1):
        assert f'id="rules-here" href="{address}"' in drawn(table, seat)

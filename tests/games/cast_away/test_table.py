"""The page of a table: where the pieces stand, what places would give, and a control for every legal move."""

import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from random import Random
from typing import Any

import pytest

from atoll.core.events import Event
from atoll.core.game import Json
from atoll.core.position import Position
from atoll.core.seen import Seen
from atoll.core.words import seat_names
from atoll.games.cast_away import telling
from atoll.games.cast_away.table import Castaway, prestige_rows, table
from atoll.web.pages.drawings import COLOURS, MARKS
from atoll.web.pages.regions import RegionDrawer
from atoll.web.pages.table_page import moved_among, pick
from atoll.web.pages.templating import draw, words_for
from atoll.web.table.choosing import Choosing, as_fields, fields_of, post

from .positions import GAME

FORM = re.compile(r'<form class="press-form".*?</form>', re.DOTALL)
FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')
HISTORY = list[tuple[Event, ...]]


def game_at_random(players: int, seed: int) -> Iterator[tuple[Position, HISTORY]]:
    """A game of random moves: before each, and at the end, the position and the events of all moves."""
    position, choose = GAME.start(players, seed=seed), Random(seed)
    history: HISTORY = []
    while not position.is_over:
        yield position, history
        seat = position.to_act[0]
        history.append(tuple(position.play(seat, choose.choice(list(position.legal_moves(seat))))))
    yield position, history


def page(
    position: Position, history: HISTORY, seat: int | None, language: str = "en", chosen: Json | None = None
) -> str:
    """The page that the site would answer with."""
    components = GAME.components()
    words = words_for(language, GAME.package).with_components(components.data)
    view = position.view() if seat is None else position.view(seat)
    seats = range(len(view["players"]))
    names = seat_names(words)[: len(seats)]
    legal = list(position.legal_moves(seat)) if seat is not None and seat in position.to_act else []
    choosing = Choosing(legal, as_fields(fields_of(chosen or {}).items()), "/", "/", 0)
    prompt = telling.prompt(words, names, view.words, seat)
    outcome = position.outcome
    shown = table(Seen(view, history))
    drawing = RegionDrawer({})
    html = draw(
        "table.html.jinja",
        language,
        GAME,
        **shown,
        draw_region=drawing.draw_region,
        acts=choosing.acts,
        moved_among=partial(moved_among, shown["moved"]),
        pick=pick,
        version=1,
        game={"key": GAME.name, "package": "cast_away", "title": GAME.title},
        view=view.words,
        seat=seat,
        seats=[
            {
                "name": names[k],
                "colour": COLOURS[k],
                "mark": MARKS[k],
                "kind": "person",
                "you": k == seat,
                "to_act": k in view["to_act"],
            }
            for k in seats
        ],
        chosen=choosing.chosen,
        cancel=None,
        control=choosing.control,
        options=partial(options, choosing),
        confirm=choosing.whole and {"label": "", "control": post("/")},
        t=telling.bind(words),
        prompt={"text": prompt.text, "hint": prompt.hint, "mine": bool(legal)},
        progress=telling.progress(words, view),
        log=[],
        over=outcome
        and {
            "points": list(outcome.points),
            "winners": list(outcome.winners),
            "breakdown": position.breakdown(),
        },
        menu=[],
    )
    return str(drawing.fragment(html, version=1))


def options(choosing: Choosing) -> list[Json]:
    """The buttons of a question, with the moves themselves as labels."""
    return [
        {"move": move, "label": str(move), "control": choosing.carry_out(move)} for move in choosing.options
    ]


def forms(drawn: str) -> list[dict[str, str]]:
    """What the page's buttons send."""
    return [
        {unescape(name): unescape(value) for name, value in FIELD.findall(form)}
        for form in FORM.findall(drawn)
    ]


def reached(position: Position, history: HISTORY, seat: int) -> set[frozenset[tuple[str, str]]]:
    """Every move that can be put together by pressing what is on the page and on those that follow."""
    legal = list(position.legal_moves(seat))
    whole = {frozenset(fields_of(move).items()) for move in legal}
    found: set[frozenset[tuple[str, str]]] = set()
    asked: set[frozenset[tuple[str, str]]] = set()
    waiting: list[dict[str, str]] = [{}]
    while waiting:
        chosen = waiting.pop()
        key = frozenset(chosen.items())
        if key in asked:
            continue
        asked.add(key)
        if key in whole:
            found.add(key)
        for fields in forms(page(position, history, seat, chosen=as_parts(chosen, legal))):
            if "decision" in fields:
                found.add(frozenset((name, text) for name, text in fields.items() if name != "decision"))
            elif "do" in fields:
                waiting.append(fields)
    return found & whole


def as_parts(chosen: dict[str, str], legal: list[Json]) -> Json:
    """Parts of a move with the values that the legal moves have."""
    for move in legal:
        texts = fields_of(move)
        if chosen.items() <= texts.items():
            return {name: move[name] for name in chosen}
    return {}


@pytest.mark.parametrize("players", [2, 4])
def test_every_legal_move_has_a_control(players: int) -> None:
    seen: set[str] = set()
    often: dict[str, int] = {}
    for position, history in game_at_random(players, seed=players):
        if position.is_over:
            break
        seat = position.to_act[0]
        phase = position.view(seat).to_json()["phase"]
        often[phase] = often.get(phase, 0) + 1
        kinds = {move["do"] for move in position.legal_moves(seat)}
        if often[phase] > 3 and kinds <= seen and often[phase] % 25:
            continue
        seen |= kinds
        expected = {frozenset(fields_of(move).items()) for move in position.legal_moves(seat)}
        assert reached(position, history, seat) == expected


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_whole_game_is_drawn_for_everybody(language: str) -> None:
    for number, (position, history) in enumerate(game_at_random(3, seed=5)):
        if number % 12 and not position.is_over:
            continue
        for seat in (None, 0, 1, 2):
            drawn = page(position, history, seat, language)
            ids = re.findall(r'\sid="([^"]+)"', drawn)
            assert len(ids) == len(set(ids)), {name for name in ids if ids.count(name) > 1}
            assert "style=" not in drawn


def test_meeples_are_where_the_view_counts_them() -> None:
    for position, history in game_at_random(4, seed=2):
        view = position.view(1)
        pieces = table(Seen(view, history))["pieces"]
        players = view["players"]
        assert [len(ids) for ids in pieces.own] == [player["left"]["own"] for player in players]
        assert [len(ids) for ids in pieces.white] == [player["left"]["white"] for player in players]
        assert [len(ids) for ids in pieces.candle] == view["candle"]["own"]
        assert len(pieces.tribe) == view["candle"]["white"]
        placed = {place: [m["seat"] for m in there] for place, there in pieces.places.items()}
        assert placed == {place: list(there) for place, there in view["places"].items()}
        piles = [*pieces.own, *pieces.white, *pieces.candle, pieces.tribe]
        everywhere = [piece for pile in piles for piece in pile]
        everywhere += [meeple["id"] for there in pieces.places.values() for meeple in there]
        assert len(everywhere) == len(set(everywhere))
        assert not [piece for piece in everywhere if not re.fullmatch(r"m-\d-\d+|w-\d+", piece)]


def gains_at_start(**changes: Any) -> Castaway:
    """The first player of a fresh game with some things changed."""
    view: Any = GAME.start(2, seed=1).view(0).to_json()
    view["players"][0] |= changes
    return Castaway(view, GAME.components().data, 0)


def test_places_tell_what_one_would_get() -> None:
    """CA-14, CA-16, CA-19, CA-22."""
    fresh = gains_at_start()
    assert fresh.gains("bamboo") == [{"icon": "cube-bamboo", "text": "+2"}]
    assert fresh.gains("gathering") == [{"icon": "cube-fruit", "text": "+1"}]
    assert fresh.gains("leisure") == [{"icon": "i-smile", "text": "+2"}, {"icon": "i-star", "text": "+1"}]
    assert fresh.lacks("prayer") == "faith"
    assert fresh.lacks("mystery") == "fire"
    fresh.view["places"]["exploration bamboo"] = [1]
    assert fresh.gains("bamboo") == [{"icon": "cube-bamboo", "text": "+1"}]
    faithful = {"fire": 1, "fishing": 0, "nature": 3, "construction": 0, "faith": 2}
    pious = gains_at_start(experience=faithful, favour=1)
    assert [chip["text"] for chip in pious.gains("prayer")] == ["C", "+1"]
    assert pious.gains("gathering") == [{"icon": "cube-fruit", "text": "+4"}]
    basket = gains_at_start(slots=["construction 4"])
    assert basket.gains("gathering") == [{"icon": "cube-fruit", "text": "+2"}]


@pytest.mark.parametrize("prestige", [[0, 0], [3, 40], [12, 13, 22, 21], [100, 7, 50]])
def test_everybody_is_once_on_the_track_of_prestige(prestige: list[int]) -> None:
    seats = [seat for row in prestige_rows(prestige) for seat in row["seats"]]
    assert sorted(seats) == list(range(len(prestige)))

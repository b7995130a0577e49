"""The page of a table: where the pieces stand, what places would give, and a control for every legal move."""

import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from itertools import chain
from random import Random

import pytest

from atoll.core.events import Event
from atoll.core.game import Position
from atoll.core.game_translator import GameTranslator
from atoll.core.seen import Seen
from atoll.core.types import Json
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import messages
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.meeples import place_pieces
from atoll.games.cast_away.table import prestige_rows, table
from atoll.games.cast_away.vocabulary import Rows, gains
from atoll.text.translation import seat_names
from atoll.web.pages.drawings import COLOURS, MARKS
from atoll.web.pages.ending import standings
from atoll.web.pages.regions import RegionDrawer
from atoll.web.pages.table_page import named, pick
from atoll.web.pages.templating import draw
from atoll.web.table.move_choice import MoveChoice, as_fields, fields_of, post
from atoll.web.translation import translator_for

from .positions import BLUE, GAME, RED, own
from .positions import position as set_up

FORM = re.compile(r'<form class="press-form".*?</form>', re.DOTALL)
FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')
HISTORY = list[tuple[Event, ...]]


def game_at_random(players: int, seed: int, has_options: bool = False) -> Iterator[tuple[Position, HISTORY]]:
    """A game of random moves: before each, and at the end, the position and the events of all moves."""
    options = {option.name: has_options for option in GAME.options}
    position, choose = GAME.start(players, seed=seed, options=options), Random(seed)
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
    translator = GameTranslator(translator_for(language, GAME.package), components)
    view = position.view() if seat is None else position.view(seat)
    seats = range(view.players)
    names = seat_names(translator)[: len(seats)]
    legal = list(position.legal_moves(seat)) if seat is not None and seat in position.to_act else []
    choosing = MoveChoice(legal, as_fields(fields_of(chosen or {}).items()), "/", "/", 0)
    prompt = messages.prompt(translator, names, view, seat)
    outcome = position.outcome
    over = outcome and {
        "points": list(outcome.points),
        "winners": list(outcome.winners),
        "breakdown": position.breakdown(),
    }
    shown = table(Seen(view, history))
    drawing = RegionDrawer({})
    people = [
        {
            "name": names[k],
            "colour": COLOURS[k],
            "mark": MARKS[k],
            "kind": "person",
            "you": k == seat,
            "to_act": k in view.to_act,
        }
        for k in seats
    ]
    html = draw(
        "table.html.jinja",
        language,
        GAME,
        **shown,
        draw_region=drawing.draw_region,
        acts=choosing.acts,
        pick=pick,
        version=1,
        game={"key": GAME.name, "package": "cast_away", "title": GAME.title},
        seat=seat,
        decides=bool(legal),
        seats=people,
        named=partial(named, [(str(person["name"]), bool(person["you"])) for person in people]),
        chosen=choosing.chosen,
        cancel=None,
        control=choosing.control,
        options=partial(options, choosing),
        confirm=choosing.whole and {"label": "", "control": post("/")},
        t=GAME.messages.bind(translator),
        prompt={"text": prompt.text, "hint": prompt.hint, "mine": bool(legal)},
        progress=messages.progress(translator, view),
        log=[],
        over=over,
        standings=standings(over) if over else [],
        verdict={"short": "", "whole": ""},
        menu=[],
    )
    return str(drawing.fragment(html, version=1))


def options(choosing: MoveChoice) -> list[Json]:
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
    """With two players all options are on, which bring moves of their own."""
    seen: set[str] = set()
    often: dict[str, int] = {}
    for position, history in game_at_random(players, seed=players, has_options=players == 2):
        if position.is_over:
            break
        seat = position.to_act[0]
        phase = ca.PHASES[position.view(seat).fields.phase]
        often[phase] = often.get(phase, 0) + 1
        kinds = {move["do"] for move in position.legal_moves(seat)}
        if often[phase] > 1 and kinds <= seen and often[phase] % 50:
            continue
        seen |= kinds
        expected = {frozenset(fields_of(move).items()) for move in position.legal_moves(seat)}
        assert reached(position, history, seat) == expected
    assert ("marker" in often) == (players == 2)


def test_a_whole_game_is_drawn_for_everybody() -> None:
    for number, (position, history) in enumerate(game_at_random(3, seed=5)):
        if number % 12 and not position.is_over:
            continue
        for seat in (None, 0, 1, 2):
            drawn = page(position, history, seat, ("en", "fr")[number // 12 % 2])
            ids = re.findall(r'\sid="([^"]+)"', drawn)
            assert len(ids) == len(set(ids)), {name for name in ids if ids.count(name) > 1}
            assert "style=" not in drawn


def test_meeples_are_where_the_view_counts_them() -> None:
    for position, history in game_at_random(4, seed=2):
        view = position.view(1)
        fields = view.fields
        pieces = table(Seen(view, history))["pieces"]
        assert [len(ids) for ids in pieces.own] == fields.left_own
        assert [len(ids) for ids in pieces.white] == fields.left_white
        assert [len(ids) for ids in pieces.candle] == fields.candle
        assert len(pieces.tribe) == fields.white_left
        placed = [(place, m["seat"]) for place, there in pieces.places.items() for m in there]
        arrived = zip(fields.arrival_place, fields.arrival_seat, strict=True)
        assert placed == list(arrived)[: fields.arrivals]
        piles = [*pieces.own, *pieces.white, *pieces.candle, pieces.tribe]
        everywhere = [piece for pile in piles for piece in pile]
        everywhere += [meeple["id"] for there in pieces.places.values() for meeple in there]
        assert len(everywhere) == len(set(everywhere))
        assert not [piece for piece in everywhere if not re.fullmatch(r"m-\d-\d+|w-\d+", piece)]


# What the places would give

MOVES = {
    "bamboo": {"do": "explore", "resource": "bamboo"},
    "liana": {"do": "explore", "resource": "liana"},
    "palm": {"do": "explore", "resource": "palm"},
    "gathering": {"do": "gather"},
    "water": {"do": "draw water"},
    "fishing": {"do": "fish"},
    "event": {"do": "take event"},
    "prayer": {"do": "pray"},
    "leisure": {"do": "leisure"},
    "rest": {"do": "rest"},
    "study": {"do": "study"},
    "tribe": {"do": "meet tribe"},
    "mystery": {"do": "solve mystery"},
    "construction": {"do": "build"},
}
"""What one does at each place of the page."""
GIVING = ("bamboo", "liana", "palm", "gathering", "water", "leisure")
"""Places that give without a decision; the first three more for a fruit."""


def places_of(position: Position, seat: int) -> dict[str, Json]:
    """What the page says of each place, for a seat."""
    return {place["key"]: place for place in table(Seen(position.view(seat), ()))["scene"].places}


def given(seat: int, events: list[Event]) -> Rows:
    """What a meeple got where it was placed, as an effect."""
    found = dict.fromkeys((*ca.RESOURCES, "happiness", "prestige"), 0)
    placed = next(number for number, event in enumerate(events) if event.what == ev.MEEPLE_PLACED)
    for event in events[placed + 1 :]:
        if event.whose != seat or event.origin == ev.COMPASS:
            break
        if event.what == ev.GAINED:
            found[ca.RESOURCES[event.piece]] += event.extra
        elif event.what in (ev.HAPPIER, ev.SCORED):
            found["happiness" if event.what == ev.HAPPIER else "prestige"] += event.extra
    return gains(**found)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_places_say_what_playing_there_does(players: int) -> None:
    """CA-12, CA-14 to CA-24, CA-27: open or not, what is gained, what for a fruit, which step, which tiles."""
    compared = dict.fromkeys(MOVES, 0)
    for position, _ in game_at_random(players, seed=players + 40):
        if position.is_over:
            break
        seat = position.to_act[0]
        fields = position.view(seat).fields
        if fields.phase != ca.ACTION or not fields.left_own[seat]:
            continue
        scene = table(Seen(position.view(seat), ()))["scene"]
        legal = [move for move in position.legal_moves(seat) if move.get("with", "own") == "own"]
        for place in scene.places:
            key = place["key"]
            moves = [move for move in legal if MOVES[key].items() <= move.items()]
            if key == "construction":
                assert {move["tile"] for move in moves} == (set() if place["why"] else set(scene.buildable))
            elif key == "mystery":
                assert not (moves and place["why"])
                assert moves or place["why"] or scene.to_send < ca.MOST_SOLVERS
            else:
                assert bool(moves) == (place["why"] is None), (key, place["why"])
            if moves:
                compared[key] += 1
                compare(position, seat, key, place, moves[0])
    assert min(compared.values()) > 0, compared


def compare(position: Position, seat: int, key: str, place: Json, move: Json) -> None:
    """Play a move on a copy; what comes of it is what the page says of the place."""
    after = position.copy()
    events = after.play(seat, move)
    if key in GIVING:
        assert given(seat, events) == place["effect"], key
    if key in GIVING[:3]:
        asked = after.view(seat).fields.phase == ca.FRUIT_SPENT and seat in after.to_act
        assert asked == bool(place["more"])
        if asked:
            got = [event.extra for event in after.play(seat, {"do": "spend fruit", "choice": "yes"})[:2]]
            assert got == [1, place["more"]]
    if key == "prayer":
        moved = next(event for event in events if event.what == ev.FAVOUR_MOVED)
        assert place["step"] == moved.target - 1
    if key == "study":
        spent = sum(event.extra for event in events[:2] if event.what == ev.SPENT)
        assert spent == place["paid"]
    if key == "fishing" and after.view(seat).fields.phase != ca.DOUBLE:
        drawn = next(number for number, event in enumerate(events) if event.what == ev.FISH_DRAWN)
        caught = sum(e.extra for e in events[drawn + 1 :][:1] if (e.what, e.piece) == (ev.GAINED, ca.FISH))
        assert place["catch"][0] <= caught <= place["catch"][1]


def test_nothing_can_be_built_after_the_last_free_slot() -> None:
    """CA-4, CA-15."""
    rich = {"bamboo": 9, "liana": 9, "palm": 9}
    said: Json = {"resources": {RED: rich}, "experience": {RED: {"construction": 3}}}
    tiles = [f"construction {tile}" for tile in range(1, 9)]
    almost, full = (
        set_up(slots={RED: tiles[:7]}, **said),
        set_up(slots={RED: tiles}, last_round=True, **said),
    )
    assert places_of(almost, RED)["construction"]["why"] is None
    assert table(Seen(almost.view(RED), ()))["scene"].buildable
    assert places_of(full, RED)["construction"]["why"] == "slots"
    assert table(Seen(full.view(RED), ()))["scene"].buildable == []


def test_places_tell_in_signs_what_one_would_get() -> None:
    """CA-14, CA-16, CA-19, CA-22."""
    fresh = places_of(set_up(), RED)
    assert fresh["bamboo"]["gains"] == [{"icon": "cube-bamboo", "text": "+2"}]
    assert fresh["gathering"]["gains"] == [{"icon": "cube-fruit", "text": "+1"}]
    assert fresh["leisure"]["gains"] == [
        {"icon": "i-smile", "text": "+2"},
        {"icon": "i-star", "text": "+1"},
    ]
    assert (fresh["prayer"]["why"], fresh["mystery"]["why"]) == ("faith", "fire")
    assert places_of(set_up(places={"exploration bamboo": [BLUE]}), RED)["bamboo"]["gains"] == [
        {"icon": "cube-bamboo", "text": "+1"}
    ]
    pious = places_of(set_up(experience={RED: {"nature": 3, "faith": 2}}, favour={RED: 1}), RED)
    assert [chip["text"] for chip in pious["prayer"]["gains"]] == ["C", "+1"]
    assert pious["gathering"]["gains"] == [{"icon": "cube-fruit", "text": "+4"}]
    basket = places_of(set_up(slots={RED: ["construction 4"]}), RED)
    assert basket["gathering"]["gains"] == [{"icon": "cube-fruit", "text": "+2"}]
    hungry = places_of(set_up(resources={RED: {"fruit": 1}}), RED)
    assert hungry["palm"]["gains"][1] == {"icon": "cube-fruit", "text": "→+1", "for_fruit": True}


def test_the_ship_is_told_to_who_has_seen_it_as_exactly_as_they_know() -> None:
    """CA-7, CA-23: who has looked at the ship knows its round, others know the last three."""
    held = ["1", "2", "4", "6", "7", "8", "9", "10", "12"]
    game = set_up(round=10, event="5", pile=["3", "ship", "11"], events={BLUE: held})
    assert table(Seen(game.view(RED), ()))["scene"].ship == (11, 13)
    own(game, "take event")
    assert table(Seen(game.view(RED), ()))["scene"].ship == (12, 12)
    assert table(Seen(game.view(BLUE), ()))["scene"].ship == (11, 13)


@pytest.mark.parametrize("prestige", [[0, 0], [3, 40], [12, 13, 22, 21], [100, 7, 50]])
def test_everybody_is_once_on_the_track_of_prestige(prestige: list[int]) -> None:
    seats = [seat for row in prestige_rows(prestige) for seat in row["seats"]]
    assert sorted(seats) == list(range(len(prestige)))


@pytest.mark.parametrize("begins", range(6, 66, 6))
def test_what_is_tried_out_in_mid_game_finds_every_meeple(begins: int) -> None:
    """A copy's moves are followed from where it begins, when meeples of the tribe are with seats already: each is
    somewhere once.
    """
    for number, (position, history) in enumerate(game_at_random(3, seed=begins)):
        if begins <= number < begins + 60:
            pieces, _ = place_pieces(Seen(position.view(0), history[begins:]))
            ids = [*chain(*pieces.own, *pieces.white, *pieces.candle, pieces.tribe)]
            ids += [meeple["id"] for meeples in pieces.places.values() for meeple in meeples]
            assert len(set(ids)) == len(ids)

"""What the table's page is given: islands cell by cell, how adventurers fare, and nothing that is hidden."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from atoll.core.catalogue import find_game
from atoll.core.events import Event
from atoll.core.game import Json
from atoll.core.position import Position
from atoll.core.seen import Seen
from atoll.core.state import SPECTATOR
from atoll.games.karuba.table import Island, Scene, table

GAME = find_game("karuba")
COMPONENTS = GAME.components()
EXITS = {number: card["exits"] for number, card in enumerate(COMPONENTS.data["cards"], start=1)}

LOUIS = {
    (0, 0): 14, (1, 0): 2, (2, 0): 3, (3, 0): 1,
    (0, 1): 16, (1, 1): 8, (3, 1): 15,
    (0, 2): 10, (1, 2): 6, (2, 2): 5, (3, 2): 9,
    (1, 3): 13, (2, 3): 12, (3, 3): 11,
}  # fmt: skip
"""The rulebook's example of scoring."""


def island(places: dict[tuple[int, int], int]) -> Island:
    """An island on its own."""
    return Island(0, places, EXITS, 4)


def view_of(places: dict[tuple[int, int], int], **more: Any) -> Json:
    """The end of a game for one island."""
    player: Json = {"hand": [], "pile": 0, "chosen": [], "to_lay": [], "discarded": []}
    player["island"] = {f"{column},{row}": card for (column, row), card in places.items()}
    return Said(round=8, phase="over", to_act=[], players=[{**player, **more}])


class Said(dict[str, Any]):
    """A view in words alone."""

    viewer = 0
    components = COMPONENTS


def scene_of(view: Any) -> Scene:
    """What is drawn of a position."""
    found: Scene = table(Seen(view, []))["scene"]
    return found


def game_at_random(players: int, seed: int) -> Iterator[tuple[Position, list[list[Event]]]]:
    """A game of random moves: after each, the position and the events of all moves."""
    position, choose = GAME.start(players, seed=seed), Random(seed)
    history: list[list[Event]] = []
    yield position, history
    while not position.is_over:
        seat = choose.choice(position.to_act)
        history.append(list(position.play(seat, choose.choice(list(position.legal_moves(seat))))))
        yield position, history


# Islands


def test_an_island_is_shown_with_room_to_grow_until_its_frame_is_fixed() -> None:
    assert len(island({}).cells) == 9
    wide = island({(column, 0): column + 1 for column in range(4)})
    assert (len(wide.shown_columns), len(wide.shown_rows)) == (4, 3)
    assert not wide.is_fixed
    assert island(LOUIS).is_fixed
    assert len(island(LOUIS).cells) == 16


@pytest.mark.parametrize("players", [2, 6])
def test_open_cells_are_those_on_which_the_rules_let_a_card_be_laid(players: int) -> None:
    for position, _ in game_at_random(players, seed=players):
        view = position.view(0)
        if view["phase"] == "lay" and 0 in view["to_act"]:
            shown = {cell.at for cell in scene_of(view).islands[0].cells if cell.kind == "open"}
            assert shown == {tuple(move["at"]) for move in position.legal_moves(0)}


def test_cards_are_joined_where_both_have_an_exit() -> None:
    assert island({(0, 0): 7}).joins((1, 0), 14) == ["W"]
    assert island({(0, 0): 7}).joins((0, 1), 8) == []
    shut = {cell.at: cell.shut for cell in island({(0, 0): 1, (0, 1): 7}).cells if cell.card}
    assert shut == {(0, 0): ["S"], (0, 1): []}


# Adventurers


def test_the_rulebooks_example_is_drawn_as_it_is_scored() -> None:
    scene = scene_of(view_of(LOUIS))
    fates = {fate.colour: (fate.state, fate.points, fate.stopped_by) for fate in scene.fates[0]}
    assert fates == {
        "blue": ("arrives", 7, None),
        "orange": ("arrives", 6, None),
        "green": ("stopped", 0, "blue"),
        "purple": ("apart", 0, None),
    }
    worths = {route.colour: sorted(worth for *_, worth in route.chips) for route in scene.routes[0]}
    assert worths == {"blue": [1, 1, 2, 3], "orange": [1, 2, 3], "green": []}


def test_routes_over_the_same_cards_lie_side_by_side() -> None:
    blue, orange, green = scene_of(view_of(LOUIS)).routes[0]
    assert len({blue.line, orange.line, green.line}) == 3
    assert blue.tip != orange.tip


def test_chips_on_one_card_do_not_cover_each_other() -> None:
    chips = [(x, y) for route in scene_of(view_of(LOUIS)).routes[0] for x, y, _ in route.chips]
    assert len(set(chips)) == len(chips)


def test_an_adventurer_without_a_temple_waits_for_it() -> None:
    fate = scene_of(view_of({(0, 0): 9}, hand=[13])).fates[0][0]
    assert (fate.state, fate.where) == ("pending", ("laid", "hand"))


# What is hidden


@pytest.mark.parametrize("seat", [0, None])
def test_nothing_hidden_can_be_told_from_the_ids(seat: int | None) -> None:
    for position, history in game_at_random(3, seed=7):
        view = position.view() if seat is None else position.view(seat)
        known = [
            [GAME.notation.hide_event(event, SPECTATOR if seat is None else seat) for event in move]
            for move in history
        ]
        looked = table(Seen(view, known))
        public = {
            f"card-{owner}-{card}"
            for owner, player in enumerate(view["players"])
            for card in [
                *player["island"].values(),
                *player["discarded"],
                *(player["chosen"] if isinstance(player["chosen"], list) else []),
                *(player["hand"] if isinstance(player["hand"], list) else []),
            ]
        }
        scene = looked["scene"]
        named = {*looked["moved"], *scene.sources, *scene.revealed}
        assert {name for name in named if name.startswith("card-")} <= public


def test_others_see_only_how_many_cards_lie_face_down() -> None:
    position = GAME.start(2, seed=1)
    position.play(1, next(iter(position.legal_moves(1))))
    scene = scene_of(position.view(0))
    assert (scene.choices[1].cards, scene.choices[1].hidden, scene.choices[1].total) == ([], 2, None)
    assert set(scene.overviews[1].values()) == {"coming"}


def test_the_lowest_sum_is_known_once_all_have_chosen() -> None:
    for position, _ in game_at_random(3, seed=3):
        view = position.view(0)
        choices = scene_of(view).choices
        if view["phase"] == "discard":
            assert {seat for seat, choice in enumerate(choices) if choice.lowest} >= set(view["to_act"])
        if view["phase"] == "choose":
            assert not any(choice.lowest for choice in choices)

"""What the table's page is given: islands cell by cell, how adventurers fare, and nothing that is hidden."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from atoll.core.events import Event
from atoll.core.game import Position, View
from atoll.core.seen import Seen
from atoll.core.state import SPECTATOR
from atoll.games.karuba.state import cell_at
from atoll.games.karuba.table import Island, KarubaScene, island_of, table

from .positions import GAME, LOUIS_ISLAND, player, position
from .positions import island as places_of


def island(drawn: str = "") -> Island:
    """An island on its own, as the page shows it."""
    return island_of(end_of(drawn).view(0), 0)


def end_of(drawn: str, hand: Sequence[int] = ()) -> Position:
    """The end of a game for one island."""
    lying = places_of(drawn) if drawn else {}
    return position(player(island=lying, hand=hand), player(), phase="over", round=8, to_act=[])


def scene_of(view: View) -> KarubaScene:
    """What is drawn of a view."""
    scene: KarubaScene = table(Seen(view, []))["scene"]
    return scene


def game_at_random(players: int, seed: int) -> Iterator[tuple[Position, list[list[Event]]]]:
    """A game of random moves: after each, the position and the events of all moves."""
    where, choose = GAME.start(players, seed=seed), Random(seed)
    history: list[list[Event]] = []
    yield where, history
    while not where.is_over:
        seat = choose.choice(where.to_act)
        history.append(list(where.play(seat, choose.choice(list(where.legal_moves(seat))))))
        yield where, history


# Islands


def test_an_island_is_shown_with_room_to_grow_until_its_frame_is_fixed() -> None:
    assert len(island().cells) == 9
    wide = island("1 2 3 4")
    assert (len(wide.shown_columns), len(wide.shown_rows)) == (4, 3)
    assert not wide.is_fixed
    louis = island(LOUIS_ISLAND)
    assert louis.is_fixed
    assert len(louis.cells) == 16


@pytest.mark.parametrize("players", [2, 6])
def test_open_cells_are_those_on_which_the_rules_let_a_card_be_laid(players: int) -> None:
    for where, _ in game_at_random(players, seed=players):
        view = where.view(0)
        if scene_of(view).phase == "lay" and 0 in view.to_act:
            shown = {cell.at for cell in scene_of(view).islands[0].cells if cell.kind == "open"}
            assert shown == {tuple(move["at"]) for move in where.legal_moves(0)}


def test_cards_are_joined_where_both_have_an_exit() -> None:
    assert island("7").joins(cell_at(1, 0), 14) == ["W"]
    assert island("7").joins(cell_at(0, 1), 8) == []
    shut = {cell.card: cell.shut for cell in island("1\n7").cells if cell.card}
    assert shut == {1: ["S"], 7: []}


# Adventurers


def test_the_rulebooks_example_is_drawn_as_it_is_scored() -> None:
    scene = scene_of(end_of(LOUIS_ISLAND).view(0))
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
    blue, orange, green = scene_of(end_of(LOUIS_ISLAND).view(0)).routes[0]
    assert len({blue.line, orange.line, green.line}) == 3
    assert blue.tip != orange.tip


def test_chips_on_one_card_do_not_cover_each_other() -> None:
    chips = [(x, y) for route in scene_of(end_of(LOUIS_ISLAND).view(0)).routes[0] for x, y, _ in route.chips]
    assert len(set(chips)) == len(chips)


def test_an_adventurer_without_a_temple_waits_for_it() -> None:
    fate = scene_of(end_of("9", hand=[13]).view(0)).fates[0][0]
    assert (fate.state, fate.where) == ("pending", ("laid", "hand"))


# What is hidden


@pytest.mark.parametrize("seat", [0, None])
def test_nothing_hidden_can_be_told_from_the_ids(seat: int | None) -> None:
    for where, history in game_at_random(3, seed=7):
        view = where.view() if seat is None else where.view(seat)
        known = [
            [GAME.notation.hide_event(event, SPECTATOR if seat is None else seat) for event in move]
            for move in history
        ]
        looked = table(Seen(view, known))
        public = {
            f"card-{owner}-{card}"
            for owner, shown in enumerate(looked["scene"].players)
            for card in [*shown.island, *shown.discarded, *shown.choice.cards, *shown.hand]
        }
        scene = looked["scene"]
        named = {*looked["moved"], *scene.sources, *scene.revealed}
        assert {name for name in named if name.startswith("card-")} <= public


def test_others_see_only_how_many_cards_lie_face_down() -> None:
    where = GAME.start(2, seed=1)
    where.play(1, next(iter(where.legal_moves(1))))
    scene = scene_of(where.view(0))
    choice = scene.players[1].choice
    assert (choice.cards, choice.hidden, choice.total) == ([], 2, None)
    assert set(scene.overviews[1].values()) == {"coming"}


def test_the_lowest_sum_is_known_once_all_have_chosen() -> None:
    for where, _ in game_at_random(3, seed=3):
        view = where.view(0)
        scene = scene_of(view)
        lowest = {seat for seat, shown in enumerate(scene.players) if shown.choice.lowest}
        if scene.phase == "discard":
            sums = [sum(chosen) for chosen in view.fields.chosen[:3]]
            assert lowest == {seat for seat in range(3) if sums[seat] == min(sums)} >= set(view.to_act)
        if scene.phase == "choose":
            assert not lowest

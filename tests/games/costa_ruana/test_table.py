"""Where the pieces of the page stand, and who would collect (CR-17)."""

from collections.abc import Iterator
from random import Random

import pytest

from atoll.core.events import Event
from atoll.core.game import Position
from atoll.core.seen import Seen
from atoll.core.types import Json
from atoll.games.costa_ruana.prospects import Collection, Prospects
from atoll.games.costa_ruana.table import PieceIds, crowd, table

from .positions import GAME


@pytest.mark.parametrize(
    ("natives", "treasures", "collector", "arguing"),
    [
        ([2, 1, 0], 3, 0, set()),
        ([2, 2, 1], 3, 2, {0, 1}),
        ([1, 1, 0], 3, None, {0, 1}),
        ([3, 1, 1], 0, None, {1, 2}),
        ([0, 0, 0], 3, None, set()),
        ([2, 2, 1, 1, 0, 0], 3, None, {0, 1, 2, 3}),
    ],
)
def test_the_most_natives_that_do_not_argue_collect(
    natives: list[int], treasures: int, collector: int | None, arguing: set[int]
) -> None:
    view = GAME.start(len(natives), seed=1).view()
    view.state.natives[1, : len(natives)] = natives
    view.state.treasures[1] = treasures
    assert Prospects(view).collections[1] == Collection(collector, frozenset(arguing))


def test_natives_are_drawn_smaller_where_there_are_many() -> None:
    assert crowd([1, 1, 0, 0, 0, 0]) == 0
    assert crowd([1, 1, 1, 2, 1, 1]) > crowd([1, 1, 1, 0, 0, 0])
    assert crowd([15, 15, 15, 15, 15, 15]) == 5


def game_at_random(players: int, seed: int) -> Iterator[tuple[Position, list[list[Event]]]]:
    """A game of random moves: after each, the position and the events of all moves."""
    position, choose = GAME.start(players, seed=seed), Random(seed)
    history: list[list[Event]] = []
    yield position, history
    while not position.is_over:
        seat = position.to_act[0]
        history.append(list(position.play(seat, choose.choice(list(position.legal_moves(seat))))))
        yield position, history


def counted(pieces: PieceIds) -> Json:
    """How many pieces stand where, as a view counts them."""
    return {
        "islands": [
            {"treasures": len(gems), "natives": [len(ids) for ids in natives]}
            for gems, natives in zip(pieces.gems, pieces.islands, strict=True)
        ],
        "supplies": [len(ids) for ids in pieces.supplies],
        "cards": [[seat for seat, ids in enumerate(owners) for _ in ids] for owners in pieces.cards],
    }


def natives_of(pieces: PieceIds) -> list[str]:
    """The ids of all natives."""
    places = [*pieces.islands, pieces.supplies, *pieces.cards]
    found = [id for place in places for ids in place for id in ids]
    return found if pieces.held_owner is None else [*found, str(pieces.held)]


@pytest.mark.parametrize("players", [2, 6])
def test_pieces_stand_where_the_view_counts_them(players: int) -> None:
    names: set[str] | None = None
    for position, history in game_at_random(players, seed=players):
        view = position.view(0)
        words = view.to_json()
        pieces = table(Seen(view, history))["pieces"]
        assert counted(pieces) == {
            "islands": words["islands"],
            "supplies": [player["supply"] for player in words["players"]],
            "cards": [entry["natives"] for entry in words["table"]],
        }
        natives = natives_of(pieces)
        assert len(set(natives)) == len(natives)
        names = names or set(natives)
        assert set(natives) == names


def test_a_card_element_does_not_tell_a_hidden_card() -> None:
    for position, history in game_at_random(3, seed=1):
        view = position.view(0)
        words = view.to_json()
        if words["phase"] != "face down" or len(words["table"]) < 5:
            continue
        scene = table(Seen(view, history))["scene"]
        for entry, look in zip(words["table"], scene.cards, strict=True):
            if entry["card"] is None:
                assert look["source"] == f"hand-of-{entry['played_by']}"
        return


def test_of_equal_cards_the_one_that_goes_is_the_one_that_is_played() -> None:
    """What is shown as chosen is what glides to the table."""
    equal = 0
    for seed in range(1, 6):
        before: list[Json] = []
        for position, history in game_at_random(6, seed):
            view = position.view(0)
            scene = table(Seen(view, history))["scene"]
            if len(scene.hand) == len(before) - 1:
                played = scene.cards[-1]["source"]
                card = next(entry["card"] for entry in before if entry["id"] == played)
                same = [entry for entry in before if entry["card"] == card]
                assert [entry["id"] for entry in same if entry["goes"]] == [played]
                equal += len(same) > 1
            before = scene.hand
    assert equal

"""Parts are declared once: what stands in a checked components file is copied, whatever cannot be is said."""

import pickle
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct, field

from atoll.core.components import File, FileContent
from atoll.core.fields import Int8s, Int16s
from atoll.core.parts import Parts, part, part_faults
from atoll.text.errors import AtollError, ComponentError

Few = Annotated[int, Meta(ge=0, le=9)]
COLOURS = ("red", "blue")


class Prices(Struct):
    palm: Few = 0
    fresh_water: Few = 0


class Tile(Struct):
    id: Annotated[int, Meta(ge=1, le=99)]
    cost: Few
    colour: Literal["red", "blue"] | None = None
    steps: list[Few] = []
    rare: bool = False


class Figures(Struct):
    rounds: Few
    draws: list[Few]
    loose: int = 0
    prices: Prices = field(default_factory=Prices)


class ComponentsFile(File):
    game: Figures
    tiles: list[Tile] = field(default_factory=list)


class ReefParts(Parts):
    rounds: int = part("rounds", of="game")
    draws: Int8s = part("cards drawn before each round", shape=4, of="game", shift=1)
    prices: Int8s = part("prices", shape=2, of="game", names=("palm", "fresh water"))
    tiles: int = part("tiles", counts="tiles")
    tile_cost: Int16s = part("by number", "i2", 4, of="tiles[]", key="cost", shift=1)
    colour: Int8s = part("by id", shape=4, of="tiles[]", at=lambda tile: tile.id, names=COLOURS, empty=-1)
    steps: Int8s = part("of each tile", shape=(3, 2), of="tiles[]", empty=-1)
    rare: Int8s = part("whether it is", shape=3, of="tiles[]")
    own: int = part("written by the game", empty=7)


def copied(**changes: Any) -> Any:
    data = {
        "format": 1,
        "name": "x",
        "game": {"rounds": 5, "draws": [2, 1], "prices": {"palm": 3, "fresh_water": 4}},
        "tiles": [
            {"id": 3, "cost": 9, "colour": "blue", "steps": [1, 2]},
            {"id": 1, "cost": 8, "steps": [5], "rare": True},
        ],
    }
    content = FileContent("mine.toml", data | changes)
    return ReefParts.copied(content, content.checked(ComponentsFile))[0]


def test_what_stands_in_the_file_is_copied() -> None:
    parts = copied()
    found = {name: parts[name].tolist() for name in parts.dtype.names}
    assert found == {
        "rounds": 5,
        "draws": [0, 2, 1, 0],
        "prices": [3, 4],
        "tiles": 2,
        "tile_cost": [0, 9, 8, 0],
        "colour": [-1, -1, -1, 1],
        "steps": [[1, 2], [5, -1], [-1, -1]],
        "rare": [0, 1, 0],
        "own": 7,
    }
    assert list(part_faults(ReefParts, ComponentsFile)) == []


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": {"rounds": 5, "draws": [1] * 4}}, "mine.toml: game.draws: there is room for 3, not 4"),
        ({"tiles": [{"id": 1, "cost": 1}] * 4}, r"mine.toml: tiles: there is room for 3, not 4"),
        (
            {"tiles": [{"id": 4, "cost": 1}]},
            r"mine.toml: tiles\[0\] \(4\): has the number 4, and the last is 3",
        ),
        (
            {"tiles": [{"id": 1, "cost": 1, "steps": [1] * 3}]},
            r"mine.toml: tiles\[0\].steps \(1\): there is room for 2, not 3",
        ),
    ],
)
def test_what_has_no_room_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ComponentError, match=f"^{sentence}$"):
        copied(**changes)


def declared(**fields: Any) -> type[Parts]:
    return type("ReefParts", (Parts,), {"__annotations__": dict.fromkeys(fields, int), **fields})


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (part("", of="game"), "is copied from game.value, which ComponentsFile does not have"),
        (part("", of="fish[]"), r"is copied from fish\[\].value, which ComponentsFile does not have"),
        (part("", counts="fish"), "is the length of fish, which ComponentsFile does not have"),
        (part("", counts="game"), "is the length of game, which is no list"),
        (part("", of="game", key="draws"), "has 0 axes, but game.draws does not fill so many"),
        (part("", shape=3, of="game", key="rounds"), "has 1 axes, but game.rounds does not fill so many"),
        (part("", of="game", key="loose"), "is i1, but game.loose has no limits within it"),
        (part("", shape=3, of="tiles[]", key="colour"), r"does not name the word 'blue' of tiles\[\].colour"),
        (part("", of="", key="name"), "is copied from name, which holds no numbers, truths or words"),
    ],
)
def test_what_cannot_be_copied_is_said_in_one_sentence(wrong: Any, sentence: str) -> None:
    (found,) = part_faults(declared(value=wrong), ComponentsFile)
    assert found.startswith("ReefParts.value ")
    with pytest.raises(AssertionError, match=f"^ReefParts.value {sentence}$"):
        raise AssertionError(found)


def test_a_part_says_what_it_means() -> None:
    with pytest.raises(AtollError, match=r"ReefParts.value does not say what it means: declare it with part"):
        declared(value=3)


class BayParts(Parts):
    """Without a structure of the game's own: it follows."""

    nights: int = part("nights", of="game", least=1, most=6)
    die: Int8s = part("faces", shape=3, of="game", names=COLOURS)
    cards: int = part("cards, all copies", counts="cards", copies="count")
    gives: Int8s = part(
        "by card", shape=(6, 2), of="cards[]", copies="count", shift=1, keys=("silver", "red fish"), most=5
    )
    wind: Int8s = part("by card", shape=6, of="cards[]", copies="count", shift=1, most=9, default=4)


def in_the_bay(**changes: Any) -> Any:
    net: Any = {"name": {"en": "Net"}, "count": 2, "gives": {"silver": 1}}
    line: Any = {"name": {"en": "Line"}, "count": 3, "gives": {"red fish": 5}, "wind": 7}
    data = {"format": 1, "name": "x", "game": {"nights": 2, "die": ["red", "blue"]}, "cards": [net, line]}
    content = FileContent("mine.toml", data | changes)
    assert BayParts.structure is not None
    return BayParts.copied(content, content.checked(BayParts.structure))[0]


def test_the_structure_of_a_file_follows_from_limits_and_a_card_fills_a_place_for_each_copy() -> None:
    parts = in_the_bay()
    assert (parts.nights, parts.die.tolist(), parts.cards) == (2, [0, 1, 0], 5)
    assert parts.gives.tolist() == [[0, 0], [1, 0], [1, 0], [0, 5], [0, 5], [0, 5]]
    assert parts.wind.tolist() == [0, 4, 4, 7, 7, 7]
    assert BayParts.structure is not None
    assert list(part_faults(BayParts, BayParts.structure)) == []
    assert pickle.loads(pickle.dumps(BayParts.structure)) is BayParts.structure


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": {"nights": 7, "die": ["red"]}}, "game.nights: .*6"),
        ({"game": {"nights": 1, "die": ["green"]}}, r"game.die\[0\]"),
        ({"game": {"nights": 1, "die": ["red"] * 4}}, "game.die"),
        ({"cards": [{"name": {"en": "Net"}, "count": 6, "gives": {}}]}, r"cards\[0\].*count"),
        ({"cards": [{"name": {"en": "Net"}, "count": 3, "gives": {}}] * 2}, "there is room for 5, not 6"),
        ({"cards": [{"name": {"en": "Net"}, "count": 1, "gives": {"gold": 1}}]}, r"cards\[0\].*gold"),
    ],
)
def test_what_goes_past_the_limits_of_parts_is_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ComponentError, match=sentence):
        in_the_bay(**changes)


def test_a_path_that_no_file_can_follow_from_is_refused() -> None:
    with pytest.raises(AtollError, match=r"no 'game.prices': declare its ComponentsFile"):
        declared(value=part("", of="game.prices", most=3))

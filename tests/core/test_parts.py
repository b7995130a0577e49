"""Parts are declared once: what stands in a checked components file is copied, whatever cannot be is said."""

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

"""A search that is carried out elsewhere, by the game's module in a browser: what has to stand in the module's memory.

All of it is made from the bytes of a seat's view. The network that guides the search lies first and is the same for all
views of a game with as many players and the same components, so that it is sent once; the rest is a few kilobytes.
"""

from typing import Any

import msgspec
import numpy as np

from atoll.bots.guidance import Guide, guiding_weights, is_guided, placed
from atoll.bots.iteration import USUAL
from atoll.bots.search import GUIDED_SEARCH, SEARCH, GrowingTree, believed
from atoll.bots.tree import NODE
from atoll.core.game import Game, View
from atoll.core.types import Components
from atoll.engine.chance import WORD, derive
from atoll.engine.chance import generator as new_generator
from atoll.engine.module import ModuleRunner


class Piece(msgspec.Struct, frozen=True):
    """Bytes and the address at which they lie."""

    address: int
    content: bytes


class SearchImage(msgspec.Struct, frozen=True):
    """The memory of a search before it begins, 0 where nothing is said, and how it is called.

    `frame` is the address that `export` is called with and leaves the count of nodes at; `counts` is that of the last
    two arguments, this count and how many iterations to go on for, of which there are at most `iterations` in all.
    Behind the root, the first of the `nodes`, hang its children, as the offsets in `node` say. Each of `generators`
    begins a tree of its own.
    """

    export: str
    pieces: tuple[Piece, ...]
    size: int
    """bytes of memory that it needs"""
    network: int | None
    """the address of what `network_image` gives, if a network guides the search"""
    frame: int
    counts: int
    nodes: int
    node: dict[str, int]
    """the offset of each field of a node, and their `size`"""
    generator: int
    generators: tuple[bytes, ...]
    iterations: int
    milliseconds: int | None


def has_images(game: Game) -> bool:
    """Whether a game's searches can be carried out elsewhere: whether a module carries them out here."""
    export = GUIDED_SEARCH if is_guided(game) else SEARCH
    return isinstance(game.runner, ModuleRunner) and game.runner.has(export)


def search_image(view: View, seed: int, most: int, milliseconds: int | None, trees: int) -> SearchImage:
    """What `search.evaluate` begins with. What the search believes of hidden cards is found out here."""
    chance = new_generator(seed)
    first = int(chance[WORD])
    beliefs = believed(view, chance, most, milliseconds)
    tree = GrowingTree(view, chance, most, USUAL, None, beliefs)
    room: Any = tree.room
    work, guide, nodes = tree.arguments
    begin = room.begin
    network = None
    if isinstance(guide, Guide):
        network, begin = begin, room.address(guide.activations.seen)
    frame, counts = room.frame(*tree.arguments)
    others = (new_generator(derive(first, number)) for number in range(trees - 1))
    return SearchImage(
        export=tree.export.name,
        pieces=(
            Piece(begin, room.read(begin, room.address(nodes))),
            Piece(frame, room.read(frame, counts)),
        ),
        size=counts + 2 * np.dtype(np.int64).itemsize,
        network=network,
        frame=frame,
        counts=counts,
        nodes=room.address(nodes),
        node={"size": NODE.itemsize, **{name: field[1] for name, field in dict(NODE.fields or {}).items()}},
        generator=room.address(work.generator),
        generators=tuple(words.tobytes() for words in (chance, *others)),
        iterations=most,
        milliseconds=milliseconds,
    )


def network_image(game: Game, players: int, components: Components) -> bytes:
    """The network that guides a game's searches as it lies in memory, for so many players and these components."""
    weights = guiding_weights(game)
    assert weights is not None
    room: Any = game.runner.room()
    placed(room, weights.mind(players, components))
    return room.read(room.begin, room.end)  # type: ignore[no-any-return]

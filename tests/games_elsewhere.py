"""What a browser does with the games that it is to play (`engine.js`), in a room of the game's module here."""

import gzip
from collections.abc import Sequence
from typing import Any

import numpy as np

from atoll.core.game import Game
from atoll.engine.chance import WORD, derive
from atoll.engine.constants import GENERATOR_WORDS
from atoll.lab.games_image import GamesImage


def play_many(game: Game, image: GamesImage, seed: int, first: int) -> bytes:
    """Games `first` and on: the columns that are taken back of them."""
    room: Any = game.runner.room()
    room.zeros(image.size - room.begin, np.uint8)
    for piece in image.pieces:
        room.write(piece.address, piece.content)
    for number in range(image.count):
        begin(room, image.chances, number, derive(derive(seed, first + number)))
        for seat in range(image.players):
            begin(room, image.generators, number * image.players + seat, derive(seed, first + number, seat))
    assert room._run(room._functions[image.export], image.frame) == 0
    return b"".join(
        room.read(place, place + column.width)
        for column in image.columns
        for place in range(column.address, column.address + column.stride * image.count, column.stride)
    )


def begin(room: Any, generators: int, place: int, word: int) -> None:
    """Let a generator begin at a word."""
    room.write(generators + 8 * (GENERATOR_WORDS * place + WORD), word.to_bytes(8, "little"))


def compare(game: Game, images: Sequence[GamesImage], seed: int, first: int) -> bytes:
    """The same deals under several sets of components, as a browser sends them."""
    return gzip.compress(b"".join(play_many(game, image, seed, first) for image in images))

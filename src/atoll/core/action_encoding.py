"""The actions of a game as numbers, as its moves are declared: codes that count seats from the viewer, and features.

`Actions(game, players)` has tables for compiled loops: `codes` and `turned` translate the rules' action codes to those
in which parts that name seats count from the viewer, as observations do (`core/observation.py`), and back; `table`
has a row of features for each turned code.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Game
from atoll.core.moves import Kind, Part


@dataclass(frozen=True)
class Feature:
    """A column of the features of actions: `kind` if it marks the moves of a kind, else what the part names (`of`) and
    what its numbers are divided by.
    """

    name: str
    meaning: str
    scale: float = 1.0


class Actions:
    """The actions of a game with so many players, as its viewer counts seats.

    A *turned* code is the code of the same move at the viewer's seat turned to seat 0, so that one table of features,
    and one learnt player, serves every seat. Where no move has a part that names a seat, all are the codes themselves.
    """

    def __init__(self, game: Game, players: int) -> None:
        game.check_players(players)
        self.game = game
        self.players = players
        self.count = game.rules.ACTIONS
        """codes are 0 to this - 1"""
        codes = np.arange(self.count, dtype=np.int32)
        self.codes: NDArray[np.int32] = np.tile(codes, (players, 1))
        """by the viewer's seat and the turned code: the rules' code; shape (players, count), int32"""
        self.turned: NDArray[np.int32] = self.codes.copy()
        """by the viewer's seat and the rules' code: the turned code; shape (players, count), int32"""
        for kind in game.moves.kinds:
            self._turn(kind)
        self.features: tuple[Feature, ...]
        self.table: NDArray[np.float32]
        """the features of each turned code: shape (count, features), float32"""
        self.features, self.table = _features(game)

    def _turn(self, kind: Kind) -> None:
        seats = [place for place, part in enumerate(kind.parts) if part.of == "seat"]
        counts = [len(part.words) for part in kind.parts]
        codes = np.arange(kind.count)
        numbers = np.unravel_index(codes, counts) if counts else ()
        for viewer in range(self.players) if seats else ():
            places = list(numbers)
            for place in seats:
                least = kind.parts[place].least
                seat = places[place] + least
                places[place] = np.where(seat < self.players, (seat - viewer) % self.players, seat) - least
            turned_codes = np.ravel_multi_index(places, counts) + kind.first
            self.turned[viewer, kind.first + codes] = turned_codes
            self.codes[viewer, turned_codes] = kind.first + codes


def _features(game: Game) -> tuple[tuple[Feature, ...], NDArray[np.float32]]:
    """The columns, and the features of every action: which kind it is, and for each thing that parts of moves name, if
    the move has such a part, 1 and its number.
    """
    kinds = game.moves.kinds
    columns = [Feature(f"kind {kind.word}", f"1 for {kind.word!r}") for kind in kinds]
    places: dict[tuple[str, int, int], list[tuple[Kind, int, NDArray[np.float64]]]] = {}
    for kind in kinds:
        told: dict[str, int] = {}
        for index, part in enumerate(kind.parts):
            which = told[part.of] = told.get(part.of, -1) + 1
            for number, values in enumerate(_numbers(part)):
                places.setdefault((part.of, which, number), []).append((kind, index, values))
    table = np.zeros((game.rules.ACTIONS, len(kinds) + 2 * len(places)), dtype=np.float32)
    for column, kind in enumerate(kinds):
        table[kind.first : kind.first + kind.count, column] = 1
    for (of, which, number), uses in places.items():
        scale = max(1.0, *(float(np.abs(values).max()) for _, _, values in uses))
        name = of + (f" {which + 1}" if which else "") + (f", number {number + 1}" if number else "")
        column = len(columns)
        columns.append(Feature(f"{name} there", f"1 for moves that name it: {_kinds_text(uses)}"))
        columns.append(Feature(name, f"{of}: its number in records, or else which of them, from 0", scale))
        for kind, index, values in uses:
            counts = [len(part.words) for part in kind.parts]
            chosen = np.unravel_index(np.arange(kind.count), counts)[index]
            rows = slice(kind.first, kind.first + kind.count)
            table[rows, column] = 1
            table[rows, column + 1] = values[chosen] / scale
    return tuple(columns), table


def _kinds_text(uses: Sequence[tuple[Kind, int, Any]]) -> str:
    return ", ".join(repr(kind.word) for kind, _, _ in uses)


def _numbers(part: Part) -> Iterator[NDArray[np.float64]]:
    """What the words of a part are as numbers, one array for each number of a word: themselves if they are numbers or
    lists of these, else their places.
    """
    translator = list(part.words)
    if all(type(word) is int for word in translator):
        yield np.array(translator, dtype=np.float64)
    elif translator and all(
        isinstance(word, list) and len(word) == len(translator[0]) for word in translator
    ):
        for number in range(len(translator[0])):
            yield np.array([word[number] for word in translator], dtype=np.float64)
    else:
        yield np.arange(part.least, part.least + len(translator), dtype=np.float64)

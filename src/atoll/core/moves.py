"""The moves of a game, declared once: kinds of moves with their parts.

A game declares them in its module `moves`:

    MOVES = Moves(
        Kind("pass"),
        Kind("lay", Part("card", range(1, CARDS + 1), of="card", least=1), Part("at", range(CELLS), of="cell")),
    )
    PASS = MOVES.first("pass")
    encode_lay, decode_lay = MOVES.coding("lay")

From it come the action codes, the words of records in both directions, the order in which the parts of a move are
asked for, and what each part refers to. Codes count the moves of the first kind, then those of the next; of the parts
of a kind the last changes fastest. The rules know a kind by its first code, and one with several parts by a pair of
compiled functions.
"""

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from atoll.core.types import Json
from atoll.engine.compiling import inlined
from atoll.text.errors import AtollError
from atoll.text.messages import Message, quoted

Numbers = tuple[int, ...]
"""A number for each part of a move."""


@dataclass(frozen=True)
class Part:
    """A part of a move.

    `words` are all that it can be, in the words of records: text, numbers, None, or lists of these; the rules number
    them from `least`. `of` is what they name: a card, a seat, an island.
    """

    name: str
    words: Sequence[Any]
    of: str
    least: int = 0


class Kind:
    """A kind of moves: its word in records (`do`), and its parts in the order in which they are asked for.

    `ask` is what people are asked to do, where the word alone says too little: "keep a card".
    """

    def __init__(self, word: str, *parts: Part, ask: str = "") -> None:
        self.word = word
        self.ask = ask or word
        self.parts = parts
        self.first = 0
        """the lowest of its action codes, once it is among the game's `Moves`"""
        counts = [len(part.words) for part in parts]
        self.count = prod(counts)
        """so many moves are of this kind"""
        self._steps = tuple(prod(counts[i + 1 :]) for i in range(len(counts)))

    def moves(self) -> list[Json]:
        """All moves of this kind, in the order of their codes."""
        names = [part.name for part in self.parts]
        found = product(*(part.words for part in self.parts))
        return [{"do": self.word, **dict(zip(names, words, strict=True))} for words in found]

    def numbers(self, action: int) -> Numbers:
        """What the parts of a move are, as the rules number them."""
        return tuple(
            part.least + (action - self.first) // step % len(part.words)
            for part, step in zip(self.parts, self._steps, strict=True)
        )

    def coding(self) -> tuple[Any, Any]:
        """Two compiled functions: from the numbers of the parts, of which there are two or more, to the action code,
        and back to a tuple.
        """
        least = tuple(part.least for part in self.parts)
        counts = tuple(len(part.words) for part in self.parts)
        zero = self.first - sum(number * step for number, step in zip(least, self._steps, strict=True))
        functions = _CODINGS[len(counts)](zero, self.first, least, self._steps, counts)
        for function in functions:  # kept compiled code is linked by name, so each has its own
            function.__qualname__ = "_".join(map(str, (function.__name__, self.first, *least, *counts)))
        return inlined(functions[0]), inlined(functions[1])


class Moves:
    """All moves of a game, by kind."""

    def __init__(self, *kinds: Kind) -> None:
        self.kinds = kinds
        self._moves: list[Json] = []
        for kind in kinds:
            kind.first = len(self._moves)
            self._moves += kind.moves()
        self._codes = {_key(move): code for code, move in enumerate(self._moves)}
        self._by_word = {kind.word: kind for kind in kinds}

    def __len__(self) -> int:
        """Action codes are 0 to this - 1."""
        return len(self._moves)

    def first(self, word: str) -> int:
        """The lowest action code of a kind."""
        return self._by_word[word].first

    def move(self, word: str, *parts: Any) -> Json:
        """The move of a kind with these parts, in the words of records."""
        names = (part.name for part in self._by_word[word].parts)
        return {"do": word, **dict(zip(names, parts, strict=True))}

    def coding(self, word: str) -> tuple[Any, Any]:
        """The functions that encode and decode the moves of a kind; see `Kind.coding`."""
        return self._by_word[word].coding()

    def kind_of(self, action: int) -> Kind:
        """The kind of the move that an action code stands for."""
        return self.kinds[bisect([kind.first for kind in self.kinds], action) - 1]

    def move_of(self, action: int) -> Json:
        """The move that an action code stands for, its parts in the order in which they are asked for."""
        move = self._moves[action]
        return {name: list(value) if isinstance(value, list) else value for name, value in move.items()}

    def action_of(self, move: Mapping[str, object]) -> int:
        """The action code of a move in the record's words; raises AtollError if there is no such move."""
        code = self._codes.get(_key(move)) if isinstance(move, Mapping) else None
        if code is not None:
            return code
        do = move.get("do") if isinstance(move, Mapping) else None
        if isinstance(do, str) and do in self._by_word:
            example = self._moves[self.first(do)]
            raise AtollError(
                Message(
                    "%(kind)s has the keys %(keys)s, for example %(example)s; not %(move)s",
                    kind=quoted(do),
                    keys=", ".join(example),
                    example=example,
                    move=dict(move),
                )
            )
        known = ", ".join(self._by_word)
        raise AtollError(
            Message("there is no move %(kind)s; there are: %(known)s", kind=quoted(str(do)), known=known)
        )


@inlined
def all_of(out, first, count):  # type: ignore[no-untyped-def]
    """Write the codes of the first `count` moves of a kind, whose lowest is `first`; returns how many they are."""
    for i in range(count):
        out[i] = first + i
    return count


def _key(move: Mapping[str, object]) -> frozenset[tuple[str, str]]:
    # repr tells a JSON true, which is no card, from a 1.
    return frozenset((name, repr(value)) for name, value in move.items())


# Codes in compiled functions, by the number of parts: `zero` is the code if the numbers of all parts were 0


def _coding_two(zero: int, first: int, least: Numbers, steps: Numbers, counts: Numbers) -> tuple[Any, Any]:
    (a, b), (a_step, _), (_, bs) = least, steps, counts

    def encode(i, j):  # type: ignore[no-untyped-def]
        return zero + i * a_step + j

    def decode(action):  # type: ignore[no-untyped-def]
        index = action - first
        return a + index // a_step, b + index % bs

    return encode, decode


def _coding_three(zero: int, first: int, least: Numbers, steps: Numbers, counts: Numbers) -> tuple[Any, Any]:
    (a, b, c), (a_step, b_step, _), (_, bs, cs) = least, steps, counts

    def encode(i, j, k):  # type: ignore[no-untyped-def]
        return zero + i * a_step + j * b_step + k

    def decode(action):  # type: ignore[no-untyped-def]
        index = action - first
        return a + index // a_step, b + index // b_step % bs, c + index % cs

    return encode, decode


def _coding_four(zero: int, first: int, least: Numbers, steps: Numbers, counts: Numbers) -> tuple[Any, Any]:
    (a, b, c, d), (a_step, b_step, c_step, _), (_, bs, cs, ds) = least, steps, counts

    def encode(i, j, k, m):  # type: ignore[no-untyped-def]
        return zero + i * a_step + j * b_step + k * c_step + m

    def decode(action):  # type: ignore[no-untyped-def]
        index = action - first
        return a + index // a_step, b + index // b_step % bs, c + index // c_step % cs, d + index % ds

    return encode, decode


_CODINGS = {2: _coding_two, 3: _coding_three, 4: _coding_four}

"""What linear algebra over GF(2) finds out about a generator of chance from what a player sees of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Game
from atoll.engine.chance import derive_each, generators, next_word, shuffle

KINDS = ("xorshift64", "SipHash-2-4")
"""The generators: without a key, and with one."""
CARDS = 16
"""The cards of a pile in the game whose deals are foretold: everybody's are shuffled by themselves."""
BOUNDS = range(CARDS, 1, -1)
"""What the draws of one shuffle lie below."""
LOWEST_BIT = 40
"""Where the bits of a word begin that a draw goes by."""


def chances(kind: str, seed: int, numbers: range) -> NDArray[np.uint64]:
    """A generator of this kind for each number, shape (n, 3)."""
    steps = np.array(numbers, dtype=np.uint64)
    if kind == KINDS[0]:
        return generators(derive_each(seed, steps))
    made = generators(np.zeros(len(steps), dtype=np.uint64))
    for half in range(2):
        made[:, half] = derive_each(seed, steps, np.array([half], dtype=np.uint64))
    return made


# How long a linear recurrence has to be


def linear_complexity(bits: Sequence[int]) -> int:
    """The length of the shortest linear recurrence over GF(2) that gives these bits (Berlekamp and Massey, 1969); about
    half their number if there is none.
    """
    recurrence, before, length, since, seen = 1, 1, 0, 1, 0
    for count, bit in enumerate(bits):
        seen = seen << 1 | bit
        if (recurrence & seen).bit_count() & 1 == 0:
            since += 1
        elif 2 * length <= count:
            recurrence, before = recurrence ^ before << since, recurrence
            length, since = count + 1 - length, 1
        else:
            recurrence ^= before << since
            since += 1
    return length


def stream(chance: NDArray[np.uint64], count: int) -> list[int]:
    """One of the bits that draws go by, of `count` words."""
    return [int(next_word(chance)) >> LOWEST_BIT & 1 for _ in range(count)]


# Systems of linear equations


class System:
    """Equations over GF(2): each a bit set of unknowns, and what they add up to."""

    def __init__(self) -> None:
        self._rows: dict[int, tuple[int, int]] = {}  # by their highest unknown
        self.consistent = True

    @property
    def rank(self) -> int:
        """How many of the equations say something new."""
        return len(self._rows)

    def add(self, unknowns: int, value: int) -> None:
        """Take one more equation in."""
        while unknowns:
            highest = unknowns.bit_length() - 1
            if highest not in self._rows:
                self._rows[highest] = (unknowns, value)
                return
            other, known = self._rows[highest]
            unknowns, value = unknowns ^ other, value ^ known
        self.consistent = self.consistent and not value

    def solution(self) -> int:
        """The unknowns as one number; those that nothing is said about are 0."""
        found = 0
        for highest, (unknowns, value) in sorted(self._rows.items()):
            rest = (unknowns ^ 1 << highest) & found
            found |= ((rest.bit_count() & 1) ^ value) << highest
        return found


def xorshift_of(words: Sequence[int]) -> list[int]:
    """xorshift64 of a word whose bits are sums of unknowns, each given as a bit set of them."""
    bits = list(words)
    bits = [bits[i] ^ (bits[i - 13] if i >= 13 else 0) for i in range(64)]
    bits = [bits[i] ^ (bits[i + 7] if i + 7 < 64 else 0) for i in range(64)]
    return [bits[i] ^ (bits[i - 17] if i >= 17 else 0) for i in range(64)]


# A deal


@dataclass(frozen=True)
class Foretold:
    """What came of an attack on one deal: how many guesses were tried and how many fitted, the rank of the equations of
    one that did, and whether all the other piles were foretold from it.
    """

    guesses: int
    fitting: int
    equations: int
    rank: int
    right: bool


def foretell(game: Game, chance: NDArray[np.uint64]) -> Foretold:
    """Attack a deal of four as a seat that has seen the order of its own pile and of its neighbour's, the two that
    were shuffled first; the order of their first three cards, which come together, is guessed.

    It is told more than any seat knows: after how many words each draw came. (Without that it tries the likely
    numbers, which takes minutes in C; a relation that is not there with it is not there without it.)
    """
    states = np.zeros(1, dtype=game.rules.STATE)
    game.rules.start(states[0], game.components().parts[0], 4, chance)
    players = game.notation.state_to_json(states[0], {})["players"]
    told = words_taken(chance.copy(), 2)
    known = players[:2]
    guesses = list(product(*(permutations(player["hand"]) for player in known)))
    fitting = equations = rank = 0
    right = False
    for guess in guesses:
        draws = [
            draw
            for hand, player in zip(guess, known, strict=True)
            for draw in draws_of([*hand, *player["pile"]][::-1])
        ]
        system, equations = system_of(draws, told)
        if system.consistent:
            fitting += 1
            rank = system.rank
            right = right or dealt_from(system.solution()) == [
                (sorted(player["hand"]), player["pile"]) for player in players
            ]
    return Foretold(len(guesses), fitting, equations, rank, right)


def words_taken(chance: NDArray[np.uint64], shuffles: int) -> list[int]:
    """How many words each draw of some shuffles takes: those too large are drawn again."""
    taken = []
    for bound in [*BOUNDS] * shuffles:
        taken.append(1)
        while int(next_word(chance)) >> LOWEST_BIT & mask_of(bound) >= bound:
            taken[-1] += 1
    return taken


def mask_of(bound: int) -> int:
    """The bits of a draw below `bound`."""
    return (1 << (bound - 1).bit_length()) - 1


def draws_of(items: Sequence[int]) -> Iterator[int]:
    """What was drawn when cards 1 to CARDS were shuffled into this order."""
    now = list(range(1, CARDS + 1))
    for last in range(CARDS - 1, 0, -1):
        other = now.index(items[last])
        yield other
        now[last], now[other] = now[other], now[last]


def system_of(draws: Sequence[int], taken: Sequence[int]) -> tuple[System, int]:
    """The equations for the 64 bits of xorshift64's first word that follow from draws, and how many there are."""
    system, count = System(), 0
    bits = [1 << i for i in range(64)]
    for place, (draw, words) in enumerate(zip(draws, taken, strict=True)):
        for _ in range(words):
            bits = xorshift_of(bits)
        for bit in range(mask_of(BOUNDS[place % len(BOUNDS)]).bit_length()):
            system.add(bits[LOWEST_BIT + bit], draw >> bit & 1)
            count += 1
    return system, count


def dealt_from(word: int) -> list[tuple[list[int], list[int]]]:
    """Hand, sorted, and pile, top first, of four players when xorshift64 begins at this word."""
    chance, dealt = generators(np.array(word, dtype=np.uint64)), []
    for _ in range(4):
        items = np.arange(1, CARDS + 1, dtype=np.int8)
        shuffle(items, CARDS, chance)
        order = items[::-1].tolist()
        dealt.append((sorted(order[:3]), order[3:]))
    return dealt


# Many deals


def relations(kind: str, deals: int) -> tuple[int, int, int]:
    """Whether any linear relation holds between the bits that two shuffles show, in all deals: how many deals were
    looked at, those in which no word was too large; how many bits each shows, a constant among them; and their rank.
    """
    rows, width = System(), 1 + 2 * sum(mask_of(bound).bit_length() for bound in BOUNDS)
    used = 0
    for chance in chances(kind, 1, range(deals)):
        piles = [np.arange(1, CARDS + 1, dtype=np.int8) for _ in range(2)]
        end = chance.copy()
        for items in piles:
            shuffle(items, CARDS, end)
        if end.tolist() == after(chance, 2 * len(BOUNDS)):
            used += 1
            rows.add(seen_bits(piles), 0)
    return used, width, rows.rank


def after(chance: NDArray[np.uint64], words: int) -> list[int]:
    """A generator after so many words."""
    later = chance.copy()
    for _ in range(words):
        next_word(later)
    found: list[int] = later.tolist()
    return found


def seen_bits(piles: Sequence[NDArray[np.int8]]) -> int:
    """The bits of all draws of these shuffles as one number, below them a constant 1."""
    seen = 1
    for items in piles:
        for bound, draw in zip(BOUNDS, draws_of(items.tolist()), strict=True):
            seen = seen << mask_of(bound).bit_length() | draw
    return seen

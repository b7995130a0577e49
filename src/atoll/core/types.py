"""What games, positions and pages hand to each other: plain values, without rules."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Protocol

from numpy.typing import NDArray

from atoll.text.translation import texts


def plain(record: Any) -> Any:
    """The fields of a record as attributes: Python's ints and nested lists of them."""
    values = zip(record.dtype.names, record.item(), strict=True)
    return SimpleNamespace(
        **{name: value.tolist() if hasattr(value, "tolist") else value for name, value in values}
    )


Json = dict[str, Any]
"""A move, a state or a view in the words of the record format."""


@dataclass(frozen=True)
class Option:
    """A choice offered when a table is made, such as open huts: yes or no, `default` unless said otherwise."""

    name: str
    label: str  # English, translated by the game's catalogue
    help: str
    default: bool = False


@dataclass(frozen=True)
class Ruling:
    """How one rule is played that the rulebook leaves open; `option` is the name of the one that chooses otherwise."""

    rule: str  # its number: "CA-13"
    text: str  # English, what the rulebook says and what is done here, translated by the game's catalogue
    option: str | None = None


WEIGHTS = texts("Light", "Medium", "Heavy")
"""How much there is to learn in a game, from little to much."""


@dataclass(frozen=True)
class Components:
    """A checked components file and the arrays that the rules read.

    `parts` has shape (1,) and the dtype `PARTS` of the game's rules. `file` is the checked content as the game's own
    structure, `data` the same as the file has it, for records, `name` the set's name, `sha256` the digest of the
    content, `shipped` whether it comes with the game. `options` are those of the game under which `parts` are played:
    what rules read of them is a part (`Game.under`).
    """

    name: str
    data: Json
    sha256: str
    shipped: bool
    parts: NDArray[Any]
    file: Any = None
    options: Mapping[str, bool] = field(default_factory=dict)

    @cached_property
    def plain(self) -> Any:
        """The parts as attributes: Python's ints and nested lists of them, quicker to read one by one than arrays."""
        return plain(self.parts[0])


@dataclass(frozen=True)
class Outcome:
    """The end of a game: points of each seat and the seats that share the win."""

    points: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """An entry of the log: what happened, in words; `seat` is whom it is about, if it is about one.

    `effects` are what came of it, as lines below its own, and `event` is the number of the event that it begins with,
    counted from 0 in those that are told.
    """

    text: str
    seat: int | None = None
    effects: "tuple[Line, ...]" = ()
    event: int = field(default=0, compare=False)

    def lines(self) -> "Iterator[Line]":
        """Its own line, and then those of what came of it."""
        yield self
        for effect in self.effects:
            yield from effect.lines()


@dataclass(frozen=True)
class Prompt:
    """What a seat is asked to do now, in one sentence, and what follows from it, if there is more to say."""

    text: str
    hint: str | None = None


@dataclass(frozen=True)
class Phase:
    """A step of the round as the page's header shows it; `state` is done, now or next."""

    key: str
    label: str
    state: str


@dataclass(frozen=True)
class Progress:
    """How far the game is: round `round` of `rounds`, 0 where nobody knows, and the steps of the round.

    `fewest_rounds`, where it is not 0: the game may end after so many. A game that has no rounds says 0 of 0.
    """

    round: int
    rounds: int
    phases: tuple[Phase, ...]
    fewest_rounds: int = 0


@dataclass(frozen=True)
class Listing:
    """Things that a components file lists, as a game tells them: its module `components` may have a function
    `listings(words)` that gives them all.
    """

    title: str
    heading: Sequence[str]
    rows: Sequence[Sequence[str]]


class SeatView(Protocol):
    """What a game's own functions may ask of a view; `atoll.core.game.View` is one."""

    @property
    def state(self) -> Any:
        """The record, to be read."""

    @property
    def fields(self) -> Any:
        """The fields of the record by name: Python's ints and nested lists of them."""

    @property
    def seat(self) -> int:
        """Whose view it is; SPECTATOR for somebody who only watches."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def components(self) -> Components:
        """What the game is played with."""

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have to decide now."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    def legal_moves(self) -> Iterable[Json]:
        """The legal moves of the view's own seat."""

    def to_json(self) -> Json:
        """The position in the words of the record format."""

"""The extension points: the modules that a game's package may have, what each has to hold, and what stands for one that
is left out. The contract is checked from this table, and `docs/adding-a-game.md` has a row for each.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from atoll.core.box import PieceGroup
from atoll.core.card import GameCard
from atoll.core.events import Event
from atoll.core.habits import Habit
from atoll.core.move_features import MoveFeature
from atoll.core.premoves import Premove
from atoll.core.types import Components, Json, Line, Listing, Progress, Prompt, Ruling, SeatView
from atoll.engine.exports import Export
from atoll.text.translation import Translator

# What the modules hold


class GameRules(Protocol):
    """The functions that every game has, and the bounds that it declares; `core/rules.py` has the rest."""

    def start(self, state: Any, parts: Any, players: int, generator: Any) -> None:
        """Write the first position."""

    def legal_actions(self, state: Any, parts: Any, seat: int, out: Any) -> int:
        """Write the action codes that a seat may choose, ascending; returns how many."""

    def play(self, state: Any, parts: Any, seat: int, action: int, events: Any) -> None:
        """Carry out a legal action."""

    def view(self, state: Any, parts: Any, seat: int, out: Any) -> None:
        """Write what a seat may know."""

    def resample(self, view: Any, parts: Any, generator: Any, out: Any) -> None:
        """Write a full state drawn uniformly from those that agree with a view."""

    def result(self, state: Any, parts: Any, points: Any) -> int:
        """Write each seat's points; returns the bit set of the winners, 0 while the game runs."""

    def replaceable(self, state: Any) -> bool:
        """Whether what a seat decides now may be taken back until the last seat that has to has decided."""

    def max_decisions(self, components: Components, players: int) -> int:
        """Declared bound: decisions in a game."""

    def points_range(self, components: Components, players: int) -> tuple[int, int]:
        """Declared bounds: the least and the most points of a seat."""

    def check(self, state: Any, components: Components) -> None:
        """Raise AssertionError, naming it, if something does not hold that holds in every game."""


class Notation(Protocol):
    """A game's module `notation`: moves and states to and from the words of the record format."""

    def move_of(self, action: int) -> Json:
        """The move that an action code stands for."""

    def action_of(self, move: Mapping[str, Any]) -> int:
        """The action code of a move; raises AtollError if no such move exists."""

    def state_to_json(self, state: Any, options: Mapping[str, bool]) -> Json:
        """A state, or a view with what is hidden as records do, in words."""

    def state_from_json(self, words: Mapping[str, Any], components: Components) -> NDArray[Any]:
        """A state of shape (1,) from its words; raises RecordError naming the key that is wrong."""

    def hidden_from_json(self, words: Mapping[str, Any], components: Components) -> NDArray[Any]:
        """The same in any phase, where only what is hidden is asked for; without it `state_from_json` reads all."""

    def hide_move(self, move: Json, whose: int, before: SeatView, now: SeatView) -> Json:
        """A move of `whose` as a seat may know it: by its views, or a spectator's, of the position in which the move
        was made and of the game as it stands.
        """

    def hide_event(self, event: Event, seat: int) -> Event:
        """The event as `seat` (or SPECTATOR) may know it."""

    def chance_of(self, events: Sequence[Event], state: Any) -> Json | None:
        """What chance decided in a move, for its record line; without it the line has what chance drew."""

    def apply_chance(self, state: Any, chance: Mapping[str, Any]) -> None:
        """Set what a record says that chance decided."""

    def breakdown(self, state: Any, components: Components) -> list[Json]:
        """Each seat's points in their parts, at the end of the game."""

    def result_details(self, state: Any, components: Components) -> Json:
        """What a record's result says besides points and winners; often nothing."""

    def details_agree(self, details: Json, state: Any, components: Components) -> bool:
        """Whether what a record's result says besides points and winners is right."""


class GameMessages(Protocol):
    """A game's module `messages`: everything that it says to people, in their language.

    `names` are what the seats are called; `move` is in the words of the record format.
    """

    def move_text(
        self, translator: Translator, names: Sequence[str], move: Mapping[str, Any], view: SeatView, seat: int
    ) -> str:
        """A move of `seat` as a button's label says it."""

    def prompt(
        self, translator: Translator, names: Sequence[str], view: SeatView, seat: int | None
    ) -> Prompt:
        """What `seat` has to do now, or whom it waits for."""

    def progress(self, translator: Translator, view: SeatView) -> Progress:
        """Round and phase."""

    def tell(
        self, translator: Translator, names: Sequence[str], events: Sequence[Event], view: SeatView
    ) -> list[Line]:
        """What the events of one or several moves in a row amount to, in entries of the log, the first of them first.

        `view` is the position after the moves.
        """

    def picture(self, translator: Translator, names: Sequence[str], view: SeatView) -> str:
        """The position as whose view it is sees it, as text for a terminal (Rich markup)."""

    def score(
        self, translator: Translator, names: Sequence[str], breakdown: Sequence[Json]
    ) -> list[list[str]]:
        """The final points as a table: a heading row, then a row a seat."""

    def score_parts(self, translator: Translator, row: Json) -> list[tuple[str, int]]:
        """A seat's points in their parts, of its row of the breakdown: each part's name, and the points that it brings.
        All seats have the same parts.
        """

    def exists(self, components: Components, players: int, move: Json) -> bool:
        """Whether a declared move, some parts of it perhaps left out, can be made with these components."""

    def bind(self, translator: Translator) -> Any:
        """The words that the game's own templates use as `t`, in the reader's language."""


class Exports(Protocol):
    """What the game's Python asks of compiled code, besides the rules (`engine/exports.py`)."""

    EXPORTS: tuple[Export, ...]


class Endings(Protocol):
    """How long its games were and how they ended, of many at a time; `states`
    are those of finished games, shape (n,).
    """

    ENDINGS: tuple[str, ...]  # the ways in which a game can end

    def rounds(self, states: NDArray[Any]) -> NDArray[np.integer[Any]]:
        """The rounds that were played in each."""

    def endings(self, states: NDArray[Any], components: Components) -> NDArray[np.integer[Any]]:
        """How each ended: an index into ENDINGS."""

    def ending_text(self, translator: Translator, ending: str) -> str:
        """An ending in a few words."""


class ComponentReader(Protocol):
    """How components are read. A module that has a structure `ComponentsFile` needs no more (`core/components.py`)."""

    def read(self, path: Any, *, shipped: bool = False) -> Components:
        """Read and check a components file; raises ComponentError naming file, entry and key."""

    def from_data(self, name: str, data: Json) -> Components:
        """Components from a record or a table that carries them whole; raises ComponentError."""

    def listings(self, translator: Translator) -> Sequence[Listing]:
        """What a components file lists, as the game tells it."""

    def settle(self, data: Json) -> None:
        """Bring what follows from the lists of a file up to date."""


class Advice(Protocol):
    """How good moves look."""

    def advise(self, view: Any, parts: Any, moves: Any, count: int, scores: Any) -> None:
        """Rate legal moves; compiled."""


class Policy(Protocol):
    """By what the search takes seats to play, instead of the advice."""

    def rate(self, view: Any, parts: Any, moves: Any, count: int, scores: Any) -> None:
        """Rate legal moves of a seat, as it would; compiled."""


class MoveFeatures(Protocol):
    """Several numbers of each legal move."""

    MOVE_FEATURES: tuple[MoveFeature, ...]

    def write_features(self, view: Any, parts: Any, moves: Any, count: int, found: Any) -> None:
        """Write them, float32 of shape (count, len(MOVE_FEATURES)); compiled."""


class Guidance(Protocol):
    """How a trained network guides the search."""

    NETWORK: str
    FORETOLD_AFTER: int


class GameBeliefs(Protocol):
    """What decisions told of what is hidden."""

    def decisions(self, view: Any) -> int:
        """How many there are to go back to; compiled."""

    def before(self, state: Any, parts: Any, number: int, out: Any) -> Any:
        """Go back to before one of them; compiled."""

    def shown(self, state: Any, action: int) -> int:
        """What the others see of a move; compiled."""


class Habits(Protocol):
    """What players do by habit."""

    HABITS: tuple[Habit, ...]


class Premoves(Protocol):
    """What is done again and again until something happens."""

    PREMOVES: tuple[Premove, ...]


class TablePage(Protocol):
    """What the template of the table's page needs."""

    def table(self, seen: Any) -> dict[str, Any]:
        """What is drawn, from what a viewer may know (`atoll.core.seen.Seen`)."""


class Sheet(Protocol):
    """What the template of the page of components needs; KEYS are the names of a file's keys in English."""

    KEYS: Mapping[str, str]

    def sheet(self, components: Components) -> dict[str, Any]:
        """What is drawn."""


class PrintedBox(Protocol):
    """What is in the box, for printing; `box.html.jinja` draws the pieces."""

    def box(self, translator: Translator, components: Components) -> Sequence[PieceGroup]:
        """The groups of pieces with their sizes, in the order in which they are printed (`core/box.py`)."""


class Illustrations(Protocol):
    """What the page of rules draws from the components and plays out."""

    def illustrations(self, components: Components) -> dict[str, Any]:
        """What its templates need."""

    def examples(self, components: Components, options: Mapping[str, bool]) -> dict[str, Any]:
        """Worked examples, played out by the rules."""


class Rulings(Protocol):
    """What the rulebook leaves open, in the order of its rules."""

    RULINGS: tuple[Ruling, ...]


# The table

Kind = TypeVar("Kind", covariant=True)


@dataclass(frozen=True, eq=False)
class Extension(Generic[Kind]):
    """A module that a game's package may have.

    `protocol` says what it holds. `default` makes what stands for what it leaves out; functions in `optional`, and
    attributes, may be missing all the same. `about` is what it is for, in a few words.
    """

    module: str
    protocol: Any
    about: str
    default: Callable[[GameCard], Kind] | None = None
    optional: tuple[str, ...] = ()
    is_required: bool = False

    @property
    def functions(self) -> dict[str, str]:
        """The functions that it must have, each with the names of its parameters."""
        members = vars(self.protocol) if self.protocol is not None else {}
        return {
            name: ", ".join(
                parameter.name
                for parameter in list(signature(member).parameters.values())[1:]
                if parameter.kind is not Parameter.KEYWORD_ONLY
            )
            for name, member in members.items()
            if callable(member) and not name.startswith("_") and name not in self.optional
        }

    def own(self, card: GameCard) -> Kind | None:
        """The module of a game; None if it has none."""
        return card.own(self.module)  # type: ignore[return-value]

    def of(self, card: GameCard) -> Kind:
        """The module of a game with the default for what it leaves out."""
        assert self.default is not None
        return self.default(card)


def _rules(card: GameCard) -> GameRules:
    from atoll.core.rules import CompiledRules

    return CompiledRules(card)


def _notation(card: GameCard) -> Notation:
    from atoll.core.plain_notation import PlainNotation

    return card.completed("notation", PlainNotation(card))  # type: ignore[no-any-return]


def _messages(card: GameCard) -> GameMessages:
    from atoll.core.plain_messages import PlainMessages

    return card.completed("messages", PlainMessages(card, _notation(card).move_of))  # type: ignore[no-any-return]


def _components(card: GameCard) -> ComponentReader:
    from atoll.core.plain_components import component_reader

    return component_reader(card)  # type: ignore[no-any-return]


def _advice(card: GameCard) -> Advice:
    from atoll.core.rules import PlainAdvice

    return card.completed("advice", PlainAdvice(card))  # type: ignore[no-any-return]


def _box(card: GameCard) -> PrintedBox:
    from atoll.core.plain_box import PlainBox

    return card.completed("box", PlainBox(card))  # type: ignore[no-any-return]


def _move_features(card: GameCard) -> MoveFeatures:
    from atoll.core.rules import NoMoveFeatures

    return card.completed("move_features", NoMoveFeatures(card))  # type: ignore[no-any-return]


STATE = Extension[Any]("state", None, "what a position holds", is_required=True)
PARTS = Extension[Any]("parts", None, "what rules read of a components file; else it stands in `state`")
RULES = Extension[GameRules](
    "rules", GameRules, "what is legal, what moves do, and who wins", _rules, is_required=True
)
MOVES = Extension[Any]("moves", None, "the kinds of moves, as MOVES; else they stand in `rules`")
EVENTS = Extension[Any]("events", None, "the kinds of events, as EVENTS; else they stand in `rules`")
NOTATION = Extension[Notation](
    "notation",
    Notation,
    "words of records",
    _notation,
    optional=("chance_of", "apply_chance", "hidden_from_json"),
)
MESSAGES = Extension[GameMessages](
    "messages", GameMessages, "what is said to people", _messages, optional=("exists",)
)
VOCABULARY = Extension[Any]("vocabulary", None, "what templates say as `t`")
COMPONENTS = Extension[ComponentReader](
    "components",
    ComponentReader,
    "how a components file is read",
    _components,
    optional=("listings", "settle"),
)
ADVICE = Extension[Advice]("advice", Advice, "how good moves look", _advice)
POLICY = Extension[Policy]("policy", Policy, "by what the search takes seats to play")
MOVE_FEATURES = Extension[MoveFeatures](
    "move_features", MoveFeatures, "numbers of each move, for players that learn", _move_features
)
GUIDANCE = Extension[Guidance]("guidance", Guidance, "how a trained network guides the search")
BELIEFS = Extension[GameBeliefs](
    "beliefs", GameBeliefs, "what decisions told of what is hidden", optional=("shown",)
)
HABITS = Extension[Habits]("habits", Habits, "what players do by habit, such as bluffing")
PREMOVES = Extension[Premoves]("premoves", Premoves, "what is done again and again until something happens")
EXPORTS = Extension[Exports]("exports", Exports, "what the game's Python asks of compiled code")
ENDINGS = Extension[Endings]("endings", Endings, "how games ended")
TABLE = Extension[TablePage]("table", TablePage, "the table's page, with `table.html.jinja`")
SHEET = Extension[Sheet]("sheet", Sheet, "the page of components, with `sheet.html.jinja`")
BOX = Extension[PrintedBox](
    "box", PrintedBox, "what is in the box, for printing, with `box.html.jinja`", _box
)
ILLUSTRATIONS = Extension[Illustrations](
    "illustrations", Illustrations, "drawings and worked examples of the page of rules"
)
RULINGS = Extension[Rulings]("rulings", Rulings, "what the rulebook leaves open, on the page of rules")

EXTENSIONS: tuple[Extension[Any], ...] = (
    *(
        STATE,
        PARTS,
        RULES,
        MOVES,
        EVENTS,
        NOTATION,
        MESSAGES,
        VOCABULARY,
        COMPONENTS,
        ADVICE,
        POLICY,
        MOVE_FEATURES,
    ),
    *(GUIDANCE, BELIEFS, HABITS, PREMOVES, EXPORTS, ENDINGS, TABLE, SHEET, BOX, ILLUSTRATIONS, RULINGS),
)
"""Every extension point."""

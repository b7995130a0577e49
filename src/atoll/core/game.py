"""The contract between a game and everything that plays, shows or studies it.

A game is a package with a `Game` in it, found by the entry point `atoll.games`. Importing that package must not
import Numba: a game's modules are imported when first used, its compiled rules with `Game.load()`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from atoll.core.unavailable import no_components, no_end, no_option, no_truth, not_so_many
from atoll.text.errors import AtollError, ContractError, EndlessGame
from atoll.text.translation import Translator, texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from atoll.core.chance_sources import Source
    from atoll.core.events import Event, Events
    from atoll.core.move_features import MoveFeature
    from atoll.core.moves import Moves
    from atoll.core.parts import Parts
    from atoll.core.position import Position, View
    from atoll.core.premoves import Premove
    from atoll.core.state import State
    from atoll.engine.compiling import ContractTypes

Declaration = TypeVar("Declaration")

Json = dict[str, Any]
"""A move, a state or a view in the words of the record format."""


@dataclass(frozen=True)
class Option:
    """A choice offered when a table is made, such as open huts: yes or no, `default` unless said otherwise."""

    name: str
    label: str  # English, translated by the game's catalogue
    help: str
    default: bool = False


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
    parts: "NDArray[Any]"
    file: Any = None
    options: Mapping[str, bool] = field(default_factory=dict)

    @cached_property
    def plain(self) -> Any:
        """The parts as attributes: Python's ints and nested lists of them, quicker to read one by one than arrays."""
        from atoll.core.invariants import plain  # which imports NumPy

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


class Rules(Protocol):
    """A game's module `rules`: its compiled functions, as `docs/design.md` describes them."""

    STATE: "np.dtype[Any]"
    PARTS: "np.dtype[Any]"
    ACTIONS: int  # action codes are 0 to ACTIONS - 1
    MAX_LEGAL: int  # legal actions of one seat in one position
    MAX_EVENTS: int  # events of one move
    SOURCES: "tuple[Source, ...]"  # what chance decides before the first decision; often none
    DEALT: tuple[str, ...]  # the fields of a state in which that stands
    start: Any  # (state, parts, players, generator) -> None
    legal_actions: Any  # (state, parts, seat, out) -> count; codes ascending
    play: Any  # (state, parts, seat, action, events) -> None
    view: Any  # (state, parts, seat, out) -> None
    resample: Any  # (view, parts, generator, out) -> None
    result: Any  # (state, parts, points) -> bit set of winners, 0 while the game runs
    view_at: Any  # (states, index, parts_array, seat, out_array) -> None
    resample_at: Any  # (views, index, parts_array, generator, out_array) -> None
    legal_actions_at: Any  # (states, index, parts_array, seat, out) -> count
    play_at: Any  # (states, index, parts_array, seat, action, events) -> None

    def replaceable(self, state: "State") -> bool:
        """Whether what a seat decides now may be taken back until the last seat that has to has decided."""

    def max_decisions(self, components: Components, players: int) -> int:
        """Declared bound: decisions in a game."""

    def points_range(self, components: Components, players: int) -> tuple[int, int]:
        """Declared bounds: the least and the most points of a seat."""

    def check(self, state: "State", components: Components) -> None:
        """Raise AssertionError, naming it, if something does not hold that holds in every game; not compiled, since it
        comes before compiled code, which has no bounds checks: what passes can be played to the end.
        """


class Notation(Protocol):
    """A game's module `notation`: moves and states to and from the words of the record format."""

    def move_of(self, action: int) -> Json:
        """The move that an action code stands for."""

    def action_of(self, move: Mapping[str, Any]) -> int:
        """The action code of a move; raises AtollError if no such move exists."""

    def state_to_json(self, state: "State", options: Mapping[str, bool]) -> Json:
        """A state, or a view with what is hidden as records do, in words."""

    def state_from_json(self, words: Mapping[str, Any], components: Components) -> "NDArray[Any]":
        """A state of shape (1,) from its words; raises RecordError naming the key that is wrong."""

    def hide_move(self, move: Json, whose: int, before: "View", now: "View") -> Json:
        """A move of `whose` as a seat may know it: by its views, or a spectator's, of the position in which the move
        was made and of the game as it stands.
        """

    def hide_event(self, event: "Event", seat: int) -> "Event":
        """The event as `seat` (or SPECTATOR) may know it."""

    def chance_of(self, events: "Sequence[Event]", state: "State") -> Json | None:
        """What chance decided in a move, for its record line."""

    def apply_chance(self, state: "State", chance: Mapping[str, Any]) -> None:
        """Set what a record says that chance decided."""

    def breakdown(self, state: "State", components: Components) -> list[Json]:
        """Each seat's points in their parts, at the end of the game."""

    def result_details(self, state: "State", components: Components) -> Json:
        """What a record's result says besides points and winners; often nothing."""

    def details_agree(self, found: Json, state: "State", components: Components) -> bool:
        """Whether what a record's result says besides points and winners is right."""


class GameMessages(Protocol):
    """A game's module `telling`: everything that it says to people, in their language.

    `names` are what the seats are called; `move` is in the words of the record format.
    """

    def move_text(
        self, translator: Translator, names: Sequence[str], move: Mapping[str, Any], view: "View", seat: int
    ) -> str:
        """A move of `seat` as a button's label says it."""

    def prompt(self, translator: Translator, names: Sequence[str], view: "View", seat: int | None) -> Prompt:
        """What `seat` has to do now, or whom it waits for."""

    def progress(self, translator: Translator, view: "View") -> Progress:
        """Round and phase."""

    def tell(
        self, translator: Translator, names: Sequence[str], events: "Sequence[Event]", view: "View"
    ) -> list[Line]:
        """What the events of one or several moves in a row amount to, in entries of the log, the first of them first.

        `view` is the position after the moves.
        """

    def picture(self, translator: Translator, names: Sequence[str], view: "View") -> str:
        """The position as whose view it is sees it, as text for a terminal (Rich markup)."""

    def score(
        self, translator: Translator, names: Sequence[str], breakdown: Sequence[Json]
    ) -> list[list[str]]:
        """The final points as a table: a heading row, then a row a seat."""

    def bind(self, translator: Translator) -> Any:
        """The words that the game's own templates use as `t`, in the language of `words`."""


class Endings(Protocol):
    """A game's module `endings`, if it has one: how long its games were and how they ended, of many at a time; `states`
    are those of finished games, shape (n,).
    """

    ENDINGS: tuple[str, ...]  # the ways in which a game can end

    def rounds(self, states: "NDArray[Any]") -> "NDArray[np.integer[Any]]":
        """The rounds that were played in each."""

    def endings(self, states: "NDArray[Any]", components: Components) -> "NDArray[np.integer[Any]]":
        """How each ended: an index into ENDINGS."""

    def ending_text(self, translator: Translator, ending: str) -> str:
        """An ending in a few words."""


@dataclass(frozen=True, eq=False)
class Game:
    """What the catalogue knows of a game; its modules are imported when first asked for."""

    name: str  # as on the command line: lower case, hyphens
    title: str
    package: str
    seats: range  # possible numbers of players
    default_players: int
    summary: str  # English, one sentence, translated by the game's catalogue
    rules_version: int
    component_files: Mapping[str, str] = field(default_factory=dict)
    """shipped sets: name to file in the package; the first is the default; none for a game without data"""
    options: tuple[Option, ...] = field(default=())
    minutes: tuple[int, int] | None = None  # the least and the most that a game of people takes
    weight: str | None = None  # one of WEIGHTS
    for_newcomers: bool = False  # whether it is a good first one

    @cached_property
    def folder(self) -> Traversable:
        """The game's package as files: templates, locale, components."""
        return resources.files(self.package)

    def module(self, name: str) -> Any:
        """One of its modules, with the usual for whatever that leaves out (`core/defaults.py`)."""
        from atoll.core.defaults import module_of

        return module_of(self, name)

    @cached_property
    def has_advice(self) -> bool:
        """Whether the game advises bots."""
        return find_spec(f"{self.package}.advice") is not None

    @cached_property
    def rules(self) -> Rules:
        """The compiled rules; the first use imports Numba."""
        return self.module("rules")  # type: ignore[no-any-return]

    @cached_property
    def moves(self) -> "Moves":
        """The kinds of moves with their parts, as the module `moves`, or else `rules`, declares them as MOVES."""
        from atoll.core.defaults import has_module

        return self.module("moves" if has_module(self, "moves") else "rules").MOVES  # type: ignore[no-any-return]

    @cached_property
    def events(self) -> "Events":
        """The kinds of events, as the module `events`, or else `rules`, declares them as EVENTS; often none."""
        from atoll.core.defaults import has_module
        from atoll.core.events import Events

        module: Any = self.module("events") if has_module(self, "events") else self.rules
        declared = getattr(module, "EVENTS", None)
        return declared if isinstance(declared, Events) else Events()

    @cached_property
    def declared(self) -> "type[State]":
        """The class that declares the state, in the module `state`; raises ContractError if there is none."""
        from atoll.core.defaults import has_module
        from atoll.core.state import State

        if not has_module(self, "state"):
            raise ContractError(f"the package {self.package} has no module 'state'")
        found = self._declared_in("state", State)
        if found is None:
            raise ContractError(f"the module {self.package}.state declares no class that derives from State")
        return found

    @cached_property
    def declared_parts(self) -> "type[Parts]":
        """The class that declares the parts: the one in the module `parts`, or else `state`, if there is one."""
        from atoll.core.defaults import has_module
        from atoll.core.parts import NoParts, Parts

        return self._declared_in("parts" if has_module(self, "parts") else "state", Parts) or NoParts

    def _declared_in(self, name: str, kind: "type[Declaration]") -> "type[Declaration] | None":
        """The class of that kind that a module declares, if there is one."""
        module = self.module(name)
        for member in vars(module).values():
            if isinstance(member, type) and issubclass(member, kind) and member.__module__ == module.__name__:
                return member
        return None

    @cached_property
    def advise(self) -> Any:
        """The game's advice to bots: compiled (view, parts, moves, count, scores) -> None."""
        return self.module("advice").advise

    @cached_property
    def move_features(self) -> "tuple[MoveFeature, ...]":
        """The numbers that players which learn are told of each legal move, besides the advice; often none."""
        return tuple(self.module("move_features").MOVE_FEATURES)

    @cached_property
    def write_features(self) -> Any:
        """What writes these numbers: compiled (view, parts, moves, count, found) -> None."""
        return self.module("move_features").write_features

    @cached_property
    def types(self) -> "ContractTypes":
        """The Numba types of the contract, for generic drivers over this game."""
        from atoll.engine.compiling import ContractTypes

        return ContractTypes(self.rules.STATE, self.rules.PARTS)

    @cached_property
    def notation(self) -> Notation:
        """Moves and states in the words of records."""
        return self.module("notation")  # type: ignore[no-any-return]

    @cached_property
    def messages(self) -> GameMessages:
        """The game's words for people."""
        return self.module("messages")  # type: ignore[no-any-return]

    @cached_property
    def endings(self) -> Endings | None:
        """How games ended, if the game tells."""
        return self.module("endings") if find_spec(f"{self.package}.endings") else None

    @cached_property
    def premoves(self) -> "Sequence[Premove]":
        """What players can let be done again and again, as the module `programs` declares it; often nothing."""
        return self.module("premoves").PREMOVES if find_spec(f"{self.package}.premoves") else ()

    @cached_property
    def component_reader(self) -> Any:
        """The game's module `components`, which reads its components files."""
        return self.module("components")

    def components(self, name: str | None = None) -> Components:
        """A shipped set of components by name, the default one if None."""
        if not self.component_files:
            from atoll.core.plain_components import NAME

            return self.components_from(NAME if name is None else name, {})
        if name is None:
            name = next(iter(self.component_files))
        if name not in self.component_files:
            raise AtollError(no_components(self, name))
        with resources.as_file(self.folder / self.component_files[name]) as path:
            return self.read_components(path, shipped=True)

    def read_components(self, path: Path, *, shipped: bool = False) -> Components:
        """Read and check a components file; raises ComponentError naming file, entry and key."""
        return self.component_reader.read(path, shipped=shipped)  # type: ignore[no-any-return]

    def components_from(self, name: str, data: Json) -> Components:
        """Components from a record or a table that carries them whole; raises ComponentError."""
        return self.component_reader.from_data(name, data)  # type: ignore[no-any-return]

    def under(self, components: Components, options: Mapping[str, Any]) -> Components:
        """The components as they are played with these options; raises AtollError for one that does not exist."""
        values = self.check_options(options)
        if components.options == values:
            return components
        return replace(components, parts=self.declared_parts.under(components.parts, values), options=values)

    def check_players(self, players: int) -> None:
        """Raise AtollError unless the game is for that many players."""
        if players not in self.seats:
            raise AtollError(not_so_many(self, players))

    @cached_property
    def _longest(self) -> dict[tuple[str, int, tuple[str, ...]], int]:
        return {}

    def most_decisions(self, components: Components, players: int) -> int:
        """The declared bound of decisions in a game, found once for each file, number of players and set of options."""
        key = (components.sha256, players, tuple(name for name, on in components.options.items() if on))
        if key not in self._longest:
            self._longest[key] = self.rules.max_decisions(components, players)
        return self._longest[key]

    def endless(self, components: Components, players: int) -> EndlessGame:
        """The error that a game of so many players went on past its declared maximum of decisions."""
        most = self.most_decisions(components, players)
        return EndlessGame(no_end(self, players, components.name, most))

    def check_options(self, options: Mapping[str, Any]) -> dict[str, bool]:
        """All options with their values; raises AtollError for one that does not exist."""
        values = {option.name: option.default for option in self.options}
        for name, value in options.items():
            if name not in values:
                raise AtollError(no_option(self, name))
            if not isinstance(value, bool):
                raise AtollError(no_truth(self, name, value))
            values[name] = value
        return values

    def start(
        self,
        players: int,
        seed: int,
        components: Components | None = None,
        options: Mapping[str, bool] | None = None,
        *,
        keyed: bool = False,
    ) -> "Position":
        """A new game's first position; if no options are said, with those under which the components are.

        `seed` is any whole number; with `keyed` it is a secret key of 128 bits, and nobody without it can foretell what
        chance decides, however much they have seen (`engine/chance.py`).

        Raises AtollError if the game is not for that many players or has no such option, or the key is out of range;
        the first time also ContractError if the game is not what the contract asks for (`core/contract.py`).
        """
        from atoll.core.contract import check_once
        from atoll.core.position import Position

        check_once(self)
        return Position.start(self, players, seed, components, options, keyed=keyed)

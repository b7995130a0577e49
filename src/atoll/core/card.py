"""What a game declares: its card in the catalogue, its state, parts, moves and events, and which modules it has."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

from atoll.core.types import Components, Option
from atoll.text.errors import AtollError, ContractError
from atoll.text.messages import Message, quoted

if TYPE_CHECKING:
    from atoll.core.events import Events
    from atoll.core.moves import Moves
    from atoll.core.parts import Parts
    from atoll.core.state import State

Declaration = TypeVar("Declaration")


@dataclass(frozen=True, eq=False)
class GameCard:
    """What the catalogue knows of a game, and what its modules declare; these are imported when first asked for."""

    name: str  # as on the command line: lower case, hyphens
    title: str
    package: str
    seats: range  # possible numbers of players
    default_players: int
    summary: str  # English, one sentence, translated by the game's catalogue
    rules_version: int
    component_files: Mapping[str, str] = field(default_factory=dict)
    """shipped sets: name to file in the package; the first is the default; none for a game without data"""
    component_help: Mapping[str, str] = field(default_factory=dict)
    """what such a set changes against the first one, by its name, in English"""
    options: tuple[Option, ...] = field(default=())
    minutes: tuple[int, int] | None = None  # the least and the most that a game of people takes
    weight: str | None = None  # one of WEIGHTS
    for_newcomers: bool = False  # whether it is a good first one

    @cached_property
    def folder(self) -> Traversable:
        """The game's package as files: templates, locale, components."""
        return resources.files(self.package)

    @cached_property
    def _modules(self) -> dict[str, ModuleType | None]:
        return {}

    def has(self, name: str) -> bool:
        """Whether the package has a module of that name, which is not imported for it."""
        full = f"{self.package}.{name}"
        return full in sys.modules or find_spec(full) is not None

    def own(self, name: str) -> ModuleType | None:
        """The package's module of that name; None if it has none. `core/extensions.py` lists them."""
        if name not in self._modules:
            self._modules[name] = import_module(f"{self.package}.{name}") if self.has(name) else None
        return self._modules[name]

    def completed(self, name: str, default: object) -> Any:
        """The members of the package's module of that name, and those of `default` that it leaves out."""
        members = {key: getattr(default, key) for key in dir(default) if not key.startswith("_")}
        module = self.own(name)
        own = {} if module is None else vars(module)
        return SimpleNamespace(**members | {key: own[key] for key in own if not key.startswith("__")})

    @cached_property
    def moves(self) -> "Moves":
        """The kinds of moves with their parts, as the module `moves`, or else `rules`, declares them as MOVES."""
        module: Any = self.own("moves") or self.own("rules")
        return module.MOVES  # type: ignore[no-any-return]

    @cached_property
    def events(self) -> "Events":
        """The kinds of events, as the module `events`, or else `rules`, declares them as EVENTS; often none."""
        from atoll.core.events import Events

        declared = getattr(self.own("events") or self.own("rules"), "EVENTS", None)
        return declared if isinstance(declared, Events) else Events()

    @cached_property
    def declared(self) -> "type[State]":
        """The class that declares the state, in the module `state`; raises ContractError if there is none."""
        from atoll.core.state import State

        if not self.has("state"):
            raise ContractError(f"the package {self.package} has no module 'state'")
        declared = self._declared_in("state", State)
        if declared is None:
            raise ContractError(f"the module {self.package}.state declares no class that derives from State")
        return declared

    @cached_property
    def declared_parts(self) -> "type[Parts]":
        """The class that declares the parts: the one in the module `parts`, or else `state`, if there is one."""
        from atoll.core.parts import NoParts, Parts

        return self._declared_in("parts" if self.has("parts") else "state", Parts) or NoParts

    def _declared_in(self, name: str, kind: "type[Declaration]") -> "type[Declaration] | None":
        """The class of that kind that a module declares, if there is one."""
        module = self.own(name)
        for member in vars(module).values() if module is not None else ():
            if (
                isinstance(member, type)
                and issubclass(member, kind)
                and member.__module__ == f"{self.package}.{name}"
            ):
                return member
        return None

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


# What a game does not offer


def no_components(game: GameCard, name: str) -> Message:
    """No set of components of that name comes with the game."""
    return Message(
        "%(game)s has no components called %(name)s; there are: %(known)s",
        game=game.title,
        name=quoted(name),
        known=", ".join(game.component_files),
    )


def not_so_many(game: GameCard, players: int) -> Message:
    """The game is for other numbers of players."""
    least, most = game.seats.start, game.seats.stop - 1
    return Message(
        "%(game)s is for %(least)s to %(most)s players, not %(players)s",
        game=game.title,
        least=least,
        most=most,
        players=players,
    )


def no_end(game: GameCard, players: int, components: str, most: int) -> Message:
    """A game went on past its declared maximum of decisions."""
    return Message(
        "a game of %(game)s for %(players)s players with the components %(name)s went on past its declared maximum of "
        "%(most)s decisions and was given up",
        game=game.title,
        players=players,
        name=quoted(components),
        most=most,
    )


def no_option(game: GameCard, name: str) -> Message:
    """The game has no option of that name."""
    if not game.options:
        return Message("%(game)s has no options, so not %(name)s", game=game.title, name=quoted(name))
    known = ", ".join(option.name for option in game.options)
    return Message(
        "%(game)s has no option %(name)s; there are: %(known)s",
        game=game.title,
        name=quoted(name),
        known=known,
    )


def no_truth(game: GameCard, name: str, value: Any) -> Message:
    """An option is on or off."""
    return Message(
        "the option %(name)s of %(game)s is true or false, not %(found)s",
        name=quoted(name),
        game=game.title,
        found=quoted(str(value)),
    )

"""Games as Python has them, their positions, the views of these and the legal moves: checked, and in the words of the
record format.

A game is a package with a `Game` in it, found by the entry point `atoll.games`. Its modules are imported
when first used.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from atoll.core import extensions as ext
from atoll.core.card import GameCard, no_end
from atoll.core.events import MOVED, NO_EVENTS, Event, empty_events, event_buffer, read_events
from atoll.core.exports import LEGAL_ACTIONS, PLAY, RESAMPLE, RESULT, START, VIEW
from atoll.core.habits import Habit
from atoll.core.invariants import check_declared, require, row_of
from atoll.core.move_features import MoveFeature
from atoll.core.plain_components import component_reader, shipped_components
from atoll.core.playable import require_playable
from atoll.core.premoves import Premove
from atoll.core.running import fast_runner_of, runner_of
from atoll.core.state import REFEREE, SPECTATOR, UNKNOWN, seats_in
from atoll.core.types import Components, Json, Outcome, Ruling, plain
from atoll.engine.chance import generator, keyed_generator
from atoll.engine.exports import Export, Runner
from atoll.text.errors import AtollError, EndlessGame, IllegalMove, RecordError
from atoll.text.messages import Message, message_of

if TYPE_CHECKING:
    from atoll.core.rules import CompiledRules
    from atoll.core.scripted_chance import ScriptedRules


STARTS = 20
"""First positions, of each number of players, that show what chance deals."""


class Game(GameCard):
    """A game: its card, its modules with the defaults for what they leave out (`core/extensions.py`), and its start."""

    @cached_property
    def rules(self) -> "CompiledRules":
        """The rules, as plain Python functions that `runner` carries out in compiled code."""
        return ext.RULES.of(self)  # type: ignore[return-value]

    @cached_property
    def scripted(self) -> "ScriptedRules":
        """The rules with chance chosen from outside."""
        from atoll.core.scripted_chance import ScriptedRules

        return ScriptedRules(self)

    @cached_property
    def runner(self) -> Runner:
        """What carries out single calls of the rules and searches."""
        return runner_of(self)

    @cached_property
    def fast_runner(self) -> Runner:
        """What carries out millions of games, and takes longer to be ready."""
        return fast_runner_of(self) or self.runner

    @cached_property
    def notation(self) -> ext.Notation:
        """Moves and states in the words of records."""
        return ext.NOTATION.of(self)

    @cached_property
    def messages(self) -> ext.GameMessages:
        """What the game says to people."""
        return ext.MESSAGES.of(self)

    @cached_property
    def component_reader(self) -> Any:
        """What reads the game's components files: its module `components`."""
        return component_reader(self)

    @property
    def has_advice(self) -> bool:
        """Whether the game advises bots."""
        return self.has(ext.ADVICE.module)

    @cached_property
    def advise(self) -> Any:
        """The game's advice to bots: (view, parts, moves, count, scores) -> None."""
        return ext.ADVICE.of(self).advise

    @cached_property
    def policy(self) -> Any:
        """How the search takes seats to play, compiled as the advice: the module `policy`, else the advice."""
        own = ext.POLICY.own(self)
        return self.advise if own is None else own.rate

    @cached_property
    def _move_features(self) -> ext.MoveFeatures:
        return ext.MOVE_FEATURES.of(self)

    @cached_property
    def move_features(self) -> tuple[MoveFeature, ...]:
        """The numbers that players which learn are told of each legal move, besides the advice; often none."""
        return tuple(self._move_features.MOVE_FEATURES)

    @cached_property
    def write_features(self) -> Any:
        """What writes these numbers: (view, parts, moves, count, found) -> None."""
        return self._move_features.write_features

    @cached_property
    def guidance(self) -> ext.Guidance | None:
        """How a trained network guides the search, if one does."""
        return ext.GUIDANCE.own(self)

    @cached_property
    def beliefs(self) -> ext.GameBeliefs | None:
        """What decisions told of what is hidden, if the game says."""
        return ext.BELIEFS.own(self)

    @cached_property
    def habits(self) -> tuple[Habit, ...]:
        """What players of the game do by habit; often nothing."""
        own = ext.HABITS.own(self)
        return () if own is None else tuple(own.HABITS)

    @cached_property
    def premoves(self) -> Sequence[Premove]:
        """What players can let be done again and again; often nothing."""
        own = ext.PREMOVES.own(self)
        return () if own is None else own.PREMOVES

    @cached_property
    def exports(self) -> tuple[Export, ...]:
        """What the game's Python asks of compiled code, besides the rules; often nothing."""
        own = ext.EXPORTS.own(self)
        return () if own is None else tuple(own.EXPORTS)

    @cached_property
    def endings(self) -> ext.Endings | None:
        """How games ended, if the game tells."""
        return ext.ENDINGS.own(self)

    @cached_property
    def table(self) -> ext.TablePage | None:
        """What draws the table's page, if the game does."""
        return ext.TABLE.own(self)

    @cached_property
    def sheet(self) -> ext.Sheet | None:
        """What draws the page of components, if the game does."""
        return ext.SHEET.own(self)

    @cached_property
    def box(self) -> ext.PrintedBox:
        """What is in the box, for printing."""
        return ext.BOX.of(self)

    @cached_property
    def illustrations(self) -> ext.Illustrations | None:
        """What draws in the page of rules, if the game does."""
        return ext.ILLUSTRATIONS.own(self)

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """How the game settles what its rulebook leaves open; often nothing."""
        own = ext.RULINGS.own(self)
        return () if own is None else tuple(own.RULINGS)

    def components(self, name: str | None = None) -> Components:
        """A shipped set of components by name, the default one if None."""
        return shipped_components(self, self.component_reader, name)

    def read_components(self, path: Path, *, shipped: bool = False) -> Components:
        """Read and check a components file; raises ComponentError naming file, entry and key."""
        return self.component_reader.read(path, shipped=shipped)  # type: ignore[no-any-return]

    def components_from(self, name: str, data: Json) -> Components:
        """Components from a record or a table that carries them whole; raises ComponentError."""
        return self.component_reader.from_data(name, data)  # type: ignore[no-any-return]

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

    def check_playable(self) -> None:
        """Raise ContractError unless card, state and rules are what the contract asks for; a good game is looked at
        once.
        """
        if not self._was_playable:
            require_playable(self, lambda: self.rules)
            self._was_playable.append(True)

    @cached_property
    def dealt_fields(self) -> frozenset[str]:
        """The fields of a state in which stands what chance decides before the first decision: those of the declared
        sources, else those in which first positions of some seeds differ.
        """
        sources = self.rules.SOURCES
        return frozenset(
            {"generator"}.union(*(source.fields for source in sources) if sources else self._differing())
        )

    def _differing(self) -> Iterator[set[str]]:
        for players in self.seats:
            one, *others = (self.start(players, seed).state for seed in range(STARTS))
            for other in others:
                yield {name for name in one.dtype.names if (one[name] != other[name]).any()}

    @cached_property
    def _was_playable(self) -> list[bool]:
        return []

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
        self.check_playable()
        return Position.start(self, players, seed, components, options, keyed=keyed)


class LegalMoves:
    """The legal moves of a seat: can be counted, iterated, and asked whether a move is among them."""

    def __init__(self, game: "Game", actions: NDArray[np.int32]) -> None:
        self._game = game
        self.actions = actions
        """Action codes, ascending; shape (count,), int32."""

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[Json]:
        return map(self._game.notation.move_of, self.actions.tolist())

    def __contains__(self, move: object) -> bool:
        try:
            return self._game.notation.action_of(move) in self.actions  # type: ignore[arg-type]
        except AtollError:
            return False


class _Shown:
    """What a full position and a view have in common."""

    def __init__(
        self, game: "Game", components: Components, options: Mapping[str, bool], states: NDArray[Any]
    ) -> None:
        self.game = game
        self.components = components if components.options == options else game.under(components, options)
        """As they are played with the options."""
        self.options = options
        self._states = states

    @property
    def state(self) -> Any:
        """The record itself; to be read, not written."""
        return self._states[0]

    @property
    def states(self) -> NDArray[Any]:
        """The array of shape (1,) that holds the record; to be read, not written."""
        return self._states

    @cached_property
    def players(self) -> int:
        """How many play."""
        return int(self._states["players"][0])

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have to decide now; empty when the game is over."""
        return seats_in(int(self._states["to_act"][0]))  # quicker than an attribute of the record

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.to_act

    def _legal_moves(self, seat: int) -> LegalMoves:
        rules = self.game.rules
        out = np.empty(rules.MAX_LEGAL, dtype=np.int32)
        count = 0
        if seat in self.to_act:
            count = self.game.runner.call(LEGAL_ACTIONS, self._states, self.components.parts, seat, out)
        return LegalMoves(self.game, out[:count].copy())

    def to_json(self) -> Json:
        """The position in the words of the record format."""
        return self.game.notation.state_to_json(self.state, self.options)


class View(_Shown):
    """What one seat, or a spectator, may know of a position. It cannot be played on."""

    _own_moves: LegalMoves | None = None

    @cached_property
    def seat(self) -> int:
        """Whose view it is; SPECTATOR for somebody who only watches."""
        return int(self._states["seat"][0])

    @property
    def viewer(self) -> int | None:
        """The seat whose view it is; None for somebody who only watches, or who sees everything."""
        return self.seat if self.seat >= 0 else None

    @cached_property
    def fields(self) -> Any:
        """The fields of the record by name: Python's ints and nested lists of them."""
        return plain(self.state)

    def known(self, name: str, seat: int) -> list[int]:
        """The numbers in used places of a seat's row of a field, as far as the view shows them."""
        numbers = row_of(self.game.declared.field(name), self.fields, seat)
        return [number for number in numbers if number != UNKNOWN]

    def legal_moves(self) -> LegalMoves:
        """The legal moves of the view's own seat; none for a spectator or out of turn."""
        if self._own_moves is None:  # a cached_property of Python 3.11 computes for one thread at a time
            self._own_moves = self._legal_moves(self.seat)
        return self._own_moves

    def resample(self, seed: int) -> "Position":
        """A full position drawn uniformly from those that agree with this view."""
        return self._resample(generator(seed))

    def redeal(self, key: int) -> "Position":
        """The same by a secret key of 128 bits, with which chance goes on: nobody without it can foretell anything."""
        chance = keyed_generator(key)
        position = self._resample(chance)
        position.state.generator[:] = chance
        return position

    def _resample(self, chance: NDArray[np.uint64]) -> "Position":
        states = np.zeros(1, dtype=self._states.dtype)
        self.game.runner.call(RESAMPLE, self._states, self.components.parts, chance, states)
        return Position(self.game, self.components, self.options, states)


class Position(_Shown):
    """A full position, hidden cards included: the referee's side of the table."""

    @classmethod
    def start(
        cls,
        game: "Game",
        players: int,
        seed: int,
        components: Components | None = None,
        options: Mapping[str, bool] | None = None,
        *,
        keyed: bool = False,
    ) -> "Position":
        """A new game; see `Game.start`."""
        game.check_players(players)
        components = components or game.components()
        components = game.under(components, components.options if options is None else options)
        states = np.zeros(1, dtype=game.rules.STATE)
        chance = keyed_generator(seed) if keyed else generator(seed)
        game.runner.call(START, states, components.parts, players, chance)
        return cls(game, components, components.options, states)

    @classmethod
    def from_json(
        cls, game: "Game", words: Json, components: Components, options: Mapping[str, bool]
    ) -> "Position":
        """The position that these words describe; raises RecordError if they describe none, or an impossible one."""
        components = game.under(components, options)
        states = game.notation.state_from_json(words, components)
        states[0].generator[:] = generator(0)  # what chance decides later, a record says itself
        position = cls(game, components, components.options, states)
        try:
            position.check()
        except AssertionError as error:
            wrong = message_of(error)
            raise RecordError(Message("the position cannot be right: %(why)s", why=wrong)) from None
        return position

    def copy(self) -> "Position":
        """An independent copy."""
        states = np.empty_like(self._states)
        states.view(np.uint8)[:] = self._states.view(np.uint8)
        return Position(self.game, self.components, self.options, states)

    def with_state(self, state: bytes) -> "Position":
        """A position of the same game at another state, as `state.tobytes()` gives it; raises ValueError for a wrong
        size.
        """
        states = np.frombuffer(state, dtype=self._states.dtype).copy()
        if len(states) != 1:
            raise ValueError(f"{len(state)} bytes are no state of {self._states.itemsize}")
        return Position(self.game, self.components, self.options, states)

    def legal_moves(self, seat: int) -> LegalMoves:
        """The legal moves of `seat`; none if it does not have to decide."""
        return self._legal_moves(seat)

    def play(self, seat: int, move: Mapping[str, Any] | int) -> list[Event]:
        """Carry out a move of `seat` and return everything that happened.

        Raises IllegalMove, and changes nothing, if the seat does not have to decide or the move is not legal.
        """
        if not 0 <= seat < self.players:
            raise IllegalMove(self._no_seat(seat))
        if seat not in self.to_act:
            raise IllegalMove(self._not_to_act(seat))
        legal = self.legal_moves(seat)
        try:
            action = move if isinstance(move, int) else self.game.notation.action_of(move)
        except AtollError as error:
            raise IllegalMove(error.message) from None
        if action not in legal.actions:
            raise IllegalMove(self._not_legal(move, legal))
        return self.play_action(seat, action)

    def play_action(self, seat: int, action: int) -> list[Event]:
        """Carry out an action that is known to be legal."""
        if not self.game.rules.MAX_EVENTS:
            moved = self._moved(seat, action)
            self.game.runner.call(PLAY, self._states, self.components.parts, seat, action, NO_EVENTS)
            return [moved]
        events = event_buffer(self.game.rules.MAX_EVENTS)
        empty_events(events)
        self.game.runner.call(PLAY, self._states, self.components.parts, seat, action, events)
        return read_events(events)

    def redraw(self, before: "Position", seat: int, action: int, draws: Sequence[int]) -> list[Event]:
        """Make this the position after a legal action in `before` in which chance draws these numbers, in order;
        returns everything that happened. Raises RecordError, and changes nothing, if chance cannot draw them there.
        """
        events = event_buffer(self.game.rules.MAX_EVENTS)
        states = self.game.scripted.replay(before.states, self.components, seat, action, draws, events)
        self._states[:] = states
        return read_events(events) if self.game.rules.MAX_EVENTS else [before._moved(seat, action)]

    def _moved(self, seat: int, action: int) -> Event:
        """The one event that a move here is in a game without events."""
        return Event(MOVED, seat, action, UNKNOWN, UNKNOWN, int(len(self.to_act) > 1))

    def _no_seat(self, seat: int) -> Message:
        return Message("there is no seat %(seat)s: seats are 0 to %(last)s", seat=seat, last=self.players - 1)

    def _not_to_act(self, seat: int) -> Message:
        if self.is_over:
            return Message("the game is over")
        return Message(
            "seat %(seat)s has nothing to decide now; to decide: %(seats)s",
            seat=seat,
            seats=", ".join(map(str, self.to_act)),
        )

    def _not_legal(self, move: Mapping[str, Any] | int, legal: LegalMoves) -> Message:
        moves = list(legal)
        what = move.get("do") if not isinstance(move, int) else None
        alike = [other for other in moves if other["do"] == what] or moves
        shown = "; ".join(map(str, alike[:12])) + ("; ..." if len(alike) > 12 else "")
        given = move if isinstance(move, int) else dict(move)
        return Message("%(move)s is not legal now; legal: %(legal)s", move=given, legal=shown)

    def view(self, seat: int = SPECTATOR) -> View:
        """What `seat` may know."""
        if seat != SPECTATOR and not 0 <= seat < self.players:
            raise AtollError(self._no_seat(seat))
        states = np.zeros(1, dtype=self._states.dtype)
        self.game.runner.call(VIEW, self._states, self.components.parts, seat, states)
        return View(self.game, self.components, self.options, states)

    def opened(self) -> View:
        """Everything, as who replays a game may see it: what is shown of a view can be shown of this."""
        return View(self.game, self.components, self.options, self.copy().states)

    @property
    def most_decisions(self) -> int:
        """Declared bound: decisions in the whole game."""
        return self.game.most_decisions(self.components, self.players)

    def until_over(self) -> Iterator[int]:
        """Count decisions, from 0, as long as the game runs; raises EndlessGame past its declared maximum."""
        number = 0
        while not self.is_over:
            if number >= self.most_decisions:
                raise self.game.endless(self.components, self.players)
            yield number
            number += 1

    @property
    def outcome(self) -> Outcome | None:
        """Points and winners, or None while the game runs."""
        if not self.is_over:
            return None
        points, winners = self._result()
        return Outcome(points, seats_in(winners)) if winners else None

    @property
    def points(self) -> tuple[int, ...]:
        """Each seat's points as they stand, hidden ones too."""
        return self._result()[0]

    def _result(self) -> tuple[tuple[int, ...], int]:
        points = np.zeros(self.players, dtype=np.int32)
        winners = self.game.runner.call(RESULT, self._states, self.components.parts, points)
        return tuple(points.tolist()), winners

    def breakdown(self) -> list[Json]:
        """Each seat's points in their parts, once the game is over."""
        return self.game.notation.breakdown(self.state, self.components)

    def check(self) -> None:
        """Raise AssertionError if a field is not as it is declared, or an invariant of the game does not hold.

        Nothing of this is compiled: it comes before compiled functions, which trust a state.
        """
        require(self.state.seat == REFEREE, "a full position, not a seat's view")
        require(self.players in self.game.seats, "how many play")
        check_declared(self.state, self.game.declared, self.components.parts[0])
        self.game.rules.check(self.state, self.components)

    def check_start(self) -> None:
        """Raise AssertionError unless this position, which passes `check`, is one in which a game begins: it differs
        from what `Position.start` gives in what chance deals alone.
        """
        start = Position.start(self.game, self.players, 0, self.components, self.options)
        for name in self.state.dtype.names:
            if name not in self.game.dealt_fields and not np.array_equal(self.state[name], start.state[name]):
                raise AssertionError(
                    Message(
                        "a record begins before the first decision, where %(field)s is another", field=name
                    )
                )


__all__ = ["SPECTATOR", "UNKNOWN", "Game", "LegalMoves", "Position", "View"]

"""Do the recorded games of every game replay?

`python -m tests.soak recorded_games`.

`tests/recorded/GAME-VERSION.jsonl.gz` holds games in record format 1, compressed, that were played under a game's
`rules_version`. Further keys pin what the rules did: in a header `digest` and in every decision's line `digest`, of the
state and of every legal move in words after it; in a header `shown`, of the views, the events and the log's lines of
one viewer after the other. The tests hold the first kind against today's rules; this command holds both, and
`--write` plays the games anew, after a change of rules, options or components.
"""

import argparse
import gzip
import hashlib
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console

from atoll.bots import find_bot
from atoll.bots.bot import Bot, SeatedBot
from atoll.core import records
from atoll.core.catalogue import find_game, games
from atoll.core.events import Event
from atoll.core.game import Game, Position
from atoll.core.game_translator import GameTranslator
from atoll.core.state import SPECTATOR
from atoll.core.types import Components, Json
from atoll.engine.chance import derive, draw_below, generator
from atoll.lab.played import game_seed
from atoll.lab.simulate import bot_generators
from atoll.text.errors import AtollError, RecordError
from atoll.text.translation import Translator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from atoll.core.game import View

FOLDER = Path(__file__).parents[1] / "recorded"

SEED = 18
"""All games follow from it."""

PLAYED = (
    ("random",),
    ("random",),
    ("random", "greedy"),
    ("greedy",),
    ("greedy", "search:50"),
    ("search:50",),
    ("stubborn",),
    ("stubborn", "random"),
    ("stubborn", "greedy"),
)
"""Who plays the games of each setting, the bots repeated to fill the seats."""

GAMES = 90
"""Games of each game, at least: all of PLAYED at each setting, as often as that takes."""

TRIED = (("random",), ("greedy",), ("stubborn",), ("stubborn", "greedy"))
CANDIDATES = 2000
"""How many more games are played, by these, of which those are taken that show something that no other does."""

Item = tuple[object, ...]
"""Something that a game showed: a part of a move with its value, or a kind of event with its piece."""

_encoder = msgspec.json.Encoder(order="deterministic")


# What is pinned


def _digest(*words: object) -> str:
    return hashlib.sha256(_encoder.encode(words)).hexdigest()[:6]


def digest(position: Position) -> str:
    """Six hexadecimal digits of the state and the legal moves of every seat that has to decide, in words."""
    moves = [position.legal_moves(seat).actions.tolist() for seat in position.to_act]
    legal = [sorted(_encoded(position.game, action) for action in actions) for actions in moves]
    return _digest(position.to_json(), legal)


@cache
def _encoded(game: Game, action: int) -> bytes:
    return _encoder.encode(game.notation.move_of(action))


class Shown:
    """Digests of what the seats and a spectator were shown of a game, one of them after each decision."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._viewers = [SPECTATOR, *range(len(names))]
        self._sums = {"views": hashlib.sha256(), "events": hashlib.sha256(), "lines": hashlib.sha256()}

    def add(self, position: Position, events: Sequence[Event]) -> None:
        """Show the next viewer the position and the events that led to it."""
        viewer = self._viewers[0]
        self._viewers = [*self._viewers[1:], viewer]
        game, view = position.game, position.view(viewer)
        heard = [game.notation.hide_event(event, viewer) for event in events]
        words = _words(game, position.components)
        entries = game.messages.tell(words, self._names, heard, view)
        lines = [line.text for entry in entries for line in entry.lines()]
        for name, what in {"views": view.to_json(), "events": heard, "lines": lines}.items():
            self._sums[name].update(_encoder.encode(what))

    def digests(self) -> dict[str, str]:
        """What was shown so far, by kind."""
        return {name: total.hexdigest()[:12] for name, total in self._sums.items()}


@cache
def _words_of(package: str) -> Translator:
    return Translator("en").with_package(package)


def _words(game: Game, components: Components) -> Translator:
    return GameTranslator(_words_of(game.package), components)


# Playing


@dataclass(frozen=True)
class Setting:
    """What a game is played with."""

    game: Game
    components: Components
    options: Mapping[str, bool]
    players: int

    def start(self, number: int) -> Position:
        """The first position of game `number`."""
        return self.game.start(self.players, game_seed(SEED, number), self.components, self.options)


def settings(game: Game) -> list[Setting]:
    """Each shipped set of components with each number of players, without options and with each alone."""
    return [
        Setting(game, game.components(name), options, players)
        for name in game.component_files
        for options in ({}, *({option.name: not option.default} for option in game.options))
        for players in game.seats
    ]


@dataclass(frozen=True)
class Stubborn(Bot):
    """Likes some parts of moves better than others, as chance has it, and plays what it likes for a whole game."""

    likes: int = 0

    def sit(self, generator: "NDArray[np.uint64]") -> SeatedBot:
        return SeatedBot(replace(self, likes=int(generator[0])), generator)

    def think(self, view: "View", moves: "NDArray[np.int32]", generator: "NDArray[np.uint64]") -> int:
        parts, order = _parts(view.game), _order(view.game)

        def liking(action: int) -> int:
            return sum(derive(self.likes, order[part]) for part in parts[action]) // len(parts[action])

        return int(max(moves.tolist(), key=liking))

    def prepare(self, game: Game) -> None:
        pass


@cache
def _order(game: Game) -> dict[Item, int]:
    """The parts of all moves, numbered."""
    every = sorted(set().union(*_parts(game).values()), key=repr)
    return {part: number for number, part in enumerate(every)}


@cache
def _parts(game: Game) -> dict[int, list[Item]]:
    """The parts of the move of every action code, each with its value."""
    moves = {action: game.notation.move_of(action) for action in range(game.rules.ACTIONS)}
    return {
        action: [(move["do"], key, _encoder.encode(value)) for key, value in move.items()]
        for action, move in moves.items()
    }


@dataclass(frozen=True)
class Played:
    """A game that was played: the decisions, who decided them, and what it showed.

    `offered` is where a part of a move first was legal: after so many decisions, for that seat, in that action.
    """

    setting: Setting
    number: int
    bots: Sequence[str]
    decisions: list[tuple[int, int]]
    items: set[Item]
    offered: dict[Item, tuple[int, int, int]]

    def branch(self, item: Item) -> "Played":
        """The game as it would have been with this part of a move, then played on at random."""
        count, seat, action = self.offered[item]
        return play(
            self.setting, self.number, [find_bot("random")], [*self.decisions[:count], (seat, action)]
        )

    def lines(self) -> list[Json]:
        """Its record, with what is pinned."""
        position = self.setting.start(self.number)
        names = [self.bots[seat % len(self.bots)] for seat in range(position.players)]
        move_of, shown = position.game.notation.move_of, Shown(names)
        lines = [records.header(position, names, game_seed(SEED, self.number)) | {"digest": digest(position)}]
        for seat, action in self.decisions:
            before = position.copy()
            events = position.play_action(seat, action)
            line = records.decision(before, position, seat, move_of(action), events)
            lines.append(line | {"digest": digest(position)})
            shown.add(position, events)
        lines[0]["shown"] = shown.digests()
        return [*lines, records.result(position)]


def play(setting: Setting, number: int, bots: Sequence[Bot], begun: Sequence[tuple[int, int]] = ()) -> Played:
    """Play game `number`, in which these decisions are taken first.

    Where several seats decide at once, chance says which is first.
    """
    position, parts = setting.start(number), _parts(setting.game)
    generators = bot_generators(SEED, number, setting.players)
    seated = [bots[seat % len(bots)].sit(generators[seat]) for seat in range(setting.players)]
    order = generator(derive(SEED, number))
    game = Played(setting, number, [bot.name for bot in bots], [], set(), {})
    offered = set[int]()
    while not position.is_over:
        count = len(game.decisions)
        place = draw_below(order, len(position.to_act))
        seat = begun[count][0] if count < len(begun) else position.to_act[place]
        legal = position.legal_moves(seat).actions
        for new in set(legal.tolist()) - offered:
            offered.add(new)
            for part in parts[new]:
                game.offered.setdefault(part, (count, seat, new))
        action = begun[count][1] if count < len(begun) else seated[seat].decide(position.view(seat), legal)
        game.decisions.append((seat, action))
        game.items.update(parts[action])
        game.items.update((event.what, event.piece) for event in position.play_action(seat, action))
    return game


def play_all(game: Game) -> tuple[list[Played], str]:
    """The games to record, and what they show and do not show in a sentence."""
    each = settings(game)
    times = -(-GAMES // (len(each) * len(PLAYED)))
    wanted = [(setting, names) for setting in each for names in PLAYED * times]
    tried = [
        (each[number % len(each)], TRIED[number // len(each) % len(TRIED)]) for number in range(CANDIDATES)
    ]
    everything = [
        play(setting, number, [_bot(name) for name in names])
        for number, (setting, names) in enumerate(wanted + tried)
    ]
    played = everything[: len(wanted)]
    played += missing(_items(played), everything)
    for one in everything:
        for part in sorted(one.offered.keys() - _items(played), key=repr):
            if part not in _items(played):
                played.append(one.branch(part))
    return played, _said(game, played, len(everything))


def _said(game: Game, played: Sequence[Played], tried: int) -> str:
    exist, items = set[Item]().union(*_parts(game).values()), _items(played)
    never: dict[str, list[str]] = {}
    for part in sorted(exist - items, key=_order(game).__getitem__):
        do, key, value = part
        never.setdefault(f"{do}, {key}", []).append(value.decode())  # type: ignore[attr-defined]
    return (
        f"{game.title}: {len(played)} games, {sum(len(one.decisions) for one in played):,} decisions; every event with"
        f" its piece ({len(items - exist)}) and every part of a move ({len(exist & items)} of {len(exist)}) that"
        f" {tried:,} games showed; never legal: "
        + ("; ".join(f"{what} {' '.join(values)}" for what, values in never.items()) or "none")
    )


def _items(played: Iterable[Played]) -> set[Item]:
    return set[Item]().union(*(one.items for one in played))


def _bot(name: str) -> Bot:
    return Stubborn(name) if name == "stubborn" else find_bot(name)


def missing(items: set[Item], candidates: Sequence[Played]) -> Iterator[Played]:
    """Of the candidates those that show what is not yet among `items`, the one that shows most of it first."""
    left = set().union(*(one.items for one in candidates)) - items
    while left:
        best = max(candidates, key=lambda one: len(one.items & left))
        left -= best.items
        yield best


# Files


def path_of(game: Game, folder: Path = FOLDER) -> Path:
    """The file of a game's present rules."""
    return folder / f"{game.name}-{game.rules_version}.jsonl.gz"


def read(path: Path) -> list[records.Record]:
    """The records of a file; raises RecordError."""
    return list(records.read_records(gzip.decompress(path.read_bytes()).splitlines()))


def write(path: Path, played: Iterable[Played]) -> None:
    """Write the records of games, compressed; the same games give the same bytes."""
    text = "".join(records.encode(one.lines()) for one in played)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


# Checking


def check(path: Path, every: int = 1, differ: Counter[str] | None = None) -> None:
    """Replay every so-manieth game of a file.

    The rules must do the same, state by state, from the record and from the seed, as a stored table has it. Counts in
    `differ` the games in which something else is shown. Raises RecordError naming the file and the line.
    """
    try:
        for record in read(path)[::every]:
            if differ is None:
                check_record(record)
            else:
                shown = Shown(record.header["players"])
                check_record(record, shown)
                differ.update(
                    kind for kind, told in shown.digests().items() if record.header["shown"][kind] != told
                )
    except RecordError as error:
        raise RecordError(
            f"{path.name}, {error}; if a rule was meant to change, play the games anew:"
            " python -m tests.soak recorded_games --write"
        ) from None


def check_record(record: records.Record, shown: Shown | None = None) -> None:
    """Replay a record under the rules that it pins, for `shown` if it is given.

    Raises RecordError naming the line after which state, legal moves or chance are others.
    """
    position = _dealt(record)
    if digest(position) != record.header["digest"]:
        raise RecordError(
            f"line {record.first_line}: the seed deals another state, or other moves are legal in it"
        )
    for step, line, number in zip(records.replay(record), record.decisions, record.lines, strict=True):
        before = position.copy()
        events = position.play_action(step.seat, position.game.notation.action_of(step.move))
        if records.decided(before, position, step.seat, step.move, events) != line.get("chance"):
            raise RecordError(f"line {number}: chance decides something else in this move")
        if digest(position) != line["digest"]:
            raise RecordError(
                f"line {number}: the state after this move, or the moves that are legal then, differ"
            )
        if shown is not None:
            shown.add(position, events)
    if step.position.to_json() != position.to_json():
        raise RecordError(f"line {record.last_line}: the record's game ends otherwise than that of its seed")


def _dealt(record: records.Record) -> Position:
    head = record.header
    game = find_game(head["game"])
    components = records.components_of(game, head["components"])
    return game.start(len(head["players"]), int(head["seed"]), components, head["options"])


# The command


def _write(game: Game, folder: Path, console: Console) -> None:
    path = path_of(game, folder)
    played, said = play_all(game)
    write(path, played)
    console.print(f"{said}; {path.stat().st_size:,} bytes")


def main() -> None:
    """Check every file, or write them anew; exit status 1 if a game does not replay."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak recorded_games",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--game", choices=sorted(games()), help="which game (all)")
    parser.add_argument("--write", action="store_true", help="play the games anew")
    parser.add_argument("--out", type=Path, default=FOLDER, help="the folder of the files (tests/recorded)")
    settings = parser.parse_args()
    console = Console(highlight=False, soft_wrap=True)
    settings.out.mkdir(parents=True, exist_ok=True)
    if settings.write:
        for game in games().values():
            if settings.game in (None, game.name):
                _write(game, settings.out, console)
    failed = False
    for game in games().values():
        path = path_of(game, settings.out)
        if settings.game in (None, game.name) and path.is_file():
            differ = Counter[str]()
            try:
                check(path, differ=differ)
            except AtollError as error:
                failed = True
                console.print(str(error))
            else:
                others = ", ".join(f"{kind} in {count}" for kind, count in differ.items()) or "nothing"
                console.print(f"{path.name}: {len(read(path))} games replay; shown otherwise: {others}")
    sys.exit(failed)


if __name__ == "__main__":
    main()

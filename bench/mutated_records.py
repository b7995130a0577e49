"""Whether crafted records and positions are refused in a sentence or play to their end, and never anything else:
`python -m bench.mutated_records --kind records --count 10000 --seed 1`.

Real records and positions of random games are mutated, read and checked. What is accepted is played on at random, every
invariant checked after each decision, by rules that Numba compiled with checked bounds. The first that gives a
traceback, reads out of bounds, breaks an invariant or outlasts the declared maximum is written to a file. Mutation i
depends on the seed and i alone.
"""

import os

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")  # before Numba is imported

import argparse
import faulthandler
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from copy import deepcopy
from functools import cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from atoll.core import records
from atoll.core.catalogue import find_game, games
from atoll.core.errors import RecordError
from atoll.core.game import Game, Json
from atoll.core.position import Position

KINDS = ("records", "positions")
CHUNK = 50
"""Mutations that a process tries at once."""
PATIENCE = 120
"""Seconds for one mutation; a process that takes longer is in a loop that does not end."""
MATERIAL = 4
"""Random games of each number of players, with which the mutations begin."""

ODD: tuple[Any, ...] = (
    *(None, True, False, "", "x", "0", "é\x00\n", [], {}, [[]], [None], {"do": 1}, 1.0, -0.5),
    *(0, 1, 2, 3, 7, -1, -2, 127, 128, 255, -128, -129, 32767, 65536, 2**31, 2**63, -(2**63), 10**19),
)
"""Values that stand nowhere, or not where they are put."""


class Fault(Exception):
    """A mutation that was neither refused nor played to its end: what was read, and what happened then."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(text, why)
        self.text = text
        self.why = why


# What mutations begin with

_components = cache(Game.components)
"""A shipped set of components, read once."""


@cache
def material(name: str, players: int, number: int) -> tuple[list[Json], list[Json]]:
    """The lines of a random game's record, a trace, and all its positions in words."""
    game, chance = find_game(name), random.Random(number)
    sets = list(game.component_files)
    position = game.start(players, number, game.components(sets[number % len(sets)]))
    lines = [records.header(position, [f"player {seat}" for seat in range(players)], number)]
    while not position.is_over:
        seat = chance.choice(position.to_act)
        legal = list(position.legal_moves(seat))
        move = chance.choice(legal)
        lines.append(records.decision(position, seat, move, position.play(seat, move), legal))
    lines.append(records.result(position))
    states = [lines[0]["start"], *(line["state"] for line in lines[1:-1])]
    return lines, states


# Mutating


Place = tuple[Any, Any]
"""A dict and a key of it, or a list and an index into it."""


def places(tree: Any) -> Iterator[Place]:
    """Every place in a tree of dicts and lists."""
    for key in tree if isinstance(tree, dict) else range(len(tree)):
        yield tree, key
        if isinstance(tree[key], dict | list):
            yield from places(tree[key])


def lists(tree: Any) -> list[list[Any]]:
    """Every list in a tree that holds something."""
    return [within[key] for within, key in places(tree) if isinstance(within[key], list) and within[key]]


def change_value(tree: Any, other: Any, chance: random.Random) -> None:
    """Another value of the same tree, a number near by, or something odd."""
    found = list(places(tree))
    within, key = chance.choice(found)
    if type(within[key]) is int and chance.random() < 0.6:
        within[key] += chance.choice((-1, 1, 1, -2, 2, 100))
    elif chance.random() < 0.5:
        source, source_key = chance.choice(found)
        within[key] = deepcopy(source[source_key])
    else:
        within[key] = deepcopy(chance.choice(ODD))


def change_list(tree: Any, other: Any, chance: random.Random) -> None:
    """An entry of a list lost, doubled, or all of them in another order."""
    found = lists(tree)
    if not found:
        return
    entries = chance.choice(found)
    at = chance.randrange(len(entries))
    match chance.randrange(3):
        case 0:
            del entries[at]
        case 1:
            entries.insert(chance.randrange(len(entries) + 1), deepcopy(entries[at]))
        case 2:
            chance.shuffle(entries)


def move_entry(tree: Any, other: Any, chance: random.Random) -> None:
    """An entry of one list goes to another, or two change places: nothing is lost."""
    found = lists(tree)
    if len(found) < 2:
        return
    one, two = chance.sample(found, 2)
    at = chance.randrange(len(one))
    if chance.random() < 0.5:
        where = chance.randrange(len(two))
        one[at], two[where] = deepcopy(two[where]), deepcopy(one[at])
    else:
        two.insert(chance.randrange(len(two) + 1), deepcopy(one.pop(at)))


def move_number(tree: Any, other: Any, chance: random.Random) -> None:
    """One number more, another less: the sum stays."""
    found = [(within, key) for within, key in places(tree) if type(within[key]) is int]
    if len(found) > 1:
        (one, one_key), (two, two_key) = chance.sample(found, 2)
        one[one_key] -= 1
        two[two_key] += 1


def drop_key(tree: Any, other: Any, chance: random.Random) -> None:
    """A key lost, or one that nobody knows."""
    within, key = chance.choice([(within, key) for within, key in places(tree) if isinstance(within, dict)])
    if chance.random() < 0.7:
        del within[key]
    else:
        within[f"{key}?"] = deepcopy(within[key])


def graft(tree: Any, other: Any, chance: random.Random) -> None:
    """A part of another position of the game, at the same place."""
    shared = [(a, b, key) for a, b, key in alike(tree, other) if a[key] != b[key]]
    if shared:
        within, source, key = chance.choice(shared)
        within[key] = deepcopy(source[key])


def alike(tree: Any, other: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The places that two trees share."""
    if isinstance(tree, dict) and isinstance(other, dict):
        keys: list[Any] = [key for key in tree if key in other]
    elif isinstance(tree, list) and isinstance(other, list):
        keys = list(range(min(len(tree), len(other))))
    else:
        return
    for key in keys:
        yield tree, other, key
        yield from alike(tree[key], other[key])


MUTATIONS: tuple[Callable[[Any, Any, random.Random], None], ...] = (
    *(change_value, change_list, move_entry, move_entry, move_number, move_number, drop_key, graft, graft),
)


def mutate(tree: Json, other: Json, chance: random.Random) -> Json:
    """A copy with one to four mutations in it."""
    changed = deepcopy(tree)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 4))):
        if changed:
            chance.choice(MUTATIONS)(changed, other, chance)
    return changed


def flip_bytes(text: bytes, chance: random.Random) -> bytes:
    """Some bytes changed, lost or doubled."""
    changed = bytearray(text)
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(changed))
        match chance.randrange(3):
            case 0:
                changed[at] ^= 1 << chance.randrange(8)
            case 1:
                del changed[at]
            case 2:
                changed.insert(at, changed[at])
    return bytes(changed)


# Trying


def play_on(position: Position, chance: random.Random) -> None:
    """Random moves to the end, every invariant checked after each."""
    bound = position.game.rules.max_decisions(position.components, position.players)
    for _ in range(bound):
        if position.is_over:
            break
        seat = chance.choice(position.to_act)
        position.play_action(seat, chance.choice(position.legal_moves(seat).actions.tolist()))
        position.check()
    assert position.is_over, f"more than the {bound} decisions declared"
    assert position.outcome is not None, "no outcome at the end"


def try_record(text: bytes, chance: random.Random) -> str:
    """Replay it, and play an unfinished game on; returns whether it was refused."""
    last = None
    try:
        for record in records.read_records(text.splitlines()):
            position = records.first_position(record)
            for step in records.replay(record):
                last = step.position
                last.check()
            play_on(last.copy() if last is not None else position, chance)
    except RecordError:
        return "refused"
    return "accepted"


def try_position(game: Game, components: str, text: bytes, chance: random.Random) -> str:
    """Restore it and play on; returns whether it was refused."""
    try:
        words = msgspec.json.decode(text)
        position = Position.from_json(game, words, game.components(components), {})
    except (RecordError, msgspec.DecodeError, UnicodeDecodeError):
        return "refused"
    play_on(position, chance)
    return "accepted"


def attempt(kind: str, seed: int, index: int) -> str:
    """Try mutation `index`: returns what came of it; raises Fault."""
    chance = random.Random(f"{kind} {seed} {index}")
    game = chance.choice(list(games().values()))
    lines, states = material(game.name, chance.choice(game.seats), chance.randrange(MATERIAL))
    _, others = material(game.name, chance.choice(game.seats), chance.randrange(MATERIAL))
    flips = chance.random() < 0.1
    if kind == "positions":
        tree = chance.choice(states)
        text = msgspec.json.encode(tree if flips else mutate(tree, chance.choice(others), chance))
        trial = partial(try_position, game, lines[0]["components"]["name"])
    else:
        text = mutated_record(lines, states, others, chance, change=not flips)
        trial = try_record
    if flips:
        text = flip_bytes(text, chance)
    try:
        return f"{game.title} {trial(text, chance)}"
    except Exception as error:
        raise Fault(text.decode(errors="replace"), f"{type(error).__name__}: {error}") from error


def mutated_record(
    lines: Sequence[Json],
    states: Sequence[Json],
    others: Sequence[Json],
    chance: random.Random,
    *,
    change: bool,
) -> bytes:
    """A record, as a trace or without its states, whole or broken off, with one of its lines changed if asked."""
    traced = chance.random() < 0.3
    kept = [
        line if traced else {key: line[key] for key in line if key not in ("state", "legal")}
        for line in lines
    ]
    if chance.random() < 0.9:
        kept = kept[: chance.randrange(1, min(40, len(kept)))]
    if change and chance.random() < 0.1:
        change_list([kept], None, chance)
    elif change:
        at = 0 if chance.random() < 0.6 else chance.randrange(len(kept))
        if at == 0 and chance.random() < 0.8:
            start = mutate(kept[0]["start"], chance.choice((*others, *states)), chance)
            kept[0] = {**kept[0], "start": start}
        else:
            kept[at] = mutate(kept[at], chance.choice(lines[1:-1]), chance)
    return records.encode(kept).encode()


# The command


def attempts(kind: str, seed: int, first: int, count: int) -> Counter[str]:
    """What came of these mutations; raises Fault."""
    found = Counter[str]()
    with patch.object(Game, "components", _components):
        for index in range(first, first + count):
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            found[attempt(kind, seed, index)] += 1
        faulthandler.cancel_dump_traceback_later()
    return found


def run(kind: str, count: int, seed: int, workers: int, advance: Callable[[int], None]) -> Counter[str]:
    """Try mutations 0 to count - 1 of a kind in some processes; raises Fault, the lowest of what was tried."""
    with ProcessPoolExecutor(workers) as pool:
        parts = {
            pool.submit(attempts, kind, seed, first, min(CHUNK, count - first)): first
            for first in range(0, count, CHUNK)
        }
        found = Counter[str]()
        for part in as_completed(parts):
            first = parts[part]
            try:
                found += part.result()
            except BaseException as error:
                pool.shutdown(cancel_futures=True)
                if isinstance(error, BrokenProcessPool):
                    raise Fault("", f"a process ended while it tried some of {first} to {count}") from None
                raise
            advance(min(CHUNK, count - first))
    return found


def main() -> None:
    """Try so many mutations; exit status 1 at the first that is neither refused nor played to its end."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.mutated_records", description=(__doc__ or "").partition(":")[0]
    )
    parser.add_argument("--kind", choices=KINDS, help="of what (both)")
    parser.add_argument("--count", type=int, default=20_000, help="mutations of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--only", type=int, help="this one alone, in this process")
    asked = parser.parse_args()
    console = Console(highlight=False)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    for kind in [asked.kind] if asked.kind else KINDS:
        if asked.only is not None:
            console.print(attempt(kind, asked.seed, asked.only))
            continue
        with Progress(*columns, console=console, transient=True) as progress:
            bar = progress.add_task(f"mutated {kind}", total=asked.count)
            try:
                found = run(kind, asked.count, asked.seed, asked.workers, partial(progress.advance, bar))
            except Fault as fault:
                progress.stop()
                path = Path(f"mutated-{kind}.jsonl")
                path.write_text(fault.text, encoding="utf-8")
                sys.exit(f"{fault.why}\nfrom what was written to {path}")
        told = "; ".join(f"{what} {number:,}" for what, number in sorted(found.items()))
        console.print(
            f"{asked.count:,} mutated {kind}: {told}; no traceback, nothing out of bounds, no game too long"
        )


if __name__ == "__main__":
    main()

"""Records of random games, mutated in their lines and as bytes, replayed, and played on where they break off."""

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from atoll.core import records
from atoll.core.catalogue import find_game
from atoll.core.game import Game, Position
from atoll.core.types import Json
from atoll.text.errors import RecordError

SUFFIX = ".jsonl"

MATERIAL = 4
"""Random games of each number of players, with which the mutations begin."""
FLIPPED = 0.1
"""The share that is mutated as bytes."""

ODD: tuple[Any, ...] = (
    *(None, True, False, "", "x", "0", "é\x00\n", [], {}, [[]], [None], {"do": 1}, 1.0, -0.5),
    *(0, 1, 2, 3, 7, -1, -2, 127, 128, 255, -128, -129, 32767, 65536, 2**31, 2**63, -(2**63), 10**19),
)
"""Values that stand nowhere, or not where they are put."""


# What mutations begin with


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
        before = position.copy()
        lines.append(records.decision(before, position, seat, move, position.play(seat, move), legal))
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


# The kind


def prepare(game: Game) -> None:
    """Load the rules, with a first random game."""
    material(game.name, game.seats[0], 0)


def choose_material(game: Game, chance: random.Random) -> tuple[list[Json], list[Json], list[Json]]:
    """The lines and the positions of a random game, and the positions of another."""
    lines, states = material(game.name, chance.choice(game.seats), chance.randrange(MATERIAL))
    return lines, states, material(game.name, chance.choice(game.seats), chance.randrange(MATERIAL))[1]


def mutated(game: Game, chance: random.Random) -> bytes:
    """A record, as a trace or without its states, whole or broken off, with something in it changed."""
    lines, states, others = choose_material(game, chance)
    kept = [dict(line) for line in lines]
    if chance.random() < 0.7:
        kept = [{key: line[key] for key in line if key not in ("state", "legal")} for line in kept]
    if chance.random() < 0.9:
        kept = kept[: chance.randrange(1, min(40, len(kept)))]
    if chance.random() < FLIPPED:
        return flip_bytes(records.encode(kept).encode(), chance)
    if chance.random() < 0.1:
        change_list([kept], None, chance)
    else:
        change_line(kept, chance.choice(lines[1:-1]), chance.choice((*others, *states)), chance)
    return records.encode(kept).encode()


def change_line(lines: list[Json], other: Json, position: Json, chance: random.Random) -> None:
    """Mutate the first position, or any line."""
    at = 0 if chance.random() < 0.6 else chance.randrange(len(lines))
    if at == 0 and chance.random() < 0.8:
        lines[0]["start"] = mutate(lines[0]["start"], position, chance)
    else:
        lines[at] = mutate(lines[at], other, chance)


def accepted(game: Game, content: bytes, folder: Path, chance: random.Random) -> bool:
    """Whether it can be replayed; if so it is played on from where it ends."""
    try:
        for record in records.read_records(content.splitlines()):
            position = records.first_position(record)
            for step in records.replay(record):
                position = step.position
                position.check()
            play_on(position.copy(), chance)
    except RecordError:
        return False
    return True


def play_on(position: Position, chance: random.Random) -> None:
    """Random moves to the end, every invariant checked after each; raises AssertionError."""
    bound = position.game.rules.max_decisions(position.components, position.players)
    for _ in range(bound):
        if position.is_over:
            break
        seat = chance.choice(position.to_act)
        position.play_action(seat, chance.choice(position.legal_moves(seat).actions.tolist()))
        position.check()
    assert position.is_over, f"more than the {bound} decisions declared"
    assert position.outcome is not None, "no outcome at the end"

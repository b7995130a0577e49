"""Random games of any game, for its tests."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from atoll.bots.bot import QUICK_BOTS
from atoll.bots.catalogue import find_bot
from atoll.core.game import Game, Position
from atoll.core.types import Components, Json
from atoll.text.errors import IllegalMove

RANDOM, GREEDY = find_bot("random"), find_bot("greedy")
BOTS = (*QUICK_BOTS, find_bot("search:10"))


def state_bytes(holder: Any) -> bytes:
    """The record of a position or a view, byte by byte."""
    content: bytes = holder.state.tobytes()
    return content


def abridged(
    game: Game, words: Json, components: Components | None = None, options: Mapping[str, bool] | None = None
) -> Position:
    """A position with only what a test is about, the rest left out: its invariants are not checked."""
    components = components or game.components()
    components = game.under(components, components.options if options is None else options)
    states = game.notation.state_from_json(words, components)
    return Position(game, components, components.options, states)


def random_move(position: Position, chance: random.Random) -> tuple[int, int]:
    """A seat that has to decide and one of its actions."""
    seat = chance.choice(position.to_act)
    return seat, chance.choice(position.legal_moves(seat).actions.tolist())


def walk(
    game: Game,
    players: int,
    seed: int,
    components: Components | None = None,
    options: Mapping[str, bool] | None = None,
) -> Iterator[tuple[int, Position]]:
    """A random game: the number of decisions and the position, before the first and after every one."""
    position = game.start(players, seed, components, options)
    chance = random.Random(seed)
    number = 0
    yield number, position
    while not position.is_over:
        position.play_action(*random_move(position, chance))
        number += 1
        yield number, position


def spaced(game: Game, players: int, seed: int, step: int) -> Iterator[Position]:
    """Every `step`-th position of a random game, and its last."""
    for number, position in walk(game, players, seed):
        if number % step == 0 or position.is_over:
            yield position


def play_to_the_end(position: Position, seed: int) -> None:
    """Random moves to the end, within the declared bound."""
    chance = random.Random(seed)
    for _ in range(position.game.rules.max_decisions(position.components, position.players)):
        if position.is_over:
            break
        position.play_action(*random_move(position, chance))
    assert position.is_over
    position.check()


def refusals(position: Position, seat: int, moves: Sequence[int]) -> list[str]:
    """What a player is told who tries these actions, one that is no move, and a move out of turn."""
    replies, copy = [], position.copy()
    attempts: list[Any] = [*moves, {"do": "nothing like it"}]
    for move in attempts:
        try:
            copy.play(seat, move)
        except IllegalMove as error:
            replies.append(str(error))
        else:
            replies.append("played")
            copy = position.copy()
    return replies

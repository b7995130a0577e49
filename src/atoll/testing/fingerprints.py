"""`python -m atoll.testing.fingerprints NUMBER PACKAGE...`: a digest of every state, list of moves, event, view and
drawn state of random games, a line a game, to compare the ways of running rules; with `--ends-only` of games of the
fewest and of the most players.
"""

import hashlib
import random
import sys
from collections.abc import Sequence
from importlib import import_module

import numpy as np

from atoll.core.exports import ADVISE, WRITE_FEATURES
from atoll.core.game import Game
from atoll.testing.playing import state_bytes, walk

ENDS_ONLY = "--ends-only"


def fingerprint(game: Game, players: int, seed: int) -> str:
    """The digest of one game."""
    digest = hashlib.sha256(state_bytes(game.start(players, seed + 1, keyed=True)))
    chance = random.Random(seed)
    scores = np.zeros(game.rules.MAX_LEGAL, dtype=np.int32)
    move_features = np.zeros((len(scores), len(game.move_features)), dtype=np.float32)
    for number, position in walk(game, players, seed):
        digest.update(state_bytes(position))
        for seat in position.to_act:
            digest.update(position.legal_moves(seat).actions.tobytes())
        if number % 9 == 0 and not position.is_over:
            view = position.view(chance.choice(position.to_act))
            moves = view.legal_moves().actions
            digest.update(state_bytes(view) + state_bytes(view.resample(number)))
            rated = (view.states, view.components.parts, moves, len(moves))
            game.runner.call(ADVISE, *rated, scores)
            digest.update(scores[: len(moves)].tobytes())
            game.runner.call(WRITE_FEATURES, *rated, move_features)
            digest.update(move_features[: len(moves)].tobytes())
            events = position.copy().play_action(view.seat, int(moves[-1]))
            digest.update(repr(events).encode())
    outcome = position.outcome
    digest.update(repr(outcome).encode())
    return digest.hexdigest()


def games_of(packages: Sequence[str]) -> list[Game]:
    """The games that these packages have."""
    members = (member for package in packages for member in vars(import_module(package)).values())
    return [member for member in members if isinstance(member, Game)]


def fingerprints(games: Sequence[Game], number: int, ends_only: bool = False) -> list[str]:
    """The digests of so many games of each game at every number of players, or at the fewest and the most."""
    return [
        f"{game.name} {players} {seed} {fingerprint(game, players, seed)}"
        for game in games
        for players in game.seats
        if not ends_only or players in (game.seats[0], game.seats[-1])
        for seed in range(number)
    ]


if __name__ == "__main__":
    number, *packages = (argument for argument in sys.argv[1:] if argument != ENDS_ONLY)
    digests = fingerprints(games_of(packages), int(number), ENDS_ONLY in sys.argv)
    sys.stdout.write("\n".join(digests) + "\n")

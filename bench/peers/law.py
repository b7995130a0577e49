"""The information law on PettingZoo's own card games: `python -m bench.peers.law`.

These have no resampling, so worlds that an agent cannot tell apart are made here: in a copy of the environment, the
cards that the agent cannot see, in other hands and in the deck, are shuffled among their places. Run in the virtual
environment of PettingZoo that `bench.peers` makes, with this project's source beside it.
"""

import copy
import os
import subprocess
import sys
from importlib import import_module
from typing import Any

import numpy as np

GAMES = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")


def unseen(game: Any, seat: int) -> list[tuple[list[Any], int]]:
    """The places of all cards that a seat cannot see: a list, and an index into it."""
    places: list[tuple[list[Any], int]] = []
    for player in game.players:
        if player.player_id != seat:
            hand = player.hand if isinstance(player.hand, list) else Hand(player)
            places += [(hand, i) for i in range(len(hand))]
    return places + [(game.dealer.deck, i) for i in range(len(game.dealer.deck))]


class Hand(list[Any]):
    """A hand of one card as a list that writes through."""

    def __init__(self, player: Any) -> None:
        super().__init__([player.hand])
        self._player = player

    def __setitem__(self, index: Any, card: Any) -> None:
        super().__setitem__(index, card)
        self._player.hand = card


def resample(table: Any, agent: str, seed: int) -> Any:
    """A copy in which what the agent cannot see is shuffled."""
    other = object.__new__(type(table))  # deepcopy would begin a new game: EzPickle keeps arguments alone
    vars(other).update(copy.deepcopy(vars(table)))
    places = unseen(other.env.game, other.possible_agents.index(agent))
    cards = [held[i] for held, i in places]
    for (held, i), card in zip(places, np.random.default_rng(seed).permutation(len(cards)), strict=True):
        held[i] = cards[card]
    return other


def main() -> None:
    """Check each game, in the environment that has PettingZoo's."""
    try:
        import rlcard  # noqa: F401
    except ImportError:
        from bench.peers.__main__ import ROOT, install

        python, why = install("pettingzoo")
        if why:
            sys.exit(why)
        path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        sys.exit(
            subprocess.run([python, "-m", __spec__.name], env={**os.environ, "PYTHONPATH": path}).returncode
        )
    from atoll.testing.information import check_pettingzoo

    broken = False
    for name in GAMES:
        table = import_module(f"pettingzoo.classic.{name}").raw_env()
        report = check_pettingzoo(table, resample, plays=20, worlds=3)
        broken |= bool(report.faults)
        print("\n".join(report.lines()), flush=True)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()

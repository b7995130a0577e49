"""Bots that do without something: `restrict:BOT,never=MOVES,always=MOVES,ahead=0`.

Restricted play (A. Jaffe and others, "Evaluating Competitive Game Balance with Restricted Play", 2012) asks what it
costs a player never to use a card or a place. Moves are named as reports name them: a kind of moves (`discard`), a part
of any kind (`card/5`), or a part of one kind (`discard/card/5`).
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from atoll.bots.catalogue import GREEDY, RANDOM, Bot, QuickBot, find_bot
from atoll.core.errors import UnknownBot
from atoll.core.game import Game

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from atoll.bots.catalogue import Generator
    from atoll.core.position import View

_SPEC = re.compile(r"restrict:(?P<bot>[^,]+)(?P<rules>(,(never|always)=[^,]+|,ahead=0)+)")


@dataclass(frozen=True)
class RestrictedBot(Bot):
    """A bot that takes no move of `never` while there are others, takes one of `always` wherever there is one, and if
    it is `blind`, what the game's advice rates highest now, or any move where the game gives no advice.
    """

    inner: Bot
    never: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    blind: bool = False

    def played_by(self, game: Game) -> Bot:
        """The bot that chooses among the moves that are left."""
        if self.blind:
            return GREEDY if game.has_advice else RANDOM
        return self.inner

    def quick(self, game: Game) -> QuickBot | None:
        return self.played_by(game).quick(game)

    def ranks(self, game: Game) -> "NDArray[np.int8]":
        return _ranks(game, self.name, self.never, self.always)

    def prepare(self, game: Game) -> None:
        self.ranks(game)
        self.played_by(game).prepare(game)

    def think(self, view: "View", moves: "NDArray[np.int32]", generator: "Generator") -> int:
        ranks = self.ranks(view.game)[moves]
        return self.played_by(view.game).decide(view, moves[ranks == ranks.max()], generator)


@cache
def _ranks(game: Game, name: str, never: tuple[str, ...], always: tuple[str, ...]) -> "NDArray[np.int8]":
    """Of each move, 0 if it is never taken, 2 if always, else 1."""
    import numpy as np

    found = np.ones(len(game.moves), dtype=np.int8)
    for rank, keys in ((2, always), (0, never)):
        for key in keys:
            of = moves_of(game, key)
            if not of:
                kinds = ", ".join(kind.word for kind in game.moves.kinds)
                raise UnknownBot(
                    f"{name!r} names moves {key!r}, which {game.title} does not have; it would be a kind ({kinds}), "
                    f"a part with its value such as {_example(game)!r}, or both, such as {_example(game, whole=True)!r}"
                )
            found[of] = rank
    return found


def moves_of(game: Game, key: str) -> list[int]:
    """The action codes of the moves that a key names; none if it names none."""
    key = key.removeprefix("move/")
    return [
        action
        for kind in game.moves.kinds
        for action in range(kind.first, kind.first + kind.count)
        if key in _keys(game, action)
    ]


def _keys(game: Game, action: int) -> list[str]:
    """All keys that name a move."""
    move = dict(game.moves.move_of(action))
    kind = str(move.pop("do"))
    parts = [f"{part}/{value_key(value)}" for part, value in move.items()]
    return [kind, *parts, *(f"{kind}/{part}" for part in parts)]


def value_key(value: object) -> str:
    """A value of a part in a key."""
    return "+".join(map(str, value)) if isinstance(value, list) else str(value)


def _example(game: Game, *, whole: bool = False) -> str:
    """A key of a part of some move, with its kind or without."""
    keys = next(
        (keys for kind in game.moves.kinds if len(keys := _keys(game, kind.first)) > 1),
        [game.moves.kinds[0].word],
    )
    return keys[-1] if whole else keys[1 if len(keys) > 1 else 0]


def restricted_bot(name: str) -> RestrictedBot:
    """The bot of a name `restrict:...`; raises UnknownBot, which says what would be right."""
    found = _SPEC.fullmatch(name)
    if found is None:
        raise UnknownBot(
            f"{name!r} is no restricted bot; it would be restrict:BOT and after it one or more of ,never=MOVES "
            ",always=MOVES and ,ahead=0, such as restrict:greedy,never=discard"
        )
    if found["bot"].startswith(("cmd:", "restrict:")):
        raise UnknownBot(
            f"{name!r} restricts {found['bot']!r}, but only the program's own bots can be restricted"
        )
    rules = [rule.partition("=")[::2] for rule in found["rules"][1:].split(",")]
    keys = {word: tuple(value for rule, value in rules if rule == word) for word in ("never", "always")}
    return RestrictedBot(
        name, find_bot(found["bot"]), keys["never"], keys["always"], blind=("ahead", "0") in rules
    )

"""The components file of Costa Ruana: its form, its limits, and the arrays that the rules read."""

from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct, defstruct, field, to_builtins
from numpy.typing import NDArray

from atoll.core.components import FileContent, digest, read_toml
from atoll.core.game import Components
from atoll.core.state import UNKNOWN
from atoll.games.costa_ruana.state import (
    BACKGROUNDS,
    KINDS,
    MAX_CAPACITY,
    MAX_DECK,
    MAX_HAND,
    MAX_ISLANDS,
    MAX_NATIVES,
    MAX_PLAYERS,
    MAX_ROUNDS,
    MAX_TREASURES,
    PARTS,
)

Source = Literal["attested", "reconstructed"]
Count = Annotated[int, Meta(ge=0, le=MAX_DECK)]
Treasures = Annotated[
    list[Annotated[int, Meta(ge=0, le=MAX_TREASURES)]], Meta(min_length=1, max_length=MAX_ISLANDS)
]
MIN_PLAYERS = 2
CARDS_A_ROUND = 2  # one face up and one face down


class Figures(Struct, forbid_unknown_fields=True):
    """The numbers of the rules."""

    source: Source
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]
    hand: Annotated[int, Meta(ge=CARDS_A_ROUND, le=MAX_HAND)]
    draws: list[Annotated[int, Meta(ge=0, le=MAX_HAND)]]
    natives: Annotated[int, Meta(ge=1, le=MAX_NATIVES)]
    first_natives: Annotated[int, Meta(ge=1, le=MAX_NATIVES)]
    island_capacity: Annotated[int, Meta(ge=1, le=MAX_CAPACITY)]
    treasure_points: Annotated[int, Meta(ge=0, le=100)]
    native_points: Annotated[int, Meta(ge=0, le=100)]


class TreasuresByPlayers(Struct, forbid_unknown_fields=True):
    """Treasures on each island, by number of players."""

    source: Source
    players_2: Treasures
    players_3: Treasures
    players_4: Treasures
    players_5: Treasures
    players_6: Treasures

    def of(self, players: int) -> list[int]:
        """The islands' treasures for that many players."""
        treasures: list[int] = getattr(self, f"players_{players}")
        return treasures


Counts = defstruct(
    "Counts",
    [(kind.replace(" ", "_"), Count, 0) for kind in KINDS],
    rename=lambda name: name.replace("_", " "),
    forbid_unknown_fields=True,
)
"""How many cards of each kind."""


class Block(Struct, forbid_unknown_fields=True):
    """The cards with a number of notches: how many of each kind in each background."""

    source: Source
    notches: Annotated[int, Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
    counts: Counts  # type: ignore[valid-type]


class ComponentsFile(Struct, forbid_unknown_fields=True):
    """The whole file."""

    format: Literal[1]
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    game: Figures
    treasures: TreasuresByPlayers
    cards: Annotated[list[Block], Meta(max_length=MAX_DECK)] = field(default_factory=list)


def read(path: Path, *, shipped: bool = False) -> Components:
    """Read and check a components file; raises ComponentError."""
    return _components(FileContent(str(path.name if shipped else path), read_toml(path)), shipped)


def from_data(name: str, data: dict[str, Any]) -> Components:
    """Components from the content of a file, as records carry it; raises ComponentError."""
    return _components(FileContent(name, data), shipped=False)


def _components(content: FileContent, shipped: bool) -> Components:
    file = content.checked(ComponentsFile)
    _check_figures(content, file)
    return Components(
        name=file.name,
        data=content.data,
        sha256=digest(content.data),
        shipped=shipped,
        parts=_parts(content, file),
        file=file,
    )


def _check_figures(content: FileContent, file: ComponentsFile) -> None:
    figures = file.game
    if len(figures.draws) != figures.rounds - 1:
        raise content.fault(
            "game.draws",
            f"{figures.rounds} rounds need {figures.rounds - 1} numbers, one before each round after the first, "
            f"not {len(figures.draws)}",
        )
    hand = figures.hand
    for number, draw in enumerate([0, *figures.draws], start=1):
        hand += draw
        if not CARDS_A_ROUND <= hand <= MAX_HAND:
            raise content.fault(
                "game.draws",
                f"a hand would hold {hand} cards in round {number}; it must be {CARDS_A_ROUND} to {MAX_HAND}",
            )
        hand -= CARDS_A_ROUND
    if figures.first_natives > figures.natives:
        raise content.fault(
            "game.first_natives", f"at most the {figures.natives} natives of a player can be placed"
        )
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        treasures = file.treasures.of(players)
        if sum(treasures) > MAX_TREASURES:
            raise content.fault(f"treasures.players_{players}", f"more than {MAX_TREASURES} treasures in all")
        if len(treasures) * figures.island_capacity < players * figures.first_natives:
            raise content.fault(
                f"treasures.players_{players}",
                f"{len(treasures)} islands of {figures.island_capacity} natives cannot hold the "
                f"{players * figures.first_natives} natives of the setup",
            )


def _deck(file: ComponentsFile, players: int) -> list[int]:
    counts = dict.fromkeys(KINDS, 0)
    for block in file.cards:
        if block.notches <= players:
            for kind, count in to_builtins(block.counts).items():
                counts[kind] += count
    return [
        kind * len(BACKGROUNDS) + background
        for kind, name in enumerate(KINDS)
        for background in range(len(BACKGROUNDS))
        for _ in range(counts[name])
    ]


def _parts(content: FileContent, file: ComponentsFile) -> NDArray[Any]:
    parts = np.zeros(1, dtype=PARTS)
    figures, record = file.game, parts[0]
    record.rounds = figures.rounds
    record.hand_limit = figures.hand
    record.draws[1 : figures.rounds] = figures.draws
    record.natives = figures.natives
    record.first_natives = figures.first_natives
    record.capacity = figures.island_capacity
    record.treasure_points = figures.treasure_points
    record.native_points = figures.native_points
    record.deck[:] = UNKNOWN
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        treasures = file.treasures.of(players)
        record.islands[players] = len(treasures)
        record.treasures[players, : len(treasures)] = treasures
        deck = _deck(file, players)
        needed = players * (figures.hand + sum(figures.draws))
        if not needed <= len(deck) <= MAX_DECK:
            raise content.fault(
                "cards",
                f"{players} players use {needed} cards and a deck holds at most {MAX_DECK}; "
                f"these cards make {len(deck)}",
            )
        record.deck_count[players] = len(deck)
        record.deck[players, : len(deck)] = deck
    return parts

"""The components file of Costa Ruana: its form, its limits, and the arrays that the rules read."""

from typing import Annotated

from msgspec import Meta, Struct, defstruct, field, to_builtins

from atoll.core.components import File, FileContent, Source
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
    CostaRuanaParts,
)

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


class ComponentsFile(File, forbid_unknown_fields=True):
    """The whole file."""

    game: Figures
    treasures: TreasuresByPlayers
    cards: Annotated[list[Block], Meta(max_length=MAX_DECK)] = field(default_factory=list)


def check(content: FileContent, file: ComponentsFile) -> None:
    """Raise ComponentError where the numbers do not go together."""
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


def fill(content: FileContent, file: ComponentsFile, parts: CostaRuanaParts) -> None:
    """Write islands and decks; raises ComponentError for a deck that has too few cards or too many."""
    needed_each = file.game.hand + sum(file.game.draws)
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        treasures = file.treasures.of(players)
        parts.islands[players] = len(treasures)
        parts.treasures[players, : len(treasures)] = treasures
        deck = _deck(file, players)
        if not players * needed_each <= len(deck) <= MAX_DECK:
            raise content.fault(
                "cards",
                f"{players} players use {players * needed_each} cards and a deck holds at most {MAX_DECK}; "
                f"these cards make {len(deck)}",
            )
        parts.deck_count[players] = len(deck)
        parts.deck[players, : len(deck)] = deck

"""The components file of Costa Ruana: its form, its limits, and the arrays that the rules read."""

from typing import Annotated

from msgspec import Meta, Struct, defstruct, field, to_builtins

from atoll.core.components import File, FileContent, Source
from atoll.games.costa_ruana import game
from atoll.games.costa_ruana import state as cr

Count = Annotated[int, Meta(ge=0, le=cr.MAX_DECK)]
Treasures = Annotated[
    list[Annotated[int, Meta(ge=0, le=cr.MAX_TREASURES)]], Meta(min_length=1, max_length=cr.MAX_ISLANDS)
]


class Figures(Struct, forbid_unknown_fields=True):
    """The numbers of the rules."""

    source: Source
    rounds: Annotated[int, Meta(ge=1, le=cr.MAX_ROUNDS)]
    hand: Annotated[int, Meta(ge=cr.CARDS_A_ROUND, le=cr.MAX_HAND)]
    draws: list[Annotated[int, Meta(ge=0, le=cr.MAX_HAND)]]
    natives: Annotated[int, Meta(ge=1, le=cr.MAX_NATIVES)]
    first_natives: Annotated[int, Meta(ge=1, le=cr.MAX_NATIVES)]
    island_capacity: Annotated[int, Meta(ge=1, le=cr.MAX_CAPACITY)]
    treasure_points: Annotated[int, Meta(ge=0, le=100)]
    native_points: Annotated[int, Meta(ge=0, le=100)]


TreasuresByPlayers = defstruct(
    "TreasuresByPlayers",
    [("source", Source), *((f"players_{players}", Treasures) for players in game.seats)],
    forbid_unknown_fields=True,
)
"""Treasures on each island, by number of players."""

Counts = defstruct(
    "Counts",
    [(kind.replace(" ", "_"), Count, 0) for kind in cr.KINDS],
    rename=lambda name: name.replace("_", " "),
    forbid_unknown_fields=True,
)
"""How many cards of each kind."""


class Block(Struct, forbid_unknown_fields=True):
    """The cards with a number of notches: how many of each kind in each background."""

    source: Source
    notches: Annotated[int, Meta(ge=game.seats[0], le=game.seats[-1])]
    counts: Counts  # type: ignore[valid-type]


class ComponentsFile(File, forbid_unknown_fields=True):
    """The whole file."""

    game: Figures
    treasures: TreasuresByPlayers  # type: ignore[valid-type]
    cards: Annotated[list[Block], Meta(max_length=cr.MAX_DECK)] = field(default_factory=list)

    def islands(self, players: int) -> list[int]:
        """The treasures on each island for that many players."""
        treasures: list[int] = getattr(self.treasures, f"players_{players}")
        return treasures


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
        if not cr.CARDS_A_ROUND <= hand <= cr.MAX_HAND:
            raise content.fault(
                "game.draws",
                f"a hand would hold {hand} cards in round {number}; it must be {cr.CARDS_A_ROUND} to {cr.MAX_HAND}",
            )
        hand -= cr.CARDS_A_ROUND
    if figures.first_natives > figures.natives:
        raise content.fault(
            "game.first_natives", f"at most the {figures.natives} natives of a player can be placed"
        )
    for players in game.seats:
        treasures = file.islands(players)
        if sum(treasures) > cr.MAX_TREASURES:
            raise content.fault(
                f"treasures.players_{players}", f"more than {cr.MAX_TREASURES} treasures in all"
            )
        if len(treasures) * figures.island_capacity < players * figures.first_natives:
            raise content.fault(
                f"treasures.players_{players}",
                f"{len(treasures)} islands of {figures.island_capacity} natives cannot hold the "
                f"{players * figures.first_natives} natives of the setup",
            )


def _deck(file: ComponentsFile, players: int) -> list[int]:
    used = [to_builtins(block.counts) for block in file.cards if block.notches <= players]
    return [
        card
        for card, name in enumerate(cr.CARDS)
        for _ in range(sum(counts[name.partition("/")[0]] for counts in used))
    ]


def fill(content: FileContent, file: ComponentsFile, parts: cr.CostaRuanaParts) -> None:
    """Write islands and decks; raises ComponentError for a deck that has too few cards or too many."""
    needed_each = file.game.hand + sum(file.game.draws)
    for players in game.seats:
        treasures = file.islands(players)
        parts.islands[players] = len(treasures)
        parts.treasures[players, : len(treasures)] = treasures
        deck = _deck(file, players)
        if not players * needed_each <= len(deck) <= cr.MAX_DECK:
            raise content.fault(
                "cards",
                f"{players} players use {players * needed_each} cards and a deck holds at most {cr.MAX_DECK}; "
                f"these cards make {len(deck)}",
            )
        parts.deck_count[players] = len(deck)
        parts.deck[players, : len(deck)] = deck

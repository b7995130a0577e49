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


class CostaRuanaNumbers(Struct, forbid_unknown_fields=True):
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

    game: CostaRuanaNumbers
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
            "%(rounds)s rounds need %(needed)s numbers, one before each round after the first, not %(count)s",
            rounds=figures.rounds,
            needed=figures.rounds - 1,
            count=len(figures.draws),
        )
    hand = figures.hand
    for number, draw in enumerate([0, *figures.draws], start=1):
        hand += draw
        if not cr.CARDS_A_ROUND <= hand <= cr.MAX_HAND:
            raise content.fault(
                "game.draws",
                "a hand would hold %(hand)s cards in round %(round)s; it must be %(least)s to %(most)s",
                hand=hand,
                round=number,
                least=cr.CARDS_A_ROUND,
                most=cr.MAX_HAND,
            )
        hand -= cr.CARDS_A_ROUND
    if figures.first_natives > figures.natives:
        raise content.fault(
            "game.first_natives",
            "at most the %(natives)s natives of a player can be placed",
            natives=figures.natives,
        )
    for players in game.seats:
        treasures = file.islands(players)
        if sum(treasures) > cr.MAX_TREASURES:
            raise content.fault(
                f"treasures.players_{players}",
                "more than %(most)s treasures in all",
                most=cr.MAX_TREASURES,
            )
        if len(treasures) * figures.island_capacity < players * figures.first_natives:
            raise content.fault(
                f"treasures.players_{players}",
                "%(islands)s islands of %(capacity)s natives cannot hold the %(natives)s natives of the setup",
                islands=len(treasures),
                capacity=figures.island_capacity,
                natives=players * figures.first_natives,
            )


def _deck(file: ComponentsFile, players: int) -> list[int]:
    blocks = [to_builtins(block.counts) for block in file.cards if block.notches <= players]
    return [
        card
        for card, name in enumerate(cr.CARDS)
        for _ in range(sum(counts[name.partition("/")[0]] for counts in blocks))
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
                "%(players)s players use %(needed)s cards and a deck holds at most %(most)s; "
                "these cards make %(count)s",
                players=players,
                needed=players * needed_each,
                most=cr.MAX_DECK,
                count=len(deck),
            )
        parts.deck_count[players] = len(deck)
        parts.deck[players, : len(deck)] = deck

"""The components files of Karuba: their form, their limits, and the arrays that the rules read."""

from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from atoll.core.components import FileContent, digest, read_toml
from atoll.core.game import Components
from atoll.games.karuba.state import (
    CHOSEN_CARDS,
    COLOURS,
    EDGES,
    MAX_CARDS,
    MAX_FRAME,
    MAX_POINTS,
    MAX_ROUNDS,
    MAX_TREASURES,
    PARTS,
)

Source = Literal["attested", "reconstructed"]
Colour = Literal["blue", "orange", "green", "purple"]
Points = Annotated[int, Meta(ge=0, le=MAX_POINTS)]
Treasures = Annotated[int, Meta(ge=0, le=MAX_TREASURES)]


class Figures(Struct, forbid_unknown_fields=True):
    """The numbers of the rules."""

    source: Source
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)]
    hand: Annotated[int, Meta(ge=CHOSEN_CARDS, le=MAX_CARDS)]
    frame: Annotated[int, Meta(ge=1, le=MAX_FRAME)]
    adventurer_points: Points
    crystal_points: Points
    nugget_points: Points


class Card(Struct, forbid_unknown_fields=True):
    """A card: its exits, and what is on it."""

    source: Source
    exits: Annotated[str, Meta(pattern=r"^(?=.)N?E?S?W?\Z")]
    adventurer: Colour | None = None
    temple: Colour | None = None
    crystals: Treasures = 0
    nuggets: Treasures = 0


class ComponentsFile(Struct, forbid_unknown_fields=True):
    """The whole file."""

    format: Literal[1]
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    game: Figures
    cards: Annotated[list[Card], Meta(max_length=MAX_CARDS)]


def read(path: Path, *, shipped: bool = False) -> Components:
    """Read and check a components file; raises ComponentError."""
    return _components(FileContent(str(path.name if shipped else path), read_toml(path)), shipped)


def from_data(name: str, data: dict[str, Any]) -> Components:
    """Components from the content of a file, as records carry it; raises ComponentError."""
    return _components(FileContent(name, data), shipped=False)


def _components(content: FileContent, shipped: bool) -> Components:
    file = content.checked(ComponentsFile)
    _check_figures(content, file)
    _check_cards(content, file)
    return Components(
        name=file.name,
        data=content.data,
        sha256=digest(content.data),
        shipped=shipped,
        parts=_parts(file),
        file=file,
    )


def _check_figures(content: FileContent, file: ComponentsFile) -> None:
    needed = CHOSEN_CARDS * file.game.rounds
    if len(file.cards) < needed:
        raise content.fault(
            "cards", f"{file.game.rounds} rounds need {needed} cards; there are {len(file.cards)}"
        )
    if file.game.frame**2 < needed:
        raise content.fault(
            "game.frame",
            f"an island of {file.game.frame} x {file.game.frame} does not hold the {needed} cards of "
            f"{file.game.rounds} rounds",
        )


def _check_cards(content: FileContent, file: ComponentsFile) -> None:
    for number, card in enumerate(file.cards, start=1):
        if card.adventurer and card.temple:
            raise content.fault(f"cards[{number - 1}]", "a card has an adventurer or a temple, not both")
    for kind in ("adventurer", "temple"):
        for colour in COLOURS:
            count = sum(getattr(card, kind) == colour for card in file.cards)
            if count != 1:
                raise content.fault("cards", f"exactly one card has the {colour} {kind}, not {count}")


def _parts(file: ComponentsFile) -> NDArray[Any]:
    parts = np.zeros(1, dtype=PARTS)
    figures, record = file.game, parts[0]
    record.rounds = figures.rounds
    record.hand_limit = figures.hand
    record.frame = figures.frame
    record.adventurer_points = figures.adventurer_points
    record.cards = len(file.cards)
    record.adventurer[:] = -1
    record.temple[:] = -1
    for number, card in enumerate(file.cards, start=1):
        record.exits[number] = sum(1 << EDGES.index(edge) for edge in card.exits)
        record.treasure_points[number] = (
            card.crystals * figures.crystal_points + card.nuggets * figures.nugget_points
        )
        if card.adventurer:
            record.adventurer[number] = COLOURS.index(card.adventurer)
            record.adventurer_card[COLOURS.index(card.adventurer)] = number
        if card.temple:
            record.temple[number] = COLOURS.index(card.temple)
            record.temple_card[COLOURS.index(card.temple)] = number
    return parts

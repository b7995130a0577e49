"""The box of a game that does not say what is in its own: cards, tracks, markers and an aid, of the declarations alone.

- Every list of the components file is a pack of cards, a card an entry.
- Of a game without lists, whatever can lie face down is a card, and so is what stands in rows; a set that each seat can
  have whole is there once a seat.
- Every number that all see is a track, with a marker for it, or one of each seat's colour.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import to_builtins

from atoll.core.box import PieceGroup, PrintedPiece
from atoll.core.card import GameCard
from atoll.core.fields import Field
from atoll.core.forms import Named, Subset
from atoll.core.plain_messages import PLAYERS, TOLD_ELSEWHERE, label_of
from atoll.core.types import Components
from atoll.text.translation import Translator, capital, seat_names

CARD = 56.0, 78.0
"""Millimetres; nine lie on a page of A4 and of letter paper."""
TRACK_WIDTH, TRACK_HEIGHT = 176.0, 34.0
MARKER = 14.0
LONGEST_TRACK = 120
"""Steps that a track has at most; what can be more goes round it again."""
SETS_ASIDE = ("count", "format", "name", "source")


class PlainBox:
    """What stands for a game's module `box`."""

    def __init__(self, card: GameCard) -> None:
        self._card = card

    def box(self, translator: Translator, components: Components) -> list[PieceGroup]:
        """All that the declarations tell of."""
        file = components.file
        data = {} if file is None else to_builtins(file)
        packs = list(self._packs(translator, data))
        if not packs:
            packs = list(self._cards(translator))
        tracks = list(self._tracks(translator, components))
        return [
            *packs,
            *self._aids(translator),
            *self._boards(translator, tracks),
            *self._markers(translator, tracks),
        ]

    # Cards

    def _packs(self, translator: Translator, data: Mapping[str, Any]) -> Iterator[PieceGroup]:
        """The lists of a components file."""
        for key, entries in data.items():
            if not isinstance(entries, list) or not entries or not isinstance(entries[0], dict):
                continue
            pieces = []
            for number, entry in enumerate(entries, 1):
                rows = [
                    (translator(capital(name.replace("_", " "))), value_text(value))
                    for name, value in entry.items()
                    if name not in SETS_ASIDE
                ]
                called = name_of(entry.get("name", number), translator)
                count = entry.get("count", 1)
                face = {"name": called, "rows": rows, "seat": None}
                pieces.append(PrintedPiece(str(number), called, face, count if type(count) is int else 1))
            title = translator(capital(key.replace("_", " ")))
            yield PieceGroup(key, title, *CARD, pieces)

    def _cards(self, translator: Translator) -> Iterator[PieceGroup]:
        """What the state says that there is of cards."""
        whole: dict[tuple[str, ...], bool] = {}
        for field in shown_fields(self._card):
            words = values_of(field)
            if words is None:
                continue
            own = isinstance(field.form, Subset) and str(field.key).startswith(PLAYERS)
            whole[(*words, "of each seat" if own else "")] = own
        pieces = []
        for number, (words, own) in enumerate(whole.items()):
            for seat in range(self._card.seats.stop - 1) if own else (None,):
                for word in words[:-1]:
                    called = capital(translator(word))
                    face: dict[str, Any] = {"name": called, "rows": [], "seat": seat}
                    pieces.append(PrintedPiece(f"{number}-{seat}-{word}", called, face))
        if pieces:
            yield PieceGroup("cards", translator("Cards"), *CARD, pieces)

    # Numbers

    def _tracks(self, translator: Translator, components: Components) -> Iterator[tuple[str, int, int, bool]]:
        """The numbers that all see: name, least, most, and whether each seat has one."""
        for field in shown_fields(self._card):
            own = str(field.key).startswith(PLAYERS)
            is_number = field.form is None and field.of is None and field.empty is None
            if field.seen_by != "everybody" or not is_number or len(field.shape) > own or field.counts:
                continue
            most = field.most
            if field.within is not None:
                most = int(getattr(components.plain, field.within))
            if most > max(field.least, 1):
                yield translator(label_of(field)), field.least, min(most, LONGEST_TRACK), own

    def _boards(
        self, translator: Translator, tracks: list[tuple[str, int, int, bool]]
    ) -> Iterator[PieceGroup]:
        pieces = [
            PrintedPiece(name, name, {"track": name, "steps": list(range(least, most + 1))})
            for name, least, most, _ in tracks
        ]
        if pieces:
            yield PieceGroup(
                "tracks", translator("Tracks"), TRACK_WIDTH, TRACK_HEIGHT, pieces, back="none", bleed=0.0
            )

    def _markers(
        self, translator: Translator, tracks: list[tuple[str, int, int, bool]]
    ) -> Iterator[PieceGroup]:
        each, common = (sum(own is wanted for *_, own in tracks) for wanted in (True, False))
        pieces = [
            PrintedPiece(f"seat-{seat}", name, {"marker": seat}, each)
            for seat, name in enumerate(seat_names(translator)[: self._card.seats.stop - 1])
            if each
        ]
        if common:
            pieces.append(PrintedPiece("common", translator("Marker"), {"marker": None}, common))
        if pieces:
            yield PieceGroup(
                "markers", translator("Markers"), MARKER, MARKER, pieces, "same", 1.0, is_round=True
            )

    # What one may do

    def _aids(self, translator: Translator) -> Iterator[PieceGroup]:
        moves = list(dict.fromkeys(capital(translator(kind.word)) for kind in self._card.moves.kinds))
        face = {"name": self._card.title, "rows": [(move, "") for move in moves], "seat": None}
        aid = PrintedPiece("aid", translator("Player aid"), face, self._card.seats.stop - 1)
        yield PieceGroup("aids", translator("Player aids"), *CARD, [aid], back="none")


def shown_fields(card: GameCard) -> Iterator[Field]:
    """The fields of the state that people look at; the round has a track of its own."""
    for field in card.declared.fields:
        told = field.key in TOLD_ELSEWHERE and field.name != "round_number"
        if field.key and not told and not field.bookkeeping:
            yield field


def values_of(field: Field) -> tuple[str, ...] | None:
    """What the cards are called that a field holds; None for a field that holds none."""
    if isinstance(field.form, Subset):
        return tuple(map(str, field.form.names))
    if field.of == "seat" or (field.seen_by == "everybody" and field.empty is None):
        return None
    form = field.form
    if isinstance(form, Named):
        return tuple(name for name in form.names if name)
    return tuple(map(str, range(max(field.least, 1), field.most + 1))) if field.empty is not None else None


def name_of(name: Any, translator: Translator) -> str:
    """A name of a file, which may be one for each language."""
    if isinstance(name, Mapping):
        return str(name.get(translator.language) or translator(str(name.get("en", ""))))
    return translator(str(name))


def value_text(value: Any) -> str:
    """A value of a file as one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value_text(part)}" for key, part in value.items())
    return " ".join(map(value_text, value)) if isinstance(value, list) else str(value)

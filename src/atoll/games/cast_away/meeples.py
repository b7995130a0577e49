"""Which meeple stands where: the view has their numbers, the events since the start identify each one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any

from atoll.core.events import Event
from atoll.core.seen import Seen
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca

Meeple = dict[str, Any]
"""A meeple on a place: `seat` for whom it works, `id`, and whether it is `white`."""


@dataclass
class MeepleIds:
    """Ids of all meeples by where they are; a meeple keeps its id for the whole game."""

    own: list[list[str]]
    """[seat]: own ones left to place"""
    white: list[list[str]]
    """[seat]: white ones left to place"""
    candle: list[list[str]]
    """[seat]: own ones above the candle"""
    tribe: list[str]
    """white ones above the candle"""
    places: dict[int, list[Meeple]] = field(default_factory=dict)
    """those on a place of the board, or on TILE_PLACE + a tile, in order of arrival"""


class Camp(MeepleIds):
    """Where everybody's meeples are while the events are followed from the start."""

    def __init__(self, own: Sequence[int], tribe: int) -> None:
        super().__init__(
            [[f"m-{seat}-{k}" for k in range(count)] for seat, count in enumerate(own)],
            [[] for _ in own],
            [[] for _ in own],
            [f"w-{k}" for k in range(tribe)],
        )
        self.counts = list(own)

    def copy(self) -> "Camp":
        """An independent copy."""
        camp = Camp([], 0)
        camp.counts, camp.tribe = list(self.counts), list(self.tribe)
        camp.own, camp.white, camp.candle = (
            [list(ids) for ids in ids_by_seat] for ids_by_seat in (self.own, self.white, self.candle)
        )
        camp.places = {place: list(ids_by_seat) for place, ids_by_seat in self.places.items()}
        return camp

    def follow(self, event: Event) -> list[str]:
        """What an event does to the meeples; returns those that moved."""
        seat = event.whose
        if event.what == ev.MEEPLE_PLACED:
            white = event.piece == ca.WHITE
            piece = self._taken(self.white[seat], "w") if white else self._taken(self.own[seat], f"m-{seat}")
            self.places.setdefault(event.target, []).append({"seat": seat, "id": piece, "white": white})
            return [piece]
        if event.what == ev.TRIBE_MET:
            self.candle[seat].append(self._taken(self.own[seat], f"m-{seat}"))
            self.white[seat].append(self._taken(self.tribe, "w"))
            return [self.candle[seat][-1], self.white[seat][-1]]
        if event.what in (ev.TRIBE_LEFT, ev.MEEPLE_CALLED):
            self.own[seat].append(self._taken(self.candle[seat], f"m-{seat}"))
            if self.white[seat]:
                self.tribe.append(self.white[seat].pop())
            return self.own[seat][-1:]
        if event.what == ev.MEEPLES_CHANGED:
            self.counts[seat] += event.extra
        elif event.what == ev.ROUND_BEGUN:
            self.go_home()
        return []

    def _taken(self, ids: list[str], kind: str) -> str:
        """The last of these meeples, taken from there; a new one where none is known, since what is followed began in
        the middle of a game, as where moves are tried out.
        """
        if ids:
            return ids.pop()
        placed = (meeple["id"] for meeples in self.places.values() for meeple in meeples)
        known = {*chain(*self.own, *self.white, *self.candle, self.tribe), *placed}
        fresh = (f"{kind}-{number}" for number in count(ca.MAX_MEEPLES))
        return next(one for one in fresh if one not in known)

    def go_home(self) -> None:
        """All meeples go home; new ones come, lost ones leave."""
        for meeple in (meeple for meeples in self.places.values() for meeple in meeples):
            (self.white if meeple["white"] else self.own)[meeple["seat"]].append(meeple["id"])
        self.places = {}
        for seat, above in enumerate(self.candle):
            while len(self.white[seat]) > len(above):
                self.tribe.append(self.white[seat].pop())
            home = sorted(self.own[seat], key=lambda piece: int(piece.rpartition("-")[2]))
            fresh = (f"m-{seat}-{k}" for k in range(ca.MAX_MEEPLES))
            home += [piece for piece in fresh if piece not in (*home, *above)]
            self.own[seat] = home[: max(0, self.counts[seat] - len(above))]


def place_pieces(seen: Seen) -> tuple[MeepleIds, dict[str, int]]:
    """Where each meeple is, and the order in which the last move's moved."""
    fields, parts = seen.view.fields, seen.view.components.parts[0]
    seats = range(fields.players)

    def begin() -> Camp:
        return Camp([int(parts.meeples[int(parts.health) - ca.LOWEST_HEALTH])] * len(seats), int(parts.white))

    camp = seen.followed(Camp, begin)
    order: dict[str, int] = {}
    for event in seen.latest:
        for piece in camp.follow(event):
            order.setdefault(piece, len(order))
    pieces = MeepleIds(
        own=[fit_ids(camp.own[s], fields.left_own[s], f"m-{s}-l") for s in seats],
        white=[fit_ids(camp.white[s], fields.left_white[s], f"w-{s}-l") for s in seats],
        candle=[fit_ids(camp.candle[s], fields.candle[s], f"m-{s}-c") for s in seats],
        tribe=fit_ids(camp.tribe, fields.white_left, "w-t"),
    )
    for place, seat in list(zip(fields.arrival_place, fields.arrival_seat, strict=True))[: fields.arrivals]:
        meeples = pieces.places.setdefault(place, [])
        meeple = camp.places.get(place, [])[len(meeples) :][:1]
        meeples += meeple or [{"seat": seat, "id": f"x-{place}-{len(meeples)}", "white": False}]
    return pieces, order


def fit_ids(ids: Iterable[str], count: int, spare: str) -> list[str]:
    """`count` ids: the known ones first, then spare ones for meeples that no event has moved."""
    known_ids = list(ids)[:count]
    return known_ids + [f"{spare}-{k}" for k in range(count - len(known_ids))]

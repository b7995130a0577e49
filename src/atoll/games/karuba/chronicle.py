"""What happened, told as a person at the table would tell it: events become lines of the log."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from atoll.core.game import Json, Line
from atoll.core.state import UNKNOWN
from atoll.core.words import Words
from atoll.games.karuba import events as happened
from atoll.games.karuba.state import place_of
from atoll.games.karuba.vocabulary import Island, cards_name, place_name

if TYPE_CHECKING:
    from atoll.core.events import Event


def tell(words: Words, names: Sequence[str], events: "Sequence[Event]", view: Json) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    chronicle = Chronicle(words, names, islands_before(events, view))
    return [
        line
        for what, alike in groupby(events, key=lambda event: event.what)
        for line in chronicle.told(what, list(alike))
    ]


def islands_before(events: "Sequence[Event]", view: Json) -> list[dict[str, int]]:
    """The islands without the cards that are laid in these events."""
    laid = {
        (event.whose, place_key(event.target)): event.piece
        for event in events
        if event.what == happened.CARD_LAID
    }
    return [
        {place: card for place, card in player["island"].items() if (seat, place) not in laid}
        for seat, player in enumerate(view["players"])
    ]


def place_key(target: int) -> str:
    """The place of a laid card in the words of records."""
    return ",".join(map(str, place_of(target - happened.CELL_PLACE)))


def by_seat(events: "Sequence[Event]") -> list[tuple[int, list[int]]]:
    """Whose cards the events are about, in their order."""
    found: dict[int, list[int]] = {}
    for event in events:
        found.setdefault(event.whose, []).append(event.piece)
    return list(found.items())


class Chronicle:
    """Tells events of one kind that follow each other; `islands` grow along with what is told."""

    def __init__(self, words: Words, names: Sequence[str], islands: list[dict[str, int]]) -> None:
        self.words = words
        self.names = names
        self.islands = islands

    def told(self, what: int, events: "list[Event]") -> list[Line]:
        """The lines for events of one kind."""
        if what in TELLERS:
            return TELLERS[what](self, events)
        lines = (happened.EVENTS.line(self.words, self.names, event) for event in events)
        return [line for line in lines if line]

    def chosen(self, events: "list[Event]") -> list[Line]:
        """Who has chosen, and what, if that is known (KA-4)."""
        return [
            Line(
                self.words("%(name)s has chosen two cards.", name=self.names[seat])
                if UNKNOWN in cards
                else self.words(
                    "%(name)s chooses %(cards)s.", name=self.names[seat], cards=cards_name(self.words, cards)
                ),
                seat,
            )
            for seat, cards in by_seat(events)
        ]

    def revealed(self, events: "list[Event]") -> list[Line]:
        """What everybody has chosen, with the sums (KA-4, KA-5)."""
        return [
            Line(
                self.words(
                    "%(name)s shows %(cards)s: together %(sum)s.",
                    name=self.names[seat],
                    cards=cards_name(self.words, cards),
                    sum=sum(cards),
                ),
                seat,
            )
            for seat, cards in by_seat(events)
        ]

    def lowest(self, events: "list[Event]") -> list[Line]:
        """Who must discard (KA-5)."""
        if len(events) == 1:
            seat = events[0].whose
            return [
                Line(
                    self.words("%(name)s has the lowest sum and must discard a card.", name=self.names[seat]),
                    seat,
                )
            ]
        tied = self.words.both([self.names[event.whose] for event in events])
        return [Line(self.words("%(names)s share the lowest sum: each must discard a card.", names=tied))]

    def laid(self, events: "list[Event]") -> list[Line]:
        """Who lays what where (KA-6)."""
        lines = []
        for event in events:
            island, place = self.islands[event.whose], place_of(event.target - happened.CELL_PLACE)
            lines.append(
                Line(self.laid_text(self.names[event.whose], event.piece, island, place), event.whose)
            )
            island[place_key(event.target)] = event.piece
        return lines

    def laid_text(self, name: str, card: int, island: Island, place: tuple[int, int]) -> str:
        """A card laid, and the cards beside it."""
        if not island:
            return self.words("%(name)s begins the island with %(card)s.", name=name, card=card)
        where = place_name(self.words, island, place)
        return self.words("%(name)s lays %(card)s %(where)s.", name=name, card=card, where=where)

    def drawn(self, events: "list[Event]") -> list[Line]:
        """How many cards everyone draws, and which, as far as that is known (KA-7)."""
        drawn = by_seat(events)
        number = len(drawn[0][1])
        lines = [
            Line(self.words.plural("Everyone draws %(num)s card.", "Everyone draws %(num)s cards.", number))
        ]
        for seat, cards in drawn:
            if UNKNOWN not in cards:
                known = cards_name(self.words, sorted(cards))
                lines.append(
                    Line(self.words("%(name)s draws %(cards)s.", name=self.names[seat], cards=known), seat)
                )
        return lines


TELLERS: dict[int, Callable[[Chronicle, "list[Event]"], list[Line]]] = {
    happened.CARD_CHOSEN: Chronicle.chosen,
    happened.CARD_REVEALED: Chronicle.revealed,
    happened.SUM_LOWEST: Chronicle.lowest,
    happened.CARD_LAID: Chronicle.laid,
    happened.CARD_DRAWN: Chronicle.drawn,
}
"""What tells the kinds of events that are told together."""

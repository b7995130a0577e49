"""What happened, told as a person at the table would tell it: events become lines of the log."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from atoll.core.events import Event
from atoll.core.game import Line
from atoll.core.position import View
from atoll.core.state import UNKNOWN
from atoll.core.words import Words
from atoll.games.karuba import events as happened
from atoll.games.karuba.state import NO_CARD
from atoll.games.karuba.vocabulary import cards_name, place_name


def tell(words: Words, names: Sequence[str], events: Sequence[Event], view: View) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    islands = [list(island) for island in view.fields.island]
    for event in events:
        if event.what == happened.CARD_LAID:
            islands[event.whose][event.target - happened.CELL_PLACE] = NO_CARD
    return [
        line
        for what, alike in groupby(events, key=lambda event: event.what)
        for line in lines_of(words, names, what, list(alike), islands)
    ]


def lines_of(
    words: Words, names: Sequence[str], what: int, events: Sequence[Event], islands: list[list[int]]
) -> Iterable[Line]:
    """Events of one kind that follow each other; `islands` grow along with what is told."""
    match what:
        case happened.CARD_CHOSEN:
            return [Line(chosen(words, names[seat], cards), seat) for seat, cards in by_seat(events)]
        case happened.CARD_REVEALED:
            return [Line(revealed(words, names[seat], cards), seat) for seat, cards in by_seat(events)]
        case happened.SUM_LOWEST:
            return [lowest(words, names, [event.whose for event in events])]
        case happened.CARD_LAID:
            return [
                Line(laid(words, names[event.whose], event, islands[event.whose]), event.whose)
                for event in events
            ]
        case happened.CARD_DRAWN:
            return drawn(words, names, by_seat(events))
        case _:
            lines = (happened.EVENTS.line(words, names, event) for event in events)
            return [line for line in lines if line]


def by_seat(events: Sequence[Event]) -> list[tuple[int, list[int]]]:
    """Whose cards the events are about, in their order."""
    found: dict[int, list[int]] = {}
    for event in events:
        found.setdefault(event.whose, []).append(event.piece)
    return list(found.items())


def chosen(words: Words, name: str, cards: list[int]) -> str:
    """That somebody has chosen, and what, if that is known (KA-4)."""
    if UNKNOWN in cards:
        return words("%(name)s has chosen two cards.", name=name)
    return words("%(name)s chooses %(cards)s.", name=name, cards=cards_name(words, cards))


def revealed(words: Words, name: str, cards: list[int]) -> str:
    """What somebody has chosen, with the sum (KA-4, KA-5)."""
    shown = cards_name(words, cards)
    return words("%(name)s shows %(cards)s: together %(sum)s.", name=name, cards=shown, sum=sum(cards))


def lowest(words: Words, names: Sequence[str], seats: list[int]) -> Line:
    """Who must discard (KA-5)."""
    if len(seats) == 1:
        name = names[seats[0]]
        return Line(words("%(name)s has the lowest sum and must discard a card.", name=name), seats[0])
    tied = words.both([names[seat] for seat in seats])
    return Line(words("%(names)s share the lowest sum: each must discard a card.", names=tied))


def laid(words: Words, name: str, event: Event, island: list[int]) -> str:
    """A card laid, and the cards beside it (KA-6); it lies in the island afterwards."""
    begun, cell = any(island), event.target - happened.CELL_PLACE
    where = place_name(words, island, cell)
    island[cell] = event.piece
    if not begun:
        return words("%(name)s begins the island with %(card)s.", name=name, card=event.piece)
    return words("%(name)s lays %(card)s %(where)s.", name=name, card=event.piece, where=where)


def drawn(words: Words, names: Sequence[str], hands: list[tuple[int, list[int]]]) -> list[Line]:
    """How many cards everyone draws, and which, as far as that is known (KA-7)."""
    count = len(hands[0][1])
    lines = [Line(words.plural("Everyone draws %(num)s card.", "Everyone draws %(num)s cards.", count))]
    for seat, cards in hands:
        if UNKNOWN not in cards:
            known = cards_name(words, sorted(cards))
            lines.append(Line(words("%(name)s draws %(cards)s.", name=names[seat], cards=known), seat))
    return lines

"""What happened, told as a person at the table would tell it: events become lines of the log."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from atoll.core.events import Event
from atoll.core.game import Line
from atoll.core.position import View
from atoll.core.state import UNKNOWN
from atoll.core.words import Words
from atoll.games.karuba import events as happened
from atoll.games.karuba.state import CHOSEN_CARDS, NO_CARD
from atoll.games.karuba.vocabulary import cards_name, place_name


def tell(words: Words, names: Sequence[str], events: Sequence[Event], view: View) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    islands = [list(island) for island in view.fields.island]
    for event in events:
        if event.what == happened.CARD_LAID:
            islands[event.whose][event.target - happened.CELL_PLACE] = NO_CARD
    lines: list[Line] = []
    at = 0
    for what, alike in groupby(events, key=kind_of):
        run = list(alike)
        if what == happened.CARD_REVEALED:
            lines = [line for line in lines if events[line.event].what != happened.CARD_CHOSEN]
        lines += (replace(line, event=at + line.event) for line in lines_of(words, names, what, run, islands))
        at += len(run)
    return lines


def kind_of(event: Event) -> int:
    """What an event is told with: who must discard belongs to the reveal."""
    return happened.CARD_REVEALED if event.what == happened.SUM_LOWEST else event.what


def lines_of(
    words: Words, names: Sequence[str], what: int, events: Sequence[Event], islands: list[list[int]]
) -> Iterable[Line]:
    """Events of one kind that follow each other; `islands` grow along with what is told."""
    match what:
        case happened.CARD_CHOSEN:
            return [
                Line(chosen(words, names[seat], cards), seat, event=CHOSEN_CARDS * number)
                for number, (seat, cards) in enumerate(by_seat(events))
            ]
        case happened.CARD_REVEALED:
            return [revealed(words, names, events)]
        case happened.CARD_LAID:
            return [
                Line(laid(words, names[event.whose], event, islands[event.whose]), event.whose, event=number)
                for number, event in enumerate(events)
            ]
        case happened.CARD_DRAWN:
            return [drawn(words, names, by_seat(events))]
        case _:
            lines = (happened.EVENTS.line(words, names, event) for event in events)
            return [replace(line, event=number) for number, line in enumerate(lines) if line]


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


def revealed(words: Words, names: Sequence[str], events: Sequence[Event]) -> Line:
    """Who must discard, and what everybody has chosen, with the sums (KA-4, KA-5)."""
    shown = [event for event in events if event.what == happened.CARD_REVEALED]
    lowest = [event for event in events if event.what == happened.SUM_LOWEST]
    effects = tuple(
        Line(
            words(
                "%(name)s shows %(cards)s: together %(sum)s.",
                name=names[seat],
                cards=cards_name(words, cards),
                sum=sum(cards),
            ),
            seat,
        )
        for seat, cards in by_seat(shown)
    )
    seats = [event.whose for event in lowest]
    if len(seats) == 1:
        text = words(
            "All is shown: %(name)s has the lowest sum and must discard a card.", name=names[seats[0]]
        )
        return Line(text, seats[0], effects)
    tied = words.both([names[seat] for seat in seats])
    return Line(
        words("All is shown: %(names)s share the lowest sum, each must discard a card.", names=tied),
        effects=effects,
    )


def laid(words: Words, name: str, event: Event, island: list[int]) -> str:
    """A card laid, and the cards beside it (KA-6); it lies in the island afterwards."""
    begun, cell = any(island), event.target - happened.CELL_PLACE
    where = place_name(words, island, cell)
    island[cell] = event.piece
    if not begun:
        return words("%(name)s begins the island with %(card)s.", name=name, card=event.piece)
    return words("%(name)s lays %(card)s %(where)s.", name=name, card=event.piece, where=where)


def drawn(words: Words, names: Sequence[str], hands: list[tuple[int, list[int]]]) -> Line:
    """How many cards everyone draws, and which, as far as that is known (KA-7)."""
    known = tuple(
        Line(
            words("%(name)s draws %(cards)s.", name=names[seat], cards=cards_name(words, sorted(cards))), seat
        )
        for seat, cards in hands
        if UNKNOWN not in cards
    )
    count = len(hands[0][1])
    return Line(
        words.plural("Everyone draws %(num)s card.", "Everyone draws %(num)s cards.", count), effects=known
    )

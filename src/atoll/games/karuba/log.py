"""What happened, told as a person at the table would tell it: events become lines of the log."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from atoll.core.events import Event, grouped
from atoll.core.game import View
from atoll.core.state import UNKNOWN
from atoll.core.types import Line
from atoll.games.karuba import events as happened
from atoll.games.karuba.state import NO_CARD
from atoll.games.karuba.vocabulary import cards_name, place_name
from atoll.text.translation import Translator


def tell(translator: Translator, names: Sequence[str], events: Sequence[Event], view: View) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    islands = [list(island) for island in view.fields.island]
    for event in events:
        if event.what == happened.CARD_LAID:
            islands[event.whose][event.target - happened.CELL_PLACE] = NO_CARD
    lines: list[Line] = []
    for _, group in groupby(enumerate(events), told_with):
        numbers, run = zip(*group, strict=True)
        what, seat = run[0].what, run[0].whose
        line: Line | None
        if what == happened.CARD_CHOSEN:
            line = Line(chosen(translator, names[seat], [event.piece for event in run]), seat)
        elif what == happened.CARD_REVEALED:
            lines = [line for line in lines if events[line.event].what != happened.CARD_CHOSEN]
            line = revealed(translator, names, run)
        elif what == happened.CARD_LAID:
            line = Line(laid(translator, names[seat], run[0], islands[seat]), seat)
        elif what == happened.CARD_DRAWN:
            line = drawn(translator, names, grouped((event.whose, event.piece) for event in run))
        else:
            line = happened.EVENTS.line(translator, names, run[0])
        if line:
            lines.append(replace(line, event=numbers[0]))
    return lines


def told_with(numbered: tuple[int, Event]) -> tuple[int, ...]:
    """What neighbours have in common that are told in one line: a choice, all that is shown, all that is drawn."""
    number, event = numbered
    match event.what:
        case happened.CARD_CHOSEN:
            return event.what, event.whose
        case happened.CARD_REVEALED | happened.SUM_LOWEST:
            return (happened.CARD_REVEALED,)
        case happened.CARD_DRAWN:
            return (event.what,)
        case _:
            return event.what, UNKNOWN, number


def chosen(translator: Translator, name: str, cards: list[int]) -> str:
    """That somebody has chosen, and what, if that is known (KA-4)."""
    if UNKNOWN in cards:
        return translator("%(name)s has chosen two cards.", name=name)
    return translator("%(name)s chooses %(cards)s.", name=name, cards=cards_name(translator, cards))


def revealed(translator: Translator, names: Sequence[str], events: Sequence[Event]) -> Line:
    """Who must discard, and what everybody has chosen, with the sums (KA-4, KA-5)."""
    shown = grouped((event.whose, event.piece) for event in events if event.what == happened.CARD_REVEALED)
    lowest = [event.whose for event in events if event.what == happened.SUM_LOWEST]
    effects = tuple(
        Line(
            translator(
                "%(name)s shows %(cards)s: together %(sum)s.",
                name=names[seat],
                cards=cards_name(translator, cards),
                sum=sum(cards),
            ),
            seat,
        )
        for seat, cards in shown.items()
    )
    called = translator.both([names[seat] for seat in lowest])
    if len(lowest) == 1:
        text = translator("All is shown: %(name)s has the lowest sum and must discard a card.", name=called)
        return Line(text, lowest[0], effects)
    text = translator("All is shown: %(names)s share the lowest sum, each must discard a card.", names=called)
    return Line(text, None, effects)


def laid(translator: Translator, name: str, event: Event, island: list[int]) -> str:
    """A card laid, and the cards beside it (KA-6); it lies in the island afterwards."""
    cell = event.target - happened.CELL_PLACE
    where = place_name(translator, island, cell)
    island[cell] = event.piece
    if not where:
        return translator("%(name)s begins the island with %(card)s.", name=name, card=event.piece)
    return translator("%(name)s lays %(card)s %(where)s.", name=name, card=event.piece, where=where)


def drawn(translator: Translator, names: Sequence[str], hands: dict[int, list[int]]) -> Line:
    """How many cards everyone draws, and which, as far as that is known (KA-7)."""
    known = tuple(
        Line(
            translator(
                "%(name)s draws %(cards)s.", name=names[seat], cards=cards_name(translator, sorted(cards))
            ),
            seat,
        )
        for seat, cards in hands.items()
        if UNKNOWN not in cards
    )
    count = max(map(len, hands.values()))
    said = translator.plural("Everyone draws %(num)s card.", "Everyone draws %(num)s cards.", count)
    return Line(said, effects=known)

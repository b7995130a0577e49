"""The log: events become lines, as a person at the table would tell them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from atoll.core.events import Event, grouped
from atoll.core.game import View
from atoll.core.state import UNKNOWN
from atoll.core.types import Line
from atoll.games.karuba import events as ev
from atoll.games.karuba.state import NO_CARD
from atoll.games.karuba.vocabulary import cards_name, place_name
from atoll.text.translation import Translator


def tell(translator: Translator, names: Sequence[str], events: Sequence[Event], view: View) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    islands = [list(island) for island in view.fields.island]
    for event in events:
        if event.what == ev.CARD_LAID:
            islands[event.whose][event.target - ev.CELL_PLACE] = NO_CARD
    lines: list[Line] = []
    for _, group in groupby(enumerate(events), entry_key):
        numbers, run = zip(*group, strict=True)
        what, seat = run[0].what, run[0].whose
        line: Line | None
        if what == ev.CARD_CHOSEN:
            line = Line(choice_text(translator, names[seat], [event.piece for event in run]), seat)
        elif what == ev.CARD_REVEALED:
            lines = [line for line in lines if events[line.event].what != ev.CARD_CHOSEN]
            line = reveal_line(translator, names, run)
        elif what == ev.CARD_LAID:
            line = Line(lay_text(translator, names[seat], run[0], islands[seat]), seat)
        elif what == ev.CARD_DRAWN:
            line = draw_line(translator, names, grouped((event.whose, event.piece) for event in run))
        else:
            line = ev.EVENTS.line(translator, names, run[0])
        if line:
            lines.append(replace(line, event=numbers[0]))
    return lines


def entry_key(item: tuple[int, Event]) -> tuple[int, ...]:
    """The key of neighbouring events that share a line: a choice, all that is shown, all that is drawn."""
    number, event = item
    match event.what:
        case ev.CARD_CHOSEN:
            return event.what, event.whose
        case ev.CARD_REVEALED | ev.SUM_LOWEST:
            return (ev.CARD_REVEALED,)
        case ev.CARD_DRAWN:
            return (event.what,)
        case _:
            return event.what, UNKNOWN, number


def choice_text(translator: Translator, name: str, cards: list[int]) -> str:
    """That somebody has chosen, and what, if that is known (KA-4)."""
    if UNKNOWN in cards:
        return translator("%(name)s has chosen two cards.", name=name)
    return translator("%(name)s chooses %(cards)s.", name=name, cards=cards_name(translator, cards))


def reveal_line(translator: Translator, names: Sequence[str], events: Sequence[Event]) -> Line:
    """Who must discard, and what everybody has chosen, with the sums (KA-4, KA-5)."""
    choices = grouped((event.whose, event.piece) for event in events if event.what == ev.CARD_REVEALED)
    lowest = [event.whose for event in events if event.what == ev.SUM_LOWEST]
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
        for seat, cards in choices.items()
    )
    leaders = translator.both([names[seat] for seat in lowest])
    if len(lowest) == 1:
        text = translator("All is shown: %(name)s has the lowest sum and must discard a card.", name=leaders)
        return Line(text, lowest[0], effects)
    text = translator(
        "All is shown: %(names)s share the lowest sum, each must discard a card.", names=leaders
    )
    return Line(text, None, effects)


def lay_text(translator: Translator, name: str, event: Event, island: list[int]) -> str:
    """A card laid, and the cards beside it (KA-6); it lies in the island afterwards."""
    cell = event.target - ev.CELL_PLACE
    where = place_name(translator, island, cell)
    island[cell] = event.piece
    if not where:
        return translator("%(name)s begins the island with %(card)s.", name=name, card=event.piece)
    return translator("%(name)s lays %(card)s %(where)s.", name=name, card=event.piece, where=where)


def draw_line(translator: Translator, names: Sequence[str], hands: dict[int, list[int]]) -> Line:
    """How many cards everyone draws, and which, as far as that is known (KA-7)."""
    details = tuple(
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
    text = translator.plural("Everyone draws %(num)s card.", "Everyone draws %(num)s cards.", count)
    return Line(text, effects=details)

"""The log: events become lines, as a person at the table would tell them."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from atoll.core.events import Event, grouped
from atoll.core.game import View
from atoll.core.state import UNKNOWN, seats_in
from atoll.core.types import Line
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana import vocabulary as vo
from atoll.text.translation import Translator, plurals, texts


def tell(translator: Translator, names: Sequence[str], events: Sequence[Event], view: View) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    return LogWriter(translator, names, events, view).tell()


@dataclass
class LogWriter:
    """Writes the log of some events: each event may add lines, and may take events after it along."""

    translator: Translator
    names: Sequence[str]
    events: Sequence[Event]
    view: View
    at: int = 0
    """the number of the next event"""
    table: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    """the round's cards"""
    lines: list[Line] = field(default_factory=list)
    """the lines of the event at hand"""

    def tell(self) -> list[Line]:
        """All entries, in the order of the events."""
        entries: list[Line] = []
        below: frozenset[int] = frozenset()  # kinds of events that belong to the last entry
        self.table = self.cards_of_round()
        while self.at < len(self.events):
            number, event = self.at, self.events[self.at]
            self.at += 1
            lines = self.lines_of(event)
            if lines and event.what not in below:
                below = BELOW.get(event.what, frozenset())
                first = 1 if event.what in BELOW else len(lines)
                entries += (replace(line, event=number) for line in lines[:first])
                lines = lines[first:]
            if lines:
                entries[-1] = replace(entries[-1], effects=(*entries[-1].effects, *lines))
            if event.what == ev.ROUND_BEGUN:
                self.table = self.cards_of_round()
        return entries

    def lines_of(self, event: Event) -> list[Line]:
        """The lines of an event, and of those after it that belong to it."""
        self.lines = []
        if event.what in LINE_WRITERS:
            LINE_WRITERS[event.what](self, event)
        elif line := ev.EVENTS.line(self.translator, self.names, event):
            self.lines.append(line)
        return self.lines

    def cards_of_round(self) -> dict[int, tuple[int, int, int]]:
        """Of each card played in the round that goes on, by place: who played it, which it is, and in front of whom it
        lies, as far as that is known.
        """
        state, cards = self.view.fields, {}
        events = list(takewhile(lambda event: event.what != ev.ROUND_BEGUN, self.events[self.at :]))
        if self.at + len(events) == len(self.events):  # they still lie there
            rows = zip(state.table_player, state.table_card, state.table_front, strict=True)
            cards = {ev.CARD_PLACE + k: row for k, row in zip(range(state.table_count), rows, strict=False)}
        for event in events:
            if event.what in (ev.CARD_PLAYED, ev.CARD_HIDDEN):
                cards[event.target] = (event.whose, event.piece, event.extra)
            elif event.what in (ev.CARD_REVEALED, ev.CARD_INACTIVE, ev.CARD_BEGUN):
                cards.setdefault(event.origin, (UNKNOWN, event.piece, event.whose))
        return cards

    def run(self, first: Event, belongs: Callable[[Event], bool]) -> list[Event]:
        """The event and those after it, as long as they belong."""
        events = [first, *takewhile(belongs, self.events[self.at :])]
        self.at += len(events) - 1
        return events

    def say(
        self, text: str | tuple[str, str], seat: int | None = None, number: int = 0, /, **values: Any
    ) -> None:
        """Add a line about a seat, `name`; of two texts the one for a number, `num`."""
        if seat is not None:
            values["name"] = self.names[seat]
        one, *many = (text,) if isinstance(text, str) else text
        line = (
            self.translator.plural(one, many[0], number, **values) if many else self.translator(one, **values)
        )
        self.lines.append(Line(line, seat))

    # Words

    def where(self, front: int, player: int = UNKNOWN) -> str:
        """In front of whom a card lies, inside a sentence about `player`."""
        if front == player:
            return self.translator("in front of themselves")
        return vo.in_front(self.translator, self.names, front)

    def cards(self, cards: Sequence[int]) -> str:
        """Cards by kind and background."""
        return self.translator.both([vo.card_name(self.translator, cr.CARDS[card]) for card in cards])

    def kind(self, card: int) -> str:
        """A card that everyone sees."""
        return vo.kind_name(self.translator, cr.CARDS[card])

    def lying(self, card: int, front: int) -> str:
        """A card that everyone sees, and where: "Place 3 in front of Green"."""
        return self.translator("%(kind)s %(where)s", kind=self.kind(card), where=self.where(front))

    def island(self, place: int, count: int = 1) -> str:
        """An island inside a sentence, with how many pieces if several."""
        number = place - ev.ISLAND_PLACE + 1
        if count > 1:
            return self.translator("island %(number)s (%(count)s)", number=number, count=count)
        return self.translator("island %(number)s", number=number)

    # Cards and natives on them

    def card_played(self, event: Event) -> None:
        """Who plays what in front of whom."""
        up, down, unknown = texts(
            "%(name)s plays %(card)s %(where)s.",
            "%(name)s plays %(card)s face down %(where)s.",
            "%(name)s plays a card face down %(where)s.",
        )
        where = self.where(event.extra, event.whose)
        if event.piece == UNKNOWN:
            self.say(unknown, event.whose, where=where)
        else:
            text = up if event.what == ev.CARD_PLAYED else down
            self.say(text, event.whose, card=self.cards([event.piece]), where=where)

    def native_on_card(self, event: Event) -> None:
        """Who puts a native on which card, distinguished from others by what everyone could see then: of two cards by
        each player the first ones lay face up (CR-9, CR-10).
        """
        player, card, front = self.table[event.target]
        if event.target - ev.CARD_PLACE < self.view.players:
            name = self.lying(card, front)
        elif player == UNKNOWN:
            name = self.translator("the hidden card %(where)s", where=self.where(front))
        else:
            where = self.where(front, player)
            name = self.translator(
                "the card hidden by %(name)s %(where)s", name=self.names[player], where=where
            )
        self.say("%(name)s puts a native on %(card)s.", event.whose, card=name)

    # The Shaman's turn, and revealing

    def condition_turned(self, event: Event) -> None:
        """What the Shaman turns over and what shows now."""
        faces = [self.view.fields.tide, self.view.fields.time]
        for later in reversed(self.events[self.at :]):
            if later.what == ev.CONDITION_TURNED:
                faces[later.piece] = later.origin
        self.say(
            "%(name)s turns over %(condition)s: %(faces)s.",
            event.whose,
            condition=self.translator(vo.CONDITIONS[cr.CONDITIONS[event.piece]]),
            faces=vo.conditions_name(self.translator, faces),
        )

    def cards_revealed(self, first: Event) -> None:
        """The hidden cards, a line for each player in front of whom they lay."""
        for front, cards in self.pieces_by_seat(first).items():
            where = self.where(front)
            self.say("Turned up %(where)s: %(cards)s.", front, where=where, cards=self.cards(cards))

    def pieces_by_seat(self, first: Event) -> dict[int, list[int]]:
        """What the event and those of its kind after it are about, by whose they are."""
        return grouped((event.whose, event.piece) for event in self.run(first, of(first.what)))

    def cards_inactive(self, first: Event) -> None:
        """The dead cards: one line for a player's cards without natives, one for each card with some."""
        events = self.run(first, of(ev.CARD_INACTIVE))
        natives = (event for event in events if event.what == ev.NATIVE_MOVED)
        owners = grouped((event.origin, self.names[event.piece]) for event in natives)
        dead = grouped(
            ((event.whose, event.origin if event.origin in owners else UNKNOWN), self.kind(event.piece))
            for event in events
            if event.what == ev.CARD_INACTIVE
        )
        for (front, place), cards in dead.items():
            kinds, where = self.translator.both(cards), self.where(front)
            if place == UNKNOWN:
                number = plurals("%(cards)s %(where)s is dead.", "%(cards)s %(where)s are dead.")
                self.say(number, front, len(cards), cards=kinds, where=where)
                continue
            one, several = texts(
                "%(card)s %(where)s is dead, the native of %(owner)s goes home.",
                "%(card)s %(where)s is dead, the natives of %(owner)s go home.",
            )
            text = one if len(owners[place]) == 1 else several
            self.say(text, front, card=kinds, where=where, owner=self.translator.both(owners[place]))

    # Resolving

    def card_begun(self, event: Event) -> None:
        """A card takes effect."""
        self.say("%(card)s takes effect.", event.whose, card=self.lying(event.piece, event.whose))

    def card_applied(self, event: Event) -> None:
        """A native copies the card, or nothing can be done with it."""
        first = self.at > 1 and self.events[self.at - 2].what == ev.CARD_BEGUN
        copies, in_vain, nothing = texts(
            "The native of %(name)s copies it.",
            "The native of %(name)s copies it in vain.",
            "%(name)s can do nothing with it.",
        )
        if not first or not event.extra:
            self.say(nothing if first else copies if event.extra else in_vain, event.whose)

    def piece_moved(self, event: Event) -> None:
        """A native put on a card, placed or returned, a piece taken up or put down; going home, and what is collected,
        is not told here.
        """
        if event.whose == UNKNOWN:
            return
        if event.target in ev.CARD_PLACES:
            self.native_on_card(event)
        elif event.target == ev.HELD_PLACE:
            self.piece_taken(event)
        elif event.origin == ev.HELD_PLACE:
            target = self.island(event.target)
            self.say("%(name)s puts it down on %(target)s.", event.whose, target=target)
        else:
            self.natives_moved(event)

    def natives_moved(self, first: Event) -> None:
        """How many natives a player moves to or from islands, and which these are: "island 1 (2) and island 4"."""
        is_placement = first.target in ev.ISLAND_PLACES
        text = plurals(
            "%(name)s takes a native home from %(islands)s.",
            "%(name)s takes %(num)s natives home from %(islands)s.",
        )
        if is_placement:
            text = plurals(
                "%(name)s places a native on %(islands)s.", "%(name)s places %(num)s natives on %(islands)s."
            )
        key = (first.what, first.whose, is_placement)
        moves = self.run(
            first, lambda event: (event.what, event.whose, event.target in ev.ISLAND_PLACES) == key
        )
        counts = Counter(event.target if is_placement else event.origin for event in moves)
        islands = [self.island(place, count) for place, count in sorted(counts.items())]
        self.say(text, first.whose, len(moves), islands=self.translator.both(islands))

    def piece_taken(self, event: Event) -> None:
        """A piece is taken up and, if that is known already, put down."""
        move_text, take_text = texts(
            "%(name)s moves a native of %(owner)s from %(origin)s to %(target)s.",
            "%(name)s takes up a native of %(owner)s from %(origin)s.",
        )
        if event.what == ev.TREASURE_MOVED:
            move_text, take_text = texts(
                "%(name)s moves a treasure from %(origin)s to %(target)s.",
                "%(name)s takes up a treasure from %(origin)s.",
            )
        elif event.whose == event.piece:
            move_text, take_text = texts(
                "%(name)s moves their own native from %(origin)s to %(target)s.",
                "%(name)s takes up their own native from %(origin)s.",
            )
        values = {"origin": self.island(event.origin), "owner": self.names[event.piece]}
        steps = self.run(event, lambda later: later.what == event.what and later.origin == ev.HELD_PLACE)
        if len(steps) > 1:
            self.say(move_text, event.whose, target=self.island(steps[1].target), **values)
        else:
            self.say(take_text, event.whose, **values)

    # Collecting, and the next round

    def collected(self, first: Event) -> None:
        """Island by island who argues and who takes a treasure; islands with the same outcome in one line."""
        events = self.run(first, of(ev.ARGUED, ev.COLLECTED))
        arguments = {event.origin: event.piece for event in events if event.what == ev.ARGUED}
        takers = {event.origin: event.whose for event in events if event.what == ev.COLLECTED}
        takings = [f"{self.names[seat]} {count}" for seat, count in sorted(Counter(takers.values()).items())]
        if takings:
            self.say("Treasures collected: %(treasures)s.", treasures=self.translator.both(takings))
        else:
            self.say("Nobody collects a treasure.")
        outcomes = grouped(
            ((arguments.get(place, 0), takers.get(place)), str(place - ev.ISLAND_PLACE + 1))
            for place in sorted(arguments | takers)
        )
        for (arguers, taker), islands in outcomes.items():
            self.island_collected(islands, arguers, taker)

    def island_collected(self, islands: Sequence[str], arguers: int, taker: int | None) -> None:
        """How the collecting went on islands where it went alike."""
        where = self.translator("Islands %(numbers)s", numbers=self.translator.both(islands))
        if len(islands) == 1:
            where = self.translator("Island %(number)s", number=islands[0])
        names = self.translator.both([self.names[seat] for seat in seats_in(arguers)])
        text: str | tuple[str, str] = plurals(
            "%(where)s: %(name)s takes a treasure.", "%(where)s: %(name)s takes %(num)s treasures."
        )
        if taker is None:
            (text,) = texts("%(where)s: %(names)s argue.")
        elif arguers:
            text = plurals(
                "%(where)s: %(names)s argue, %(name)s takes a treasure.",
                "%(where)s: %(names)s argue, %(name)s takes %(num)s treasures.",
            )
        self.say(text, taker, len(islands), where=where, names=names)

    def shaman_next(self, event: Event) -> None:
        """Who becomes the Shaman, and why."""
        text = plurals(
            "%(name)s, with %(num)s treasure in this round, becomes the Shaman.",
            "%(name)s, with %(num)s treasures in this round, becomes the Shaman.",
        )
        self.say(text, event.whose, event.extra)

    def cards_drawn(self, first: Event) -> None:
        """How many cards everyone draws, and which, as far as that is known."""
        hands = self.pieces_by_seat(first)
        counts = {len(cards) for cards in hands.values()}
        if len(counts) == 1 and len(hands) == len(self.names):
            number = plurals("Everyone draws %(num)s card.", "Everyone draws %(num)s cards.")
            self.say(number, None, counts.pop())
        else:
            self.say("Cards are drawn.")
        for seat, cards in hands.items():
            if UNKNOWN not in cards:
                self.say("%(name)s draws %(cards)s.", seat, cards=self.cards(cards))


def of(*kinds: int) -> Callable[[Event], bool]:
    """A test for events of these kinds, or of a piece that nobody moves by choice."""
    return lambda event: event.what in kinds or (event.what in ev.MOVING_PIECES and event.whose == UNKNOWN)


LINE_WRITERS: Mapping[int, Callable[[LogWriter, Event], None]] = {
    **dict.fromkeys(ev.MOVING_PIECES, LogWriter.piece_moved),
    ev.CARD_PLAYED: LogWriter.card_played,
    ev.CARD_HIDDEN: LogWriter.card_played,
    ev.CONDITION_TURNED: LogWriter.condition_turned,
    ev.CARD_REVEALED: LogWriter.cards_revealed,
    ev.CARD_INACTIVE: LogWriter.cards_inactive,
    ev.CARD_BEGUN: LogWriter.card_begun,
    ev.CARD_APPLIED: LogWriter.card_applied,
    ev.ARGUED: LogWriter.collected,
    ev.COLLECTED: LogWriter.collected,
    ev.SHAMAN_NEXT: LogWriter.shaman_next,
    ev.CARD_DRAWN: LogWriter.cards_drawn,
}
"""The method that writes each kind of event; other kinds have their declared sentence, or none."""

BELOW: Mapping[int, frozenset[int]] = {
    ev.CONDITION_TURNED: frozenset({ev.CARD_REVEALED, ev.CARD_INACTIVE}),
    ev.CARD_BEGUN: frozenset({ev.CARD_APPLIED, *ev.MOVING_PIECES}),
    **dict.fromkeys((ev.ARGUED, ev.COLLECTED, ev.CARD_DRAWN), frozenset()),
}
"""Kinds of events that share an entry: those that stand below its first line, besides further lines of the first."""

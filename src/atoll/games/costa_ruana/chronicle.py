"""What happened, told as a person at the table would tell it: events become lines of the log."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from atoll.core.events import Event
from atoll.core.game import Line
from atoll.core.position import View, seats_in
from atoll.core.state import UNKNOWN
from atoll.core.words import Words, texts
from atoll.games.costa_ruana import events as ev
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana import vocabulary as vo

MOVED_TREASURE = texts(
    "%(name)s moves a treasure from %(origin)s to %(target)s.",
    "%(name)s takes up a treasure from %(origin)s.",
)
MOVED_OWN = texts(
    "%(name)s moves their own native from %(origin)s to %(target)s.",
    "%(name)s takes up their own native from %(origin)s.",
)
MOVED_NATIVE = texts(
    "%(name)s moves a native of %(owner)s from %(origin)s to %(target)s.",
    "%(name)s takes up a native of %(owner)s from %(origin)s.",
)
"""A piece is moved, and where that is all that has happened, taken up."""


def tell(words: Words, names: Sequence[str], events: Sequence[Event], view: View) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    faces = faces_before(events, view)
    rounds: list[list[Event]] = [[]]
    for event in events:
        rounds[-1].append(event)
        if event.what == ev.ROUND_BEGUN:  # from here the table's cards count anew
            rounds.append([])
    lines: list[Line] = []
    before = 0
    for happened in rounds:
        table = cards_lying(view) if happened is rounds[-1] else {}
        told = Chronicle(words, names, happened, table, faces).tell()
        lines += (replace(line, event=before + line.event) for line in told) if before else told
        before += len(happened)
    return lines


def faces_before(events: Sequence[Event], view: View) -> list[int]:
    """The faces that the two condition cards showed before the events."""
    faces = [view.fields.tide, view.fields.time]
    for event in reversed(events):
        if event.what == ev.CONDITION_TURNED:
            faces[event.piece] = event.origin
    return faces


def cards_lying(view: View) -> dict[int, Event]:
    """The cards that lie on the table, by place, as the playing of them would be told now."""
    state = view.fields
    columns = (state.table_up, state.table_player, state.table_card, state.table_front)
    rows = list(zip(*columns, strict=True))[: state.table_count]
    return {
        ev.CARD_PLACE + k: Event(ev.CARD_PLAYED if up else ev.CARD_HIDDEN, player, card, extra=front)
        for k, (up, player, card, front) in enumerate(rows)
    }


@dataclass
class Chronicle:
    """Tells the events of one round, one thing that happened after another.

    `table` has the playing of each card, by place, as far as it is known. `faces` is changed as condition cards are
    turned, so that the next round goes on from there.
    """

    words: Words
    names: Sequence[str]
    events: Sequence[Event]
    table: dict[int, Event]
    faces: list[int]
    at: int = 0
    begun: bool = False
    """a card's effect has begun and has not yet been applied to anyone"""
    lines: list[Line] = field(default_factory=list)
    """what is told of one event"""
    entries: list[Line] = field(default_factory=list)

    def tell(self) -> list[Line]:
        """All entries, in the order of the events."""
        for event in self.events:
            self.look(event)
        open_for: frozenset[int] = frozenset()  # kinds of events that belong to the last entry
        while self.at < len(self.events):
            number, event = self.at, self.events[self.at]
            self.at += 1
            self.lines = []
            if event.what in TELLERS:
                TELLERS[event.what](self, event)
            elif line := ev.EVENTS.line(self.words, self.names, event):
                self.lines.append(line)
            if event.what not in open_for and self.lines:
                open_for = OPENS.get(event.what, frozenset())
                first = 1 if open_for else len(self.lines)
                self.entries += (Line(line.text, line.seat, event=number) for line in self.lines[:first])
                self.lines = self.lines[first:]
            if self.lines:
                last = self.entries[-1]
                self.entries[-1] = replace(last, effects=(*last.effects, *self.lines))
        return self.entries

    def look(self, event: Event) -> None:
        """Note what an event tells of a card on the table."""
        if event.what in (ev.CARD_PLAYED, ev.CARD_HIDDEN):
            self.table[event.target] = event
        elif event.what in (ev.CARD_REVEALED, ev.CARD_INACTIVE, ev.CARD_BEGUN):
            played = self.table.get(event.origin, Event(ev.CARD_PLAYED))
            what = ev.CARD_HIDDEN if event.what == ev.CARD_REVEALED else played.what
            self.table[event.origin] = played._replace(what=what, piece=event.piece, extra=event.whose)

    def run(self, first: Event, belongs: Callable[[Event], bool]) -> list[Event]:
        """The event and those after it, as long as they belong."""
        found = [first]
        while self.at < len(self.events) and belongs(self.events[self.at]):
            found.append(self.events[self.at])
            self.at += 1
        return found

    def say(self, text: str, seat: int | None = None, /, **values: Any) -> None:
        """Add a line about a seat, `name`."""
        if seat is not None:
            values["name"] = self.names[seat]
        self.lines.append(Line(self.words(text, **values), seat))

    def say_plural(self, one: str, many: str, number: int, seat: int | None = None, /, **values: Any) -> None:
        """Add a line about a seat, `name`, with a number in it, `num`."""
        if seat is not None:
            values["name"] = self.names[seat]
        self.lines.append(Line(self.words.plural(one, many, number, **values), seat))

    # Words

    def where(self, front: int, player: int = UNKNOWN) -> str:
        """In front of whom a card lies, said in a sentence about `player`."""
        if front == UNKNOWN:
            return self.words("on the table")
        if front == player:
            return self.words("in front of themselves")
        return vo.in_front(self.words, self.names, front)

    def card(self, card: int) -> str:
        """A card by kind and background."""
        return vo.card_name(self.words, cr.CARDS[card])

    def lying(self, card: int, front: int) -> str:
        """A card that everyone sees: "Place 3 in front of Green"."""
        kind = vo.kind_name(self.words, cr.CARDS[card])
        return self.words("%(kind)s %(where)s", kind=kind, where=self.where(front))

    def island(self, place: int, count: int = 1) -> str:
        """An island inside a sentence, with how many pieces if several."""
        number = place - ev.ISLAND_PLACE + 1
        if count > 1:
            return self.words("island %(number)s (%(count)s)", number=number, count=count)
        return self.words("island %(number)s", number=number)

    # Cards and natives on them

    def card_played(self, event: Event) -> None:
        """Who plays what in front of whom."""
        where = self.where(event.extra, event.whose)
        if event.piece == UNKNOWN:
            self.say("%(name)s plays a card face down %(where)s.", event.whose, where=where)
            return
        up, down = texts("%(name)s plays %(card)s %(where)s.", "%(name)s plays %(card)s face down %(where)s.")
        text = up if event.what == ev.CARD_PLAYED else down
        self.say(text, event.whose, card=self.card(event.piece), where=where)

    def native_on_card(self, event: Event) -> None:
        """Who puts a native on which card, told apart from the others by what everyone could see then."""
        played = self.table.get(event.target, Event(ev.CARD_HIDDEN, extra=UNKNOWN))
        where = self.where(played.extra, played.whose)
        if played.what == ev.CARD_PLAYED:
            said = self.lying(played.piece, played.extra)
        elif played.whose == UNKNOWN:
            said = self.words("the hidden card %(where)s", where=where)
        else:
            hider = self.names[played.whose]
            said = self.words("the card hidden by %(name)s %(where)s", name=hider, where=where)
        self.say("%(name)s puts a native on %(card)s.", event.whose, card=said)

    # The Shaman's turn, and revealing

    def condition_turned(self, event: Event) -> None:
        """What the Shaman turns over and what shows now."""
        self.faces[event.piece] = event.target
        self.say(
            "%(name)s turns over %(condition)s: %(faces)s.",
            event.whose,
            condition=self.words(vo.CONDITIONS[cr.CONDITIONS[event.piece]]),
            faces=vo.conditions_name(self.words, [cr.BACKGROUNDS[face] for face in self.faces]),
        )

    def cards_revealed(self, first: Event) -> None:
        """The hidden cards, a line for each player in front of whom they lay."""
        fronts: dict[int, list[str]] = {}
        for event in self.run(first, lambda event: event.what == ev.CARD_REVEALED):
            fronts.setdefault(event.whose, []).append(self.card(event.piece))
        for front, cards in fronts.items():
            self.say(
                "Turned up %(where)s: %(cards)s.",
                front,
                where=self.where(front),
                cards=self.words.both(cards),
            )

    def cards_inactive(self, first: Event) -> None:
        """The dead cards: one line for a player's cards without natives, one for each card with some."""
        owners: dict[int, list[str]] = {}
        cards: dict[int, tuple[str, int]] = {}
        for event in self.run(first, self.is_inactive):
            if event.what == ev.CARD_INACTIVE:
                owners[event.origin] = []
                cards[event.origin] = (vo.kind_name(self.words, cr.CARDS[event.piece]), event.whose)
            else:
                owners[event.origin].append(self.names[event.piece])
        lying: dict[int, list[str]] = {}
        for place, (card, front) in cards.items():
            if not owners[place]:
                lying.setdefault(front, []).append(card)
        for place, (card, front) in cards.items():
            if owners[place]:
                self.natives_leave(card, front, owners[place])
            elif front in lying:
                dead = lying.pop(front)
                self.say_plural(
                    "%(cards)s %(where)s is dead.",
                    "%(cards)s %(where)s are dead.",
                    len(dead),
                    front,
                    cards=self.words.both(dead),
                    where=self.where(front),
                )

    def is_inactive(self, event: Event) -> bool:
        """Whether the event belongs to the discarding of inactive cards."""
        goes_home = event.what == ev.NATIVE_MOVED and event.whose == UNKNOWN and ev.is_card(event.origin)
        return event.what == ev.CARD_INACTIVE or goes_home

    def natives_leave(self, card: str, front: int, owners: Sequence[str]) -> None:
        """An inactive card with natives on it."""
        one, several = texts(
            "%(card)s %(where)s is dead, the native of %(owner)s goes home.",
            "%(card)s %(where)s is dead, the natives of %(owner)s go home.",
        )
        text = one if len(owners) == 1 else several
        self.say(text, front, card=card, where=self.where(front), owner=self.words.both(owners))

    # Resolving

    def card_begun(self, event: Event) -> None:
        """A card takes effect."""
        self.begun = True
        card = self.lying(event.piece, event.whose)
        self.say("%(card)s takes effect.", event.whose, card=card)

    def card_applied(self, event: Event) -> None:
        """A native copies the card, or nothing can be done with it."""
        first, self.begun = self.begun, False
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
        if ev.is_card(event.target):
            self.native_on_card(event)
        elif event.target == ev.HELD_PLACE:
            self.piece_taken(event)
        elif event.origin == ev.HELD_PLACE:
            target = self.island(event.target)
            self.say("%(name)s puts it down on %(target)s.", event.whose, target=target)
        elif ev.is_island(event.target):
            count, islands = self.natives_moved(event, "target")
            self.say_plural(
                "%(name)s places a native on %(islands)s.",
                "%(name)s places %(num)s natives on %(islands)s.",
                count,
                event.whose,
                islands=islands,
            )
        else:
            count, islands = self.natives_moved(event, "origin")
            self.say_plural(
                "%(name)s takes a native home from %(islands)s.",
                "%(name)s takes %(num)s natives home from %(islands)s.",
                count,
                event.whose,
                islands=islands,
            )

    def natives_moved(self, first: Event, end: str) -> tuple[int, str]:
        """How many natives a player moves to or from islands, and which these are: "island 1 (2) and island 4"."""
        moved = self.run(
            first,
            lambda event: (
                (event.what, event.whose) == (first.what, first.whose) and ev.is_island(getattr(event, end))
            ),
        )
        counts = sorted(Counter(getattr(event, end) for event in moved).items())
        return len(moved), self.words.both([self.island(place, count) for place, count in counts])

    def piece_taken(self, event: Event) -> None:
        """A piece is taken up and, if that is known already, put down."""
        values = {"origin": self.island(event.origin)}
        if event.what == ev.TREASURE_MOVED:
            moved, taken = MOVED_TREASURE
        elif event.whose == event.piece:
            moved, taken = MOVED_OWN
        else:
            moved, taken = MOVED_NATIVE
            values["owner"] = self.names[event.piece]
        steps = self.run(event, lambda later: later.what == event.what and later.origin == ev.HELD_PLACE)
        if len(steps) > 1:
            self.say(moved, event.whose, target=self.island(steps[1].target), **values)
        else:
            self.say(taken, event.whose, **values)

    # Collecting, and the next round

    def collected(self, first: Event) -> None:
        """Island by island who argues and who takes a treasure; islands with the same outcome in one line."""
        argued: dict[int, int] = {}
        takers: dict[int, int] = {}
        for event in self.run(first, self.is_collection):
            if event.what == ev.ARGUED:
                argued[event.origin] = event.piece
            elif event.what == ev.COLLECTED:
                takers[event.origin] = event.whose
        outcomes: dict[tuple[int, int | None], list[str]] = {}
        for place in sorted(argued.keys() | takers.keys()):
            number = str(place - ev.ISLAND_PLACE + 1)
            outcomes.setdefault((argued.get(place, 0), takers.get(place)), []).append(number)
        counts = Counter(takers[place] for place in sorted(takers))
        taken = [f"{self.names[seat]} {count}" for seat, count in sorted(counts.items())]
        if taken:
            self.say("Treasures collected: %(treasures)s.", treasures=self.words.both(taken))
        else:
            self.say("Nobody collects a treasure.")
        for (arguing, taker), islands in outcomes.items():
            self.island_collected(islands, arguing, taker)

    def is_collection(self, event: Event) -> bool:
        """Whether the event belongs to the collecting of treasures."""
        moved = event.what in (ev.TREASURE_MOVED, ev.NATIVE_MOVED) and event.whose == UNKNOWN
        return moved or event.what in (ev.ARGUED, ev.COLLECTED)

    def island_collected(self, islands: Sequence[str], arguing: int, taker: int | None) -> None:
        """How the collecting went on islands where it went alike."""
        where = self.words("Islands %(numbers)s", numbers=self.words.both(islands))
        if len(islands) == 1:
            where = self.words("Island %(number)s", number=islands[0])
        names = self.words.both([self.names[seat] for seat in seats_in(arguing)])
        if taker is None:
            self.say("%(where)s: %(names)s argue.", where=where, names=names)
        elif arguing:
            self.say_plural(
                "%(where)s: %(names)s argue, %(name)s takes a treasure.",
                "%(where)s: %(names)s argue, %(name)s takes %(num)s treasures.",
                len(islands),
                taker,
                where=where,
                names=names,
            )
        else:
            self.say_plural(
                "%(where)s: %(name)s takes a treasure.",
                "%(where)s: %(name)s takes %(num)s treasures.",
                len(islands),
                taker,
                where=where,
            )

    def shaman_next(self, event: Event) -> None:
        """Who becomes the Shaman, and why."""
        self.say_plural(
            "%(name)s, with %(num)s treasure in this round, becomes the Shaman.",
            "%(name)s, with %(num)s treasures in this round, becomes the Shaman.",
            event.extra,
            event.whose,
        )

    def cards_drawn(self, first: Event) -> None:
        """How many cards everyone draws, and which, as far as that is known."""
        hands: dict[int, list[int]] = {}
        for event in self.run(first, lambda event: event.what == ev.CARD_DRAWN):
            hands.setdefault(event.whose, []).append(event.piece)
        counts = {len(cards) for cards in hands.values()}
        if len(counts) == 1 and len(hands) == len(self.names):
            self.say_plural("Everyone draws %(num)s card.", "Everyone draws %(num)s cards.", counts.pop())
        else:
            self.say("Cards are drawn.")
        for seat, cards in hands.items():
            if UNKNOWN not in cards:
                drawn = self.words.both([self.card(card) for card in cards])
                self.say("%(name)s draws %(cards)s.", seat, cards=drawn)


TELLERS: Mapping[int, Callable[[Chronicle, Event], None]] = {
    ev.NATIVE_MOVED: Chronicle.piece_moved,
    ev.TREASURE_MOVED: Chronicle.piece_moved,
    ev.CARD_PLAYED: Chronicle.card_played,
    ev.CARD_HIDDEN: Chronicle.card_played,
    ev.CONDITION_TURNED: Chronicle.condition_turned,
    ev.CARD_REVEALED: Chronicle.cards_revealed,
    ev.CARD_INACTIVE: Chronicle.cards_inactive,
    ev.CARD_BEGUN: Chronicle.card_begun,
    ev.CARD_APPLIED: Chronicle.card_applied,
    ev.ARGUED: Chronicle.collected,
    ev.COLLECTED: Chronicle.collected,
    ev.SHAMAN_NEXT: Chronicle.shaman_next,
    ev.CARD_DRAWN: Chronicle.cards_drawn,
}
"""What tells each kind of event; the others say their declared sentence, or nothing."""

OPENS: Mapping[int, frozenset[int]] = {
    ev.CONDITION_TURNED: frozenset({ev.CARD_REVEALED, ev.CARD_INACTIVE, ev.CARD_DISCARDED}),
    ev.CARD_BEGUN: frozenset({ev.CARD_APPLIED, ev.NATIVE_MOVED, ev.TREASURE_MOVED, ev.CARD_DONE}),
    ev.ARGUED: frozenset({ev.ARGUED, ev.COLLECTED}),
    ev.COLLECTED: frozenset({ev.ARGUED, ev.COLLECTED}),
    ev.CARD_DRAWN: frozenset({ev.CARD_DRAWN}),
}
"""The kinds of events that come of an event, and stand below its line."""

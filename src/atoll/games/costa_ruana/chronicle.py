"""What happened, told as a person at the table would tell it: events become lines of the log."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from atoll.core.game import Json, Line
from atoll.core.state import UNKNOWN
from atoll.core.words import Words
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.vocabulary import (
    capital,
    card_name,
    condition_name,
    conditions_name,
    in_front,
    islands_name,
    kind_name,
)

if TYPE_CHECKING:
    from atoll.core.events import Event


def tell(words: Words, names: Sequence[str], events: "Sequence[Event]", view: Json) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    rounds = rounds_of(events)
    faces = faces_before(events, view)
    lines: list[Line] = []
    for happened in rounds:
        table = table_of(happened, view["table"] if happened is rounds[-1] else ())
        lines += Chronicle(words, names, happened, table, faces).tell()
    return lines


@dataclass
class TableCard:
    """What the log knows of a card on the table; None is unknown."""

    card: str | None = None
    front: int | None = None
    player: int | None = None
    hidden: bool = False


def rounds_of(events: "Sequence[Event]") -> "list[list[Event]]":
    """The events cut where a round begins: from there the table's cards count anew."""
    rounds: list[list[Event]] = [[]]
    for event in events:
        rounds[-1].append(event)
        if event.what == cr.ROUND_BEGUN:
            rounds.append([])
    return rounds


def table_of(events: "Sequence[Event]", view_table: Sequence[Json]) -> dict[int, TableCard]:
    """A round's cards by their index on the table, from the view after its events and from the events."""
    table = {
        index: TableCard(entry["card"], entry["in_front_of"], entry["played_by"], entry["face"] == "down")
        for index, entry in enumerate(view_table)
    }
    for event in events:
        if event.what == cr.CARD_PLAYED:
            card = table.setdefault(event.target - cr.CARD_PLACE, TableCard())
            card.player, card.hidden = event.whose, not event.extra
            if event.piece != UNKNOWN:
                card.card = cr.CARDS[event.piece]
        elif event.what in (cr.CARD_REVEALED, cr.CARD_INACTIVE, cr.CARD_BEGUN):
            card = table.setdefault(event.origin - cr.CARD_PLACE, TableCard())
            card.card, card.front = cr.CARDS[event.piece], event.whose
            card.hidden = card.hidden or event.what == cr.CARD_REVEALED
    return table


def faces_before(events: "Sequence[Event]", view: Json) -> dict[int, str]:
    """The faces that the two condition cards showed before the events."""
    faces = {cr.TIDE: f"{view['tide']} tide", cr.TIME: view["time"]}
    for event in reversed(events):
        if event.what == cr.CONDITION_TURNED:
            faces[event.piece] = cr.BACKGROUNDS[event.origin]
    return faces


def is_island(place: int) -> bool:
    """Whether the place is an island."""
    return cr.ISLAND_PLACE <= place < cr.ISLAND_PLACE + cr.MAX_ISLANDS


def is_card(place: int) -> bool:
    """Whether the place is a card on the table."""
    return cr.CARD_PLACE <= place < cr.CARD_PLACE + cr.TABLE_CARDS


class Chronicle:
    """Tells the events of one round, one thing that happened after another.

    `faces` is changed as condition cards are turned, so that the next round goes on from there.
    """

    def __init__(
        self,
        words: Words,
        names: Sequence[str],
        events: "Sequence[Event]",
        table: dict[int, TableCard],
        faces: dict[int, str],
    ) -> None:
        self.words = words
        self.names = names
        self.events = events
        self.table = table
        self.faces = faces
        self.at = 0
        self.begun = False  # a card's effect has begun and has not yet been applied to anyone
        self.lines: list[Line] = []

    def tell(self) -> list[Line]:
        """All lines, in the order of the events."""
        while self.at < len(self.events):
            TELLERS.get(self.events[self.at].what, Chronicle.next)(self)
        return self.lines

    def say(self, text: str, seat: int | None = None) -> None:
        """Add a line."""
        self.lines.append(Line(text, seat))

    def next(self) -> "Event":
        """The event at hand; the next one is at hand then."""
        self.at += 1
        return self.events[self.at - 1]

    def run(self, belongs: "Callable[[Event], bool]") -> "list[Event]":
        """The events from the one at hand on, as long as they belong."""
        found = []
        while self.at < len(self.events) and belongs(self.events[self.at]):
            found.append(self.next())
        return found

    # Cards and natives on them

    def card_played(self) -> None:
        """Who plays what in front of whom."""
        event = self.next()
        values = {
            "name": self.names[event.whose],
            "where": self.where(self.table[event.target - cr.CARD_PLACE].front, event.whose),
        }
        if event.piece == UNKNOWN:
            text = self.words("%(name)s plays a card face down %(where)s.", **values)
        elif event.extra:
            values["card"] = card_name(self.words, cr.CARDS[event.piece])
            text = self.words("%(name)s plays %(card)s %(where)s.", **values)
        else:
            values["card"] = card_name(self.words, cr.CARDS[event.piece])
            text = self.words("%(name)s plays %(card)s face down %(where)s.", **values)
        self.say(text, event.whose)

    def where(self, front: int | None, player: int | None = None) -> str:
        """In front of whom a card lies, said in a sentence about `player`."""
        if front is None:
            return self.words("on the table")
        if front == player:
            return self.words("in front of themselves")
        return in_front(self.words, self.names, front)

    def native_on_card(self, event: "Event") -> None:
        """Who puts a native on which card."""
        card = self.table.get(event.target - cr.CARD_PLACE, TableCard())
        self.say(
            self.words(
                "%(name)s puts a native on %(card)s.",
                name=self.names[event.whose],
                card=self.card_phrase(card),
            ),
            event.whose,
        )

    def card_phrase(self, card: TableCard) -> str:
        """A card on the table, told apart from the others by what everyone could see then."""
        if card.card is not None and not card.hidden:
            return self.lying(card.card, card.front)
        if card.player is None:
            return self.words("the hidden card %(where)s", where=self.where(card.front))
        return self.words(
            "the card hidden by %(name)s %(where)s",
            name=self.names[card.player],
            where=self.where(card.front, card.player),
        )

    def lying(self, card: str, front: int | None) -> str:
        """A card that everyone sees: "Place 3 in front of Green"."""
        return self.words("%(kind)s %(where)s", kind=kind_name(self.words, card), where=self.where(front))

    def native_kept(self) -> None:
        """Who puts no native on a card."""
        whose = self.next().whose
        self.say(self.words("%(name)s puts no native on a card.", name=self.names[whose]), whose)

    # The Shaman's turn, and revealing

    def condition_turned(self) -> None:
        """What the Shaman turns over and what shows now."""
        event = self.next()
        self.faces[event.piece] = cr.BACKGROUNDS[event.target]
        self.say(
            self.words(
                "%(name)s turns over %(condition)s. %(faces)s.",
                name=self.names[event.whose],
                condition=condition_name(self.words, cr.CONDITIONS[event.piece]),
                faces=capital(conditions_name(self.words, self.faces[cr.TIDE], self.faces[cr.TIME])),
            ),
            event.whose,
        )

    def cards_revealed(self) -> None:
        """The hidden cards, a line for each player in front of whom they lay."""
        fronts: dict[int, list[str]] = {}
        for event in self.run(lambda event: event.what == cr.CARD_REVEALED):
            fronts.setdefault(event.whose, []).append(card_name(self.words, cr.CARDS[event.piece]))
        for front, cards in fronts.items():
            self.say(
                self.words(
                    "Turned up %(where)s: %(cards)s.",
                    where=self.where(front),
                    cards=self.words.both(cards),
                ),
                front,
            )

    def cards_inactive(self) -> None:
        """The dead cards: one line for a player's cards without natives, one for each card with some."""
        lying: dict[int, list[str]] = {}
        left: dict[tuple[int, str, int], list[str]] = {}
        for event in self.run(self.is_inactive):
            if event.what == cr.CARD_INACTIVE:
                card = kind_name(self.words, cr.CARDS[event.piece])
                left[event.origin, card, event.whose] = []
            else:
                left[next(key for key in left if key[0] == event.origin)].append(self.names[event.piece])
        for (_, card, front), owners in left.items():
            if not owners:
                lying.setdefault(front, []).append(card)
        for (_, card, front), owners in left.items():
            if owners:
                self.native_leaves(card, front, owners)
            elif front in lying:
                self.cards_die(lying.pop(front), front)

    def is_inactive(self, event: "Event") -> bool:
        """Whether the event belongs to the discarding of inactive cards."""
        return event.what == cr.CARD_INACTIVE or (
            event.what == cr.NATIVE_MOVED and event.whose == UNKNOWN and is_card(event.origin)
        )

    def cards_die(self, cards: Sequence[str], front: int) -> None:
        """Inactive cards in front of one player."""
        self.say(
            self.words.plural(
                "%(cards)s %(where)s is dead.",
                "%(cards)s %(where)s are dead.",
                len(cards),
                cards=self.words.both(cards),
                where=self.where(front),
            ),
            front,
        )

    def native_leaves(self, card: str, front: int, owners: Sequence[str]) -> None:
        """An inactive card with natives on it."""
        values = {"card": card, "where": self.where(front)}
        if len(owners) == 1:
            text = self.words(
                "%(card)s %(where)s is dead, %(name)s’s native goes home.", name=owners[0], **values
            )
        else:
            text = self.words(
                "%(card)s %(where)s is dead, the natives of %(names)s go home.",
                names=self.words.both(owners),
                **values,
            )
        self.say(text, front)

    # Resolving

    def card_begun(self) -> None:
        """A card takes effect."""
        event = self.next()
        self.begun = True
        card = self.lying(cr.CARDS[event.piece], event.whose)
        self.say(self.words("%(card)s takes effect.", card=card), event.whose)

    def card_applied(self) -> None:
        """A native copies the card, or nothing can be done with it."""
        event = self.next()
        name = self.names[event.whose]
        copied, self.begun = not self.begun, False
        if copied and event.extra:
            self.say(self.words("%(name)s’s native copies it.", name=name), event.whose)
        elif copied:
            self.say(self.words("%(name)s’s native copies it in vain.", name=name), event.whose)
        elif not event.extra:
            self.say(self.words("%(name)s can do nothing with it.", name=name), event.whose)

    def native_moved(self) -> None:
        """A native put on a card, placed, returned, taken up or put down; going home is not told."""
        event = self.events[self.at]
        if event.whose == UNKNOWN:
            self.next()
        elif is_card(event.target):
            self.native_on_card(self.next())
        elif event.target == cr.HELD_PLACE:
            self.native_taken()
        elif event.origin == cr.HELD_PLACE:
            self.native_dropped()
        elif is_island(event.target):
            self.natives_placed(event.whose)
        else:
            self.natives_returned(event.whose)

    def natives_placed(self, seat: int) -> None:
        """One or more natives go from a hut to islands."""
        moved = self.run(
            lambda event: event.what == cr.NATIVE_MOVED and event.whose == seat and is_island(event.target)
        )
        where = self.islands_list([event.target for event in moved])
        self.say(
            self.words.plural(
                "%(name)s places a native on %(islands)s.",
                "%(name)s places %(num)s natives on %(islands)s.",
                len(moved),
                name=self.names[seat],
                islands=where,
            ),
            seat,
        )

    def natives_returned(self, seat: int) -> None:
        """One or more natives are taken home from islands."""
        moved = self.run(
            lambda event: event.what == cr.NATIVE_MOVED and event.whose == seat and is_island(event.origin)
        )
        where = self.islands_list([event.origin for event in moved])
        self.say(
            self.words.plural(
                "%(name)s takes a native home from %(islands)s.",
                "%(name)s takes %(num)s natives home from %(islands)s.",
                len(moved),
                name=self.names[seat],
                islands=where,
            ),
            seat,
        )

    def islands_list(self, places: Sequence[int]) -> str:
        """Islands, each with how many pieces if several: "island 1 (2) and island 4"."""
        return self.words.both(
            [
                self.words("island %(number)s (%(count)s)", number=place - cr.ISLAND_PLACE + 1, count=count)
                if count > 1
                else self.island(place)
                for place, count in sorted(Counter(places).items())
            ]
        )

    def island(self, place: int) -> str:
        """An island inside a sentence."""
        return self.words("island %(number)s", number=place - cr.ISLAND_PLACE + 1)

    def native_taken(self) -> None:
        """A native is taken up and, if that is known already, put down."""
        taken = self.next()
        values = {
            "name": self.names[taken.whose],
            "owner": self.names[taken.piece],
            "origin": self.island(taken.origin),
        }
        own = taken.whose == taken.piece
        for dropped in self.put_down(taken):
            values["target"] = self.island(dropped.target)
            if own:
                text = self.words("%(name)s moves their own native from %(origin)s to %(target)s.", **values)
            else:
                text = self.words(
                    "%(name)s moves %(owner)s’s native from %(origin)s to %(target)s.", **values
                )
            self.say(text, taken.whose)
            return
        if own:
            text = self.words("%(name)s takes up their own native from %(origin)s.", **values)
        else:
            text = self.words("%(name)s takes up %(owner)s’s native from %(origin)s.", **values)
        self.say(text, taken.whose)

    def put_down(self, taken: "Event") -> "list[Event]":
        """The putting down that follows a taking up, if it has happened already."""
        if self.at == len(self.events):
            return []
        event = self.events[self.at]
        follows = event.what == taken.what and event.origin == cr.HELD_PLACE
        return [self.next()] if follows else []

    def native_dropped(self) -> None:
        """A native taken up earlier is put down."""
        event = self.next()
        target = self.island(event.target)
        self.say(
            self.words("%(name)s puts it down on %(target)s.", name=self.names[event.whose], target=target),
            event.whose,
        )

    def treasure_moved(self) -> None:
        """A treasure taken up or put down; nothing if it is collected, which was told."""
        event = self.next()
        if event.whose == UNKNOWN:
            return
        values = {"name": self.names[event.whose]}
        if event.origin == cr.HELD_PLACE:
            text = self.words(
                "%(name)s puts it down on %(target)s.", target=self.island(event.target), **values
            )
        elif dropped := self.put_down(event):
            text = self.words(
                "%(name)s moves a treasure from %(origin)s to %(target)s.",
                origin=self.island(event.origin),
                target=self.island(dropped[0].target),
                **values,
            )
        else:
            text = self.words(
                "%(name)s takes up a treasure from %(origin)s.", origin=self.island(event.origin), **values
            )
        self.say(text, event.whose)

    # Collecting

    def collection(self) -> None:
        """Island by island who argues and who takes a treasure; islands with the same outcome in one line."""
        argued: dict[int, tuple[int, ...]] = {}
        collected: dict[int, int] = {}
        for event in self.run(self.is_collection):
            if event.what == cr.ARGUED:
                argued[event.origin] = tuple(s for s in range(cr.MAX_PLAYERS) if event.piece >> s & 1)
            elif event.what == cr.COLLECTED:
                collected[event.origin] = event.whose
        outcomes: dict[tuple[tuple[int, ...], int | None], list[int]] = {}
        for place in sorted(argued.keys() | collected.keys()):
            outcome = (argued.get(place, ()), collected.get(place))
            outcomes.setdefault(outcome, []).append(place - cr.ISLAND_PLACE)
        for (arguing, taker), islands in outcomes.items():
            self.island_collected(islands, arguing, taker)

    def is_collection(self, event: "Event") -> bool:
        """Whether the event belongs to the collecting of treasures."""
        return event.what in (cr.ARGUED, cr.COLLECTED) or (
            event.what in (cr.TREASURE_MOVED, cr.NATIVE_MOVED) and event.whose == UNKNOWN
        )

    def island_collected(self, islands: Sequence[int], arguing: Sequence[int], taker: int | None) -> None:
        """How the collecting went on islands where it went alike."""
        where = islands_name(self.words, islands)
        who = self.words.both([self.names[seat] for seat in arguing])
        if taker is None:
            self.say(self.words("%(where)s: %(names)s argue.", where=where, names=who))
            return
        name = self.names[taker]
        if arguing:
            text = self.words.plural(
                "%(where)s: %(names)s argue, %(name)s takes a treasure.",
                "%(where)s: %(names)s argue, %(name)s takes %(num)s treasures.",
                len(islands),
                where=where,
                names=who,
                name=name,
            )
        else:
            text = self.words.plural(
                "%(where)s: %(name)s takes a treasure.",
                "%(where)s: %(name)s takes %(num)s treasures.",
                len(islands),
                where=where,
                name=name,
            )
        self.say(text, taker)

    # The next round

    def shaman_next(self) -> None:
        """Who becomes the Shaman, and why."""
        event = self.next()
        self.say(
            self.words.plural(
                "%(name)s, with %(num)s treasure in this round, becomes the Shaman.",
                "%(name)s, with %(num)s treasures in this round, becomes the Shaman.",
                event.extra,
                name=self.names[event.whose],
            ),
            event.whose,
        )

    def cards_drawn(self) -> None:
        """How many cards everyone draws, and which, as far as that is known."""
        hands: dict[int, list[int]] = {}
        for event in self.run(lambda event: event.what == cr.CARD_DRAWN):
            hands.setdefault(event.whose, []).append(event.piece)
        counts = {len(cards) for cards in hands.values()}
        if len(counts) == 1 and len(hands) == len(self.names):
            self.say(
                self.words.plural(
                    "Everyone draws %(num)s card.", "Everyone draws %(num)s cards.", counts.pop()
                )
            )
        for seat, cards in hands.items():
            if UNKNOWN not in cards:
                drawn = self.words.both([card_name(self.words, cr.CARDS[card]) for card in cards])
                self.say(self.words("%(name)s draws %(cards)s.", name=self.names[seat], cards=drawn), seat)

    def round_begun(self) -> None:
        """A new round."""
        self.say(self.words("Round %(round)s begins.", round=self.next().extra))

    def shaman_kept(self) -> None:
        """The new Shaman keeps the role."""
        whose = self.next().whose
        self.say(self.words("%(name)s keeps the role.", name=self.names[whose]), whose)

    def shaman_appointed(self) -> None:
        """The new Shaman hands the role on."""
        event = self.next()
        self.say(
            self.words(
                "%(name)s hands the Shaman to %(other)s.",
                name=self.names[event.whose],
                other=self.names[event.piece],
            ),
            event.whose,
        )

    def game_over(self) -> None:
        """The end."""
        self.next()
        self.say(self.words("The game is over: everyone lifts their hut."))


TELLERS: Mapping[int, Callable[[Chronicle], object]] = {
    cr.NATIVE_MOVED: Chronicle.native_moved,
    cr.TREASURE_MOVED: Chronicle.treasure_moved,
    cr.CARD_PLAYED: Chronicle.card_played,
    cr.NATIVE_KEPT: Chronicle.native_kept,
    cr.CONDITION_TURNED: Chronicle.condition_turned,
    cr.CARD_REVEALED: Chronicle.cards_revealed,
    cr.CARD_INACTIVE: Chronicle.cards_inactive,
    cr.CARD_BEGUN: Chronicle.card_begun,
    cr.CARD_APPLIED: Chronicle.card_applied,
    cr.ARGUED: Chronicle.collection,
    cr.COLLECTED: Chronicle.collection,
    cr.SHAMAN_NEXT: Chronicle.shaman_next,
    cr.CARD_DRAWN: Chronicle.cards_drawn,
    cr.ROUND_BEGUN: Chronicle.round_begun,
    cr.SHAMAN_KEPT: Chronicle.shaman_kept,
    cr.SHAMAN_APPOINTED: Chronicle.shaman_appointed,
    cr.GAME_OVER: Chronicle.game_over,
}
"""What tells each kind of event; the others go without saying."""

"""What happened, told as a person at the table would tell it: events become lines of the log."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from atoll.core.game import Json, Line
from atoll.core.state import UNKNOWN
from atoll.core.words import Words
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.effect_words import domain_name
from atoll.games.cast_away.notation import EVENT
from atoll.games.cast_away.vocabulary import (
    amount,
    amounts,
    boost_name,
    capital,
    design_name,
    event_name,
    meeple_text,
    miracle_name,
    prestige_text,
    tile_name,
)

if TYPE_CHECKING:
    from atoll.core.events import Event


def tell(words: Words, names: Sequence[str], events: "Sequence[Event]", view: Json) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    return Chronicle(words, names).tell(events)


def placement_text(words: Words, name: str, place: int) -> str:
    """What somebody does on a place of the board."""
    match ca.PLACES[place]:
        case "exploration bamboo":
            return words("%(name)s explores for bamboo", name=name)
        case "exploration liana":
            return words("%(name)s explores for lianas", name=name)
        case "exploration palm":
            return words("%(name)s explores for palm leaves", name=name)
        case "gathering":
            return words("%(name)s gathers fruit", name=name)
        case "water":
            return words("%(name)s draws water", name=name)
        case "fishing":
            return words("%(name)s fishes", name=name)
        case "prayer":
            return words("%(name)s prays", name=name)
        case "leisure":
            return words("%(name)s enjoys some leisure", name=name)
        case "rest":
            return words("%(name)s rests", name=name)
        case _:
            return words("%(name)s studies", name=name)


class Chronicle:
    """Tells events one after another: what a player does is a line, what comes of it is added to the line."""

    def __init__(self, words: Words, names: Sequence[str]) -> None:
        self.words = words
        self.names = names
        self.lines: list[Line] = []
        self.text: str | None = None  # of the line that is being written
        self.seat: int | None = None
        self.details: list[str] = []

    def tell(self, events: "Sequence[Event]") -> list[Line]:
        """All lines, in the order of the events."""
        for event in events:
            if event.what == ev.GAINED and event.origin == ev.COMPASS:
                self.begin(self.words("%(name)s takes from the compass", name=self.name(event)), event.whose)
            if event.what in DETAILS:
                detail = DETAILS[event.what](self, event)
                if detail:
                    if self.seat != event.whose or self.text is None:
                        self.begin(self.names[event.whose], event.whose)
                    self.details.append(detail)
            elif event.what in TELLERS:
                text = TELLERS[event.what](self, event)
                if text:
                    self.begin(text, event.whose if event.whose >= 0 else None)
        self.finish()
        return self.lines

    def begin(self, text: str, seat: int | None) -> None:
        """Begin a line; what was being written is finished."""
        self.finish()
        self.text, self.seat = text, seat

    def finish(self) -> None:
        """Put the line that is being written among the others."""
        if self.text is not None:
            text = self.text
            if self.details:
                text = self.words("%(what)s: %(details)s", what=text, details=", ".join(self.details))
            self.lines.append(Line(f"{text}.", self.seat))
        self.text, self.seat, self.details = None, None, []

    def name(self, event: "Event") -> str:
        """Whom the event is about."""
        return self.names[event.whose]

    # What a player does

    def meeple_placed(self, event: "Event") -> str | None:
        """A placement, by its place; what is built and solved is told when it is."""
        if event.target in (ca.CONSTRUCTION_PLACE, ca.MYSTERY_PLACE, ca.EVENT_PLACE):
            return None
        if event.target >= ca.TILE_PLACE:
            return self.tile_used(event)
        text = placement_text(self.words, self.name(event), event.target)
        return text + meeple_text(self.words, ca.MEEPLES[event.piece])

    def tile_used(self, event: "Event") -> str:
        """A construction is used."""
        values = {"name": self.name(event), "tile": tile_name(self.words, event.target - ca.TILE_PLACE + 1)}
        if event.extra == event.whose:
            text = self.words("%(name)s uses %(tile)s", **values)
        else:
            text = self.words("%(name)s uses %(tile)s of %(owner)s", owner=self.names[event.extra], **values)
        return text + meeple_text(self.words, ca.MEEPLES[event.piece])

    def boost_taken(self, event: "Event") -> str:
        """A start boost."""
        return self.words(
            "%(name)s takes the boost “%(boost)s”",
            name=self.name(event),
            boost=boost_name(self.words, ca.BOOSTS[event.piece]),
        )

    def compass_placed(self, event: "Event") -> str:
        """The compass marker."""
        return self.words(
            "%(name)s places the compass marker on %(position)s",
            name=self.name(event),
            position=event.target + 1,
        )

    def tribe_met(self, event: "Event") -> str:
        """A meeple goes above the candle."""
        return self.words("%(name)s meets the tribe", name=self.name(event))

    def tribe_left(self, event: "Event") -> str:
        """A white meeple goes back."""
        return self.words("%(name)s sends a white meeple back", name=self.name(event))

    def tile_built(self, event: "Event") -> str:
        """A construction is built."""
        return self.words(
            "%(name)s builds %(tile)s", name=self.name(event), tile=tile_name(self.words, event.piece + 1)
        )

    def mystery_taken(self, event: "Event") -> str:
        """A tile of the mystery."""
        storey, design = divmod(event.piece, ca.MAX_DESIGNS)
        return self.words(
            "%(name)s takes %(tile)s of the mystery",
            name=self.name(event),
            tile=design_name(self.words, storey + 1, design),
        )

    def event_taken(self, event: "Event") -> str:
        """The round's card."""
        return self.words(
            "%(name)s takes the event %(event)s", name=self.name(event), event=self.card(event.piece)
        )

    def card(self, card: int) -> str:
        """An event card by its name."""
        return event_name(self.words, str(EVENT.say(card)))

    def favour_taken(self, event: "Event") -> str:
        """A favour."""
        return self.words(
            "%(name)s takes favour %(step)s", name=self.name(event), step=ca.STEPS[event.piece - 1]
        )

    def first_chosen(self, event: "Event") -> str | None:
        """Event 8."""
        if not event.extra:
            return None
        return self.words("%(name)s chooses first", name=self.name(event))

    # What comes of it

    def gained(self, event: "Event") -> str:
        """Resources."""
        return f"+{amount(self.words, ca.RESOURCES[event.piece], event.extra)}"

    def spent(self, event: "Event") -> str:
        """Resources."""
        return f"−{amount(self.words, ca.RESOURCES[event.piece], event.extra)}"

    def scored(self, event: "Event") -> str:
        """Prestige."""
        sign = "+" if event.extra > 0 else "−"
        return f"{sign}{prestige_text(self.words, abs(event.extra))}"

    def happier(self, event: "Event") -> str:
        """Happiness."""
        return self.words("happiness %(points)s", points=event.target)

    def level_gained(self, event: "Event") -> str:
        """A level of experience."""
        return self.words(
            "%(domain)s %(level)s",
            domain=domain_name(self.words, ca.DOMAINS[event.piece]),
            level=event.target,
        )

    def favour_moved(self, event: "Event") -> str | None:
        """A step up; going back below A goes without saying."""
        if event.target <= event.origin:
            return None
        return self.words("up to step %(step)s", step=ca.STEPS[event.target - 1])

    def miracle_taken(self, event: "Event") -> str:
        """A miracle."""
        return self.words("miracle of %(name)s", name=miracle_name(self.words, ca.MIRACLES[event.piece]))

    def event_used(self, event: "Event") -> str:
        """A card that is used once."""
        return self.words("uses %(event)s", event=self.card(event.piece))

    def event_seen(self, event: "Event") -> str:
        """A card that was looked at, named only to who did."""
        if event.piece == UNKNOWN:
            return self.words("looks at an event to come")
        return self.words("sees %(event)s", event=self.card(event.piece))

    def fish_drawn(self, event: "Event") -> str | None:
        """A fishing card that is doubled; what it gives is told by itself."""
        return self.words("catch doubled") if event.extra else None

    # The round

    def event_turned(self, event: "Event") -> str:
        """The round's event."""
        return self.words("The event is %(event)s", event=self.card(event.piece))

    def lot_added(self, event: "Event") -> str:
        """Resources on the compass."""
        lot = amount(self.words, ca.RESOURCES[event.piece], event.extra)
        self.details.append(lot)
        return ""

    def fed(self, event: "Event") -> str:
        """A meal; what is spent is told by itself."""
        return self.words("%(name)s feeds", name=self.name(event))

    def not_fed(self, event: "Event") -> str:
        """A meal that fails."""
        return self.words("%(name)s cannot feed", name=self.name(event))

    def health_changed(self, event: "Event") -> str:
        """Another level of health."""
        return self.words("health %(level)s", level=event.target)

    def meeples_changed(self, event: "Event") -> str:
        """Meeples gained or lost."""
        if event.extra < 0:
            return self.words.plural("loses %(num)s meeple", "loses %(num)s meeples", -event.extra)
        return self.words.plural("gains %(num)s meeple", "gains %(num)s meeples", event.extra)

    def meeple_called(self, event: "Event") -> str:
        """A meeple comes back from above the candle."""
        return self.words("one comes back from above the candle")

    def fish_lost(self, event: "Event") -> str:
        """Fish above the limit."""
        return self.words(
            "%(name)s loses %(fish)s",
            name=self.name(event),
            fish=amounts(self.words, {"fish": event.extra}),
        )

    def majority(self, event: "Event") -> str:
        """Most meeples above the candle."""
        if event.whose == ca.NOBODY:
            return self.words("Nobody has the majority above the candle")
        return self.words("%(name)s has the majority above the candle", name=self.name(event))

    def round_begun(self, event: "Event") -> str:
        """A new round."""
        return self.words("Round %(round)s begins", round=event.extra)

    def last_round(self, event: "Event") -> str:
        """Why the game ends."""
        if event.whose == ca.NOBODY:
            return self.words("The ship is in sight: this is the last round")
        return capital(
            self.words("%(name)s has covered the last slot: this is the last round", name=self.name(event))
        )

    def game_over(self, event: "Event") -> str:
        """The end."""
        return self.words("The game is over")


TELLERS: Mapping[int, Callable[[Chronicle, "Event"], str | None]] = {
    ev.BOOST_TAKEN: Chronicle.boost_taken,
    ev.MEEPLE_PLACED: Chronicle.meeple_placed,
    ev.COMPASS_PLACED: Chronicle.compass_placed,
    ev.TRIBE_MET: Chronicle.tribe_met,
    ev.TRIBE_LEFT: Chronicle.tribe_left,
    ev.TILE_BUILT: Chronicle.tile_built,
    ev.MYSTERY_TAKEN: Chronicle.mystery_taken,
    ev.EVENT_TAKEN: Chronicle.event_taken,
    ev.FAVOUR_TAKEN: Chronicle.favour_taken,
    ev.FIRST_CHOSEN: Chronicle.first_chosen,
    ev.EVENT_TURNED: Chronicle.event_turned,
    ev.LOT_ADDED: Chronicle.lot_added,
    ev.FED: Chronicle.fed,
    ev.NOT_FED: Chronicle.not_fed,
    ev.FISH_LOST: Chronicle.fish_lost,
    ev.MAJORITY: Chronicle.majority,
    ev.ROUND_BEGUN: Chronicle.round_begun,
    ev.LAST_ROUND: Chronicle.last_round,
    ev.GAME_OVER: Chronicle.game_over,
}
"""What tells each kind of event that begins a line; what is in neither table goes without saying."""

DETAILS: Mapping[int, Callable[[Chronicle, "Event"], str | None]] = {
    ev.GAINED: Chronicle.gained,
    ev.SPENT: Chronicle.spent,
    ev.SCORED: Chronicle.scored,
    ev.HAPPIER: Chronicle.happier,
    ev.LEVEL_GAINED: Chronicle.level_gained,
    ev.FAVOUR_MOVED: Chronicle.favour_moved,
    ev.MIRACLE_TAKEN: Chronicle.miracle_taken,
    ev.EVENT_USED: Chronicle.event_used,
    ev.EVENT_SEEN: Chronicle.event_seen,
    ev.FISH_DRAWN: Chronicle.fish_drawn,
    ev.HEALTH_CHANGED: Chronicle.health_changed,
    ev.MEEPLES_CHANGED: Chronicle.meeples_changed,
    ev.MEEPLE_CALLED: Chronicle.meeple_called,
}
"""What tells each kind of event that is added to its player's line."""

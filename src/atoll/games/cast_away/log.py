"""The log: events become lines, or details of a line, as a person at the table would tell them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from atoll.core.events import Event, Things
from atoll.core.game import View
from atoll.core.game_translator import components_of
from atoll.core.state import UNKNOWN
from atoll.core.types import Line
from atoll.games.cast_away import events as ev
from atoll.games.cast_away import state as ca
from atoll.games.cast_away import vocabulary as vo
from atoll.games.cast_away.effect_words import PRESTIGE, domain_name, gettext
from atoll.text.translation import Translator, capital

EventText = Callable[[Translator, Sequence[str], Event], str | None]
"""The text of an event; None if the log leaves it out."""


def tell(translator: Translator, names: Sequence[str], events: Sequence[Event], view: View) -> list[Line]:
    """What the events of one or several moves in a row amount to; `view` is the position after them."""
    entries: list[Line] = []
    bonuses = 0  # effects of the slot that was covered last that are still to score
    built = ""
    for number, same in alike(events):
        event = same[-1]
        seat = event.whose if event.whose >= 0 else None
        if event.what == ev.GAINED and event.origin == ev.COMPASS:
            opening = translator("%(name)s takes from the compass", name=names[event.whose])
            entries.append(Line(f"{opening}.", seat, event=number))
        if event.what in (ev.TILE_BUILT, ev.MIRACLE_TAKEN):
            bonuses, built = slot_scores(translator, event.target), ""
            if event.what == ev.TILE_BUILT:
                built = THINGS["construction"](translator, event.piece)
        if event.what == ev.SCORED and event.piece == ev.FOR_EFFECT:
            text: str | None = score_text(
                translator, event, translator("slot bonus") if bonuses > 0 else built
            )
            bonuses -= 1
        elif event.what == ev.BOOST_TAKEN:
            text = boosts_text(translator, names, same)
        elif event.what == ev.EVENT_SEEN:
            text = events_text(translator, same)
        else:
            text = text_of(translator, names, event)
        if not text:
            continue
        is_detail = event.what in DETAILS and seat is not None
        if is_detail and (not entries or entries[-1].seat != seat):
            opening = translator("%(name)s receives", name=names[event.whose])
            entries.append(Line(f"{opening}.", seat, event=number))
        if is_detail or event.what == ev.LOT_ADDED:  # a lot stands with the event that was turned up
            last = entries[-1]
            entries[-1] = replace(last, effects=(*last.effects, Line(f"{capital(text)}.", last.seat)))
        else:
            entries.append(Line(f"{text}.", seat, event=number))
    return entries


def alike(events: Sequence[Event]) -> list[tuple[int, list[Event]]]:
    """Each event with its number; boosts taken and events looked at by one player stand together."""
    groups: list[tuple[int, list[Event]]] = []
    for number, event in enumerate(events):
        in_one_line = event.what in (ev.BOOST_TAKEN, ev.EVENT_SEEN)
        if in_one_line and groups and groups[-1][1][0][:2] == event[:2]:
            groups[-1][1].append(event)
        else:
            groups.append((number, [event]))
    return groups


def slot_scores(translator: Translator, slot: int) -> int:
    """How many of a slot's effects score; they come before those of the tile that covers it (CA-4)."""
    rows = vo.rows_of(components_of(translator), ca.SLOT_ROWS + slot)
    return sum(vo.WORD[row.word, row.target].name == "prestige" for row in rows)


def text_of(translator: Translator, names: Sequence[str], event: Event) -> str | None:
    """The text of an event: that of its kind's declaration, or of EVENT_TEXTS."""
    if event.what in EVENT_TEXTS:
        return EVENT_TEXTS[event.what](translator, names, event)
    line = ev.EVENTS.line(translator, names, event, THINGS)
    return line.text if line else None


# What a player does

PLACEMENTS = {
    "exploration bamboo": gettext("%(name)s explores for bamboo"),
    "exploration liana": gettext("%(name)s explores for lianas"),
    "exploration palm": gettext("%(name)s explores for palm leaves"),
    "gathering": gettext("%(name)s gathers fruit"),
    "water": gettext("%(name)s draws water"),
    "fishing": gettext("%(name)s fishes"),
    "prayer": gettext("%(name)s prays"),
    "leisure": gettext("%(name)s enjoys some leisure"),
    "rest": gettext("%(name)s rests"),
    "study": gettext("%(name)s studies"),
}
"""What somebody does on a place of the board; building, solving and taking have events of their own."""


def placement_text(translator: Translator, names: Sequence[str], event: Event) -> str | None:
    """A placement, by its place; or a construction that is used."""
    name, meeple = names[event.whose], vo.meeple_text(translator, ca.MEEPLES[event.piece])
    if event.target < ca.TILE_PLACE:
        text = PLACEMENTS.get(ca.PLACES[event.target])
        return text(translator, 0) % {"name": name} + meeple if text else None
    tile = vo.tile_name(translator, event.target - ca.TILE_PLACE + 1)
    if event.extra == event.whose:
        return translator("%(name)s uses %(tile)s", name=name, tile=tile) + meeple
    owner = names[event.extra]
    return translator("%(name)s uses %(tile)s of %(owner)s", name=name, tile=tile, owner=owner) + meeple


def events_text(translator: Translator, events: Sequence[Event]) -> str:
    """Cards that were looked at, named only to who did."""
    if UNKNOWN in (event.piece for event in events):
        return translator.plural("looks at an event to come", "looks at %(num)s events to come", len(events))
    return translator(
        "sees %(event)s",
        event=translator.both([THINGS["event card"](translator, event.piece) for event in events]),
    )


def boosts_text(translator: Translator, names: Sequence[str], events: Sequence[Event]) -> str:
    """The start boosts that somebody takes, whose effects come after both (CA-5)."""
    titles = [vo.boost_name(translator, ca.BOOSTS[event.piece]) for event in events]
    boosts = [translator("“%(boost)s”", boost=boost) for boost in titles]
    return translator.plural(
        "%(name)s takes the boost %(boosts)s",
        "%(name)s takes the boosts %(boosts)s",
        len(boosts),
        name=names[events[0].whose],
        boosts=translator.both(boosts),
    )


CAUSES = {
    ev.FOR_HAPPINESS: gettext("happiness %(reached)s"),
    ev.FOR_NEEDS: gettext("fed at health %(reached)s"),
    ev.FOR_HEALTH: gettext("health %(reached)s"),
    ev.FOR_EVENT: gettext("an event taken"),
}
"""What prestige is scored for; who pays, and who has the majority, stands in the line above."""


def score_text(translator: Translator, event: Event, cause: str) -> str:
    """Prestige, and what for."""
    prestige = f"{'+' if event.extra > 0 else '−'}{PRESTIGE(translator, abs(event.extra))}"
    return translator("%(what)s (%(cause)s)", what=prestige, cause=cause) if cause else prestige


def cause_of(translator: Translator, event: Event) -> str:
    """What prestige is scored for, if it is no effect of a card."""
    if event.piece >= ev.FOR_LEVEL:
        domain = domain_name(translator, ca.DOMAINS[event.piece - ev.FOR_LEVEL])
        return translator("%(piece)s %(target)s", piece=domain, target=event.target)
    cause = CAUSES.get(event.piece)
    return cause(translator, 0) % {"reached": event.target} if cause else ""


def resources(translator: Translator, event: Event) -> str:
    """The resources that an event is about."""
    return vo.amount(translator, ca.RESOURCES[event.piece], event.extra)


def meeples_text(translator: Translator, names: Sequence[str], event: Event) -> str:
    """Meeples gained or lost."""
    if event.extra < 0:
        return translator.plural("loses %(num)s meeple", "loses %(num)s meeples", -event.extra)
    return translator.plural("gains %(num)s meeple", "gains %(num)s meeples", event.extra)


THINGS: Things = {
    "construction": lambda words, tile: vo.tile_name(words, tile + 1),
    "design": lambda words, index: vo.design_name(words, index // ca.MAX_DESIGNS + 1, index % ca.MAX_DESIGNS),
    "domain": lambda words, domain: domain_name(words, ca.DOMAINS[domain]),
    "event card": lambda words, card: vo.event_name(words, str(ca.EventCardForm().say(card))),
    "favour": lambda words, step: ca.STEPS[step - 1],
    "fish": lambda words, count: vo.amount(words, "fish", count),
    "miracle": lambda words, miracle: vo.miracle_name(words, ca.MIRACLES[miracle]),
    "position": lambda words, position: position + 1,
}
"""What events are about, by name."""

EVENT_TEXTS: dict[int, EventText] = {
    ev.MEEPLE_PLACED: placement_text,
    ev.FIRST_CHOSEN: lambda words, names, event: (
        words("%(name)s chooses first", name=names[event.whose]) if event.extra else None
    ),
    ev.LOT_ADDED: lambda words, names, event: resources(words, event),
    # What comes of it
    ev.GAINED: lambda words, names, event: f"+{resources(words, event)}",
    ev.SPENT: lambda words, names, event: f"−{resources(words, event)}",
    ev.SCORED: lambda words, names, event: score_text(words, event, cause_of(words, event)),
    ev.FAVOUR_MOVED: lambda words, names, event: (
        words("up to step %(step)s", step=ca.STEPS[event.target - 1]) if event.target > event.origin else None
    ),
    ev.FISH_DRAWN: lambda words, names, event: words("catch doubled") if event.extra else None,
    ev.MEEPLES_CHANGED: meeples_text,
}
"""The texts of kinds of events whose sentence depends on their numbers."""

DETAILS = (
    *(ev.GAINED, ev.SPENT, ev.SCORED, ev.HAPPIER, ev.LEVEL_GAINED, ev.FAVOUR_MOVED, ev.MIRACLE_TAKEN),
    *(ev.EVENT_USED, ev.EVENT_SEEN, ev.FISH_DRAWN, ev.HEALTH_CHANGED, ev.MEEPLES_CHANGED, ev.MEEPLE_CALLED),
    ev.LAST_ROUND,
)
"""What is added to its player's line."""

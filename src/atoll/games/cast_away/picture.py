"""The table as a terminal shows it: Rich markup, at most 79 columns, seats marked by a sign as well as a colour."""

from collections.abc import Sequence

from rich.markup import escape

from atoll.core.events import grouped
from atoll.core.game import View
from atoll.games.cast_away import state as ca
from atoll.games.cast_away.outlook import seen_events
from atoll.games.cast_away.vocabulary import amounts, event_help, event_name, slot_text, tile_name
from atoll.text.console_drawing import columns, mark, turn_mark, wrapped
from atoll.text.translation import Translator, texts

NAME_LENGTH = 24
PLACES_IN_A_ROW = 2
PLACE_WIDTH = 38

PLACE_NAMES = (
    *texts("bamboo grove", "liana forest", "palm grove", "building site", "orchard", "spring"),
    *texts("fishing ground", "event", "place of prayer", "beach", "resting place", "study", "mystery"),
)
"""What the places of the board are called, in their order."""


def picture(translator: Translator, names: Sequence[str], view: View) -> str:
    """The position as whose view it is sees it."""
    lines = [*round_lines(translator, view), "", *place_lines(translator, view)]
    for seat in range(view.players):
        lines += ["", *player_lines(translator, names, view, seat)]
    return "\n".join(lines)


def wrapped_text(label: str, text: str) -> list[str]:
    """A text whose brackets are no markup, in lines."""
    return wrapped(label, escape(text).split(" "))


# The board


def round_lines(translator: Translator, view: View) -> list[str]:
    """The event, what lies on the compass, in stock and on the candle."""
    fields = view.fields
    lines = []
    if fields.event != ca.NOBODY:
        card = str(ca.EventCardForm().say(fields.event))
        what = " ".join(event_help(translator, card))
        lines += wrapped_text(
            "", translator("Event: %(event)s. %(what)s", event=event_name(translator, card), what=what)
        )
    if events := [event_name(translator, card) for card in seen_events(view)]:
        lines += wrapped_text("", translator("You know what comes: %(events)s", events=", ".join(events)))
    gifts = amounts(translator, fields.gifts)
    for text in (
        translator("Compass: %(lots)s", lots=amounts(translator, fields.lots)),
        translator("Stock: %(stock)s", stock=amounts(translator, fields.stock)),
        translator("Tribe: %(white)s white meeples; gifts: %(gifts)s", white=fields.white_left, gifts=gifts),
    ):
        lines += wrapped_text("", text)
    if own := "  ".join(f"{mark(seat)} {count}" for seat, count in enumerate(fields.candle) if count):
        lines.append(translator("Above the candle: %(meeples)s", meeples=own))
    return lines


def place_name(translator: Translator, place: int) -> str:
    """A place of the board, or a construction on which somebody stands."""
    if place >= ca.TILE_PLACE:
        return escape(tile_name(translator, place - ca.TILE_PLACE + 1))
    return translator(PLACE_NAMES[place])


def place_lines(translator: Translator, view: View) -> list[str]:
    """Who stands where, and the compass positions."""
    fields = view.fields
    arrivals = grouped(zip(fields.arrival_place[: fields.arrivals], fields.arrival_seat, strict=False))
    marks = [
        f"{place_name(translator, place)} {''.join(map(mark, seats))}" for place, seats in arrivals.items()
    ]
    positions = " ".join(
        f"{number} {'·' if seat == ca.NOBODY else mark(seat)}"
        for number, seat in enumerate(fields.markers[: view.players], start=1)
    )
    order = " ".join(mark(seat) for seat in fields.order[: view.players])
    lines = [
        translator("Order: %(order)s   Compass markers: %(positions)s", order=order, positions=positions)
    ]
    return lines + [row.rstrip() for row in columns(marks, PLACE_WIDTH, PLACES_IN_A_ROW, "  ")]


# Players


def player_lines(translator: Translator, names: Sequence[str], view: View, seat: int) -> list[str]:
    """A player: tracks, goods, experience, what is built."""
    fields = view.fields
    you = f" ({translator('you')})" if seat == view.viewer else ""
    tracks = translator(
        "prestige %(prestige)s, health %(health)s, happiness %(happiness)s, favour %(favour)s",
        prestige=fields.prestige[seat],
        health=fields.health[seat],
        happiness=fields.happiness[seat],
        favour=("–", *ca.STEPS)[fields.favour[seat]],
    )
    reserve = translator(
        "left: %(own)s own, %(white)s white", own=fields.left_own[seat], white=fields.left_white[seat]
    ) + (translator(", compass") if fields.left_compass[seat] else "")
    experience = translator(
        "fire %(fire)s, fishing %(fishing)s, nature %(nature)s, construction %(construction)s, "
        "faith %(faith)s, mystery %(mystery)s",
        **dict(zip(ca.DOMAINS, fields.experience[seat], strict=True)),
        mystery=sum(fields.mystery[seat]),
    )
    lines = [
        f"{turn_mark(view.to_act, seat)} {mark(seat)} [bold]{escape(names[seat][:NAME_LENGTH])}[/]{you}",
        *wrapped_text("   ", tracks),
        *wrapped_text("   ", f"{amounts(translator, fields.resources[seat])}; {reserve}"),
        *wrapped_text("   ", experience),
    ]
    built = [slot_text(translator, tile) for tile in fields.slots[seat][: fields.slot_count[seat]]]
    holdings = zip(fields.held_event, fields.held_by, strict=True)
    built += [
        event_name(translator, str(ca.EventCardForm().say(card)))
        for card, holder in holdings
        if holder == seat
    ]
    if built:
        *before, last = map(escape, built)
        lines += wrapped("   ", [*(f"{item}," for item in before), last])
    return lines

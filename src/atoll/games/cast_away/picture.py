"""The table as a terminal shows it: Rich markup, at most 79 columns, seats told by mark as by colour."""

from collections.abc import Sequence

from rich.markup import escape

from atoll.core.console_drawing import columns, mark, turn_mark, wrapped
from atoll.core.game import Json
from atoll.core.position import View
from atoll.core.words import Words
from atoll.games.cast_away.state import DOMAINS, RESOURCES
from atoll.games.cast_away.vocabulary import amounts, event_help, event_name, slot_text, tile_name

NAME_LENGTH = 24
PLACES_IN_A_ROW = 2
PLACE_WIDTH = 38


def picture(words: Words, names: Sequence[str], view: View) -> str:
    """The position as `seat`, or somebody who only watches, sees it."""
    seat = view.viewer
    lines = [*round_lines(words, view), ""]
    lines += place_lines(words, view)
    for player in range(len(view["players"])):
        lines += ["", *player_lines(words, names, view, player, seat)]
    return "\n".join(lines)


def words_in(text: str) -> list[str]:
    """The words of a text whose brackets are no markup."""
    return escape(text).split(" ")


# The board


def round_lines(words: Words, view: View) -> list[str]:
    """The event, what lies on the compass, in stock and on the candle."""
    lines = []
    if view["event"] is not None:
        what = " ".join(event_help(words, view["event"]))
        event = words("Event: %(event)s. %(what)s", event=event_name(words, view["event"]), what=what)
        lines += wrapped("", words_in(event))
    if view.get("seen"):
        seen = [event_name(words, card) for card in view["seen"]]
        lines += wrapped("", words_in(words("You know what comes: %(events)s", events=", ".join(seen))))
    candle = view["candle"]
    tribe = words(
        "Tribe: %(white)s white meeples; gifts: %(gifts)s",
        white=candle["white"],
        gifts=amounts(words, candle["gifts"]),
    )
    for text in (
        words("Compass: %(lots)s", lots=amounts(words, view["compass"]["lots"])),
        words("Stock: %(stock)s", stock=amounts(words, view["stock"])),
        tribe,
    ):
        lines += wrapped("", text.split(" "))
    own = "  ".join(f"{mark(seat)} {count}" for seat, count in enumerate(candle["own"]) if count)
    if own:
        lines.append(words("Above the candle: %(meeples)s", meeples=own))
    return lines


def place_name(words: Words, place: str) -> str:
    """A place of the board."""
    match place:
        case "exploration bamboo":
            return words("bamboo grove")
        case "exploration liana":
            return words("liana forest")
        case "exploration palm":
            return words("palm grove")
        case "construction":
            return words("building site")
        case "gathering":
            return words("orchard")
        case "water":
            return words("spring")
        case "fishing":
            return words("fishing ground")
        case "event":
            return words("event")
        case "prayer":
            return words("place of prayer")
        case "leisure":
            return words("beach")
        case "rest":
            return words("resting place")
        case "study":
            return words("study")
        case "mystery":
            return words("mystery")
        case _:
            return escape(tile_name(words, int(place.split()[1])))


def place_lines(words: Words, view: View) -> list[str]:
    """Who stands where, and the compass positions."""
    marks = [
        f"{place_name(words, place)} {''.join(mark(seat) for seat in seats)}"
        for place, seats in view["places"].items()
    ]
    positions = " ".join(
        f"{number} {'·' if seat is None else mark(seat)}"
        for number, seat in enumerate(view["compass"]["markers"], start=1)
    )
    order = " ".join(mark(seat) for seat in view["order"])
    lines = [words("Order: %(order)s   Compass markers: %(positions)s", order=order, positions=positions)]
    return lines + [row.rstrip() for row in columns(marks, PLACE_WIDTH, PLACES_IN_A_ROW, "  ")]


# Players


def player_lines(words: Words, names: Sequence[str], view: View, player: int, seat: int | None) -> list[str]:
    """A player: tracks, goods, experience, what is built."""
    state = view["players"][player]
    name = escape(names[player][:NAME_LENGTH])
    you = f" ({words('you')})" if player == seat else ""
    tracks = words(
        "prestige %(prestige)s, health %(health)s, happiness %(happiness)s, favour %(favour)s",
        prestige=state["prestige"],
        health=state["health"],
        happiness=state["happiness"],
        favour="–ABCDEFGH"[state["favour"]],
    )
    left = words(
        "left: %(own)s own, %(white)s white",
        own=state["left"]["own"],
        white=state["left"]["white"],
    ) + (words(", compass") if state["left"]["compass"] else "")
    held = {name: state["resources"][name] for name in RESOURCES}
    lines = [
        f"{turn_mark(view.to_act, player)} {mark(player)} [bold]{name}[/]{you}",
        *wrapped("   ", tracks.split(" ")),
        *wrapped("   ", f"{amounts(words, held)}; {left}".split(" ")),
        *wrapped("   ", experience_text(words, state).split(" ")),
    ]
    built = [slot_text(words, slot) for slot in state["slots"]]
    built += [event_name(words, card) for card in state["events"]]
    built = [escape(name) for name in built]
    if built:
        lines += wrapped("   ", [item + "," for item in built[:-1]] + built[-1:])
    return lines


def experience_text(words: Words, state: Json) -> str:
    """Levels of the domains, and tiles of the mystery."""
    levels = [state["experience"][domain] for domain in DOMAINS]
    return words(
        "fire %(fire)s, fishing %(fishing)s, nature %(nature)s, construction %(construction)s, "
        "faith %(faith)s, mystery %(mystery)s",
        **dict(zip(DOMAINS, levels, strict=True)),
        mystery=sum(sum(storey) for storey in state["mystery"]),
    )

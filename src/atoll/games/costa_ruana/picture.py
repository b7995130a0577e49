"""The table as a terminal shows it: Rich markup, at most 79 columns, seats told by mark as by colour."""

from collections.abc import Sequence

from rich.markup import escape

from atoll.core.console_drawing import columns, mark, padded, side_by_side, turn_mark
from atoll.core.game import Json
from atoll.core.position import View
from atoll.core.words import Words
from atoll.games.costa_ruana.collecting import Collection, collections
from atoll.games.costa_ruana.vocabulary import (
    SYMBOLS,
    background,
    card_name,
    split_card,
)

ISLANDS_IN_A_ROW = 4
ISLAND_WIDTH = 19
HAND_COLUMN = 38
NAME_LENGTH = 24


def picture(words: Words, names: Sequence[str], view: View) -> str:
    """The position as `seat`, or somebody who only watches, sees it."""
    seat = view.viewer
    lines = [conditions_line(words, view), "", *island_lines(words, view), ""]
    for player in range(len(view["players"])):
        lines += player_lines(words, names, view, player, seat)
    if seat is not None:
        lines += ["", *hand_lines(words, view["players"][seat]["hand"])]
    return "\n".join(lines)


def conditions_line(words: Words, view: View) -> str:
    """The visible condition faces."""
    faces = [f"{view['tide']} tide", view["time"]]
    shown = "   ".join(f"{SYMBOLS[face]} {background(words, face)}" for face in faces)
    return f"[reverse] {shown} [/]"


# Islands


def island_lines(words: Words, view: View) -> list[str]:
    """All islands as boxes in rows."""
    islands = zip(view["islands"], collections(view), strict=True)
    boxes = [island_box(words, number, *island) for number, island in enumerate(islands, start=1)]
    return [line for row in side_by_side(boxes, ISLAND_WIDTH, ISLANDS_IN_A_ROW) for line in row]


def island_box(words: Words, number: int, island: Json, result: Collection) -> list[str]:
    """An island: its number, its treasures, its natives and what collecting would do there now."""
    treasures = words.plural("%(num)s treasure", "%(num)s treasures", island["treasures"])
    gap = ISLAND_WIDTH - 4 - len(str(number)) - len(treasures)
    rule = f" {'─' * (gap - 2)} " if gap > 2 else " " * gap
    natives = " ".join(mark(seat, count) for seat, count in enumerate(island["natives"]) if count)
    verdict = island_verdict(words, result, island["treasures"])
    inner = ISLAND_WIDTH - 2
    return [
        f"╭ [bold]{number}[/]{rule}{treasures} ╮",
        f"│{padded(natives, inner)}│",
        f"│{padded(verdict, inner)}│",
        f"╰{'─' * inner}╯",
    ]


def island_verdict(words: Words, result: Collection, treasures: int) -> str:
    """Who would collect on the island now."""
    if result.collector is not None:
        return words("collects: %(mark)s", mark=mark(result.collector))
    return words("all argue") if treasures and result.arguing else ""


# Players


def player_lines(words: Words, names: Sequence[str], view: View, player: int, seat: int | None) -> list[str]:
    """A player: who it is, what they have, and the cards in front of them."""
    state = view["players"][player]
    hand = state["hand"]
    cards = hand if isinstance(hand, int) else len(hand)
    treasures = "?" if state["treasures"] is None else state["treasures"]
    roles = []
    if player == seat:
        roles.append(words("you"))
    if player == view["shaman"]:
        roles.append(words("the Shaman"))
    called = f"[bold]{escape(names[player][:NAME_LENGTH])}[/]" + (f" ({', '.join(roles)})" if roles else "")
    line = words(
        "%(player)s: natives %(natives)s, cards %(cards)s, treasures %(treasures)s",
        player=called,
        natives=state["supply"],
        cards=cards,
        treasures=treasures,
    )
    return [f"{turn_mark(view.to_act, player)} {mark(player)} {line}"] + [
        card_line(words, view, entry) for entry in view["table"] if entry["in_front_of"] == player
    ]


def card_line(words: Words, view: View, entry: Json) -> str:
    """A card in front of a player: what it is, who played it, the natives on it."""
    card = entry["card"]
    if card is None:
        name = "? " + words("hidden")
    elif entry["face"] == "down":
        name = words("%(card)s, hidden", card=card_with_symbol(words, card))
    else:
        name = card_with_symbol(words, card)
    player = words("by %(mark)s", mark=mark(entry["played_by"]))
    natives = " ".join(mark(owner) for owner in entry["natives"])
    line = f"      {padded(name, HAND_COLUMN)} {player}  {natives}".rstrip()
    if not entry["resolved"]:
        return line
    shows = split_card(card)[2] in (f"{view['tide']} tide", view["time"])
    end = words("done") if shows else words("dead")
    return f"[dim]{line}  {end}[/]"


def card_with_symbol(words: Words, card: str) -> str:
    """A card by its background's symbol and its name."""
    return f"{SYMBOLS[split_card(card)[2]]} {card_name(words, card)}"


def hand_lines(words: Words, hand: Sequence[str]) -> list[str]:
    """One's own cards, two in a row."""
    cards = [card_with_symbol(words, card) for card in hand]
    if not cards:
        return [words("Your hand is empty.")]
    return [words("Your hand:"), *columns(cards, HAND_COLUMN, 2, "  ")]

"""The islands as a terminal shows them: Rich markup, at most 79 columns, colours told by number as well."""

from collections.abc import Sequence
from textwrap import wrap

from rich.markup import escape

from atoll.core.console_drawing import mark, side_by_side, turn_mark
from atoll.core.game import Components, Json
from atoll.core.position import View
from atoll.core.words import Words
from atoll.games.karuba.vocabulary import Island, card_name, card_of, cards_name

COLOUR_STYLES = {
    "blue": "white on blue",
    "orange": "black on dark_orange",
    "green": "white on dark_green",
    "purple": "white on purple",
}
ADVENTURER, TEMPLE, CRYSTAL, NUGGET = "♟", "⌂", "◇", "●"

ISLANDS_IN_A_ROW = 3
ISLAND_WIDTH = 24
NAME_LENGTH = 14


def picture(words: Words, names: Sequence[str], view: View) -> str:
    """The position as `seat`, or somebody who only watches, sees it."""
    seat, components = view.viewer, view.components
    lines: list[str] = []
    blocks = [
        player_lines(words, names, view, player, seat, components) for player in range(len(view["players"]))
    ]
    for row in side_by_side(blocks, ISLAND_WIDTH, ISLANDS_IN_A_ROW, "  "):
        lines += [*row, ""]
    if seat is not None:
        lines += hand_lines(words, view["players"][seat], components)
    return "\n".join(line.rstrip() for line in lines)


# Players


def player_lines(
    words: Words, names: Sequence[str], view: View, player: int, seat: int | None, components: Components
) -> list[str]:
    """A player: who it is, what they have chosen and discarded, and the island."""
    state = view["players"][player]
    called = f"[bold]{escape(names[player][:NAME_LENGTH])}[/]"
    if player == seat:
        called = words("%(name)s (you)", name=called)
    return [
        f"{turn_mark(view.to_act, player)} {mark(player)} {called}",
        *wrap(words("Chosen: %(cards)s", cards=numbers(state["chosen"])), ISLAND_WIDTH),
        *wrap(words("Discarded: %(cards)s", cards=numbers(state["discarded"])), ISLAND_WIDTH),
        *island_lines(state["island"], components),
    ]


def numbers(cards: list[int] | int) -> str:
    """Cards by their numbers, as far as they are known."""
    known = ["?"] * cards if isinstance(cards, int) else map(str, cards)
    return " ".join(known) or "–"


# Islands


def island_lines(island: Island, components: Components) -> list[str]:
    """An island, three lines to a row of cards."""
    places = {tuple(map(int, place.split(","))): card for place, card in island.items()}
    columns = [column for column, _ in places] or [0]
    rows = [row for _, row in places] or [0]
    lines = []
    for row in range(min(rows), max(rows) + 1):
        cards = [places.get((column, row)) for column in range(min(columns), max(columns) + 1)]
        drawn = [card_lines(card, components) for card in cards]
        lines += ["  " + "".join(parts) for parts in zip(*drawn, strict=True)]
    return lines


def card_lines(number: int | None, components: Components) -> list[str]:
    """A card in three lines of five columns: its paths, its number, and its treasures in the corners."""
    if number is None:
        return ["     ", "  [dim]·[/]  ", "     "]
    card = card_of(components, number)
    exits = card["exits"]
    marks = [f"[bold cyan]{CRYSTAL}[/]"] * card.get("crystals", 0)
    marks += [f"[bold yellow]{NUGGET}[/]"] * card.get("nuggets", 0)
    corners = [marks[i] if i < len(marks) else f"[dim]{corner}[/]" for i, corner in enumerate("╭╮╰╯")]
    north, south = ("┃" if edge in exits else " " for edge in "NS")
    west, east = ("━" if edge in exits else " " for edge in "WE")
    return [
        f"{corners[0]} {north} {corners[1]}",
        f"{west}{centre(number, card)}{east}",
        f"{corners[2]} {south} {corners[3]}",
    ]


def centre(number: int, card: Json) -> str:
    """A card's number, three columns wide, with its adventurer or its temple."""
    colour = card.get("adventurer") or card.get("temple")
    if not colour:
        return f"[bold]{number:^3}[/]"
    symbol = ADVENTURER if card.get("adventurer") else TEMPLE
    return f"[{COLOUR_STYLES[colour]}]{symbol}{number:<2}[/]"


# One's own cards


def hand_lines(words: Words, player: Json, components: Components) -> list[str]:
    """What one has in hand, and what is still in one's pile."""
    shown = {*player["hand"], *player["chosen"], *player["discarded"], *player["island"].values()}
    coming = [number for number in range(1, len(components.data["cards"]) + 1) if number not in shown]
    cards = sorted({*player["hand"], *player["to_lay"]})
    lines = [words("Your cards:")] if cards else []
    for number in cards:
        card = card_of(components, number)
        drawn = card_lines(number, components)
        name = card_name(words, card)
        lines += ["  " + drawn[0], f"  {drawn[1]}  {name}", "  " + drawn[2]]
    if coming:
        lines.append(words("Still in your pile: %(cards)s", cards=cards_name(words, coming)))
    return lines

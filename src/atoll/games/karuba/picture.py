"""The islands as a terminal shows them: Rich markup, at most 79 columns, colours marked by numbers as well."""

from collections.abc import Sequence
from textwrap import wrap

from rich.markup import escape

from atoll.core.game import View
from atoll.games.karuba.cards import Card
from atoll.games.karuba.components import ComponentsFile
from atoll.games.karuba.players import Player, players_of
from atoll.games.karuba.state import NO_CARD, cell_at
from atoll.games.karuba.table import island_of
from atoll.games.karuba.vocabulary import card_name, cards_name
from atoll.text.console_drawing import mark, side_by_side, turn_mark
from atoll.text.translation import Translator

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


def picture(translator: Translator, names: Sequence[str], view: View) -> str:
    """The position as whose view it is, or somebody who only watches, sees it."""
    players, file = players_of(view), view.components.file
    blocks = [
        player_lines(translator, names[seat], view, seat, player) for seat, player in enumerate(players)
    ]
    rows = side_by_side(blocks, ISLAND_WIDTH, ISLANDS_IN_A_ROW, "  ")
    lines = [line for row in rows for line in [*row, ""]]
    if view.viewer is not None:
        lines += hand_lines(translator, players[view.viewer], file)
    return "\n".join(line.rstrip() for line in lines)


def player_lines(translator: Translator, name: str, view: View, seat: int, player: Player) -> list[str]:
    """A player: who it is, what they have chosen and discarded, and the island."""
    title = f"[bold]{escape(name[:NAME_LENGTH])}[/]"
    if seat == view.viewer:
        title = translator("%(name)s (you)", name=title)
    choice = [*map(str, player.choice.cards), *["?"] * player.choice.hidden]
    discards = map(str, player.discarded)
    return [
        f"{turn_mark(view.to_act, seat)} {mark(seat)} {title}",
        *wrap(translator("Chosen: %(cards)s", cards=" ".join(choice) or "–"), ISLAND_WIDTH),
        *wrap(translator("Discarded: %(cards)s", cards=" ".join(discards) or "–"), ISLAND_WIDTH),
        *island_lines(view, seat),
    ]


def island_lines(view: View, seat: int) -> list[str]:
    """An island, three lines to a row of cards."""
    island, cards = island_of(view, seat), view.fields.island[seat]
    lines = []
    for row in island.rows:
        drawings = [
            card_lines(cards[cell_at(column, row)], view.components.file) for column in island.columns
        ]
        lines += ["  " + "".join(parts) for parts in zip(*drawings, strict=True)]
    return lines


def card_lines(number: int, file: ComponentsFile) -> list[str]:
    """A card in three lines of five columns: its paths, its number, and its treasures in the corners."""
    if number == NO_CARD:
        return ["     ", "  [dim]·[/]  ", "     "]
    card = file.cards[number - 1]
    marks = [f"[bold cyan]{CRYSTAL}[/]"] * card.crystals + [f"[bold yellow]{NUGGET}[/]"] * card.nuggets
    corners = [*marks[:4], *(f"[dim]{corner}[/]" for corner in "╭╮╰╯"[len(marks) :])]
    north, south = ("┃" if edge in card.exits else " " for edge in "NS")
    west, east = ("━" if edge in card.exits else " " for edge in "WE")
    return [
        f"{corners[0]} {north} {corners[1]}",
        f"{west}{centre(number, card)}{east}",
        f"{corners[2]} {south} {corners[3]}",
    ]


def centre(number: int, card: Card) -> str:
    """A card's number, three columns wide, with its adventurer or its temple."""
    colour = card.adventurer or card.temple
    if colour is None:
        return f"[bold]{number:^3}[/]"
    symbol = ADVENTURER if card.adventurer else TEMPLE
    return f"[{COLOUR_STYLES[colour]}]{symbol}{number:<2}[/]"


def hand_lines(translator: Translator, player: Player, file: ComponentsFile) -> list[str]:
    """What one has in hand, and what is still in one's pile."""
    cards = sorted({*player.hand, *player.to_lay})
    lines = [translator("Your cards:")] if cards else []
    for number in cards:
        above, centre, below = card_lines(number, file)
        name = card_name(translator, file.cards[number - 1])
        lines += ["  " + above, f"  {centre}  {name}", "  " + below]
    overview = player.overview(range(1, len(file.cards) + 1))
    if pile := [number for number, where in overview.items() if where == "coming"]:
        lines.append(translator("Still in your pile: %(cards)s", cards=cards_name(translator, pile)))
    return lines

"""The table as a terminal shows it: Rich markup, at most 79 columns, seats marked by a sign as well as a colour."""

from collections.abc import Sequence

from rich.markup import escape

from atoll.core.game import View
from atoll.core.state import UNKNOWN, seats_in
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.notation import treasures_shown
from atoll.games.costa_ruana.prospects import Collection, Prospects
from atoll.games.costa_ruana.vocabulary import SYMBOLS, background, card_name, hand_of, split_card
from atoll.text.console_drawing import columns, mark, padded, side_by_side, turn_mark
from atoll.text.translation import Translator

ISLANDS_IN_A_ROW = 4
ISLAND_WIDTH = 19
HAND_COLUMN = 38
NAME_LENGTH = 24


def picture(translator: Translator, names: Sequence[str], view: View) -> str:
    """The position as `seat`, or somebody who only watches, sees it."""
    state, prospects = view.fields, Prospects(view)
    faces = (cr.BACKGROUNDS[face] for face in (state.tide, state.time))
    signs = "   ".join(f"{SYMBOLS[face]} {background(translator, face)}" for face in faces)
    boxes = [island_box(translator, view, i, result) for i, result in enumerate(prospects.collections)]
    rows = side_by_side(boxes, ISLAND_WIDTH, ISLANDS_IN_A_ROW)
    lines = [f"[reverse] {signs} [/]", "", *(line for row in rows for line in row), ""]
    for player in range(view.players):
        lines.append(player_line(translator, names, view, player))
        cards = (k for k in range(state.table_count) if state.table_front[k] == player)
        lines += [card_line(translator, view, k, prospects) for k in cards]
    if view.viewer is not None:
        lines += ["", *hand_lines(translator, hand_of(view))]
    return "\n".join(lines)


def island_box(translator: Translator, view: View, island: int, result: Collection) -> list[str]:
    """An island: its number, its treasures, its natives and what collecting would do there now."""
    number, treasures, natives = island + 1, view.fields.treasures[island], view.fields.natives[island]
    hoard = translator.plural("%(num)s treasure", "%(num)s treasures", treasures)
    gap = ISLAND_WIDTH - 4 - len(str(number)) - len(hoard)
    rule = f" {'─' * (gap - 2)} " if gap > 2 else " " * gap
    present = " ".join(mark(seat, count) for seat, count in enumerate(natives) if count)
    verdict = translator("all argue") if treasures and result.arguing else ""
    if result.collector is not None:
        verdict = translator("collects: %(mark)s", mark=mark(result.collector))
    inner = ISLAND_WIDTH - 2
    return [
        f"╭ [bold]{number}[/]{rule}{hoard} ╮",
        f"│{padded(present, inner)}│",
        f"│{padded(verdict, inner)}│",
        f"╰{'─' * inner}╯",
    ]


def player_line(translator: Translator, names: Sequence[str], view: View, player: int) -> str:
    """A player: who it is and what they have."""
    state = view.fields
    treasures = treasures_shown(state, player, view.options)
    roles = [translator("you")] if player == view.viewer else []
    if player == state.shaman:
        roles.append(translator("the Shaman"))
    title = f"[bold]{escape(names[player][:NAME_LENGTH])}[/]" + (f" ({', '.join(roles)})" if roles else "")
    line = translator(
        "%(player)s: natives %(natives)s, cards %(cards)s, treasures %(treasures)s",
        player=title,
        natives=state.supply[player],
        cards=state.hand_count[player],
        treasures="?" if treasures is None else treasures,
    )
    return f"{turn_mark(view.to_act, player)} {mark(player)} {line}"


def card_line(translator: Translator, view: View, k: int, prospects: Prospects) -> str:
    """A card in front of a player: what it is, who played it, the natives on it."""
    state = view.fields
    if state.table_card[k] == UNKNOWN:
        name = "? " + translator("hidden")
    else:
        name = card_with_symbol(translator, cr.CARDS[state.table_card[k]])
        if not state.table_up[k]:
            name = translator("%(card)s, hidden", card=name)
    player = translator("by %(mark)s", mark=mark(state.table_player[k]))
    natives = " ".join(mark(owner) for owner in seats_in(state.table_natives[k]))
    line = f"      {padded(name, HAND_COLUMN)} {player}  {natives}".rstrip()
    if not state.table_resolved[k]:
        return line
    return f"[dim]{line}  {translator('done') if prospects.is_active[k] else translator('dead')}[/]"


def card_with_symbol(translator: Translator, card: str) -> str:
    """A card by its background's symbol and its name."""
    return f"{SYMBOLS[split_card(card)[2]]} {card_name(translator, card)}"


def hand_lines(translator: Translator, hand: Sequence[str]) -> list[str]:
    """One's own cards, two in a row."""
    if not hand:
        return [translator("Your hand is empty.")]
    cards = [card_with_symbol(translator, card) for card in hand]
    return [translator("Your hand:"), *columns(cards, HAND_COLUMN, 2, "  ")]

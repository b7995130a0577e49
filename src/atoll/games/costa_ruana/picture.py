"""The table as a terminal shows it: Rich markup, at most 79 columns, seats told by mark as by colour."""

from collections.abc import Sequence

from rich.markup import escape

from atoll.core.console_drawing import columns, mark, padded, side_by_side, turn_mark
from atoll.core.position import View
from atoll.core.seat_sets import seats_in
from atoll.core.state import UNKNOWN
from atoll.core.words import Words
from atoll.games.costa_ruana import state as cr
from atoll.games.costa_ruana.notation import treasures_shown
from atoll.games.costa_ruana.prospects import Collection, Prospects
from atoll.games.costa_ruana.vocabulary import SYMBOLS, background, card_name, hand_of, split_card

ISLANDS_IN_A_ROW = 4
ISLAND_WIDTH = 19
HAND_COLUMN = 38
NAME_LENGTH = 24


def picture(words: Words, names: Sequence[str], view: View) -> str:
    """The position as `seat`, or somebody who only watches, sees it."""
    state, seen = view.fields, Prospects(view)
    faces = (cr.BACKGROUNDS[face] for face in (state.tide, state.time))
    shown = "   ".join(f"{SYMBOLS[face]} {background(words, face)}" for face in faces)
    boxes = [island_box(words, view, i, result) for i, result in enumerate(seen.collections)]
    rows = side_by_side(boxes, ISLAND_WIDTH, ISLANDS_IN_A_ROW)
    lines = [f"[reverse] {shown} [/]", "", *(line for row in rows for line in row), ""]
    for player in range(view.players):
        lines.append(player_line(words, names, view, player))
        cards = (k for k in range(state.table_count) if state.table_front[k] == player)
        lines += [card_line(words, view, k, seen) for k in cards]
    if view.viewer is not None:
        lines += ["", *hand_lines(words, hand_of(view))]
    return "\n".join(lines)


def island_box(words: Words, view: View, island: int, result: Collection) -> list[str]:
    """An island: its number, its treasures, its natives and what collecting would do there now."""
    number, treasures, natives = island + 1, view.fields.treasures[island], view.fields.natives[island]
    hoard = words.plural("%(num)s treasure", "%(num)s treasures", treasures)
    gap = ISLAND_WIDTH - 4 - len(str(number)) - len(hoard)
    rule = f" {'─' * (gap - 2)} " if gap > 2 else " " * gap
    present = " ".join(mark(seat, count) for seat, count in enumerate(natives) if count)
    verdict = words("all argue") if treasures and result.arguing else ""
    if result.collector is not None:
        verdict = words("collects: %(mark)s", mark=mark(result.collector))
    inner = ISLAND_WIDTH - 2
    return [
        f"╭ [bold]{number}[/]{rule}{hoard} ╮",
        f"│{padded(present, inner)}│",
        f"│{padded(verdict, inner)}│",
        f"╰{'─' * inner}╯",
    ]


def player_line(words: Words, names: Sequence[str], view: View, player: int) -> str:
    """A player: who it is and what they have."""
    state = view.fields
    treasures = treasures_shown(state, player, view.options)
    roles = [words("you")] if player == view.viewer else []
    if player == state.shaman:
        roles.append(words("the Shaman"))
    called = f"[bold]{escape(names[player][:NAME_LENGTH])}[/]" + (f" ({', '.join(roles)})" if roles else "")
    line = words(
        "%(player)s: natives %(natives)s, cards %(cards)s, treasures %(treasures)s",
        player=called,
        natives=state.supply[player],
        cards=state.hand_count[player],
        treasures="?" if treasures is None else treasures,
    )
    return f"{turn_mark(view.to_act, player)} {mark(player)} {line}"


def card_line(words: Words, view: View, k: int, seen: Prospects) -> str:
    """A card in front of a player: what it is, who played it, the natives on it."""
    state = view.fields
    if state.table_card[k] == UNKNOWN:
        name = "? " + words("hidden")
    else:
        name = card_with_symbol(words, cr.CARDS[state.table_card[k]])
        if not state.table_up[k]:
            name = words("%(card)s, hidden", card=name)
    player = words("by %(mark)s", mark=mark(state.table_player[k]))
    natives = " ".join(mark(owner) for owner in seats_in(state.table_natives[k]))
    line = f"      {padded(name, HAND_COLUMN)} {player}  {natives}".rstrip()
    if not state.table_resolved[k]:
        return line
    return f"[dim]{line}  {words('done') if seen.is_active[k] else words('dead')}[/]"


def card_with_symbol(words: Words, card: str) -> str:
    """A card by its background's symbol and its name."""
    return f"{SYMBOLS[split_card(card)[2]]} {card_name(words, card)}"


def hand_lines(words: Words, hand: Sequence[str]) -> list[str]:
    """One's own cards, two in a row."""
    if not hand:
        return [words("Your hand is empty.")]
    cards = [card_with_symbol(words, card) for card in hand]
    return [words("Your hand:"), *columns(cards, HAND_COLUMN, 2, "  ")]

"""Links and labels that several parts of a table's page share."""

from typing import Any

from atoll.text.translation import Translator
from atoll.web.pages.anchors import current_anchor
from atoll.web.pages.rules_page import has_rules_page
from atoll.web.table.seen_table import SeenTable


def rules_address(table: SeenTable) -> str:
    """The address of the game's rules, with a link back to the table."""
    return f"/games/{table.game.name}/rules?table={table.address.rpartition('/')[2]}"


def phase_rules_address(table: SeenTable) -> str | None:
    """The address of the rules of the current phase; None without a page of rules, and once the game is over."""
    if table.has_ended or not has_rules_page(table.game):
        return None
    anchor = current_anchor(table.view)
    return rules_address(table) + (f"#{anchor}" if anchor else "")


def branch(table: SeenTable) -> dict[str, Any] | None:
    """The game from which this one branched: after how many moves, and the address of its replay. None without one."""
    if table.branched_from is None:
        return None
    origin, moves = table.branched_from
    return {"moves": moves, "url": f"/tables/{origin}/back?at={moves}"}


def pace_name(translator: Translator, pace: str) -> str:
    """The label of a pace of bots."""
    match pace:
        case "calm":
            return translator("One by one")
        case "fast":
            return translator("Fast")
        case _:
            return translator("At once")

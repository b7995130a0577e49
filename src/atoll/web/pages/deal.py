"""What a table's page says by which its deal can be checked, folded away: in the waiting room, later in the menu."""

from typing import Any

import msgspec

from atoll.engine.commitments import deal_seed
from atoll.text.translation import Translator
from atoll.web.pages.players import names_of
from atoll.web.table.deals import LONGEST
from atoll.web.table.seen_table import SeenTable

GROUP = 8
"""Hexadecimal digits that stand together."""


def deal_context(table: SeenTable, translator: Translator) -> dict[str, Any] | None:
    """The commitment, what was added, at the end the key, and all of it as the script reads it (`data`); None if the
    deal cannot be checked.
    """
    deal, waiting = table.deal, table.seating.waiting
    if deal is None:
        return None
    own = table.viewer.here or (() if table.seat is None else (table.seat,))
    added, key = deal.get("contributions", []), deal.get("key")
    names = names_of(translator, table.seating)
    seed = None if key is None or "from" in deal else deal_seed(key, added)
    facts = {"table": table.address, "waits": waiting, "seat": own[0] if own else None, "seed": seed, **deal}
    return {
        "commitment": grouped(deal["commitment"]),
        "key": None if key is None else grouped(key),
        "known": "from" in deal,
        "added": [(name, words) for name, words in zip(names, added, strict=False) if words is not None],
        "own": (added[own[0]] if own and added else None) or "",
        "form": f"{table.address}/deal" if waiting and own else None,
        "longest": LONGEST,
        "data": msgspec.json.encode(facts).decode(),
    }


def grouped(digits: str) -> list[str]:
    """A long row of digits in pieces that a line can be broken between."""
    return [digits[at : at + GROUP] for at in range(0, len(digits), GROUP)]

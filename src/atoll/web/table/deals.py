"""What a table's deal can be checked by, and what its players may add to it."""

import unicodedata
from collections.abc import Sequence

from atoll.core.types import Json
from atoll.engine.commitments import commitment
from atoll.text.printable import fault_in_text
from atoll.text.visible import INVISIBLE, visible
from atoll.web.refusal import Refusal
from atoll.web.store.store import Answer, TableRow

LONGEST = 40
"""Characters that a player may add."""


def checked_words(text: str) -> str | None:
    """A number or words as they go into a deal; None if there are none. Raises Refusal for what is not possible: what
    is typed goes in as it is, but for spaces, so that a page can compare it.
    """
    words = " ".join(unicodedata.normalize("NFC", text[: 10 * LONGEST]).split())
    if len(words) > LONGEST:
        raise Refusal(400, "What you add has at most %(most)s characters: shorten it.", most=LONGEST)
    if visible(words) != words or fault_in_text(INVISIBLE.sub("", words)):
        raise Refusal(400, "That holds characters that cannot be shown: leave them out.")
    return words or None


def deal_of(row: TableRow, lines: Sequence[Answer], *, whole: bool) -> Json | None:
    """What the deal of a table with these lines can be checked by, as records say it, with the key if `whole`; None if
    it cannot.
    """
    if row.key is None:
        return None
    deal: Json = {"commitment": commitment(row.key)}
    if whole:
        deal["key"] = row.key
    if any(row.contributions or ()):
        deal["contributions"] = row.contributions
    if row.branched_from is not None or not row.keyed:
        deal["from"] = (row.branched_at or 0) + sum(bool(line.move.get("told")) for line in lines)
    return deal

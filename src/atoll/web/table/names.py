"""Names of people: which are possible, and how those at a table are made distinct."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from atoll.text.printable import fault_in_text
from atoll.text.translation import Translator
from atoll.web.refusal import Refusal

LONGEST = 24
"""Characters of a name at a table."""

MOST_MARKS = 2
"""Combining marks on one letter: more would reach into other lines."""

RESERVED = re.compile(r"[()\[\]<>]|^(ro)?bot\b", re.IGNORECASE)
"""What only Atoll says beside a name: what stands in brackets, and that somebody is a bot."""

INVISIBLE = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp")
"""Categories of characters of which nothing is seen."""


def checked_name(text: str) -> str | None:
    """A name as it is kept; None if there is none in it. Raises Refusal for one that is not possible."""
    name = " ".join(unicodedata.normalize("NFC", text[: 10 * LONGEST]).split())
    if not name:
        return None
    if len(name) > LONGEST:
        raise Refusal(400, "A name has at most %(most)s characters: choose a shorter one.", most=LONGEST)
    kinds = [unicodedata.category(character) for character in name]
    marks = "".join("m" if kind.startswith("M") else "." for kind in kinds)
    if fault_in_text(name) or any(kind in INVISIBLE for kind in kinds) or "m" * (MOST_MARKS + 1) in marks:
        raise Refusal(400, "This name holds characters that cannot be shown: leave them out.")
    if not any(kind[0] in "LNS" for kind in kinds):
        raise Refusal(400, "A name needs a letter or a digit.")
    if RESERVED.search(name):
        raise Refusal(400, "A name has no brackets and does not begin with “bot”: choose another.")
    return name


def distinct_names(translator: Translator, names: Sequence[str | None], colours: Sequence[str]) -> list[str]:
    """What the seats are called: by the names of who plays there, or by their colours; who has the name of another
    has the colour beside it.
    """
    labels = [name or colour for name, colour in zip(names, colours, strict=False)]
    alike = Counter(map(folded, labels))
    return [
        translator("%(name)s (%(colour)s)", name=name, colour=colour)
        if name and alike[folded(name)] > 1
        else default
        for name, colour, default in zip(names, colours, labels, strict=False)
    ]


@lru_cache(256)
def folded(name: str) -> str:
    """A name without what the eye hardly tells apart: case, accents, width."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return "".join(character for character in decomposed if unicodedata.category(character)[0] in "LNSP")

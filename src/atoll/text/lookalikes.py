"""Texts that look alike: by the skeletons of UTS 39, from Unicode's table of confusable characters."""

import unicodedata
from functools import lru_cache
from importlib import resources

import msgspec

from atoll.text.visible import INVISIBLE

LEFT_TO_RIGHT = "\u200e"
"""What the table has around characters that are written from right to left."""


class _Alike(msgspec.Struct):
    """What looks like a character."""

    c: str


@lru_cache
def prototypes() -> dict[str, str]:
    """What stands in skeletons for characters that look like others."""
    content = (resources.files("confusable_homoglyphs") / "confusables.json").read_bytes()
    alike = {
        text.strip(LEFT_TO_RIGHT): [other.c.strip(LEFT_TO_RIGHT) for other in others]
        for text, others in msgspec.json.decode(content, type=dict[str, list[_Alike]]).items()
    }
    parts = {
        character for others in alike.values() for other in others if len(other) > 1 for character in other
    }
    table = dict[str, str]()
    for text, (first, *more) in alike.items():
        # The table says of each two that they look alike, not which is the prototype: it has others that look like it,
        # is longer, or is a part of a longer one.
        is_prototype = (
            len(first) > 1 or len(alike[first]) > 1 or (first in parts, text) > (text in parts, first)
        )
        if len(text) == 1 and not more and is_prototype:
            table[text] = first
    return table


def skeleton(text: str) -> str:
    """The skeleton of a text (UTS 39, 4): texts that look the same have the same, whatever else it is."""
    table = prototypes()
    shown = INVISIBLE.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", "".join(table.get(character, character) for character in shown))


@lru_cache(1024)
def readings(text: str) -> frozenset[str]:
    """What a text may be read as, without case, accents and width: texts that are hardly told apart share one.

    There are two, since capitals look like other letters than small ones do.
    """
    plain = unicodedata.normalize("NFKD", text)
    return frozenset(_folded(skeleton(way)) for way in (plain, plain.casefold()))


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))

"""Names of people: which are possible, and how those at a table are made distinct."""

from collections.abc import Sequence
from functools import lru_cache
from unicodedata import category

from atoll.text.lookalikes import readings
from atoll.text.printable import fault_in_text
from atoll.text.translation import LANGUAGES, Translator
from atoll.text.visible import INVISIBLE, visible
from atoll.web.refusal import Refusal
from atoll.web.translation import translator_for

LONGEST = 24
"""Characters of a name at a table."""

BRACES = str.maketrans("", "", "{}")
"""Brackets that stand in nothing that Atoll says."""

UNKNOWN = ("Cc", "Cn", "Co", "Cs")
"""Categories of characters that cannot be shown: controls, and what Unicode does not say."""

RESERVED = frozenset("()[]<>@")
"""What only Atoll writes beside names, and what chat services call people with."""

BOTS = frozenset(("bot", "robot"))
"""Words with which Atoll begins the name of a bot, in all its languages."""


def checked_name(text: str) -> str | None:
    """A name as it is kept; None if there is none in it. Raises Refusal for one that is not possible."""
    text = text[: 10 * LONGEST]
    name = " ".join(visible(text).split())
    if not text.strip():
        return None
    if len(name) > LONGEST:
        raise Refusal(400, "A name has at most %(most)s characters: choose a shorter one.", most=LONGEST)
    kinds = [category(character) for character in name]
    if any(kind in UNKNOWN for kind in kinds) or fault_in_text(INVISIBLE.sub("", name)):
        raise Refusal(400, "This name holds characters that cannot be shown: leave them out.")
    if not any(kind[0] in "LNS" for kind in kinds):
        raise Refusal(400, "A name needs a letter or a digit.")
    if {"Ps", "Pe"} & {*map(category, name.translate(BRACES))} or any(map(is_reserved, readings(name))):
        raise Refusal(
            400,
            "A name has no brackets and no “@”, and is none that Atoll itself says, such as “bot” or “you”: "
            "choose another.",
        )
    return name


def is_reserved(reading: str) -> bool:
    """Whether what a name may be read as passes for something that Atoll itself says."""
    words = "".join(character if character.isalnum() else " " for character in reading).split()
    return not RESERVED.isdisjoint(reading) or not BOTS.isdisjoint(words[:1]) or reading in own_words()


@lru_cache
def own_words() -> frozenset[str]:
    """What Atoll says in place of a name, as it is read."""
    said = set[str]()
    for translator in map(translator_for, LANGUAGES):
        said |= {
            translator("you"),
            translator("nobody yet"),
            translator("A spectator"),
            translator("a person"),
        }
    return frozenset(reading for words in said for reading in readings(words))


def distinct_names(translator: Translator, names: Sequence[str | None], colours: Sequence[str]) -> list[str]:
    """What the seats are called: by the names of who plays there, or by their colours; who has the name of another
    has the colour beside it.
    """
    labels = [name or colour for name, colour in zip(names, colours, strict=False)]
    seen = [{"".join(reading.split()) for reading in readings(label)} for label in labels]
    return [
        translator("%(name)s (%(colour)s)", name=name, colour=colour)
        if name and any(seen[seat] & other for at, other in enumerate(seen) if at != seat)
        else label
        for seat, (name, colour, label) in enumerate(zip(names, colours, labels, strict=False))
    ]

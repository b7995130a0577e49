"""Text that others wrote, without the characters of which nothing is seen, and without marks piled on each other.

Joiners and variation selectors stay where Unicode lets them change what is seen: in Persian, in scripts of India, in
emoji. The rest only makes texts differ that look the same, or reaches into what stands around them.
"""

import re
import unicodedata

from atoll.text.printable import UNPRINTABLE

MOST_MARKS = 4
"""Nonspacing marks in a row (UTS 39, 5.4)."""
BLANK = re.compile("[\u2800\U0001d159\U00013441\U00013442]")
"""Symbols and letters that are drawn as a space: Braille, music, hieroglyphs."""
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's Default_Ignorable_Code_Point, which has the marks of direction and the tags, and the annotation marks."""
SELECTOR = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Variation selectors: which form of the character before them is meant."""
NATION = re.compile(
    "\U0001f3f4\U000e0067\U000e0062(\U000e0065\U000e006e\U000e0067|"
    "\U000e0073\U000e0063\U000e0074|\U000e0077\U000e006c\U000e0073)\U000e007f"
)
"""The flags of England, Scotland and Wales: of all that is written with tags, what is drawn."""
ZWNJ, ZWJ = "\u200c", "\u200d"
EMOJI_PARTS = "\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
"""What may stand between an emoji and the joiner after it: its selector, and the colours of skin."""
AROUND = 16
"""Characters before and after a joiner that are looked at."""


def visible(text: str) -> str:
    """The text in NFC with what is seen of it; what is drawn as a space becomes one."""
    text = BLANK.sub(" ", unicodedata.normalize("NFC", text))
    if text.isascii():
        return text
    flags = {place for flag in NATION.finditer(text) for place in range(*flag.span())}
    kept, marks = list[str](), ""
    for place, character in enumerate(text):
        if INVISIBLE.match(character):
            if place in flags or is_joined(text, place) or is_selected(text, place):
                kept.append(character)
            continue
        if unicodedata.category(character) in ("Mn", "Me"):
            if len(marks) >= MOST_MARKS or marks.endswith(character):
                continue
            marks += character
        else:
            marks = ""
        kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept))


def is_joined(text: str, place: int) -> bool:
    """Whether a joiner stands where one may: between emoji, or in the contexts of RFC 5892 (UAX 31, 2.3)."""
    if text[place] not in (ZWNJ, ZWJ):
        return False
    before, after = text[:place].rstrip(EMOJI_PARTS)[-1:], text[place + 1 : place + 2]
    if text[place] == ZWJ and is_symbol(before) and is_symbol(after):
        return True
    import idna  # which has large tables: not loaded for other texts

    first = max(0, place - AROUND)
    try:
        return idna.valid_contextj(text[first : place + AROUND], place - first)
    except ValueError:  # beside a character that is not assigned
        return False


def is_symbol(character: str) -> bool:
    """Whether that is a symbol, as all emoji are that others are joined with."""
    return character != "" and unicodedata.category(character) in ("So", "Sm")


def is_selected(text: str, place: int) -> bool:
    """Whether that is a variation selector after a character that has forms."""
    before = text[place - 1 : place]
    return bool(SELECTOR.match(text[place])) and before != "" and unicodedata.category(before)[0] in "LNPS"


def visible_line(text: str) -> str:
    """What is seen of a text, in one line without control characters."""
    return " ".join(UNPRINTABLE.sub(" ", visible(text)).split())


def visible_lines(text: str) -> str:
    """The same, line by line."""
    return "\n".join(map(visible_line, text.splitlines())).strip()

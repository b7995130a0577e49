"""Text that others wrote, such as names in files: which characters it may hold, and how others are shown.

A terminal obeys control characters and turns what follows a mark of direction; so no name holds any, and no sentence
prints one.
"""

import codecs
import re
import unicodedata

from atoll.text.messages import Message

UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters, breaks of lines, marks that turn the direction of text, and lone surrogates."""
LONGEST_NAME = 100
"""Characters of a player's name."""
LONGEST_SENTENCE = 1000
"""Characters of what is said about bad input, which may quote it."""


def printable(text: str, keep: str = "") -> str:
    r"""The text with unprintable characters but those in `keep` as they are escaped in Python: "\\x1b"."""
    return UNPRINTABLE.sub(
        lambda match: match[0] if match[0] in keep else match[0].encode("unicode_escape").decode(), text
    )


_CHARACTERS = "●■▲◆★✚⌂◇≋☼☾♟▒•→←‘’“”«»–—−·│┃─━\u202f\u00a0"
_PLAIN = 'o#^&*+A<~s(i%.><\'\'""""---.||--  '
PLAIN = str.maketrans(
    dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+")  # corners and crossings of frames
    | dict(zip(_CHARACTERS, _PLAIN, strict=True))
    | {"œ": "oe", "Œ": "Oe"}
)
"""What stands for a character that a terminal does not have, where it is not its letter without the accent."""


def replace_missing(error: UnicodeError) -> tuple[str, int]:
    """How a terminal of another encoding than Unicode shows what it does not have (`codecs.register_error`)."""
    if not isinstance(error, UnicodeEncodeError):
        return "\N{REPLACEMENT CHARACTER}", error.end if isinstance(error, UnicodeDecodeError) else 1
    text = unicodedata.normalize("NFKD", error.object[error.start : error.end].translate(PLAIN))
    shown = "".join(character for character in text if not unicodedata.combining(character))
    return shown.encode("ascii", "replace").decode(), error.end


codecs.register_error("atoll.plain", replace_missing)


def sentence(text: str) -> str:
    """The text as one printable line of limited length."""
    shown = printable(text)
    return shown if len(shown) <= LONGEST_SENTENCE else f"{shown[:LONGEST_SENTENCE]}…"


def fault_in_name(name: str) -> Message | None:
    """What is wrong with a name, if anything is."""
    if len(name) > LONGEST_NAME:
        return Message(
            "has %(count)s characters; at most %(most)s are possible", count=len(name), most=LONGEST_NAME
        )
    return fault_in_text(name)


def fault_in_text(text: str) -> Message | None:
    """What is wrong with the characters of a text, if anything is."""
    match = UNPRINTABLE.search(text)
    if match is None:
        return None
    return Message("holds the unprintable character %(code)s; leave it out", code=f"U+{ord(match[0]):04X}")

"""What goes to chat services: text in which nothing calls anybody, is a link, or changes how the rest is drawn.

A webhook does not say whose it is, and what is an escape to one service is shown by another; so what any of them would
act on is replaced by a character that looks the same and is nothing to them.
"""

import re

ACTIVE = str.maketrans(
    {
        "@": "\uff20",  # mentions
        "#": "\uff03",  # channels, headings
        "<": "\u2039",  # Slack's and Discord's mentions and links, HTML
        ">": "\u203a",
        "&": "\uff06",  # entities
        "*": "\u2217",  # emphasis
        "_": "\uff3f",
        "~": "\u223c",
        "`": "\u02cb",  # code
        "|": "\uff5c",  # what is hidden until one clicks, tables
        "[": "\uff3b",  # links
        "]": "\uff3d",
        "\\": "\uff3c",  # escapes
        "$": "\uff04",  # formulas
        "/": "\u2215",  # commands, addresses
    }
)
INSIDE = re.compile(r"(?<=\S)[.:](?=\S)|:(?=\S)")
"""Dots and colons of addresses and of emoji by name."""
STILL = {".": "\u2024", ":": "\ua789"}


def for_chat(text: str) -> str:
    """The text as any chat service shows it as it stands."""
    return INSIDE.sub(lambda found: STILL[found[0]], text.translate(ACTIVE))

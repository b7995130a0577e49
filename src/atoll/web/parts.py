"""Parts of a table's page that an open page need not be sent again.

A template puts `<!--part-->` before and `<!--/part-->` after an element whose first attribute is its id. Such an
element carries a digest of what it is; a page that has it as it is gets, in its place, an empty one with the same id
and digest that says `data-same`. Parts do not lie in each other.
"""

import re
from zlib import crc32

_MARKED = re.compile(r'<!--part-->\s*<(\w+) id="([^"]+)"(.*?)<!--/part-->', re.DOTALL)
_SEALED = re.compile(r'<!--part--><(\w+) id="([^"]+)" data-digest="(\w+)".*?<!--/part-->', re.DOTALL)

Digests = dict[str, str]
"""What a page has: the digest of each part by its id."""


def sealed(html: str) -> str:
    """What a template drew, with the digest of each part in its first tag."""

    def seal(part: re.Match[str]) -> str:
        tag, name, rest = part.groups()
        return f'<!--part--><{tag} id="{name}" data-digest="{crc32(rest.encode()):08x}"{rest}<!--/part-->'

    return _MARKED.sub(seal, html)


def abridged(html: str, known: Digests) -> str:
    """What a page that knows these parts is sent of what was `sealed`; `known` is what it knows afterwards."""

    def needed(part: re.Match[str]) -> str:
        tag, name, digest = part.groups()
        if known.get(name) == digest:
            return f'<{tag} id="{name}" data-digest="{digest}" data-same></{tag}>'
        known[name] = digest
        return part[0]

    return _SEALED.sub(needed, html)

"""Parts of a table's page: each is drawn again only if what it shows has changed, and sent only if it differs.

In a template an element whose first attribute is its id stands in `{% part NAME, INPUTS... %}` and `{% endpart %}`:
the name is that id, the inputs are all that can change what is drawn there. Parts do not lie in each other. In a part
no line break between two tags is kept: a space that is to be seen there stands on one line with both. A part carries
a digest of what it is, and so does the frame: what lies between the parts, and their order. A part whose first tag has
`data-later` may be drawn a frame after the others.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

_PLACE = re.compile(r"<!--part (\d+)-->")
_FIRST_TAG = re.compile(r'<(\w+) id="([^"]+)"')
_BREAK = re.compile(r">\s*\n\s*<")
"""A line break between two tags, which the template has for its readers: each would be a node of the page."""
LATER = "<!--later-->"
"""Stands before the parts that may be drawn later, which are no use to the page until then: it need not parse them."""
FRAME = ""
"""The name of what lies between the parts."""

Digests = dict[str, str]
"""What a page has: the digest of each part, and of the frame, by its name."""


class PartTag(Extension):
    """The tag `part`."""

    tags = {"part"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        """Make of the tag a call of the drawing's `draw_part`, which calls the body if it has to."""
        line = next(parser.stream).lineno
        name = parser.parse_expression()
        inputs = []
        while parser.stream.skip_if("comma"):
            inputs.append(parser.parse_expression())
        body = parser.parse_statements(("name:endpart",), drop_needle=True)
        draw = nodes.Call(nodes.Name("draw_part", "load"), [name, nodes.List(inputs)], [], None, None)
        return nodes.CallBlock(draw, [], [], body).set_lineno(line)


@dataclass(frozen=True)
class Part:
    """A part as it was drawn."""

    name: str
    tag: str
    digest: str
    html: str

    @property
    def may_come_later(self) -> bool:
        """Whether it may be drawn a frame after the others."""
        return " data-later" in self.html[: self.html.index(">")]

    @property
    def left_out(self) -> str:
        """What stands for it on the way to a page that has it."""
        return f'<{self.tag} id="{self.name}" data-digest="{self.digest}" data-same></{self.tag}>'


def part_of(name: str, drawn: str) -> Part:
    """What was drawn for a part, with its digest in its first tag."""
    first = _FIRST_TAG.match(drawn := _BREAK.sub("><", drawn.strip()))
    if not first or first[2] != name:
        raise ValueError(f"part {name!r} does not begin with an element whose first attribute is that id")
    rest = drawn[first.end() :]
    digest = f"{crc32(rest.encode()):08x}"
    return Part(name, first[1], digest, f'{first[0]} data-digest="{digest}"{rest}')


Kept = dict[str, tuple[str, Part]]
"""Each part as one viewer was last given it in one language, with the inputs that it was drawn from."""


class Drawing:
    """The parts of one page while it is drawn: those whose inputs are the same as before are taken from `kept`."""

    def __init__(self, kept: Kept) -> None:
        self.kept = kept
        self.parts: list[Part] = []

    def draw_part(self, name: str, inputs: list[Any], caller: Callable[[], str]) -> str:
        """Draw a part, if need be; returns what marks its place."""
        key = repr(inputs)
        if " at 0x" in key:
            raise TypeError(f"an input of part {name!r} does not say what it is")
        known, part = self.kept.get(name, ("", None))
        if part is None or known != key:
            part = part_of(name, caller())
            self.kept[name] = key, part
        self.parts.append(part)
        return f"<!--part {len(self.parts) - 1}-->"

    def fragment(self, html: str, version: int) -> "Fragment":
        """The drawn page."""
        between = _PLACE.split(html)
        parts = [self.parts[int(number)] for number in between[1::2]]
        return Fragment(between[::2], parts, version)


class Fragment:
    """A drawn page, or its live part: the parts, and the texts between them, which are one more."""

    def __init__(self, frame: list[str], parts: list[Part], version: int) -> None:
        numbered = f' data-version="{version}"'
        self.version = version
        order = [part.name for part in parts]
        self.digest = f"{crc32(repr((frame[0].replace(numbered, '', 1), frame[1:], order)).encode()):08x}"
        self.frame = [frame[0].replace(numbered, f'{numbered} data-digest="{self.digest}"', 1), *frame[1:]]
        self.parts = parts

    def __str__(self) -> str:
        return self._joined([part.html for part in self.parts])

    def _joined(self, parts: list[str]) -> str:
        return "".join(text for pair in zip(self.frame, [*parts, ""], strict=True) for text in pair)

    def abridged(self, known: Digests) -> str:
        """What a page that knows these parts is sent; `known` is what it knows afterwards.

        With the frame that it has it gets the parts that differ and, in `data-has`, the digests of all. Those that may
        come later stand outside, after LATER.
        """
        before = dict(known)
        known.clear()
        known[FRAME] = self.digest
        known.update((part.name, part.digest) for part in self.parts)
        if before.get(FRAME) != self.digest:
            same = [
                part.left_out if before.get(part.name) == part.digest else part.html for part in self.parts
            ]
            return self._joined(same)
        fresh = [part for part in self.parts if before.get(part.name) != part.digest]
        soon = "".join(part.html for part in fresh if not part.may_come_later)
        later = "".join(part.html for part in fresh if part.may_come_later)
        has = " ".join(part.digest for part in self.parts)
        first = f'<div id="table" data-version="{self.version}" data-digest="{self.digest}"'
        return f'{first} data-has="{has}" data-same>{soon}</div>{later and LATER}{later}'

"""Regions of a table's page: each is drawn again only if what it shows has changed, and sent only if it differs.

In a template an element whose first attribute is its id stands in `{% region NAME, INPUTS... %}` and `{% endregion %}`:
the name is that id, the inputs are all that can change what is drawn there; that the last move moved a piece among
them (the context's `moved`) counts, too. Regions are not nested. In a region no line break between two tags is kept: a
space that is to be seen there stands on one line with both. A region carries a digest of what it is, and so does the
frame: what lies between the regions, and their order. A region whose first tag has `data-later` may be drawn a frame
after the others.

A region that looks alike to many stands in `{% shared NAME, INPUTS... %}` and `{% endshared %}`: it is drawn once for
all whose inputs are the same. So these say, too, whatever hangs on who looks: `named(SEATS)` for what seats are called.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import msgspec
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser

_PLACE = re.compile(r"<!--region (\d+)-->")
_FIRST_TAG = re.compile(r'<(\w+) id="([^"]+)"')
_BREAK = re.compile(r">\s*\n\s*<")
"""A line break between two tags, which the template has for its readers: each would be a node of the page."""
LATER = "<!--later-->"
"""Stands before the regions that may be drawn later; the page does not parse them until then."""
FRAME = ""
"""The name of what lies between the regions."""

Digests = dict[str, str]
"""What a page has: the digest of each region, and of the frame, by its name."""


class RegionTag(Extension):
    """The tags `region` and `shared`."""

    tags = {"region", "shared"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        """Make of the tag a call of the drawing's `draw_region`, which calls the body if it has to."""
        tag = next(parser.stream)
        name = parser.parse_expression()
        inputs = []
        while parser.stream.skip_if("comma"):
            inputs.append(parser.parse_expression())
        body = parser.parse_statements((f"name:end{tag.value}",), drop_needle=True)
        more = [nodes.Keyword("shared", nodes.Const(tag.value == "shared"))]
        more.append(nodes.Keyword("moved", nodes.Name("moved", "load")))
        draw = nodes.Call(nodes.Name("draw_region", "load"), [name, nodes.List(inputs)], more, None, None)
        return nodes.CallBlock(draw, [], [], body).set_lineno(tag.lineno)


@dataclass(frozen=True)
class Region:
    """A region as it was drawn."""

    name: str
    tag: str
    digest: str
    html: str

    @property
    def is_deferrable(self) -> bool:
        """Whether it may be drawn a frame after the others."""
        return " data-later" in self.html[: self.html.index(">")]

    @property
    def placeholder(self) -> str:
        """What stands for it on the way to a page that has it."""
        return f'<{self.tag} id="{self.name}" data-digest="{self.digest}" data-same></{self.tag}>'


def _representation(value: Any) -> str:
    """What an input is that has no form of its own in MessagePack."""
    text = repr(value)
    if " at 0x" in text:
        raise TypeError(f"an input of a region does not say what it is: {text}")
    return text


_encoder = msgspec.msgpack.Encoder(enc_hook=_representation)
"""Writes what inputs are, in a third of the time that `repr` takes."""


def region_of(name: str, html: str) -> Region:
    """What was drawn for a region, with its digest in its first tag."""
    html = "><".join(_BREAK.split(html.strip()))  # in half the time that `sub` takes
    first = _FIRST_TAG.match(html)
    if not first or first[2] != name:
        raise ValueError(f"region {name!r} does not begin with an element whose first attribute is that id")
    rest = html[first.end() :]
    digest = f"{crc32(rest.encode()):08x}"
    return Region(name, first[1], digest, f'{first[0]} data-digest="{digest}"{rest}')


def moved_pieces(moved: Mapping[str, int], inputs: bytes) -> bytes:
    """The pieces that the last move moved and that stand among the inputs of a region, and their order."""
    return b"".join(
        name + _encoder.encode(order)
        for piece, order in moved.items()
        if (name := _encoder.encode(piece)) in inputs
    )


RegionCache = dict[str, tuple[bytes, Region]]
"""Each region as one viewer was last given it in one language, with the inputs that it was drawn from."""

SharedRegions = dict[tuple[str, bytes], Region]
"""Regions that all who look see, by their names and inputs."""


class RegionDrawer:
    """The regions of one page while it is drawn: those whose inputs are the same as before are taken from `kept`, and
    those that were drawn for another from `shared`."""

    def __init__(self, cache: RegionCache, shared: SharedRegions | None = None) -> None:
        self.cache = cache
        self.shared: SharedRegions = {} if shared is None else shared
        self.regions: list[Region] = []

    def draw_region(
        self,
        name: str,
        inputs: list[Any],
        caller: Callable[[], str],
        shared: bool = False,
        moved: Mapping[str, int] | None = None,
    ) -> str:
        """Draw a region, if need be; returns what marks its place. `moved` is the context's, if it has one."""
        key = _encoder.encode(inputs)
        if moved:
            key += moved_pieces(moved, key)
        old_key, region = self.cache.get(name, (b"", None))
        if region is None or old_key != key:
            region = self.shared.get((name, key)) if shared else None
            if region is None:
                region = region_of(name, caller())
            if shared:
                self.shared[name, key] = region
            self.cache[name] = key, region
        self.regions.append(region)
        return f"<!--region {len(self.regions) - 1}-->"

    def fragment(self, html: str, version: int) -> "Fragment":
        """The drawn page."""
        between = _PLACE.split(html)
        regions = [self.regions[int(number)] for number in between[1::2]]
        return Fragment(between[::2], regions, version)


class Fragment:
    """A drawn page, or its live part: the regions, and the texts between them, which are one more."""

    def __init__(self, frame: list[str], regions: list[Region], version: int) -> None:
        numbered = f' data-version="{version}"'
        self.version = version
        order = [region.name for region in regions]
        self.digest = f"{crc32(repr((frame[0].replace(numbered, '', 1), frame[1:], order)).encode()):08x}"
        self.frame = [frame[0].replace(numbered, f'{numbered} data-digest="{self.digest}"', 1), *frame[1:]]
        self.regions = regions

    def __str__(self) -> str:
        return self._joined([region.html for region in self.regions])

    def _joined(self, regions: list[str]) -> str:
        return "".join(text for pair in zip(self.frame, [*regions, ""], strict=True) for text in pair)

    def abridged(self, known: Digests) -> str:
        """What a page that knows these regions is sent; `known` is what it knows afterwards.

        A page that has the frame gets the regions that differ and, in `data-has`, the digests of all. Those that may
        come later stand outside, after LATER.
        """
        before = dict(known)
        known.clear()
        known[FRAME] = self.digest
        known.update((region.name, region.digest) for region in self.regions)
        if before.get(FRAME) != self.digest:
            same = [
                region.placeholder if before.get(region.name) == region.digest else region.html
                for region in self.regions
            ]
            return self._joined(same)
        fresh = [region for region in self.regions if before.get(region.name) != region.digest]
        now = "".join(region.html for region in fresh if not region.is_deferrable)
        later = "".join(region.html for region in fresh if region.is_deferrable)
        has = " ".join(region.digest for region in self.regions)
        first = f'<div id="table" data-version="{self.version}" data-digest="{self.digest}"'
        return f'{first} data-has="{has}" data-same>{now}</div>{later and LATER}{later}'

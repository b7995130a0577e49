"""Regions of a table's page: each is rendered again only if its inputs change, and sent only if its HTML differs.

In a template, `{% region NAME, INPUTS... %}` and `{% endregion %}` enclose an element, whose first attribute is its id.
NAME is that id. INPUTS are all values on which its HTML depends; that the last move moved a piece among them (the
context's `moved`) counts as an input. Regions are not nested. Line breaks between two tags are removed in a region, so
a visible space has to stand on one line with both tags. A region carries a digest of its HTML, and so does the frame,
which is everything between the regions and their order. A region whose first tag has `data-later` may be drawn a frame
after the others.

`{% shared NAME, INPUTS... %}` and `{% endshared %}` enclose a region that is rendered once for all viewers with the
same inputs. Its inputs therefore include what depends on the viewer, such as `named(SEATS)` for the names of seats.
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

from atoll.web.pages.isolation import with_elements

_PLACE = re.compile(r"<!--region (\d+)-->")
_FIRST_TAG = re.compile(r'<(\w+) id="([^"]+)"')
_BREAK = re.compile(r">\s*\n\s*<")
"""A line break between two tags, removed since it would become a text node."""
LATER = "<!--later-->"
"""Precedes the deferrable regions, which the page parses later."""
FRAME = ""
"""The frame's name among the digests."""

Digests = dict[str, str]
"""The digests that a page has, by region; the frame's is named FRAME."""


class RegionTag(Extension):
    """The tags `region` and `shared`."""

    tags = {"region", "shared"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        """Turn the tag into a call of the context's `draw_region`, which renders the body if it must."""
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
    """A rendered region."""

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
        """The empty element that is sent in its place to a page that has it."""
        return f'<{self.tag} id="{self.name}" data-digest="{self.digest}" data-same></{self.tag}>'


def _representation(value: Any) -> str:
    """An input of a type that MessagePack does not know, as text."""
    text = repr(value)
    if " at 0x" in text:
        raise TypeError(f"an input of a region does not say what it is: {text}")
    return text


_encoder = msgspec.msgpack.Encoder(enc_hook=_representation)
"""Encodes inputs, faster than `repr` does."""


def region_of(name: str, html: str) -> Region:
    """A region of rendered HTML, with its digest in its first tag."""
    html = with_elements("><".join(_BREAK.split(html.strip())))  # faster than `sub`
    first = _FIRST_TAG.match(html)
    if not first or first[2] != name:
        raise ValueError(f"region {name!r} does not begin with an element whose first attribute is that id")
    rest = html[first.end() :]
    digest = f"{crc32(rest.encode()):08x}"
    return Region(name, first[1], digest, f'{first[0]} data-digest="{digest}"{rest}')


def moved_pieces(moved: Mapping[str, int], inputs: bytes) -> bytes:
    """The moved pieces that are among a region's encoded inputs, with their order, encoded."""
    return b"".join(
        name + _encoder.encode(order)
        for piece, order in moved.items()
        if (name := _encoder.encode(piece)) in inputs
    )


RegionCache = dict[str, tuple[bytes, Region]]
"""Each region as it was last rendered for one viewer and language, with its encoded inputs."""

SharedRegions = dict[tuple[str, bytes], Region]
"""Regions that several viewers share, by name and encoded inputs."""


class RegionDrawer:
    """Renders the regions of one page. Those with the same inputs as before come from `cache`, those that were
    rendered for another viewer from `shared`."""

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
        """Render a region, unless it is cached; returns a comment that marks its place. `moved` is the context's."""
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
        """The rendered page."""
        between = _PLACE.split(html)
        regions = [self.regions[int(number)] for number in between[1::2]]
        return Fragment(between[::2], regions, version)


class Fragment:
    """A rendered page, or its live part: the regions and the texts between them, one more than regions."""

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
        """The HTML that is sent to a page with the digests `known`, which are updated.

        A page that has the frame gets the regions that differ and, in `data-has`, the digests of all. Deferrable
        regions come after LATER.
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

"""A table's page as a browser has it: put together from what the site sends (`web/pages/regions.py`)."""

import re
from zlib import crc32

from atoll.web.pages.regions import LATER

_REGION = re.compile(r'<(\w+) id="([^"]+)" data-digest="([0-9a-f]{8})"( data-same)?')
_ROOT = re.compile(
    r'<div id="table"[^>]*? data-version="(\d+)" data-digest="([0-9a-f]{8})"(?: data-has="([^"]*)")?'
)
NOTICE = '<p class="notice"'


class Torn(Exception):
    """What was sent cannot be put together."""


class ShownPage:
    """The regions, and what lies between them."""

    def __init__(self) -> None:
        self.version = -1
        self.digest = ""
        """of the frame"""
        self.regions: dict[str, str] = {}
        """each by its name"""
        self.order: list[str] = []
        """the digests of all, as the page has them"""
        self.refused = False
        """whether it says why something was refused"""

    def show(self, sent: str) -> None:
        """Change it by what was sent; raises Torn."""
        root = _ROOT.search(sent)
        if root is None:
            raise Torn("a message that is no part of a page")
        fresh, rest = regions_in(sent.replace(LATER, ""))
        self.version, self.digest = int(root[1]), root[2]
        if root[3] is None:
            self.regions = {name: html or self.regions.get(name, "") for name, html in fresh.items()}
            self.refused = NOTICE in rest
            self.order = [digest_of(html) for html in self.regions.values()]
        else:
            self.regions.update(fresh)
            self.order = root[3].split()
        have = {digest_of(html) for html in self.regions.values()}
        if missing := set(self.order) - have:
            raise Torn(f"the page lacks regions {missing}, which the site believes it to have")


def regions_in(sent: str) -> tuple[dict[str, str], str]:
    """The regions in what was sent, those empty that the page is to have, and what lies between them."""
    found: dict[str, str] = {}
    between, at = [], 0
    while (first := _REGION.search(sent, at)) is not None:
        between.append(sent[at : first.start()])
        at = end_of(sent, first.start(), first[1])
        found[first[2]] = "" if first[4] else sent[first.start() : at]
    return found, "".join((*between, sent[at:]))


def end_of(html: str, start: int, tag: str) -> int:
    """Where the element ends that begins there."""
    depth = 0
    for found in re.finditer(rf"<(/?){tag}\b[^>]*?(/?)>", html[start:]):
        depth += -1 if found[1] else 0 if found[2] else 1
        if depth == 0:
            return start + found.end()
    raise Torn(f"a {tag} that does not end")


def digest_of(region: str) -> str:
    """The digest of a region as it was sent; empty for one that is missing."""
    first = _REGION.match(region)
    return f"{crc32(region[first.end() :].encode()):08x}" if first else ""

"""What the figures of a report share: names, which published measure they are, and their file.

Each section of a report is a file in `lab/sections`: there stand, for each figure, its definition, how it is summed,
its name and its picture. Sections are None where they were not measured. A share is a part of 1; a share of the win
counts a win that several seats share in equal parts. Rounds and seats count from 1, seats from who begins. An
`Estimate` has its 95 % interval and the number of independent units that it comes from.
"""

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from atoll.text.errors import AtollError
from atoll.text.files import read_file, unmarked
from atoll.text.messages import Message
from atoll.text.translation import Translator, texts

FORMAT = 2
LONGEST_FILE = 200_000_000
"""Bytes of a file of figures that is read."""

Names = dict[str, str]
"""The name of something by language: {"en": ..., "fr": ...}."""


def name_in(names: Names, translator: Translator) -> str:
    """A name in the language of a page."""
    return names.get(translator.language) or next(iter(names.values()), "")


class Provenance(msgspec.Struct, frozen=True):
    """What was played: everything that the games depend on, and the version of the program."""

    game: str
    title: str
    rules: int
    components: str
    sha256: str
    options: dict[str, bool]
    players: int
    bots: list[str]
    games: int
    seed: int
    version: str
    finished: bool = True
    """whether all that was asked for was played"""
    missing: list[str] = []
    """sections of which the run was stopped before what was asked for was played"""
    weak: list[str] = []
    """bots that do not plan ahead, which may distort every figure"""


class Measure(NamedTuple):
    """Which published measure a figure is: where it comes from, and where it differs."""

    source: str = ""
    differs: str = ""

    def text(self, translator: Translator) -> str:
        """The same in a line; empty for a figure that is not published."""
        if not self.source:
            return ""
        source = translator(self.source)
        if self.differs:
            return translator(
                "Measured as: %(source)s. Here: %(differs)s.", source=source, differs=translator(self.differs)
            )
        return translator("Measured as: %(source)s.", source=source)


NOT_PUBLISHED = Measure()
WIN_MEASURE = Measure(
    *texts(
        "conditional win rate, as TAG and print-and-play trackers report it; not an effect",
        "beside what the same seats win",
    )
)
"""The share of the win of those who did something."""


def encode(figures: msgspec.Struct) -> bytes:
    """The figures as indented JSON, the same bytes for the same figures."""
    return msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n"


def read_figures(path: Path, kind: Any) -> Any:
    """The report or comparison in a file; raises AtollError for one that holds none."""
    try:
        return msgspec.json.decode(unmarked(read_file(path, LONGEST_FILE)), type=kind)
    except (OSError, msgspec.DecodeError, RecursionError):
        raise AtollError(
            Message(
                "%(file)s: holds no figures of this version; atoll report GAME --json FILE writes them",
                file=path,
            )
        ) from None

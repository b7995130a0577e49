"""The section of a report with games that stand out, as records that the site replays."""

from base64 import b64encode
from collections.abc import Iterator

import msgspec
import numpy as np
from markupsafe import Markup

from atoll.lab import counts
from atoll.lab.chunks import Chunk
from atoll.lab.figures import Provenance
from atoll.lab.page.pictures import NumberTable, Picture
from atoll.lab.played import Setup
from atoll.lab.recording import record_game
from atoll.lab.totals import MILLION, Totals
from atoll.text.translation import Translator

EXAMPLES = ("closest", "longest", "oddest", "comeback")
CLOSEST = EXAMPLES.index("closest")


class Example(msgspec.Struct, frozen=True):
    """A game to look at. `why`: "closest", "longest", "oddest", "comeback"; `record` is its text, in the format of
    docs/records.md, which the site replays; `figure` what it is the most of: margin in points, decisions, how far its
    length, choices, points, margin, changes of lead and largest deficit lie from the mean of 500 games (the sum of
    squares, in standard deviations), and the winner's largest deficit in points.
    """

    why: str
    game: int
    points: list[int]
    winners: list[int]
    figure: float
    record: str


class Examples(msgspec.Struct, frozen=True):
    """Games that stand out."""

    examples: list[Example]


def add(totals: Totals, chunk: Chunk) -> None:
    """Find the games that are the most of something; the oddest by how far its features lie from the mean of
    the games of the chunk, in squared standard deviations.
    """
    numbers = np.arange(len(chunk)) + chunk.first
    ordered = np.sort(chunk.played.points, axis=1)
    margin = (ordered[:, -1] - ordered[:, -2]).astype(np.int64) if ordered.shape[1] > 1 else ordered[:, 0]
    features = np.stack(
        [
            chunk.played.lengths,
            chunk.games[:, counts.CHOICES],
            chunk.played.points.sum(axis=1),
            margin,
            chunk.lead.lead_changes,
            chunk.lead.deficit,
        ],
        axis=1,
    ).astype(np.int64)
    spread = np.maximum(features.var(axis=0), 0.25)
    oddness = (MILLION * ((features - features.mean(axis=0)) ** 2 / spread).sum(axis=1)).astype(np.int64)
    figures = {
        "closest": (1_000_000 - np.minimum(margin, 999_999)) * MILLION,
        "longest": chunk.played.lengths.astype(np.int64) * MILLION,
        "oddest": oddness,
        "comeback": chunk.lead.deficit * MILLION,
    }
    for place, name in enumerate(EXAMPLES):
        best = int(figures[name].argmax())
        totals.note_best(place, int(figures[name][best]), int(numbers[best]))


def figures(setup: Setup, totals: Totals) -> Examples:
    """The games that are the most of something, played once more for their records."""
    examples = []
    for place, why in enumerate(EXAMPLES):
        figure, number = totals.best[place].tolist()
        if number < 0:
            continue
        text, results = record_game(
            setup,
            number,
        )
        value = figure / MILLION
        (points,), (shares,) = (results.from_beginner(values) for values in (results.points, results.shares))
        examples.append(
            Example(
                why,
                number,
                points.tolist(),
                np.flatnonzero(shares).tolist(),
                MILLION - value if place == CLOSEST else value,
                text,
            )
        )
    return Examples(examples)


def pictures(section: Examples, translator: Translator, about: Provenance) -> Iterator[Picture]:
    """Games that stand out, each with its record as a file that the page holds."""
    why = {
        "closest": translator("the closest"),
        "longest": translator("the longest"),
        "oddest": translator("the oddest"),
        "comeback": translator("the greatest comeback"),
    }
    rows = [
        [
            why.get(one.why, one.why),
            str(one.game),
            " · ".join(map(str, one.points)),
            ", ".join(str(seat + 1) for seat in one.winners),
            file(f"{one.why}-{one.game}.jsonl", one.record),
        ]
        for one in section.examples
    ]
    if rows:
        yield Picture(
            translator("Games that stand out"),
            "",
            translator(
                "Each record is in this page, to be saved; atoll replay shows it, and so does the site."
            ),
            NumberTable(
                [
                    translator("Which"),
                    translator("Game"),
                    translator("Points, from who begins"),
                    translator("Winning seat"),
                    translator("Record"),
                ],
                rows,
            ),
        )


def file(name: str, text: str) -> Markup:
    """A link that saves a text under a name."""
    address = b64encode(text.encode()).decode()
    return Markup('<a download="{}" href="data:application/x-ndjson;base64,{}">{}</a>').format(
        name, address, name
    )

"""Every figure of a report on a game, as it stands in `report.json`; what draws a report knows nothing else.

Sections are None where they were not measured. A share is a part of 1; a share of the win counts a win that several
seats share in equal parts. Rounds and seats count from 1, seats from who begins (`lab/beginning.py`). An `Estimate` has
its 95 % interval and the number of independent units that it comes from; how each is measured, and where it differs
from a published measure of the same name, stands in `lab/measures.py` and in docs/lab.md.
"""

from pathlib import Path
from typing import Any

import msgspec

from atoll.text.errors import AtollError
from atoll.text.files import read_file
from atoll.text.messages import Message

FORMAT = 1
LONGEST_FILE = 200_000_000
"""Bytes of a file of figures that is read."""

Named = dict[str, str]
"""The name of a thing by language: {"en": ..., "fr": ...}."""


class Estimate(msgspec.Struct, frozen=True):
    """A value with its 95 % interval and the number of units (games, deals, decisions) that it comes from.

    `method` is how the interval was found: "wilson", "normal", "matched", "bootstrap", or "none" where there are too
    few.
    """

    value: float
    low: float
    high: float
    units: int
    method: str = "wilson"


class Bar(msgspec.Struct, frozen=True):
    """A class of a histogram: values from `low` to `high`, both counted, came `count` times."""

    low: float
    high: float
    count: int


class About(msgspec.Struct, frozen=True):
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
    """whether all the games that were asked for were played"""


class Ending(msgspec.Struct, frozen=True):
    """A way in which games end."""

    name: Named
    share: Estimate


class Length(msgspec.Struct, frozen=True):
    """How long games are: all decisions, those with a choice among several moves, rounds, and minutes of people.

    `minutes` scales the choices by `seconds_a_choice`, which is assumed and not measured.
    """

    decisions: Estimate
    choices: Estimate
    decisions_histogram: list[Bar]
    rounds: Estimate | None
    rounds_histogram: list[Bar]
    minutes: Estimate
    seconds_a_choice: float
    endings: list[Ending]


class Seat(msgspec.Struct, frozen=True):
    """How a seat does: its share of the win and its points; `expected` is its share if all seats were alike."""

    seat: int
    share: Estimate
    points: Estimate
    expected: float


class SeatsAt(msgspec.Struct, frozen=True):
    """The seats at a table of so many players; `p_value` of the test that all win alike (Hotelling's T²)."""

    players: int
    seats: list[Seat]
    p_value: float
    largest_difference: Estimate
    """between the two seats that differ most, as share of the win; its interval is for that pair chosen beforehand"""
    expected_difference: float
    """how large that is on average over so many games if all seats are alike"""


class Seats(msgspec.Struct, frozen=True):
    """Fairness between seats, by number of players; every deal once, so games are the units."""

    tables: list[SeatsAt]
    by_bot: list["BotShare"]


class BotShare(msgspec.Struct, frozen=True):
    """A bot's share of the win over its seats, in units of a game."""

    bot: str
    share: Estimate
    points: Estimate


class CourseRound(msgspec.Struct, frozen=True):
    """After a round: how often each seat led (alone or among equals, in equal parts), how often the leader won, how far
    the first was ahead of the second, and in which share of the games the leader was never overtaken from here on.
    """

    round: int
    games: int
    leading: list[Estimate]
    leader_wins: Estimate
    margin: Estimate
    decided: Estimate


class Comeback(msgspec.Struct, frozen=True):
    """The chance to win of a seat that is `low` to `high` points behind the first after a round."""

    round: int
    low: int
    high: int
    win: Estimate


class Course(msgspec.Struct, frozen=True):
    """Who led when; after every round, or after as many decisions as there are players where a game has no rounds
    (`unit`: "round" or "turn").

    `lead_changes` a game: how often another seat alone led than the last one that did. `drama`: the mean, over the
    rounds, of how far behind the first the eventual winner was, as a share of the largest deficit of any seat in the
    game. `runaway`: games whose winner led alone from the first third of the rounds to the end. `comeback_wins`: games
    whose winner was last, or among the last, after half of the rounds. `decided_at`: the share of the game after
    which its winner was never again behind.
    """

    unit: str
    rounds: list[CourseRound]
    lead_changes: Estimate
    lead_changes_histogram: list[Bar]
    without_changes: Estimate
    comebacks: list[Comeback]
    drama: Estimate
    drama_histogram: list[Bar]
    runaway: Estimate
    comeback_wins: Estimate
    decided_at: Estimate
    decided_histogram: list[Bar]


class Thing(msgspec.Struct, frozen=True):
    """Something that moves or events tell of: a card, a tile, a place.

    `what` is "move" or "event", `kind` the word of that kind, `of` what the value is (card, tile, ...), "" for the kind
    itself; `value` is in the words of records. `key` tells it from all others: "move/build/tile/3".
    """

    key: str
    what: str
    kind: str
    of: str
    value: Any
    name: Named


class ChoiceRound(msgspec.Struct, frozen=True):
    """Choices in a round: legal moves; how far their worth spreads (the mean standard deviation of the advice on the
    moves of a choice, over that of all choices of the report); the share of decisions that did not matter.
    """

    round: int
    legal: Estimate
    spread: Estimate | None
    indifferent: Estimate | None


class Option(msgspec.Struct, frozen=True):
    """An option: how often there was it, how often it was taken then, and how often the advice thought nothing better.

    `problem`: "dead", never or almost never legal; "dominated", legal and never thought best nor taken; "" if neither.
    """

    thing: Thing
    available: int
    taken: Estimate
    best: Estimate | None
    problem: str


class Choice(msgspec.Struct, frozen=True):
    """What there is to choose: by round, decisions that leave no choice, that do not matter, and problem options."""

    legal: Estimate
    legal_histogram: list[Bar]
    forced: Estimate
    indifferent: Estimate | None
    rounds: list[ChoiceRound]
    problems: list[Option]


class Rung(msgspec.Struct, frozen=True):
    """`stronger` against `weaker`, which has half the budget, in rotated seats of the same deals."""

    weaker: str
    stronger: str
    games: int
    share: Estimate


class ChanceSource(msgspec.Struct, frozen=True):
    """A source of chance: the share of the variance of a seat's win that it settles."""

    name: Named
    key: str
    settles: Estimate


class LuckAndSkill(msgspec.Struct, frozen=True):
    """How much the better player wins, and how much is settled by the deal between equals.

    `settled` is the share of the variance of a seat's win between deals (intraclass correlation over `replays` of each
    of `deals`), and `spans` a histogram over the deals of the largest share of the win of a seat in them. `sources` are
    the deal, chance after it and the players: together all. `dealt` are those of the deal, each drawn anew alone: what
    several settle together counts for each of them.
    """

    rungs: list[Rung]
    deals: int
    replays: int
    settled: Estimate | None
    spans: list[Bar]
    sources: list[ChanceSource]
    dealt: list[ChanceSource] = []


class UseInRound(msgspec.Struct, frozen=True):
    """What came of a thing that a seat first used in a round."""

    round: int
    win: Estimate


class ThingFigures(msgspec.Struct, frozen=True):
    """What a thing did. Seats in games are counted: `available`, the share of them that could use it at least once
    (None for events), `used`, the share that did, of those that could; `uses` how often in a game. `win` is the share
    of the win of the seats that used it, `without` of those that could and did not; `expected` what a seat wins.

    Biased: who is ahead can use what others cannot, long games see more of everything.
    """

    thing: Thing
    available: Estimate | None
    used: Estimate
    uses: Estimate
    win: Estimate | None
    without: Estimate | None
    expected: float
    by_seat: list[float]
    by_round: list[UseInRound]


class Things(msgspec.Struct, frozen=True):
    """What every thing did."""

    things: list[ThingFigures]


class Cause(msgspec.Struct, frozen=True):
    """What it does to take an option: `difference` in share of the win between the option forced and forbidden, the
    same position played on with the same chance in both; `significant` after Benjamini and Hochberg over all of them.
    """

    thing: Thing
    difference: Estimate
    positions: int
    playouts: int
    p_value: float
    significant: bool


class Causes(msgspec.Struct, frozen=True):
    """Effects of options, by forced swaps; of those called significant at most `rate` are false on average."""

    causes: list[Cause]
    rate: float
    bot: str


class Restriction(msgspec.Struct, frozen=True):
    """What it costs to be restricted: never to use a `thing`, or to keep to a style, which `about` tells in a sentence.
    `share` of the win of one such player against free ones, `free` that of a free one in the same seats of the same
    deals; `significant` after Benjamini and Hochberg over all restrictions of the report.
    """

    bot: str
    name: Named
    about: Named
    thing: Thing | None
    share: Estimate
    free: float
    cost: Estimate
    """what the free player wins more, game by game"""
    p_value: float
    significant: bool


class Opening(msgspec.Struct, frozen=True):
    """A way to begin: the first kinds of moves and what came of it."""

    name: Named
    moves: list[str]
    taken: Estimate
    win: Estimate


class Strategies(msgspec.Struct, frozen=True):
    """Restricted players against free ones, those of a style first, and openings."""

    restrictions: list[Restriction]
    openings: list[Opening]


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


class Report(msgspec.Struct, frozen=True):
    """All that a report shows."""

    format: int
    about: About
    length: Length | None = None
    seats: Seats | None = None
    course: Course | None = None
    choice: Choice | None = None
    luck: LuckAndSkill | None = None
    things: Things | None = None
    causes: Causes | None = None
    strategies: Strategies | None = None
    examples: Examples | None = None


class Difference(msgspec.Struct, frozen=True):
    """A figure under both rules on the same deals: `change` is the second less the first, `effect` in standard
    deviations of the figure (Cohen's d for paired games), 0 where it does not vary (`is_constant`); `within` is the x
    of "no difference larger than x".

    `key` names the figure: "length.decisions", "seat 1", "thing move/build/tile/3".
    """

    key: str
    name: Named
    first: Estimate
    second: Estimate
    change: Estimate
    effect: float
    p_value: float
    significant: bool
    within: float
    unit: str

    @property
    def is_constant(self) -> bool:
        """Whether the figure is the same in all games of a side, and another on the other side."""
        return self.effect == 0 and self.change.low == self.change.high != 0


class Disagreement(msgspec.Struct, frozen=True):
    """A figure that changes otherwise between search bots than between the bots of the comparison."""

    key: str
    name: Named
    quick: Estimate
    search: Estimate


class Comparison(msgspec.Struct, frozen=True):
    """Two sets of components or options, the same deals under both; the largest effect first."""

    format: int
    first: About
    second: About
    differences: list[Difference]
    search_bot: str = ""
    search_games: int = 0
    search_differences: list[Difference] = []
    disagreements: list[Disagreement] = []


def encode(figures: Report | Comparison) -> bytes:
    """The figures as indented JSON, the same bytes for the same figures."""
    return msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n"


def read_report(path: Path) -> Report:
    """The figures in a file; raises AtollError for one that holds none."""
    found: Report = _read(path, Report)
    return found


def read_comparison(path: Path) -> Comparison:
    """The comparison in a file; raises AtollError for one that holds none."""
    found: Comparison = _read(path, Comparison)
    return found


def _read(path: Path, kind: Any) -> Any:
    try:
        return msgspec.json.decode(read_file(path, LONGEST_FILE), type=kind)
    except (OSError, msgspec.DecodeError, RecursionError):
        raise AtollError(
            Message(
                "%(file)s: holds no figures of this version; atoll report GAME --json FILE writes them",
                file=path,
            )
        ) from None

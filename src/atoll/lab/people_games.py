"""Games of people beside those of bots: records counted as a report counts the games that it plays, and each figure of
people beside that of bots.

What is said of things counts people's seats, also where bots sat at the table; all else comes of games between people
alone.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from atoll.bots import RECORDED_BOT
from atoll.core.game import Position
from atoll.core.records import Record, components_of, first_position, replay
from atoll.lab import counts, estimates
from atoll.lab.chunks import Chunk, count_arrays, count_seats_from_beginners
from atoll.lab.counts import WIN, A, CountArrays, V, W
from atoll.lab.estimates import Estimate
from atoll.lab.figures import FORMAT, Names
from atoll.lab.findings import Claim, claims
from atoll.lab.items import existing, named_items
from atoll.lab.loop import beginner
from atoll.lab.played import PlayedGames, Setup
from atoll.lab.report import GameReport
from atoll.lab.report_builder import GAME_FIGURES, add, empty, provenance
from atoll.lab.sections import seats, strategies, usage
from atoll.lab.sections.findings import TIMES, USE
from atoll.lab.sections.findings import WIN as WINS
from atoll.lab.sections.length import ROUNDS
from atoll.lab.sections.people import (
    FEWEST_GAMES,
    FIGURE,
    Feedback,
    FigureOfBoth,
    PeopleFigures,
    ThingInHand,
)
from atoll.lab.sections.strategies import Strategies
from atoll.lab.totals import Totals
from atoll.text.errors import AtollError
from atoll.text.translation import LANGUAGES, Translator

BY_SEAT = (USE, WINS)
"""Kinds of figures that are told of people's seats, also beside bots."""


class PeopleGames:
    """Games of people with one set at one number of players, counted."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.items = named_items(setup.game, setup.components)
        self.with_people, self.between_people = empty(setup), empty(setup)
        self._seen = np.zeros((len(self.items), 5))
        """of what could be used at all: seats, wins, and the sums over games of their squares and product"""
        self.left_out: Counter[str] = Counter()
        self.feedback: list[Feedback] = []

    def add(self, record: Record) -> None:
        """Count a game, or say why it is left out; raises RecordError for a record that is wrong."""
        why = self._unlike(record)
        if why:
            self.left_out[why] += 1
            return
        names = record.header["players"]
        bots = [seat for seat, name in enumerate(names) if name.startswith(RECORDED_BOT)]
        chunk = counted(self.setup, record, bots)
        add(self.with_people, chunk)
        if not bots:
            add(self.between_people, chunk)
        could = chunk.usage[:, A].astype(float)
        won = (chunk.usage[:, W] + chunk.usage[:, V]) / WIN
        self._seen += np.stack([could, won, won * won, won * could, could * could], axis=1)

    def _unlike(self, record: Record) -> str:
        """Why a game is not one of these; empty if it is."""
        setup, head = self.setup, record.header
        if head["game"] != setup.game.name:
            return "game"
        if record.result is None:
            return "unfinished"
        if len(head["players"]) != setup.players:
            return "players"
        if all(name.startswith(RECORDED_BOT) for name in head["players"]):
            return "bots"
        try:
            parts = components_of(setup.game, head["components"])
        except AtollError:  # a set that is another here by now, or none
            return "set"
        if parts.sha256 != setup.components.sha256:
            return "set"
        options = setup.game.check_options(head.get("options", {}))
        return "" if options == setup.game.check_options(setup.options) else "options"

    def beside(self, report: GameReport, bots: Totals) -> PeopleFigures:
        """Every figure beside that of the bots of a report, whose sums are `bots`, with what people said."""
        people = self.with_people.games
        return PeopleFigures(
            games=people,
            between_people=self.between_people.games,
            left_out=dict(sorted(self.left_out.items())),
            figures=[*self._of_games(bots), *self._of_claims(report)],
            things=list(self._in_hand(report)) if people else [],
            feedback=self.feedback,
        )

    def _of_games(self, bots: Totals) -> Iterator[FigureOfBoth]:
        """Figures that are a number a game."""
        for row in GAME_FIGURES:
            if row is ROUNDS and self.setup.game.endings is None:
                continue  # the game does not tell
            if self.between_people.games:
                names = {language: Translator(language)(row.name) for language in LANGUAGES}
                both = row.mean(bots), row.mean(self.between_people)
                yield self._row(FIGURE, names, *both, "share" if row.is_share else "")

    def _of_claims(self, report: GameReport) -> Iterator[FigureOfBoth]:
        """Figures of seats, things and openings that are known of both."""
        of_bots = claims(report)
        alone = claims(self._figures(self.between_people)) if self.between_people.games else {}
        all_seats = claims(self._figures(self.with_people)) if self.with_people.games else {}
        for key, claim in of_bots.items():
            own: Claim | None = (all_seats if claim.kind in BY_SEAT else alone).get(key)
            if own is not None:
                unit = "" if claim.kind == TIMES else "share"
                yield self._row(claim.kind, claim.name, claim.value, own.value, unit, claim.seat)

    def _row(
        self, kind: str, name: Names, bots: Estimate, people: Estimate, unit: str, seat: int = 0
    ) -> FigureOfBoth:
        games = self.with_people.games if kind in BY_SEAT else self.between_people.games
        known = games >= FEWEST_GAMES and "none" not in (bots.method, people.method)
        apart = known and (people.low > bots.high or people.high < bots.low)
        error = math.hypot(bots.high - bots.low, people.high - people.low)
        gap = (people.value - bots.value) / error if error > 0 else 0.0
        return FigureOfBoth(kind, name, seat, self.setup.players, bots, people, unit, apart, gap)

    def _figures(self, totals: Totals) -> GameReport:
        """The sections that figures of seats, things and openings are made of."""
        setup, items = self.setup, self.items
        there = existing(setup.game, setup.components, setup.players)
        return GameReport(
            FORMAT,
            provenance(setup, totals.games),
            seats=seats.figures(totals, []),
            things=usage.figures(totals, items, there, setup.players),
            strategies=Strategies([], strategies.openings(totals, setup.game, setup.components, items)),
        )

    def _in_hand(self, report: GameReport) -> Iterator[ThingInHand]:
        """What people won who could use each card or tile, who used it, and who passed it over."""
        things = self._figures(self.with_people).things
        assert things is not None
        of_bots = {one.thing.key: one for one in (report.things.things if report.things is not None else ())}
        places = {item.key: place for place, item in enumerate(self.items)}
        for one in things.things:
            beside = of_bots.get(one.thing.key)
            if one.thing.what != "move" or not one.thing.of or not any(one.thing.name.values()):
                continue
            could, won, squares, products, could_squares = self._seen[places[one.thing.key]].tolist()
            if could:
                seen = estimates.ratio_share(won, could, squares, products, could_squares, int(could))
                bots_used, bots_passed = (None, None) if beside is None else (beside.win, beside.without)
                yield ThingInHand(one.thing, seen, one.win, one.without, bots_used, bots_passed)


def counted(setup: Setup, record: Record, bots: Iterable[int] = ()) -> Chunk:
    """A recorded game as a chunk of one: the moves that stood at the end. What the seats `bots` did is not counted by
    thing, nor are their choices.
    """
    game, components, players = setup.game, setup.components, setup.players
    out = frozenset(bots)
    position = first_position(record).copy()
    results = PlayedGames.empty(setup.names, np.zeros((1, players), dtype=np.int8))
    results.beginners[0] = beginner(position.state)
    own = count_arrays(setup, 0, 1, 0)
    own.turn[counts.ROUND] = 1
    own.round_points[0, 0] = _points(position)
    for before, seat, action, events, after in _standing(record, position):
        legal = before.legal_moves(seat).actions
        if seat not in out:
            if len(legal) > 1:
                counts.note_plan(own, 0, seat, action)
            counts.count_decision(own, legal, len(legal), seat, action)
        results.lengths[0] += 1
        _count_events(own, events, after, int(results.lengths[0]), players)
        position = after
    outcome = position.outcome
    assert outcome is not None
    results.points[0] = outcome.points
    results.winners[0] = sum(1 << seat for seat in outcome.winners)
    results.add_endings(slice(None), game, components, position.states)
    number = own.turn[counts.ROUND]
    own.games[0, counts.SNAPSHOTS] = number + 1
    own.round_points[0, number] = outcome.points
    for seat in out:
        own.items[:, seat] = 0
    counts.count_game(own, int(results.winners[0]), players, int(results.beginners[0]))
    counts.count_rounds(own.rounds, own.in_round)
    chunk = Chunk(0, results, own.usage, own.rounds, own.games, own.round_points, own.flow)
    count_seats_from_beginners(chunk)
    return chunk


Decided = tuple[Position, int, int, NDArray[np.int16], Position]
"""A decision: the position before, the seat, the action, what happened, and the position after."""


def _standing(record: Record, start: Position) -> list[Decided]:
    """The decisions that stood at the end."""
    action_of, before = start.game.notation.action_of, start
    stood: list[Decided] = []
    for step in replay(record):
        after = step.position.copy()
        if "undo" in step.move:
            del stood[step.move["undo"] :]
        elif "redeal" not in step.move:
            rows = step.events if start.game.rules.MAX_EVENTS else []
            events = np.array([(len(rows), 0, 0, 0, 0, 0), *rows], dtype=np.int16)
            stood.append((before, step.seat, action_of(step.move), events, after))
        before = after
    return stood


def _count_events(
    own: CountArrays, events: NDArray[np.int16], position: Position, length: int, players: int
) -> None:
    """What happened in a move; where a round begins, what the points were by then."""
    number = int(own.turn[counts.ROUND])
    later = counts.count_events(own, events, number)
    if later < 0 or (not own.has_rounds[0] and length % players == 0):
        own.turn[counts.ROUND] = -later if later < 0 else min(number + 1, counts.ROUNDS - 1)
        own.round_points[0, own.turn[counts.ROUND] - 1] = _points(position)


def _points(position: Position) -> NDArray[np.int32]:
    """What the rules would score now."""
    return np.array(position.points, dtype=np.int32)

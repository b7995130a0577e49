"""The figures of a report from its sums: length, seats, course, choice and what things do."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from atoll.core.game import Components, Game
from atoll.lab import counts, estimates
from atoll.lab.counts import MOST_SEATS, ROUNDS, WIN
from atoll.lab.figures import (
    BotShare,
    Choice,
    ChoiceRound,
    Comeback,
    Course,
    CourseRound,
    Ending,
    Estimate,
    Length,
    Named,
    Opening,
    Option,
    Seat,
    Seats,
    SeatsAt,
    Thing,
    ThingFigures,
    Things,
    UseInRound,
)
from atoll.lab.items import items_of, told
from atoll.lab.totals import BINS, DEFICITS, MILLION, Totals
from atoll.text.translation import LANGUAGES, Translator

SECONDS_A_CHOICE = 20.0
"""What a person is assumed to take for a choice where the game does not say how long it is."""
CURVES = 6
"""Rounds for which there is a comeback curve at most, and classes of the deficit."""
FEWEST = 50
"""Seats behind by so much after a round of which it is told how many won."""
MOST_OPENINGS = 24
DEAD = 0.001
"""An option is dead if fewer than this share of the seats in all games could ever take it."""
RARELY = 0.01
"""A dominated option is taken in less than this share of the times."""


def length(totals: Totals, game: Game) -> Length:
    """How long games are."""
    sums = totals.sums
    games, decisions, squares = sums["length"].tolist()
    _, choices, choice_squares = sums["choices"].tolist()
    mean_choices = estimates.mean(choices, choice_squares, games)
    seconds = SECONDS_A_CHOICE
    rounds = None
    if game.endings is not None and sums["rounds_played"][1]:
        rounds = estimates.mean(sums["rounds_played"][1], sums["rounds_played"][2], games)
    return Length(
        decisions=estimates.mean(decisions, squares, games),
        choices=mean_choices,
        decisions_histogram=estimates.bars(sums["lengths"]),
        rounds=rounds,
        rounds_histogram=estimates.bars(sums["rounds_histogram"]) if rounds else [],
        minutes=estimates.mean(choices, choice_squares, games, scale=60 / seconds),
        seconds_a_choice=seconds,
        endings=_endings(totals, game),
    )


def _endings(totals: Totals, game: Game) -> list[Ending]:
    if game.endings is None:
        return []
    said = {language: Translator(language).with_package(game.package) for language in LANGUAGES}
    return [
        Ending(
            {language: game.endings.ending_text(words, ending) for language, words in said.items()},
            estimates.share(int(totals.sums["endings"][place]), totals.games),
        )
        for place, ending in enumerate(game.endings.ENDINGS)
    ]


def seats(totals: Totals, bots: Sequence[str]) -> Seats:
    """How the seats and the bots do."""
    games, sums = totals.games, totals.sums
    shares, products = sums["shares"] / WIN, sums["share_products"] / WIN**2
    players = len(shares)
    order = np.argsort(shares)
    low, high = int(order[0]), int(order[-1])
    squares = products[high, high] + products[low, low] - 2 * products[low, high]
    found = SeatsAt(
        players,
        [
            Seat(
                seat + 1,
                estimates.mean_share(shares[seat], products[seat, seat], games),
                estimates.of_sums(sums["points"][seat]),
                1 / players,
            )
            for seat in range(players)
        ],
        estimates.alike(shares, products, games),
        estimates.mean(float(shares[high] - shares[low]), float(squares), games),
        estimates.expected_range(shares, products, games),
    )
    return Seats([found], [_bot(totals, place, bot) for place, bot in enumerate(bots)])


def _bot(totals: Totals, place: int, bot: str) -> BotShare:
    seated, won, dd, nd, nn = totals.sums["bots"][place].tolist()
    share = estimates.ratio_share(won, seated, nn, nd, dd, totals.games, WIN)
    seated, got, dd, nd, nn = totals.sums["bot_points"][place].tolist()
    return BotShare(bot, share, estimates.ratio(got, seated, nn, nd, dd, totals.games))


def course(totals: Totals, game: Game) -> Course:
    """Who led when."""
    games, sums = totals.games, totals.sums
    runaway, comebacks = sums["runaway"].tolist()
    changes = sums["lead_changes"].tolist()
    return Course(
        unit="round" if items_of(game).has_rounds else "turn",
        rounds=[_course_round(totals, number) for number in _rounds(totals)],
        lead_changes=estimates.mean(changes[1], changes[2], games),
        lead_changes_histogram=estimates.bars(sums["lead_changes_histogram"]),
        without_changes=estimates.share(int(sums["lead_changes_histogram"][0]), games),
        comebacks=_comebacks(totals),
        drama=estimates.of_sums(sums["drama"], MILLION),
        drama_histogram=estimates.bars(sums["drama_histogram"], width=1 / BINS),
        runaway=estimates.share(runaway, games),
        comeback_wins=estimates.share(comebacks, games),
        decided_at=estimates.of_sums(sums["decided"], MILLION),
        decided_histogram=estimates.bars(sums["decided_histogram"], width=1 / BINS),
    )


def _rounds(totals: Totals) -> list[int]:
    """The rounds that a hundredth of the games reached."""
    reached = totals.sums["course"][:, 0]
    return [number for number in range(1, ROUNDS) if reached[number] * 100 >= totals.games]


def _course_round(totals: Totals, number: int) -> CourseRound:
    reached, wins, win_squares, margin, margin_squares, decided = totals.sums["course"][number].tolist()
    leading, squares = totals.sums["leading"][number], totals.sums["leading_squares"][number]
    return CourseRound(
        round=number,
        games=reached,
        leading=[
            estimates.mean_share(one / WIN, square / WIN**2, reached)
            for one, square in zip(leading.tolist(), squares.tolist(), strict=True)
        ],
        leader_wins=estimates.mean_share(wins / WIN**2, win_squares / WIN**4, reached),
        margin=estimates.mean(margin, margin_squares, reached),
        decided=estimates.share(decided, reached),
    )


def _comebacks(totals: Totals) -> list[Comeback]:
    """A curve for some rounds, evenly chosen before the last; its classes of deficits, the same in all of them, have
    about as many seats each. What fewer than `FEWEST` seats came to is not told.
    """
    rounds = _rounds(totals)[:-1]
    chosen = sorted(
        {rounds[place] for place in np.linspace(0, len(rounds) - 1, CURVES).astype(int)} if rounds else []
    )
    tables = totals.sums["comebacks"].reshape(ROUNDS, DEFICITS, 3)
    classes = _classes(tables[chosen, :, 0].sum(axis=0)) if chosen else []
    found = []
    for number in chosen:
        for low, high in classes:
            seats, won, squares = tables[number, low : high + 1].sum(axis=0).tolist()
            if seats >= FEWEST:
                win = estimates.mean_share(won / WIN, squares / WIN**2, seats)
                found.append(Comeback(number, low, high, win))
    return found


def _classes(counts: NDArray[np.int64]) -> list[tuple[int, int]]:
    """The leaders, and up to CURVES classes of deficits of about as many seats each, first and last counted."""
    found = [(0, 0)] if counts[0] else []
    rest = counts[1:]
    wanted = max(1, rest.sum() // CURVES)
    low, seen = 1, 0
    for deficit in range(1, len(counts)):
        seen += int(counts[deficit])
        if seen >= wanted or (deficit == len(counts) - 1 and seen):
            found.append((low, deficit if deficit < len(counts) - 1 else int(np.nonzero(counts)[0][-1])))
            low, seen = deficit + 1, 0
    return found


def choice(totals: Totals, things: Sequence[Thing], there: Sequence[bool], players: int) -> Choice:
    """What there is to choose; `there` says which things exist."""
    rounds = totals.sums["rounds"]
    everything = RoundSums(rounds.sum(axis=0), totals.games)
    spread = everything.ratio(counts.STD, counts.LOOKED)
    looked = everything.total(counts.LOOKED) > 0
    forced = everything.total(counts.DECIDED) - everything.total(counts.CHOSEN)
    return Choice(
        legal=everything.ratio(counts.LEGAL, counts.DECIDED),
        legal_histogram=estimates.class_bars(rounds[:, counts.ROUND_GAMES + 1 :].sum(axis=0)),
        forced=estimates.share(forced, everything.total(counts.DECIDED)),
        indifferent=everything.ratio_share(counts.INDIFFERENT, counts.LOOKED) if looked else None,
        rounds=[
            _choice_round(RoundSums(rounds[number], int(rounds[number, counts.ROUND_GAMES])), number, spread)
            for number in range(ROUNDS)
            if rounds[number, counts.ROUND_GAMES] * 100 >= totals.games
        ],
        problems=_problems(totals, things, there, players),
    )


class RoundSums:
    """The sums of the measures of a round, and ratios of two with their intervals; games are the units."""

    def __init__(self, row: NDArray[np.int64], games: int) -> None:
        self._row = row
        self._games = games

    def total(self, measure: int) -> int:
        """The sum of a measure."""
        return int(self._row[measure])

    def _product(self, one: int, other: int) -> int:
        low, high = min(one, other), max(one, other)
        width = counts.ROUND_MEASURES
        return int(self._row[width + low * width - low * (low - 1) // 2 + high - low])

    def _parts(self, measure: int, of: int) -> tuple[int, int, int, int, int, int]:
        return (
            self.total(measure),
            self.total(of),
            self._product(measure, measure),
            self._product(measure, of),
            self._product(of, of),
            self._games,
        )

    def ratio(self, measure: int, of: int, scale: float = 1.0) -> Estimate:
        """The mean of a measure over what `of` counts."""
        return estimates.ratio(*self._parts(measure, of), scale)

    def ratio_share(self, measure: int, of: int) -> Estimate:
        """The share of what `of` counts."""
        return estimates.ratio_share(*self._parts(measure, of))


def _choice_round(sums: RoundSums, number: int, spread: Estimate) -> ChoiceRound:
    looked = sums.total(counts.LOOKED) > 0
    return ChoiceRound(
        number,
        sums.ratio(counts.LEGAL, counts.DECIDED),
        sums.ratio(counts.STD, counts.LOOKED, spread.value) if looked and spread.value else None,
        sums.ratio_share(counts.INDIFFERENT, counts.LOOKED) if looked else None,
    )


def _problems(totals: Totals, things: Sequence[Thing], there: Sequence[bool], players: int) -> list[Option]:
    """Options that nobody would take and then those that nobody can, most often there first; of a kind of moves that is
    such an option, none of its values.
    """
    found: list[Option] = []
    kinds = set()
    for thing, exists, row in zip(things, there, totals.sums["things"], strict=True):
        if thing.what != "move" or not exists or thing.kind in kinds:
            continue
        available, rated, best = int(row[counts.OFFERS]), int(row[counts.RATED]), int(row[counts.BEST])
        taken = estimates.share(int(row[counts.USES]), max(available, int(row[counts.USES])))
        problem = ""
        if row[counts.A] < DEAD * totals.games * players:
            problem = "dead"
        elif rated >= 100 and not best and taken.high < RARELY:
            problem = "dominated"
        if problem:
            if not thing.of:
                kinds.add(thing.kind)
            found.append(
                Option(thing, available, taken, estimates.share(best, rated) if rated else None, problem)
            )
    return sorted(found, key=lambda option: (option.problem == "dead", -option.available))


def things(totals: Totals, told_things: Sequence[Thing], there: Sequence[bool], players: int) -> Things:
    """What every move did that there can be, and every event that happened."""
    return Things(
        [
            _thing(thing, row, totals.games, players)
            for thing, exists, row in zip(told_things, there, totals.sums["things"], strict=True)
            if row[counts.USES] or (thing.what == "move" and exists)
        ]
    )


def _thing(thing: Thing, row: NDArray[np.int64], games: int, players: int) -> ThingFigures:
    own = {
        name: int(row[getattr(counts, name)])
        for name in ("A", "U", "W", "V", "AA", "AU", "UU", "UW", "WW", "NN", "NV", "VV")
    }
    is_move = thing.what == "move"
    seats = games * players
    unused = own["A"] - own["U"]
    used = (
        estimates.ratio_share(own["U"], own["A"], own["UU"], own["AU"], own["AA"], games)
        if is_move
        else estimates.mean_share(own["U"] / players, own["UU"] / players**2, games)
    )
    by_seat = row[counts.BY_SEAT : counts.BY_SEAT + MOST_SEATS][:players]
    return ThingFigures(
        thing=thing,
        available=estimates.mean_share(own["A"] / players, own["AA"] / players**2, games)
        if is_move
        else None,
        used=used,
        uses=estimates.mean(int(row[counts.USES]), int(row[counts.USES_SQUARED]), games),
        win=estimates.ratio_share(own["W"], own["U"], own["WW"], own["UW"], own["UU"], games, WIN)
        if own["U"]
        else None,
        without=estimates.ratio_share(own["V"], unused, own["VV"], own["NV"], own["NN"], games, WIN)
        if is_move and unused > 0
        else None,
        expected=1 / players,
        by_seat=[float(part) for part in by_seat / max(1, by_seat.sum())],
        by_round=_by_round(row, seats),
    )


def _by_round(row: NDArray[np.int64], seats: int) -> list[UseInRound]:
    table = row[counts.BY_ROUND :].reshape(ROUNDS, 5)
    return [
        UseInRound(number, estimates.ratio_share(won, used, ww, uw, uu, used, WIN))
        for number, (used, won, uu, uw, ww) in enumerate(table.tolist())
        if used * 2000 >= seats or used >= 100
    ]


def openings(totals: Totals, game: Game, components: Components, things: Sequence[Thing]) -> list[Opening]:
    """The first choices of the seats by their moves, and the first three by their kinds, the commonest first."""
    seats = int(totals.sums["openings"][:, 0].sum())
    first = totals.sums["openings"]
    said = _sayings(game, components)
    found = []
    for action in np.argsort(-first[1:, 0], kind="stable")[:MOST_OPENINGS].tolist():
        if first[action + 1, 0] * 1000 >= seats:
            names = {language: tell(action) for language, tell in said.items()}
            found.append(_opening(names, [as_text(game, action)], first[action + 1], seats))
    plans, words = totals.sums["plans"], [kind.word for kind in game.moves.kinds]
    kinds_said = {thing.kind: thing.name for thing in things if thing.what == "move" and not thing.of}
    for plan in np.argsort(-plans[:, 0], kind="stable")[:MOST_OPENINGS].tolist():
        if plan and plans[plan, 0] * 1000 >= seats:
            kinds = [words[number - 1] for number in _digits(plan, len(words) + 1)]
            names = {
                language: ", ".join(kinds_said[kind][language] for kind in kinds) for language in LANGUAGES
            }
            found.append(_opening(names, kinds, plans[plan], seats))
    return found


def _sayings(game: Game, components: Components) -> dict[str, Callable[[int], str]]:
    """What says a move in each language, as at the start of a game."""
    view = game.start(game.default_players, 1, components).view(0)
    names = [str(seat + 1) for seat in range(game.default_players)]

    def tell(translator: Translator, action: int) -> str:
        move = game.notation.move_of(action)
        try:
            return game.messages.move_text(translator, names, move, view, 0)
        except (LookupError, TypeError, ValueError, AttributeError):  # not a move that can be told there
            return as_text(game, action)

    return {
        language: partial(tell, Translator(language).with_package(game.package).with_components(components))
        for language in LANGUAGES
    }


def as_text(game: Game, action: int) -> str:
    """A move in the words of records."""
    return ", ".join(str(value) for value in game.moves.move_of(action).values())


def _digits(number: int, base: int) -> list[int]:
    """A number's digits, the highest first."""
    found: list[int] = []
    while number:
        number, digit = divmod(number, base)
        found.insert(0, digit)
    return found


def _opening(names: Named, moves: list[str], row: NDArray[np.int64], seats: int) -> Opening:
    count, won, squares = row.tolist()
    win = estimates.mean_share(won / WIN, squares / WIN**2, count)
    return Opening(names, moves, estimates.share(count, seats), win)


def named_things(game: Game, components: Components) -> list[Thing]:
    """The things of a game with their names, in the order of the sums."""
    return told(game, components, items_of(game).items)

"""The parts of a report's page: for each figure its picture, and one sentence that says what is seen and how sure."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from atoll.lab.figures import (
    Bar,
    ChanceSource,
    Choice,
    Course,
    Estimate,
    Length,
    LuckAndSkill,
    Option,
    Report,
    Seats,
    SeatsAt,
)
from atoll.lab.page.drawing import Line, Row, dots, histogram, lines
from atoll.lab.page.more_parts import causes, examples, strategies, things
from atoll.lab.page.numbers import figure, sure
from atoll.lab.page.pictures import (
    Part,
    Picture,
    Table,
    bars_table,
    cells,
    heading,
    measured_as,
    middle_range,
    named,
    told_by_range,
)
from atoll.text.translation import Translator

UNFAIR = 0.05
"""The p-value below which seats are said not to win alike."""
LEAST_CHANCE = 0.001
"""Below this it is not told how much a chance is."""


def parts_of(report: Report, translator: Translator) -> Iterator[Part]:
    """The parts of the page, of what was measured."""
    told: Sequence[tuple[str, object, Callable[[], Iterator[Picture]]]] = (
        ("length", report.length, lambda: length(report.length, translator)),  # type: ignore[arg-type]
        ("seats", report.seats, lambda: seats(report.seats, translator)),  # type: ignore[arg-type]
        ("course", report.course, lambda: course(report.course, translator)),  # type: ignore[arg-type]
        ("choice", report.choice, lambda: choice(report.choice, translator)),  # type: ignore[arg-type]
        ("luck", report.luck, lambda: luck(report.luck, translator)),  # type: ignore[arg-type]
        ("things", report.things, lambda: things(report.things, translator)),  # type: ignore[arg-type]
        ("causes", report.causes, lambda: causes(report.causes, translator)),  # type: ignore[arg-type]
        (
            "strategies",
            report.strategies,
            lambda: strategies(report.strategies, report.about.players, translator),
        ),  # type: ignore[arg-type]
        ("examples", report.examples, lambda: examples(report.examples, translator)),  # type: ignore[arg-type]
    )
    titles = {
        "length": translator("Length"),
        "seats": translator("Seats and fairness"),
        "course": translator("Course of the game"),
        "choice": translator("Choices"),
        "luck": translator("Luck and skill"),
        "things": translator("What things do"),
        "causes": translator("Causes"),
        "strategies": translator("Strategies"),
        "examples": translator("Games to look at"),
    }
    for key, measured, told_pictures in told:
        if measured is not None and (pictures := list(told_pictures())):
            yield Part(key, titles[key], pictures)


def spread_picture(
    title: str,
    bars: Sequence[Bar],
    mean: Estimate,
    unit: str,
    sentence: str,
    key: str,
    translator: Translator,
) -> Picture:
    """A histogram with its mean."""
    say = partial(figure, unit=unit, translator=translator)
    return Picture(
        title,
        histogram(bars, mean.value, lambda value: say(value) if unit == "share" else f"{value:g}"
                  if float(value).is_integer() else say(value), title),
        sentence,
        bars_table(bars, title, translator),
        measured_as(key, translator),
    )  # fmt: skip


def is_constant(bars: Sequence[Bar]) -> bool:
    """Whether all games are in one class."""
    return sum(bar.count > 0 for bar in bars) == 1


def length(found: Length, translator: Translator) -> Iterator[Picture]:
    """How long games are, and how they end."""
    if found.rounds is not None and found.rounds_histogram:
        low, high = middle_range(found.rounds_histogram)
        yield spread_picture(
            translator("Rounds of a game"), found.rounds_histogram, found.rounds, "",
            translator("Each of these games lasted %(rounds)s rounds.", rounds=f"{low:g}")
            if is_constant(found.rounds_histogram) else
            translator("A game lasts %(rounds)s rounds on average; nine of ten games last %(low)s to %(high)s.",
                  rounds=sure(found.rounds, "", translator), low=f"{low:g}", high=f"{high:g}"),
            "length.rounds", translator,
        )  # fmt: skip
    if found.decisions_histogram:
        low, high = middle_range(found.decisions_histogram)
        told = {
            "decisions": sure(found.decisions, "", translator),
            "choices": figure(found.choices.value, "", translator),
            "low": f"{low:g}",
            "high": f"{high:g}",
            "seconds": f"{found.seconds_a_choice:g}",
            "minutes": figure(found.minutes.value, "count", translator),
        }
        yield spread_picture(
            translator("Decisions in a game"), found.decisions_histogram, found.decisions, "",
            translator("All players together decided %(low)s times in each of these games, %(choices)s times on average "
                  "with a real choice. At %(seconds)s seconds a choice, which is assumed, that is %(minutes)s "
                  "minutes.", **told)
            if is_constant(found.decisions_histogram) else
            translator("All players together decide %(decisions)s times on average, %(choices)s times with a real choice; "
                  "nine of ten games have %(low)s to %(high)s decisions. At %(seconds)s seconds a choice, which is "
                  "assumed, that is %(minutes)s minutes.", **told),
            "length.decisions", translator,
        )  # fmt: skip
    if len(found.endings) > 1:
        rows = [Row(named(one.name, translator), one.share) for one in found.endings]
        most = max(found.endings, key=lambda one: one.share.value)
        yield dots_picture(
            translator("How games end"), rows, "share", None, translator("Share of the games"),
            translator("Most games end so: %(ending)s, %(share)s of them.", ending=named(most.name, translator),
                  share=sure(most.share, "share", translator)),
            "", translator,
        )  # fmt: skip


def dots_picture(
    title: str,
    rows: Sequence[Row],
    unit: str,
    expected: float | None,
    label: str,
    sentence: str,
    key: str,
    translator: Translator,
) -> Picture:
    """A dot with its interval for each row."""
    return Picture(
        title,
        dots(rows, partial(figure, unit=unit, translator=translator), label, expected),
        sentence,
        Table(heading("", translator), [cells(row.label, row.estimate, unit, translator) for row in rows]),
        measured_as(key, translator),
    )


def seats(found: Seats, translator: Translator) -> Iterator[Picture]:
    """Whether seats win alike, and how bots do."""
    for table in found.tables:
        yield _seats_at(table, translator)
    if len(found.by_bot) > 1:
        rows = [Row(one.bot, one.share) for one in found.by_bot]
        best = max(found.by_bot, key=lambda one: one.share.value)
        yield dots_picture(
            translator("Bots"), rows, "share", None, translator("Share of the win of a seat"),
            translator("%(bot)s wins most: %(share)s of a seat’s games.", bot=best.bot,
                  share=sure(best.share, "share", translator)),
            "seats.share", translator,
        )  # fmt: skip


def _seats_at(table: SeatsAt, translator: Translator) -> Picture:
    label = translator("Seat %(number)s")
    rows = [Row(label % {"number": seat.seat}, seat.share) for seat in table.seats]
    largest = sure(table.largest_difference, "share", translator)
    if table.p_value < UNFAIR:
        sentence = translator(
            "Seats do not win alike: the best wins more than the worst by %(largest)s of the games. If they did, such "
            "a difference would come by chance in %(chance)s of such reports.",
            largest=largest, chance=_chance(table.p_value, translator),
        )  # fmt: skip
    else:
        sentence = translator(
            "No seat is seen to be better: the largest difference is %(largest)s. Were all seats alike, chance alone "
            "would bring about %(expected)s.",
            largest=largest, expected=figure(table.expected_difference, "share", translator),
        )  # fmt: skip
    shown = dots_picture(
        translator("%(players)s players: share of the win by seat, from who begins", players=table.players), rows, "share",
        table.seats[0].expected if table.seats else None,
        translator("Share of the win; the line is where all seats would be if they were alike"),
        sentence, "seats.share", translator,
    )  # fmt: skip
    points = [
        [*cells(row.label, row.estimate, "share", translator), figure(seat.points.value, "", translator)]
        for row, seat in zip(rows, table.seats, strict=True)
    ]
    return Picture(
        shown.title,
        shown.svg,
        sentence,
        Table([*heading(translator("Seat, from who begins"), translator), translator("Points")], points),
        shown.measure,
    )


def _chance(p_value: float, translator: Translator) -> str:
    """How often something comes by chance."""
    if p_value >= LEAST_CHANCE:
        return figure(p_value, "share", translator)
    return translator("less than %(share)s", share=figure(LEAST_CHANCE, "share", translator))


def course(found: Course, translator: Translator) -> Iterator[Picture]:
    """Who led when, and what came of it."""
    say = partial(figure, unit="share", translator=translator)
    unit = translator("Round") if found.unit == "round" else translator("Turn of all players")
    if found.rounds:
        middle = found.rounds[len(found.rounds) // 2]
        shown = [
            Line(translator("Leader wins"), [(one.round, one.leader_wins) for one in found.rounds]),
            Line(translator("Decided"), [(one.round, one.decided) for one in found.rounds]),
        ]
        yield Picture(
            translator("Does it pay to lead?"),
            lines(shown, say, unit, 0.0, 1.0),
            translator("After %(round)s of %(rounds)s the leader wins %(wins)s of the games; in %(decided)s of them the "
                  "leader is never overtaken any more.", round=_at(found, middle.round, translator),
                  rounds=found.rounds[-1].round, wins=sure(middle.leader_wins, "share", translator),
                  decided=say(middle.decided.value)),
            Table([unit, translator("Leader wins"), translator("Decided"), translator("Points ahead"), translator("Games")],
                  [[str(one.round), say(one.leader_wins.value), say(one.decided.value),
                    figure(one.margin.value, "", translator), figure(one.games, "count", translator)]
                   for one in found.rounds]),
            measured_as("course.decided", translator),
        )  # fmt: skip
        yield _leading(found, unit, translator)
    if found.lead_changes_histogram:
        yield spread_picture(
            translator("Changes of the lead"), found.lead_changes_histogram, found.lead_changes, "",
            translator("The lead changes %(changes)s times in a game; in %(without)s of the games it never does.",
                  changes=sure(found.lead_changes, "", translator), without=say(found.without_changes.value)),
            "course.lead_changes", translator,
        )  # fmt: skip
    if any(one.low for one in found.comebacks):
        yield _comebacks(found, unit, translator)
    if found.drama_histogram:
        yield spread_picture(
            translator("Drama: how far behind the winner was"), found.drama_histogram, found.drama, "share",
            translator("On average the winner was behind by %(drama)s of the largest deficit in the game.",
                  drama=sure(found.drama, "share", translator)),
            "course.drama", translator,
        )  # fmt: skip
    if found.decided_histogram:
        yield spread_picture(
            translator("When a game was decided"), found.decided_histogram, found.decided_at, "share",
            translator("A game is decided after %(decided)s of its length. %(runaway)s of the games are "
                  "won by who leads from the first third on, %(comeback)s by who was last half-way.",
                  decided=sure(found.decided_at, "share", translator), runaway=say(found.runaway.value),
                  comeback=say(found.comeback_wins.value)),
            "course.decided", translator,
        )  # fmt: skip


def _at(found: Course, number: int, translator: Translator) -> str:
    """A round or turn within a sentence."""
    if found.unit == "round":
        return translator("round %(at)s", at=number)
    return translator("turn %(at)s", at=number)


def _leading(found: Course, unit: str, translator: Translator) -> Picture:
    say = partial(figure, unit="share", translator=translator)
    count = len(found.rounds[0].leading)
    label = translator("Seat %(number)s")
    names = [label % {"number": seat + 1} for seat in range(count)]
    shown = [
        Line(names[seat], [(one.round, one.leading[seat]) for one in found.rounds]) for seat in range(count)
    ]
    last = found.rounds[-1]
    best = max(range(count), key=lambda seat: last.leading[seat].value)
    told = {"seat": names[best], "share": sure(last.leading[best], "share", translator)}
    return Picture(
        translator("Who leads"),
        lines(shown, say, unit),
        translator("At the end %(seat)s leads most often: in %(share)s of the games.", **told)
        if last.leading[best].low > 1 / count else
        translator("At the end no seat is seen to lead more often than others; %(seat)s leads in %(share)s of the games.",
              **told),
        Table([unit, *names], [[str(one.round), *(say(each.value) for each in one.leading)] for one in found.rounds]),
    )  # fmt: skip


def _comebacks(found: Course, unit: str, translator: Translator) -> Picture:
    """Lines for the classes of deficits that were seen most."""
    say = partial(figure, unit="share", translator=translator)
    by_class: dict[tuple[int, int], list[tuple[float, Estimate]]] = {}
    for one in sorted(found.comebacks, key=lambda one: one.round):
        by_class.setdefault((one.low, one.high), []).append((one.round, one.win))
    classes = sorted(key for key, points in by_class.items() if len(points) > 1)
    shown = []
    for low, high in classes[:: max(1, (len(classes) + 4) // 5)]:
        behind = (
            translator("leads, or level") if high == 0 else f"−{low}" if low == high else f"−{low} … −{high}"
        )
        shown.append(Line(behind, by_class[low, high]))
    rounds = sorted({one.round for one in found.comebacks if one.low})
    at = rounds[len(rounds) // 2]
    behind_then = [one for one in found.comebacks if one.round == at and one.low]
    usual = behind_then[len(behind_then) // 2]
    then = {"round": _at(found, usual.round, translator), "win": sure(usual.win, "share", translator)}
    return Picture(
        translator("The comeback curve: the chance to win from behind"),
        lines(shown, say, unit, low=0.0),
        translator.plural("Who is %(num)s point behind after %(round)s still wins %(win)s of the games.",
                     "Who is %(num)s points behind after %(round)s still wins %(win)s of the games.", usual.low, **then)
        if usual.low == usual.high else
        translator("Who is %(low)s to %(high)s points behind after %(round)s still wins %(win)s of the games.",
              low=usual.low, high=usual.high, **then),
        Table([unit, translator("Points behind"), *heading("", translator)[1:]],
              [[str(one.round), *cells(_span(one.low, one.high), one.win, "share", translator)]
               for one in found.comebacks]),
    )  # fmt: skip


def _span(low: int, high: int) -> str:
    return f"{low}–{high}" if low < high else str(low)


def choice(found: Choice, translator: Translator) -> Iterator[Picture]:
    """What there is to choose."""
    if found.rounds:
        shown = [Line(translator("Legal moves"), [(one.round, one.legal) for one in found.rounds])]
        forced = sure(found.forced, "share", translator)
        yield Picture(
            translator("Moves to choose from"),
            lines(shown, partial(figure, unit="", translator=translator), translator("Round"), low=0.0),
            translator("A player chooses among %(legal)s moves on average; %(forced)s of the decisions leave no choice.",
                  legal=sure(found.legal, "", translator), forced=forced),
            Table([translator("Round"), *heading("", translator)[1:]],
                  [cells(str(one.round), one.legal, "", translator) for one in found.rounds]),
            measured_as("choice.legal", translator),
        )  # fmt: skip
        spread = [(one.round, one.spread) for one in found.rounds if one.spread is not None]
        if spread:
            yield Picture(
                translator("How much the choice matters"),
                lines([Line(translator("Spread of worth"), spread)], partial(figure, unit="", translator=translator),
                      translator("Round"), low=0.0),
                translator("Where the line is high, moves differ much in worth. %(indifferent)s of the decisions did not "
                      "matter.", indifferent=sure(found.indifferent, "share", translator))
                if found.indifferent is not None else translator("Where the line is high, moves differ much in worth."),
                Table([translator("Round"), *heading("", translator)[1:]],
                      [cells(str(at), one, "", translator) for at, one in spread]),
                measured_as("choice.spread", translator),
            )  # fmt: skip
    if found.legal_histogram:
        low, high = middle_range(found.legal_histogram)
        yield spread_picture(
            translator("How many moves there are"), found.legal_histogram, found.legal, "",
            translator("Nine of ten decisions offer %(low)s to %(high)s moves.", low=f"{low:g}", high=f"{high:g}"),
            "choice.legal", translator,
        )  # fmt: skip
    if found.problems:
        yield _unwanted(found.problems, translator)


def _unwanted(problems: Sequence[Option], translator: Translator) -> Picture:
    """The options that nobody wants, or can have."""
    rows = [
        [named(one.thing.name, translator), translator("dead") if one.problem == "dead" else translator("dominated"),
         figure(one.available, "count", translator), figure(one.taken.value, "share", translator)]
        for one in problems
    ]  # fmt: skip
    told = translator.plural("In these games %(num)s option was hardly ever there or hardly ever taken.",
                        "In these games %(num)s options were hardly ever there or hardly ever taken.",
                        len(rows))  # fmt: skip
    if problems[0].problem == "dominated":
        option, _, times, _ = rows[0]
        told += " " + translator(
            "Passed over most: “%(option)s”, %(times)s times there.", option=option, times=times
        )
    return Picture(
        translator("Options that nobody wants"),
        "",
        told,
        Table(
            [translator("Option"), translator("Why"), translator("Times there"), translator("Taken")], rows
        ),
    )


def _part(found: Estimate) -> Estimate:
    """A part of a whole: where its estimate, or an end of its range, lies outside 0 to 1, the nearer of these."""
    value, low, high = (min(1.0, max(0.0, one)) for one in (found.value, found.low, found.high))
    return replace(found, value=value, low=low, high=high)


def _capital(text: str) -> str:
    """As it begins a sentence."""
    return text[:1].upper() + text[1:]


def luck(found: LuckAndSkill, translator: Translator) -> Iterator[Picture]:
    """How much the better player wins, and how much the deal settles."""
    if found.rungs:
        rows = [Row(f"{one.stronger} · {one.weaker}", one.share, one.share.low > 0.5) for one in found.rungs]
        sure_rungs = sum(row.strong for row in rows)
        yield dots_picture(
            translator("Does thinking pay?"), rows, "share", 0.5,
            told_by_range(translator("Share of the win of the player who thinks twice as long"), translator),
            translator("None of %(all)s doublings of the time to think is sure to win more.", all=len(rows))
            if not sure_rungs else
            translator.plural("%(num)s of %(all)s doublings of the time to think is sure to win more.",
                         "%(num)s of %(all)s doublings of the time to think are sure to win more.",
                         sure_rungs, all=len(rows)),
            "luck.rungs", translator,
        )  # fmt: skip
    rows = [Row(_capital(named(one.name, translator)), _part(one.settles)) for one in found.sources]
    if not rows and found.settled is not None:
        rows = [Row(translator("The deal"), _part(found.settled))]
    if rows:
        most = max(rows, key=lambda row: row.estimate.value)
        yield dots_picture(
            translator("What luck settles"), rows, "share", 0.0,
            translator("Share of what decides who wins, between equal players"),
            translator("%(source)s settles most: %(share)s of who wins.", source=most.label,
                  share=sure(most.estimate, "share", translator)),
            "luck.settled", translator,
        )  # fmt: skip
    if found.dealt:
        yield _dealt(found.dealt, translator)
    if found.spans:
        total = sum(bar.count for bar in found.spans)
        mean = sum((bar.low + bar.high) / 2 * bar.count for bar in found.spans) / max(total, 1)
        yield Picture(
            translator("Deals: how often the luckiest seat wins"),
            histogram(found.spans, mean, partial(figure, unit="share", translator=translator), translator("Share of the win")),
            translator("%(deals)s deals were played %(replays)s times each; in a deal the luckiest seat won %(mean)s of "
                  "the games on average.", deals=figure(found.deals, "count", translator), replays=found.replays,
                  mean=figure(mean, "share", translator)),
            bars_table(found.spans, translator("Share of the win"), translator),
        )  # fmt: skip


def _dealt(sources: Sequence[ChanceSource], translator: Translator) -> Picture:
    """What each source of chance in the deal settles."""
    rows = [
        Row(
            _capital(named(one.name, translator)),
            _part(one.settles),
            one.settles.low > 0 and one.settles.method != "none",
        )
        for one in sources
    ]
    strong = [row for row in rows if row.strong]
    if strong:
        most = max(strong, key=lambda row: row.estimate.value)
        sentence = translator.plural(
            "%(num)s of %(all)s sources of chance in the deal is sure to settle something; the strongest here is "
            "“%(source)s”: %(share)s of who wins.",
            "%(num)s of %(all)s sources of chance in the deal are sure to settle something; the strongest here is "
            "“%(source)s”: %(share)s of who wins.",
            len(strong), all=len(rows), source=most.label, share=sure(most.estimate, "share", translator),
        )  # fmt: skip
        sentence += " " + translator("What several settle together counts for each of them.")
    else:
        sentence = translator("No source of chance in the deal is sure to settle anything.")
    label = translator("Share of what decides who wins that changes as the source alone is drawn anew")
    return dots_picture(
        translator("What in the deal settles who wins"),
        rows,
        "share",
        0.0,
        told_by_range(label, translator),
        sentence,
        "luck.dealt",
        translator,
    )

"""The command `analyse`: a finished game, explained for a person."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.commands.options import (
    CORES,
    FiguresFile,
    Language,
    Workers,
    check_files,
    console,
    errors_in,
    progress_bar,
    translator,
)
from atoll.commands.recorded import naming, record_in
from atoll.text.translation import Translator, texts

if TYPE_CHECKING:
    from atoll.core.records import Record
    from atoll.lab.analysis import Analysis, JudgedDecision, SeatParts

KINDS = dict(
    zip(
        ("inaccuracy", "mistake", "blunder"),
        texts("an inaccuracy", "a mistake", "a blunder"),
        strict=True,
    )
)


def analyse(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help=translator("A file of game records; - for what comes in."))
    ],
    game: Annotated[int, typer.Option(min=1, help=translator("Which game of the file, from 1."))] = 1,
    worlds: Annotated[
        int, typer.Option(min=20, help=translator("Worlds in which each position is judged."))
    ] = 200,
    seed: Annotated[int, typer.Option(min=0, help=translator("The same seed gives the same analysis."))] = 1,
    json: FiguresFile = None,
    workers: Workers = CORES,
    language: Language = translator.language,
) -> None:
    """Explain a finished game: what decisions cost, and what luck brought."""
    say = Translator(language)
    with errors_in(say):
        check_files(json)
        record = record_in(file, game)

        from msgspec.json import encode

        from atoll.lab import analysis
        from atoll.text.files import write_whole

        with progress_bar() as bar:
            task = bar.add_task(say("Analysing"))
            with naming(file):
                found = analysis.analyse(
                    record,
                    seed,
                    worlds,
                    workers,
                    lambda found, total: bar.update(task, completed=len(found), total=total),
                )
        if json is not None:
            write_whole(json, encode(found))
        for line in told(found, record, say):
            console().print(line)


def told(analysis: "Analysis", record: "Record", say: Translator) -> Iterator[str]:
    """The analysis in sentences, a line each."""
    from atoll.core.game_translator import GameTranslator
    from atoll.lab.analysis import steps_of

    steps, end = steps_of(record)
    in_game = GameTranslator(say.with_package(end.game.package), end.components)
    names = analysis.players

    def sentence(one: "JudgedDecision") -> str:
        view = steps[one.number].before.view(one.seat)
        played, better = (
            end.game.messages.move_text(in_game, names, move, view, one.seat)
            for move in (one.move, one.other)
        )
        line = say(
            "Round %(round)s, %(name)s: “%(played)s” was %(kind)s; “%(better)s” was better by about %(loss)s "
            "points of the win (%(low)s to %(high)s).",
            round=one.round,
            name=names[one.seat],
            played=played,
            kind=say(KINDS[one.kind]),
            better=better,
            loss=_points(one.cost.value),
            low=_points(one.cost.low),
            high=_points(one.cost.high),
        )
        if one.in_fact is not None:
            line += " " + say("As the cards in fact lay: by %(loss)s.", loss=_points(one.in_fact.value))
        return line

    yield say(
        "Judged as if everybody went on like the bot “greedy”: against stronger players a move may be better, or "
        "worse, than it is called here."
    )
    yield ""
    yield say("Shares of the win as each round began, in points of 100:")
    for place, step in enumerate(steps):
        if not place or step.round != steps[place - 1].round:
            shares = analysis.shares[place]
            yield say(
                "Round %(round)s: %(shares)s",
                round=step.round,
                shares=", ".join(
                    f"{name} {_points(share.value)} ({_points(share.low)}–{_points(share.high)})"
                    for name, share in zip(names, shares, strict=True)
                ),
            )
    moments = analysis.moments
    others = [one for one in analysis.decisions if one.kind != "fine" and one not in moments]
    yield ""
    yield say("The moments that cost most:") if moments else say("No decision was surely worse than another.")
    yield from map(sentence, moments)
    if others:
        yield ""
        yield say("What else cost something:")
        yield from map(sentence, others)
    yield ""
    yield say("Luck and skill, in points of the win:")
    for part in analysis.parts:
        yield _parts_text(part, names[part.seat], say)


def _parts_text(part: "SeatParts", name: str, say: Translator) -> str:
    line = say(
        "%(name)s: %(result)s = %(fair)s fair share, %(deal)s deal, %(chance)s chance since, %(own)s own decisions, "
        "%(others)s decisions of others.",
        name=name,
        result=_points(part.result),
        fair=_points(part.fair),
        deal=_signed(part.deal.value),
        chance=_signed(part.chance.value),
        own=_signed(part.own.value),
        others=_signed(part.others.value),
    )
    sure = [one for one in part.rounds if one.chance.low > 0 or one.chance.high < 0]
    if sure:
        most = max(sure, key=lambda one: abs(one.chance.value))
        line += " " + say(
            "Chance did most in round %(round)s: %(points)s.",
            round=most.round,
            points=_signed(most.chance.value),
        )
    return line


def _points(share: float) -> str:
    """A share in points of 100."""
    return f"{100 * share:.0f}"


def _signed(share: float) -> str:
    return f"{100 * share:+.0f}".replace("-", "−")

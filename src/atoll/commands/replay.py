"""The command `replay`: recorded games for a person, every line checked, every game told."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.commands.options import Language, check_files, console, errors_in, progress_bar, translator
from atoll.commands.recorded import naming, record_in, records_in
from atoll.core.game_translator import GameTranslator
from atoll.text.errors import AtollError
from atoll.text.messages import Message
from atoll.text.printable import printable
from atoll.text.translation import Translator

if TYPE_CHECKING:
    from atoll.commands.console import PlainConsole
    from atoll.core.records import Record, ReplayedMove


def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help=translator("A file of game records; - for what comes in."))
    ],
    log: Annotated[
        bool | None,
        typer.Option(help=translator("Tell every move; if not said, only when there is one game.")),
    ] = None,
    at: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="N",
            help=translator(
                "Tell the game up to decision N, and show the table there; a record may name one itself."
            ),
        ),
    ] = None,
    prove: Annotated[
        bool,
        typer.Option(
            "--prove",
            help=translator(
                "Deal again by the key of a finished table, and check that all chance follows from it."
            ),
        ),
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=translator(
                "Write a game as one HTML file, which shows the table after each move in any browser."
            ),
        ),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(min=1, help=translator("With --html: which game of the file; the first if not said.")),
    ] = None,
    guess: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="SEAT",
            help=translator(
                "With --html: whoever opens the file chooses for this seat first, and sees how good each move was."
            ),
        ),
    ] = None,
    language: Language = translator.language,
) -> None:
    """Play recorded games again, check every line, and tell what happened."""
    say = Translator(language)
    with errors_in(say):
        for option, value in (("--guess", guess), ("--game", game)):
            if html is None and value is not None:
                raise AtollError(
                    Message("%(option)s goes with --html, which names the file to write", option=option)
                )
        if html is None:
            tell_games(file, say, console(), log, at=at, prove=prove)
        else:
            check_files(html)
            record = record_in(file, game or 1)
            with naming(file):
                write_replay(record, html, language, say, None if guess is None else guess - 1)


def write_replay(
    record: "Record", path: Path, language: str, say: Translator, guesses: int | None = None
) -> None:
    """Write a game as one HTML file, in which the moves of a seat are guessed, if it is said. Raises RecordError if the
    game does not replay, AtollError if the seat's moves cannot be guessed, and OSError.
    """
    from atoll.text.files import write_whole
    from atoll.web.pages.replay_file import ReplayFile

    file = ReplayFile(record, language, guesses)
    with progress_bar() as bar:
        html = file.draw(bar.track(file.pages, description=say("Drawing")))
    write_whole(path, html.encode())


def tell_games(
    path: Path,
    translator: Translator,
    console: "PlainConsole",
    log: bool | None,
    *,
    at: int | None = None,
    prove: bool = False,
) -> None:
    """Replay every record in the file; tell the games move by move if `log`, or if None and there is one game, up to
    the decision `at` or that which a record names. With `prove`, check that each deal is the one to which its table was
    committed.

    Raises RecordError naming the file and the line that is wrong.
    """
    from atoll.core.records import moment_of

    games = records_in(path)
    with naming(path):
        for number, record in enumerate(games, start=1):
            told = len(games) == 1 if log is None else log
            moment = at or (moment_of(record) if log is None else 0)
            _replay(record, number, translator, console, tell=told or bool(at), at=moment)
            if prove:
                _prove(record, translator, console)


def _replay(
    record: "Record", number: int, translator: Translator, console: "PlainConsole", *, tell: bool, at: int = 0
) -> None:
    from atoll.commands.terminal import TerminalTable
    from atoll.core.plain_messages import redeal_message, undo_message
    from atoll.core.records import first_position
    from atoll.core.records import replay as steps_of

    players = _distinct([str(name) for name in record.header["players"]])
    start = first_position(record)
    game = start.game
    game_translator = GameTranslator(translator.with_package(game.package), start.components)
    decisions = 0
    last: ReplayedMove | None = None
    position = start.copy()
    for last in steps_of(record):
        told = tell and (not at or decisions < at)
        before, position = position, last.position.copy()
        if "undo" in last.move:
            if told:
                undone_moves = decisions - last.move["undo"]
                console.print(
                    undo_message(
                        translator, players[last.seat], undone_moves, by_consent="agreed" in last.move
                    )
                )
            decisions = last.move["undo"]
            continue
        if "redeal" in last.move:
            if told:
                console.print(redeal_message(translator, players[last.seat], committed="number" in last.move))
            continue
        decisions += 1
        if told and decisions == at:
            table = TerminalTable(console, game_translator, before, last.seat)
            table.names = players
            table.show()
        if told:
            for line in game.messages.tell(game_translator, players, last.events, last.position.opened()):
                console.print(line.text)
                for effect in line.effects:
                    console.print(f"  {effect.text}")
    outcome = last.position.outcome if last is not None else None
    head = translator(
        "Game %(number)s: %(game)s, %(players)s",
        number=number,
        game=game.title,
        players=translator.both(players),
    )
    length = translator.plural("%(num)s decision", "%(num)s decisions", decisions)
    if outcome is None:
        console.print(f"{head}; {length}; {translator('not finished')}.")
        return
    points = ", ".join(f"{name} {score}" for name, score in zip(players, outcome.points, strict=True))
    winners = translator.both([players[seat] for seat in outcome.winners])
    won = translator("won by %(names)s", names=winners)
    console.print(f"{head}; {length}; {points}; {won}.")


def _prove(record: "Record", translator: Translator, console: "PlainConsole") -> None:
    from atoll.core.provable_deals import prove

    proven = prove(record)
    if proven.earlier is not None:
        text = translator(
            "Proved: the game goes on from one whose deal all could know, with %(lines)s lines of it; what was dealt "
            "since follows from the key.",
            lines=proven.earlier,
        )
    elif any(proven.contributions):
        text = translator("Proved: the start and all chance follow from the key and from what players added.")
    else:
        text = translator("Proved: the start and all chance follow from the key; nobody added anything.")
    console.print(text)
    for name, words in zip(_distinct(record.header["players"]), proven.contributions, strict=False):
        if words is not None:
            console.print(f"  {name}: {printable(words)}")
    console.print(
        translator(
            "The key has the fingerprint %(digest)s: compare it with the one that the table showed.",
            digest=proven.commitment,
        )
    )


def _distinct(names: list[str]) -> list[str]:
    """The names, with the seat's number, from 1, behind those that several seats have."""
    return [f"{name} ({seat})" if names.count(name) > 1 else name for seat, name in enumerate(names, start=1)]

"""The command `tune`: numbers of a components file for stated aims."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from atoll.bots.catalogue import find_bot
from atoll.bots.external import named_bots
from atoll.commands.options import (
    CORES,
    ComponentsFile,
    GameName,
    RayAddress,
    Seed,
    Workers,
    check_files,
    components_in,
    components_text,
    console,
    players_at_work,
    progress_bar,
    tell_seed,
)
from atoll.core.catalogue import find_game
from atoll.engine.seeds import new_seed
from atoll.text.errors import AtollError
from atoll.text.files import write_whole

if TYPE_CHECKING:
    from atoll.lab.tuning import TuningTask


WHY = {
    "met": "The search ended: the best numbers cannot be told from ones that meet all aims.",
    "still": "The search ended: for many trials nothing came nearer to the aims by more than chance makes.",
}
"""Why a search ends before its last trial; more games a trial would tell more."""


def tune(
    game_name: GameName,
    aims: Annotated[Path, typer.Option(metavar="FILE", help="What is wanted, and which numbers may change.")],
    components: ComponentsFile = None,
    trials: Annotated[
        int, typer.Option(min=1, help="How many sets of numbers are tried at most, in all.")
    ] = 100,
    seed: Seed = None,
    workers: Workers = CORES,
    ray: RayAddress = None,
    study: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where trials are kept; the same command goes on where it stopped."
        ),
    ] = None,
    proposed: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FILE", help="Write the proposed components to this file."),
    ] = None,
    check: Annotated[
        int,
        typer.Option(min=1, help="So many times a trial's games are played for the last measurement."),
    ] = 5,
) -> None:
    """Search numbers of a components file for what is wanted of the game."""
    game = find_game(game_name)
    parts = components_in(game, components)
    try:
        from atoll.lab import tuning
    except ImportError:
        raise AtollError(
            "atoll tune needs Optuna: make lab installs it (or pip install 'atoll[lab]')"
        ) from None
    from atoll.lab.aims import ranges_of, read_aims, whole
    from atoll.lab.differences_text import aim_tables

    file = read_aims(aims)
    ranges_of(file, parts)
    for players in file.players:
        game.check_players(players)
    for name in (name for level in file.aims.levels for name in (level.bot, level.against)):
        find_bot(name)
    to = proposed or Path(f"{game.name}-tuned.toml")
    journal = study or Path(f"{game.name}-tuning.journal")
    check_files(to, journal)
    if seed is None:
        seed = tuning.seed_of(journal)
    if seed is None:
        seed = new_seed()
        tell_seed(seed)
    with (
        named_bots(file.bots) as bots,
        players_at_work(workers, ray, bots) as at_work,
        tuning.only_one(journal),
    ):
        question = tuning.TuningTask(game, parts, file, tuple(bots), seed)
        trial_study = tuning.open_study(question, journal)
        with progress_bar() as bar:
            task = bar.add_task(
                "Trials", total=trials, completed=min(trials, tuning.trials_done(trial_study))
            )
            try:
                numbers = tuning.tune(
                    question, trial_study, trials, at_work, lambda done: bar.advance(task, done)
                )
            except KeyboardInterrupt:
                console().print(
                    f"The trials so far are in {journal}; the same command goes on with them.",
                    soft_wrap=True,
                )
                raise
        with console().status("Measuring the proposed numbers on other deals…"):
            before, after = tuning.remeasure(question, numbers, check, at_work)
    if why := tuning.ended(trial_study):
        console().print(WHY[why], soft_wrap=True)
    tried = tuning.trials_done(trial_study)
    for part in aim_tables(whole(question.components), numbers, before, after, tried, check):
        console().print(part)
    _write(question, numbers, components, to)


def _write(question: "TuningTask", numbers: dict[str, int], source: Path | None, file: Path) -> None:
    """Write the proposed components, with the comments and the layout of the file that they come from."""
    from atoll.text.toml_text import with_data

    game = question.game
    text = components_text(game, source)
    write_whole(file, with_data(text, question.changed(numbers).data).encode())
    console().print(f"The proposed components are in {file}.", soft_wrap=True)
    console().print(
        f"What changes besides: atoll compare {game.name} --with {file}",
        soft_wrap=True,
    )
    before = source or game.components().name
    console().print(
        f"What to print again: atoll print {game.name} --components {file} --changes-from {quote(str(before))}",
        soft_wrap=True,
    )
